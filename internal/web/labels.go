package web

import (
	"net/http"
	"net/url"

	"github.com/routecard/routecard"
)

// labelsPerSheet is how many labels one page prints at most.
const labelsPerSheet = 240

type labelsPage struct {
	frame
	First, Last string
	Size        string // sheet or single
	Labels      []routecard.SerialListItem
	Next        string // where the rest begins, "" when there is none
}

func showLabels(v *visit) error {
	query := v.r.URL.Query()
	page := &labelsPage{frame: v.frame("Labels", "serials"), First: query.Get("first"), Last: query.Get("last"),
		Size: query.Get("size")}
	if page.Size != "single" {
		page.Size = "sheet"
	}
	if page.Last == "" {
		page.Last = page.First
	}
	if page.First != "" {
		var err error
		if page.Labels, err = v.service.SerialsBetween(v.r.Context(), page.First, page.Last, labelsPerSheet); err != nil {
			return v.again("labels", err, func(status int, refused *problem) error {
				refused.values = query
				page.problem = refused
				return v.show(status, "labels", page)
			})
		}
	}
	if count := len(page.Labels); count == labelsPerSheet {
		number, _ := routecard.ParseSerialID(page.Labels[count-1].ID)
		if last, _ := routecard.ParseSerialID(page.Last); number < last {
			page.Next = "/labels?" + url.Values{"first": {routecard.SerialID(number + 1)}, "last": {page.Last},
				"size": {page.Size}}.Encode()
		}
	}
	return v.show(http.StatusOK, "labels", page)
}

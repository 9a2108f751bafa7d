package office

import (
	"net/http"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
)

// LibraryPage lists the names of processes and locations.
type LibraryPage struct {
	site.Frame
	Libraries []LibraryList
}

// LibraryList is one of the two lists.
type LibraryList struct {
	Library shop.Library
	Title   lang.Text
	Hint    lang.Text
	Entries []shop.LibraryEntry
}

func showLibrary(v *site.Visit) error { return renderLibrary(v, http.StatusOK, nil) }

func renderLibrary(v *site.Visit, status int, refused *site.Problem) error {
	page := &LibraryPage{Frame: v.Frame("Library", "library"), Libraries: []LibraryList{
		{Library: shop.Processes, Title: "Processes", Hint: "Names that the step editor offers, such as Deburr or CMM inspection."},
		{Library: shop.Locations, Title: "Locations", Hint: "Stations and bays, such as Bay 3."},
	}}
	page.Rejected = refused
	for i := range page.Libraries {
		list := &page.Libraries[i]
		for entry, err := range v.Service.LibraryEntries(v.R.Context(), list.Library) {
			if err != nil {
				return err
			}
			list.Entries = append(list.Entries, entry)
		}
	}
	return v.Show(status, "library", page)
}

func changeLibrary(v *site.Visit) error {
	library := shop.Library(v.Form.Get("library"))
	if library != shop.Locations {
		library = shop.Processes
	}
	form, done := string(library), v.T("Added.")
	var err error
	if id := v.Form.Get("delete"); id != "" {
		err = v.Service.DeleteLibraryEntry(v.R.Context(), library, id)
		done = v.T("Removed. Routes that use the name keep it.")
	} else {
		_, err = v.Service.CreateLibraryEntry(v.R.Context(), library, v.Text("name"))
	}
	if err != nil {
		return v.Again(form, err, renderLibrary)
	}
	return v.Back("/library", done)
}

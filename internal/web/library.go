package web

import (
	"net/http"

	"github.com/routecard/routecard/shop"
)

type libraryPage struct {
	frame
	Libraries []libraryList
}

type libraryList struct {
	Library shop.Library
	Title   string
	Hint    string
	Entries []shop.LibraryEntry
}

func showLibrary(v *visit) error { return renderLibrary(v, http.StatusOK, nil) }

func renderLibrary(v *visit, status int, refused *problem) error {
	page := &libraryPage{frame: v.frame("Library", "library"), Libraries: []libraryList{
		{Library: shop.Processes, Title: "Processes", Hint: "Names that the step editor offers, such as Deburr or CMM inspection."},
		{Library: shop.Locations, Title: "Locations", Hint: "Stations and bays, such as Bay 3."},
	}}
	page.problem = refused
	for i := range page.Libraries {
		list := &page.Libraries[i]
		for entry, err := range v.service.LibraryEntries(v.r.Context(), list.Library) {
			if err != nil {
				return err
			}
			list.Entries = append(list.Entries, entry)
		}
	}
	return v.show(status, "library", page)
}

func changeLibrary(v *visit) error {
	library := shop.Library(v.form.Get("library"))
	if library != shop.Locations {
		library = shop.Processes
	}
	form, done := string(library), "Added."
	var err error
	if id := v.form.Get("delete"); id != "" {
		err = v.service.DeleteLibraryEntry(v.r.Context(), library, id)
		done = "Removed. Routes that use the name keep it."
	} else {
		_, err = v.service.CreateLibraryEntry(v.r.Context(), library, v.text("name"))
	}
	if err != nil {
		return v.again(form, err, renderLibrary)
	}
	return v.back("/library", done)
}

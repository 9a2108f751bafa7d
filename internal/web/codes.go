package web

import (
	"net/http"

	"github.com/routecard/routecard"
)

type codesPage struct {
	frame
	Codes []commandCode
}

type commandCode struct{ Code, Title, Hint string }

// showCodes is a sheet of command codes to print and hang up at a station.
func showCodes(v *visit) error {
	page := &codesPage{frame: v.frame("Command codes", "scan"), Codes: []commandCode{
		{routecard.CodeAdvance, "Done, next step", "Moves the unit on the screen one step forward"},
		{routecard.CodeNote, "Note", "Type the note, then Enter"},
		{routecard.CodeDeferred, "Deferred step done", "The step that was put off has been performed"},
		{routecard.CodeHold, "Hold", "Type why, then Enter: the unit stays where it is until it is released"},
		{routecard.CodeUndo, "That was a mistake", "Takes back what was done last to the unit on the screen"},
		{routecard.CodeYes, "Yes", "Does what the screen asks"},
		{routecard.CodeNo, "No", "Leaves everything as it is"},
	}}
	if v.access != nil {
		page.Codes = append(page.Codes, commandCode{codeOut, "Sign out", "The next person signs in"})
	}
	for _, reason := range routecard.ScrapReasons() {
		page.Codes = append(page.Codes, commandCode{routecard.ScrapCode(reason), "Scrap: " + words(reason), "Asks before it acts"})
	}
	return v.show(http.StatusOK, "codes", page)
}

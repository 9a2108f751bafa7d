package scanpages

import (
	"net/http"

	"github.com/routecard/routecard/internal/station"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
)

// CodesPage lists the command codes for printing.
type CodesPage struct {
	site.Frame
	Codes []CommandCode
}

// CommandCode is a command code with its effect.
type CommandCode struct{ Code, Title, Hint string }

// showCodes renders a sheet of command codes to print and hang up at a station.
func showCodes(v *site.Visit) error {
	page := &CodesPage{Frame: v.Frame("Command codes", "scan"), Codes: []CommandCode{
		{station.CodeDone, "Done, next step", "Moves the unit on the screen one step forward. Scan the unit first"},
		{station.CodeNote, "Note", "Type the note, then Enter"},
		{station.CodeDeferred, "Deferred step done", "The deferred step has been done"},
		{station.CodeHold, "Hold", "Type why, then Enter: the unit stays where it is until it is released"},
		{station.CodeUndo, "That was a mistake", "Takes back what was done last at this station"},
		{station.CodeMeasure, "Measure", "Asks for what is missing, or measures again"},
		{station.CodePass, "Pass", "When the screen asks for pass or fail"},
		{station.CodeFail, "Fail", "When the screen asks for pass or fail"},
		{station.CodeInstrument, "Another instrument", "Type its number, then Enter"},
		{station.CodeYes, "Yes", "Does what the screen asks"},
		{station.CodeNo, "No", "Leaves everything as it is"},
	}}
	if v.Access != nil {
		page.Codes = append(page.Codes, CommandCode{site.CodeOut, "Sign out", "The next person signs in"})
	}
	for _, reason := range shop.ScrapReasons() {
		page.Codes = append(page.Codes, CommandCode{station.ScrapCode(reason), "Scrap: " + wording.Words(reason), "Asks before it acts"})
	}
	return v.Show(http.StatusOK, "codes", page)
}

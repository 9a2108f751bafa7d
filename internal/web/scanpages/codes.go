package scanpages

import (
	"net/http"

	"github.com/routecard/routecard/internal/station"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
)

// CodesPage lists the command codes for printing.
type CodesPage struct {
	site.Frame
	Codes []CommandCode
}

// CommandCode is a command code with its effect.
type CommandCode struct {
	Code  string
	Title string
	Hint  lang.Text
}

// showCodes renders the sheet of command codes, to be printed and put up at a station.
func showCodes(v *site.Visit) error {
	page := &CodesPage{Frame: v.Frame("Command codes", "scan"), Codes: []CommandCode{
		{station.CodeDone, v.T("Done, next step"), "Moves the unit on the screen one step forward. Scan the unit first"},
		{station.CodeNote, v.T("Write a note"), "Type the note, then Enter"},
		{station.CodeDeferred, v.T("Deferred step done"), "The deferred step has been done"},
		{station.CodeHold, v.T("Put on hold"), "Type why, then Enter: the unit stays where it is until it is released"},
		{station.CodeUndo, v.T("That was a mistake"), "Undoes the last change at this station"},
		{station.CodeMeasure, v.T("Measure"), "Asks for what is missing, or measures again"},
		{station.CodePass, v.T("of a reading|Pass"), "When the screen asks for pass or fail"},
		{station.CodeFail, v.T("of a reading|Fail"), "When the screen asks for pass or fail"},
		{station.CodeInstrument, v.T("Another instrument"), "Type its number, then Enter"},
		{station.CodeInstall, v.T("Install a component"), "Scan the unit, then this code, then the component or its lot"},
		{station.CodeYes, v.T("Yes"), "Does what the screen asks"},
		{station.CodeNo, v.T("No"), "Leaves everything as it is"},
	}}
	if v.Access != nil {
		page.Codes = append(page.Codes, CommandCode{site.CodeOut, v.T("Sign out"), "The next person signs in"})
	}
	for _, reason := range shop.ScrapReasons() {
		page.Codes = append(page.Codes, CommandCode{
			station.ScrapCode(reason), v.T("Scrap: {reason}", "reason", lang.Words(v.Language, reason)), "Asks before it acts",
		})
	}
	return v.Show(http.StatusOK, "codes", page)
}

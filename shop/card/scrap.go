package card

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// ScrapReason is the reason why a serial was scrapped.
type ScrapReason string

// The reasons for scrapping a serial, as the interface spells them.
const (
	OutOfTolerance ScrapReason = "out_of_tolerance"
	ProcessDefect  ScrapReason = "process_defect"
	Damaged        ScrapReason = "damaged"
	OperatorError  ScrapReason = "operator_error"
	OtherReason    ScrapReason = "other"
)

// RefuseScrap returns the refusal to scrap a serial, or nil.
func RefuseScrap(card Card) error {
	return refuseClosed(card.Serial, refusal.ScrapScrapped, refusal.ScrapCompleted)
}

// ScrapAt scraps a unit.
func ScrapAt(card Card, scrap Scrap, now ident.Timestamp) Change {
	serial := card.Serial
	scrap.At = now
	scrap.StepID = card.Path.Steps[serial.Position].ID
	serial.Status, serial.Scrap, serial.UpdatedAt = Scrapped, &scrap, now
	entry := EntryAbout(serial, ActionSerialScrapped, scrap.StepID, scrap.By, now)
	entry.Metadata = trail.Metadata(struct {
		Reason      ScrapReason `json:"reason"`
		Explanation string      `json:"explanation,omitempty"`
	}{scrap.Reason, scrap.Explanation})
	return Change{Serial: serial, Moved: true, Audit: []trail.Entry{entry}}
}

package office

import (
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// A unit is shown with its own number first, followed by the identifier. If it has no own number, only the identifier is shown. Templates
// write these names with the parts "unit-name" and "unit-link", and in attributes and sentences with Frame.Called.

// UnitsShown returns the texts of the page that can contain units.
func (p *JobPage) UnitsShown() []string {
	texts := site.EntriesAbout(p.History)
	for i := range p.Boards {
		for j := range p.Boards[i].Columns {
			texts = append(texts, p.Boards[i].Columns[j].Serials...)
		}
	}
	return texts
}

// UnitsShown returns the texts of the page that can contain units.
func (p *AuditPage) UnitsShown() []string { return site.EntriesAbout(p.Page.Entries) }

// UnitsShown returns the texts of the page that can contain units.
func (p *ProofPage) UnitsShown() []string { return site.EntriesAbout([]trail.Entry{p.Entry}) }

// UnitsShown returns the texts of the page that can contain units.
func (p *FloorPage) UnitsShown() []string {
	texts := site.IDsOf(p.Floor.Now.Longest, func(unit *views.StandingUnit) string { return unit.ID })
	for i := range p.Floor.Now.Arrived {
		texts = append(texts, p.Floor.Now.Arrived[i].First, p.Floor.Now.Arrived[i].Last)
	}
	return texts
}

// UnitsShown returns the texts of the page that can contain units.
func (p *QueuePage) UnitsShown() (texts []string) {
	for _, group := range p.Groups() {
		for _, work := range p.Rows(group) {
			texts = append(texts, work.SerialIDs...)
		}
	}
	return texts
}

// UnitsShown returns the texts of the page that can contain units.
func (p *CertificatePage) UnitsShown() []string {
	return site.IDsOf(p.Attachments, func(attachment *shop.Attachment) string { return attachment.SerialID })
}

// UnitsShown returns the texts of the page that can contain units.
func (p *chartsPage) UnitsShown() (texts []string) {
	for i := range p.Charts {
		for j := range p.Charts[i].Drawn {
			texts = append(texts, site.IDsOf(p.Charts[i].Drawn[j].Readings, func(r *shop.ChartedReading) string { return r.SerialID })...)
		}
	}
	return texts
}

// UnitsShown returns the texts of the page that can contain units.
func (p *ReportPage) UnitsShown() []string {
	texts := append(site.IDsOf(p.Units, func(unit *views.UnitOnReport) string { return unit.SerialID }), p.Next)
	if p.Open != nil {
		texts = append(texts, wording.Told(p.Language, p.Open))
	}
	return texts
}

// UnitsShown returns the texts of the page that can contain units.
func (p *ManyPage) UnitsShown() []string {
	return append(site.GroupsAbout(p.Groups, p.Refusing), p.Button)
}

// UnitsShown returns the texts of the page that can contain units.
func (p *TakeBackPage) UnitsShown() []string {
	return append(site.GroupsAbout(p.Never), unitList(p.Language, p.Left), unitList(p.Language, p.Before))
}

// UnitsShown returns the texts of the page that can contain units.
func (p *filePage) UnitsShown() []string { return []string{p.Link.On.ID} }

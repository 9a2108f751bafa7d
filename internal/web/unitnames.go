package web

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// What people call a unit: its own number stands first and the identifier beside it; a unit without an own number goes by its
// identifier. Templates write it with the parts "unit-name" and "unit-link", and in attributes and sentences with frame.Called.

// ownNumbers are the own numbers of units, by their identifiers.
type ownNumbers map[string]string

// unitName is what a unit is called.
type unitName struct {
	ID  string
	Own string // "" for none
}

// String is the name as it stands in a sentence.
func (n unitName) String() string {
	if n.Own == "" {
		return n.ID
	}
	return n.Own + " (" + n.ID + ")"
}

// nameOfUnit is what a unit is called whose own number is known.
func nameOfUnit(id, own string) unitName { return unitName{id, own} }

// in writes the own numbers of units in front of their identifiers in a text.
func (o ownNumbers) in(text string) string {
	if len(o) == 0 {
		return text
	}
	var named strings.Builder
	for {
		before, id, rest := cutUnit(text)
		named.WriteString(before)
		if id == "" {
			return named.String()
		}
		named.WriteString(unitName{id, o[id]}.String())
		text = rest
	}
}

// cutUnit cuts a text around the first identifier of a unit in it, which is "" when there is none.
func cutUnit(text string) (before, id, rest string) {
	for from := 0; ; {
		at := strings.Index(text[from:], ident.SerialPrefix)
		if at < 0 {
			return text, "", ""
		}
		at += from
		end := at + len(ident.SerialPrefix)
		for end < len(text) && isDigit(text[end]) {
			end++
		}
		digits := end - at - len(ident.SerialPrefix)
		begins, ends := at == 0 || !inWord(text[at-1]), end == len(text) || !inWord(text[end])
		if begins && ends && digits >= 5 && digits <= 15 {
			return text[:at], text[at:end], text[end:]
		}
		from = end
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// inWord reports whether a byte is one of a longer name.
func inWord(c byte) bool { return isDigit(c) || c == '_' || 'a' <= c|' ' && c|' ' <= 'z' }

// out is the reverse of in: units that were copied from a page go by their identifiers again.
func (o ownNumbers) out(text string) string {
	for id, own := range o {
		text = strings.ReplaceAll(text, unitName{id, own}.String(), id)
	}
	return text
}

// showsUnits is a page that says which units it shows whose own numbers it does not have: in texts with their identifiers. The page
// gets the own numbers of all of them at once before it is rendered.
type showsUnits interface{ UnitsShown() []string }

// hasFrame is a page with a frame, which calls units by their own numbers.
type hasFrame interface {
	sentences() []string
	callUnits(own ownNumbers)
}

// Unit is what a unit that the page shows is called.
func (f *frame) Unit(id string) unitName { return unitName{id, f.own[id]} }

// Called is a text in which the units that the page shows are called as people call them.
func (f *frame) Called(text any) template.HTML { return wording.Apart(f.own.in(fmt.Sprint(text))) }

// sentences are the texts that a frame has by itself and that can name units: what was done, and what was refused.
func (f *frame) sentences() []string {
	if f.problem == nil {
		return []string{f.Title, f.Done}
	}
	return []string{f.Title, f.Done, f.problem.advice.Text}
}

// callUnits takes in the own numbers of units.
func (f *frame) callUnits(own ownNumbers) {
	f.own = own
	f.Title, f.Done = own.in(f.Title), own.in(f.Done)
	if f.problem != nil {
		f.problem.advice.Text = own.in(f.problem.advice.Text)
	}
}

// callUnits reads the own numbers of the units that a page shows, and gives them to it.
func callUnits(v *visit, page any) error {
	framed, is := page.(hasFrame)
	if !is {
		return nil
	}
	texts := framed.sentences()
	if shows, does := page.(showsUnits); does {
		texts = append(texts, shows.UnitsShown()...)
	}
	own, err := loadOwnNumbers(v, texts...)
	if err == nil {
		framed.callUnits(own)
	}
	return err
}

// loadOwnNumbers reads the own numbers of the units whose identifiers are in some texts.
func loadOwnNumbers(v *visit, texts ...string) (ownNumbers, error) {
	var ids []string
	for _, text := range texts {
		for _, id, rest := cutUnit(text); id != ""; _, id, rest = cutUnit(rest) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return v.views.OwnNumbers(v.r.Context(), slices.Compact(ids))
}

func jobOfUnit(unit *shop.SerialListItem) string { return unit.JobID }

// idsOf are identifiers that records have.
func idsOf[T any](records []T, of func(*T) string) []string {
	ids := make([]string, len(records))
	for i := range records {
		ids[i] = of(&records[i])
	}
	return ids
}

func (p *cardPage) UnitsShown() []string { return append(entriesAbout(p.Trail), p.Card.Serial.ID) }

func (p *jobPage) UnitsShown() []string {
	texts := entriesAbout(p.History)
	for i := range p.Boards {
		for j := range p.Boards[i].Columns {
			texts = append(texts, p.Boards[i].Columns[j].Serials...)
		}
	}
	return texts
}

func (p *auditPage) UnitsShown() []string { return entriesAbout(p.Page.Entries) }

func (p *proofPage) UnitsShown() []string { return entriesAbout([]trail.Entry{p.Entry}) }

// entriesAbout are the texts of entries that can name units.
func entriesAbout(entries []trail.Entry) []string {
	texts := make([]string, 0, 2*len(entries))
	for i := range entries {
		texts = append(texts, entries[i].SerialID, string(entries[i].Metadata))
	}
	return texts
}

func (p *floorPage) UnitsShown() []string {
	texts := idsOf(p.Floor.Now.Longest, func(unit *views.StandingUnit) string { return unit.ID })
	for i := range p.Floor.Now.Arrived {
		texts = append(texts, p.Floor.Now.Arrived[i].First, p.Floor.Now.Arrived[i].Last)
	}
	return texts
}

func (p *queuePage) UnitsShown() (texts []string) {
	for _, group := range p.Groups() {
		for _, work := range p.Rows(group) {
			texts = append(texts, work.SerialIDs...)
		}
	}
	return texts
}

func (p *certificatePage) UnitsShown() []string {
	return idsOf(p.Attachments, func(attachment *shop.Attachment) string { return attachment.SerialID })
}

func (p *chartsPage) UnitsShown() (texts []string) {
	for i := range p.Charts {
		for j := range p.Charts[i].Drawn {
			texts = append(texts, idsOf(p.Charts[i].Drawn[j].Readings, func(r *shop.ChartedReading) string { return r.SerialID })...)
		}
	}
	return texts
}

func (p *reportPage) UnitsShown() []string {
	texts := append(idsOf(p.Units, func(unit *views.UnitOnReport) string { return unit.SerialID }), p.Next)
	if p.Open != nil {
		texts = append(texts, wording.Told(p.Open))
	}
	return texts
}

func (p *manyPage) UnitsShown() []string { return append(groupsAbout(p.Groups, p.Refusing), p.Button) }

func (p *takeBackPage) UnitsShown() []string {
	return append(groupsAbout(p.Never), unitList(p.Left), unitList(p.Before))
}

// groupsAbout are the texts of groups of units.
func groupsAbout(lists ...[]unitGroup) []string {
	return idsOf(slices.Concat(lists...), func(group *unitGroup) string { return group.Units + " " + group.What })
}

func (p *confirmPage) UnitsShown() []string { return append(slices.Clone(p.Facts), p.Question, p.Yes) }

func (p *filePage) UnitsShown() []string { return []string{p.Link.On.ID} }

func (p *scanPage) UnitsShown() []string {
	texts := []string{p.State.Unit.ID, p.Asking(), p.NotOn()}
	if p.Result != nil {
		texts = append(texts, p.Result.Code, p.Result.Left, p.Result.Text)
	}
	for i := range p.Scans {
		texts = append(texts, p.Scans[i].Code, p.Scans[i].Left, p.Scans[i].Text)
	}
	return texts
}

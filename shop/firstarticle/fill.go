package firstarticle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/shop/card"
)

// Texts of fields.
const (
	NotApplicable     = "N/A"
	CustomerFurnished = "Customer furnished"
	Accepted          = "Accepted"
	Rejected          = "Rejected"
)

// filling adds fields to a content.
type filling struct {
	Content
	typed map[string]string
}

// need says whether a field must be filled.
type need bool

const (
	required need = true
	optional need = false
)

// put adds a field with the text of the records. Without one, it takes the typed text; without that, the default.
func (f *filling) put(at Missing, rowKey, text string, must need, otherwise string) {
	place := Place{Key: fmt.Sprintf("%d|%s|%d", at.Form, rowKey, at.Field), Filled: text != ""}
	f.Places[at.Name()] = place
	f.order = append(f.order, at)
	typed := false
	if text == "" {
		if text = f.typed[place.Key]; text != "" {
			typed = true
		}
	}
	if text = cmp.Or(text, otherwise); text != "" {
		f.Fields = append(f.Fields, Field{at.Form, at.Row, at.Field, text, typed})
	} else if must {
		f.Missing = append(f.Missing, at)
	}
}

// Fill fills the forms.
func (r *Records) Fill() *Content {
	f := &filling{Content: Content{Places: map[string]Place{}}, typed: r.Typed}
	r.accountability(f)
	r.materials(f)
	r.results(f)
	return &f.Content
}

// accountability fills form 1, except for the signatures.
func (r *Records) accountability(f *filling) {
	put := func(field int, text string, must need, otherwise string) {
		f.put(Missing{Form: 1, Field: field}, "", text, must, otherwise)
	}
	numbers, reports := []string{}, []string{}
	for i := range r.Units {
		numbers = append(numbers, r.Units[i].Number)
		reports = append(reports, r.Units[i].Reports...)
	}
	put(1, r.PartNumber, required, "")
	put(2, r.Description, required, "")
	put(3, strings.Join(numbers, ", "), required, "")
	put(4, cmp.Or(r.Identifier, r.ID), required, "")
	put(5, r.PartRevision, required, "")
	put(6, r.DrawingNumber, required, "")
	put(7, r.DrawingRevision, required, "")
	put(8, "", optional, NotApplicable)
	put(9, r.Route, required, "")
	put(10, r.Organization, required, "")
	put(11, r.SupplierCode, optional, "")
	put(12, r.OrderNumber, optional, "")
	item := "Detail"
	if len(r.Parts) > 0 {
		item = "Assembly"
	}
	put(13, item, required, "")
	put(14, r.extent(), required, "")
	for i, part := range r.Parts {
		row := func(field int, text string, must need) {
			f.put(Missing{1, i + 1, field}, strings.Join([]string{part.Number, part.Name, part.Category, part.Owner}, "/"),
				text, must, "")
		}
		row(15, part.Number, required)
		row(16, part.Name, required)
		row(17, part.Category, required)
		article := part.FirstArticle
		if part.Owner != "" {
			article = CustomerFurnished
		}
		row(18, article, need(part.NeedsFirstArticle))
	}
	nonconformance := "No"
	if reports = distinct(reports); len(reports) > 0 {
		nonconformance = "Yes: " + strings.Join(reports, ", ")
	}
	put(19, nonconformance, required, "")
	put(26, "", optional, "")
}

// extent returns the text of field 14 of form 1.
func (r *Records) extent() string {
	text := "Full first article"
	if r.Kind == Partial {
		text = "Partial first article"
	}
	if r.Baseline != "" {
		text += ", baseline " + r.Baseline
	}
	return text + ". Reason: " + r.Reason
}

// materials fills form 2: raw material, outside work, functional tests.
func (r *Records) materials(f *filling) {
	number := 0
	row := func(key string) func(field int, text string, must need) {
		number++
		at := number
		return func(field int, text string, must need) { f.put(Missing{2, at, field}, key, text, must, "") }
	}
	for _, m := range r.Materials {
		put := row("lot " + m.LotID)
		put(5, m.Material, required)
		put(6, m.Specification, required)
		put(7, m.Code, optional)
		supplier := m.Supplier
		if m.Owner != "" {
			supplier = CustomerFurnished
		}
		put(8, supplier, required)
		put(9, approval(m.CustomerApproval), required)
		put(10, joined(m.Certificates), required)
		put(13, joined(m.Substitutions), optional)
	}
	for _, p := range r.Processes {
		put := row("step " + p.StepID)
		put(5, p.Process, required)
		put(6, p.Specification, required)
		put(7, p.Code, optional)
		put(8, joined(p.Suppliers), required)
		put(9, approval(p.CustomerApproval), required)
		put(10, joined(p.Certificates), required)
		put(13, "", optional)
	}
	for _, t := range r.Tests {
		put := row("test " + t.StepID)
		put(5, t.Step, required)
		put(11, t.Procedure, required)
		put(12, joined(t.Reports), required)
		put(13, "", optional)
	}
}

// approval returns the text of an approval by the customer.
func approval(word string) string {
	return map[string]string{"yes": "Yes", "no": "No", "na": NotApplicable}[word]
}

// results fills form 3: the characteristics with the readings of each unit.
func (r *Records) results(f *filling) {
	planned := r.chosen()
	if len(planned) == 0 {
		f.Missing = append(f.Missing, Missing{Form: 3, Field: 5})
	}
	for i := range planned {
		r.result(f, i+1, &planned[i])
	}
}

// chosen returns the characteristics of form 3 in the order of their numbers. A characteristic of a partial inspection that its step has no
// more is described by the readings of it.
func (r *Records) chosen() []Planned {
	if len(r.Numbers) == 0 {
		return sorted(slices.Clone(r.Planned))
	}
	var chosen []Planned
	for _, number := range r.Numbers {
		found := false
		for _, p := range r.Planned {
			if p.Number == number {
				chosen, found = append(chosen, p), true
			}
		}
		if !found {
			chosen = append(chosen, r.formerly(number)...)
		}
	}
	return sorted(chosen)
}

// formerly returns a characteristic that no step has any more, as the last reading of it had it.
func (r *Records) formerly(number string) []Planned {
	former := map[string]Planned{}
	for i := range r.Units {
		for _, reading := range r.Units[i].Readings {
			if reading.Number != number {
				continue
			}
			kind := card.NumberReading
			if reading.Value == string(card.VerdictPass) || reading.Value == string(card.VerdictFail) {
				kind = card.PassFailReading
			}
			former[reading.StepID+"/"+reading.Place] = Planned{StepID: reading.StepID, Characteristic: card.Characteristic{
				Number: number, Place: reading.Place, Type: kind, Unit: reading.Unit, Limits: reading.Limits,
			}}
		}
	}
	if len(former) == 0 {
		return []Planned{{Characteristic: card.Characteristic{Number: number, Type: card.NumberReading}}}
	}
	var all []Planned
	for _, at := range slices.Sorted(maps.Keys(former)) {
		all = append(all, former[at])
	}
	return all
}

// sorted orders characteristics by number, as numbers where they are, then by place. Characteristics with the same number keep the order of
// their steps.
func sorted(planned []Planned) []Planned {
	slices.SortStableFunc(planned, func(a, b Planned) int {
		return cmp.Or(compareNumbers(a.Number, b.Number), compareNumbers(a.Place, b.Place))
	})
	return planned
}

// compareNumbers compares texts by the number at their beginning, then as texts. Texts without a number come last.
func compareNumbers(a, b string) int {
	leading := func(text string) (int, bool) {
		digits := text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
		number, err := strconv.Atoi(digits)
		return number, err == nil
	}
	na, isA := leading(a)
	nb, isB := leading(b)
	switch {
	case isA && isB && na != nb:
		return cmp.Compare(na, nb)
	case isA != isB && a != "" && b != "":
		if isA {
			return -1
		}
		return 1
	}
	return cmp.Compare(a, b)
}

// result fills one row of form 3.
func (r *Records) result(f *filling, number int, p *Planned) {
	put := func(field int, text string, must need) {
		f.put(Missing{3, number, field}, strings.Join([]string{p.StepID, p.Number, p.Place}, "/"), text, must, "")
	}
	attribute := p.Type == card.PassFailReading
	var values, reports, instruments, notes []string
	measured, failed := 0, false
	for i := range r.Units {
		unit := &r.Units[i]
		reading := unit.reading(p)
		if reading == nil {
			continue
		}
		measured++
		value := shown(reading, attribute)
		if len(r.Units) > 1 {
			value = unit.Number + ": " + value
		}
		values = append(values, value)
		if reading.Verdict == card.VerdictFail {
			failed = true
			reports = append(reports, unit.Reports...)
		}
		if reading.InstrumentID != "" {
			instruments = append(instruments, cmp.Or(r.Instruments[reading.InstrumentID], reading.InstrumentID))
		}
		if reading.Note != "" {
			notes = append(notes, reading.Note)
		}
	}
	put(5, p.Called(), required)
	put(6, "", optional)
	put(7, designator(p.Designator), optional)
	put(8, requirement(&p.Characteristic), required)
	if measured == len(r.Units) {
		put(9, strings.Join(values, "; "), required)
	} else {
		put(9, "", required)
	}
	if attribute {
		put(10, "", optional)
	}
	put(11, joined(reports), need(failed))
	put(12, strings.Join(append(distinct(instruments), distinct(notes)...), "; "), optional)
}

// reading returns the last reading of a characteristic; nil if there is none.
func (u *Unit) reading(p *Planned) *card.Measurement {
	for i := range slices.Backward(u.Readings) {
		if m := &u.Readings[i]; m.StepID == p.StepID && m.Number == p.Number && m.Place == p.Place {
			return m
		}
	}
	return nil
}

// shown returns a reading as typed, and Accepted or Rejected for an attribute.
func shown(reading *card.Measurement, attribute bool) string {
	switch {
	case !attribute:
		return reading.Value
	case reading.Verdict == card.VerdictFail:
		return Rejected
	}
	return Accepted
}

func designator(d card.Designator) string {
	return map[card.Designator]string{card.KeyCharacteristic: "Key", card.CriticalCharacteristic: "Critical"}[d]
}

// requirement returns the requirement of a characteristic or, without one, its limits; without those, its name.
func requirement(c *card.Characteristic) string {
	var limits string
	switch {
	case c.Lower != "" && c.Upper != "":
		limits = string(c.Lower) + " to " + string(c.Upper)
		if c.Nominal != "" {
			limits = string(c.Nominal) + " (" + limits + ")"
		}
	case c.Lower != "":
		limits = "min. " + string(c.Lower)
	case c.Upper != "":
		limits = "max. " + string(c.Upper)
	default:
		limits = string(c.Nominal)
	}
	if limits != "" && c.Unit != "" {
		limits += " " + c.Unit
	}
	return cmp.Or(c.Requirement, limits, c.Name)
}

func joined(texts []string) string { return strings.Join(distinct(texts), ", ") }

// distinct returns the texts that are not "", each once, in their order.
func distinct(texts []string) []string {
	var found []string
	for _, text := range texts {
		if text != "" && !slices.Contains(found, text) {
			found = append(found, text)
		}
	}
	return found
}

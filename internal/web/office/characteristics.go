package office

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// The editor for the characteristics of a step has one row for each characteristic. Its buttons submit the form, so it works
// without JavaScript.

type characteristicsPage struct {
	site.Frame
	site.Past
	Step card.ProcessStep
	Path card.Path
	Set  card.CharacteristicSet
	Read string // digest of the set of characteristics
	Rows []characteristicRow
}

// characteristicRow is one line of the editor, as it was typed.
type characteristicRow struct {
	Number, Place, Name, Type, Unit, Nominal, Lower, Upper, Sample, Designator, Requirement string

	Required, InstrumentRequired bool
}

// emptyCharacteristic returns a new row.
func emptyCharacteristic() characteristicRow {
	return characteristicRow{Type: string(card.NumberReading), Sample: string(card.SampleEvery), Required: true}
}

// blank reports whether a row was left empty.
func (r characteristicRow) blank() bool {
	return strings.TrimSpace(r.Number+r.Name+r.Place+r.Unit+r.Nominal+r.Lower+r.Upper+r.Requirement) == ""
}

// inWords describes a typed row for the message that the characteristics have changed since.
func (r characteristicRow) inWords(l *lang.Language) string {
	if r.blank() {
		return ""
	}
	plain := func(typed string) input.Decimal {
		read, _ := card.ReadTypedNumber(typed)
		return input.Decimal(read.Number)
	}
	limits := wording.LimitsInWords(l, card.Limits{Nominal: plain(r.Nominal), Lower: plain(r.Lower), Upper: plain(r.Upper)}, r.Unit)
	said := []string{strings.Join(strings.Fields(r.Number+" "+r.Place+" "+r.Name+" "+limits), " ")}
	if !r.Required {
		said = append(said, l.T("not required"))
	}
	if r.Sample != string(card.SampleEvery) {
		said = append(said, r.Sample)
	}
	return wording.Listed(said...)
}

// Types are the possible types of readings.
func (*characteristicsPage) Types() []card.CharacteristicType { return shop.CharacteristicTypes() }

// Designators returns the designators that mark a characteristic as special.
func (*characteristicsPage) Designators() []card.Designator { return shop.Designators() }

func showCharacteristics(v *site.Visit) error {
	page, err := newCharacteristicsPage(v)
	return v.Shown(err, http.StatusOK, "characteristics", page)
}

// newCharacteristicsPage returns the editor with the posted rows, or with the current set.
func newCharacteristicsPage(v *site.Visit) (*characteristicsPage, error) {
	ctx, id := v.R.Context(), v.R.PathValue("id")
	step, path, err := v.Service.StepOf(ctx, id)
	if err != nil {
		return nil, err
	}
	page := &characteristicsPage{Frame: v.Frame("What is measured at {step}", "jobs", "step", step.Name), Step: step, Path: path}
	if page.Set, err = v.Service.Characteristics(ctx, id); err != nil {
		return nil, err
	}
	if page.NamesThen, err = v.Views.PastNames(ctx, nil); err != nil {
		return nil, err
	}
	if posted := v.Form["number"]; posted != nil {
		page.Read = v.Form.Get(site.ReadField)
		for i := range posted {
			page.Rows = append(page.Rows, characteristicRowTyped(v, i))
		}
		return page, nil
	}
	page.Read = readCharacteristics(page.Set)
	for _, c := range page.Set.Characteristics {
		page.Rows = append(page.Rows, characteristicRow{
			c.Number, c.Place, c.Name, string(c.Type), c.Unit, v.Decimal(string(c.Nominal)), v.Decimal(string(c.Lower)),
			v.Decimal(string(c.Upper)), string(c.Sample),
			string(c.Designator), c.Requirement, c.Required, c.InstrumentRequired,
		})
	}
	page.Rows = append(page.Rows, emptyCharacteristic())
	return page, nil
}

// characteristicRowTyped returns the posted row at an index.
func characteristicRowTyped(v *site.Visit, i int) characteristicRow {
	at := func(field string) string {
		if values := v.Form[field]; i < len(values) {
			return values[i]
		}
		return ""
	}
	return characteristicRow{
		at("number"), at("place"), at("name"), at("type"), at("unit"), at("nominal"), at("lower"), at("upper"), at("sample"),
		at("designator"), at("requirement"), slices.Contains(v.Form["required"], strconv.Itoa(i)),
		slices.Contains(v.Form["instrumentRequired"], strconv.Itoa(i)),
	}
}

// readCharacteristics is the digest of the characteristics in their editor.
func readCharacteristics(set card.CharacteristicSet) string { return site.AsRead(set.Revision) }

func editCharacteristics(v *site.Visit) error {
	page, err := newCharacteristicsPage(v)
	if err != nil {
		return err
	}
	if do := v.Form.Get("do"); do != "save" {
		page.change(do)
		return v.Show(http.StatusOK, "characteristics", page)
	}
	var set card.CharacteristicSet
	in, err := page.input(v)
	if err == nil {
		set, err = v.Service.SetCharacteristics(site.IfRead(v, page.Read, readCharacteristics), page.Step.ID, shop.SetCharacteristicsInput{
			Characteristics: in, UserID: v.User(),
		})
	}
	if site.WasChanged(err) {
		return characteristicsChanged(v, page)
	}
	if err != nil {
		return v.Again("characteristics", err, func(v *site.Visit, status int, refused *site.Problem) error {
			page.Rejected = refused
			return v.Show(status, "characteristics", page)
		})
	}
	v.Remember()
	return v.Back("/steps/"+page.Step.ID, v.TN(len(set.Characteristics), "Saved: {n} characteristic at {step}.",
		"Saved: {n} characteristics at {step}.", "step", page.Step.Name))
}

// change applies a button of the editor: "add", or "remove", "up" and "down" with the index of a row.
func (p *characteristicsPage) change(do string) {
	what, place, _ := strings.Cut(do, ":")
	at, err := strconv.Atoi(place)
	inside := err == nil && at >= 0 && at < len(p.Rows)
	switch {
	case what == "add":
		p.Rows = append(p.Rows, emptyCharacteristic())
	case what == "remove" && inside:
		p.Rows = slices.Delete(p.Rows, at, at+1)
	case what == "up" && inside && at > 0:
		p.Rows[at-1], p.Rows[at] = p.Rows[at], p.Rows[at-1]
	case what == "down" && inside && at+1 < len(p.Rows):
		p.Rows[at+1], p.Rows[at] = p.Rows[at], p.Rows[at+1]
	}
	if len(p.Rows) == 0 {
		p.Rows = append(p.Rows, emptyCharacteristic())
	}
}

// input converts the rows to the API's input, without empty rows at the end. It refuses unclear numbers: see TypedDecimal.
func (p *characteristicsPage) input(v *site.Visit) (shop.CharacteristicsInput, error) {
	rows := p.Rows
	for len(rows) > 0 && rows[len(rows)-1].blank() {
		rows = rows[:len(rows)-1]
	}
	written := func(text string) input.WrittenInput {
		if strings.TrimSpace(text) == "" {
			return input.WrittenInput{}
		}
		return input.Given(input.Written(strings.TrimSpace(text)))
	}
	inputs := make([]input.Input[shop.CharacteristicInput], len(rows))
	for i, row := range rows {
		for _, limit := range []struct {
			field string
			typed *string
		}{{"nominal", &row.Nominal}, {"lower", &row.Lower}, {"upper", &row.Upper}} {
			number, err := v.TypedDecimal(limit.field, *limit.typed)
			if err != nil {
				return shop.CharacteristicsInput{}, err
			}
			*limit.typed = number
		}
		inputs[i] = input.Given(shop.CharacteristicInput{
			Number: written(row.Number), Place: input.Given(row.Place), Name: input.Given(row.Name), Type: input.Given(row.Type),
			Unit:    input.Given(strings.TrimSpace(row.Unit)),
			Nominal: written(row.Nominal), Lower: written(row.Lower), Upper: written(row.Upper),
			Required: input.Given(row.Required), Sample: input.Given(strings.TrimSpace(row.Sample)),
			Designator:  input.Given(row.Designator),
			Requirement: input.Given(row.Requirement), InstrumentRequired: input.Given(row.InstrumentRequired),
		})
	}
	return input.Given(inputs), nil
}

// characteristicsChanged responds to the editor when the step's characteristics have changed since it was shown.
func characteristicsChanged(v *site.Visit, typed *characteristicsPage) error {
	form := v.Form
	v.Form = nil
	now, err := newCharacteristicsPage(v)
	v.Form = form
	if err != nil {
		return err
	}
	at := func(rows []characteristicRow, i int) string {
		if i < len(rows) {
			return rows[i].inWords(v.Language)
		}
		return ""
	}
	var values []site.Compared
	for i := range max(len(typed.Rows), len(now.Rows)) {
		values = append(values, site.Compared{Field: "Row {row}", Row: wording.Ordinal(i), Typed: at(typed.Rows, i), Now: at(now.Rows, i)})
	}
	err = site.ErrChanged(v, v.T("Somebody changed the characteristics meanwhile."), values)
	return v.Again("characteristics", err, func(v *site.Visit, status int, refused *site.Problem) error {
		now.Rejected = refused
		return v.Show(status, "characteristics", now)
	})
}

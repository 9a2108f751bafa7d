package views

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// ResolveQuery is a code to identify.
type ResolveQuery struct {
	Code string `query:"code"`
}

// Resolution is the result of identifying a code.
type Resolution struct {
	// Several says that a person must decide which record is meant: more than one was found, or one whose part is unknown.
	Several  bool          `json:"several"`
	Found    []FoundRecord `json:"found"`    // the existing records, most likely first
	Readings []CodeReading `json:"readings"` // the ways to read the code, most certain first, whether the records exist or not
}

// FoundRecord is a record that a code identifies.
type FoundRecord struct {
	Kind RecordOf `json:"kind"`
	ID   string   `json:"id"`
	Name string   `json:"name,omitempty"` // the name that people use: for a unit its own number
	// EarlierNumber is the former own number by which a unit was found.
	EarlierNumber string `json:"earlierNumber,omitempty"`
	// PartUnknown is set if no job has the GTIN of the code, so a unit with its serial number may be of another part.
	PartUnknown bool `json:"partUnknown,omitempty"`
}

// RecordOf is the interface's name of a kind of record that a code can identify.
type RecordOf string

// CodeReading is one way to read a code. A badge is read only as a badge.
type CodeReading struct {
	As           string   `json:"as"`             // record, command, badge, mark or text
	Form         string   `json:"form"`           // see package scancode
	Kind         RecordOf `json:"kind,omitempty"` // kind of the record, if it can be found
	ID           string   `json:"id,omitempty"`
	Text         string   `json:"text,omitempty"` // text of a command or a text
	GTIN         string   `json:"gtin,omitempty"`
	PartNumber   string   `json:"partNumber,omitempty"`
	CustomerPart string   `json:"customerPartNumber,omitempty"`
	Revision     string   `json:"revision,omitempty"`
	SerialNumber string   `json:"serialNumber,omitempty"`
	Secondary    string   `json:"secondarySerialNumber,omitempty"`
	Lot          string   `json:"lot,omitempty"`
	Enterprise   string   `json:"enterprise,omitempty"`
	UII          string   `json:"uii,omitempty"`
}

// resolvable lists the kinds of records that a code can identify, with their names in the interface and a function that finds one. Codes of
// other kinds are read, but their records are not found.
var resolvable = map[ident.RecordKind]struct { //nolint:exhaustive // the others are not printed on labels
	called RecordOf
	name   func(tx Reader, id string) (string, error) // returns ErrNoRecord if there is none
}{
	shop.RecordSerial: {"serial", serialNamed},
	shop.RecordJob: {"job", func(tx Reader, id string) (string, error) {
		job, err := tx.Job(id)
		return job.Name, err
	}},
	shop.RecordPath: {"path", func(tx Reader, id string) (string, error) {
		path, err := tx.Path(id)
		return path.Name, err
	}},
	shop.RecordCertificate: {"certificate", func(tx Reader, id string) (string, error) {
		certificate, err := tx.Certificate(id)
		return certificate.Name, err
	}},
	shop.RecordNonconformance: {"nonconformance", func(tx Reader, id string) (string, error) {
		report, err := tx.Nonconformance(id)
		return report.Title, err
	}},
	shop.RecordInstrument: {"instrument", func(tx Reader, id string) (string, error) {
		instrument, err := tx.Instrument(id)
		return instrument.Number, err
	}},
	shop.RecordLot: {"lot", func(tx Reader, id string) (string, error) {
		lot, err := tx.Lot(id)
		return lot.LotNumber, err
	}},
	shop.RecordShipment: {"shipment", func(tx Reader, id string) (string, error) {
		shipment, err := tx.Shipment(id)
		return shipment.Party(), err
	}},
	shop.RecordConformance: {"conformance", func(tx Reader, id string) (string, error) {
		certificate, err := tx.Conformance(id)
		return certificate.Customer, err
	}},
	shop.RecordFirstArticle: {"firstArticle", func(tx Reader, id string) (string, error) {
		article, err := tx.FirstArticle(id)
		return article.PartNumber, err
	}},
	shop.RecordUser: {"user", func(tx Reader, id string) (string, error) {
		user, err := tx.User(id)
		return user.Name, err
	}},
	shop.RecordBOM: {"bom", func(tx Reader, id string) (string, error) {
		bom, err := tx.BOM(id)
		return bom.Name, err
	}},
	shop.RecordTemplate: {"template", func(tx Reader, id string) (string, error) {
		template, err := tx.Template(id)
		return template.Name, err
	}},
}

// serialNamed finds a unit, and returns its own number as its name.
func serialNamed(tx Reader, id string) (string, error) {
	number, ok := tx.SerialPrefix().ParseSerialID(id)
	if !ok {
		return "", shop.ErrNoRecord
	}
	found, err := tx.SearchSerials(SerialSearch{
		Numbers: []ident.NumberRange{{First: number, Last: number}}, Before: math.MaxInt64, Limit: 1,
	})
	if err == nil && len(found) == 0 {
		err = shop.ErrNoRecord
	}
	if err != nil {
		return "", err
	}
	return found[0].OwnNumber, nil
}

// Resolve returns the records that a code identifies, however the code was scanned or typed. It finds every kind of record by the
// identifier from Routecard, and a unit in the same ways as the station. It also finds a record by its external identifier, a unit by its
// engraved number, an instrument by its number, and a lot by its number or heat. A code with a part number finds only units of that part;
// for a GTIN, see findOfGTIN. For a GTIN alone, Resolve returns the jobs with that GTIN. For other part numbers and lots alone, it returns
// only the readings of the code.
func (v *Views) Resolve(ctx context.Context, query ResolveQuery) (Resolution, error) {
	resolution := Resolution{Found: []FoundRecord{}, Readings: []CodeReading{}}
	if query.Code == "" {
		return resolution, refusal.RefuseField(refusal.Required, "code")
	}
	read := scancode.Parse(v.SerialPrefix(), query.Code)
	for i := range read {
		resolution.Readings = append(resolution.Readings, toldReading(&read[i]))
	}
	partUnknown := false
	err := v.store.Look(ctx, func(tx Reader) error {
		var all []FoundRecord
		resolution.Found = []FoundRecord{}
		names := scancode.Names(tx.SerialPrefix(), query.Code)
		for i := range names {
			found, err := findRead(tx, &names[i])
			if err != nil {
				return err
			}
			all = append(all, found...)
		}
		all, partUnknown = withKnownPart(all)
		for _, one := range all {
			same := func(other FoundRecord) bool { return other.Kind == one.Kind && other.ID == one.ID }
			if !slices.ContainsFunc(resolution.Found, same) {
				resolution.Found = append(resolution.Found, one)
			}
		}
		return nil
	})
	resolution.Several = len(resolution.Found) > 1 || partUnknown
	return resolution, err
}

// findRead finds the records that a reading identifies.
func findRead(tx Reader, read *scancode.Reading) ([]FoundRecord, error) {
	switch read.Kind {
	case scancode.Ours:
		kind, can := resolvable[read.Record]
		if !can {
			return nil, nil
		}
		name, err := kind.name(tx, read.ID)
		if errors.Is(err, shop.ErrNoRecord) {
			return nil, nil
		}
		return []FoundRecord{{Kind: kind.called, ID: read.ID, Name: name}}, err
	case scancode.Text:
		numbered, err := findMarked(tx, read)
		if err != nil {
			return nil, err
		}
		others, err := findText(tx, read.Text)
		return append(numbered, others...), err
	case scancode.Marked:
		units, err := findMarked(tx, read)
		if err != nil {
			return nil, err
		}
		jobs, err := findJobs(tx, &read.Mark)
		return append(units, jobs...), err
	case scancode.Command, scancode.Badge:
	}
	return nil, nil
}

// findText finds records by a name that people or other systems gave them.
func findText(tx Reader, text string) (found []FoundRecord, err error) {
	externalID := strings.TrimPrefix(text, shop.ExternalMark)
	for _, record := range shop.Records() {
		kind, can := resolvable[record.Kind]
		if !can || !record.External {
			continue
		}
		id, err := shop.FindOutside(tx, record.Kind, text)
		if errors.Is(err, shop.ErrNoRecord) && externalID != text {
			id, err = shop.FindOutside(tx, record.Kind, externalID)
		}
		if errors.Is(err, shop.ErrNoRecord) {
			continue
		}
		if err != nil {
			return nil, err
		}
		name, err := kind.name(tx, id)
		if err != nil {
			return nil, err
		}
		found = append(found, FoundRecord{Kind: kind.called, ID: id, Name: name})
	}
	for _, find := range []func() (shop.Instrument, error){
		func() (shop.Instrument, error) { return tx.InstrumentNumbered(text) },
		func() (shop.Instrument, error) { return tx.InstrumentOutside(text) },
		func() (shop.Instrument, error) { return tx.InstrumentOutside(externalID) },
	} {
		instrument, err := find()
		switch {
		case err == nil:
			found = append(found, FoundRecord{Kind: resolvable[shop.RecordInstrument].called, ID: instrument.ID, Name: instrument.Number})
		case !errors.Is(err, shop.ErrNoRecord):
			return nil, err
		}
	}
	lots, err := lotsCalled(tx, text)
	for i := range lots {
		found = append(found, FoundRecord{Kind: resolvable[shop.RecordLot].called, ID: lots[i].ID, Name: lots[i].LotNumber})
	}
	return found, err
}

// The result is the reading in the form of the interface.
func toldReading(read *scancode.Reading) CodeReading {
	told := CodeReading{As: string(read.Kind), Form: string(read.Form), ID: read.ID, Text: read.Text}
	switch read.Kind {
	case scancode.Ours:
		told.As, told.Kind = "record", resolvable[read.Record].called
	case scancode.Badge:
		told.Text = "" // it is a secret
	case scancode.Marked:
		m := read.Mark
		told.As = "mark"
		told.GTIN, told.PartNumber, told.CustomerPart, told.Revision = m.GTIN, m.PartNumber, m.CustomerPart, m.Revision
		told.SerialNumber, told.Secondary, told.Lot, told.Enterprise, told.UII = m.SerialNumber, m.Secondary, m.Lot, m.Enterprise, m.UII
	case scancode.Command, scancode.Text:
	}
	return told
}

package site

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// signedRow is one line of the signed content, as the page shows it word for word before signing.
type signedRow struct {
	Name  string
	unit  bool // whether the value is a unit
	Value string
	Units string // all units, if Value only states how many; "" if the line is no list of units
}

// signedRows lists the signed content: the operation, its subject, and every field with its value. The name of a record follows its
// identifier.
func signedRows(v *Visit, part *SignPart) ([]signedRow, error) {
	rows := []signedRow{{Name: v.T("Operation"), Value: v.Lookup(OperationWords[part.Operation])}}
	names, err := namesOfSigned(v, part.contents)
	if err != nil {
		return nil, err
	}
	called := signedWriter{v.SerialPrefix(), v.Language, names}
	for i, content := range part.contents {
		if len(part.contents) > 1 {
			rows = append(rows, signedRow{Name: v.T("of several|Part"), Value: wording.Ordinal(i)})
		}
		for _, id := range content.Of {
			row := signedRow{Name: v.T("Record"), Value: called.names.with(id, id)}
			if _, row.unit = called.prefix.ParseSerialID(id); row.unit {
				row.Name = v.T("Unit")
			}
			rows = append(rows, row)
		}
		if rows, err = called.rows(rows, "", "", content.Body); err != nil {
			return nil, err
		}
	}
	return rows, callSigned(v, rows)
}

// callSigned adds their own numbers to the units in rows. Everything else is left word for word.
func callSigned(v *Visit, rows []signedRow) error {
	var named []*string
	var texts []string
	for i := range rows {
		if rows[i].unit {
			named = append(named, &rows[i].Value)
		}
		named = append(named, &rows[i].Units)
	}
	for _, text := range named {
		texts = append(texts, *text)
	}
	own, err := LoadOwnNumbers(v, texts...)
	for _, text := range named {
		*text = own.In(v.SerialPrefix(), *text)
	}
	return err
}

// callings maps identifiers to names. It also maps the index of a step to the step's name, with the name of the form field and the index as
// the key.
type callings map[string]string

// with appends the name to a value.
func (c callings) with(value, key string) string {
	if name := c[key]; name != "" {
		return value + " (" + name + ")"
	}
	return value
}

// signedWriter writes signed content in rows, with labels in a language.
type signedWriter struct {
	prefix ident.Prefix
	l      *lang.Language
	names  callings
}

// rows adds a row for each value in a body. name is the label, and place is the name of the field.
func (c signedWriter) rows(rows []signedRow, name, place string, value json.RawMessage) ([]signedRow, error) {
	switch value[0] {
	case '{':
		return c.members(rows, name, place, value)
	case '[':
		return c.items(rows, name, place, value)
	case '"':
		var text string
		err := json.Unmarshal(value, &text)
		return append(rows, signedRow{Name: name, Value: c.names.with(c.choiceInWords(text), text)}), err
	}
	return append(rows, signedRow{Name: name, Value: c.names.with(string(value), place+" "+string(value))}), nil
}

// choiceInWords returns the label of a value from a fixed list, such as out_of_tolerance. It returns any other text unchanged.
func (c signedWriter) choiceInWords(text string) string {
	if slices.Contains(shop.ScrapReasons(), card.ScrapReason(text)) || slices.Contains(shop.Dispositions(), shop.Disposition(text)) ||
		slices.Contains(shop.Severities(), shop.Severity(text)) {
		return lang.Words(c.l, text)
	}
	return text
}

// members adds the rows of an object.
func (c signedWriter) members(rows []signedRow, name, place string, object json.RawMessage) ([]signedRow, error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		member, _ := token.(string)
		label, at := c.l.Lookup(lang.Text(spaced(member))), spaced(member)
		if name != "" {
			label, at = name+", "+lang.InSentence(c.l, spaced(member)), place+", "+strings.ToLower(at)
		}
		if rows, err = c.rows(rows, label, at, value); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// items adds the rows of a list. A list of texts becomes one row, and a list of units becomes one row that users can unfold.
func (c signedWriter) items(rows []signedRow, name, place string, list json.RawMessage) ([]signedRow, error) {
	var texts []string
	if json.Unmarshal(list, &texts) == nil {
		row := signedRow{Name: name}
		if _, unit := c.prefix.ParseSerialID(first(texts)); unit {
			row.Value, row.Units = c.l.TN(len(texts), "{n} unit", "{n} units"), AllUnits(texts)
			return append(rows, row), nil
		}
		for i, text := range texts {
			texts[i] = c.names.with(text, text)
		}
		row.Value = strings.Join(texts, ", ")
		return append(rows, row), nil
	}
	var items []json.RawMessage
	if err := json.Unmarshal(list, &items); err != nil {
		return nil, err
	}
	for i, item := range items {
		var err error
		if rows, err = c.rows(rows, name+" "+wording.Ordinal(i), place+" "+wording.Ordinal(i), item); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func first(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return texts[0]
}

// addLot adds the number of a lot and the reasons of its holds. If the identifier is not that of a lot, it adds nothing.
func (c callings) addLot(v *Visit, id string) error {
	lot, err := v.Service.Lot(v.R.Context(), id)
	if refused, ok := AsRefusal(err); ok && refused.Kind == refusal.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	holds, err := v.Service.LotHolds(v.R.Context(), id)
	c[id] = lot.LotNumber
	for _, hold := range holds {
		c[hold.ID] = hold.Reason
	}
	return err
}

// namesOfSigned finds the names for identifiers in the signed content: people, steps, holds and changes of the unit, lots and their holds,
// and jobs.
func namesOfSigned(v *Visit, contents []shop.SignedContent) (callings, error) {
	called := callings{}
	for _, content := range contents {
		var body struct {
			Entries []struct {
				ContributingJobIDs []string `json:"contributingJobIds"`
			} `json:"entries"`
		}
		if err := json.Unmarshal(content.Body, &body); err != nil {
			return nil, err
		}
		var jobs []string
		for _, entry := range body.Entries {
			jobs = append(jobs, entry.ContributingJobIDs...)
		}
		names, err := v.Views.JobNames(v.R.Context(), jobs)
		if err != nil {
			return nil, err
		}
		maps.Copy(called, names)
		maps.Copy(called, v.People.Names())
		if _, unit := v.SerialPrefix().ParseSerialID(first(content.Of)); !unit {
			if err := called.addLot(v, first(content.Of)); err != nil {
				return nil, err
			}
			continue
		}
		card, err := v.Views.Card(v.R.Context(), content.Of[0])
		if err != nil {
			return nil, err
		}
		for i, step := range card.Card.Path.Steps {
			called[step.ID] = step.Name
			for _, place := range []string{"expectedStepIndex", "targetStepIndex"} {
				called[spaced(place)+" "+strconv.Itoa(i)] = step.Name
			}
		}
		for _, hold := range card.Card.Holds {
			called[hold.ID] = hold.Reason
		}
		for _, entry := range card.Trail {
			called[entry.ID] = v.Lookup(wording.ToldInWords[shop.ActionTold(entry)])
		}
	}
	return called, nil
}

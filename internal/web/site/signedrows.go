package site

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// signedRow is one line of the signed content, word for word, as the page shows it before signing.
type signedRow struct {
	Name  string
	Value string
	Units string // all units, if Value has only their number; "" if the line is no list of units
}

// signedRows lists the signed content: the operation, its subject, and every field with its value. An identifier is followed by the name
// of its record.
func signedRows(v *Visit, part *SignPart) ([]signedRow, error) {
	rows := []signedRow{{Name: "Operation", Value: OperationWords[part.Operation]}}
	called, err := namesOfSigned(v, part.contents)
	if err != nil {
		return nil, err
	}
	for i, content := range part.contents {
		if len(part.contents) > 1 {
			rows = append(rows, signedRow{Name: "Part", Value: wording.Ordinal(i)})
		}
		for _, id := range content.Of {
			name := "Record"
			if _, unit := ident.ParseSerialID(id); unit {
				name = "Unit"
			}
			rows = append(rows, signedRow{Name: name, Value: called.with(id, id)})
		}
		if rows, err = called.rows(rows, "", content.Body); err != nil {
			return nil, err
		}
	}
	return rows, callSigned(v, rows)
}

// callSigned adds the own numbers to the units in rows. Everything else stays word for word.
func callSigned(v *Visit, rows []signedRow) error {
	var named []*string
	var texts []string
	for i := range rows {
		if rows[i].Name == "Unit" {
			named = append(named, &rows[i].Value)
		}
		named = append(named, &rows[i].Units)
	}
	for _, text := range named {
		texts = append(texts, *text)
	}
	own, err := LoadOwnNumbers(v, texts...)
	for _, text := range named {
		*text = own.In(*text)
	}
	return err
}

// callings maps identifiers to names. It also maps a place in a route to the step's name, under the name of the field with the place.
type callings map[string]string

// with appends the name to a value.
func (c callings) with(value, key string) string {
	if name := c[key]; name != "" {
		return value + " (" + name + ")"
	}
	return value
}

// rows adds a row for each value in a body.
func (c callings) rows(rows []signedRow, name string, value json.RawMessage) ([]signedRow, error) {
	switch value[0] {
	case '{':
		return c.members(rows, name, value)
	case '[':
		return c.items(rows, name, value)
	case '"':
		var text string
		err := json.Unmarshal(value, &text)
		return append(rows, signedRow{Name: name, Value: c.with(choiceInWords(text), text)}), err
	}
	return append(rows, signedRow{Name: name, Value: c.with(string(value), name+" "+string(value))}), nil
}

// choiceInWords returns the label of a value from a fixed list, such as out_of_tolerance, and other text unchanged.
func choiceInWords(text string) string {
	if slices.Contains(shop.ScrapReasons(), card.ScrapReason(text)) || slices.Contains(shop.Dispositions(), shop.Disposition(text)) ||
		slices.Contains(shop.Severities(), shop.Severity(text)) {
		return wording.Words(text)
	}
	return text
}

// members adds the rows of an object.
func (c callings) members(rows []signedRow, name string, object json.RawMessage) ([]signedRow, error) {
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
		label := spaced(member)
		if name != "" {
			label = name + ", " + strings.ToLower(label)
		}
		if rows, err = c.rows(rows, label, value); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// items adds the rows of a list: one row for a list of texts; a list of units becomes one row that unfolds.
func (c callings) items(rows []signedRow, name string, list json.RawMessage) ([]signedRow, error) {
	var texts []string
	if json.Unmarshal(list, &texts) == nil {
		row := signedRow{Name: name}
		if _, unit := ident.ParseSerialID(first(texts)); unit {
			row.Value, row.Units = wording.Plural(len(texts), "unit", "units"), AllUnits(texts)
			return append(rows, row), nil
		}
		for i, text := range texts {
			texts[i] = c.with(text, text)
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
		if rows, err = c.rows(rows, name+" "+wording.Ordinal(i), item); err != nil {
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

// namesOfSigned finds the names for identifiers in the signed content: people, steps, holds and changes of the unit, and jobs.
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
		if _, unit := ident.ParseSerialID(first(content.Of)); !unit {
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
			called[entry.ID] = wording.ToldInWords[shop.ActionTold(entry)]
		}
	}
	return called, nil
}

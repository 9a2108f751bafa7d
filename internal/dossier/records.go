package dossier

import (
	"html/template"
	"maps"
	"slices"

	"github.com/routecard/routecard/shop"
)

// report is a report in a dossier: it has the units of the dossier and the number of others.
type report struct {
	shop.Nonconformance
	Others int `json:"otherUnits"`
}

// payload returns the files with the records as they are now, without identifiers of units that are not in the dossier.
func (r *reading) payload() (payload []Payload, err error) {
	for _, part := range []func() (Payload, error){
		func() (Payload, error) { return listed("certificates.json", r.certificates) },
		func() (Payload, error) { return listed("lots.json", r.lots) },
		func() (Payload, error) { return listed("instruments.json", r.instruments) },
		func() (Payload, error) { return listed("shipments.json", r.shipments) },
		func() (Payload, error) { return listed("first-articles/first-articles.json", r.articles) },
		func() (Payload, error) { return listed("conformances/conformances.json", r.conformances) },
		r.card,
	} {
		one, err := part()
		if err != nil {
			return nil, err
		}
		payload = append(payload, one)
	}
	for _, id := range slices.Sorted(maps.Keys(r.reports)) {
		one := r.reports[id]
		all := len(one.Units)
		one.Units = slices.DeleteFunc(slices.Clone(one.Units), func(on shop.NonconformingUnit) bool { return !r.scope.has[on.SerialID] })
		text, err := marshal(report{one, all - len(one.Units)})
		if err != nil {
			return nil, err
		}
		payload = append(payload, Payload{"nonconformances/" + id + ".json", append(text, '\n')})
	}
	for i := range payload {
		other := "another unit" // not a text: a file for programs
		if payload[i].Name == cardFile {
			other = template.HTMLEscapeString(r.language.T("another unit"))
		}
		payload[i].Text = r.scope.redacted(payload[i].Text, other)
	}
	return payload, nil
}

// inNumbers returns records in the order of their identifiers.
func inNumbers[T any](found map[string]T) []T {
	records := []T{}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		records = append(records, found[id])
	}
	return records
}

// listed returns a file with records, in the order of their identifiers.
func listed[T any](name string, found map[string]T) (Payload, error) {
	text, err := marshal(inNumbers(found))
	return Payload{name, append(text, '\n')}, err
}

// redacted replaces the identifiers of units that are not in the dossier.
func (s scope) redacted(text []byte, other string) []byte {
	return s.unitID.ReplaceAllFunc(text, func(id []byte) []byte {
		if s.has[string(id)] {
			return id
		}
		return []byte(other)
	})
}

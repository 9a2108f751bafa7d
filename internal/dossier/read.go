package dossier

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/trail"
)

// Read reads the content of a unit's dossier, except for the ledger, the day and the bytes of files. It refuses a unit that does not exist.
func Read(tx shop.Reader, unit string) (c Content, err error) {
	r := &reading{Reader: tx, cards: map[string]card.Card{}, trails: map[string][]trail.Entry{}}
	c.Unit = unit
	ids, err := UnitsInside(unit, r.trailOf)
	if err != nil {
		return c, err
	}
	if c.Entries, err = r.entries(ids); err != nil {
		return c, err
	}
	among := map[string]bool{}
	for _, id := range ids {
		among[id] = true
	}
	for _, part := range []func([]string, map[string]bool) ([]Payload, error){r.certificates, r.lots, r.reports, r.card} {
		payload, err := part(ids, among)
		if err != nil {
			return c, err
		}
		for _, one := range payload {
			one.Text = redacted(one.Text, among)
			c.Payload = append(c.Payload, one)
		}
	}
	return c, nil
}

// reading reads the records of a dossier in one transaction.
type reading struct {
	shop.Reader
	cards  map[string]card.Card
	trails map[string][]trail.Entry
}

// trailOf returns the entries of a unit.
func (r *reading) trailOf(id string) ([]trail.Entry, error) {
	if entries, known := r.trails[id]; known {
		return entries, nil
	}
	unit, err := r.RouteCard(id)
	if err != nil {
		return nil, shop.OrNotFound(err, shop.NameSerial, id)
	}
	r.cards[id] = unit
	r.trails[id], err = shop.TrailOf(r.Reader, unit.Serial)
	return r.trails[id], err
}

// entries returns the entries of units and of their jobs, each once, in the order of the trail.
func (r *reading) entries(ids []string) ([]trail.Entry, error) {
	found := map[string]trail.Entry{}
	jobs := map[string]bool{}
	for _, id := range ids {
		for _, entry := range r.trails[id] {
			found[entry.ID] = entry
		}
		jobs[r.cards[id].Serial.JobID] = true
	}
	for _, job := range slices.Sorted(maps.Keys(jobs)) {
		for entry, err := range r.AuditOfJob(job) {
			if err != nil {
				return nil, err
			}
			if entry.SerialID == "" && entry.Action != card.ActionSerialCreated && entry.Action != shop.ActionRecordSigned {
				found[entry.ID] = entry
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b trail.Entry) int {
		return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID))
	}), nil
}

func (r *reading) certificates(ids []string, _ map[string]bool) ([]Payload, error) {
	found := map[string]shop.Certificate{}
	for _, id := range ids {
		certificates, err := r.CertificatesOfSerial(id)
		if err != nil {
			return nil, err
		}
		for _, certificate := range certificates {
			found[certificate.ID] = certificate
		}
	}
	return listed("certificates.json", found)
}

func (r *reading) lots(ids []string, _ map[string]bool) ([]Payload, error) {
	found := map[string]shop.Lot{}
	for _, id := range ids {
		within, err := installed(r.trails[id])
		if err != nil {
			return nil, err
		}
		for _, p := range within[id] {
			if p.LotID == "" {
				continue
			}
			lot, err := r.Lot(p.LotID)
			if err != nil {
				return nil, err
			}
			found[lot.ID] = lot
		}
	}
	return listed("lots.json", found)
}

// listed returns a file with records, in the order of their identifiers.
func listed[T any](name string, found map[string]T) ([]Payload, error) {
	records := []T{}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		records = append(records, found[id])
	}
	text, err := marshal(records)
	return []Payload{{name, append(text, '\n')}}, err
}

// report is a report in a dossier: it has the units of the dossier and the number of others.
type report struct {
	shop.Nonconformance
	Others int `json:"otherUnits"`
}

func (r *reading) reports(ids []string, among map[string]bool) (payload []Payload, err error) {
	seen := map[string]bool{}
	for chunk := range slices.Chunk(ids, shop.ChunkSize) {
		on, err := r.ReportsOfUnits(chunk)
		if err != nil {
			return nil, err
		}
		for i := range on {
			id := on[i].ReportID
			if seen[id] {
				continue
			}
			seen[id] = true
			one, err := r.Nonconformance(id)
			if err != nil {
				return nil, err
			}
			all := len(one.Units)
			one.Units = slices.DeleteFunc(one.Units, func(unit shop.NonconformingUnit) bool { return !among[unit.SerialID] })
			text, err := marshal(report{one, all - len(one.Units)})
			if err != nil {
				return nil, err
			}
			payload = append(payload, Payload{"nonconformances/" + id + ".json", append(text, '\n')})
		}
	}
	return payload, nil
}

// redacted replaces the identifiers of units that are not in the dossier.
func redacted(text []byte, among map[string]bool) []byte {
	return unitID.ReplaceAllFunc(text, func(id []byte) []byte {
		if among[string(id)] {
			return id
		}
		return bytes.Clone([]byte("another unit"))
	})
}

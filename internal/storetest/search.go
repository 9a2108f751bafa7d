package storetest

import (
	"errors"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/routecard/routecard"
)

// search is what the pages and the live stream read.
var search = []promise{
	{"a search returns the newest serials of its places and ranges, before a number", func(s *shop) {
		s.stock(6)
		other := aPath(2, 2)
		s.update(func(tx routecard.Tx) error { return errors.Join(tx.InsertPath(other), insertSerials(tx, other.ID, 6)) })
		for _, id := range []string{"SN-00002", "SN-00004", "SN-00007"} {
			s.changeCard(id, forward)
		}
		find := func(search routecard.SerialSearch) []int64 {
			if search.Before == 0 {
				search.Before = math.MaxInt64
			}
			if search.Limit == 0 {
				search.Limit = 100
			}
			found := look(s, func(tx routecard.Reader) ([]routecard.ListedSerial, error) { return tx.SearchSerials(search) })
			numbers := []int64{}
			for _, serial := range found {
				numbers = append(numbers, serial.Number)
			}
			return numbers
		}
		first := aPath(1, 3).ID
		s.same(find(routecard.SerialSearch{}), []int64{12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1})
		s.same(find(routecard.SerialSearch{Before: 8, Limit: 3}), []int64{7, 6, 5})
		s.same(find(routecard.SerialSearch{Places: []routecard.Place{}}), []int64{})
		s.same(find(routecard.SerialSearch{Places: []routecard.Place{{PathID: first, Position: routecard.AnyPosition}}, Limit: 4}), []int64{6, 5, 4, 3})
		s.same(find(routecard.SerialSearch{Status: routecard.InProgress, Places: []routecard.Place{{PathID: first, Position: 1}, {PathID: other.ID, Position: 1}}}),
			[]int64{7, 4, 2})
		s.same(find(routecard.SerialSearch{Status: routecard.Scrapped}), []int64{})
		s.same(find(routecard.SerialSearch{Numbers: []routecard.NumberRange{{First: 1, Last: 1}, {First: 10, Last: 19}}}), []int64{12, 11, 10, 1})
		s.same(find(routecard.SerialSearch{Numbers: []routecard.NumberRange{}}), []int64{})
		many := []routecard.Place{} // more than one statement's worth
		for i := range 300 {
			many = append(many, routecard.Place{PathID: "path_none", Position: i})
		}
		s.same(find(routecard.SerialSearch{Places: append(many, routecard.Place{PathID: other.ID, Position: routecard.AnyPosition}), Limit: 2}), []int64{12, 11})
		s.same(look(s, func(tx routecard.Reader) ([]string, error) { return tx.SerialsStanding(first, 0, 3) }), []string{"SN-00001", "SN-00003", "SN-00005"})
		s.same(look(s, func(tx routecard.Reader) ([]string, error) { return tx.SerialsStanding(first, 1, 3) }), []string{"SN-00002", "SN-00004"})
	}},
	{"places are found by job, path, step and parts of names, newest first", func(s *shop) {
		s.stock(1)
		other := aPath(2, 2)
		other.Name = `50%_\ off`
		s.update(func(tx routecard.Tx) error { return tx.InsertPath(other) })
		find := func(filter routecard.PlaceFilter) []routecard.Place {
			return look(s, func(tx routecard.Reader) ([]routecard.Place, error) { return tx.Places(filter, 10) })
		}
		first := aPath(1, 3)
		whole := func(path routecard.Path) routecard.Place {
			return routecard.Place{PathID: path.ID, Position: routecard.AnyPosition}
		}
		s.same(find(routecard.PlaceFilter{JobID: first.JobID}), []routecard.Place{whole(other), whole(first)})
		s.same(find(routecard.PlaceFilter{PathID: first.ID}), []routecard.Place{whole(first)})
		s.same(find(routecard.PlaceFilter{StepID: first.Steps[1].ID}), []routecard.Place{{PathID: first.ID, Position: 1}})
		s.same(find(routecard.PlaceFilter{Name: `%_\ OFF`}), []routecard.Place{whole(other)})
		s.same(find(routecard.PlaceFilter{Name: `%%`}), []routecard.Place{})
		s.same(find(routecard.PlaceFilter{JobID: "job_none"}), []routecard.Place{})
		s.same(find(routecard.PlaceFilter{Step: "no such step"}), []routecard.Place{})
		names := look(s, func(tx routecard.Reader) ([]string, error) { return tx.StepNames(100) })
		if len(names) == 0 || !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
			s.Fatalf("names of steps: %q", names)
		}
	}},
	{"a search of the trail filters by every field within its bounds, newest first", func(s *shop) {
		entries := []routecard.AuditEntry{
			{Action: routecard.ActionSerialAdvanced, UserID: "ann", Timestamp: 10, SerialID: "SN-00001", JobID: "job_1"},
			{Action: routecard.ActionSerialScrapped, UserID: "bob", Timestamp: 20, SerialID: "SN-00002", JobID: "job_1"},
			{Action: routecard.ActionSerialAdvanced, UserID: "bob", Timestamp: 30, SerialID: "SN-00001", JobID: "job_2"},
			{Action: routecard.ActionBOMEdited, UserID: "ann", Timestamp: 40},
		}
		last := func() int64 {
			return look(s, func(tx routecard.Reader) (int64, error) { return tx.LastAuditSequence() })
		}
		s.same(last(), int64(0))
		s.update(func(tx routecard.Tx) error { return tx.AppendAudit(entries...) })
		s.same(last(), int64(4))
		sequences := func(found []routecard.AuditEntry) []int64 {
			numbers := []int64{}
			for _, entry := range found {
				sequence, _ := routecard.AuditSequence(entry.ID)
				numbers = append(numbers, sequence)
			}
			return numbers
		}
		find := func(query routecard.AuditQuery, after, before, limit int64) []int64 {
			return sequences(look(s, func(tx routecard.Reader) ([]routecard.AuditEntry, error) {
				found, _, err := tx.SearchAudit(query, after, before, limit)
				return found, err
			}))
		}
		const ever = math.MaxInt64
		s.same(find(routecard.AuditQuery{}, 0, ever, 10), []int64{4, 3, 2, 1})
		s.same(find(routecard.AuditQuery{}, 1, 4, 10), []int64{3, 2})
		s.same(find(routecard.AuditQuery{}, 0, ever, 1), []int64{4})
		s.same(find(routecard.AuditQuery{Action: routecard.ActionSerialAdvanced}, 0, ever, 10), []int64{3, 1})
		s.same(find(routecard.AuditQuery{UserID: "bob", JobID: "job_1"}, 0, ever, 10), []int64{2})
		s.same(find(routecard.AuditQuery{SerialID: "SN-00001"}, 0, ever, 10), []int64{3, 1})
		s.same(find(routecard.AuditQuery{SerialID: "none"}, 0, ever, 10), []int64{})
		s.same(find(routecard.AuditQuery{From: 20, Until: 40}, 0, ever, 10), []int64{3, 2})
		s.same(sequences(look(s, func(tx routecard.Reader) ([]routecard.AuditEntry, error) { return tx.AuditAfter(1, 2) })), []int64{2, 3})
		s.same(sequences(look(s, func(tx routecard.Reader) ([]routecard.AuditEntry, error) { return tx.AuditAfter(4, 2) })), []int64{})
	}},
	{"entries with long metadata are read a few at a time, and each of them is", func(s *shop) {
		metadata := []byte(`{"text":"` + strings.Repeat("x", 192<<10) + `"}`)
		const heavy = 6
		for range heavy {
			s.update(func(tx routecard.Tx) error {
				return tx.AppendAudit(routecard.AuditEntry{Action: routecard.ActionPathUpdated, UserID: "ann", Metadata: metadata})
			})
		}
		const most = 2 // so many come to more than a page should weigh
		after, before := int64(0), int64(math.MaxInt64)
		for seen := int64(0); seen < heavy; {
			found := look(s, func(tx routecard.Reader) ([]routecard.AuditEntry, error) { return tx.AuditAfter(after, 1000) })
			if len(found) == 0 || len(found) > most {
				s.Fatalf("%d entries of 192 KiB at once", len(found))
			}
			for i := range found {
				seen++
				s.same(found[i].ID, routecard.AuditID(seen))
			}
			after = seen
		}
		for left, cut := int64(heavy), true; cut; {
			var found []routecard.AuditEntry
			look(s, func(tx routecard.Reader) (_ struct{}, err error) {
				found, cut, err = tx.SearchAudit(routecard.AuditQuery{}, 0, before, 1000)
				return struct{}{}, err
			})
			if len(found) > most || cut != (len(found) == most) {
				s.Fatalf("%d entries of 192 KiB at once, cut: %t", len(found), cut)
			}
			for i := range found {
				s.same(found[i].ID, routecard.AuditID(left))
				left--
			}
			if before = left + 1; !cut {
				s.same(left, int64(0))
			}
		}
	}},
	{"figures count units by where they stand and by when they were closed", func(s *shop) {
		s.stock(5)
		path := aPath(1, 3)
		closed := func(at routecard.Timestamp, change func(*routecard.Serial)) func(routecard.RouteCard) (routecard.CardChange, error) {
			return func(card routecard.RouteCard) (routecard.CardChange, error) {
				serial := card.Serial
				serial.UpdatedAt = at
				change(&serial)
				return routecard.CardChange{Serial: serial, Moved: true}, nil
			}
		}
		const quarter = 15 * 60 * 1000
		s.changeCard("SN-00001", closed(5*quarter+1, func(serial *routecard.Serial) { serial.Status, serial.Position = routecard.Completed, 3 }))
		s.changeCard("SN-00002", closed(7*quarter, func(serial *routecard.Serial) {
			serial.Status, serial.Scrap = routecard.Scrapped, &routecard.Scrap{Reason: routecard.Damaged, At: 7 * quarter, By: "ann", StepID: "s"}
		}))
		s.changeCard("SN-00004", closed(9*quarter, func(serial *routecard.Serial) { serial.Position = 1 }))
		s.changeCard("SN-00005", closed(3*quarter, func(serial *routecard.Serial) { serial.Position = 1 }))
		s.same(look(s, func(tx routecard.Reader) ([]string, error) { return tx.NewestJobsOfPaths([]string{"x", path.ID}) }), []string{path.JobID})
		s.same(look(s, func(tx routecard.Reader) ([]string, error) { return tx.NewestJobsOfPaths(nil) }), []string{})
		count := func(since routecard.Timestamp) []routecard.ClosedCount {
			return look(s, func(tx routecard.Reader) ([]routecard.ClosedCount, error) { return tx.ClosedByQuarter(since) })
		}
		scrapped := routecard.ClosedCount{Quarter: 7, Status: routecard.Scrapped, Reason: routecard.Damaged, Count: 1}
		s.same(count(0), []routecard.ClosedCount{{Quarter: 5, Status: routecard.Completed, Count: 1}, scrapped})
		s.same(count(6*quarter), []routecard.ClosedCount{scrapped})
		longest := look(s, func(tx routecard.Reader) ([]routecard.Standstill, error) { return tx.StandingLongest(10) })
		if len(longest) != 3 || longest[1].Since > longest[2].Since || longest[0].Since > longest[1].Since {
			s.Fatalf("standing: %v", longest)
		}
		s.same(look(s, func(tx routecard.Reader) ([]routecard.Standstill, error) { return tx.StandingLongest(1) }), longest[:1])
		still := look(s, func(tx routecard.Reader) ([]routecard.StandingSerial, error) {
			return tx.StandingStill([]int64{5, 4, 1, 99})
		})
		at := map[int64]routecard.Timestamp{}
		for _, serial := range still {
			at[serial.Number] = serial.Since
		}
		s.same(at, map[int64]routecard.Timestamp{4: 9 * quarter, 5: 3 * quarter})
		s.same(look(s, func(tx routecard.Reader) ([]routecard.StandingSerial, error) { return tx.StandingStill(nil) }), []routecard.StandingSerial{})
	}},
	{"jobs older than one are found without the newer ones", func(s *shop) {
		for i := range 5 {
			s.update(func(tx routecard.Tx) error { return tx.InsertJob(aJob(i + 1)) })
		}
		before := func(id string) []routecard.Job {
			return list(s, func(tx routecard.Reader) iter.Seq2[routecard.Job, error] { return tx.JobsBefore(id) })
		}
		s.same(before(aJob(3).ID), []routecard.Job{aJob(2), aJob(1)})
		s.same(len(before("")), 5)
		s.same(before(aJob(1).ID), []routecard.Job{})
		for i := range 3 {
			s.update(func(tx routecard.Tx) error {
				return tx.InsertCertificate(routecard.Certificate{ID: numbered("cert", i+1)})
			})
		}
		older := list(s, func(tx routecard.Reader) iter.Seq2[routecard.Certificate, error] {
			return tx.CertificatesBefore(numbered("cert", 3))
		})
		s.same(len(older), 2)
		s.same(older[0].ID, numbered("cert", 2))
	}},
}

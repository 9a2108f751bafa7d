package storetest

import (
	"errors"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/shop/workorder"
	"github.com/routecard/routecard/views"
)

func (suite) Search() []promise { return search }

// search are the cases for what the pages and the live stream read.
var search = []promise{
	{"a search returns the newest serials of its places and ranges, before a number", func(s *testedStore) {
		s.stock(6)
		other := aPath(2, 2)
		s.update(func(tx shop.Tx) error { return errors.Join(tx.InsertPath(other), insertSerials(tx, other.ID, 6)) })
		for _, id := range []string{"SN-00002", "SN-00004", "SN-00007"} {
			s.changeCard(id, forward)
		}
		find := func(search views.SerialSearch) []int64 {
			if search.Before == 0 {
				search.Before = math.MaxInt64
			}
			if search.Limit == 0 {
				search.Limit = 100
			}
			found := look(s, func(tx views.Reader) ([]shop.ListedSerial, error) { return tx.SearchSerials(search) })
			numbers := []int64{}
			for _, serial := range found {
				numbers = append(numbers, serial.Number)
			}
			return numbers
		}
		first := aPath(1, 3).ID
		s.same(find(views.SerialSearch{}), []int64{12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1})
		s.same(find(views.SerialSearch{Before: 8, Limit: 3}), []int64{7, 6, 5})
		s.same(find(views.SerialSearch{Oldest: true, After: 3, Limit: 2}), []int64{4, 5})
		s.same(find(views.SerialSearch{Oldest: true, After: 1, Limit: 3, Numbers: []ident.NumberRange{{First: 10, Last: 19}, {First: 1, Last: 2}}}),
			[]int64{2, 10, 11})
		s.same(find(views.SerialSearch{Oldest: true, After: 12}), []int64{})
		s.same(find(views.SerialSearch{Places: []views.Place{}}), []int64{})
		s.same(find(views.SerialSearch{Places: []views.Place{{PathID: first, Position: views.AnyPosition}}, Limit: 4}), []int64{6, 5, 4, 3})
		s.same(find(views.SerialSearch{Status: card.InProgress, Places: []views.Place{{PathID: first, Position: 1}, {PathID: other.ID, Position: 1}}}),
			[]int64{7, 4, 2})
		s.same(find(views.SerialSearch{Status: card.Scrapped}), []int64{})
		s.same(find(views.SerialSearch{Numbers: []ident.NumberRange{{First: 1, Last: 1}, {First: 10, Last: 19}}}), []int64{12, 11, 10, 1})
		s.same(find(views.SerialSearch{Numbers: []ident.NumberRange{}}), []int64{})
		many := []views.Place{} // more places than one statement takes
		for i := range 300 {
			many = append(many, views.Place{PathID: "path_none", Position: i})
		}
		s.same(find(views.SerialSearch{Places: append(many, views.Place{PathID: other.ID, Position: views.AnyPosition}), Limit: 2}), []int64{12, 11})
		s.same(look(s, func(tx views.Reader) ([]string, error) { return tx.SerialsStanding(first, 0, 3) }), []string{"SN-00001", "SN-00003", "SN-00005"})
		s.same(look(s, func(tx views.Reader) ([]string, error) { return tx.SerialsStanding(first, 1, 3) }), []string{"SN-00002", "SN-00004"})
	}},
	{"places are found by job, path, step and parts of names, newest first", func(s *testedStore) {
		s.stock(1)
		other := aPath(2, 2)
		other.Name = `50%_\ off`
		s.update(func(tx shop.Tx) error { return tx.InsertPath(other) })
		find := func(filter views.PlaceFilter) []views.Place {
			return look(s, func(tx views.Reader) ([]views.Place, error) { return tx.Places(filter, 10) })
		}
		first := aPath(1, 3)
		whole := func(path card.Path) views.Place {
			return views.Place{PathID: path.ID, Position: views.AnyPosition}
		}
		s.same(find(views.PlaceFilter{JobID: first.JobID}), []views.Place{whole(other), whole(first)})
		s.same(find(views.PlaceFilter{PathID: first.ID}), []views.Place{whole(first)})
		s.same(find(views.PlaceFilter{StepID: first.Steps[1].ID}), []views.Place{{PathID: first.ID, Position: 1}})
		s.same(find(views.PlaceFilter{Name: `%_\ OFF`}), []views.Place{whole(other)})
		s.same(find(views.PlaceFilter{Name: `%%`}), []views.Place{})
		s.same(find(views.PlaceFilter{JobID: "job_none"}), []views.Place{})
		s.same(find(views.PlaceFilter{Step: "no such step"}), []views.Place{})
		names := look(s, func(tx views.Reader) ([]string, error) { return tx.StepNames(100) })
		if len(names) == 0 || !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
			s.Fatalf("names of steps: %q", names)
		}
	}},
	{"a search of the trail filters by every field within its bounds, newest first", func(s *testedStore) {
		entries := []trail.Entry{
			{Action: card.ActionSerialAdvanced, UserID: "ann", Timestamp: 10, SerialID: "SN-00001", JobID: "job_1"},
			{Action: card.ActionSerialScrapped, UserID: "bob", Timestamp: 20, SerialID: "SN-00002", JobID: "job_1"},
			{Action: card.ActionSerialAdvanced, UserID: "bob", Timestamp: 30, SerialID: "SN-00001", JobID: "job_2"},
			{Action: shop.ActionBOMEdited, UserID: "ann", Timestamp: 40},
		}
		last := func() int64 {
			return look(s, func(tx views.Reader) (int64, error) { return tx.LastAuditSequence() })
		}
		s.same(last(), int64(0))
		s.update(func(tx shop.Tx) error { return tx.AppendAudit(entries...) })
		s.same(last(), int64(4))
		sequences := func(found []trail.Entry) []int64 {
			numbers := []int64{}
			for _, entry := range found {
				sequence, _ := ident.AuditSequence(entry.ID)
				numbers = append(numbers, sequence)
			}
			return numbers
		}
		find := func(query views.AuditQuery, after, before, limit int64) []int64 {
			return sequences(look(s, func(tx views.Reader) ([]trail.Entry, error) {
				found, _, err := tx.SearchAudit(query, after, before, limit)
				return found, err
			}))
		}
		const ever = math.MaxInt64
		s.same(find(views.AuditQuery{}, 0, ever, 10), []int64{4, 3, 2, 1})
		s.same(find(views.AuditQuery{}, 1, 4, 10), []int64{3, 2})
		s.same(find(views.AuditQuery{}, 0, ever, 1), []int64{4})
		s.same(find(views.AuditQuery{Action: card.ActionSerialAdvanced}, 0, ever, 10), []int64{3, 1})
		s.same(find(views.AuditQuery{UserID: "bob", JobID: "job_1"}, 0, ever, 10), []int64{2})
		s.same(find(views.AuditQuery{SerialID: "SN-00001"}, 0, ever, 10), []int64{3, 1})
		s.same(find(views.AuditQuery{SerialID: "none"}, 0, ever, 10), []int64{})
		s.same(find(views.AuditQuery{From: 20, Until: 40}, 0, ever, 10), []int64{3, 2})
		s.same(sequences(look(s, func(tx views.Reader) ([]trail.Entry, error) { return tx.AuditAfter(1, 2) })), []int64{2, 3})
		s.same(sequences(look(s, func(tx views.Reader) ([]trail.Entry, error) { return tx.AuditAfter(4, 2) })), []int64{})
	}},
	{"entries with long metadata are read a few at a time, and each of them is", func(s *testedStore) {
		metadata := []byte(`{"text":"` + strings.Repeat("x", 192<<10) + `"}`)
		const heavy = 6
		for range heavy {
			s.update(func(tx shop.Tx) error {
				return tx.AppendAudit(trail.Entry{Action: card.ActionPathUpdated, UserID: "ann", Metadata: metadata})
			})
		}
		const most = 2 // so many rows together are longer than a page may be
		after, before := int64(0), int64(math.MaxInt64)
		for seen := int64(0); seen < heavy; {
			found := look(s, func(tx views.Reader) ([]trail.Entry, error) { return tx.AuditAfter(after, 1000) })
			if len(found) == 0 || len(found) > most {
				s.Fatalf("%d entries of 192 KiB at once", len(found))
			}
			for i := range found {
				seen++
				s.same(found[i].ID, ident.AuditID(seen))
			}
			after = seen
		}
		for left, cut := int64(heavy), true; cut; {
			var found []trail.Entry
			look(s, func(tx views.Reader) (_ struct{}, err error) {
				found, cut, err = tx.SearchAudit(views.AuditQuery{}, 0, before, 1000)
				return struct{}{}, err
			})
			if len(found) > most || cut != (len(found) == most) {
				s.Fatalf("%d entries of 192 KiB at once, cut: %t", len(found), cut)
			}
			for i := range found {
				s.same(found[i].ID, ident.AuditID(left))
				left--
			}
			if before = left + 1; !cut {
				s.same(left, int64(0))
			}
		}
	}},
	{"figures count units by where they stand and by when they were closed", func(s *testedStore) {
		s.stock(5)
		path := aPath(1, 3)
		closed := func(at ident.Timestamp, change func(*card.Serial)) func(card.Card) (card.Change, error) {
			return func(unit card.Card) (card.Change, error) {
				serial := unit.Serial
				serial.UpdatedAt = at
				change(&serial)
				return card.Change{Serial: serial, Moved: true}, nil
			}
		}
		const quarter = 15 * 60 * 1000
		s.changeCard("SN-00001", closed(5*quarter+1, func(serial *card.Serial) { serial.Status, serial.Position = card.Completed, 3 }))
		s.changeCard("SN-00002", closed(7*quarter, func(serial *card.Serial) {
			serial.Status, serial.Scrap = card.Scrapped, &card.Scrap{Reason: card.Damaged, At: 7 * quarter, By: "ann", StepID: "s"}
		}))
		s.changeCard("SN-00004", closed(9*quarter, func(serial *card.Serial) { serial.Position = 1 }))
		s.changeCard("SN-00005", closed(3*quarter, func(serial *card.Serial) { serial.Position = 1 }))
		s.same(look(s, func(tx views.Reader) ([]shop.Job, error) { return tx.JobsOfPaths([]string{"x", path.ID}) }), []shop.Job{aJob(1)})
		s.same(look(s, func(tx views.Reader) ([]shop.Job, error) { return tx.JobsOfPaths(nil) }), []shop.Job{})
		count := func(since ident.Timestamp) []views.ClosedCount {
			return look(s, func(tx views.Reader) ([]views.ClosedCount, error) { return tx.ClosedByQuarter(since) })
		}
		scrapped := views.ClosedCount{Quarter: 7, Status: card.Scrapped, Reason: card.Damaged, Count: 1}
		s.same(count(0), []views.ClosedCount{{Quarter: 5, Status: card.Completed, Count: 1}, scrapped})
		s.same(count(6*quarter), []views.ClosedCount{scrapped})
		longest := look(s, func(tx views.Reader) ([]views.Standstill, error) { return tx.StandingLongest(10) })
		if len(longest) != 3 || longest[1].Since > longest[2].Since || longest[0].Since > longest[1].Since {
			s.Fatalf("standing: %v", longest)
		}
		s.same(look(s, func(tx views.Reader) ([]views.Standstill, error) { return tx.StandingLongest(1) }), longest[:1])
		still := look(s, func(tx views.Reader) ([]views.StandingSerial, error) {
			return tx.StandingStill([]int64{5, 4, 1, 99})
		})
		at := map[int64]ident.Timestamp{}
		for _, serial := range still {
			at[serial.Number] = serial.Since
		}
		s.same(at, map[int64]ident.Timestamp{4: 9 * quarter, 5: 3 * quarter})
		s.same(look(s, func(tx views.Reader) ([]views.StandingSerial, error) { return tx.StandingStill(nil) }), []views.StandingSerial{})
	}},
	{"what a record is called is found by the beginning of each name, in the order of the names and then the newest first", func(s *testedStore) {
		for i, name := range []string{"Bolt", "bolt M8", "Nut", "BOLT", "Öse", `%_\`, "bolu", "bol"} {
			job := aJob(i + 1)
			job.Name = name
			if i == 2 {
				job.TicketPart, job.TicketKey = "Bolt-2", "bolt-3"
			}
			s.update(func(tx shop.Tx) error { return tx.InsertJob(job) })
		}
		find := func(beginning string, limit int) (found []string) {
			for _, called := range look(s, func(tx views.Reader) ([]views.Called, error) {
				return tx.CalledFrom(shop.RecordJob, beginning, limit)
			}) {
				s.same(len(called.Names), 6)
				found = append(found, called.Names[0])
			}
			return found
		}
		s.same(find("bolt", 10), []string{"BOLT", "Bolt", "bolt M8", "Nut", "Nut"})
		s.same(find("BOLT", 1), []string{"BOLT", "Nut", "Nut"})
		s.same(find("Öse", 10), []string{"Öse"})
		s.same(find("öse", 10), []string(nil)) // letters outside A to Z match only in the same case
		s.same(find(`%`, 10), []string{`%_\`})
		s.same(find("nothing", 10), []string(nil))
		one := look(s, func(tx views.Reader) (views.Called, error) { return tx.CalledExactly(shop.RecordJob, aJob(3).ID) })
		s.same(one, views.Called{ID: aJob(3).ID, Names: []string{"Nut", "", "Bolt-2", "", "", "bolt-3"}})
		lately := look(s, func(tx views.Reader) ([]views.Called, error) { return tx.CalledLately(shop.RecordJob, 2) })
		s.same([]string{lately[0].ID, lately[1].ID}, []string{aJob(8).ID, aJob(7).ID})

		report := shop.Nonconformance{ID: "NCR-00001", Title: "Pores", Description: "up to 2 mm", Severity: shop.Major}
		s.update(func(tx shop.Tx) error {
			_, err := tx.TakeNonconformanceNumber()
			return errors.Join(err, tx.InsertNonconformance(report))
		})
		want := views.Called{ID: report.ID, Names: []string{"Pores"}, Details: "up to 2 mm"}
		s.same(look(s, func(tx views.Reader) (views.Called, error) {
			return tx.CalledExactly(shop.RecordNonconformance, "ncr-00001")
		}), want)
		s.same(look(s, func(tx views.Reader) ([]views.Called, error) {
			return tx.CalledFrom(shop.RecordNonconformance, "po", 1)
		}), []views.Called{want})
		s.same(look(s, func(tx views.Reader) ([]views.Called, error) { return tx.CalledLately(shop.RecordNonconformance, 1) }), []views.Called{want})
		for _, id := range []string{"job_none", "NCR-00002", "NCR-1", "", "x"} {
			for _, record := range shop.Records() {
				if len(record.Called) == 0 {
					continue
				}
				if err := s.Store.Look(s.Context(), func(tx views.Reader) error {
					_, err := tx.CalledExactly(record.Kind, id)
					return err
				}); !errors.Is(err, shop.ErrNoRecord) {
					s.Errorf("%s %q: %v", record.Kind, id, err)
				}
			}
		}
	}},
	{"a search finds units that are on hold, that are not, and that were closed in a span of time, and counts them", func(s *testedStore) {
		s.stock(7)
		path := aPath(1, 3)
		hold := func(id, reason string) func(card.Card) (card.Change, error) {
			return func(unit card.Card) (card.Change, error) {
				placed := card.Hold{ID: id, SerialID: unit.Serial.ID, Reason: reason, PlacedBy: "ann", PlacedAt: 5}
				return card.Change{Serial: unit.Serial, Held: []card.Hold{placed}}, nil
			}
		}
		closed := func(at ident.Timestamp, scrapped card.ScrapReason) func(card.Card) (card.Change, error) {
			return func(unit card.Card) (card.Change, error) {
				serial := unit.Serial
				serial.UpdatedAt, serial.Status, serial.Position = at, card.Completed, 3
				if scrapped != "" {
					serial.Status, serial.Position, serial.Scrap = card.Scrapped, 1, &card.Scrap{Reason: scrapped, At: at, By: "ann", StepID: "s"}
				}
				return card.Change{Serial: serial, Moved: true}, nil
			}
		}
		for i, id := range []string{"SN-00001", "SN-00001", "SN-00002", "SN-00003"} { // the first serial has two holds
			s.changeCard(id, hold(numbered("hold", i+1), "dent"))
		}
		s.changeCard("SN-00002", closed(100, card.Damaged)) // the serial stays on hold
		s.changeCard("SN-00003", closed(200, ""))
		s.changeCard("SN-00004", closed(300, ""))
		s.changeCard("SN-00005", closed(400, card.Damaged))
		s.changeCard("SN-00006", forward)
		find := func(search views.SerialSearch) (numbers []int64) {
			search.Before, search.Limit = math.MaxInt64, 100
			for _, serial := range look(s, func(tx views.Reader) ([]shop.ListedSerial, error) { return tx.SearchSerials(search) }) {
				numbers = append(numbers, serial.Number)
			}
			return numbers
		}
		count := func(search views.SerialSearch) map[card.SerialStatus]int64 {
			counts := map[card.SerialStatus]int64{}
			for _, at := range look(s, func(tx views.Reader) ([]shop.StandingCount, error) { return tx.CountUnits(search) }) {
				counts[at.Status] = at.Count
			}
			return counts
		}
		type counts = map[card.SerialStatus]int64
		whole := []views.Place{{PathID: path.ID, Position: views.AnyPosition}, {PathID: "path_none", Position: views.AnyPosition}}
		for _, test := range []struct {
			search views.SerialSearch
			found  []int64
			counts counts
		}{
			{views.SerialSearch{Hold: views.OnHold}, []int64{3, 1}, counts{card.InProgress: 1, card.Completed: 1}},
			{views.SerialSearch{Hold: views.OnHold, Status: card.InProgress, Places: whole}, []int64{1}, counts{card.InProgress: 1}},
			{views.SerialSearch{Hold: views.OnHold, Places: []views.Place{{PathID: path.ID, Position: 1}}}, nil, counts{}},
			{views.SerialSearch{Hold: views.NotOnHold}, []int64{7, 6}, counts{card.InProgress: 2}},
			{views.SerialSearch{Hold: views.NotOnHold, Places: []views.Place{{PathID: path.ID, Position: 1}}}, []int64{6}, counts{card.InProgress: 1}},
			{views.SerialSearch{Closed: views.Span{From: 200}}, []int64{5, 4, 3}, counts{card.Completed: 2, card.Scrapped: 1}},
			{views.SerialSearch{Closed: views.Span{From: 100, Until: 300}}, []int64{3, 2}, counts{card.Completed: 1, card.Scrapped: 1}},
			{views.SerialSearch{Closed: views.Span{From: 1}, Status: card.Scrapped, Reason: card.Damaged, Places: whole}, []int64{5, 2}, counts{card.Scrapped: 2}},
			{views.SerialSearch{Closed: views.Span{From: 1}, Reason: card.OutOfTolerance}, nil, counts{}},
			{views.SerialSearch{Hold: views.OnHold, Closed: views.Span{From: 200}}, []int64{3}, counts{card.Completed: 1}},
		} {
			s.same(find(test.search), test.found)
			s.same(count(test.search), test.counts)
		}
	}},
	{"jobs are found by their GTIN, however it is written", func(s *testedStore) {
		for i, of := range []shop.Job{
			{OrderFields: workorder.OrderFields{GTIN: "036000291452", PartNumber: "4006381333931"}},
			{OrderFields: workorder.OrderFields{GTIN: "00036000291452"}},
			{OrderFields: workorder.OrderFields{PartNumber: "0036000291452"}},
			{TicketFields: shop.TicketFields{TicketPart: "036000291452"}},
			{OrderFields: workorder.OrderFields{PartNumber: "P"}, TicketFields: shop.TicketFields{TicketPart: "036000291452"}},
			{OrderFields: workorder.OrderFields{GTIN: "96385074"}},
		} {
			job := aJob(i + 1)
			job.OrderFields, job.TicketFields = of.OrderFields, of.TicketFields
			s.update(func(tx shop.Tx) error { return tx.InsertJob(job) })
		}
		for gtin, found := range map[string][]int{
			"00036000291452": {4, 3, 2, 1}, "00000096385074": {6}, "04006381333931": {}, "10036000291459": {},
		} {
			want := []string{}
			for _, n := range found {
				want = append(want, aJob(n).ID)
			}
			with := func(limit int) []string {
				return look(s, func(tx views.Reader) ([]string, error) { return tx.JobsWithGTIN(gtin, limit) })
			}
			s.same(append([]string{}, with(9)...), want)
			s.same(append([]string{}, with(1)...), want[:min(len(want), 1)])
			matching := []string{}
			for _, job := range list(s, func(tx views.Reader) iter.Seq2[shop.Job, error] {
				return tx.JobsMatching(views.JobFilter{GTIN: gtin}, "")
			}) {
				matching = append(matching, job.ID)
			}
			s.same(matching, want)
		}
		s.same(look(s, func(tx views.Reader) (map[string]string, error) {
			return tx.GTINsOfJobs([]string{aJob(1).ID, aJob(1).ID, aJob(3).ID, aJob(6).ID, "job_none"})
		}), map[string]string{aJob(1).ID: "00036000291452", aJob(6).ID: "00000096385074"})
	}},
	{"jobs are found by what they are for", func(s *testedStore) {
		for i, of := range []shop.Job{
			{OrderFields: workorder.OrderFields{PartNumber: "GH-200", Customer: "Harbour", OrderNumber: "4711", DueDate: "2026-01-31"}},
			{OrderFields: workorder.OrderFields{PartNumber: "gh-200", Customer: "HARBOUR", DueDate: "2026-02-01"}},
			{TicketFields: shop.TicketFields{TicketPart: "GH-200"}},
			{OrderFields: workorder.OrderFields{PartNumber: "X", DueDate: "2026-02-02"}, TicketFields: shop.TicketFields{TicketPart: "GH-200"}},
			{OrderFields: workorder.OrderFields{PartNumber: "GH-2001", Customer: "Öl", OrderNumber: "%"}},
		} {
			job := aJob(i + 1)
			job.OrderFields, job.TicketFields = of.OrderFields, of.TicketFields
			s.update(func(tx shop.Tx) error { return tx.InsertJob(job) })
		}
		path := aPath(1, 1)
		s.update(func(tx shop.Tx) error { return tx.InsertPath(path) })
		for _, test := range []struct {
			filter views.JobFilter
			before string
			found  []int
		}{
			{views.JobFilter{}, "", []int{5, 4, 3, 2, 1}},
			{views.JobFilter{PartNumber: "Gh-200"}, "", []int{3, 2, 1}}, // the tracker's part number, as the job has none
			{views.JobFilter{PartNumber: "gh-200"}, aJob(3).ID, []int{2, 1}},
			{views.JobFilter{PartNumber: "gh-200", Customer: "harbour"}, "", []int{2, 1}},
			{views.JobFilter{PartNumber: "gh-200", OrderNumber: "4711"}, "", []int{1}},
			{views.JobFilter{OrderNumber: "%"}, "", []int{5}},
			{views.JobFilter{Customer: "Öl"}, "", []int{5}},
			{views.JobFilter{Customer: "harb"}, "", nil},
			{views.JobFilter{DueBefore: "2026-02-01"}, "", []int{1}},
			{views.JobFilter{DueAfter: "2026-01-31"}, "", []int{4, 2}},
			{views.JobFilter{DueAfter: "2026-01-31", DueBefore: "2026-02-02"}, "", []int{2}},
		} {
			want := []string{}
			for _, n := range test.found {
				want = append(want, aJob(n).ID)
			}
			found := []string{}
			for _, job := range list(s, func(tx views.Reader) iter.Seq2[shop.Job, error] { return tx.JobsMatching(test.filter, test.before) }) {
				found = append(found, job.ID)
			}
			s.same(found, want)
			if test.before == "" { // JobsAmong has no position in the list
				among := []string{}
				for _, job := range look(s, func(tx views.Reader) ([]shop.Job, error) {
					return tx.JobsAmong([]string{aJob(1).ID, aJob(2).ID, aJob(3).ID, "job_none"}, test.filter)
				}) {
					among = append(among, job.ID)
				}
				slices.Sort(among)
				s.same(among, amongFirst(test.found, 3))
			}
			onPath := look(s, func(tx views.Reader) ([]views.Place, error) {
				return tx.Places(views.PlaceFilter{Job: test.filter}, 10)
			})
			s.same(len(onPath) == 1, slices.Contains(test.found, 1))
		}
	}},
	{"jobs older than one are found without the newer ones", func(s *testedStore) {
		for i := range 5 {
			s.update(func(tx shop.Tx) error { return tx.InsertJob(aJob(i + 1)) })
		}
		before := func(id string) []shop.Job {
			return list(s, func(tx views.Reader) iter.Seq2[shop.Job, error] { return tx.JobsMatching(views.JobFilter{}, id) })
		}
		s.same(before(aJob(3).ID), []shop.Job{aJob(2), aJob(1)})
		s.same(len(before("")), 5)
		s.same(before(aJob(1).ID), []shop.Job{})
		for i := range 3 {
			s.update(func(tx shop.Tx) error {
				return tx.InsertCertificate(shop.Certificate{ID: numbered("cert", i+1)})
			})
		}
		older := list(s, func(tx views.Reader) iter.Seq2[shop.Certificate, error] {
			return tx.CertificatesBefore(numbered("cert", 3))
		})
		s.same(len(older), 2)
		s.same(older[0].ID, numbered("cert", 2))
	}},
}

// amongFirst returns the identifiers of the found jobs that are among the first ones.
func amongFirst(found []int, first int) []string {
	ids := []string{}
	for n := 1; n <= first; n++ {
		if slices.Contains(found, n) {
			ids = append(ids, aJob(n).ID)
		}
	}
	return ids
}

package storetest

import (
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

func allAudit(tx views.Reader) iter.Seq2[trail.Entry, error] {
	return tx.AuditEntries(shop.NoLimit, 0)
}

func auditOf(serialID string) func(views.Reader) iter.Seq2[trail.Entry, error] {
	return func(tx views.Reader) iter.Seq2[trail.Entry, error] {
		return tx.AuditOfSerial(serialID)
	}
}

func auditOfJob(jobID string) func(views.Reader) iter.Seq2[trail.Entry, error] {
	return func(tx views.Reader) iter.Seq2[trail.Entry, error] { return tx.AuditOfJob(jobID) }
}

// increasing ends the test unless the identifiers of entries grow strictly. The entries must be oldest first.
func (s *testedStore) increasing(entries []trail.Entry) {
	s.Helper()
	for i := 1; i < len(entries); i++ {
		if entries[i-1].ID >= entries[i].ID {
			s.Fatalf("entry %d is %s, behind %s", i, entries[i].ID, entries[i-1].ID)
		}
	}
}

func (suite) Audit() []promise { return audit }

var audit = []promise{
	{"the sequence numbers of a serial's entries are those of its entries", func(s *testedStore) {
		s.stock(2)
		s.update(func(tx shop.Tx) error {
			for range 5 {
				if err := tx.AppendAudit(trail.Entry{Action: card.ActionSerialAdvanced, SerialID: "SN-00001"},
					trail.Entry{Action: card.ActionSerialAdvanced, SerialID: "SN-00002"}); err != nil {
					return err
				}
			}
			return nil
		})
		var want []int64
		for _, entry := range list(s, auditOf("SN-00001")) {
			sequence, _ := ident.AuditSequence(entry.ID)
			want = append(want, sequence)
		}
		for serial, limits := range map[string][][]int64{
			"SN-00001": {want, want[:3]}, "SN-00009": {nil, nil}, "none": {nil, nil},
		} {
			for i, limit := range []int{100, 3} {
				got := look(s, func(tx views.Reader) ([]int64, error) { return tx.SequencesOfSerial(serial, limit) })
				if !slices.Equal(got, limits[i]) {
					s.Errorf("the entries of %s have the numbers %v, want %v", serial, got, limits[i])
				}
			}
		}
	}},
	{"entries about no serial and no job are found by their record", func(s *testedStore) {
		s.stock(1)
		s.update(func(tx shop.Tx) error {
			return tx.AppendAudit(
				trail.Entry{UserID: "1", Metadata: json.RawMessage(`{"lotId":"lot_1","before":{"lotId":"lot_2"}}`)},
				trail.Entry{UserID: "2", CertID: "cert_1", Metadata: json.RawMessage(`{"lotId":"lot_1","nonconformanceId":"NCR-00001"}`)},
				trail.Entry{UserID: "3", CertID: "cert_1"},
				trail.Entry{UserID: "4", SerialID: "SN-00001", CertID: "cert_1", Metadata: json.RawMessage(`{"lotId":"lot_1"}`)},
				trail.Entry{UserID: "5", CertID: "cert_1", Metadata: json.RawMessage(`{"sha256":"00"}`)},
				trail.Entry{UserID: "6", StepID: "step_a", Metadata: json.RawMessage(`{"nonconformanceId":"NCR-00001"}`)},
				trail.Entry{UserID: "0", JobID: "job_1", Metadata: json.RawMessage(`{"nonconformanceId":"NCR-00001"}`)},
				trail.Entry{UserID: "7", Metadata: json.RawMessage(`{"shipmentId":"SHP-00001"}`)},
				trail.Entry{UserID: "8", Metadata: json.RawMessage(`{"instrumentId":"inst_1"}`)},
				trail.Entry{UserID: "9", Metadata: json.RawMessage(`{"recordId":"flnk_1"}`)},
				trail.Entry{UserID: "a", Metadata: json.RawMessage(`{"conformanceId":"COC-00001"}`)},
				trail.Entry{UserID: "b", Metadata: json.RawMessage(`{"firstArticleId":"FAI-00001"}`)},
			)
		})
		for id, want := range map[string]string{
			"lot_1": "12", "cert_1": "35", "NCR-00001": "6", "SHP-00001": "7", "inst_1": "8", "flnk_1": "9", "COC-00001": "a", "FAI-00001": "b", "lot_2": "", "none": "",
		} {
			var got string
			for _, entry := range list(s, func(tx views.Reader) iter.Seq2[trail.Entry, error] { return tx.AuditOfRecord(id) }) {
				got += entry.UserID
			}
			if got != want {
				s.Errorf("the entries of %s are %q, want %q", id, got, want)
			}
		}
	}},
	{"what took changes of serials back is found by their serials", func(s *testedStore) {
		s.stock(3)
		s.update(func(tx shop.Tx) error {
			for _, id := range []string{"SN-00001", "SN-00002", "SN-00001"} {
				if err := tx.AppendAudit(trail.Entry{Action: card.ActionSerialAdvanced, SerialID: id},
					trail.Entry{Action: replay.ActionChangeUndone, SerialID: id}); err != nil {
					return err
				}
			}
			return nil
		})
		undone := func(ids ...string) (serials []string) {
			for _, entry := range look(s, func(tx views.Reader) ([]trail.Entry, error) { return tx.UndoneOf(ids) }) {
				s.same(entry.Action, replay.ActionChangeUndone)
				serials = append(serials, entry.SerialID)
			}
			slices.Sort(serials)
			return serials
		}
		s.same(undone("SN-00001", "SN-00002", "SN-00003"), []string{"SN-00001", "SN-00001", "SN-00002"})
		s.same(undone("SN-00002"), []string{"SN-00002"})
		s.same(len(undone()), 0)
	}},
	{"every field of an audit entry is kept", func(s *testedStore) {
		s.stock(1)
		entries := []trail.Entry{
			{
				Action: card.ActionStepWaived, UserID: strange, Timestamp: farOff, SerialID: "SN-00001", CertID: "cert_1",
				JobID: "job_1", PathID: "path_1", StepID: "step_1", FromStepID: "step_2", ToStepID: "step_3",
				BatchQuantity: biggest, Metadata: json.RawMessage(`{"b": 1.10, "a":"` + strings.Repeat("ü", 10_000) + `"}`),
				Actor: strange, Means: strange,
			},
			{Action: shop.ActionBOMEdited, UserID: "u", Timestamp: longAgo},
			{Action: shop.ActionNoteCreated, UserID: "u", SerialID: "SN-123456789", Metadata: json.RawMessage(`{}`)},
		}
		s.update(func(tx shop.Tx) error { return tx.AppendAudit(entries...) })
		s.reopen()
		got := reversed(list(s, allAudit))
		s.increasing(got)
		for i := range got {
			if !strings.HasPrefix(got[i].ID, "aud_") {
				s.Fatalf("id is %s", got[i].ID)
			}
			got[i].ID = ""
		}
		s.same(got, entries)
		s.same(len(list(s, auditOf("SN-123456789"))), 1)
	}},
	{"entries that are read many at a time are what they are one by one", func(s *testedStore) {
		texts := []string{"", "anna", `"`, `\`, `\"`, "a\tb\nc\r\b\f\x01\x1f", "<ü\u2028>", `\u0041`, "],[1", "null", strange}
		var entries []trail.Entry
		for i := range 100 {
			text := func(n int) string { return texts[(i+n)%len(texts)] }
			entry := trail.Entry{
				Action: trail.Action(text(0)), UserID: text(1), Timestamp: ident.Timestamp(i * 1e9), CertID: text(2), JobID: text(3),
				PathID: text(4), StepID: text(5), FromStepID: text(6), ToStepID: text(7), Actor: text(8), Means: text(10), BatchQuantity: int64(i % 3),
			}
			if i%2 == 0 {
				entry.SerialID = ident.DefaultPrefix.SerialID(int64(i + 99_950))
			}
			if i%5 == 0 { // short entries, and entries too long to share a page with others
				entry.Metadata, _ = json.Marshal(map[string]string{"a": text(9), "b": strings.Repeat(text(1)+"x", i*i/8)})
			}
			entries = append(entries, entry)
		}
		s.update(func(tx shop.Tx) error { return tx.AppendAudit(entries...) })
		for _, after := range []int64{0, 1, 99, 100} {
			found := look(s, func(tx views.Reader) ([]trail.Entry, error) { return tx.AuditAfter(after, 1000) })
			for i := range found {
				s.same(found[i].ID, ident.AuditID(after+1+int64(i)))
				found[i].ID = ""
			}
			s.same(found, append([]trail.Entry{}, entries[after:]...))
		}
		s.same(len(look(s, func(tx views.Reader) ([]trail.Entry, error) { return tx.AuditAfter(3, 50) })), 50)
	}},
	{"the trail is in the order of commit, and within a change in the order given", func(s *testedStore) {
		const changes, entries = 40, 5
		s.atOnce(changes, func(i int) error {
			return s.tryUpdate(func(tx shop.Tx) error {
				for j := range entries {
					entry := trail.Entry{Action: "x", UserID: fmt.Sprint(i), BatchQuantity: int64(j), JobID: "job_1"}
					if err := tx.AppendAudit(entry); err != nil {
						return err
					}
				}
				return nil
			})
		})
		found := list(s, auditOfJob("job_1"))
		s.same(len(found), changes*entries)
		s.increasing(found)
		next := map[string]int64{}
		for _, entry := range found {
			s.same(entry.BatchQuantity, next[entry.UserID])
			next[entry.UserID]++
		}
		for i := range 3 { // an entry that is committed later comes later, whatever its timestamp
			s.update(func(tx shop.Tx) error {
				return tx.AppendAudit(trail.Entry{Action: "y", Timestamp: ident.Timestamp(100 - i), BatchQuantity: int64(i)})
			})
		}
		for i, entry := range list(s, allAudit)[:3] {
			s.same(entry.BatchQuantity, int64(2-i))
		}
	}},
	{"entries of changes that were taken back are not in the trail", func(s *testedStore) {
		s.atOnce(60, func(i int) error {
			err := s.tryUpdate(func(tx shop.Tx) error {
				if err := tx.AppendAudit(trail.Entry{Action: "x", BatchQuantity: int64(i)}); err != nil || i%2 == 0 {
					return err
				}
				return errRefused
			})
			if i%2 == 0 {
				return err
			}
			return nil
		})
		found := reversed(list(s, allAudit))
		s.same(len(found), 30)
		s.increasing(found)
		for _, entry := range found {
			s.same(entry.BatchQuantity%2, int64(0))
		}
	}},
	{"no entries to append is no mistake", func(s *testedStore) {
		s.update(func(tx shop.Tx) error { return tx.AppendAudit() })
		s.same(list(s, allAudit), []trail.Entry{})
		for _, limit := range []int64{0, 1, shop.NoLimit} {
			for _, offset := range []int64{0, 1, shop.NoLimit} {
				s.same(list(s, auditPage(limit, offset)), []trail.Entry{})
			}
		}
	}},
	{"limit and offset cut the trail, newest first, at every corner", func(s *testedStore) {
		s.each(many, func(tx shop.Tx, i int) error {
			return tx.AppendAudit(trail.Entry{Action: "x", BatchQuantity: int64(i)})
		})
		whole := list(s, allAudit)
		s.same(len(whole), many)
		s.increasing(reversed(whole))
		for _, limit := range []int64{0, 1, 999, 1000, 1001, 2000, many - 1, many, many + 1, shop.NoLimit} {
			for _, offset := range []int64{0, 1, 500, 999, 1000, 1500, many - 1, many, many + 1, shop.NoLimit} {
				from := min(offset, many)
				want := whole[from:]
				want = want[:min(limit, int64(len(want)))]
				got := list(s, auditPage(limit, offset))
				if !slices.EqualFunc(got, want, func(a, b trail.Entry) bool { return a.ID == b.ID }) {
					s.Fatalf("limit %d offset %d: %d entries, want %d", limit, offset, len(got), len(want))
				}
			}
		}
	}},
	{"the trail of a serial and of a job is theirs, oldest first", func(s *testedStore) {
		s.each(2*many, func(tx shop.Tx, i int) error {
			return tx.AppendAudit(trail.Entry{
				Action: "x", SerialID: tx.SerialPrefix().SerialID(int64(1 + i%2)), JobID: numbered("job", 1+i%2), BatchQuantity: int64(i),
			})
		})
		s.update(func(tx shop.Tx) error { return tx.AppendAudit(trail.Entry{Action: "about nothing"}) })
		for of := 1; of <= 2; of++ {
			serial, job := list(s, auditOf(ident.DefaultPrefix.SerialID(int64(of)))), list(s, auditOfJob(numbered("job", of)))
			s.same(serial, job)
			s.same(len(serial), many)
			s.increasing(serial)
			for _, entry := range serial {
				s.same(entry.BatchQuantity%2, int64(of-1))
			}
		}
		for _, unknown := range []string{"SN-00003", "nonsense", "", "SN-00000"} {
			s.same(list(s, auditOf(unknown)), []trail.Entry{})
			s.same(list(s, auditOfJob(unknown)), []trail.Entry{})
		}
	}},
	{"the trail finds what tells of names and beginnings", func(s *testedStore) {
		entries := []trail.Entry{
			{Action: card.ActionSerialCreated, PathID: "path_1", Timestamp: 5, BatchQuantity: 1},
			{Action: card.ActionPathUpdated, PathID: "path_1", Timestamp: 5, BatchQuantity: 2},
			{Action: card.ActionSerialCreated, PathID: "path_1", Timestamp: 6, BatchQuantity: 3},
			{Action: shop.ActionUserChanged, Timestamp: 9, BatchQuantity: 4},
			{Action: card.ActionSerialCreated, PathID: "path_2", Timestamp: 5, BatchQuantity: 5},
			{Action: shop.ActionPathDeleted, PathID: "path_1", Timestamp: 2, BatchQuantity: 6},
			{Action: card.ActionSerialCreated, PathID: "path_1", Timestamp: 5, BatchQuantity: 7},
			{Action: card.ActionPathUpdated, PathID: "path_2", Timestamp: 5, BatchQuantity: 8},
			{Action: shop.ActionUserChanged, Timestamp: 1, BatchQuantity: 9},
			{Action: card.ActionSerialAdvanced, PathID: "path_1", Timestamp: 5, BatchQuantity: 10},
		}
		s.update(func(tx shop.Tx) error { return tx.AppendAudit(entries...) })
		marks := func(read func(tx views.Reader) ([]trail.Entry, error)) []int64 {
			found := []int64{}
			for _, entry := range look(s, read) {
				found = append(found, entry.BatchQuantity)
			}
			return found
		}
		at := func(path string, at ident.Timestamp) func(views.Reader) ([]trail.Entry, error) {
			return func(tx views.Reader) ([]trail.Entry, error) { return tx.CreationsAt(path, at) }
		}
		changes := func(path string) func(views.Reader) ([]trail.Entry, error) {
			return func(tx views.Reader) ([]trail.Entry, error) { return gathered(tx.ChangesOfPath(path)) }
		}
		s.same(marks(at("path_1", 5)), []int64{1, 7})
		s.same(marks(at("path_1", 7)), []int64{})
		s.same(marks(changes("path_1")), []int64{2, 6})
		s.same(marks(changes("path_3")), []int64{})
		s.same(marks(func(tx views.Reader) ([]trail.Entry, error) { return gathered(tx.ChangesOfUsers()) }), []int64{4, 9})
	}},
	{"the reworks of serials are counted, also undone ones", func(s *testedStore) {
		s.update(func(tx shop.Tx) error {
			return tx.AppendAudit(
				trail.Entry{Action: card.ActionSerialReworked, SerialID: "SN-00001"},
				trail.Entry{Action: card.ActionSerialReworked, SerialID: "SN-00003"},
				trail.Entry{Action: replay.ActionChangeUndone, SerialID: "SN-00001"},
				trail.Entry{Action: card.ActionSerialReworked, SerialID: "SN-00001"},
				trail.Entry{Action: card.ActionSerialAdvanced, SerialID: "SN-00002"})
		})
		s.same(look(s, func(tx views.Reader) (map[string]int, error) {
			return tx.Reworks([]string{"SN-00001", "SN-00002", "SN-00004"})
		}), map[string]int{"SN-00001": 2})
	}},
	{"a search for completions finds those by Advance to Step", func(s *testedStore) {
		s.update(func(tx shop.Tx) error {
			return tx.AppendAudit(
				trail.Entry{Action: card.ActionSerialAdvanced, FromStepID: "a", ToStepID: "b"},
				trail.Entry{Action: card.ActionSerialAdvanced, FromStepID: "b"},
				trail.Entry{Action: card.ActionSerialCompleted, FromStepID: "b"})
		})
		found := look(s, func(tx views.Reader) ([]trail.Entry, error) {
			found, _, err := tx.SearchAudit(views.AuditQuery{Action: card.ActionSerialCompleted}, 0, math.MaxInt64, 10)
			return found, err
		})
		s.same(len(found), 2)
		for _, entry := range found {
			s.same(shop.ActionTold(entry), card.ActionSerialCompleted)
		}
	}},
	{"the database itself refuses to change or remove audit entries", func(s *testedStore) {
		s.update(func(tx shop.Tx) error { return tx.AppendAudit(trail.Entry{Action: "x", UserID: "u"}) })
		before := list(s, allAudit)
		s.refused(s.Exec(s.T, `UPDATE audit SET user_id = 'somebody else'`), nil)
		s.refused(s.Exec(s.T, `UPDATE audit SET at = at`), nil)
		s.refused(s.Exec(s.T, `DELETE FROM audit`), nil)
		s.refused(s.Exec(s.T, `DELETE FROM audit WHERE action = 'x'`), nil)
		s.same(list(s, allAudit), before)
		s.must(s.Exec(s.T, `UPDATE counter SET value = value`)) // so that the refusal has no other cause
	}},
}

func auditPage(limit, offset int64) func(views.Reader) iter.Seq2[trail.Entry, error] {
	return func(tx views.Reader) iter.Seq2[trail.Entry, error] {
		return tx.AuditEntries(limit, offset)
	}
}

// gathered reads a list to its end.
func gathered(listed iter.Seq2[trail.Entry, error]) (all []trail.Entry, err error) {
	for entry, err := range listed {
		if err != nil {
			return nil, err
		}
		all = append(all, entry)
	}
	return all, nil
}

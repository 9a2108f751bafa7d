package verify_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/internal/verify"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// Each column of a report, of its units and of voided records is edited in turn in the database. The check finds the edit, and finds
// nothing after the value is restored.
func TestRecordsThatWereEditedAreFound(t *testing.T) {
	t.Parallel()
	q := shoptest.OpenQuality(t)
	if found := shoptest.RecordsFound(t, q.Store); len(found) > 0 {
		t.Fatalf("nobody has edited anything: %q", found)
	}
	door := q.Database.BackDoor(t)
	edit := func(statement string) {
		t.Helper()
		if result, err := door.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		} else if rows, err := result.RowsAffected(); err == nil && rows == 0 {
			t.Fatalf("%s: no row", statement)
		}
	}
	const first, second = "report NCR-00001: ", "report NCR-00002: "
	note, attachment := "void "+q.Note.ID+": ", "void "+q.Cert.ID+": "
	type column struct{ table, where, name, want string }
	var tests []column
	for name, field := range map[string]string{
		"title": "title", "description": "description", "severity": "severity", "step_id": "stepId", "opened_by": "openedBy",
		"opened_at": "openedAt",
	} {
		tests = append(tests, column{"nonconformance", "number = 1", name, first + field})
	}
	for name, field := range map[string]string{"closed_by": "closedBy", "closed_at": "closedAt", "summary": "summary"} {
		tests = append(tests, column{"nonconformance", "number = 2", name, second + field})
	}
	for name, field := range map[string]string{
		"disposition": "disposition", "decided_by": "decidedBy", "decided_at": "decidedAt", "reason": "reason", "concession": "concession",
		"found_at": "the step where it was found",
	} {
		for _, unit := range []int{1, 4, 6} { // decided once, decided twice, and undecided
			tests = append(tests, column{
				"nonconforming_unit", fmt.Sprintf("nonconformance_number = 1 AND serial_number = %d", unit), name,
				first + field + " of " + q.Units[unit-1],
			})
		}
		tests = append(tests, column{
			"nonconforming_unit", "nonconformance_number = 2 AND serial_number = 7", name, second + field + " of SN-00007",
		})
	}
	for name, field := range map[string]string{"voided_at": "voidedAt", "voided_by": "voidedBy", "void_reason": "voidReason"} {
		tests = append(tests, column{"note", "voided_at <> 0", name, note + field}, column{"attachment", "voided_at <> 0", name, attachment + field})
	}
	for _, test := range tests {
		there, back := test.name+" || 'x'", "substr("+test.name+", 1, length("+test.name+") - 1)"
		if strings.HasSuffix(test.name, "_at") {
			there, back = test.name+" + 1", test.name+" - 1"
		}
		edit("UPDATE " + test.table + " SET " + test.name + " = " + there + " WHERE " + test.where)
		if found := shoptest.RecordsFound(t, q.Store); !slices.Equal(found, []string{test.want}) {
			t.Errorf("%s of %s: found %q, want %q", test.name, test.table, found, test.want)
		}
		edit("UPDATE " + test.table + " SET " + test.name + " = " + back + " WHERE " + test.where)
	}

	const (
		onFirst = "nonconformance_number = 1 AND serial_number = 2"
		untold  = ": no entry tells of it"
	)
	for _, test := range []struct {
		there, back []string
		want        []string
	}{
		{
			[]string{"UPDATE nonconformance SET closed_at = 0 WHERE number = 2"},
			[]string{fmt.Sprintf("UPDATE nonconformance SET closed_at = %d WHERE number = 2", closedAt(q, "NCR-00002"))},
			[]string{second + "status, closedAt"},
		},
		{
			[]string{"UPDATE nonconformance SET number = 8 WHERE number = 3"},
			[]string{"UPDATE nonconformance SET number = 3 WHERE number = 8"},
			[]string{"report NCR-00008" + untold, "report NCR-00003: it is missing"},
		},
		{
			[]string{"INSERT INTO nonconformance SELECT 9, title, description, severity, step_id, opened_by, opened_at, closed_by, closed_at, summary " +
				"FROM nonconformance WHERE number = 3"},
			[]string{"DELETE FROM nonconformance WHERE number = 9"},
			[]string{"report NCR-00009" + untold},
		},
		{ // removed from the report
			[]string{"UPDATE nonconforming_unit SET nonconformance_number = -1 WHERE " + onFirst},
			[]string{"UPDATE nonconforming_unit SET nonconformance_number = 1 WHERE nonconformance_number = -1"},
			[]string{first + "units of SN-00002"},
		},
		{ // added to the report
			[]string{"INSERT INTO nonconforming_unit SELECT 1, 7, found_at, '', '', 0, '', '' FROM nonconforming_unit WHERE " + onFirst},
			[]string{"DELETE FROM nonconforming_unit WHERE nonconformance_number = 1 AND serial_number = 7"},
			[]string{first + "units of SN-00007"},
		},
		{ // all units of the report
			[]string{"UPDATE nonconforming_unit SET reason = reason || 'x'"},
			[]string{"UPDATE nonconforming_unit SET reason = substr(reason, 1, length(reason) - 1)"},
			[]string{
				second + "reason of SN-00007, reason of SN-00008",
				first + "reason of SN-00001, reason of SN-00002, reason of SN-00003, and 3 more of its units",
			},
		},
		{
			[]string{"INSERT INTO signature_policy VALUES ('scrap', 'second')"},
			[]string{"DELETE FROM signature_policy"},
			[]string{"signature policy : scrap"},
		},
		{
			[]string{"INSERT INTO organization VALUES ('organization', 'n', 'a', '', '', '', 'en')"},
			[]string{"DELETE FROM organization"},
			[]string{"organization organization" + untold},
		},
		{
			[]string{"INSERT INTO second_factor_role VALUES ('lead')"},
			[]string{"DELETE FROM second_factor_role"},
			[]string{"access policy : secondFactor"},
		},
		{ // the record is no longer voided
			[]string{"UPDATE attachment SET voided_as = '' WHERE voided_at <> 0"},
			[]string{"UPDATE attachment SET voided_as = id WHERE voided_at <> 0"},
			[]string{attachment + "voidedAt"},
		},
		{ // the record is voided
			[]string{"UPDATE attachment SET voided_as = id WHERE voided_at = 0"},
			[]string{"UPDATE attachment SET voided_as = '' WHERE voided_at = 0"},
			[]string{"void " + other(q, "attachment") + untold},
		},
		{
			[]string{"UPDATE note SET voided_at = 5 WHERE voided_at = 0"},
			[]string{"UPDATE note SET voided_at = 0 WHERE voided_at = 5"},
			[]string{"void " + other(q, "note") + untold},
		},
		{
			[]string{"UPDATE note SET id = 'x' WHERE voided_at <> 0"},
			[]string{"UPDATE note SET id = '" + q.Note.ID + "' WHERE id = 'x'"},
			[]string{
				"void x" + untold, note + "it was voided, and does not say so", "note x" + untold,
				"note " + q.Note.ID + ": it is missing",
			},
		},
	} {
		for _, statement := range test.there {
			edit(statement)
		}
		if found := shoptest.RecordsFound(t, q.Store); !slices.Equal(found, test.want) {
			t.Errorf("%s: found %q, want %q", test.there, found, test.want)
		}
		for _, statement := range test.back {
			edit(statement)
		}
	}
	if found := shoptest.RecordsFound(t, q.Store); len(found) > 0 {
		t.Errorf("all is as it was: %q", found)
	}
}

func closedAt(q *shoptest.Quality, id string) ident.Timestamp {
	q.Helper()
	return shoptest.Must(q.Nonconformance(q.Context(), id)).ClosedAt
}

// other returns a record of a table that is not voided.
func other(q *shoptest.Quality, table string) (id string) {
	q.Helper()
	row := q.Database.BackDoor(q).QueryRowContext(q.Context(), "SELECT id FROM "+table+" WHERE voided_at = 0")
	if err := row.Scan(&id); err != nil {
		q.Fatal(err)
	}
	return id
}

// Entries that no service writes are reported, and do not end the check.
func TestRecordCheckOfEntriesThatCannotBe(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	check := func(entries ...trail.Entry) []string {
		t.Helper()
		var found []string
		records := verify.NewRecordCheck(s.Service.SerialPrefix(), ledger.Leaf)
		for i := range entries {
			entries[i].ID, entries[i].UserID = ident.AuditID(int64(i)+1), "ann"
			records.Add(&entries[i])
		}
		if err := s.Store.View(t.Context(), func(tx shop.Reader) error {
			_, err := records.Compare(tx, func(d verify.RecordDifference) {
				if d.Kind == verify.Counters { // the trail of this test has no assigned numbers
					return
				}
				found = append(found, fmt.Sprintf("%s %s: %v", d.Kind, d.ID, errors.Join(d.Why, errors.New(strings.Join(d.Fields, ", ")))))
			})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return found
	}
	entry := func(action trail.Action, metadata string) trail.Entry {
		return trail.Entry{Action: action, Metadata: json.RawMessage(metadata)}
	}
	for _, test := range []struct {
		entry trail.Entry
		want  string
	}{
		{entry(shop.ActionNonconformanceOpened, `[`), "entry aud_0000000000000001: nonconformance_opened: "},
		{entry(shop.ActionNonconformanceClosed, `{"nonconformanceId": "NCR-00001"}`), "no entry before it opens the report"},
		{entry(shop.ActionNonconformanceOpened, `{"nonconformanceId": "NCR-00001", "ranges": [{"first": "SN-00001", "last": "SN-999999999999999999"}]}`), "it is missing"},
		{entry(shop.ActionRecordVoided, `{"recordId": "note_1"}`), "void note_1: it was voided"},
		{entry(shop.ActionSignaturePolicyChanged, `{"after": {"undo": "self"}}`), "signature policy : undo"},
		{entry(shop.ActionAccessPolicyChanged, `{"after": {"secondFactor": ["lead", "admin"]}}`), "access policy : secondFactor"},
		{entry(shop.ActionOrganizationChanged, `{"after": {"name": "n", "address": "a", "lang": "en"}}`), "organization organization: it is missing"},
		{entry(shop.ActionRecordSigned, `{"entries": 1, "sha256": "00"}`), "signature aud_0000000000000001: it is not the signature"},
		{entry(shop.ActionRecordSigned, ``), "signature aud_0000000000000001: "},
	} {
		if found := check(test.entry); len(found) != 1 || !strings.Contains(found[0], test.want) {
			t.Errorf("%s %s: found %q, want %q", test.entry.Action, test.entry.Metadata, found, test.want)
		}
	}
	var many []trail.Entry
	for range 1000 {
		many = append(many, entry(shop.ActionRecordVoided, ``))
	}
	if found := check(many...); len(found) != 100 {
		t.Errorf("%d findings", len(found))
	}
}

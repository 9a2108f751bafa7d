package routecard_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard"
	"github.com/routecard/routecard/ledger"
)

// recordsFound is what the check of records finds in a store, a line for each.
func recordsFound(tb testing.TB, store routecard.Store) []string {
	tb.Helper()
	found := []string{}
	err := store.View(tb.Context(), func(tx routecard.Reader) error {
		check := routecard.NewRecordCheck(ledger.Leaf)
		for after := int64(0); ; {
			entries, err := tx.AuditAfter(after, 1000)
			if err != nil {
				return err
			}
			if len(entries) == 0 {
				break
			}
			for i := range entries {
				check.Add(&entries[i])
				after, _ = routecard.AuditSequence(entries[i].ID)
			}
		}
		_, err := check.Compare(tx, func(d routecard.RecordDifference) {
			line := fmt.Sprintf("%s %s: %s", d.Kind, d.ID, strings.Join(d.Fields, ", "))
			if d.Why != nil {
				line += d.Why.Error()
			}
			found = append(found, line)
		})
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

// quality is a shop with two reports that have been through everything, and voided records.
type quality struct {
	*shop
	testing.TB
	units []string
	note  routecard.Note
	cert  routecard.Attachment
}

func openQuality(t *testing.T) *quality {
	t.Helper()
	q := &quality{shop: openShop(t), TB: t}
	ctx, by := t.Context(), given("ann")
	steps := make([]routecard.Input[routecard.StepInput], 3)
	for i, name := range []string{"Turn", "Grind", "Test"} {
		steps[i] = routecard.Given(routecard.StepInput{Name: given(name)})
	}
	job := must(q.CreateJob(ctx, routecard.CreateJobInput{Name: given("Bracket"), GoalQuantity: number(8)}))
	var paths []routecard.Path
	for range 2 {
		path := must(q.CreatePath(ctx, routecard.CreatePathInput{
			JobID: given(job.ID), Name: given("Main"), GoalQuantity: number(8), Steps: routecard.Given(steps),
		}))
		must(q.CreateSerials(ctx, routecard.CreateSerialsInput{
			JobID: given(job.ID), PathID: given(path.ID), Quantity: number(4), UserID: by,
		}))
		paths = append(paths, path)
	}
	for n := range int64(8) {
		q.units = append(q.units, routecard.SerialID(n+1))
		q.tick()
		must(q.AdvanceSerial(ctx, q.units[n], routecard.AdvanceSerialInput{UserID: by}))
	}
	some := func(first, last int) routecard.SelectionInput {
		return routecard.SelectionInput{SerialIDs: routecard.GivenTexts(q.units[first:last]...)}
	}
	// Found at a step that the second path does not have.
	report := must(q.OpenNonconformance(ctx, routecard.OpenNonconformanceInput{
		Title: given("Seat too small"), Description: given("Found at <the> test"), Severity: given("major"), Selection: some(0, 3),
		StepID: given(paths[0].Steps[2].ID), Hold: routecard.Given(true), UserID: by,
	}))
	q.tick()
	must(q.AddToNonconformance(ctx, report.ID, routecard.AddToNonconformanceInput{Selection: some(3, 6), UserID: by}))
	dispose := func(disposition string, serials routecard.SelectionInput) {
		q.tick()
		must(q.DisposeNonconformance(ctx, report.ID, routecard.DispositionInput{
			SerialIDs: serials.SerialIDs, Disposition: given(disposition), Reason: given("as " + disposition), Concession: given("customer"),
			TargetStepIndex: number(0), UserID: given("eve"),
		}))
	}
	dispose("use_as_is", some(0, 1))
	dispose("rework", some(1, 2))
	dispose("scrap", some(2, 5))
	trail := collect(q.AuditOfSerial(ctx, q.units[3]))
	q.tick()
	must(q.Undo(ctx, q.units[3], routecard.UndoInput{
		EntryID: given(trail[len(trail)-1].ID), Reason: given("not that one"), UserID: given("eve"),
	}))
	dispose("return_to_supplier", some(3, 4)) // in the place of the scrap
	q.tick()
	// The second report is of everything that stands on its own step, and closed.
	second := must(q.OpenNonconformance(ctx, routecard.OpenNonconformanceInput{
		Title: given("Wrong heat"), Severity: given("minor"), Selection: some(6, 8), UserID: by,
	}))
	q.tick()
	must(q.AdvanceSerial(ctx, q.units[6], routecard.AdvanceSerialInput{UserID: by}))
	must(q.DisposeNonconformance(ctx, second.ID, routecard.DispositionInput{
		SerialIDs: some(6, 8).SerialIDs, Disposition: given("use_as_is"), Reason: given("fits"), Concession: given("c"), UserID: by,
	}))
	q.tick()
	must(q.CloseNonconformance(ctx, second.ID, routecard.CloseNonconformanceInput{Summary: given("nothing wrong"), UserID: by}))
	must(q.OpenNonconformance(ctx, routecard.OpenNonconformanceInput{Title: given("No units"), Severity: given("critical"), UserID: by}))

	for range 2 {
		q.note = must(q.CreateNote(ctx, routecard.CreateNoteInput{
			JobID: given(job.ID), PathID: given(paths[0].ID), StepID: given(paths[0].Steps[0].ID),
			SerialIDs: routecard.GivenTexts(q.units[0]), Text: given("burr"), UserID: by,
		}))
	}
	must(q.VoidNote(ctx, q.note.ID, routecard.VoidInput{Reason: given("wrong unit"), UserID: by}))
	certificate := must(q.CreateCertificate(ctx, routecard.CreateCertificateInput{Type: given("material"), Name: given("3.1")}))
	for _, unit := range []string{q.units[7], q.units[6]} {
		q.cert = must(q.AttachCertificate(ctx, unit, routecard.AttachCertificateInput{CertID: given(certificate.ID), UserID: by}))
	}
	must(q.VoidAttachment(ctx, q.cert.ID, routecard.VoidInput{Reason: given("another heat"), UserID: by}))
	return q
}

// Each column of a report, of its units and of what is voided is edited in turn behind the service's back, and found; once
// it is as it was, nothing is.
func TestRecordsThatWereEditedAreFound(t *testing.T) {
	t.Parallel()
	q := openQuality(t)
	if found := recordsFound(t, q.store); len(found) > 0 {
		t.Fatalf("nobody has edited anything: %q", found)
	}
	door := q.database.BackDoor(t)
	edit := func(statement string) {
		t.Helper()
		if result, err := door.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		} else if rows, err := result.RowsAffected(); err == nil && rows == 0 {
			t.Fatalf("%s: no row", statement)
		}
	}
	const first, second = "report NCR-00001: ", "report NCR-00002: "
	note, attachment := "void "+q.note.ID+": ", "void "+q.cert.ID+": "
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
		for _, unit := range []int{1, 4, 6} { // decided once, twice, and not
			tests = append(tests, column{
				"nonconforming_unit", fmt.Sprintf("nonconformance_number = 1 AND serial_number = %d", unit), name,
				first + field + " of " + q.units[unit-1],
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
		if found := recordsFound(t, q.store); !slices.Equal(found, []string{test.want}) {
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
			[]string{fmt.Sprintf("UPDATE nonconformance SET closed_at = %d WHERE number = 2", q.closedAt("NCR-00002"))},
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
		{ // taken off the report
			[]string{"UPDATE nonconforming_unit SET nonconformance_number = -1 WHERE " + onFirst},
			[]string{"UPDATE nonconforming_unit SET nonconformance_number = 1 WHERE nonconformance_number = -1"},
			[]string{first + "units of SN-00002"},
		},
		{ // put on it
			[]string{"INSERT INTO nonconforming_unit SELECT 1, 7, found_at, '', '', 0, '', '' FROM nonconforming_unit WHERE " + onFirst},
			[]string{"DELETE FROM nonconforming_unit WHERE nonconformance_number = 1 AND serial_number = 7"},
			[]string{first + "units of SN-00007"},
		},
		{ // all of them
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
		{ // it counts again
			[]string{"UPDATE attachment SET voided_as = '' WHERE voided_at <> 0"},
			[]string{"UPDATE attachment SET voided_as = id WHERE voided_at <> 0"},
			[]string{attachment + "voidedAt"},
		},
		{ // it does not count any more
			[]string{"UPDATE attachment SET voided_as = id WHERE voided_at = 0"},
			[]string{"UPDATE attachment SET voided_as = '' WHERE voided_at = 0"},
			[]string{"void " + q.other("attachment") + untold},
		},
		{
			[]string{"UPDATE note SET voided_at = 5 WHERE voided_at = 0"},
			[]string{"UPDATE note SET voided_at = 0 WHERE voided_at = 5"},
			[]string{"void " + q.other("note") + untold},
		},
		{
			[]string{"UPDATE note SET id = 'x' WHERE voided_at <> 0"},
			[]string{"UPDATE note SET id = '" + q.note.ID + "' WHERE id = 'x'"},
			[]string{"void x" + untold, note + "it was voided, and does not say so"},
		},
	} {
		for _, statement := range test.there {
			edit(statement)
		}
		if found := recordsFound(t, q.store); !slices.Equal(found, test.want) {
			t.Errorf("%s: found %q, want %q", test.there, found, test.want)
		}
		for _, statement := range test.back {
			edit(statement)
		}
	}
	if found := recordsFound(t, q.store); len(found) > 0 {
		t.Errorf("all is as it was: %q", found)
	}
}

func (q *quality) closedAt(id string) routecard.Timestamp {
	q.Helper()
	return must(q.Nonconformance(q.Context(), id)).ClosedAt
}

// other is the record of a table that is not voided.
func (q *quality) other(table string) (id string) {
	q.Helper()
	row := q.database.BackDoor(q).QueryRowContext(q.Context(), "SELECT id FROM "+table+" WHERE voided_at = 0")
	if err := row.Scan(&id); err != nil {
		q.Fatal(err)
	}
	return id
}

// Entries that no service writes are told of and do not end the check.
func TestRecordCheckOfEntriesThatCannotBe(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	check := func(entries ...routecard.AuditEntry) []string {
		t.Helper()
		var found []string
		records := routecard.NewRecordCheck(ledger.Leaf)
		for i := range entries {
			entries[i].ID, entries[i].UserID = routecard.AuditID(int64(i)+1), "ann"
			records.Add(&entries[i])
		}
		if err := s.store.View(t.Context(), func(tx routecard.Reader) error {
			_, err := records.Compare(tx, func(d routecard.RecordDifference) {
				found = append(found, fmt.Sprintf("%s %s: %v", d.Kind, d.ID, errors.Join(d.Why, errors.New(strings.Join(d.Fields, ", ")))))
			})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return found
	}
	entry := func(action routecard.AuditAction, metadata string) routecard.AuditEntry {
		return routecard.AuditEntry{Action: action, Metadata: json.RawMessage(metadata)}
	}
	for _, test := range []struct {
		entry routecard.AuditEntry
		want  string
	}{
		{entry(routecard.ActionNonconformanceOpened, `[`), "entry aud_0000000000000001: nonconformance_opened: "},
		{entry(routecard.ActionNonconformanceClosed, `{"nonconformanceId": "NCR-00001"}`), "no entry before it opens the report"},
		{entry(routecard.ActionNonconformanceOpened, `{"nonconformanceId": "NCR-00001", "ranges": [{"first": "SN-00001", "last": "SN-999999999999999999"}]}`), "it is missing"},
		{entry(routecard.ActionRecordVoided, `{"recordId": "note_1"}`), "void note_1: it was voided"},
		{entry(routecard.ActionSignaturePolicyChanged, `{"after": {"undo": "self"}}`), "signature policy : undo"},
		{entry(routecard.ActionRecordSigned, `{"entries": 1, "sha256": "00"}`), "signature aud_0000000000000001: it is not the signature"},
		{entry(routecard.ActionRecordSigned, ``), "signature aud_0000000000000001: "},
	} {
		if found := check(test.entry); len(found) != 1 || !strings.Contains(found[0], test.want) {
			t.Errorf("%s %s: found %q, want %q", test.entry.Action, test.entry.Metadata, found, test.want)
		}
	}
	var many []routecard.AuditEntry
	for range 1000 {
		many = append(many, entry(routecard.ActionRecordVoided, ``))
	}
	if found := check(many...); len(found) != 100 {
		t.Errorf("%d findings", len(found))
	}
}

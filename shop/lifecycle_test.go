package shop_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite" // the driver, for damaging a database

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
)

// line is a shop with one path and one serial.
type line struct {
	*shoptest.Shop
	t      *testing.T
	path   card.Path
	serial string
	cert   string
}

// newLine creates a path in this mode with steps of these dependency types; a trailing "?" makes a step optional.
func newLine(t *testing.T, mode string, steps ...string) *line {
	t.Helper()
	l := &line{Shop: shoptest.Open(t), t: t}
	ctx := t.Context()
	inputs := make([]input.Input[shop.StepInput], 0, len(steps))
	for _, step := range steps {
		dependency, optional := strings.CutSuffix(step, "?")
		inputs = append(inputs, input.Given(shop.StepInput{
			Name: shoptest.Given("mill"), Optional: input.Given(optional), DependencyType: shoptest.Given(dependency),
		}))
	}
	job := shoptest.Must(l.CreateJob(ctx, shop.CreateJobInput{Name: shoptest.Given("Bracket"), GoalQuantity: shoptest.Number(1)}))
	l.path = shoptest.Must(l.CreatePath(ctx, shop.CreatePathInput{
		JobID: shoptest.Given(job.ID), Name: shoptest.Given("Main"), GoalQuantity: shoptest.Number(1), AdvancementMode: shoptest.Given(mode), Steps: input.Given(inputs),
	}))
	batch := shoptest.Must(l.CreateSerials(ctx, shop.CreateSerialsInput{
		JobID: shoptest.Given(job.ID), PathID: shoptest.Given(l.path.ID), Quantity: shoptest.Number(1),
	}))
	l.serial = ident.DefaultPrefix.SerialID(batch.First)
	l.cert = shoptest.Must(l.CreateCertificate(ctx, shop.CreateCertificateInput{Type: shoptest.Given("process"), Name: shoptest.Given("HT")})).ID
	return l
}

func (l *line) step(i int) string { return l.path.Steps[i].ID }

// The operations with valid input, except for the fields that a test sets.
func (l *line) advance() error {
	_, err := l.AdvanceSerial(l.t.Context(), l.serial, shop.AdvanceSerialInput{UserID: shoptest.Given("bob")})
	return err
}

func (l *line) advanceTo(target float64) error {
	_, err := l.AdvanceToStep(l.t.Context(), l.serial, shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(target), UserID: shoptest.Given("bob")})
	return err
}

func (l *line) scrap() error {
	_, err := l.ScrapSerial(l.t.Context(), l.serial, shop.ScrapSerialInput{Reason: shoptest.Given("damaged"), UserID: shoptest.Given("bob")})
	return err
}

func (l *line) force() error {
	_, err := l.ForceComplete(l.t.Context(), l.serial, shop.ForceCompleteInput{UserID: shoptest.Given("bob")})
	return err
}

func (l *line) complete(i int) error {
	_, err := l.CompleteDeferredStep(l.t.Context(), l.serial, l.step(i), shoptest.Given("bob"))
	return err
}

func (l *line) waive(i int) error {
	_, err := l.WaiveStep(l.t.Context(), l.serial, l.step(i), shop.WaiveStepInput{Reason: shoptest.Given("spare"), ApproverID: shoptest.Given("eve")})
	return err
}

func (l *line) override(i int) error {
	_, err := l.CreateOverrides(l.t.Context(), l.serial, shop.CreateOverridesInput{
		SerialIDs: input.GivenTexts(l.serial), StepID: shoptest.Given(l.step(i)), Reason: shoptest.Given("agreed"), UserID: shoptest.Given("bob"),
	})
	return err
}

func (l *line) reverse(i int) error {
	return l.ReverseOverride(l.t.Context(), l.serial, l.step(i), shoptest.Given("bob"))
}

func (l *line) attach() error {
	_, err := l.AttachCertificate(l.t.Context(), l.serial, shop.AttachCertificateInput{CertID: shoptest.Given(l.cert), UserID: shoptest.Given("bob")})
	return err
}

// state returns the serial's status and step index, and the statuses of its steps.
func (l *line) state() string {
	serial := shoptest.Must(l.Serial(l.t.Context(), l.serial)).Serial
	steps := shoptest.Must(l.StepStatuses(l.t.Context(), l.serial))
	words := make([]string, len(steps))
	for i, step := range steps {
		words[i] = string(step.Status)
	}
	return fmt.Sprintf("%s %d %s", serial.Status, serial.CurrentStepIndex(), strings.Join(words, " "))
}

// TestLifecycle follows units through the transitions of docs/api/units.md: "Moving", "Overrides" and "Closing a unit".
// A script is a list of operations that succeed; the last may be refused with the message wanted.
func TestLifecycle(t *testing.T) {
	t.Parallel()
	type script = func(*line) []error
	three := []string{"preferred", "preferred", "preferred"}
	for _, test := range []struct {
		name   string
		mode   string
		steps  []string
		run    script
		refuse string
		state  string
	}{
		{"created", "strict", three, func(*line) []error { return nil }, "", "in_progress 0 in_progress pending pending"},
		{"advance", "strict", three, func(l *line) []error { return []error{l.advance()} }, "", "in_progress 1 completed in_progress pending"},
		{"advance from the last step", "strict", []string{"preferred"}, func(l *line) []error { return []error{l.advance()} }, "", "completed -1 completed"},
		{"advance-to the next", "strict", three, func(l *line) []error { return []error{l.advanceTo(1)} }, "", "in_progress 1 completed in_progress pending"},
		{"advance-to defers", "flexible", three, func(l *line) []error { return []error{l.advanceTo(2)} }, "", "in_progress 2 completed deferred in_progress"},
		{"advance-to skips", "per_step", []string{"preferred", "preferred?", "preferred"}, func(l *line) []error { return []error{l.advanceTo(2)} }, "", "in_progress 2 completed skipped in_progress"},
		{"advance-to skips under an override", "flexible", three, func(l *line) []error { return []error{l.override(1), l.advanceTo(2)} }, "", "in_progress 2 completed skipped in_progress"},
		{"advance-to defers after a reversal", "flexible", three, func(l *line) []error { return []error{l.override(1), l.reverse(1), l.advanceTo(2)} }, "", "in_progress 2 completed deferred in_progress"},
		{"advance-to completion", "flexible", three, func(l *line) []error { return []error{l.advanceTo(3)} }, "", "completed -1 completed deferred deferred"},
		{"R4: completion in strict mode", "strict", three, func(l *line) []error { return []error{l.advance(), l.advance(), l.advanceTo(3)} }, "", "completed -1 completed completed completed"},
		{"R4: not the last step", "strict", three, func(l *line) []error { return []error{l.advance(), l.advanceTo(3)} }, "Path is in strict mode — can only advance to the next sequential step", "in_progress 1 completed in_progress pending"},
		{"R2: an open gate", "flexible", []string{"preferred", "completion_gate", "preferred"}, func(l *line) []error { return []error{l.advanceTo(2)} }, "Cannot skip step with completion_gate dependency", "in_progress 0 in_progress pending pending"},
		{"R2: a gate performed", "flexible", []string{"preferred", "completion_gate", "preferred"}, func(l *line) []error { return []error{l.advanceTo(1), l.advanceTo(3)} }, "", "completed -1 completed completed deferred"},
		{"R3: physical", "per_step", []string{"preferred", "completion_gate", "physical"}, func(l *line) []error { return []error{l.advanceTo(3)} }, "Cannot skip step with physical dependency", "in_progress 0 in_progress pending pending"},
		{"behind", "flexible", three, func(l *line) []error { return []error{l.advance(), l.advanceTo(1)} }, "Cannot advance to a step at or before the current position", "in_progress 1 completed in_progress pending"},
		{"beyond", "flexible", three, func(l *line) []error { return []error{l.advanceTo(4)} }, "Target step index is out of range", "in_progress 0 in_progress pending pending"},

		{"complete a deferred step", "flexible", three, func(l *line) []error { return []error{l.advanceTo(2), l.complete(1)} }, "", "in_progress 2 completed completed in_progress"},
		{"R7: afterwards", "flexible", three, func(l *line) []error { return []error{l.advanceTo(3), l.complete(1), l.waive(2)} }, "", "completed -1 completed completed waived"},
		{"complete: pending", "flexible", three, func(l *line) []error { return []error{l.complete(1)} }, "Can only complete deferred steps — step status is: pending", "in_progress 0 in_progress pending pending"},
		{"complete: in progress", "flexible", three, func(l *line) []error { return []error{l.complete(0)} }, "Can only complete deferred steps — step status is: in_progress", "in_progress 0 in_progress pending pending"},
		{"complete: twice", "flexible", three, func(l *line) []error { return []error{l.advanceTo(2), l.complete(1), l.complete(1)} }, "Can only complete deferred steps — step status is: completed", "in_progress 2 completed completed in_progress"},
		{"complete: skipped is final", "flexible", []string{"preferred", "preferred?", "preferred"}, func(l *line) []error { return []error{l.advanceTo(2), l.complete(1)} }, "Can only complete deferred steps — step status is: skipped", "in_progress 2 completed skipped in_progress"},
		{"complete: waived is final", "flexible", three, func(l *line) []error { return []error{l.advanceTo(2), l.waive(1), l.complete(1)} }, "Can only complete deferred steps — step status is: waived", "in_progress 2 completed waived in_progress"},
		{"waive", "flexible", three, func(l *line) []error { return []error{l.advanceTo(2), l.waive(1)} }, "", "in_progress 2 completed waived in_progress"},
		{"waive: pending", "flexible", three, func(l *line) []error { return []error{l.waive(1)} }, "Can only waive deferred required steps", "in_progress 0 in_progress pending pending"},
		{"waive: pending and optional", "flexible", []string{"preferred", "preferred?"}, func(l *line) []error { return []error{l.waive(1)} }, "Can only waive deferred required steps", "in_progress 0 in_progress pending"},
		{"waive: overridden after it was deferred", "flexible", three, func(l *line) []error { return []error{l.advanceTo(2), l.override(1), l.waive(1)} }, "Can only waive required steps — this step is optional", "in_progress 2 completed deferred in_progress"},

		{"scrap", "strict", three, func(l *line) []error { return []error{l.advance(), l.scrap()} }, "", "scrapped 1 completed in_progress pending"},
		{"scrapped: advance", "strict", three, func(l *line) []error { return []error{l.scrap(), l.advance()} }, "Cannot advance a scrapped serial", "scrapped 0 in_progress pending pending"},
		{"scrapped: advance-to", "strict", three, func(l *line) []error { return []error{l.scrap(), l.advanceTo(9)} }, "Cannot advance a scrapped serial", "scrapped 0 in_progress pending pending"},
		{"scrapped: scrap", "strict", three, func(l *line) []error { return []error{l.scrap(), l.scrap()} }, "Serial is already scrapped", "scrapped 0 in_progress pending pending"},
		{"scrapped: force-complete", "strict", three, func(l *line) []error { return []error{l.scrap(), l.force()} }, "Cannot force-complete a scrapped serial", "scrapped 0 in_progress pending pending"},
		{"R12: scrapped: attach", "strict", three, func(l *line) []error { return []error{l.scrap(), l.attach()} }, "", "scrapped 0 in_progress pending pending"},
		{"R8: force-complete changes no step", "flexible", three, func(l *line) []error { return []error{l.advanceTo(2), l.force()} }, "", "completed -1 completed deferred in_progress"},
		{"force-complete: nothing open", "flexible", []string{"preferred?", "preferred"}, func(l *line) []error { return []error{l.override(1), l.force()} }, "Serial has no incomplete required steps — use normal completion", "in_progress 0 in_progress pending"},
		{"completed: advance", "strict", []string{"preferred"}, func(l *line) []error { return []error{l.advance(), l.advance()} }, "Serial number is already completed", "completed -1 completed"},
		{"completed: advance-to", "strict", []string{"preferred"}, func(l *line) []error { return []error{l.advance(), l.advanceTo(0)} }, "Cannot advance a completed serial", "completed -1 completed"},
		{"completed: scrap", "strict", []string{"preferred"}, func(l *line) []error { return []error{l.advance(), l.scrap()} }, "Cannot scrap a completed serial", "completed -1 completed"},
		{"completed: force-complete", "strict", []string{"preferred"}, func(l *line) []error { return []error{l.advance(), l.force()} }, "Serial is already completed", "completed -1 completed"},
		{"completed: attach", "strict", []string{"preferred"}, func(l *line) []error { return []error{l.advance(), l.attach()} }, "Serial is already completed, cannot attach cert", "completed -1 completed"},
		{"force-completed: advance", "strict", three, func(l *line) []error { return []error{l.force(), l.advance()} }, "Serial number is already completed", "completed -1 in_progress pending pending"},

		{"R15: a completed step", "strict", three, func(l *line) []error { return []error{l.advance(), l.override(0)} }, "Cannot override a step that has already been completed", "in_progress 1 completed in_progress pending"},
		{"R15: twice", "strict", three, func(l *line) []error { return []error{l.override(1), l.override(1), l.reverse(1)} }, "", "in_progress 0 in_progress pending pending"},
		{"reverse: none", "strict", three, func(l *line) []error { return []error{l.reverse(1)} }, "No active override found for this step", "in_progress 0 in_progress pending pending"},
		{"reverse: twice", "strict", three, func(l *line) []error { return []error{l.override(1), l.reverse(1), l.reverse(1)} }, "No active override found for this step", "in_progress 0 in_progress pending pending"},
		{"reverse: skipped", "flexible", three, func(l *line) []error { return []error{l.override(1), l.advanceTo(2), l.reverse(1)} }, "Cannot reverse override — step has already been skipped", "in_progress 2 completed skipped in_progress"},
		{"reverse: completed", "flexible", three, func(l *line) []error { return []error{l.override(0), l.advance(), l.reverse(0)} }, "Cannot reverse override — step has already been completed", "in_progress 1 completed in_progress pending"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l := newLine(t, test.mode, test.steps...)
			got := ""
			errs := test.run(l)
			for i, err := range errs {
				if err != nil && i < len(errs)-1 {
					t.Fatalf("operation %d: %v", i+1, err)
				}
				if r := shoptest.Refused(err); r != nil {
					got = r.Message
				}
			}
			if got != test.refuse {
				t.Errorf("refused with %q, want %q", got, test.refuse)
			}
			if state := l.state(); state != test.state {
				t.Errorf("afterwards: %s, want %s", state, test.state)
			}
		})
	}
}

// The two ways to move one step differ only in the action that records a completion.
func TestAdvanceByOneIsAdvanceToTheNext(t *testing.T) {
	t.Parallel()
	a, b := newLine(t, "strict", "preferred", "preferred"), newLine(t, "strict", "preferred", "preferred")
	for i := range 2 {
		if err := a.advance(); err != nil {
			t.Fatal(err)
		}
		if err := b.advanceTo(float64(i + 1)); err != nil {
			t.Fatal(err)
		}
		if a.state() != b.state() {
			t.Errorf("advance: %s, advance-to: %s", a.state(), b.state())
		}
	}
	trail := func(l *line) (entries [][3]string) {
		name := map[string]string{"": "", l.step(0): "first", l.step(1): "second"}
		for _, entry := range shoptest.Collect(l.AuditOfSerial(t.Context(), l.serial)) {
			entries = append(entries, [3]string{string(entry.Action), name[entry.FromStepID], name[entry.ToStepID]})
		}
		return entries
	}
	want := [][3]string{{"serial_advanced", "first", "second"}, {"serial_completed", "second", ""}}
	if diff := cmp.Diff(want, trail(a)); diff != "" {
		t.Errorf("advance (-want +got):\n%s", diff)
	}
	want[1][0] = "serial_advanced"
	if diff := cmp.Diff(want, trail(b)); diff != "" {
		t.Errorf("advance-to (-want +got):\n%s", diff)
	}
}

// docs/api/certificates.md, "Certificates": all or nothing, and one record for a serial that occurs twice in the list.
func TestBatchAttach(t *testing.T) {
	t.Parallel()
	l := newLine(t, "flexible", "preferred", "preferred")
	batch := shoptest.Must(l.CreateSerials(t.Context(), shop.CreateSerialsInput{
		JobID: shoptest.Given(l.path.JobID), PathID: shoptest.Given(l.path.ID), Quantity: shoptest.Number(2),
	}))
	scrapped, done := ident.DefaultPrefix.SerialID(batch.First), ident.DefaultPrefix.SerialID(batch.First+1)
	shoptest.Must(l.ScrapSerial(t.Context(), scrapped, shop.ScrapSerialInput{Reason: shoptest.Given("damaged"), UserID: shoptest.Given("bob")}))
	shoptest.Must(l.AdvanceToStep(t.Context(), done, shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(2), UserID: shoptest.Given("bob")}))
	attach := func(serials ...string) ([]shop.Attachment, error) {
		return l.BatchAttachCertificate(t.Context(), shop.BatchAttachInput{
			CertID: shoptest.Given(l.cert), SerialIDs: input.GivenTexts(serials...), UserID: shoptest.Given("bob"),
		})
	}
	attached := func() int { return len(shoptest.Collect(l.AttachmentsOfCertificate(t.Context(), l.cert))) }
	for _, test := range []struct {
		serial string
		want   refusedAs
	}{
		{"SN-99999", unknown("SerialNumber not found: SN-99999")},
		{done, bad("Serial is already completed, cannot attach cert")},
	} {
		_, err := attach(l.serial, test.serial)
		if diff := cmp.Diff(test.want, shoptest.Refused(err)); diff != "" || attached() != 0 {
			t.Errorf("with %s: %d attached (-want +got):\n%s", test.serial, attached(), diff)
		}
	}
	got := shoptest.Must(attach(l.serial, scrapped, l.serial))
	if len(got) != 3 || got[0] != got[2] || got[1].SerialID != scrapped || attached() != 2 {
		t.Errorf("attached %d: %+v", attached(), got)
	}
	var told []trail.Entry
	for _, entry := range shoptest.Collect(l.AuditEntries(t.Context(), shop.NoLimit, 0)) {
		if entry.Action == "cert_attached" {
			told = append(told, entry)
		}
	}
	if len(told) != 2 || told[1].JobID != "" || told[1].PathID != "" || told[1].SerialID != l.serial || told[1].StepID != l.step(0) {
		t.Errorf("the trail tells of %+v", told)
	}
}

// Some rows of the error table need missing records that no operation deletes. The test damages the database instead.
func TestDamagedDatabase(t *testing.T) {
	t.Parallel()
	damage := func(l *line, statements ...string) {
		if err := l.Store.Close(); err != nil {
			t.Fatal(err)
		}
		db := l.Database.BackDoor(t)
		for _, statement := range statements {
			shoptest.Must(db.ExecContext(t.Context(), statement))
		}
		l.Open(t)
	}
	t.Run("the path is gone", func(t *testing.T) {
		t.Parallel()
		l := newLine(t, "flexible", "preferred", "preferred")
		damage(l, `DELETE FROM step`, `DELETE FROM path`)
		want := unknown("Path not found: %s", l.path.ID)
		for name, err := range map[string]error{
			"advance": l.advance(), "advance-to": l.advanceTo(1), "scrap": l.scrap(), "force-complete": l.force(),
			"waive": l.waive(0), "attach": l.attach(),
		} {
			if diff := cmp.Diff(want, shoptest.Refused(err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
		items := shoptest.Collect(l.Serials(t.Context()))
		if len(items) != 1 || items[0].PathName != "" || items[0].JobName != "" || items[0].CurrentStepName != "" {
			t.Errorf("the list has %+v", items)
		}
	})
	t.Run("a deferred step is gone", func(t *testing.T) {
		t.Parallel()
		l := newLine(t, "flexible", "preferred", "preferred", "preferred")
		if err := l.advanceTo(3); err != nil {
			t.Fatal(err)
		}
		damage(l, `DELETE FROM step WHERE step_index = 2`)
		want := unknown("ProcessStep not found: %s", l.step(2))
		if diff := cmp.Diff(want, shoptest.Refused(l.waive(2))); diff != "" {
			t.Errorf("waive (-want +got):\n%s", diff)
		}
	})
}

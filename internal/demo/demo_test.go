package demo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/internal/demo"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/verify"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// moments returns starting times of a demonstration: in the middle of a shift, before the shop opens on a Monday, and in a zone that
// changed its clocks within the thirty days. They are few, because each test creates a whole shop.
func moments(t *testing.T) map[string]time.Time {
	t.Helper()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		berlin = time.FixedZone("CET", 3600)
	}
	return map[string]time.Time{
		"wednesday morning": time.Date(2026, 5, 13, 10, 17, 3, 0, time.UTC),
		"monday night":      time.Date(2026, 5, 18, 4, 30, 0, 0, time.UTC),
		"after the change":  time.Date(2026, 11, 5, 6, 0, 0, 0, berlin),
	}
}

func openStore(t *testing.T) sqlstore.Store {
	t.Helper()
	store, err := sqlstore.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "demo.db"), sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

// filled is a service with demonstration data.
type filled struct {
	*shop.Service
	*views.Views
	store sqlstore.Store
}

func fill(t *testing.T, now time.Time) filled {
	t.Helper()
	store := openStore(t)
	if err := demo.Fill(t.Context(), store, now); err != nil {
		t.Fatal(err)
	}
	clock := func() time.Time { return now }
	service := shop.New(store, clock, ident.NewIdentifiers(clock))
	return filled{service, views.New(store, service), store}
}

func collect[T any](t *testing.T, list iter.Seq2[T, error]) []T {
	t.Helper()
	var all []T
	for item, err := range list {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, item)
	}
	return all
}

func TestFill(t *testing.T) {
	t.Parallel()
	for name, now := range moments(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := fill(t, now)
			t.Run("jobs and paths", func(t *testing.T) { checkJobs(t, service) })
			t.Run("serials", func(t *testing.T) { checkSerials(t, service) })
			t.Run("documents", func(t *testing.T) { checkDocuments(t, service) })
			t.Run("heat", func(t *testing.T) { checkHeat(t, service) })
			t.Run("assemblies", func(t *testing.T) { checkAssemblies(t, service) })
			t.Run("people", func(t *testing.T) { checkPeople(t, service) })
			t.Run("troubles", func(t *testing.T) { checkTroubles(t, service) })
			t.Run("readings", func(t *testing.T) { checkReadings(t, service, now) })
			t.Run("history", func(t *testing.T) { checkHistory(t, service, now) })
			if err := demo.Fill(t.Context(), service.store, now); !errors.Is(err, demo.ErrNotEmpty) {
				t.Errorf("Fill again: %v, want ErrNotEmpty", err)
			}
		})
	}
}

// engravedJobs returns the jobs whose units have own numbers. In each job, all units have one or none has.
func engravedJobs(t *testing.T, service filled) map[string]bool {
	t.Helper()
	engraved := map[string]bool{}
	for serial, err := range service.Serials(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if known, seen := engraved[serial.JobID]; seen && known != (serial.SerialNumber != "") {
			t.Errorf("%s is engraved otherwise than the units before it of %s", serial.ID, serial.JobID)
		}
		engraved[serial.JobID] = serial.SerialNumber != ""
	}
	maps.DeleteFunc(engraved, func(_ string, is bool) bool { return !is })
	return engraved
}

func checkJobs(t *testing.T, service filled) {
	modes, kinds, paths, ticketed := map[card.AdvancementMode]int{}, map[card.DependencyType]int{}, 0, 0
	ordered, late, closed := 0, 0, 0
	jobs := collect(t, service.Jobs(t.Context()))
	for _, job := range jobs {
		detail, err := service.Job(t.Context(), job.ID)
		if err != nil {
			t.Fatal(err)
		}
		if job.TicketFields.TicketKey != "" {
			ticketed++
		}
		if job.PartNumber != "" && job.Customer != "" && job.OrderNumber != "" && job.DueDate != "" {
			ordered++
		}
		if detail.Late {
			late++
		}
		if job.Closed() {
			closed++
		}
		for _, path := range detail.Paths {
			paths++
			modes[path.AdvancementMode]++
			if len(path.Steps) < 4 || len(path.Steps) > 9 {
				t.Errorf("path %q has %d steps", path.Name, len(path.Steps))
			}
			for _, step := range path.Steps {
				kinds[step.DependencyType]++
				if step.Location == "" {
					t.Errorf("step %q of %q has no location", step.Name, path.Name)
				}
			}
		}
	}
	if len(jobs) < 8 || ticketed < 8 || paths < 12 {
		t.Errorf("%d jobs, %d of them from the tracker, with %d paths", len(jobs), ticketed, paths)
	}
	if ordered < 8 || ordered == len(jobs) || late < 2 || late > 4 {
		t.Errorf("of %d jobs %d say what they are for, and %d are late", len(jobs), ordered, late)
	}
	if closed != 1 {
		t.Errorf("%d jobs are closed", closed)
	}
	if engraved := engravedJobs(t, service); len(engraved) != 2 {
		t.Errorf("units of these jobs have own numbers: %v", engraved)
	}
	if len(modes) != 3 || len(kinds) != 3 {
		t.Errorf("modes %v, dependency types %v", modes, kinds)
	}
}

// checkSerials also compares the number of entries of each audit action with the state of the serials.
func checkSerials(t *testing.T, service filled) {
	statuses, steps := map[card.SerialStatus]int{}, map[card.StepStatus]int{}
	reasons, overrides := map[card.ScrapReason]int{}, map[bool]int{}
	forced, open, certified, afterDeferral := 0, 0, 0, 0
	serials := collect(t, service.Serials(t.Context()))
	for _, item := range serials {
		serial, err := service.Serial(t.Context(), item.ID)
		if err != nil {
			t.Fatal(err)
		}
		statuses[serial.Serial.Status]++
		if serial.Serial.Scrap != nil {
			reasons[serial.Serial.Scrap.Reason]++
		}
		if serial.Serial.Completion != nil {
			forced++
		}
		open += min(1, len(serial.OpenDeferredStepIDs))
		certified += min(1, len(serial.Certificates))
		details, err := service.StepStatuses(t.Context(), item.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, detail := range details {
			steps[detail.Status]++
		}
		given, err := service.Overrides(t.Context(), item.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, override := range given {
			overrides[override.Active]++
		}
	}
	actions := map[trail.Action]int{}
	entries := collect(t, service.AuditEntries(t.Context(), shop.NoLimit, 0))
	undone := takenBack(t, entries)
	for _, entry := range entries {
		if undone[entry.ID] {
			continue
		}
		actions[entry.Action]++
		if entry.Action == card.ActionDeferredStepCompleted {
			afterDeferral++
		}
	}
	t.Logf("%d serials %v, steps %v, scrapped for %v, overrides %v, actions %v", len(serials), statuses, steps, reasons, overrides, actions)
	if len(serials) < 550 || len(serials) > 650 {
		t.Errorf("%d serials", len(serials))
	}
	for _, status := range []card.SerialStatus{card.InProgress, card.Completed, card.Scrapped} {
		if statuses[status] < 20 {
			t.Errorf("%d serials are %s", statuses[status], status)
		}
	}
	for _, status := range []card.StepStatus{
		card.StepPending, card.StepInProgress, card.StepCompleted, card.StepSkipped, card.StepDeferred,
		card.StepWaived,
	} {
		if steps[status] < 3 {
			t.Errorf("%d steps are %s", steps[status], status)
		}
	}
	for _, reason := range shop.ScrapReasons() {
		if reasons[reason] == 0 {
			t.Errorf("no serial was scrapped for %s", reason)
		}
	}
	if overrides[true] < 3 || overrides[false] < 3 || forced < 3 || open < 3 || afterDeferral < 3 || certified < 300 {
		t.Errorf("overrides by active %v, %d forced, %d with open deferred steps, %d steps completed after deferral, %d certified",
			overrides, forced, open, afterDeferral, certified)
	}
	for action, want := range map[trail.Action]int{
		card.ActionSerialScrapped: statuses[card.Scrapped], card.ActionSerialForceCompleted: forced,
		card.ActionStepWaived: steps[card.StepWaived], card.ActionStepSkipped: steps[card.StepSkipped],
		card.ActionStepOverrideCreated: overrides[true] + overrides[false], card.ActionStepOverrideReversed: overrides[false],
		card.ActionStepDeferred: steps[card.StepDeferred] + steps[card.StepWaived] + afterDeferral,
	} {
		if actions[action] != want {
			t.Errorf("%d entries tell of %s, want %d", actions[action], action, want)
		}
	}
}

// takenBack returns the entries whose changes were undone.
func takenBack(t *testing.T, entries []trail.Entry) map[string]bool {
	t.Helper()
	undone := map[string]bool{}
	for _, entry := range entries {
		if entry.Action != replay.ActionChangeUndone {
			continue
		}
		var told struct{ EntryID string }
		if err := json.Unmarshal(entry.Metadata, &told); err != nil {
			t.Fatal(err)
		}
		undone[told.EntryID] = true
	}
	return undone
}

// checkTroubles checks the pages of reports and holds, the floor, and the history on a card. Despite every undo and rework, every card must
// follow from its trail.
func checkTroubles(t *testing.T, service filled) {
	ctx := t.Context()
	reports, _, err := service.ReportHeads(ctx, shop.NonconformanceQuery{})
	if err != nil {
		t.Fatal(err)
	}
	closed, half, fresh, decisions := 0, 0, 0, map[shop.Disposition]int{}
	for i := range reports {
		sheet, err := service.ReportSheet(ctx, reports[i].ID, views.SheetQuery{})
		if err != nil {
			t.Fatal(err)
		}
		waiting := 0
		for _, unit := range sheet.Units {
			decisions[unit.Disposition]++
			if unit.Waits() {
				waiting++
				if len(unit.Held) == 0 {
					t.Errorf("%s waits for a decision of %s and is not on hold", unit.SerialID, reports[i].ID)
				}
			}
		}
		switch {
		case sheet.Report.Status == shop.ReportClosed:
			closed++
		case waiting == len(sheet.Units):
			fresh++
		case waiting > 0:
			half++
		}
	}
	if closed != 1 || half != 1 || fresh != 1 || decisions[shop.UseAsIs] < 2 || decisions[shop.Rework] < 4 ||
		decisions[shop.ScrapIt] < 1 || decisions[shop.ReturnToSupplier] < 2 {
		t.Errorf("%d reports are closed, %d half decided, %d fresh; decisions %v", closed, half, fresh, decisions)
	}
	holds, err := service.Holds(ctx, shop.HoldQuery{Open: true, Limit: input.SearchLimit})
	if err != nil {
		t.Fatal(err)
	}
	if len(holds.Items) < 15 || len(holds.Items) > 60 {
		t.Errorf("%d units are on hold", len(holds.Items))
	}
	actions := map[trail.Action]int{}
	for _, entry := range collect(t, service.AuditEntries(ctx, shop.NoLimit, 0)) {
		actions[entry.Action]++
	}
	for action, least := range map[trail.Action]int{
		replay.ActionChangeUndone: 3, card.ActionSerialReworked: 6, card.ActionSerialReleased: 10,
		shop.ActionRecordVoided: 2,
	} {
		if actions[action] < least {
			t.Errorf("%d entries tell of %s, want %d at least", actions[action], action, least)
		}
	}
	if err := service.store.View(ctx, func(tx shop.Reader) error {
		_, err := verify.CheckSerials(tx, ledger.Leaf,
			func(id string, fields []string, why error) {
				t.Errorf("%s does not follow from its trail: %v %v", id, fields, why)
			})
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func checkDocuments(t *testing.T, service filled) {
	kinds, described, apart := map[shop.CertificateType]int{}, 0, map[int]bool{}
	for _, certificate := range collect(t, service.Certificates(t.Context())) {
		kinds[certificate.Type]++
		if certificate.Metadata != nil {
			described++
		}
		attached := collect(t, service.AttachmentsOfCertificate(t.Context(), certificate.ID))
		apart[min(2, len(attached))] = true
	}
	if len(kinds) != 2 || described < 10 || !apart[1] || !apart[2] {
		t.Errorf("certificates %v, %d with metadata, attached to one or more %v", kinds, described, apart)
	}
	lots, err := service.Lots(t.Context(), shop.LotQuery{})
	if err != nil || len(lots.Items) != 5 {
		t.Errorf("%d lots, %v, want five", len(lots.Items), err)
	}
	for i := range lots.Items {
		if len(lots.Items[i].CertIDs) != 1 {
			t.Errorf("lot %s has %d certificates, want one", lots.Items[i].LotNumber, len(lots.Items[i].CertIDs))
		}
	}
	open, removed := 0, 0
	for _, serial := range collect(t, service.Serials(t.Context())) {
		inside, err := service.ComponentsOfSerial(t.Context(), serial.ID)
		if err != nil {
			t.Fatal(err)
		}
		for i := range inside {
			if inside[i].Open() {
				open++
			} else {
				removed++
			}
		}
	}
	if open < 3 || removed != 1 {
		t.Errorf("%d components are installed, and %d removed", open, removed)
	}
	versions := 0
	boms := collect(t, service.BOMs(t.Context()))
	for _, bom := range boms {
		versions += len(collect(t, service.BOMVersions(t.Context(), bom.ID)))
		detail, err := service.BOM(t.Context(), bom.ID)
		if err != nil {
			t.Fatal(err)
		}
		if detail.Summary.Entries[0].TotalCompleted+detail.Summary.Entries[0].TotalInProgress == 0 {
			t.Errorf("BOM %q counts no serials", bom.Name)
		}
	}
	processes := collect(t, service.LibraryEntries(t.Context(), shop.Processes))
	locations := collect(t, service.LibraryEntries(t.Context(), shop.Locations))
	if len(boms) < 3 || versions < 3 || len(processes) < 20 || len(locations) < 15 {
		t.Errorf("%d BOMs with %d versions, %d processes, %d locations", len(boms), versions, len(processes), len(locations))
	}
}

// checkPeople checks that the pages of operators, templates and the queue have content.
func checkPeople(t *testing.T, service filled) {
	active := map[bool]int{}
	for _, user := range collect(t, service.Users(t.Context(), true)) {
		active[user.Active]++
	}
	if active[true] < 10 || active[false] == 0 {
		t.Errorf("operators by active: %v", active)
	}
	if templates := collect(t, service.Templates(t.Context())); len(templates) < 3 {
		t.Errorf("%d templates", len(templates))
	}
	queue, err := service.WorkOverview(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if last := queue.Groups[len(queue.Groups)-1]; len(queue.Groups) < 5 || last.OperatorID != nil || last.TotalParts == 0 {
		t.Errorf("work waits for %d groups, the last of which is %s with %d units", len(queue.Groups), last.OperatorName, last.TotalParts)
	}
	// Every user in the trail exists, possibly under a former name.
	entries := collect(t, service.AuditEntries(t.Context(), shop.NoLimit, 0))
	names, err := service.PastNames(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	acting := map[string]bool{}
	for _, entry := range entries {
		name, known := names.People.Of(entry.UserID, views.WhenOf(entry))
		if !known && entry.Action != shop.ActionUserCreated {
			t.Fatalf("%s by %s, who is nobody", entry.Action, entry.UserID)
		}
		acting[name] = true
	}
	if !acting["Sofia Marino"] || !acting["Sofia Conti"] {
		t.Errorf("those who act: %v", slices.Sorted(maps.Keys(acting)))
	}
}

func checkHistory(t *testing.T, service filled, now time.Time) {
	entries := collect(t, service.AuditEntries(t.Context(), shop.NoLimit, 0))
	oldest, newest := entries[len(entries)-1].Timestamp.Time(), entries[0].Timestamp.Time()
	if age := now.Sub(oldest); age < 30*24*time.Hour-time.Hour || age > 34*24*time.Hour {
		t.Errorf("the history begins %v before now", age)
	}
	if newest.After(now) || now.Sub(newest) > 48*time.Hour {
		t.Errorf("the history ends at %v, now is %v", newest, now)
	}
	byWeekday := map[time.Weekday]int{}
	for i, entry := range entries {
		at := entry.Timestamp.Time().In(now.Location())
		byWeekday[at.Weekday()]++
		if at.Hour() < 6 || at.Hour() >= 22 {
			t.Fatalf("%s happened at night: %v", entry.Action, at)
		}
		if i > 0 && entry.Timestamp > entries[i-1].Timestamp {
			t.Fatalf("entry %s is younger than the one committed after it", entry.ID)
		}
	}
	if byWeekday[time.Sunday] > 0 || byWeekday[time.Saturday] == 0 || byWeekday[time.Saturday]*2 > byWeekday[time.Wednesday] {
		t.Errorf("entries by weekday: %v", byWeekday)
	}
}

// TestFillIsDeterministic compares everything except identifiers and the order of events at the same instant.
func TestFillIsDeterministic(t *testing.T) {
	t.Parallel()
	now := moments(t)["wednesday morning"]
	history := func() []string {
		service := fill(t, now)
		var lines []string
		names, err := service.PastNames(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range collect(t, service.AuditEntries(t.Context(), shop.NoLimit, 0)) {
			who, _ := names.People.Of(e.UserID, views.WhenOf(e))
			lines = append(lines, fmt.Sprintln(e.Timestamp, e.Action, who, e.SerialID, e.BatchQuantity))
		}
		for serial := range service.Serials(t.Context()) {
			lines = append(lines, fmt.Sprintln(serial.ID, serial.JobName, serial.CurrentStepName, serial.Status))
		}
		return slices.Sorted(slices.Values(lines))
	}
	if diff := cmp.Diff(history(), history()); diff != "" {
		t.Error(diff)
	}
}

// TestFillRefusesData: a single record of any kind in the database makes Fill refuse and add nothing.
func TestFillRefusesData(t *testing.T) {
	t.Parallel()
	now := moments(t)["wednesday morning"]
	text := input.Given[string]
	things := map[string]func(context.Context, *shop.Service) error{
		"job": func(ctx context.Context, s *shop.Service) error {
			_, err := s.CreateJob(ctx, shop.CreateJobInput{Name: text("Bracket"), GoalQuantity: input.Given(1.0)})
			return err
		},
		"certificate": func(ctx context.Context, s *shop.Service) error {
			_, err := s.CreateCertificate(ctx, shop.CreateCertificateInput{Type: text("material"), Name: text("3.1")})
			return err
		},
		"bom": func(ctx context.Context, s *shop.Service) error {
			_, err := s.CreateBOM(ctx, shop.CreateBOMInput{
				Name: text("Kit"), Entries: input.Given([]input.Input[shop.BOMEntryInput]{
					input.Given(shop.BOMEntryInput{PartType: text("Bolt"), RequiredQuantityPerBuild: input.Given(1.0)}),
				}),
			})
			return err
		},
		"process": func(ctx context.Context, s *shop.Service) error {
			_, err := s.CreateLibraryEntry(ctx, shop.Processes, text("Turn"))
			return err
		},
		"location": func(ctx context.Context, s *shop.Service) error {
			_, err := s.CreateLibraryEntry(ctx, shop.Locations, text("Lathe"))
			return err
		},
		"note": func(ctx context.Context, s *shop.Service) error {
			_, err := s.CreateNote(ctx, shop.CreateNoteInput{
				JobID: text("job"), PathID: text("path"), StepID: text("step"), SerialIDs: input.GivenTexts("SN-00001"),
				Text: text("Looks good."), UserID: text("anna"),
			})
			return err
		},
		"user": func(ctx context.Context, s *shop.Service) error {
			_, err := s.CreateUser(ctx, shop.CreateUserInput{Name: text("Anna")})
			return err
		},
		"template": func(ctx context.Context, s *shop.Service) error {
			_, err := s.CreateTemplate(ctx, shop.CreateTemplateInput{
				Name: text("Route"), Steps: shop.TemplateSteps(input.Given([]input.Input[shop.StepInput]{
					input.Given(shop.StepInput{Name: text("Turn")}),
				})),
			})
			return err
		},
	}
	for _, name := range slices.Sorted(maps.Keys(things)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := openStore(t)
			clock := func() time.Time { return now }
			service := shop.New(store, clock, ident.NewIdentifiers(clock))
			if err := things[name](t.Context(), service); err != nil {
				t.Fatal(err)
			}
			before := inventory(t, service)
			if err := demo.Fill(t.Context(), store, now); !errors.Is(err, demo.ErrNotEmpty) {
				t.Errorf("Fill: %v, want ErrNotEmpty", err)
			}
			if after := inventory(t, service); after != before {
				t.Errorf("the database had %s and now has %s", before, after)
			}
		})
	}
}

func TestFillStopsWhenCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := demo.Fill(ctx, openStore(t), moments(t)["monday night"]); !errors.Is(err, context.Canceled) {
		t.Errorf("Fill: %v, want context.Canceled", err)
	}
}

func inventory(t *testing.T, s *shop.Service) string {
	t.Helper()
	ctx := t.Context()
	return fmt.Sprint(len(collect(t, s.Jobs(ctx))), len(collect(t, s.Certificates(ctx))), len(collect(t, s.BOMs(ctx))),
		len(collect(t, s.LibraryEntries(ctx, shop.Processes))), len(collect(t, s.LibraryEntries(ctx, shop.Locations))),
		len(collect(t, s.Serials(ctx))), len(collect(t, s.AuditEntries(ctx, shop.NoLimit, 0))))
}

// checkDrift checks that the limits of a seat were frozen after twenty readings, and that a rule finds that later readings grow.
func checkDrift(t *testing.T, service filled, characteristicID string) {
	t.Helper()
	chart, err := service.Chart(t.Context(), characteristicID, views.ChartQuery{})
	if err != nil || chart.Baseline == nil {
		t.Errorf("no limits of the seat are frozen: %+v, %v", chart.Baseline, err)
		return
	}
	out := 0
	for i := range chart.Points {
		if chart.Points[i].Out() {
			out++
		}
	}
	if chart.Baseline.N < 10 || chart.Baseline.N >= chart.N || out < 3 || out == len(chart.Points) {
		t.Errorf("limits of %d of %d readings are frozen, and %d of %d points break a rule", chart.Baseline.N, chart.N, out, len(chart.Points))
	}
}

// checkReadings also checks that one unit is out of limits and waits, and that an instrument is due for calibration.
func checkReadings(t *testing.T, service filled, now time.Time) {
	verdicts := map[card.Verdict]int{}
	seats, out, seat := 0, "", ""
	for before, more := "", true; more; {
		page, err := service.Measurements(t.Context(), shop.MeasurementQuery{Before: before, Limit: input.SearchLimit})
		if err != nil {
			t.Fatal(err)
		}
		before, more = page.Next, page.Next != ""
		for _, reading := range page.Items {
			verdicts[reading.Verdict]++
			if reading.Number == "12" {
				seats++
				seat = reading.CharacteristicID
			}
			if reading.Verdict == card.VerdictFail && out == "" {
				out = reading.SerialID // the newest reading out of limits
			}
		}
	}
	if seats < 48 || verdicts[card.VerdictFail] != 2 {
		t.Errorf("%d readings of the seat, verdicts %v", seats, verdicts)
	}
	checkDrift(t, service, seat)
	if waits, err := service.Card(t.Context(), out); err != nil || waits.Card.Current() == nil {
		t.Errorf("the unit that is out of limits: %+v, %v", waits.Card.Serial, err)
	}
	instruments, err := service.Instruments(t.Context(), shop.InstrumentQuery{})
	if err != nil {
		t.Fatal(err)
	}
	due := 0
	for _, instrument := range instruments.Items {
		if instrument.DueDate < now.UTC().Format(time.DateOnly) {
			due++
		}
	}
	if len(instruments.Items) != 3 || due != 1 {
		t.Errorf("instruments: %+v", instruments.Items)
	}
}

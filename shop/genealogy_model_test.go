package shop_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/genealogy"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// lineage does random operations on units of two paths and on lots. After each change it compares the records with a walk over the entries.
// The first step of the first path has outside work.
type lineage struct {
	*history
	walked    *walked
	paths     map[string]card.Path // by unit
	cards     map[string]card.Card
	replayed  map[string]replay.Replayed
	stored    map[string]shop.Lot
	shipments []shop.Shipment
	receipts  []shop.Receipt
	undecided []shop.Nonconformance // at most one report
	after     *int64                // number of the last entry that was read
	counts    map[string]int
}

var (
	lineageUser   = shoptest.Given("ann")
	lineageReason = shoptest.Given("so")
)

// governed are the reasons that the walk predicts: a refusal for one of them must be among the expected ones.
var governed = []*refusal.Reason{
	card.InsideItself, card.InstalledAlready, card.ComponentScrapped, card.ComponentOpen, card.ComponentHeld, card.InstallScrapped,
	card.UnitAway, card.InsideAnother, card.ComponentRemoved, card.ComponentVoided, shop.LotShort, shop.ReceivedAlready,
}

// compare fails the test if an operation was done although one of the expected refusals applies, or if it was refused for a governed reason
// that does not apply.
func (l *lineage) compare(t *rapid.T, operation string, err error, expected []string) {
	t.Helper()
	got := shoptest.Refused(err)
	if got == nil {
		l.counts[operation]++
		if len(expected) > 0 {
			t.Fatalf("%s was done, want one of %q", operation, expected)
		}
		return
	}
	applies := slices.ContainsFunc(expected, func(message string) bool { return strings.Contains(got.Message, message) })
	if refused, _ := errors.AsType[*refusal.Error](err); slices.Contains(governed, refused.Reason) {
		l.counts["refused: "+refused.Reason.Sentence()]++
		if !applies {
			t.Fatalf("%s was refused: %s, want one of %q", operation, got.Message, expected)
		}
	}
}

// when returns a formatted message if the condition is true, or nothing.
func when(condition bool, format string, args ...any) []string {
	if !condition {
		return nil
	}
	return []string{fmt.Sprintf(format, args...)}
}

func (l *lineage) away(id string) []string {
	away, is := l.walked.away[id]
	return when(is && l.cards[id].Serial.Status != card.Scrapped, "%s is at %s since %s (shipment %s)", id, away.Party, away.SentOn, away.ShipmentID)
}

func (l *lineage) held(id string) []string {
	holds := l.cards[id].Holds
	return when(len(holds) > 0, "%s is on hold", id)
}

// stopped returns the refusals of operations that move a unit.
func (l *lineage) stopped(id string) []string {
	return slices.Concat(l.away(id), when(len(l.cards[id].Holds) > 0, "Serial is on hold"))
}

func (l *lineage) inside(id string) []string {
	parent := l.walked.parent(id)
	return when(parent != "", "%s is installed in %s", id, parent)
}

// intoParent returns the refusals of installations in a unit.
func (l *lineage) intoParent(id string) []string {
	unit := l.cards[id]
	return slices.Concat(
		when(unit.Serial.Status == card.Scrapped, "Cannot install into a scrapped serial"),
		when(unit.Serial.Status == card.Completed && !unit.Defers(), "Serial is already completed"), l.stopped(id),
	)
}

// unit returns a unit, three times out of four one that fits, if there is one.
func (l *lineage) unit(t *rapid.T, fits func(id string) bool) string {
	units := slices.DeleteFunc(slices.Clone(l.units), func(id string) bool { return !fits(id) })
	if len(units) == 0 || upTo(t, "any unit?", 3) == 3 {
		units = l.units
	}
	return rapid.SampledFrom(units).Draw(t, "unit")
}

func (l *lineage) inProgress(id string) bool { return l.cards[id].Serial.Status == card.InProgress }

func (l *lineage) moves(id string) bool { return l.inProgress(id) && len(l.stopped(id)) == 0 }

// intoUnit returns the refusals of the installation of a unit in a unit that follow from the first one.
func (l *lineage) intoUnit(part string) []string {
	status, above := l.cards[part].Serial.Status, l.walked.parent(part)
	return slices.Concat(
		when(above != "", "%s is already installed in %s", part, above), when(status == card.Scrapped, "%s is scrapped", part),
		when(status != card.Completed, "%s is not completed", part), l.held(part), l.away(part),
	)
}

func (l *lineage) lot(t *rapid.T) string { return rapid.SampledFrom(l.lots).Draw(t, "lot") }

// amount returns an amount of a lot with the refusal if the lot has less.
func (l *lineage) amount(t *rapid.T, lot string) (input.WrittenInput, []string) {
	amount := rapid.SampledFrom([]string{"0.5", "1", "1.0", "2", "4"}).Draw(t, "amount")
	left := l.stored[lot]
	return input.Given(input.Written(amount)), when(
		input.Decimal(amount).Compare(l.walked.remaining[lot]) > 0, "Lot %s has %s kg left", left.LotNumber, left.Remaining)
}

func (l *lineage) Install(t *rapid.T) {
	parent := l.unit(t, func(id string) bool { return len(l.intoParent(id)) == 0 })
	in := shop.InstallComponentInput{UserID: lineageUser}
	for i, step := range l.cards[parent].Path.Steps {
		if l.cards[parent].Serial.Status == card.Completed && l.cards[parent].StepStatus(i) == card.StepDeferred {
			in.StepID = shoptest.Given(step.ID)
		}
	}
	operation, expected := "install from lot", l.intoParent(parent)
	if rapid.IntRange(0, 2).Draw(t, "part") == 0 {
		lot := l.lot(t)
		amount, short := l.amount(t, lot)
		in.LotID, in.Quantity, expected = shoptest.Given(lot), amount, slices.Concat(expected, short)
	} else {
		part := l.unit(t, func(id string) bool { return len(l.intoUnit(id)) == 0 })
		operation, in.ComponentSerialID = "install unit", shoptest.Given(part)
		expected = slices.Concat(
			expected, when(part == parent || l.walked.within(part)[parent], "%s would contain itself", parent), l.intoUnit(part),
		)
	}
	_, err := l.InstallComponent(t.Context(), parent, in)
	l.compare(t, operation, err, expected)
}

func (l *lineage) TakeOut(t *rapid.T) {
	if len(l.walked.rows) == 0 {
		t.Skip("nothing was installed")
	}
	row := rapid.SampledFrom(l.walked.rows).Draw(t, "component")
	voided := when(row.voided, "Component is already voided")
	if rapid.IntRange(0, 2).Draw(t, "voids") == 0 {
		_, err := l.VoidComponent(t.Context(), row.id, shop.VoidInput{Reason: lineageReason, UserID: lineageUser})
		l.compare(t, "void component", err, voided)
		return
	}
	in := shop.RemoveComponentInput{Reason: lineageReason, UserID: lineageUser}
	operation := "remove"
	if rapid.Bool().Draw(t, "returned") {
		operation, in.Returned = "remove, returned", input.Given(true)
	}
	_, err := l.RemoveComponent(t.Context(), row.parent, row.id, in)
	l.compare(t, operation, err, slices.Concat(voided, when(row.removed, "Component is already removed"), l.away(row.parent)))
}

func (l *lineage) Send(t *rapid.T) {
	kind := upTo(t, "kind", 2)
	units := []string{l.unit(t, func(id string) bool {
		here := len(l.held(id))+len(l.away(id))+len(l.inside(id)) == 0
		return here && (kind == 0 && !l.inProgress(id) || kind > 0 && l.cards[id].OutsideStep() >= 0)
	})}
	if other := l.unit(t, l.inProgress); other != units[0] && rapid.Bool().Draw(t, "two units") {
		units = append(units, other)
	}
	in := shop.CreateShipmentInput{Supplier: shoptest.Given("Plater"), Selection: listedUnits(units...), UserID: lineageUser}
	operation := "send"
	var expected []string
	for _, id := range units {
		expected = slices.Concat(expected, l.held(id), l.away(id), l.inside(id))
	}
	if kind == 0 {
		operation, in.Kind, in.Supplier, in.Customer = "deliver", shoptest.Given("customer"), input.TextInput{}, shoptest.Given("Meyer")
		for _, id := range units {
			expected = append(expected, when(l.cards[id].Serial.Status == card.InProgress, "%s is not completed", id)...)
			for part := range l.walked.within(id) {
				expected = append(expected, l.held(part)...)
			}
		}
	}
	made, err := l.CreateShipment(t.Context(), in)
	if l.compare(t, operation, err, expected); err == nil {
		l.shipments = append(l.shipments, made)
	}
}

func (l *lineage) Receive(t *rapid.T) {
	if len(l.shipments) == 0 {
		t.Skip("nothing was sent")
	}
	shipment := rapid.SampledFrom(l.shipments).Draw(t, "shipment")
	unit := rapid.SampledFrom(shoptest.Collect(l.LinesOfShipment(t.Context(), shipment.ID))).Draw(t, "line").SerialID
	if away := slices.Sorted(maps.Keys(l.walked.away)); len(away) > 0 && rapid.Bool().Draw(t, "away") {
		unit = rapid.SampledFrom(away).Draw(t, "unit")
		shipment.ID = l.walked.away[unit].ShipmentID
	}
	in := shop.ReceiveShipmentInput{UserID: lineageUser}
	result := rapid.SampledFrom([]string{"received", "rejected", "missing"}).Draw(t, "result")
	switch result {
	case "received":
		in.Received = input.Given(listedUnits(unit))
	case "rejected":
		in.Rejected = input.Given(shop.RejectedInput{
			Selection: listedUnits(unit), Title: shoptest.Given("Thin"), Severity: shoptest.Given("major"),
		})
	default:
		in.Missing = input.Given([]input.Input[shop.MissingInput]{input.Given(shop.MissingInput{SerialID: shoptest.Given(unit), Reason: lineageReason})})
	}
	made, err := l.ReceiveShipment(t.Context(), shipment.ID, in)
	if l.compare(t, result, err, slices.Concat(
		when(l.walked.away[unit].ShipmentID != shipment.ID, "%s was already received", unit),
		when(l.cards[unit].Serial.Status == card.Scrapped, "%s is scrapped", unit),
	)); err == nil {
		l.receipts = append(l.receipts, made)
	}
}

func (l *lineage) VoidsReceipt(t *rapid.T) {
	if len(l.receipts) == 0 {
		t.Skip("nothing was received")
	}
	receipt := rapid.SampledFrom(l.receipts).Draw(t, "receipt")
	var expected []string
	for back := range l.walked.back {
		if back.receipt == receipt.ID {
			away, is := l.walked.away[back.unit] // also of a scrapped unit
			expected = slices.Concat(expected, l.inside(back.unit),
				when(is, "%s is at %s since %s (shipment %s)", back.unit, away.Party, away.SentOn, away.ShipmentID))
		}
	}
	_, err := l.VoidReceipt(t.Context(), receipt.ShipmentID, receipt.ID, shop.VoidInput{Reason: lineageReason, UserID: lineageUser})
	l.compare(t, "void receipt", err, slices.Concat(expected, when(l.walked.voided[receipt.ID], "already voided")))
}

func (l *lineage) Advance(t *rapid.T) {
	id := l.unit(t, func(id string) bool { return l.moves(id) || l.cards[id].Defers() })
	unit := l.cards[id]
	deferred := slices.DeleteFunc(slices.Clone(unit.Path.Steps), func(step card.ProcessStep) bool {
		return unit.StepStatus(unit.Path.StepIndex(step.ID)) != card.StepDeferred
	})
	switch operation := rapid.IntRange(0, 7).Draw(t, "operation"); {
	case len(deferred) > 0 && operation < 4:
		_, err := l.CompleteDeferredStep(t.Context(), id, deferred[0].ID, lineageUser)
		l.compare(t, "complete deferred", err, l.stopped(id))
	case operation == 0:
		_, err := l.ForceComplete(t.Context(), id, shop.ForceCompleteInput{UserID: lineageUser})
		l.compare(t, "force-complete", err, l.stopped(id))
	case operation < 4:
		target := min(unit.Serial.Position+1+upTo(t, "jump", 2), len(unit.Path.Steps))
		_, err := l.AdvanceToStep(t.Context(), id, shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(float64(target)), UserID: lineageUser})
		l.compare(t, "advance to step", err, l.stopped(id))
	default:
		_, err := l.AdvanceSerial(t.Context(), id, shop.AdvanceSerialInput{UserID: lineageUser})
		l.compare(t, "advance", err, l.stopped(id))
	}
}

func (l *lineage) Back(t *rapid.T) {
	id := l.unit(t, func(id string) bool { return len(l.stopped(id)) == 0 })
	if upTo(t, "rework", 2) == 0 {
		_, err := l.ReworkSerial(t.Context(), id, shop.ReworkSerialInput{
			TargetStepIndex: shoptest.Number(float64(upTo(t, "target", 1))), Reason: lineageReason, UserID: lineageUser,
		})
		l.compare(t, "rework", err, slices.Concat(l.stopped(id), l.inside(id)))
		return
	}
	told := l.replayed[id]
	last, any := told.Last()
	if !any {
		t.Skip("nothing to undo")
	}
	_, err := l.Undo(t.Context(), id, shop.UndoInput{EntryID: shoptest.Given(last.Entries[0].ID), Reason: lineageReason, UserID: lineageUser})
	expected := l.away(id)
	if last.Before.Status == card.InProgress && l.cards[id].Serial.Status != card.InProgress {
		expected = append(expected, l.inside(id)...)
	}
	l.compare(t, "undo", err, expected)
}

func (l *lineage) Judge(t *rapid.T) {
	held := slices.DeleteFunc(slices.Clone(l.units), func(id string) bool { return len(l.cards[id].Holds) == 0 })
	switch operation := upTo(t, "operation", 4); {
	case operation == 0:
		id := l.unit(t, l.inProgress)
		_, err := l.ScrapSerial(t.Context(), id, shop.ScrapSerialInput{Reason: shoptest.Given("damaged"), UserID: lineageUser})
		l.compare(t, "scrap", err, when(l.walked.parent(id) != "", "Cannot scrap a completed serial"))
	case len(held) > 0:
		id := rapid.SampledFrom(held).Draw(t, "held unit")
		_, err := l.ReleaseSerial(t.Context(), id, shop.ReleaseSerialInput{
			HoldID: shoptest.Given(l.cards[id].Holds[0].ID), Reason: lineageReason, UserID: lineageUser,
		})
		l.compare(t, "release", err, nil)
	default:
		id := rapid.SampledFrom(l.units).Draw(t, "unit")
		_, err := l.HoldSerial(t.Context(), id, shop.HoldSerialInput{Reason: lineageReason, UserID: lineageUser})
		l.compare(t, "hold", err, nil)
	}
}

// Dispose decides about a unit on a report. It opens a report with a hold if none is undecided.
func (l *lineage) Dispose(t *rapid.T) {
	if len(l.undecided) == 0 {
		id := rapid.SampledFrom(l.units).Draw(t, "unit")
		made, err := l.OpenNonconformance(t.Context(), shop.OpenNonconformanceInput{
			Title: shoptest.Given("Burr"), Severity: shoptest.Given("minor"), Selection: listedUnits(id), Hold: input.Given(true), UserID: lineageUser,
		})
		if l.compare(t, "report", err, nil); err == nil {
			l.undecided = append(l.undecided, made)
		}
		return
	}
	report := l.undecided[0]
	id := report.Units[0].SerialID
	in := shop.DispositionInput{
		SerialIDs: input.GivenTexts(id), Disposition: shoptest.Given("rework"), Reason: lineageReason, TargetStepIndex: shoptest.Number(0),
		UserID: lineageUser,
	}
	var expected []string
	switch disposition := upTo(t, "disposition", 3); {
	case disposition == 0:
		in.Disposition, in.Concession, in.TargetStepIndex = shoptest.Given("use_as_is"), lineageReason, input.NumberInput{}
	case disposition == 1 && l.inProgress(id):
		in.Disposition, in.TargetStepIndex = shoptest.Given("scrap"), input.NumberInput{}
	default:
		expected = slices.Concat(l.away(id), l.inside(id))
	}
	_, err := l.DisposeNonconformance(t.Context(), report.ID, in)
	if l.compare(t, "disposition "+in.Disposition.Value, err, expected); err == nil {
		l.undecided = nil
	}
}

func (l *lineage) Book(t *rapid.T) {
	lot := l.lot(t)
	if len(l.lots) > 4 || rapid.Bool().Draw(t, "counts") {
		_, err := l.AdjustLot(t.Context(), lot, shop.AdjustLotInput{
			Remaining: input.Given(input.Written(fmt.Sprint(upTo(t, "remaining", 10)))), Reason: lineageReason, UserID: lineageUser,
		})
		l.compare(t, "adjust lot", err, nil)
		return
	}
	amount, short := l.amount(t, lot)
	split, err := l.SplitLot(t.Context(), lot, shop.SplitLotInput{Quantity: amount, UserID: lineageUser})
	if l.compare(t, "split lot", err, short); err == nil {
		l.lots = append(l.lots, split.ID)
	}
}

// unread returns the entries since the previous call.
func (l *lineage) unread() (entries []trail.Entry) {
	for {
		read := shoptest.Must(l.AuditAfter(l.t.Context(), *l.after, 1000))
		if len(read) == 0 {
			return entries
		}
		entries = append(entries, read...)
		*l.after, _ = ident.AuditSequence(read[len(read)-1].ID)
	}
}

// check reads the new entries, and compares all records with the entries.
func (l *lineage) check(t *rapid.T) {
	ctx := t.Context()
	entries := l.unread()
	if len(entries) == 0 {
		return
	}
	for i := range entries {
		l.walked.add(t, &entries[i])
	}
	l.entries = append(l.entries, entries...)
	for _, id := range l.lots {
		l.stored[id] = shoptest.Must(l.Service.Lot(ctx, id))
		if want := l.walked.remaining[id]; l.stored[id].Remaining.Compare(want) != 0 || want.Sign() < 0 {
			t.Fatalf("%s remains of lot %s, want %s", l.stored[id].Remaining, id, want)
		}
	}
	must(l.t, l.Store.View(ctx, func(tx shop.Reader) error {
		for _, id := range l.units {
			l.checkCard(t, tx, id)
		}
		return nil
	}))
	l.checkTrees(t)
	for _, cause := range slices.Concat(l.units, l.lots) {
		for _, contains := range genealogy.AllContains() {
			l.checkRecall(t, cause, contains)
		}
	}
}

// checkCard compares the stored card of a unit with the replay of its entries alone, and with the walk.
func (l *lineage) checkCard(t *rapid.T, tx shop.Reader, id string) {
	unit := shoptest.Must(tx.RouteCard(id))
	told := shoptest.Must(replay.Replay(l.paths[id], id, shoptest.Must(shop.TrailOf(tx, unit.Serial))))
	told.Card.Path = unit.Path
	if differs := told.Differs(unit); len(differs) > 0 {
		t.Fatalf("%s differs from the replay of its entries: %q", id, differs)
	}
	if want := l.walked.parent(id); unit.Inside != want {
		t.Fatalf("%s is inside %q, want %q", id, unit.Inside, want)
	}
	if want := l.walked.away[id]; unit.Away != want {
		t.Fatalf("%s is away %v, want %v", id, unit.Away, want)
	}
	if unit.Inside != "" && unit.Serial.Status != card.Completed {
		t.Fatalf("%s is inside %s and %s", id, unit.Inside, unit.Serial.Status)
	}
	var open []card.Component
	for _, made := range shoptest.Must(tx.ComponentsOfSerial(id)) {
		if made.Open() {
			open = append(open, made)
		}
	}
	if !slices.Equal(told.Components, open) {
		t.Fatalf("the replay of %s has the components %v, want %v", id, told.Components, open)
	}
	l.cards[id], l.replayed[id] = unit, told
}

// checkTrees compares what is inside units and what contains units and lots with the open installations.
func (l *lineage) checkTrees(t *rapid.T) {
	down, up, want := map[[2]string]bool{}, map[[2]string]bool{}, map[[2]string]bool{}
	for _, id := range l.units {
		for part := range l.walked.within(id) {
			want[[2]string{id, part}] = true
		}
		if want[[2]string{id, id}] {
			t.Fatalf("%s contains itself", id)
		}
		built := shoptest.Must(l.AsBuilt(t.Context(), id, genealogy.TimeQuery{}))
		eachPart(built.Components, func(p *genealogy.Part) { down[[2]string{id, p.ComponentSerialID + p.LotID}] = true })
		for _, use := range l.uses(id, "", 0) {
			up[[2]string{use, id}] = true
		}
	}
	for _, lot := range l.lots {
		for _, use := range l.uses("", lot, 0) {
			up[[2]string{use, lot}] = true
		}
	}
	if !maps.Equal(down, want) || !maps.Equal(up, want) {
		t.Fatalf("inside %v, contained %v, want %v", down, up, want)
	}
}

func (l *lineage) checkRecall(t *rapid.T, cause string, contains genealogy.Contains) {
	query := genealogy.Query{LotID: cause, Contains: contains}
	if slices.Contains(l.units, cause) {
		query = genealogy.Query{SerialID: cause, Contains: contains}
	}
	recall := shoptest.Must(l.Recall(t.Context(), query))
	found := map[string]bool{}
	for i := range recall.Items {
		found[recall.Items[i].SerialID+recall.Items[i].LotID] = true
	}
	if want := l.walk(cause, contains == genealogy.Now); !maps.Equal(found, want) || len(found) != len(recall.Items) {
		t.Fatalf("%s, %s: found %v, want %v", cause, contains, slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(want)))
	}
}

// newLineage creates the paths, units and lots of one history in a shop. The units of the second path are completed, some with a deferred
// step.
func newLineage(t *testing.T, s *shoptest.Shop, counts map[string]int, after *int64) *lineage {
	t.Helper()
	ctx := t.Context()
	l := &lineage{
		history: &history{Shop: s, t: t}, walked: newWalked(), counts: counts, after: after, paths: map[string]card.Path{}, cards: map[string]card.Card{},
		replayed: map[string]replay.Replayed{}, stored: map[string]shop.Lot{},
	}
	l.unread() // entries of earlier histories
	outer, inner := s.Route(t, card.Flexible, "Plate", "Assemble", "Test"), s.Route(t, card.Flexible, "Make", "Check")
	shoptest.Must(s.SetRequirements(ctx, outer.Steps[0].ID, shop.SetRequirementsInput{
		RequirementsInput: shop.RequirementsInput{Outside: input.Given(shop.OutsideInput{Process: shoptest.Given("Plate")})}, UserID: lineageUser,
	}))
	l.walked.outside = outer.Steps[0].ID
	s.Tick()
	for _, path := range []card.Path{outer, inner} {
		for _, id := range s.Units(t, path, 3) {
			l.units, l.paths[id] = append(l.units, id), path
		}
	}
	for i, id := range l.units[3:] {
		if i == 0 {
			shoptest.Must(s.AdvanceSerial(ctx, id, shop.AdvanceSerialInput{UserID: lineageUser}))
		}
		shoptest.Must(s.AdvanceToStep(ctx, id, shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(2), UserID: lineageUser}))
	}
	for range 2 {
		l.lots = append(l.lots, shoptest.Must(s.CreateLot(ctx, shop.CreateLotInput{
			LotFieldsInput: shop.LotFieldsInput{Material: shoptest.Given("bar")}, Quantity: input.Given(input.Written("10")),
			Unit: shoptest.Given("kg"), UserID: lineageUser,
		})).ID)
	}
	return l
}

// Random histories of units on two paths and of lots keep the rules of components, lots and shipments. All records, trees and recalls
// follow from the entries of the trail.
func TestGenealogyFollowsFromTheTrail(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	counts, after := map[string]int{}, int64(0)
	rapid.Check(t, func(rt *rapid.T) {
		l := newLineage(t, s, counts, &after)
		rt.Repeat(map[string]func(*rapid.T){
			"install": l.Install, "install again": l.Install, "install more": l.Install, "install once more": l.Install,
			"take out": l.TakeOut, "take out more": l.TakeOut, "send": l.Send, "send again": l.Send, "receive": l.Receive,
			"receive again": l.Receive, "void receipt": l.VoidsReceipt, "advance": l.Advance, "advance again": l.Advance,
			"go back": l.Back, "judge": l.Judge, "dispose": l.Dispose, "dispose again": l.Dispose, "book": l.Book,
			"": func(rt *rapid.T) {
				l.check(rt)
				s.Tick()
			},
		})
	})
	for _, operation := range []string{
		"install unit", "install from lot", "remove", "remove, returned", "void component", "send", "deliver", "received", "rejected",
		"missing", "void receipt", "advance", "advance to step", "complete deferred", "force-complete", "undo", "rework", "scrap", "hold",
		"release", "report", "disposition rework", "disposition use_as_is", "disposition scrap", "split lot", "adjust lot",
	} {
		enginetest.Drawn(t, operation, counts[operation])
	}
	for _, reason := range []*refusal.Reason{card.UnitAway, card.InsideAnother, card.InsideItself, card.ComponentRemoved, shop.LotShort} {
		enginetest.Drawn(t, reason.Sentence(), counts["refused: "+reason.Sentence()])
	}
	if found := shoptest.RecordsFound(t, s.Store); len(found) > 0 {
		t.Errorf("records do not follow from the trail: %q", found)
	}
}

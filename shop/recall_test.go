package shop_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/genealogy"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// history is a shop with random past installations, and the entries of its trail in order, which the oracle reads.
type history struct {
	*shoptest.Shop
	t       *testing.T
	units   []string
	lots    []string
	entries []trail.Entry
}

// drawHistory installs, removes, voids, splits, reworks and scraps at random. Refused operations leave nothing. No two operations have the
// same time.
func drawHistory(t *testing.T, rt *rapid.T) *history {
	t.Helper()
	h := &history{Shop: shoptest.Open(t), t: t}
	ctx, by, reason := t.Context(), shoptest.Given("ann"), shoptest.Given("so")
	path := h.Route(t, card.Flexible, "Make", "Test")
	h.units = h.Units(t, path, 6)
	for i := range 2 {
		h.Tick()
		h.lots = append(h.lots, shoptest.Must(h.CreateLot(ctx, shop.CreateLotInput{
			LotFieldsInput: shop.LotFieldsInput{Material: shoptest.Given("bar"), HeatNumber: shoptest.Given(fmt.Sprintf("Heat %d", i))},
			Quantity:       input.Given(input.Written("100")), Unit: shoptest.Given("kg"), UserID: by,
		})).ID)
	}
	for _, id := range h.units[3:] { // can be installed from the beginning
		h.Tick()
		shoptest.Must(h.AdvanceToStep(ctx, id, shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(2), UserID: by}))
	}
	var components []card.Component
	if rapid.Bool().Draw(rt, "a part comes back") { // the part is removed, and other parts are installed in it later
		part, parent := h.units[3], h.units[0]
		made := shoptest.Must(h.InstallComponent(ctx, parent, shop.InstallComponentInput{ComponentSerialID: shoptest.Given(part), UserID: by}))
		h.Tick()
		shoptest.Must(h.RemoveComponent(ctx, parent, made.ID, shop.RemoveComponentInput{Reason: reason, UserID: by}))
		h.Tick()
		shoptest.Must(h.ReworkSerial(ctx, part, shop.ReworkSerialInput{TargetStepIndex: shoptest.Number(0), Reason: reason, UserID: by}))
		components = append(components, made)
	}
	unit := rapid.SampledFrom(h.units)
	for range rapid.IntRange(5, 60).Draw(rt, "operations") {
		h.Tick()
		switch id := unit.Draw(rt, "unit"); rapid.IntRange(0, 9).Draw(rt, "operation") {
		case 0, 1, 2, 3:
			in := shop.InstallComponentInput{UserID: by}
			if rapid.Bool().Draw(rt, "of a lot") {
				in.LotID, in.Quantity = shoptest.Given(rapid.SampledFrom(h.lots).Draw(rt, "lot")), input.Given(input.Written("1"))
			} else {
				in.ComponentSerialID = shoptest.Given(unit.Draw(rt, "part"))
			}
			if made, err := h.InstallComponent(ctx, id, in); err == nil {
				components = append(components, made)
			}
		case 4:
			_, _ = h.AdvanceToStep(ctx, id, shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(2), UserID: by})
		case 5:
			_, _ = h.ReworkSerial(ctx, id, shop.ReworkSerialInput{
				TargetStepIndex: shoptest.Number(0), Reason: reason, UserID: by,
			})
		case 6:
			if rapid.IntRange(0, 3).Draw(rt, "scraps") == 0 {
				_, _ = h.ScrapSerial(ctx, id, shop.ScrapSerialInput{Reason: shoptest.Given("damaged"), UserID: by})
			}
		case 7:
			if split, err := h.SplitLot(ctx, rapid.SampledFrom(h.lots).Draw(rt, "lot"), shop.SplitLotInput{
				Quantity: input.Given(input.Written("1")), UserID: by,
			}); err == nil {
				h.lots = append(h.lots, split.ID)
			}
		default:
			if len(components) == 0 {
				continue
			}
			made := rapid.SampledFrom(components).Draw(rt, "component")
			if rapid.Bool().Draw(rt, "voids") {
				_, _ = h.VoidComponent(ctx, made.ID, shop.VoidInput{Reason: reason, UserID: by})
			} else {
				_, _ = h.RemoveComponent(ctx, made.SerialID, made.ID, shop.RemoveComponentInput{Reason: reason, UserID: by})
			}
		}
	}
	h.Tick()
	for after := int64(0); ; {
		read := shoptest.Must(h.AuditAfter(ctx, after, 1000))
		if len(read) == 0 {
			return h
		}
		h.entries = append(h.entries, read...)
		after, _ = ident.AuditSequence(read[len(read)-1].ID)
	}
}

// walk is the oracle of a recall: it goes through the entries in order, and remembers which units and lots are affected. If now is set, a
// removal also reverts what only the removed part had passed on. walk then looks only at the installations that are open at the end.
func (h *history) walk(cause string, now bool) map[string]bool {
	voided := map[string]bool{}
	for i := range h.entries {
		if h.entries[i].Action == card.ActionRecordVoided {
			var told card.VoidedMetadata
			must(h.t, trail.ReadMetadata(&h.entries[i], &told))
			voided[told.RecordID] = true
		}
	}
	affected := map[string]bool{cause: true}
	type inside struct{ part, unit string }
	open := map[string]inside{}
	spread := func() {
		for again := true; again; {
			again = false
			for _, in := range open {
				if affected[in.part] && !affected[in.unit] {
					affected[in.unit], again = true, true
				}
			}
		}
	}
	for i := range h.entries {
		entry := &h.entries[i]
		switch entry.Action {
		case card.ActionComponentInstalled:
			var told card.InstalledMetadata
			must(h.t, trail.ReadMetadata(entry, &told))
			if !voided[told.ComponentID] {
				open[told.ComponentID] = inside{told.ComponentSerialID + told.LotID, entry.SerialID}
			}
		case card.ActionComponentRemoved:
			var told card.RemovedMetadata
			must(h.t, trail.ReadMetadata(entry, &told))
			delete(open, told.ComponentID)
		case shop.ActionLotSplit:
			var told struct{ LotID, ChildID string }
			must(h.t, trail.ReadMetadata(entry, &told))
			if affected[told.LotID] {
				affected[told.ChildID] = true
			}
		default:
		}
		if !now {
			spread()
		}
	}
	spread()
	return affected
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A recall names exactly what a plain walk over the entries of the trail finds, for random histories.
func TestRecallNamesWhatTheTrailDoes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		h := drawHistory(t, rt)
		for _, cause := range slices.Concat(h.units, h.lots) {
			for _, contains := range []genealogy.Contains{genealogy.Ever, genealogy.Now} {
				query := genealogy.Query{LotID: cause, Contains: contains}
				if slices.Contains(h.units, cause) {
					query = genealogy.Query{SerialID: cause, Contains: contains}
				}
				recall := shoptest.Must(h.Recall(t.Context(), query))
				found := map[string]bool{}
				for i := range recall.Items {
					found[recall.Items[i].SerialID+recall.Items[i].LotID] = true
				}
				if want := h.walk(cause, contains == genealogy.Now); !maps.Equal(found, want) || len(found) != len(recall.Items) {
					rt.Fatalf("%s, %s: found %v, want %v", cause, contains, slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(want)))
				}
			}
		}
	})
}

// Holding a recall places holds on exactly the units that the recall lists, without scrapped units, and on the lots that were not on hold.
func TestHoldOfRecall(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		h := drawHistory(t, rt)
		ctx, eve := t.Context(), shoptest.Given("eve")
		if rapid.Bool().Draw(rt, "a lot is held") {
			lot := rapid.SampledFrom(h.lots).Draw(rt, "held lot")
			shoptest.Must(h.HoldLot(ctx, lot, shop.HoldLotInput{Reason: shoptest.Given("label"), UserID: shoptest.Given("ann")}))
		}
		cause := rapid.SampledFrom(slices.Concat(h.units, h.lots)).Draw(rt, "cause")
		contains := rapid.SampledFrom(genealogy.AllContains()).Draw(rt, "contains")
		query, asked := genealogy.Query{LotID: cause, Contains: contains}, shop.CauseInput{LotID: shoptest.Given(cause)}
		if slices.Contains(h.units, cause) {
			query, asked = genealogy.Query{SerialID: cause, Contains: contains}, shop.CauseInput{SerialID: shoptest.Given(cause)}
		}
		asked.Contains = shoptest.Given(string(contains))
		recall := shoptest.Must(h.Recall(ctx, query))
		want, free := map[string]bool{}, 0
		units := recall.Summary.Units - recall.Summary.Scrapped
		for _, item := range recall.Items {
			if item.SerialID != "" && item.Status != card.Scrapped || item.LotID != "" && !item.Held {
				want[item.SerialID+item.LotID] = true
			}
			if item.LotID != "" && !item.Held {
				free++
			}
		}
		in := shop.BatchHoldInput{
			BatchInput:      shop.BatchInput{Selection: shop.SelectionInput{ExpectedCount: shoptest.Number(float64(units + 1))}},
			Recall:          input.Given(asked),
			Lots:            input.Given(true),
			HoldSerialInput: shop.HoldSerialInput{Reason: shoptest.Given("recalled"), UserID: eve},
		}
		if rapid.Bool().Draw(rt, "each") {
			in.OnRefusal = shoptest.Given("each")
		}
		if _, err := h.BatchHold(ctx, in); err == nil || len(h.heldBy(ctx, "eve")) > 0 {
			rt.Fatalf("held %v although another number was expected", h.heldBy(ctx, "eve"))
		}
		in.Selection.ExpectedCount, in.DryRun = shoptest.Number(float64(units)), input.Given(true)
		tried := shoptest.Must(h.BatchHold(ctx, in))
		if got := h.heldBy(ctx, "eve"); len(got) > 0 {
			rt.Fatalf("a dry run held %v", got)
		}
		in.DryRun = input.FlagInput{}
		held := shoptest.Must(h.BatchHold(ctx, in))
		if got := h.heldBy(ctx, "eve"); !maps.Equal(got, want) {
			rt.Fatalf("%s, %s: held %v, want %v", cause, contains, got, want)
		}
		if held.Changed != units || *held.Lots != free || tried.Changed != units || *tried.Lots != free {
			rt.Fatalf("%+v with %d lots, dry %+v with %d lots; want %d and %d", held, *held.Lots, tried, *tried.Lots, units, free)
		}
		report := shoptest.Must(h.OpenNonconformance(ctx, shop.OpenNonconformanceInput{
			Title: shoptest.Given("recalled"), Severity: shoptest.Given("major"), Recall: input.Given(asked),
			Selection: shop.SelectionInput{ExpectedCount: shoptest.Number(float64(units))}, UserID: eve,
		}))
		for _, id := range shop.SerialsOf(report.Units) {
			if !want[id] {
				rt.Fatalf("%s: %s is on the report", cause, id)
			}
		}
		if len(report.Units) != units {
			rt.Fatalf("%s: %d units on the report, want %d", cause, len(report.Units), units)
		}
	})
}

// heldBy returns the units and lots on which a user placed a hold, as the entries of the trail have it.
func (h *history) heldBy(ctx context.Context, user string) map[string]bool {
	held := map[string]bool{}
	for _, entry := range shoptest.Must(h.AuditAfter(ctx, 0, 1000)) {
		if entry.UserID != user {
			continue
		}
		switch entry.Action {
		case card.ActionSerialHeld:
			held[entry.SerialID] = true
		case shop.ActionLotHeld:
			var told struct{ LotID string }
			must(h.t, trail.ReadMetadata(&entry, &told))
			held[told.LotID] = true
		default:
		}
	}
	return held
}

// An installation that runs while a recall is put on hold is refused, or the recall includes the unit that received the component.
func TestHoldOfRecallAndInstallations(t *testing.T) {
	t.Parallel()
	h := shoptest.Open(t)
	ctx, by := t.Context(), shoptest.Given("ann")
	path := h.Route(t, card.Flexible, "Make", "Test")
	const parts = 20
	units := h.Units(t, path, 2*parts)
	cert := shoptest.Must(h.CreateCertificate(ctx, shop.CreateCertificateInput{Type: shoptest.Given("material"), Name: shoptest.Given("Mill")}))
	for _, id := range units[:parts] {
		shoptest.Must(h.AttachCertificate(ctx, id, shop.AttachCertificateInput{CertID: shoptest.Given(cert.ID), UserID: by}))
	}
	shoptest.Must(h.BatchAdvanceTo(ctx, shop.BatchAdvanceToInput{
		BatchInput:         shop.BatchInput{Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(units[:parts]...)}},
		AdvanceToStepInput: shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(2), UserID: by},
	}))
	var wait sync.WaitGroup
	for i, part := range units[:parts] {
		wait.Go(func() {
			_, _ = h.InstallComponent(ctx, units[parts+i], shop.InstallComponentInput{ComponentSerialID: shoptest.Given(part), UserID: by})
		})
	}
	asked := input.Given(shop.CauseInput{CertID: shoptest.Given(cert.ID)})
	for held := false; !held; {
		recall := shoptest.Must(h.Recall(ctx, genealogy.Query{CertID: cert.ID}))
		_, err := h.BatchHold(ctx, shop.BatchHoldInput{
			BatchInput:      shop.BatchInput{Selection: shop.SelectionInput{ExpectedCount: shoptest.Number(float64(recall.Summary.Units))}},
			Recall:          asked,
			HoldSerialInput: shop.HoldSerialInput{Reason: shoptest.Given("recalled"), UserID: by},
		})
		held = err == nil // another number of units by now
	}
	wait.Wait()
	for _, item := range shoptest.Must(h.Recall(ctx, genealogy.Query{CertID: cert.ID})).Items {
		if !item.Held {
			t.Errorf("%s contains %s and is not held", item.SerialID, item.How)
		}
	}
}

// The units that contain a part, and the parts inside a unit, agree with each other, now and at every time.
func TestUpAndDownAreInverse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		h := drawHistory(t, rt)
		times := []ident.Timestamp{0}
		for range 3 {
			times = append(times, h.entries[rapid.IntRange(0, len(h.entries)-1).Draw(rt, "entry")].Timestamp)
		}
		for _, at := range times {
			down, up := map[[2]string]bool{}, map[[2]string]bool{}
			for _, unit := range h.units {
				built := shoptest.Must(h.AsBuilt(t.Context(), unit, genealogy.TimeQuery{At: at}))
				eachPart(built.Components, func(p *genealogy.Part) { down[[2]string{unit, p.ComponentSerialID + p.LotID}] = true })
				for _, use := range h.uses(unit, "", at) {
					up[[2]string{use, unit}] = true
				}
			}
			for _, lot := range h.lots {
				for _, use := range h.uses("", lot, at) {
					up[[2]string{use, lot}] = true
				}
			}
			if !maps.Equal(down, up) {
				rt.Fatalf("at %s: inside %v, contained %v", at, down, up)
			}
		}
	})
}

// uses returns the units that contain a unit, or an amount of a lot. It does not count amounts of the lots that were split from the lot.
func (h *history) uses(unit, lot string, at ident.Timestamp) (units []string) {
	var links []genealogy.Link
	must(h.t, h.Store.Look(h.t.Context(), func(tx views.Reader) (err error) {
		links, err = tx.LinksFrom(unit, lot, at)
		return err
	}))
	links = slices.DeleteFunc(links, func(l genealogy.Link) bool { return l.ParentID == "" })
	for _, use := range genealogy.Uses(unit+lot, links) {
		units = append(units, use.SerialID)
	}
	return units
}

func eachPart(parts []genealogy.Part, visit func(*genealogy.Part)) {
	for i := range parts {
		visit(&parts[i])
		eachPart(parts[i].Components, visit)
	}
}

// The order of the rows affects neither the list of what contains a part nor the list of what is inside a unit.
func TestOrderOfLinksChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom([]string{"SN-00001", "SN-00002", "SN-00003", "SN-00004", "SN-00005", "SN-00006"})
		links := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) genealogy.Link {
			return genealogy.Link{ParentID: name.Draw(rt, "parent"), SerialID: name.Draw(rt, "part")}
		}), 0, 12).Draw(rt, "links")
		depths := func(links []genealogy.Link) map[string]int {
			found := map[string]int{}
			for _, use := range genealogy.Uses("SN-00001", links) {
				found[use.SerialID] = use.Depth
			}
			return found
		}
		if other := rapid.Permutation(links).Draw(rt, "in another order"); !maps.Equal(depths(links), depths(other)) {
			rt.Fatalf("%v: %v, %v: %v", links, depths(links), other, depths(other))
		}
	})
}

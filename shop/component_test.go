package shop_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// An installation takes its amount from the lot, a returned removal and a voiding give it back once, and a lot is never below 0.
func TestComponentsOfALot(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	ctx, by, reason := t.Context(), shoptest.Given("ann"), shoptest.Given("so")
	job := shoptest.Must(s.CreateJob(ctx, shop.CreateJobInput{Name: shoptest.Given("Gearbox"), GoalQuantity: shoptest.Number(2)}))
	path := shoptest.Must(s.CreatePath(ctx, shop.CreatePathInput{
		JobID: shoptest.Given(job.ID), Name: shoptest.Given("Main"), GoalQuantity: shoptest.Number(2), Steps: shoptest.StepsCalled("Assemble", "Pack"),
	}))
	shoptest.Must(s.CreateSerials(ctx, shop.CreateSerialsInput{
		JobID: shoptest.Given(job.ID), PathID: shoptest.Given(path.ID), Quantity: shoptest.Number(2), UserID: by,
	}))
	lot := shoptest.Must(s.CreateLot(ctx, shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{Material: shoptest.Given("seal"), LotNumber: shoptest.Given("S-1")},
		Quantity:       input.Given(input.Written("2.50")), Unit: shoptest.Given("kg"), UserID: by,
	}))
	install := func(unit, quantity, number string) (string, error) {
		in := shop.InstallComponentInput{LotID: shoptest.Given(lot.ID), UserID: by}
		if quantity != "" {
			in.Quantity = input.Given(input.Written(quantity))
		}
		if number != "" {
			in.PartSerialNumber = shoptest.Given(number)
		}
		made, err := s.InstallComponent(ctx, unit, in)
		return made.ID, err
	}
	remains := func(want input.Decimal) {
		t.Helper()
		if got := shoptest.Must(s.Service.Lot(ctx, lot.ID)).Remaining; got.Compare(want) != 0 {
			t.Errorf("%s remains, want %s", got, want)
		}
	}
	refused := func(want string, err error) {
		t.Helper()
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	_, err := install("SN-00001", "", "")
	refused("quantity is required", err)
	_, err = install("SN-00001", "2.51", "")
	refused("Lot S-1 has 2.50 kg left", err)
	first := shoptest.Must(install("SN-00001", "1.5", ""))
	remains("1")
	numbered := shoptest.Must(install("SN-00001", "", "17"))
	remains("0")
	_, err = install("SN-00002", "0.1", "")
	refused("Lot S-1 has 0.00 kg left", err)
	returned := shop.RemoveComponentInput{Reason: reason, Returned: input.Given(true), UserID: by}
	shoptest.Must(s.RemoveComponent(ctx, "SN-00001", first, returned))
	remains("1.5")
	shoptest.Must(s.VoidComponent(ctx, first, shop.VoidInput{Reason: reason, UserID: by}))
	remains("1.5")
	_, err = install("SN-00002", "", "17")
	refused("17 is already installed in SN-00001", err)
	shoptest.Must(s.VoidComponent(ctx, numbered, shop.VoidInput{Reason: reason, UserID: by}))
	remains("2.5")
	kept := shoptest.Must(install("SN-00002", "1", ""))
	shoptest.Must(s.RemoveComponent(ctx, "SN-00002", kept, shop.RemoveComponentInput{Reason: reason, UserID: by}))
	remains("1.5")
	_, err = s.VoidLot(ctx, lot.ID, shop.VoidInput{Reason: reason, UserID: by})
	refused("Lot S-1 is in use", err)
	shoptest.Must(s.HoldLot(ctx, lot.ID, shop.HoldLotInput{Reason: shoptest.Given("alloy"), UserID: by}))
	_, err = install("SN-00001", "1", "")
	refused("Lot S-1 is on hold: alloy", err)
}

// assembly has units with a deferred step: all are completed, and each can contain and be contained.
func assembly(t *testing.T, s *shoptest.Shop, units float64) (ids []string, step string) {
	t.Helper()
	path := s.Route(t, card.Flexible, "Assemble", "Seal", "Test")
	ids = s.Units(t, path, units)
	for _, id := range ids {
		shoptest.Must(s.AdvanceToStep(t.Context(), id, shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(3), UserID: shoptest.Given("ann")}))
	}
	return ids, path.Steps[1].ID
}

// twoInstances returns two instances of a shop. On PostgreSQL each has its own connections.
func twoInstances(t *testing.T, s *shoptest.Shop) []*shop.Service {
	t.Helper()
	first := s.Service
	if os.Getenv("ROUTECARD_TEST_ENGINE") == "postgres" {
		s.Store = s.Database.Open(t)
	}
	s.Another()
	return []*shop.Service{first, s.Service}
}

// Two instances install at once. A unit is never inside two units, no unit contains itself at any depth, and a lot is never below 0.
func TestInstallationsAtOnce(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	ctx, by := t.Context(), shoptest.Given("ann")
	const ring = 4
	for round := range 5 {
		ids, step := assembly(t, s, ring)
		lot := shoptest.Must(s.CreateLot(ctx, shop.CreateLotInput{
			LotFieldsInput: shop.LotFieldsInput{Material: shoptest.Given("seal"), LotNumber: shoptest.Given(fmt.Sprint("S-", round))},
			Quantity:       input.Given(input.Written("10")), Unit: shoptest.Given("pcs"), UserID: by,
		}))
		services := twoInstances(t, s)
		var callers sync.WaitGroup
		var installed, fromLot atomic.Int64
		install := func(service *shop.Service, parent string, in shop.InstallComponentInput, done *atomic.Int64) {
			callers.Go(func() {
				in.StepID, in.UserID = shoptest.Given(step), by
				_, err := service.InstallComponent(ctx, parent, in)
				switch _, refused := errors.AsType[*refusal.Error](err); {
				case err == nil:
					done.Add(1)
				case !refused:
					t.Error(err)
				}
			})
		}
		for i, id := range ids {
			service := services[i%2]
			next := shop.InstallComponentInput{ComponentSerialID: shoptest.Given(ids[(i+1)%ring])}
			install(service, id, next, &installed)
			install(services[(i+1)%2], ids[(i+2)%ring], next, &installed) // the same unit into another unit
			install(service, id, shop.InstallComponentInput{LotID: shoptest.Given(lot.ID), Quantity: input.Given(input.Written("3"))}, &fromLot)
		}
		callers.Wait()
		if remaining := shoptest.Must(s.Service.Lot(ctx, lot.ID)).Remaining; fromLot.Load() != 3 || remaining.Compare("1") != 0 {
			t.Errorf("%d installations took 3 of 10 each, and %s remains", fromLot.Load(), remaining)
		}
		inside := map[string]string{}
		for _, id := range ids {
			for _, made := range shoptest.Must(s.ComponentsOfSerial(ctx, id)) {
				if made.ComponentSerialID == "" {
					continue
				}
				if other := inside[made.ComponentSerialID]; other != "" {
					t.Errorf("%s is inside %s and %s", made.ComponentSerialID, other, id)
				}
				inside[made.ComponentSerialID] = id
			}
		}
		if int(installed.Load()) != len(inside) || len(inside) == 0 || len(inside) >= ring {
			t.Errorf("%d of %d units are inside others, after %d installations", len(inside), ring, installed.Load())
		}
		for _, id := range ids {
			for at, depth := inside[id], 0; at != ""; at, depth = inside[at], depth+1 {
				if depth > ring {
					t.Fatalf("%s contains itself: %v", id, inside)
				}
			}
		}
	}
}

// Removal from a completed or scrapped unit is a decision. The user who made an installation may void it soon afterwards, while the unit is
// at the step. Any other voiding is a decision.
func TestWhoMayTakeComponentsOut(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	caller := func(login string, permissions ...shop.Permission) context.Context {
		return shop.WithCaller(t.Context(), shop.Caller{Login: login, Permissions: permissions, Means: "session"})
	}
	anna, bert := caller("anna", shop.Read, shop.Work), caller("bert", shop.Read, shop.Work)
	lena := caller("lena", shop.Read, shop.Work, shop.Decide)
	reason := shoptest.Given("so")
	var units []string
	install := func(parent int) string {
		t.Helper()
		lot := shoptest.Must(s.CreateLot(anna, shop.CreateLotInput{LotFieldsInput: shop.LotFieldsInput{Material: shoptest.Given("seal")}}))
		return shoptest.Must(s.InstallComponent(anna, units[parent], shop.InstallComponentInput{LotID: shoptest.Given(lot.ID)})).ID
	}
	void := func(ctx context.Context, id string) error {
		_, err := s.VoidComponent(ctx, id, shop.VoidInput{Reason: reason})
		return err
	}
	remove := func(ctx context.Context, parent int, id string) error {
		_, err := s.RemoveComponent(ctx, units[parent], id, shop.RemoveComponentInput{Reason: reason})
		return err
	}
	refused := func(what string, err error) {
		t.Helper()
		if refused, is := errors.AsType[*refusal.Error](err); !is || refused.Reason != refusal.NotPermitted {
			t.Errorf("%s: %v", what, err)
		}
	}
	done := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	path := s.Route(t, card.Strict, "Assemble", "Pack")
	units = s.Units(t, path, 4)

	done("by oneself, at once", void(anna, install(0)))
	other := install(0)
	refused("by another", void(bert, other))
	done("by another who decides", void(lena, other))
	late := install(0)
	s.Clock.Add(time.Hour.Milliseconds())
	refused("later", void(anna, late))
	moved := install(0)
	shoptest.Must(s.AdvanceSerial(anna, units[0], shop.AdvanceSerialInput{}))
	refused("after the step", void(anna, moved))
	done("removal in progress by another", remove(bert, 0, moved))
	done("after the step, by one who decides", void(lena, late))

	closed := install(1)
	for range path.Steps {
		shoptest.Must(s.AdvanceSerial(anna, units[1], shop.AdvanceSerialInput{}))
	}
	refused("removal from a completed unit", remove(anna, 1, closed))
	done("removal from a completed unit by one who decides", remove(lena, 1, closed))
	lost := install(2)
	shoptest.Must(s.ScrapSerial(lena, units[2], shop.ScrapSerialInput{Reason: shoptest.Given("damaged")}))
	refused("removal from a scrapped unit", remove(anna, 2, lost))
	refused("voiding in a scrapped unit", void(anna, lost))
	done("removal from a scrapped unit by one who decides", remove(lena, 2, lost))
}

// A substitute needs the permission Decide, and the trail has its reason.
func TestWhoMaySubstitute(t *testing.T) {
	t.Parallel()
	s := newRequiringShop(t)
	caller := func(permissions ...shop.Permission) context.Context {
		return shop.WithCaller(t.Context(), shop.Caller{Login: "anna", Permissions: permissions, Means: "session"})
	}
	unit := s.Units(t, s.path, 1)[0]
	in := shop.InstallComponentInput{
		LotID: shoptest.Given(s.lots["Oil"]), Quantity: input.Given(input.Written("1")), SubstituteFor: shoptest.Given("Seal"),
		SubstituteReason: shoptest.Given("none left"),
	}
	_, err := s.InstallComponent(caller(shop.Read, shop.Work), unit, in)
	if refused, is := errors.AsType[*refusal.Error](err); !is || refused.Reason != refusal.NotPermitted {
		t.Errorf("without the permission: %v", err)
	}
	made := shoptest.Must(s.InstallComponent(caller(shop.Read, shop.Work, shop.Decide), unit, in))
	if bill := shoptest.Must(s.SerialBOM(t.Context(), unit)).Entries; bill[0].Substituted != "1" || bill[0].Installed != "1" {
		t.Errorf("the bill is %+v", bill)
	}
	entries := shoptest.Collect(s.AuditOfSerial(t.Context(), unit))
	replayed := shoptest.Must(replay.Replay(shoptest.Must(s.Path(t.Context(), s.path.ID)).Path, unit, entries))
	if len(replayed.Components) != 1 || replayed.Components[0] != made {
		t.Errorf("the trail has %+v, want %+v", replayed.Components, made)
	}
	if found := shoptest.RecordsFound(t, s.Store); len(found) > 0 {
		t.Errorf("records do not follow from the trail: %q", found)
	}
}

// A unit has the certificates of the lots inside it, also those that the lots get later.
func TestCertificatesOfLotsInside(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	ctx, by := t.Context(), shoptest.Given("ann")
	unit := s.Units(t, s.Route(t, card.Strict, "Assemble"), 1)[0]
	lot := shoptest.Must(s.CreateLot(ctx, shop.CreateLotInput{LotFieldsInput: shop.LotFieldsInput{Material: shoptest.Given("seal")}, UserID: by}))
	certs := func() (via []string) {
		for _, certificate := range shoptest.Must(s.Serial(ctx, unit)).Certificates {
			via = append(via, certificate.Via)
		}
		return via
	}
	if got := certs(); len(got) > 0 {
		t.Errorf("without a lot: %q", got)
	}
	shoptest.Must(s.InstallComponent(ctx, unit, shop.InstallComponentInput{LotID: shoptest.Given(lot.ID), UserID: by}))
	if got := certs(); len(got) > 0 {
		t.Errorf("without a certificate: %q", got)
	}
	cert := shoptest.Must(s.CreateCertificate(ctx, shop.CreateCertificateInput{Type: shoptest.Given("material"), Name: shoptest.Given("3.1")}))
	shoptest.Must(s.AttachLotCertificate(ctx, lot.ID, shop.AttachLotCertificateInput{CertID: shoptest.Given(cert.ID), UserID: by}))
	if got := certs(); len(got) != 1 || got[0] != lot.ID {
		t.Errorf("afterwards: %q", got)
	}
}

// A batch that changes all units or none takes the sum from the lot. Otherwise the units take their amounts one after the other. The bill
// and the maximum number of components count for each unit, and the records follow from the trail.
func TestBatchInstallComponents(t *testing.T) {
	t.Parallel()
	s := newRequiringShop(t)
	ctx, by := t.Context(), shoptest.Given("ann")
	units := s.Units(t, s.path, 4)
	install := func(lot, quantity, policy string, ids ...string) (shop.BatchResult, error) {
		return s.BatchInstallComponents(ctx, shop.BatchInstallInput{
			BatchInput: shop.BatchInput{Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(ids...)}, OnRefusal: shoptest.Given(policy)},
			LotID:      shoptest.Given(lot), Quantity: input.Given(input.Written(quantity)), Place: shoptest.Given("left"), UserID: by,
		})
	}
	lot := shoptest.Must(s.CreateLot(ctx, shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{
			Material: shoptest.Given("seal"), PartNumber: shoptest.Given(shoptest.Must(s.Service.Lot(ctx, s.lots["Seal"])).PartNumber),
			LotNumber: shoptest.Given("S-77"),
		},
		Quantity: input.Given(input.Written("7.5")), Unit: shoptest.Given("kg"), UserID: by,
	}))
	remains := func(want input.Decimal) {
		t.Helper()
		if got := shoptest.Must(s.Service.Lot(ctx, lot.ID)).Remaining; got != want {
			t.Errorf("%s remains, want %s", got, want)
		}
	}
	if _, err := install(s.lots["Oil"], "1", "none", units...); err == nil || !strings.Contains(err.Error(), "needed: ") {
		t.Errorf("a lot that the bill does not list: %v", err)
	}
	if _, err := install(lot.ID, "2", "none", units...); err == nil || err.Error() != "Lot S-77 has 7.5 kg left" {
		t.Errorf("more than the lot has: %v", err)
	}
	remains("7.5")
	if result := shoptest.Must(install(lot.ID, "1", "none", units...)); result.Changed != len(units) {
		t.Errorf("the result is %+v", result)
	}
	remains("3.5")
	result := shoptest.Must(install(lot.ID, "1", "each", units...))
	if result.Changed != 3 || len(result.Refused) != 1 || result.Refused[0].SerialID != units[3] {
		t.Errorf("the result is %+v", result)
	}
	remains("0.5")
	for i, unit := range units {
		made := shoptest.Must(s.ComponentsOfSerial(ctx, unit))
		entries := shoptest.Collect(s.AuditOfSerial(ctx, unit))
		replayed := shoptest.Must(replay.Replay(shoptest.Must(s.Path(ctx, s.path.ID)).Path, unit, entries))
		if want := 2 - i/3; len(made) != want || !slices.Equal(replayed.Components, made) || made[0].PartType != "Seal" {
			t.Errorf("%s has %+v, and the trail %+v", unit, made, replayed.Components)
		}
	}
	if found := shoptest.RecordsFound(t, s.Store); len(found) > 0 {
		t.Errorf("records do not follow from the trail: %q", found)
	}
}

// New serials that are made of a lot have its amount from the beginning, each with its part type. If the lot does not have the sum, or the
// bill does not list it, no serial is created. Creations at the same time do not take more than the lot has.
func TestSerialsOfALot(t *testing.T) {
	t.Parallel()
	s := newRequiringShop(t)
	ctx, by := t.Context(), shoptest.Given("ann")
	create := func(lot, each string, units float64) (shop.SerialBatch, error) {
		return s.CreateSerials(ctx, shop.CreateSerialsInput{
			JobID: shoptest.Given(s.path.JobID), PathID: shoptest.Given(s.path.ID), Quantity: shoptest.Number(units),
			LotID: shoptest.Given(lot), LotQuantity: input.Given(input.Written(each)), UserID: by,
		})
	}
	lot := shoptest.Must(s.CreateLot(ctx, shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{
			Material: shoptest.Given("seal"), PartNumber: shoptest.Given(shoptest.Must(s.Service.Lot(ctx, s.lots["Seal"])).PartNumber),
			LotNumber: shoptest.Given("S-77"),
		},
		Quantity: input.Given(input.Written("1100.5")), Unit: shoptest.Given("kg"), UserID: by,
	}))
	before := len(shoptest.Collect(s.Serials(ctx)))
	if _, err := create(s.lots["Oil"], "1", 2); err == nil || !strings.Contains(err.Error(), "needed: ") {
		t.Errorf("a lot that the bill does not list: %v", err)
	}
	if _, err := create(lot.ID, "0.5", 2202); err == nil || err.Error() != "Lot S-77 has 1100.5 kg left" {
		t.Errorf("more than the lot has: %v", err)
	}
	if got := len(shoptest.Collect(s.Serials(ctx))); got != before {
		t.Fatalf("refused requests created %d units", got-before)
	}
	batch := shoptest.Must(create(lot.ID, "1", 1050)) // more than are stored in one statement
	for _, number := range []int64{batch.First, batch.First + batch.Quantity - 1} {
		unit := ident.DefaultPrefix.SerialID(number)
		made := shoptest.Must(s.ComponentsOfSerial(ctx, unit))
		entries := append([]trail.Entry{{
			Action: card.ActionSerialCreated, Timestamp: batch.At, PathID: batch.PathID,
		}}, shoptest.Collect(s.AuditOfSerial(ctx, unit))...)
		replayed := shoptest.Must(replay.Replay(shoptest.Must(s.Path(ctx, s.path.ID)).Path, unit, entries))
		if len(made) != 1 || made[0].PartType != "Seal" || made[0].StepID != s.path.Steps[0].ID || !slices.Equal(replayed.Components, made) {
			t.Errorf("%s has %+v, and the trail %+v", unit, made, replayed.Components)
		}
	}
	var created atomic.Int64
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			if _, err := create(lot.ID, "10", 1); err == nil {
				created.Add(1)
			}
		})
	}
	calls.Wait()
	if left := shoptest.Must(s.Service.Lot(ctx, lot.ID)).Remaining; left != "0.5" || created.Load() != 5 {
		t.Errorf("%d requests were done at the same time, %s is left", created.Load(), left)
	}
	if found := shoptest.RecordsFound(t, s.Store); len(found) > 0 {
		t.Errorf("records do not follow from the trail: %q", found)
	}
}

// A unit contains at most 10,000 installed components, however they are installed. One that is removed makes room for another one.
func TestMostComponentsOfAUnit(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	ctx, by := t.Context(), shoptest.Given("ann")
	path := s.Route(t, card.Flexible, "Assemble", "Pack")
	units := s.Units(t, path, 2)
	lot := shoptest.Must(s.CreateLot(ctx, shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{Material: shoptest.Given("rivet")},
		Quantity:       input.Given(input.Written("20000")), Unit: shoptest.Given("pcs"), UserID: by,
	}))
	full, made := units[0], make([]card.Component, card.ComponentLimit-1)
	for i := range made {
		made[i] = card.Component{
			ID: s.NewID("comp_"), SerialID: full, LotID: lot.ID, Quantity: "1", Unit: "pcs", StepID: path.Steps[0].ID, Pass: 1,
			InstalledBy: "ann", InstalledAt: s.Now(),
		}
	}
	if err := s.Store.Update(ctx, func(tx shop.Tx) error { return tx.InsertComponents(made, "") }); err != nil {
		t.Fatal(err)
	}
	batch := func(policy string) (shop.BatchResult, error) {
		return s.BatchInstallComponents(ctx, shop.BatchInstallInput{
			BatchInput: shop.BatchInput{Selection: listedUnits(units...), OnRefusal: shoptest.Given(policy)},
			LotID:      shoptest.Given(lot.ID), Quantity: input.Given(input.Written("1")), UserID: by,
		})
	}
	if result := shoptest.Must(batch("none")); result.Changed != 2 {
		t.Errorf("up to the limit: %+v", result)
	}
	const want = "A serial contains at most 10000 components"
	if _, err := batch("none"); err == nil || err.Error() != want+" ("+full+")" {
		t.Errorf("all or none: %v", err)
	}
	if result := shoptest.Must(batch("each")); result.Changed != 1 || len(result.Refused) != 1 || result.Refused[0].Err.Error() != want {
		t.Errorf("each that can: %+v", result)
	}
	install := shop.InstallComponentInput{LotID: shoptest.Given(lot.ID), Quantity: input.Given(input.Written("1")), UserID: by}
	if _, err := s.InstallComponent(ctx, full, install); err == nil || err.Error() != want {
		t.Errorf("one more: %v", err)
	}
	all := shoptest.Must(s.ComponentsOfSerial(ctx, full))
	shoptest.Must(s.RemoveComponent(ctx, full, all[len(all)-1].ID, shop.RemoveComponentInput{Reason: shoptest.Given("loose"), UserID: by}))
	shoptest.Must(s.InstallComponent(ctx, full, install))
	if _, err := batch("none"); err == nil {
		t.Error("one more than after the removal")
	}
}

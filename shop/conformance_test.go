package shop_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// conformingShop returns a shop with completed units of a job of the customer Meyer.
func conformingShop(t *testing.T, quantity int) (*shoptest.Shop, card.Path, []string) {
	t.Helper()
	s := shoptest.Open(t)
	job := shoptest.Must(s.CreateJob(t.Context(), conformingJob("Meyer", "Bracket", quantity)))
	path := shoptest.Must(s.CreatePath(t.Context(), shop.CreatePathInput{
		JobID: shoptest.Given(job.ID), Name: shoptest.Given("Main"), GoalQuantity: shoptest.Number(9), Steps: shoptest.StepsCalled("Mill"),
	}))
	units := s.Units(t, path, float64(quantity))
	completeAll(t, s, units...)
	return s, path, units
}

func conformingJob(customer, name string, quantity int) (in shop.CreateJobInput) {
	in.Name, in.GoalQuantity, in.Customer = shoptest.Given(name), shoptest.Number(float64(quantity)), shoptest.Given(customer)
	return in
}

func completeAll(t *testing.T, s *shoptest.Shop, units ...string) {
	t.Helper()
	done := shoptest.Must(s.BatchAdvance(t.Context(), shop.BatchAdvanceInput{
		BatchInput: shop.BatchInput{Selection: listedUnits(units...)}, AdvanceSerialInput: shop.AdvanceSerialInput{UserID: shoptest.Given("ann")},
	}))
	if done.Changed != len(units) {
		t.Fatalf("%d of %d units are completed", done.Changed, len(units))
	}
}

func certificateFor(units ...string) shop.IssueConformanceInput {
	return shop.IssueConformanceInput{
		Selection: listedUnits(units...), Customer: shoptest.Given("Meyer"), OrderNumber: shoptest.Given("PO-7"), UserID: shoptest.Given("quinn"),
	}
}

func again(in shop.IssueConformanceInput) shop.ReissueConformanceInput {
	return shop.ReissueConformanceInput{IssueConformanceInput: in, Reason: shoptest.Given("Another box")}
}

// textOf returns the text of the PDF with a digest.
func textOf(t *testing.T, s *shoptest.Shop, digest string) string {
	t.Helper()
	_, content, err := s.Keeper.Open(t.Context(), digest)
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	document, err := io.ReadAll(content)
	if err != nil {
		t.Fatal(err)
	}
	read := exec.CommandContext(t.Context(), "pdftotext", "-layout", "-", "-")
	read.Stdin = bytes.NewReader(document)
	text, err := read.Output()
	if err != nil {
		t.Fatalf("pdftotext (package poppler-utils): %v", err)
	}
	return strings.Join(strings.Fields(string(text)), " ")
}

func says(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A certificate says what is inside the units, what was decided about them, which steps they left out, and which certificates they have.
func TestConformanceSaysWhatIsInside(t *testing.T) {
	t.Parallel()
	s, path, units := conformingShop(t, 1)
	ctx, by, inner := t.Context(), shoptest.Given("ann"), units[0]
	outer := s.Units(t, path, 1)[0]
	lot := shoptest.Must(s.CreateLot(ctx, shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{
			Material: shoptest.Given("Seal"), HeatNumber: shoptest.Given("H-88"), CertificateRequired: input.Given(true),
		},
		ExpiresOn: shoptest.Given("2031-05-06"), UserID: by,
	}))
	shoptest.Must(s.InstallComponent(ctx, outer, shop.InstallComponentInput{ComponentSerialID: shoptest.Given(inner), UserID: by}))
	shoptest.Must(s.InstallComponent(ctx, outer, shop.InstallComponentInput{LotID: shoptest.Given(lot.ID), UserID: by}))
	completeAll(t, s, outer)
	issue := func() (shop.Conformance, error) { return s.IssueConformance(ctx, certificateFor(outer)) }
	_, err := issue()
	says(t, err, "Lot "+lot.LotNumber+" has no certificate")
	certificate := shoptest.Must(s.CreateCertificate(ctx, shop.CreateCertificateInput{
		Type: shoptest.Given("material"), Name: shoptest.Given("Test report"), Number: shoptest.Given("M-17"),
	}))
	shoptest.Must(s.AttachLotCertificate(ctx, lot.ID, shop.AttachLotCertificateInput{CertID: shoptest.Given(certificate.ID), UserID: by}))
	held := shoptest.Must(s.HoldSerial(ctx, inner, shop.HoldSerialInput{Reason: shoptest.Given("burr"), UserID: by}))
	_, err = issue()
	says(t, err, inner+" is on hold: burr")
	shoptest.Must(s.ReleaseSerial(ctx, inner, shop.ReleaseSerialInput{HoldID: shoptest.Given(held.ID), Reason: by, UserID: by}))
	report := shoptest.Must(s.OpenNonconformance(ctx, shop.OpenNonconformanceInput{
		Title: shoptest.Given("Scratch"), Severity: shoptest.Given("minor"), Selection: listedUnits(inner), UserID: by,
	}))
	_, err = issue()
	says(t, err, inner+" is on "+report.ID+" without a disposition")
	shoptest.Must(s.DisposeNonconformance(ctx, report.ID, shop.DispositionInput{
		SerialIDs: input.GivenTexts(inner), Disposition: shoptest.Given("use_as_is"), Reason: by, Concession: shoptest.Given("W-5"), UserID: by,
	}))
	made := shoptest.Must(issue())
	text := textOf(t, s, made.SHA256)
	for _, want := range []string{
		outer, lot.LotNumber + " (heat H-88)", "Test report M-17", "6 May 2031", report.ID + ", use as is (" + inner + ")", "W-5 (" + inner + ")",
		"Not signed electronically", "quinn",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the certificate does not say %q:\n%s", want, text)
		}
	}
	on := shoptest.Must(s.ConformancesOfUnit(ctx, outer))
	if len(on) != 1 || on[0].ID != made.ID || on[0].SHA256 != made.SHA256 || on[0].Status != shop.ConformanceIssued {
		t.Errorf("the unit is on %+v", on)
	}
}

// A unit that lost a part of its bill after it was completed is neither certified nor delivered, also if it is on a certificate already.
func TestUnitWithoutItsPartsIsNotCertified(t *testing.T) {
	t.Parallel()
	s, path, units := conformingShop(t, 1)
	ctx, by := t.Context(), shoptest.Given("ann")
	bill := shoptest.Must(s.CreateBOM(ctx, shop.CreateBOMInput{
		Name: shoptest.Given("Bracket"), ChangedBy: by,
		Entries: input.Given([]input.Input[shop.BOMEntryInput]{input.Given(shop.BOMEntryInput{
			PartType: shoptest.Given("Seal"), RequiredQuantityPerBuild: shoptest.Number(1),
		})}),
	}))
	shoptest.Must(s.SetPathBOM(ctx, path.ID, shop.SetPathBOMInput{BOMID: shoptest.Given(bill.ID), UserID: by}))
	lot := shoptest.Must(s.CreateLot(ctx, shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{Material: shoptest.Given("Seal"), PartNumber: shoptest.Given("Seal")}, UserID: by,
	}))
	unit := s.Units(t, path, 1)[0]
	part := shoptest.Must(s.InstallComponent(ctx, unit, shop.InstallComponentInput{LotID: shoptest.Given(lot.ID), UserID: by}))
	completeAll(t, s, unit)
	shoptest.Must(s.IssueConformance(ctx, certificateFor(unit)))
	shoptest.Must(s.RemoveComponent(ctx, unit, part.ID, shop.RemoveComponentInput{Reason: by, UserID: by}))
	_, err := s.IssueConformance(ctx, certificateFor(unit)) // although it is on a certificate already
	says(t, err, unit+" misses Seal")
	_, err = s.IssueConformance(ctx, certificateFor(units[0], unit))
	says(t, err, unit+" misses Seal")
	_, err = s.CreateShipment(ctx, shop.CreateShipmentInput{
		Kind: shoptest.Given("customer"), Customer: shoptest.Given("Meyer"), Selection: listedUnits(unit), UserID: by,
	})
	says(t, err, unit+" misses Seal")
}

// Of many clients that issue certificates for the same unit at once, one succeeds.
func TestUnitIsOnOneConformance(t *testing.T) {
	t.Parallel()
	s, _, units := conformingShop(t, 6)
	const clients = 6
	var issued sync.Map
	var callers sync.WaitGroup
	for client := range clients {
		callers.Go(func() {
			made, err := s.IssueConformance(t.Context(), certificateFor(units[client], units[(client+1)%clients], units[0]))
			if err == nil {
				issued.Store(made.ID, true)
			} else if !refusedFor(err, shop.OnConformance) {
				t.Error(err)
			}
		})
	}
	callers.Wait()
	count := 0
	for range issued.Range {
		count++
	}
	if on := shoptest.Must(s.ConformancesOfUnit(t.Context(), units[0])); count != 1 || len(on) != 1 {
		t.Errorf("%d certificates were issued, and the unit is on %d", count, len(on))
	}
}

// A unit that is scrapped after the units were listed is not certified, and nothing else is. A new revision leaves it out.
func TestScrappedUnitIsNotCertified(t *testing.T) {
	t.Parallel()
	s, path, units := conformingShop(t, 2)
	ctx, by := t.Context(), shoptest.Given("ann")
	made := shoptest.Must(s.IssueConformance(ctx, certificateFor(units...)))
	scrap := shop.ScrapSerialInput{Reason: shoptest.Given("out_of_tolerance"), UserID: by}
	shoptest.Must(s.ReworkSerial(ctx, units[0], shop.ReworkSerialInput{TargetStepIndex: shoptest.Number(0), Reason: by, UserID: by}))
	shoptest.Must(s.ScrapSerial(ctx, units[0], scrap))
	_, err := s.ReissueConformance(ctx, made.ID, again(certificateFor(units...)))
	says(t, err, units[0]+" is scrapped")
	if found := shoptest.Must(s.Conformance(ctx, made.ID)); found.Revision != 1 || found.SHA256 != made.SHA256 {
		t.Errorf("a refused revision changed the certificate: %+v", found)
	}
	second := shoptest.Must(s.ReissueConformance(ctx, made.ID, again(certificateFor(units[1]))))
	if second.Revision != 2 || second.Units != 1 || len(second.Revisions) != 2 || second.Revisions[0].Status != shop.ConformanceSuperseded {
		t.Errorf("the second revision is %+v", second)
	}
	text := textOf(t, s, second.SHA256)
	if !strings.Contains(text, "Another box") || strings.Contains(text, units[0]) {
		t.Errorf("the second revision says:\n%s", text)
	}
	if first := textOf(t, s, made.SHA256); !strings.Contains(first, units[0]) {
		t.Errorf("the first revision says:\n%s", first)
	}

	// The list and the certificate see one state: units that are scrapped meanwhile change the size of the selection.
	more := s.Units(t, path, 40)
	completeAll(t, s, more...)
	var callers sync.WaitGroup
	callers.Go(func() {
		for _, unit := range more[:20] {
			_, err := s.ReworkSerial(ctx, unit, shop.ReworkSerialInput{TargetStepIndex: shoptest.Number(0), Reason: by, UserID: by})
			if err == nil {
				_, err = s.ScrapSerial(ctx, unit, scrap)
			}
			if err != nil {
				t.Error(err)
			}
		}
	})
	callers.Go(func() {
		in := certificateFor()
		in.Selection = shop.SelectionInput{
			Where:         input.Given(shop.FilterInput{PathID: shoptest.Given(path.ID), Status: shoptest.Given("completed")}),
			ExpectedCount: shoptest.Number(41),
		}
		_, err := s.IssueConformance(ctx, in)
		if !refusedFor(err, shop.OnConformance, refusal.SelectionCount, shop.DecideScrapped, refusal.SelectionLeft) || err == nil {
			t.Errorf("a certificate of other units: %v", err)
		}
	})
	callers.Wait()
}

// A request that is sent twice with a key issues one certificate. Sent twice without a key, the second is refused.
func TestConformanceIsIssuedOnce(t *testing.T) {
	t.Parallel()
	s, _, units := conformingShop(t, 2)
	ctx := t.Context()
	keyed := func() (made shop.Conformance) {
		if err := s.Once(ctx, card.Once{Key: "k", Fingerprint: "f"}, func(ctx context.Context) (err error) {
			made, err = s.IssueConformance(ctx, certificateFor(units[0]))
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return made
	}
	first := keyed()
	s.Tick()
	if second := keyed(); second.ID != first.ID || second.SHA256 != first.SHA256 || second.IssuedAt != first.IssuedAt {
		t.Errorf("the repeat returned %+v, want %+v", second, first)
	}
	_, err := s.IssueConformance(ctx, certificateFor(units[0]))
	says(t, err, units[0]+" is on "+first.ID+" already")
	if page := shoptest.Must(s.Conformances(ctx, shop.ConformanceQuery{})); len(page.Items) != 1 {
		t.Errorf("%d certificates were issued", len(page.Items))
	}
}

// A certificate has the name of the user who releases it, also if the request has the identifier of the user.
func TestConformanceNamesTheReleaser(t *testing.T) {
	t.Parallel()
	s, _, units := conformingShop(t, 1)
	user := shoptest.Must(s.CreateUser(t.Context(), shop.CreateUserInput{Name: shoptest.Given("Quinn Quality")}))
	in := certificateFor(units...)
	in.UserID = shoptest.Given(user.ID)
	made := shoptest.Must(s.IssueConformance(t.Context(), in))
	if text := textOf(t, s, made.SHA256); !strings.Contains(text, "Released by Quinn Quality, ") || strings.Contains(text, user.ID) {
		t.Errorf("the certificate says:\n%s", text)
	}
}

// A certificate for units of jobs of several customers names only its own customer.
func TestConformanceNamesOneCustomer(t *testing.T) {
	t.Parallel()
	s, _, units := conformingShop(t, 1)
	other := shoptest.Must(s.CreateJob(t.Context(), conformingJob("Rival Industries", "Bracket", 1)))
	path := shoptest.Must(s.CreatePath(t.Context(), shop.CreatePathInput{
		JobID: shoptest.Given(other.ID), Name: shoptest.Given("Main"), GoalQuantity: shoptest.Number(9), Steps: shoptest.StepsCalled("Mill"),
	}))
	units = append(units, s.Units(t, path, 1)...)
	completeAll(t, s, units[1])
	made := shoptest.Must(s.IssueConformance(t.Context(), certificateFor(units...)))
	text := textOf(t, s, made.SHA256)
	if !strings.Contains(text, "Meyer") || strings.Contains(text, "Rival") || len(made.Lines) != 2 {
		t.Errorf("the certificate of %d lines says:\n%s", len(made.Lines), text)
	}
}

// Ten thousand units are certified at once, and each is on the PDF.
func TestLargeConformance(t *testing.T) {
	t.Parallel()
	const quantity = 10_000
	s, path, units := conformingShop(t, quantity)
	in := certificateFor()
	in.Selection = shop.SelectionInput{
		Where: input.Given(shop.FilterInput{PathID: shoptest.Given(path.ID)}), ExpectedCount: shoptest.Number(quantity),
	}
	made := shoptest.Must(s.IssueConformance(t.Context(), in))
	text := textOf(t, s, made.SHA256)
	for _, unit := range units {
		if !strings.Contains(text, unit) {
			t.Fatalf("%s is not on the certificate of %d units", unit, made.Units)
		}
	}
	if listed := shoptest.Collect(s.UnitsOfConformance(t.Context(), made.ID)); len(listed) != quantity {
		t.Errorf("%d units are listed", len(listed))
	}
}

// The PDF is never removed as an unattached file, and backups copy it.
func TestConformanceIsKept(t *testing.T) {
	t.Parallel()
	s, _, units := conformingShop(t, 1)
	made := shoptest.Must(s.IssueConformance(t.Context(), certificateFor(units[0])))
	s.Clock.Add(3 * shop.UnattachedFor.Milliseconds())
	if err := s.Keeper.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	textOf(t, s, made.SHA256)
	kept := slices.IndexFunc(shoptest.Collect(s.KeptFiles(t.Context())), func(f shop.File) bool { return f.SHA256 == made.SHA256 })
	if kept < 0 {
		t.Error("backups do not copy the certificate")
	}
}

// Certificates follow from what was done, in any order: a unit is on one issued certificate at most, the newest revision is issued or
// withdrawn, each revision keeps its PDF, and the records follow from the trail.
func TestConformancesFollowFromTheTrail(t *testing.T) {
	t.Parallel()
	s, _, units := conformingShop(t, 5)
	ctx, by := t.Context(), shoptest.Given("quinn")
	digests := map[string]string{}
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.SliceOfNDistinct(rapid.SampledFrom(units), 1, 3, rapid.ID[string]).Draw(t, "units")
		id := shop.ConformanceID(rapid.Int64Range(1, 6).Draw(t, "certificate"))
		var err error
		switch rapid.IntRange(0, 3).Draw(t, "action") {
		case 0:
			_, err = s.IssueConformance(ctx, certificateFor(some...))
		case 1:
			_, err = s.ReissueConformance(ctx, id, again(certificateFor(some...)))
		case 2:
			_, err = s.WithdrawConformance(ctx, id, shop.WithdrawConformanceInput{Reason: by, UserID: by})
		default:
			if _, err = s.ReworkSerial(ctx, some[0], shop.ReworkSerialInput{TargetStepIndex: shoptest.Number(0), Reason: by, UserID: by}); err == nil {
				_, err = s.AdvanceSerial(ctx, some[0], shop.AdvanceSerialInput{UserID: by})
			}
		}
		if refused, ok := errors.AsType[*refusal.Error](err); err != nil && (!ok || refused.Kind != refusal.NotFound) &&
			!refusedFor(err, shop.OnConformance, shop.ConformanceNotIssued) {
			t.Fatal(err)
		}
		s.Tick()
		open := map[string]string{}
		for _, unit := range units {
			for _, on := range shoptest.Must(s.ConformancesOfUnit(ctx, unit)) {
				key := shop.ConformanceIssueKey(on.ID, on.Revision)
				if known := digests[key]; known != "" && known != on.SHA256 {
					t.Fatalf("%s changed its document", key)
				}
				digests[key] = on.SHA256
				if on.Status == shop.ConformanceIssued {
					at := unit + " " + string(rune('0'+on.Pass))
					if open[at] != "" {
						t.Fatalf("%s is on %s and %s", at, open[at], on.ID)
					}
					open[at] = on.ID
				}
			}
		}
		for _, one := range shoptest.Must(s.Conformances(ctx, shop.ConformanceQuery{})).Items {
			for i, revision := range one.Revisions {
				if revision.Revision != i+1 || (i < len(one.Revisions)-1) != (revision.Status == shop.ConformanceSuperseded) {
					t.Fatalf("%s has the revisions %+v", one.ID, one.Revisions)
				}
			}
		}
	})
	if differences := shoptest.RecordsFound(t, s.Store); len(differences) > 0 {
		t.Errorf("the records differ from the trail: %v", differences)
	}
}

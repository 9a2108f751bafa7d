package shop_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/firstarticle"
	"github.com/routecard/routecard/shop/input"
)

// inspected is a shop with a path of two steps. A bore is measured and a finish is checked at the first step, and the second is plated
// outside. Both units have all that a first article needs.
type inspected struct {
	*shoptest.Shop
	path  card.Path
	units []string
}

var ann = shoptest.Given("ann")

func openInspected(t *testing.T) *inspected {
	t.Helper()
	s, ctx := shoptest.Open(t), t.Context()
	order := shop.CreateJobInput{Name: shoptest.Given("Bracket"), GoalQuantity: shoptest.Number(9)}
	order.PartNumber, order.PartRevision = shoptest.Given("BR-7"), shoptest.Given("C")
	order.Description, order.OrderNumber = shoptest.Given("Bracket, left"), shoptest.Given("PO-1")
	order.DrawingNumber, order.DrawingRevision = shoptest.Given("D-7"), shoptest.Given("C1")
	job := shoptest.Must(s.CreateJob(ctx, order))
	path := shoptest.Must(s.CreatePath(ctx, shop.CreatePathInput{
		JobID: shoptest.Given(job.ID), Name: shoptest.Given("Main"), GoalQuantity: shoptest.Number(9), Steps: shoptest.StepsCalled("Mill", "Plate"),
	}))
	shoptest.Must(s.SetOrganization(ctx, shop.OrganizationInput{
		Name: shoptest.Given("Meyer"), Address: shoptest.Given("Ulm"), Lang: shoptest.Given("en"), SupplierCode: shoptest.Given("M1"),
	}))
	bore, finish := shoptest.Between("12.490", "12.510"), shop.CharacteristicInput{Type: shoptest.Given("pass_fail"), Requirement: shoptest.Given("Ra 0.8")}
	bore.Nominal, bore.Unit, bore.Designator = input.Given(input.Written("12.500")), shoptest.Given("mm"), shoptest.Given("key")
	shoptest.Must(s.SetCharacteristics(ctx, path.Steps[0].ID, shop.SetCharacteristicsInput{
		Characteristics: shoptest.Characteristics(bore, finish), UserID: ann,
	}))
	units := s.Units(t, path, 2)
	lot := shoptest.Must(s.CreateLot(ctx, shop.CreateLotInput{LotFieldsInput: shop.LotFieldsInput{
		Material: shoptest.Given("6082 bar"), Specification: shoptest.Given("EN 573"), Supplier: shoptest.Given("Metals Ltd"),
	}, CertIDs: input.GivenTexts(shoptest.Must(s.CreateCertificate(ctx, shop.CreateCertificateInput{
		Type: shoptest.Given("material"), Name: shoptest.Given("3.1"), Number: shoptest.Given("C-88"),
	})).ID), UserID: ann}))
	for _, unit := range units {
		shoptest.Must(s.InstallComponent(ctx, unit, shop.InstallComponentInput{LotID: shoptest.Given(lot.ID), UserID: ann}))
		shoptest.Must(s.RecordMeasurements(ctx, unit, shoptest.Measured(ann, "1", "12.501", "2", "pass")))
	}
	return &inspected{s, path, units}
}

func (i *inspected) create(t *testing.T, change func(*shop.CreateFirstArticleInput)) (shop.FirstArticle, error) {
	t.Helper()
	in := shop.CreateFirstArticleInput{
		SerialIDs: input.GivenTexts(i.units[0]), Kind: shoptest.Given("full"), Reason: shoptest.Given("new part"), UserID: ann,
	}
	if change != nil {
		change(&in)
	}
	return i.CreateFirstArticle(t.Context(), i.path.ID, in)
}

func (i *inspected) put(t *testing.T, id, fields string) (shop.FirstArticle, error) {
	t.Helper()
	return i.UpdateFirstArticle(t.Context(), id, shop.UpdateFirstArticleInput{Fields: input.Given(json.RawMessage(fields)), UserID: ann})
}

func (i *inspected) verify(t *testing.T, id, by string) (shop.FirstArticle, error) {
	t.Helper()
	return i.VerifyFirstArticle(t.Context(), id, shop.ActOnFirstArticleInput{UserID: shoptest.Given(by)})
}

func (i *inspected) approve(t *testing.T, id, by string) (shop.FirstArticle, error) {
	t.Helper()
	return i.ApproveFirstArticle(t.Context(), id, shop.ActOnFirstArticleInput{UserID: shoptest.Given(by)})
}

// approved returns an approved first article of the first unit.
func (i *inspected) approved(t *testing.T) shop.FirstArticle {
	t.Helper()
	made := shoptest.Must(i.create(t, nil))
	shoptest.Must(i.verify(t, made.ID, "vera"))
	return shoptest.Must(i.approve(t, made.ID, "paul"))
}

// fieldText returns the text of a field, with a mark if it was typed.
func fieldText(f shop.FirstArticle, name string) string {
	for i := range f.Fields {
		if field := &f.Fields[i]; field.Name() == name {
			if field.Typed {
				return field.Text + " (typed)"
			}
			return field.Text
		}
	}
	return ""
}

func expectRefusal(t *testing.T, err error, message string) {
	t.Helper()
	if refused := shoptest.Refused(err); refused == nil || refused.Message != message {
		t.Errorf("refused as %v, want %q", refused, message)
	}
}

func TestFirstArticleFromRecords(t *testing.T) {
	t.Parallel()
	i := openInspected(t)
	made := shoptest.Must(i.create(t, func(in *shop.CreateFirstArticleInput) { in.SerialIDs = input.GivenTexts(i.units[1], i.units[0]) }))
	if made.ID != "FAI-00001" || made.Status != shop.FirstArticleDraft || len(made.Missing) != 0 {
		t.Fatalf("made %+v", made)
	}
	for name, want := range map[string]string{
		"1.1": "BR-7", "1.2": "Bracket, left", "1.3": "SN-00001, SN-00002", "1.4": "FAI-00001", "1.5": "C", "1.6": "D-7", "1.7": "C1",
		"1.8": "N/A", "1.9": "Main", "1.10": "Meyer", "1.11": "M1", "1.12": "PO-1", "1.13": "Detail",
		"1.14": "Full first article. Reason: new part", "1.19": "No",
		"2.1.5": "6082 bar", "2.1.6": "EN 573", "2.1.8": "Metals Ltd", "2.1.9": "N/A", "2.1.10": "C-88", "2.2.5": "",
		"3.1.5": "1", "3.1.7": "Key", "3.1.8": "12.500 (12.490 to 12.510) mm", "3.1.9": "SN-00001: 12.501; SN-00002: 12.501",
		"3.2.8": "Ra 0.8", "3.2.9": "SN-00001: Accepted; SN-00002: Accepted", "3.3.5": "",
	} {
		if got := fieldText(made, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestFirstArticleRefusals(t *testing.T) {
	t.Parallel()
	i := openInspected(t)
	other := shoptest.Must(i.CreatePath(t.Context(), shop.CreatePathInput{
		JobID: shoptest.Given(i.path.JobID), Name: shoptest.Given("Other"), GoalQuantity: shoptest.Number(1), Steps: shoptest.StepsCalled("Saw"),
	}))
	foreign := i.Units(t, other, 1)[0]
	draft := shoptest.Must(i.create(t, nil))
	approved := i.approved(t)
	for message, change := range map[string]func(*shop.CreateFirstArticleInput){
		"serialIds must have at least one item": func(in *shop.CreateFirstArticleInput) { in.SerialIDs = input.GivenTexts() },
		"serialIds must have at most 20 items":  func(in *shop.CreateFirstArticleInput) { in.SerialIDs = input.GivenTexts(slices.Repeat(i.units, 11)...) },
		i.units[0] + " is listed more than once": func(in *shop.CreateFirstArticleInput) {
			in.SerialIDs = input.GivenTexts(i.units[0], i.units[0])
		},
		"kind must be one of: full, partial": func(in *shop.CreateFirstArticleInput) { in.Kind = input.TextInput{} },
		"reason is required":                 func(in *shop.CreateFirstArticleInput) { in.Reason = shoptest.Given(" ") },
		"baseline is required":               func(in *shop.CreateFirstArticleInput) { in.Kind = shoptest.Given("partial") },
		"characteristics is required": func(in *shop.CreateFirstArticleInput) {
			in.Kind, in.Baseline = shoptest.Given("partial"), shoptest.Given("theirs")
		},
		"characteristics is only for a partial first article": func(in *shop.CreateFirstArticleInput) {
			in.Characteristics = input.GivenTexts("1")
		},
		"Serial not found: SN-09999":                   func(in *shop.CreateFirstArticleInput) { in.SerialIDs = input.GivenTexts("SN-09999") },
		foreign + " is not on this path":               func(in *shop.CreateFirstArticleInput) { in.SerialIDs = input.GivenTexts(foreign) },
		"FirstArticle not found: FAI-09999":            func(in *shop.CreateFirstArticleInput) { in.Baseline = shoptest.Given("FAI-09999") },
		draft.ID + " is not an approved first article": func(in *shop.CreateFirstArticleInput) { in.Baseline = shoptest.Given(draft.ID) },
		"Characteristic 99 is not on this path": func(in *shop.CreateFirstArticleInput) {
			in.Kind, in.Baseline, in.Characteristics = shoptest.Given("partial"), shoptest.Given(approved.ID), input.GivenTexts("99")
		},
		"userId is required": func(in *shop.CreateFirstArticleInput) { in.UserID = input.TextInput{} },
	} {
		_, err := i.create(t, change)
		expectRefusal(t, err, message)
	}
	ctx := t.Context()
	lever := shop.CreateJobInput{Name: shoptest.Given("Lever"), GoalQuantity: shoptest.Number(1)}
	lever.PartNumber = shoptest.Given("LV-1")
	path := shoptest.Must(i.CreatePath(ctx, shop.CreatePathInput{
		JobID: shoptest.Given(shoptest.Must(i.CreateJob(ctx, lever)).ID), Name: shoptest.Given("Main"), GoalQuantity: shoptest.Number(1),
		Steps: shoptest.StepsCalled("Saw"),
	}))
	_, err := i.CreateFirstArticle(ctx, path.ID, shop.CreateFirstArticleInput{
		SerialIDs: input.GivenTexts(i.Units(t, path, 1)...), Kind: shoptest.Given("full"), Reason: shoptest.Given("r"),
		Baseline: shoptest.Given(approved.ID), UserID: ann,
	})
	expectRefusal(t, err, approved.ID+" is a first article of BR-7")
	shoptest.Must(i.ScrapSerial(ctx, i.units[1], shop.ScrapSerialInput{Reason: shoptest.Given("damaged"), UserID: ann}))
	_, err = i.create(t, func(in *shop.CreateFirstArticleInput) { in.SerialIDs = input.GivenTexts(i.units...) })
	expectRefusal(t, err, i.units[1]+" is scrapped")
}

func TestTypedFields(t *testing.T) {
	t.Parallel()
	i := openInspected(t)
	made := shoptest.Must(i.create(t, nil))
	for fields, message := range map[string]string{
		`{"1.99": "x"}`:             "fields.1.99 is not a field of this first article",
		`{"2.9.9": "x"}`:            "fields.2.9.9 is not a field of this first article",
		`{"01.8": "x"}`:             "fields.01.8 is not a field of this first article",
		`{"1.1": "x"}`:              "fields.1.1 is filled from records",
		`{"3.1.9": "12.5"}`:         "fields.3.1.9 is filled from records",
		`{"3.1.10": "caliper"}`:     "fields.3.1.10 is not a field of this first article", // the gauge is not tooling
		`{"1.8": 7}`:                "fields.1.8 must be a string",
		`{"1.8": "x", "1.20": "y"}`: "fields.1.20 is not a field of this first article",
	} {
		_, err := i.put(t, made.ID, fields)
		expectRefusal(t, err, message)
	}
	typed := shoptest.Must(i.put(t, made.ID, `{"1.8": " rework of edge ", "3.2.10": "T-14", "3.1.6": "B4"}`))
	for name, want := range map[string]string{"1.8": "rework of edge (typed)", "3.2.10": "T-14 (typed)", "3.1.6": "B4 (typed)"} {
		if got := fieldText(typed, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	typed = shoptest.Must(i.put(t, made.ID, `{"1.8": null}`))
	if got := fieldText(typed, "1.8"); got != "N/A" {
		t.Errorf("1.8 is %q", got)
	}
	// A characteristic before the row appears: the typed text stays with its characteristic.
	bore, finish := shoptest.Between("12.490", "12.510"), shop.CharacteristicInput{Type: shoptest.Given("pass_fail")}
	first := shop.CharacteristicInput{Number: input.Given(input.Written("0")), Type: shoptest.Given("text")}
	bore.Number, finish.Number = input.Given(input.Written("1")), input.Given(input.Written("2"))
	shoptest.Must(i.SetCharacteristics(t.Context(), i.path.Steps[0].ID, shop.SetCharacteristicsInput{
		Characteristics: shoptest.Characteristics(first, bore, finish), UserID: ann,
	}))
	now := shoptest.Must(i.FirstArticle(t.Context(), made.ID))
	if got := fieldText(now, "3.3.10"); got != "T-14 (typed)" {
		t.Errorf("the tooling of characteristic 2 is %q", got)
	}
	if !slices.Equal(now.Missing, []firstarticle.Missing{{Form: 3, Row: 1, Field: 9}}) {
		t.Errorf("missing is %v", now.Missing)
	}
	_, err := i.verify(t, made.ID, "vera")
	expectRefusal(t, err, "First article is incomplete: 3.1.9")
}

func TestVerifierDoesNotApprove(t *testing.T) {
	t.Parallel()
	i := openInspected(t)
	made := shoptest.Must(i.create(t, nil))
	_, err := i.approve(t, made.ID, "paul")
	expectRefusal(t, err, "First article is draft")
	verified := shoptest.Must(i.verify(t, made.ID, "Vera Müller"))
	_, file, err := i.Keeper.Open(t.Context(), verified.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	kept := string(shoptest.Must(io.ReadAll(file)))
	if shoptest.Digest(kept) != verified.SHA256 || !strings.Contains(kept, `"text": "12.501"`) {
		t.Errorf("the frozen content is %s", kept)
	}
	for _, same := range []string{"Vera Müller", "vera müller", " VERA  MÜLLER ", "Vera\u00a0Müller"} {
		_, err := i.approve(t, made.ID, same)
		expectRefusal(t, err, "The approver must be somebody else")
	}
	_, err = i.verify(t, made.ID, "paul")
	expectRefusal(t, err, "First article is verified")
	_, err = i.put(t, made.ID, `{"1.8": "x"}`)
	expectRefusal(t, err, "First article is verified")
	customer := shop.CustomerApprovalInput{Name: shoptest.Given("Airframe Co"), ApprovedOn: shoptest.Given("2026-02-03"), UserID: ann}
	_, err = i.RecordCustomerApproval(t.Context(), made.ID, customer)
	expectRefusal(t, err, "First article is verified")
	approved := shoptest.Must(i.approve(t, made.ID, "paul"))
	if fieldText(approved, "1.20") != "Vera Müller" || fieldText(approved, "1.22") != "paul" || fieldText(approved, "1.23") != "2026-01-31" {
		t.Errorf("signed off as %v", approved.Fields)
	}
	_, err = i.ReopenFirstArticle(t.Context(), made.ID, shop.VoidInput{Reason: ann, UserID: ann})
	expectRefusal(t, err, "First article is approved")
	with := shoptest.Must(i.RecordCustomerApproval(t.Context(), made.ID, customer))
	if fieldText(with, "1.24") != "Airframe Co" || fieldText(with, "1.25") != "2026-02-03" {
		t.Errorf("approved by the customer as %v", with.Customer)
	}
	_, err = i.RecordCustomerApproval(t.Context(), made.ID, customer)
	expectRefusal(t, err, "First article was already approved by Airframe Co")
}

// The forms keep the names that the verifier and the approver had when they signed off. A reopened first article has the name of its next
// verification.
func TestSignOffKeepsTheNamesOfItsTime(t *testing.T) {
	t.Parallel()
	i, ctx := openInspected(t), t.Context()
	person := func(name string) string {
		t.Helper()
		i.Tick()
		return shoptest.Must(i.CreateUser(ctx, shop.CreateUserInput{Name: shoptest.Given(name)})).ID
	}
	vera, paul := person("Vera Klein"), person("Paul Roth")
	rename := func(id, name string) {
		t.Helper()
		i.Tick()
		shoptest.Must(i.UpdateUser(ctx, id, shop.UpdateUserInput{Name: shoptest.Given(name)}))
	}
	shows := func(id, verifier, approver string) {
		t.Helper()
		i.Tick()
		found := shoptest.Must(i.FirstArticle(ctx, id))
		if got := [2]string{fieldText(found, "1.20"), fieldText(found, "1.22")}; got != [2]string{verifier, approver} {
			t.Errorf("signed off by %q", got)
		}
	}
	made := shoptest.Must(i.create(t, nil))
	shoptest.Must(i.verify(t, made.ID, vera))
	rename(vera, "Vera Groß")
	shows(made.ID, "Vera Klein", "")
	shoptest.Must(i.ReopenFirstArticle(ctx, made.ID, shop.VoidInput{Reason: ann, UserID: ann}))
	shows(made.ID, "", "")
	shoptest.Must(i.verify(t, made.ID, vera))
	shoptest.Must(i.approve(t, made.ID, paul))
	rename(vera, "Vera Klein")
	rename(paul, "Paul Braun")
	rename(paul, "Paul Roth-Braun")
	shows(made.ID, "Vera Groß", "Paul Roth")
}

func TestReopenedFirstArticle(t *testing.T) {
	t.Parallel()
	i := openInspected(t)
	made := shoptest.Must(i.create(t, nil))
	in := shop.VoidInput{Reason: shoptest.Given("typo"), UserID: ann}
	_, err := i.ReopenFirstArticle(t.Context(), made.ID, in)
	expectRefusal(t, err, "First article is draft")
	shoptest.Must(i.verify(t, made.ID, "vera"))
	reopened := shoptest.Must(i.ReopenFirstArticle(t.Context(), made.ID, in))
	if reopened.Status != shop.FirstArticleDraft || reopened.VerifiedBy != "" || reopened.SHA256 != "" {
		t.Errorf("reopened as %+v", reopened)
	}
	shoptest.Must(i.put(t, made.ID, `{"1.26": "checked twice"}`))
	shoptest.Must(i.verify(t, made.ID, "vera"))
	voided := shoptest.Must(i.VoidFirstArticle(t.Context(), made.ID, in))
	if !voided.Voided() {
		t.Error("not voided")
	}
	_, err = i.approve(t, made.ID, "paul")
	expectRefusal(t, err, "FirstArticle is already voided")
}

func TestFirstArticleChangedSince(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(i *inspected) bool{
		"nothing": func(*inspected) bool { return false },
		"another unit": func(i *inspected) bool {
			shoptest.Must(i.RecordMeasurements(t.Context(), i.units[1], shoptest.Measured(ann, "1", "12.509")))
			return false
		},
		"another reading": func(i *inspected) bool {
			shoptest.Must(i.RecordMeasurements(context.Background(), i.units[0], shoptest.Measured(ann, "1", "12.509")))
			return true
		},
		"scrapped": func(i *inspected) bool {
			shoptest.Must(i.ScrapSerial(context.Background(), i.units[0], shop.ScrapSerialInput{Reason: shoptest.Given("damaged"), UserID: ann}))
			return true
		},
		"characteristic removed": func(i *inspected) bool {
			shoptest.Must(i.SetCharacteristics(context.Background(), i.path.Steps[0].ID, shop.SetCharacteristicsInput{
				Characteristics: shoptest.Characteristics(), UserID: ann,
			}))
			return true
		},
		"report": func(i *inspected) bool {
			shoptest.Must(i.OpenNonconformance(context.Background(), shop.OpenNonconformanceInput{
				Title: ann, Severity: shoptest.Given("minor"), Selection: listedUnits(i.units[0]), UserID: ann,
			}))
			return true
		},
		"another name of the shop": func(i *inspected) bool {
			shoptest.Must(i.SetOrganization(context.Background(), shop.OrganizationInput{Name: ann, Address: ann, Lang: shoptest.Given("en")}))
			return false
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := openInspected(t)
			before := i.approved(t)
			if before.ChangedSince != 0 {
				t.Errorf("changed since %v", before.ChangedSince)
			}
			at := i.Tick()
			changed := change(i)
			after := shoptest.Must(i.FirstArticle(t.Context(), before.ID))
			if got := after.ChangedSince == at; got != changed || !changed && after.ChangedSince != 0 {
				t.Errorf("changed since %v, the change was at %v", after.ChangedSince, at)
			}
			if !slices.Equal(before.Fields, after.Fields) {
				t.Error("the approved fields changed")
			}
		})
	}
}

func TestUndecidedUnitIsNotVerified(t *testing.T) {
	t.Parallel()
	i, ctx := openInspected(t), t.Context()
	made := shoptest.Must(i.create(t, nil))
	report := shoptest.Must(i.OpenNonconformance(ctx, shop.OpenNonconformanceInput{
		Title: ann, Severity: shoptest.Given("minor"), Selection: listedUnits(i.units[0]), UserID: ann,
	}))
	_, err := i.verify(t, made.ID, "vera")
	expectRefusal(t, err, i.units[0]+" is on NCR-00001 without a disposition")
	shoptest.Must(i.DisposeNonconformance(ctx, report.ID, shop.DispositionInput{
		SerialIDs: input.GivenTexts(i.units[0]), Disposition: shoptest.Given("use_as_is"), Reason: ann, Concession: ann, UserID: ann,
	}))
	verified := shoptest.Must(i.verify(t, made.ID, "vera"))
	if got := fieldText(verified, "1.19"); got != "Yes: NCR-00001" {
		t.Errorf("1.19 is %q", got)
	}
	second := shoptest.Must(i.create(t, func(in *shop.CreateFirstArticleInput) { in.SerialIDs = input.GivenTexts(i.units[1]) }))
	shoptest.Must(i.ScrapSerial(ctx, i.units[1], shop.ScrapSerialInput{Reason: shoptest.Given("damaged"), UserID: ann}))
	_, err = i.verify(t, second.ID, "vera")
	expectRefusal(t, err, i.units[1]+" is scrapped")
}

// A partial first article has only its characteristics, also one that the path has no more.
func TestPartialFirstArticle(t *testing.T) {
	t.Parallel()
	i := openInspected(t)
	baseline := i.approved(t)
	made := shoptest.Must(i.create(t, func(in *shop.CreateFirstArticleInput) {
		in.Kind, in.Baseline, in.Characteristics = shoptest.Given("partial"), shoptest.Given(baseline.ID), input.GivenTexts("1", "1")
	}))
	if fieldText(made, "3.1.5") != "1" || fieldText(made, "3.2.5") != "" || !slices.Equal(made.Characteristics, []string{"1"}) {
		t.Errorf("form 3 has %v", made.Fields)
	}
	if want := "Partial first article, baseline FAI-00001. Reason: new part"; fieldText(made, "1.14") != want {
		t.Errorf("1.14 is %q", fieldText(made, "1.14"))
	}
	shoptest.Must(i.SetCharacteristics(t.Context(), i.path.Steps[0].ID, shop.SetCharacteristicsInput{
		Characteristics: shoptest.Characteristics(), UserID: ann,
	}))
	now := shoptest.Must(i.FirstArticle(t.Context(), made.ID))
	if fieldText(now, "3.1.9") != "12.501" || fieldText(now, "3.1.8") != "12.500 (12.490 to 12.510) mm" || len(now.Missing) != 0 {
		t.Errorf("form 3 has %v, missing %v", now.Fields, now.Missing)
	}
}

// Of two who approve at once one does, and a verification and a reading at once agree: the verified content has recorded readings.
func TestFirstArticlesAtOnce(t *testing.T) {
	t.Parallel()
	i, ctx := openInspected(t), t.Context()
	for range 5 {
		made := shoptest.Must(i.create(t, nil))
		var callers sync.WaitGroup
		callers.Go(func() { shoptest.Must(i.verify(t, made.ID, "vera")) })
		callers.Go(func() { shoptest.Must(i.RecordMeasurements(ctx, i.units[0], shoptest.Measured(ann, "1", "12.505"))) })
		callers.Wait()
		results := make([]error, 2)
		for n, by := range []string{"paul", "petra"} {
			callers.Go(func() { _, results[n] = i.approve(t, made.ID, by) })
		}
		callers.Wait()
		if (results[0] == nil) == (results[1] == nil) {
			t.Errorf("approved as %v", results)
		}
		expectRefusal(t, errors.Join(results...), "First article is approved")
	}
}

func TestFirstArticleDue(t *testing.T) {
	t.Parallel()
	i, ctx := openInspected(t), t.Context()
	due := func() shop.FirstArticleDue { return shoptest.Must(i.FirstArticleDue(ctx, i.path.JobID)) }
	if got := due(); !got.Missing || got.Lapsed {
		t.Errorf("before: %+v", got)
	}
	i.approved(t)
	if got := due(); got.Missing || got.Lapsed {
		t.Errorf("approved: %+v", got)
	}
	i.Clock.Add(729 * 24 * 3600 * 1000)
	if got := due(); got.Lapsed {
		t.Errorf("after 729 days: %+v", got)
	}
	i.Clock.Add(2 * 24 * 3600 * 1000)
	if got := due(); !got.Lapsed {
		t.Errorf("after two years: %+v", got)
	}
	again := shoptest.Must(i.CreatePath(ctx, shop.CreatePathInput{
		JobID: shoptest.Given(i.path.JobID), Name: shoptest.Given("Again"), GoalQuantity: shoptest.Number(1), Steps: shoptest.StepsCalled("Mill"),
	}))
	i.Units(t, again, 1) // production begins again, and needs a new first article
	if got := due(); !got.Lapsed {
		t.Errorf("produced again: %+v", got)
	}
	shoptest.Must(i.put(t, shoptest.Must(i.create(t, nil)).ID, `{"1.8": "x"}`))
	shoptest.Must(i.verify(t, "FAI-00002", "vera"))
	shoptest.Must(i.approve(t, "FAI-00002", "paul"))
	if got := due(); got.Missing || got.Lapsed {
		t.Errorf("approved again: %+v", got)
	}
}

// A certificate of conformance names the approved first article of the part and revision.
func TestConformanceNamesTheFirstArticle(t *testing.T) {
	t.Parallel()
	i := openInspected(t)
	approved, unit := i.approved(t), i.units[1]
	for range i.path.Steps {
		shoptest.Must(i.AdvanceSerial(t.Context(), unit, shop.AdvanceSerialInput{UserID: ann}))
	}
	made, err := i.IssueConformance(t.Context(), certificateFor(unit))
	if err != nil {
		t.Fatal(err)
	}
	if text := textOf(t, i.Shop, made.SHA256); !strings.Contains(text, approved.ID) {
		t.Errorf("the certificate does not name %s:\n%s", approved.ID, text)
	}
}

// The forms have the names of the people who verified and approved, not the identifiers of their users.
func TestFirstArticleNamesItsPeople(t *testing.T) {
	t.Parallel()
	i := openInspected(t)
	vera := shoptest.Must(i.CreateUser(t.Context(), shop.CreateUserInput{Name: shoptest.Given("Vera Meyer")}))
	made := shoptest.Must(i.create(t, nil))
	shoptest.Must(i.verify(t, made.ID, vera.ID))
	approved := shoptest.Must(i.approve(t, made.ID, "quinn"))
	if by, and := fieldText(approved, "1.20"), fieldText(approved, "1.22"); by != "Vera Meyer" || and != "quinn" {
		t.Errorf("verified by %q, approved by %q", by, and)
	}
}

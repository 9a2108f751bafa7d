package shoptest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// Quality is a shop with reports of nonconformances and voided records.
type Quality struct {
	*Shop
	testing.TB
	Units []string
	Note  shop.Note
	Cert  shop.Attachment
}

// OpenQuality returns a shop with reports in each state, units with each disposition, a voided note and a voided attachment.
func OpenQuality(t *testing.T) *Quality {
	t.Helper()
	q := &Quality{Shop: Open(t), TB: t}
	ctx, by := t.Context(), Given("ann")
	steps := make([]input.Input[shop.StepInput], 3)
	for i, name := range []string{"Turn", "Grind", "Test"} {
		steps[i] = input.Given(shop.StepInput{Name: Given(name)})
	}
	job := Must(q.CreateJob(ctx, shop.CreateJobInput{Name: Given("Bracket"), GoalQuantity: Number(8)}))
	var paths []card.Path
	for range 2 {
		path := Must(q.CreatePath(ctx, shop.CreatePathInput{
			JobID: Given(job.ID), Name: Given("Main"), GoalQuantity: Number(8), Steps: input.Given(steps),
		}))
		Must(q.CreateSerials(ctx, shop.CreateSerialsInput{
			JobID: Given(job.ID), PathID: Given(path.ID), Quantity: Number(4), UserID: by,
		}))
		paths = append(paths, path)
	}
	for n := range int64(8) {
		q.Units = append(q.Units, ident.DefaultPrefix.SerialID(n+1))
		q.Tick()
		Must(q.AdvanceSerial(ctx, q.Units[n], shop.AdvanceSerialInput{UserID: by}))
	}
	some := func(first, last int) shop.SelectionInput {
		return shop.SelectionInput{SerialIDs: input.GivenTexts(q.Units[first:last]...)}
	}
	// Found at a step that the second path does not have.
	report := Must(q.OpenNonconformance(ctx, shop.OpenNonconformanceInput{
		Title: Given("Seat too small"), Description: Given("Found at <the> test"), Severity: Given("major"), Selection: some(0, 3),
		StepID: Given(paths[0].Steps[2].ID), Hold: input.Given(true), UserID: by,
	}))
	q.Tick()
	Must(q.AddToNonconformance(ctx, report.ID, shop.AddToNonconformanceInput{Selection: some(3, 6), UserID: by}))
	dispose := func(disposition string, serials shop.SelectionInput) {
		q.Tick()
		Must(q.DisposeNonconformance(ctx, report.ID, shop.DispositionInput{
			SerialIDs: serials.SerialIDs, Disposition: Given(disposition), Reason: Given("as " + disposition),
			Concession: Given("customer"), TargetStepIndex: Number(0), UserID: Given("eve"),
		}))
	}
	dispose("use_as_is", some(0, 1))
	dispose("rework", some(1, 2))
	dispose("scrap", some(2, 5))
	trail := Collect(q.AuditOfSerial(ctx, q.Units[3]))
	q.Tick()
	Must(q.Undo(ctx, q.Units[3], shop.UndoInput{
		EntryID: Given(trail[len(trail)-1].ID), Reason: Given("not that one"), UserID: Given("eve"),
	}))
	dispose("return_to_supplier", some(3, 4)) // replaces the scrap
	q.Tick()
	// The second report has all units that are at its step, and is closed.
	second := Must(q.OpenNonconformance(ctx, shop.OpenNonconformanceInput{
		Title: Given("Wrong heat"), Severity: Given("minor"), Selection: some(6, 8), UserID: by,
	}))
	q.Tick()
	Must(q.AdvanceSerial(ctx, q.Units[6], shop.AdvanceSerialInput{UserID: by}))
	Must(q.DisposeNonconformance(ctx, second.ID, shop.DispositionInput{
		SerialIDs: some(6, 8).SerialIDs, Disposition: Given("use_as_is"), Reason: Given("fits"), Concession: Given("c"), UserID: by,
	}))
	q.Tick()
	Must(q.CloseNonconformance(ctx, second.ID, shop.CloseNonconformanceInput{Summary: Given("nothing wrong"), UserID: by}))
	Must(q.OpenNonconformance(ctx, shop.OpenNonconformanceInput{Title: Given("No units"), Severity: Given("critical"), UserID: by}))

	for range 2 {
		q.Note = Must(q.CreateNote(ctx, shop.CreateNoteInput{
			JobID: Given(job.ID), PathID: Given(paths[0].ID), StepID: Given(paths[0].Steps[0].ID),
			SerialIDs: input.GivenTexts(q.Units[0]), Text: Given("burr"), UserID: by,
		}))
	}
	Must(q.VoidNote(ctx, q.Note.ID, shop.VoidInput{Reason: Given("wrong unit"), UserID: by}))
	certificate := Must(q.CreateCertificate(ctx, shop.CreateCertificateInput{Type: Given("material"), Name: Given("3.1")}))
	for _, unit := range []string{q.Units[7], q.Units[6]} {
		q.Cert = Must(q.AttachCertificate(ctx, unit, shop.AttachCertificateInput{CertID: Given(certificate.ID), UserID: by}))
	}
	Must(q.VoidAttachment(ctx, q.Cert.ID, shop.VoidInput{Reason: Given("another heat"), UserID: by}))
	return q
}

// Content is the content of the file that OpenEverything attaches.
const Content = "content"

// Digest returns the SHA-256 of a text.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// OpenEverything returns a shop with rows in every table that is compared with the trail.
func OpenEverything(t *testing.T) *Quality {
	t.Helper()
	q := OpenQuality(t)
	ctx, by := t.Context(), Given("ann")
	job := Must(q.CreateJob(ctx, shop.CreateJobInput{Name: Given("Lever"), GoalQuantity: Number(3)}))
	Must(q.UpdateJob(ctx, job.ID, shop.UpdateJobInput{Name: Given("Long lever"), GoalQuantity: Number(4)}))
	steps := func(names ...string) shop.StepsInput {
		var inputs []input.Input[shop.StepInput]
		for _, name := range names {
			inputs = append(inputs, input.Given(shop.StepInput{Name: Given(name), Location: Given("Hall 2")}))
		}
		return input.Given(inputs)
	}
	path := Must(q.CreatePath(ctx, shop.CreatePathInput{
		JobID: Given(job.ID), Name: Given("Main"), GoalQuantity: Number(4), Steps: steps("Saw", "Turn"),
	}))
	path = Must(q.UpdatePath(ctx, path.ID, shop.UpdatePathInput{
		Name: Given("First"), GoalQuantity: Number(5), Steps: steps("Saw", "Turn", "Mill"),
	}))
	Must(q.UpdateAdvancementMode(ctx, path.ID, Given("flexible"), by))
	user := Must(q.CreateUser(ctx, shop.CreateUserInput{Name: Given("Otto")}))
	Must(q.AssignStep(ctx, path.Steps[1].ID, shop.AssignStepInput{UserID: Given(user.ID)}))
	Must(q.ConfigureStep(ctx, path.Steps[2].ID, shop.ConfigureStepInput{Optional: input.Given(true)}))
	spare := Must(q.CreatePath(ctx, shop.CreatePathInput{
		JobID: Given(job.ID), Name: Given("Spare"), GoalQuantity: Number(1), Steps: steps("Saw"),
	}))
	if err := q.DeletePath(ctx, spare.ID, by); err != nil {
		t.Fatal(err)
	}
	made := Must(q.CreateSerials(ctx, shop.CreateSerialsInput{
		JobID: Given(job.ID), PathID: Given(path.ID), Quantity: Number(3), UserID: by,
	}))
	prefix := ident.DefaultPrefix
	first, second, third := prefix.SerialID(made.First), prefix.SerialID(made.First+1), prefix.SerialID(made.First+2)
	Must(q.CreateOverrides(ctx, first, shop.CreateOverridesInput{
		SerialIDs: input.GivenTexts(first), StepID: Given(path.Steps[1].ID), Reason: Given("customer"), UserID: by,
	}))
	Must(q.AdvanceToStep(ctx, first, shop.AdvanceToStepInput{TargetStepIndex: Number(2), UserID: by}))
	for _, number := range []string{"L-1", "L-2"} {
		Must(q.SetSerialNumber(ctx, third, shop.SetSerialNumberInput{
			SerialNumber: Given(number), Reason: Given("misread"), UserID: by,
		}))
	}
	lot := Must(q.CreateLot(ctx, shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{Material: Given("Bar")}, Quantity: input.Given[input.Written]("12.50"), Unit: Given("m"),
		CertIDs: input.GivenTexts(q.Cert.CertificateID), HoldReason: Given("soft"), UserID: by,
	}))
	Must(q.SplitLot(ctx, lot.ID, shop.SplitLotInput{Quantity: input.Given[input.Written]("2"), UserID: by}))
	file := shop.File{SHA256: Digest(Content), Size: int64(len(Content)), Type: "text/plain"}
	if err := q.ExpectFile(ctx, file); err != nil {
		t.Fatal(err)
	}
	Must(q.KeepFile(ctx, file.SHA256))
	for _, on := range []shop.FileSubject{{Kind: shop.RecordSerial, ID: first}, {Kind: shop.RecordJob, ID: job.ID}} {
		link := Must(q.AttachFile(ctx, on, shop.AttachFileInput{
			SHA256: Given(file.SHA256), Name: Given("a.txt"), Kind: Given("other"),
			Note: Given("as drawn"), UserID: by,
		}))
		if on.Kind == shop.RecordJob {
			Must(q.VoidFileLink(ctx, link.ID, shop.VoidInput{Reason: Given("another job"), UserID: by}))
		}
	}
	Must(q.ForceComplete(ctx, second, shop.ForceCompleteInput{UserID: by, Reason: Given("sent as it is")}))
	Must(q.CreateOverrides(ctx, second, shop.CreateOverridesInput{ // the override is reversed, so that the card does not have it
		SerialIDs: input.GivenTexts(third), StepID: Given(path.Steps[2].ID), Reason: Given("trial"), UserID: by,
	}))
	if err := q.ReverseOverride(ctx, third, path.Steps[2].ID, by); err != nil {
		t.Fatal(err)
	}
	lines := func(part string) shop.BOMEntriesInput {
		return input.Given([]input.Input[shop.BOMEntryInput]{input.Given(shop.BOMEntryInput{
			PartType: Given(part), RequiredQuantityPerBuild: Number(2), ContributingJobIDs: input.GivenTexts(job.ID),
		})})
	}
	bom := Must(q.CreateBOM(ctx, shop.CreateBOMInput{Name: Given("Pump"), Entries: lines("lever")}))
	for _, part := range []string{"short lever", "long lever"} {
		Must(q.EditBOM(ctx, bom.ID, shop.EditBOMInput{
			Entries: lines(part), ChangeDescription: Given("another " + part), UserID: by,
		}))
		Must(q.UpdateBOM(ctx, bom.ID, shop.UpdateBOMInput{Name: Given("Pump with " + part)}))
	}
	Must(q.SetPathBOM(ctx, path.ID, shop.SetPathBOMInput{BOMID: Given(bom.ID), UserID: by}))
	Must(q.SetRequirements(ctx, path.Steps[0].ID, shop.SetRequirementsInput{
		RequirementsInput: shop.RequirementsInput{FunctionalTest: input.Given(shop.FunctionalTestInput{Procedure: Given("LT-7")})},
		UserID:            by,
	}))
	Must(q.SetRequirements(ctx, path.Steps[0].ID, shop.SetRequirementsInput{
		RequirementsInput: shop.RequirementsInput{Outside: input.Given(shop.OutsideInput{Process: Given("Plate")})}, UserID: by,
	}))
	shipment := Must(q.CreateShipment(ctx, shop.CreateShipmentInput{
		Supplier: Given("Plating Ltd"), Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(third)}, UserID: by,
	}))
	receive := shop.ReceiveShipmentInput{
		Received: input.Given(shop.SelectionInput{SerialIDs: input.GivenTexts(third)}),
		CertIDs:  input.GivenTexts(q.Cert.CertificateID), UserID: by,
	}
	receipt := Must(q.ReceiveShipment(ctx, shipment.ID, receive))
	Must(q.VoidReceipt(ctx, shipment.ID, receipt.ID, shop.VoidInput{Reason: Given("another box"), UserID: by}))
	Must(q.ReceiveShipment(ctx, shipment.ID, receive))
	Must(q.SetRequirements(ctx, path.Steps[0].ID, shop.SetRequirementsInput{UserID: by}))
	template := Must(q.CreateTemplate(ctx, shop.CreateTemplateInput{Name: Given("Lever"), Steps: shop.TemplateSteps(steps("Saw", "Turn"))}))
	Must(q.UpdateTemplate(ctx, template.ID, shop.UpdateTemplateInput{Name: Given("Levers")}))
	gone := Must(q.CreateTemplate(ctx, shop.CreateTemplateInput{Name: Given("Old"), Steps: shop.TemplateSteps(steps("Saw"))}))
	if err := q.DeleteTemplate(ctx, gone.ID, by); err != nil {
		t.Fatal(err)
	}
	sampled := Between("1.0", "2.0")
	sampled.Sample = Given("1 of 1")
	set := Must(q.SetCharacteristics(ctx, path.Steps[0].ID, shop.SetCharacteristicsInput{
		Characteristics: Characteristics(sampled), UserID: by,
	}))
	reading := Must(q.RecordMeasurements(ctx, third, Measured(by, "1", "1.50")))[0]
	Must(q.VoidMeasurement(ctx, reading.ID, shop.VoidInput{Reason: Given("warm"), UserID: by}))
	for _, value := range []input.Written{"1.51", "1.52"} {
		pass := Must(q.RecordMeasurements(ctx, third, Measured(by, "1", value)))[0]
		if value == "1.51" {
			Must(q.ReworkSerial(ctx, third, shop.ReworkSerialInput{TargetStepIndex: Number(0), Reason: by, UserID: by}))
			continue
		}
		Must(q.FreezeLimits(ctx, set.Characteristics[0].ID, shop.BaselineInput{
			From: Given("2000-01-01T00:00:00Z"), To: Given(pass.MeasuredAt.String()), Reason: Given("study"), UserID: by,
		}))
	}
	for _, kind := range []string{"full", "full"} {
		article := Must(q.CreateFirstArticle(ctx, path.ID, shop.CreateFirstArticleInput{
			SerialIDs: input.GivenTexts(third), Kind: Given(kind), Reason: Given("new part"), UserID: by,
		}))
		Must(q.UpdateFirstArticle(ctx, article.ID, shop.UpdateFirstArticleInput{
			Fields: input.Given(json.RawMessage(`{"1.8": "none"}`)), UserID: by,
		}))
		if article.ID == shop.FirstArticleID(1) {
			Must(q.VoidFirstArticle(ctx, article.ID, shop.VoidInput{Reason: Given("another unit"), UserID: by}))
		}
	}
	Must(q.UpdateUser(ctx, user.ID, shop.UpdateUserInput{Department: Given("Hall 2")}))
	Must(q.CreateCertificate(ctx, shop.CreateCertificateInput{
		Type: Given("material"), Name: Given("3.1"), Metadata: input.Given(json.RawMessage(`{"heat": "88213"}`)),
	}))
	q.certify(t, by)
	return q
}

// certify issues a certificate of conformance for new units, a new revision of it, and another one that it withdraws.
func (q *Quality) certify(t *testing.T, by input.TextInput) {
	t.Helper()
	units := q.Shop.Units(t, q.Route(t, "flexible", "Mill"), 2)
	issue := func(unit string) shop.IssueConformanceInput {
		return shop.IssueConformanceInput{
			Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(unit)}, Customer: Given("Meyer"), OrderNumber: Given("PO-7"),
			UserID: by,
		}
	}
	for _, unit := range units {
		Must(q.AdvanceSerial(t.Context(), unit, shop.AdvanceSerialInput{UserID: by}))
	}
	made := Must(q.IssueConformance(t.Context(), issue(units[0])))
	Must(q.ReissueConformance(t.Context(), made.ID, shop.ReissueConformanceInput{
		IssueConformanceInput: issue(units[0]), Reason: Given("order"),
	}))
	made = Must(q.IssueConformance(t.Context(), issue(units[1])))
	Must(q.WithdrawConformance(t.Context(), made.ID, shop.WithdrawConformanceInput{Reason: Given("recalled"), UserID: by}))
}

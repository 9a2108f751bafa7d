package shop_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
)

// attempt is an operation with its input and its error.
type attempt struct {
	what string
	err  error
}

// try returns a function that takes the results of an operation.
func try(operation string, in any) func(any, error) attempt {
	return func(_ any, err error) attempt { return attempt{fmt.Sprintf("%s %+v", operation, in), err} }
}

// TestRefusals covers the error tables of the contract, operation by operation and in the order of checks (docs/api/requests.md, "The order
// of checks"). The request of each row also has every error that is checked later.
func TestRefusals(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	l := newLine(t, "strict", "preferred", "preferred")
	mistyped := input.Mistyped[string]()
	none, wrong := input.TextInput{}, shoptest.Given("wrong")
	job, path, serial := l.path.JobID, l.path.ID, l.serial
	shoptest.Must(l.CreateLibraryEntry(ctx, shop.Processes, shoptest.Given(" Mill ")))
	shoptest.Must(l.CreateLibraryEntry(ctx, shop.Locations, shoptest.Given("Bay 4")))
	bom := shoptest.Must(l.CreateBOM(ctx, shop.CreateBOMInput{Name: shoptest.Given("Gearbox"), Entries: shoptest.EntriesOf("shaft")})).ID
	shoptest.Must(l.AttachCertificate(ctx, serial, shop.AttachCertificateInput{CertID: shoptest.Given(l.cert), UserID: shoptest.Given("bob")}))

	createJob := func(in shop.CreateJobInput) attempt { return try("CreateJob", in)(l.CreateJob(ctx, in)) }
	updateJob := func(id string, in shop.UpdateJobInput) attempt {
		return try("UpdateJob "+id, in)(l.UpdateJob(ctx, id, in))
	}
	createPath := func(in shop.CreatePathInput) attempt { return try("CreatePath", in)(l.CreatePath(ctx, in)) }
	updatePath := func(id string, in shop.UpdatePathInput) attempt {
		return try("UpdatePath "+id, in)(l.UpdatePath(ctx, id, in))
	}
	setMode := func(id string, mode input.TextInput) attempt {
		return try("UpdateAdvancementMode "+id, mode)(l.UpdateAdvancementMode(ctx, id, mode, none))
	}
	create := func(in shop.CreateSerialsInput) attempt { return try("CreateSerials", in)(l.CreateSerials(ctx, in)) }
	scrap := func(in shop.ScrapSerialInput) attempt { return try("ScrapSerial", in)(l.ScrapSerial(ctx, serial, in)) }
	batch := func(in shop.BatchAttachInput) attempt {
		return try("BatchAttachCertificate", in)(l.BatchAttachCertificate(ctx, in))
	}
	attach := func(in shop.AttachCertificateInput) attempt {
		return try("AttachCertificate", in)(l.AttachCertificate(ctx, serial, in))
	}
	certificate := func(in shop.CreateCertificateInput) attempt {
		return try("CreateCertificate", in)(l.CreateCertificate(ctx, in))
	}
	note := func(in shop.CreateNoteInput) attempt { return try("CreateNote", in)(l.CreateNote(ctx, in)) }
	createBOM := func(in shop.CreateBOMInput) attempt { return try("CreateBOM", in)(l.CreateBOM(ctx, in)) }
	updateBOM := func(id string, in shop.UpdateBOMInput) attempt {
		return try("UpdateBOM "+id, in)(l.UpdateBOM(ctx, id, in))
	}
	editBOM := func(id string, in shop.EditBOMInput) attempt { return try("EditBOM "+id, in)(l.EditBOM(ctx, id, in)) }
	library := func(which shop.Library, name input.TextInput) attempt {
		return try(fmt.Sprintf("CreateLibraryEntry %v", which), name)(l.CreateLibraryEntry(ctx, which, name))
	}
	deleteEntry := func(which shop.Library, id string) attempt {
		return try("DeleteLibraryEntry", id)(nil, l.DeleteLibraryEntry(ctx, which, id))
	}
	deletePath := func(id string) attempt { return try("DeletePath", id)(nil, l.DeletePath(ctx, id, none)) }
	steps := func(names ...string) shop.StepsInput {
		inputs := make([]input.Input[shop.StepInput], 0, len(names))
		for _, name := range names {
			inputs = append(inputs, input.Given(shop.StepInput{Name: shoptest.Given(name)}))
		}
		return input.Given(inputs)
	}
	one, zero, name := shoptest.Number(1), shoptest.Number(0), shoptest.Given("Bracket")
	noTexts, noEntries := input.GivenTexts(), shoptest.EntriesOf()
	tooLong := shoptest.Given(strings.Repeat("é", 501))

	for _, test := range []struct {
		attempt
		want refusedAs
	}{
		{createJob(shop.CreateJobInput{}), bad("name is required")},
		{createJob(shop.CreateJobInput{Name: shoptest.Given(" ")}), bad("name is required")},
		{createJob(shop.CreateJobInput{Name: mistyped}), bad("name must be a string")},
		{createJob(shop.CreateJobInput{Name: tooLong}), bad("name is too long")},
		{createJob(shop.CreateJobInput{Name: name}), bad("goalQuantity is required")},
		{createJob(shop.CreateJobInput{Name: name, GoalQuantity: zero, TicketKey: mistyped}), bad("goalQuantity must be greater than 0")},
		{createJob(shop.CreateJobInput{Name: name, GoalQuantity: input.Mistyped[float64]()}), bad("goalQuantity must be a number")},
		{createJob(shop.CreateJobInput{Name: name, GoalQuantity: one, EpicLink: mistyped}), bad("trackerEpicLink must be a string")},
		{createJob(shop.CreateJobInput{Name: name, GoalQuantity: one, Labels: input.GivenTexts("a", "")}), bad("trackerLabels[1] is required")},
		{updateJob("job_9", shop.UpdateJobInput{Name: shoptest.Given("")}), unknown("Job not found: job_9")},
		{updateJob(job, shop.UpdateJobInput{Name: shoptest.Given(""), GoalQuantity: zero}), bad("name cannot be empty")},
		{updateJob(job, shop.UpdateJobInput{Name: input.Null[string]()}), bad("name cannot be empty")},
		{updateJob(job, shop.UpdateJobInput{GoalQuantity: shoptest.Number(-1)}), bad("goalQuantity must be greater than 0")},
		{updateJob(job, shop.UpdateJobInput{GoalQuantity: input.Null[float64]()}), bad("goalQuantity must be a number")},

		{createPath(shop.CreatePathInput{}), bad("name is required")},
		{createPath(shop.CreatePathInput{Name: name}), bad("goalQuantity is required")},
		{createPath(shop.CreatePathInput{Name: name, GoalQuantity: zero}), bad("goalQuantity must be greater than 0")},
		{createPath(shop.CreatePathInput{Name: name, GoalQuantity: one}), bad("steps is required")},
		{createPath(shop.CreatePathInput{Name: name, GoalQuantity: one, Steps: steps()}), bad("steps is required")},
		{createPath(shop.CreatePathInput{Name: name, GoalQuantity: one, Steps: steps("mill", " "), AdvancementMode: wrong}), bad("steps[1].name is required")},
		{createPath(shop.CreatePathInput{Name: name, GoalQuantity: one, Steps: steps("mill"), AdvancementMode: wrong}), bad("advancementMode must be one of: strict, flexible, per_step")},
		{createPath(shop.CreatePathInput{Name: name, GoalQuantity: one, Steps: steps("mill")}), bad("jobId is required")},
		{createPath(shop.CreatePathInput{Name: name, GoalQuantity: one, Steps: steps("mill"), JobID: wrong}), unknown("Job not found: wrong")},
		{updatePath("path_9", shop.UpdatePathInput{Name: shoptest.Given("")}), unknown("Path not found: path_9")},
		{updatePath(path, shop.UpdatePathInput{Name: shoptest.Given(" "), GoalQuantity: zero}), bad("name is required")},
		{updatePath(path, shop.UpdatePathInput{GoalQuantity: zero, Steps: steps()}), bad("goalQuantity must be greater than 0")},
		{updatePath(path, shop.UpdatePathInput{Steps: steps(), AdvancementMode: wrong}), bad("steps is required")},
		{updatePath(path, shop.UpdatePathInput{Name: shoptest.Given("New"), Steps: steps("mill")}), bad("Cannot remove step because it has associated data (certificates, notes, part statuses, or overrides). Remove the associated data first, or keep the step.")},
		{deletePath("path_9"), unknown("Path not found: path_9")},
		{deletePath(path), bad("Cannot delete path with serial numbers attached")},
		{setMode("path_9", none), unknown("Path not found: path_9")},
		{setMode(path, none), bad("advancementMode is required")},
		{setMode(path, wrong), bad("advancementMode must be one of: strict, flexible, per_step")},

		{create(shop.CreateSerialsInput{}), bad("jobId is required")},
		{create(shop.CreateSerialsInput{JobID: wrong}), bad("pathId is required")},
		{create(shop.CreateSerialsInput{JobID: wrong, PathID: wrong}), bad("quantity is required")},
		{create(shop.CreateSerialsInput{JobID: wrong, PathID: wrong, Quantity: zero}), bad("quantity must be greater than 0")},
		{create(shop.CreateSerialsInput{JobID: wrong, PathID: wrong, Quantity: shoptest.Number(100_001)}), bad("quantity must be at most 100000")},
		{create(shop.CreateSerialsInput{JobID: wrong, PathID: wrong, Quantity: shoptest.Number(1.5)}), bad("quantity must be an integer")},
		{create(shop.CreateSerialsInput{JobID: wrong, PathID: wrong, Quantity: one, UserID: mistyped}), bad("userId must be a string")},
		{create(shop.CreateSerialsInput{JobID: wrong, PathID: wrong, Quantity: one}), unknown("Path not found: wrong")},
		{create(shop.CreateSerialsInput{JobID: wrong, PathID: shoptest.Given(path), Quantity: one, CertID: wrong}), bad("Path %s does not belong to job wrong", path)},
		{create(shop.CreateSerialsInput{JobID: shoptest.Given(job), PathID: shoptest.Given(path), Quantity: one, CertID: wrong}), unknown("Certificate not found: wrong")},

		{scrap(shop.ScrapSerialInput{Explanation: mistyped}), bad("Scrap reason is required")},
		{scrap(shop.ScrapSerialInput{Reason: wrong, Explanation: mistyped}), bad("reason must be one of: out_of_tolerance, process_defect, damaged, operator_error, other")},
		{scrap(shop.ScrapSerialInput{Reason: shoptest.Given("other")}), bad(`Explanation is required when scrap reason is "other"`)},
		{scrap(shop.ScrapSerialInput{Reason: shoptest.Given("other"), Explanation: shoptest.Given(" ")}), bad(`Explanation is required when scrap reason is "other"`)},
		{scrap(shop.ScrapSerialInput{Reason: shoptest.Given("other"), Explanation: name}), bad("userId is required")},

		{certificate(shop.CreateCertificateInput{}), bad("type must be one of: material, process")},
		{certificate(shop.CreateCertificateInput{Type: mistyped}), bad("type must be one of: material, process")},
		{certificate(shop.CreateCertificateInput{Type: shoptest.Given("process")}), bad("name is required")},
		{attach(shop.AttachCertificateInput{}), bad("certId is required")},
		{attach(shop.AttachCertificateInput{CertID: wrong}), bad("userId is required")},
		{attach(shop.AttachCertificateInput{CertID: wrong, UserID: name}), unknown("Certificate not found: wrong")},
		{batch(shop.BatchAttachInput{}), bad("certId is required")},
		{batch(shop.BatchAttachInput{CertID: wrong}), bad("serialIds must have at least one item")},
		{batch(shop.BatchAttachInput{CertID: wrong, SerialIDs: noTexts}), bad("serialIds must have at least one item")},
		{batch(shop.BatchAttachInput{CertID: wrong, SerialIDs: input.GivenTexts("a")}), bad("userId is required")},
		{batch(shop.BatchAttachInput{CertID: wrong, SerialIDs: input.GivenTexts("a"), UserID: name}), unknown("Certificate not found: wrong")},

		{note(shop.CreateNoteInput{}), bad("text is required")},
		{note(shop.CreateNoteInput{Text: shoptest.Given(" \n")}), bad("text is required")},
		{note(shop.CreateNoteInput{Text: name}), bad("serialIds is required")},
		{note(shop.CreateNoteInput{Text: name, SerialIDs: noTexts}), bad("serialIds is required")},
		{note(shop.CreateNoteInput{Text: name, SerialIDs: input.GivenTexts("a")}), bad("jobId is required")},
		{note(shop.CreateNoteInput{Text: name, SerialIDs: input.GivenTexts("a"), JobID: wrong}), bad("pathId is required")},
		{note(shop.CreateNoteInput{Text: name, SerialIDs: input.GivenTexts("a"), JobID: wrong, PathID: wrong}), bad("stepId is required")},
		{note(shop.CreateNoteInput{Text: name, SerialIDs: input.GivenTexts("a"), JobID: wrong, PathID: wrong, StepID: wrong}), bad("userId is required")},

		{createBOM(shop.CreateBOMInput{}), bad("name is required")},
		{createBOM(shop.CreateBOMInput{Name: name}), bad("entries must have at least one item")},
		{createBOM(shop.CreateBOMInput{Name: name, Entries: noEntries}), bad("entries must have at least one item")},
		{createBOM(shop.CreateBOMInput{Name: name, Entries: shoptest.EntriesOf("")}), bad("entries[0].partType is required")},
		{updateBOM("bom_9", shop.UpdateBOMInput{Name: none}), unknown("BOM not found: bom_9")},
		{updateBOM(bom, shop.UpdateBOMInput{Name: input.Null[string](), Entries: noEntries}), bad("name is required")},
		{updateBOM(bom, shop.UpdateBOMInput{Entries: noEntries}), bad("entries must have at least one item")},
		{editBOM("bom_9", shop.EditBOMInput{}), unknown("BOM not found: bom_9")},
		{editBOM(bom, shop.EditBOMInput{}), bad("entries must have at least one item")},
		{editBOM(bom, shop.EditBOMInput{Entries: shoptest.EntriesOf("shaft")}), bad("changeDescription is required")},
		{editBOM(bom, shop.EditBOMInput{Entries: shoptest.EntriesOf("shaft"), ChangeDescription: name}), bad("userId is required")},

		{library(shop.Processes, none), bad("name is required")},
		{library(shop.Processes, shoptest.Given("\t")), bad("name is required")},
		{library(shop.Processes, shoptest.Given("Mill\n")), bad("Process name already exists")},
		{library(shop.Locations, shoptest.Given("Bay 4")), bad("Location name already exists")},
		{library(shop.Processes, shoptest.Given("mill")), nil},
		{library(shop.Locations, shoptest.Given("Mill")), nil},
		{deleteEntry(shop.Processes, "plib_9"), unknown("ProcessLibraryEntry not found: plib_9")},
		{deleteEntry(shop.Locations, "lloc_9"), unknown("LocationLibraryEntry not found: lloc_9")},
	} {
		if diff := cmp.Diff(test.want, shoptest.Refused(test.err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.what, diff)
		}
	}

	// Refused operations left the serial, the path and the trail unchanged.
	if got, want := l.state(), "in_progress 0 in_progress pending"; got != want {
		t.Errorf("the serial is %s, want %s", got, want)
	}
	if diff := cmp.Diff(l.path, shoptest.Must(l.Path(ctx, path)).Path); diff != "" {
		t.Errorf("the path (-before +after):\n%s", diff)
	}
	var entries []trail.Action
	for _, entry := range shoptest.Collect(l.AuditEntries(ctx, shop.NoLimit, 0)) {
		entries = append(entries, entry.Action)
	}
	if diff := cmp.Diff([]trail.Action{
		shop.ActionCertAttached, shop.ActionBOMCreated, shop.ActionCertificateCreated, card.ActionSerialCreated,
		shop.ActionPathCreated, shop.ActionJobCreated,
	}, entries); diff != "" {
		t.Errorf("the trail has more than what was set up (-want +got):\n%s", diff)
	}
}

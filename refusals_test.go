package routecard_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard"
)

// TestRefusals goes through the error tables of the contract and of the decisions, operation by operation and in the
// order of checks (R13): each row has everything wrong that is judged after what it is about.
func TestRefusals(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	l := newLine(t, "strict", "preferred", "preferred")
	mistyped := routecard.Mistyped[string]()
	none, wrong := routecard.TextInput{}, given("wrong")
	job, path, serial := l.path.JobID, l.path.ID, l.serial
	must(l.CreateLibraryEntry(ctx, routecard.Processes, given(" Mill ")))
	must(l.CreateLibraryEntry(ctx, routecard.Locations, given("Bay 4")))
	bom := must(l.CreateBOM(ctx, routecard.CreateBOMInput{Name: given("Gearbox"), Entries: entriesOf("shaft")})).ID
	must(l.AttachCertificate(ctx, serial, routecard.AttachCertificateInput{CertID: given(l.cert), UserID: given("bob")}))

	createJob := func(in routecard.CreateJobInput) error { _, err := l.CreateJob(ctx, in); return err }
	updateJob := func(id string, in routecard.UpdateJobInput) error { _, err := l.UpdateJob(ctx, id, in); return err }
	createPath := func(in routecard.CreatePathInput) error { _, err := l.CreatePath(ctx, in); return err }
	updatePath := func(id string, in routecard.UpdatePathInput) error { _, err := l.UpdatePath(ctx, id, in); return err }
	setMode := func(id string, mode routecard.TextInput) error {
		_, err := l.UpdateAdvancementMode(ctx, id, mode, none)
		return err
	}
	create := func(in routecard.CreateSerialsInput) error { _, err := l.CreateSerials(ctx, in); return err }
	scrap := func(in routecard.ScrapSerialInput) error { _, err := l.ScrapSerial(ctx, serial, in); return err }
	batch := func(in routecard.BatchAttachInput) error { _, err := l.BatchAttachCertificate(ctx, in); return err }
	attach := func(in routecard.AttachCertificateInput) error {
		_, err := l.AttachCertificate(ctx, serial, in)
		return err
	}
	certificate := func(in routecard.CreateCertificateInput) error { _, err := l.CreateCertificate(ctx, in); return err }
	note := func(in routecard.CreateNoteInput) error { _, err := l.CreateNote(ctx, in); return err }
	createBOM := func(in routecard.CreateBOMInput) error { _, err := l.CreateBOM(ctx, in); return err }
	updateBOM := func(id string, in routecard.UpdateBOMInput) error { _, err := l.UpdateBOM(ctx, id, in); return err }
	editBOM := func(id string, in routecard.EditBOMInput) error { _, err := l.EditBOM(ctx, id, in); return err }
	library := func(which routecard.Library, name routecard.TextInput) error {
		_, err := l.CreateLibraryEntry(ctx, which, name)
		return err
	}
	steps := func(names ...string) routecard.StepsInput {
		inputs := make([]routecard.Input[routecard.StepInput], 0, len(names))
		for _, name := range names {
			inputs = append(inputs, routecard.Given(routecard.StepInput{Name: given(name)}))
		}
		return routecard.Given(inputs)
	}
	one, zero, name := number(1), number(0), given("Bracket")
	noTexts, noEntries := routecard.GivenTexts(), entriesOf()
	tooLong := given(strings.Repeat("é", 501))

	for i, test := range []struct {
		err  error
		want refusal
	}{
		{createJob(routecard.CreateJobInput{}), bad("name is required")},
		{createJob(routecard.CreateJobInput{Name: given(" ")}), bad("name is required")},
		{createJob(routecard.CreateJobInput{Name: mistyped}), bad("name must be a string")},
		{createJob(routecard.CreateJobInput{Name: tooLong}), bad("name is too long")},
		{createJob(routecard.CreateJobInput{Name: name}), bad("goalQuantity is required")},
		{createJob(routecard.CreateJobInput{Name: name, GoalQuantity: zero, TicketKey: mistyped}), bad("goalQuantity must be greater than 0")},
		{createJob(routecard.CreateJobInput{Name: name, GoalQuantity: routecard.Mistyped[float64]()}), bad("goalQuantity must be a number")},
		{createJob(routecard.CreateJobInput{Name: name, GoalQuantity: one, EpicLink: mistyped}), bad("trackerEpicLink must be a string")},
		{createJob(routecard.CreateJobInput{Name: name, GoalQuantity: one, Labels: routecard.GivenTexts("a", "")}), bad("trackerLabels[1] is required")},
		{updateJob("job_9", routecard.UpdateJobInput{Name: given("")}), unknown("Job not found: job_9")},
		{updateJob(job, routecard.UpdateJobInput{Name: given(""), GoalQuantity: zero}), bad("name cannot be empty")},
		{updateJob(job, routecard.UpdateJobInput{Name: routecard.Null[string]()}), bad("name cannot be empty")},
		{updateJob(job, routecard.UpdateJobInput{GoalQuantity: number(-1)}), bad("goalQuantity must be greater than 0")},
		{updateJob(job, routecard.UpdateJobInput{GoalQuantity: routecard.Null[float64]()}), bad("goalQuantity must be a number")},

		{createPath(routecard.CreatePathInput{}), bad("name is required")},
		{createPath(routecard.CreatePathInput{Name: name}), bad("goalQuantity is required")},
		{createPath(routecard.CreatePathInput{Name: name, GoalQuantity: zero}), bad("goalQuantity must be greater than 0")},
		{createPath(routecard.CreatePathInput{Name: name, GoalQuantity: one}), bad("steps is required")},
		{createPath(routecard.CreatePathInput{Name: name, GoalQuantity: one, Steps: steps()}), bad("steps is required")},
		{createPath(routecard.CreatePathInput{Name: name, GoalQuantity: one, Steps: steps("mill", " "), AdvancementMode: wrong}), bad("steps[1].name is required")},
		{createPath(routecard.CreatePathInput{Name: name, GoalQuantity: one, Steps: steps("mill"), AdvancementMode: wrong}), bad("advancementMode must be one of: strict, flexible, per_step")},
		{createPath(routecard.CreatePathInput{Name: name, GoalQuantity: one, Steps: steps("mill")}), bad("jobId is required")},
		{createPath(routecard.CreatePathInput{Name: name, GoalQuantity: one, Steps: steps("mill"), JobID: wrong}), unknown("Job not found: wrong")},
		{updatePath("path_9", routecard.UpdatePathInput{Name: given("")}), unknown("Path not found: path_9")},
		{updatePath(path, routecard.UpdatePathInput{Name: given(" "), GoalQuantity: zero}), bad("name is required")},
		{updatePath(path, routecard.UpdatePathInput{GoalQuantity: zero, Steps: steps()}), bad("goalQuantity must be greater than 0")},
		{updatePath(path, routecard.UpdatePathInput{Steps: steps(), AdvancementMode: wrong}), bad("steps is required")},
		{updatePath(path, routecard.UpdatePathInput{Name: given("New"), Steps: steps("mill")}), bad("Cannot remove step because it has associated data (certificates, notes, part statuses, or overrides). Remove the associated data first, or keep the step.")},
		{l.DeletePath(ctx, "path_9", none), unknown("Path not found: path_9")},
		{l.DeletePath(ctx, path, none), bad("Cannot delete path with serial numbers attached")},
		{setMode("path_9", none), unknown("Path not found: path_9")},
		{setMode(path, none), bad("advancementMode is required")},
		{setMode(path, wrong), bad("advancementMode must be one of: strict, flexible, per_step")},

		{create(routecard.CreateSerialsInput{}), bad("jobId is required")},
		{create(routecard.CreateSerialsInput{JobID: wrong}), bad("pathId is required")},
		{create(routecard.CreateSerialsInput{JobID: wrong, PathID: wrong}), bad("quantity is required")},
		{create(routecard.CreateSerialsInput{JobID: wrong, PathID: wrong, Quantity: zero}), bad("quantity must be greater than 0")},
		{create(routecard.CreateSerialsInput{JobID: wrong, PathID: wrong, Quantity: number(100_001)}), bad("quantity must be at most 100000")},
		{create(routecard.CreateSerialsInput{JobID: wrong, PathID: wrong, Quantity: number(1.5)}), bad("quantity must be an integer")},
		{create(routecard.CreateSerialsInput{JobID: wrong, PathID: wrong, Quantity: one, UserID: mistyped}), bad("userId must be a string")},
		{create(routecard.CreateSerialsInput{JobID: wrong, PathID: wrong, Quantity: one}), unknown("Path not found: wrong")},
		{create(routecard.CreateSerialsInput{JobID: wrong, PathID: given(path), Quantity: one, CertID: wrong}), bad("Path %s does not belong to job wrong", path)},
		{create(routecard.CreateSerialsInput{JobID: given(job), PathID: given(path), Quantity: one, CertID: wrong}), unknown("Certificate not found: wrong")},

		{scrap(routecard.ScrapSerialInput{Explanation: mistyped}), bad("Scrap reason is required")},
		{scrap(routecard.ScrapSerialInput{Reason: wrong, Explanation: mistyped}), bad("reason must be one of: out_of_tolerance, process_defect, damaged, operator_error, other")},
		{scrap(routecard.ScrapSerialInput{Reason: given("other")}), bad(`Explanation is required when scrap reason is "other"`)},
		{scrap(routecard.ScrapSerialInput{Reason: given("other"), Explanation: given(" ")}), bad(`Explanation is required when scrap reason is "other"`)},
		{scrap(routecard.ScrapSerialInput{Reason: given("other"), Explanation: name}), bad("userId is required")},

		{certificate(routecard.CreateCertificateInput{}), bad("type must be one of: material, process")},
		{certificate(routecard.CreateCertificateInput{Type: mistyped}), bad("type must be one of: material, process")},
		{certificate(routecard.CreateCertificateInput{Type: given("process")}), bad("name is required")},
		{attach(routecard.AttachCertificateInput{}), bad("certId is required")},
		{attach(routecard.AttachCertificateInput{CertID: wrong}), bad("userId is required")},
		{attach(routecard.AttachCertificateInput{CertID: wrong, UserID: name}), unknown("Certificate not found: wrong")},
		{batch(routecard.BatchAttachInput{}), bad("certId is required")},
		{batch(routecard.BatchAttachInput{CertID: wrong}), bad("serialIds must have at least one item")},
		{batch(routecard.BatchAttachInput{CertID: wrong, SerialIDs: noTexts}), bad("serialIds must have at least one item")},
		{batch(routecard.BatchAttachInput{CertID: wrong, SerialIDs: routecard.GivenTexts("a")}), bad("userId is required")},
		{batch(routecard.BatchAttachInput{CertID: wrong, SerialIDs: routecard.GivenTexts("a"), UserID: name}), unknown("Certificate not found: wrong")},

		{note(routecard.CreateNoteInput{}), bad("text is required")},
		{note(routecard.CreateNoteInput{Text: given(" \n")}), bad("text is required")},
		{note(routecard.CreateNoteInput{Text: name}), bad("serialIds is required")},
		{note(routecard.CreateNoteInput{Text: name, SerialIDs: noTexts}), bad("serialIds is required")},
		{note(routecard.CreateNoteInput{Text: name, SerialIDs: routecard.GivenTexts("a")}), bad("jobId is required")},
		{note(routecard.CreateNoteInput{Text: name, SerialIDs: routecard.GivenTexts("a"), JobID: wrong}), bad("pathId is required")},
		{note(routecard.CreateNoteInput{Text: name, SerialIDs: routecard.GivenTexts("a"), JobID: wrong, PathID: wrong}), bad("stepId is required")},
		{note(routecard.CreateNoteInput{Text: name, SerialIDs: routecard.GivenTexts("a"), JobID: wrong, PathID: wrong, StepID: wrong}), bad("userId is required")},

		{createBOM(routecard.CreateBOMInput{}), bad("name is required")},
		{createBOM(routecard.CreateBOMInput{Name: name}), bad("entries must have at least one item")},
		{createBOM(routecard.CreateBOMInput{Name: name, Entries: noEntries}), bad("entries must have at least one item")},
		{createBOM(routecard.CreateBOMInput{Name: name, Entries: entriesOf("")}), bad("entries[0].partType is required")},
		{updateBOM("bom_9", routecard.UpdateBOMInput{Name: none}), unknown("BOM not found: bom_9")},
		{updateBOM(bom, routecard.UpdateBOMInput{Name: routecard.Null[string](), Entries: noEntries}), bad("name is required")},
		{updateBOM(bom, routecard.UpdateBOMInput{Entries: noEntries}), bad("entries must have at least one item")},
		{editBOM("bom_9", routecard.EditBOMInput{}), unknown("BOM not found: bom_9")},
		{editBOM(bom, routecard.EditBOMInput{}), bad("entries must have at least one item")},
		{editBOM(bom, routecard.EditBOMInput{Entries: entriesOf("shaft")}), bad("changeDescription is required")},
		{editBOM(bom, routecard.EditBOMInput{Entries: entriesOf("shaft"), ChangeDescription: name}), bad("userId is required")},

		{library(routecard.Processes, none), bad("name is required")},
		{library(routecard.Processes, given("\t")), bad("name is required")},
		{library(routecard.Processes, given("Mill\n")), bad("Process name already exists")},
		{library(routecard.Locations, given("Bay 4")), bad("Location name already exists")},
		{library(routecard.Processes, given("mill")), nil},
		{library(routecard.Locations, given("Mill")), nil},
		{l.DeleteLibraryEntry(ctx, routecard.Processes, "plib_9"), unknown("ProcessLibraryEntry not found: plib_9")},
		{l.DeleteLibraryEntry(ctx, routecard.Locations, "lloc_9"), unknown("LocationLibraryEntry not found: lloc_9")},
	} {
		if diff := cmp.Diff(test.want, refused(test.err)); diff != "" {
			t.Errorf("row %d (-want +got):\n%s", i, diff)
		}
	}

	// Whatever was refused left the serial, the path and the trail as they were.
	if got, want := l.state(), "in_progress 0 in_progress pending"; got != want {
		t.Errorf("the serial is %s, want %s", got, want)
	}
	if diff := cmp.Diff(l.path, must(l.Path(ctx, path)).Path); diff != "" {
		t.Errorf("the path (-before +after):\n%s", diff)
	}
	var trail []routecard.AuditAction
	for _, entry := range collect(l.AuditEntries(ctx, routecard.NoLimit, 0)) {
		trail = append(trail, entry.Action)
	}
	if diff := cmp.Diff([]routecard.AuditAction{
		routecard.ActionCertAttached, routecard.ActionBOMCreated, routecard.ActionCertificateCreated, routecard.ActionSerialCreated,
		routecard.ActionPathCreated, routecard.ActionJobCreated,
	}, trail); diff != "" {
		t.Errorf("the trail has more than what was set up (-want +got):\n%s", diff)
	}
}

func entriesOf(partTypes ...string) routecard.BOMEntriesInput {
	inputs := make([]routecard.Input[routecard.BOMEntryInput], 0, len(partTypes))
	for _, partType := range partTypes {
		inputs = append(inputs, routecard.Given(routecard.BOMEntryInput{PartType: given(partType), RequiredQuantityPerBuild: number(1)}))
	}
	return routecard.Given(inputs)
}

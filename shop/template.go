package shop

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Template is a reusable route. Applying it copies it: later changes of the template or the path do not affect the other.
type Template struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Steps     []TemplateStep  `json:"steps"` // at least one
	CreatedAt ident.Timestamp `json:"createdAt"`
	UpdatedAt ident.Timestamp `json:"updatedAt"`

	ExternalID string `json:"externalId,omitempty"`
}

// TemplateStep is one step of a template. Its order is its index, counted from 0.
type TemplateStep struct {
	Name           string              `json:"name"`
	Order          int                 `json:"order"`
	Location       string              `json:"location,omitempty"`
	Optional       bool                `json:"optional"`
	DependencyType card.DependencyType `json:"dependencyType"`

	Characteristics []card.Characteristic `json:"characteristics,omitempty"` // without identifiers
	Requirements    card.Requirements     `json:"requirements,omitzero"`
}

// TemplateStepInput is one step in the body of Create Template or Update Template.
type TemplateStepInput struct {
	StepInput
	Characteristics CharacteristicsInput           `field:"characteristics"`
	Requirements    input.Input[RequirementsInput] `field:"requirements"`
}

// TemplateStepsInput is a list of steps of a template.
type TemplateStepsInput = input.Input[[]input.Input[TemplateStepInput]]

// TemplateSteps converts steps to steps of a template, without characteristics in the input.
func TemplateSteps(steps StepsInput) TemplateStepsInput {
	in := TemplateStepsInput{State: steps.State, Value: make([]input.Input[TemplateStepInput], len(steps.Value))}
	for i, step := range steps.Value {
		in.Value[i] = input.Input[TemplateStepInput]{State: step.State, Value: TemplateStepInput{StepInput: step.Value}}
	}
	return in
}

// checkTemplateSteps checks the steps of a template. A step keeps its previous characteristics or requirements if the input omits them; see
// templateStepBefore.
func checkTemplateSteps(in TemplateStepsInput, before []TemplateStep) ([]TemplateStep, error) {
	plain := StepsInput{State: in.State, Value: make([]input.Input[StepInput], len(in.Value))}
	for i, step := range in.Value {
		plain.Value[i] = input.Input[StepInput]{State: step.State, Value: step.Value.StepInput}
	}
	steps, err := checkSteps(plain)
	if err != nil {
		return nil, err
	}
	kept := make([]TemplateStep, len(steps))
	for i, step := range steps {
		kept[i] = TemplateStep{
			Name: step.Name, Order: step.Order, Location: step.Location, Optional: step.Optional, DependencyType: step.DependencyType,
		}
		switch given := in.Value[i].Value.Characteristics; {
		case !given.Missing():
			field := fmt.Sprintf("steps[%d].characteristics", i)
			if kept[i].Characteristics, err = checkCharacteristics(field, given); err != nil {
				return nil, err
			}
		default:
			if at := templateStepBefore(steps, before, i); at >= 0 {
				kept[i].Characteristics = before[at].Characteristics
			}
		}
		switch given := in.Value[i].Value.Requirements; {
		case given.State == input.StateGiven:
			if kept[i].Requirements, err = given.Value.check(fmt.Sprintf("steps[%d].requirements.", i)); err != nil {
				return nil, err
			}
		case !given.Missing():
			return nil, refusal.RefuseField(refusal.NotObject, fmt.Sprintf("steps[%d].requirements", i))
		default:
			if at := templateStepBefore(steps, before, i); at >= 0 {
				kept[i].Requirements = before[at].Requirements
			}
		}
	}
	return kept, nil
}

// templateStepBefore returns the previous index of a step, or -1 for a new step. If the name at this index is unchanged, the step was at
// the same index. Otherwise it was the only step with that name that is no longer at its index.
func templateStepBefore(steps []card.ProcessStep, before []TemplateStep, i int) int {
	same := func(at int) bool { return at < len(before) && at < len(steps) && before[at].Name == steps[at].Name }
	if same(i) {
		return i
	}
	found := -1
	for at := range before {
		if before[at].Name != steps[i].Name || same(at) {
			continue
		}
		if found >= 0 {
			return -1 // ambiguous
		}
		found = at
	}
	for at := range steps {
		if at != i && steps[at].Name == steps[i].Name && !same(at) {
			return -1
		}
	}
	return found
}

func (s TemplateStep) same(other TemplateStep) bool {
	same := slices.Equal(s.Characteristics, other.Characteristics) && s.Requirements.Equal(other.Requirements)
	return same && s.Name == other.Name && s.Order == other.Order && s.Location == other.Location && s.Optional == other.Optional &&
		s.DependencyType == other.DependencyType
}

// path returns a new path with the steps of the template.
func (t *Template) path(jobID, name string, goalQuantity int64) card.Path {
	path := card.Path{JobID: jobID, Name: name, GoalQuantity: goalQuantity, AdvancementMode: card.Strict}
	for _, step := range t.Steps {
		path.Steps = append(path.Steps, card.ProcessStep{
			Name: step.Name, Order: step.Order, Location: step.Location,
			Optional: step.Optional, DependencyType: step.DependencyType,
		})
	}
	return path
}

// CreateTemplateInput is the body of Create Template.
type CreateTemplateInput struct {
	Name  input.TextInput    `field:"name"`
	Steps TemplateStepsInput `field:"steps"`
	ExternalInput
	ChangedBy input.TextInput `field:"changedBy"` // for the audit trail
}

// CreateTemplate stores a route under a name, which need not be unique.
func (s *Service) CreateTemplate(ctx context.Context, in CreateTemplateInput) (Template, error) {
	name, err := input.RequiredTrimmed(in.Name)
	if err != nil {
		return Template{}, err
	}
	if in.Steps.Missing() {
		return Template{}, refusal.RefuseField(refusal.Required, "steps")
	}
	steps, err := checkTemplateSteps(in.Steps, nil)
	if err != nil {
		return Template{}, err
	}
	var externalID string
	if err := in.ExternalInput.Change(s.SerialPrefix(), "", &externalID); err != nil {
		return Template{}, err
	}
	userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
	if err != nil {
		return Template{}, err
	}
	var template Template
	err = s.Commit(ctx, &template, func(tx Tx) error {
		now := s.Now()
		template = Template{ID: s.NewID(prefixTemplate), Name: name, Steps: steps, CreatedAt: now, UpdatedAt: now, ExternalID: externalID}
		if err := tx.InsertTemplate(template); err != nil {
			return err
		}
		if err := tx.AppendAudit(trail.Entry{
			Action: ActionTemplateCreated, UserID: userID, Timestamp: now,
			Metadata: trail.Metadata(templateEvent{
				TemplateID: template.ID, After: &templateFacts{&template.Name, &template.Steps}, Contents: template.Contents(),
			}),
		}); err != nil {
			return err
		}
		return template.recordExternal(tx, "", userID, now)
	})
	return template, err
}

// recordExternal records the external identifier of a template that is created, changed or deleted.
func (t *Template) recordExternal(tx Tx, before, userID string, now ident.Timestamp) error {
	return recordExternal(tx, ExternalID{RecordTemplate, t.ID, t.ExternalID}, before, trail.Entry{UserID: userID, Timestamp: now})
}

// templateEvent is the metadata of an entry about a template.
type templateEvent struct {
	TemplateID string         `json:"templateId"`
	Before     *templateFacts `json:"before"`
	After      *templateFacts `json:"after"`

	Contents trail.ContentsSHA256 `json:"contentsSha256,omitempty"` // omitted if the template was deleted
}

// templateFacts has the fields of a template that can change, for the audit trail. nil fields are omitted.
type templateFacts struct {
	Name  *string         `json:"name,omitempty"`
	Steps *[]TemplateStep `json:"steps,omitempty"`
}

// templateChange returns the changed fields of a template, before and after the change.
func templateChange(before, after Template) (was, is templateFacts) {
	if before.Name != after.Name {
		was.Name, is.Name = &before.Name, &after.Name
	}
	if !slices.EqualFunc(before.Steps, after.Steps, TemplateStep.same) {
		was.Steps, is.Steps = &before.Steps, &after.Steps
	}
	return was, is
}

// Templates yields every template, newest first.
func (s *Service) Templates(ctx context.Context) iter.Seq2[Template, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[Template, error] { return tx.Templates() })
}

// Template implements Get Template.
func (s *Service) Template(ctx context.Context, id string) (Template, error) {
	var template Template
	err := s.store.View(ctx, func(tx Reader) (err error) {
		template, err = FindTemplate(tx, id)
		return err
	})
	return template, err
}

// FindTemplate returns a template, or a refusal if it does not exist.
func FindTemplate(tx TemplateStore, id string) (Template, error) {
	template, err := tx.Template(id)
	return template, OrNotFound(err, NameTemplate, id)
}

// UpdateTemplateInput is the body of Update Template.
type UpdateTemplateInput struct {
	Name  input.TextInput    `field:"name"`
	Steps TemplateStepsInput `field:"steps"`
	ExternalInput
	ChangedBy input.TextInput `field:"changedBy"` // for the audit trail
}

// UpdateTemplate changes the fields in the input. Paths that were created from the template do not change.
func (s *Service) UpdateTemplate(ctx context.Context, id string, in UpdateTemplateInput) (Template, error) {
	var template Template
	err := s.Commit(ctx, &template, func(tx Tx) (err error) {
		before, err := FindTemplate(tx, id)
		if err != nil {
			return err
		}
		if err := RefuseUnread(ctx, NameTemplate, id, func() (any, error) { return before, nil }); err != nil {
			return err
		}
		template = before
		if in.Name.Present() {
			if template.Name, err = input.ChangedName(in.Name, refusal.Required); err != nil {
				return err
			}
		}
		if in.Steps.Present() {
			if template.Steps, err = checkTemplateSteps(in.Steps, before.Steps); err != nil {
				return err
			}
		}
		if err := in.ExternalInput.Change(tx.SerialPrefix(), template.ID, &template.ExternalID); err != nil {
			return err
		}
		userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
		if err != nil {
			return err
		}
		template.UpdatedAt = s.Now()
		if err := tx.UpdateTemplate(template); err != nil {
			return err
		}
		if err := template.recordExternal(tx, before.ExternalID, userID, template.UpdatedAt); err != nil {
			return err
		}
		was, is := templateChange(before, template)
		if was == (templateFacts{}) {
			return nil
		}
		return tx.AppendAudit(trail.Entry{
			Action: ActionTemplateChanged, UserID: userID, Timestamp: template.UpdatedAt,
			Metadata: trail.Metadata(templateEvent{TemplateID: id, Before: &was, After: &is, Contents: template.Contents()}),
		})
	})
	return template, err
}

// DeleteTemplate permanently deletes a template. Paths that were created from it remain.
func (s *Service) DeleteTemplate(ctx context.Context, id string, user input.TextInput) error {
	return s.Commit(ctx, nil, func(tx Tx) error {
		template, err := FindTemplate(tx, id)
		if err != nil {
			return err
		}
		if err := RefuseUnread(ctx, NameTemplate, id, func() (any, error) { return template, nil }); err != nil {
			return err
		}
		userID, err := ChangedBy(CallerOf(ctx), user)
		if err != nil {
			return err
		}
		if err := tx.DeleteTemplate(id); err != nil {
			return err
		}
		was := template.ExternalID
		template.ExternalID = ""
		if err := template.recordExternal(tx, was, userID, s.Now()); err != nil {
			return err
		}
		return tx.AppendAudit(trail.Entry{
			Action: ActionTemplateDeleted, UserID: userID, Timestamp: s.Now(),
			Metadata: trail.Metadata(templateEvent{TemplateID: id, Before: &templateFacts{&template.Name, &template.Steps}}),
		})
	})
}

// ApplyTemplateInput is the body of Apply Template.
type ApplyTemplateInput struct {
	JobID        input.TextInput   `field:"jobId"`
	GoalQuantity input.NumberInput `field:"goalQuantity"`
	PathName     input.TextInput   `field:"pathName"` // the template's name when missing
	ChangedBy    input.TextInput   `field:"changedBy"`
}

// ApplyTemplate adds a path to a job from a template. The path is strict; its mode can be changed afterwards.
func (s *Service) ApplyTemplate(ctx context.Context, id string, in ApplyTemplateInput) (card.Path, error) {
	var path card.Path
	err := s.Commit(ctx, &path, func(tx Tx) error {
		template, err := FindTemplate(tx, id)
		if err != nil {
			return err
		}
		jobID, err := input.RequiredName("jobId", in.JobID)
		if err != nil {
			return err
		}
		goalQuantity, err := input.RequiredQuantity("goalQuantity", in.GoalQuantity)
		if err != nil {
			return err
		}
		name := template.Name
		if given, err := input.OptionalWithin("pathName", in.PathName, input.NameLimit); err != nil {
			return err
		} else if given != "" {
			name = given
		}
		userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
		if err != nil {
			return err
		}
		if _, err := FindOpenJob(tx, jobID); err != nil {
			return err
		}
		path, err = s.AddPathBy(tx, template, jobID, name, goalQuantity, userID)
		return err
	})
	return path, err
}

// AddPathBy adds a path from a template, with its audit entries.
func (s *Service) AddPathBy(tx interface {
	AuditStore
	PathStore
	CharacteristicStore
	RequirementStore
}, template Template, jobID, name string, goalQuantity int64, userID string) (card.Path, error) {
	path := template.path(jobID, name, goalQuantity)
	s.identifyPath(&path)
	if err := tx.InsertPath(path); err != nil {
		return card.Path{}, err
	}
	if err := tx.AppendAudit(trail.Entry{
		Action: ActionTemplateApplied, UserID: userID, Timestamp: path.CreatedAt, JobID: jobID, PathID: path.ID,
		Metadata: trail.Metadata(struct {
			TemplateID   string `json:"templateId"`
			TemplateName string `json:"templateName"`
		}{template.ID, template.Name}),
	}); err != nil {
		return card.Path{}, err
	}
	for i, step := range template.Steps {
		if !step.Requirements.IsZero() {
			set, err := s.recordRequirements(tx, path, path.RequirementsOf(path.Steps[i].ID), step.Requirements, userID)
			if err != nil {
				return card.Path{}, err
			}
			if path.Requirements == nil {
				path.Requirements = map[string]card.RequirementSet{}
			}
			path.Requirements[set.StepID] = set
		}
		if len(step.Characteristics) == 0 {
			continue
		}
		made := s.identified(slices.Clone(step.Characteristics), nil)
		set, err := s.recordCharacteristics(tx, path, path.CharacteristicsOf(path.Steps[i].ID), made, userID)
		if err != nil {
			return card.Path{}, err
		}
		if path.Characteristics == nil {
			path.Characteristics = map[string]card.CharacteristicSet{}
		}
		path.Characteristics[set.StepID] = set
	}
	return path, nil
}

// TemplateStore lists the database operations for templates.
type TemplateStore interface {
	InsertTemplate(template Template) error
	UpdateTemplate(template Template) error
	DeleteTemplate(id string) error // ErrNoRecord if it does not exist
	Template(id string) (Template, error)
	Templates() iter.Seq2[Template, error] // newest first
}

// Contents is the SHA-256 of the template's contents that its audit entries record.
func (t *Template) Contents() trail.ContentsSHA256 {
	return trail.ContentsOf(struct {
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Steps     []TemplateStep  `json:"steps"`
		CreatedAt ident.Timestamp `json:"createdAt"`
	}{t.ID, t.Name, t.Steps, t.CreatedAt})
}

// Names of templates in the tables of records, operations and actions.
const (
	RecordTemplate ident.RecordKind = "template"

	NameTemplate refusal.RecordName = "TemplateRoute"

	prefixTemplate = "tmpl_"

	OpCreateTemplate Operation = "create-template"
	OpUpdateTemplate Operation = "update-template"
	OpDeleteTemplate Operation = "delete-template"
	OpApplyTemplate  Operation = "apply-template"

	AboutTemplate Subject = "template"

	ActionTemplateCreated trail.Action = "template_created"
	ActionTemplateChanged trail.Action = "template_changed"
	ActionTemplateDeleted trail.Action = "template_deleted"
	ActionTemplateApplied trail.Action = "template_applied"
)

var templateNoun = noun{
	records: []Record{
		{
			Kind: RecordTemplate, Names: named(NameTemplate), Prefix: prefixTemplate, Table: "template",
			Called: []string{"name"}, Tagged: true, External: true, Compared: true,
		},
	},
	operations: []operationRow{
		{operation: OpCreateTemplate, permission: Plan, subject: AboutTemplate},
		{operation: OpUpdateTemplate, permission: Plan, subject: AboutTemplate},
		{operation: OpDeleteTemplate, permission: Plan, subject: AboutTemplate},
		{operation: OpApplyTemplate, permission: Plan, subject: AboutTemplate},
	},
	actions: []actionRow{
		{action: ActionTemplateCreated, of: only(RecordTemplate)},
		{action: ActionTemplateChanged, of: only(RecordTemplate)},
		{action: ActionTemplateDeleted, of: only(RecordTemplate)},
		{action: ActionTemplateApplied, of: only(RecordPath)},
	},
}

// LibraryEntry is a name in a pick-list. It is not linked to the steps that use the same name.
type LibraryEntry struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"` // unique within its library, compared exactly
	CreatedAt ident.Timestamp `json:"createdAt"`
}

// Library is one of the pick-lists of names.
type Library string

// Values of Library.
const (
	Processes Library = "process"
	Locations Library = "location"
)

// words returns the terms of the interface for a library: the prefix of its identifiers, the refusal of a duplicate name, and the name of
// its entries.
func (l Library) words() (prefix string, duplicate *refusal.Reason, name refusal.RecordName) {
	if l == Locations {
		return prefixLocation, LocationNameTaken, NameLocation
	}
	return prefixProcess, ProcessNameTaken, NameProcess
}

// LibraryEntries yields the entries of a library by name, in byte order.
func (s *Service) LibraryEntries(ctx context.Context, library Library) iter.Seq2[LibraryEntry, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[LibraryEntry, error] { return tx.LibraryEntries(library) })
}

// CreateLibraryEntry adds a name to a library.
func (s *Service) CreateLibraryEntry(ctx context.Context, library Library, name input.TextInput) (LibraryEntry, error) {
	prefix, duplicate, _ := library.words()
	var entry LibraryEntry
	trimmed, err := input.RequiredTrimmed(name)
	if err != nil {
		return entry, err
	}
	err = s.Commit(ctx, &entry, func(tx Tx) error {
		entry = LibraryEntry{ID: s.NewID(prefix), Name: trimmed, CreatedAt: s.Now()}
		err := tx.InsertLibraryEntry(library, entry)
		if errors.Is(err, ErrDuplicate) {
			return refusal.RefuseField(duplicate, "name")
		}
		return err
	})
	return entry, err
}

// DeleteLibraryEntry permanently deletes a name. It adds no audit entry, and the name can be added again.
func (s *Service) DeleteLibraryEntry(ctx context.Context, library Library, id string) error {
	_, _, name := library.words()
	return s.Commit(ctx, nil, func(tx Tx) error {
		if err := tx.DeleteLibraryEntry(library, id); err != nil {
			return OrNotFound(err, name, id)
		}
		return RefuseUnread(ctx, name, id)
	})
}

// LibraryStore lists the database operations for libraries.
type LibraryStore interface {
	// InsertLibraryEntry returns ErrDuplicate if the library has an entry with that name.
	InsertLibraryEntry(library Library, entry LibraryEntry) error
	LibraryEntries(library Library) iter.Seq2[LibraryEntry, error] // by name, in byte order
	DeleteLibraryEntry(library Library, id string) error           // ErrNoRecord if it does not exist
}

// Names of libraries in the tables of records, operations and actions.
const (
	RecordProcess  ident.RecordKind = "process"
	RecordLocation ident.RecordKind = "location"

	NameProcess  refusal.RecordName = "ProcessLibraryEntry"
	NameLocation refusal.RecordName = "LocationLibraryEntry"

	prefixProcess  = "plib_"
	prefixLocation = "lloc_"

	OpAddToLibrary      Operation = "add-to-library"
	OpRemoveFromLibrary Operation = "remove-from-library"

	AboutLibrary Subject = "library"
)

// Reasons to refuse a change of a library.
var (
	ProcessNameTaken  = refusal.NewReason(refusal.Invalid, "name_taken", "Process name already exists")
	LocationNameTaken = refusal.NewReason(refusal.Invalid, "name_taken", "Location name already exists")
)

var libraryNoun = noun{
	records: []Record{
		{Kind: RecordProcess, Names: named(NameProcess), Prefix: prefixProcess, Table: "library_entry"},
		{Kind: RecordLocation, Names: named(NameLocation), Prefix: prefixLocation, Table: "library_entry"},
	},
	operations: []operationRow{
		{operation: OpAddToLibrary, permission: Plan, subject: AboutLibrary},
		{operation: OpRemoveFromLibrary, permission: Plan, subject: AboutLibrary},
	},
}

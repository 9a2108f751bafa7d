package importing

import (
	"errors"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// importUnitsLimit is the maximum number of units that the rows of a file create.
const importUnitsLimit = shop.BatchLimit

// Reasons for refusing a file or a row.
var (
	UnitsTooMany = refusal.NewReason(refusal.Invalid, "too_many_units_made",
		"{field} must make at most {limit} units in a file, and the rows before this one make {count}: put the row into another file")
	PathUnclear  = refusal.NewReason(refusal.Invalid, "path_unclear", "Job {id} has {count} paths, and {field} is for a job with one")
	TemplateName = refusal.NewReason(refusal.Invalid, "template_name_unclear", "{field} is what {count} templates are called: {name}")
)

// JobInput is a row of a jobs file.
type JobInput struct {
	ID input.TextInput `field:"id"`
	shop.CreateJobInput
	// Template is the id or name of the template from which a job without a path gets its path.
	Template input.TextInput `field:"template"`
	// Units is the minimum number of units of the job; missing units are created.
	Units input.NumberInput `field:"units"`
	// SerialNumbers are own numbers of units of the job; a unit is created for each number that no unit has or had.
	SerialNumbers input.TextsInput `field:"serialNumbers"`
	// ClosedAt is not empty for a closed job. A file cannot close or reopen jobs: see refuseClosing.
	ClosedAt input.TextInput `field:"closedAt"`
}

func (im *run) job(in JobInput) (outcome rowOutcome, err error) {
	in.ChangedBy = im.actor(in.ChangedBy)
	id, err := im.known(shop.RecordJob, in.ID, in.ExternalID)
	if err != nil {
		return outcome, err
	}
	var job shop.Job
	if id == "" {
		im.creating = true
		job, err = im.service.CreateJob(im.ctx, in.CreateJobInput)
		outcome = rowCreated
	} else {
		job, outcome, err = im.changeJob(id, shop.UpdateJobInput{
			Name: in.Name, GoalQuantity: in.GoalQuantity, OrderInput: in.OrderInput, ExternalInput: in.ExternalInput,
			ChangedBy: in.ChangedBy,
		})
	}
	if err != nil {
		return outcome, err
	}
	if err := in.refuseClosing(&job); err != nil {
		return outcome, err
	}
	paths, routed, err := im.route(&job, &in)
	if err != nil {
		return outcome, err
	}
	made, err := im.makeUnits(&job, paths, &in)
	if outcome == rowUnchanged && (routed || made) {
		outcome = rowUpdated
	}
	return outcome, err
}

func (im *run) changeJob(id string, in shop.UpdateJobInput) (shop.Job, rowOutcome, error) {
	before, err := shop.FindJob(im.tx, id)
	if err != nil {
		return before, rowUnchanged, err
	}
	if after, err := in.Apply(im.tx.SerialPrefix(), before); err != nil || after == before {
		return before, rowUnchanged, err
	}
	after, err := im.service.UpdateJob(im.ctx, id, in)
	return after, rowUpdated, err
}

// route creates a path for a job without a path if the row has a template, and returns the job's paths.
func (im *run) route(job *shop.Job, in *JobInput) (paths []card.Path, made bool, err error) {
	if in.Template.Missing() && in.Units.Missing() && in.SerialNumbers.Missing() {
		return nil, false, nil
	}
	template, err := im.template(in.Template)
	if err != nil {
		return nil, false, err
	}
	if paths, err = im.tx.PathsOfJob(job.ID); err != nil || len(paths) > 0 || template == "" {
		return paths, false, err
	}
	if err := im.may(shop.OpApplyTemplate); err != nil {
		return nil, false, err
	}
	path, err := im.service.ApplyTemplate(im.ctx, template, shop.ApplyTemplateInput{
		JobID: input.Given(job.ID), GoalQuantity: input.Given(float64(job.GoalQuantity)), ChangedBy: in.ChangedBy,
	})
	return []card.Path{path}, true, err
}

// template returns the id of the row's template, or "" if the row has none.
func (im *run) template(in input.TextInput) (string, error) {
	named, err := input.OptionalWithin("template", in, input.NameLimit)
	if err != nil {
		return "", err
	}
	named = strings.TrimSpace(named)
	if id, ok := im.templates[named]; ok || named == "" {
		return id, nil
	}
	id, err := shop.IDIn(im.tx, shop.RecordTemplate, named)
	if err != nil {
		return "", err
	}
	if _, err := im.tx.Template(id); errors.Is(err, shop.ErrNoRecord) {
		if id, err = im.templateCalled(named); err != nil {
			return "", err
		}
	} else if err != nil {
		return "", err
	}
	im.templates[named] = id
	return id, nil
}

// templateCalled returns the id of the template with this name.
func (im *run) templateCalled(name string) (id string, err error) {
	count := 0
	for template, err := range im.tx.Templates() {
		if err != nil {
			return "", err
		}
		if template.Name == name {
			id = template.ID
			count++
		}
	}
	switch count {
	case 0:
		return "", refusal.RefuseField(refusal.NoRecord, "template", shop.NameTemplate, name)
	case 1:
		return id, nil
	}
	return "", refusal.RefuseField(TemplateName, "template", count, name)
}

// makeUnits creates the units that the row asks for and the job lacks.
func (im *run) makeUnits(job *shop.Job, paths []card.Path, in *JobInput) (made bool, err error) {
	field, units := "units", shop.CreateSerialsInput{JobID: input.Given(job.ID), UserID: in.ChangedBy}
	switch {
	case !in.SerialNumbers.Missing():
		field = "serialNumbers"
		units.SerialNumbers, err = im.lackingNumbers(job, in)
	case !in.Units.Missing():
		units.Quantity, err = im.lackingUnits(job, paths, in.Units)
	}
	if err != nil || units.SerialNumbers.Missing() && units.Quantity.Missing() {
		return false, err
	}
	switch len(paths) {
	case 0:
		return false, refusal.RefuseField(refusal.Required, "template")
	case 1:
	default:
		return false, refusal.RefuseField(PathUnclear, field, job.ID, len(paths))
	}
	if err := im.may(shop.OpCreateSerials); err != nil {
		return false, err
	}
	units.PathID = input.Given(paths[0].ID)
	quantity := max(int64(units.Quantity.Value), int64(len(units.SerialNumbers.Value)))
	if quantity > importUnitsLimit-im.units {
		if quantity > importUnitsLimit {
			return false, refusal.RefuseField(refusal.NumberTooLarge, field, importUnitsLimit)
		}
		return false, refusal.RefuseField(UnitsTooMany, field, importUnitsLimit, im.units)
	}
	_, err = im.service.CreateSerials(im.ctx, units)
	if err == nil {
		im.units += quantity
	}
	if refused, ok := errors.AsType[*refusal.Error](err); ok && refused.Field == "quantity" {
		err = refusal.RefuseField(refused.Reason, field, anyOf(refused.Args)...)
	}
	return true, err
}

// lackingNumbers returns the listed numbers that no unit of the job has or had.
func (im *run) lackingNumbers(job *shop.Job, in *JobInput) (lacking input.TextsInput, err error) {
	listed, err := shop.ListedNumbers(in.SerialNumbers)
	if err != nil {
		return lacking, err
	}
	if !in.Units.Missing() {
		quantity, err := input.RequiredQuantity("units", in.Units)
		if err != nil {
			return lacking, err
		}
		if quantity != int64(len(listed)) {
			return lacking, refusal.RefuseField(shop.QuantityDiffers, "units", len(listed))
		}
	}
	found, err := im.tx.OwnNumbersOfJob(job.ID, listed)
	if err != nil {
		return lacking, err
	}
	known := map[string]bool{}
	for i := range found {
		known[found[i].Number] = true
	}
	var numbers []string
	for _, number := range listed {
		if !known[number] {
			numbers = append(numbers, number)
		}
	}
	if len(numbers) == 0 {
		return lacking, nil
	}
	return input.GivenTexts(numbers...), nil
}

// lackingUnits returns how many units the job lacks, or a missing input if it has enough.
func (im *run) lackingUnits(job *shop.Job, paths []card.Path, in input.NumberInput) (lacking input.NumberInput, err error) {
	quantity, err := input.RequiredQuantity("units", in)
	if err != nil || len(paths) == 0 {
		return input.Given(float64(quantity)), err
	}
	counts, err := shop.CountJobsNow(im.tx, []string{job.ID})
	if err != nil {
		return lacking, err
	}
	of := counts[job.ID]
	if quantity -= of.InProgress + of.Completed + of.Scrapped; quantity > 0 {
		lacking = input.Given(float64(quantity))
	}
	return lacking, nil
}

package shop

import (
	"errors"
	"reflect"
	"strings"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// ImportKind is a kind of records that a file can bring in.
type ImportKind struct {
	Name      string    // in addresses
	Operation Operation // whose permission the caller needs
	// Fields are the columns that a file may have. A field that is not in the file is not touched.
	Fields []input.Field
	// ReadOver are further columns that an export has, in which what stands is disregarded.
	ReadOver []string
	// Identifiers are those of the columns in which a spreadsheet must not have made numbers of what stood there.
	Identifiers []string
	// Decimals are those of the identifiers that may be numbers with decimals, such as a revision 1.0.
	Decimals []string
	// Lines are the texts that may have several lines. In others a line break is a blank.
	Lines []string
	// Dates are those of the columns that have days.
	Dates []string

	// Machine reports whether a file may be what a measuring machine writes: see internal/importcsv.
	Machine bool

	signed bool // whether what its rows do may have to be signed

	input reflect.Type
	take  func(im *importing, in any) (rowOutcome, error)
}

// New makes an empty input of the kind, a pointer to a struct with the fields.
func (k *ImportKind) New() any { return reflect.New(k.input).Interface() }

// importKind is a kind whose rows are taken by a method of importing.
func importKind[In any](take func(*importing, In) (rowOutcome, error), kind ImportKind) ImportKind {
	kind.input = reflect.TypeFor[In]()
	kind.Fields = input.FieldsOf(kind.input, Identifies, "field")
	kind.take = func(im *importing, in any) (rowOutcome, error) {
		return take(im, *in.(*In)) //nolint:errcheck,forcetypeassert // New made it
	}
	return kind
}

// ImportKinds returns the kinds of records that a file can bring in.
func ImportKinds() []ImportKind {
	return []ImportKind{
		importKind((*importing).job, ImportKind{
			Name: "jobs", Operation: OpCreateJob,
			Identifiers: []string{
				"id", "externalId", "partNumber", "partRevision", "gtin", "orderNumber", "trackerTicketKey",
				"trackerPartNumber", "template",
				"serialNumbers",
			},
			Decimals: []string{"partRevision"}, Lines: []string{"description"}, Dates: []string{"dueDate"},
			ReadOver: []string{
				"createdAt", "updatedAt", "totalSerials", "completedSerials", "inProgressSerials", "scrappedSerials", "late",
				"closedBy", "closeReason",
			},
		}),
		importKind((*importing).serial, ImportKind{
			Name: "serials", Operation: OpCreateSerials,
			Identifiers: []string{"id", "externalId", "serialNumber", "jobId", "pathId"}, Lines: []string{"reason"},
			ReadOver: []string{
				"jobName", "pathName", "currentStepIndex", "currentStepName", "assignedTo", "status", "scrapReason", "forceCompleted",
				"createdAt", "held", "completedAt", "updatedAt", "partNumber",
			},
		}),
		importKind((*importing).user, ImportKind{
			Name: "users", Operation: OpCreateUser, signed: true,
			Identifiers: []string{"id", "externalId"},
			ReadOver:    []string{"createdAt", "login", "roles", "kind"},
		}),
		importKind((*importing).certificate, ImportKind{
			Name: "certs", Operation: OpCreateCertificate,
			Identifiers: []string{"id", "externalId"},
			ReadOver:    []string{"createdAt"},
		}),
		importKind((*importing).measurement, ImportKind{
			Name: "measurements", Operation: OpMeasure, Machine: true,
			Identifiers: []string{
				"id", "serialId", "serialNumber", "stepId", "characteristicId", "number", "instrumentId",
				"partNumber", "partRevision",
			},
			Decimals: []string{"number", "partRevision"}, Lines: []string{"note", "voidReason"},
		}),
	}
}

// known returns the identifier of the record that a row names, by its id or else by its external identifier; "" when the row creates one.
// It refuses a key that an earlier row has.
func (im *importing) known(kind ident.RecordKind, id, externalID input.TextInput) (string, error) {
	named, err := input.OptionalWithin("id", id, input.NameLimit)
	if err != nil {
		return "", err
	}
	in := ExternalInput{externalID}
	outside, err := in.trimmed()
	if err != nil {
		return "", err
	}
	var found string
	if named = strings.TrimSpace(named); named != "" {
		found, err = idIn(im.tx, kind, named)
	} else if outside != "" {
		found, err = FindOutside(im.tx, kind, outside)
		err = ignoreNoRecord(err)
	}
	if err != nil {
		return "", err
	}
	return found, im.claimKeys(kind, named, outside, found)
}

// actor is who acts: whom the row names, or else the request.
func (im *importing) actor(named input.TextInput) input.TextInput {
	if named.Missing() {
		return im.by
	}
	return named
}

// may refuses a row that does what the caller may not, though the caller may bring in the file.
func (im *importing) may(operation Operation) error { return im.caller.Require(operation.Permission()) }

// ImportJobInput is a row of a file of jobs.
type ImportJobInput struct {
	ID input.TextInput `field:"id"`
	CreateJobInput
	// Template makes the path of a job that has none: the identifier of a template, or its name.
	Template input.TextInput `field:"template"`
	// Units is how many units the job has at least; those that it lacks are made.
	Units input.NumberInput `field:"units"`
	// SerialNumbers are numbers that units of the job have; those that none has or had are made.
	SerialNumbers input.TextsInput `field:"serialNumbers"`
	// ClosedAt is not empty for a closed job. A file does not close or reopen jobs: see refuseClosing.
	ClosedAt input.TextInput `field:"closedAt"`
}

// refuseClosing refuses a row whose job is closed in the file and not here, or the other way round.
func (in *ImportJobInput) refuseClosing(job *Job) error {
	if in.ClosedAt.State == input.StateAbsent {
		return nil
	}
	at, err := input.OptionalWithin("closedAt", in.ClosedAt, input.NameLimit)
	if err == nil && !input.Blank(at) != job.Closed() {
		err = refusal.RefuseField(ClosedByFile, "closedAt")
	}
	return err
}

func (im *importing) job(in ImportJobInput) (outcome rowOutcome, err error) {
	in.ChangedBy = im.actor(in.ChangedBy)
	id, err := im.known(RecordJob, in.ID, in.ExternalID)
	if err != nil {
		return outcome, err
	}
	var job Job
	if id == "" {
		im.creating = true
		job, err = im.service.CreateJob(im.ctx, in.CreateJobInput)
		outcome = rowCreated
	} else {
		job, outcome, err = im.changeJob(id, UpdateJobInput{
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

func (im *importing) changeJob(id string, in UpdateJobInput) (Job, rowOutcome, error) {
	before, err := FindJob(im.tx, id)
	if err != nil {
		return before, rowUnchanged, err
	}
	if after, err := in.apply(before); err != nil || after == before {
		return before, rowUnchanged, err
	}
	after, err := im.service.UpdateJob(im.ctx, id, in)
	return after, rowUpdated, err
}

// route makes the path of a job that has none, if the row names a template, and returns the job's paths.
func (im *importing) route(job *Job, in *ImportJobInput) (paths []card.Path, made bool, err error) {
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
	if err := im.may(OpApplyTemplate); err != nil {
		return nil, false, err
	}
	path, err := im.service.ApplyTemplate(im.ctx, template, ApplyTemplateInput{
		JobID: input.Given(job.ID), GoalQuantity: input.Given(float64(job.GoalQuantity)), ChangedBy: in.ChangedBy,
	})
	return []card.Path{path}, true, err
}

// template is the identifier of the template that a row names; "" when it names none.
func (im *importing) template(in input.TextInput) (string, error) {
	named, err := input.OptionalWithin("template", in, input.NameLimit)
	if err != nil {
		return "", err
	}
	named = strings.TrimSpace(named)
	if id, ok := im.templates[named]; ok || named == "" {
		return id, nil
	}
	id, err := idIn(im.tx, RecordTemplate, named)
	if err != nil {
		return "", err
	}
	if _, err := im.tx.Template(id); errors.Is(err, ErrNoRecord) {
		if id, err = im.templateCalled(named); err != nil {
			return "", err
		}
	} else if err != nil {
		return "", err
	}
	im.templates[named] = id
	return id, nil
}

// templateCalled is the identifier of the template with a name.
func (im *importing) templateCalled(name string) (id string, err error) {
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
		return "", refusal.RefuseField(refusal.NoRecord, "template", NameTemplate, name)
	case 1:
		return id, nil
	}
	return "", refusal.RefuseField(TemplateName, "template", count, name)
}

// makeUnits makes those units that a row asks for and the job lacks.
func (im *importing) makeUnits(job *Job, paths []card.Path, in *ImportJobInput) (made bool, err error) {
	field, units := "units", CreateSerialsInput{JobID: input.Given(job.ID), UserID: in.ChangedBy}
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
	if err := im.may(OpCreateSerials); err != nil {
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

func anyOf(args []string) []any {
	all := make([]any, len(args))
	for i, arg := range args {
		all[i] = arg
	}
	return all
}

// lackingNumbers are those of the listed numbers that no unit of the job has or had.
func (im *importing) lackingNumbers(job *Job, in *ImportJobInput) (lacking input.TextsInput, err error) {
	listed, err := listedNumbers(in.SerialNumbers)
	if err != nil {
		return lacking, err
	}
	if !in.Units.Missing() {
		quantity, err := input.RequiredQuantity("units", in.Units)
		if err != nil {
			return lacking, err
		}
		if quantity != int64(len(listed)) {
			return lacking, refusal.RefuseField(QuantityDiffers, "units", len(listed))
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

// lackingUnits is how many units a job lacks; a missing input when it has enough.
func (im *importing) lackingUnits(job *Job, paths []card.Path, in input.NumberInput) (lacking input.NumberInput, err error) {
	quantity, err := input.RequiredQuantity("units", in)
	if err != nil || len(paths) == 0 {
		return input.Given(float64(quantity)), err
	}
	counts, err := countJobsNow(im.tx, []string{job.ID})
	if err != nil {
		return lacking, err
	}
	of := counts[job.ID]
	if quantity -= of.InProgress + of.Completed + of.Scrapped; quantity > 0 {
		lacking = input.Given(float64(quantity))
	}
	return lacking, nil
}

// ImportSerialInput is a row of a file of serials.
type ImportSerialInput struct {
	ID           input.TextInput `field:"id"`
	SerialNumber input.TextInput `field:"serialNumber"`
	JobID        input.TextInput `field:"jobId"`
	PathID       input.TextInput `field:"pathId"`
	ExternalInput
	Reason input.TextInput `field:"reason"` // why a number is corrected
	UserID input.TextInput `field:"userId"`
}

func (im *importing) serial(in ImportSerialInput) (outcome rowOutcome, err error) {
	in.UserID = im.actor(in.UserID)
	id, err := im.known(RecordSerial, in.ID, in.ExternalID)
	if err != nil {
		return outcome, err
	}
	if id == "" {
		if id, err = im.numbered(&in); err != nil {
			return outcome, err
		}
		if given := in.ExternalID.State == input.StateGiven && !input.Blank(in.ExternalID.Value); id != "" && !given {
			in.ExternalInput = ExternalInput{} // the key by which the unit was found is its number; the external id stays
		}
	}
	if id != "" {
		return im.changeSerial(id, &in)
	}
	im.creating = true
	made := CreateSerialsInput{JobID: in.JobID, PathID: in.PathID, UserID: in.UserID}
	if input.Blank(in.SerialNumber.Value) && (in.SerialNumber.Missing() || in.SerialNumber.State == input.StateGiven) {
		made.Quantity = input.Given(1.0)
	} else {
		made.SerialNumbers = input.Given([]input.TextInput{in.SerialNumber})
	}
	batch, err := im.service.CreateSerials(im.ctx, made)
	if refused, ok := errors.AsType[*refusal.Error](err); ok && strings.HasPrefix(refused.Field, "serialNumbers") {
		err = refusal.RefuseField(refused.Reason, "serialNumber", anyOf(refused.Args)...)
	}
	if err == nil && !in.ExternalID.Missing() {
		_, err = im.service.UpdateSerial(im.ctx, ident.SerialID(batch.First), UpdateSerialInput{in.ExternalInput, in.UserID})
	}
	return rowCreated, err
}

// numbered is the identifier of the unit on the row's path that has the row's own number; "" for none.
func (im *importing) numbered(in *ImportSerialInput) (string, error) {
	if in.SerialNumber.State != input.StateGiven || in.JobID.State != input.StateGiven {
		return "", nil
	}
	job, err := im.tx.Job(in.JobID.Value)
	if err != nil {
		return "", ignoreNoRecord(err)
	}
	number := strings.TrimSpace(in.SerialNumber.Value)
	repeated, err := im.claimText("serialNumber", RecordSerial, in.PathID.Value+" "+number)
	if err != nil {
		return "", err
	}
	taken, err := im.tx.OwnNumbersTaken(job.NumberScope(), []string{number})
	owner := taken[number]
	if err != nil || owner == "" {
		return "", err
	}
	card, err := im.tx.RouteCard(owner)
	if err != nil || card.Serial.PathID != in.PathID.Value {
		return "", ignoreNoRecord(err)
	}
	if !repeated {
		err = im.claimRecord("serialNumber", RecordSerial, owner)
	}
	return owner, err
}

// changeSerial gives a unit the number and the external identifier of a row. A unit stays on its path.
func (im *importing) changeSerial(id string, in *ImportSerialInput) (outcome rowOutcome, err error) {
	card, err := im.tx.RouteCard(id)
	if err != nil {
		return outcome, OrNotFound(err, NameSerial, id)
	}
	for _, place := range []struct {
		field string
		in    input.TextInput
		is    string
	}{{"jobId", in.JobID, card.Serial.JobID}, {"pathId", in.PathID, card.Serial.PathID}} {
		if !place.in.Missing() && (place.in.State != input.StateGiven || place.in.Value != place.is) {
			return outcome, input.NotOneOf(place.field, []string{place.is})
		}
	}
	number, before := in.SerialNumber, card.Serial.SerialNumber
	same := number.Missing() && before == "" || number.State == input.StateGiven && strings.TrimSpace(number.Value) == before
	if number.Present() && !same {
		if err := im.may(OpSetSerialNumber); err != nil {
			return outcome, err
		}
		change := SetSerialNumberInput{SerialNumber: number, Reason: in.Reason, UserID: in.UserID}
		if _, err := im.service.SetSerialNumber(im.ctx, id, change); err != nil {
			return outcome, err
		}
		outcome = rowUpdated
	}
	externalID := card.ExternalID
	if err := in.ExternalInput.change(id, &externalID); err != nil || externalID == card.ExternalID {
		return outcome, err
	}
	_, err = im.service.UpdateSerial(im.ctx, id, UpdateSerialInput{in.ExternalInput, in.UserID})
	return rowUpdated, err
}

// ImportUserInput is a row of a file of users.
type ImportUserInput struct {
	ID input.TextInput `field:"id"`
	UpdateUserInput
}

func (im *importing) user(in ImportUserInput) (outcome rowOutcome, err error) {
	in.ChangedBy = im.actor(in.ChangedBy)
	id, err := im.known(RecordUser, in.ID, in.ExternalID)
	if err != nil {
		return outcome, err
	}
	if id != "" {
		return im.changeUser(id, in.UpdateUserInput)
	}
	if input.Blank(in.ExternalID.Value) {
		if there, err := im.employed(&in); there || err != nil {
			return rowUnchanged, err
		}
	}
	im.creating = true
	made, err := im.service.CreateUser(im.ctx, CreateUserInput{
		Name: in.Name, Department: in.Department, ExternalInput: in.ExternalInput, ChangedBy: in.ChangedBy,
	})
	if err == nil && !in.Active.Missing() {
		_, err = im.changeUser(made.ID, UpdateUserInput{Active: in.Active, ChangedBy: in.ChangedBy})
		made.Active = in.Active.Value
	}
	if im.staff != nil {
		im.staff[made.Name] = append(im.staff[made.Name], made)
	}
	return rowCreated, err
}

// employed reports whether a user equals a row without a key, by name, by department where the file has that, and by whether the user is
// active. It refuses a row that differs from all users of that name and department in the latter only.
func (im *importing) employed(in *ImportUserInput) (bool, error) {
	name, err := input.RequiredTrimmed(in.Name)
	if err != nil {
		return false, err
	}
	department, err := input.OptionalWithin("department", in.Department, input.NameLimit)
	if err != nil {
		return false, err
	}
	active, err := input.OptionalFlag("active", in.Active)
	if err != nil {
		return false, err
	}
	if err := im.loadStaff(); err != nil {
		return false, err
	}
	found := false
	for _, user := range im.staff[name] {
		if in.Department.Present() && user.Department != department {
			continue
		}
		if found = true; user.Active == (active || in.Active.Missing()) {
			return true, nil
		}
	}
	if found {
		return false, refusal.RefuseField(UserThere, "active", name)
	}
	return false, nil
}

// loadStaff reads the users, once in a transaction.
func (im *importing) loadStaff() error {
	if im.staff != nil {
		return nil
	}
	const userSize = 300
	im.staff = map[string][]User{}
	for user, err := range im.tx.Users() {
		if err == nil {
			err = MemoryBudgetOf(im.ctx).Take(userSize)
		}
		if err != nil {
			return err
		}
		im.staff[user.Name] = append(im.staff[user.Name], user)
	}
	return nil
}

// UserThere is why a row without a key is refused that may mean a user who is there.
var UserThere = refusal.NewReason(refusal.Invalid, "user_unclear",
	"{field} is not what the user {name} of this department has: say by id or externalId which user the row changes, "+
		"or that it is a new one")

func (im *importing) changeUser(id string, in UpdateUserInput) (rowOutcome, error) {
	before, err := FindUser(im.tx, id)
	if err != nil {
		return rowUnchanged, err
	}
	if after, err := in.apply(before); err != nil || after.ExternalID == before.ExternalID && sameUser(before, after) {
		return rowUnchanged, err
	}
	_, err = im.service.UpdateUser(im.ctx, id, in)
	return rowUpdated, err
}

func sameUser(before, after User) bool {
	was, _ := userChange(before, after)
	return was == userFacts{}
}

// ImportCertificateInput is a row of a file of certificates.
type ImportCertificateInput struct {
	ID input.TextInput `field:"id"`
	CreateCertificateInput
}

func (im *importing) certificate(in ImportCertificateInput) (outcome rowOutcome, err error) {
	in.ChangedBy = im.actor(in.ChangedBy)
	id, err := im.known(RecordCertificate, in.ID, in.ExternalID)
	if err != nil {
		return outcome, err
	}
	if id == "" {
		im.creating = true
		_, err := im.service.CreateCertificate(im.ctx, in.CreateCertificateInput)
		return rowCreated, err
	}
	before, err := findCertificate(im.tx, id)
	if err != nil {
		return outcome, err
	}
	change := UpdateCertificateInput(in.CreateCertificateInput)
	if after, err := change.apply(before); err != nil || after.ExternalID == before.ExternalID {
		return outcome, err
	}
	_, err = im.service.UpdateCertificate(im.ctx, id, change)
	return rowUpdated, err
}

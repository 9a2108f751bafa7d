package wording

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/workorder"
)

// The sentences of the API are written for programs. Here each reason of a refusal gets a sentence in the words of the shop, and the form
// field that it concerns. If a reason has no entry here, the pages show the sentence of the API.

// Advice is a refusal in the words of the shop.
type Advice struct {
	Field string // the name of the form field, "" for none
	Index int    // index among the fields with the same name
	Text  string
}

// sentence is the text of the pages for a reason.
type sentence struct {
	field string    // the name of the form field
	Text  lang.Text // with arguments in braces, see fill; "" for the reason's own sentence
}

// Sentences are the page texts for reasons, whatever the field.
var Sentences = withNouns(map[*refusal.Reason]sentence{
	shop.WaiverIncomplete:     {"approverId", "Say why, and choose who approves."},
	refusal.NoScrapReason:     {"reason", "Choose why it is scrapped."},
	refusal.NoExplanation:     {"explanation", "Explain it: the reason alone does not say what happened."},
	refusal.SelectionUnclear:  {"units", "Name at least one unit."},
	refusal.SelectionTooLarge: {"units", "At most {limit:number} units at once."},
	refusal.SelectionCount:    {"", "There are now {count:units} here, not {expected:number}. Nothing was changed. Reload the page."},
	refusal.SelectionLeft:     {"", "{serialId} has moved since. Nothing was changed. Reload the page."},
	refusal.BatchCutOff:       {"", "This was interrupted: {done:number} of {selected:units} were processed."},
	NoneCalled:                {"", "No {noun:record} is called “{typed}”."},
	ManyCalled:                {"", "“{typed}” can be more than one {noun:record}: {names}. Type more of the name."},
	MoreCalled:                {"", "“{typed}” can be more than one {noun:record}: {names} and others. Type more of the name."},
	NoPart:                    {field: "component"},
	ManyParts:                 {field: "component"},
	WrongUnits:                {field: "units"},
	OtherShipment:             {field: "units"},
	UnitsBesideAll:            {field: "units"},
	NotALot:                   {field: "component"},
	NoFirstDay:                {field: "from"},
	NoUnits:                   {field: "units"},
	UnitsBackwards:            {field: "units"},

	card.AdvanceScrapped:          {"", "The unit is scrapped."},
	refusal.ForceCompleteScrapped: {"", "The unit is scrapped."},
	card.HoldScrapped:             {"", "The unit is scrapped."},
	card.ReworkScrapped:           {"", "The unit is scrapped."},
	refusal.ScrapScrapped:         {"", "The unit is scrapped already."},
	card.AdvanceCompleted:         {"", "The unit is completed."},
	card.AdvanceToCompleted:       {"", "The unit is completed."},
	refusal.SerialCompleted:       {"", "The unit is completed."},
	refusal.ScrapCompleted:        {"", "The unit is completed and cannot be scrapped."},
	shop.AttachCompleted:          {"", "The unit is completed and takes no more certificates."},
	card.SerialHeld:               {"", "The unit is on hold: {reason}"},
	refusal.NothingOpen:           {"", "No required step is open: advance the unit to complete it."},
	refusal.StandsElsewhere:       {"", "{serialId} has moved since. Nothing was changed. Reload the page."},

	refusal.NotObject: {"metadata", "Write each detail on a line of its own, with a colon behind its name, such as Heat number: 4711."},

	card.TargetBehind:     {"target", "The unit has passed that step."},
	card.TargetAhead:      {"target", "The unit has not reached that step yet."},
	card.TargetOutOfRange: {"target", "The route has no such step."},
	card.PathStrict:       {"", "This route is strict: one step after the other."},
	card.StepPhysical:     {"", "A step in between cannot be skipped: later steps depend on it."},
	card.StepGate:         {"", "A gate in between must be completed first."},

	card.OverrideCompleted:  {"", "The step is done already."},
	card.ReverseCompleted:   {"", "The step is done already."},
	card.ReverseSkipped:     {"", "The step was skipped already."},
	card.NoOverride:         {"", "The override is already removed."},
	card.CompleteUndeferred: {"", "The step is no longer deferred: it is {status:words}."},
	card.WaiveUndeferred:    {"", "The step is no longer deferred."},
	card.WaiveOptional:      {"", "The step is optional, and needs no waiver."},

	shop.NoteVoided:       {"", "It is already voided."},
	shop.AttachmentVoided: {"", "It is already voided."},
	shop.NothingToUndo:    {"", "Nothing was done to the unit that can be undone."},
	shop.NotLastChange:    {"", "The unit was changed since. Reload the page."},
	shop.UndoRerouted:     {"", "The order of the steps has changed since. Send the unit back to a step instead."},
	shop.HoldReleased:     {"", "It is already released."},

	shop.NonconformanceClosed: {"", "The report is closed."},
	shop.Undecided:            {"", "{serialId} waits for a decision."},
	shop.DecidedBefore:        {"", "Somebody decided about {serialId} in the meantime. Nothing was changed. Reload the page."},
	shop.StillReworked:        {"", "{serialId} has not passed again the step where the problem was found."},

	workorder.NotGTIN:         {"gtin", "Type the 8, 12, 13 or 14 digits of the GTIN."},
	workorder.WrongCheckDigit: {"gtin", "The last digit of the GTIN is not its check digit. Compare the digits."},

	workorder.NotPriority: {"priority", "Choose a priority from 1 to 5."},
	shop.PathHasSerials:   {"", "The route has units and cannot be deleted."},

	card.JobIsClosed:     {"", "The job {job} is closed. Reopen it first."},
	shop.JobClosedBefore: {"", "The job is closed already."},
	shop.JobNotClosed:    {"", "The job is open already."},
	shop.UnitsInProgress: {"", "The job has {count:units} in progress: {places}. Finish or scrap them first."},

	replay.StepsPassUnits:  {"", "{step} cannot come to the other side of {at}: there are {count:units}. Move these units first, or keep the order."},
	replay.StepsPassDone:   {"", "{step} has to stay after the steps that {count:units} completed."},
	replay.TooManyPassed:   {"", "Too many units are past the new steps. Insert fewer steps at a time, or insert them after the units."},
	replay.TooManyMoved:    {"", "Too many units stand at steps whose position would change. Keep the order of the steps that most units stand at or have passed."},
	shop.TooMuchAtOnce:     {"", "This is too much at once and would block others. Nothing was changed. Divide it, or skip refused rows."},
	importing.RowTooMuch:   {"", "This row creates too much at once and would block others. Divide it into several rows."},
	importing.UnitsTooMany: {"", "A file creates at most {limit} units, and the rows before this one create {count}. Put the row into another file."},
	shop.ExternalIDTaken:   {"externalId", "Another {id:noun} has the external id {externalId}."},
	input.NotDate:          {"dueDate", "Choose a day, such as 2026-01-31."},
	refusal.NotDecimal:     {"", "Type a number of at most 18 digits, such as 12.503 or 12,503."},
	refusal.RangeBackwards: {"to", "The end must be after the start."},
	refusal.RecordChanged:  {"", "Somebody changed the {record:thing} in the meantime. Nothing was saved. Reload the page."},

	shop.Unsigned:        {"", "This has to be signed: do it on the card of the unit."},
	shop.Uncosigned:      {"", "A second person has to sign this: do it on the card of the unit."},
	shop.TicketNotValid:  {"", "These signatures are not sufficient: two different people with this permission must sign."},
	shop.SignedFilter:    {"", "A signed change must list its units: tick or type them."},
	refusal.LastAdmin:    {"", "Someone must keep the role admin. Give it to somebody else first."},
	shop.FewAdmins:       {"", "This needs two administrators who can sign: give a second person the role admin first, and have the account confirmed."},
	refusal.NobodysLogin: {"", "No active operator has the login {value}."},
	refusal.ConfirmFirst: {"", "A badge and a PIN are not enough for this. Sign in with your password."},
	access.Unconfirmed:   {"", "This account is not confirmed. A second person with a confirmed account, who may decide or administer, confirms it on the page Operators."},
	access.PINChange:     {"", "Someone else set this PIN. Its owner must change it first, on their own page."},

	refusal.KeyOfOther:     {"", "This form was sent before with other content. Nothing was changed. Reload the page and fill it in again."},
	refusal.KeyIsRunning:   {"", "This was sent before and is still in progress. Wait a moment, then check the result."},
	refusal.CommitUnknown:  {"", "The connection to the database was lost just then. It is not known whether this was done: look before you try again."},
	refusal.CommitUnsynced: {"", "The disk failed just then. It is not known whether this was done: look before you try again."},
	httpstatus.Internal:    {"", "Something went wrong here. The error is logged: contact your administrator."},
}, func(w nounWords) map[*refusal.Reason]sentence { return w.sentences })

// field is the label of an API field on the pages, its name in forms, and the texts for a missing value and for a value that is not
// allowed.
type field struct {
	Label            lang.Text
	name             string
	Absent, Unlisted lang.Text
}

// CommonFields have the same label for every noun. Each noun declares the labels of its other fields. fieldOfNoun looks in both.
var CommonFields = map[string]field{
	"approverId":               {"Approved by", "approverId", "Choose who approves.", ""},
	"certId":                   {"Certificate", "certId", "Choose a certificate.", ""},
	"changeDescription":        {"What was changed", "changeDescription", "", ""},
	"changedBy":                {"", "userId", "Choose who is working.", ""},
	"concession":               {"", "concession", "Say who agreed to use it as it is, or to the repair.", ""},
	"contributingJobIds":       {"Made by jobs", "jobs", "", ""},
	"department":               {"Department", "department", "", ""},
	"disposition":              {"", "disposition", "", "Choose what becomes of the units."},
	"entries":                  {"", "partType", "Fill in at least one part type.", ""},
	"expectedCount":            {"", "units", "The number of units is missing. Reload the page.", ""},
	"explanation":              {"Explanation", "explanation", "", ""},
	"goalQuantity":             {"Goal quantity", "goalQuantity", "", ""},
	"jobId":                    {"Job", "jobId", "Choose a job.", ""},
	"location":                 {"Location", "location", "", ""},
	"lotId":                    {"Lot", "component", "Scan the lot, or type its number.", ""},
	"lotQuantity":              {"Quantity of the lot in each", "lotQuantity", "Type how much of the lot is in each unit.", ""},
	"name":                     {"Name", "name", "", ""},
	"partNumber":               {"Part number", "partNumber", "", ""},
	"partRevision":             {"Revision", "partRevision", "", ""},
	"gtin":                     {"GTIN", "gtin", "", ""},
	"customer":                 {"Customer", "customer", "", ""},
	"orderNumber":              {"Order", "orderNumber", "", ""},
	"description":              {"Description", "description", "", ""},
	"drawingNumber":            {"Drawing", "drawingNumber", "", ""},
	"drawingRevision":          {"Revision of the drawing", "drawingRevision", "", ""},
	"orderLine":                {"Line of the order", "orderLine", "", ""},
	"customerAddress":          {"Address of the customer", "customerAddress", "", ""},
	"language":                 {"Language of papers", "language", "", "Choose the language."},
	"priority":                 {"Priority", "priority", "", ""},
	"partType":                 {"Part type", "partType", "", ""},
	"pathName":                 {"Name of the route", "pathName", "", ""},
	"quantity":                 {"Number of units", "quantity", "", ""},
	"reason":                   {"Reason", "reason", "Say why.", "Choose why it is scrapped."},
	"record":                   {"", "record", "Choose what to void.", ""},
	"requiredQuantityPerBuild": {"Quantity per assembly", "quantity", "", ""},
	"meaning":                  {"", "sign-meaning", "", "Choose what the signature means."},
	"scrapReason":              {"", "scrapReason", "", "Choose why they are scrapped."},
	"severity":                 {"", "severity", "", "Choose the severity."},
	"steps":                    {"", "step", "A route needs at least one step.", ""},
	"summary":                  {"", "summary", "Describe the result.", ""},
	"targetStepIndex":          {"", "target", "Choose where to.", ""},
	"text":                     {"Note", "text", "Write the note first.", ""},
	"title":                    {"", "title", "Give it a title.", ""},
	"type":                     {"Kind", "type", "", ""},
	"userId":                   {"", "userId", "Choose who is working.", ""},
	"dueDate":                  {"Due", "dueDate", "", ""},
	"externalId":               {"External id", "externalId", "", ""},
}

// NounFields are the fields with labels that nouns declare.
var NounFields = fieldsByNoun()

// fieldOfNoun returns the noun's label for a field, or else the common label.
func fieldOfNoun(of ident.RecordKind, name string) field {
	if own, said := NounFields[of][name]; said {
		return own
	}
	return CommonFields[name]
}

// rules are the page texts for refusals that concern a field with a label.
var rules = map[*refusal.Reason]lang.Text{
	refusal.Required:       "please fill in {label}.",
	refusal.TooLong:        "{label} is too long.",
	refusal.WithControl:    "{label} contains a tab or another invisible character. Type it instead of pasting.",
	refusal.NotNumber:      "{label} must be a number.",
	refusal.NotDigits:      "{label} takes digits only, such as 1000.",
	refusal.NotInteger:     "{label} must be a whole number.",
	refusal.NotAboveZero:   "{label} must be more than 0.",
	refusal.NumberTooLarge: "{label} must be at most {limit:number}.",

	shop.IdentifierIsCommand: "{label} is a command code: a station does not find anything by it. Type another one.",
	shop.IdentifierIsID:      "{label} is the id of another record: a scan of it could mean either. Type another one.",
	shop.IdentifierIsAddress: "{label} is a web address. Type the part of it that is the number.",
}

// things are the names that pages use for the API's kinds of records.
var things = withNouns(map[refusal.RecordName]lang.Text{ //nolint:exhaustive // others are a record
	"SerialNumber": "unit", "Serial": "unit", "Job": "job", "Path": "route", "ProcessStep": "step",
	"Certificate": "certificate", "BOM": "bill", "TemplateRoute": "template", "User": "operator",
	"Nonconformance": "report", "Note": "note", "Attachment": "certificate on the unit",
}, func(w nounWords) map[refusal.RecordName]lang.Text { return w.things })

// removable lists the kinds of records that users delete permanently. Another user may already have deleted such a record.
var removable = map[string]bool{"Token": true, "Station": true, // not a text: names of the interface
	"LocationLibraryEntry": true, "ProcessLibraryEntry": true}

// AdviseOn expresses a refusal in the words of the shop. It uses the noun of the request: see shop.Operation.Noun.
func AdviseOn(l *lang.Language, of ident.RecordKind, refusal *refusal.Error) Advice {
	plain := *refusal
	plain.Repeat, plain.Serial = false, ""
	said, known := inWords(l, of, &plain)
	switch {
	case !known:
		plain.Serial = refusal.Serial
		said = Advice{Text: ownSentence(l, &plain)}
	case refusal.Serial != "": // an operation on many units that changes all or none
		said.Text = refusal.Serial + ": " + said.Text
	}
	if refusal.Repeat {
		said.Text += " " + l.T("Send the same once more: what was done already is not done twice.")
	}
	return said
}

// inWords expresses a refusal in the words of the shop. known is false if there are no such words for it.
func inWords(l *lang.Language, noun ident.RecordKind, refused *refusal.Error) (said Advice, known bool) {
	if of, known := Sentences[refused.Reason]; known {
		if of.Text == "" {
			return Advice{Field: of.field, Text: ownSentence(l, refused)}, true
		}
		return Advice{Field: of.field, Text: fill(l, l.Lookup(of.Text), refused, "")}, true
	}
	if refused.Reason == refusal.NoRecord {
		record := refused.Arg("record")
		if removable[record] {
			return Advice{Text: l.T("It is already removed.")}, true
		}
		return Advice{Text: fill(l, l.Lookup("There is no {record:thing} {id}."), refused, "")}, things[refusal.RecordName(record)] != ""
	}
	return adviseOnField(l, noun, refused)
}

// adviseOnField describes the problem with a field. If a field belongs to a step or to a line of a bill, its name begins with the list and
// the index.
func adviseOnField(l *lang.Language, noun ident.RecordKind, refused *refusal.Error) (said Advice, known bool) {
	list, place, name := splitField(refused.Field)
	label := fieldOfNoun(noun, name)
	switch {
	case place >= 0:
	case label.Absent != "" && (refused.Reason == refusal.Required || refused.Reason == refusal.ListEmpty):
		return Advice{Field: label.name, Text: l.Lookup(label.Absent)}, true
	case label.Unlisted != "" && refused.Reason == refusal.NotAmong:
		return Advice{Field: label.name, Text: l.Lookup(label.Unlisted)}, true
	}
	rule, known := rules[refused.Reason]
	if !known || label.Label == "" {
		return Advice{}, false
	}
	said = Advice{Field: label.name, Text: fill(l, l.Lookup(rule), refused, l.Lookup(label.Label))}
	if place < 0 {
		first, size := utf8.DecodeRuneInString(said.Text)
		said.Text = string(unicode.ToUpper(first)) + said.Text[size:]
		return said, true
	}
	where := lang.Text("Line {n}: {text}")
	if list == "steps" {
		where = "Step {n}: {text}"
		if name == "name" {
			said.Field = "step"
		}
	}
	said.Index, said.Text = place, l.T(where, "n", place+1, "text", said.Text)
	return said, true
}

// splitField splits the name of a field: entries[4].partType is partType at index 4 of entries. A field outside a list has the index -1. An
// item of a list has no name. If a field is itself a list, its name stands for the items.
func splitField(field string) (list string, place int, name string) {
	list, rest, listed := strings.Cut(field, "[")
	number, rest, _ := strings.Cut(rest, "]")
	place, err := strconv.Atoi(number)
	if !listed || err != nil {
		return "", -1, field
	}
	name, _, _ = strings.Cut(strings.TrimPrefix(rest, "."), "[")
	return list, place, name
}

// fill replaces the names in braces by the arguments of a refusal. A colon and a format may follow a name: number, units (a count of
// units), words, thing (the page's name for a kind of record), record (its English name), noun (the same as thing, given an identifier),
// column (the label of a file column).
func fill(l *lang.Language, text string, refused *refusal.Error, label string) string {
	var filled strings.Builder
	for {
		before, after, found := strings.Cut(text, "{")
		filled.WriteString(before)
		if !found {
			return filled.String()
		}
		var place string
		place, text, _ = strings.Cut(after, "}")
		name, form, _ := strings.Cut(place, ":")
		value := refused.Arg(name)
		if name == "label" {
			value = label
		}
		switch form {
		case "number":
			value = l.Number(value)
		case "units":
			value = l.TN(value, "{n} unit", "{n} units")
		case "words":
			value = lang.InSentence(l, value)
		case "thing":
			value = l.Lookup(cmp.Or(things[refusal.RecordName(value)], "record"))
		case "record":
			value = l.Lookup(lang.Text(value))
		case "noun":
			value = ThingOf(l, value)
		case "column":
			value = ColumnCalled(l, "", value)
		}
		filled.WriteString(value)
	}
}

// ownSentence returns the reason's own sentence.
func ownSentence(l *lang.Language, refused *refusal.Error) string {
	english := refused.Reason.Sentence()
	if translated := l.Lookup(lang.Text(english)); translated != english {
		return fill(l, translated, refused, refused.Field)
	}
	return refused.Error()
}

// Told describes an error in the words of the shop.
func Told(l *lang.Language, err error) string {
	_, refusal := httpstatus.Of(err)
	return AdviseOn(l, "", refusal).Text
}

// ThingOf returns the page's name for the record with an identifier.
func ThingOf(l *lang.Language, id string) string {
	unit := shop.IsSerialID(id)
	for _, record := range shop.Records() {
		if record.Prefix != "" && strings.HasPrefix(id, record.Prefix) || unit && record.Kind == shop.RecordSerial {
			for _, name := range record.Names {
				if thing := things[name]; thing != "" {
					return l.Lookup(thing)
				}
			}
		}
	}
	return l.T("record")
}

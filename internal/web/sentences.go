package web

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/routecard/routecard/shop"
)

// The interface's messages are for programs, and stay as they are. Here they become the words of the shop, and each
// finds the field that it is about. A message that is not listed is shown as it is.

// advice is a message in the words of the shop.
type advice struct {
	field string // the name of the field in the form, "" when it is about none
	index int    // which of the fields with that name, counted from 0
	text  string
}

// field is how a field of the interface is called on the pages, and the name that it has in their forms.
type field struct{ label, name string }

var fields = map[string]field{
	"approverId":               {"Approved by", "approverId"},
	"certId":                   {"Certificate", "certId"},
	"changeDescription":        {"What was changed", "changeDescription"},
	"contributingJobIds":       {"Made by jobs", "jobs"},
	"department":               {"Department", "department"},
	"explanation":              {"Explanation", "explanation"},
	"goalQuantity":             {"Goal quantity", "goalQuantity"},
	"jobId":                    {"Job", "jobId"},
	"location":                 {"Location", "location"},
	"name":                     {"Name", "name"},
	"partNumber":               {"Part number", "trackerPartNumber"},
	"partType":                 {"Part type", "partType"},
	"pathName":                 {"Name of the route", "pathName"},
	"quantity":                 {"Number of units", "quantity"},
	"reason":                   {"Reason", "reason"},
	"requiredQuantityPerBuild": {"Quantity per build", "quantity"},
	"text":                     {"Note", "text"},
	"type":                     {"Kind", "type"},
}

// sentences are the messages that say something in particular.
var sentences = map[string]advice{
	"userId is required":     {field: "userId", text: "Choose who is working."},
	"changedBy is required":  {field: "userId", text: "Choose who is working."},
	"approverId is required": {field: "approverId", text: "Choose who approves."},
	"Waiver requires a reason and approver identity": {
		field: "approverId", text: "Say why, and choose who approves.",
	},
	"certId is required":                  {field: "certId", text: "Choose a certificate."},
	"expectedCount is required":           {field: "units", text: "It is not said how many units these are. Open the page anew."},
	"jobId is required":                   {field: "jobId", text: "Choose a job."},
	"text is required":                    {field: "text", text: "Write the note first."},
	"targetStepIndex is required":         {field: "target", text: "Choose where to."},
	"Scrap reason is required":            {field: "reason", text: "Choose why it is scrapped."},
	"reason is required":                  {field: "reason", text: "Say why."},
	"entries must have at least one item": {field: "partType", text: "Fill in at least one part type."},
	"steps is required":                   {field: "step", text: "A route needs at least one step."},
	"Explanation is required when scrap reason is \"other\"": {
		field: "explanation", text: "Explain it: the reason alone does not say what happened.",
	},
	"reason must be one of: out_of_tolerance, process_defect, damaged, operator_error, other": {
		field: "reason", text: "Choose why it is scrapped.",
	},
	"Cannot advance a scrapped serial":                {text: "The unit is scrapped."},
	"Cannot advance a completed serial":               {text: "The unit is finished."},
	"Serial number is already completed":              {text: "The unit is finished."},
	"Serial is already completed":                     {text: "The unit is finished."},
	"Serial is already scrapped":                      {text: "The unit is scrapped already."},
	"Cannot scrap a completed serial":                 {text: "The unit is finished, and cannot be scrapped any more."},
	"Cannot force-complete a scrapped serial":         {text: "The unit is scrapped."},
	"Serial is already completed, cannot attach cert": {text: "The unit is finished, and takes no certificates any more."},
	"Serial has no incomplete required steps — use normal completion": {
		text: "No required step is open: move the unit on to finish it.",
	},
	"This needs your signature":                   {text: "This has to be signed: do it on the card of the unit."},
	"This needs the signature of a second person": {text: "A second person has to sign this: do it on the card of the unit."},
	"The signature ticket is not valid for this request": {
		text: "These signatures do not do: two different people sign, and both may do this.",
	},
	"Change your PIN first": {
		text: "Somebody else has set this PIN: whoever it belongs to changes it first, on the page under their name.",
	},
	"Exactly one of serialIds, ranges, where is required": {field: "units", text: "Name at least one unit."},
	"Cannot hold a scrapped serial":                       {text: "The unit is scrapped."},
	"Cannot rework a scrapped serial":                     {text: "The unit is scrapped."},
	"Cannot rework to a step after the current position":  {field: "target", text: "The unit has not come to that step yet."},
	"Hold is already released":                            {text: "Somebody released it before."},
	"Nonconformance is closed":                            {text: "The report is closed."},
	"concession is required": {
		field: "concession", text: "Say who agreed to use it as it is, or to the repair.",
	},
	"title is required":                               {field: "title", text: "Give it a title."},
	"summary is required":                             {field: "summary", text: "Say what came out."},
	"severity must be one of: minor, major, critical": {field: "severity", text: "Choose how bad it is."},
	"disposition must be one of: use_as_is, rework, repair, scrap, return_to_supplier": {
		field: "disposition", text: "Choose what becomes of the units.",
	},
	"Note is already voided":       {text: "Somebody struck it through before."},
	"Attachment is already voided": {text: "Somebody struck it through before."},
	"Nothing to undo":              {text: "Nothing was done to the unit that could be taken back."},
	"Path is in strict mode — can only advance to the next sequential step": {
		text: "This route is strict: one step after the other.",
	},
	"Cannot skip step with physical dependency": {text: "A step on the way cannot be passed: the next ones build on it."},
	"Cannot skip step with completion_gate dependency": {
		text: "A gate is on the way: it lets nothing past before it is done.",
	},
	"Cannot advance to a step at or before the current position": {field: "target", text: "The unit has passed that step."},
	"Target step index is out of range":                          {field: "target", text: "The route has no such step."},
	"Cannot reverse override — step has already been skipped":    {text: "The step was skipped already."},
	"Cannot reverse override — step has already been completed":  {text: "The step is done already."},
	"Cannot override a step that has already been completed":     {text: "The step is done already."},
	"No active override found for this step":                     {text: "The override was taken back already."},
	"Can only waive required steps — this step is optional":      {text: "The step is optional, and needs no waiver."},
	"Can only waive deferred required steps":                     {text: "The step is not put off any more."},
	"Cannot delete path with serial numbers attached":            {text: "The route has units, and stays."},
	"Request body is too large":                                  {text: "That is too much for one form."},
	shop.CommitUnknown: {
		text: "The connection to the database was lost just then. It is not known whether this was done: look before you try again.",
	},
	shop.CommitUnsynced: {
		text: "The disk failed just then. It is not known whether this was done: look before you try again.",
	},
	"Idempotency-Key was already used for another request": {
		text: "This was sent before as something else. Nothing was done. Open the page anew, and fill it in again.",
	},
	"A request with this Idempotency-Key is still running": {
		text: "This was sent before, and is still being worked on. Wait a moment, then look whether it is done.",
	},
	"Internal Server Error": {
		text: "Something went wrong here. It is written down for whoever runs this service.",
	},
}

var (
	unknownThing = regexp.MustCompile(
		`^(SerialNumber|Serial|Job|Path|ProcessStep|Certificate|BOM|Template|User|Note|Attachment|Nonconformance) not found: (.*)$`)
	otherCount   = regexp.MustCompile(`^The selection has (\d+) serials, expected (\d+)$`)
	fieldRule    = regexp.MustCompile(`^([A-Za-z]+)(?:\[(\d+)\])?(?:\.([A-Za-z]+))?(?:\[\d+\])? (is required|is too long|must .*)$`)
	notTheLast   = regexp.MustCompile(`^Only the last change can be undone: (.*)$`)
	undecided    = regexp.MustCompile(`^(\S+) has no disposition$`)
	decidedOnce  = regexp.MustCompile(`^(\S+) already has a disposition$`)
	reworkedYet  = regexp.MustCompile(`^(\S+) is still being reworked$`)
	ofUnit       = regexp.MustCompile(`(?s)^(.*) \((SN-\d+)\)$`)
	movedUnit    = regexp.MustCompile(`^(\S+) (?:stands at step index -?\d+, expected -?\d+|is no longer in the selection)$`)
	backwards    = regexp.MustCompile(`^Backwards: (.*)$`)
	tooMany      = regexp.MustCompile(`^At most (\d+) serials at once$`)
	noUnits      = regexp.MustCompile(`^No units: (.*)$`)
	onHold       = regexp.MustCompile(`(?s)^Serial is on hold: (.*)$`)
	cutOff       = regexp.MustCompile(`^The batch was cut off: (\d+) of (\d+) serials had their turn\.$`)
	removed      = regexp.MustCompile(`^(?:Token|Station|LocationLibraryEntry|ProcessLibraryEntry) not found: `)
	otherRecord  = regexp.MustCompile(`^([A-Za-z]+) was changed since it was read: `)
	deferredOnly = regexp.MustCompile(`^Can only complete deferred steps — step status is: (.*)$`)
)

// things are what the interface's kinds of record are called on the pages.
var things = map[string]string{
	"SerialNumber": "unit", "Serial": "unit", "Job": "job", "Path": "route", "ProcessStep": "step",
	"Certificate": "certificate", "BOM": "bill", "Template": "template", "TemplateRoute": "template", "User": "operator",
	"Nonconformance": "report", "Note": "note", "Attachment": "certificate on the unit",
}

// adviseOn turns a message of the interface into words of the shop.
func adviseOn(message string) advice {
	if said, ok := sentences[message]; ok {
		return said
	}
	if failure, ok := strings.CutSuffix(message, shop.RepeatAdvice); ok {
		said := adviseOn(failure)
		said.text += " Send the same once more: what was done already is not done twice."
		return said
	}
	if found := cutOff.FindStringSubmatch(message); found != nil {
		return advice{text: "This broke off: " + number(found[1]) + " of " + plural(found[2], "unit", "units") + " had their turn."}
	}
	if removed.MatchString(message) {
		return advice{text: "Somebody removed it before."}
	}
	if found := otherRecord.FindStringSubmatch(message); found != nil {
		return advice{text: "Somebody changed the " + cmp.Or(things[found[1]], "record") + " meanwhile. Nothing was done. Look again."}
	}
	if found := unknownThing.FindStringSubmatch(message); found != nil {
		return advice{text: "There is no " + things[found[1]] + " " + found[2] + "."}
	}
	if notTheLast.MatchString(message) {
		return advice{text: "Something else was done to the unit since. Look again."}
	}
	if found := undecided.FindStringSubmatch(message); found != nil {
		return advice{text: found[1] + " waits for a decision."}
	}
	if found := decidedOnce.FindStringSubmatch(message); found != nil {
		return advice{text: "Somebody has decided about " + found[1] + " meanwhile. Nothing was done. Look again."}
	}
	if found := reworkedYet.FindStringSubmatch(message); found != nil {
		return advice{text: found[1] + " has not come back past the step where it was found."}
	}
	if found := movedUnit.FindStringSubmatch(message); found != nil {
		return advice{text: found[1] + " has moved meanwhile. Nothing was done. Look again."}
	}
	if found := backwards.FindStringSubmatch(message); found != nil {
		return advice{field: "units", text: "“" + found[1] + "” ends before it begins: the lower number comes first."}
	}
	if found := tooMany.FindStringSubmatch(message); found != nil {
		return advice{field: "units", text: "These are more than " + number(found[1]) + " units at once."}
	}
	if found := noUnits.FindStringSubmatch(message); found != nil {
		return advice{field: "units", text: "“" + found[1] + "” is no unit and no range of units."}
	}
	if found := onHold.FindStringSubmatch(message); found != nil {
		return advice{text: "The unit is on hold: " + found[1]}
	}
	if found := deferredOnly.FindStringSubmatch(message); found != nil {
		return advice{text: "The step is not put off any more: it is " + strings.ToLower(words(found[1])) + "."}
	}
	if found := otherCount.FindStringSubmatch(message); found != nil {
		return advice{text: "There are " + plural(found[1], "unit", "units") + " here by now, not " + number(found[2]) +
			". Nothing was done. Look again."}
	}
	if found := fieldRule.FindStringSubmatch(message); found != nil {
		if said, ok := adviseOnField(found[1], found[2], found[3], found[4]); ok {
			return said
		}
	}
	// An operation on many units, all of which or none are changed, says behind the rest which one refused.
	if found := ofUnit.FindStringSubmatch(message); found != nil {
		if said := adviseOn(found[1]); said.text != found[1] {
			said.text = found[2] + ": " + said.text
			return said
		}
	}
	return advice{text: message}
}

// adviseOnField turns a rule about a field into words. The fields of steps and of the lines of a bill have a list and
// the place in it before their own name.
func adviseOnField(list, place, inner, rule string) (advice, bool) {
	name := list
	where := ""
	index := 0
	if place != "" {
		index, _ = strconv.Atoi(place) // the expression allows digits only
		if where = "Line "; list == "steps" {
			where = "Step "
		}
		where += strconv.Itoa(index+1) + ": "
		name = inner
	}
	known, ok := fields[name]
	if !ok {
		return advice{}, false
	}
	if list == "steps" && name == "name" {
		known.name = "step"
	}
	text := map[string]string{
		"is required":            "please fill in " + known.label + ".",
		"is too long":            known.label + " is too long.",
		"must be a number":       known.label + " must be a number.",
		"must be an integer":     known.label + " must be a whole number.",
		"must be greater than 0": known.label + " must be more than 0.",
	}[rule]
	if most, ok := strings.CutPrefix(rule, "must be at most "); ok {
		text = known.label + " must be at most " + number(most) + "."
	}
	if text == "" {
		return advice{}, false
	}
	if where == "" {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return advice{field: known.name, index: index, text: where + text}, true
}

// told is a message in the words of the shop.
func told(message string) string { return adviseOn(message).text }

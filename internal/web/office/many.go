package office

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Actions on many units: users tick units on a board, or choose all units at a step. Advancing ticked units happens immediately. Every
// other action has a page that lists the units, shows which of them would refuse and why, and has a form for that action.

// The actions on many units, as named in forms and addresses.
const (
	manyAdvance = string(shop.OpAdvance)
	manyScrap   = string(shop.OpScrap)
	manyClose   = string(shop.OpForceComplete)
	manyAttach  = string(shop.OpAttach)
	manyNote    = string(shop.OpNote)
)

// counted is a text with a count.
type counted struct{ One, Many lang.Text }

// manyAction has the texts of an action on many units.
type manyAction struct {
	title counted   // title of its page
	these counted   // button for many units
	named lang.Text // button for a few units
	all   counted   // result if no unit refused
	some  counted   // result if a unit refused
}

// manyActions are the actions on many units. Attaching a certificate and writing a note have only one result, all. Holding and releasing
// have separate pages: see holding.go.
var manyActions = map[string]manyAction{
	manyAttach: {
		title: counted{One: "Attach a certificate to {n} unit", Many: "Attach a certificate to {n} units"},
		these: counted{One: "Attach to this unit", Many: "Attach to these {n} units"}, named: "Attach to {units}",
		all: counted{One: "Certificate attached to {n} unit.", Many: "Certificate attached to {n} units."},
	},
	manyNote: {
		title: counted{One: "Write a note on {n} unit", Many: "Write a note on {n} units"},
		these: counted{One: "Write it on this unit", Many: "Write it on these {n} units"}, named: "Write it on {units}",
		all: counted{One: "Note written on {n} unit.", Many: "Note written on {n} units."},
	},
	manyScrap: {
		title: counted{One: "Scrap {n} unit?", Many: "Scrap {n} units?"},
		these: counted{One: "Scrap this unit", Many: "Scrap these {n} units"}, named: "Scrap {units}",
		all:  counted{One: "{n} unit scrapped.", Many: "{n} units scrapped."},
		some: counted{One: "{done} of {n} unit scrapped.", Many: "{done} of {n} units scrapped."},
	},
	manyClose: {
		title: counted{One: "Complete {n} unit with open steps?", Many: "Complete {n} units with open steps?"},
		these: counted{One: "Complete this unit", Many: "Complete these {n} units"}, named: "Complete {units}",
		all:  counted{One: "{n} unit completed with open steps.", Many: "{n} units completed with open steps."},
		some: counted{One: "{done} of {n} unit completed with open steps.", Many: "{done} of {n} units completed with open steps."},
	},
	manyAdvance: {
		title: counted{One: "Advance {n} unit by one step", Many: "Advance {n} units by one step"},
		these: counted{One: "Advance this unit", Many: "Advance these {n} units"}, named: "Advance {units}",
		all:  counted{One: "{n} unit advanced.", Many: "{n} units advanced."},
		some: counted{One: "{done} of {n} unit advanced.", Many: "{done} of {n} units advanced."},
	},
	string(shop.OpHold): {
		all:  counted{One: "{n} unit put on hold.", Many: "{n} units put on hold."},
		some: counted{One: "{done} of {n} unit put on hold.", Many: "{done} of {n} units put on hold."},
	},
	string(shop.OpRelease): {
		all:  counted{One: "{n} unit released.", Many: "{n} units released."},
		some: counted{One: "{done} of {n} unit released.", Many: "{done} of {n} units released."},
	},
}

// Chosen is the selection of units on a board: ticked ones, or all units at a step.
type Chosen struct {
	PathID string
	Ticks  []Ticked
	All    bool
	Step   int   // the index of the step, for All
	Count  int64 // the number of units that the page showed, for All
}

// Ticked is one ticked unit, with the index of the step at which the page showed the unit.
type Ticked struct {
	Serial string
	Step   int
}

// chosenUnits reads the selection. If the step is invalid, the selection has no units, so the operation is refused.
func chosenUnits(v *site.Visit) Chosen {
	place := func(field string) int {
		step, err := strconv.Atoi(v.Form.Get(field))
		if err != nil {
			return -1
		}
		return step
	}
	c := Chosen{PathID: v.Form.Get("pathId"), All: v.Form.Get("all") != ""}
	if c.All {
		// The board's button combines step and count in one value. The page that it opens repeats that value.
		step, count, _ := strings.Cut(v.Form.Get("all"), "/")
		c.Step, c.Count = -1, -1
		if at, err := strconv.Atoi(step); err == nil {
			c.Step = at
		}
		if n, err := strconv.ParseInt(count, 10, 64); err == nil {
			c.Count = n
		}
		if spans, err := site.UnitSpans(v.SerialPrefix(), v.Form.Get(seenField)); err == nil && len(spans) > 0 {
			c.All = false
			for _, unit := range site.UnitsIn(v.SerialPrefix(), spans) {
				c.Ticks = append(c.Ticks, Ticked{unit, c.Step})
			}
		}
		return c
	}
	for _, serial := range v.Form["serial"] {
		c.Ticks = append(c.Ticks, Ticked{serial, place("at:" + serial)})
	}
	return c
}

func (c *Chosen) empty() bool { return !c.All && len(c.Ticks) == 0 }

func (c *Chosen) size() int64 {
	if c.All {
		return c.Count
	}
	return int64(len(c.Ticks))
}

// at returns the ticked units that the page showed at the given step.
func (c *Chosen) at(step int) []string {
	var units []string
	for _, tick := range c.Ticks {
		if tick.Step == step {
			units = append(units, tick.Serial)
		}
	}
	return units
}

// steps returns the indexes of the steps of the chosen units, without duplicates and in the order of the path.
func (c *Chosen) steps() []int {
	if c.All {
		return []int{c.Step}
	}
	var steps []int
	for _, tick := range c.Ticks {
		if !slices.Contains(steps, tick.Step) {
			steps = append(steps, tick.Step)
		}
	}
	slices.Sort(steps)
	return steps
}

// ManyPage asks for the details of an action on many units.
type ManyPage struct {
	site.Frame
	Chosen
	Do           string
	Title        string
	Button       string
	Job          shop.JobDetail
	Path         card.Path
	Groups       []site.UnitGroup
	Refusing     []site.UnitGroup // the units that would refuse now, by reason
	Certificates []site.Choice    // the newest, as suggestions
	Reasons      []card.ScrapReason
}

// AllField is the form's value for all units at a step.
func (p *ManyPage) AllField() string { return fmt.Sprintf("%d/%d", p.Step, p.Count) }

// Dangerous reports whether the action completes or scraps the units.
func (p *ManyPage) Dangerous() bool { return p.Do == manyScrap || p.Do == manyClose }

// askMany shows the page of an action on the chosen units.
func askMany(v *site.Visit, do string, status int, refused *site.Problem) error {
	page := &ManyPage{Do: do, Chosen: chosenUnits(v), Reasons: shop.ScrapReasons()}
	var err error
	if page.Job, err = v.Service.Job(v.R.Context(), v.R.PathValue("id")); err != nil {
		return err
	}
	if page.Path, err = page.Job.Path(page.PathID); err != nil {
		return err
	}
	for _, step := range page.steps() {
		if step < 0 || step >= len(page.Path.Steps) {
			continue
		}
		units := unitList(v.Language, page.at(step))
		if page.All {
			units = v.TN(page.Count, "{n} unit", "{n} units")
		}
		page.Groups = append(page.Groups, site.UnitGroup{What: page.Path.Steps[step].Name, Units: units})
	}
	if len(page.Groups) == 0 {
		return v.Again("board"+page.PathID, errNowhere(), renderJob)
	}
	page.word(v.Language)
	page.Frame = v.FrameOf(page.Title, "jobs")
	page.Rejected = refused
	if do == manyAttach {
		if page.Certificates, err = site.Newest(v, "certificate"); err != nil {
			return err
		}
	}
	if refused == nil {
		if page.Refusing, err = tryMany(v, do, page.Chosen, page.Path); err != nil {
			return err
		}
	}
	return v.Show(status, "many", page)
}

// word sets the title and the button of the page, which contain the action and the units.
func (p *ManyPage) word(l *lang.Language) {
	count, units := p.size(), ""
	if !p.All && len(p.Ticks) <= 4 {
		ticked := make([]string, len(p.Ticks))
		for i, tick := range p.Ticks {
			ticked[i] = tick.Serial
		}
		units = unitList(l, ticked)
	}
	action, known := manyActions[p.Do]
	switch {
	case !known:
		p.Title = l.TN(count, "{n} unit at {step}", "{n} units at {step}", "step", p.Groups[0].What)
	case units == "":
		p.Title, p.Button = l.TN(count, action.title.One, action.title.Many), l.TN(count, action.these.One, action.these.Many)
	default:
		p.Title, p.Button = l.TN(count, action.title.One, action.title.Many), l.T(action.named, "units", units)
	}
}

// tryMany returns the chosen units that would refuse now. It needs no operator, because the form asks for one later.
func tryMany(v *site.Visit, do string, units Chosen, path card.Path) ([]site.UnitGroup, error) {
	if do != manyAdvance && do != manyScrap && do != manyClose {
		return nil, nil
	}
	by := v.User()
	if by == (input.TextInput{}) && v.Access == nil {
		by = input.Given("nobody yet") // not a text: nothing is written
	}
	result, err := onEach(v, do, units, path, manyInput{
		by: by, dryRun: true, reason: input.Given(string(card.Damaged)),
	})
	if refused, ok := site.AsRefusal(err); ok && refused.Kind == refusal.Invalid {
		return nil, nil // the error is reported when the user submits the form
	}
	return reasonsOf(v, result.Refused), err
}

// manyInput is the input of an operation on many units, without the units.
type manyInput struct {
	by, reason, explanation input.TextInput
	dryRun                  bool
	told                    func(done, selected int)
}

// onEach performs an operation on every chosen unit that allows it, one step after the other, and adds up the results.
func onEach(v *site.Visit, do string, units Chosen, path card.Path, in manyInput) (total shop.BatchResult, err error) {
	ctx := v.R.Context()
	var wanting *shop.SignatureError
	for _, step := range units.steps() {
		batch := shop.BatchInput{
			Selection: units.selection(step, path), OnRefusal: input.Given("each"),
			DryRun: input.Given(in.dryRun), Told: in.told,
		}
		seen := input.Given(float64(step))
		var result shop.BatchResult
		switch do {
		case manyScrap:
			result, err = v.Service.BatchScrap(ctx, shop.BatchScrapInput{
				BatchInput: batch,
				ScrapSerialInput: shop.ScrapSerialInput{
					ExpectedStepIndex: seen, Reason: in.reason, Explanation: in.explanation, UserID: in.by,
				},
			})
		case manyClose:
			result, err = v.Service.BatchForceComplete(ctx, shop.BatchForceCompleteInput{
				BatchInput:         batch,
				ForceCompleteInput: shop.ForceCompleteInput{ExpectedStepIndex: seen, Reason: in.explanation, UserID: in.by},
			})
		default:
			result, err = v.Service.BatchAdvance(ctx, shop.BatchAdvanceInput{
				BatchInput: batch, AdvanceSerialInput: shop.AdvanceSerialInput{ExpectedStepIndex: seen, UserID: in.by},
			})
		}
		if more, ok := errors.AsType[*shop.SignatureError](err); ok { // the signatures cover all steps together
			if wanting != nil {
				more.Contents = slices.Concat(wanting.Contents, more.Contents)
			}
			wanting = more
			continue
		}
		if err != nil {
			return total, err
		}
		total.Selected += result.Selected
		total.Changed += result.Changed
		total.Refused = append(total.Refused, result.Refused...)
	}
	if wanting != nil {
		return total, wanting
	}
	return total, nil
}

// toBeSigned replaces "all units at a step" by the identifiers of these units if the operation has to be signed. By the time of the
// signature, other units may be at the step. From then on the form contains the identifiers.
func toBeSigned(v *site.Visit, do string, units Chosen, path card.Path) (Chosen, error) {
	if !units.All {
		return units, nil
	}
	signed, err := site.SignatureDemanded(v, shop.Operation(do).Signed())
	if err != nil || !signed {
		return units, err
	}
	ids, err := v.Service.Selected(v.R.Context(), units.selection(units.Step, path))
	if err != nil {
		return units, err
	}
	v.Form.Set(seenField, site.AllUnits(ids))
	return chosenUnits(v), nil
}

// selection returns the chosen units of one step as input for an operation.
func (c *Chosen) selection(step int, path card.Path) shop.SelectionInput {
	if !c.All {
		return shop.SelectionInput{SerialIDs: input.GivenTexts(c.at(step)...)}
	}
	stepID := "none"
	if step >= 0 && step < len(path.Steps) {
		stepID = path.Steps[step].ID
	}
	return shop.SelectionInput{
		Where: input.Given(shop.FilterInput{
			PathID: input.Given(path.ID), StepID: input.Given(stepID),
			Status: input.Given(string(card.InProgress)),
		}),
		ExpectedCount: input.Given(float64(c.Count)),
	}
}

// namedMovers is the maximum number of moved units for which a message states the current position.
const namedMovers = 12

// reasonsOf groups refused units by the message of their refusal.
func reasonsOf(v *site.Visit, refused []shop.Refusal) []site.UnitGroup {
	units := map[string][]string{}
	var order []string
	for _, r := range refused {
		reason := v.T("something went wrong here")
		if problem, ok := site.AsRefusal(r.Err); ok {
			reason = strings.TrimSuffix(wording.Told(v.Language, problem), ".")
			if problem.Kind == refusal.Conflict && len(refused) <= namedMovers {
				reason = site.WhereNow(v, r.SerialID)
			} else if problem.Kind == refusal.Conflict {
				reason = v.T("moved meanwhile")
			}
		}
		if units[reason] == nil {
			order = append(order, reason)
		}
		units[reason] = append(units[reason], r.SerialID)
	}
	groups := make([]site.UnitGroup, len(order))
	for i, reason := range order {
		groups[i] = site.UnitGroup{What: reason, Units: unitList(v.Language, units[reason])}
	}
	return groups
}

// changeMany performs an operation on the chosen units. Attaching a certificate succeeds or fails for all units together. The other
// operations change every unit that allows it, and report the remaining units.
func changeMany(v *site.Visit, do string) (done string, err error) {
	units := chosenUnits(v)
	if units.empty() {
		return "", errNothingTicked()
	}
	if err := v.Named(); err != nil {
		return "", err
	}
	job, err := v.Service.Job(v.R.Context(), v.R.PathValue("id"))
	if err != nil {
		return "", err
	}
	path, err := job.Path(units.PathID)
	if err != nil {
		return "", err
	}
	all := v.TN(units.size(), manyActions[do].all.One, manyActions[do].all.Many)
	switch do {
	case manyAttach:
		return all, attachMany(v, units)
	case manyNote:
		return all, noteMany(v, units, path)
	}
	if units, err = toBeSigned(v, do, units, path); err != nil {
		return "", err
	}
	told, end := site.ProgressOfUnits(v)
	defer end()
	result, err := onEach(v, do, units, path, manyInput{
		by: v.User(), reason: v.Text("reason"), explanation: v.Text("explanation"), told: told,
	})
	if err != nil {
		return "", err
	}
	if result.Changed > 0 {
		v.Next.Label = v.TN(result.Changed, "Undo this one", "Undo these {n}")
		if v.Next.To, err = takeBackURL(v, do, job.ID, path.ID); err != nil {
			return "", err
		}
	}
	return tellMany(v, do, result)
}

// tellMany reports the results. If any unit refused, the report is a refusal, so that users do not mistake it for success. If any unit was
// changed, no units are ticked on the page, so that pressing the button again does not change a unit twice.
func tellMany(v *site.Visit, do string, result shop.BatchResult) (string, error) {
	action := manyActions[do]
	if len(result.Refused) == 0 {
		return v.TN(result.Selected, action.all.One, action.all.Many), nil
	}
	said := []string{v.TN(result.Selected, action.some.One, action.some.Many, "done", v.Language.Number(result.Changed))}
	said = append(said, refusedUnits(v, result.Refused)...)
	if result.Changed > 0 {
		delete(v.Form, "serial")
	}
	kind := refusal.Invalid
	if refusal, ok := site.AsRefusal(result.Refused[0].Err); ok {
		kind = refusal.Kind
	}
	return "", wording.RefusePartly(kind, strings.Join(said, " "))
}

// refusedUnits reports the units that refused, with one sentence for each reason.
func refusedUnits(v *site.Visit, refused []shop.Refusal) (said []string) {
	for _, group := range reasonsOf(v, refused) {
		said = append(said, v.T("Not {units}: {reason}.", "units", group.Units, "reason", group.What))
	}
	return said
}

// attachMany attaches a certificate to all ticked units if none of them has moved.
func attachMany(v *site.Visit, units Chosen) error {
	certificate, err := v.Picked("certificate", "certId")
	if err != nil {
		return err
	}
	seen := make(map[string]input.NumberInput, len(units.Ticks))
	for _, tick := range units.Ticks {
		seen[tick.Serial] = input.Given(float64(tick.Step))
	}
	_, err = v.Service.BatchAttachCertificate(v.R.Context(), shop.BatchAttachInput{
		CertID: certificate, SerialIDs: input.GivenTexts(v.Form["serial"]...), ExpectedStepIndexes: seen, UserID: v.User(),
	})
	if refused, ok := site.AsRefusal(err); ok && refused.Reason == refusal.StandsElsewhere {
		return refusal.Refuse(wording.UnitMoved, site.StandsNow(v, refused.Arg("serialId")))
	}
	return err
}

// noteMany writes one note for each step of the ticked units.
func noteMany(v *site.Visit, units Chosen, path card.Path) error {
	for i, step := range path.Steps {
		at := units.at(i)
		if len(at) == 0 {
			continue
		}
		if _, err := v.Service.CreateNote(v.R.Context(), shop.CreateNoteInput{
			JobID: input.Given(path.JobID), PathID: input.Given(path.ID), StepID: input.Given(step.ID),
			SerialIDs: input.GivenTexts(at...), Text: v.Text("text"), UserID: v.User(),
		}); err != nil {
			return err
		}
	}
	return nil
}

// errNowhere refuses a selection with steps that the route does not have.
func errNowhere() error {
	return refusal.Refuse(wording.NoStep)
}

// errNothingTicked refuses a form of a board if no units are ticked.
func errNothingTicked() error {
	return refusal.Refuse(wording.NothingTicked)
}

// manyRefused shows a refusal on the page of the action, or on the board with the current positions of the units.
func manyRefused(v *site.Visit, do string, err error) error {
	units := chosenUnits(v)
	refused, ok := errors.AsType[*refusal.Error](err)
	if ok && refused.Kind == refusal.Invalid && do != manyAdvance && !units.empty() && refused.Reason != refusal.SelectionCount {
		return v.Again(do, err, func(v *site.Visit, status int, refused *site.Problem) error { return askMany(v, do, status, refused) })
	}
	return v.Again("board"+units.PathID, err, renderJob)
}

// askedMany opens the page of an action on the chosen units.
func askedMany(v *site.Visit, do string) error {
	if units := chosenUnits(v); units.empty() {
		return v.Again("board"+units.PathID, errNothingTicked(), renderJob)
	}
	return askMany(v, do, http.StatusOK, nil)
}

// unitList lists units. It shortens consecutive units to a range.
func unitList(l *lang.Language, units []string) string {
	const most = 30 // maximum number of entries: a longer list would not be read
	var parts []string
	for i := 0; i < len(units); {
		if len(parts) == most {
			parts = append(parts, l.TN(len(units)-i, "{n} other", "{n} others"))
			break
		}
		end := i
		for end+1 < len(units) && site.Follows(units[end], units[end+1]) {
			end++
		}
		switch end - i {
		case 0:
			parts = append(parts, units[i])
		case 1:
			parts = append(parts, units[i], units[end])
		default:
			parts = append(parts, l.T("{first} to {last}", "first", units[i], "last", units[end]))
		}
		i = end + 1
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return l.T("{list} and {last}", "list", strings.Join(parts[:len(parts)-1], ", "), "last", parts[len(parts)-1])
}

package unitcard

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// Page is the card of a unit.
type Page struct {
	site.Frame
	views.CardDetail
	Files    site.FilesPart
	Released []card.Hold // its holds that were released, oldest first; only for paper

	StepFiles []shop.FileLink // what an operator sees at the step where the unit stands

	Certs   []site.Choice // the newest certificates, to choose from
	Reasons []card.ScrapReason
	Trail   []trail.Entry // newest first

	Readings    []card.Measurement // every reading of the unit, oldest first
	Instruments map[string]string  // the numbers of the instruments that they name
	site.Past
	steps map[string]*stepOnCard // by identifier; see at
}

// stepOnCard is what a card has about one step, gathered once: a route can have a thousand.
type stepOnCard struct {
	name        string
	actions     []shop.Action
	attachments []shop.Attachment // also those that do not count any more
	entries     []trail.Entry     // oldest first
}

// at is what the card has about a step. What is no step has nothing.
func (p *Page) at(stepID string) *stepOnCard {
	of := func(id string) *stepOnCard {
		if p.steps[id] == nil {
			p.steps[id] = &stepOnCard{}
		}
		return p.steps[id]
	}
	if p.steps == nil {
		p.steps = make(map[string]*stepOnCard, len(p.Card.Path.Steps))
		for _, step := range p.Card.Path.Steps {
			of(step.ID).name = step.Name
		}
		for _, action := range p.Actions {
			if action.Operation != shop.OpAdvanceTo && action.Operation != shop.OpRework && action.StepIndex >= 0 {
				of(action.StepID).actions = append(of(action.StepID).actions, action)
			}
		}
		for _, attachment := range p.Attachments {
			on := of(attachment.StepID)
			on.attachments = append(on.attachments, attachment)
		}
		for _, entry := range slices.Backward(p.Trail) {
			of(entry.StepID).entries = append(of(entry.StepID).entries, entry)
		}
	}
	if on, known := p.steps[stepID]; known {
		return on
	}
	return &stepOnCard{}
}

func showCard(v *site.Visit) error { return renderCard(v, http.StatusOK, nil) }

func renderCard(v *site.Visit, status int, refused *site.Problem) error {
	page, err := Load(v, v.R.PathValue("id"))
	if err != nil {
		return err
	}
	if refused != nil && !page.offers(refused.Form) {
		refused.Form = "card"
	}
	page.Rejected = refused
	return v.Show(status, "card", page)
}

// Load reads all that the card of a unit shows.
func Load(v *site.Visit, id string) (*Page, error) {
	detail, err := v.Views.Card(v.R.Context(), id)
	if err != nil {
		return nil, err
	}
	page := &Page{Frame: v.Frame(id, "serials"), CardDetail: detail, Reasons: shop.ScrapReasons(),
		Past: site.Past{NamesThen: detail.PastNames, UndoneBy: detail.Undone}}
	page.Past = page.Telling(detail.Trail)
	page.Trail = slices.Clone(detail.Trail)
	slices.Reverse(page.Trail)
	if page.Files, err = site.FilesOf(v, shop.FileSubject{Kind: shop.RecordSerial, ID: id}); err != nil {
		return nil, err
	}
	if step := page.Current(); step != nil {
		if page.StepFiles, err = v.Service.ShownAt(v.R.Context(), step.ID); err != nil {
			return nil, err
		}
	}
	if err := loadReadings(v, page); err != nil {
		return nil, err
	}
	page.Certs, err = site.Newest(v, "certificate")
	return page, err
}

func printCard(v *site.Visit) error {
	page, err := Load(v, v.R.PathValue("id"))
	if err != nil {
		return err
	}
	holds, err := v.Service.HoldsOfSerial(v.R.Context(), page.Serial().ID)
	if err != nil {
		return err
	}
	page.Released = slices.DeleteFunc(holds, card.Hold.Open)
	return v.Show(http.StatusOK, "print", page)
}

// WhyHeld is the reason of a hold, and the report that placed it unless the reason names it.
func (p *Page) WhyHeld(hold card.Hold) string {
	if hold.NonconformanceID == "" || strings.HasPrefix(hold.Reason, hold.NonconformanceID) {
		return hold.Reason
	}
	return hold.Reason + " (" + hold.NonconformanceID + ")"
}

// Told is the trail of the unit as paper has it: the oldest entry first.
func (p *Page) Told() []trail.Entry { return p.CardDetail.Trail }

// Serial is the unit.
func (p *Page) Serial() *card.Serial { return &p.Card.Serial }

// Do is the action on the unit itself.
func (p *Page) Do(operation shop.Operation) shop.Action {
	for _, action := range p.Actions {
		if action.Operation == operation && action.StepIndex < 0 {
			return action
		}
	}
	return shop.Action{Refusal: card.NamePath.NotFound(p.Card.Serial.PathID)}
}

// All lists the actions with an operation.
func (p *Page) All(operation shop.Operation) (actions []shop.Action) {
	for _, action := range p.Actions {
		if action.Operation == operation {
			actions = append(actions, action)
		}
	}
	return actions
}

// Never is why none of the operations of a kind is possible, nil when one is.
func (p *Page) Never(operation shop.Operation) (why error) {
	for _, action := range p.All(operation) {
		if action.Allowed() {
			return nil
		}
		why = cmp.Or(why, action.Refusal)
	}
	return why
}

// On lists the actions on one step, in place i of the path.
func (p *Page) On(i int) []shop.Action { return p.at(p.Card.Path.Steps[i].ID).actions }

// StepName is the present name of a step of the unit's path, and otherwise what is given.
func (p *Page) StepName(id string) string {
	return cmp.Or(p.at(id).name, id)
}

// Current is the step that the unit stands on, nil when it is closed.
func (p *Page) Current() *card.ProcessStep { return p.Card.Current() }

// Next is the step behind the current one, nil when there is none.
func (p *Page) Next() *card.ProcessStep { return p.Card.Next() }

// Deferred lists the places of the steps that were put off and are still open.
func (p *Page) Deferred() []int {
	var open []int
	for i := range p.Steps {
		if p.Steps[i].Status == card.StepDeferred {
			open = append(open, i)
		}
	}
	return open
}

// PaperNow is when the page was drawn, as it stands on paper.
func (p *Page) PaperNow() string { return p.Paper(ident.TimestampOf(p.Now)) }

// ReasonsAt lists why a step was waived or overridden, and who approved it.
func (p *Page) ReasonsAt(stepID string) []site.Detail {
	var reasons []site.Detail
	for _, entry := range p.at(stepID).entries {
		switch entry.Action {
		case shop.ActionStepWaived, card.ActionStepOverrideCreated, shop.ActionStepOverrideReversed:
			said := []string{}
			for _, one := range p.More(entry) {
				said = append(said, one.Name+" "+one.Value)
			}
			if entry.Action != shop.ActionStepWaived {
				said = append(said, "by "+p.WhoThen(entry))
			}
			said = append(said, p.Paper(entry.Timestamp))
			reasons = append(reasons, site.Detail{Name: wording.ActionWords(entry.Action), Value: strings.Join(said, ", ")})
		default:
		}
	}
	return reasons
}

// AttachmentsAt lists what is attached at a step, also what does not count any more.
func (p *Page) AttachmentsAt(stepID string) []shop.Attachment {
	return p.at(stepID).attachments
}

// CertificateName is the name of what is attached.
func (p *Page) CertificateName(attachment shop.Attachment) string {
	return p.Certificates[attachment.CertificateID].Name
}

// StepAction is one action on one step, as its part of the template sees it.
type StepAction struct {
	Page   *Page
	Action shop.Action
}

// Part makes the argument of the template's part.
func (p *Page) Part(action shop.Action) StepAction { return StepAction{p, action} }

// StepTexts are what an action on one step is called, and whether it needs a reason.
type StepTexts struct {
	Summary, Button string
	Reason          bool
}

// OnStep returns what an action on one step is called.
func (p *Page) OnStep(operation shop.Operation) StepTexts {
	switch operation {
	case shop.OpCompleteDeferred:
		return StepTexts{"Complete it now", "Completed", false}
	case shop.OpWaive:
		return StepTexts{"Waive", "Waive the step", true}
	case shop.OpOverride:
		return StepTexts{"Make optional for this unit", "Override", true}
	default:
		return StepTexts{"Take the override back", "Undo", false}
	}
}

// HereSince is when the unit came to where it stands, 0 when it stands nowhere.
func (p *Page) HereSince() ident.Timestamp {
	if p.Current() == nil {
		return 0
	}
	return p.Steps[p.Card.Serial.Position].At
}

// EndedAt is the step at which the unit ended without leaving it, nil when it left its last step or is in work.
func (p *Page) EndedAt() *card.ProcessStep {
	for i := range p.Steps {
		if p.Steps[i].Ended != "" {
			return &p.Steps[i].Step
		}
	}
	return nil
}

// NotDone reports whether the step in a place will not be done any more, since the unit is closed.
func (p *Page) NotDone(i int) bool {
	return p.Steps[i].Status == card.StepPending && p.Card.Serial.Status != card.InProgress
}

// offers reports whether the page has a form, so that a refusal can be shown in it. The form of something on a step or
// with a hold is called like the operation and the step or the hold.
func (p *Page) offers(form string) bool {
	for _, measured := range p.MeasuredSteps() {
		if form == measured.Form() {
			return true
		}
	}
	return slices.ContainsFunc(p.Actions, func(action shop.Action) bool {
		name := string(action.Operation)
		switch action.Operation {
		case shop.OpUndo, shop.OpVoid: // offered also to those who need a decision for it
			return form == name
		case shop.OpRelease:
			return form == name+action.RecordID
		case shop.OpReport, shop.OpDispose: // which have pages of their own
			return false
		default:
			return action.Allowed() && (form == name || form == name+action.StepID)
		}
	})
}

func changeCard(v *site.Visit) error {
	id, do := v.R.PathValue("id"), v.Form.Get("do")
	form := do
	var done string
	err := v.Named()
	switch operation := shop.Operation(do); operation {
	case shop.OpScrap, shop.OpForceComplete:
		if operation == shop.OpScrap && err == nil { // what is refused for any unit needs no question before
			err = scrapInput(v).Check(shop.CallerOf(v.R.Context()))
		}
		if err == nil && !v.Sure() {
			return confirmClosing(v, id, operation)
		}
		fallthrough
	case shop.OpAdvance, shop.OpAdvanceTo, shop.OpAttach:
		if err == nil {
			done, err = changeUnit(v, id, operation)
		}
	case shop.OpCompleteDeferred, shop.OpWaive, shop.OpOverride, shop.OpReverseOverride:
		form += v.Form.Get("stepId")
		if err == nil || operation == shop.OpWaive {
			done, err = changeStep(v, id, v.Form.Get("stepId"), operation)
		}
	case "note":
		if err == nil {
			done, err = writeNote(v, id)
		}
	case shop.OpSetSerialNumber:
		if err == nil {
			done, err = setSerialNumber(v, id)
		}
	case "hold", "release", "undo", "rework", "void":
		if do == "release" {
			form += v.Form.Get("holdId")
		}
		if err == nil {
			done, err = correctRecord(v, id, do)
		}
	default:
		return v.Back("/serials/"+id, "")
	}
	if err != nil {
		return cardRefused(v, id, form, err)
	}
	v.Remember()
	return v.Back("/serials/"+id, done)
}

// cardRefused shows a refusal on the fresh card: in the form it is about, or above everything when the card does not
// offer that any more.
func cardRefused(v *site.Visit, id, form string, err error) error {
	if refused, ok := site.AsRefusal(err); ok && refused.Kind == refusal.Conflict && refused.Reason != shop.OwnNumberTaken {
		form, err = "card", refusal.Refuse(wording.UnitMoved, site.StandsNow(v, id))
	}
	return v.Again(form, err, renderCard)
}

// changeUnit does something with the unit itself.
func changeUnit(v *site.Visit, id string, operation shop.Operation) (done string, err error) {
	ctx := v.R.Context()
	switch operation {
	case shop.OpAdvanceTo:
		target, err := chosenTarget(v, id)
		if err != nil {
			return "", err
		}
		advancement, err := v.Service.AdvanceToStep(ctx, id, shop.AdvanceToStepInput{
			TargetStepIndex: target, ExpectedStepIndex: site.SeenStep(v), UserID: v.User(),
		})
		return fmt.Sprintf("%s advanced past %s.", id, wording.Plural(len(advancement.Bypassed), "step", "steps")), err
	case shop.OpScrap:
		_, err = v.Service.ScrapSerial(ctx, id, scrapInput(v))
		return id + " scrapped.", err
	case shop.OpForceComplete:
		_, err = v.Service.ForceComplete(ctx, id, shop.ForceCompleteInput{
			Reason: v.Text("reason"), ExpectedStepIndex: site.SeenStep(v), UserID: v.User(),
		})
		return id + " closed with steps open.", err
	case shop.OpAttach:
		var certificate input.TextInput
		if certificate, err = v.Picked("certificate", "certId"); err == nil {
			_, err = v.Service.AttachCertificate(ctx, id, shop.AttachCertificateInput{
				CertID: certificate, ExpectedStepIndex: site.SeenStep(v), UserID: v.User(),
			})
		}
		return "Certificate attached.", err
	default:
		_, err = v.Service.AdvanceSerial(ctx, id, shop.AdvanceSerialInput{ExpectedStepIndex: site.SeenStep(v), UserID: v.User()})
		return id + " advanced.", err
	}
}

// changeStep does something about one step of the unit.
func changeStep(v *site.Visit, id, stepID string, operation shop.Operation) (done string, err error) {
	ctx := v.R.Context()
	switch operation {
	case shop.OpCompleteDeferred:
		_, err = v.Service.CompleteDeferredStep(ctx, id, stepID, v.User())
		return "Deferred step completed.", err
	case shop.OpWaive:
		approver := v.Person("approverId")
		_, err = v.Service.WaiveStep(ctx, id, stepID, shop.WaiveStepInput{Reason: v.Text("reason"), ApproverID: approver})
		done = "Step waived."
		if v.Operator != "" && approver == input.Given(v.Operator) {
			done = "Step waived. Who approved it is who asked for it."
		}
		return done, err
	case shop.OpOverride:
		_, err = v.Service.CreateOverrides(ctx, id, shop.CreateOverridesInput{
			SerialIDs: input.GivenTexts(id), StepID: v.Text("stepId"), Reason: v.Text("reason"), UserID: v.User(),
		})
		return "The step counts as optional for " + id + ".", err
	default:
		return "Override removed.", v.Service.ReverseOverride(ctx, id, stepID, v.User())
	}
}

func writeNote(v *site.Visit, id string) (string, error) {
	stepID, err := noteStep(v, id)
	if err != nil {
		return "", err
	}
	_, err = v.Service.CreateNote(v.R.Context(), shop.CreateNoteInput{
		JobID: v.Text("jobId"), PathID: v.Text("pathId"), StepID: stepID,
		SerialIDs: input.GivenTexts(id), Text: v.Text("text"), UserID: v.User(),
	})
	return "Note written.", err
}

// scrapInput is what the form of a card says of a scrap.
func scrapInput(v *site.Visit) shop.ScrapSerialInput {
	return shop.ScrapSerialInput{
		Reason: v.Text("reason"), Explanation: v.Text("explanation"), ExpectedStepIndex: site.SeenStep(v), UserID: v.User(),
	}
}

// confirmClosing asks before a unit is closed for good, and names it.
func confirmClosing(v *site.Visit, id string, operation shop.Operation) error {
	card, err := Load(v, id)
	if err != nil {
		return err
	}
	where := card.JobName + ", " + card.Card.Path.Name
	if step := card.Current(); step != nil {
		where += ", at " + step.Name
	}
	back := "/serials/" + id
	if operation == shop.OpScrap {
		return v.Confirm("serials", "Scrap "+id+"?", "Scrap "+id, back, shop.SignScrap, where,
			strings.TrimSpace("Reason: "+wording.Words(v.Form.Get("reason"))+". "+v.Form.Get("explanation")))
	}
	return v.Confirm("serials", "Close "+id+" with steps open?", "Close "+id, back, shop.SignForceComplete, where,
		v.Form.Get("reason"))
}

// Acts are what was done with the unit, the newest first.
func (p *Page) Acts() []site.Act {
	return site.ActsOf(p.Trail, false, func(a, b trail.Entry) bool { return (p.TakenBack(a) == nil) == (p.TakenBack(b) == nil) })
}

// UnitsShown are the texts of the card that can name units.
func (p *Page) UnitsShown() []string { return append(site.EntriesAbout(p.Trail), p.Card.Serial.ID) }

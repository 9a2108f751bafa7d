package unitcard

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/genealogy"
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
	Released []card.Hold // its released holds, oldest first; only on paper

	StepFiles []shop.FileLink // files that an operator sees at the unit's current step

	Certs   []site.Choice // the newest certificates, as choices
	Reasons []card.ScrapReason
	Trail   []trail.Entry // newest first

	Readings    []card.Measurement // all readings of the unit, oldest first
	Instruments map[string]string  // numbers of the instruments that the readings refer to
	Uses        []genealogy.Use    // the units that contain the unit; only on the card and on paper
	MoreWithin  int                // the number of components inside components that are not shown
	site.Past
	within map[string][]BuiltRow  // by component: what is inside it; only on the card and on paper
	steps  map[string]*stepOnCard // data of each step, by its identifier; see at
}

// stepOnCard is the data of one step, collected once because a route can have a thousand steps.
type stepOnCard struct {
	name        string
	actions     []shop.Action
	attachments []shop.Attachment // includes voided attachments
	entries     []trail.Entry     // oldest first
}

// at returns the data of a step. For any other identifier it returns an empty value.
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
	if err := page.loadBuilt(v); err != nil {
		return err
	}
	if refused != nil && !page.offers(refused.Form) {
		refused.Form = "card"
	}
	page.Rejected = refused
	return v.Show(status, "card", page)
}

// Load reads all data for the card of a unit.
func Load(v *site.Visit, id string) (*Page, error) {
	detail, err := v.Views.Card(v.R.Context(), id)
	if err != nil {
		return nil, err
	}
	page := &Page{Frame: v.FrameOf(id, "serials"), CardDetail: detail, Reasons: shop.ScrapReasons(),
		Past: site.Past{NamesThen: detail.PastNames, UndoneBy: detail.Undone}}
	page.LotNumbers = page.lotNumbers()
	page.Past = page.WithEntries(v.Language, detail.Trail)
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
	if err := page.loadBuilt(v); err != nil {
		return err
	}
	holds, err := v.Service.HoldsOfSerial(v.R.Context(), page.Serial().ID)
	if err != nil {
		return err
	}
	page.Released = slices.DeleteFunc(holds, card.Hold.Open)
	return v.Show(http.StatusOK, "print", page)
}

// WhyHeld returns the reason of a hold, with the number of its report unless the reason already begins with that number.
func (p *Page) WhyHeld(hold card.Hold) string {
	if hold.NonconformanceID == "" || strings.HasPrefix(hold.Reason, hold.NonconformanceID) {
		return hold.Reason
	}
	return hold.Reason + " (" + hold.NonconformanceID + ")"
}

// Told returns the unit's trail in the order for paper: the oldest entry comes first.
func (p *Page) Told() []trail.Entry { return p.CardDetail.Trail }

// Serial returns the unit.
func (p *Page) Serial() *card.Serial { return &p.Card.Serial }

// Do returns the action on the unit itself.
func (p *Page) Do(operation shop.Operation) shop.Action {
	for _, action := range p.Actions {
		if action.Operation == operation && action.StepIndex < 0 {
			return action
		}
	}
	return shop.Action{Refusal: card.NamePath.NotFound(p.Card.Serial.PathID)}
}

// All lists the actions of an operation.
func (p *Page) All(operation shop.Operation) (actions []shop.Action) {
	for _, action := range p.Actions {
		if action.Operation == operation {
			actions = append(actions, action)
		}
	}
	return actions
}

// Never returns why all actions of an operation are refused. It returns nil if one of them is allowed.
func (p *Page) Never(operation shop.Operation) (why error) {
	for _, action := range p.All(operation) {
		if action.Allowed() {
			return nil
		}
		why = cmp.Or(why, action.Refusal)
	}
	return why
}

// On lists the actions on the step at index i of the path.
func (p *Page) On(i int) []shop.Action { return p.at(p.Card.Path.Steps[i].ID).actions }

// StepName returns the current name of a step of the unit's path. For any other step it returns the identifier.
func (p *Page) StepName(id string) string {
	return cmp.Or(p.at(id).name, id)
}

// Current returns the unit's current step, or nil if the unit is closed.
func (p *Page) Current() *card.ProcessStep { return p.Card.Current() }

// Next returns the step after the current one, nil for none.
func (p *Page) Next() *card.ProcessStep { return p.Card.Next() }

// Deferred lists the indexes of the deferred steps that are still open.
func (p *Page) Deferred() []int {
	var open []int
	for i := range p.Steps {
		if p.Steps[i].Status == card.StepDeferred {
			open = append(open, i)
		}
	}
	return open
}

// ReasonsAt lists the reasons for which a step was waived or overridden, with the approver.
func (p *Page) ReasonsAt(stepID string) []site.Detail {
	var reasons []site.Detail
	for _, entry := range p.at(stepID).entries {
		switch entry.Action {
		case card.ActionStepWaived, card.ActionStepOverrideCreated, card.ActionStepOverrideReversed:
			said := []string{}
			for _, one := range p.More(entry) {
				said = append(said, one.Name+" "+one.Value)
			}
			if entry.Action != card.ActionStepWaived {
				said = append(said, p.T("by {name}", "name", p.WhoThen(entry)))
			}
			said = append(said, p.Paper(entry.Timestamp))
			reasons = append(reasons, site.Detail{Name: wording.ActionWords(p.Language, entry.Action), Value: strings.Join(said, ", ")})
		default:
		}
	}
	return reasons
}

// AttachmentsAt lists the attachments at a step, including voided ones.
func (p *Page) AttachmentsAt(stepID string) []shop.Attachment {
	return p.at(stepID).attachments
}

// CertificateName returns the name of the attached certificate.
func (p *Page) CertificateName(attachment shop.Attachment) string {
	return p.Certificates[attachment.CertificateID].Name
}

// StepAction is one action on one step, the argument of a template part.
type StepAction struct {
	Page   *Page
	Action shop.Action
}

// Part returns the argument of the template part for an action.
func (p *Page) Part(action shop.Action) StepAction { return StepAction{p, action} }

// StepTexts are the labels of an action on one step, and whether it needs a reason.
type StepTexts struct {
	Summary, Button lang.Text
	Reason          bool
}

// OnStep returns the labels of an action on one step.
func (p *Page) OnStep(operation shop.Operation) StepTexts {
	switch operation {
	case shop.OpCompleteDeferred:
		return StepTexts{"Complete it now", "Complete the step", false}
	case shop.OpWaive:
		return StepTexts{"Waive", "Waive the step", true}
	case shop.OpOverride:
		return StepTexts{"Make optional for this unit", "Make optional", true}
	default:
		return StepTexts{"Reverse the override", "Reverse the override", false}
	}
}

// HereSince returns the time at which the unit arrived at its current step, or 0 if it has no current step.
func (p *Page) HereSince() ident.Timestamp {
	if p.Current() == nil {
		return 0
	}
	return p.Steps[p.Card.Serial.Position].At
}

// EndedAt returns the step at which the unit was closed without leaving that step. It returns nil if the unit has left its last step or is
// in progress.
func (p *Page) EndedAt() *card.ProcessStep {
	for i := range p.Steps {
		if p.Steps[i].Ended != "" {
			return &p.Steps[i].Step
		}
	}
	return nil
}

// NotDone reports whether the step at index i will not be done because the unit is closed.
func (p *Page) NotDone(i int) bool {
	return p.Steps[i].Status == card.StepPending && p.Card.Serial.Status != card.InProgress
}

// offers reports whether the page has the form, so that a refusal can be shown in it. The name of a form is the operation. If the form has
// a step or a hold, the identifier of that follows.
func (p *Page) offers(form string) bool {
	for _, measured := range p.MeasuredSteps() {
		if form == measured.Form() {
			return true
		}
	}
	if p.offersComponents(form) {
		return true
	}
	return slices.ContainsFunc(p.Actions, func(action shop.Action) bool {
		name := string(action.Operation)
		switch action.Operation {
		case shop.OpUndo, shop.OpVoid: // offered even if the user needs the permission to decide
			return form == name
		case shop.OpRelease:
			return form == name+action.RecordID
		case shop.OpReport, shop.OpDispose: // these have separate pages
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
		if operation == shop.OpScrap && err == nil { // if the input is refused for every unit, no confirmation is asked for
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

// cardRefused shows a refusal on the reloaded card: in the form that was sent, or at the top if the card no longer has that form.
func cardRefused(v *site.Visit, id, form string, err error) error {
	if refused, ok := site.AsRefusal(err); ok && refused.Kind == refusal.Conflict && refused.Reason != shop.OwnNumberTaken {
		form, err = "card", refusal.Refuse(wording.UnitMoved, site.StandsNow(v, id))
	}
	return v.Again(form, err, renderCard)
}

// changeUnit carries out an operation on the unit itself.
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
		return v.TN(len(advancement.Bypassed), "{unit} advanced past {n} step.", "{unit} advanced past {n} steps.", "unit", id), err
	case shop.OpScrap:
		_, err = v.Service.ScrapSerial(ctx, id, scrapInput(v))
		return v.T("{unit} scrapped.", "unit", id), err
	case shop.OpForceComplete:
		_, err = v.Service.ForceComplete(ctx, id, shop.ForceCompleteInput{
			Reason: v.Text("reason"), ExpectedStepIndex: site.SeenStep(v), UserID: v.User(),
		})
		return v.T("{unit} closed with steps open.", "unit", id), err
	case shop.OpAttach:
		var certificate input.TextInput
		if certificate, err = v.Picked("certificate", "certId"); err == nil {
			_, err = v.Service.AttachCertificate(ctx, id, shop.AttachCertificateInput{
				CertID: certificate, ExpectedStepIndex: site.SeenStep(v), UserID: v.User(),
			})
		}
		return v.T("Certificate attached."), err
	default:
		_, err = v.Service.AdvanceSerial(ctx, id, shop.AdvanceSerialInput{ExpectedStepIndex: site.SeenStep(v), UserID: v.User()})
		return v.T("{unit} advanced.", "unit", id), err
	}
}

// changeStep carries out an operation on one step of the unit.
func changeStep(v *site.Visit, id, stepID string, operation shop.Operation) (done string, err error) {
	ctx := v.R.Context()
	switch operation {
	case shop.OpCompleteDeferred:
		_, err = v.Service.CompleteDeferredStep(ctx, id, stepID, v.User())
		return v.T("Deferred step completed."), err
	case shop.OpWaive:
		approver := v.Person("approverId")
		_, err = v.Service.WaiveStep(ctx, id, stepID, shop.WaiveStepInput{Reason: v.Text("reason"), ApproverID: approver})
		done = v.T("Step waived.")
		if v.Operator != "" && approver == input.Given(v.Operator) {
			done = v.T("Step waived. The same person asked for it and approved it.")
		}
		return done, err
	case shop.OpOverride:
		_, err = v.Service.CreateOverrides(ctx, id, shop.CreateOverridesInput{
			SerialIDs: input.GivenTexts(id), StepID: v.Text("stepId"), Reason: v.Text("reason"), UserID: v.User(),
		})
		return v.T("The step counts as optional for {unit}.", "unit", id), err
	default:
		return v.T("Override removed."), v.Service.ReverseOverride(ctx, id, stepID, v.User())
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
	return v.T("Note written."), err
}

// scrapInput reads a scrap from the form of a card.
func scrapInput(v *site.Visit) shop.ScrapSerialInput {
	return shop.ScrapSerialInput{
		Reason: v.Text("reason"), Explanation: v.Text("explanation"), ExpectedStepIndex: site.SeenStep(v), UserID: v.User(),
	}
}

// confirmClosing asks for confirmation before a unit is closed permanently, and shows the unit's identifier.
func confirmClosing(v *site.Visit, id string, operation shop.Operation) error {
	card, err := Load(v, id)
	if err != nil {
		return err
	}
	where := card.JobName + ", " + card.Card.Path.Name
	if step := card.Current(); step != nil {
		where = v.T("{job}, {route}, at {step}", "job", card.JobName, "route", card.Card.Path.Name, "step", step.Name)
	}
	back := "/serials/" + id
	if operation == shop.OpScrap {
		return v.Confirm("serials", v.T("Scrap {unit}?", "unit", id), v.T("Scrap {unit}", "unit", id), back, shop.SignScrap, where,
			strings.TrimSpace(
				v.T("Reason: {reason}.", "reason", lang.Words(v.Language, v.Form.Get("reason")))+" "+v.Form.Get("explanation")))
	}
	return v.Confirm("serials", v.T("Close {unit} with steps open?", "unit", id), v.T("Close {unit}", "unit", id), back,
		shop.SignForceComplete, where, v.Form.Get("reason"))
}

// Acts lists the changes of the unit, newest first.
func (p *Page) Acts() []site.Act {
	return site.ActsOf(p.Trail, false, func(a, b trail.Entry) bool { return (p.TakenBack(a) == nil) == (p.TakenBack(b) == nil) })
}

// UnitsShown lists the texts of the card that can contain identifiers of units.
func (p *Page) UnitsShown() []string {
	return slices.Concat(site.EntriesAbout(p.Trail), p.builtUnits(), []string{p.Card.Serial.ID, p.Card.Inside})
}

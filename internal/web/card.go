package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/routecard/routecard"
)

type cardPage struct {
	frame
	routecard.CardDetail
	Certs   []routecard.Certificate // to choose from
	Reasons []routecard.ScrapReason
	Trail   []routecard.AuditEntry // newest first
	past
}

func showCard(v *visit) error { return v.card(http.StatusOK, nil) }

func (v *visit) card(status int, refused *problem) error {
	page, err := v.loadCard(v.r.PathValue("id"))
	if err != nil {
		return err
	}
	page.problem = refused
	return v.show(status, "card", page)
}

func (v *visit) loadCard(id string) (*cardPage, error) {
	detail, err := v.service.Card(v.r.Context(), id)
	if err != nil {
		return nil, err
	}
	page := &cardPage{frame: v.frame(id, "serials"), CardDetail: detail, Reasons: routecard.ScrapReasons(),
		past: past{detail.PastNames}}
	page.Trail = slices.Clone(detail.Trail)
	slices.Reverse(page.Trail)
	page.Certs, err = v.newestCertificates()
	return page, err
}

func printCard(v *visit) error {
	page, err := v.loadCard(v.r.PathValue("id"))
	if err != nil {
		return err
	}
	return v.show(http.StatusOK, "print", page)
}

// Serial is the unit.
func (p *cardPage) Serial() *routecard.Serial { return &p.Card.Serial }

// Do is the action on the unit itself.
func (p *cardPage) Do(operation string) routecard.Action {
	for _, action := range p.Actions {
		if string(action.Operation) == operation && action.StepIndex < 0 {
			return action
		}
	}
	return routecard.Action{Refusal: "Path not found: " + p.Card.Serial.PathID}
}

// On lists the actions on one step, in place i of the path.
func (p *cardPage) On(i int) []routecard.Action {
	var on []routecard.Action
	for _, action := range p.Actions {
		if action.Operation != routecard.OpAdvanceTo && action.StepIndex == i {
			on = append(on, action)
		}
	}
	return on
}

// Jumps lists the steps beyond the next one that the unit could be moved to.
func (p *cardPage) Jumps() []routecard.Action {
	var jumps []routecard.Action
	for _, action := range p.Actions {
		if action.Operation == routecard.OpAdvanceTo && p.Card.Serial.Status == routecard.InProgress {
			jumps = append(jumps, action)
		}
	}
	return jumps
}

// StepName is the present name of a step of the unit's path, and otherwise what is given.
func (p *cardPage) StepName(id string) string {
	for _, step := range p.Card.Path.Steps {
		if step.ID == id {
			return step.Name
		}
	}
	return id
}

// Current is the step that the unit stands on, nil when it is closed.
func (p *cardPage) Current() *routecard.ProcessStep {
	if p.Card.Serial.Status != routecard.InProgress || p.Card.Serial.Position >= len(p.Card.Path.Steps) {
		return nil
	}
	return &p.Card.Path.Steps[p.Card.Serial.Position]
}

// Next is the step behind the current one, nil when there is none.
func (p *cardPage) Next() *routecard.ProcessStep {
	if p.Current() == nil || p.Card.Serial.Position+1 >= len(p.Card.Path.Steps) {
		return nil
	}
	return &p.Card.Path.Steps[p.Card.Serial.Position+1]
}

// Deferred lists the places of the steps that were put off and are still open.
func (p *cardPage) Deferred() []int {
	var open []int
	for i := range p.Steps {
		if p.Steps[i].Status == routecard.StepDeferred {
			open = append(open, i)
		}
	}
	return open
}

// CertificatesAt lists what is attached at a step.
func (p *cardPage) CertificatesAt(stepID string) []routecard.Certificate {
	var at []routecard.Certificate
	for _, attachment := range p.Attachments {
		if attachment.StepID == stepID {
			at = append(at, p.Certificates[attachment.CertificateID])
		}
	}
	return at
}

func changeCard(v *visit) error {
	ctx, id := v.r.Context(), v.r.PathValue("id")
	do, stepID := v.form.Get("do"), v.form.Get("stepId")
	form := do
	var done string
	var err error
	switch routecard.Operation(do) {
	case routecard.OpAdvance:
		if err = v.named(); err == nil {
			_, err = v.service.AdvanceSerial(ctx, id, routecard.AdvanceSerialInput{UserID: v.user()})
			done = id + " moved on."
		}
	case routecard.OpAdvanceTo:
		var advancement routecard.Advancement
		advancement, err = v.service.AdvanceToStep(ctx, id, routecard.AdvanceToStepInput{
			TargetStepIndex: v.number("target"), UserID: v.user(),
		})
		done = fmt.Sprintf("%s moved on, past %s.", id, plural(len(advancement.Bypassed), "step", "steps"))
	case routecard.OpScrap:
		_, err = v.service.ScrapSerial(ctx, id, routecard.ScrapSerialInput{
			Reason: v.text("reason"), Explanation: v.text("explanation"), UserID: v.user(),
		})
		done = id + " scrapped."
	case routecard.OpForceComplete:
		_, err = v.service.ForceComplete(ctx, id, routecard.ForceCompleteInput{Reason: v.text("reason"), UserID: v.user()})
		done = id + " closed with steps open."
	case routecard.OpAttach:
		_, err = v.service.AttachCertificate(ctx, id, routecard.AttachCertificateInput{CertID: v.text("certId"), UserID: v.user()})
		done = "Certificate attached."
	case routecard.OpCompleteDeferred:
		form += stepID
		_, err = v.service.CompleteDeferredStep(ctx, id, stepID, v.user())
		done = "Deferred step completed."
	case routecard.OpWaive:
		form += stepID
		_, err = v.service.WaiveStep(ctx, id, stepID, routecard.WaiveStepInput{Reason: v.text("reason"), ApproverID: v.person("approverId")})
		done = "Step waived."
	case routecard.OpOverride:
		form += stepID
		_, err = v.service.CreateOverrides(ctx, id, routecard.CreateOverridesInput{
			SerialIDs: routecard.GivenTexts(id), StepID: v.text("stepId"), Reason: v.text("reason"), UserID: v.user(),
		})
		done = "The step counts as optional for " + id + "."
	case routecard.OpReverseOverride:
		form += stepID
		err = v.service.ReverseOverride(ctx, id, stepID, v.user())
		done = "Override taken back."
	case "note":
		_, err = v.service.CreateNote(ctx, routecard.CreateNoteInput{
			JobID: v.text("jobId"), PathID: v.text("pathId"), StepID: v.text("stepId"),
			SerialIDs: routecard.GivenTexts(id), Text: v.text("text"), UserID: v.user(),
		})
		done = "Note written."
	default:
		return v.back("/serials/"+id, "")
	}
	if err != nil {
		return v.again(form, err, v.card)
	}
	v.remember()
	return v.back("/serials/"+id, done)
}

// ordinal writes a place in a path as people count.
func ordinal(i int) string { return strconv.Itoa(i + 1) }

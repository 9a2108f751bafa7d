package web

import "github.com/routecard/routecard"

// correct does what a shop does when something went wrong with a unit.
func (v *visit) correct(id, do string) (done string, err error) {
	ctx := v.r.Context()
	switch do {
	case "hold":
		_, err = v.service.HoldSerial(ctx, id, routecard.HoldSerialInput{Reason: v.text("reason"), UserID: v.user()})
		return id + " is on hold.", err
	case "release":
		_, err = v.service.ReleaseSerial(ctx, id, routecard.ReleaseSerialInput{
			HoldID: v.text("holdId"), Reason: v.text("reason"), UserID: v.user(),
		})
		return id + " is released.", err
	case "undo":
		_, err = v.service.Undo(ctx, id, routecard.UndoInput{
			EntryID: v.text("entryId"), Reason: v.text("reason"), UserID: v.user(),
		})
		return "Taken back.", err
	default:
		_, err = v.service.ReworkSerial(ctx, id, routecard.ReworkSerialInput{
			TargetStepIndex: v.number("target"), Reason: v.text("reason"), UserID: v.user(),
		})
		return id + " was sent back.", err
	}
}

// ReworkSteps lists the steps that the unit could be sent back to, none while it is on hold.
func (p *cardPage) ReworkSteps() []routecard.ProcessStep {
	steps := p.Card.Path.Steps
	switch {
	case p.Card.Serial.Status == routecard.Scrapped || len(p.Card.Holds) > 0:
		return nil
	case p.Card.Serial.Status == routecard.InProgress:
		return steps[:min(len(steps), p.Card.Serial.Position+1)]
	}
	return steps
}

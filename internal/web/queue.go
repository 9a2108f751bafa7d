package web

import (
	"net/http"

	"github.com/routecard/routecard"
)

type queuePage struct {
	frame
	Queue routecard.WorkQueue
	Users []routecard.User
	Only  string // the operator whose work is shown, "" for everybody's
}

func showQueue(v *visit) error { return v.queue(http.StatusOK, nil) }

func (v *visit) queue(status int, refused *problem) error {
	queue, err := v.service.WorkOverview(v.r.Context())
	if err != nil {
		return err
	}
	page := &queuePage{frame: v.frame("Work queue", "queue"), Queue: queue, Only: v.r.URL.Query().Get("operator")}
	page.problem = refused
	if page.Users, err = v.users(false); err != nil {
		return err
	}
	return v.show(status, "queue", page)
}

// Groups are the groups that are shown.
func (p *queuePage) Groups() []routecard.WorkQueueGroup {
	if p.Only == "" {
		return p.Queue.Groups
	}
	for _, group := range p.Queue.Groups {
		if group.OperatorID != nil && *group.OperatorID == p.Only {
			return []routecard.WorkQueueGroup{group}
		}
	}
	return nil
}

// queueRows is how many steps one operator's part of the queue shows.
const queueRows = 60

// Rows are the steps of a group that are shown; the rest is counted.
func (p *queuePage) Rows(group routecard.WorkQueueGroup) []routecard.WorkQueueJob {
	return group.Jobs[:min(len(group.Jobs), queueRows)]
}

// Hidden is how many steps of a group are not shown.
func (p *queuePage) Hidden(group routecard.WorkQueueGroup) int {
	return max(0, len(group.Jobs)-queueRows)
}

// Assigned is whom a group's steps are assigned to, "" for nobody.
func (p *queuePage) Assigned(group routecard.WorkQueueGroup) string {
	if group.OperatorID == nil {
		return ""
	}
	return *group.OperatorID
}

func assignStep(v *visit) error {
	in := routecard.AssignStepInput{UserID: routecard.Null[string](), ChangedBy: v.user()}
	if user := v.form.Get("assignTo"); user != "" {
		in.UserID = routecard.Given(user)
	}
	stepID := v.form.Get("stepId")
	step, err := v.service.AssignStep(v.r.Context(), stepID, in)
	if err != nil {
		return v.again("assign"+stepID, err, v.queue)
	}
	to := "nobody"
	if step.AssignedTo != "" {
		to = v.people.names()[step.AssignedTo]
	}
	return v.back("/queue", step.Name+" is assigned to "+to+".")
}

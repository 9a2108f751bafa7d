package office

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/views"
)

// QueuePage lists the work that is assigned to an operator.
type QueuePage struct {
	site.Frame
	Queue  views.WorkQueue
	Only   string                 // the assignee: an operator's identifier, queueNobody or QueueEverybody
	Sorted string                 // the order of the steps
	groups []views.WorkQueueGroup // see Groups
}

// These are values for the assignee in addition to operators.
const (
	queueNobody    = "nobody"
	QueueEverybody = "everybody"
)

// The orders of steps in a queue.
const (
	sortUrgent = "urgency" // see shop.Urgency
	sortOldest = "oldest"  // by the unit that was created first
	sortMost   = "most"    // by the number of waiting units
	sortJob    = "job"     // by the name of the job, then in the order of its route
)

func showQueue(v *site.Visit) error { return renderQueue(v, http.StatusOK, nil) }

// renderQueue shows the work of this device's operator, or unassigned work if the device has no operator.
func renderQueue(v *site.Visit, status int, refused *site.Problem) error {
	queue, err := v.Views.WorkOverview(v.R.Context())
	if err != nil {
		return err
	}
	query := v.R.URL.Query()
	page := &QueuePage{Frame: v.Frame("Work queue", "queue"), Queue: queue, Sorted: cmp.Or(query.Get("sort"), sortUrgent)}
	page.Rejected = refused
	if page.Only, err = queueOwner(v, query.Get("operator")); err != nil {
		return v.Again("whose", err, func(v *site.Visit, status int, refused *site.Problem) error {
			refused.Values = query
			page.Rejected = refused
			return v.Show(status, "queue", page)
		})
	}
	return v.Show(status, "queue", page)
}

// queueOwner returns the assignee to show: an operator's identifier, queueNobody or QueueEverybody.
func queueOwner(v *site.Visit, chosen string) (string, error) {
	chosen = cmp.Or(strings.TrimSpace(chosen), v.Operator, queueNobody)
	switch {
	case isNobody(v, chosen):
		return queueNobody, nil
	case strings.EqualFold(chosen, QueueEverybody), strings.EqualFold(chosen, v.T("everybody")):
		return QueueEverybody, nil
	}
	if user, known := v.People.Find(chosen); known { // inactive operators too, who may still have assigned work
		return user.ID, nil
	}
	user, err := v.People.Meant(chosen)
	return user.ID, err
}

// isNobody reports whether a user typed or chose the entry for unassigned work.
func isNobody(v *site.Visit, chosen string) bool {
	return strings.EqualFold(chosen, queueNobody) || strings.EqualFold(chosen, v.T("nobody"))
}

// Whose returns the assignee as a user would type it.
func (p *QueuePage) Whose() string {
	switch p.Only {
	case "":
		return p.Typed("whose", "operator", "")
	case queueNobody:
		return p.T("nobody")
	case QueueEverybody:
		return p.T("everybody")
	}
	return p.PersonTyped(p.Only)
}

// Groups returns the groups to show, with sorted steps.
func (p *QueuePage) Groups() []views.WorkQueueGroup {
	if p.groups != nil {
		return p.groups
	}
	for _, group := range p.Queue.Groups {
		if p.Only == QueueEverybody || p.Only == p.whose(group) {
			group.Jobs = slices.Clone(group.Jobs)
			slices.SortStableFunc(group.Jobs, p.compare)
			p.groups = append(p.groups, group)
		}
	}
	return p.groups
}

func (p *QueuePage) whose(group views.WorkQueueGroup) string {
	if group.OperatorID == nil {
		return queueNobody
	}
	return *group.OperatorID
}

func (p *QueuePage) compare(a, b views.WorkQueueJob) int {
	byJob := cmp.Or(strings.Compare(a.JobName, b.JobName), strings.Compare(a.PathID, b.PathID), cmp.Compare(a.StepOrder, b.StepOrder))
	if p.Sorted == sortJob {
		return byJob
	}
	byHold := cmp.Compare(min(b.Free(), 1), min(a.Free(), 1)) // a step with all its units on hold needs no work
	if p.Sorted == sortMost {
		return cmp.Or(byHold, cmp.Compare(b.Free(), a.Free()), byJob)
	}
	byAge := cmp.Or(byHold, cmp.Compare(oldest(a), oldest(b)), byJob)
	if p.Sorted == sortOldest {
		return byAge
	}
	return cmp.Or(byHold, a.Urgency().Compare(b.Urgency()), byAge)
}

// oldest returns the number of the oldest unit at the step that can be worked on, or 0 if there is none.
func oldest(work views.WorkQueueJob) int64 {
	if len(work.SerialIDs) == 0 {
		return 0
	}
	_, number, _ := ident.SplitSerialID(work.SerialIDs[0])
	return number
}

// Others returns the groups that are not shown.
func (p *QueuePage) Others() []views.WorkQueueGroup {
	var others []views.WorkQueueGroup
	for _, group := range p.Queue.Groups {
		if p.Only != QueueEverybody && p.Only != p.whose(group) {
			others = append(others, group)
		}
	}
	return others
}

// GroupURL is the address of a group's work.
func (p *QueuePage) GroupURL(group views.WorkQueueGroup) string {
	return p.OnlyURL(p.whose(group))
}

// OnlyURL is the address of an assignee's work.
func (p *QueuePage) OnlyURL(whose string) string {
	return "/queue?" + url.Values{"operator": {whose}, "sort": {p.Sorted}}.Encode()
}

// QueueRows is the maximum number of steps of one operator on the page.
const QueueRows = 60

// Rows returns the steps of a group that are shown. The remaining steps are only counted.
func (p *QueuePage) Rows(group views.WorkQueueGroup) []views.WorkQueueJob {
	return group.Jobs[:min(len(group.Jobs), QueueRows)]
}

// Hidden is the number of steps of a group that are not shown.
func (p *QueuePage) Hidden(group views.WorkQueueGroup) int {
	return max(0, len(group.Jobs)-QueueRows)
}

// assignSteps assigns the ticked steps to an operator, or removes their assignment.
func assignSteps(v *site.Visit) error {
	steps := v.Form["stepId"]
	if len(steps) == 0 {
		return v.Again("assign", refusal.Refuse(wording.NoStepTicked), renderQueue)
	}
	in := shop.AssignStepInput{UserID: input.Null[string](), ChangedBy: v.User()}
	to := ""
	switch chosen := strings.TrimSpace(v.Form.Get("assignTo")); {
	case chosen == "":
		return v.Again("assign", refusal.Refuse(wording.NobodyChosen), renderQueue)
	case !isNobody(v, chosen):
		user, err := v.People.Meant(chosen)
		if err != nil {
			return v.Again("assign", err, renderQueue)
		}
		in.UserID, to = input.Given(user.ID), user.Name
	}
	var names, others []string
	var problem *refusal.Error
	for _, stepID := range steps {
		var now card.ProcessStep
		read := v.Form.Get("assigned:" + stepID)
		assigned := func(step card.ProcessStep) string {
			if now = step; input.Given(step.AssignedTo) == in.UserID {
				return read // already assigned as asked
			}
			return step.AssignedTo
		}
		step, err := v.Service.AssignStep(site.IfRead(v, read, assigned), stepID, in)
		if err == nil {
			names = append(names, step.Name)
			continue
		}
		failed, refused := site.AsRefusal(err)
		if !refused || failed.Kind == refusal.Uncertain || failed.Kind == refusal.Unavailable {
			return v.Again("assign", err, renderQueue)
		}
		text := wording.Told(v.Language, failed)
		if site.WasChanged(err) {
			text = assignedMeanwhile(v, now)
		}
		if !slices.Contains(others, text) {
			others = append(others, text)
		}
		problem = failed
	}
	done := assignedTo(v, names, to)
	if problem != nil {
		text := strings.TrimSpace(strings.Join(others, " ") + " " + done)
		return v.Again("assign", wording.RefusePartly(problem.Kind, text), renderQueue)
	}
	return v.Back(site.OwnPath(v.R.URL.RequestURI()), done)
}

// assignedTo reports the steps that were assigned to an operator. If name is "", their assignment was removed. It returns "" if there are
// no steps.
func assignedTo(v *site.Visit, steps []string, name string) string {
	listed := strings.Join(steps, ", ")
	switch {
	case len(steps) == 0:
		return ""
	case len(steps) > 3 && name == "":
		return v.TN(len(steps), "{n} step assigned to nobody.", "{n} steps assigned to nobody.")
	case len(steps) > 3:
		return v.TN(len(steps), "{n} step assigned to {name}.", "{n} steps assigned to {name}.", "name", name)
	case name == "":
		return v.T("{steps} assigned to nobody.", "steps", listed)
	}
	return v.T("{steps} assigned to {name}.", "steps", listed, "name", name)
}

// assignedMeanwhile reports that another user has assigned a step since the page was shown.
func assignedMeanwhile(v *site.Visit, step card.ProcessStep) string {
	if step.AssignedTo == "" {
		return v.T("Somebody assigned {step} to nobody meanwhile. It stays unchanged.", "step", step.Name)
	}
	return v.T("Somebody assigned {step} to {name} meanwhile. It stays unchanged.", "step", step.Name,
		"name", v.People.Assignee(step.AssignedTo))
}

// Empty is the sentence that no work is waiting.
func (p *QueuePage) Empty() string {
	switch p.Only {
	case queueNobody:
		return p.T("No unassigned work is waiting.")
	case QueueEverybody:
		return p.T("No work is waiting.")
	}
	return p.T("Nothing waits for {name}.", "name", p.Assignee(p.Only))
}

// Figures describes the units of a group.
func (p *QueuePage) Figures(group views.WorkQueueGroup) string {
	units := p.TN(group.Free(), "{n} unit", "{n} units")
	if group.Held == 0 {
		return units
	}
	return p.T("{units}, {n} on hold", "units", units, "n", p.Number(group.Held))
}

// Heading is the name of a group's operator.
func (p *QueuePage) Heading(group views.WorkQueueGroup) string {
	if group.OperatorID == nil {
		return p.T("Unassigned")
	}
	return p.Assignee(*group.OperatorID)
}

// AssignedTo returns the assignee of a group's steps, or "" for none. The form repeats this value for each step.
func (p *QueuePage) AssignedTo(group views.WorkQueueGroup) string {
	if group.OperatorID == nil {
		return ""
	}
	return *group.OperatorID
}

package web

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard"
)

// Many units at once. Ticks on a board lead to one action: "Move on" at once, everything that needs words or cannot be
// taken back by way of a page that names the units and has a form for that action alone.

// ticked is one unit that was ticked, and the place of the step that it was seen at.
type ticked struct {
	Serial string
	Step   int
}

type manyPage struct {
	frame
	Do           string // advance, attach, note or scrap
	Title        string
	Button       string
	Job          routecard.JobDetail
	Path         routecard.Path
	Ticked       []ticked
	Groups       []tickedGroup
	Certificates []choice // the newest, to choose from
	Reasons      []routecard.ScrapReason
}

// tickedGroup is the ticked units of one step.
type tickedGroup struct {
	Step  routecard.ProcessStep
	Units string
}

// errNothingTicked is what is said when a board was sent without a tick.
func errNothingTicked() error {
	return &routecard.Error{Code: routecard.Invalid, Message: "Tick at least one unit first"}
}

// ticks reads what was ticked, in the order of the board.
func (v *visit) ticks() []ticked {
	ticks := make([]ticked, 0, len(v.form["serial"]))
	for _, serial := range v.form["serial"] {
		step, err := strconv.Atoi(v.form.Get("at:" + serial))
		if err != nil {
			step = -1 // no card has it, so acting on the unit is refused
		}
		ticks = append(ticks, ticked{serial, step})
	}
	return ticks
}

// askMany shows the page of one action on the ticked units.
func (v *visit) askMany(do string, status int, refused *problem) error {
	id, pathID := v.r.PathValue("id"), v.form.Get("pathId")
	job, err := v.service.Job(v.r.Context(), id)
	if err != nil {
		return err
	}
	page := &manyPage{Do: do, Job: job, Ticked: v.ticks(), Reasons: routecard.ScrapReasons()}
	for _, path := range job.Paths {
		if path.ID == pathID {
			page.Path = path
		}
	}
	page.group()
	page.word()
	page.frame = v.frame(page.Title, "jobs")
	page.problem = refused
	if do == "attach" {
		if page.Certificates, err = v.newest("certificate"); err != nil {
			return err
		}
	}
	return v.show(status, "many", page)
}

// group sorts the ticked units by the step that they were seen at.
func (p *manyPage) group() {
	for i, step := range p.Path.Steps {
		var units []string
		for _, tick := range p.Ticked {
			if tick.Step == i {
				units = append(units, tick.Serial)
			}
		}
		if len(units) > 0 {
			p.Groups = append(p.Groups, tickedGroup{step, unitList(units)})
		}
	}
}

// word says on the page and its button what will be done, and to which units.
func (p *manyPage) word() {
	units := make([]string, len(p.Ticked))
	for i, tick := range p.Ticked {
		units[i] = tick.Serial
	}
	which := plural(len(units), "unit", "units")
	named := "these " + which
	if len(units) <= 4 {
		named = unitList(units)
	}
	switch p.Do {
	case "attach":
		p.Title, p.Button = "Attach a certificate to "+which, "Attach to "+named
	case "note":
		p.Title, p.Button = "Write a note on "+which, "Write it on "+named
	case "scrap":
		p.Title, p.Button = "Scrap "+which+"? This cannot be undone.", "Scrap "+named
	default:
		p.Title, p.Button = "Move "+which+" on one step", "Move on "+named
	}
}

// unitList names units; neighbours become a range.
func unitList(units []string) string {
	var parts []string
	for i := 0; i < len(units); {
		end := i
		for end+1 < len(units) && follows(units[end], units[end+1]) {
			end++
		}
		switch end - i {
		case 0:
			parts = append(parts, units[i])
		case 1:
			parts = append(parts, units[i], units[end])
		default:
			parts = append(parts, units[i]+" to "+units[end])
		}
		i = end + 1
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

func follows(one, next string) bool {
	a, isUnit := routecard.ParseSerialID(one)
	b, also := routecard.ParseSerialID(next)
	return isUnit && also && b == a+1
}

// changeMany does one thing with every unit that was ticked. What is one operation of the interface happens whole or not
// at all; advancing and scrapping are one operation for each unit, and the answer counts them.
func (v *visit) changeMany(do, jobID, pathID string) (done string, err error) {
	ticks := v.ticks()
	if len(ticks) == 0 {
		return "", errNothingTicked()
	}
	if err := v.named(); err != nil {
		return "", err
	}
	switch do {
	case "attach":
		certificate, err := v.picked("certificate", "certId")
		if err != nil {
			return "", err
		}
		_, err = v.service.BatchAttachCertificate(v.r.Context(), routecard.BatchAttachInput{
			CertID: certificate, SerialIDs: routecard.GivenTexts(v.form["serial"]...), UserID: v.user(),
		})
		return "Certificate attached to " + plural(len(ticks), "unit", "units") + ".", err
	case "note":
		return v.noteMany(jobID, pathID, ticks)
	case "scrap":
		return v.eachOf(ticks, "scrapped", func(tick ticked) error {
			_, err := v.service.ScrapSerial(v.r.Context(), tick.Serial, routecard.ScrapSerialInput{
				ExpectedStepIndex: routecard.Given(float64(tick.Step)), Reason: v.text("reason"),
				Explanation: v.text("explanation"), UserID: v.user(),
			})
			return err
		})
	}
	return v.eachOf(ticks, "moved on", func(tick ticked) error {
		_, err := v.service.AdvanceSerial(v.r.Context(), tick.Serial, routecard.AdvanceSerialInput{
			ExpectedStepIndex: routecard.Given(float64(tick.Step)), UserID: v.user(),
		})
		return err
	})
}

// eachOf does something to each ticked unit, and tells of those that refused, by reason. When all refuse for one reason,
// that reason is the error.
func (v *visit) eachOf(ticks []ticked, what string, do func(ticked) error) (string, error) {
	refused := map[string][]string{} // units by reason
	var reasons []string
	var last *routecard.Error
	for _, tick := range ticks {
		err := do(tick)
		refusal, ok := asRefusal(err)
		if err != nil && !ok {
			return "", err
		}
		if err == nil {
			continue
		}
		last = refusal
		reason := refusal.Message
		if refusal.Code == routecard.Conflict {
			reason = v.whereNow(tick.Serial)
		}
		if refused[reason] == nil {
			reasons = append(reasons, reason)
		}
		refused[reason] = append(refused[reason], tick.Serial)
	}
	all := plural(len(ticks), "unit", "units")
	if last == nil {
		return all + " " + what + ".", nil
	}
	if len(reasons) == 1 && len(refused[reasons[0]]) == len(ticks) && last.Code == routecard.Invalid {
		return "", last
	}
	count := 0
	var told strings.Builder
	for _, reason := range reasons {
		count += len(refused[reason])
		fmt.Fprintf(&told, " Not %s: %s.", unitList(refused[reason]), strings.TrimSuffix(adviseOn(reason).text, "."))
	}
	return "", &routecard.Error{
		Code: last.Code, Message: fmt.Sprintf("%s of %s %s.%s", number(len(ticks)-count), all, what, told.String()),
	}
}

// noteMany writes one note for each step that the ticked units stand on.
func (v *visit) noteMany(jobID, pathID string, ticks []ticked) (string, error) {
	job, err := v.service.Job(v.r.Context(), jobID)
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(job.Paths, func(path routecard.Path) bool { return path.ID == pathID })
	if at < 0 {
		return "", &routecard.Error{Code: routecard.NotFound, Message: "Path not found: " + pathID}
	}
	for i, step := range job.Paths[at].Steps {
		var units []string
		for _, tick := range ticks {
			if tick.Step == i {
				units = append(units, tick.Serial)
			}
		}
		if len(units) == 0 {
			continue
		}
		if _, err := v.service.CreateNote(v.r.Context(), routecard.CreateNoteInput{
			JobID: routecard.Given(jobID), PathID: routecard.Given(pathID), StepID: routecard.Given(step.ID),
			SerialIDs: routecard.GivenTexts(units...), Text: v.text("text"), UserID: v.user(),
		}); err != nil {
			return "", err
		}
	}
	return "Note written on " + plural(len(ticks), "unit", "units") + ".", nil
}

// manyRefused shows a refusal where the action was asked for: on its own page, or on the board.
func (v *visit) manyRefused(do, pathID string, err error) error {
	if _, ok := errors.AsType[*routecard.Error](err); ok && do != "advance" && len(v.ticks()) > 0 {
		return v.again(do, err, func(status int, refused *problem) error { return v.askMany(do, status, refused) })
	}
	return v.again("board"+pathID, err, v.job)
}

// askedMany opens the page of an action on the ticked units.
func (v *visit) askedMany(do, pathID string) error {
	if len(v.ticks()) == 0 {
		return v.again("board"+pathID, errNothingTicked(), v.job)
	}
	return v.askMany(do, http.StatusOK, nil)
}

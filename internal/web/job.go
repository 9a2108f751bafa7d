package web

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/routecard/routecard"
)

// boardUnits is how many units a column of a board shows; the rest are counted.
const boardUnits = 40

type jobPage struct {
	frame
	Job          routecard.JobDetail
	Boards       []routecard.Board
	Certificates []routecard.Certificate
	Reasons      []routecard.ScrapReason
	History      []routecard.AuditEntry
	Chosen       string // the path whose board is marked by a refused form
	past
}

func showJob(v *visit) error { return v.job(http.StatusOK, nil) }

func (v *visit) job(status int, refused *problem) error {
	ctx, id := v.r.Context(), v.r.PathValue("id")
	job, err := v.service.Job(ctx, id)
	if err != nil {
		return err
	}
	page := &jobPage{frame: v.frame(job.Name, "jobs"), Job: job, Reasons: routecard.ScrapReasons()}
	page.problem = refused
	if page.Boards, err = v.service.Boards(ctx, id, boardUnits); err != nil {
		return err
	}
	if page.Certificates, err = v.newestCertificates(); err != nil {
		return err
	}
	history, err := v.service.AuditPage(ctx, routecard.AuditQuery{JobID: id, Limit: 20})
	if err != nil {
		return err
	}
	page.History = history.Entries
	if page.names, err = v.service.PastNames(ctx, page.History); err != nil {
		return err
	}
	return v.show(status, "job", page)
}

// certificateChoices is how many certificates a pick-list offers: the newest ones.
const certificateChoices = 200

func (v *visit) newestCertificates() ([]routecard.Certificate, error) {
	certificates := []routecard.Certificate{}
	for certificate, err := range v.service.Certificates(v.r.Context()) {
		if err != nil {
			return nil, err
		}
		if certificates = append(certificates, certificate); len(certificates) == certificateChoices {
			break
		}
	}
	return certificates, nil
}

func changeJob(v *visit) error {
	ctx, id := v.r.Context(), v.r.PathValue("id")
	here := "/jobs/" + id
	pathID := v.form.Get("pathId")
	var done string
	var err error
	form := v.form.Get("do")
	switch form {
	case "edit":
		_, err = v.service.UpdateJob(ctx, id, routecard.UpdateJobInput{
			Name: v.text("name"), GoalQuantity: givenNumber(v.form.Get("goalQuantity")),
		})
		done = "Job saved."
	case "create-serials":
		form += pathID
		var batch routecard.SerialBatch
		batch, err = v.service.CreateSerials(ctx, routecard.CreateSerialsInput{
			JobID: routecard.Given(id), PathID: v.text("pathId"), Quantity: v.number("quantity"),
			CertID: v.text("certId"), UserID: v.user(),
		})
		done = fmt.Sprintf("Created %s: %s to %s.", plural(batch.Quantity, "unit", "units"),
			routecard.SerialID(batch.First), routecard.SerialID(batch.First+batch.Quantity-1))
	case "delete-path":
		form += pathID
		err = v.service.DeletePath(ctx, pathID, v.user())
		done = "Route deleted."
	case "advance", "scrap", "attach", "note":
		form = "board" + pathID
		done, err = v.changeMany(id, pathID)
	default:
		return v.back(here, "")
	}
	if err != nil {
		return v.again(form, err, v.job)
	}
	v.remember()
	return v.back(here, done)
}

// givenNumber is a number field of an update, where an empty field is not absent but no number.
func givenNumber(typed string) routecard.NumberInput {
	if strings.TrimSpace(typed) == "" {
		return routecard.Mistyped[float64]()
	}
	return numberOf(typed)
}

// changeMany does one thing with every unit that was ticked on a board. What is one operation of the interface happens
// whole or not at all; advancing and scrapping are one operation for each unit, and the answer counts them.
func (v *visit) changeMany(jobID, pathID string) (done string, err error) {
	ctx, serials := v.r.Context(), v.form["serial"]
	if len(serials) == 0 {
		return "", &routecard.Error{Code: routecard.Invalid, Message: "Tick at least one unit first"}
	}
	switch v.form.Get("do") {
	case "attach":
		_, err = v.service.BatchAttachCertificate(ctx, routecard.BatchAttachInput{
			CertID: v.text("certId"), SerialIDs: routecard.GivenTexts(serials...), UserID: v.user(),
		})
		return "Certificate attached to " + plural(len(serials), "unit", "units") + ".", err
	case "note":
		return v.noteMany(jobID, pathID, serials)
	}
	each := func(id string) error {
		_, err := v.service.AdvanceSerial(ctx, id, routecard.AdvanceSerialInput{UserID: v.user()})
		return err
	}
	what := "advanced"
	if v.form.Get("do") == "scrap" {
		what = "scrapped"
		each = func(id string) error {
			_, err := v.service.ScrapSerial(ctx, id, routecard.ScrapSerialInput{
				Reason: v.text("reason"), Explanation: v.text("explanation"), UserID: v.user(),
			})
			return err
		}
	} else if err := v.named(); err != nil {
		return "", err
	}
	changed := 0
	var first error
	for _, id := range serials {
		if err := each(id); err != nil {
			if _, ok := errors.AsType[*routecard.Error](err); !ok {
				return "", err
			}
			if first == nil {
				first = fmt.Errorf("%s: %w", id, err)
			}
			continue
		}
		changed++
	}
	if first != nil {
		return "", &routecard.Error{Code: routecard.Invalid, Message: fmt.Sprintf("%s of %s were %s. %s",
			number(changed), plural(len(serials), "unit", "units"), what, first.Error())}
	}
	return plural(len(serials), "unit", "units") + " " + what + ".", nil
}

// noteMany writes one note for each step that the ticked units stand on.
func (v *visit) noteMany(jobID, pathID string, serials []string) (string, error) {
	ctx := v.r.Context()
	byStep := map[string][]string{}
	var steps []string
	for _, serial := range serials {
		step := v.form.Get("step:" + serial)
		if byStep[step] == nil {
			steps = append(steps, step)
		}
		byStep[step] = append(byStep[step], serial)
	}
	for _, step := range steps {
		if _, err := v.service.CreateNote(ctx, routecard.CreateNoteInput{
			JobID: routecard.Given(jobID), PathID: routecard.Given(pathID), StepID: routecard.Given(step),
			SerialIDs: routecard.GivenTexts(byStep[step]...), Text: v.text("text"), UserID: v.user(),
		}); err != nil {
			return "", err
		}
	}
	return "Note written for " + plural(len(serials), "unit", "units") + ".", nil
}

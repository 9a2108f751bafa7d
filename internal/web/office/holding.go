package office

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Units that are ticked on a board or in a list can be put on hold or released. The form for a release lists holds and not units, because a
// unit may also be on hold for a reason that the user has not seen.

const (
	askHold    = "ask-hold"
	askRelease = "ask-release"
	holdField  = "hold" // the identifiers of a hold and of its unit, separated by a space
)

// holdingForms are the forms for ticked units.
func holdingForms() map[string]shop.Operation {
	return map[string]shop.Operation{askHold: shop.OpHold, string(shop.OpHold): shop.OpHold, askRelease: shop.OpRelease}
}

// HoldingPage asks for the reason of a hold or a release.
type HoldingPage struct {
	site.Frame
	Job   string      // the identifier of the job if the units were ticked on its board, otherwise ""
	Units []string    // to put on hold
	Holds []card.Hold // to release
}

// Count describes the number of units or holds.
func (p *HoldingPage) Count() string {
	if len(p.Holds) > 0 {
		return p.TN(len(p.Holds), "{n} hold", "{n} holds")
	}
	return p.TN(len(p.Units), "{n} unit", "{n} units")
}

// Named lists the units.
func (p *HoldingPage) Named() string { return unitList(p.Language, p.Units) }

// BackTo is the page to which the user returns without a change.
func (p *HoldingPage) BackTo() string { return afterHolding(p.Job) }

func afterHolding(job string) string {
	if job == "" {
		return "/serials"
	}
	return "/jobs/" + url.PathEscape(job)
}

// holdUnits handles the buttons for ticked units.
func holdUnits(v *site.Visit) error {
	switch do, units := v.Form.Get("do"), v.Form["serial"]; {
	case len(units) == 0:
		return v.Back(afterHolding(v.Form.Get("jobId")), v.T("Tick units first. Nothing was changed."))
	case do == askHold:
		return renderHolding(v, http.StatusOK, nil)
	case do == askRelease:
		return renderReleasing(v, http.StatusOK, nil)
	}
	done, err := holdTicked(v)
	if err != nil {
		return v.Again(string(shop.OpHold), err, renderHolding)
	}
	v.Remember()
	return v.Back(afterHolding(v.Form.Get("jobId")), done)
}

func renderHolding(v *site.Visit, status int, refused *site.Problem) error {
	page := &HoldingPage{Frame: v.Frame("Put on hold", "serials"), Job: v.Form.Get("jobId"), Units: v.Form["serial"]}
	page.Rejected = refused
	return v.Show(status, "holding", page)
}

func holdTicked(v *site.Visit) (string, error) {
	if err := v.Named(); err != nil {
		return "", err
	}
	told, end := site.ProgressOfUnits(v)
	defer end()
	result, err := v.Service.BatchHold(v.R.Context(), shop.BatchHoldInput{
		BatchInput: shop.BatchInput{
			Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(v.Form["serial"]...)}, OnRefusal: input.Given("each"), Told: told,
		},
		HoldSerialInput: shop.HoldSerialInput{Reason: v.Text("reason"), UserID: v.User()},
	})
	if err != nil {
		return "", err
	}
	return tellMany(v, string(shop.OpHold), result)
}

// renderReleasing lists the open holds of the ticked units.
func renderReleasing(v *site.Visit, status int, refused *site.Problem) error {
	page := &HoldingPage{Frame: v.Frame("Release", "serials"), Job: v.Form.Get("jobId")}
	page.Rejected = refused
	for _, unit := range v.Form["serial"] {
		holds, err := v.Service.HoldsOfSerial(v.R.Context(), unit)
		if err != nil {
			return err
		}
		page.Holds = append(page.Holds, slices.DeleteFunc(holds, func(hold card.Hold) bool { return hold.ReleasedAt != 0 })...)
	}
	if len(page.Holds) == 0 {
		return v.Back(page.BackTo(), v.T("None of these units is on hold."))
	}
	return v.Show(status, "holding", page)
}

// releaseHolds releases the ticked holds one by one.
func releaseHolds(v *site.Visit) error {
	to := "/holds"
	if job := v.Form.Get("jobId"); job != "" {
		to = afterHolding(job)
	}
	done, err := releaseTicked(v)
	if err != nil {
		return v.Again(string(shop.OpRelease), err, renderHolds)
	}
	v.Remember()
	return v.Back(to, done)
}

func releaseTicked(v *site.Visit) (string, error) {
	ticked := v.Form[holdField]
	if len(ticked) == 0 {
		return "", errNothingTicked()
	}
	if err := v.Named(); err != nil {
		return "", err
	}
	var wanting *shop.SignatureError
	var released int
	var refused []shop.Refusal
	for _, value := range slices.Compact(slices.Sorted(slices.Values(ticked))) {
		id, unit, _ := strings.Cut(value, " ")
		_, err := v.Service.ReleaseSerial(v.R.Context(), unit, shop.ReleaseSerialInput{
			HoldID: input.Given(id), Reason: v.Text("reason"), UserID: v.User(),
		})
		more, signs := errors.AsType[*shop.SignatureError](err)
		problem, isRefusal := site.AsRefusal(err)
		switch {
		case signs: // the signatures cover all holds together
			if wanting != nil {
				more.Contents = slices.Concat(wanting.Contents, more.Contents)
			}
			wanting = more
		case isRefusal && problem.Kind != refusal.Invalid && problem.Kind != refusal.Forbidden:
			refused = append(refused, shop.Refusal{SerialID: unit, Err: problem})
		case err != nil:
			return "", err
		default:
			released++
		}
	}
	if wanting != nil {
		return "", wanting
	}
	return tellMany(v, string(shop.OpRelease), shop.BatchResult{Selected: released + len(refused), Changed: released, Refused: refused})
}

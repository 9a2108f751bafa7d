package office

import (
	"html/template"
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
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// A change of many units can be undone for all of them together. The address contains the section of the trail with the change, the person,
// and the route. Entries never change, so the page can show the progress at any time.

// TakeBackPage lists the units of one change, grouped by the state of the undo.
type TakeBackPage struct {
	site.Frame
	Job    shop.JobDetail
	What   string           // what was done, as a sentence
	Left   []string         // units whose change can be undone
	Before []string         // units whose change is already undone
	Never  []site.UnitGroup // the remaining units, by reason
}

// takenBackBy maps a change of many units to the actions of its entries, and to a sentence that describes the change.
var takenBackBy = map[string]struct {
	actions []trail.Action
	what    counted
}{
	manyAdvance: {
		[]trail.Action{card.ActionSerialAdvanced, card.ActionSerialCompleted},
		counted{One: "{n} unit was advanced together.", Many: "{n} units were advanced together."},
	},
	manyScrap: {
		[]trail.Action{card.ActionSerialScrapped},
		counted{One: "{n} unit was scrapped together.", Many: "{n} units were scrapped together."},
	},
	manyClose: {
		[]trail.Action{card.ActionSerialForceCompleted},
		counted{One: "{n} unit was completed with open steps.", Many: "{n} units were completed together with open steps."},
	},
}

// takeBackURL returns the address of the page that undoes a change that was just made to many units of a route. The entries of this change
// come after the entry that was the newest when the request began.
func takeBackURL(v *site.Visit, do, jobID, pathID string) (string, error) {
	newest, err := v.Views.LastAuditSequence(v.R.Context())
	query := url.Values{"do": {do}, "path": {pathID}, "after": {v.Last}, "until": {ident.AuditID(newest)}, "by": {v.Operator}}
	return "/jobs/" + jobID + "/take-back?" + query.Encode(), err
}

func showTakeBack(v *site.Visit) error { return askTakeBack(v, http.StatusOK, nil) }

func askTakeBack(v *site.Visit, status int, refused *site.Problem) error {
	page := &TakeBackPage{}
	var err error
	if page.Job, err = v.Service.Job(v.R.Context(), v.R.PathValue("id")); err != nil {
		return err
	}
	changes, err := changesToTakeBack(v)
	if err != nil {
		return err
	}
	what := takenBackBy[v.R.URL.Query().Get("do")].what
	page.What = v.TN(len(changes), what.One, what.Many)
	result, err := v.Service.UndoMany(v.R.Context(), shop.UndoManyInput{Changes: changes, DryRun: true, UserID: v.User()})
	if err != nil {
		return err
	}
	page.Left, page.Before, page.Never = result.Changed, result.Before, reasonsOf(v, result.Refused)
	page.Frame = v.Frame("Undo", "jobs")
	page.Rejected = refused
	return v.Show(status, "takeback", page)
}

// changesToTakeBack finds the entries that the address identifies.
func changesToTakeBack(v *site.Visit) (changes []shop.UnitChange, err error) {
	query := v.R.URL.Query()
	after, begins := ident.AuditSequence(query.Get("after"))
	until, ends := ident.AuditSequence(query.Get("until"))
	done, known := takenBackBy[query.Get("do")]
	if !begins || !ends || !known {
		return nil, refusal.Refuse(wording.NoSuchUnits, query.Get("do"))
	}
	search := views.AuditQuery{
		JobID: v.R.PathValue("id"), UserID: query.Get("by"), Before: ident.AuditID(until + 1), Limit: shop.NoLimit,
	}
	limit, _ := input.ListLimit("serialIds")
	for entry, err := range v.Views.SearchAudit(v.R.Context(), search) {
		if err != nil {
			return nil, err
		}
		if at, _ := ident.AuditSequence(entry.ID); at <= after || len(changes) == limit {
			break
		}
		if entry.PathID == query.Get("path") && slices.Contains(done.actions, entry.Action) {
			changes = append(changes, shop.UnitChange{SerialID: entry.SerialID, EntryID: entry.ID})
		}
	}
	slices.Reverse(changes)
	return changes, nil
}

// Units lists units.
func (p *TakeBackPage) Units(units []string) template.HTML {
	return p.Called(unitList(p.Language, units))
}

func takeManyBack(v *site.Visit) error {
	changes, err := changesToTakeBack(v)
	if err == nil {
		err = v.Named()
	}
	var result shop.UndoManyResult
	if err == nil {
		told, end := site.ProgressOfUnits(v)
		result, err = v.Service.UndoMany(v.R.Context(), shop.UndoManyInput{
			Changes: changes, Reason: v.Text("reason"), UserID: v.User(), Told: told,
		})
		end()
	}
	if err != nil {
		return v.Again("undo", err, askTakeBack)
	}
	v.Remember()
	if len(result.Refused) > 0 {
		said := append([]string{v.TN(len(changes), "{done} of {n} unit undone.", "{done} of {n} units undone.",
			"done", v.Language.Number(len(result.Changed)))}, refusedUnits(v, result.Refused)...)
		return v.Again("undo", wording.RefusePartly(refusal.Invalid, strings.Join(said, " ")), askTakeBack)
	}
	return v.Back(site.OwnPath(v.R.URL.RequestURI()), v.TN(len(result.Changed), "Undone: {n} unit.", "Undone: {n} units."))
}

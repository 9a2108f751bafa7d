package site

import (
	"context"
	"net/http"
	"strings"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// What is chosen from a list that can be long is typed, with the newest ones offered: a name, a part of it, or an
// identifier. The server finds what is meant, so that nothing is out of reach however long the list is, also without
// JavaScript. With it, what is offered follows what is typed.

// Choice is one thing to choose: what is typed for it, and what is said beside it.
type Choice struct{ Value, Hint string }

const (
	picksOffered  = 50   // how many things a field offers to choose from
	picksSearched = 1000 // how many of those that contain a text are looked at for the one that is called so
)

// Picking finds what can be meant by a text, the newest first: those whose name or details contain it, and the one
// whose identifier it is. An empty text finds the newest.
type Picking struct {
	noun string
	find func(ctx context.Context, text string, limit int) ([]Named, error)
}

// Named is a thing with its Name.
type Named struct{ ID, Name, Hint string }

// Pickings are the kinds of records that people choose by typing.
func Pickings(v *Visit) map[string]Picking {
	return map[string]Picking{
		"certificate": {"certificate", func(ctx context.Context, text string, limit int) ([]Named, error) {
			certificates, _, err := v.Views.FindCertificates(ctx, text, "", limit)
			found := make([]Named, len(certificates))
			for i, c := range certificates {
				found[i] = Named{c.ID, c.Name, wording.Words(c.Type)}
			}
			return found, err
		}},
		"job": {"job", func(ctx context.Context, text string, limit int) ([]Named, error) {
			jobs, err := v.Views.FindJobs(ctx, text, limit)
			found := make([]Named, len(jobs))
			for i, job := range jobs {
				found[i] = Named{job.ID, job.Name, job.Part()}
			}
			return found, err
		}},
		"operator": v.People.lately(v.recent).picking(),
		"person":   v.People.picking(), // also who may not act any more
	}
}

// Among is a picking of things that are all at hand, in the order in which they are offered.
func Among(noun string, all []Named) Picking {
	return Picking{noun, func(_ context.Context, text string, limit int) ([]Named, error) {
		text = strings.ToLower(text)
		var found []Named
		for _, one := range all {
			if strings.EqualFold(one.ID, text) || strings.Contains(strings.ToLower(one.Name+"\n"+one.Hint), text) {
				if found = append(found, one); len(found) == limit {
					break
				}
			}
		}
		return found, nil
	}}
}

// choices are what a field offers at first. A name that stands for more than one is offered with the identifier.
func choices(found []Named) []Choice {
	times := map[string]int{}
	for _, one := range found {
		times[strings.TrimSpace(one.Name)]++
	}
	offered := make([]Choice, len(found))
	for i, one := range found {
		offered[i] = Choice{strings.TrimSpace(one.Name), one.Hint}
		if times[offered[i].Value] > 1 {
			offered[i].Value += " [" + one.ID + "]"
		}
	}
	return offered
}

// Newest are the choices that a page offers of a kind.
func Newest(v *Visit, kind string) ([]Choice, error) {
	found, err := Pickings(v)[kind].find(v.R.Context(), "", picksOffered)
	return choices(found), err
}

// Picked is what was chosen in a field of the form: its identifier. A field that is empty, or that the form does not
// have, is absent. A text that stands for nothing, or for more than one thing, is refused.
func (v *Visit) Picked(kind, field string) (input.TextInput, error) {
	typed := strings.TrimSpace(v.Form.Get(field))
	if typed == "" {
		return input.TextInput{}, nil
	}
	id, err := Pickings(v)[kind].Pick(v.R.Context(), typed)
	if err != nil {
		return input.TextInput{}, err
	}
	return input.Given(id), nil
}

// bracketed is the identifier in brackets behind a name that stands for more than one thing, and otherwise what was typed.
func bracketed(typed string) string {
	if open := strings.LastIndex(typed, " ["); open >= 0 && strings.HasSuffix(typed, "]") {
		return strings.TrimSuffix(typed[open+2:], "]")
	}
	return typed
}

// Pick is the identifier of the record that was typed.
func (p Picking) Pick(ctx context.Context, typed string) (string, error) {
	typed = bracketed(typed)
	found, err := p.find(ctx, typed, picksSearched)
	if err != nil {
		return "", err
	}
	var same []Named
	for _, one := range found {
		if one.ID == typed {
			return one.ID, nil
		}
		if strings.EqualFold(strings.TrimSpace(one.Name), typed) {
			same = append(same, one)
		}
	}
	if len(same) == 0 {
		same = found
	}
	switch len(same) {
	case 1:
		return same[0].ID, nil
	case 0:
		return "", refusal.Refuse(wording.NoneCalled, p.noun, typed)
	}
	const shown = 5
	var names []string
	for _, offered := range choices(same)[:min(len(same), shown)] {
		names = append(names, offered.Value)
	}
	more := ""
	if len(same) > shown {
		more = " and others"
	}
	return "", refusal.Refuse(wording.ManyCalled, typed, p.noun, strings.Join(names, "; ")+more)
}

// PicksPage is what is offered for what is typed.
type PicksPage struct{ Choices []Choice }

// showPicks answers what a field offers for what is typed so far.
func showPicks(v *Visit) error {
	picking, known := Pickings(v)[v.R.PathValue("kind")]
	if !known {
		return refusal.Refuse(wording.NoPage)
	}
	typed := ""
	for _, values := range v.R.URL.Query() { // the field's name is its form's business
		typed = values[0]
	}
	found, err := picking.find(v.R.Context(), strings.TrimSpace(typed), picksOffered)
	if err != nil {
		return err
	}
	return v.Show(http.StatusOK, "picks", PicksPage{choices(found)})
}

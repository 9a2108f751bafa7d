package web

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

// choice is one thing to choose: what is typed for it, and what is said beside it.
type choice struct{ Value, Hint string }

const (
	picksOffered  = 50   // how many things a field offers to choose from
	picksSearched = 1000 // how many of those that contain a text are looked at for the one that is called so
)

// picking finds what can be meant by a text, the newest first: those whose name or details contain it, and the one
// whose identifier it is. An empty text finds the newest.
type picking struct {
	noun string
	find func(ctx context.Context, text string, limit int) ([]named, error)
}

// named is a thing with its name.
type named struct{ id, name, hint string }

func pickings(v *visit) map[string]picking {
	return map[string]picking{
		"certificate": {"certificate", func(ctx context.Context, text string, limit int) ([]named, error) {
			certificates, _, err := v.views.FindCertificates(ctx, text, "", limit)
			found := make([]named, len(certificates))
			for i, c := range certificates {
				found[i] = named{c.ID, c.Name, wording.Words(c.Type)}
			}
			return found, err
		}},
		"job": {"job", func(ctx context.Context, text string, limit int) ([]named, error) {
			jobs, err := v.views.FindJobs(ctx, text, limit)
			found := make([]named, len(jobs))
			for i, job := range jobs {
				found[i] = named{job.ID, job.Name, job.Part()}
			}
			return found, err
		}},
		"operator": v.people.lately(v.recent).picking(),
		"person":   v.people.picking(), // also who may not act any more
	}
}

// among is a picking of things that are all at hand, in the order in which they are offered.
func among(noun string, all []named) picking {
	return picking{noun, func(_ context.Context, text string, limit int) ([]named, error) {
		text = strings.ToLower(text)
		var found []named
		for _, one := range all {
			if strings.EqualFold(one.id, text) || strings.Contains(strings.ToLower(one.name+"\n"+one.hint), text) {
				if found = append(found, one); len(found) == limit {
					break
				}
			}
		}
		return found, nil
	}}
}

// choices are what a field offers at first. A name that stands for more than one is offered with the identifier.
func choices(found []named) []choice {
	times := map[string]int{}
	for _, one := range found {
		times[strings.TrimSpace(one.name)]++
	}
	offered := make([]choice, len(found))
	for i, one := range found {
		offered[i] = choice{strings.TrimSpace(one.name), one.hint}
		if times[offered[i].Value] > 1 {
			offered[i].Value += " [" + one.id + "]"
		}
	}
	return offered
}

// newest are the choices that a page offers of a kind.
func newest(v *visit, kind string) ([]choice, error) {
	found, err := pickings(v)[kind].find(v.r.Context(), "", picksOffered)
	return choices(found), err
}

// picked is what was chosen in a field of the form: its identifier. A field that is empty, or that the form does not
// have, is absent. A text that stands for nothing, or for more than one thing, is refused.
func (v *visit) picked(kind, field string) (input.TextInput, error) {
	typed := strings.TrimSpace(v.form.Get(field))
	if typed == "" {
		return input.TextInput{}, nil
	}
	id, err := pickings(v)[kind].pick(v.r.Context(), typed)
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

func (p picking) pick(ctx context.Context, typed string) (string, error) {
	typed = bracketed(typed)
	found, err := p.find(ctx, typed, picksSearched)
	if err != nil {
		return "", err
	}
	var same []named
	for _, one := range found {
		if one.id == typed {
			return one.id, nil
		}
		if strings.EqualFold(strings.TrimSpace(one.name), typed) {
			same = append(same, one)
		}
	}
	if len(same) == 0 {
		same = found
	}
	switch len(same) {
	case 1:
		return same[0].id, nil
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

type picksPage struct{ Choices []choice }

// showPicks answers what a field offers for what is typed so far.
func showPicks(v *visit) error {
	picking, known := pickings(v)[v.r.PathValue("kind")]
	if !known {
		return refusal.Refuse(wording.NoPage)
	}
	typed := ""
	for _, values := range v.r.URL.Query() { // the field's name is its form's business
		typed = values[0]
	}
	found, err := picking.find(v.r.Context(), strings.TrimSpace(typed), picksOffered)
	if err != nil {
		return err
	}
	return v.show(http.StatusOK, "picks", picksPage{choices(found)})
}

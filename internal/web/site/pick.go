package site

import (
	"context"
	"net/http"
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// To choose from a list that can be long, users type into a field that suggests the newest records. They type a name, a part of a name, or
// an identifier, and the server finds the record. So every record can be chosen, however long the list is and even without JavaScript. With
// JavaScript, the suggestions change while the user types.

// Choice is a suggestion: the value to type, and a hint that is displayed next to it.
type Choice struct{ Value, Hint string }

const (
	picksOffered  = 50   // the number of suggestions of a field
	picksSearched = 1000 // maximum number of records containing a text that are searched for an exact name
)

// Picking finds the records that a text can refer to, newest first: those whose name or details contain the text, and the one that has it
// as its identifier. An empty text finds the newest records.
type Picking struct {
	noun string
	find func(ctx context.Context, text string, limit int) ([]Named, error)
}

// Named is a record with its name.
type Named struct{ ID, Name, Hint string }

// Pickings returns the kinds of records that users choose by typing.
func Pickings(v *Visit) map[string]Picking {
	return map[string]Picking{
		"certificate": {"certificate", func(ctx context.Context, text string, limit int) ([]Named, error) {
			certificates, _, err := v.Views.FindCertificates(ctx, text, "", limit)
			found := make([]Named, len(certificates))
			for i, c := range certificates {
				found[i] = Named{c.ID, c.Name, lang.Words(v.Language, c.Type)}
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
		"person":   v.People.picking(), // including inactive people
	}
}

// Among returns a picking of records that are all loaded, in the order in which they are suggested.
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

// choices converts records to suggestions. If several records have the same name, the identifier follows the name.
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

// Newest returns the initial suggestions for a kind of record.
func Newest(v *Visit, kind string) ([]Choice, error) {
	found, err := Pickings(v)[kind].find(v.R.Context(), "", picksOffered)
	return choices(found), err
}

// Picked returns the identifier of the record that was chosen in a field of the form. It is absent if the field is empty or missing. A text
// that matches no record or several records is refused.
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

// bracketed returns the identifier in the brackets that follow an ambiguous name. Without brackets it returns the whole text.
func bracketed(typed string) string {
	if open := strings.LastIndex(typed, " ["); open >= 0 && strings.HasSuffix(typed, "]") {
		return strings.TrimSuffix(typed[open+2:], "]")
	}
	return typed
}

// Pick returns the identifier of the record that a text refers to.
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
	reason := wording.ManyCalled
	if len(same) > shown {
		reason = wording.MoreCalled
	}
	return "", refusal.Refuse(reason, typed, p.noun, strings.Join(names, "; "))
}

// PicksPage has the suggestions for a typed text.
type PicksPage struct{ Choices []Choice }

// showPicks responds with the suggestions for the text typed so far.
func showPicks(v *Visit) error {
	picking, known := Pickings(v)[v.R.PathValue("kind")]
	if !known {
		return refusal.Refuse(wording.NoPage)
	}
	typed := ""
	for _, values := range v.R.URL.Query() { // the name of the field depends on its form
		typed = values[0]
	}
	found, err := picking.find(v.R.Context(), strings.TrimSpace(typed), picksOffered)
	if err != nil {
		return err
	}
	return v.Show(http.StatusOK, "picks", PicksPage{choices(found)})
}

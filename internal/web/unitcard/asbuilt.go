package unitcard

import (
	"cmp"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/genealogy"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/views"
)

// builtShown is the maximum number of components inside components that a card lists, and of units that contain the unit.
const builtShown = 300

// BuiltRow is a component of a unit inside the unit on the card, as a row of a table.
type BuiltRow struct {
	views.InstalledPart
	Depth int // 1 for a component of a component
}

// loadBuilt reads what the components of the unit contain, and the units that contain the unit.
func (p *Page) loadBuilt(v *site.Visit) (err error) {
	ctx, id := v.R.Context(), p.Serial().ID
	if p.Card.Inside != "" {
		if p.Uses, err = v.Views.UsesOfUnit(ctx, id, genealogy.TimeQuery{}); err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(p.Installed.Open, func(part views.InstalledPart) bool { return part.ComponentSerialID != "" }) {
		return nil
	}
	built, err := v.Views.AsBuilt(ctx, id, genealogy.TimeQuery{})
	if err != nil {
		return err
	}
	p.within, p.MoreWithin = map[string][]BuiltRow{}, 0
	shown := 0
	for i := range built.Components {
		rows := rowsOf(nil, built.Components[i].Components, 1)
		kept := rows[:min(len(rows), builtShown-shown)]
		p.MoreWithin += len(rows) - len(kept)
		shown += len(kept)
		p.within[built.Components[i].ComponentSerialID] = kept
	}
	return nil
}

// lotNumbers returns the numbers of the lots from which components were installed in the unit.
func (p *Page) lotNumbers() map[string]string {
	numbers := map[string]string{}
	for _, parts := range [][]views.InstalledPart{p.Installed.Open, p.Installed.Past} {
		for i := range parts {
			numbers[parts[i].LotID] = parts[i].LotNumber
		}
	}
	return numbers
}

// rowsOf appends the rows of a tree, each component directly before what is inside it.
func rowsOf(rows []BuiltRow, parts []genealogy.Part, depth int) []BuiltRow {
	for i := range parts {
		part := &parts[i]
		rows = append(rows, BuiltRow{views.InstalledPart{
			Component: part.Component, LotNumber: part.LotNumber, Part: cmp.Or(part.Material, part.PartType),
		}, depth})
		rows = rowsOf(rows, part.Components, depth+1)
	}
	return rows
}

// Within returns what is inside a component, at any depth.
func (p *Page) Within(componentID string) []BuiltRow { return p.within[componentID] }

// Indent returns the depth as it is shown; deep components are not indented further.
func (r BuiltRow) Indent() int { return min(r.Depth, 6) }

// Bill compares the bill that the unit keeps with what is installed.
func (p *Page) Bill() []card.PartCount { return p.Card.PartCounts() }

// builtUnits returns the units that the rows of the card name.
func (p *Page) builtUnits() (units []string) {
	for _, rows := range p.within {
		for i := range rows {
			units = append(units, rows[i].ComponentSerialID)
		}
	}
	for i := range p.Uses {
		units = append(units, p.Uses[i].SerialID)
	}
	return units
}

// NeedsMore reports whether a unit was refused because a requirement of its step is not met.
func NeedsMore(why error) bool {
	refused, ok := site.AsRefusal(why)
	return ok && slices.Contains([]*refusal.Reason{
		card.PartsMissing, card.MaterialMissing, card.NotBack, card.CertificateMissing,
	}, refused.Reason)
}

// NotOn says why the current step cannot be signed off; "" if it can.
func (p *Page) NotOn() string {
	why := p.Do(shop.OpAdvance).Refusal
	if why == nil {
		return ""
	}
	return p.InFull(why)
}

// InFull returns the text of a refusal. If a requirement of the current step is not met, it names all that are not met.
func (p *Page) InFull(why error) string {
	if needs := p.StillNeeded(); needs != "" && NeedsMore(why) {
		return needs
	}
	return wording.Told(p.Language, why)
}

// StillNeeded says in one sentence what the unit still needs before it leaves its current step; "" for nothing. It does not name readings.
func (p *Page) StillNeeded() string {
	step := p.Current()
	if step == nil {
		return ""
	}
	unmet := p.Card.UnmetNow()
	var needs []string
	for _, part := range unmet.Parts {
		needs = append(needs, p.T("{number} × {part}", "number", part.Missing, "part", part.PartType))
	}
	if unmet.Material {
		needs = append(needs, p.T("material of a lot"))
	}
	if unmet.Receipt {
		needs = append(needs, p.T("the receipt from outside work"))
	}
	if unmet.Certificate {
		needs = append(needs, p.T("a certificate"))
	}
	if len(needs) == 0 {
		return ""
	}
	return p.T("{step} still needs: {needs}.", "step", step.Name, "needs", strings.Join(needs, ", "))
}

// NeedsParts reports whether something must be installed before the unit leaves its current step.
func (p *Page) NeedsParts() bool {
	unmet := p.Card.UnmetNow()
	return len(unmet.Parts) > 0 || unmet.Material
}

// ToSend reports whether the unit is at a step of outside work and has not been sent.
func (p *Page) ToSend() bool {
	return p.Current() != nil && !p.Card.IsAway() && len(p.Card.Holds) == 0 && p.Card.UnmetNow().Receipt
}

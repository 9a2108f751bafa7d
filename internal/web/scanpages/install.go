package scanpages

import (
	"github.com/routecard/routecard/internal/station"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/unitcard"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// Installing at the station: station.Next decides which scan is a component. The functions in this file find the component and install it.

// judgeInstalling checks whether anything can be installed in a unit before the station asks for the component.
func (run *scanRun) judgeInstalling(judged station.Event, p *unitcard.Page) (station.Event, error) {
	id := p.Serial().ID
	if err := p.NoInstalling(); err != nil {
		return run.refusedBy(id, err)
	}
	if p.Current() == nil && len(p.InstallSteps()) != 1 {
		return refusedWith(run.T("{unit} has several deferred steps. Install the component on the card.", "unit", id)), nil
	}
	return judged, nil
}

// install installs the scanned part in the unit, at the step that the page showed. If the part is a lot and its quantity is needed, install
// does not install it but returns the lot.
func (run *scanRun) install(effect station.Effect) (done station.Event, err error) {
	unit := effect.Unit
	before, err := unitcard.Load(run.Visit, unit.ID)
	if err != nil {
		return done, err
	}
	in := shop.InstallComponentInput{UserID: run.actor()}
	if steps := before.Card.Path.Steps; unit.Step < len(steps) {
		in.StepID = input.Given(steps[unit.Step].ID)
	} else if open := before.InstallSteps(); len(open) == 1 {
		in.StepID = input.Given(open[0].ID)
	}
	part, err := run.partOf(effect)
	if err != nil {
		return done, err
	}
	if effect.Lot.ID != "" {
		amount, err := run.TypedDecimal("quantity", effect.Words)
		if err != nil {
			return done, err
		}
		in.Quantity = input.Given(input.Written(amount))
	} else if part.Lot.Quantity != "" && part.SerialNumber == "" {
		return station.Event{Kind: station.Acted, Lot: station.Lot{
			Typed: effect.Words, ID: part.Lot.ID, Called: part.Lot.LotNumber, Unit: string(part.Lot.Unit),
		}}, part.Lot.RefuseUse()
	}
	part.Fill(&in)
	made, err := run.Service.InstallComponent(run.R.Context(), unit.ID, in)
	if err != nil {
		return done, err
	}
	done = station.Event{
		Kind: station.Acted, Act: actOf(componentAct, unit.ID, made.ID), Words: effect.Words,
		Text: unitcard.InstalledText(run.Visit, made, part),
	}
	after, err := unitcard.Load(run.Visit, unit.ID)
	if err != nil {
		return done, err
	}
	done.Unit = asShown(after, run.place)
	return done, nil
}

// partOf returns the unit or the lot that was scanned.
func (run *scanRun) partOf(effect station.Effect) (part site.TypedPart, err error) {
	if effect.Lot.ID != "" {
		part.Lot, err = run.Service.Lot(run.R.Context(), effect.Lot.ID)
		return part, err
	}
	return site.PartTyped(run.Visit, effect.Words)
}

// takableComponent describes the installation that an undo would void.
func (run *scanRun) takableComponent(p *unitcard.Page, id string) (text, refusal string) {
	unit := p.Serial().ID
	for i := range p.Installed.Open {
		made := &p.Installed.Open[i]
		switch {
		case made.ID != id:
		case !run.Service.FreeToVoid(shop.CallerOf(run.R.Context()), made.InstalledBy, made.InstalledAt):
			return "", run.T("The component of {unit} was installed long ago or by another person. "+
				"Voiding it is a decision: do that on the card.", "unit", unit)
		case made.LotID != "":
			return run.T("{unit}: lot {lot} was installed.", "unit", unit, "lot", made.LotNumber), ""
		default:
			return run.T("{unit}: {component} was installed.", "unit", unit, "component", made.ComponentSerialID), ""
		}
	}
	return "", run.T("The component of {unit} is not there.", "unit", unit)
}

// Installing reports whether the next scan is a component, or the quantity of a lot.
func (p *Page) Installing() bool { return p.State.Installing() }

// Amount reports whether the page asks for the quantity of a lot to install.
func (p *Page) Amount() bool { return p.State.Phase == station.AmountAwaited }

// CanInstall reports whether the page offers to install a component in the unit on the screen.
func (p *Page) CanInstall() bool {
	return p.Unit != nil && p.Unit.NoInstalling() == nil && (p.Unit.Current() != nil || len(p.Unit.InstallSteps()) == 1)
}

// InstallLabel is the label of the field while the station waits for a component or a quantity.
func (p *Page) InstallLabel() string {
	if p.Amount() {
		return p.T("Quantity of lot {lot} in {measure}", "lot", p.State.Lot.Called, "measure", p.State.Lot.Unit)
	}
	return p.T("Unit or lot to install in {unit}", "unit", p.State.Unit.ID)
}

package unitcard

import (
	"strings"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/views"
)

// Components on the card of a unit: the parts that are installed in it, and the forms that install, remove and void parts.

// These are the forms, by their field "do". The name of a form for one component consists of the name of its button and the component's
// identifier.
const (
	installForm = "install"
	removeForm  = "remove"
	voidForm    = "void"
)

func componentForms() map[string]shop.Operation {
	return map[string]shop.Operation{
		installForm: shop.OpInstall, removeForm: shop.OpRemoveComponent, voidForm: shop.OpVoid,
	}
}

var (
	installComponentForm = site.DecimalFormOf[shop.InstallComponentInput]()
	removeComponentForm  = site.FormOf[shop.RemoveComponentInput]()
	voidComponentForm    = site.FormOf[shop.VoidInput]()
)

// NoInstalling returns the reason why nothing can be installed in the unit, or nil if something can.
func (p *Page) NoInstalling() error { return card.RefuseInstallingInto(p.Card) }

// PartTypes lists the part types of the unit's bill, each once.
func (p *Page) PartTypes() []string { return p.Card.PartTypes() }

// InstallSteps lists the steps at which a component can be installed now.
func (p *Page) InstallSteps() (steps []card.ProcessStep) {
	for _, i := range p.Card.Measurable() {
		steps = append(steps, p.Card.Path.Steps[i])
	}
	return steps
}

// ComponentForm returns the name of the form for a component.
func (*Page) ComponentForm(part views.InstalledPart) string { return removeForm + part.ID }

// offersComponents reports whether the page has the given form for components.
func (p *Page) offersComponents(form string) bool {
	if form == installForm {
		return p.NoInstalling() == nil
	}
	for i := range p.Installed.Open {
		if form == p.ComponentForm(p.Installed.Open[i]) {
			return true
		}
	}
	return false
}

// MayRemove reports whether the visitor may remove a component. Removing from a closed unit needs the permission to decide.
func (p *Page) MayRemove() (bool, error) {
	may, err := p.May(shop.OpRemoveComponent)
	if !may || p.Serial().Status == card.InProgress {
		return may, err
	}
	return p.May(shop.OpDispose)
}

// changeComponents carries out the forms for components.
func changeComponents(v *site.Visit) error {
	id, do := v.R.PathValue("id"), v.Form.Get("do")
	form, done := do, ""
	if do != installForm {
		form = removeForm + v.Form.Get("componentId") // this form has two buttons
	}
	err := v.Named()
	if err == nil {
		switch do {
		case removeForm, voidForm:
			done, err = takeOut(v, id, do)
		default:
			done, err = installTyped(v, id)
		}
	}
	if err != nil {
		return cardRefused(v, id, form, err)
	}
	v.Remember()
	return v.Back(cardAddress(id), done)
}

// installTyped installs the unit or the lot that was typed or scanned.
func installTyped(v *site.Visit, id string) (done string, err error) {
	in, err := installComponentForm.Read(v)
	if err != nil {
		return "", err
	}
	in.UserID = v.User()
	typed := strings.TrimSpace(v.Form.Get("component"))
	var part site.TypedPart
	if typed != "" {
		if part, err = site.PartTyped(v, typed); err != nil {
			return "", err
		}
	}
	part.Fill(&in)
	made, err := v.Service.InstallComponent(v.R.Context(), id, in)
	if err != nil {
		return "", err
	}
	return InstalledText(v, made, part), nil
}

// InstalledText describes what was installed.
func InstalledText(v *site.Visit, made card.Component, part site.TypedPart) string {
	if made.LotID == "" {
		return v.T("{component} is installed in {unit}.", "component", made.ComponentSerialID, "unit", made.SerialID)
	}
	if part.Lot.Unit != "" {
		return v.T("Installed in {unit}: {quantity} {measure} of lot {lot}.", "unit", made.SerialID,
			"quantity", string(made.Quantity), "measure", string(part.Lot.Unit), "lot", part.Lot.LotNumber)
	}
	return v.T("Lot {lot} is installed in {unit}.", "lot", part.Lot.LotNumber, "unit", made.SerialID)
}

// takeOut removes or voids a component.
func takeOut(v *site.Visit, id, do string) (done string, err error) {
	component := v.Form.Get("componentId")
	if do == voidForm {
		in := voidComponentForm.Read(v.Form)
		in.UserID = v.User()
		_, err = v.Service.VoidComponent(v.R.Context(), component, in)
		return v.T("The installation is void."), err
	}
	in := removeComponentForm.Read(v.Form)
	in.UserID = v.User()
	_, err = v.Service.RemoveComponent(v.R.Context(), id, component, in)
	return v.T("Component removed."), err
}

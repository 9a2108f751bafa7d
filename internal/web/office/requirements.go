package office

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// requirementPages declares the forms for the bill of a path and for the requirements of its steps. The page of the path shows them.
func requirementPages() Noun {
	return Noun{
		routes: []site.Route{
			site.Get("/jobs/{id}/paths/{path}/bom", site.Always(shop.OpRead), showPathBOM),
			site.Post("/jobs/{id}/paths/{path}/bom", site.Always(shop.OpSetPathBOM), setPathBOM),
			site.Get("/steps/{id}/requirements", site.Always(shop.OpRead), showRequirements),
			site.Post("/steps/{id}/requirements", site.Always(shop.OpSetRequirements), setRequirements),
		},
	}
}

// pathBOMForm is the name of the form for the bill of a path.
const pathBOMForm = "bom"

// RequiredAt are the requirements of a step, on the page of its path.
type RequiredAt struct {
	Step card.ProcessStep
	card.RequirementSet
}

// Form returns the name of the step's form.
func (r RequiredAt) Form() string { return "requirements" + r.StepID }

// Has reports whether the step requires a part type.
func (r RequiredAt) Has(partType string) bool { return slices.Contains(r.Components, partType) }

// Read returns the digest of the requirements in their form.
func (r RequiredAt) Read() string { return readRequirements(r.RequirementSet) }

// Work returns the outside work of the step; an empty one if the step has none.
func (r RequiredAt) Work() card.OutsideWork {
	if r.Outside == nil {
		return card.OutsideWork{}
	}
	return *r.Outside
}

// Suppliers returns the approved suppliers, one on each line.
func (r RequiredAt) Suppliers() string { return strings.Join(r.Work().Suppliers, "\n") }

// Procedure returns the procedure of the functional test, "" for none.
func (r RequiredAt) Procedure() string {
	if r.FunctionalTest == nil {
		return ""
	}
	return r.FunctionalTest.Procedure
}

// needs has the bill of a path, and the requirements of its steps.
type needs struct {
	Bill     *shop.BOM  // nil for none
	BillRead string     // the digest of the bill in its form
	Bills    []shop.BOM // the newest bills, to choose from
	Required []RequiredAt
}

// BillID returns the identifier of the bill, "" for none.
func (n needs) BillID() string {
	if n.Bill == nil {
		return ""
	}
	return n.Bill.ID
}

// readNeeds reads what the units of a path need.
func readNeeds(v *site.Visit, pathID string) (n needs, err error) {
	path, err := v.Service.Path(v.R.Context(), pathID)
	if err != nil {
		return n, err
	}
	n.BillRead = site.AsRead(path.BOMID)
	for bom, err := range v.Service.BOMs(v.R.Context()) {
		if err != nil {
			return n, err
		}
		if bom.ID == path.BOMID {
			n.Bill = &bom
		}
		if len(n.Bills) < bomsListed {
			n.Bills = append(n.Bills, bom)
		}
	}
	for _, step := range path.Steps {
		n.Required = append(n.Required, RequiredAt{step, path.RequirementsOf(step.ID)})
	}
	return n, nil
}

// PartTypes returns the part types that a step can require: those of the bill, and those that the step requires already.
func (n needs) PartTypes(at RequiredAt) (types []string) {
	if n.Bill != nil {
		for i := range n.Bill.Entries {
			types = append(types, n.Bill.Entries[i].PartType)
		}
	}
	types = append(types, at.Components...)
	slices.Sort(types)
	return slices.Compact(types)
}

// Approvals returns the options for whether the customer has approved the source of outside work.
func (*RoutePage) Approvals() []shop.CustomerApproval { return shop.CustomerApprovals() }

// Checked reports whether a box of a form is ticked: as it was posted if the form was refused, otherwise as the record says.
func (p *RoutePage) Checked(form, field, value string, now bool) bool {
	if p.Refused(form) {
		return p.Ticked(form, field, value)
	}
	return now
}

// readRequirements is the digest of a step's requirements in their form.
func readRequirements(set card.RequirementSet) string { return site.AsRead(set.Revision) }

// pathAddress is the address of a path's page.
func pathAddress(path card.Path) string {
	return "/jobs/" + url.PathEscape(path.JobID) + "/paths/" + url.PathEscape(path.ID)
}

// showPathBOM leads to the page of the path.
func showPathBOM(v *site.Visit) error {
	to := pathAddress(card.Path{JobID: v.R.PathValue("id"), ID: v.R.PathValue("path")})
	http.Redirect(v.W, v.R, to, http.StatusSeeOther)
	return nil
}

// showRequirements leads to the page of the step's path.
func showRequirements(v *site.Visit) error {
	_, path, err := v.Service.StepOf(v.R.Context(), v.R.PathValue("id"))
	if err != nil {
		return err
	}
	http.Redirect(v.W, v.R, pathAddress(path), http.StatusSeeOther)
	return nil
}

// neededAgain shows the page of a path with the refusal of one of these forms.
func neededAgain(v *site.Visit, path card.Path, form string, err error) error {
	return v.Again(form, err, func(v *site.Visit, status int, refused *site.Problem) error {
		page, err := newRoutePage(v, path.JobID, path.ID)
		if err != nil {
			return err
		}
		page.Rejected = refused
		return v.Show(status, "route", page)
	})
}

func setPathBOM(v *site.Visit) error {
	ctx := v.R.Context()
	job, err := v.Service.Job(ctx, v.R.PathValue("id"))
	if err != nil {
		return err
	}
	path, err := job.Path(v.R.PathValue("path"))
	if err != nil {
		return err
	}
	in := shop.SetPathBOMInput{BOMID: v.Text("bomId"), UserID: v.User()}
	done := v.T("Units that are created from now on need the parts of this bill.")
	if v.Form.Get("do") == "remove" {
		in.BOMID, done = input.TextInput{State: input.StateNull}, v.T("Bill removed. Units that exist keep theirs.")
	}
	if err = v.Named(); err == nil {
		read := site.IfRead(v, v.Form.Get(site.ReadField), func(detail shop.PathDetail) string { return site.AsRead(detail.BOMID) })
		_, err = v.Service.SetPathBOM(read, path.ID, in)
	}
	if site.WasChanged(err) {
		err = site.ErrChanged(v, v.T("Somebody changed the bill of the route meanwhile."), nil)
	}
	if err != nil {
		return neededAgain(v, path, pathBOMForm, err)
	}
	v.Remember()
	return v.Back(pathAddress(path), done)
}

func setRequirements(v *site.Visit) error {
	step, path, err := v.Service.StepOf(v.R.Context(), v.R.PathValue("id"))
	if err != nil {
		return err
	}
	if err = v.Named(); err == nil {
		_, err = v.Service.SetRequirements(site.IfRead(v, v.Form.Get(site.ReadField), readRequirements), step.ID, shop.SetRequirementsInput{
			RequirementsInput: requirementsTyped(v.Form), UserID: v.User(),
		})
	}
	if site.WasChanged(err) {
		err = site.ErrChanged(v, v.T("Somebody changed the requirements of {step} meanwhile.", "step", step.Name), nil)
	}
	if err != nil {
		return neededAgain(v, path, "requirements"+step.ID, err)
	}
	v.Remember()
	return v.Back(pathAddress(path), v.T("Saved what {step} requires.", "step", step.Name))
}

// requirementsTyped returns the requirements in a posted form. Outside work begins with its process; an empty procedure is no test.
func requirementsTyped(form url.Values) (in shop.RequirementsInput) {
	in.Components = input.GivenTexts(form["components"]...)
	in.LotRequired, in.CertificateRequired = input.Given(form.Has("lotRequired")), input.Given(form.Has("certificateRequired"))
	text := func(field string) string { return strings.TrimSpace(form.Get(field)) }
	var suppliers []string
	for line := range strings.Lines(form.Get("suppliers")) {
		if line = strings.TrimSpace(line); line != "" {
			suppliers = append(suppliers, line)
		}
	}
	if text("process")+text("specification")+text("code") != "" || len(suppliers) > 0 {
		in.Outside = input.Given(shop.OutsideInput{
			Process: input.Given(text("process")), Specification: input.Given(text("specification")), Code: input.Given(text("code")),
			Suppliers: input.GivenTexts(suppliers...), CustomerApproval: input.Given(form.Get("customerApproval")),
		})
	}
	if text("procedure") != "" {
		in.FunctionalTest = input.Given(shop.FunctionalTestInput{Procedure: input.Given(text("procedure"))})
	}
	return in
}

package office

import (
	"net/http"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
)

// organizationPages declares the page of the organization.
func organizationPages() Noun {
	return Noun{
		routes: []site.Route{
			site.Get("/settings/organization", site.Always(shop.OpSetOrganization), showOrganization),
			site.Post("/settings/organization", site.Always(shop.OpSetOrganization), changeOrganization),
		},
		Views: map[string]any{"organization": &organizationPage{}},
	}
}

// organizationPage has the form for the organization.
type organizationPage struct {
	site.Frame
	Organization shop.Organization
	Read         string // the digest of the organization in its form
}

func showOrganization(v *site.Visit) error { return renderOrganization(v, http.StatusOK, nil) }

func renderOrganization(v *site.Visit, status int, refused *site.Problem) error {
	page := &organizationPage{Frame: v.Frame("Organization", "organization")}
	page.Rejected = refused
	var err error
	page.Organization, err = v.Service.Organization(v.R.Context())
	page.Read = readOrganization(page.Organization)
	return v.Shown(err, status, "organization", page)
}

// readOrganization returns the digest of an organization in its form.
func readOrganization(o shop.Organization) string { return site.AsRead(o) }

var organizationForm = site.FormOf[shop.OrganizationInput]()

func changeOrganization(v *site.Visit) error {
	in := organizationForm.Read(v.Form)
	in.ChangedBy = v.User()
	_, err := v.Service.SetOrganization(site.IfRead(v, v.Form.Get(site.ReadField), readOrganization), in)
	if site.WasChanged(err) {
		return organizationChanged(v)
	}
	if err != nil {
		return v.Again("organization", err, renderOrganization)
	}
	return v.Back("/settings/organization", v.T("Saved."))
}

// organizationChanged responds to a form for an organization that was changed after it was read.
func organizationChanged(v *site.Visit) error {
	now, err := v.Service.Organization(v.R.Context())
	if err != nil {
		return err
	}
	typed := func(name string) string { return v.Form.Get(name) }
	return v.Again("organization", site.ErrChanged(v, v.T("Somebody changed the organization meanwhile."), []site.Compared{
		{Field: "Name", Typed: typed("name"), Now: now.Name},
		{Field: "Address", Typed: typed("address"), Now: now.Address},
		{Field: "Supplier code", Typed: typed("supplierCode"), Now: now.SupplierCode},
		{Field: "Logo", Typed: typed("logo"), Now: now.Logo},
		{Field: "Statement on certificates", Typed: typed("statement"), Now: now.Statement},
		{Field: "Language of papers", Typed: typed("lang"), Now: now.Lang},
	}), renderOrganization)
}

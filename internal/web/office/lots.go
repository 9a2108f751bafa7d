package office

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/genealogy"
	"github.com/routecard/routecard/views"
)

// lotPages declares the page of lots. If the address contains a lot, the page shows that lot instead of the list.
func lotPages() Noun {
	return Noun{
		routes: []site.Route{
			site.Get("/lots", site.Always(shop.OpRead), showLots),
			site.Post("/lots", site.Always(shop.OpCreateLot), createLot),
			site.Get("/lots/{id}", site.Always(shop.OpRead), site.LeadTo(lotAddress)),
			site.Post("/lots/{id}", site.ByForm(shop.OpSetLotExpiry, lotForms()), changeLot),
		},
		Views: map[string]any{"lots": &lotsPage{}},
		menu:  []site.MenuEntry{{Section: "lots", To: "/lots", Label: "Lots"}},
		findable: []findable{{
			kind: shop.RecordLot, heading: "Lots", needs: shop.OpRead,
			to: func(_ *site.Visit, id string) string { return lotAddress(id) }, hint: lotHint, all: "/lots?q=",
		}},
	}
}

// lotHint returns the other names of a lot and its material.
func lotHint(c views.Called) string { return wording.Listed(otherNames(c), c.Details) }

// usesListed is the maximum number of uses on the page of a lot.
const usesListed = 200

type lotsPage struct {
	site.Frame
	site.Past
	One          *shop.Lot // shown instead of the list; nil for the list
	Read         string    // the digest of the lot in its forms
	Parent       string    // the number of the lot from which it was split
	Certificates []site.Named
	Choices      []site.Choice // the newest certificates, as suggestions
	Holds        []lotHold
	Files        site.FilesPart
	Inside       []card.Component // the newest components from the lot
	MoreInside   bool             // whether there are older ones
	Uses         []genealogy.Use  // lots that were split from it, and units that contain it now at any depth
	MoreUses     int              // the number of uses that the page does not show
	Query        string
	Held         bool // whether only lots on hold are listed
	Lots         []shop.Lot
	Next         string
}

// lotHold is a hold that applies to the lot on the page.
type lotHold struct {
	shop.LotHold
	Of string // the number of the lot that has the hold; "" for the lot on the page
}

func showLots(v *site.Visit) error {
	return renderLots(v, v.R.URL.Query().Get("id"), http.StatusOK, nil)
}

// renderLots shows the lot with the given identifier. If the identifier is empty, it shows the list.
func renderLots(v *site.Visit, id string, status int, refused *site.Problem) error {
	ctx, asked := v.R.Context(), v.R.URL.Query()
	page := &lotsPage{Frame: v.Frame("Lots", "lots"), Query: asked.Get("q"), Held: asked.Get("held") == "true"}
	var err error
	if id != "" {
		err = page.readLot(v, id)
	} else {
		var list shop.LotPage
		list, err = v.Service.Lots(ctx, shop.LotQuery{Text: page.Query, Held: page.Held, Before: asked.Get("before")})
		page.Lots, page.Next = list.Items, list.Next
	}
	if err != nil {
		return err
	}
	page.Rejected = refused
	page.NamesThen, err = v.Views.PastNames(ctx, nil)
	return v.Shown(err, status, "lots", page)
}

// readLot reads a lot and everything that applies to it.
func (p *lotsPage) readLot(v *site.Visit, id string) error {
	ctx := v.R.Context()
	one, err := v.Service.Lot(ctx, id)
	if err != nil {
		return err
	}
	p.Frame, p.One, p.Read = v.FrameOf(one.LotNumber, "lots"), &one, digestLot(one)
	if one.ParentID != "" {
		parent, err := v.Service.Lot(ctx, one.ParentID)
		if err != nil {
			return err
		}
		p.Parent = parent.LotNumber
	}
	for _, certID := range one.CertIDs {
		certificate, err := v.Service.Certificate(ctx, certID)
		if err != nil {
			return err
		}
		p.Certificates = append(p.Certificates, site.Named{ID: certID, Name: certificate.Name})
	}
	if p.Choices, err = site.Newest(v, "certificate"); err != nil {
		return err
	}
	if err := p.readHolds(v, id); err != nil {
		return err
	}
	if p.Inside, p.MoreInside, err = v.Views.UnitsWithLot(ctx, id); err != nil {
		return err
	}
	if p.Uses, err = v.Views.UsesOfLot(ctx, id, genealogy.TimeQuery{}); err != nil {
		return err
	}
	if p.MoreUses = len(p.Uses) - usesListed; p.MoreUses > 0 {
		p.Uses = p.Uses[:usesListed]
	}
	p.MoreUses = max(p.MoreUses, 0)
	p.Files, err = site.FilesOf(v, shop.FileSubject{Kind: shop.RecordLot, ID: id})
	return err
}

// readHolds reads the holds that apply to a lot.
func (p *lotsPage) readHolds(v *site.Visit, id string) error {
	ctx := v.R.Context()
	holds, err := v.Service.LotHolds(ctx, id)
	if err != nil {
		return err
	}
	for _, hold := range holds {
		shown := lotHold{LotHold: hold}
		if hold.LotID != id {
			of, err := v.Service.Lot(ctx, hold.LotID)
			if err != nil {
				return err
			}
			shown.Of = of.LotNumber
		}
		p.Holds = append(p.Holds, shown)
	}
	return nil
}

// UnitsShown lists the units on the page.
func (p *lotsPage) UnitsShown() []string {
	return slices.Concat(
		site.IDsOf(p.Inside, func(made *card.Component) string { return made.SerialID }),
		site.IDsOf(p.Uses, func(use *genealogy.Use) string { return use.SerialID }),
	)
}

// lotAddress is the address of a lot's page.
func lotAddress(id string) string { return "/lots?id=" + url.QueryEscape(id) }

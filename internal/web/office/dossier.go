package office

import (
	"cmp"
	"io"
	"net/http"
	"net/url"

	"github.com/routecard/routecard/internal/dossier"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
)

// dossierPages declares the pages about dossiers: what the dossier of a unit or job would have and lacks, and the page with which customers
// verify dossiers.
func dossierPages() Noun {
	return Noun{
		routes: []site.Route{
			site.Get("/serials/{id}/dossier", site.Always(shop.OpRead), showDossier(dossierOf{"serials", (*dossier.Maker).Read})),
			site.Get("/jobs/{id}/dossier", site.Always(shop.OpRead), showDossier(dossierOf{"jobs", (*dossier.Maker).ReadJob})),
			site.Get("/conformances/{id}/dossier", site.Always(shop.OpRead),
				showDossier(dossierOf{"conformances", (*dossier.Maker).ReadConformance})),
			site.Get("/first-articles/{id}/dossier", site.Always(shop.OpRead),
				showDossier(dossierOf{"first-articles", (*dossier.Maker).ReadFirstArticle})),
			site.Get("/verify.html", site.Always(shop.OpRead), sendVerifyPage),
		},
		Views: map[string]any{"dossier": &dossierPage{}},
	}
}

// dossierOf is a kind of record that has dossiers.
type dossierOf struct {
	section string // the first part of the addresses of its pages
	read    func(m *dossier.Maker, tx shop.Reader, id, lang string) (dossier.Content, error)
}

// dossierPage shows what a dossier would have and what it lacks.
type dossierPage struct {
	site.Frame
	Of      string // the unit, job or certificate of conformance
	Kind    string // the section of its pages
	Called  string // the name of a job
	Address string // of the record's page
	Files   int64
	Bytes   int64
	Lacks   []lackingRow
	More    int    // the number of missing documents that the page does not list
	Sealed  bool   // whether the trail has a ledger
	Lang    string // tag of the language that the dossier has if none is chosen
}

// lackingRow is a missing document with the page on which it is added.
type lackingRow struct {
	Text    string
	Record  string // the unit, the part, or the number of the lot or first article
	Address string
}

// lackingShown is the maximum number of missing documents that the page lists.
const lackingShown = 300

// Size is the size of the files in words.
func (p *dossierPage) Size() string { return wording.SizeInWords(p.Language, p.Bytes) }

// Download is the address of the dossier.
func (p *dossierPage) Download() string { return "/api" + p.Address + "/dossier.zip" }

func showDossier(of dossierOf) func(v *site.Visit) error {
	return func(v *site.Visit) error {
		id := v.R.PathValue("id")
		page := &dossierPage{
			Of: id, Kind: of.section, Address: "/" + of.section + "/" + url.PathEscape(id), Sealed: v.Config.Ledger != nil,
		}
		var content dossier.Content
		err := v.Service.Read(v.R.Context(), func(tx shop.Reader) (err error) {
			if content, err = of.read(v.Dossiers, tx, id, ""); err != nil || of.section != "jobs" {
				return err
			}
			job, err := shop.FindJob(tx, id)
			page.Called = job.Name
			return err
		})
		if err != nil {
			return err
		}
		plan, err := dossier.Prepare(content)
		if err != nil {
			return err
		}
		page.Frame = v.Frame("Dossier of {record}", of.section, "record", cmp.Or(page.Called, id))
		page.Lang = content.Language.Tag()
		page.Files, page.Bytes = plan.Files(), plan.Bytes()
		shown := plan.Missing[:min(len(plan.Missing), lackingShown)]
		page.More = len(plan.Missing) - len(shown)
		for i := range shown {
			page.Lacks = append(page.Lacks, lackingIn(v.Language, &shown[i]))
		}
		return v.Show(http.StatusOK, "dossier", page)
	}
}

// lackingIn returns a missing document in words.
func lackingIn(l *lang.Language, m *dossier.Missing) lackingRow {
	row := lackingRow{Record: m.Record, Address: "/serials/" + url.PathEscape(m.Record)}
	switch m.What {
	case dossier.MissingReading:
		row.Text = l.T("Reading of characteristic {number}", "number", m.Name)
	case dossier.MissingPart:
		row.Text = l.T("Part or material: {name}", "name", m.Name)
	case dossier.MissingReceipt:
		row.Text = l.T("Receipt from outside work at {step}", "step", m.Name)
	case dossier.MissingSignature:
		row.Text = l.T("Signature: {action}", "action", wording.ActionWords(l, trail.Action(m.Name)))
	case dossier.MissingFirstArticle:
		if _, is := shop.ParseFirstArticleID(m.Record); is {
			return lackingRow{l.T("Approval of the first article"), m.Record, firstArticleAddress(m.Record)}
		}
		return lackingRow{l.T("Approved first article"), m.Name, "/jobs/" + url.PathEscape(m.Record)}
	case dossier.MissingCertificate:
		if m.StepID == "" {
			return lackingRow{l.T("Certificate of the lot"), m.Name, "/lots/" + url.PathEscape(m.Record)}
		}
		row.Text = l.T("Certificate at {step}", "step", m.Name)
	}
	return row
}

// sendVerifyPage sends the page that verifies dossiers as a file: it works without the service, and runs scripts that pages of the service
// may not have. It is in the language of the visitor, or in the one that the parameter lang chooses.
func sendVerifyPage(v *site.Visit) error {
	language := v.Language
	if tag := v.R.URL.Query().Get("lang"); tag != "" {
		chosen, offered := lang.Find(v.Offered(), tag)
		if !offered {
			return input.NotOneOf("lang", lang.Tags(v.Offered()))
		}
		language = chosen
	}
	page, err := v.Dossiers.VerifyPage(language)
	if err != nil {
		return err
	}
	return site.SendDownload(v, "verify.html", "text/html", func(w io.Writer) error {
		_, err := w.Write(page)
		return err
	})
}

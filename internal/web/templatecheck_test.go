package web

import (
	"maps"
	"testing"

	"github.com/jba/templatecheck"

	"github.com/routecard/routecard/internal/web/account"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/office"
	"github.com/routecard/routecard/internal/web/scanpages"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/unitcard"
)

// TestTemplatesNameWhatTheirDataHas checks every branch of every template against the type of its data, including branches that no test
// executes.
func TestTemplatesNameWhatTheirDataHas(t *testing.T) {
	t.Parallel()
	data := map[string]any{
		"audit": &office.AuditPage{}, "bom": &office.BOMsPage{}, "bomdetail": &office.BOMPage{}, "card": &unitcard.Page{}, "cert": &office.CertificatePage{},
		"certs": &office.CertificatesPage{}, "codes": &scanpages.CodesPage{}, "confirm": &site.ConfirmPage{}, "signatures": &account.PolicyPage{}, "failure": &site.FailurePage{},
		"floor": &office.FloorPage{}, "job": &office.JobPage{}, "jobs": &office.JobsPage{}, "labels": &office.LabelsPage{}, "ledger": &office.LedgerPage{}, "library": &office.LibraryPage{},
		"many": &office.ManyPage{}, "takeback": &office.TakeBackPage{}, "proof": &office.ProofPage{}, "picks": site.PicksPage{}, "print": &unitcard.Page{}, "queue": &office.QueuePage{}, "route": &office.RoutePage{}, "scan": &scanpages.Page{},
		"search": &office.SearchPage{}, "serials": &office.SerialsPage{}, "template": &office.TemplatePage{}, "templates": &office.TemplatesPage{}, "users": &account.UsersPage{},
		"nonconformances": &office.ReportsPage{}, "nonconformance": &office.ReportPage{}, "nonconformanceprint": &office.ReportPage{},
		"nonconformancenew": &office.NewReportPage{}, "holds": &office.HoldsPage{}, "wall": &office.WallPage{}, "holding": &office.HoldingPage{}, "setup": &account.SetupPage{}, "signin": &account.SignInPage{}, "me": &account.MePage{}, "account": &account.PersonPage{}, "stations": &account.StationsPage{},
		"second": &account.SecondPage{}, "factors": &account.FactorsPage{}, "accesspolicy": &account.AccessPolicyPage{},
	}
	for _, noun := range office.Nouns() {
		maps.Copy(data, noun.Views)
	}
	for name, view := range site.LoadViews(templateFiles, site.LoadAssets(staticFiles, lang.Languages()), office.Menu(), lang.English()) {
		page, ok := data[name]
		if !ok {
			t.Errorf("the data of template %s is not named here", name)
			continue
		}
		for _, part := range site.PartsOf(page) {
			if err := templatecheck.CheckHTML(view().Lookup(part), site.DataOf(page, part)); err != nil {
				t.Errorf("%s, %s: %v", name, part, err)
			}
		}
	}
}

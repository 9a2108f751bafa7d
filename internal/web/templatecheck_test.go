package web

import (
	"maps"
	"testing"

	"github.com/jba/templatecheck"

	"github.com/routecard/routecard/internal/web/account"
	"github.com/routecard/routecard/internal/web/scanpages"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/unitcard"
)

// TestTemplatesNameWhatTheirDataHas checks every branch of every template against the type of its data, also those that
// no test executes.
func TestTemplatesNameWhatTheirDataHas(t *testing.T) {
	t.Parallel()
	data := map[string]any{
		"audit": &auditPage{}, "bom": &bomsPage{}, "bomdetail": &bomPage{}, "card": &unitcard.Page{}, "cert": &certificatePage{},
		"certs": &certificatesPage{}, "codes": &scanpages.CodesPage{}, "confirm": &site.ConfirmPage{}, "signatures": &account.PolicyPage{}, "failure": &site.FailurePage{},
		"floor": &floorPage{}, "job": &jobPage{}, "jobs": &jobsPage{}, "labels": &labelsPage{}, "ledger": &ledgerPage{}, "library": &libraryPage{},
		"many": &manyPage{}, "takeback": &takeBackPage{}, "proof": &proofPage{}, "picks": site.PicksPage{}, "print": &unitcard.Page{}, "queue": &queuePage{}, "route": &routePage{}, "scan": &scanpages.Page{},
		"search": &searchPage{}, "serials": &serialsPage{}, "template": &templatePage{}, "templates": &templatesPage{}, "users": &account.UsersPage{},
		"nonconformances": &reportsPage{}, "nonconformance": &reportPage{}, "nonconformanceprint": &reportPage{},
		"nonconformancenew": &newReportPage{}, "holds": &holdsPage{}, "setup": &account.SetupPage{}, "signin": &account.SignInPage{}, "me": &account.MePage{}, "account": &account.PersonPage{}, "stations": &account.StationsPage{},
		"second": &account.SecondPage{}, "factors": &account.FactorsPage{}, "accesspolicy": &account.AccessPolicyPage{},
	}
	for _, noun := range nouns() {
		maps.Copy(data, noun.views)
	}
	for name, view := range site.LoadViews(templateFiles, site.LoadAssets(staticFiles), menuOfNouns()) {
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

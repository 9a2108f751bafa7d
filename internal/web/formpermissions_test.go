package web_test

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/internal/web"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// fullShop is a shop with records of every kind and a user with each role.
type fullShop struct {
	*visitedShop
	pages []pageOf
}

// pageOf is a page and how a user gets there.
type pageOf struct {
	name string
	open func(v *visitor)
}

func openFullShop(t *testing.T) *fullShop {
	t.Helper()
	s := &fullShop{visitedShop: openGuardedShop(t, access.Writes)}
	ctx, user := t.Context(), input.Given("boss")
	jobID, _ := s.units(8, "Saw", "Turn", "Wash", "Mark")
	other, err := s.service.CreateJob(ctx, shop.CreateJobInput{Name: input.Given("Lid"), GoalQuantity: input.Given(3.0)})
	s.must(err)
	job, err := s.service.Job(ctx, jobID)
	s.must(err)
	steps := []input.Input[shop.StepInput]{input.Given(shop.StepInput{Name: input.Given("Saw")})}
	unused, err := s.service.CreatePath(ctx, shop.CreatePathInput{
		JobID: input.Given(jobID), Name: input.Given("Unused"), GoalQuantity: input.Given(1.0), Steps: input.Given(steps),
	})
	s.must(err)
	path := job.Paths[0]

	const fresh, deferring, held, scrapped = "SN-00001", "SN-00002", "SN-00003", "SN-00004"
	const forced, finished, standing, noted = "SN-00005", "SN-00006", "SN-00007", "SN-00008"
	_, err = s.service.AdvanceToStep(ctx, deferring, shop.AdvanceToStepInput{TargetStepIndex: input.Given(2.0), UserID: user})
	s.must(err)
	_, err = s.service.AdvanceToStep(ctx, held, shop.AdvanceToStepInput{TargetStepIndex: input.Given(2.0), UserID: user})
	s.must(err)
	_, err = s.service.HoldSerial(ctx, held, shop.HoldSerialInput{Reason: input.Given("crack"), UserID: user})
	s.must(err)
	_, err = s.service.ScrapSerial(ctx, scrapped, shop.ScrapSerialInput{Reason: input.Given("damaged"), UserID: user})
	s.must(err)
	_, err = s.service.ForceComplete(ctx, forced, shop.ForceCompleteInput{UserID: user})
	s.must(err)
	for range path.Steps {
		_, err = s.service.AdvanceSerial(ctx, finished, shop.AdvanceSerialInput{UserID: user})
		s.must(err)
	}
	_, err = s.service.CreateOverrides(ctx, standing, shop.CreateOverridesInput{
		SerialIDs: input.GivenTexts(standing), StepID: input.Given(path.Steps[2].ID), Reason: input.Given("small"), UserID: user,
	})
	s.must(err)
	certificate, err := s.service.CreateCertificate(ctx, shop.CreateCertificateInput{Type: input.Given("material"), Name: input.Given("Heat 7")})
	s.must(err)
	_, err = s.service.AttachCertificate(ctx, noted, shop.AttachCertificateInput{CertID: input.Given(certificate.ID), UserID: user})
	s.must(err)
	_, err = s.service.CreateNote(ctx, shop.CreateNoteInput{
		JobID: input.Given(jobID), PathID: input.Given(path.ID), StepID: input.Given(path.Steps[0].ID),
		SerialIDs: input.GivenTexts(noted), Text: input.Given("Chatter marks"), UserID: user,
	})
	s.must(err)
	measuredID, measuredUnit := s.units(1, "Hone")
	measured, err := s.service.Job(ctx, measuredID)
	s.must(err)
	_, err = s.service.SetCharacteristics(ctx, measured.Paths[0].Steps[0].ID, shop.SetCharacteristicsInput{
		Characteristics: shoptest.Characteristics(shop.CharacteristicInput{Required: input.Given(false)}), UserID: user,
	})
	s.must(err)
	_, err = s.service.RecordMeasurements(ctx, measuredUnit, shoptest.Measured(user, "1", "12.5"))
	s.must(err)
	report := func(title, disposition string, units ...string) string {
		in := shop.OpenNonconformanceInput{
			Title: input.Given(title), Severity: input.Given("minor"), Hold: input.Given(false), UserID: user,
		}
		if len(units) > 0 {
			in.Selection = shop.SelectionInput{SerialIDs: input.GivenTexts(units...)}
		}
		opened, err := s.service.OpenNonconformance(ctx, in)
		s.must(err)
		if disposition != "" {
			_, err = s.service.DisposeNonconformance(ctx, opened.ID, shop.DispositionInput{
				SerialIDs: input.GivenTexts(units...), Disposition: input.Given(disposition), Reason: input.Given("fits"),
				Concession: input.Given("the customer"), UserID: user,
			})
			s.must(err)
		}
		return opened.ID
	}
	waiting, decided, empty := report("Seat too small", "", fresh, standing), report("Scratch", "use_as_is", noted), report("Empty", "")
	closed := report("Closed", "use_as_is", noted)
	_, err = s.service.CloseNonconformance(ctx, closed, shop.CloseNonconformanceInput{Summary: input.Given("fine"), UserID: user})
	s.must(err)

	lot := s.lot("316L", "H48213")
	_, err = s.service.HoldLot(ctx, lot.ID, shop.HoldLotInput{Reason: input.Given("not inspected"), UserID: user})
	s.must(err)

	_, err = s.service.InstallComponent(ctx, fresh, shop.InstallComponentInput{ComponentSerialID: input.Given(finished), UserID: user})
	s.must(err)

	boss := s.signedIn("boss")
	ids := map[string]string{}
	for _, role := range access.Roles() {
		ids[role.Name] = s.person(role.Name, role.Name)
	}
	ids["everything"] = s.person("everything", "lead", "admin")
	all := s.signedIn("everything")
	all.visit("/bom").press("Create", "do", "create", "name", "Valve", "partType", "Body", "quantity", "1", "job:0", "Lid")
	bom := all.page.address
	all.visit("/templates").press("Create template", "do", "save", "name", "Usual", "step", "Saw", "dependencyType", "preferred")
	template := all.page.address
	all.visit("/library").press(`value="process"`, "name", "Grind")
	all.visit("/stations").press("Make it a station", "name", "Lathe 2")
	shut, err := s.service.CreateJob(ctx, shop.CreateJobInput{Name: input.Given("Spare lid"), GoalQuantity: input.Given(3.0)})
	s.must(err)
	_, err = s.service.CloseJob(ctx, shut.ID, shop.JobClosingInput{Reason: input.Given("cancelled"), UserID: user})
	s.must(err)
	boss.visit("/me").press("Create a token", "name", "Gauge reader", "permission", "admin")

	addresses := []string{
		"/", "/jobs", "/jobs?q=nothing", "/jobs/" + jobID, "/jobs/" + other.ID, "/jobs/" + shut.ID, "/jobs/" + jobID + "/route", "/jobs/" + measuredID + "/charts",
		"/jobs/" + jobID + "/paths/" + path.ID, "/jobs/" + jobID + "/paths/" + unused.ID,
		"/serials", "/serials?job=" + jobID + "&path=" + path.ID + "&stepId=" + path.Steps[0].ID, "/labels",
		"/serials/" + fresh, "/serials/" + deferring, "/serials/" + held, "/serials/" + scrapped, "/serials/" + forced,
		"/serials/" + finished, "/serials/" + standing, "/serials/" + noted, "/serials/" + noted + "/print",
		"/scan", "/scan?unit=" + fresh, "/scan?unit=" + deferring, "/scan?unit=" + held, "/scan?unit=" + scrapped,
		"/scan/codes", "/nonconformances", "/nonconformances/new?units=" + fresh, "/holds", "/nonconformances/" + waiting,
		"/nonconformances/" + decided, "/nonconformances/" + empty, "/nonconformances/" + closed, "/nonconformances/" + waiting + "/print",
		"/certs", "/certs/" + certificate.ID, "/lots?id=" + lot.ID, "/shipments?id=" + s.back(s.sent(2, "2998-01-31")), "/conformances?id=" + s.certified(1).ID, "/first-articles?path=" + path.ID, "/first-articles?id=" + s.article(shop.FirstArticleDraft).ID,
		"/first-articles?id=" + s.article(shop.FirstArticleVerified).ID, "/first-articles?id=" + s.article(shop.FirstArticleApproved).ID, "/library", "/bom", bom, "/audit", "/audit/ledger", "/queue?operator=everybody", "/queue",
		"/users", "/users/" + ids["everything"], "/users/" + ids["planner"], "/templates", template, "/me", "/stations",
		"/settings/signatures", "/settings/access", "/me/second-factors", "/setup", "/sign-in", "/progress/none", "/nowhere",
	}
	for _, pattern := range web.Patterns() {
		list, shown := strings.CutPrefix(pattern, "GET ")
		if shown && !strings.ContainsAny(list, "{.") && !slices.Contains(addresses, list) {
			addresses = append(addresses, list, all.recorded(list))
		}
	}
	for _, address := range addresses {
		s.pages = append(s.pages, pageOf{address, func(v *visitor) { v.visit(address) }})
	}
	post := func(name, action string, pairs ...string) {
		s.pages = append(s.pages, pageOf{name, func(v *visitor) { v.post(posted{action, url.Values{}}.with(pairs...)) }})
	}
	ticked := []string{"pathId", path.ID, "serial", fresh, "at:" + fresh, "0", "serial", scrapped, "at:" + scrapped, "0"}
	for _, do := range []string{"advance", "scrap", "force-complete", "attach", "note", "report"} {
		post("asked "+do, "/jobs/"+jobID, append([]string{"do", "ask-" + do}, ticked...)...)
	}
	post("all here", "/jobs/"+jobID, "pathId", path.ID, "all", "0/3")
	post("nowhere ticked", "/jobs/"+jobID, "do", "ask-scrap", "pathId", path.ID)
	post("untold", "/jobs/"+jobID, "do", "create-serials", "pathId", "gone", "quantity", "x")
	post("told", "/jobs/"+jobID, "do", "create-serials", "pathId", path.ID, "quantity", "x")
	post("sure", "/serials/"+fresh, "do", "scrap", "reason", "damaged")
	post("sure of closing", "/serials/"+fresh, "do", "force-complete")
	post("too late", "/serials/"+scrapped, "do", "advance")
	post("without a reason", "/serials/"+fresh, "do", "hold", "reason", "")
	post("sure of a report", "/nonconformances/"+waiting, "do", "dispose", "serial", fresh, "disposition", "scrap", "reason", "x")
	post("undecided", "/nonconformances/"+waiting, "do", "dispose")
	post("not added", "/nonconformances/"+waiting, "do", "add", "units", "x")
	post("not closed", "/nonconformances/"+waiting, "do", "close")
	station := func(name, unit, code string) {
		s.pages = append(s.pages, pageOf{name, func(v *visitor) {
			if v.visit("/scan?unit=" + unit); strings.Contains(v.page.html, `id="code"`) {
				v.press(`id="code"`, "code", code)
			}
		}})
	}
	station("scanned", fresh, "RC-SCRAP-DAMAGED")
	station("noted", deferring, "RC-NOTE")
	post("nameless", "/certs", "name", "", "type", "material")
	post("row", "/templates", "do", "add", "name", "x", "step", "Saw", "dependencyType", "preferred")
	return s
}

// recorded fills in the form of a list that records something new, and returns the address of the next page. If the list has no such form,
// it returns the list itself.
func (v *visitor) recorded(list string) string {
	v.t.Helper()
	for _, found := range formTag.FindAllStringSubmatch(v.visit(list).page.html, -1) {
		if attribute(found[1], "method") != "post" || attribute(found[1], "action") != list {
			continue
		}
		form := v.page.form(v.t, found[0])
		for _, tag := range inputTag.FindAllString(found[2], -1) {
			if strings.Contains(tag, " required") {
				form = form.with(attribute(tag, "name"), "x")
			}
		}
		return v.post(form).page.address
	}
	return list
}

// TestPagesOfferOnlyWhatIsPermitted loads every page as every user. Each form, and each button of a form with several buttons, must ask for
// an operation that the user may perform. Every operation must be in a form for at least one user.
func TestPagesOfferOnlyWhatIsPermitted(t *testing.T) {
	t.Parallel()
	s := openFullShop(t)
	people := map[string][]shop.Permission{"": {shop.Anyone, shop.Read}, "everything": {shop.Work, shop.Decide, shop.Plan, shop.Admin}}
	for _, role := range access.Roles() {
		people[role.Name] = role.Permissions
	}
	offered := map[shop.Operation]bool{}
	for name, permissions := range people {
		v := s.visitor()
		if name != "" {
			v = s.signedIn(name)
			permissions = append(permissions, shop.Anyone, shop.Read, shop.Arrived, shop.SignedIn, shop.Entering)
		}
		for _, page := range s.pages {
			page.open(v)
			for _, operation := range v.offered() {
				offered[operation] = true
				if !slices.Contains(permissions, operation.Permission()) {
					t.Errorf("%s shows %q a form to %s, which needs %q", page.name, name, operation, operation.Permission())
				}
			}
		}
	}
	unseen := []shop.Operation{ // not in any form of these pages
		shop.OpRead, shop.OpChangeMode, shop.OpConfigureStep, shop.OpLinkTicket, shop.OpPostComment, shop.OpSign, shop.OpSignOut,
		shop.OpSeeStations, shop.OpBackUp, shop.OpAttachFile, // files.js requests the last one
		shop.OpSetCharacteristics, shop.OpUpdateSerial, shop.OpUpdateCertificate, shop.OpUpdatePath, shop.OpBatchBOM, // only in the API
		shop.OpSubstitute, // carried out by the form that installs a component
	}
	for _, operation := range shop.Operations() {
		if offered[operation] == slices.Contains(unseen, operation) {
			t.Errorf("%s is offered somewhere: %t", operation, offered[operation])
		}
	}
}

// offered lists the operations of the page's forms and of their named buttons.
func (v *visitor) offered() (operations []shop.Operation) {
	v.t.Helper()
	page, err := html.Parse(strings.NewReader(v.page.html))
	v.must(err)
	for form := range page.Descendants() {
		if form.Data != "form" || attributeOf(form, "method") != "post" {
			continue
		}
		address := cmp.Or(attributeOf(form, "action"), v.page.address)
		fields, pressed := url.Values{}, []url.Values(nil)
		for field := range form.Descendants() {
			name, value := attributeOf(field, "name"), attributeOf(field, "value")
			switch {
			case name == "":
			case field.Data == "input" && attributeOf(field, "type") == "hidden":
				fields.Add(name, value)
			case field.Data == "button":
				pressed = append(pressed, url.Values{name: {value}})
			}
		}
		if len(pressed) == 0 {
			pressed = []url.Values{{}}
		}
		for _, values := range pressed {
			for name := range fields {
				values[name] = append(values[name], fields[name]...)
			}
			operation, found := web.OperationOf(v.pages, address, values)
			if !found {
				v.t.Errorf("%s: a form goes to %s, which is no route", v.page.address, address)
			}
			operations = append(operations, operation)
		}
	}
	return operations
}

func attributeOf(element *html.Node, name string) string {
	for _, attribute := range element.Attr {
		if attribute.Key == name {
			return attribute.Val
		}
	}
	return ""
}

// Users who may not open a report see no link to that page. Users who may not scan are not asked to scan.
func TestNoReportOrScanIsOfferedInVain(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.Writes)
	s.units(1, "Saw", "Turn")
	s.person("anna", "operator")
	for login, offered := range map[string]bool{"anna": true, "boss": false, "": false} {
		v := s.visitor()
		if login != "" {
			v = s.signedIn(login)
		}
		for _, address := range []string{"/serials/SN-00001", "/scan?unit=SN-00001"} {
			if v.visit(address); strings.Contains(v.page.html, `href="/nonconformances/new`) != offered {
				t.Errorf("%s, who is %q: a report is offered: %t, want %t", address, login, !offered, offered)
			}
		}
		if v.visit("/scan"); strings.Contains(v.page.html, "Scan a unit to begin.") != offered {
			t.Errorf("%q is told to scan: %t, want %t", login, !offered, offered)
		}
	}
}

package web_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/web"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/workorder"
)

func (s *visitedShop) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// certificate creates a material certificate and returns its identifier.
func (s *visitedShop) certificate(name string) string {
	s.t.Helper()
	certificate, err := s.service.CreateCertificate(context.Background(), shop.CreateCertificateInput{
		Type: input.Given("material"), Name: input.Given(name),
	})
	s.must(err)
	return certificate.ID
}

func (s *visitedShop) bom(name, jobID string) string {
	s.t.Helper()
	bom, err := s.service.CreateBOM(context.Background(), shop.CreateBOMInput{
		Name: input.Given(name), Entries: input.Given([]input.Input[shop.BOMEntryInput]{
			input.Given(shop.BOMEntryInput{
				PartType: input.Given("bolt"), RequiredQuantityPerBuild: input.Given(2.0),
				ContributingJobIDs: input.GivenTexts(jobID),
			}),
		}),
	})
	s.must(err)
	return bom.ID
}

// Every page requests events that follow the entry at which the page was rendered. If a page's own fields hid that entry, the page would
// receive no events.
func TestEveryPageAsksTheStreamForAnEntry(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	at := s.addresses()
	noPage := []string{"GET /progress/{key}", "GET /audit/entries.csv", "GET /audit/entries.json", "GET /pick/{kind}"}
	for _, pattern := range noPage {
		at[pattern] = []string{}
	}
	last := regexp.MustCompile(`<meta name="last-event" content="([^"]*)">`)
	newest, err := s.views.LastAuditSequence(context.Background())
	s.must(err)
	v := s.visitor()
	for _, pattern := range web.Patterns() {
		addresses := at[pattern]
		if address, ok := strings.CutPrefix(pattern, "GET "); ok && addresses == nil && !strings.Contains(address, "{") {
			addresses = []string{address}
		}
		if addresses == nil && strings.HasPrefix(pattern, "GET ") && !slices.Contains(noPage, pattern) {
			t.Errorf("%s is not looked at", pattern)
		}
		for _, address := range addresses {
			for _, form := range formTag.FindAllStringSubmatch(v.visit(address).page.html, -1) {
				if attribute(form[1], "method") == "post" && !isSetting(form[1]) && !strings.Contains(form[2], `name="once"`) {
					t.Errorf("%s: a form without a key of its own:\n%s", address, form[0])
				}
			}
			if dates := isoDate.FindAllString(v.text(), -1); dates != nil {
				t.Errorf("%s: dates in another form than 2 Jan: %q", address, dates)
			}
			found := last.FindStringSubmatch(v.visit(address).page.html)
			if found == nil || found[1] != ident.AuditID(newest) {
				t.Errorf("%s (%d) asks for what comes after %q", address, v.page.status, found)
			}
		}
	}
}

// isoDate matches a date in the format of the API. Pages write 2 Jan, and add the year if it is not the current one.
var isoDate = regexp.MustCompile(`\b[12]\d{3}-\d\d-\d\d\b`)

// addresses creates a record for each page. By pattern, it returns the address with the record's identifier and other addresses that are
// worth testing.
func (s *visitedShop) addresses() map[string][]string {
	s.t.Helper()
	job, unit := s.units(3, "Saw", "Turn")
	_, err := s.service.UpdateJob(context.Background(), job, shop.UpdateJobInput{OrderInput: workorder.OrderInput{DueDate: input.Given("2998-01-01")}})
	s.must(err)
	detail, err := s.service.Job(context.Background(), job)
	s.must(err)
	template, err := s.service.CreateTemplate(context.Background(), shop.CreateTemplateInput{
		Name: input.Given("Turned"), Steps: shop.TemplateSteps(input.Given([]input.Input[shop.StepInput]{
			input.Given(shop.StepInput{Name: input.Given("Saw")}),
		})),
	})
	s.must(err)
	report := s.report(unit)
	gage, err := s.service.CreateInstrument(context.Background(), shop.InstrumentInput{
		Number: input.Given("M-031"), Name: input.Given("Caliper"), DueDate: input.Given("2999-01-01"),
	})
	s.must(err)
	lot, err := s.service.CreateLot(context.Background(), shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{Material: input.Given("316L"), HeatNumber: input.Given("H48213")},
		Quantity:       input.Given(input.Written("12.5")), Unit: input.Given("kg"), ExpiresOn: input.Given("2998-01-01"),
		CertIDs: input.GivenTexts(s.certificate("Heat H48213")), HoldReason: input.Given("not inspected"), UserID: input.Given("setup"),
	})
	s.must(err)
	child, err := s.service.SplitLot(context.Background(), lot.ID, shop.SplitLotInput{
		Quantity: input.Given(input.Written("2.5")), UserID: input.Given("setup"),
	})
	s.must(err)
	shipment, certified := s.sent(1, "2001-01-31"), s.certified(1)
	article, err := s.service.CreateFirstArticle(context.Background(), detail.Paths[0].ID, shop.CreateFirstArticleInput{
		SerialIDs: input.GivenTexts(unit), Kind: input.Given("full"), Reason: input.Given("new part"), UserID: input.Given("setup"),
	})
	s.must(err)
	return map[string][]string{
		"GET /first-articles": {
			"/first-articles", "/first-articles?q=a&status=draft", "/first-articles?id=" + article.ID, "/first-articles?path=" + detail.Paths[0].ID,
		},
		"GET /first-articles/{id}": {"/first-articles/" + article.ID}, "GET /first-articles/{id}/print": {"/first-articles/" + article.ID + "/print"},
		"GET /first-articles/{id}/dossier": {"/first-articles/" + article.ID + "/dossier"},
		"GET /shipments":                   {"/shipments", "/shipments?q=plat&status=overdue", "/shipments?id=" + shipment.ID, "/shipments?units=SN-00001"},
		"GET /conformances":                {"/conformances", "/conformances?q=mey&status=issued", "/conformances?id=" + certified.ID, "/conformances?job=" + job},
		"GET /conformances/{id}":           {"/conformances/" + certified.ID},
		"GET /shipments/{id}":              {"/shipments/" + shipment.ID}, "GET /shipments/{id}/print": {"/shipments/" + shipment.ID + "/print"},
		"GET /lots": {"/lots", "/lots?q=h482&held=true", "/lots?id=" + lot.ID, "/lots?id=" + child.ID}, "GET /lots/{id}": {"/lots/" + lot.ID},
		"GET /recall": {"/recall", "/recall?cause=heat&of=h48213", "/recall?cause=lot&of=" + child.ID, "/recall?cause=unit&of=" + unit},
		"GET /{$}":    {"/"}, "GET /jobs": {"/jobs"}, "GET /jobs/{id}": {"/jobs/" + job}, "GET /jobs/{id}/route": {"/jobs/" + job + "/route"},
		"GET /jobs/{id}/paths/{path}": {"/jobs/" + job + "/paths/" + detail.Paths[0].ID},
		"GET /jobs/{id}/take-back":    {"/jobs/" + job + "/take-back?do=advance&after=" + ident.AuditID(0) + "&until=" + ident.AuditID(1)},
		"GET /serials":                {"/serials", "/serials?q=Valve"}, "GET /serials/{id}": {"/serials/" + unit},
		"GET /serials/{id}/print":        {"/serials/" + unit + "/print"},
		"GET /verify.html":               {}, // a file
		"GET /conformances/{id}/dossier": {"/conformances/" + certified.ID + "/dossier"},
		"GET /serials/{id}/dossier":      {"/serials/" + unit + "/dossier"}, "GET /jobs/{id}/dossier": {"/jobs/" + job + "/dossier"},
		"GET /scan": {"/scan", "/scan?unit=" + unit}, "GET /scan/codes": {"/scan/codes"},
		"GET /nonconformances": {"/nonconformances", "/nonconformances?status=all"}, "GET /nonconformances/new": {"/nonconformances/new?units=" + unit},
		"GET /nonconformances/{id}": {"/nonconformances/" + report}, "GET /nonconformances/{id}/print": {"/nonconformances/" + report + "/print"},
		"GET /holds": {"/holds"}, "GET /wall": {"/wall"}, "GET /steps/{id}": {"/steps/" + detail.Paths[0].Steps[0].ID}, "GET /jobs/{id}/charts": {"/jobs/" + job + "/charts", "/jobs/" + job + "/charts?subgroup=3&rules=nelson"}, "GET /steps/{id}/characteristics": {"/steps/" + detail.Paths[0].Steps[0].ID + "/characteristics"},
		"GET /steps/{id}/requirements":    {"/steps/" + detail.Paths[0].Steps[0].ID + "/requirements"},
		"GET /jobs/{id}/paths/{path}/bom": {"/jobs/" + job + "/paths/" + detail.Paths[0].ID + "/bom"}, "GET /files/{id}": {"/files/" + s.fileOn(shop.FileSubject{Kind: shop.RecordSerial, ID: unit})},
		"GET /certs": {"/certs"}, "GET /certs/{id}": {"/certs/" + s.certificate("3.1")}, "GET /library": {"/library"},
		"GET /bom": {"/bom"}, "GET /bom/{id}": {"/bom/" + s.bom("Kit", job)}, "GET /audit": {"/audit"}, "GET /audit/ledger": {"/audit/ledger"}, "GET /audit/proof/{id}": {"/audit/proof/" + ident.AuditID(1)}, "GET /queue": {"/queue", "/queue?operator=everybody"},
		"GET /users": {"/users"}, "GET /templates": {"/templates"}, "GET /templates/{id}": {"/templates/" + template.ID},
		"GET /instruments/{id}": {"/instruments/" + gage.ID}, "GET /instruments/{id}/calibrations": {"/instruments/" + gage.ID + "/calibrations"},
		"GET /serials/{id}/measurements": {"/serials/" + unit + "/measurements"},
		"GET /serials/{id}/components":   {"/serials/" + unit + "/components"},
		"GET /labels":                    {"/labels", "/labels?first=1&last=3", "/labels?q=Valve", "/labels?serial=1", "/labels?first=nonsense"},
	}
}

// printed lists the units whose labels a page prints.
func (v *visitor) printed() string {
	found := regexp.MustCompile(`<span class="id">([^<]*)</span>`).FindAllStringSubmatch(v.page.html, -1)
	ids := make([]string, len(found))
	for i := range found {
		ids[i] = found[i][1]
	}
	return strings.Join(ids, " ")
}

// Labels are printed only for the requested units.
func TestLabels(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	ctx := context.Background()
	job, err := s.service.CreateJob(ctx, shop.CreateJobInput{
		Name: input.Given("Shaft"), GoalQuantity: input.Given(2.0), TicketPart: input.Given("SH-200"),
	})
	s.must(err)
	path, err := s.service.CreatePath(ctx, shop.CreatePathInput{
		JobID: input.Given(job.ID), Name: input.Given("Turned"), GoalQuantity: input.Given(2.0),
		Steps: input.Given([]input.Input[shop.StepInput]{input.Given(shop.StepInput{Name: input.Given("Turn")})}),
	})
	s.must(err)
	more := func() {
		_, err := s.service.CreateSerials(ctx, shop.CreateSerialsInput{
			JobID: input.Given(job.ID), PathID: input.Given(path.ID), Quantity: input.Given(2.0), UserID: input.Given("setup"),
		})
		s.must(err)
	}
	more()                    // SN-00001, SN-00002: shafts
	s.units(3, "Saw", "Turn") // SN-00003 to SN-00005: valve bodies
	more()                    // SN-00006, SN-00007: shafts
	v := s.visitor()
	for address, want := range map[string]string{
		"/labels?q=Shaft":                         "SN-00001 SN-00002 SN-00006 SN-00007", // not the valve bodies between them
		"/labels?job=" + job.ID:                   "SN-00001 SN-00002 SN-00006 SN-00007",
		"/labels?q=valve&status=in_progress":      "SN-00003 SN-00004 SN-00005",
		"/labels?q=valve&status=scrapped":         "",
		"/labels?serial=SN-00007&serial=sn-00003": "SN-00003 SN-00007",
		"/labels?serial=%5DQ1SN-00005&serial=http%3A%2F%2Fa%2Fserials%2FSN-00007": "SN-00005 SN-00007",
		"/labels?serial=5&serial=5":      "SN-00005",
		"/labels?first=4":                "SN-00004",
		"/labels?first=4&last=6":         "SN-00004 SN-00005 SN-00006",
		"/labels?first=SN-00006&last=99": "SN-00006 SN-00007",
		"/labels?first=24":               "",
		"/labels":                        "",
	} {
		if got := v.visit(address).printed(); v.page.status != http.StatusOK || got != want {
			t.Errorf("%s prints %q (%d), want %q", address, got, v.page.status, want)
		}
	}
	v.visit("/labels?first=1").says("SH-200")
	for _, address := range []string{"/labels?first=valve", "/labels?serial=SN-00099", "/labels?status=lost"} {
		if v.visit(address); v.page.status < 400 || v.page.status >= 500 || v.printed() != "" {
			t.Errorf("%s answers %d and prints %q", address, v.page.status, v.printed())
		}
	}
	// The search page offers to print labels for its results.
	v.visit("/serials?q=Shaft")
	if !strings.Contains(v.page.html, `href="/labels?q=Shaft"`) {
		t.Error("no way to the labels of all that match")
	}
	if v.visit("/serials"); strings.Contains(v.page.html, `href="/labels?`) {
		t.Error("labels of everything are one press away")
	}
}

// Labels that do not fit on one sheet continue on the next. No label is repeated or missing.
func TestLabelsGoOn(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(500, "Saw")
	next := regexp.MustCompile(`href="(/labels\?[^"]*)">The next labels`)
	for _, address := range []string{"/labels?first=1&last=500", "/labels?q=valve"} {
		v, seen := s.visitor().visit(address), map[string]int{}
		for pages := 1; ; pages++ {
			for _, id := range strings.Fields(v.printed()) {
				seen[id]++
			}
			found := next.FindStringSubmatch(v.page.html)
			if found == nil {
				if pages != 3 {
					t.Errorf("%s: %d pages", address, pages)
				}
				break
			}
			v.visit(strings.ReplaceAll(found[1], "&amp;", "&"))
		}
		for i := 1; i <= 500; i++ {
			if seen[s.service.SerialPrefix().SerialID(int64(i))] != 1 {
				t.Fatalf("%s: label %d was printed %d times", address, i, seen[s.service.SerialPrefix().SerialID(int64(i))])
			}
		}
	}
}

// If there are more certificates than a list shows, each of them can still be found and chosen.
func TestChoosingAmongMany(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Saw", "Turn")
	mill := s.certificate("Mill 4711")
	for i := range 300 {
		s.certificate(fmt.Sprintf("Process %03d", i))
	}
	twin := s.certificate("Twin")
	s.certificate("Twin")
	v := s.works("Dana")
	v.visit("/certs?q=4711").says("Mill 4711")
	v.visit("/certs")
	for pages := 0; !strings.Contains(v.text(), "Mill 4711"); pages++ {
		found := regexp.MustCompile(`href="([^"]*)">Older certificates`).FindStringSubmatch(v.page.html)
		if found == nil || pages > 10 {
			t.Fatal("the oldest certificate is on no page")
		}
		v.visit(strings.ReplaceAll(found[1], "&amp;", "&"))
	}
	attached := func() string {
		t.Helper()
		attachments, err := s.service.AttachmentsOfSerial(context.Background(), unit)
		s.must(err)
		ids := []string{}
		for _, attachment := range attachments {
			ids = append(ids, attachment.CertificateID)
		}
		return strings.Join(ids, " ")
	}
	attach := func(typed string) {
		t.Helper()
		v.visit("/serials/"+unit).press(`value="attach"`, "do", "attach", "certId", typed)
	}
	attach("nothing like it")
	v.says("No certificate is called “nothing like it”.")
	attach("Process")
	v.says("“Process” can be more than one certificate")
	attach("twin")
	v.says("“twin” can be more than one certificate")
	if got := attached(); got != "" {
		t.Errorf("attached: %s", got)
	}
	attach("ill 4711") // with its space this cannot be part of an identifier
	if got := attached(); got != mill {
		t.Errorf("attached: %s, want %s", got, mill)
	}
	attach("Twin [" + twin + "]")
	if got := attached(); got != mill+" "+twin {
		t.Errorf("attached: %s", got)
	}
	attach("process 007")
	v.visit("/serials/" + unit).says("Process 007")
	if v.visit("/pick/certificate?certId=mill"); !strings.Contains(v.page.html, `value="Mill 4711"`) || strings.Contains(v.page.html, "<html") {
		t.Errorf("offered: %s", v.page.html)
	}
	if v.visit("/pick/people"); v.page.status != http.StatusNotFound {
		t.Errorf("people are picked: %d", v.page.status)
	}
}

// The jobs of a bill of materials are typed, and jobs that were already chosen stay chosen.
func TestJobsOfABill(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	first, _ := s.units(1, "Saw")
	for i := range 60 {
		_, err := s.service.CreateJob(context.Background(), shop.CreateJobInput{
			Name: input.Given(fmt.Sprintf("Order %02d", i)), GoalQuantity: input.Given(1.0),
		})
		s.must(err)
	}
	v := s.works("Dana")
	v.visit("/bom").press(`value="take"`, "do", "take", "name", "Kit", "partType", "Body", "quantity", "2", "job:0", "valve")
	if !strings.Contains(v.page.html, `name="jobs:0" value="`+first+`" checked`) {
		t.Fatalf("the job was not taken:\n%s", v.page.html)
	}
	v.press(`value="create"`, "do", "create", "name", "Kit", "partType", "Body", "quantity", "2", "jobs:0", first, "job:0", "order 07")
	v.says("Bill of material created.")
	v.says("Valve body")
	v.says("Order 07")
	id := strings.TrimPrefix(v.page.address, "/bom/")
	v.press(`value="edit"`, "do", "edit", "partType", "Body", "quantity", "3", "jobs:0", first, "changeDescription", "more")
	v.visit("/bom/" + id + "?left=1").says("Body 2 3 changed")
	v.visit("/bom/"+id).press(`value="edit"`, "do", "edit", "partType", "Body", "quantity", "3", "job:0", "order", "changeDescription", "x")
	v.says("“order” can be more than one job")
}

// The queue first shows the sorted work of the current operator. Many steps can be assigned at once.
func TestQueue(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(2, "Saw", "Turn")
	other, _ := s.units(5, "Mill", "Drill")
	kim := s.operator("Kim")
	v := s.works("Dana")
	steps := map[string]string{}
	for _, id := range []string{job, other} {
		detail, err := s.service.Job(context.Background(), id)
		s.must(err)
		for _, step := range detail.Paths[0].Steps {
			steps[step.Name] = step.ID
		}
	}
	v.visit("/queue").says("Nothing waits for Dana.")
	v.says("Unassigned: 7 units")
	v.visit("/queue?operator=nobody&sort=oldest")
	if text := v.text(); strings.Index(text, "2 Saw") > strings.Index(text, "5 Mill") {
		t.Error("the oldest unit does not come first")
	}
	v.visit("/queue?operator=nobody&sort=most")
	if text := v.text(); strings.Index(text, "5 Mill") > strings.Index(text, "2 Saw") {
		t.Error("the step where most wait does not come first")
	}
	v.press(`name="assignTo"`, "assignTo", kim)
	v.says("Tick at least one step first.")
	v.press(`name="assignTo"`, "stepId", steps["Saw"])
	v.says("Choose who is to do it.")
	v.press(`name="assignTo"`, "assignTo", kim, "stepId", steps["Saw"], "stepId", steps["Mill"])
	v.says("Saw, Mill assigned to Kim.")
	v.visit("/queue?operator=" + kim).says("7 units")
	v.press(`name="assignTo"`, "assignTo", "nobody", "stepId", steps["Mill"])
	v.visit("/queue?operator=everybody").says("Unassigned 5 units")
}

// The audit trail, a card and its print show old entries with the names that were in use at that time. They begin with the creation of the
// record.
func TestPagesKeepTheNamesOfTheirTime(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, unit := s.units(1, "Turn OP10", "Grind OP20")
	v := s.works("Dana")
	dana := v.cookies["operator"]
	v.visit("/serials/"+unit).press(`value="advance"`, "do", "advance")
	s.pass(time.Minute)
	v.press(`value="note"`, "do", "note", "text", "chatter marks", "stepId", "")
	s.pass(time.Minute)
	v.visit("/users").press(`name="id" value="`+dana+`"`, "name", "Dana Huber", "active", "yes")
	detail, err := s.service.Job(context.Background(), job)
	s.must(err)
	names := []input.Input[shop.StepInput]{}
	for _, name := range []string{"Mill OP10", "Lap OP20"} {
		names = append(names, input.Given(shop.StepInput{Name: input.Given(name)}))
	}
	_, err = s.service.UpdatePath(context.Background(), detail.Paths[0].ID, shop.UpdatePathInput{
		Steps: input.Given(names), ChangedBy: input.Given(dana),
	})
	s.must(err)
	s.pass(time.Minute)
	v.visit("/serials/"+unit).press(`value="advance"`, "do", "advance")
	for _, address := range []string{"/serials/" + unit, "/serials/" + unit + "/print"} {
		v.visit(address)
		v.says("Turn OP10")
		v.says("Lap OP20")
		v.says("Dana Huber")
		if text := strings.ReplaceAll(strings.ReplaceAll(v.text(), "Dana Huber", ""), "Working as", ""); !strings.Contains(text, "Dana") {
			t.Errorf("%s: nobody is Dana any more", address)
		}
		// The choices for rework are the steps of the current route with their current names.
		told := regexp.MustCompile(`(?s)<option.*?</option>`).ReplaceAllString(v.page.html, "")
		if strings.Contains(told, "Mill OP10") {
			t.Errorf("%s: the step that was done has a new name", address)
		}
	}
	v.visit("/serials/" + unit).says("Unit created")
	v.visit("/audit?action=user_changed").says("Dana")
}

// The audit trail can be filtered by names, and its file contains the names.
func TestTrailIsAskedByNames(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, unit := s.units(1, "Turn OP10", "Grind OP20")
	v := s.works("Dana Weber")
	v.visit("/serials/"+unit).press(`value="advance"`, "do", "advance")
	v.visit("/audit?user=dana+weber").says("Unit advanced SN-00001 from Turn OP10 to Grind OP20 · Valve body")
	if strings.Contains(v.text(), "Unit created 1 unit") {
		t.Error("what others did is shown, too")
	}
	v.visit("/audit?job=valve&action=serial_advanced").says("08:00:00")
	v.visit("/audit?job=" + job).says("Job created")
	// If the trail is filtered by a unit, its last entry is the creation of that unit. The same holds for its files.
	v.visit("/audit?serial=1").says("Unit created")
	if v.says("Unit advanced"); strings.Index(v.text(), "Unit created 1") < strings.Index(v.text(), "Unit advanced SN-") {
		t.Error("the creation is not at the end")
	}
	for _, address := range []string{"/audit/entries.csv?serial=SN-00001", "/audit/entries.json?serial=1"} {
		if v.visit(address); strings.Count(v.page.html, "serial_created") != 1 || strings.Count(v.page.html, "serial_advanced") != 1 {
			t.Errorf("%s is\n%s", address, v.page.html)
		}
	}
	v.visit("/audit?job=nonsense").says("No job is called “nonsense”.")
	v.visit("/audit/entries.csv?user=Dana+Weber")
	if !strings.Contains(v.page.html, ",certificate,actor,means,takenBackAt,takenBackBy\n") {
		t.Errorf("the file does not say who acted for others: %s", v.page.html)
	}
	if want := ",Dana Weber,Valve body,,Turn OP10,Grind OP20,,,,,\n"; !strings.HasSuffix(v.page.html, want) {
		t.Errorf("the file is\n%s\nwant it to end in %s", v.page.html, want)
	}
}

// If Advance to Step has finished a unit, its card and the audit trail show it as completed, and it is found as completed.
func TestFinishedByAdvanceToStep(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(2, "Turn", "Balance")
	_, err := s.service.AdvanceToStep(context.Background(), unit, shop.AdvanceToStepInput{
		TargetStepIndex: input.Given(2.0), UserID: input.Given("erp"),
	})
	s.must(err)
	v := s.visitor()
	for _, address := range []string{"/serials/" + unit, "/audit?action=serial_completed"} {
		v.visit(address).says("Unit completed")
		if strings.Contains(v.text(), "Unit advanced from") {
			t.Errorf("%s tells of an advance", address)
		}
	}
}

// On paper, times have the year and are in the time zone of the shop. The part number, reasons and approvers are printed.
func TestPrintedCardIsComplete(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, unit := s.units(1, "Turn", "Wash", "Pack")
	v := s.works("Dana")
	quinn := s.operator("Quinn")
	ctx := context.Background()
	_, err := s.service.AdvanceToStep(ctx, unit, shop.AdvanceToStepInput{TargetStepIndex: input.Given(2.0), UserID: input.Given(quinn)})
	s.must(err)
	detail, err := s.service.Job(ctx, job)
	s.must(err)
	_, err = s.service.WaiveStep(ctx, unit, detail.Paths[0].Steps[1].ID, shop.WaiveStepInput{
		Reason: input.Given("Customer agreed"), ApproverID: input.Given(quinn),
	})
	s.must(err)
	_, err = s.service.ScrapSerial(ctx, unit, shop.ScrapSerialInput{
		Reason: input.Given("damaged"), Explanation: input.Given("fell off the bench"), UserID: input.Given(quinn),
	})
	s.must(err)
	berlin, err := time.LoadLocation("Europe/Berlin")
	s.must(err)
	s.service = shop.New(s.store, s.clock, ident.NewIdentifiers(s.clock), shop.WithTimeZone(berlin))
	s.pages = web.New(site.Config{Service: s.service, Views: s.views, Logger: slog.New(slog.DiscardHandler), Clock: s.clock})
	v.cookies["zone"] = "America/New_York" // the time zone of the viewer, which papers do not use
	v.visit("/serials/" + unit + "/print")
	for _, text := range []string{
		"2 Mar 2026 09:00 CET", "Scrapped at Pack: Damaged, fell off the bench (Quinn, 2 Mar 2026 09:00 CET)",
		"Step waived: Reason Customer agreed, Approved by Quinn, 2 Mar 2026 09:00 CET",
	} {
		v.says(text)
	}
	v.visit("/serials/" + unit)
	v.says("2 Mar 03:00")
}

package web

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/station"
	"github.com/routecard/routecard/internal/web/account"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/office"
	"github.com/routecard/routecard/internal/web/scanpages"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/unitcard"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// TestTemplatesHaveOneElementALine finds template lines on which a block begins or ends next to another one. A label with its field counts
// as one block, and so does a paragraph with its button.
func TestTemplatesHaveOneElementALine(t *testing.T) {
	t.Parallel()
	block := regexp.MustCompile(`<(/?)(?:p|h[1-6]|li|div|section|t[dhr]|[uod]l|table|form|dt|dd|details|summary|fieldset|nav|header|footer|main|tbody|thead|caption)\b`)
	files, err := filepath.Glob("templates/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for number, line := range strings.Split(string(text), "\n") {
			begun, ended := 0, 0
			for _, tag := range block.FindAllStringSubmatch(line, -1) {
				if tag[1] == "" {
					begun++
				} else {
					ended++
				}
			}
			if begun > 1 || ended > 1 {
				t.Errorf("%s:%d has several blocks: %s", file, number+1, strings.TrimSpace(line))
			}
		}
	}
}

// TestTemplatesFitTheirData executes every template with empty data and with data in every part. It fails if a template uses a field that
// its data does not have.
func TestTemplatesFitTheirData(t *testing.T) {
	t.Parallel()
	nasty := `<script>alert(1)</script>"'&`
	at := ident.Timestamp(1_700_000_000_000)
	steps := []card.ProcessStep{
		{ID: "step_1", Name: nasty, Location: nasty, AssignedTo: "user_1"},
		{ID: "step_2", Name: "Deburr", Order: 1, DependencyType: card.Physical},
		{ID: "step_3", Name: "Inspect", Order: 2, Optional: true, DependencyType: card.CompletionGate},
	}
	path := card.Path{ID: "path_1", JobID: "job_1", Name: nasty, GoalQuantity: 5, AdvancementMode: card.Flexible, Steps: steps}
	job := shop.Job{ID: "job_1", Name: nasty, GoalQuantity: 5, TicketFields: shop.TicketFields{TicketKey: nasty, TicketPart: nasty}}
	certificate := shop.Certificate{ID: "cert_1", Type: shop.MaterialCertificate, Name: nasty,
		Metadata: json.RawMessage(`{"heatNumber":"<b>","list":["a","b"],"n":1}`)}
	item := shop.SerialListItem{ID: "SN-00001", JobID: "job_1", PathID: "path_1", JobName: nasty, PathName: nasty,
		CurrentStepName: nasty, AssignedTo: "user_1", Status: card.InProgress, ForceCompleted: true, CreatedAt: at}
	entry := trail.Entry{ID: ident.AuditID(1), Action: card.ActionSerialAdvanced, UserID: nasty, Timestamp: at,
		SerialID: "SN-00001", StepID: "step_1", FromStepID: "step_1", ToStepID: "step_2", CertID: "cert_1", BatchQuantity: 3,
		Metadata: json.RawMessage(`{"reason":"<i>"}`)}
	overview := views.JobOverview{Job: job, Progress: shop.JobProgress{ProgressPercent: 140}}
	user := shop.User{ID: "user_1", Name: nasty, Department: nasty, Active: true}
	kind := shop.Template{ID: "tmpl_1", Name: nasty, Steps: []shop.TemplateStep{{Name: nasty}}}
	override := card.Override{ID: "snso_1", StepID: "step_2", Active: true}
	routeCard := card.Card{
		Serial:     card.Serial{ID: "SN-00001", JobID: "job_1", PathID: "path_1", Position: 1, Status: card.InProgress},
		Path:       path,
		Exceptions: map[string]card.StepException{"step_1": {StepID: "step_1", Status: card.StepDeferred}},
		Overrides:  map[string]card.Override{"step_2": override},
	}
	made := card.Component{ID: "comp_1", SerialID: "SN-00001", LotID: nasty, Quantity: "2", Unit: nasty, Place: nasty, PartSerialNumber: nasty,
		InstalledBy: nasty, InstalledAt: at, RemovedBy: nasty, RemovedAt: at, RemoveReason: nasty, Returned: true,
		Voiding: card.Voiding{VoidedAt: at, VoidedBy: nasty, VoidReason: nasty}}
	parts := []views.InstalledPart{{Component: made, LotNumber: nasty, Part: nasty}, {Component: card.Component{ComponentSerialID: "SN-00002"}}}
	unit := func(f site.Frame, unit card.Card) *unitcard.Page {
		return &unitcard.Page{Frame: f, CardDetail: views.CardDetail{
			Card: unit, JobName: nasty, Actions: shop.Actions(shop.Asked{Card: unit}),
			Steps: []views.StepRecord{{Step: steps[0], Status: card.StepDeferred, By: nasty, At: at},
				{Step: steps[1], Status: card.StepInProgress, Override: &override}, {Step: steps[2], Status: card.StepPending}},
			Attachments: []shop.Attachment{{CertificateID: "cert_1", StepID: "step_1"}, {CertificateID: "cert_1", StepID: "step_1",
				Voiding: card.Voiding{VoidedAt: at, VoidedBy: nasty, VoidReason: nasty}}},
			Certificates: map[string]shop.Certificate{"cert_1": certificate},
			Installed:    views.Installed{Open: parts, Past: parts, MoreOpen: 2, MorePast: 3},
			Notes: []shop.Note{{Text: nasty, StepID: "step_1", CreatedBy: nasty, CreatedAt: at}, {Text: nasty,
				Voiding: card.Voiding{VoidedAt: at, VoidedBy: nasty, VoidReason: nasty}}},
		}, Files: site.FilesPart{Address: nasty, Links: []shop.FileLink{{Name: nasty}}}, Certs: []site.Choice{{Value: nasty, Hint: nasty}}, Reasons: shop.ScrapReasons(), Trail: []trail.Entry{entry}}
	}
	closed := routeCard
	closed.Serial.Status = card.Scrapped
	closed.Serial.Scrap = &card.Scrap{Reason: card.Damaged, Explanation: nasty, StepID: "step_2", By: nasty, At: at}
	forced := routeCard
	forced.Serial.Status = card.Completed
	forced.Serial.Completion = &card.ForceCompletion{By: nasty, At: at, Reason: nasty}
	rows := office.Editor{Rows: []office.StepRow{{ID: nasty, Name: nasty, Location: nasty}, {Optional: true}}, Fixed: true,
		StepNames: []string{nasty}, Locations: []string{nasty}, Dependencies: shop.DependencyTypes()}
	bomRows := office.BOMEditor{Rows: []office.BOMRow{{PartType: nasty, Quantity: "2", Jobs: []office.BOMJob{{ID: "job_1", Name: nasty}}, Typed: nasty}}, Choices: []site.Choice{{Value: nasty, Hint: nasty}}}
	bom := shop.BOM{ID: "bom_1", Name: nasty, Entries: []shop.BOMEntry{{PartType: nasty, ContributingJobIDs: []string{"job_1"}}}}
	scans := []scanpages.Scanned{{Code: nasty, Kind: "good", Left: nasty, Text: nasty, At: at}, {Code: "SN-00001", Kind: "ask", Text: nasty, At: at}}
	shownAs := func(phase station.Phase, command, words string) station.State {
		return station.State{Phase: phase, Unit: station.Unit{ID: "SN-00001", Entry: nasty, Away: true}, Command: command, Words: words}
	}
	operator := "user_1"
	full := func(form string) site.Frame {
		return site.Frame{Title: nasty, Section: "jobs", Operator: nasty, Gone: nasty, People: []shop.User{user}, Names: map[string]string{"user_1": nasty}, Done: nasty, Path: nasty,
			Now: time.Now(), Zone: time.UTC, Rejected: &site.Problem{Form: form, Advice: wording.Advice{Field: "name", Text: nasty}, Values: url.Values{"name": {nasty}}}}
	}
	none := site.Frame{Zone: time.UTC}
	days := make([]views.DayFigures, views.FloorDays)
	days[3].Finished, days[3].Scrapped = 7, 2
	detail := shop.JobDetail{Job: job, Paths: []card.Path{path}}
	column := views.BoardColumn{Serials: []string{"SN-00001"},
		StepDistribution: shop.StepDistribution{StepID: "step_1", StepName: nasty, Location: nasty, SerialCount: 2, IsBottleneck: true}}

	many := func(do string) *office.ManyPage {
		return &office.ManyPage{Frame: full(do), Do: do, Title: nasty, Button: nasty, Job: detail, Path: path,
			Chosen: office.Chosen{PathID: nasty, Ticks: []office.Ticked{{Serial: "SN-00001", Step: 1}}, All: do == ""},
			Groups: []site.UnitGroup{{What: nasty, Units: "SN-00001"}}, Refusing: []site.UnitGroup{{What: nasty, Units: "SN-00001"}},
			Certificates: []site.Choice{{Value: nasty, Hint: nasty}}, Reasons: shop.ScrapReasons()}
	}

	head := views.ReportHead{Nonconformance: shop.Nonconformance{ID: "NCR-00001", Title: nasty, Severity: shop.Major,
		Status: shop.ReportOpen, OpenedBy: nasty, OpenedAt: at, Description: nasty}}
	hold := card.Hold{ID: "hold_1", SerialID: "SN-00001", Reason: nasty, NonconformanceID: "NCR-00001", PlacedBy: nasty, PlacedAt: at}
	onReport := views.UnitOnReport{Status: card.InProgress, Step: nasty, JobName: nasty, Held: []card.Hold{hold},
		NonconformingUnit: shop.NonconformingUnit{SerialID: "SN-00001"}}
	waiting := onReport
	onReport.Disposition, onReport.Reason, onReport.Concession, onReport.DecidedBy, onReport.DecidedAt = shop.Repair, nasty, nasty, nasty, at
	onReport.TakenBack = shop.TakenBack{By: nasty, At: at, Reason: nasty}
	decided := onReport
	decided.Decided, decided.Open = true, refusal.Refuse(card.SerialHeld, nasty)
	sheet := views.ReportSheet{Report: head.Nonconformance, Step: nasty, Units: []views.UnitOnReport{waiting, onReport, decided},
		Paths: []card.Path{path}, Open: refusal.Refuse(card.SerialHeld, nasty)}
	closedReport := head.Nonconformance
	closedReport.Status, closedReport.ClosedBy, closedReport.ClosedAt, closedReport.Summary = shop.ReportClosed, nasty, at, nasty
	list := something(reflect.TypeFor[site.ListShown](), nasty).Interface().(site.ListShown) //nolint:forcetypeassert // of this type
	pages := map[string][]any{
		"failure": {&site.FailurePage{Frame: none}, &site.FailurePage{Frame: full("x"), Message: nasty}},
		"floor": {&office.FloorPage{Frame: none}, &office.FloorPage{Frame: full("x"), Attention: office.Attention{Floor: views.Floor{
			Jobs: []views.JobOverview{overview}, Days: days, Reasons: []views.ReasonFigures{{Reason: card.Damaged, Count: 2}},
			Paths:   []views.PathStanding{{PathName: nasty, Steps: []views.StepStanding{{Name: nasty, Waiting: 3, Bottleneck: true}, {}}}},
			AllJobs: 1, MorePaths: 2, Now: views.Attention{Held: []views.HeldBatch{{Reason: nasty, NonconformanceID: nasty}}, MoreOpen: true,
				Reports: []views.ReportHead{head}, Longest: []views.StandingUnit{{SerialListItem: item, Since: at}},
				Arrived: []views.Arrival{{First: nasty, Last: "SN-00002", JobName: nasty, PathName: nasty}}}},
			Late: []views.JobOverview{overview}, Due: []shop.Instrument{{Number: nasty, Name: nasty, DueDate: nasty}}}}},
		"wall": {&office.WallPage{Frame: none}, &office.WallPage{Frame: full("x"), Attention: office.Attention{
			Late: []views.JobOverview{overview}, Floor: views.Floor{Days: days, Paths: []views.PathStanding{{JobName: nasty,
				Steps: []views.StepStanding{{Name: nasty, Waiting: 3, Bottleneck: true}}}}}}}},
		"jobs": {&office.JobsPage{Frame: none}, &office.JobsPage{Frame: none, Query: nasty, State: "work"},
			&office.JobsPage{Frame: full("create"), Query: nasty, Jobs: []views.JobOverview{overview}, List: list}},
		"job": {&office.JobPage{Frame: none}, &office.JobPage{Frame: full("boardpath_1"), Job: detail, Reasons: shop.ScrapReasons(),
			Certificates: []site.Choice{{Value: nasty, Hint: nasty}}, History: []trail.Entry{entry},
			Boards: []views.Board{{Path: path}, {Path: path, Columns: []views.BoardColumn{column, {}},
				Counts: shop.SerialCounts{InProgress: 2, Completed: 1}}}}},
		"route": {&office.RoutePage{Frame: none}, &office.RoutePage{Frame: full("route"), Editor: rows, Job: detail, Modes: shop.AdvancementModes(),
			Templates: []shop.Template{kind}}},
		"serials": {&office.SerialsPage{Frame: none}, &office.SerialsPage{Frame: full("x"), Here: &office.UnitsHere{JobID: nasty, PathID: nasty, All: nasty, Count: 7}, Steps: []string{nasty},
			Query: views.UnitQuery{SerialQuery: views.SerialQuery{Text: nasty, JobID: "j", PathID: "p", StepID: "s"}}, Narrowed: nasty,
			Statuses: []card.SerialStatus{card.Completed}, Keep: []office.KeptField{{Name: nasty, Value: nasty}}, List: list,
			Units: []shop.SerialListItem{item, {Status: card.Scrapped, ScrapReason: card.Damaged}}}},
		"card": {unit(full("waivestep_1"), routeCard), unit(full("advance-to"), routeCard), unit(full("scrap"), routeCard), unit(full("note"), routeCard), unit(full("install"), routeCard), unit(full("removecomp_1"), routeCard),
			unit(none, closed), unit(none, forced), &unitcard.Page{Frame: none}},
		"nonconformances": {&office.ReportsPage{Frame: none}, &office.ReportsPage{Frame: full("x"), Reports: []views.ReportHead{head}, List: list}},
		"nonconformance": {&office.ReportPage{Frame: none}, &office.ReportPage{Frame: full("dispose"), ReportSheet: sheet, Dispositions: shop.Dispositions(),
			Reasons: shop.ScrapReasons()}, &office.ReportPage{Frame: full("close"), ReportSheet: views.ReportSheet{Report: closedReport}}},
		"nonconformanceprint": {&office.ReportPage{Frame: none}, &office.ReportPage{Frame: full("x"), ReportSheet: sheet},
			&office.ReportPage{Frame: full("x"), ReportSheet: views.ReportSheet{Report: closedReport}}},
		"nonconformancenew": {&office.NewReportPage{Frame: none}, &office.NewReportPage{Frame: full("open"), Units: nasty, PathID: "path_1", Path: &path,
			Severities: shop.Severities()}, &office.NewReportPage{Frame: full("open"), All: "0/3", AllName: nasty}},
		"holding": {&office.HoldingPage{Frame: none}, &office.HoldingPage{Frame: full("hold"), Job: nasty, Units: []string{nasty}},
			&office.HoldingPage{Frame: full("release"), Holds: []card.Hold{hold}}},
		"holds": {&office.HoldsPage{Frame: none}, &office.HoldsPage{Frame: full("x"), List: list, Holds: []views.HeldUnit{{Hold: hold, Status: card.Scrapped, Step: nasty}}}},
		"confirm": {&site.ConfirmPage{Frame: none}, &site.ConfirmPage{Frame: full("confirm"), Question: nasty, Facts: []string{nasty}, Yes: nasty,
			To: nasty, Back: nasty, Fields: []site.ConfirmField{{Name: nasty, Value: nasty}}},
			&site.ConfirmPage{Frame: full("confirm"), Sign: &site.SignPart{Operation: shop.SignScrap, Name: nasty}},
			&site.ConfirmPage{Frame: none, Sign: &site.SignPart{Second: true, Meanings: shop.SignatureMeanings(), Meaning: "review", SecondLogin: nasty}}},
		"search": {&office.SearchPage{Frame: none}, &office.SearchPage{Frame: full("search"), Text: nasty, Lists: []site.Step{{To: "/jobs?q=x", Label: nasty}},
			Groups: []office.Hits{{Heading: nasty, Found: []office.Hit{{Name: nasty, Hint: nasty, To: "/jobs/1", Exact: true, Unsure: false}, {Name: nasty, Hint: "", To: "/jobs/2", Exact: false, Unsure: false}}}}}},
		"signatures": {&account.PolicyPage{Frame: none}, &account.PolicyPage{Frame: full("policy"), Operations: []site.SignedOperation{{Operation: shop.SignScrap, Words: lang.Text(nasty), Demand: "self",
			Demands: []site.DemandChoice{{Demand: "self", Words: lang.Text(nasty)}}}}}},
		"proof":    {&office.ProofPage{Frame: full(""), Entry: entry}},
		"takeback": {&office.TakeBackPage{Frame: full("undo"), Job: detail, What: nasty, Left: []string{nasty}, Never: []site.UnitGroup{{What: nasty, Units: nasty}}}},
		"many":     {&office.ManyPage{Frame: none}, many("attach"), many("note"), many("scrap"), many("advance"), many("force-complete"), many("")},
		"print":    {unit(full("x"), closed), unit(none, forced)},
		"scan": {
			&scanpages.Page{Frame: none},
			&scanpages.Page{Frame: full("x"), Unit: unit(full("x"), routeCard), State: shownAs(station.Shown, "", ""), Result: &scans[0], Scans: scans},
			&scanpages.Page{Frame: full("x"), Unit: unit(full("x"), routeCard), State: shownAs(station.Asked, station.CodeScrap+"OTHER", nasty), Result: &scans[1],
				Place: scanpages.Place{Name: nasty}, Unheard: nasty},
			&scanpages.Page{Frame: full("x"), Unit: unit(full("x"), routeCard), State: shownAs(station.TextAwaited, station.CodeScrap+"OTHER", ""), Result: &scans[1]},
			&scanpages.Page{Frame: none, Unit: unit(none, forced), State: shownAs(station.TextAwaited, station.CodeNote, ""), Result: &scans[1]},
			&scanpages.Page{Frame: full("x"), Unit: unit(full("x"), routeCard), State: shownAs(station.PartAwaited, station.CodeInstall, "")},
			&scanpages.Page{Frame: full("x"), Unit: unit(full("x"), routeCard), State: station.State{Phase: station.AmountAwaited,
				Unit: station.Unit{ID: "SN-00001"}, Command: station.CodeInstall, Lot: station.Lot{Typed: nasty, ID: nasty, Called: nasty, Unit: nasty}}},
			&scanpages.Page{Frame: full("x"), State: station.State{Phase: station.Done, Act: nasty}, Result: &scans[0]},
		},
		"codes": {&scanpages.CodesPage{Frame: none}, &scanpages.CodesPage{Frame: full("x"), Codes: []scanpages.CommandCode{{Code: station.CodeYes, Title: nasty, Hint: lang.Text(nasty)}}}},
		"ledger": {&office.LedgerPage{Frame: none}, &office.LedgerPage{Frame: full("ledger"), Seals: &sealer.Status{Size: 7, SealedUntil: 1, Origin: nasty,
			VerifierKeys: []string{nasty}, StartedWith: 3, Trouble: nasty, Witnesses: []sealer.WitnessStatus{{Name: nasty, Problem: nasty}}},
			Backups: &backup.Standing{Running: true, Problem: nasty, Backups: []backup.Manifest{{File: nasty, LastEntry: nasty}, {}}}},
			&office.LedgerPage{Frame: none, Seals: &sealer.Status{Findings: []ledger.Finding{{Text: nasty}}}, Backups: &backup.Standing{}},
			&office.LedgerPage{Frame: none, Seals: &sealer.Status{Failing: nasty}}},
		"labels": {&office.LabelsPage{Frame: none}, &office.LabelsPage{Frame: full("labels"), From: nasty, Labels: []shop.SerialListItem{item}, Asked: true, NextURL: "/labels"},
			&office.LabelsPage{Frame: full("labels"), Chosen: "Labels for the ticked units.", Asked: true}},
		"certs": {&office.CertificatesPage{Frame: none}, &office.CertificatesPage{Frame: full("create"), Certificates: []shop.Certificate{certificate}, List: list},
			&office.CertificatesPage{Frame: none, Query: nasty}},
		"picks": {site.PicksPage{}, site.PicksPage{Choices: []site.Choice{{Value: nasty, Hint: nasty}}}},
		"cert": {&office.CertificatePage{Frame: none}, &office.CertificatePage{Frame: full("x"), Certificate: certificate, Details: site.Details(certificate.Metadata),
			Attachments: []shop.Attachment{{SerialID: "SN-00001", AttachedBy: nasty}}, More: true}},
		"library": {&office.LibraryPage{Frame: none}, &office.LibraryPage{Frame: full("process"), Libraries: []office.LibraryList{
			{Library: shop.Processes, Entries: []shop.LibraryEntry{{Name: nasty}}}, {Library: shop.Locations}}}},
		"users": {&account.UsersPage{Frame: none}, &account.UsersPage{Frame: full("edituser_1"), Users: []shop.User{user, {}}, List: list}},
		"queue": {&office.QueuePage{Frame: none}, &office.QueuePage{Frame: full("assign"), Only: office.QueueEverybody, Queue: views.WorkQueue{
			Groups: []views.WorkQueueGroup{{OperatorID: &operator, OperatorName: nasty, Jobs: slices.Repeat([]views.WorkQueueJob{
				{JobName: nasty, StepID: "step_1", SerialIDs: []string{"SN-00001"}, PartCount: 2}}, office.QueueRows+1)}, {}}}},
			&office.QueuePage{Frame: none, Only: "user_1", Queue: views.WorkQueue{Groups: []views.WorkQueueGroup{{OperatorName: nasty}}}}},
		"templates": {&office.TemplatesPage{Frame: none}, &office.TemplatesPage{Frame: full("route"), Editor: rows, Templates: []shop.Template{kind}}},
		"template":  {&office.TemplatePage{Frame: none}, &office.TemplatePage{Frame: full("apply"), Editor: rows, Template: kind, Jobs: []site.Choice{{Value: nasty, Hint: nasty}}}},
		"audit": {&office.AuditPage{Frame: none}, &office.AuditPage{Frame: full("x"), Query: url.Values{"user": {nasty}}, Actions: shop.AuditActions(),
			Page: views.AuditPage{Entries: []trail.Entry{entry}, Next: ident.AuditID(1)}}},
		"bom": {&office.BOMsPage{Frame: none}, &office.BOMsPage{Frame: full("create"), BOMEditor: bomRows, BOMs: []shop.BOM{bom}}},
		"bomdetail": {&office.BOMPage{Frame: none}, &office.BOMPage{Frame: full("edit"), BOMEditor: bomRows, Jobs: map[string]string{"job_1": nasty},
			BOM:      shop.BOMDetail{BOM: bom, Summary: shop.BOMSummary{Entries: []shop.BOMSummaryEntry{{PartType: nasty}}}},
			Versions: []shop.BOMVersion{{VersionNumber: 1, ChangeDescription: nasty, ChangedBy: nasty}},
			Compare: &office.Comparison{Left: nasty, Right: nasty, Lines: shop.CompareBOM(
				[]shop.BOMEntry{{PartType: nasty, RequiredQuantityPerBuild: 1}, {PartType: "x"}},
				[]shop.BOMEntry{{PartType: nasty, RequiredQuantityPerBuild: 2}, {PartType: "y"}})}}},
	}
	known := func(form string) site.Frame {
		f := full(form)
		f.Guarded, f.Me = true, &access.Identity{User: user, Permissions: shop.Permissions(), Session: access.Session{ID: "sess_1"}}
		return f
	}
	held := account.HeldTokens{
		Tokens: []access.Token{{ID: "tok_1", Name: nasty, Permissions: shop.Permissions(), LastUsedAt: at}, {}}, NewToken: nasty,
		MayTokens: shop.Permissions(), NewBadge: nasty, BadgeName: nasty, TokensAt: "/me", Current: "sess_1",
	}
	sessions := []access.Session{{ID: "sess_1", Address: nasty}, {ID: "sess_2"}}
	named := user
	named.Login, named.Roles = "a.ruiz", []string{"admin"}
	pages["setup"] = []any{&account.SetupPage{Frame: none}, &account.SetupPage{Frame: full("setup"), Code: nasty, Valid: true}}
	pages["signin"] = []any{&account.SignInPage{Frame: none}, &account.SignInPage{Frame: full("signin"), Next: nasty, Station: nasty, Scanned: true}}
	pages["me"] = []any{
		&account.MePage{Frame: known("token"), Account: access.Account{Password: true, PIN: true, Badge: "b"}, Sessions: sessions, HeldTokens: held, Permissions: shop.Permissions()},
		&account.MePage{Frame: known("pin")}, &account.MePage{Frame: known("password"), Account: access.Account{Password: true, MustChange: access.Password}}, &account.MePage{Frame: known("pin"), Account: access.Account{PIN: true, MustChange: access.PIN}},
	}
	pages["account"] = []any{
		&account.PersonPage{Frame: known("account"), User: user, Roles: access.Roles()},
		&account.PersonPage{Frame: known("password"), User: named, Roles: access.Roles(), Sessions: sessions, HeldTokens: held, Account: access.Account{LockedUntil: at, PIN: true, Password: true, Badge: "b"}},
	}
	pages["stations"] = []any{
		&account.StationsPage{Frame: known("make")},
		&account.StationsPage{Frame: known("revoke"), This: access.Station{ID: "stn_1", Name: nasty}, Stations: []access.Station{{ID: "stn_1", Name: nasty, CreatedBy: nasty}}},
	}
	factors := access.SecondFactors{Required: true, Passkeys: []access.Passkey{{ID: "pky_1", Name: nasty, LastUsedAt: at}, {}}, OneTimeCodes: true, RecoveryCodes: 9}
	pages["second"] = []any{&account.SecondPage{Frame: known("x")}, &account.SecondPage{Frame: known("second"), SecondFactors: factors, Name: nasty, Next: nasty, Origin: nasty}}
	pages["factors"] = []any{
		&account.FactorsPage{Frame: known("remove"), NoPasskeys: nasty, Begun: true, New: access.NewOneTimeCodes{Secret: nasty, URI: nasty}},
		&account.FactorsPage{Frame: known("recovery"), SecondFactors: factors, Missing: true, Confirm: true, Password: true, Origin: nasty, Codes: []string{nasty}},
	}
	pages["accesspolicy"] = []any{&account.AccessPolicyPage{Frame: known("policy"), Roles: access.Roles(), Policy: access.Policy{SecondFactor: []string{"lead"}}, Read: nasty}}
	for _, noun := range office.Nouns() {
		for name, page := range noun.Views {
			empty, whole := reflect.New(reflect.TypeOf(page).Elem()), something(reflect.TypeOf(page).Elem(), nasty)
			*empty.Interface().(interface{ Around() *site.Frame }).Around() = none
			*whole.Addr().Interface().(interface{ Around() *site.Frame }).Around() = full("x")
			pages[name] = []any{empty.Interface(), whole.Addr().Interface()}
		}
	}
	workviews := site.LoadViews(templateFiles, site.LoadAssets(staticFiles, lang.Languages()), office.Menu(), lang.English())
	for name, view := range workviews {
		if len(pages[name]) == 0 {
			t.Errorf("template %s is executed with no data here", name)
		}
		for i, page := range pages[name] {
			var written strings.Builder
			for _, part := range site.PartsOf(page) {
				if err := view().ExecuteTemplate(&written, part, page); err != nil {
					t.Errorf("%s, data %d: %v", name, i, err)
				}
			}
			if strings.Contains(written.String(), "<script>alert") {
				t.Errorf("%s, data %d: a name is written as markup", name, i)
			}
		}
	}
	for name := range pages {
		if workviews[name] == nil {
			t.Errorf("there is no template %s", name)
		}
	}
}

// something returns a value of a type. Every string in it is text, and every other part has a value, so that a template renders all its
// parts.
func something(of reflect.Type, text string) reflect.Value {
	value := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.String:
		value.SetString(text)
	case reflect.Int, reflect.Int64:
		value.SetInt(1_700_000_000_000)
	case reflect.Bool:
		value.SetBool(true)
	case reflect.Slice:
		return reflect.Append(value, something(of.Elem(), text))
	case reflect.Pointer:
		value.Set(something(of.Elem(), text).Addr())
	case reflect.Struct:
		for i := range of.NumField() {
			if of.Field(i).IsExported() {
				value.Field(i).Set(something(of.Field(i).Type, text))
			}
		}
	default:
	}
	return value
}

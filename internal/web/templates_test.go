package web

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard"
	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/ledger"
)

// TestTemplatesFitTheirData executes every template with nothing in its data and with something in every part of it, so
// that a field that a template names and its data does not have is found here.
func TestTemplatesFitTheirData(t *testing.T) {
	t.Parallel()
	nasty := `<script>alert(1)</script>"'&`
	at := routecard.Timestamp(1_700_000_000_000)
	steps := []routecard.ProcessStep{
		{ID: "step_1", Name: nasty, Location: nasty, AssignedTo: "user_1"},
		{ID: "step_2", Name: "Deburr", Order: 1, DependencyType: routecard.Physical},
		{ID: "step_3", Name: "Inspect", Order: 2, Optional: true, DependencyType: routecard.CompletionGate},
	}
	path := routecard.Path{ID: "path_1", JobID: "job_1", Name: nasty, GoalQuantity: 5, AdvancementMode: routecard.Flexible, Steps: steps}
	job := routecard.Job{ID: "job_1", Name: nasty, GoalQuantity: 5, TicketFields: routecard.TicketFields{TicketKey: nasty, PartNumber: nasty}}
	certificate := routecard.Certificate{ID: "cert_1", Type: routecard.MaterialCertificate, Name: nasty,
		Metadata: json.RawMessage(`{"heatNumber":"<b>","list":["a","b"],"n":1}`)}
	item := routecard.SerialListItem{ID: "SN-00001", JobID: "job_1", PathID: "path_1", JobName: nasty, PathName: nasty,
		CurrentStepName: nasty, AssignedTo: "user_1", Status: routecard.InProgress, ForceCompleted: true, CreatedAt: at}
	entry := routecard.AuditEntry{ID: routecard.AuditID(1), Action: routecard.ActionSerialAdvanced, UserID: nasty, Timestamp: at,
		SerialID: "SN-00001", StepID: "step_1", FromStepID: "step_1", ToStepID: "step_2", CertID: "cert_1", BatchQuantity: 3,
		Metadata: json.RawMessage(`{"reason":"<i>"}`)}
	overview := routecard.JobOverview{Job: job, Progress: routecard.JobProgress{ProgressPercent: 140}}
	user := routecard.User{ID: "user_1", Name: nasty, Department: nasty, Active: true}
	kind := routecard.Template{ID: "tmpl_1", Name: nasty, Steps: []routecard.TemplateStep{{Name: nasty}}}
	override := routecard.Override{ID: "snso_1", StepID: "step_2", Active: true}
	card := routecard.RouteCard{
		Serial:     routecard.Serial{ID: "SN-00001", JobID: "job_1", PathID: "path_1", Position: 1, Status: routecard.InProgress},
		Path:       path,
		Exceptions: map[string]routecard.StepException{"step_1": {StepID: "step_1", Status: routecard.StepDeferred}},
		Overrides:  map[string]routecard.Override{"step_2": override},
	}
	unit := func(f frame, card routecard.RouteCard) *cardPage {
		return &cardPage{frame: f, CardDetail: routecard.CardDetail{
			Card: card, JobName: nasty, Actions: routecard.Actions(card),
			Steps: []routecard.StepRecord{{Step: steps[0], Status: routecard.StepDeferred, By: nasty, At: at},
				{Step: steps[1], Status: routecard.StepInProgress, Override: &override}, {Step: steps[2], Status: routecard.StepPending}},
			Attachments: []routecard.Attachment{{CertificateID: "cert_1", StepID: "step_1"}, {CertificateID: "cert_1", StepID: "step_1",
				Voiding: routecard.Voiding{VoidedAt: at, VoidedBy: nasty, VoidReason: nasty}}},
			Certificates: map[string]routecard.Certificate{"cert_1": certificate},
			Notes: []routecard.Note{{Text: nasty, StepID: "step_1", CreatedBy: nasty, CreatedAt: at}, {Text: nasty,
				Voiding: routecard.Voiding{VoidedAt: at, VoidedBy: nasty, VoidReason: nasty}}},
		}, Certs: []choice{{nasty, nasty}}, Reasons: routecard.ScrapReasons(), Trail: []routecard.AuditEntry{entry}}
	}
	closed := card
	closed.Serial.Status = routecard.Scrapped
	closed.Serial.Scrap = &routecard.Scrap{Reason: routecard.Damaged, Explanation: nasty, StepID: "step_2", By: nasty, At: at}
	forced := card
	forced.Serial.Status = routecard.Completed
	forced.Serial.Completion = &routecard.ForceCompletion{By: nasty, At: at, Reason: nasty}
	rows := editor{Rows: []stepRow{{Name: nasty, Location: nasty, Kept: true}, {Optional: true}}, Fixed: nasty,
		StepNames: []string{nasty}, Locations: []string{nasty}, Dependencies: routecard.DependencyTypes()}
	bomRows := bomEditor{Rows: []bomRow{{nasty, "2", []bomJob{{"job_1", nasty}}, nasty}}, Choices: []choice{{nasty, nasty}}}
	bom := routecard.BOM{ID: "bom_1", Name: nasty, Entries: []routecard.BOMEntry{{PartType: nasty, ContributingJobIDs: []string{"job_1"}}}}
	scans := []scanned{{Code: nasty, Kind: "good", Left: nasty, Text: nasty, At: at}, {Code: "SN-00001", Kind: "ask", Text: nasty, At: at}}
	asked := func(question, words string) routecard.InHand {
		return routecard.InHand{SerialID: "SN-00001", Question: question, Words: words}
	}
	operator := "user_1"
	full := func(form string) frame {
		return frame{Title: nasty, Section: "jobs", Operator: nasty, Gone: nasty, People: []routecard.User{user}, Names: map[string]string{"user_1": nasty}, Done: nasty, Path: nasty,
			Now: time.Now(), zone: time.UTC, problem: &problem{form: form, advice: advice{"name", 0, nasty}, values: url.Values{"name": {nasty}}}}
	}
	none := frame{zone: time.UTC}
	days := make([]routecard.DayFigures, routecard.FloorDays)
	days[3].Finished, days[3].Scrapped = 7, 2
	detail := routecard.JobDetail{Job: job, Paths: []routecard.Path{path}}
	column := routecard.BoardColumn{Serials: []string{"SN-00001"},
		StepDistribution: routecard.StepDistribution{StepID: "step_1", StepName: nasty, Location: nasty, SerialCount: 2, IsBottleneck: true}}

	many := func(do string) *manyPage {
		return &manyPage{frame: full(do), Do: do, Title: nasty, Button: nasty, Job: detail, Path: path,
			chosen: chosen{PathID: nasty, Ticks: []ticked{{"SN-00001", 1}}, All: do == ""},
			Groups: []unitGroup{{nasty, "SN-00001"}}, Refusing: []unitGroup{{nasty, "SN-00001"}},
			Certificates: []choice{{nasty, nasty}}, Reasons: routecard.ScrapReasons()}
	}

	head := routecard.ReportHead{Nonconformance: routecard.Nonconformance{ID: "NCR-00001", Title: nasty, Severity: routecard.Major,
		Status: routecard.ReportOpen, OpenedBy: nasty, OpenedAt: at, Description: nasty}}
	hold := routecard.Hold{ID: "hold_1", SerialID: "SN-00001", Reason: nasty, NonconformanceID: "NCR-00001", PlacedBy: nasty, PlacedAt: at}
	onReport := routecard.UnitOnReport{Status: routecard.InProgress, Step: nasty, JobName: nasty, Held: []routecard.Hold{hold},
		NonconformingUnit: routecard.NonconformingUnit{SerialID: "SN-00001"}}
	waiting := onReport
	onReport.Disposition, onReport.Reason, onReport.Concession, onReport.DecidedBy, onReport.DecidedAt = routecard.Repair, nasty, nasty, nasty, at
	decided := onReport
	decided.Decided, decided.Open = true, &routecard.Error{Message: nasty}
	sheet := routecard.ReportSheet{Report: head.Nonconformance, Step: nasty, Units: []routecard.UnitOnReport{waiting, onReport, decided},
		Paths: []routecard.Path{path}, Open: &routecard.Error{Message: nasty}}
	closedReport := head.Nonconformance
	closedReport.Status, closedReport.ClosedBy, closedReport.ClosedAt, closedReport.Summary = routecard.ReportClosed, nasty, at, nasty
	pages := map[string][]any{
		"failure": {&failurePage{frame: none}, &failurePage{frame: full("x"), Message: nasty}},
		"floor": {&floorPage{frame: none}, &floorPage{frame: full("x"), Floor: routecard.Floor{
			Jobs: []routecard.JobOverview{overview}, Days: days, Reasons: []routecard.ReasonFigures{{Reason: routecard.Damaged, Count: 2}},
			Paths:   []routecard.PathStanding{{PathName: nasty, Steps: []routecard.StepStanding{{Name: nasty, Waiting: 3, Bottleneck: true}, {}}}},
			Longest: []routecard.StandingUnit{{SerialListItem: item, Since: at}}, MoreJobs: 1, MorePaths: 2}}},
		"jobs": {&jobsPage{frame: none}, &jobsPage{frame: none, Query: nasty},
			&jobsPage{frame: full("create"), Query: nasty, Jobs: []routecard.JobOverview{overview}, Next: "job_1"}},
		"job": {&jobPage{frame: none}, &jobPage{frame: full("boardpath_1"), Job: detail, Reasons: routecard.ScrapReasons(),
			Certificates: []choice{{nasty, nasty}}, History: []routecard.AuditEntry{entry},
			Boards: []routecard.Board{{Path: path}, {Path: path, Columns: []routecard.BoardColumn{column, {}},
				Counts: routecard.SerialCounts{InProgress: 2, Completed: 1}}}}},
		"route": {&routePage{frame: none}, &routePage{frame: full("route"), editor: rows, Job: detail, Modes: routecard.AdvancementModes(),
			Templates: []routecard.Template{kind}}},
		"serials": {&serialsPage{frame: none}, &serialsPage{frame: full("x"), Here: &unitsHere{nasty, nasty, nasty, 7}, JobName: nasty, Steps: []string{nasty},
			Query: routecard.SerialQuery{Text: nasty, JobID: "j", PathID: "p", StepID: "s"}, Statuses: []routecard.SerialStatus{routecard.Completed},
			Page: routecard.SerialPage{Items: []routecard.SerialListItem{item, {Status: routecard.Scrapped, ScrapReason: routecard.Damaged}}, Next: "SN-00001"}}},
		"card": {unit(full("waivestep_1"), card), unit(full("advance-to"), card), unit(full("scrap"), card), unit(full("note"), card),
			unit(none, closed), unit(none, forced), &cardPage{frame: none}},
		"nonconformances": {&reportsPage{frame: none}, &reportsPage{frame: full("x"), Reports: []routecard.ReportHead{head}, Next: "NCR-00001"}},
		"nonconformance": {&reportPage{frame: none}, &reportPage{frame: full("dispose"), ReportSheet: sheet, Dispositions: routecard.Dispositions(),
			Reasons: routecard.ScrapReasons()}, &reportPage{frame: full("close"), ReportSheet: routecard.ReportSheet{Report: closedReport}}},
		"nonconformanceprint": {&reportPage{frame: none}, &reportPage{frame: full("x"), ReportSheet: sheet},
			&reportPage{frame: full("x"), ReportSheet: routecard.ReportSheet{Report: closedReport}}},
		"nonconformancenew": {&newReportPage{frame: none}, &newReportPage{frame: full("open"), Units: nasty, PathID: "path_1", Path: &path,
			Severities: routecard.Severities()}, &newReportPage{frame: full("open"), All: "0/3", AllName: nasty}},
		"holds": {&holdsPage{frame: none}, &holdsPage{frame: full("x"), Page: routecard.HeldPage{HoldPage: routecard.HoldPage{Items: []routecard.Hold{hold}, Next: "hold_1"}, Scrapped: map[string]bool{hold.SerialID: true}}}},
		"confirm": {&confirmPage{frame: none}, &confirmPage{frame: full("confirm"), Question: nasty, Facts: []string{nasty}, Yes: nasty,
			To: nasty, Back: nasty, Fields: []confirmField{{nasty, nasty}}},
			&confirmPage{frame: full("confirm"), Sign: &signPart{Operation: routecard.SignScrap, Name: nasty}},
			&confirmPage{frame: none, Sign: &signPart{Second: true, Meanings: routecard.SignatureMeanings(), Meaning: "review", SecondLogin: nasty}}},
		"signatures": {&policyPage{frame: none}, &policyPage{frame: full("policy"), Operations: []signedOperation{{routecard.SignScrap, nasty, "self"}},
			Demands: []demandChoice{{"self", nasty}}}},
		"many":  {&manyPage{frame: none}, many("attach"), many("note"), many("scrap"), many("advance"), many("force-complete"), many("")},
		"print": {unit(full("x"), closed), unit(none, forced)},
		"scan": {
			&scanPage{frame: none},
			&scanPage{frame: full("x"), Unit: unit(full("x"), card), Hand: asked("", ""), Result: &scans[0], Scans: scans},
			&scanPage{frame: full("x"), Unit: unit(full("x"), card), Hand: asked(routecard.CodeScrap+"OTHER", nasty), Question: nasty, Result: &scans[1]},
			&scanPage{frame: full("x"), Unit: unit(full("x"), card), Hand: asked(routecard.CodeScrap+"OTHER", ""), Question: nasty, Result: &scans[1]},
			&scanPage{frame: none, Unit: unit(none, forced), Hand: asked(routecard.CodeNote, ""), Question: nasty, Result: &scans[1]},
		},
		"codes": {&codesPage{frame: none}, &codesPage{frame: full("x"), Codes: []commandCode{{routecard.CodeYes, nasty, nasty}}}},
		"ledger": {&ledgerPage{frame: none}, &ledgerPage{frame: full("ledger"), Seals: &sealer.Status{Size: 7, SealedUntil: 1, Origin: nasty,
			VerifierKeys: []string{nasty}, StartedWith: 3, Trouble: nasty, Witnesses: []sealer.WitnessStatus{{Name: nasty, Problem: nasty}}},
			Backups: &backup.Standing{Running: true, Problem: nasty, Backups: []backup.Manifest{{File: nasty, LastEntry: nasty}, {}}}},
			&ledgerPage{frame: none, Seals: &sealer.Status{Findings: []ledger.Finding{{Text: nasty}}}, Backups: &backup.Standing{}},
			&ledgerPage{frame: none, Seals: &sealer.Status{Failing: nasty}}},
		"labels": {&labelsPage{frame: none}, &labelsPage{frame: full("labels"), From: nasty, Labels: []routecard.SerialListItem{item}, Asked: true, NextURL: "/labels"},
			&labelsPage{frame: full("labels"), Chosen: nasty, Asked: true}},
		"certs": {&certificatesPage{frame: none}, &certificatesPage{frame: full("create"), Certificates: []routecard.Certificate{certificate}, Next: "cert_1"},
			&certificatesPage{frame: none, Query: nasty, First: true}},
		"picks": {picksPage{}, picksPage{[]choice{{nasty, nasty}}}},
		"cert": {&certificatePage{frame: none}, &certificatePage{frame: full("x"), Certificate: certificate, Details: details(certificate.Metadata),
			Attachments: []routecard.Attachment{{SerialID: "SN-00001", AttachedBy: nasty}}, More: true}},
		"library": {&libraryPage{frame: none}, &libraryPage{frame: full("process"), Libraries: []libraryList{
			{Library: routecard.Processes, Entries: []routecard.LibraryEntry{{Name: nasty}}}, {Library: routecard.Locations}}}},
		"users": {&usersPage{frame: none}, &usersPage{frame: full("edituser_1"), Users: []routecard.User{user, {}}}},
		"queue": {&queuePage{frame: none}, &queuePage{frame: full("assign"), Only: queueEverybody, Queue: routecard.WorkQueue{
			Groups: []routecard.WorkQueueGroup{{OperatorID: &operator, OperatorName: nasty, Jobs: slices.Repeat([]routecard.WorkQueueJob{
				{JobName: nasty, StepID: "step_1", SerialIDs: []string{"SN-00001"}, PartCount: 2}}, queueRows+1)}, {}}}},
			&queuePage{frame: none, Only: "user_1", Queue: routecard.WorkQueue{Groups: []routecard.WorkQueueGroup{{OperatorName: nasty}}}}},
		"templates": {&templatesPage{frame: none}, &templatesPage{frame: full("route"), editor: rows, Templates: []routecard.Template{kind}}},
		"template":  {&templatePage{frame: none}, &templatePage{frame: full("apply"), editor: rows, Template: kind, Jobs: []choice{{nasty, nasty}}}},
		"audit": {&auditPage{frame: none}, &auditPage{frame: full("x"), Query: url.Values{"user": {nasty}}, Actions: routecard.AuditActions(),
			Page: routecard.AuditPage{Entries: []routecard.AuditEntry{entry}, Next: routecard.AuditID(1)}}},
		"bom": {&bomsPage{frame: none}, &bomsPage{frame: full("create"), bomEditor: bomRows, BOMs: []routecard.BOM{bom}}},
		"bomdetail": {&bomPage{frame: none}, &bomPage{frame: full("edit"), bomEditor: bomRows, Jobs: map[string]string{"job_1": nasty},
			BOM:      routecard.BOMDetail{BOM: bom, Summary: routecard.BOMSummary{Entries: []routecard.BOMSummaryEntry{{PartType: nasty}}}},
			Versions: []routecard.BOMVersion{{VersionNumber: 1, ChangeDescription: nasty, ChangedBy: nasty}},
			Compare: &comparison{nasty, nasty, routecard.CompareBOM(
				[]routecard.BOMEntry{{PartType: nasty, RequiredQuantityPerBuild: 1}, {PartType: "x"}},
				[]routecard.BOMEntry{{PartType: nasty, RequiredQuantityPerBuild: 2}, {PartType: "y"}})}}},
	}
	known := func(form string) frame {
		f := full(form)
		f.Guarded, f.Me = true, &access.Identity{User: user, Permissions: routecard.Permissions(), Session: access.Session{ID: "sess_1"}}
		return f
	}
	held := tokens{
		Tokens: []access.Token{{ID: "tok_1", Name: nasty, Permissions: routecard.Permissions(), LastUsedAt: at}, {}}, NewToken: nasty,
		MayTokens: routecard.Permissions(), NewBadge: nasty, BadgeName: nasty, TokensAt: "/me", Current: "sess_1",
	}
	sessions := []access.Session{{ID: "sess_1", Address: nasty}, {ID: "sess_2"}}
	named := user
	named.Login, named.Roles = "a.ruiz", []string{"admin"}
	pages["setup"] = []any{&setupPage{frame: none}, &setupPage{frame: full("setup"), Code: nasty, Valid: true}}
	pages["signin"] = []any{&signInPage{frame: none}, &signInPage{frame: full("signin"), Next: nasty, Station: nasty, Badge: nasty}}
	pages["me"] = []any{
		&mePage{frame: known("token"), Account: access.Account{Password: true, PIN: true, Badge: "b"}, Sessions: sessions, tokens: held, Permissions: routecard.Permissions()},
		&mePage{frame: known("pin")}, &mePage{frame: known("password"), Account: access.Account{Password: true, MustChange: true}},
	}
	pages["account"] = []any{
		&accountPage{frame: known("account"), User: user, Roles: access.Roles()},
		&accountPage{frame: known("password"), User: named, Roles: access.Roles(), Sessions: sessions, tokens: held, Account: access.Account{LockedUntil: at, PIN: true, Password: true, Badge: "b"}},
	}
	pages["stations"] = []any{
		&stationsPage{frame: known("make")},
		&stationsPage{frame: known("revoke"), This: access.Station{ID: "stn_1", Name: nasty}, Stations: []access.Station{{ID: "stn_1", Name: nasty, CreatedBy: nasty}}},
	}
	views := loadViews(loadAssets())
	for name, view := range views {
		if len(pages[name]) == 0 {
			t.Errorf("template %s is executed with no data here", name)
		}
		for i, page := range pages[name] {
			var written strings.Builder
			if err := view.ExecuteTemplate(&written, "layout", page); err != nil {
				t.Errorf("%s, data %d: %v", name, i, err)
			}
			if strings.Contains(written.String(), "<script>alert") {
				t.Errorf("%s, data %d: a name is written as markup", name, i)
			}
		}
	}
	for name := range pages {
		if views[name] == nil {
			t.Errorf("there is no template %s", name)
		}
	}
}

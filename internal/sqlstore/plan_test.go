package sqlstore

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/lists"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/notice"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// planning reads the plan of each statement before it runs the statement.
type planning struct {
	db.Querier
	postgres bool
	t        *testing.T
	plans    map[string]string
}

func (p *planning) explain(text string, args []any) {
	if _, done := p.plans[text]; done || len(text) > statementLimit {
		return
	}
	ask, read := "EXPLAIN QUERY PLAN ", func(r db.Rows) (detail string, err error) {
		var id, parent, unused int64
		err = r.Scan(&id, &parent, &unused, &detail)
		return detail, err
	}
	if p.postgres {
		ask, read = "EXPLAIN ", db.Scalar[string]
	}
	steps, err := db.All(p.Querier, read, ask+text, args...)
	if err != nil {
		p.t.Errorf("%s: %v", text, err)
	}
	p.plans[text] = strings.Join(steps, "\n")
}

func (p *planning) Query(text string, args ...any) (db.Rows, error) {
	p.explain(text, args)
	return p.Querier.Query(text, args...)
}

func (p *planning) Exec(text string, args ...any) (int64, error) {
	p.explain(text, args)
	return p.Querier.Exec(text, args...)
}

// scan matches a step of a plan that reads a whole table or index. A statement may scan its own intermediate results (the numbers of a
// batch, a list in an argument, the certificates of one serial) and tables with a few settings.
var scan = regexp.MustCompile(`SCAN (\w+)`)

func TestNoStatementScansATable(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		store := openSQLite(t, shopFile(t), Options{})
		stock(t, store, 3)
		plans := map[string]string{}
		plan := func(do func(*lists.Reader) error) error {
			return store.Update(t.Context(), func(tx shop.Tx) error {
				q := &planning{Querier: tx.(db.Querier), t: t, plans: plans}
				return do(lists.New(db.Core{Querier: q, Prefix: ident.DefaultPrefix, PathCache: db.NewPathCache()}))
			})
		}
		must(t, plan(everyStatement))
		everyMethod(t, plan)
		refuseScans(t, plans, scan)
		recalls := 0
		for statement, plan := range plans {
			if strings.Contains(statement, "direct (number, since, how)") {
				recalls++
				if !strings.Contains(plan, "COVERING INDEX component_by_lot") {
					t.Errorf("a recall looks up a row for each unit of a lot:\n%s", plan)
				}
			}
		}
		if recalls == 0 {
			t.Error("no recall ran")
		}
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		store := openPostgres(t, shopDatabase(t))
		stock(t, store, 3)
		plans := map[string]string{}
		plan := func(do func(*lists.Reader) error) error {
			return store.write(t.Context(), func(tx statement.Update) error {
				u := tx.(*postgresUpdate)
				// PostgreSQL prefers to scan the small tables of a test. With scans discouraged, it scans a table only when no index can be
				// used.
				if err := db.Run(u, `SET LOCAL enable_seqscan = off`); err != nil {
					return err
				}
				at := u.Core
				at.Querier = &planning{Querier: u.Querier, postgres: true, t: t, plans: plans}
				return do(lists.New(at))
			})
		}
		must(t, plan(func(p *lists.Reader) error {
			details := func(r db.Rows) (struct{}, error) { return struct{}{}, scanDetail(p.Prefix, r, map[int64]*detailed{}) }
			return errors.Join(everyStatement(p), ran(db.All(p.Querier, details, selectDetails, []int64{1, 2})))
		}))
		everyMethod(t, plan)
		refuseScans(t, plans, sequential)
	})
}

// sequential matches a step of PostgreSQL's plan that reads a whole table.
var sequential = regexp.MustCompile(`Seq Scan on (\w+)`)

// byStatusAlone matches a step of a plan that reads all serials of a status, rather than those of a status at one place.
var byStatusAlone = regexp.MustCompile(`serial_by_status \(status=\?\)|serial_by_status [^\n]*\n\s*Index Cond: \(\(?status = [^)]*\)\n`)

// scanned lists the names that statements may scan.
var scanned = []string{
	"numbers", "a", "CONSTANT", "json_each", "signature_policy", "organization", "notice_settings", "second_factor_role", "ledger_key",
	"ledger_tree", "line", "held", "above", "below", "cause", "direct", "stand", "unit",
}

func refuseScans(t *testing.T, plans map[string]string, scan *regexp.Regexp) {
	t.Helper()
	if len(plans) < 50 {
		t.Errorf("only %d statements ran", len(plans))
	}
	for statement, plan := range plans {
		for _, match := range scan.FindAllStringSubmatch(plan, -1) {
			if !slices.Contains(scanned, match[1]) {
				t.Errorf("%s\nscans %s:\n%s", statement, match[1], plan)
			}
		}
		// Units closed in a period are found by their time.
		if strings.Contains(statement, "updated_at >= $1") && !strings.Contains(statement, "path_id =") && !strings.Contains(plan, "serial_closed") {
			t.Errorf("%s\ndoes not look at a span of time:\n%s", statement, plan)
		}
		// An index by status contains all serials in progress. A statement that reads serials by number must not use it.
		if strings.Contains(statement, "number IN (") && byStatusAlone.MatchString(plan) {
			t.Errorf("%s\nlooks through all serials of a status:\n%s", statement, plan)
		}
	}
}

// everyMethod calls each method of a transaction in a separate transaction, with non-empty arguments. Writes are rolled back, and errors
// are ignored: the plan of a statement is known before it runs. This covers the statements of every noun. everyStatement runs the
// statements that need other arguments.
func everyMethod(t *testing.T, plan func(do func(*lists.Reader) error) error) {
	t.Helper()
	errTakenBack := errors.New("taken back")
	for method := range reflect.TypeFor[shop.Tx]().Methods() {
		_ = plan(func(p *lists.Reader) error {
			call := reflect.ValueOf(p).MethodByName(method.Name)
			args := make([]reflect.Value, method.Type.NumIn())
			for i := range args {
				args[i] = something(method.Type.In(i))
			}
			results := call.Call
			if method.Type.IsVariadic() {
				results = call.CallSlice
			}
			for _, result := range results(args) {
				if result.Kind() == reflect.Func {
					for range result.Seq2() {
						break
					}
				}
			}
			return errTakenBack
		})
	}
}

// something returns a value of the given type, non-empty if possible.
func something(of reflect.Type) reflect.Value {
	value := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.String:
		value.SetString("SN-00001")
	case reflect.Int, reflect.Int64:
		value.SetInt(1)
	case reflect.Uint8:
		value.SetUint('1')
	case reflect.Slice:
		return reflect.Append(value, something(of.Elem()))
	case reflect.Struct:
		for i := range of.NumField() {
			if of.Field(i).IsExported() {
				value.Field(i).Set(something(of.Field(i).Type))
			}
		}
	default:
	}
	return value
}

// everyStatement runs each statement of operations and pages once.
func everyStatement(p *lists.Reader) error {
	exceptions := []card.StepException{{StepID: "step_a", Status: card.StepSkipped}}
	override := card.Override{ID: "snso_1", SerialID: "SN-00001", StepID: "step_a", Active: true}
	attachment := shop.Attachment{ID: "catt_1", SerialID: "SN-00001", CertificateID: "cert_1", StepID: "step_a"}
	bom := shop.BOM{ID: "bom_1", Entries: []shop.BOMEntry{}}
	path, err := p.Path("path_1")
	changed := path
	changed.Name = "changed"
	errs := []error{
		err, p.InsertOverrides([]card.Override{override}), p.InsertCertificate(shop.Certificate{ID: "cert_1"}),
		p.InsertAttachments([]shop.Attachment{attachment}), p.UpdatePath(path, changed), p.UpdateJob(shop.Job{ID: "job_1"}),
		p.InsertNote(shop.Note{ID: "note_1", StepID: "step_a", SerialIDs: []string{"SN-00001"}}),
		p.InsertBOM(bom), p.UpdateBOM(bom), p.InsertBOMVersion(shop.BOMVersion{BOMID: "bom_1", VersionNumber: 1}),
		p.InsertLibraryEntry(shop.Processes, shop.LibraryEntry{ID: "1", Name: "n"}), p.DeleteLibraryEntry(shop.Processes, "1"),
		p.InsertSerials(shop.SerialBatch{First: 10, Quantity: 10, PathID: "path_1"}), p.AppendAudit(trail.Entry{Action: "x"}),
	}
	unit, err := p.RouteCard("SN-00001")
	change := card.Change{Serial: unit.Serial, Moved: true, Exceptions: exceptions}
	errs = append(errs, err, p.WriteCard(1, &change))
	change.Serial.Scrap, change.Reversed = &card.Scrap{Reason: "other"}, []card.Override{override}
	hold := card.Hold{ID: "hold_1", SerialID: "SN-00001", PlacedBy: "u", PlacedAt: 1}
	change.Held, change.Released, change.Lifted = []card.Hold{hold}, []card.Hold{hold}, []string{"step_a"}
	errs = append(errs, ran(p.Holds(true, "", 5)), ran(p.Holds(false, "", 5)), ran(p.HoldsOfSerial("SN-00001")),
		ran(p.OpenHolds([]string{"SN-00001"})), ignore(p.Hold("hold_1")))
	errs = append(errs, p.WriteCard(1, &change), p.InsertOverrides([]card.Override{{ID: "snso_2", SerialID: "SN-00002", StepID: "b", Active: true}}),
		ran(p.RouteCards([]string{"SN-00001", "SN-00002"})), ran(p.TakeSerialNumbers(1)), ran(p.Job("job_1")),
		ran(p.PathsOfJob("job_1")), ran(p.PathOfStep("step_a")),
		p.LockUnitsOfJob("job_1"), ran(p.UnitPlaces("path_1")), p.Reroute(replay.Rerouting{PathID: "path_1", Places: []int{1, 0}, Moves: []replay.UnitMove{{By: 1}, {Done: true, By: 1}},
			Passed: []replay.NewStepPassed{{StepID: "step_new", Status: card.StepDeferred}}}),
		ran(p.PathHasSerials("path_1")), ran(p.StepReferred("step_a")), ran(p.OverridesOfSerial("SN-00001")),
		ran(p.Certificate("cert_1")), ran(p.CertificatesOfSerial("SN-00001")), ran(p.AttachmentsOfSerial("SN-00001")),
		ran(p.AttachmentsAmong("cert_1", []string{"SN-00001"})), ran(p.BOM("bom_1")), ran(p.LatestBOMVersion("bom_1")),
		p.InsertTicketLink("SHOP-1", "jira.example/1", "job_1"), p.MarkNotePushed("note_1", "1", 1), p.PutNotePost(shop.NotePost{NoteID: "note_1"}),
		ran(p.DismissFiles(1, 1)), p.ForgetFile("x"), p.PutFile(shop.File{}), p.PutFileUpload("", "u", 1), ran(p.File("")),
		p.AttachFile([]shop.FileLink{{ID: "flnk_1", On: shop.FileSubject{Kind: shop.RecordStep, ID: "step_a"}}}),
		ran(p.FileUploadedBy("", "u")), ran(p.FileLinks(shop.FileSubject{Kind: shop.RecordStep, ID: "step_a"})), ran(p.FileLink("flnk_1")),
		p.VoidFileLink("flnk_1", card.Voiding{VoidedAt: 1}),
		ran(p.Note("note_1")), ran(p.NotePost("note_1")), p.DeleteNotePost("note_1"),
		ran(p.TakeNonconformanceNumber()), p.InsertNonconformance(shop.Nonconformance{ID: "NCR-00001", StepID: "step_a"}),
		p.InsertNonconformingUnits("NCR-00001", []shop.NonconformingUnit{{SerialID: "SN-00001"}}), ran(p.Nonconformance("NCR-00001")),
		p.DisposeUnits("NCR-00001", []string{"SN-00001"}, shop.NonconformingUnit{}), ran(p.UnitFigures([]string{"NCR-00001"})),
		ran(p.Nonconformances(shop.NonconformanceQuery{Status: shop.ReportOpen, SerialID: "SN-00001", JobID: "job_1", Limit: 1})),
		ran(p.Nonconformances(shop.NonconformanceQuery{Status: shop.ReportClosed, Limit: 1})),
		p.CloseNonconformance(shop.Nonconformance{ID: "NCR-00001"}),
		p.VoidNote("note_1", card.Voiding{VoidedAt: 1}), ran(p.Attachment("catt_1")),
		p.VoidAttachment("catt_1", card.Voiding{VoidedAt: 1}), ignore(p.JobOfTicket("SHOP-1")), ignore(p.JobOfIssue("jira.example/1")),
		p.Remember(card.Remembered{Once: card.Once{Key: "k"}}), ran(p.Remembered("", "k")), ran(p.Forget(1, 10)),
		ignore(p.SignatureTicket("a")), ran(p.SignatureTicketsFor("r")), p.InsertUser(shop.User{ID: "user_1"}),
		p.InsertSignatureTicket(shop.SignatureTicket{Hash: "a", UserID: "user_1"}), p.UseSignatureTicket("a", "r", 1),
		p.DeleteSignatureTicketsBefore(1), ran(p.UserSigns("user_1")), p.PutSignaturePolicy(shop.SignaturePolicy{shop.SignScrap: shop.SignedBySelf}),
		ran(p.Organizations()), p.PutOrganization(shop.Organization{ID: shop.OrganizationID}),
		ran(p.NoticeSettings()), p.PutNoticeSettings(notice.Unset()), p.LockNotices(), ran(p.InsertNoticeCause(notice.UnitsHeld, "k", "2026-01-31")),
		p.PutNotice(notice.Message{ID: "ntc_1"}), ran(p.WaitingNotices(10)), ran(p.LatestNotices(10)), p.ForgetNotices(1, "2026-01-31"),
		ran(p.CountStanding([]string{"path_1"})), ran(p.CountExceptions("path_1")), ran(p.CountAhead("path_1")), ran(p.PathsOfJobs([]string{"job_1"})),
		ran(p.MovesBetween(0, 10)), ran(p.Routes([]string{"path_1"})), ran(p.RoutesOfOperator("ann")),
		ran(p.Waiting([]views.Place{{PathID: "path_1"}}, 0, 10)),
		ran(p.Waiting([]views.Place{{PathID: "path_1"}, {PathID: "path_1", Position: 1}}, 0, 10)),
		ran(p.OldestWaiting([]views.Place{{PathID: "path_1"}})), ran(p.HeldWaiting()), ran(p.UndoneOf([]string{"SN-00001"})),
		ran(p.SequencesOfSerial("SN-00001", 10)),
		ran(p.ReleasedHolds("NCR-00001", []string{"SN-00001"})), ran(p.StandingStill([]int64{1})),
		ran(p.OwnNumbersNow([]int64{1, 3})), ran(p.OwnNumbersNow([]int64{1, 2})),
		ran(p.SerialsInScope("part a", []string{"1", "2"})),
		ran(p.CharacteristicsOfJob("job_1")), ran(p.ChartedReadings(shop.ChartedQuery{CharacteristicID: "char_1", From: 1, To: 2, Limit: 10})),
		ran(p.SerialsStanding("path_1", 0, 10)), ran(p.JobsOfPaths([]string{"path_1"})), drained(p.JobsMatching(views.JobFilter{PartNumber: "a", Customer: "b", OrderNumber: "c", DueBefore: "d", DueAfter: "e", GTIN: "1"}, "")),
		ran(p.Places(views.PlaceFilter{Job: views.JobFilter{PartNumber: "a", Customer: "b", OrderNumber: "c"}}, 5)), ran(p.ClosedByQuarter(1)),
		ran(p.SearchSerials(views.SerialSearch{Before: 10, Limit: 10})), ran(p.JobsAmong([]string{"job_1"}, views.JobFilter{})),
		ran(p.SearchSerials(views.SerialSearch{Before: 10, After: 1, Oldest: true, Limit: 10})), searchedUnits(p), ran(p.LastAuditSequence()), ran(p.AuditAfter(0, 10)),
		searched(p.SearchAudit(views.AuditQuery{SerialID: "SN-00001"}, 0, 10, 10)),
		drained(p.Jobs()), drained(p.Serials(0)), drained(p.Certificates()), drained(p.AttachmentsOfCertificate("cert_1")),
		drained(p.NotesOfSerial("SN-00001")), drained(p.NotesOfStep("step_a")), drained(p.Notes()), drained(p.BOMs()), drained(p.BOMVersions("bom_1")),
		drained(p.LibraryEntries(shop.Processes)), drained(p.Users()), ran(p.Language("user_1")), drained(p.Templates()),
		calledEverything(p), listedEverything(p), ran(p.CreationsAt("path_1", 1)), drained(p.ChangesOfPath("path_1")), drained(p.ChangesOfUsers()),
		drained(p.AuditEntries(10, 0)), drained(p.AuditOfSerial("SN-00001")), drained(p.AuditOfJob("job_1")),
		drained(p.AuditOfRecord("lot_1")), ran(p.Reworks([]string{"SN-00001", "SN-00002"})))
	return errors.Join(errs...)
}

// calledEverything runs each statement of the search by name, for every kind of record that declares names.
func calledEverything(p *lists.Reader) (err error) {
	for _, record := range shop.Records() {
		if len(record.Called) > 0 {
			_, missing := p.CalledExactly(record.Kind, "NCR-00001")
			err = errors.Join(err, ignore(0, missing), ran(p.CalledFrom(record.Kind, "a", 5)), ran(p.CalledLately(record.Kind, 5)))
		}
	}
	return err
}

// listedEverything reads pages of every list in each of its orders: from the beginning, after a row, and of the changes since a time.
func listedEverything(p *lists.Reader) error {
	errs := []error{
		ran(p.UnitsWithin("", ident.NumberRange{First: 1, Last: 5}, 5)), ran(p.UnitsWithin("path_1", ident.NumberRange{First: 1, Last: 5}, 5)),
		ran(p.UnitsNumbered([]int64{1, 2})), ran(p.JobsWithGTIN("1", 5)), ran(p.GTINsOfJobs([]string{"job_1"})),
	}
	value := func(numbers bool) any {
		if numbers {
			return int64(1)
		}
		return "a"
	}
	narrowed := map[views.ListName][]any{
		views.ListHolds: {shop.HoldQuery{Open: true}},
		views.ListMeasurements: {
			shop.MeasurementQuery{CharacteristicID: "a", StepID: "a"}, shop.MeasurementQuery{JobID: "a"}, shop.MeasurementQuery{SerialID: "SN-00001"},
			shop.MeasurementQuery{InstrumentID: "a"}, shop.MeasurementQuery{Verdict: card.VerdictFail, From: 1, To: 2},
		},
		views.ListLots: {shop.LotQuery{Held: true, Text: "a"}, shop.LotQuery{PartNumber: "a", HeatNumber: "a", Supplier: "a"}},
		views.ListShipments: {
			shop.ShipmentQuery{Text: "a", Kind: card.ToCustomer, Supplier: "a", Customer: "a", SerialID: "SN-00001", Status: shop.ShipmentOverdue},
			shop.ShipmentQuery{Status: shop.ShipmentOpen}, shop.ShipmentQuery{Status: shop.ShipmentClosed}, shop.ShipmentQuery{Status: shop.ShipmentShipped},
		},
		views.ListConformances: {
			shop.ConformanceQuery{Text: "a", Customer: "a", SerialID: "SN-00001", JobID: "a", Status: shop.ConformanceIssued},
			shop.ConformanceQuery{Status: shop.ConformanceWithdrawn},
		},
		views.ListFirstArticles: {
			shop.FirstArticleQuery{Text: "a", PartNumber: "a", JobID: "a", PathID: "a", SerialID: "SN-00001", Status: shop.FirstArticleApproved},
		},
		views.ListReports: {
			shop.NonconformanceQuery{Status: shop.ReportOpen, SerialID: "SN-00001"}, shop.NonconformanceQuery{Status: shop.ReportClosed, JobID: "a"},
		},
	}
	for _, list := range views.StoredLists() {
		for _, only := range narrowed[list.Name] {
			for _, order := range list.Orders() {
				_, _, err := p.ListRows(&list, views.ListWindow{Order: order, Narrowed: only, Limit: 10})
				errs = append(errs, err)
			}
		}
		for _, order := range list.Orders() {
			window := views.ListWindow{Order: order, Limit: 10}
			if list.Owned {
				window.Owner = value(list.OfUnit)
			}
			for range 3 {
				_, _, err := p.ListRows(&list, window)
				errs = append(errs, err)
				if window.Since == 0 && order.Name == "updatedAt" {
					window.Since = 1
					continue
				}
				window.After = &views.ListPosition{By: value(order.By.Numbers()), Place: value(list.Numbered)}
			}
		}
	}
	return errors.Join(errs...)
}

// searchedUnits searches for units with the filters of the list of units, and counts them.
func searchedUnits(p *lists.Reader) error {
	var errs []error
	at := []views.Place{{PathID: "path_1", Position: 1}, {PathID: "path_2", Position: views.AnyPosition}}
	for _, search := range []views.SerialSearch{
		{Hold: views.OnHold}, {Hold: views.OnHold, Status: card.InProgress, Places: at}, {Hold: views.NotOnHold, Places: at},
		{Closed: views.Span{From: 1}}, {Closed: views.Span{From: 1, Until: 2}, Status: card.Scrapped, Reason: card.Damaged, Places: at},
	} {
		search.Before, search.Limit = 10, 10
		errs = append(errs, ran(p.SearchSerials(search)))
		if search.Hold != views.NotOnHold { // this filter reads the stored counts
			errs = append(errs, ran(p.CountUnits(search)))
		}
	}
	return errors.Join(errs...)
}

func ran[T any](_ T, err error) error { return err }

func searched(_ []trail.Entry, _ bool, err error) error { return err }

// ignore discards the result of a look-up.
func ignore[T any](_ T, err error) error {
	if errors.Is(err, shop.ErrNoRecord) {
		return nil
	}
	return err
}

func drained[T any](rows iter.Seq2[T, error]) error {
	for _, err := range rows {
		if err != nil {
			return err
		}
	}
	return nil
}

// Migrations keep a shop's data, from every version of the tables to the newest version.
func TestMigrationsKeepData(t *testing.T) {
	t.Parallel()
	files := migrations.Of("sqlite")
	versions, err := fs.Glob(files, "*.sql")
	must(t, err)
	for i := range versions {
		file := filepath.Join(t.TempDir(), "shop.db")
		db, err := sql.Open("sqlite", sqliteDSN(file))
		must(t, err)
		provider, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
		must(t, err)
		from := provider.ListSources()[i].Version
		_, err = provider.UpTo(t.Context(), from)
		must(t, err)
		_, err = db.ExecContext(t.Context(), fmt.Sprintf(`PRAGMA application_id = %d;
			INSERT INTO job (id, name, goal_quantity, ticket_key, ticket_summary, part_number, priority, epic_link, labels, created_at, updated_at)
				VALUES ('job_1', 'J', 1, '', '', '', '', '', '', 1, 1);
			INSERT INTO path (id, job_id, name, goal_quantity, advancement_mode, revision, created_at, updated_at)
				VALUES ('path_1', 'job_1', 'P', 1, 'strict', 'r', 1, 1);
			INSERT INTO step VALUES ('step_1', 'path_1', 0, 'S', '', '', 0, 'preferred');
			INSERT INTO serial (number, path_id, position, status, created_at, updated_at) VALUES (1, 'path_1', 0, 'in_progress', 1, 1);
			UPDATE counter SET value = 1 WHERE name = 'serial';
			INSERT INTO audit (sequence, action, user_id, at, serial_number, certificate_id, job_id, path_id, step_id, from_step_id,
				to_step_id, batch_quantity, metadata) VALUES (1, 'x', 'u', 1, 1, '', 'job_1', 'path_1', '', '', '', 0, '')`, applicationID))
		must(t, err)
		must(t, db.Close())
		store := openSQLite(t, file, Options{})
		must(t, store.ChangeCard(t.Context(), "SN-00001", forward))
		expectPosition(t, store, "SN-00001", 1)
		must(t, store.View(t.Context(), func(tx shop.Reader) error {
			entries := 0
			for _, err := range tx.AuditOfJob("job_1") {
				if err != nil {
					return err
				}
				entries++
			}
			if entries != 2 {
				t.Errorf("from version %d: %d audit entries, want 2", from, entries)
			}
			return nil
		}))
	}
}

// The statements of an advance create no temporary table. SQLite creates one for a list in a condition.
func TestAdvancesMakeNoTables(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, shopFile(t), Options{})
	for _, statement := range []string{
		strings.NewReplacer("$1", "1", "$2", "1", "$3", "'in_progress'", "$4", "1").Replace(statement.MoveOn),
		`INSERT INTO audit (` + statement.AuditNames + `) VALUES ('a', 'u', 1, 1, '', '', '', '', '', '', 0, '', '', '')`,
		`INSERT INTO remembered (` + statement.RememberedColumns + `) VALUES ('', 'k', '', '', 1)`,
		`INSERT INTO attachment (` + statement.AttachmentKept + `) VALUES (1` + strings.Repeat(`, ''`, strings.Count(statement.AttachmentKept, ",")) + `)`,
	} {
		result, err := store.db.QueryContext(t.Context(), "EXPLAIN "+statement)
		must(t, err)
		for result.Next() {
			columns := make([]any, 8)
			into := make([]any, len(columns))
			for i := range columns {
				into[i] = &columns[i]
			}
			must(t, result.Scan(into...))
			if columns[1] == "OpenEphemeral" {
				t.Errorf("it makes a table: %s", statement)
			}
		}
		must(t, errors.Join(result.Err(), result.Close()))
	}
}

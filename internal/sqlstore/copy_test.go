package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/notice"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/shop/workorder"
)

// fillEverything inserts rows into every table, with texts that databases often store incorrectly.
func fillEverything(t testing.TB, store Store) {
	t.Helper()
	const strange = "ü ' \" \\ \\N \t\n\r \U0001F600 \u2028"
	stock(t, store, 3000)
	must(t, store.Update(t.Context(), func(tx shop.Tx) error {
		labels := []string{"a", strange}
		job := shop.Job{ID: "job_2", Name: strange, GoalQuantity: 1<<53 - 1, CreatedAt: -5}
		job.TicketFields = shop.TicketFields{TicketKey: "K-1", Labels: &labels}
		job.OrderFields = workorder.OrderFields{PartNumber: strange, PartRevision: "B", Customer: strange, OrderNumber: "4711",
			Description: strange, DueDate: "2026-12-31", Priority: 5}
		user := shop.User{ID: "user_1", Name: "U", Active: true}
		idle := shop.User{ID: "user_2", Name: strange, Department: "D"}
		path := card.Path{ID: "path_2", JobID: "job_2", Name: "P", GoalQuantity: 2, DueDate: "2026-12-30", AdvancementMode: card.PerStep, Steps: []card.ProcessStep{
			{ID: "step_y", Name: "Y", Location: strange, AssignedTo: "user_1", Optional: true, DependencyType: card.Physical},
		}}
		return errors.Join(tx.InsertJob(job), tx.InsertUser(user), tx.InsertUser(idle), tx.InsertPath(path),
			tx.InsertOverrides([]card.Override{
				{ID: "snso_1", SerialID: "SN-00001", StepID: "step_b", Active: true, Reason: strange, CreatedBy: "u"},
				{ID: "snso_2", SerialID: "SN-00002", StepID: "step_b", CreatedBy: "u"},
			}),
			tx.InsertCertificate(shop.Certificate{ID: "cert_1", Type: shop.MaterialCertificate, Name: "C", Metadata: []byte(`{"a": 1.0}`)}),
			tx.InsertAttachments([]shop.Attachment{{ID: "catt_1", SerialID: "SN-00003", CertificateID: "cert_1", StepID: "step_a"}}),
			tx.VoidAttachment("catt_1", card.Voiding{VoidedAt: 3, VoidedBy: "u", VoidReason: strange}),
			tx.InsertAttachments([]shop.Attachment{{ID: "catt_2", SerialID: "SN-00003", CertificateID: "cert_1", StepID: "step_a"}}),
			tx.InsertNonconformance(shop.Nonconformance{ID: "NCR-00001", Title: strange, Severity: shop.Major, OpenedBy: "u", OpenedAt: 1}),
			tx.InsertNonconformingUnits("NCR-00001", []shop.NonconformingUnit{{SerialID: "SN-00002", Reason: strange}}),
			tx.InsertNote(shop.Note{ID: "note_1", SerialIDs: []string{"SN-00001", "x"}, Text: strange, PushedToTracker: true}),
			tx.VoidNote("note_1", card.Voiding{VoidedAt: 4, VoidedBy: "u", VoidReason: strange}),
			tx.PutFile(shop.File{SHA256: "d", Size: 1 << 40, Type: "image/png", Pixels: 2, UploadedAt: 3, State: shop.FileKept}),
			tx.PutFileUpload("d", strange, 4),
			tx.AttachFile([]shop.FileLink{{
				ID: "flnk_1", SHA256: "d", Name: strange, Kind: shop.Photo, Note: strange, AttachedBy: "u", AttachedAt: 5,
				On: shop.FileSubject{Kind: shop.RecordJob, ID: "job_2"},
			}}),
			tx.InsertCharacteristics(card.CharacteristicSet{
				ID: "chset_1", StepID: "step_a", Revision: 1, Characteristics: []card.Characteristic{{ID: "char_1", Name: strange}},
			}),
			tx.InsertRequirements(card.RequirementSet{
				ID: "reqs_1", StepID: "step_a", Revision: 1, Requirements: card.Requirements{Components: []string{strange}},
			}),
			tx.InsertShipment(shop.Shipment{ID: "SHP-00002", Kind: card.ToSupplier, Supplier: strange, SentOn: "2026-01-31"}),
			tx.InsertShipmentLines([]card.ShipmentLine{{ShipmentID: "SHP-00002", SerialID: "SN-00003", StepID: "step_a", Pass: 1}}),
			tx.InsertReceipt(shop.Receipt{ID: "rcpt_1", ShipmentID: "SHP-00002", Missing: []shop.MissingUnit{{SerialID: strange, Reason: strange}}}),
			tx.InsertConformance(shop.Conformance{ID: "COC-00002", ConformanceIssue: shop.ConformanceIssue{
				ConformanceID: "COC-00002", Revision: 2, Customer: strange, Lines: []shop.ConformanceLine{{JobID: "job_2", Remarks: strange}},
			}}),
			tx.InsertConformanceUnits([]shop.ConformanceUnit{{ConformanceID: "COC-00002", Revision: 2, SerialID: "SN-00003", Pass: 2, Open: true}}),
			tx.InsertFirstArticle(shop.FirstArticle{
				ID: "FAI-00001", JobID: "job_2", PathID: path.ID, SerialIDs: []string{"SN-00002"}, Reason: strange,
			}),
			tx.InsertMeasurements([]card.Measurement{{ID: "meas_1", SerialID: "SN-00002", Number: strange, Value: strange, Pass: 2, MeasuredAt: 6}}),
			tx.GiveOwnNumbers([]shop.OwnNumber{{SerialID: "SN-00002", Number: strange, JobID: "job_2", Scope: strange, GivenAt: 6}}),
			tx.CountBatch("step_a", shop.SerialBatch{First: 2, Quantity: 1}), tx.SetFirstPiece("step_a", "SN-00002"),
			tx.InsertTicketLink("K-1", "jira.example/1", "job_2"), tx.PutNotePost(shop.NotePost{NoteID: "note_1", Claimant: "h", ClaimedUntil: 5}),
			tx.InsertBOM(shop.BOM{ID: "bom_1", Name: "B", Entries: []shop.BOMEntry{{ID: "bome_1", RequiredQuantityPerBuild: 0.1}}}),
			tx.InsertBOMVersion(shop.BOMVersion{ID: "bomv_1", BOMID: "bom_1", VersionNumber: 1, EntriesSnapshot: []byte(`[]`)}),
			tx.InsertLibraryEntry(shop.Processes, shop.LibraryEntry{ID: "plib_1", Name: "ä"}),
			tx.InsertTemplate(shop.Template{ID: "tmpl_1", Name: "T"}), tx.PutLanguage("user_1", "de"),
			tx.PutSignaturePolicy(shop.SignaturePolicy{shop.SignScrap: shop.SignedBySecond}),
			tx.PutOrganization(shop.Organization{ID: shop.OrganizationID, Name: "n", Address: "a", Lang: "en"}),
			tx.PutNoticeSettings(notice.Settings{ID: notice.SettingsID, Rows: []notice.Row{{Kind: notice.UnitsHeld, Hook: strange}}}),
			ignore(tx.InsertNoticeCause(notice.UnitsHeld, strange, "2026-01-31")),
			tx.PutNotice(notice.Message{ID: "ntc_1", Target: strange, Causes: []notice.Cause{{Key: strange}}, Answer: strange}),
			tx.InsertLedgerTree(shop.LedgerTree{Number: 1, Origin: "o"}), tx.PutLedgerKey(shop.LedgerKey{VerifierKey: "k"}),
			tx.PutLedgerTiles(1, []shop.LedgerTile{{Hashes: []byte{1, 2}}}),
			tx.PutLedgerCheckpoint(1, shop.LedgerCheckpoint{Size: 1}), tx.PutLedgerCosigned(1, shop.LedgerCheckpoint{Size: 1}),
			tx.Remember(card.Remembered{Once: card.Once{Caller: "ann", Key: "k", Fingerprint: "f"}, Result: strange, At: 3}),
			tx.AppendAudit(trail.Entry{Action: shop.ActionNoteCreated, UserID: strange, Metadata: []byte(`{"x":"\u0001"}`)}),
		)
	}))
	accounts, ok := store.(access.Store)
	if !ok {
		t.Fatal("not a store of accounts")
	}
	must(t, accounts.UpdateAccess(t.Context(), func(tx access.Tx) error {
		return errors.Join(
			tx.InsertUser(shop.User{ID: "user_3", Name: strange, Active: true, Login: "u.3", Roles: []string{"admin", "lead"}}),
			tx.PutSecret(access.Secret{UserID: "user_3", Kind: access.PIN, Hash: strange, MustChange: true, ChangedAt: 5}),
			tx.InsertIdentity("user_3", access.ForeignIdentity{Issuer: "https://issuer", Subject: strange, SeenAt: 6, SetBy: "user_1"}),
			tx.InsertToken(access.Token{ID: "tok_1", UserID: "user_3", Name: strange, Permissions: shop.Permissions(), Hash: "h", ExpiresAt: 8}),
			tx.InsertStation(access.Station{ID: "stn_1", Name: strange, Hash: "h", CreatedBy: "u.3", RevokedAt: 9}),
			tx.InsertSession(access.Session{ID: "sess_1", UserID: "user_3", Hash: "h", StationID: "stn_1", Method: "pin", SeenAt: 10}),
			tx.InsertAttempt(strange, "try_1", 11),
			tx.PutSetting("pepper", strange, 12),
			tx.InsertSignatureTicket(shop.SignatureTicket{Hash: "h", UserID: "user_3", PrintedName: strange, SignedAt: 13, UsedAt: 14}),
			tx.PutSecondFactorRoles([]string{"admin"}),
			tx.InsertPasskey(access.Passkey{ID: "pky_1", UserID: "user_3", Name: strange, CredentialID: "c", SignCount: 1<<32 - 1, LastUsedAt: 15}),
			tx.PutOneTimeCode(access.OneTimeCode{UserID: "user_3", Secret: strange, ConfirmedAt: 16, LastStep: 17}),
			tx.PutRecoveryCodes("user_3", []string{"h"}, 18), tx.InsertChallenge(access.Challenge{Hash: "h", Data: strange, CreatedAt: 19}),
		)
	}))
	must(t, store.ChangeCard(t.Context(), "SN-00002", func(unit card.Card) (card.Change, error) {
		change, err := advance(unit)
		change.Serial.Status, change.Serial.Scrap = card.Scrapped, &card.Scrap{Reason: card.OtherReason, Explanation: strange, By: "u", At: 7}
		change.Exceptions = []card.StepException{{StepID: "step_b", Status: card.StepDeferred, UpdatedAt: 9}}
		change.Serial.Reworks, change.Held = 2, []card.Hold{{ID: "hold_1", SerialID: "SN-00002", Reason: strange, PlacedBy: "u", PlacedAt: 7}}
		return change, err
	}))
}

// fillPlain inserts a row into every plain table of records, which fillEverything then need not list. In a column that refers to another
// table it stores the first key of that table.
func fillPlain(t *testing.T, file string) {
	t.Helper()
	db, err := sql.Open("sqlite", sqliteDSN(file))
	must(t, err)
	defer db.Close()
	for _, record := range shop.Records() {
		if record.Kept == nil {
			continue
		}
		var values string
		must(t, db.QueryRowContext(t.Context(), `SELECT group_concat(COALESCE(
				(SELECT '(SELECT min(' || "to" || ') FROM ' || "table" || ')' FROM pragma_foreign_key_list(?1) WHERE "from" = field.name),
				CASE type WHEN 'INTEGER' THEN '1' ELSE '''x''' END))
			FROM pragma_table_info(?1) AS field`, record.Table).Scan(&values))
		_, err := db.ExecContext(t.Context(), `INSERT INTO `+record.Table+` VALUES (`+values+`)`)
		must(t, err)
	}
}

func TestCopyThereAndBack(t *testing.T) {
	t.Parallel()
	file, back, address := filepath.Join(t.TempDir(), "from.db"), filepath.Join(t.TempDir(), "back.db"), pgtest.Database(t)
	store := openSQLite(t, file, Options{})
	fillEverything(t, store)
	if _, err := Copy(t.Context(), file, address, CopyOptions{}); !errors.Is(err, ErrInUse) {
		t.Fatalf("a copy of a file in use: %v", err)
	}
	must(t, store.Close())
	fillPlain(t, file)
	var told []string
	options := CopyOptions{Progress: func(table string, rows, of int64) {
		if rows > of {
			t.Errorf("%s: %d of %d rows", table, rows, of)
		}
		told = append(told, table)
	}}
	there, err := Copy(t.Context(), file, address, options)
	must(t, err)
	var names []string
	for _, table := range there {
		names = append(names, table.Name)
		if table.Rows == 0 {
			t.Errorf("%s is empty: this test does not tell whether it is copied", table.Name)
		}
	}
	if diff := cmp.Diff(names, slices.Compact(told)); diff != "" {
		t.Errorf("progress: %s", diff)
	}
	again, err := Copy(t.Context(), address, back, CopyOptions{})
	must(t, err)
	if diff := cmp.Diff(there, again); diff != "" {
		t.Errorf("there and back: %s", diff)
	}
	if _, err := Copy(t.Context(), file, address, CopyOptions{}); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("a copy to a database with data: %v", err)
	}

	copied := openPostgres(t, address)
	if _, err := Copy(t.Context(), address, filepath.Join(t.TempDir(), "x.db"), CopyOptions{}); !errors.Is(err, ErrInUse) {
		t.Errorf("a copy of a database in use: %v", err)
	}
	// In the copy, numbers and the trail continue where they ended in the source.
	must(t, copied.ChangeCard(t.Context(), "SN-00001", advance))
	must(t, copied.Update(t.Context(), func(tx shop.Tx) error {
		first, err := tx.TakeSerialNumbers(1)
		if err == nil && first != 3001 {
			t.Errorf("the next serial number is %d", first)
		}
		return err
	}))
	trail := there[slices.Index(names, "audit")]
	must(t, copied.View(t.Context(), func(tx shop.Reader) error {
		for entry, err := range tx.AuditEntries(1, 0) {
			if entry.ID != ident.AuditID(trail.Rows+1) {
				t.Errorf("the next audit entry is %s after %d", entry.ID, trail.Rows)
			}
			return err
		}
		return errors.New("no audit entry")
	}))
}

func TestCopyKnowsEveryTable(t *testing.T) {
	t.Parallel()
	var want []string
	for _, table := range migrations.Tables {
		want = append(want, table.Name)
	}
	slices.Sort(want)
	for database, query := range map[string]string{
		filepath.Join(t.TempDir(), "shop.db"): `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
		pgtest.Database(t):                    `SELECT CAST(tablename AS text) FROM pg_tables WHERE schemaname = 'public'`,
	} {
		end, err := openEnd(t.Context(), database, Options{}, false)
		must(t, err)
		var found []string
		for row, err := range end.Rows(t.Context(), query+` ORDER BY 1`) {
			must(t, err)
			if name, _ := row[0].(string); name != "goose_db_version" {
				found = append(found, name)
			}
		}
		if diff := cmp.Diff(want, found); diff != "" {
			t.Errorf("%s: %s", end.Describe(), diff)
		}
		must(t, end.Close())
	}
}

func TestInterruptedCopyLeavesAnUnusableTarget(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "from.db")
	store := openSQLite(t, file, Options{})
	fillEverything(t, store)
	must(t, store.Close())
	address, second := pgtest.Database(t), filepath.Join(t.TempDir(), "second.db")
	for _, way := range []struct {
		from, to string
		open     func(context.Context) (Store, error)
	}{
		{file, address, func(ctx context.Context) (Store, error) {
			return OpenPostgres(ctx, address, Pool{}, Options{})
		}},
		{address, second, func(ctx context.Context) (Store, error) { return OpenSQLite(ctx, second, Options{}) }},
	} {
		for _, at := range []string{"job", "serial", "counter"} {
			ctx, cancel := context.WithCancel(t.Context())
			_, err := Copy(ctx, way.from, way.to, CopyOptions{Progress: func(table string, _, _ int64) {
				if table == at {
					cancel()
				}
			}})
			cancel()
			if err == nil {
				t.Fatalf("interrupted at %s, and no error", at)
			}
			if opened, err := way.open(t.Context()); err == nil || !strings.Contains(err.Error(), "copy that has not finished") {
				t.Errorf("opening the half of a copy: %v", err)
				if err == nil {
					_ = opened.Close()
				}
			}
			if _, err := Copy(t.Context(), way.to, filepath.Join(t.TempDir(), "x.db"), CopyOptions{}); err == nil ||
				!strings.Contains(err.Error(), "copy that has not finished") {
				t.Errorf("copying the half of a copy: %v", err)
			}
		}
		_, err := Copy(t.Context(), way.from, way.to, CopyOptions{})
		must(t, err)
		opened, err := way.open(t.Context())
		must(t, err)
		must(t, opened.Close())
	}
}

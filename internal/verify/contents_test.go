package verify_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/verify"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
)

// notCovered reads the list of columns that are not compared from docs/ledger.md, as "table.column" or "table.*".
func notCovered(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("../../docs/ledger.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n## What is not compared with the trail\n")
	section, _, _ := strings.Cut(rest, "\n## ")
	if !ok {
		t.Fatal("docs/ledger.md does not say what is not compared with the trail")
	}
	columns := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| ([^|]*) \\|").FindAllStringSubmatch(section, -1) {
		names := regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(row[2], -1)
		if len(names) == 0 {
			columns[row[1]+".*"] = true
		}
		for _, name := range names {
			columns[row[1]+"."+name[1]] = true
		}
	}
	return columns
}

// allFound lists the findings of a verification of a file, without those of the ledger. If the file cannot be read, that counts as a
// finding.
func allFound(t *testing.T, file string) (found []string) {
	t.Helper()
	err := sqlstore.ReadOnly(t.Context(), file, func(tx shop.Reader) error {
		check := verify.NewRecordCheck(tx.SerialPrefix(), ledger.Leaf)
		entries, err := tx.AuditAfter(0, 1000)
		if err != nil {
			return err
		}
		for i := range entries {
			check.Add(&entries[i])
		}
		if _, err := check.Compare(tx, func(d verify.RecordDifference) {
			found = append(found, fmt.Sprint(d.Kind, " ", d.ID, ": ", d.Fields, d.Why))
		}); err != nil {
			return err
		}
		_, err = verify.CheckSerials(tx, ledger.Leaf, func(id string, fields []string, why error) {
			found = append(found, fmt.Sprint(id, ": ", fields, why))
		})
		return err
	})
	if err != nil {
		found = append(found, err.Error())
	}
	return found
}

// plain reports whether the records of a table are compared only by their hash.
func plain(table string) bool {
	return slices.ContainsFunc(shop.Records(), func(record shop.Record) bool { return record.Table == table && record.Kept != nil })
}

// For every column of every table, either an edit is found, or docs/ledger.md says that it is not found. A new column must satisfy one of
// these. The tests of the ledger cover the trail itself and the ledger's own tables.
func TestEveryColumnIsComparedWithTheTrailOrSaidNotToBe(t *testing.T) {
	t.Parallel()
	q := shoptest.OpenEverything(t)
	if q.Database.Postgres() {
		return // the columns are the same
	}
	file := q.Database.Address()
	if found := allFound(t, file); len(found) > 0 {
		t.Fatalf("nobody has edited anything: %q", found)
	}
	door, err := q.Database.BackDoor(t).Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer door.Close()
	editor := &columnEditor{TB: t, door: door}
	editor.exec("PRAGMA ignore_check_constraints = 1")
	said := notCovered(t)
	for _, table := range editor.texts(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
		AND name NOT LIKE 'goose_%' AND name NOT LIKE 'ledger_%' AND name <> 'audit' ORDER BY name`) {
		if said[table+".*"] {
			delete(said, table+".*")
			continue
		}
		keys := editor.texts(`SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`, table)
		columns := editor.texts(`SELECT name FROM pragma_table_info(?)`, table)
		if table == "signature_policy" && slices.Equal(columns, []string{"operation", "demand"}) ||
			table == "second_factor_role" && slices.Equal(columns, []string{"role"}) {
			continue // TestRecordsThatWereEditedAreFound edits these tables; without accounts no row can be added
		}
		if plain(table) {
			// The test of the record kind in package shop checks which columns are hashed. This test only requires that a row without an entry is
			// found.
			editor.exec("PRAGMA foreign_keys = 0")
			values := editor.texts(`SELECT CASE type WHEN 'INTEGER' THEN '1' ELSE '''x''' END FROM pragma_table_info(?)`, table)
			editor.exec(`INSERT INTO ` + table + ` VALUES (` + strings.Join(values, ", ") + `)`)
			if len(allFound(t, file)) == 0 {
				t.Errorf("%s has a row that no entry tells of, and it is not found", table)
			}
			editor.exec(`DELETE FROM ` + table + ` WHERE ` + keys[0] + ` = 'x'`)
			for name := range said {
				if strings.HasPrefix(name, table+".") {
					delete(said, name)
				}
			}
			continue
		}
		for _, column := range columns {
			rows := editor.rows(table, column, keys)
			if len(rows) == 0 {
				t.Fatalf("%s has no row to edit", table)
			}
			var unseen []string
			for _, row := range rows {
				back := editor.edit(table, column, keys, row)
				if len(allFound(t, file)) == 0 {
					unseen = append(unseen, fmt.Sprint(row))
				}
				back()
			}
			if name := table + "." + column; said[name] != (len(unseen) > 0) {
				t.Errorf("%s: docs/ledger.md says that it is not compared with the trail: %t; not found in the rows %q", name, said[name], unseen)
			} else {
				delete(said, name)
			}
		}
	}
	for table, kind := range map[string]string{
		"note": "note ", "bom": "bill of materials ", "bom_version": "version of a bill of materials ", "template": "template ",
		"shop_user": "user ",
		"serial":    "serial ", "job": "job ", "path": "path ", "certificate": "certificate ", "hold": "hold ", "nonconformance": "report ",
	} {
		id := map[bool]string{true: "number", false: "id"}[table == "serial" || table == "nonconformance"]
		back := editor.removed(table, id)
		if found := allFound(t, file); !slices.ContainsFunc(found, func(line string) bool {
			return strings.HasPrefix(line, kind) && strings.Contains(line, "it is missing")
		}) {
			t.Errorf("without the first row of %s: %q", table, found)
		}
		back()
	}
	if len(said) > 0 {
		t.Errorf("docs/ledger.md tells of what is not there: %v", said)
	}
	if found := allFound(t, file); len(found) > 0 {
		t.Errorf("all is as it was: %q", found)
	}
}

// columnEditor edits a database file directly.
type columnEditor struct {
	testing.TB
	door *sql.Conn
}

func (e *columnEditor) exec(statement string, args ...any) {
	e.Helper()
	if _, err := e.door.ExecContext(context.Background(), statement, args...); err != nil {
		e.Fatalf("%s %v: %v", statement, args, err)
	}
}

func (e *columnEditor) texts(query string, args ...any) (texts []string) {
	e.Helper()
	for _, row := range e.query(query, 1, args...) {
		texts = append(texts, fmt.Sprint(row[0]))
	}
	return texts
}

func (e *columnEditor) query(query string, width int, args ...any) (all [][]any) {
	e.Helper()
	rows, err := e.door.QueryContext(context.Background(), query, args...)
	if err != nil {
		e.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		row := make([]any, width)
		into := make([]any, width)
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			e.Fatal(err)
		}
		all = append(all, row)
	}
	if err := rows.Err(); err != nil {
		e.Fatal(err)
	}
	return all
}

// rows returns the keys of the first and the last rows of a table in which the column has a value.
func (e *columnEditor) rows(table, column string, keys []string) [][]any {
	e.Helper()
	where := ""
	switch {
	case table == "serial" && strings.HasPrefix(column, "scrap"):
		where = " WHERE status = 'scrapped'"
	case table == "serial" && strings.HasPrefix(column, "force_completed"):
		where = " WHERE force_completed_by <> ''"
	case table == "counter": // the other counters are used only inside the program
		where = " WHERE name IN ('serial', 'nonconformance', 'shipment', 'conformance', 'unhashed')"
	}
	list := strings.Join(keys, ", ")
	rows := e.query("SELECT "+list+" FROM "+table+where+" ORDER BY "+list, len(keys))
	if len(rows) > 4 {
		rows = slices.Concat(rows[:2], rows[len(rows)-2:])
	}
	return rows
}

// edit changes one value, and returns a function that restores it.
func (e *columnEditor) edit(table, column string, keys []string, row []any) (back func()) {
	e.Helper()
	where := func(row []any) string {
		var terms []string
		for i, key := range keys {
			terms = append(terms, fmt.Sprintf("%s = %s", key, literal(row[i])))
		}
		return " WHERE " + strings.Join(terms, " AND ")
	}
	was := e.query("SELECT "+column+" FROM "+table+where(row), 1)[0][0]
	edited := any("x")
	switch value := was.(type) {
	case int64:
		if edited = value + 1000; column == "optional" || column == "active" || column == "earlier" {
			edited = 1 - value
		}
	case string:
		switch edited = value + "x"; column {
		case "status":
			if edited = "scrapped"; table == "step_exception" {
				edited = "completed"
			}
		case "labels", "entries", "steps", "serial_ids", "entries_snapshot":
			edited = `["x"]`
		case "metadata":
			edited = `{"x":1}`
		case "demand":
			edited = "second"
		}
	}
	e.exec("UPDATE " + table + " SET " + column + " = " + literal(edited) + where(row))
	now := slices.Clone(row)
	if i := slices.Index(keys, column); i >= 0 {
		now[i] = edited
	}
	return func() {
		e.Helper()
		e.exec("UPDATE " + table + " SET " + column + " = " + literal(was) + where(now))
	}
}

// removed deletes the first row of a table, and returns a function that restores the row.
func (e *columnEditor) removed(table, key string) (back func()) {
	e.Helper()
	first := " WHERE " + key + " = (SELECT MIN(" + key + ") FROM " + table + ")"
	columns := strings.Join(e.texts(`SELECT name FROM pragma_table_info(?)`, table), ", ")
	e.exec("CREATE TEMP TABLE kept AS SELECT " + columns + " FROM " + table + first)
	e.exec("DELETE FROM " + table + first)
	return func() {
		e.Helper()
		e.exec("INSERT INTO " + table + " SELECT " + columns + " FROM kept")
		e.exec("DROP TABLE kept")
	}
}

func literal(value any) string {
	if text, ok := value.(string); ok {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return fmt.Sprint(value)
}

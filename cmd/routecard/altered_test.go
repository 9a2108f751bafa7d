package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop/ident"
)

// sealedEverything returns a small sealed database that has a row in every table, and the content of its file.
func sealedEverything(t *testing.T) (*sealedShop, []byte) {
	t.Helper()
	q := shoptest.OpenEverything(t)
	s := &sealedShop{T: t, file: filepath.Join(t.TempDir(), "shop.db")}
	_, err := q.Database.BackDoor(t).ExecContext(t.Context(), "VACUUM INTO ?", s.file)
	s.must(err)
	s.work(func(sqlstore.Store, *sealer.Sealer) error { return nil })
	db := s.behind()
	s.do(db, "DROP TRIGGER audit_no_update", "DROP TRIGGER audit_no_delete", "DROP TRIGGER audit_no_replace")
	s.must(db.Close())
	content, err := os.ReadFile(s.file)
	s.must(err)
	kept, err := files.NewFolder(files.Beside(s.file), false).Path(shoptest.Digest(shoptest.Content))
	s.must(err)
	s.must(os.CopyFS(files.Beside(s.file), os.DirFS(q.Folder())))
	s.must(os.MkdirAll(filepath.Dir(kept), 0o700))
	s.must(os.WriteFile(kept, []byte(shoptest.Content), 0o600))
	return s, content
}

// behind opens the file directly, without any check.
func (s *sealedShop) behind() *sql.DB {
	s.Helper()
	db, err := sql.Open("sqlite", "file:"+s.file+
		"?_pragma=journal_mode(MEMORY)&_pragma=synchronous(0)&_pragma=ignore_check_constraints(1)&_pragma=foreign_keys(0)")
	s.must(err)
	db.SetMaxOpenConns(1)
	return db
}

func (s *sealedShop) do(db *sql.DB, statements ...string) {
	s.Helper()
	for _, statement := range statements {
		if _, err := db.ExecContext(context.Background(), statement); err != nil {
			s.Fatalf("%s: %v", statement, err)
		}
	}
}

func (s *sealedShop) texts(db *sql.DB, query string, args ...any) (texts []string) {
	s.Helper()
	rows, err := db.QueryContext(context.Background(), query, args...)
	s.must(err)
	defer rows.Close()
	for rows.Next() {
		var text string
		s.must(rows.Scan(&text))
		texts = append(texts, text)
	}
	s.must(rows.Err())
	return texts
}

// alteration is one statement that alters one column of one row.
type alteration struct{ table, column, value, where, insert string }

func (a alteration) statement() string {
	return fmt.Sprintf("UPDATE %s SET %s = %s WHERE %s", a.table, a.column, a.value, a.where)
}

// alterations returns alterations of every column of every table of a file. No alteration concerns the row of the unit.
func (s *sealedShop) alterations(unit int64) (all []alteration) {
	s.Helper()
	db := s.behind()
	defer db.Close()
	for _, table := range s.texts(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'") {
		keys := s.texts(db, `SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`, table)
		if len(keys) == 0 {
			keys = []string{"rowid"}
		}
		other := "1"
		if table == "serial" {
			other = fmt.Sprintf("number <> %d", unit)
		}
		list := strings.Join(keys, ", ")
		where := fmt.Sprintf("(%s) = (SELECT %[1]s FROM %s WHERE %s ORDER BY %[1]s LIMIT 1)", list, table, other)
		filler := s.texts(db, `SELECT CASE type WHEN 'INTEGER' THEN '1' ELSE '''x''' END FROM pragma_table_info(?)`, table)
		insert := fmt.Sprintf("INSERT INTO %s SELECT %s WHERE NOT EXISTS (SELECT 1 FROM %[1]s)", table, strings.Join(filler, ", "))
		for _, column := range s.texts(db, `SELECT name FROM pragma_table_info(?)`, table) {
			if table == "goose_db_version" && column == "version_id" {
				continue // this table records which version of the program can read the file: other versions refuse the file
			}
			values := []string{`char(27) || '{zzz'`} // another text, invalid JSON, and a control character
			if s.texts(db, `SELECT type FROM pragma_table_info(?) WHERE name = ?`, table, column)[0] == "INTEGER" {
				values = []string{"9223372036854775807", "-9"}
			}
			if s.texts(db, `SELECT "notnull" = 0 AND pk = 0 FROM pragma_table_info(?) WHERE name = ?`, table, column)[0] == "1" {
				values = append(values, "NULL")
			}
			for _, value := range values {
				all = append(all, alteration{table, column, value, where, insert})
			}
		}
	}
	return all
}

// No altered value stops verify: it still reports an altered unit elsewhere, and it quotes control characters.
func TestNoAlteredValueHidesAnAlteredUnit(t *testing.T) {
	t.Parallel()
	workshop, content := sealedEverything(t)
	if status, output := workshop.verify("--database", workshop.file); status != 0 {
		t.Fatalf("before any alteration: %d\n%s", status, output)
	}
	const unit = 5
	altered := fmt.Sprintf("UPDATE serial SET created_at = created_at + 1 WHERE number = %d", unit)
	for part := range slices.Chunk(workshop.alterations(unit), 150) {
		t.Run(part[0].table, func(t *testing.T) {
			t.Parallel()
			c := workshop.copy(t)
			for _, alteration := range part {
				c.must(os.WriteFile(c.file, content, 0o600))
				db := c.behind()
				c.do(db, altered, alteration.insert, alteration.statement())
				c.must(db.Close())
				status, output := c.verify("--database", c.file, "--files", files.Beside(workshop.file))
				if status != 1 || !strings.Contains(output, ident.DefaultPrefix.SerialID(unit)) || strings.Contains(output, "\x1b") {
					t.Errorf("%s.%s = %s: %d\n%s", alteration.table, alteration.column, alteration.value, status, output)
				}
			}
		})
	}
}

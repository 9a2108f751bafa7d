package sqlite

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// After FoldAgain, the next checkpoint writes frames again that an earlier checkpoint wrote and that the system dropped when a sync failed.
func TestFoldAgain(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.db")
	c, err := Open("file:" + file + "?_pragma=journal_mode(WAL)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	content := func() []byte {
		read, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return read
	}
	fold := func() {
		var busy, frames, folded int64
		if err := scan(c, `PRAGMA wal_checkpoint(PASSIVE)`, nil, &busy, &frames, &folded); err != nil || busy != 0 || frames != folded {
			t.Fatalf("busy %d, %d of %d: %v", busy, folded, frames, err)
		}
	}
	run(t, c, `CREATE TABLE a (text TEXT)`)
	run(t, c, `INSERT INTO a VALUES (hex(zeroblob(9000)))`)
	fold()
	before := content()
	run(t, c, `UPDATE a SET text = replace(text, '0', '1')`)
	fold()
	after := content()
	drop := func() {
		if err := os.WriteFile(file, before, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	drop()
	fold()
	if bytes.Equal(content(), after) {
		t.Fatal("SQLite writes folded frames again by itself: FoldAgain is not needed")
	}
	if err := c.FoldAgain(); err != nil {
		t.Fatal(err)
	}
	fold()
	if !bytes.Equal(content(), after) {
		t.Error("what was dropped is not in the file")
	}
}

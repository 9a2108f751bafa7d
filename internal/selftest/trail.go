package selftest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func trail(t *trial) {
	begun := time.Now()
	unit := t.units(t.plan("strict", step{name: "Turn"}, step{name: "Pack"}), 1)[0]
	t.advance(unit)
	t.do(quality, post, "/api/serials/"+unit+"/scrap", `{"reason": "other", "explanation": "for the trail"}`, nil)
	entries := t.told(unit)
	var told []string
	for _, one := range entries {
		told = append(told, one.Action+" by "+one.UserID)
		at, err := time.Parse(time.RFC3339, one.Timestamp)
		meanwhile := !at.Before(begun.Truncate(time.Millisecond)) && !at.After(time.Now())
		t.wantsf(err == nil && strings.HasSuffix(one.Timestamp, "Z") && meanwhile,
			"%s is of %s, and was made after %s", one.ID, one.Timestamp, begun.UTC().Format(time.RFC3339Nano))
	}
	want := []string{"serial_advanced by " + operator, "serial_scrapped by " + quality}
	t.wantsf(slices.Equal(told, want), "the trail tells of %s: %v, in place of %v", unit, told, want)
	if t.err == nil {
		t.wantsf(entries[1].Metadata["explanation"] == "for the trail", "the entry tells %v", entries[1].Metadata)
	}
	for i, one := range t.exported() {
		want := fmt.Sprintf("aud_%016d", i+1)
		t.wantsf(one.ID == want && one.Action != "" && one.UserID != "" && one.Timestamp != "",
			"entry %d is %+v, in place of %s", i+1, one, want)
	}
}

// exported returns the whole trail, oldest first, as programs export it.
func (t *trial) exported() (entries []entry) {
	got := t.do(administrator, get, "/api/export/audit.ndjson", "", nil)
	for line := range bytes.Lines(got.body) {
		var one entry
		if err := json.Unmarshal(line, &one); err != nil {
			t.wantsf(false, "a line of the export is %q: %v", line, err)
			return nil
		}
		entries = append(entries, one)
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.ID, b.ID) })
	t.wantsf(len(entries) > 0, "the export is empty")
	return entries
}

func copies(t *trial) {
	t.advance(t.units(t.plan("strict", step{name: "Turn"}, step{name: "Pack"}), 1)[0])
	newest := t.newest()
	programs := t.exported()
	t.wantsf(len(programs) > 0 && programs[len(programs)-1].ID == newest, "the export does not end with %s", newest)
	got := t.do(administrator, get, "/api/export/audit.csv", "", nil)
	if t.err != nil {
		return
	}
	rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(got.body, []byte("\ufeff")))).ReadAll()
	t.wantsf(err == nil, "the table is none: %v", err)
	t.wantsf(len(rows) == len(programs)+1, "the table has %d rows, and the trail %d entries", len(rows)-1, len(programs))
	all := string(got.body)
	for _, one := range programs {
		t.wantsf(strings.Contains(all, one.ID), "the table does not have %s", one.ID)
	}
}

// rounds is the number of times that the service is killed.
const rounds = 3

func kept(t *trial) {
	unit := t.units(t.plan("strict", step{name: "A"}, step{name: "B"}, step{name: "C"}, step{name: "D"}), 1)[0]
	for round := 1; round <= rounds && t.err == nil; round++ {
		t.advance(unit)
		told := t.last(unit, "serial_advanced", operator)
		before := t.exported()
		if t.err == nil {
			t.err = t.shop.at.Kill(t.ctx)
		}
		t.stands(unit, round, "in_progress")
		again := t.last(unit, "serial_advanced", operator)
		t.wantsf(again.ID == told.ID, "the last entry about %s is %s, and was %s", unit, again.ID, told.ID)
		after := t.exported()
		for i, one := range before {
			t.wantsf(i < len(after) && after[i].ID == one.ID && after[i].Timestamp == one.Timestamp,
				"%s is not in the trail any more", one.ID)
		}
	}
}

// command runs the program and returns its output. It requires an exit status and a text in the output.
func (t *trial) command(status int, printed string, args ...string) string {
	if t.err != nil {
		return ""
	}
	got, text, err := t.shop.at.Command(t.ctx, args...)
	if err != nil {
		t.err = err
		return ""
	}
	t.wantsf(got == status && strings.Contains(text, printed), "routecard %s ends with %d, in place of %d and %q: %s",
		strings.Join(args, " "), got, status, printed, strings.TrimSpace(text))
	return text
}

// proof is the result of a verification.
type proof struct {
	Origin  string `json:"origin"`
	Entries int64  `json:"entries"`
	Sealed  int64  `json:"sealed"`
}

// proved requires that the verification of a database succeeds.
func (t *trial) proved(database string) (told proof) {
	text := t.command(0, `"proved":true`, "verify", "--json", "--database", database)
	if t.err == nil {
		t.err = json.Unmarshal([]byte(text), &told)
	}
	return told
}

func restored(t *trial) {
	database, folder := t.shop.at.Database(), t.shop.at.Folder()
	original := t.proved(database)
	t.command(0, "checked;", "backup", "--database", database, "--to", folder)
	made, err := filepath.Glob(filepath.Join(folder, "*.db"))
	t.wantsf(err == nil && len(made) == 1, "the folder of the backup has %v", made)
	if t.err != nil {
		return
	}
	copied := filepath.Join(folder, "restored.db")
	key := filepath.Join(folder, "key") // a copy, because the restored database uses the key, and the running shop needs its own
	for _, suffix := range []string{"", ".state"} {
		t.copyFile(database+".ledger-key"+suffix, key+suffix)
	}
	t.command(0, "is the shop as of", "restore", "--from", made[0], "--to", copied, "--ledger-key-file", key)
	again := t.proved(copied)
	t.wantsf(again.Sealed >= original.Entries && original.Entries > 0 && again.Origin == original.Origin,
		"the copy has %d entries of %s that are proved, and the original has %d of %s",
		again.Sealed, again.Origin, original.Entries, original.Origin)
}

func (t *trial) copyFile(from, to string) {
	if t.err != nil {
		return
	}
	content, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, content, 0o600)
	}
	t.err = err
}

// edit runs a statement on the database.
func (t *trial) edit(statement string) {
	if t.err == nil {
		t.err = t.shop.at.Edit(statement)
	}
}

func unchangeable(t *trial) {
	database := t.shop.at.Database()
	for _, statement := range []string{
		"UPDATE audit SET user_id = 'nobody' WHERE sequence = 5",
		"DELETE FROM audit WHERE sequence = 5",
		"DELETE FROM audit",
		"INSERT OR REPLACE INTO audit SELECT * FROM audit WHERE sequence = 5",
	} {
		t.wantsf(t.err != nil || t.shop.at.Edit(statement) != nil, "the database takes %s", statement)
	}
	t.proved(database)
}

func recordEdit(t *trial) {
	database := t.shop.at.Database()
	t.proved(database)
	t.edit("UPDATE serial SET position = position + 1 WHERE number = 1")
	t.command(1, "SN-00001", "verify", "--database", database)
	t.edit("UPDATE serial SET position = position - 1 WHERE number = 1")
	t.proved(database)
}

func trailEdit(t *trial) {
	database := t.shop.at.Database()
	t.proved(database)
	t.edit("DROP TRIGGER audit_no_update")
	t.edit("UPDATE audit SET user_id = 'nobody' WHERE sequence = 5")
	t.command(1, "aud_0000000000000005", "verify", "--database", database)
}

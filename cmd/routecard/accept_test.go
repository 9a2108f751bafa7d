package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/sqlstore"
)

// Accepting a changed trail does not hide the change: the trail still has the checkpoint that contradicts it.
func TestAcceptedChangeIsStillFound(t *testing.T) {
	t.Parallel()
	s := newSealedShop(t)
	last := s.number("SELECT MAX(sequence) FROM audit")
	command := func(args ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		status := run(context.Background(), args, &stdout, &stderr)
		return status, stdout.String() + stderr.String()
	}
	accept := func() string {
		t.Helper()
		status, output := command("ledger", "accept", "--database", s.file, "--reason", "it has to go on")
		if status != 0 {
			t.Fatal(output)
		}
		s.work(func(sqlstore.Store, *sealer.Sealer) error { return nil })
		return output
	}
	if output := accept(); strings.Contains(output, "did not agree") {
		t.Errorf("nothing was wrong:\n%s", output)
	}
	if status, output := s.verify("--database", s.file); status != 0 || !strings.Contains(output, "they were compared with 2 checkpoints") {
		t.Errorf("accepted without need: %d\n%s", status, output)
	}
	s.tamper("UPDATE audit SET user_id = 'otto' WHERE sequence = 46")
	if output := accept(); !strings.Contains(output, "This did not agree, and stands in the audit trail:\n- aud_0000000000000046 was changed\n") {
		t.Errorf("it prints\n%s", output)
	}
	if s.number(`SELECT COUNT(*) FROM audit WHERE action = 'ledger_restarted' AND metadata LIKE '%"found":["aud_0000000000000046 was changed"%'`) != 1 {
		t.Error("the trail does not have what did not agree")
	}
	status, output := s.verify("--database", s.file)
	for kept := range int64(2) {
		want := fmt.Sprintf("with %d entries, which aud_%016d has kept, does not fit the trail", last+kept, last+kept+1)
		if status != 1 || !strings.Contains(output, want) {
			t.Errorf("%d, without %q\n%s", status, want, output)
		}
	}
	if status, output := command("backup", "--database", s.file, "--to", t.TempDir()); status != 0 {
		t.Errorf("no backup can be made of what was accepted: %s", output)
	}
}

package office_test

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	control "github.com/chromedp/cdproto/browser"
	_ "modernc.org/sqlite"

	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/internal/process"
)

// An auditor sees on the page of the trail until when the trail is sealed, downloads the proof of an entry and checks it with the command.
// If the entry was edited in the file, the page shows the trail in red, and both its page and the command identify the entry.
func TestLedgerInTheBrowser(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Bracket", "flexible", 1, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"})
	s.Post("/api/serials/"+serials[0]+"/advance", browsertest.Fields{"userId": "anna"}, nil)
	b := s.Open()
	b.Visit("/audit")
	b.ReloadUntil("the trail is sealed", `document.querySelector(".sealed")?.innerText.startsWith("Sealed up to ")`)
	red := `getComputedStyle(document.querySelector("[role=alert]")).color === (() => {
		const e = document.createElement("p"); e.style.color = "var(--bad)"; document.body.append(e);
		const color = getComputedStyle(e).color; e.remove(); return color })()`
	if b.Is(`document.querySelector("[role=alert]")`) {
		t.Errorf("something is said to be wrong:\n%s", b.Text())
	}
	var told struct{ VerifierKeys []string }
	s.Get("/api/ledger", &told)

	const entry = "aud_0000000000000002"
	folder := t.TempDir()
	browsertest.Call(b, "keep downloads", control.SetDownloadBehavior, control.SetDownloadBehaviorParams{
		Behavior: control.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder,
	})
	b.Click(`a.proof[href$="` + entry + `"]`)
	b.Says("This entry is in the log, as it is shown here")
	b.Says(told.VerifierKeys[0])
	b.Click(`a[href="/api/ledger/proof/` + entry + `"]`)
	proof := downloaded(t, folder, entry+".tlog-proof")
	workverify := func(args ...string) (output string, status int) {
		t.Helper()
		command := exec.CommandContext(t.Context(), process.Routecard(t), append([]string{"verify", "--key", told.VerifierKeys[0]}, args...)...)
		text, err := command.CombinedOutput()
		if err != nil && command.ProcessState == nil {
			t.Fatal(err)
		}
		return string(text), command.ProcessState.ExitCode()
	}
	if output, status := workverify("--proof", proof); status != 0 || !strings.HasPrefix(output, "Proved: "+entry+" is in the log") {
		t.Errorf("verify --proof: %d\n%s", status, output)
	}
	b.Visit("/audit/ledger")
	b.Says("Sealed")
	b.Says(told.VerifierKeys[0])

	s.Stop()
	file, err := sql.Open("sqlite", s.Database)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"DROP TRIGGER audit_no_update", "UPDATE audit SET user_id = 'otto' WHERE sequence = 2",
		"CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN\n    SELECT RAISE(ABORT, 'the audit trail is append-only');\nEND",
	} {
		if _, err := file.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	s.Start()
	b.Visit("/audit")
	b.ReloadUntil("the trail is red", `document.querySelector("[role=alert]")?.innerText.includes("The audit trail differs from what was sealed")`)
	if !b.Is(red) {
		t.Error("it is not red")
	}
	b.Click(`[role=alert] a`)
	b.Says(entry + " was changed")
	if !b.Is(red) {
		t.Error("its page is not red")
	}
	if output, status := workverify("--database", s.Database); status != 1 || !strings.Contains(output, entry+" was changed") {
		t.Errorf("verify --database: %d\n%s", status, output)
	}
	if output, status := workverify("--proof", proof); status != 0 { // a proof of the original entry
		t.Errorf("verify --proof afterwards: %d\n%s", status, output)
	}
}

// downloaded waits until a browser has saved a file in a folder.
func downloaded(t *testing.T, folder, name string) string {
	t.Helper()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	file := filepath.Join(folder, name)
	for limit := time.After(browsertest.Patience); ; {
		if content, err := os.ReadFile(file); err == nil && len(content) > 0 {
			return file
		}
		select {
		case <-look.C:
		case <-limit:
			t.Fatalf("%s was not downloaded", name)
		}
	}
}

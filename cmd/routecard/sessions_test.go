package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/process"
	"github.com/routecard/routecard/internal/tracker/jiratest"
)

// TestRunningDocument runs the session that docs/running.md shows.
func TestRunningDocument(t *testing.T) {
	t.Parallel()
	const file = repository + "docs/running.md"
	p := process.Serve(t, "--database", t.TempDir()+"/routecard.db", "--log-level", "warn")
	session := under(t, blocks(t, file), "A session with operators, a template and the work queue")
	runBlocks(t, file, session, t.TempDir(), strings.NewReplacer("http://127.0.0.1:8080", p.URL), "")
}

// signers creates the two users of docs/signatures.md. Each has replaced the password that the administrator set, and is confirmed by the
// other.
const signers = `
ask() { curl -sS --fail-with-body -o /dev/null "$@"; }
ask --json '{"code": "'$code'", "login": "ada", "name": "Ada Byron", "password": "four birds on a wire"}' $shop/setup
ask --json '{"login": "ada", "password": "four birds on a wire"}' -c ada.txt $shop/sign-in
declare -A ids secrets=([anna]="five birds on a wire" [tom]="eight bees on a rose")
sign_in() { ask --json '{"login": "'$1'", "password": "'"${secrets[$1]}"'"}' -c $1.txt $shop/sign-in; }
account() {
	id=$(curl -sS --fail-with-body -b ada.txt --json '{"name": "'"$2"'"}' $shop/users | jq -r .id)
	ids[$1]=$id
	ask -b ada.txt -X PUT --json '{"login": "'$1'", "roles": ["'$3'"]}' $shop/users/$id/account
	ask -b ada.txt -X PUT --json '{"password": "four bees on a wire"}' $shop/users/$id/password
	ask --json '{"login": "'$1'", "password": "four bees on a wire"}' -c $1.txt $shop/sign-in
	ask -b $1.txt -X PUT --json '{"password": "'"${secrets[$1]}"'", "oldPassword": "four bees on a wire"}' $shop/users/$id/password
	sign_in $1
}
account anna 'Anna Ruiz' lead
account tom 'Tom Berg' quality
ask -b anna.txt -X POST $shop/users/${ids[tom]}/confirm
sign_in tom
ask -b tom.txt -X POST $shop/users/${ids[anna]}/confirm
sign_in anna
job=$(curl -sS -b anna.txt --json '{"name": "Valve body", "goalQuantity": 2}' $shop/jobs | jq -r .id)
path=$(curl -sS -b anna.txt --json '{"jobId": "'$job'", "name": "Machining", "goalQuantity": 2, "steps": [{"name": "Turn"}]}' $shop/paths |
	jq -r .id)
ask -b anna.txt --json '{"jobId": "'$job'", "pathId": "'$path'", "quantity": 2}' $shop/serials
`

// TestSignaturesDocument runs the session that docs/signatures.md shows.
func TestSignaturesDocument(t *testing.T) {
	t.Parallel()
	const file = repository + "docs/signatures.md"
	folder := t.TempDir()
	p := process.Serve(t, "--database", filepath.Join(folder, "shop.db"), "--auth", "all", "--log-level", "warn")
	if !p.Stdout.Await("API reference:", p.Ended()) {
		t.Fatal("the service ended")
	}
	before := fmt.Sprintf("shop=%s/api code=$(sed -n 's/.*code=//p' shop.first-sign-in)\n", p.URL)
	runBlocks(t, file, under(t, blocks(t, file), "A session"), folder, strings.NewReplacer(), before+signers)
}

// TestTrackerDocument runs the session that docs/tracker.md shows, with the fake Jira of docs/examples/fakejira. The test takes some
// seconds, because the service waits between its attempts to reach a Jira that was stopped.
func TestTrackerDocument(t *testing.T) {
	t.Parallel()
	const file = repository + "docs/tracker.md"
	session := under(t, blocks(t, file), "A session")
	folder, jira := t.TempDir(), httptest.NewServer(jiratest.Shop(jiratest.Cloud))
	defer jira.Close()
	names := strings.NewReplacer("http://127.0.0.1:8090", jira.URL, "--tracker-token-file token", "--tracker-token-file "+folder+"/token",
		"tracked.db", folder+"/tracked.db")
	token, start, _ := strings.Cut(session[1].text, "\n")
	runShell(t, folder, token)
	_, flags, found := strings.Cut(names.Replace(start), "./cmd/routecard serve ")
	if !found {
		t.Fatalf("%s starts no service: %s", file, start)
	}
	p := process.Serve(t, strings.Fields(flags)...)
	names = strings.NewReplacer("http://127.0.0.1:8090", jira.URL, "localhost:8090", jira.URL, "localhost:8080", p.URL)
	for i, block := range session[2:] {
		if i == 1 {
			jira.CloseClientConnections()
			jira.Close()
		}
		runBlocks(t, file, withoutPrompts(block), folder, names, "")
	}
}

// TestSettingsOfDocuments validates the settings file in docs/running.md.
func TestSettingsOfDocuments(t *testing.T) {
	t.Parallel()
	found := under(t, blocks(t, repository+"docs/running.md"), "A file with settings")
	folder := t.TempDir()
	names := strings.NewReplacer("/etc/routecard.yaml", folder+"/routecard.yaml", "/var/lib/routecard", folder)
	if err := os.WriteFile(folder+"/routecard.yaml", []byte(names.Replace(found[0].text)), 0o600); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(names.Replace(found[1].text)) {
		if strings.HasPrefix(line, "routecard config ") {
			runShell(t, folder, line)
		}
	}
	mail := under(t, blocks(t, repository+"docs/notices.md"), "Mail")
	for name, text := range map[string]string{
		"mail.yaml": strings.ReplaceAll(mail[0].text, "/etc/routecard", folder), "smtp-password": "correct-horse",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	runShell(t, folder, "routecard config check --config mail.yaml")
}

// TestBackupOfDocuments makes a backup of a shop and restores it with the lines of docs/running.md, and checks it with the lines of
// docs/files.md.
func TestBackupOfDocuments(t *testing.T) {
	t.Parallel()
	running := under(t, blocks(t, repository+"docs/running.md"), "Backup and restore")
	checks := under(t, blocks(t, repository+"docs/files.md"), "What it proves")
	folder := t.TempDir()
	service := process.Serve(t, "--database", filepath.Join(folder, "shop.db"), "--ledger-interval", "10ms", "--log-level", "warn")
	f := &pathFixture{folder: folder}
	f.fill(t, service.URL)
	if err := service.Stop(); err != nil {
		t.Fatal(err)
	}
	names := strings.NewReplacer("/backup/routecard-20261122T010008093Z.db", "$made", "/backup", "backup")
	script := "set -eu\nmkdir backup\n" + names.Replace(running[0].text) + "rm -f shop.db shop.db-wal shop.db-shm\nmade=$(ls backup/*.db)\n"
	for _, block := range append(running[1:], checks...) {
		script += names.Replace(block.text)
	}
	printed := runShell(t, folder, script)
	if !strings.Contains(printed, "Proved") || strings.Count(printed, "1 files with 7 bytes were checked") < 2 {
		t.Errorf("it prints\n%s", printed)
	}
}

// TestRequestsOfDocuments sends the requests of docs/api/clients.md, docs/files.md, docs/corrections.md, docs/measuring.md and
// docs/traceability.md.
func TestRequestsOfDocuments(t *testing.T) {
	t.Parallel()
	clients, files := blocks(t, repository+"docs/api/clients.md"), under(t, blocks(t, repository+"docs/files.md"), "Upload and attach")
	corrections, measuring := blocks(t, repository+"docs/corrections.md"), blocks(t, repository+"docs/measuring.md")
	folder := t.TempDir()
	p := process.Serve(t, "--database", folder+"/routecard.db", "--log-level", "warn")
	workshop := newCrashShop(t, p.URL)
	var job, instrument struct{ ID string }
	var path struct {
		ID    string
		Steps []struct{ ID string }
	}
	workshop.must(http.MethodPost, "/api/jobs", `{"name":"Housing","goalQuantity":600}`, &job)
	workshop.must(http.MethodPost, "/api/paths", `{"jobId":"`+job.ID+`","name":"Milling","goalQuantity":600,
		"steps":[{"name":"Mill"},{"name":"Pack"}]}`, &path)
	for range 2 {
		workshop.must(http.MethodPost, "/api/serials", fmt.Sprintf(`{"jobId":%q,"pathId":%q,"quantity":300}`, job.ID, path.ID), nil)
	}
	workshop.must(http.MethodPost, "/api/templates", `{"name":"Turned part","steps":[{"name":"Turn"}]}`, nil)
	workshop.must(http.MethodPost, "/api/instruments", `{"number":"CMM-1","name":"Measuring machine","externalId":"CMM-1"}`, nil)
	workshop.must(http.MethodPost, "/api/instruments", `{"number":"M-0815","name":"Micrometer","externalId":"M-0815"}`, &instrument)

	workshop.must(http.MethodPut, "/api/steps/"+path.Steps[0].ID+"/characteristics", under(t, measuring, "What is measured")[0].text, nil)
	reading := strings.ReplaceAll(under(t, measuring, "Readings")[0].text, "inst_...", instrument.ID)
	workshop.must(http.MethodPost, "/api/serials/SN-00041/measurements", reading, nil)
	recall := under(t, blocks(t, repository+"docs/traceability.md"), "Hold what a recall names")[0].text
	var lot struct{ ID string }
	workshop.must(http.MethodPost, "/api/lots", `{"material":"AISI 316L","heatNumber":"88213","userId":"ines"}`, &lot)
	for unit := 501; unit <= 512; unit++ {
		workshop.must(http.MethodPost, fmt.Sprintf("/api/serials/SN-%05d/components", unit), `{"lotId":"`+lot.ID+`","userId":"ines"}`, nil)
	}
	fromFile := under(t, measuring, "From a file")
	for name, text := range map[string]string{
		"readings.csv": fromFile[0].text, "housing.txt": fromFile[1].text, "housing.json": fromFile[2].text, "flange.jpg": "a picture",
		"orders.csv": under(t, clients, "Imports")[1].text,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script := fmt.Sprintf(`set -eu
export ROUTECARD_URL=%[1]s shop=%[1]s/api
curl() { command curl -sS --fail-with-body "$@"; }
routecard() { # what watches has no end: the first line of it is enough
	case "$*" in watch*) head -n 1 < <(command routecard "$@") | grep -q aud_ ;; *) command routecard "$@" ;; esac
}
routecard import measurements readings.csv
`, p.URL)
	for _, heading := range []string{"Lists", "Exports", "Imports", "From the command line"} {
		script += under(t, clients, heading)[0].text
	}
	script += under(t, corrections, "On hold")[0].text + "\n" + recall + "\n" + files[0].text
	printed := runShell(t, folder, strings.NewReplacer("http://127.0.0.1:8080", p.URL, "http://localhost:8080", p.URL,
		"aud_0000000000000417", "aud_0000000000000001").Replace(script))
	digest := printed[strings.LastIndex(printed, `"sha256":"`)+len(`"sha256":"`):][:64]
	request, body, _ := strings.Cut(files[2].text, "\n")
	verb, address, _ := strings.Cut(request, " ")
	workshop.must(verb, address, strings.ReplaceAll(body, "5a7b1d2c...", digest), nil)
}

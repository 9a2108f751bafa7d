package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/mod/sumdb/note"

	"github.com/routecard/routecard/internal/process"
)

// pathRun is a command with paths: @name is a file of the fixture, @name/ a folder, and URL the address of a running service.
type pathRun struct {
	args   string
	status int
	until  string // the test stops the command when it has written this; "" if it ends by itself
}

// serviceRun has every path of the service's settings except the keys of a bucket.
const serviceRun = " --config @routecard.yaml --database @shop.db --tls-cert-file @cert.pem --tls-key-file @key.pem --error-log @error.log" +
	" --auth all --pepper-file @pepper --security-log @security.log --oidc-issuer http://127.0.0.1:1 --oidc-client shop" +
	" --oidc-secret-file @secret --public-url https://shop.example.com --tracker-url http://127.0.0.1:1 --tracker-user shop" +
	" --tracker-token-file @token --tracker-project SHOP --ledger-key-file @shop.db.ledger-key --ledger-policy @policy --ledger-anchor-dir @anchors/" +
	" --backup-dir @backups/ --after-backup @hooks/after --files @shop.db.files/ --smtp-server 127.0.0.1:1 --smtp-user shop" +
	" --smtp-password-file @token --smtp-from shop@example.com --webhook-secret-file @webhooks"

const bucketRun = " --files s3://shop/files --files-endpoint http://127.0.0.1:1 --files-access-key-file @token --files-secret-key-file @secret"

const backupRun = " --backup-endpoint http://127.0.0.1:1 --backup-access-key-file @token --backup-secret-key-file @secret"

// pathRuns use every path of every command. Copies of the fixture are made for each.
func pathRuns() map[string]pathRun {
	runs := map[string]pathRun{
		"serve":         {"serve --listen 127.0.0.1:0" + serviceRun, 0, "API reference"},
		"backups":       {"serve --listen 127.0.0.1:0 --database @shop.db --backup-dir @folder/", 0, "backup made"},
		"serve bucket":  {"serve --listen 127.0.0.1:0 --database @shop.db" + bucketRun, 0, "API reference"},
		"serve backups": {"serve --listen 127.0.0.1:0 --database @shop.db --backup-dir s3://shop/backups" + backupRun, 0, "the backup failed"},
		"check backups": {"config check --database @shop.db --backup-dir s3://shop/backups" + backupRun, 0, ""},
		"show backups":  {"config show --database @shop.db --backup-dir s3://shop/backups" + backupRun, 0, ""},
		"doctor backup": {"doctor --url URL --database @shop.db --backup-dir s3://shop/backups" + backupRun, 2, ""},
		"to a bucket":   {"backup --database @shop.db --to s3://shop/backups" + backupRun, 1, ""},
		"from a bucket": {"restore --from s3://shop/backups --to @restored.db" + backupRun, 1, ""},
		"check":         {"config check" + serviceRun, 0, ""}, "check bucket": {"config check --database @shop.db" + bucketRun, 0, ""},
		"show": {"config show" + serviceRun, 0, ""}, "show bucket": {"config show --database @shop.db" + bucketRun, 0, ""},
		"doctor":         {"doctor --url URL --token-file @token" + serviceRun, 0, ""},
		"doctor bucket":  {"doctor --url URL --database @shop.db" + bucketRun, 0, ""},
		"copy":           {"copy --from @shop.db --to @copy.db", 0, ""},
		"backup":         {"backup --database @shop.db --to @folder/ --files @shop.db.files/", 0, ""},
		"backup bucket":  {"backup --database @empty.db --to @folder/" + bucketRun, 0, ""},
		"restore":        {"restore --from @backups/BACKUP --to @restored.db", 0, ""},
		"restore files":  {"restore --from @backups/BACKUP --to @restored.db --files @folder/ --ledger-key-file @shop.db.ledger-key", 0, ""},
		"verify":         {"verify --database @shop.db --checkpoint @checkpoint --policy @policy --files @shop.db.files/", 0, ""},
		"verify bucket":  {"verify --database @empty.db" + bucketRun, 2, ""},
		"verify url":     {"verify --url URL --token-file @token", 0, ""},
		"verify proof":   {"verify --proof @entry.proof --key KEY", 0, ""},
		"verify dossier": {"verify @entry.proof --key KEY", 1, ""}, // no dossier, but a file
		"files check":    {"files check --database @shop.db --files @shop.db.files/", 0, ""},
		"check files":    {"files check --database @empty.db" + bucketRun, 0, ""},
		"prune":          {"files prune --database @shop.db --files @shop.db.files/", 0, ""},
		"prune bucket":   {"files prune --database @empty.db" + bucketRun, 1, ""},
		"accept":         {"ledger accept --database @shop.db --reason lost --ledger-key-file @shop.db.ledger-key", 0, ""},
		"key":            {"ledger key @new.key", 0, ""},
		"selftest":       {"selftest --folder @folder/ --list", 0, ""}, // TestSelftest runs the claims
		"export":         {"export jobs --output @jobs.csv --url URL --token-file @token", 0, ""},
		"import":         {"import jobs @rows.csv --mapping @mapping.json --url URL --token-file @token", 0, ""},
		"readings":       {"import measurements @rows.dfd @rows.dfx --url URL --token-file @token", 1, ""}, // the rows are of no existing unit
		"unit":           {"unit SN-00001 --url URL --token-file @token", 0, ""},
		"watch":          {"watch --after aud_0000000000000001 --url URL --token-file @token", 0, "\n"},
		"version":        {"version --check @SHA256SUMS.note --release-key RELEASE", 0, ""},
	}
	return runs
}

// pathFixture is a folder with all files that commands read, and a running service.
type pathFixture struct {
	folder string
	words  *strings.Replacer // replaces the words in capitals of a pathRun
}

func newPathFixture(t *testing.T) *pathFixture {
	t.Helper()
	f := &pathFixture{folder: t.TempDir()}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"anchors", "backups", "folder", "hooks", "sub", "folder/sub", "anchors/sub", "backups/sub"} {
		must(os.MkdirAll(filepath.Join(f.folder, folder), 0o700))
	}
	private, public, err := note.GenerateKey(rand.Reader, "routecard.test/release")
	must(err)
	signer, err := note.NewSigner(private)
	must(err)
	signed, err := note.Sign(&note.Note{Text: fmt.Sprintf("%x  token\n", sha256.Sum256([]byte("token")))}, signer)
	must(err)
	for name, text := range map[string]string{
		"token": "token", "secret": "secret", "webhooks": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "routecard.yaml": "log-level: info\n", "SHA256SUMS.note": string(signed),
		"rows.dfd": "K0100 1\nK2001/1 1\nK2004/1 0\n", "rows.dfx": "K0001/1 5\n",
		"rows.csv": "name,quantity\nValve,2\n", "mapping.json": `{"columns": {"name": "name", "quantity": "goalQuantity"}}`,
		"policy": "quorum none\n", "hooks/after": "#!/bin/sh\n",
	} {
		must(os.WriteFile(filepath.Join(f.folder, name), []byte(text), 0o600))
	}
	must(os.Chmod(filepath.Join(f.folder, "hooks/after"), 0o700)) //nolint:gosec // it is run
	writeCertificate(t, filepath.Join(f.folder, "cert.pem"), filepath.Join(f.folder, "key.pem"), 1)

	empty := process.Serve(t, "--database", filepath.Join(f.folder, "empty.db"))
	must(empty.Stop())
	made := process.Serve(t, "--database", filepath.Join(f.folder, "shop.db"), "--ledger-interval", "10ms")
	f.fill(t, made.URL)
	key := strings.Fields(made.Stdout.String()[strings.Index(made.Stdout.String(), "Verifier key:"):])[2]
	must(made.Stop())
	output, err := exec.CommandContext(t.Context(), process.Routecard(t), "backup", "--database", filepath.Join(f.folder, "shop.db"),
		"--to", filepath.Join(f.folder, "backups")).Output()
	must(err)
	first, _, _ := strings.Cut(string(output), "\n")
	// The service that commands call has a database of its own.
	served := process.Serve(t, "--database", filepath.Join(f.copied(t), "shop.db"))
	t.Cleanup(func() { must(served.Stop()) })
	f.words = strings.NewReplacer("URL", served.URL, "BACKUP", filepath.Base(first), "KEY", key, "RELEASE", public)
	return f
}

// fill makes a unit and a job with a file, and stores a checkpoint and a proof.
func (f *pathFixture) fill(t *testing.T, url string) {
	t.Helper()
	ask := func(method, path, body string) []byte {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(body, "{") {
			request.Header.Set("Content-Type", "application/json")
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode >= http.StatusMultipleChoices && response.StatusCode != http.StatusServiceUnavailable {
			t.Fatalf("%s %s: %s %s %v", method, path, response.Status, answer, err)
		}
		if response.StatusCode == http.StatusServiceUnavailable {
			return nil
		}
		return answer
	}
	made := func(path, body string) string {
		t.Helper()
		var record struct{ ID, SHA256 string }
		if err := json.Unmarshal(ask(http.MethodPost, path, body), &record); err != nil {
			t.Fatal(err)
		}
		return record.ID + record.SHA256
	}
	job := made("/api/jobs", `{"name": "Valve", "goalQuantity": 2}`)
	path := made("/api/paths", fmt.Sprintf(`{"jobId": %q, "name": "Main", "goalQuantity": 2, "steps": [{"name": "Mill"}]}`, job))
	ask(http.MethodPost, "/api/serials", fmt.Sprintf(`{"jobId": %q, "pathId": %q, "quantity": 1}`, job, path))
	file := made("/api/files", "drawing")
	ask(http.MethodPost, "/api/jobs/"+job+"/files", fmt.Sprintf(`{"sha256": %q, "name": "a.txt", "kind": "drawing", "userId": "ann"}`, file))
	for name, path := range map[string]string{"checkpoint": "/ledger/checkpoint", "entry.proof": "/api/ledger/proof/aud_0000000000000001"} {
		var text []byte
		for len(text) == 0 { // until the entry is sealed
			text = ask(http.MethodGet, path, "")
		}
		if err := os.WriteFile(filepath.Join(f.folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// spelled returns the arguments of a run with its paths in the form that the function spell returns.
func (f *pathFixture) spelled(run pathRun, spell func(path string, folder bool) string) []string {
	args := strings.Fields(f.words.Replace(run.args))
	for i, arg := range args {
		if path, ok := strings.CutPrefix(arg, "@"); ok {
			name, folder := strings.CutSuffix(path, "/")
			args[i] = spell(name, folder)
		}
	}
	return args
}

// paths returns the paths of a run.
func (f *pathFixture) paths(run pathRun) (files, folders []string) {
	f.spelled(run, func(path string, folder bool) string {
		if folder {
			folders = append(folders, path)
		} else {
			files = append(files, path)
		}
		return path
	})
	return files, folders
}

// copied returns a copy of the fixture.
func (f *pathFixture) copied(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	f.restoreCopy(t, folder)
	return folder
}

// restoreCopy restores a folder to a copy of the fixture.
func (f *pathFixture) restoreCopy(t *testing.T, folder string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(folder, entry.Name())))
	}
	if err := errors.Join(err, copyFixture(f.folder, folder)); err != nil {
		t.Fatal(err)
	}
}

func copyFixture(from, to string) error {
	return fs.WalkDir(os.DirFS(from), ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(to, path), 0o700)
		}
		text, err := os.ReadFile(filepath.Join(from, path))
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, path), text, info.Mode())
	})
}

// spelling is a folder below the fixture in which a command runs, and a function that spells paths relative to that folder.
type spelling struct {
	in    string
	spell func(path string, folder bool) string
}

func spellings(fixture string, folders []string) map[string]spelling {
	all := map[string]spelling{
		"name":        {".", func(path string, _ bool) string { return path }},
		"./name":      {".", func(path string, _ bool) string { return "./" + path }},
		"../name":     {"sub", func(path string, _ bool) string { return "../" + path }},
		"sub/../name": {".", func(path string, _ bool) string { return "sub/../" + path }},
		"absolute":    {"sub", func(path string, _ bool) string { return filepath.Join(fixture, path) }},
		"name/": {".", func(path string, folder bool) string {
			if folder {
				return path + "/"
			}
			return path
		}},
	}
	for _, own := range folders {
		within := func(dots, up string) func(string, bool) string {
			return func(path string, _ bool) string {
				if path == own {
					return dots
				}
				return up + path
			}
		}
		all[". in "+own] = spelling{own, within(".", "../")}
		if own != "shop.db.files" {
			all[".. below "+own] = spelling{own + "/sub", within("..", "../../")}
		}
	}
	return all
}

// Every path of every command and setting has the same meaning in every spelling.
func TestEverySpellingOfPaths(t *testing.T) {
	t.Parallel()
	f := newPathFixture(t)
	workers := f.workers(t)
	for name, run := range pathRuns() {
		_, folders := f.paths(run)
		for how := range spellings("", folders) {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				w := <-workers
				defer func() { workers <- w }()
				f.restoreCopy(t, w.folder)
				spelling := spellings(w.folder, folders)[how]
				args := f.spelled(run, spelling.spell)
				got := w.run(t, filepath.Join(w.folder, spelling.in), run.until, args)
				if got.Hung || got.Status != run.status || strings.Contains(got.Output, "no such file") {
					t.Errorf("status %d, want %d; hung: %t; of %q in %s:\n%s", got.Status, run.status, got.Hung, args, spelling.in, got.Output)
				}
			})
		}
	}
}

// If the path of a file ends like a folder's, or is the path of a folder, it is refused with a reason.
func TestFoldersInPlaceOfFiles(t *testing.T) {
	t.Parallel()
	f := newPathFixture(t)
	workers := f.workers(t)
	for name, run := range pathRuns() {
		files, _ := f.paths(run)
		for _, file := range files {
			for _, wrong := range []string{file + "/", "/"} {
				t.Run(name+" "+file+" as "+wrong, func(t *testing.T) {
					t.Parallel()
					w := <-workers
					defer func() { workers <- w }()
					f.restoreCopy(t, w.folder)
					args := f.spelled(run, func(path string, _ bool) string {
						if path == file {
							return wrong
						}
						return path
					})
					got := w.run(t, w.folder, "", args)
					if got.Hung || strings.TrimSpace(got.Output) == "" || got.Status < 1 && !strings.HasPrefix(run.args, "config show") {
						t.Errorf("status %d; hung: %t; of %q:\n%s", got.Status, got.Hung, args, got.Output)
					}
				})
			}
		}
	}
}

// SIGTERM ends a command while it waits for a file, for example on a network share that does not respond.
func TestStoppedWhileReading(t *testing.T) {
	t.Parallel()
	f := newPathFixture(t)
	var waiting sync.WaitGroup
	for name, run := range pathRuns() {
		if strings.HasPrefix(run.args, "serve") && name != "serve bucket" { // config check reads the same files and ends sooner
			continue
		}
		files, _ := f.paths(run)
		for _, file := range files {
			if strings.HasSuffix(file, ".log") { // a pipe does not show whether it was opened for writing
				continue
			}
			folder := f.copied(t)
			pipe := filepath.Join(folder, file)
			if err := errors.Join(os.RemoveAll(pipe), syscall.Mkfifo(pipe, 0o600), os.Link(pipe, pipe+".pipe")); err != nil {
				t.Fatal(err)
			}
			args := f.spelled(run, func(path string, _ bool) string { return path })
			waiting.Go(func() {
				if got := f.stopAtPipe(t, folder, pipe, args); got.Hung {
					t.Errorf("%s: SIGTERM did not end %q while it reads %s:\n%s", name, args, file, got.Output)
				}
			})
		}
	}
	waiting.Wait()
}

// stopAtPipe runs a command and sends SIGTERM when the command has opened a pipe for reading. The command may end before that.
func (f *pathFixture) stopAtPipe(t *testing.T, in, pipe string, args []string) ended {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var output process.Output
	command := exec.CommandContext(ctx, process.Routecard(t), args...) //nolint:gosec // ours
	command.Dir, command.Stdout, command.Stderr = in, &output, &output
	if err := command.Start(); err != nil {
		t.Error(err)
		return ended{}
	}
	var writing sync.WaitGroup
	writing.Go(func() {
		writer, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits for the command, or for the reader that opens the pipe after the command's end
		if err == nil {
			_ = command.Process.Signal(syscall.SIGTERM) // the process may have ended
			<-ctx.Done()
			_ = writer.Close()
		}
	})
	_ = command.Wait() // only a timeout matters
	hung := ctx.Err() != nil
	cancel()
	reader, err := os.OpenFile(pipe+".pipe", os.O_RDONLY|syscall.O_NONBLOCK, 0) // so that the writer does not wait forever
	if err == nil {
		defer reader.Close()
	}
	writing.Wait()
	return ended{command.ProcessState.ExitCode(), output.String(), hung}
}

// TestEveryPathIsTried checks that the runs of these tests use every path of every command and setting.
func TestEveryPathIsTried(t *testing.T) {
	t.Parallel()
	paths := strings.Fields("FILE FOLDER PLACE DATABASE COMMAND")
	others := strings.Fields("NETWORK,... ORIGIN,... URL ID NAME SCOPE CLAIM GROUP=ROLE EMAIL KEY FIELD NAME=VALUE ORDER AUDIT-ID ACTIONS SHELL KIND CODE CLAIM CLAIMS TAG" +
		" ADDRESS PREFIX HOST:PORT NETWORK")
	texts := strings.Fields("listen time-zone host public-url reason user") // of flags without a placeholder
	files := strings.Fields("file values")                                  // arguments that are paths
	tried := map[string]bool{}
	f := &pathFixture{folder: t.TempDir(), words: strings.NewReplacer()}
	if err := os.Mkdir(filepath.Join(f.folder, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, run := range pathRuns() {
		command, _, err := parse(f.spelled(run, func(path string, _ bool) string { return filepath.Join(f.folder, path) }), io.Discard, io.Discard)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, part := range command.Path {
			if part.Flag != nil && strings.Contains(run.args, " --"+part.Flag.Name+" @") {
				tried[command.Selected().FullPath()+" --"+part.Flag.Name] = true
			}
			if part.Positional != nil && slices.Contains(files, part.Positional.Name) {
				tried[command.Selected().FullPath()+" "+part.Positional.Name] = true
			}
		}
	}
	parser, err := kong.New(&commands{}, kong.Name("routecard"), kong.DefaultEnvars("ROUTECARD"))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range leaves(parser.Model.Node) {
		for _, flag := range command.Flags {
			kind, name := flag.Target.Type().String(), command.FullPath()+" --"+flag.Name
			switch {
			case kind != "string" && kind != "[]string" || flag.Enum != "":
			case slices.Contains(paths, flag.PlaceHolder) || flag.Name == "database": // the help of the service shows its default
				if !tried[name] {
					t.Errorf("%s is a path that no run of pathRuns uses", name)
				}
			case !slices.Contains(others, flag.PlaceHolder) && !slices.Contains(texts, flag.Name):
				t.Errorf("%s: give it a placeholder of %q when it is a path, or name its placeholder %q here", name, paths, flag.PlaceHolder)
			}
		}
		for _, argument := range command.Positional {
			if name := command.FullPath() + " " + argument.Name; slices.Contains(files, argument.Name) && !tried[name] {
				t.Errorf("%s is a path that no run of pathRuns uses", name)
			} else if !slices.Contains(files, argument.Name) && !slices.Contains(others, strings.ToUpper(argument.Name)) {
				t.Errorf("%s: call it file when it is a path, or name it here", name)
			}
		}
	}
}

func leaves(command *kong.Node) []*kong.Node {
	if len(command.Children) == 0 {
		return []*kong.Node{command}
	}
	var all []*kong.Node
	for _, child := range command.Children {
		all = append(all, leaves(child)...)
	}
	return all
}

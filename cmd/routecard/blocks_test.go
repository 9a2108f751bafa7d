package main

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v4"
)

// section says how the blocks under a heading of a document are tested: by a test or a script of the gate that reads the document, or only
// by checkBlock, for the given reason. If a heading has several entries, each covers some of its blocks.
type section struct {
	heading string
	blocks  int
	by      string
}

// documentedBlocks lists every block of commands, settings and output in the documents.
func documentedBlocks() map[string][]section {
	return map[string][]section{
		"README.md": {
			{"Two commands", 1, "a service for visitors, and the tests themselves"},
		},
		"CONTRIBUTING.md": {
			{"Build and test", 3, "the gate and the tests themselves"},
			{"Commits", 1, "an example of a subject"},
		},
		"docs/adding-a-noun.md": {{"Adding a noun", 1, "counts files of the repository, and what it prints changes with them"}},
		"docs/access.md": {
			{"From open to signed-in", 3, "TestAccessDocument"},
			{"Tokens for programs", 4, "TestAccessDocument"},
			{"Second factors", 2, "TestAccessDocument"},
			{"With the company account", 3, "TestAccessDocumentSettings"},
			{"When everybody is locked out", 8, "TestAccessDocument"},
		},
		"docs/corrections.md": {{"On hold", 1, "TestRequestsOfDocuments"}},
		"docs/dossier.md": {
			{"Dossiers", 1, "testdata/dossier.txtar sends the request"},
			{"Verifying", 1, "testdata/dossier.txtar runs the command"},
		},
		"docs/files.md": {
			{"Upload and attach", 3, "TestRequestsOfDocuments"},
			{"What it proves", 1, "TestBackupOfDocuments"},
			{"Where they are kept", 1, "needs a bucket; the tests of internal/files have one"},
		},
		"docs/first-session.md": {
			{"A first session", 15, "TestFirstSessionDocument"},
			{"Searches, batches, events", 5, "TestFirstSessionDocument"},
		},
		"docs/ledger.md": {
			{"What you need, and three commands", 4, "TestLedgerDocument"},
			{"What is compared with the trail", 1, "output of an edit; TestEveryClaimCanFail makes such edits"},
			{"Running it", 1, "needs a loss; .ci/upgraded accepts one"},
			{"The checkpoint", 3, "TestLedgerExample"},
			{"Example", 4, "TestLedgerExample"},
		},
		"docs/measuring.md": {
			{"What is measured", 1, "TestRequestsOfDocuments"},
			{"Readings", 1, "TestRequestsOfDocuments"},
			{"From a file", 1, "TestRequestsOfDocuments"},
			{"From a file", 3, "TestMeasuringDocument"},
			{"Frozen limits", 1, "needs forty readings; the tests of shop freeze limits"},
		},
		"docs/notices.md":     {{"Mail", 1, "TestSettingsOfDocuments"}},
		"docs/performance.md": {{"Method", 1, "takes minutes, and what it prints depends on the machine"}},
		"docs/postgres.md": {
			{"PostgreSQL and several instances", 1, "needs two servers, which TestThePrimaryIsLost has"},
			{"From a file to PostgreSQL, and back", 1, ".ci/walk"},
			{"On a machine with the package", 2, ".ci/walk"},
			{"Backup", 1, "TestDumpIsProved"},
			{"Backup", 2, "TestAnEarlierMomentIsRestored"},
			{"Replication and failover", 2, "settings of PostgreSQL and of Patroni, which is not a part of the tests"},
			{"Reading from standbys", 2, "needs two servers, which TestReadDatabase has; and a test itself"},
			{"Upgrades", 2, ".ci/upgraded"},
			{"Growth", 4, "TestPartitionedTrail"},
			{"Growth", 1, "takes minutes, and what it prints depends on the machine"},
		},
		"docs/repeating.md": {
			{"A request without a response", 7, "TestRepeatingDocument"},
			{"A unit that another person moved", 2, "TestRepeatingDocument"},
			{"A record that another person changed", 4, "TestRepeatingDocument"},
		},
		"docs/running.md": {
			{"Installing", 1, ".ci/walk"},
			{"Installing", 3, "needs systemd or podman; .ci/installed has the first"},
			{"The first start", 2, "settings of a start on the network"},
			{"A file with settings", 2, "TestSettingsOfDocuments"},
			{"A session with operators, a template and the work queue", 15, "TestRunningDocument"},
			{"Upgrading and going back", 2, "needs a package of the version before; .ci/upgraded goes the way with two programs"},
			{"Releases", 2, "needs the key of the releases; .ci/release makes one of its own"},
			{"With a reverse proxy", 3, "a piece of docs/examples/nginx.conf, which TestNginxExample runs"},
			{"With a reverse proxy", 1, "settings of Caddy, which is not a part of the tests"},
			{"Backup and restore", 3, "TestBackupOfDocuments"},
			{"Backups in a bucket", 1, "TestBackupInABucket"},
			{"What to back up", 1, "needs the program sqlite3; TestRestoreChecks restores such a copy"},
			{"Any moment of a database file", 2, "TestAnyMomentOfAFile"},
			{"When something is wrong", 1, "asks a service at the address of the settings; TestScripts runs the doctor"},
		},
		"docs/shop-floor.md":   {{"The first hour on the shop floor", 1, "a service for the reader of the page"}},
		"docs/signatures.md":   {{"A session", 15, "TestSignaturesDocument"}},
		"docs/tracker.md":      {{"A session", 4, "TestTrackerDocument"}},
		"docs/traceability.md": {{"Hold what a recall names", 1, "TestRequestsOfDocuments"}},
		"docs/validation.md": {
			{"The plan", 1, ".ci/walk"},
			{"What is claimed", 1, "one of the tests themselves"},
		},
		"docs/api/clients.md": {
			{"Lists", 1, "TestRequestsOfDocuments"},
			{"In Go", 1, "needs the network; the tests of client compile it"},
			{"In TypeScript", 1, ".ci/clients"},
			{"Exports", 1, "TestRequestsOfDocuments"},
			{"Imports", 2, "TestRequestsOfDocuments"},
			{"From the command line", 1, "TestRequestsOfDocuments"},
			{"An integration", 1, "TestIntegration in docs/examples/integration"},
			{"oapi-codegen", 2, ".ci/clients"},
			{"ogen", 1, ".ci/clients"},
			{"openapi-typescript", 1, ".ci/clients"},
		},
	}
}

const repository = "../../"

// documents returns the names of all documents.
func documents(t *testing.T) (names []string) {
	t.Helper()
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/api/*.md"} {
		found, err := filepath.Glob(repository + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			names = append(names, strings.TrimPrefix(filepath.ToSlash(name), repository))
		}
	}
	return names
}

// TestEveryBlockIsTried checks that a test or a script runs each block of the documents, or that documentedBlocks has a reason why none
// does.
func TestEveryBlockIsTried(t *testing.T) {
	t.Parallel()
	table, names := documentedBlocks(), documents(t)
	for _, document := range names {
		shownUnder, triedUnder := map[string]int{}, map[string]int{}
		for _, block := range blocks(t, repository+document) {
			shownUnder[block.heading]++
		}
		for _, section := range table[document] {
			triedUnder[section.heading] += section.blocks
		}
		for heading := range maps.Keys(shownUnder) {
			if shownUnder[heading] != triedUnder[heading] {
				t.Errorf("%s shows %d blocks under %q, and documentedBlocks has %d: say there how a new block is tried",
					document, shownUnder[heading], heading, triedUnder[heading])
			}
		}
		for heading := range maps.Keys(triedUnder) {
			if shownUnder[heading] == 0 {
				t.Errorf("%s shows no block under %q, which documentedBlocks has", document, heading)
			}
		}
	}
	for document := range table {
		if !slices.Contains(names, document) {
			t.Errorf("documentedBlocks has %s, and there is no such document", document)
		}
	}
}

// TestTestsOfBlocksReadTheirDocuments checks that tests and scripts in documentedBlocks exist and read the document.
func TestTestsOfBlocksReadTheirDocuments(t *testing.T) {
	t.Parallel()
	tests := map[string]string{} // the file of each test, by the test's name
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	if err := filepath.WalkDir(repository, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		for _, found := range function.FindAllSubmatch(text, -1) {
			tests[string(found[1])] += string(text)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for document, sections := range documentedBlocks() {
		for _, section := range sections {
			text := tests[section.by]
			if strings.HasPrefix(section.by, ".ci/") {
				script, err := os.ReadFile(repository + section.by)
				if err != nil {
					t.Error(err)
				}
				text = string(script)
			}
			tried := !strings.Contains(section.by, " ")
			if name := filepath.Base(document); tried && !strings.Contains(text, name) && !strings.Contains(text, strings.TrimSuffix(name, ".md")) {
				t.Errorf("%s: %q is tried by %s, which does not read it", document, section.heading, section.by)
			}
			for _, named := range regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(section.by, -1) {
				if tests[named] == "" {
					t.Errorf("%s: %q: there is no %s", document, section.heading, named)
				}
			}
		}
	}
}

// TestBlocksAreRight parses the command lines, the settings and the requests that documents show, including those that no test runs.
func TestBlocksAreRight(t *testing.T) {
	t.Parallel()
	serve, _, err := parse([]string{"serve"}, io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	c := &blockCheck{t: t, operations: operations(t), known: settingsOf(serve.Selected())}
	for _, document := range documents(t) {
		for _, block := range blocks(t, repository+document) {
			c.place = fmt.Sprintf("%s:%d", document, block.line)
			c.check(block)
		}
	}
	if c.commands < 40 || c.settings < 4 || c.requests < 60 {
		t.Errorf("checked %d commands, %d settings, %d requests", c.commands, c.settings, c.requests)
	}
}

// blockCheck checks the blocks of documents.
type blockCheck struct {
	t                            *testing.T
	place                        string
	operations                   []operation
	known                        []*kong.Flag // the settings of a service
	commands, settings, requests int
}

func (c *blockCheck) check(block shown) {
	if c.isSettings(block.text) {
		c.checkSettings(block.text)
		return
	}
	if strings.HasPrefix(block.text, "--") {
		c.checkCommand(append([]string{"serve"}, shellWords(strings.ReplaceAll(block.text, "\n", " "))...))
		return
	}
	for _, line := range logicalLines(block) {
		words := shellWords(line)
		for i, word := range words {
			begins := i == 0 || slices.Contains([]string{"--", "|", "&&", "$"}, words[i-1])
			if word == "routecard" && begins || word == "./cmd/routecard" && i > 0 && words[i-1] == "run" {
				c.checkCommand(words[i+1:])
			}
		}
		c.checkRequests(line)
	}
}

// isSettings reports whether a block is a piece of a file with settings.
func (c *blockCheck) isSettings(text string) bool {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			name, _, found := strings.Cut(strings.TrimSpace(line), ":")
			return found && slices.ContainsFunc(c.known, func(flag *kong.Flag) bool { return flag.Name == name })
		}
	}
	return false
}

func (c *blockCheck) checkSettings(text string) {
	c.settings++
	name := filepath.Join(c.t.TempDir(), "routecard.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
	if _, err := readConfig(name, c.known); err != nil {
		c.t.Errorf("%s: %v", c.place, err)
	}
}

// checkCommand parses the arguments after the name of the program.
func (c *blockCheck) checkCommand(words []string) {
	c.commands++
	end := slices.IndexFunc(words, func(word string) bool { return slices.Contains([]string{"|", ">", "&&", "2>"}, word) })
	if end >= 0 {
		words = words[:end]
	}
	args := slices.Clone(words)
	for i := range args {
		if i > 0 && args[i-1] == "--folder" { // the folder has to exist
			args[i] = c.t.TempDir()
		}
	}
	if _, _, err := parse(args, io.Discard, io.Discard); err != nil {
		c.t.Errorf("%s: routecard %s: %v", c.place, strings.Join(words, " "), err)
	}
}

// operation is a method and the pattern of the paths of an operation.
type operation struct {
	method string
	path   *regexp.Regexp
}

// operations returns the operations of the interface, and the other addresses that documents request.
func operations(t *testing.T) (all []operation) {
	t.Helper()
	text, err := os.ReadFile(repository + "api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]any `yaml:"paths"`
	}
	if err := yaml.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	for path, methods := range document.Paths {
		pattern := regexp.MustCompile(`\\\{[^}]*\\\}`).ReplaceAllString(regexp.QuoteMeta(path), `[^/]+`)
		for method := range methods {
			all = append(all, operation{strings.ToUpper(method), regexp.MustCompile("^" + pattern + "$")})
		}
	}
	return append(all, operation{"GET", regexp.MustCompile(`^/(readyz|ledger/checkpoint|api/openapi(-3\.0)?\.(yaml|json))$`)})
}

var (
	curlCommand   = regexp.MustCompile(`\bcurl [^|]*`)
	requestTarget = regexp.MustCompile(`(?:\$shop|(?:http://)?(?:127\.0\.0\.1|localhost|shop\.example):8080(/api)?)(/[^\s'"?);]*)`)
	requestMethod = regexp.MustCompile(`-X ([A-Z]+)`)
	shownRequest  = regexp.MustCompile(`^([A-Z]+) (/api/\S+)$`)
)

// checkRequests checks that the requests of a line are operations of the interface.
func (c *blockCheck) checkRequests(line string) {
	if found := shownRequest.FindStringSubmatch(strings.TrimSpace(line)); found != nil {
		c.checkRequest(found[1], found[2])
	}
	for _, command := range curlCommand.FindAllString(line, -1) {
		found := requestTarget.FindStringSubmatch(command)
		if found == nil {
			continue
		}
		path := found[1] + found[2]
		if strings.Contains(found[0], "$shop") {
			path = "/api" + found[2]
		}
		verb := "GET"
		if strings.Contains(command, "--json") || strings.Contains(command, "--data") {
			verb = "POST"
		}
		if given := requestMethod.FindStringSubmatch(command); given != nil {
			verb = given[1]
		}
		c.checkRequest(verb, path)
	}
}

func (c *blockCheck) checkRequest(verb, path string) {
	c.requests++
	if !slices.ContainsFunc(c.operations, func(one operation) bool { return one.method == verb && one.path.MatchString(path) }) {
		c.t.Errorf("%s: %s %s is not an operation of the interface", c.place, verb, path)
	}
}

// logicalLines returns the command lines of a block, without prompts. Lines of one command are joined.
func logicalLines(block shown) (lines []string) {
	open := ""
	for line := range strings.Lines(block.text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
		continued := strings.HasSuffix(line, `\`) || strings.HasSuffix(line, "|")
		open += strings.TrimSuffix(line, `\`) + " "
		if continued || strings.Count(strings.ReplaceAll(open, `'"'`, ""), "'")%2 == 1 {
			continue
		}
		lines, open = append(lines, strings.TrimSpace(open)), ""
	}
	if open != "" {
		lines = append(lines, strings.TrimSpace(open))
	}
	return lines
}

// shellWords returns the words of a command line up to its comment.
func shellWords(line string) (words []string) {
	word, within, quote := "", false, rune(0)
	end := func() {
		if within {
			words = append(words, word)
		}
		word, within = "", false
	}
	for _, char := range line {
		switch {
		case quote != 0 && char == quote:
			quote = 0
		case quote != 0:
			word += string(char)
		case char == '\'' || char == '"':
			quote, within = char, true
		case char == '#' && !within:
			return words
		case char == ' ' || char == '\t' || char == '\\':
			end()
		default:
			word, within = word+string(char), true
		}
	}
	end()
	return words
}

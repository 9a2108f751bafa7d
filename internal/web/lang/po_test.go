package lang_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

var write = flag.Bool("write", false, "write the texts of the pages to routecard.pot and to the files of the languages")

// poEntry is a text in a gettext file.
type poEntry struct {
	context, id, plural string
	translations        []string
	remarks             []string // remarks of translators, such as the reason for an exception to the glossary
	references          []string // files that use the text
	fuzzy               bool
}

func (e poEntry) key() string { return e.context + "|" + e.id }

// poFile is a gettext file. The entry without an id is the header.
type poFile struct {
	remarks []string
	header  string
	entries []poEntry
}

// readPO reads a gettext file.
func readPO(t *testing.T, name string) poFile {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var file poFile
	for block := range strings.SplitSeq(strings.ReplaceAll(string(content), "\r\n", "\n"), "\n\n") {
		var entry poEntry
		var into *string
		begun := false
		for line := range strings.SplitSeq(block, "\n") {
			keyword, rest, _ := strings.Cut(line, " ")
			switch {
			case line == "" || strings.HasPrefix(line, "#~"):
				continue
			case keyword == "#,":
				entry.fuzzy = strings.Contains(rest, "fuzzy")
				continue
			case keyword == "#:":
				entry.references = append(entry.references, strings.Fields(rest)...)
				continue
			case strings.HasPrefix(line, "#"):
				entry.remarks = append(entry.remarks, line)
				continue
			case keyword == "msgctxt":
				into = &entry.context
			case keyword == "msgid":
				into, begun = &entry.id, true
			case keyword == "msgid_plural":
				into = &entry.plural
			case strings.HasPrefix(keyword, "msgstr"):
				entry.translations = append(entry.translations, "")
				into = &entry.translations[len(entry.translations)-1]
			default:
				rest = line
			}
			text, err := strconv.Unquote(strings.TrimSpace(rest))
			if err != nil || into == nil {
				t.Fatalf("%s: %s: %v", name, line, err)
			}
			*into += text
		}
		switch {
		case !begun:
		case entry.id == "":
			file.header, file.remarks = entry.translations[0], entry.remarks
		default:
			file.entries = append(file.entries, entry)
		}
	}
	return file
}

// written returns the file in a uniform format: entries are sorted by text, and each text is on one line.
func (f poFile) written() []byte {
	var b bytes.Buffer
	for _, remark := range f.remarks {
		fmt.Fprintln(&b, remark)
	}
	b.WriteString("msgid \"\"\nmsgstr \"\"\n")
	for line := range strings.Lines(f.header) {
		fmt.Fprintln(&b, poQuoted(line))
	}
	slices.SortFunc(f.entries, func(a, b poEntry) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.id), strings.ToLower(b.id)), strings.Compare(a.id, b.id), strings.Compare(a.context, b.context))
	})
	for _, e := range f.entries {
		b.WriteString("\n")
		for _, remark := range e.remarks {
			fmt.Fprintln(&b, remark)
		}
		if len(e.references) > 0 {
			fmt.Fprintln(&b, "#:", strings.Join(e.references, " "))
		}
		if e.fuzzy {
			fmt.Fprintln(&b, "#, fuzzy")
		}
		if e.context != "" {
			fmt.Fprintln(&b, "msgctxt", poQuoted(e.context))
		}
		fmt.Fprintln(&b, "msgid", poQuoted(e.id))
		if e.plural == "" {
			fmt.Fprintln(&b, "msgstr", poQuoted(e.translations[0]))
			continue
		}
		fmt.Fprintln(&b, "msgid_plural", poQuoted(e.plural))
		for i, translation := range e.translations {
			fmt.Fprintf(&b, "msgstr[%d] %s\n", i, poQuoted(translation))
		}
	}
	return b.Bytes()
}

// poQuoted quotes a text as gettext does. It escapes only quotes, backslashes and line ends.
func poQuoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}

// catalogue returns the texts of the pages as the entries of a gettext file, with the files that use them.
func catalogue(t *testing.T) []poEntry {
	t.Helper()
	byKey := map[string]poEntry{}
	for _, text := range slices.Concat(readSource(t).texts(t), givenTexts(t)) {
		context, id, found := strings.Cut(string(text.one), "|")
		if !found {
			context, id = "", string(text.one)
		}
		if id == "" {
			continue // a context to which the program adds a value
		}
		entry := byKey[context+"|"+id]
		entry.context, entry.id, entry.translations = context, id, []string{""}
		if text.many != "" {
			entry.plural = text.many.English()
		}
		file := regexp.MustCompile(`(:\d+)+$`).ReplaceAllString(text.where, "")
		if !strings.Contains(file, " ") {
			entry.references = append(entry.references, file)
			slices.Sort(entry.references)
			entry.references = slices.Compact(entry.references)
		}
		byKey[context+"|"+id] = entry
	}
	return slices.Collect(maps.Values(byKey))
}

const templateHeader = "Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n"

// TestFilesOfLanguages compares the template and the files of all languages with the texts of the pages. With -args -write it adds missing
// texts to them and removes texts that no page has.
func TestFilesOfLanguages(t *testing.T) {
	t.Parallel()
	wanted := catalogue(t)
	compare := func(name string, file poFile) {
		want := file.written()
		if *write {
			if err := os.WriteFile(name, want, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s does not have the texts of the pages: run go test ./internal/web/lang -args -write (%v)", name, err)
		}
	}
	compare("locales/routecard.pot", poFile{header: templateHeader, entries: slices.Clone(wanted)})
	files, err := filepath.Glob("locales/*.po")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		file := readPO(t, name)
		known := map[string]poEntry{}
		for _, entry := range file.entries {
			known[entry.key()] = entry
		}
		forms := formsOf(t, file)
		file.entries = nil
		for _, entry := range wanted {
			if entry.plural != "" {
				entry.translations = make([]string, forms)
			}
			if old, translated := known[entry.key()]; translated {
				entry.remarks, entry.fuzzy = old.remarks, old.fuzzy
				copy(entry.translations, old.translations)
			}
			file.entries = append(file.entries, entry)
		}
		compare(name, file)
	}
}

// formsOf returns the number of plural forms of a language.
func formsOf(t *testing.T, file poFile) int {
	t.Helper()
	found := regexp.MustCompile(`nplurals=(\d+)`).FindStringSubmatch(file.header)
	if found == nil {
		t.Fatal("a file has no Plural-Forms")
	}
	forms, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return forms
}

// TestTranslations checks every translation: its placeholders, its plural forms, that no translator has marked it as doubtful, and that it
// uses the words of the glossary. A language that is offered has all texts.
func TestTranslations(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("locales/*.po")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file := readPO(t, name)
		offered := strings.Contains(file.header, "X-Offered: yes\n")
		words := glossary(t, regexp.MustCompile(`(?m)^Language: (\w+)$`).FindStringSubmatch(file.header)[1])
		missing := 0
		for _, entry := range file.entries {
			problems, lacks := problemsOf(entry, words)
			if lacks {
				missing++
			}
			for _, problem := range problems {
				t.Errorf("%s: %q: %s", name, entry.id, problem)
			}
			if offered && (lacks || entry.fuzzy) {
				t.Errorf("%s offers the language and lacks a certain translation of %q", name, entry.id)
			}
		}
		t.Logf("%s lacks %d of %d translations", name, missing, len(file.entries))
	}
}

// problemsOf returns the problems of an entry's translation, and whether the entry has no translation.
func problemsOf(entry poEntry, words []glossaryWord) (problems []string, lacks bool) {
	if slices.Contains(entry.translations, "") {
		if slices.ContainsFunc(entry.translations, func(text string) bool { return text != "" }) {
			problems = append(problems, "has only some of its plural forms")
		}
		return problems, true
	}
	for _, translation := range entry.translations {
		own, wanted := placesOf(translation), placesOf(entry.id+entry.plural)
		if entry.plural != "" { // a text for one may omit the number
			own, wanted = slices.DeleteFunc(own, isCount), slices.DeleteFunc(wanted, isCount)
		}
		if !slices.Equal(own, wanted) {
			problems = append(problems, fmt.Sprintf("%q has the places %q, want %q", translation, own, wanted))
		}
		if misplaced := regexp.MustCompile(`[{}]`).FindString(places.ReplaceAllString(translation, "")); misplaced != "" {
			problems = append(problems, fmt.Sprintf("%q has a brace that belongs to no place", translation))
		}
		for _, problem := range pairProblems(translation) {
			problems = append(problems, problem)
		}
	}
	if slices.ContainsFunc(entry.remarks, func(remark string) bool { return regexp.MustCompile(`^# glossary: \S+ \S`).MatchString(remark) }) {
		return problems, false
	}
	// The longest words come first, so that "control limit" is not also counted as "limit".
	id := places.ReplaceAllString(entry.id, " ")
	for _, word := range words {
		if !word.english.MatchString(id) {
			continue
		}
		id = word.english.ReplaceAllString(id, " ")
		for _, translation := range entry.translations {
			if !word.translated(translation) {
				problems = append(problems, fmt.Sprintf("%q has no word for %q as docs/words.md has it: %s", translation, word.name, strings.Join(word.others, ", ")))
			}
		}
	}
	return problems, false
}

// pairProblems returns the problems of paired placeholders, such as {link} and {/link}.
func pairProblems(text string) (problems []string) {
	for _, closing := range regexp.MustCompile(`\{/(\w+)\}`).FindAllStringSubmatch(text, -1) {
		if open := strings.Index(text, "{"+closing[1]+"}"); open < 0 || open > strings.Index(text, closing[0]) {
			problems = append(problems, fmt.Sprintf("%q ends %s before it begins", text, closing[1]))
		}
	}
	return problems
}

// glossaryWord is a word of docs/words.md with its translations.
type glossaryWord struct {
	name    string
	english *regexp.Regexp
	others  []string
}

// translated reports whether a text contains the stem of one of the translations. It compares stems because words have endings and occur in
// compounds.
func (w glossaryWord) translated(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(w.others, func(other string) bool {
		return !slices.ContainsFunc(strings.Fields(strings.ToLower(other)), func(part string) bool { return !strings.Contains(text, stem(part)) })
	})
}

// stem removes the ending: the last third of a long word.
func stem(word string) string {
	letters := []rune(word)
	return string(letters[:max(min(len(letters), 3), len(letters)*2/3)])
}

// glossary returns the words of docs/words.md with a confirmed or proposed translation into a language, the longest first. The column of a
// language has its English name. For a language without a column there are no words.
func glossary(t *testing.T, tag string) (words []glossaryWord) {
	t.Helper()
	content, err := os.ReadFile("../../../docs/words.md")
	if err != nil {
		t.Fatal(err)
	}
	name := display.English.Languages().Name(language.MustParse(tag))
	_, table, _ := strings.Cut(string(content), "\n## ")
	column := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if strings.TrimSpace(cells[0]) == "English" {
			if column = slices.IndexFunc(cells, func(cell string) bool { return strings.TrimSpace(cell) == name }); column < 0 {
				return nil
			}
			continue
		}
		if column == 0 || len(cells) <= column || strings.HasPrefix(cells[0], " ---") {
			continue
		}
		for english := range strings.SplitSeq(cells[0], ",") {
			word := glossaryWord{name: strings.TrimSpace(english)}
			word.english = regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(word.name) + `s?\b`)
			for other := range strings.SplitSeq(strings.ReplaceAll(cells[column], "(?)", ""), ",") {
				word.others = append(word.others, strings.TrimSpace(other))
			}
			words = append(words, word)
		}
	}
	if len(words) < 60 {
		t.Fatalf("only %d words were read", len(words))
	}
	slices.SortStableFunc(words, func(a, b glossaryWord) int { return len(b.name) - len(a.name) })
	return words
}

// The checks of translations detect each kind of mistake.
func TestChecksOfTranslations(t *testing.T) {
	t.Parallel()
	words := glossary(t, "de")
	for _, check := range []struct {
		entry    poEntry
		problems int
		lacks    bool
	}{
		{poEntry{id: "Since {date}", translations: []string{"Seit {date}"}}, 0, false},
		{poEntry{id: "Since {date}", translations: []string{""}}, 0, true},
		{poEntry{id: "Since {date}", translations: []string{"Seit"}}, 1, false},
		{poEntry{id: "Since {date}", translations: []string{"Seit {datum}"}}, 1, false},
		{poEntry{id: "Since {date}", translations: []string{"Seit {date"}}, 2, false},
		{poEntry{id: "See {link}all{/link}", translations: []string{"Zu {/link}allem{link}"}}, 1, false},
		{poEntry{id: "{n} unit", plural: "{n} units", translations: []string{"Ein Teil", "{n} Teile"}}, 0, false},
		{poEntry{id: "{n} unit", plural: "{n} units", translations: []string{"{n} Teil", ""}}, 1, true},
		{poEntry{id: "{n} unit", plural: "{n} units", translations: []string{"{n} Einheit", "{n} Teile"}}, 1, false},
		{poEntry{id: "{n} unit", translations: []string{"{n} Einheit"}, remarks: []string{"# glossary: unit of measurement"}}, 0, false},
		{poEntry{id: "{n} unit", translations: []string{"{n} Einheit"}, remarks: []string{"# glossary:"}}, 1, false},
	} {
		problems, lacks := problemsOf(check.entry, words)
		if len(problems) != check.problems || lacks != check.lacks {
			t.Errorf("%v: %q, and %v", check.entry, problems, lacks)
		}
	}
}

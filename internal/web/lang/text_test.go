package lang

import (
	"html/template"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

const german = `msgid ""
msgstr ""
"Language: de\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"
"X-Name: Deutsch\n"
"X-Offered: yes\n"

msgid "Find a hold"
msgstr "Sperre suchen"

msgctxt "of a job"
msgid "Due"
msgstr "Termin"

msgid "Since {date}"
msgstr "Seit {date}"

msgid "Not yet"
msgstr ""

msgid "{n} unit"
msgid_plural "{n} units"
msgstr[0] "{n} Teil"
msgstr[1] "{n} Teile"

msgctxt "format"
msgid "1 000"
msgstr "1.000"

msgctxt "format"
msgid "2 Jan 2006 15:04"
msgstr "2. Jan 2006, 15:04"

msgctxt "month"
msgid "Dec"
msgstr "Dez."
`

func TestTextsAreTranslated(t *testing.T) {
	t.Parallel()
	de := parse("de", []byte(german))
	none := (*Language)(nil)
	for _, check := range []struct{ got, want string }{
		{de.T("Find a hold"), "Sperre suchen"},
		{de.T("of a job|Due"), "Termin"},
		{de.T("Due"), "Due"},
		{de.T("of another|Due"), "Due"},
		{de.T("Not yet"), "Not yet"},
		{de.T("Since {date}", "date", "Montag"), "Seit Montag"},
		{de.T("Since {date}"), "Seit {date}"},
		{de.T("{what} by {who}", "who", "Kim", "what", Text("Find a hold")), "Sperre suchen by Kim"},
		{de.TN(1, "{n} unit", "{n} units"), "1 Teil"},
		{de.TN(int64(12000), "{n} unit", "{n} units"), "12.000 Teile"},
		{de.TN(0, "{n} job of {what}", "{n} jobs of {what}", "what", "x"), "0 jobs of x"},
		{none.TN(1, "{n} job", "{n} jobs"), "1 job"},
		{none.TN(-1000, "{n} job", "{n} jobs"), "-1\u202f000 jobs"},
		{none.T("of a job|Due"), "Due"},
		{de.Time(time.Date(2026, 12, 3, 4, 5, 0, 0, time.UTC), YearMinute), "3. Dez. 2026, 04:05"},
		{none.Time(time.Date(2026, 12, 3, 4, 5, 0, 0, time.UTC), YearMinute), "3 Dec 2026 04:05"},
		{Pseudo().T("Since {date}", "date", "Monday"), "⟦Šíñçé Monday~~~⟧"},
		{Pseudo().Time(time.Date(2026, 12, 3, 4, 5, 0, 0, time.UTC), DayMinute), "3 ⟦Ðéç~~⟧ 04:05"},
		{Pseudo().Number(1000), "1\u202f000"},
	} {
		if check.got != check.want {
			t.Errorf("%q, want %q", check.got, check.want)
		}
	}
}

// A typed value is text in the content of an element and in an attribute, and markup of the program is markup in the content only.
func TestArgumentsAreEscaped(t *testing.T) {
	t.Parallel()
	page := template.Must(template.New("").Funcs(template.FuncMap{"t": parse("de", []byte(german)).HTML}).Parse(
		`<p title="{{t "Since {date}" "date" .Typed}}">{{t "Since {date}" "date" .Typed}}</p>` +
			`<i title="{{t "See {link}all{/link}." "link" .Link}}">{{t "See {link}all{/link}." "link" .Link}}</i>` +
			`<b title="{{t "Since {date}" "date" .Time}}">{{t "Since {date}" "date" .Time}}</b>`))
	var written strings.Builder
	if err := page.Execute(&written, map[string]any{
		"Typed": `<script>alert(1)</script>" onclick='x'`, "Time": template.HTML("<time>1</time>"),
		"Link": Around{Open: `<a href="/all">`, Close: "</a>"},
	}); err != nil {
		t.Fatal(err)
	}
	typed := `Seit &lt;script&gt;alert(1)&lt;/script&gt;&#34; onclick=&#39;x&#39;`
	want := `<p title="` + typed + `">` + typed + `</p><i title="See all.">See <a href="/all">all</a>.</i><b title="Seit 1">Seit <time>1</time></b>`
	if written.String() != want {
		t.Errorf("%s\nwant %s", written.String(), want)
	}
}

// In a right-to-left language each argument is isolated, so that a code does not change the order of its sentence.
func TestArgumentsAreIsolatedFromRightToLeft(t *testing.T) {
	t.Parallel()
	he := parse("he", []byte(strings.Replace(german, "Language: de\\n", "Language: he\\n\"\n\"X-Direction: rtl\\n", 1)))
	if got, want := he.HTML("{unit} by {who}", "unit", "SN-00001", "who", template.HTML("<b>x</b>")), "<bdi>SN-00001</bdi> by <bdi><b>x</b></bdi>"; string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := he.T("{unit} is here", "unit", "SN-00001"), "\u2068SN-00001\u2069 is here"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	all := Around{Open: `<a href="/all">`, Close: "</a>"}
	if got := he.HTML("See {link}all{/link}.", "link", all); got != `See <a href="/all">all</a>.` {
		t.Errorf("a link in a right-to-left language: %q", got)
	}
	if got := he.T("See {link}all{/link}.", "link", all); got != "See all." {
		t.Errorf("a link in plain text: %q", got)
	}
	if he.Direction() != "rtl" || English().Direction() != "ltr" || (*Language)(nil).Direction() != "ltr" {
		t.Error("the direction of a language is wrong")
	}
	if got := English().HTML("{who} works here", "who", "יוסף 7"); got != "<bdi>יוסף</bdi> 7 works here" {
		t.Errorf("%q", got)
	}
}

func TestLanguageOfABrowser(t *testing.T) {
	t.Parallel()
	withheld := strings.NewReplacer("Language: de", "Language: es", "X-Offered: yes", "X-Offered: no").Replace(german)
	languages := languagesIn(fstest.MapFS{
		"locales/de.po": {Data: []byte(german)}, "locales/es.po": {Data: []byte(withheld)}, "locales/README": {},
	})
	for header, want := range map[string]string{
		"de-AT,de;q=0.9,en;q=0.8": "de", "es,de;q=0.5": "de", "en-US,en;q=0.5": "en", "fr": "", "": "", "x;;q=": "", "de;q=0.1, en": "en",
	} {
		found, ok := Accepted(languages, header)
		if ok != (want != "") || ok && found.Tag() != want {
			t.Errorf("%q gives %v", header, found)
		}
	}
	if _, ok := Find(languages, "es"); ok {
		t.Error("a language that is not offered is found")
	}
}

// A merge of files must not withdraw a language.
func TestFinishedLanguagesAreOffered(t *testing.T) {
	t.Parallel()
	for _, tag := range []string{"en", "de", "es", "fr"} {
		if _, ok := Find(Languages(), tag); !ok {
			t.Errorf("%s is not offered", tag)
		}
	}
}

func TestScriptsGetTheirTexts(t *testing.T) {
	t.Parallel()
	texts := ScriptTexts([]byte(`x = T("Find a hold"); y = TN(f(n, 1), "{n} unit", "{n} units") + T("of a job|Due", { a: 1 }); not(T(other)); T("a \"b\" \u2026")`))
	want := []ScriptText{{One: "Find a hold"}, {One: "{n} unit", Many: "{n} units"}, {One: "of a job|Due"}, {One: `a "b" …`}}
	if len(texts) != len(want) {
		t.Fatalf("%q", texts)
	}
	for i := range want {
		if texts[i] != want[i] {
			t.Errorf("%q, want %q", texts[i], want[i])
		}
	}
	script := parse("de", []byte(german)).Script(texts[:3])
	if want := `Object.assign(TEXTS, {"Find a hold":"Sperre suchen","of a job|Due":"Termin","{n} unit":["{n} Teil","{n} Teile"]});` + "\n" +
		"chosenForm = (n) => Number((n != 1));\n"; script != want {
		t.Errorf("%s\nwant %s", script, want)
	}
	if English().Script(texts) != "" {
		t.Error("English needs no texts")
	}
}

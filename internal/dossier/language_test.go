package dossier_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/dossier"
	"github.com/routecard/routecard/internal/web/lang"
)

// proving are the words of a language for "prove", and the beginning of its verdict about what is not proved. A new language needs a row.
var proving = map[string]struct{ prove, not *regexp.Regexp }{
	"en": {regexp.MustCompile(`(?i)proved?`), regexp.MustCompile(`(?i)^not proved`)},
	"de": {regexp.MustCompile(`(?i)bew[ie]+s|nachgewiesen`), regexp.MustCompile(`(?i)^nicht nachgewiesen`)},
	"es": {regexp.MustCompile(`(?i)probad|los? prueba|dem[ou]e?st`), regexp.MustCompile(`(?i)^no probado`)},
	"fr": {regexp.MustCompile(`(?i)prouv`), regexp.MustCompile(`(?i)^non prouvé`)},
}

// Every language has each sentence of the page that verifies dossiers, with the same placeholders. Only sentences that have the word in
// English say that something is proved, and each sentence that denies it in English denies it in every language.
func TestSentencesOfVerifyPage(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("verify.js")
	if err != nil {
		t.Fatal(err)
	}
	texts := lang.ScriptTexts(script)
	if len(texts) < 50 {
		t.Fatalf("only %d texts", len(texts))
	}
	places := func(text string) []string {
		found := regexp.MustCompile(`\{\w+\}`).FindAllString(text, -1)
		slices.Sort(found)
		return found
	}
	for _, l := range lang.Languages() {
		words, known := proving[l.Tag()]
		if !known {
			t.Errorf("%s: how does this language say that something is proved?", l.Tag())
			continue
		}
		for _, text := range texts {
			english, translated := text.One.English(), l.Lookup(text.One)
			if l.Tag() != "en" && translated == english && english != "signature" {
				t.Errorf("%s: %q is not translated", l.Tag(), english)
			}
			if !slices.Equal(places(english), places(translated)) {
				t.Errorf("%s: %q has other places than %q", l.Tag(), translated, english)
			}
			if words.prove.MatchString(translated) && !proving["en"].prove.MatchString(english) {
				t.Errorf("%s: %q says that something is proved, and %q does not", l.Tag(), translated, english)
			}
			if words.not.MatchString(translated) != proving["en"].not.MatchString(english) {
				t.Errorf("%s: of %q and %q, one denies the proof", l.Tag(), translated, english)
			}
		}
	}
}

// The page gives the same verdict in every language. Without its texts it says what the command says.
func TestVerdictInEveryLanguage(t *testing.T) {
	t.Parallel()
	of, all := eachTampered(t, 4001)
	archives := [][]byte{of.archive, of.earlier}
	count := 0
	for _, archive := range all {
		if count++; count%10 == 1 { // a part of what TestVerifyPageAgreesWithTheCommand checks
			archives = append(archives, archive)
		}
	}
	var encoded []string
	var want []*dossier.Report
	for _, archive := range archives {
		encoded = append(encoded, base64.StdEncoding.EncodeToString(archive))
		want = append(want, verified(t, archive, of.log.verifiers()))
	}
	list, _ := json.Marshal(encoded)
	for _, l := range lang.Languages() {
		b, _ := openPageIn(t, l)
		b.Run("pass the dossiers", fmt.Sprintf(`
			window.archives = %s.map((text) => new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))])); window.key = %q;`, list, of.log.key))
		var got []struct {
			Report, English dossier.Report
			Heading, State  string
		}
		evaluated(b, `async () => {
			const got = [];
			for (const archive of archives) {
				const report = await verifyZip(archive, key), texts = { ...TEXTS };
				show(report);
				const result = document.querySelector("#result");
				const one = { report, heading: result.querySelector("h2").textContent, state: result.className };
				for (const text of Object.keys(TEXTS)) delete TEXTS[text];
				one.english = await verifyZip(archive, key);
				Object.assign(TEXTS, texts);
				got.push(one);
			}
			return got;
		}`, &got)
		for i := range got {
			one, proved := got[i], want[i].Proved
			denied := proving[l.Tag()].not.MatchString(one.Heading)
			if one.Report.Proved != proved || denied == proved || (one.State == "proved") != proved || (i < 2) != proved {
				t.Errorf("%s: dossier %d is proved: %v, and the page says %q, %s", l.Tag(), i, proved, one.Heading, one.State)
			}
			if len(one.Report.Findings) != len(one.English.Findings) || len(one.Report.NotProved) != len(one.English.NotProved) {
				t.Fatalf("%s: dossier %d: %+v, and in English %+v", l.Tag(), i, one.Report, one.English)
			}
			for at, finding := range one.Report.Findings {
				same := strings.EqualFold(finding.Text, one.English.Findings[at].Text)
				if finding.Part != one.English.Findings[at].Part || same != (l.Tag() == "en") {
					t.Errorf("%s: dossier %d: %+v, and in English %+v", l.Tag(), i, finding, one.English.Findings[at])
				}
			}
		}
	}
}

package card

import (
	"strings"
	"testing"
)

func TestReadVerdict(t *testing.T) {
	t.Parallel()
	for _, text := range strings.Split("pass|PASS|Pass|OK|ok |O.K.|i.O.|i. O.|IO|In Ordnung|bestanden|apto|Conforme|CUMPLE", "|") {
		if got, ok := ReadVerdict(text); !ok || got != VerdictPass {
			t.Errorf("%q: %q", text, got)
		}
	}
	for _, text := range strings.Split("fail|FAIL|NOK|nOK|n.i.O.|n. i. O.|not ok|NG|No-Go|nicht in Ordnung|No apto|no conforme|NO PASA|Non conforme|mauvais", "|") {
		if got, ok := ReadVerdict(text); !ok || got != VerdictFail {
			t.Errorf("%q: %q", text, got)
		}
	}
	for _, text := range []string{"", " ", "1", "0", "yes", "no", "x", "passfail", "recorded", "true"} {
		if got, ok := ReadVerdict(text); ok {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// No word means both pass and fail.
func TestVerdictSpellingsAreDistinct(t *testing.T) {
	t.Parallel()
	seen := map[string]Verdict{}
	for verdict, spellings := range verdictSpellings {
		for word := range strings.FieldsSeq(spellings) {
			if other, twice := seen[word]; twice {
				t.Errorf("%q is %s and %s", word, verdict, other)
			}
			if seen[word] = verdict; verdictPunctuation.Replace(strings.ToLower(word)) != word {
				t.Errorf("%q can never be read", word)
			}
		}
	}
}

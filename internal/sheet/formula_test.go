package sheet_test

import (
	"testing"

	"github.com/routecard/routecard/internal/sheet"
)

// docs/api/clients.md, "Exports": no text becomes a formula in a spreadsheet, and reading the file restores the original text.
func TestCellsAreNotComputed(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"":                             "",
		"-":                            "'-",
		"Turn, -0.5 mm":                "Turn, -0.5 mm",
		`{"before":-1,"after":[1,-2]}`: `{"before":-1,"after":[1,-2]}`,
		"=1+1":                         "'=1+1",
		" =1+1":                        " '=1+1",
		"@SUM(A1)":                     "'@SUM(A1)",
		"\tx":                          "'\tx",
		"\r=x":                         "'\r'=x",
		"x;=1+1;y":                     "x;'=1+1;y",
		`x; "=1+1"`:                    `x; "'=1+1"`,
		"x\t+1":                        "x\t'+1",
		"x|-1":                         "x|'-1",
		"x\n=1":                        "x\n'=1",
		"＝1+1":                         "'＝1+1",
		"x;＋1":                         "x;'＋1",
		"－1":                           "'－1",
		"＠SUM(A1)":                     "'＠SUM(A1)",
		"\u3000=1":                     "\u3000'=1",
		"\ufeff\u00a0=1":               "\ufeff\u00a0'=1",
		"'=1":                          "''=1",
		"寸法＝5":                         "寸法＝5",
		"a-b; c=d":                     "a-b; c=d",
	} {
		if got := sheet.Harmless(given); got != want {
			t.Errorf("%q became %q, want %q", given, got, want)
		}
		if got := sheet.Original(want); got != given {
			t.Errorf("%q came back as %q, want %q", want, got, given)
		}
	}
	// Texts with apostrophes that people typed stay unchanged.
	for _, text := range []string{"'", "O'Brien", "'s-Hertogenbosch", "5'", "it's =1"} {
		if got := sheet.Original(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// Every text is restored.
func FuzzHarmless(f *testing.F) {
	for _, text := range []string{"=1", "'=1", "\r\t=", "x;'=", "\xff=", "'\xff-", "''--", ";;|\n@"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		harmless := sheet.Harmless(text)
		if got := sheet.Original(harmless); got != text {
			t.Errorf("%q became %q and came back as %q", text, harmless, got)
		}
	})
}

package web

import (
	"strings"
	"testing"
)

func TestCellsAreNotComputed(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"":                             "",
		"Turn, -0.5 mm":                "Turn, -0.5 mm",
		`{"before":-1,"after":[1,-2]}`: `{"before":-1,"after":[1,-2]}`,
		"=1+1":                         "'=1+1",
		" =1+1":                        " '=1+1",
		"@SUM(A1)":                     "'@SUM(A1)",
		"\tx":                          "'\tx",
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
		"寸法＝5":                         "寸法＝5",
		"a-b; c=d":                     "a-b; c=d",
	} {
		if got := harmless(given); got != want {
			t.Errorf("%q became %q, want %q", given, got, want)
		}
	}
}

func TestBackStaysHere(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/", "/jobs", "/serials/SN-00001?x=1", "/jobs/a%20b", "/audit?serial=SN-00001&before=aud_0000000000000003"} {
		if got := ownPath(path); got != path {
			t.Errorf("%q leads to %q", path, got)
		}
	}
	for _, path := range []string{
		"", "jobs", "//evil.example", `/\evil.example`, `/.\evil.example`, `/./\evil.example`, "/.//evil.example", "/..//evil.example",
		"/x/..//evil.example", "/%2e//evil.example", "/\t/evil.example", "/ /evil.example", "/\n", "https://evil.example",
		"/jobs\x00", "/jobs\x7f", "/\xff", "/\u00a0" + strings.Repeat("/", 3), "/?x=\\",
	} {
		if got := ownPath(path); got != "/" {
			t.Errorf("%q leads to %q", path, got)
		}
	}
}

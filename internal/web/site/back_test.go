package site

import (
	"strings"
	"testing"
)

func TestBackStaysHere(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/", "/jobs", "/serials/SN-00001?x=1", "/jobs/a%20b", "/audit?serial=SN-00001&before=aud_0000000000000003"} {
		if got := OwnPath(path); got != path {
			t.Errorf("%q leads to %q", path, got)
		}
	}
	for _, path := range []string{
		"", "jobs", "//evil.example", `/\evil.example`, `/.\evil.example`, `/./\evil.example`, "/.//evil.example", "/..//evil.example",
		"/x/..//evil.example", "/%2e//evil.example", "/\t/evil.example", "/ /evil.example", "/\n", "https://evil.example",
		"/jobs\x00", "/jobs\x7f", "/\xff", "/\u00a0" + strings.Repeat("/", 3), "/?x=\\",
	} {
		if got := OwnPath(path); got != "/" {
			t.Errorf("%q leads to %q", path, got)
		}
	}
}

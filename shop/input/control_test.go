package input

import (
	"strings"
	"testing"

	"github.com/routecard/routecard/shop/refusal"
)

// docs/running.md, "Limits": Names have no control characters and nothing that turns the direction of a text; texts may have lines and
// tabs.
func TestControlCharacters(t *testing.T) {
	t.Parallel()
	for _, c := range []string{"\a", "\x1b[31m", "\x7f", "\u0085", "\u009b", "\u202a", "\u202e", "\u2066", "\u2069"} {
		for limit, want := range map[int]bool{NameLimit: true, TextLimit: true} {
			_, required := RequiredWithin("name", Given("An"+c+"na"), limit, refusal.Required)
			_, optional := OptionalWithin("name", Given("An"+c+"na"), limit)
			for _, err := range []error{required, optional} {
				if got := err != nil && err.Error() == "name must not contain control characters"; got != want {
					t.Errorf("%q within %d characters: %v", c, limit, err)
				}
			}
		}
	}
	for _, c := range []string{"\n", "\t", "\r\n"} {
		if _, err := RequiredName("name", Given("a"+c+"b")); err == nil {
			t.Errorf("%q is taken in a name", c)
		}
		if _, err := ItemsOf("serialIds", []TextInput{Given("a" + c + "b")}); err == nil || !strings.HasPrefix(err.Error(), "serialIds[0] must not") {
			t.Errorf("%q is taken in a list: %v", c, err)
		}
		if _, err := RequiredWithin("text", Given("a"+c+"b"), TextLimit, refusal.Required); err != nil {
			t.Errorf("%q in a text: %v", c, err)
		}
		if err := CheckParameter("q", "a"+c+"b"); err != nil {
			t.Errorf("%q in a query: %v", c, err)
		}
		if _, err := RequiredText("password", Given("a"+c+"b")); err != nil {
			t.Errorf("%q in a password: %v", c, err)
		}
	}
	if _, err := RequiredName("name", Given("a\x00\x01")); err == nil || err.Error() != "name must not contain NUL characters" {
		t.Errorf("NUL: %v", err)
	}
	for _, name := range []string{"Müller \u200e", "שלום", "محمد \u061c", "Ø 12 ± 0,1 µm", "👩‍🔧"} {
		if _, err := RequiredName("name", Given(name)); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

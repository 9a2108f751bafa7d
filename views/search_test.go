package views

import (
	"strings"
	"testing"

	"github.com/routecard/routecard/shop/ident"
)

func ids(found []Called) string {
	var all []string
	for _, one := range found {
		all = append(all, one.ID)
	}
	return strings.Join(all, " ")
}

// Equal names come first, then names that begin with the text, then words in the middle, then the rest; each record once.
func TestLikeliest(t *testing.T) {
	t.Parallel()
	found := []Called{
		{"middle", []string{"Old bracket B-7"}, ""},
		{"inside", []string{"Sawbracketry"}, ""},
		{"begins", []string{"Bracketing"}, ""},
		{"begins", []string{"Bracketing"}, ""},
		{"other", []string{"Shaft"}, ""},
		{"second", []string{"Shaft 2", "bracket"}, ""},
		{"so", []string{"  BRACKET "}, ""},
		{"details", []string{"Mill certificate"}, `{"heat":"bracket steel"}`},
		{"Bracket", []string{"Shaft"}, ""},
	}
	for text, want := range map[string]struct {
		ids   string
		exact int
	}{
		"bracket":       {"second so Bracket begins middle inside details", 3},
		"BRACKET":       {"second so Bracket begins middle inside details", 3},
		"b-7 old":       {"middle", 0}, // words in any order
		"steel mill":    {"details", 0},
		"bracket b-7":   {"middle", 0},
		"no such thing": {"", 0},
		"shaft 2":       {"second", 1},
	} {
		likely, exact := likeliest(found, text)
		if got := ids(likely); got != want.ids || exact != want.exact {
			t.Errorf("%q: %q, %d exact, want %q, %d", text, got, exact, want.ids, want.exact)
		}
	}
}

func TestSpellings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Bracket": "bracket", "öse": "öse|Öse", "ÖSE": "öse|Öse", "Welle Ø20": "welle ø20|Welle Ø20", "Maß": "maß|Maß",
		"ßcharf": "ßcharf|ßcharf", "417": "417", "漢字": "漢字",
	} {
		if got := strings.Join(spellings(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestNumberMeant(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"SN-00417": 417, "sn-417": 417, "417": 417, "0417": 417, "SN-417": 417, "SN-0041": 0, "SN-041700": 0, "-4": 0, "SN-": 0, "SN--4": 0, "4x": 0, "": 0, "99999999999999999999": 0,
	} {
		if got := numberMeant(ident.DefaultPrefix, text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

package lang

import "testing"

// Each right-to-left name gets its own element, and all text is escaped.
func TestNamesFromRightToLeftStandApart(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                            "",
		"Saw assigned to Kim.":        "Saw assigned to Kim.",
		"<b>\" & 'x' advanced.":       "&lt;b&gt;&#34; &amp; &#39;x&#39; advanced.",
		"يوسف":                        "<bdi>يوسف</bdi>",
		"יוסף בן 2 דוד, 10:04: moved": "<bdi>יוסף בן 2 דוד</bdi>, 10:04: moved",
		"from خراطة to מחרטה.":        "from <bdi>خراطة</bdi> to <bdi>מחרטה</bdi>.",
		"خراطة → מחרטה":               "<bdi>خراطة</bdi> → <bdi>מחרטה</bdi>",
		"3 units at חיתוך <2>":        "3 units at <bdi>חיתוך</bdi> &lt;2&gt;",
		"Kim (יוסף), Ünal und Żak":    "Kim (<bdi>יוסף</bdi>), Ünal und Żak",
		"מחרטה Mazak 3":               "<bdi>מחרטה</bdi> Mazak 3",
	} {
		if got := string(Apart(text)); got != want {
			t.Errorf("%q is written %q, want %q", text, got, want)
		}
	}
}

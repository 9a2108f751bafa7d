package scancode

import "testing"

func TestIsCutBadge(t *testing.T) {
	t.Parallel()
	const badge = "RC-ID-7Xk29fQmZ0aB4cD8eF1g"
	for lost := 1; lost < 6; lost++ {
		if !IsCutBadge(badge[lost:]) {
			t.Errorf("%q is no badge", badge[lost:])
		}
	}
	for _, other := range []string{badge, badge[6:], "00340123450000000012", "SN-00012", "RC-DONE", "D-7Xk29", "see 7Xk29fQmZ0aB4cD8eF1g"} {
		if IsCutBadge(other) {
			t.Errorf("%q is a badge", other)
		}
	}
}

func TestReplaceBadges(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"RC-ID-7Xk29fQmZ0aB4cD8eF1g":           "*",
		"burrrc-id-7xk29fqmz0ab4cd8ef1g.":      "burr*.",
		"]C0RC-ID-7Xk29fQmZ0 RCßIDß7Xk29fQmZ0": "]C0* *",
		"RC-ID-7":                              "RC-ID-7",
		"RC-NOTE":                              "RC-NOTE",
		"the arc-idea is nothing, see RC-IDENTITY12345678": "the arc-idea is nothing, see RC-IDENTITY12345678",
	} {
		if got := ReplaceBadges(text, "*"); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

package scancode

import "testing"

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

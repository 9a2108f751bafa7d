package shop

import (
	"strings"
	"testing"
)

// The program panics at start if nouns contradict each other or refer to something undeclared.
func TestNounsAreChecked(t *testing.T) {
	t.Parallel()
	gauge := noun{
		records:    []Record{{Kind: "gauge", Names: named("Gauge"), Prefix: "gaug_"}},
		operations: []operationRow{{operation: "make-gauge", permission: Plan, subject: "gauge"}},
		actions:    []actionRow{{action: "gauge_made", of: only("gauge")}},
	}
	for want, others := range map[string][]noun{
		"":               nil,
		"record gauge":   {{records: []Record{{Kind: "gauge"}}}},
		"name Gauge":     {{records: []Record{{Kind: "other", Names: named("Gauge")}}}},
		"prefix gaug_":   {{records: []Record{{Kind: "other", Prefix: "gaug_"}}}},
		"operation make": {{operations: gauge.operations}},
		"action gauge":   {{actions: gauge.actions}},
		"no permission":  {{operations: []operationRow{{operation: "x", subject: "gauge"}}}},
		"tells of a":     {{actions: []actionRow{{action: "x", of: only("other")}}}},
		"no operation":   {{actions: []actionRow{{action: "x", signed: "gauge"}}}},
	} {
		func() {
			defer func() {
				said, _ := recover().(string)
				if (said == "") != (want == "") || !strings.Contains(said, want) {
					t.Errorf("%q was said, want %q", said, want)
				}
			}()
			checked(append([]noun{gauge}, others...))
		}()
	}
}

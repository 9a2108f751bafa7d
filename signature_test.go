package routecard_test

import (
	"slices"
	"testing"

	"github.com/routecard/routecard"
)

// TestSignedAs shows as what a change is signed, known by what it tells.
func TestSignedAs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		actions []routecard.AuditAction
		want    []routecard.SignedOperation
	}{
		{nil, nil},
		{[]routecard.AuditAction{"serial_advanced", "step_deferred", "note_created", "serial_held", "job_changed"}, nil},
		{[]routecard.AuditAction{"serial_scrapped"}, []routecard.SignedOperation{"scrap"}},
		{[]routecard.AuditAction{"step_override_created", "step_override_created"}, []routecard.SignedOperation{"override"}},
		{[]routecard.AuditAction{"step_override_reversed"}, []routecard.SignedOperation{"override"}},
		// A disposition is signed as one, and needs what scrapping and releasing need.
		{[]routecard.AuditAction{"serial_released", "serial_scrapped", "nonconformance_dispositioned"},
			[]routecard.SignedOperation{"disposition", "scrap", "release"}},
		{[]routecard.AuditAction{"serial_reworked", "step_deferred"}, []routecard.SignedOperation{"rework"}},
		{[]routecard.AuditAction{"path_updated"}, []routecard.SignedOperation{"pathUpdate"}},
	} {
		var entries []routecard.AuditEntry
		for _, action := range c.actions {
			entries = append(entries, routecard.AuditEntry{Action: action, PathID: "path_used"})
		}
		if got, err := routecard.SignedAs(entries, "path_used"); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v is signed as %v, %v; want %v", c.actions, got, err, c.want)
		}
	}
	unused := []routecard.AuditEntry{{Action: "path_updated", PathID: "path_new"}, {Action: "step_config_changed", PathID: "path_new"}}
	if got, err := routecard.SignedAs(unused, "path_used"); err != nil || len(got) > 0 {
		t.Errorf("a path without serials is signed as %v, %v", got, err)
	}
}

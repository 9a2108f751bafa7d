package shop_test

import (
	"slices"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// TestSignedAs derives the signed operation from the entries of a change.
func TestSignedAs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		actions []trail.Action
		want    []shop.SignedOperation
	}{
		{nil, nil},
		{[]trail.Action{"serial_advanced", "step_deferred", "note_created", "serial_held", "job_changed"}, nil},
		{[]trail.Action{"serial_scrapped"}, []shop.SignedOperation{"scrap"}},
		{[]trail.Action{"step_override_created", "step_override_created"}, []shop.SignedOperation{"override"}},
		{[]trail.Action{"step_override_reversed"}, []shop.SignedOperation{"override"}},
		// A disposition is signed as a single operation, and needs the permissions for scrapping and releasing.
		{[]trail.Action{"serial_released", "serial_scrapped", "nonconformance_dispositioned"},
			[]shop.SignedOperation{"disposition", "scrap", "release"}},
		{[]trail.Action{"serial_reworked", "step_deferred"}, []shop.SignedOperation{"rework"}},
		{[]trail.Action{"path_updated"}, []shop.SignedOperation{"pathUpdate"}},
	} {
		var entries []trail.Entry
		for _, action := range c.actions {
			entries = append(entries, trail.Entry{Action: action, PathID: "path_used"})
		}
		if got, err := shop.SignedAs(entries, "path_used"); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v is signed as %v, %v; want %v", c.actions, got, err, c.want)
		}
	}
	unused := []trail.Entry{{Action: "path_updated", PathID: "path_new"}, {Action: "step_config_changed", PathID: "path_new"}}
	if got, err := shop.SignedAs(unused, "path_used"); err != nil || len(got) > 0 {
		t.Errorf("a path without serials is signed as %v, %v", got, err)
	}
}

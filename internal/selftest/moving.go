package selftest

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
)

func path(t *trial) {
	on := t.plan("strict", step{name: "Turn"}, step{name: "Hone"}, step{name: "Pack"})
	made := t.units(on, 2)
	first, second := "/api/serials/"+made[0], "/api/serials/"+made[1]
	t.stands(made[0], 0, "in_progress")
	t.refused(http.StatusBadRequest, "path_strict", operator, post, first+"/advance-to", `{"targetStepIndex": 2}`)
	t.advance(made[0])
	t.stands(made[0], 1, "in_progress")
	t.last(made[0], "serial_advanced", operator)
	t.refused(http.StatusBadRequest, "target_behind", operator, post, first+"/advance-to", `{"targetStepIndex": 0}`)
	t.advance(made[0])
	t.stands(made[0], 2, "in_progress")
	t.advance(made[0])
	t.stands(made[0], -1, "completed")
	t.last(made[0], "serial_completed", operator)
	t.refused(http.StatusBadRequest, "serial_completed", operator, post, first+"/advance", "{}")
	t.do(quality, post, second+"/scrap", `{"reason": "damaged"}`, nil)
	t.stands(made[1], 0, "scrapped")
	t.last(made[1], "serial_scrapped", quality)
	t.refused(http.StatusBadRequest, "serial_scrapped", operator, post, second+"/advance", "{}")
}

func gate(t *trial) {
	for _, one := range []struct{ dependency, code string }{
		{"completion_gate", "completion_gate"}, {"physical", "physical_dependency"},
	} {
		on := t.plan("flexible", step{name: "Turn"}, step{name: "Test", dependency: one.dependency}, step{name: "Pack"})
		units := t.units(on, 2)
		first, second := "/api/serials/"+units[0], "/api/serials/"+units[1]
		t.refused(http.StatusBadRequest, one.code, operator, post, first+"/advance-to", `{"targetStepIndex": 2}`)
		t.stands(units[0], 0, "in_progress")
		t.advance(units[0])
		t.advance(units[0])
		t.stands(units[0], 2, "in_progress")
		override := body(map[string]any{"serialIds": units[1:], "stepId": on.steps[1], "reason": "tested on another bench"})
		t.refused(http.StatusForbidden, "permission_needed", operator, post, second+"/overrides", override)
		t.do(quality, post, second+"/overrides", override, nil)
		t.last(units[1], "step_override_created", quality)
		t.do(operator, post, second+"/advance-to", `{"targetStepIndex": 2}`, nil)
		t.stands(units[1], 2, "in_progress")
	}
}

func passedOver(t *trial) {
	on := t.plan("flexible", step{name: "Turn"}, step{name: "Polish", optional: true}, step{name: "Hone"}, step{name: "Pack"})
	unit := t.units(on, 1)[0]
	address := "/api/serials/" + unit
	t.do(operator, post, address+"/advance-to", `{"targetStepIndex": 3}`, nil)
	t.statuses(unit, "completed", "skipped", "deferred", "in_progress")
	var actions []string
	for _, entry := range t.told(unit) {
		actions = append(actions, entry.Action)
	}
	for _, action := range []string{"serial_advanced", "step_skipped", "step_deferred"} {
		t.wantsf(slices.Contains(actions, action), "the trail tells of %v, and not of %s", actions, action)
	}
	t.advance(unit)
	got := t.stands(unit, -1, "completed")
	t.wantsf(slices.Equal(got.OpenDeferredStepIDs, on.steps[2:3]),
		"%s has the open steps %v, in place of the deferred one", unit, got.OpenDeferredStepIDs)
	t.do(operator, post, address+"/complete-deferred/"+on.steps[2], "{}", nil)
	t.last(unit, "deferred_step_completed", operator)
	got = t.stands(unit, -1, "completed")
	t.wantsf(len(got.OpenDeferredStepIDs) == 0, "%s has the open steps %v after the last was completed", unit, got.OpenDeferredStepIDs)
}

// statuses requires that the steps of a unit have these statuses.
func (t *trial) statuses(unit string, want ...string) {
	var steps []struct{ Status string }
	t.do(administrator, get, "/api/serials/"+unit+"/step-statuses", "", &steps)
	var got []string
	for _, one := range steps {
		got = append(got, one.Status)
	}
	t.wantsf(slices.Equal(got, want), "the steps of %s are %v, in place of %v", unit, got, want)
}

func movedMeanwhile(t *trial) {
	unit := t.units(t.plan("strict", step{name: "Turn"}, step{name: "Hone"}, step{name: "Pack"}), 1)[0]
	address := "/api/serials/" + unit + "/advance"
	t.do(operator, post, address, `{"expectedStepIndex": 0}`, nil)
	t.refused(http.StatusConflict, "stands_elsewhere", lead, post, address, `{"expectedStepIndex": 0}`)
	t.stands(unit, 1, "in_progress")
	got := t.do(lead, get, "/api/serials/"+unit, "", nil)
	t.advance(unit)
	t.refused(http.StatusPreconditionFailed, "changed_since_read", lead, post, address, "{}", "If-Match", got.header.Get("ETag"))
	t.stands(unit, 2, "in_progress")
}

func repeated(t *trial) {
	unit := t.units(t.plan("strict", step{name: "Turn"}, step{name: "Hone"}, step{name: "Pack"}), 1)[0]
	address := "/api/serials/" + unit + "/advance"
	key := []string{"Idempotency-Key", "selftest-" + unit}
	first := t.do(operator, post, address, "{}", nil, key...)
	before := t.newest()
	again := t.do(operator, post, address, "{}", nil, key...)
	t.wantsf(bytes.Equal(first.body, again.body), "the second answer is %s, and the first was %s", again, first)
	after := t.newest()
	t.wantsf(after == before, "the repeated request made the entry %s", after)
	t.stands(unit, 1, "in_progress")
}

func ownNumber(t *trial) {
	on := t.plan("strict", step{name: "Turn"})
	address := fmt.Sprintf("/api/jobs/%s", on.job)
	t.do(lead, put, address, `{"partNumber": "SCRATCH-1"}`, nil)
	made := t.units(on, 2)
	const number = `{"serialNumber": "A-1"}`
	t.do(operator, put, "/api/serials/"+made[0]+"/serial-number", number, nil)
	t.refused(http.StatusConflict, "serial_number_taken", operator, put, "/api/serials/"+made[1]+"/serial-number", number)
	got := t.stands(made[0], 0, "in_progress")
	t.wantsf(got.SerialNumber == "A-1", "%s has the number %q", made[0], got.SerialNumber)
	got = t.stands(made[1], 0, "in_progress")
	t.wantsf(got.SerialNumber == "", "%s has the number %q", made[1], got.SerialNumber)
}

package selftest

import (
	"net/http"
)

func measured(t *trial) {
	on := t.plan("strict", step{name: "Hone"}, step{name: "Pack"})
	t.do(lead, put, "/api/steps/"+on.steps[0]+"/characteristics",
		`{"characteristics": [{"number": "7", "name": "Bore", "type": "number", "unit": "mm", "lower": "12.490", "upper": "12.510"}]}`, nil)
	unit := t.units(on, 1)[0]
	address := "/api/serials/" + unit
	t.refused(http.StatusBadRequest, "measurements_missing", operator, post, address+"/advance", "{}")
	t.reads(unit, "12.511", "fail")
	t.refused(http.StatusBadRequest, "out_of_limits", operator, post, address+"/advance", "{}")
	t.stands(unit, 0, "in_progress")
	t.reads(unit, "12.510", "pass") // a value at the limit passes
	t.advance(unit)
	t.stands(unit, 1, "in_progress")
	var readings []struct{ Value, Verdict string }
	t.do(viewer, get, address+"/measurements", "", &readings)
	t.wantsf(len(readings) == 2, "%s has %d readings, in place of both", unit, len(readings))
}

// reads records a reading, and requires this verdict.
func (t *trial) reads(unit, value, verdict string) {
	var made []struct{ Value, Verdict string }
	t.do(operator, post, "/api/serials/"+unit+"/measurements",
		body(map[string]any{"values": []any{map[string]any{"characteristic": "7", "value": value}}}), &made)
	t.wantsf(len(made) == 1 && made[0].Verdict == verdict && made[0].Value == value,
		"%s is judged as %v, in place of %s", value, made, verdict)
	t.last(unit, "measured", operator)
}

func instrument(t *trial) {
	on := t.plan("strict", step{name: "Hone"})
	t.do(lead, put, "/api/steps/"+on.steps[0]+"/characteristics",
		`{"characteristics": [{"number": "7", "name": "Bore", "type": "number", "lower": "1", "upper": "2"}]}`, nil)
	unit := t.units(on, 1)[0]
	var gauge struct{ ID string }
	t.do(lead, post, "/api/instruments", body(map[string]any{"number": "M-" + unit, "name": "Micrometer"}), &gauge)
	address := "/api/instruments/" + gauge.ID + "/calibrations"
	reading := body(map[string]any{"values": []any{map[string]any{"characteristic": "7", "value": "1.5", "instrumentId": gauge.ID}}})
	measure := "/api/serials/" + unit + "/measurements"
	t.do(lead, post, address, `{"result": "fail", "asFound": "fail", "dueDate": "2190-01-31"}`, nil)
	t.refused(http.StatusBadRequest, "instrument_failed", operator, post, measure, reading)
	t.do(lead, post, address, `{"result": "pass", "dueDate": "2001-01-31"}`, nil)
	t.refused(http.StatusBadRequest, "instrument_due", operator, post, measure, reading)
	t.do(lead, post, address, `{"result": "pass", "dueDate": "2190-01-31"}`, nil)
	t.do(operator, post, measure, reading, nil)
	t.last(unit, "measured", operator)
}

func hold(t *trial) {
	unit := t.units(t.plan("strict", step{name: "Turn"}, step{name: "Pack"}), 1)[0]
	address := "/api/serials/" + unit
	var placed struct{ ID string }
	t.do(operator, post, address+"/hold", `{"reason": "a crack?"}`, &placed)
	t.last(unit, "serial_held", operator)
	t.refused(http.StatusBadRequest, "serial_on_hold", operator, post, address+"/advance", "{}")
	t.refused(http.StatusForbidden, "permission_needed", operator, post, address+"/release",
		body(map[string]any{"holdId": placed.ID, "reason": "a scratch"}))
	t.refused(http.StatusBadRequest, "required", quality, post, address+"/release", body(map[string]any{"holdId": placed.ID}))
	t.stands(unit, 0, "in_progress")
	t.do(quality, post, address+"/release", body(map[string]any{"holdId": placed.ID, "reason": "a scratch"}), nil)
	told := t.last(unit, "serial_released", quality)
	t.wantsf(told.Metadata["reason"] == "a scratch", "the reason in the trail is %v", told.Metadata["reason"])
	t.advance(unit)
	t.stands(unit, 1, "in_progress")
}

func nonconformance(t *trial) {
	units := t.units(t.plan("flexible", step{name: "Turn"}, step{name: "Grind"}), 2)
	var report struct{ ID, Status string }
	t.do(operator, post, "/api/nonconformances",
		body(map[string]any{"title": "Seat too small", "severity": "major", "serialIds": units, "hold": true}), &report)
	address := "/api/nonconformances/" + report.ID
	t.refused(http.StatusBadRequest, "serial_on_hold", operator, post, "/api/serials/"+units[0]+"/advance", "{}")
	t.refused(http.StatusBadRequest, "no_disposition", quality, post, address+"/close", "{}")
	decide := func(unit, disposition string) string {
		return body(map[string]any{
			"serialIds": []string{unit}, "disposition": disposition, "reason": "looked at", "concession": "customer, 3 March",
		})
	}
	t.refused(http.StatusForbidden, "permission_needed", operator, post, address+"/dispositions", decide(units[0], "use_as_is"))
	t.do(quality, post, address+"/dispositions", decide(units[0], "use_as_is"), nil)
	t.do(quality, post, address+"/dispositions",
		body(map[string]any{"serialIds": units[1:], "disposition": "scrap", "reason": "too far gone"}), nil)
	t.stands(units[1], 0, "scrapped")
	t.advance(units[0])
	t.stands(units[0], 1, "in_progress")
	t.do(quality, post, address+"/close", `{"summary": "tool changed"}`, nil)
	t.do(viewer, get, address, "", &report)
	t.wantsf(report.Status == "closed", "the report is %s", report.Status)
	t.refused(http.StatusBadRequest, "nonconformance_closed", quality, post, address+"/dispositions", decide(units[0], "use_as_is"))
}

func undone(t *trial) {
	unit := t.units(t.plan("strict", step{name: "Turn"}, step{name: "Pack"}), 1)[0]
	t.advance(unit)
	moved := t.last(unit, "serial_advanced", operator)
	address := "/api/serials/" + unit + "/undo"
	mistake := body(map[string]any{"entryId": moved.ID, "reason": "wrong unit"})
	t.refused(http.StatusForbidden, "permission_needed", viewer, post, address, mistake)
	t.do(operator, post, address, mistake, nil)
	t.stands(unit, 0, "in_progress")
	told := t.last(unit, "change_undone", operator)
	t.wantsf(told.Metadata["reason"] == "wrong unit" && told.Metadata["entryId"] == moved.ID,
		"the trail tells of it with %v", told.Metadata)
	entries := t.told(unit)
	t.wantsf(len(entries) >= 2 && entries[len(entries)-2].ID == moved.ID, "the undone change is not in the trail any more")
}

func voided(t *trial) {
	unit := t.units(t.plan("strict", step{name: "Turn"}, step{name: "Pack"}), 1)[0]
	var certificate, attached struct{ ID string }
	t.do(lead, post, "/api/certs", `{"type": "material", "name": "Heat 7"}`, &certificate)
	t.do(operator, post, "/api/serials/"+unit+"/attach-cert", body(map[string]any{"certId": certificate.ID}), &attached)
	t.wantsf(len(t.stands(unit, 0, "in_progress").Certs) == 1, "%s has no certificate after one was attached", unit)
	t.do(operator, post, "/api/certs/attachments/"+attached.ID+"/void", `{"reason": "belongs to another"}`, nil)
	t.wantsf(len(t.stands(unit, 0, "in_progress").Certs) == 0, "%s has a certificate that was voided", unit)
	var kept []struct{ ID, VoidedBy, VoidReason string }
	t.do(viewer, get, "/api/serials/"+unit+"/cert-attachments", "", &kept)
	t.wantsf(len(kept) == 1 && kept[0].ID == attached.ID && kept[0].VoidedBy == operator && kept[0].VoidReason == "belongs to another",
		"what stays on record is %v", kept)
	t.last(unit, "record_voided", operator)
}

package web

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
)

// TestMetadataIsToldInWords writes what an entry says as "Name: value" lines.
func TestMetadataIsToldInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		action   shop.AuditAction
		metadata string
		want     string
	}{
		{shop.ActionSerialAdvanced, ``, ``},
		{shop.ActionSerialCreated, `{"firstSerialId":"SN-00001","lastSerialId":"SN-00009"}`, `Units: SN-00001 to SN-00009`},
		{shop.ActionSerialCreated, `{"firstSerialId":"SN-00003","lastSerialId":"SN-00003"}`, `Unit: SN-00003`},
		{shop.ActionSerialScrapped, `{"reason":"out_of_tolerance","explanation":"Bore 0.02 over"}`, `Reason: Out of tolerance; Explanation: Bore 0.02 over`},
		{shop.ActionStepWaived, `{"reason":"Customer agreed","approverId":"user_1"}`, `Reason: Customer agreed; Approved by: user_1`},
		{shop.ActionSerialForceCompleted, `{"incompleteStepIds":["step_1","step_2"],"reason":"urgent"}`, `Left open: step_1, step_2; Reason: urgent`},
		{shop.ActionBOMEdited, `{"bomId":"bom_1","changeDescription":"more","versionNumber":2}`, `Change description: more; Version number: 2`},
		{shop.ActionTemplateApplied, `{"templateId":"tmpl_1","templateName":"Turned"}`, `Template name: Turned`},
		{shop.ActionStepAssigned, `{"before":null,"after":"user_1"}`, `nobody → user_1`},
		{shop.ActionStepAssigned, `{"before":"user_1","after":null}`, `user_1 → nobody`},
		{shop.ActionAdvancementModeChanged, `{"before":"strict","after":"per_step"}`, `Strict → Per step`},
		{shop.ActionStepConfigChanged, `{"before":{"optional":false,"dependencyType":"preferred"},"after":{"optional":true,"dependencyType":"preferred"}}`, `Optional: no → yes`},
		{shop.ActionUserChanged, `{"userId":"user_1","before":{"name":"Ann","department":""},"after":{"name":"Ann Li","department":"Turning"}}`, `Operator: user_1; Name: Ann → Ann Li; Department: nothing → Turning`},
		{shop.ActionJobCreated, `{"before":null,"after":{"name":"Valve","goalQuantity":5,"trackerPartNumber":"V-1"}}`, `Name: Valve; Goal quantity: 5; Part number: V-1`},
		{shop.ActionJobChanged, `{"before":{"goalQuantity":5},"after":{"goalQuantity":6}}`, `Goal quantity: 5 → 6`},
		{shop.ActionPathDeleted, `{"before":{"name":"Main","steps":[{"name":"Saw"},{"name":"Mill"}]},"after":null}`, `Name: Main; Steps: Saw → Mill`},
		{
			shop.ActionPathUpdated,
			`{"before":{"steps":[{"name":"Saw"},{"name":"Wash","location":"Bay 1"},{"name":"Pack"}]},` +
				`"after":{"steps":[{"name":"Saw","optional":true},{"name":"Degrease","location":"Bay 2"},{"name":"Pack"},{"name":"Ship","location":"Dock"}]}}`,
			`Step 1: Saw: optional now; Step 2: Wash → Degrease, at Bay 1 → Bay 2; Step 4: new: Ship, Dock`,
		},
		{shop.ActionPathUpdated, `{"before":{"steps":[{"name":"Saw"},{"name":"Wash"}]},"after":{"steps":[{"name":"Saw"}]}}`, `Step 2: removed: Wash`},
		{
			shop.ActionBOMUpdated,
			`{"bomId":"bom_1","before":{"entries":[{"partType":"bolt","requiredQuantityPerBuild":2},{"partType":"nut","requiredQuantityPerBuild":1}]},` +
				`"after":{"entries":[{"partType":"bolt","requiredQuantityPerBuild":3},{"partType":"pin","requiredQuantityPerBuild":1}]}}`,
			`bolt: 2 → 3; nut: removed; pin: 1`,
		},
		// A hold is known by its reason, which often names the report.
		{shop.ActionSerialHeld, `{"holdId":"hold_1","reason":"NCR-00001: Seat too small","nonconformanceId":"NCR-00001"}`, `Reason: NCR-00001: Seat too small`},
		{shop.ActionSerialHeld, `{"holdId":"hold_1","reason":"a crack"}`, `Reason: a crack`},
		{shop.ActionSerialReleased, `{"holdId":"hold_1","reason":"a scratch","nonconformanceId":"NCR-00001"}`, `Reason: a scratch; Report: NCR-00001`},
		{shop.ActionSerialReworked, `{"reason":"turn again","pass":2,"nonconformanceId":"NCR-00001"}`, `Reason: turn again; Pass: 2; Report: NCR-00001`},
		{shop.ActionRecordVoided, `{"recordId":"note_1","reason":"the wrong unit"}`, `A note; Reason: the wrong unit`},
		{shop.ActionChangeUndone, `{"entryId":"aud_1","reason":"the wrong unit"}`, `Took back: an earlier change; Reason: the wrong unit`},
		// What nobody foresaw, and what is damaged, harms nothing.
		{"something_else", `{"someThing":[1,{"a":2}],"other":"x"}`, `Some thing: [1,{"a":2}]; Other: x`},
		{shop.ActionPathUpdated, `{"before":{"steps":7},"after":{"steps":"x"}}`, `Steps: `},
		{shop.ActionPathUpdated, `{"before":`, ``},
		{shop.ActionPathUpdated, `[]`, ``},
	} {
		var lines []string
		for _, one := range (past{}).More(shop.AuditEntry{Action: c.action, Metadata: json.RawMessage(c.metadata)}) {
			if one.Name != "" {
				one.Value = one.Name + ": " + one.Value
			}
			lines = append(lines, one.Value)
		}
		if got := strings.Join(lines, "; "); got != c.want {
			t.Errorf("%s %s\n is told as %q\n      want %q", c.action, c.metadata, got, c.want)
		}
	}
}

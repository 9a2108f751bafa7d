package site

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// TestMetadataIsToldInWords checks the description of an entry as "Name: value" lines.
func TestMetadataIsToldInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		action   trail.Action
		metadata string
		want     string
	}{
		{card.ActionSerialAdvanced, ``, ``},
		{card.ActionSerialCreated, `{"firstSerialId":"SN-00001","lastSerialId":"SN-00009"}`, `Units: SN-00001 to SN-00009`},
		{card.ActionSerialCreated, `{"firstSerialId":"SN-00003","lastSerialId":"SN-00003"}`, `Unit: SN-00003`},
		{card.ActionSerialScrapped, `{"reason":"out_of_tolerance","explanation":"Bore 0.02 over"}`, `Reason: Out of tolerance; Explanation: Bore 0.02 over`},
		{card.ActionStepWaived, `{"reason":"Customer agreed","approverId":"user_1"}`, `Reason: Customer agreed; Approved by: user_1`},
		{card.ActionSerialForceCompleted, `{"incompleteStepIds":["step_1","step_2"],"reason":"urgent"}`, `Left open: step_1, step_2; Reason: urgent`},
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
			card.ActionPathUpdated,
			`{"before":{"steps":[{"name":"Saw"},{"name":"Wash","location":"Bay 1"},{"name":"Pack"}]},` +
				`"after":{"steps":[{"name":"Saw","optional":true},{"name":"Degrease","location":"Bay 2"},{"name":"Pack"},{"name":"Ship","location":"Dock"}]}}`,
			`Step 1: Saw: optional now; Step 2: Wash → Degrease, at Bay 1 → Bay 2; Step 4: new: Ship, Dock`,
		},
		{card.ActionPathUpdated, `{"before":{"steps":[{"id":"a","name":"Saw"},{"id":"b","name":"Turn"},{"id":"c","name":"Pack"}]},` +
			`"after":{"steps":[{"id":"b","name":"Turn"},{"id":"d","name":"Wash"},{"id":"a","name":"Saw 2"}]}}`,
			`Step 2: new: Wash; Step 3: Saw → Saw 2; Step 3: removed: Pack; Order: Turn → Wash → Saw 2`},
		{card.ActionPathUpdated, `{"before":{"steps":[{"name":"Saw"},{"name":"Wash"}]},"after":{"steps":[{"name":"Saw"}]}}`, `Step 2: removed: Wash`},
		{
			shop.ActionBOMUpdated,
			`{"bomId":"bom_1","before":{"entries":[{"partType":"bolt","requiredQuantityPerBuild":2},{"partType":"nut","requiredQuantityPerBuild":1}]},` +
				`"after":{"entries":[{"partType":"bolt","requiredQuantityPerBuild":3},{"partType":"pin","requiredQuantityPerBuild":1}]}}`,
			`bolt: 2 → 3; nut: removed; pin: 1`,
		},
		{shop.ActionConformanceIssued, `{"conformanceId":"COC-00001","customer":"Aerostell","lines":[{"jobId":"job_1"}],"units":1,"lang":"en","size":29937,` +
			`"signed":false,"issuedBy":"user_1","issuedAt":"2026-11-28T10:56:39.513Z","revision":1,"sha256":"8604","contentsSha256":"1f"}`,
			`On: COC-00001; Customer: Aerostell; Units: 1; Signed: no; Revision: 1; SHA-256: 8604…`},
		{shop.ActionFirstArticleCreated, `{"firstArticleId":"FAI-00001","serialIds":["SN-00001","SN-00002"],"kind":"full","reason":"new part","contentsSha256":"1f"}`,
			`On: FAI-00001; Units: SN-00001, SN-00002; Kind: Full; Reason: new part`},
		// A hold shows its reason, which often contains the report's number.
		{card.ActionSerialHeld, `{"holdId":"hold_1","reason":"NCR-00001: Seat too small","nonconformanceId":"NCR-00001"}`, `Reason: NCR-00001: Seat too small`},
		{card.ActionSerialHeld, `{"holdId":"hold_1","reason":"a crack"}`, `Reason: a crack`},
		{card.ActionSerialReleased, `{"holdId":"hold_1","reason":"a scratch","nonconformanceId":"NCR-00001"}`, `Reason: a scratch; Report: NCR-00001`},
		{card.ActionSerialReworked, `{"reason":"turn again","pass":2,"nonconformanceId":"NCR-00001"}`, `Reason: turn again; Pass: 2; Report: NCR-00001`},
		{shop.ActionRecordVoided, `{"recordId":"note_1","reason":"the wrong unit"}`, `A note; Reason: the wrong unit`},
		{replay.ActionChangeUndone, `{"entryId":"aud_1","reason":"the wrong unit"}`, `Undone change: an earlier change; Reason: the wrong unit`},
		// Readings and characteristics have the numbers of the drawing.
		{
			shop.ActionMeasured, `{"revision":1,"pass":1,"values":[` +
				`{"id":"meas_1","characteristicId":"char_1","number":"12","value":"48.035","unit":"mm","verdict":"fail","limits":{"upper":"48.020"},"instrumentId":"inst_1"},` +
				`{"id":"meas_2","characteristicId":"char_2","number":"14","place":"B","value":"pass","verdict":"pass","limits":{}}]}`,
			`12: 48.035 mm is out of limits; 14 (B): pass`,
		},
		{
			shop.ActionMeasured, `{"revision":1,"pass":2,"values":[` +
				`{"id":"meas_1","characteristicId":"char_1","number":"12","value":"48.010","unit":"mm","verdict":"pass","limits":{},"note":"cold"}]}`,
			`Pass: 2; 12: 48.010 mm passes: cold`,
		},
		{
			shop.ActionCharacteristicsChanged, `{"characteristicsId":"chset_1","revision":2,` +
				`"before":[{"id":"char_1","number":"12","name":"Seat","type":"number","unit":"mm","upper":"48.02","required":true,"sample":"every"},` +
				`{"id":"char_3","number":"15","name":"Mark","type":"text","required":false,"sample":"every"}],` +
				`"after":[{"id":"char_1","number":"12","name":"Seat","type":"number","unit":"mm","upper":"48.01","required":true,"sample":"1 of 5","instrumentRequired":true},` +
				`{"id":"char_2","number":"14","name":"Burr","type":"pass_fail","required":true,"sample":"every"}],"contentsSha256":"00"}`,
			`12: Seat, at most 48.02 mm → Seat, at most 48.01 mm, units: 1 of 5, with an instrument; 14: new: Burr, pass or fail; 15: removed: Mark, not demanded`,
		},
		// The instrument is shown even if its number did not change.
		{
			shop.ActionInstrumentCalibrated,
			`{"instrumentId":"inst_1","number":"M-031","calibrationId":"cal_1","before":{"dueDate":"2026-11-24"},"after":{"dueDate":"2027-11-24","result":"pass"}}`,
			`Instrument: M-031; Due date: 24 Nov 2026 → 24 Nov 2027; Result: pass`,
		},
		{shop.ActionNoteCreated, `{"noteId":"note_1","contentsSha256":"00"}`, ``},
		// Unknown and damaged metadata does no harm.
		{"something_else", `{"someThing":[1,{"a":2}],"other":"x"}`, `Some thing: [1,{"a":2}]; Other: x`},
		{card.ActionPathUpdated, `{"before":{"steps":7},"after":{"steps":"x"}}`, `Steps: `},
		{card.ActionPathUpdated, `{"before":`, ``},
		{card.ActionPathUpdated, `[]`, ``},
	} {
		var lines []string
		for _, one := range (Past{}).More(trail.Entry{Action: c.action, Metadata: json.RawMessage(c.metadata)}) {
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

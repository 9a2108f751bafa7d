package sealer

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// The leaf of an entry without an identity has the same bytes as in earlier versions. Leaves of other entries have the means by which the
// caller signed in.
func TestLeafOfMeans(t *testing.T) {
	t.Parallel()
	entry := trail.Entry{
		ID: ledger.EntryID(416), Action: card.ActionSerialScrapped, UserID: "anna", Timestamp: 1_769_851_800_000, SerialID: "SN-00007",
		JobID: "job_1", PathID: "path_1", StepID: "step_1", Metadata: json.RawMessage(`{"reason":"damaged"}`),
	}
	const before = `{"action":"serial_scrapped","id":"aud_0000000000000417","jobId":"job_1",`
	const after = `"metadataSha256":"7e63ebf597de7935050ce4584ad71b88b12870ae82500300bb053ca200ee0deb","pathId":"path_1",` +
		`"serialId":"SN-00007","stepId":"step_1","timestamp":"2026-01-31T09:30:00.000Z","userId":"anna"}`
	var maker leafMaker
	for means, want := range map[string]string{
		"": before + after, "session": before + `"means":"session",` + after, "station:stn_ü": before + `"means":"station:stn_ü",` + after,
	} {
		entry.Means = means
		if leaf, wrong := maker.leaf(&entry); wrong != "" || string(leaf) != want {
			t.Errorf("%q: %s\n got %s\nwant %s", means, wrong, leaf, want)
		}
	}
}

// The fast method makes the same leaf as package ledger makes from the JSON of the interface.
func TestShortWayToALeaf(t *testing.T) {
	t.Parallel()
	texts := rapid.OneOf(
		rapid.Just(""), rapid.StringMatching(`[a-z]{1,5}_[A-Z0-9]{1,26}`), rapid.StringMatching(`SN-[0-9]{5}`),
		rapid.SampledFrom([]string{`"`, `\`, "<b>&", "\x00", "\n\t", "\x7f", "é", "日本\u2028", "𝄞", "\xff", "~ !"}), rapid.String(),
	)
	metadata := rapid.SampledFrom([]string{
		"", `{}`, `{"b": 1.0, "a": "<ü>"}`, `{"a":{"c":[1e3,-0,null,true]},"":"\u00e9"}`, `[1]`, `null`, `"x"`, `{"a":1,"a":2}`, `{"a":1e400}`, `{`, ` 7 `,
	})
	short := 0
	rapid.Check(t, func(t *rapid.T) {
		entry := trail.Entry{
			ID: texts.Draw(t, "id"), Action: trail.Action(texts.Draw(t, "action")), UserID: texts.Draw(t, "user"),
			Timestamp: ident.Timestamp(rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, 4e12)).Draw(t, "at")),
			SerialID:  texts.Draw(t, "serial"), CertID: texts.Draw(t, "certificate"), JobID: texts.Draw(t, "job"),
			PathID: texts.Draw(t, "path"), StepID: texts.Draw(t, "step"), FromStepID: texts.Draw(t, "from"), ToStepID: texts.Draw(t, "to"),
			BatchQuantity: rapid.OneOf(rapid.Just(int64(0)), rapid.Int64()).Draw(t, "quantity"), Actor: texts.Draw(t, "actor"),
			Means:    texts.Draw(t, "means"),
			Metadata: json.RawMessage(metadata.Draw(t, "metadata")),
		}
		if rapid.Bool().Draw(t, "plain") {
			entry = trail.Entry{
				ID: ledger.EntryID(417), Action: card.ActionSerialAdvanced, UserID: "anna", Timestamp: entry.Timestamp,
				SerialID: "SN-00417", BatchQuantity: 3, Metadata: entry.Metadata,
			}
		}
		var maker leafMaker
		if !maker.plain(&entry) {
			return
		}
		short++
		text, err := json.Marshal(&entry)
		if err != nil {
			t.Fatal(err)
		}
		if leaf, err := ledger.Leaf(text); err != nil || string(leaf) != string(maker.text) {
			t.Fatalf("%v\n%s\nis not\n%s", err, maker.text, leaf)
		}
	})
	enginetest.Drawn(t, "an entry that takes the short way", short)
}

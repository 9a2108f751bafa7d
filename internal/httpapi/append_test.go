package httpapi

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/genealogy"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/shop/workorder"
)

// The types of append.go again, for encoding/json.
type (
	encodedSerial struct {
		ID                   string            `json:"id"`
		JobID                string            `json:"jobId"`
		PathID               string            `json:"pathId"`
		CurrentStepIndex     int               `json:"currentStepIndex"`
		Status               card.SerialStatus `json:"status"`
		ForceCompleted       bool              `json:"forceCompleted"`
		ScrapReason          card.ScrapReason  `json:"scrapReason,omitempty"`
		ScrapExplanation     string            `json:"scrapExplanation,omitempty"`
		ScrapStepID          *string           `json:"scrapStepId,omitempty"`
		ScrappedAt           *ident.Timestamp  `json:"scrappedAt,omitempty"`
		ScrappedBy           *string           `json:"scrappedBy,omitempty"`
		ForceCompletedBy     *string           `json:"forceCompletedBy,omitempty"`
		ForceCompletedAt     *ident.Timestamp  `json:"forceCompletedAt,omitempty"`
		ForceCompletedReason string            `json:"forceCompletedReason,omitempty"`
		CreatedAt            ident.Timestamp   `json:"createdAt"`
		UpdatedAt            ident.Timestamp   `json:"updatedAt"`
	}
	encodedItem struct {
		ID               string           `json:"id"`
		JobID            string           `json:"jobId"`
		PathID           string           `json:"pathId"`
		JobName          string           `json:"jobName"`
		PathName         string           `json:"pathName"`
		CurrentStepIndex int              `json:"currentStepIndex"`
		CurrentStepName  string           `json:"currentStepName"`
		AssignedTo       string           `json:"assignedTo,omitempty"`
		Status           string           `json:"status"`
		ScrapReason      card.ScrapReason `json:"scrapReason,omitempty"`
		ForceCompleted   bool             `json:"forceCompleted,omitempty"`
		CreatedAt        ident.Timestamp  `json:"createdAt"`
	}
)

// anyText draws texts that people type and hostile ones: control characters, HTML, quotes, invalid UTF-8.
func anyText(t *rapid.T, label string) string {
	pieces := rapid.SliceOfN(rapid.OneOf(
		rapid.SampledFrom([]string{"a", "SN-00001", `"`, `\`, "<b>&", "\x00", "\x01", "\n\r\t\b\f", "\x1f", "\x7f", "é", "日本", "\u2028\u2029", "𝄞", "\xff", "\xed\xa0\x80", ""}),
		rapid.String(),
	), 0, 4).Draw(t, label)
	text := ""
	for _, piece := range pieces {
		text += piece
	}
	return text
}

func anyTime(t *rapid.T, label string) ident.Timestamp {
	return ident.Timestamp(rapid.Int64Range(-62_135_596_800_000, 253_402_300_799_999).Draw(t, label))
}

// checkEncoded compares the JSON of a value with the bytes of encoding/json: as a response, without escapes of HTML, and inside another
// value, with them.
func checkEncoded(t *rapid.T, value any, appended []byte, plain any) {
	t.Helper()
	var answered bytes.Buffer
	encoder := json.NewEncoder(&answered)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(plain); err != nil {
		t.Fatal(err)
	}
	want := string(bytes.TrimSuffix(answered.Bytes(), []byte{'\n'}))
	if got := string(appended); got != "front"+want {
		t.Fatalf("appended is\n%s, by encoding/json it is\n%s", got, want)
	}
	got, err := json.Marshal([]any{value})
	if err != nil {
		t.Fatal(err)
	}
	inside, err := json.Marshal([]any{plain})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, inside) {
		t.Fatalf("inside a list it is\n%s, and by encoding/json\n%s", got, inside)
	}
}

func TestAppendedJSONIsEncodingJSONs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := card.Serial{
			ID: anyText(t, "id"), JobID: anyText(t, "job"), PathID: anyText(t, "path"), Position: rapid.Int().Draw(t, "position"),
			Status:    rapid.SampledFrom([]card.SerialStatus{card.InProgress, card.Completed, card.Scrapped}).Draw(t, "status"),
			CreatedAt: anyTime(t, "created"), UpdatedAt: anyTime(t, "updated"),
		}
		plain := encodedSerial{
			ID: s.ID, JobID: s.JobID, PathID: s.PathID, CurrentStepIndex: s.CurrentStepIndex(), Status: s.Status,
			CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
		}
		if rapid.Bool().Draw(t, "scrapped") {
			s.Scrap = &card.Scrap{Reason: "damaged", Explanation: anyText(t, "explanation"), StepID: anyText(t, "step"), At: anyTime(t, "at"), By: anyText(t, "by")}
			plain.ScrapReason, plain.ScrapExplanation = s.Scrap.Reason, s.Scrap.Explanation
			plain.ScrapStepID, plain.ScrappedAt, plain.ScrappedBy = &s.Scrap.StepID, &s.Scrap.At, &s.Scrap.By
		}
		if rapid.Bool().Draw(t, "forced") {
			s.Completion = &card.ForceCompletion{By: anyText(t, "forced by"), At: anyTime(t, "forced at"), Reason: anyText(t, "reason")}
			plain.ForceCompleted, plain.ForceCompletedReason = true, s.Completion.Reason
			plain.ForceCompletedBy, plain.ForceCompletedAt = &s.Completion.By, &s.Completion.At
		}
		checkEncoded(t, s, appendSerial([]byte("front"), &s), plain)

		item := shop.SerialListItem{
			ID: anyText(t, "id"), JobID: anyText(t, "job"), PathID: anyText(t, "path"), JobName: anyText(t, "job name"),
			PathName: anyText(t, "path name"), CurrentStepIndex: rapid.Int().Draw(t, "index"), CurrentStepName: anyText(t, "step name"),
			AssignedTo: anyText(t, "assigned"), Status: s.Status, ForceCompleted: rapid.Bool().Draw(t, "item forced"),
			ScrapReason: rapid.SampledFrom([]card.ScrapReason{"", "damaged"}).Draw(t, "item reason"), CreatedAt: s.CreatedAt,
		}
		checkEncoded(t, item, appendSerialListItem([]byte("front"), &item), encodedItem{
			item.ID, item.JobID, item.PathID, item.JobName, item.PathName, item.CurrentStepIndex, item.CurrentStepName,
			item.AssignedTo, item.Status.DisplayStatus(), item.ScrapReason, item.ForceCompleted, item.CreatedAt,
		})
	})
}

// anyJSON draws an object as it is stored: nothing, or the text of a client, with spaces or HTML.
func anyJSON(t *rapid.T, label string) json.RawMessage {
	return rapid.SampledFrom([]json.RawMessage{
		nil, json.RawMessage(`{}`), json.RawMessage(`{"heat":"4711"}`), json.RawMessage(`{ "a" : [1, 2.50e3, "x y"] }`),
		json.RawMessage(`{"a":"<b>&\u2028"}`), json.RawMessage("{\"a\":\"é\u2028\"}"),
	}).Draw(t, label)
}

// encoded returns the result of encoding/json for a value in a response.
func encoded(t *rapid.T, value any) string {
	t.Helper()
	var answered bytes.Buffer
	encoder := json.NewEncoder(&answered)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSuffix(answered.Bytes(), []byte{'\n'}))
}

func appends(t *rapid.T, got []byte, err error, want string) {
	t.Helper()
	if err != nil || string(got) != "front"+want {
		t.Fatalf("%v: appended is\n%s, by encoding/json it is\n%s", err, got, want)
	}
}

func TestAppendedRecordsAreEncodingJSONs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		front := []byte("front")
		job := shop.Job{
			ID: anyText(t, "id"), Name: anyText(t, "name"), GoalQuantity: rapid.Int64().Draw(t, "goal"),
			TicketFields: shop.TicketFields{
				TicketKey: anyText(t, "key"), TicketSummary: anyText(t, "summary"), TicketPart: anyText(t, "part"),
				TicketPriority: anyText(t, "priority"), EpicLink: anyText(t, "epic"),
				Labels: rapid.SampledFrom([]*[]string{nil, {}, {"a", "<b>"}, new([]string)}).Draw(t, "labels"),
			},
			CreatedAt: anyTime(t, "created"), UpdatedAt: anyTime(t, "updated"),
		}
		if rapid.Bool().Draw(t, "ordered") {
			job.OrderFields = workorder.OrderFields{
				PartNumber: anyText(t, "part"), PartRevision: anyText(t, "revision"), Customer: anyText(t, "customer"),
				OrderNumber: anyText(t, "order"), Description: anyText(t, "description"), DueDate: anyText(t, "due"),
				Priority: workorder.Priority(rapid.Int64Range(0, 5).Draw(t, "priority")),
			}
		}
		appends(t, appendJob(front, &job), nil, encoded(t, job))

		entry := trail.Entry{
			ID: anyText(t, "id"), Action: trail.Action(anyText(t, "action")), UserID: anyText(t, "user"), Timestamp: anyTime(t, "at"),
			SerialID: anyText(t, "serial"), CertID: anyText(t, "cert"), JobID: anyText(t, "job"), PathID: anyText(t, "path"),
			StepID: anyText(t, "step"), FromStepID: anyText(t, "from"), ToStepID: anyText(t, "to"),
			BatchQuantity: rapid.Int64().Draw(t, "quantity"), Metadata: anyJSON(t, "metadata"), Actor: anyText(t, "actor"),
			Means: anyText(t, "means"),
		}
		appended, err := appendAuditEntry(front, &entry)
		appends(t, appended, err, encoded(t, entry))

		item := genealogy.Item{
			State: genealogy.State{
				SerialID: anyText(t, "serial"), LotID: anyText(t, "lot"), LotNumber: anyText(t, "number"), Status: card.SerialStatus(anyText(t, "status")),
				Held: rapid.Bool().Draw(t, "held"), Remaining: input.Decimal(anyText(t, "remaining")), Unit: anyText(t, "unit"),
				Inside: anyText(t, "inside"), Root: anyText(t, "root"),
				At: genealogy.Place{
					StepID: anyText(t, "step"), Step: anyText(t, "name"), Supplier: anyText(t, "supplier"), Customer: anyText(t, "at customer"),
				},
				Customer: anyText(t, "customer"), OrderNumber: anyText(t, "order"), ShipmentID: anyText(t, "shipment"),
			},
			Since: anyTime(t, "since"), How: genealogy.How(anyText(t, "how")),
		}
		if rapid.Bool().Draw(t, "nowhere") {
			item.At = genealogy.Place{}
		}
		appends(t, appendRecallItem(front, &item), nil, encoded(t, item))

		certificates := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) shop.Certificate {
			return shop.Certificate{
				ID: anyText(t, "id"), Type: shop.CertificateType(anyText(t, "type")), Name: anyText(t, "name"),
				Metadata: anyJSON(t, "metadata"), CreatedAt: anyTime(t, "at"), Via: anyText(t, "via"),
			}
		}), 0, 3).Draw(t, "certificates")
		detail := shop.SerialDetail{
			Serial:              card.Serial{ID: "SN-00001", Status: card.InProgress, Reworks: rapid.IntRange(0, 2).Draw(t, "reworks")},
			Certificates:        certificates,
			OpenDeferredStepIDs: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string { return anyText(t, "step") }), 0, 2).Draw(t, "open"),
		}
		if rapid.Bool().Draw(t, "held") {
			detail.Current = shop.CurrentStep{StepID: anyText(t, "step"), StepName: anyText(t, "name"), NextStepName: anyText(t, "next")}
			detail.Holds = []card.Hold{{ID: anyText(t, "hold"), Reason: anyText(t, "reason"), PlacedAt: anyTime(t, "placed")}}
		}
		if rapid.Bool().Draw(t, "sent") {
			detail.Away = card.Away{ShipmentID: anyText(t, "shipment"), Party: anyText(t, "party"), SentOn: anyText(t, "day")}
		}
		// In the expected text encoding/json writes the parts and escapes HTML, its default.
		want := appendSerialFields([]byte{'{'}, &detail.Serial)
		for _, part := range []struct {
			name  string
			value any
			skip  bool
		}{
			{`,"certs":`, detail.Certificates, false},
			{`,"openDeferredStepIds":`, detail.OpenDeferredStepIDs, len(detail.OpenDeferredStepIDs) == 0},
			{`,"holds":`, detail.Holds, len(detail.Holds) == 0},
			{`,"away":`, detail.Away, detail.Away == card.Away{}},
			{`,"pass":`, detail.Serial.Pass(), detail.Serial.Reworks == 0},
		} {
			if part.skip {
				continue
			}
			text, err := json.Marshal(part.value)
			if err != nil {
				t.Fatal(err)
			}
			want = append(append(want, part.name...), text...)
		}
		for _, part := range [][2]string{
			{`,"currentStepId":`, detail.Current.StepID}, {`,"currentStepName":`, detail.Current.StepName},
			{`,"nextStepName":`, detail.Current.NextStepName},
		} {
			if part[1] != "" {
				want = appendText(append(want, part[0]...), part[1])
			}
		}
		appended, err = appendSerialDetail(front, &detail)
		appends(t, appended, err, string(want)+"}")
	})
	broken := json.RawMessage(`{"a"`)
	if _, err := appendAuditEntry(nil, &trail.Entry{Metadata: broken}); err == nil {
		t.Error("an entry whose metadata is no JSON was written")
	}
	if _, err := appendSerialDetail(nil, &shop.SerialDetail{Certificates: []shop.Certificate{{Metadata: broken}}}); err == nil {
		t.Error("a certificate whose metadata is no JSON was written")
	}
}

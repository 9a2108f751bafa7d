package httpapi

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/genealogy"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// The responses that clients request most often (a serial, and the lists of serials, jobs and audit entries) are encoded by hand, and so is
// the list of a recall, the longest response in one piece. encoding/json takes four to twenty times as long for one record, and
// encoding/json/v2 of Go 1.26 two to six times. encoding/json encodes everything else. The tests in append_test.go compare the bytes of the
// two.

// appendText appends a JSON string. Plain text, which is nearly all of it, is copied unchanged.
func appendText(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return appendEscaped(b, text)
		}
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}

// appendEscaped appends a JSON string with escapes. HTML is not escaped, as in all responses.
func appendEscaped(b []byte, text string) []byte {
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil { // a string always encodes
		panic(err)
	}
	return append(b, bytes.TrimSuffix(encoded.Bytes(), []byte{'\n'})...)
}

// appendTextField appends a member of an object. name is quoted and includes the comma before it and the colon after it.
func appendTextField(b []byte, name, text string) []byte {
	b = append(b, name...)
	return appendText(b, text)
}

// appendGiven appends the members whose texts are not empty.
func appendGiven(b []byte, members [][2]string) []byte {
	for i := range members {
		if member := &members[i]; member[1] != "" {
			b = appendTextField(b, member[0], member[1])
		}
	}
	return b
}

func appendTimeField(b []byte, name string, at ident.Timestamp) []byte {
	b = append(b, name...)
	b = append(b, '"')
	b = at.Append(b)
	return append(b, '"')
}

func appendIntField(b []byte, name string, value int) []byte {
	b = append(b, name...)
	return strconv.AppendInt(b, int64(value), 10)
}

// appendSerial appends the contract's SerialNumber to b.
func appendSerial(b []byte, s *card.Serial) []byte {
	b = append(b, '{')
	b = appendSerialFields(b, s)
	return append(b, '}')
}

func appendSerialFields(b []byte, s *card.Serial) []byte {
	b = appendTextField(b, `"id":`, s.ID)
	if s.SerialNumber != "" {
		b = appendTextField(b, `,"serialNumber":`, s.SerialNumber)
	}
	b = appendTextField(b, `,"jobId":`, s.JobID)
	b = appendTextField(b, `,"pathId":`, s.PathID)
	b = appendIntField(b, `,"currentStepIndex":`, s.CurrentStepIndex())
	b = appendTextField(b, `,"status":`, string(s.Status))
	b = append(b, `,"forceCompleted":`...)
	b = strconv.AppendBool(b, s.Completion != nil)
	if scrap := s.Scrap; scrap != nil {
		b = appendTextField(b, `,"scrapReason":`, string(scrap.Reason))
		if scrap.Explanation != "" {
			b = appendTextField(b, `,"scrapExplanation":`, scrap.Explanation)
		}
		b = appendTextField(b, `,"scrapStepId":`, scrap.StepID)
		b = appendTimeField(b, `,"scrappedAt":`, scrap.At)
		b = appendTextField(b, `,"scrappedBy":`, scrap.By)
	}
	if force := s.Completion; force != nil {
		b = appendTextField(b, `,"forceCompletedBy":`, force.By)
		b = appendTimeField(b, `,"forceCompletedAt":`, force.At)
		if force.Reason != "" {
			b = appendTextField(b, `,"forceCompletedReason":`, force.Reason)
		}
	}
	b = appendTimeField(b, `,"createdAt":`, s.CreatedAt)
	b = appendTimeField(b, `,"updatedAt":`, s.UpdatedAt)
	if s.ExternalID != "" {
		b = appendTextField(b, `,"externalId":`, s.ExternalID)
	}
	return b
}

// appendSerialListItem appends the contract's SerialListItem to b.
func appendSerialListItem(b []byte, item *shop.SerialListItem) []byte {
	b = appendTextField(b, `{"id":`, item.ID)
	if item.SerialNumber != "" {
		b = appendTextField(b, `,"serialNumber":`, item.SerialNumber)
	}
	b = appendTextField(b, `,"jobId":`, item.JobID)
	b = appendTextField(b, `,"pathId":`, item.PathID)
	b = appendTextField(b, `,"jobName":`, item.JobName)
	b = appendTextField(b, `,"pathName":`, item.PathName)
	b = appendIntField(b, `,"currentStepIndex":`, item.CurrentStepIndex)
	b = appendTextField(b, `,"currentStepName":`, item.CurrentStepName)
	if item.AssignedTo != "" {
		b = appendTextField(b, `,"assignedTo":`, item.AssignedTo)
	}
	b = appendTextField(b, `,"status":`, item.Status.DisplayStatus())
	if item.ScrapReason != "" {
		b = appendTextField(b, `,"scrapReason":`, string(item.ScrapReason))
	}
	if item.ForceCompleted {
		b = append(b, `,"forceCompleted":true`...)
	}
	b = appendTimeField(b, `,"createdAt":`, item.CreatedAt)
	return append(b, '}')
}

// appendUpToSerials appends the contract's WorkQueueJob to b up to the start of its list of serials, which may be too long for memory. The
// caller then appends the identifiers, separated by commas, and calls appendAfterSerials.
func appendUpToSerials(b []byte, j *views.WorkQueueJob) []byte {
	b = appendTextField(b, `{"jobId":`, j.JobID)
	b = appendTextField(b, `,"jobName":`, j.JobName)
	b = appendTextField(b, `,"pathId":`, j.PathID)
	b = appendTextField(b, `,"pathName":`, j.PathName)
	b = appendTextField(b, `,"stepId":`, j.StepID)
	b = appendTextField(b, `,"stepName":`, j.StepName)
	b = appendIntField(b, `,"stepOrder":`, j.StepOrder)
	if j.StepLocation != "" {
		b = appendTextField(b, `,"stepLocation":`, j.StepLocation)
	}
	b = appendIntField(b, `,"totalSteps":`, j.TotalSteps)
	return append(b, `,"serialIds":[`...)
}

// appendSerialID appends the identifier of the serial with this number as a JSON string.
func appendSerialID(prefix ident.Prefix, b []byte, number int64) []byte {
	b = append(append(append(b, '"'), prefix...), '-')
	for pad := int64(10_000); pad > number && pad > 1; pad /= 10 {
		b = append(b, '0')
	}
	b = strconv.AppendInt(b, number, 10)
	return append(b, '"')
}

// appendAfterSerials appends the rest of the WorkQueueJob. listed is the number of serials in its list.
func appendAfterSerials(b []byte, j *views.WorkQueueJob, listed int) []byte {
	b = appendIntField(b, `],"partCount":`, listed)
	b = appendGiven(b, [][2]string{
		{`,"previousStepId":`, j.PreviousStepID}, {`,"previousStepName":`, j.PreviousStepName},
		{`,"nextStepId":`, j.NextStepID}, {`,"nextStepName":`, j.NextStepName}, {`,"nextStepLocation":`, j.NextStepLocation},
	})
	b = append(b, `,"isFinalStep":`...)
	b = strconv.AppendBool(b, j.IsFinalStep)
	b = appendGiven(b, [][2]string{
		{`,"partNumber":`, j.PartNumber}, {`,"partRevision":`, j.PartRevision}, {`,"customer":`, j.Customer},
		{`,"orderNumber":`, j.OrderNumber}, {`,"dueDate":`, j.DueDate},
	})
	if j.Priority != 0 {
		b = appendIntField(b, `,"priority":`, int(j.Priority))
	}
	if j.Late {
		b = append(b, `,"late":true`...)
	}
	return append(b, '}')
}

// appendJob appends a job to b as encoding/json does without escaping HTML.
func appendJob(b []byte, job *shop.Job) []byte {
	b = appendTextField(b, `{"id":`, job.ID)
	b = appendTextField(b, `,"name":`, job.Name)
	b = append(b, `,"goalQuantity":`...)
	b = strconv.AppendInt(b, job.GoalQuantity, 10)
	b = appendGiven(b, [][2]string{
		{`,"partNumber":`, job.PartNumber}, {`,"partRevision":`, job.PartRevision}, {`,"gtin":`, job.GTIN},
		{`,"customer":`, job.Customer},
		{`,"orderNumber":`, job.OrderNumber}, {`,"description":`, job.Description}, {`,"dueDate":`, job.DueDate},
	})
	if job.Priority != 0 {
		b = appendIntField(b, `,"priority":`, int(job.Priority))
	}
	b = appendGiven(b, [][2]string{
		{`,"drawingNumber":`, job.DrawingNumber}, {`,"drawingRevision":`, job.DrawingRevision}, {`,"orderLine":`, job.OrderLine},
		{`,"customerAddress":`, job.CustomerAddress}, {`,"language":`, job.Language},
		{`,"trackerTicketKey":`, job.TicketKey}, {`,"trackerTicketSummary":`, job.TicketSummary},
		{`,"trackerPartNumber":`, job.TicketPart}, {`,"trackerPriority":`, job.TicketPriority}, {`,"trackerEpicLink":`, job.EpicLink},
	})
	if job.Labels != nil {
		b = append(b, `,"trackerLabels":`...)
		b = appendTexts(b, *job.Labels, appendText)
	}
	b = appendGiven(b, [][2]string{{`,"externalId":`, job.ExternalID}})
	b = appendTimeField(b, `,"createdAt":`, job.CreatedAt)
	b = appendTimeField(b, `,"updatedAt":`, job.UpdatedAt)
	if job.Closed() {
		b = appendTimeField(b, `,"closedAt":`, job.ClosedAt)
		b = appendGiven(b, [][2]string{{`,"closedBy":`, job.ClosedBy}, {`,"closeReason":`, job.CloseReason}})
	}
	return append(b, '}')
}

// appendTexts appends a list of texts. The function one appends a single text.
func appendTexts(b []byte, texts []string, one func([]byte, string) []byte) []byte {
	if texts == nil {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for i, text := range texts {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(b, text)
	}
	return append(b, ']')
}

// appendAuditEntry appends an entry to b as encoding/json does without escaping HTML. It fails if the metadata is not JSON.
func appendAuditEntry(b []byte, e *trail.Entry) ([]byte, error) {
	b = appendTextField(b, `{"id":`, e.ID)
	b = appendTextField(b, `,"action":`, string(e.Action))
	b = appendTextField(b, `,"userId":`, e.UserID)
	b = appendTimeField(b, `,"timestamp":`, e.Timestamp)
	b = appendGiven(b, [][2]string{
		{`,"serialId":`, e.SerialID}, {`,"certId":`, e.CertID}, {`,"jobId":`, e.JobID}, {`,"pathId":`, e.PathID},
		{`,"stepId":`, e.StepID}, {`,"fromStepId":`, e.FromStepID}, {`,"toStepId":`, e.ToStepID},
	})
	if e.BatchQuantity != 0 {
		b = append(b, `,"batchQuantity":`...)
		b = strconv.AppendInt(b, e.BatchQuantity, 10)
	}
	if len(e.Metadata) > 0 {
		var err error
		if b, err = appendCompact(append(b, `,"metadata":`...), e.Metadata); err != nil {
			return nil, err
		}
	}
	if e.Actor != "" {
		b = appendTextField(b, `,"actor":`, e.Actor)
	}
	if e.Means != "" {
		b = appendTextField(b, `,"means":`, e.Means)
	}
	return append(b, '}'), nil
}

// appendCompact appends JSON without its white space.
func appendCompact(b []byte, text json.RawMessage) ([]byte, error) {
	buffer := bytes.NewBuffer(b)
	err := json.Compact(buffer, text)
	return buffer.Bytes(), err
}

// appendRecallItem appends a unit or a lot of a recall to b as encoding/json does without escaping HTML. Every member begins with a comma;
// the brace of its object then replaces the comma of the first.
func appendRecallItem(b []byte, item *genealogy.Item) []byte {
	begin := len(b)
	b = appendGiven(b, [][2]string{
		{`,"serialId":`, item.SerialID}, {`,"lotId":`, item.LotID}, {`,"lotNumber":`, item.LotNumber}, {`,"status":`, string(item.Status)},
	})
	b = strconv.AppendBool(append(b, `,"held":`...), item.Held)
	b = appendGiven(b, [][2]string{
		{`,"remaining":`, string(item.Remaining)}, {`,"unit":`, item.Unit}, {`,"inside":`, item.Inside}, {`,"root":`, item.Root},
	})
	if item.At != (genealogy.Place{}) {
		b = append(b, `,"at":`...)
		place := len(b)
		b = appendGiven(b, [][2]string{
			{`,"stepId":`, item.At.StepID}, {`,"step":`, item.At.Step},
			{`,"supplier":`, item.At.Supplier}, {`,"customer":`, item.At.Customer},
		})
		b[place] = '{'
		b = append(b, '}')
	}
	b = appendGiven(b, [][2]string{
		{`,"customer":`, item.Customer}, {`,"orderNumber":`, item.OrderNumber}, {`,"shipmentId":`, item.ShipmentID},
	})
	b = appendTimeField(b, `,"since":`, item.Since)
	b = appendTextField(b, `,"how":`, string(item.How))
	b[begin] = '{'
	return append(b, '}')
}

// appendSerialDetail appends the same bytes as the MarshalJSON of shop.SerialDetail.
func appendSerialDetail(b []byte, d *shop.SerialDetail) ([]byte, error) {
	b = appendSerialFields(append(b, '{'), &d.Serial)
	b = append(b, `,"certs":`...)
	if d.Certificates == nil {
		b = append(b, "null"...)
	} else {
		b = append(b, '[')
		for i := range d.Certificates {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = appendCertificate(b, &d.Certificates[i]); err != nil {
				return nil, err
			}
		}
		b = append(b, ']')
	}
	if len(d.OpenDeferredStepIDs) > 0 {
		b = appendTexts(append(b, `,"openDeferredStepIds":`...), d.OpenDeferredStepIDs, appendSafe)
	}
	if len(d.Holds) > 0 {
		holds, err := json.Marshal(d.Holds)
		if err != nil {
			return nil, err
		}
		b = append(append(b, `,"holds":`...), holds...)
	}
	if d.Away != (card.Away{}) {
		away, err := json.Marshal(d.Away)
		if err != nil {
			return nil, err
		}
		b = append(append(b, `,"away":`...), away...)
	}
	if d.Serial.Reworks > 0 {
		b = appendIntField(b, `,"pass":`, d.Serial.Pass())
	}
	b = appendGiven(b, [][2]string{
		{`,"currentStepId":`, d.Current.StepID}, {`,"currentStepName":`, d.Current.StepName}, {`,"nextStepName":`, d.Current.NextStepName},
	})
	return append(b, '}'), nil
}

// appendCertificate appends a certificate with HTML escaped, the default of encoding/json.
func appendCertificate(b []byte, c *shop.Certificate) ([]byte, error) {
	if !safe(c.Metadata) {
		encoded, err := json.Marshal(c)
		return append(b, encoded...), err
	}
	b = appendSafe(append(b, `{"id":`...), c.ID)
	b = appendSafe(append(b, `,"type":`...), string(c.Type))
	b = appendSafe(append(b, `,"name":`...), c.Name)
	if c.Number != "" {
		b = appendSafe(append(b, `,"number":`...), c.Number)
	}
	if len(c.Metadata) > 0 {
		var err error
		if b, err = appendCompact(append(b, `,"metadata":`...), c.Metadata); err != nil {
			return nil, err
		}
	}
	b = appendTimeField(b, `,"createdAt":`, c.CreatedAt)
	if c.ExternalID != "" {
		b = appendSafe(append(b, `,"externalId":`...), c.ExternalID)
	}
	if c.Via != "" {
		b = appendSafe(append(b, `,"via":`...), c.Via)
	}
	return append(b, '}'), nil
}

// safe reports whether a text has nothing that encoding/json escapes for HTML.
func safe[T ~string | ~[]byte](text T) bool {
	for i := range len(text) {
		if c := text[i]; c == '<' || c == '>' || c == '&' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// appendSafe appends a JSON string with HTML escaped.
func appendSafe(b []byte, text string) []byte {
	if safe(text) {
		return appendText(b, text)
	}
	encoded, err := json.Marshal(text)
	if err != nil { // a string always encodes
		panic(err)
	}
	return append(b, encoded...)
}

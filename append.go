package routecard

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// The answers that a shop asks for all day, one serial and the list of all of them, are written by hand: encoding/json
// takes three times as long for them. Everything else is left to encoding/json; TestAppendedJSONIsEncodingJSONs holds the two
// to the same bytes.

// appendText appends a JSON string. Plain text, which is nearly all there is, is copied as it stands.
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

// appendEscaped leaves HTML as it is, as all answers do.
func appendEscaped(b []byte, text string) []byte {
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil { // a string always encodes
		panic(err)
	}
	return append(b, bytes.TrimSuffix(encoded.Bytes(), []byte{'\n'})...)
}

// appendTextField appends a member of an object: its name, as it is written with comma and colon, and its value.
func appendTextField(b []byte, name, text string) []byte {
	b = append(b, name...)
	return appendText(b, text)
}

func appendTimeField(b []byte, name string, at Timestamp) []byte {
	b = append(b, name...)
	b = append(b, '"')
	b = at.append(b)
	return append(b, '"')
}

func appendIntField(b []byte, name string, value int) []byte {
	b = append(b, name...)
	return strconv.AppendInt(b, int64(value), 10)
}

// AppendJSON appends the contract's SerialNumber to b.
func (s Serial) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	b = s.appendFields(b)
	return append(b, '}')
}

func (s Serial) appendFields(b []byte) []byte {
	b = appendTextField(b, `"id":`, s.ID)
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
	return appendTimeField(b, `,"updatedAt":`, s.UpdatedAt)
}

// AppendJSON appends the contract's SerialListItem to b.
func (item SerialListItem) AppendJSON(b []byte) []byte {
	b = appendTextField(b, `{"id":`, item.ID)
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

// AppendJSONUpToSerials appends the contract's WorkQueueJob to b as far as its list of serials, which may be too long to
// be held in memory: the identifiers follow, with commas between them, and then AppendJSONAfterSerials.
func (j WorkQueueJob) AppendJSONUpToSerials(b []byte) []byte {
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

// AppendSerialID appends the identifier of the serial with a number as a JSON string.
func AppendSerialID(b []byte, number int64) []byte {
	b = append(b, `"`+prefixSerial...)
	for pad := int64(10_000); pad > number && pad > 1; pad /= 10 {
		b = append(b, '0')
	}
	b = strconv.AppendInt(b, number, 10)
	return append(b, '"')
}

// AppendJSONAfterSerials appends what AppendJSONUpToSerials leaves, with the number of serials that were listed.
func (j WorkQueueJob) AppendJSONAfterSerials(b []byte, listed int) []byte {
	b = appendIntField(b, `],"partCount":`, listed)
	for _, field := range []struct{ name, text string }{
		{`,"previousStepId":`, j.PreviousStepID}, {`,"previousStepName":`, j.PreviousStepName},
		{`,"nextStepId":`, j.NextStepID}, {`,"nextStepName":`, j.NextStepName}, {`,"nextStepLocation":`, j.NextStepLocation},
	} {
		if field.text != "" {
			b = appendTextField(b, field.name, field.text)
		}
	}
	b = append(b, `,"isFinalStep":`...)
	b = strconv.AppendBool(b, j.IsFinalStep)
	return append(b, '}')
}

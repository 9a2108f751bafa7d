package tracker

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/routecard/routecard/shop/input"
)

// issue has the parts of a Jira issue that are read.
type issue struct {
	ID     json.RawMessage            `json:"id"`
	Key    string                     `json:"key"`
	Fields map[string]json.RawMessage `json:"fields"`
}

const parentField = "parent"

// fields lists the requested fields.
func (j *Jira) fields() string {
	names := []string{"summary", "status", "priority", "labels"}
	for _, field := range []string{j.options.PartField, j.options.QuantityField, j.epicField()} {
		if field != "" {
			names = append(names, field)
		}
	}
	return strings.Join(names, ",")
}

func (j *Jira) epicField() string {
	if j.options.EpicField == "" {
		return parentField
	}
	return j.options.EpicField
}

// read makes a ticket of an issue. A malformed field counts as missing, so that it does not hide the ticket.
func (j *Jira) read(found issue) Ticket {
	page := j.base.JoinPath("browse", found.Key)
	ticket := Ticket{
		Key:        found.Key,
		Summary:    plain(found.Fields["summary"]),
		Status:     plain(found.Fields["status"]),
		Priority:   plain(found.Fields["priority"]),
		PartNumber: plain(found.Fields[j.options.PartField]),
		EpicLink:   epic(j.epicField(), found.Fields[j.epicField()]),
		URL:        page.String(),
	}
	if id := plain(found.ID); idPattern.MatchString(id) {
		ticket.Issue = j.base.Host + j.base.Path + "/" + id // with the tracker's address, because other trackers use the same numbers
	}
	ticket.Quantity, ticket.QuantityUnread = quantity(found.Fields[j.options.QuantityField])
	var labels []string
	if json.Unmarshal(found.Fields["labels"], &labels) == nil {
		ticket.Labels = labels
	}
	return ticket
}

// epic reads the key of an epic. A special field contains the key itself. A parent counts only if it is an epic.
func epic(field string, value json.RawMessage) string {
	var linked struct {
		Key    string `json:"key"`
		Fields struct {
			IssueType struct {
				Name  string `json:"name"`
				Level int    `json:"hierarchyLevel"`
			} `json:"issuetype"`
		} `json:"fields"`
	}
	if json.Unmarshal(value, &linked) != nil || linked.Key == "" {
		return plain(value)
	}
	if kind := linked.Fields.IssueType; field == parentField && kind.Name != "Epic" && kind.Level < 1 {
		return ""
	}
	return linked.Key
}

// quantity reads a whole number above zero: a JSON number, or a text of digits. It returns any other value as unread, such as 12.5, or
// 1.000, which may be one or a thousand. Both are empty for a ticket without a quantity.
func quantity(value json.RawMessage) (number int64, unread string) {
	text := strings.TrimSpace(plain(value))
	var list []json.RawMessage
	switch written := strings.TrimSpace(string(value)); {
	case written == "" || written == "null":
		return 0, ""
	case json.Unmarshal(value, &list) == nil && len(list) != 1:
		if len(list) == 0 {
			return 0, ""
		}
		return 0, oneLine(written)
	case text == "" && strings.Trim(written, `[]" `) != "": // such as true
		return 0, oneLine(written)
	case text == "":
		return 0, ""
	}
	parsed, err := strconv.ParseFloat(text, 64)
	digits := strings.Trim(text, "0123456789") == ""
	isNumber := json.Valid([]byte(text)) && strings.Contains(string(value), text) && !strings.Contains(string(value), `"`+text)
	if err != nil || !digits && !isNumber || parsed < 1 || parsed > input.NumberLimit || parsed != math.Trunc(parsed) {
		return 0, oneLine(text)
	}
	return int64(parsed), ""
}

// plain returns the text of a field's value in any of Jira's shapes: a text, a number, an option with a value, an object with a name, a
// document, or a list that begins with one of these.
func plain(value json.RawMessage) string {
	if len(value) == 0 {
		return ""
	}
	switch value[0] {
	case '"':
		var text string
		if json.Unmarshal(value, &text) != nil {
			return ""
		}
		return text
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(value, &list) != nil || len(list) == 0 {
			return ""
		}
		return plain(list[0])
	case '{':
		var thing struct {
			node
			Value json.RawMessage `json:"value"`
			Name  string          `json:"name"`
		}
		if json.Unmarshal(value, &thing) != nil {
			return ""
		}
		switch {
		case thing.Type == "doc":
			return strings.TrimSpace(thing.plain())
		case len(thing.Value) > 0:
			return plain(thing.Value)
		}
		return thing.Name
	case 't', 'f', 'n':
		return ""
	}
	return string(value)
}

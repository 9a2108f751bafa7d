package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// strictHandling is the preference of RFC 7240 with which a client asks that nothing it sends is passed over in silence.
const strictHandling = "handling=strict"

// prefersStrict reports whether a request asks for strict handling. Of two preferences for handling the first counts.
func prefersStrict(r *http.Request) bool {
	for _, field := range r.Header["Prefer"] {
		for preference := range strings.SplitSeq(field, ",") {
			preference, _, _ = strings.Cut(preference, ";")
			name, value, _ := strings.Cut(preference, "=")
			if strings.EqualFold(strings.TrimSpace(name), "handling") {
				return strings.EqualFold(strings.Trim(strings.TrimSpace(value), `"`), "strict")
			}
		}
	}
	return false
}

// settings reports whether a route changes settings. It refuses what it does not know also without being asked: a shop would
// believe that a setting which is passed over in silence is on.
func (r route) settings() bool { return r.changes() && strings.Contains(r.pattern, " /api/settings/") }

// strict reports whether a route refuses fields and parameters that it does not have also without being asked.
func (r route) strict() bool { return r.settings() || r.body == asked }

// onlyFields refuses the first member of an object that is none of the fields, also inside of fields. The refusal names its
// place, such as steps[2].colour.
func onlyFields(object body, fields []input.Field, place string) error {
	for name, value := range object.members() {
		i := named(fields, name)
		if i < 0 {
			path := place + memberName(name)
			return refusal.RefuseField(fieldUnknown, path, path)
		}
		if err := onlyKnown(value, &fields[i].Shape, place+fields[i].Name); err != nil {
			return err
		}
	}
	return nil
}

// onlyKnown looks into a value of a shape. What has another shape is for the operation to refuse.
func onlyKnown(value json.RawMessage, shape *input.Shape, place string) error {
	switch {
	case shape.Kind == input.ObjectKind && shape.Fields != nil && value[0] == '{':
		return onlyFields(body(value), shape.Fields, place+".")
	case shape.Kind == input.ListKind && shape.Item != nil && value[0] == '[':
		i := 0
		for item := range items(value) {
			if err := onlyKnown(item, shape.Item, fmt.Sprintf("%s[%d]", place, i)); err != nil {
				return err
			}
			i++
		}
	}
	return nil
}

// memberName is a name that was sent, for a message.
func memberName(quoted []byte) string {
	return shownName(unescape(quoted[1 : len(quoted)-1]))
}

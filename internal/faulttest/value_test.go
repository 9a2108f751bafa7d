package faulttest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// value is a piece of JSON that is being made up, with the schema it was made for.
type value struct {
	schema  *openapi3.Schema
	raw     string // its text, unless it is a list or an object
	items   []*value
	members []member
	list    bool
	object  bool
}

type member struct {
	name string
	*value
}

func (v *value) write(b *strings.Builder) {
	switch {
	case v.list:
		b.WriteByte('[')
		for i, item := range v.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
		}
		b.WriteByte(']')
	case v.object:
		b.WriteByte('{')
		for i, m := range v.members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quoted(m.name))
			b.WriteByte(':')
			m.write(b)
		}
		b.WriteByte('}')
	default:
		b.WriteString(v.raw)
	}
}

func (v *value) text() string {
	var b strings.Builder
	v.write(&b)
	return b.String()
}

// all returns the value and everything in it.
func (v *value) all() []*value {
	found := []*value{v}
	for _, item := range v.items {
		found = append(found, item.all()...)
	}
	for _, m := range v.members {
		found = append(found, m.all()...)
	}
	return found
}

// quoted returns a text in JSON. Bytes that are no UTF-8 stay as they are.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ':
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// drawer makes up requests from a seed and from the identifiers of earlier responses.
type drawer struct {
	*rand.Rand

	known *known
	given []string // the identifiers in the request that is being made up
	meant []string // those that were chosen for the request and are not in it yet
	about []string // the records that several requests in a row concern
	sound bool     // nothing is spoilt
}

// one draws an element of a list.
func one[T any](d *drawer, list ...T) T { return list[d.IntN(len(list))] }

// chance returns true as many times in a hundred.
func (d *drawer) chance(percent int) bool { return d.IntN(100) < percent }

// id draws an identifier of a kind, and records it for the next draws.
func (d *drawer) id(kind string) string {
	if i := slices.IndexFunc(d.meant, func(id string) bool { return kindOf(id) == kind }); i >= 0 {
		id := d.meant[i]
		d.meant = slices.Delete(d.meant, i, i+1)
		return id
	}
	id := d.known.pick(d.Rand, kind, d.given)
	if id == "" {
		id = kind + "01KG9P6JE08Z1PN3K1VKNKBA2Q"
		if kind == "SN-" || kind == "NCR-" || kind == "SHP-" || kind == "FAI-" {
			id = kind + "00001"
		}
	}
	d.given = append(d.given, id)
	return id
}

// kinds are the kinds of identifiers of members whose schema has no pattern.
var kinds = map[string]string{
	"nonconformanceId": "NCR-", "shipmentId": "SHP-", "firstArticleId": "FAI-", "jobId": "job_", "pathId": "path_", "stepId": "step_", "serialId": "SN-", "certId": "cert_", "noteId": "note_", "step": "step_",
	"templateId": "tmpl_", "assignedTo": "user_", "contributingJobIds": "job_", "entryId": "aud_", "holdId": "hold_", "auditId": "aud_",
	"sha256": digestKind, "characteristic": "char_",
	"before": "aud_", "after": "aud_", "Last-Event-ID": "aud_",
}

// kindOfSchema returns the kind of identifier that a schema requires of a member of this name; "" when it requires
// none.
func kindOfSchema(schema *openapi3.Schema, name string) string {
	for _, kind := range []string{"SN-", "NCR-", "SHP-", "FAI-"} {
		if strings.HasPrefix(schema.Pattern, "^"+kind) {
			return kind
		}
	}
	if kind := strings.TrimPrefix(schema.Pattern, "^"); strings.HasSuffix(kind, "_") {
		return kind
	}
	return kinds[name]
}

var words = []string{
	"Turn", "Hone bore", "Pressure test", "Pack", "Lathe 2", "a.ruiz", "ines", "tom", "3.1", "Valve body VB-210", "M8x40", "x",
	"Größe Ø 12,5 µm", "検査", "👩‍🏭 ok", "two\nlines", "Robert'); DROP TABLE serial;--", "<script>alert(1)</script>", "=1+1",
	"100 %", "a\tb", "café", "\u202eright to left", "serial_advanced", "SHOP-118",
}

// draw makes up a value that a schema allows. The names of members decide the kinds of identifiers.
func (d *drawer) draw(ref *openapi3.SchemaRef, name string) *value {
	schema := ref.Value
	v := &value{schema: schema}
	if choices := slices.Concat(schema.OneOf, schema.AnyOf); len(choices) > 0 {
		return d.draw(one(d, choices...), name)
	}
	kind := ""
	if schema.Type != nil {
		kind = one(d, schema.Type.Slice()...)
	}
	switch kind {
	case "object":
		v.object = true
		d.drawMembers(v)
	case "array":
		v.list = true
		least := int(schema.MinItems)
		if name == "steps" {
			least += 2
		}
		count := least + d.IntN(5)
		if d.sound {
			count = max(least, 1) // of the records of such requests there is one
		}
		for range count {
			v.items = append(v.items, d.draw(schema.Items, strings.TrimSuffix(name, "s")))
		}
	case "integer", "number":
		v.raw = d.number(schema, name, kind == "integer")
	case "boolean":
		v.raw = strconv.FormatBool(d.chance(50))
		if len(schema.Enum) > 0 {
			v.raw = fmt.Sprint(one(d, schema.Enum...))
		}
	case "null":
		v.raw = "null"
	default:
		v.raw = quoted(d.textOf(schema, name))
	}
	return v
}

// selections are the members of a batch's body of which exactly one is required, and causes those of a recall.
var (
	selections = []string{"serialIds", "ranges", "where", "recall"}
	causes     = []string{"lotId", "heatNumber", "certId", "serialId", "instrumentId", "stepId", "by"}
)

func (d *drawer) drawMembers(v *value) {
	properties := v.schema.Properties
	if v.schema.Properties == nil { // anything
		for range d.IntN(3) {
			v.members = append(v.members, member{one(d, words...), &value{raw: one(d, "1", `"x"`, "null", "[1,2]", `{"a":{}}`)}})
		}
	}
	selection := ""
	switch {
	case properties["ranges"] == nil:
	case d.sound:
		selection = "serialIds"
	case d.chance(95):
		selection = one(d, slices.DeleteFunc(slices.Clone(selections), func(name string) bool { return properties[name] == nil })...)
	}
	cause := ""
	if properties["by"] != nil && properties["heatNumber"] != nil && d.chance(95) {
		cause = one(d, causes...)
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		wanted := slices.Contains(v.schema.Required, name) || d.chance(55)
		switch name {
		case "expectedStepIndex":
			wanted = d.chance(15) && !d.sound
		case "advancementMode":
			wanted = d.chance(90)
		case "nominal", "lower", "upper", "instrumentRequired", "instrumentId", "place": // a unit is measured without them
			wanted = wanted && !d.sound
		case "externalId", "serialNumbers", "numbering": // others may have them
			wanted = wanted && !d.sound
		case "quantity": // of a batch without numbers
			wanted = wanted || d.sound
		}
		if selection != "" && slices.Contains(selections, name) {
			wanted = name == selection
		}
		if selection != "" && name == "expectedCount" {
			wanted = selection != "serialIds" || wanted && !d.sound
		}
		switch timed := cause == "instrumentId" || cause == "stepId" || cause == "by"; {
		case name == "lots":
			wanted = wanted && selection == "recall"
		case cause != "" && slices.Contains(causes, name):
			wanted = name == cause
		case cause != "" && (name == "from" || name == "to"):
			wanted = timed && (name == "from" || wanted)
		}
		if wanted {
			v.members = append(v.members, member{name, d.draw(properties[name], name)})
		}
	}
	if m := v.members; len(m) == 2 && m[0].name == "first" && m[1].name == "last" && m[0].raw > m[1].raw {
		m[0].value, m[1].value = m[1].value, m[0].value
	}
}

func (d *drawer) number(schema *openapi3.Schema, name string, whole bool) string {
	least := 0.0
	if schema.Min != nil {
		least = *schema.Min
	}
	drawn := least + float64(d.IntN(6))
	switch name {
	case "quantity":
		drawn = 1 + float64(d.IntN(9))
	case "goalQuantity", "limit":
		drawn = 1 + float64(d.IntN(30))
	case "expectedStepIndex":
		drawn = float64(d.IntN(3))
	case "targetStepIndex":
		if drawn = float64(d.IntN(6)); d.sound {
			drawn = 2 // the first step is bypassed
		}
	}
	if schema.Max != nil {
		drawn = min(drawn, *schema.Max)
	}
	if !whole && d.chance(50) {
		drawn += d.Float64()
	}
	return strconv.FormatFloat(drawn, 'f', -1, 64)
}

// sound are the values with which steps can be bypassed, and every value can be measured.
var sound = map[string]string{"advancementMode": "flexible", "dependencyType": "preferred", "type": "text", "sample": "every"}

func (d *drawer) textOf(schema *openapi3.Schema, name string) string {
	if wanted := sound[name]; wanted != "" && d.sound && (len(schema.Enum) == 0 || slices.Contains(schema.Enum, any(wanted))) {
		return wanted
	}
	if len(schema.Enum) > 0 {
		return fmt.Sprint(one(d, schema.Enum...))
	}
	if kind := kindOfSchema(schema, name); kind != "" && d.chance(97) {
		return d.id(kind)
	}
	switch {
	case schema.Format == "date" || name == "dueDate":
		return fmt.Sprintf("20%02d-%02d-%02d", 30+d.IntN(70), 1+d.IntN(12), 1+d.IntN(28))
	case schema.Format == "date-time" || name == "from" || name == "until":
		return fmt.Sprintf("20%02d-%02d-%02dT09:30:00.000Z", d.IntN(100), 1+d.IntN(12), 1+d.IntN(28))
	case name == "expiresAt":
		return time.Now().UTC().AddDate(0, 0, 1+d.IntN(300)).Format("2006-01-02T15:04:05.000Z")
	case name == "login":
		return one(d, "ines", "tom", "a.ruiz", "b-1", "chief") + one(d, "", strconv.Itoa(d.IntN(10)))
	case name == "password" || name == "currentPassword":
		return one(d, "four birds on a wire", "five birds on a wire")
	case name == "pin":
		return one(d, "271828", "314159", "123456")
	case name == "ticketKey":
		return one(d, "SHOP-90", "SHOP-101", "SHOP-117", "SHOP-118", "HR-7", "SHOP-1")
	case name == "userId" || name == "changedBy":
		if d.chance(30) {
			return d.id("user_")
		}
		return one(d, "ines", "tom", "a.ruiz")
	}
	text := one(d, words...)
	if d.chance(30) {
		text += " " + strconv.Itoa(d.IntN(1000))
	}
	if schema.MaxLength != nil && uint64(len(text)) > *schema.MaxLength {
		text = text[:*schema.MaxLength]
	}
	for uint64(len(text)) < schema.MinLength {
		text += "."
	}
	return text
}

// odd returns a JSON text that no schema allows.
func (d *drawer) odd() string {
	long := func(n int) string { return quoted(strings.Repeat(one(d, "x", "é", "検", "👩", `\`, " "), n)) }
	switch d.IntN(24) {
	case 0:
		return long(one(d, 500, 501, 10000, 10001))
	case 1:
		return long(one(d, 65535, 70000, 200000))
	case 2:
		return `"` + one(d, `\ud800`, `\udc00x`, `\ud83d\ud83d`, `\u0000`, `\uffff`, `\u202e\u2066`, "\xff", "\xed\xa0\x80", "\xc0\x80", "\ufeff") + `"`
	case 3:
		return one(d, "1e400", "-1e400", "1e-400", "-0", "-0.0", "0.5", "9007199254740991", "9007199254740992", "9223372036854775807",
			"9223372036854775808", "18446744073709551616", "100001", "-1", "0", "1e2", "2147483648")
	case 4:
		return one(d, "01", "+1", "1.", ".5", "NaN", "Infinity", "0x10", "1_000", "nul", "True", "'x'", `"`, "{", "}", "[", "", ",", "\x00")
	case 5:
		return strings.Repeat("[", 300) + strings.Repeat("]", 300)
	case 6:
		return strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300)
	case 7, 8:
		return quoted(d.id(one(d, "job_", "path_", "step_", "SN-", "cert_", "user_", "bom_", "tmpl_", "aud_", "note_")))
	case 9:
		return quoted(one(d, "SN-99999999999999999999", "SN-00000", "SN-1", "sn-00001", "SN-0000001", "job_", "aud_x", "step_01KG9P6JE08Z1PN3K1VKNKBA2!"))
	case 10, 11:
		return quoted(one(d, "", " ", "\t\n", "\u00a0", "\u3000", "\u200b"))
	case 12, 13:
		return "null"
	case 14:
		return one(d, "true", "false")
	case 15:
		return one(d, "[]", "[null]", "[[]]", "[{}]", `[""]`, "[1,2]", `["x","x"]`)
	case 16:
		return one(d, "{}", `{"":1}`, `{"id":null}`, `{"a":1,"a":2}`, `{"__proto__":{}}`)
	default:
		return quoted(one(d, words...))
	}
}

const largeBatch = 10_000

// spoil changes one place of a body so that its schema does not allow it any more, or only just.
func (d *drawer) spoil(body *value) {
	places := body.all()
	place := places[d.IntN(len(places))]
	schema := place.schema
	switch {
	case place.object && len(place.members) > 0 && d.chance(70):
		i := d.IntN(len(place.members))
		m := place.members[i]
		switch d.IntN(4) {
		case 0:
			place.members = append(place.members, member{m.name, &value{raw: d.odd()}}) // twice
		case 1:
			place.members[i].name = one(d, strings.ToUpper(m.name), m.name+" ", "", "\xff", "id", one(d, words...))
		default:
			place.members = slices.Delete(place.members, i, i+1)
		}
	case place.list && len(place.items) > 0 && d.chance(60):
		switch d.IntN(3) {
		case 0:
			place.items = append(place.items, place.items[d.IntN(len(place.items))])
		case 1:
			place.items = append(place.items, &value{raw: d.odd()})
		default:
			for count := one(d, 50, 1000, 1001, 10001); len(place.items) < count; {
				place.items = append(place.items, place.items[0])
			}
		}
	case schema != nil && schema.Max != nil && d.chance(40):
		drawn := *schema.Max + float64(d.IntN(3)-1)
		if drawn > largeBatch && drawn <= *schema.Max && *schema.Max < 1<<50 && !d.chance(2) {
			drawn = *schema.Max + 1 // an allowed maximum would make this call and all later ones slow
		}
		place.raw = strconv.FormatFloat(drawn, 'f', -1, 64)
	case schema != nil && schema.Min != nil && d.chance(40):
		place.raw = strconv.FormatFloat(*schema.Min+one(d, -1, -0.5, 0, 0.5), 'f', -1, 64)
	case schema != nil && schema.MaxLength != nil && d.chance(30):
		place.raw = quoted(strings.Repeat(one(d, "x", "é", "検", "👩"), int(*schema.MaxLength)+d.IntN(2)))
	default:
		*place = value{raw: d.odd()}
	}
}

// body makes up a body for a schema, most often a valid one.
func (d *drawer) body(ref *openapi3.SchemaRef) string {
	v := d.draw(ref, "")
	switch n := d.IntN(100); {
	case n < 62 || d.sound:
	case n < 90:
		d.spoil(v)
	case n < 96:
		for range 2 + d.IntN(4) {
			d.spoil(v)
		}
	default:
		return d.spoilText(v.text())
	}
	return v.text()
}

// spoilText damages the text of a body.
func (d *drawer) spoilText(text string) string {
	switch d.IntN(7) {
	case 0:
		return text[:d.IntN(len(text)+1)]
	case 1:
		return text + one(d, "{}", "x", "\x00", "  ", "\ufeff", "]")
	case 2:
		return one(d, "", " ", "null", "[]", "5", `"x"`, "{", "\ufeff{}", "\xff", "[{}]")
	case 3:
		at := d.IntN(len(text) + 1)
		return text[:at] + string([]byte{byte(d.IntN(256))}) + text[at:]
	case 4:
		return strings.Repeat(`{"a":[`, 5000) + text
	case 5:
		return `{"x":"` + strings.Repeat("x", one(d, 1<<20-8, 1<<20, 1<<20+1)) + `"}`
	default:
		return strings.TrimSuffix(text, "}") + `,"more":` + json.Number(one(d, "1", "{}", "[[1]]")).String() + "}"
	}
}

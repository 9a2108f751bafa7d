package httpapi

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"sync"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// decoder decodes bodies into inputs of one type. It checks the type of a field, and the operation checks its value. Names are matched
// exactly, unknown fields are ignored, and of two fields with the same name the last one counts.
//
// A decoder is made while the program starts, and is safe for concurrent use.
type decoder[In any] struct {
	fields []input.Field
	blanks *sync.Pool // of *blank[In]
}

// blank is an empty input with the slices that are needed to fill it. A pool reuses them.
type blank[In any] struct {
	in   In
	into []any             // pointers to the fields of in
	sent []json.RawMessage // the value of each field as it was sent; nil if it is missing
}

// newDecoder panics if the type is not an input: see input.FieldsOf.
func newDecoder[In any]() decoder[In] {
	fields := input.FieldsOf(reflect.TypeFor[In](), shop.Identifies, "field")
	return decoder[In]{fields, &sync.Pool{New: func() any {
		blank := &blank[In]{into: make([]any, len(fields)), sent: make([]json.RawMessage, len(fields))}
		for i, field := range fields {
			blank.into[i] = reflect.ValueOf(&blank.in).Elem().FieldByIndex(field.Index).Addr().Interface()
		}
		return blank
	}}}
}

func (d decoder[In]) decode(b body) In {
	blank := d.blanks.Get().(*blank[In]) //nolint:errcheck,forcetypeassert // nothing else is there
	gather(b, d.fields, blank.sent)
	for i, raw := range blank.sent {
		if raw != nil {
			decodeValue(raw, d.fields[i].Name, &d.fields[i].Shape, blank.into[i])
		}
	}
	in := blank.in
	blank.in = *new(In)
	clear(blank.sent)
	d.blanks.Put(blank)
	return in
}

// decodeFields fills a struct from an object.
func decodeFields(b body, fields []input.Field, into reflect.Value) {
	const few = 16 // up to this many fields need no allocation
	sent := slices.Grow(make([]json.RawMessage, 0, few), len(fields))[:len(fields)]
	gather(b, fields, sent)
	for i, raw := range sent {
		if raw != nil {
			decodeValue(raw, fields[i].Name, &fields[i].Shape, into.FieldByIndex(fields[i].Index).Addr().Interface())
		}
	}
}

// gather stores the value that was sent for each field.
func gather(b body, fields []input.Field, sent []json.RawMessage) {
	for name, value := range b.members() {
		if i := named(fields, name); i >= 0 {
			sent[i] = value
		}
	}
}

// named returns the index of the field with a name, which is quoted as it was sent, or -1 if there is none.
func named(fields []input.Field, sent []byte) int {
	name := sent[1 : len(sent)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		name = []byte(unescape(name))
	}
	for i := range fields {
		if fields[i].Name == string(name) {
			return i
		}
	}
	return -1
}

// decodeValue fills one field. raw is the value that the enclosing object has for it. An item of a list has the name of the list.
func decodeValue(raw json.RawMessage, name string, shape *input.Shape, into any) {
	switch in := into.(type) {
	case *input.TextInput:
		*in = decodeAs(raw, parseText)
	case *input.NumberInput:
		*in = decodeAs(raw, parseNumber)
	case *input.FlagInput:
		*in = decodeAs(raw, parseFlag)
	case *input.ObjectInput:
		*in = decodeAs(raw, parseObject)
	case *input.WrittenInput:
		*in = decodeAs(raw, parseWritten)
	case input.Fillable:
		decodeCompound(raw, name, shape, in)
	}
}

// decodeAs decodes one value. parse reports whether the value has the type.
func decodeAs[T any](raw json.RawMessage, parse func(json.RawMessage) (T, bool)) input.Input[T] {
	if raw[0] == 'n' {
		return input.Null[T]()
	}
	value, ok := parse(raw)
	if !ok {
		return input.Mistyped[T]()
	}
	return input.Given(value)
}

// decodeCompound fills a field that has fields itself.
func decodeCompound(raw json.RawMessage, name string, shape *input.Shape, in input.Fillable) {
	switch {
	case raw[0] == 'n':
		in.FillNull()
	case raw[0] == '{' && shape.Kind == input.ObjectKind:
		decodeFields(body(raw), shape.Fields, reflect.ValueOf(in.Fill()).Elem())
	case raw[0] == '[' && shape.Kind == input.ListKind:
		decodeList(raw, name, shape.Item, in)
	default:
		in.FillMistyped()
	}
}

// decodeList fills a list. Every list has a limit. readObject has already enforced the limits that it knows.
func decodeList(raw json.RawMessage, name string, item *input.Shape, in input.Fillable) {
	limit, _ := input.ListLimit(name)
	count := 0
	for range items(raw) {
		count++
		if count > limit {
			in.FillTooMany()
			return
		}
	}
	switch list := in.Fill().(type) {
	case *[]input.TextInput: // the lists that may be longest
		*list = make([]input.TextInput, 0, count)
		for text := range items(raw) {
			*list = append(*list, decodeAs(text, parseText))
		}
	default:
		values := reflect.ValueOf(list).Elem()
		values.Set(reflect.MakeSlice(values.Type(), count, count))
		i := 0
		for value := range items(raw) {
			decodeValue(value, name, item, values.Index(i).Addr().Interface())
			i++
		}
	}
}

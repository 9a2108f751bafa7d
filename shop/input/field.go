package input

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// FieldKind is what the value of a field has to be.
type FieldKind uint8

// The kinds of values of fields.
const (
	TextKind FieldKind = iota
	NumberKind
	FlagKind
	ObjectKind
	ListKind
	WrittenKind // a text or a number
)

// mistyped is why a value of another kind is refused.
func (k FieldKind) mistyped() *refusal.Reason {
	return [...]*refusal.Reason{
		TextKind: refusal.NotText, NumberKind: refusal.NotNumber, FlagKind: refusal.NotFlag,
		ObjectKind: refusal.NotObject, ListKind: refusal.NotList, WrittenKind: refusal.NotWritten,
	}[k]
}

// Shape is what the value of a field has to be, with what is in it.
type Shape struct {
	Kind   FieldKind
	Fields []Field // of an object; nil for an object that is kept as it was written
	Item   *Shape  // of a list
}

// Field is one field of an input struct.
type Field struct {
	Name  string // for the face that asked
	Index []int  // the place in the struct, for reflect.Value.FieldByIndex
	Shape Shape
	// Identifies is the kind of record that its value names by its identifier, or each item of its list; "" for none.
	Identifies ident.RecordKind
}

// Fillable is a *Input[T] of any T, which a face fills.
type Fillable interface {
	// FillNull makes it a field that was null.
	FillNull()
	// FillMistyped makes it a field whose value was not of type T.
	FillMistyped()
	// FillTooMany makes it a field whose list has more items than ListLimit allows.
	FillTooMany()
	// Fill makes it a field with a value, and returns where the value goes, which is a *T.
	Fill() any
	// Given is the value; the zero Value when there is none.
	Given() reflect.Value
}

// FillNull makes the field one that was null.
func (in *Input[T]) FillNull() { *in = Null[T]() }

// FillMistyped makes the field one whose value was not of type T.
func (in *Input[T]) FillMistyped() { *in = Mistyped[T]() }

// FillTooMany makes the field one whose list has more items than ListLimit allows.
func (in *Input[T]) FillTooMany() { *in = TooMany[T]() }

// Fill makes the field one with a value, and returns a *T, where the value goes.
func (in *Input[T]) Fill() any {
	in.State = StateGiven
	return &in.Value
}

// Given is the value, and the zero reflect.Value when there is none.
func (in *Input[T]) Given() reflect.Value {
	if in.State != StateGiven {
		return reflect.Value{}
	}
	return reflect.ValueOf(&in.Value).Elem()
}

// holds is the type of the value, by which an Input is known.
func (in Input[T]) holds() reflect.Type { return reflect.TypeFor[T]() }

// FieldsOf lists the fields of an input struct by the names that they have in the first of the tags that is there. It lists
// the fields of a struct without a tag in place of that struct, and leaves out a field with the name "-". A tag record names the
// kind of record that a field identifies where its name does not say so. The fields of
// objects in it have the names of the same tags.
//
// It panics at a field with none of the tags, at a second field with the same name, and at a type that no field of a
// request can have. A face calls it while the program starts.
func FieldsOf(input reflect.Type, identifies func(name string) (ident.RecordKind, bool), tags ...string) []Field {
	return appendFields(nil, input, nil, identifies, tags)
}

func appendFields(
	fields []Field, input reflect.Type, place []int, identifies func(name string) (ident.RecordKind, bool), tags []string,
) []Field {
	for i := range input.NumField() {
		field := input.Field(i)
		index := slices.Concat(place, []int{i})
		name, tagged := nameOf(field, tags)
		switch {
		case name == "-":
		case tagged && field.IsExported():
			for _, other := range fields {
				if other.Name == name {
					panic(fmt.Sprintf("%v has two fields with the name %s", input, name))
				}
			}
			var kind ident.RecordKind
			if identifies != nil {
				kind, _ = identifies(name)
			}
			if of, ok := field.Tag.Lookup("record"); ok {
				kind = ident.RecordKind(of)
			}
			fields = append(fields, Field{name, index, shapeOf(field.Type, identifies, tags), kind})
		case field.Type.Kind() == reflect.Struct && field.IsExported():
			fields = appendFields(fields, field.Type, index, identifies, tags)
		default:
			panic(fmt.Sprintf("%v.%s is not exported or has none of the tags %v", input, field.Name, tags))
		}
	}
	return fields
}

func nameOf(field reflect.StructField, tags []string) (name string, tagged bool) {
	for _, tag := range tags {
		if name, tagged = field.Tag.Lookup(tag); tagged {
			return name, true
		}
	}
	return "", false
}

// shapeOf is the shape of what an Input holds.
func shapeOf(input reflect.Type, identifies func(name string) (ident.RecordKind, bool), tags []string) Shape {
	in, ok := reflect.TypeAssert[interface{ holds() reflect.Type }](reflect.Zero(input))
	if !ok {
		panic(fmt.Sprintf("a %v cannot be filled: it is no Input", input))
	}
	value := in.holds()
	shape := Shape{Kind: kindOf(value)}
	switch value.Kind() {
	case reflect.Struct:
		shape.Fields = appendFields([]Field{}, value, nil, identifies, tags)
	case reflect.Slice:
		if shape.Kind == ListKind {
			item := shapeOf(value.Elem(), identifies, tags)
			shape.Item = &item
		}
	default:
	}
	return shape
}

// kindOf is the kind of a field with values of a type. It panics when no field has such values.
func kindOf(value reflect.Type) FieldKind {
	switch value {
	case reflect.TypeFor[string]():
		return TextKind
	case reflect.TypeFor[float64]():
		return NumberKind
	case reflect.TypeFor[bool]():
		return FlagKind
	case reflect.TypeFor[Written]():
		return WrittenKind
	case reflect.TypeFor[json.RawMessage]():
		return ObjectKind
	}
	switch value.Kind() {
	case reflect.Struct:
		return ObjectKind
	case reflect.Slice:
		return ListKind
	default:
		panic(fmt.Sprintf("no field of a request holds a %v", value))
	}
}

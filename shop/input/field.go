package input

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// FieldKind is the required kind of a field's value.
type FieldKind uint8

// The kinds of values.
const (
	TextKind FieldKind = iota
	NumberKind
	FlagKind
	ObjectKind
	ListKind
	WrittenKind // a text or a number
)

// mistyped returns the reason for refusing a value of another kind.
func (k FieldKind) mistyped() *refusal.Reason {
	return [...]*refusal.Reason{
		TextKind: refusal.NotText, NumberKind: refusal.NotNumber, FlagKind: refusal.NotFlag,
		ObjectKind: refusal.NotObject, ListKind: refusal.NotList, WrittenKind: refusal.NotWritten,
	}[k]
}

// Shape is the required form of a field's value, including nested values.
type Shape struct {
	Kind   FieldKind
	Fields []Field // fields of an object; nil if the object is stored as sent
	Item   *Shape  // the shape of the items of a list
}

// Field is one field of an input struct.
type Field struct {
	Name  string // name of the field in the interface that called FieldsOf
	Index []int  // index for reflect.Value.FieldByIndex
	Shape Shape
	// Identifies is the kind of record whose identifier the value is, or each item of the list; "" for none.
	Identifies ident.RecordKind
}

// Fillable is a *Input[T] of any T, which the API or a page fills from a request.
type Fillable interface {
	// FillNull marks the field as null.
	FillNull()
	// FillMistyped marks the field as having a value that is not of type T.
	FillMistyped()
	// FillTooMany marks the field as a list with more items than ListLimit allows.
	FillTooMany()
	// Fill marks the field as given, and returns a *T for the value.
	Fill() any
	// Given returns the value, or the zero Value if none was given.
	Given() reflect.Value
}

// FillNull implements Fillable.
func (in *Input[T]) FillNull() { *in = Null[T]() }

// FillMistyped implements Fillable.
func (in *Input[T]) FillMistyped() { *in = Mistyped[T]() }

// FillTooMany implements Fillable.
func (in *Input[T]) FillTooMany() { *in = TooMany[T]() }

// Fill implements Fillable.
func (in *Input[T]) Fill() any {
	in.State = StateGiven
	return &in.Value
}

// Given implements Fillable.
func (in *Input[T]) Given() reflect.Value {
	if in.State != StateGiven {
		return reflect.Value{}
	}
	return reflect.ValueOf(&in.Value).Elem()
}

// holds returns the type of the value. The method distinguishes an Input from other types.
func (in Input[T]) holds() reflect.Type { return reflect.TypeFor[T]() }

// FieldsOf lists the fields of an input struct, named by the first of the tags that each has. The fields of a struct without a tag replace
// that struct, and a field named "-" is left out. The tag record has the kind of record that a field identifies if the field's name does
// not imply it. The fields of nested objects are named by the same tags.
//
// It panics for a field without any of the tags, for a duplicate name, and for a type that no field of a request can have. Call it while
// the program starts.
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

// shapeOf returns the shape of an Input's value.
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

// kindOf returns the kind of fields with values of a type. It panics for a type that no field has.
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

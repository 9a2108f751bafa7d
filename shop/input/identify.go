package input

import (
	"reflect"

	"github.com/routecard/routecard/shop/ident"
)

// IdentifyFields replaces the external identifiers in the fields of an input struct by identifiers. fields is the result of FieldsOf, and
// find is IDOf.
func IdentifyFields(input reflect.Value, fields []Field, find func(kind ident.RecordKind, named string) (string, error)) error {
	for i := range fields {
		field := &fields[i]
		if err := identifyValue(input.FieldByIndex(field.Index).Addr().Interface(), field.Identifies, &field.Shape, find); err != nil {
			return err
		}
	}
	return nil
}

func identifyValue(
	in any, kind ident.RecordKind, shape *Shape, find func(kind ident.RecordKind, named string) (string, error),
) (err error) {
	switch in := in.(type) {
	case *TextInput:
		if kind != "" && in.State == StateGiven {
			in.Value, err = find(kind, in.Value)
		}
		return err
	case Fillable:
		value := in.Given()
		switch {
		case !value.IsValid():
		case shape.Kind == ObjectKind:
			return IdentifyFields(value, shape.Fields, find)
		case shape.Kind == ListKind:
			for i := range value.Len() {
				if err := identifyValue(value.Index(i).Addr().Interface(), kind, shape.Item, find); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

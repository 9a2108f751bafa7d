package httpapi

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// parameters reads the parameters of an address into a struct, whose tags query name them. A struct in it without a tag gives its fields.
// What is absent or empty leaves its field as it is. It is made while the program starts, and safe for concurrent use.
type parameters []parameter

type parameter struct {
	name  string
	also  string // another name of it, or ""
	index []int
	set   setter
}

// setter sets a field to what a text says, or says why it cannot.
type setter func(text string, into reflect.Value) *refusal.Reason

// parametersOf are those of the query that a pointer points to. It panics when the struct has a field that has no tag, or that no
// parameter can be; the name "-" is for one that is none.
func parametersOf(query any) parameters {
	all := parameters(fieldParameters(reflect.TypeOf(query).Elem(), nil))
	// The next page of a list is behind the last record of a page, and that is before it where the newest come first.
	if at := slices.IndexFunc(all, func(p parameter) bool { return p.name == beforeName }); at >= 0 && !all.has(afterName) {
		all[at].also = afterName
	}
	return all
}

// fieldParameters are the parameters that the fields of a struct have, which stands at a place in the struct of the query.
func fieldParameters(kind reflect.Type, at []int) (all []parameter) {
	for i := range kind.NumField() {
		field := kind.Field(i)
		index := append(slices.Clone(at), i)
		name, tagged := field.Tag.Lookup("query")
		set := setterOf(field.Type)
		switch {
		case name == "-":
		case !tagged && field.Type.Kind() == reflect.Struct:
			all = append(all, fieldParameters(field.Type, index)...)
		case !tagged || set == nil:
			panic(fmt.Sprintf("%v.%s is no parameter: its type is %v, its tag %q", kind, field.Name, field.Type, field.Tag))
		default:
			all = append(all, parameter{name: name, index: index, set: set})
		}
	}
	return all
}

// The parameters that say where a page begins.
const (
	afterName  = "after"
	beforeName = "before"
)

// read fills the query that a pointer points to. It refuses parameters that are not those of the struct, that are there twice, or that
// are not what they should be.
func (p parameters) read(query url.Values, into any) error {
	if err := p.only(query); err != nil {
		return err
	}
	value := reflect.ValueOf(into).Elem()
	for _, parameter := range p {
		text := query.Get(parameter.name)
		if text == "" && parameter.also != "" {
			text = query.Get(parameter.also)
		}
		if text == "" {
			continue
		}
		if reason := parameter.set(text, value.FieldByIndex(parameter.index)); reason != nil {
			return refusal.RefuseField(reason, parameter.name)
		}
	}
	return nil
}

// has reports whether a parameter is one of these.
func (p parameters) has(name string) bool {
	return slices.ContainsFunc(p, func(known parameter) bool { return name != "" && (known.name == name || known.also == name) })
}

// asked returns a refusal as one of the parameter that the caller gave, where that has two names.
func (p parameters) asked(query url.Values, err error) error {
	refusal, ok := errors.AsType[*refusal.Error](err)
	if !ok || query.Has(refusal.Field) {
		return err
	}
	for _, parameter := range p {
		if parameter.name == refusal.Field && parameter.also != "" && query.Has(parameter.also) {
			of := *refusal
			of.Field = parameter.also
			return &of
		}
	}
	return err
}

// only refuses a query with a parameter that is none of these, or that is there more than once.
func (p parameters) only(query url.Values) error {
	for _, name := range slices.Sorted(maps.Keys(query)) { // of several faults the same one is named every time
		if !p.has(name) {
			return refusal.RefuseField(parameterUnknown, shownName(name), shownName(name))
		}
		if len(query[name]) > 1 {
			return refusal.RefuseField(parameterTwice, name)
		}
	}
	for _, parameter := range p {
		if parameter.also != "" && query.Has(parameter.also) && query.Has(parameter.name) {
			return refusal.RefuseField(parameterTwice, parameter.also)
		}
	}
	return nil
}

// shownName is the name of an unknown parameter in a message, which does not repeat a long one.
func shownName(name string) string {
	const shown = 100
	name = strings.ToValidUTF8(name, "\uFFFD")
	if runes := []rune(name); len(runes) > shown {
		return string(runes[:shown])
	}
	return name
}

// setterOf returns what sets a field of a type to what a text says, or says why it cannot; nil for types that no parameter has.
func setterOf(field reflect.Type) setter {
	switch {
	case field == reflect.TypeFor[ident.Timestamp]():
		return setTime
	case field.Kind() == reflect.String:
		return func(text string, into reflect.Value) *refusal.Reason {
			into.SetString(text)
			return nil
		}
	case field.Kind() == reflect.Bool:
		return setFlag
	case field.Kind() == reflect.Int, field.Kind() == reflect.Int64:
		return setWhole
	}
	return nil
}

func setTime(text string, into reflect.Value) *refusal.Reason {
	given, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return input.NotTime
	}
	into.Set(reflect.ValueOf(ident.TimestampOf(given)))
	return nil
}

func setFlag(text string, into reflect.Value) *refusal.Reason {
	if text != "true" && text != "false" {
		return parameterNoFlag
	}
	into.SetBool(text == "true")
	return nil
}

func setWhole(text string, into reflect.Value) *refusal.Reason {
	whole, ok := parseWhole(text)
	if !ok {
		return parameterNoWhole
	}
	into.SetInt(min(whole, math.MaxInt))
	return nil
}

// parseWhole reads a whole number of zero or more; one that is too large to matter counts as the largest.
func parseWhole(text string) (value int64, ok bool) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return math.MaxInt64, true
	}
	return value, true
}

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

// parameters reads query parameters into a struct. The tag query of a field is the name of its parameter. The fields of a nested struct
// without a tag count as fields of the struct. A parameter that is absent or empty leaves its field unchanged. parameters are made while
// the program starts, and are safe for concurrent use.
type parameters []parameter

type parameter struct {
	name  string
	also  string // a second name; "" for none
	index []int
	set   setter
}

// setter parses a text and sets a field to its value, or returns the reason why it cannot.
type setter func(text string, into reflect.Value) *refusal.Reason

// parametersOf returns the parameters of the struct that query points to. It panics if a field has no tag or a type that no parameter can
// have. Fields with the tag "-" are ignored.
func parametersOf(query any) parameters {
	all := parameters(fieldParameters(reflect.TypeOf(query).Elem(), nil))
	// A page of a list with the newest records first continues before its last record. Such lists accept both before and after.
	if at := slices.IndexFunc(all, func(p parameter) bool { return p.name == beforeName }); at >= 0 && !all.has(afterName) {
		all[at].also = afterName
	}
	return all
}

// fieldParameters returns the parameters of the fields of a struct. at is the index of that struct in the struct of the query.
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

// Names of the parameters that say where a page begins.
const (
	afterName  = "after"
	beforeName = "before"
)

// read fills the struct that into points to. It refuses parameters that are unknown, repeated or not valid.
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

// has reports whether name is one of the parameters.
func (p parameters) has(name string) bool {
	return slices.ContainsFunc(p, func(known parameter) bool { return name != "" && (known.name == name || known.also == name) })
}

// asked puts the name that the caller used into a refusal, because a parameter may have two names.
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

// only refuses a query with a parameter that is unknown or repeated.
func (p parameters) only(query url.Values) error {
	for _, name := range slices.Sorted(maps.Keys(query)) { // sorted, so that the same one of several faults is reported every time
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

// shownName returns the name of an unknown parameter for a message. It shortens long names.
func shownName(name string) string {
	const shown = 100
	name = strings.ToValidUTF8(name, "\uFFFD")
	if runes := []rune(name); len(runes) > shown {
		return string(runes[:shown])
	}
	return name
}

// setterOf returns the setter for a type; nil for types that no parameter has.
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

// parseWhole parses a whole number of zero or more. A number that is too large for an int64 becomes the largest int64.
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

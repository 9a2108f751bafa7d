package httpapi

import (
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/shop"
)

// parameters reads the parameters of an address into a struct of type Query, whose tags query name them. What is absent or
// empty leaves its field as it is. It is made while the program starts, and safe for concurrent use.
type parameters[Query any] []parameter

type parameter struct {
	name  string
	index int
	set   setter
}

// setter sets a field to what a text says, or says why it cannot.
type setter func(text string, into reflect.Value) *shop.Reason

// newParameters panics when the struct has a field that has no tag, or that no parameter can be; the name "-" is for one
// that is none.
func newParameters[Query any]() parameters[Query] {
	var all parameters[Query]
	kind := reflect.TypeFor[Query]()
	for i := range kind.NumField() {
		field := kind.Field(i)
		name, tagged := field.Tag.Lookup("query")
		set := setterOf(field.Type)
		switch {
		case name == "-":
			continue
		case !tagged || set == nil:
			panic(fmt.Sprintf("%v.%s is no parameter: its type is %v, its tag %q", kind, field.Name, field.Type, field.Tag))
		}
		all = append(all, parameter{name, i, set})
	}
	return all
}

// read refuses parameters that are not those of the struct, that are there twice, or that are not what they should be.
func (p parameters[Query]) read(r *http.Request, into *Query) error {
	if r.URL.RawQuery == "" {
		return nil
	}
	return p.readFrom(r.URL.Query(), into)
}

// readFrom is read for parameters that are taken out of the address.
func (p parameters[Query]) readFrom(query url.Values, into *Query) error {
	if err := p.only(query); err != nil {
		return err
	}
	value := reflect.ValueOf(into).Elem()
	for _, parameter := range p {
		text := query.Get(parameter.name)
		if text == "" {
			continue
		}
		if reason := parameter.set(text, value.Field(parameter.index)); reason != nil {
			return shop.RefuseField(reason, parameter.name)
		}
	}
	return nil
}

// has reports whether a parameter is one of these.
func (p parameters[Query]) has(name string) bool {
	return slices.ContainsFunc(p, func(known parameter) bool { return known.name == name })
}

// only refuses a query with a parameter that is none of these, or that is there more than once.
func (p parameters[Query]) only(query url.Values) error {
	for _, name := range slices.Sorted(maps.Keys(query)) { // of several faults the same one is named every time
		if !p.has(name) {
			return shop.RefuseField(parameterUnknown, shownName(name), shownName(name))
		}
		if len(query[name]) > 1 {
			return shop.RefuseField(parameterTwice, name)
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
	case field == reflect.TypeFor[shop.Timestamp]():
		return setTime
	case field.Kind() == reflect.String:
		return func(text string, into reflect.Value) *shop.Reason {
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

func setTime(text string, into reflect.Value) *shop.Reason {
	given, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return shop.NotTime
	}
	into.Set(reflect.ValueOf(shop.TimestampOf(given)))
	return nil
}

func setFlag(text string, into reflect.Value) *shop.Reason {
	if text != "true" && text != "false" {
		return parameterNoFlag
	}
	into.SetBool(text == "true")
	return nil
}

func setWhole(text string, into reflect.Value) *shop.Reason {
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

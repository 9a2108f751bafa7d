package httpapi

import (
	"fmt"
	"math"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/shop"
)

// parameters reads the parameters of an address into a struct of type Query, whose tags query name them. What is absent, or
// is not what it should be, leaves its field as it is. It is made while the program starts, and safe for concurrent use.
type parameters[Query any] []parameter

type parameter struct {
	name  string
	index int
}

// newParameters panics when the struct has a field that has no tag, or that no parameter can be; the name "-" is for one
// that is none.
func newParameters[Query any]() parameters[Query] {
	var all parameters[Query]
	kind := reflect.TypeFor[Query]()
	for i := range kind.NumField() {
		field := kind.Field(i)
		name, tagged := field.Tag.Lookup("query")
		switch {
		case name == "-":
			continue
		case !tagged || !readParameter("", reflect.New(field.Type).Elem()):
			panic(fmt.Sprintf("%v.%s is no parameter: its type is %v, its tag %q", kind, field.Name, field.Type, field.Tag))
		}
		all = append(all, parameter{name, i})
	}
	return all
}

func (p parameters[Query]) read(r *http.Request, into *Query) {
	if r.URL.RawQuery == "" {
		return
	}
	query, value := r.URL.Query(), reflect.ValueOf(into).Elem()
	for _, parameter := range p {
		readParameter(query.Get(parameter.name), value.Field(parameter.index))
	}
}

// readParameter reports whether a field can be a parameter, and sets it if the text is one.
func readParameter(text string, into reflect.Value) (can bool) {
	if at, ok := reflect.TypeAssert[*shop.Timestamp](into.Addr()); ok {
		if given, err := time.Parse(time.RFC3339, text); err == nil {
			*at = shop.TimestampOf(given)
		}
		return true
	}
	switch into.Kind() {
	case reflect.String:
		into.SetString(text)
	case reflect.Bool:
		into.SetBool(text == "true")
	case reflect.Int, reflect.Int64:
		if whole, ok := parseWhole(text); ok {
			into.SetInt(min(whole, math.MaxInt))
		}
	default:
		return false
	}
	return true
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

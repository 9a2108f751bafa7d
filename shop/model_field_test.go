package shop_test

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/routecard/routecard/shop/input"
)

// field is the content of one field of a request.
type field[T any] struct {
	is    string // "" for absent, "null", "mistyped", "given"
	value T
}

func (f field[T]) missing() bool { return f.is == "" || f.is == "null" }

func (f field[T]) input() input.Input[T] {
	switch f.is {
	case "null":
		return input.Null[T]()
	case "mistyped":
		return input.Mistyped[T]()
	case "given":
		return input.Given(f.value)
	}
	return input.Input[T]{}
}

const names, texts = 500, 10_000 // the limits in characters

// text checks a required text; empty is the message if it is missing or blank.
func text(name string, f field[string], limit int, empty string) refusedAs {
	switch {
	case f.missing(), f.is == "given" && strings.TrimSpace(f.value) == "":
		return bad("%s", empty)
	case f.is == "mistyped":
		return bad("%s must be a string", name)
	case utf8.RuneCountInString(f.value) > limit:
		return bad("%s is too long", name)
	case strings.Contains(f.value, "\x00"):
		return bad("%s must not contain NUL characters", name)
	}
	return nil
}

// optionalText checks an optional text.
func optionalText(name string, f field[string], limit int) refusedAs {
	if f.missing() || f.is == "given" && strings.TrimSpace(f.value) == "" {
		return nil
	}
	return text(name, f, limit, "")
}

func user(f field[string]) refusedAs { return text("userId", f, names, "userId is required") }

// orBlank returns the value of an optional text, or none if it is missing or blank.
func orBlank(f field[string], none string) string {
	if f.is != "given" || strings.TrimSpace(f.value) == "" {
		return none
	}
	return f.value
}

func whole(name string, f field[float64]) refusedAs {
	const most = 9007199254740991
	switch {
	case f.missing():
		return bad("%s is required", name)
	case f.is == "mistyped":
		return bad("%s must be a number", name)
	case f.value > most:
		return bad("%s must be at most %d", name, int64(most))
	case f.value > -most && f.value != float64(int64(f.value)):
		return bad("%s must be an integer", name)
	}
	return nil
}

// index checks the index of a step. An index that is too large is refused by the rule that compares it with the steps of the path.
func index(name string, f field[float64]) refusedAs {
	if f.is == "given" {
		f.value = min(f.value, 9007199254740991)
	}
	return whole(name, f)
}

func oneOf(name string, f field[string], words string) refusedAs {
	switch {
	case f.missing():
		return nil
	case f.is == "mistyped":
		return bad("%s must be a string", name)
	case !slices.Contains(strings.Split(words, ", "), f.value):
		return bad("%s must be one of: %s", name, words)
	}
	return nil
}

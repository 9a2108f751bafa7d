package db

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Conditions collects the parts of a WHERE clause and their arguments.
type Conditions struct {
	Parts []string
	Args  []any
}

// Add adds a condition. Each ? in it stands for the next argument.
func (c *Conditions) Add(condition string, args ...any) {
	for _, arg := range args {
		c.Args = append(c.Args, arg)
		condition = strings.Replace(condition, "?", fmt.Sprintf("$%d", len(c.Args)), 1)
	}
	c.Parts = append(c.Parts, condition)
}

// AddContaining adds the condition that one of the columns contains a text, in any case. It adds none for "".
func (c *Conditions) AddContaining(text string, columns ...string) {
	if text == "" {
		return
	}
	alternatives := make([]string, len(columns))
	for i, column := range columns {
		alternatives[i] = `LOWER(` + column + `) LIKE ? ESCAPE '\'`
	}
	c.Add(`(`+strings.Join(alternatives, ` OR `)+`)`, slices.Repeat([]any{Containing(text)}, len(columns))...)
}

// AddBefore adds the condition of a page, newest first, that follows the record with an identifier, of which number reads the number. ""
// is for the first page.
func (c *Conditions) AddBefore(id string, number func(id string) (int64, bool)) {
	before := int64(math.MaxInt64)
	if id != "" {
		before, _ = number(id)
	}
	c.Add(`number < ?`, before)
}

// Where returns the WHERE clause, or "" when there is no condition.
func (c *Conditions) Where() string {
	if len(c.Parts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(c.Parts, " AND ")
}

// Lowered returns a text in lower case, converted as both engines do it.
func Lowered(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, text)
}

// Containing returns a LIKE pattern, in lower case, for texts that contain the given text. The escape character is \.
func Containing(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(Lowered(text)) + "%"
}

package lang

import (
	"cmp"
	"fmt"
	"html/template"
	"strconv"
	"strings"
	"time"
)

// Text is an English text of the pages, as a constant. It is the key of its translations. If one English text needs two translations, a
// context and a bar precede the text: "of a job|Due". Names in braces are placeholders for arguments: "Since {date}".
type Text string

// English returns the text without its context.
func (t Text) English() string {
	_, plain := t.parts()
	return plain
}

// parts returns the context, or "" if there is none, and the text.
func (t Text) parts() (context, plain string) {
	if context, plain, found := strings.Cut(string(t), "|"); found {
		return context, plain
	}
	return "", string(t)
}

// Around is an argument for a pair of placeholders: in "Press {link}Sign out{/link}." the link consists of the words between the
// placeholders.
type Around struct{ Open, Close template.HTML }

// markup is a tag of an Around. It is not isolated, and plain text omits it.
type markup template.HTML

// Lookup returns the translation of a text, with its placeholders. A text without a translation stays English.
func (l *Language) Lookup(t Text) string {
	context, plain := t.parts()
	switch {
	case l == nil:
		return plain
	case l.pseudo && context != formatContext:
		return pseudo(plain)
	}
	return cmp.Or(l.texts[string(t)], plain)
}

// lookupCount returns the translation of a text for a count.
func (l *Language) lookupCount(count any, one, many Text) string {
	number, err := strconv.Atoi(strings.TrimPrefix(fmt.Sprint(count), "-"))
	if err != nil {
		number = 2 // larger than an int
	}
	if l == nil || l.pseudo || l.po == nil {
		if number == 1 {
			return l.Lookup(one)
		}
		return l.Lookup(many)
	}
	context, singular := one.parts()
	if context != "" {
		return l.po.GetNC(singular, many.English(), number, context)
	}
	return l.po.GetN(singular, many.English(), number)
}

// T returns the translation of a text with arguments in place of its placeholders. The arguments are pairs of names and values. A value of
// type Text is translated. The result is plain text, which a template escapes.
func (l *Language) T(t Text, pairs ...any) string {
	return fill(l.Lookup(t), pairs, nothing, l.plainValue)
}

// TN is T for a text with a count. The count replaces the placeholder {n}.
func (l *Language) TN(count any, one, many Text, pairs ...any) string {
	return fill(l.lookupCount(count, one, many), append([]any{"n", l.Number(count)}, pairs...), nothing, l.plainValue)
}

// HTML is T as HTML. A value of type template.HTML stays unchanged, all other values are escaped, and names in right-to-left scripts are
// isolated. The result may be used in the content of elements and in attributes, where html/template removes its tags.
func (l *Language) HTML(t Text, pairs ...any) template.HTML {
	return template.HTML(fill(l.Lookup(t), pairs, escaped, l.value)) //nolint:gosec // each piece is escaped
}

// HTMLN is TN as HTML.
func (l *Language) HTMLN(count any, one, many Text, pairs ...any) template.HTML {
	pairs = append([]any{"n", l.Number(count)}, pairs...)
	return template.HTML(fill(l.lookupCount(count, one, many), pairs, escaped, l.value)) //nolint:gosec // each piece is escaped
}

// plainValue returns an argument as plain text. In a right-to-left language, invisible characters isolate it.
func (l *Language) plainValue(value any) string {
	switch value := value.(type) {
	case Text:
		return l.T(value)
	case markup:
		return ""
	}
	if l.rightToLeft() {
		return "\u2068" + fmt.Sprint(value) + "\u2069"
	}
	return fmt.Sprint(value)
}

// value returns an argument as HTML. In a right-to-left language each argument is isolated.
func (l *Language) value(value any) string {
	switch value := value.(type) {
	case Text:
		return escaped(l.T(value))
	case markup:
		return string(value)
	case template.HTML:
		if l.rightToLeft() {
			return "<bdi>" + string(value) + "</bdi>"
		}
		return string(value)
	}
	if l.rightToLeft() {
		return "<bdi>" + template.HTMLEscapeString(fmt.Sprint(value)) + "</bdi>"
	}
	return string(Apart(value))
}

// escaped escapes a text of the catalogue. Quotes stay unchanged, because html/template escapes them in attributes.
func escaped(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

func nothing(text string) string { return text }

// fill writes a text with arguments in place of its placeholders. A placeholder without an argument stays unchanged, so that the mistake is
// noticed.
func fill(text string, pairs []any, own func(string) string, value func(any) string) string {
	if !strings.Contains(text, "{") {
		return own(text)
	}
	var filled strings.Builder
	for {
		before, after, found := strings.Cut(text, "{")
		filled.WriteString(own(before))
		if !found {
			return filled.String()
		}
		place, rest, _ := strings.Cut(after, "}")
		name, closing := strings.CutPrefix(place, "/")
		switch argument, known := argumentOf(pairs, name); around := argument.(type) {
		case Around:
			if closing {
				filled.WriteString(value(markup(around.Close)))
			} else {
				filled.WriteString(value(markup(around.Open)))
			}
		default:
			if known {
				filled.WriteString(value(argument))
			} else {
				filled.WriteString(own("{" + place + "}"))
			}
		}
		text = rest
	}
}

// argumentOf returns the value that follows a name in pairs of names and values.
func argumentOf(pairs []any, name string) (any, bool) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] == name {
			return pairs[i+1], true
		}
	}
	return nil, false
}

// formatContext is the context of texts that define how numbers and times are written.
const formatContext = "format"

// Number formats a whole number with the thousands separator of the language. Use it for display only: values in inputs, codes and exports
// have no separator.
func (l *Language) Number(value any) string {
	digits := fmt.Sprint(value)
	separator := strings.Trim(l.Lookup("format|1\u202f000"), "01")
	var b strings.Builder
	for i, c := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			b.WriteString(separator)
		}
		b.WriteRune(c)
	}
	return b.String()
}

// DecimalComma reports whether the language has a decimal comma.
func (l *Language) DecimalComma() bool { return strings.Contains(l.Lookup("format|0.5"), ",") }

// Decimal formats a number with a decimal point, such as 12.50, with the decimal separator of the language. It is for questions about typed
// values. Pages, papers and exports show readings as recorded, with a point.
func (l *Language) Decimal(number string) string {
	if l.DecimalComma() {
		return strings.Replace(number, ".", ",", 1)
	}
	return number
}

// These are layouts of times for package time. A translation orders the parts as is usual in the language. The month stays a name, so that
// a date cannot be misread.
const (
	DayMinute     Text = "format|2 Jan 15:04"
	YearMinute    Text = "format|2 Jan 2006 15:04"
	DaySecond     Text = "format|2 Jan 15:04:05"
	YearSecond    Text = "format|2 Jan 2006 15:04:05"
	Day           Text = "format|2 Jan"
	YearDay       Text = "format|2 Jan 2006"
	PaperMinute   Text = "format|2 Jan 2006 15:04 MST"
	monthInLayout      = "Jan"
)

// months are the names of months in dates.
var months = [...]Text{
	"month|Jan", "month|Feb", "month|Mar", "month|Apr", "month|May", "month|Jun",
	"month|Jul", "month|Aug", "month|Sep", "month|Oct", "month|Nov", "month|Dec",
}

// Time formats a time by a layout, with the name of the month in the language.
func (l *Language) Time(at time.Time, layout Text) string {
	before, after, found := strings.Cut(l.Lookup(layout), monthInLayout)
	if !found {
		return at.Format(before)
	}
	return at.Format(before) + l.Lookup(months[at.Month()-1]) + at.Format(after)
}

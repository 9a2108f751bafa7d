package as9102

import (
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/firstarticle"
)

// Texts that records give and that Shown translates.
const (
	assembly          lang.Text = "Assembly"
	accepted          lang.Text = firstarticle.Accepted
	rejected          lang.Text = firstarticle.Rejected
	customerFurnished lang.Text = firstarticle.CustomerFurnished
	offTheShelf       lang.Text = "Commercial off-the-shelf"
)

// Shown returns the text of a field in a language: words that the service chose are translated. The frozen content stays in English, and
// typed texts and data stay as they are.
func Shown(l *lang.Language, f *shop.FirstArticle, field firstarticle.Field) string {
	if field.Typed {
		return field.Text
	}
	switch [2]int{field.Form, field.Field} {
	case [2]int{1, 13}:
		return oneOf(l, field.Text, "Detail", assembly)
	case [2]int{1, 14}:
		return extent(l, f)
	case [2]int{1, 17}:
		if field.Text == string(shop.COTS) {
			return l.T(offTheShelf)
		}
		return lang.Words(l, field.Text)
	case [2]int{1, 19}:
		answer, reports, found := strings.Cut(field.Text, ": ")
		if answer = oneOf(l, answer, "Yes", "No"); found {
			return answer + ": " + reports
		}
		return answer
	case [2]int{1, 18}, [2]int{2, 8}:
		return oneOf(l, field.Text, customerFurnished)
	case [2]int{2, 9}:
		return oneOf(l, field.Text, "Yes", "No")
	case [2]int{3, 7}:
		return oneOf(l, field.Text, "Key", "Critical")
	case [2]int{3, 9}:
		return results(l, field.Text)
	}
	return field.Text
}

// oneOf translates a text if it is one of those that the service chose.
func oneOf(l *lang.Language, text string, chosen ...lang.Text) string {
	for _, one := range chosen {
		if string(one) == text {
			return l.Lookup(one)
		}
	}
	return text
}

// results translates the results of attributes, each after the number of its unit if there are several.
func results(l *lang.Language, text string) string {
	const between, after = "; ", ": "
	units := strings.Split(text, between)
	for i, unit := range units {
		at := strings.LastIndex(unit, after)
		if at < 0 {
			units[i] = oneOf(l, unit, accepted, rejected)
			continue
		}
		at += len(after)
		units[i] = unit[:at] + oneOf(l, unit[at:], accepted, rejected)
	}
	return strings.Join(units, between)
}

// extent returns the text of field 14 of form 1.
func extent(l *lang.Language, f *shop.FirstArticle) string {
	kind := l.T("Full first article")
	if f.Kind == firstarticle.Partial {
		kind = l.T("Partial first article")
	}
	if f.Baseline != "" {
		kind = l.T("{kind}, baseline {baseline}", "kind", kind, "baseline", f.Baseline)
	}
	return l.T("{kind}. Reason: {reason}", "kind", kind, "reason", f.Reason)
}

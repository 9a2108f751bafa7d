package card

import (
	"strings"

	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Verdicts returns all verdicts in the order in which the HTTP API lists them.
func Verdicts() []Verdict {
	return []Verdict{VerdictPass, VerdictFail, VerdictRecorded}
}

// Judge compares a value with the limits of the characteristic. It returns the value in its stored form, and refuses a value that does not
// fit the type, with the name of the field.
func (c *Characteristic) Judge(field, value string) (string, Verdict, error) {
	switch c.Type {
	case NumberReading:
		number, ok := input.ParseDecimal(value)
		if !ok {
			return "", "", refusal.RefuseField(refusal.NotDecimal, field)
		}
		below, above := c.Outside(number)
		switch {
		case below, above:
			return string(number), VerdictFail, nil
		case c.Lower == "" && c.Upper == "":
			return string(number), VerdictRecorded, nil
		}
		return string(number), VerdictPass, nil
	case PassFailReading:
		verdict, ok := ReadVerdict(value)
		if !ok {
			return "", "", input.NotOneOf(field, []Verdict{VerdictPass, VerdictFail})
		}
		return string(verdict), verdict, nil
	case TextReading:
	}
	return value, VerdictRecorded, nil
}

// Outside reports whether a value is below the lower or above the upper limit.
func (l Limits) Outside(value input.Decimal) (below, above bool) {
	return l.Lower != "" && value.Compare(l.Lower) < 0, l.Upper != "" && value.Compare(l.Upper) > 0
}

// verdictSpellings lists words for pass and fail in English, German, Spanish and French, in lower case without points, blanks and hyphens.
var verdictSpellings = map[Verdict]string{
	VerdictPass: "pass passed ok okay go good io inordnung gut bestanden erfüllt bien pasa apto conforme aprobado cumple correcto " +
		"bon accepté satisfaisant",
	VerdictRecorded: "", // never written in a reading
	VerdictFail: "fail failed nok notok ng nogo bad nio nichtinordnung nichtio nichtok schlecht nichtbestanden nichterfüllt " +
		"mal nopasa noapto noconforme rechazado nocumple incorrecto " +
		"nonconforme mauvais refusé rejeté nonsatisfaisant",
}

var verdictPunctuation = strings.NewReplacer(".", "", " ", "", "\u00a0", "", "-", "", "_", "", "/", "")

// ReadVerdict reads pass or fail in the spellings of people and machines, such as OK, i.O. and NOK.
func ReadVerdict(text string) (Verdict, bool) {
	word := verdictPunctuation.Replace(strings.ToLower(strings.TrimSpace(text)))
	for verdict, spellings := range verdictSpellings {
		for spelling := range strings.FieldsSeq(spellings) {
			if word == spelling {
				return verdict, true
			}
		}
	}
	return "", false
}

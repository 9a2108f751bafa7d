package site

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// A form that changes a record contains a digest of the values that the user has seen and can change. If the record has changed since then,
// nothing is saved, and the form shows the current values next to the typed ones.

// ReadField is the hidden field with the digest.
const ReadField = "read"

// AsRead returns the digest of the values of a record that a page showed.
func AsRead(values ...any) string {
	digest := sha256.Sum256(fmt.Appendf(nil, "%#v", values))
	return fmt.Sprintf("%x", digest[:12])
}

// IfRead returns a context. An operation with this context is refused if the record no longer has the digest read.
func IfRead[T any](v *Visit, read string, now func(T) string) context.Context {
	return shop.WithMatch(v.R.Context(), func(answer any) (bool, error) {
		record, ok := answer.(T)
		return ok && now(record) == read, nil
	})
}

// WasChanged reports whether an operation was refused because its record has changed.
func WasChanged(err error) bool {
	refused, ok := errors.AsType[*refusal.Error](err)
	return ok && refused.Kind == refusal.Changed
}

// Compared is a field with its typed and its current value. If each row of the form has such a field, Row replaces the placeholder {row} in
// its name.
type Compared struct {
	Field           lang.Text
	Row, Typed, Now string
}

// ErrNotDeleted reports that a record was not deleted because it has changed since the page showed it. changed is the sentence that says
// this.
func ErrNotDeleted(changed string) error {
	return refusal.Refuse(wording.NotDeleted, changed)
}

// ErrChanged reports that a record has changed since the page showed it, and lists its differences from the typed values. changed is the
// sentence that says this.
func ErrChanged(v *Visit, changed string, values []Compared) error {
	const most = 20 // a longer list would not be read
	var text strings.Builder
	text.WriteString(changed + " " + v.T("Nothing was saved: the form shows what is there now."))
	told := 0
	for _, one := range values {
		if one.Typed == one.Now {
			continue
		}
		if told == 0 {
			text.WriteString(" " + v.T("You had typed:"))
		}
		if told == most {
			text.WriteString(" …")
			break
		}
		told++
		text.WriteString(" " + v.T("{field}: {typed} (now {now}).", "field", v.T(one.Field, "row", one.Row),
			"typed", typedOrNothing(v, one.Typed), "now", typedOrNothing(v, one.Now)))
	}
	return refusal.Refuse(wording.FormOutdated, text.String())
}

// typedOrNothing returns the value of a field, or a word for an empty one.
func typedOrNothing(v *Visit, text string) string {
	return cmp.Or(text, v.T("nothing"))
}

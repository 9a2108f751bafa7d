package site

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// A form that changes a record carries a digest of the values that its reader saw and can change. If the record has changed since then,
// nothing is saved, and the form shows the current values next to what was typed.

// ReadField is the hidden field with the digest.
const ReadField = "read"

// AsRead returns the digest of the values that a page showed of a record.
func AsRead(values ...any) string {
	digest := sha256.Sum256(fmt.Appendf(nil, "%#v", values))
	return fmt.Sprintf("%x", digest[:12])
}

// IfRead returns a context whose operation is refused if the record no longer has the digest read.
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

// Compared is a field with its typed and its current value.
type Compared struct{ Field, Typed, Now string }

// ErrNotDeleted reports that a record was not deleted because it has changed since the page showed it.
func ErrNotDeleted(what string) error {
	return refusal.Refuse(wording.NotDeleted, what)
}

// ErrChanged reports that a record has changed since the page showed it, and where it differs from the typed values.
func ErrChanged(what string, values []Compared) error {
	const most = 20 // more would not be read
	var text strings.Builder
	fmt.Fprintf(&text, "Somebody changed %s meanwhile. Nothing was saved: the form shows what is there now.", what)
	told := 0
	for _, one := range values {
		if one.Typed == one.Now {
			continue
		}
		if told == 0 {
			text.WriteString(" You had typed:")
		}
		if told == most {
			text.WriteString(" …")
			break
		}
		told++
		fmt.Fprintf(&text, " %s: %s (now %s).", one.Field, orBlank(one.Typed), orBlank(one.Now))
	}
	return refusal.Refuse(wording.FormOutdated, text.String())
}

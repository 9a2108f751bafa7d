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

// A form that changes a record carries what its reader saw of it: a digest of what the form can change. When the record
// is another one by then, nothing is saved, and the form shows it as it is now, and beside it what was typed.

// ReadField is the hidden field with what was read.
const ReadField = "read"

// AsRead names what was read of a record.
func AsRead(values ...any) string {
	digest := sha256.Sum256(fmt.Appendf(nil, "%#v", values))
	return fmt.Sprintf("%x", digest[:12])
}

// IfRead returns a context whose operation goes ahead only when the record that it changes is still what was read.
func IfRead[T any](v *Visit, read string, now func(T) string) context.Context {
	return shop.WithMatch(v.R.Context(), func(answer any) (bool, error) {
		record, ok := answer.(T)
		return ok && now(record) == read, nil
	})
}

// WasChanged reports whether an operation was refused because its record is not what was read.
func WasChanged(err error) bool {
	refused, ok := errors.AsType[*refusal.Error](err)
	return ok && refused.Kind == refusal.Changed
}

// Compared is what was Typed into a Field, and what is there Now.
type Compared struct{ Field, Typed, Now string }

// ErrNotDeleted says that a record was changed since it was read, and so was not deleted.
func ErrNotDeleted(what string) error {
	return refusal.Refuse(wording.NotDeleted, what)
}

// ErrChanged says that a record was changed since it was read, and where it differs from what was typed.
func ErrChanged(what string, values []Compared) error {
	const most = 20 // more than that nobody reads
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

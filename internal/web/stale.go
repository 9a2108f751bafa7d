package web

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

// readField is the hidden field with what was read.
const readField = "read"

// asRead names what was read of a record.
func asRead(values ...any) string {
	digest := sha256.Sum256(fmt.Appendf(nil, "%#v", values))
	return fmt.Sprintf("%x", digest[:12])
}

// ifRead returns a context whose operation goes ahead only when the record that it changes is still what was read.
func ifRead[T any](v *visit, read string, now func(T) string) context.Context {
	return shop.WithMatch(v.r.Context(), func(answer any) (bool, error) {
		record, ok := answer.(T)
		return ok && now(record) == read, nil
	})
}

// wasChanged reports whether an operation was refused because its record is not what was read.
func wasChanged(err error) bool {
	refused, ok := errors.AsType[*refusal.Error](err)
	return ok && refused.Kind == refusal.Changed
}

// compared is what was typed into a field, and what is there now.
type compared struct{ field, typed, now string }

// errNotDeleted says that a record was changed since it was read, and so was not deleted.
func errNotDeleted(what string) error {
	return refusal.Refuse(wording.NotDeleted, what)
}

// errChanged says that a record was changed since it was read, and where it differs from what was typed.
func errChanged(what string, values []compared) error {
	const most = 20 // more than that nobody reads
	var text strings.Builder
	fmt.Fprintf(&text, "Somebody changed %s meanwhile. Nothing was saved: the form shows what is there now.", what)
	told := 0
	for _, one := range values {
		if one.typed == one.now {
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
		fmt.Fprintf(&text, " %s: %s (now %s).", one.field, orBlank(one.typed), orBlank(one.now))
	}
	return refusal.Refuse(wording.FormOutdated, text.String())
}

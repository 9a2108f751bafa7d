package shop

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"sync"

	"github.com/routecard/routecard/shop/input"
)

// SignedContent is what is signed of an operation: what it is asked for, in the words of the interface. Whoever signs on a
// page is shown it.
type SignedContent struct {
	Of   []string        `json:"of"`   // the identifiers that the interface has in the address, in its order
	Body json.RawMessage `json:"body"` // as BodyOf writes it
}

// same reports whether two operations are asked for the same.
func (c SignedContent) same(other SignedContent) bool {
	return slices.Equal(c.Of, other.Of) && bytes.Equal(c.Body, other.Body)
}

type signableKey struct{}

// signable is an operation that may have to be signed.
type signable struct {
	in      any
	content func() (SignedContent, error)
}

// signable returns a context that knows what an operation is asked for. Every operation that can be signed begins with it: the
// signatures on a page are for that, and for nothing else.
func (s *Service) signable(ctx context.Context, in any, of ...string) context.Context {
	if s.signing == nil {
		return ctx
	}
	return Signable(ctx, in, of...)
}

// Signable is for operations of other packages that can be signed: it returns a context that knows what they are asked for, in
// the words of the interface. Secrets are to be left out of it.
func Signable(ctx context.Context, in any, of ...string) context.Context {
	return context.WithValue(ctx, signableKey{}, &signable{in, sync.OnceValues(func() (SignedContent, error) {
		body, err := BodyOf(in)
		return SignedContent{Of: append([]string{}, of...), Body: body}, err
	})})
}

// signableOf is the operation of a context, nil when it has not said what it is asked for.
func signableOf(ctx context.Context) *signable {
	operation, _ := ctx.Value(signableKey{}).(*signable)
	return operation
}

// filtered reports whether an operation is about whatever serials fit a filter.
func (s *signable) filtered() bool {
	selecting, ok := s.in.(interface{ selection() SelectionInput })
	return ok && !selecting.selection().Where.Missing()
}

// BodyOf writes the body that an input was read from, or that a face would have to read to get the same input: an object
// with the fields that the tags of the struct name, those that are absent left out. Equal inputs have equal bodies. It fails
// for an input with a field of another type than the struct says, which no operation accepts.
func BodyOf(in any) (json.RawMessage, error) {
	var object map[string]any
	var err error
	if policy, ok := in.(policyInput); ok {
		object, err = policy.body()
	} else {
		object, err = input.BodyOf(reflect.ValueOf(in))
	}
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(object) // which has the members in the order of their names
	return bytes.TrimSuffix(text.Bytes(), []byte{'\n'}), err
}

//nolint:gochecknoglobals // a value that is compared, and never changes

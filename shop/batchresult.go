package shop

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// What is written down of a batch that commits part by part, for whoever repeats it under its key: which serials it was
// about, and what became of each part. A hundred thousand serials must not take megabytes, so both are short: numbers as
// their differences, and refusals together that say the same.

// chosen are the identifiers of a selection's serials, all of them of serials that exist.
type chosen []string

// MarshalText writes the numbers of the serials.
func (c chosen) MarshalText() ([]byte, error) {
	numbers := make([]int64, len(c))
	for i, id := range c {
		number, ok := ident.ParseSerialID(id)
		if !ok {
			return nil, fmt.Errorf("%q is not the id of a serial", id)
		}
		numbers[i] = number
	}
	return appendDifferences(nil, numbers), nil
}

// UnmarshalText reads what MarshalText wrote.
func (c *chosen) UnmarshalText(text []byte) error {
	numbers, err := readDifferences(text)
	if err != nil {
		return err
	}
	*c = make(chosen, len(numbers))
	for i, number := range numbers {
		(*c)[i] = ident.SerialID(number)
	}
	return nil
}

// Places are indexes in a part of a batch.
type Places []int64

// MarshalText writes the indexes.
func (p Places) MarshalText() ([]byte, error) { return appendDifferences(nil, p), nil }

// UnmarshalText reads what MarshalText wrote.
func (p *Places) UnmarshalText(text []byte) (err error) {
	*p, err = readDifferences(text)
	return err
}

func appendDifferences(text []byte, numbers []int64) []byte {
	var b []byte
	last := int64(0)
	for _, number := range numbers {
		b = binary.AppendVarint(b, number-last)
		last = number
	}
	return base64.RawStdEncoding.AppendEncode(text, b)
}

func readDifferences(text []byte) ([]int64, error) {
	b, err := base64.RawStdEncoding.AppendDecode(nil, text)
	if err != nil {
		return nil, err
	}
	var numbers []int64
	last := int64(0)
	for len(b) > 0 {
		difference, size := binary.Varint(b)
		if size <= 0 {
			return nil, errors.New("the list of numbers is cut off")
		}
		last += difference
		numbers = append(numbers, last)
		b = b[size:]
	}
	return numbers, nil
}

// BatchPart is what became of the serials of one part.
type BatchPart struct {
	Changed int            `json:"changed"`
	Refused []refusedAlike `json:"refused,omitempty"`
}

// refusedAlike are the serials of a part whose refusals differ in nothing but the serial's id.
type refusedAlike struct {
	Kind    refusal.Kind `json:"code,omitempty"`   // 0 for an error that is not an *Error
	Reason  string       `json:"reason,omitempty"` // its code; what earlier releases wrote down has none
	Field   string       `json:"field,omitempty"`
	Args    []string     `json:"args,omitempty"` // with thisSerial for the serial's id, as Message
	Message string       `json:"message"`
	Unknown bool         `json:"unknown,omitempty"`
	At      Places       `json:"at"`
}

// thisSerial stands for the id of a serial, and argsEnd between arguments. No text has them.
const (
	thisSerial = "\x00"
	argsEnd    = "\xff"
)

// PartOf returns what is stored of a part of a batch: its records, how many changed, and the refusals.
func PartOf(ids []string, changed int, refused []Refusal) BatchPart {
	part := BatchPart{Changed: changed}
	type key struct {
		reason  *refusal.Reason
		kind    refusal.Kind
		field   string
		args    string // of an error that is not an *Error its text
		unknown bool
	}
	alike := map[key]int{}
	at := 0
	for i := range refused {
		for ids[at] != refused[i].SerialID {
			at++
		}
		refusal, isRefusal := errors.AsType[*refusal.Error](refused[i].Err)
		k := key{unknown: refused[i].unknown}
		if isRefusal {
			k.reason, k.kind, k.field, k.args = refusal.Reason, refusal.Kind, refusal.Field, strings.Join(refusal.Args, argsEnd)
		} else {
			k.args = refused[i].Err.Error()
		}
		k.args = strings.ReplaceAll(k.args, refused[i].SerialID, thisSerial)
		index, known := alike[k]
		if !known {
			index = len(part.Refused)
			alike[k] = index
			one := refusedAlike{Kind: k.kind, Field: k.field, Message: k.args, Unknown: k.unknown}
			if isRefusal {
				one.Reason, one.Message = refusal.Reason.Code(), strings.ReplaceAll(refusal.Error(), refused[i].SerialID, thisSerial)
				if len(refusal.Args) > 0 {
					one.Args = strings.Split(k.args, argsEnd)
				}
			}
			part.Refused = append(part.Refused, one)
		}
		part.Refused[index].At = append(part.Refused[index].At, int64(at))
	}
	return part
}

// Refusals are the refusals of a part, in the order of its serials.
func (p *BatchPart) Refusals(ids []string) []Refusal {
	refused := make([]func(id string) error, len(ids))
	count := 0
	unknown := make([]bool, len(ids))
	for i := range p.Refused {
		refusalOf := p.Refused[i].refusal()
		for _, at := range p.Refused[i].At {
			if at >= 0 && at < int64(len(ids)) {
				refused[at], unknown[at] = refusalOf, p.Refused[i].Unknown
				count++
			}
		}
	}
	refusals := make([]Refusal, 0, count)
	for i, refusalOf := range refused {
		if refusalOf != nil {
			refusals = append(refusals, Refusal{SerialID: ids[i], Err: refusalOf(ids[i]), unknown: unknown[i]})
		}
	}
	return refusals
}

// refusal returns what makes the refusal of one of the serials.
func (a *refusedAlike) refusal() func(id string) error {
	if a.Kind == 0 {
		return func(id string) error { return errors.New(strings.ReplaceAll(a.Message, thisSerial, id)) }
	}
	alike := refusal.Error{Kind: a.Kind, Reason: a.reason(), Field: a.Field, Args: a.Args}
	if alike.Reason == refusal.RefusedBefore {
		alike.Args = []string{a.Message}
	}
	return func(id string) error {
		of := alike
		of.Args = slices.Clone(alike.Args)
		for i, arg := range of.Args {
			of.Args[i] = strings.ReplaceAll(arg, thisSerial, id)
		}
		return &of
	}
}

// reason returns the reason that says what was told. What an earlier release wrote down without a reason, or for one that
// is told otherwise by now, is told as it was.
func (a *refusedAlike) reason() *refusal.Reason {
	for _, reason := range refusal.Reasons() {
		told := refusal.Error{Reason: reason, Field: a.Field, Args: a.Args}
		if reason.Code() == a.Reason && told.Error() == a.Message {
			return reason
		}
	}
	return refusal.RefusedBefore
}

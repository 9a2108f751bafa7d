package shop

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
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
		number, ok := ParseSerialID(id)
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
		(*c)[i] = SerialID(number)
	}
	return nil
}

// places are indexes in a part of a batch.
type places []int64

// MarshalText writes the indexes.
func (p places) MarshalText() ([]byte, error) { return appendDifferences(nil, p), nil }

// UnmarshalText reads what MarshalText wrote.
func (p *places) UnmarshalText(text []byte) (err error) {
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

// batchPart is what became of the serials of one part.
type batchPart struct {
	Changed int            `json:"changed"`
	Refused []refusedAlike `json:"refused,omitempty"`
}

// refusedAlike are the serials of a part whose refusals differ in nothing but the serial's id.
type refusedAlike struct {
	Code    Code   `json:"code,omitempty"` // 0 for what is no *Error
	Message string `json:"message"`        // with thisSerial for the serial's id
	Unknown bool   `json:"unknown,omitempty"`
	At      places `json:"at"`
}

// thisSerial stands for the id of a serial. No message has it.
const thisSerial = "\x00"

func partOf(ids []string, changed int, refused []Refusal) batchPart {
	part := batchPart{Changed: changed}
	type key struct {
		code    Code
		message string
		unknown bool
	}
	alike := map[key]int{}
	at := 0
	for i := range refused {
		for ids[at] != refused[i].SerialID {
			at++
		}
		k := key{message: refused[i].Err.Error(), unknown: refused[i].unknown}
		if refusal, ok := errors.AsType[*Error](refused[i].Err); ok {
			k.code, k.message = refusal.Code, refusal.Message
		}
		k.message = strings.ReplaceAll(k.message, refused[i].SerialID, thisSerial)
		index, known := alike[k]
		if !known {
			index = len(part.Refused)
			alike[k] = index
			part.Refused = append(part.Refused, refusedAlike{Code: k.code, Message: k.message, Unknown: k.unknown})
		}
		part.Refused[index].At = append(part.Refused[index].At, int64(at))
	}
	return part
}

// refusals are the refusals of a part, in the order of its serials.
func (p *batchPart) refusals(ids []string) []Refusal {
	refused := make([]*refusedAlike, len(ids))
	count := 0
	for i := range p.Refused {
		for _, at := range p.Refused[i].At {
			if at >= 0 && at < int64(len(ids)) {
				refused[at] = &p.Refused[i]
				count++
			}
		}
	}
	refusals := make([]Refusal, 0, count)
	for i, alike := range refused {
		if alike == nil {
			continue
		}
		message := strings.ReplaceAll(alike.Message, thisSerial, ids[i])
		var err error = &Error{alike.Code, message}
		if alike.Code == 0 {
			err = errors.New(message)
		}
		refusals = append(refusals, Refusal{SerialID: ids[i], Err: err, unknown: alike.Unknown})
	}
	return refusals
}

package shop

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math/bits"
	"reflect"
	"strconv"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// What is remembered of an operation is the JSON of its result. A result that lists many records is written column by
// column, where the same value, or the next one, repeats a hundred thousand times, and compressed.

// compressFrom is the length in bytes from which a result is compressed.
const compressFrom = 4 << 10

// compressed marks a compressed result; no JSON begins so.
const compressed = "z"

// encodeResult returns what is written down of what result points to.
func encodeResult(result any) (string, error) {
	switch r := result.(type) {
	case nil:
		return "", nil
	case *[]Attachment:
		result = columnsOfAttachments(*r)
	case *[]card.Override:
		result = columnsOfOverrides(*r)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // metadata is kept as it was given
	if err := encoder.Encode(result); err != nil {
		return "", fmt.Errorf("remember the result: %w", err)
	}
	text := bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
	if len(text) < compressFrom {
		return string(text), nil
	}
	return compress(text)
}

// decodeResult puts a result where result points to, in the place of whatever an attempt left there.
func decodeResult(text string, result any) error {
	if result == nil {
		return nil
	}
	plain := []byte(text)
	if packed, ok := strings.CutPrefix(text, compressed); ok {
		var err error
		if plain, err = decompress(packed); err != nil {
			return fmt.Errorf("read what is remembered under a key: %w", err)
		}
	}
	var err error
	switch r := result.(type) {
	case *[]Attachment:
		var columns attachmentColumns
		if err = json.Unmarshal(plain, &columns); err == nil {
			*r = columns.records()
		}
	case *[]card.Override:
		var columns overrideColumns
		if err = json.Unmarshal(plain, &columns); err == nil {
			*r = columns.records()
		}
	default:
		reflect.ValueOf(result).Elem().SetZero()
		err = json.Unmarshal(plain, result)
	}
	if err != nil {
		return fmt.Errorf("read what is remembered under a key: %w", err)
	}
	return nil
}

func compress(text []byte) (string, error) {
	var packed bytes.Buffer
	packed.WriteString(compressed)
	encoder := base64.NewEncoder(base64.RawStdEncoding, &packed)
	writer, err := flate.NewWriter(encoder, flate.DefaultCompression)
	if err != nil {
		return "", err
	}
	if _, err := writer.Write(text); err != nil {
		return "", err
	}
	if err := writer.Close(); err != nil {
		return "", err
	}
	if err := encoder.Close(); err != nil {
		return "", err
	}
	return packed.String(), nil
}

func decompress(packed string) ([]byte, error) {
	return io.ReadAll(flate.NewReader(base64.NewDecoder(base64.RawStdEncoding, strings.NewReader(packed))))
}

// recordColumns are what attachments and overrides have in common.
type recordColumns struct {
	IDs     []string          `json:"ids"`     // each as the distance from the one before
	Serials []string          `json:"serials"` // likewise
	Steps   []string          `json:"steps"`
	At      []ident.Timestamp `json:"at"`
	By      []string          `json:"by"`
}

// record is what attachments and overrides have in common.
type record struct {
	id, serialID, stepID string
	at                   ident.Timestamp
	by                   string
}

// add adds the records of a list, whose identifiers begin with a prefix.
func (c *recordColumns) add(prefix string, records iter.Seq[record]) {
	var id, serial distance
	for r := range records {
		c.IDs = append(c.IDs, id.write(prefix, r.id))
		c.Serials = append(c.Serials, serial.writeSerial(r.serialID))
		c.Steps, c.At, c.By = append(c.Steps, r.stepID), append(c.At, r.at), append(c.By, r.by)
	}
}

// all yields the records with their places.
func (c *recordColumns) all(prefix string) iter.Seq2[int, record] {
	return func(yield func(int, record) bool) {
		var id, serial distance
		for i := range c.IDs {
			r := record{id.read(prefix, c.IDs[i]), serial.readSerial(c.Serials[i]), c.Steps[i], c.At[i], c.By[i]}
			if !yield(i, r) {
				return
			}
		}
	}
}

type attachmentColumns struct {
	recordColumns
	Certificates []string `json:"certificates"`
}

func columnsOfAttachments(list []Attachment) (c attachmentColumns) {
	c.add(prefixAttachment, func(yield func(record) bool) {
		for i := range list {
			a := &list[i]
			c.Certificates = append(c.Certificates, a.CertificateID)
			if !yield(record{a.ID, a.SerialID, a.StepID, a.AttachedAt, a.AttachedBy}) {
				return
			}
		}
	})
	return c
}

func (c *attachmentColumns) records() []Attachment {
	list := make([]Attachment, len(c.IDs))
	for i, r := range c.all(prefixAttachment) {
		list[i] = Attachment{
			ID: r.id, SerialID: r.serialID, StepID: r.stepID, AttachedAt: r.at, AttachedBy: r.by, CertificateID: c.Certificates[i],
		}
	}
	return list
}

type overrideColumns struct {
	recordColumns
	Active  []bool   `json:"active"`
	Reasons []string `json:"reasons"`
}

func columnsOfOverrides(list []card.Override) (c overrideColumns) {
	c.add(prefixOverride, func(yield func(record) bool) {
		for i := range list {
			o := &list[i]
			c.Active, c.Reasons = append(c.Active, o.Active), append(c.Reasons, o.Reason)
			if !yield(record{o.ID, o.SerialID, o.StepID, o.CreatedAt, o.CreatedBy}) {
				return
			}
		}
	})
	return c
}

func (c *overrideColumns) records() []card.Override {
	list := make([]card.Override, len(c.IDs))
	for i, r := range c.all(prefixOverride) {
		list[i] = card.Override{
			ID: r.id, SerialID: r.serialID, StepID: r.stepID, CreatedAt: r.at, CreatedBy: r.by, Active: c.Active[i], Reason: c.Reasons[i],
		}
	}
	return list
}

// distance writes a run of identifiers as how far each is from the one before. What is no such identifier is written as
// it is, behind an equals sign.
type distance struct{ high, low uint64 }

const distanceBase = 36

func (d *distance) write(prefix, id string) string {
	unique, ok := strings.CutPrefix(id, prefix)
	value, err := ulid.ParseStrict(unique)
	if !ok || err != nil || value.String() != unique {
		return "=" + id
	}
	high, low := binary.BigEndian.Uint64(value[:8]), binary.BigEndian.Uint64(value[8:])
	lower, borrow := bits.Sub64(low, d.low, 0)
	higher, _ := bits.Sub64(high, d.high, borrow)
	d.high, d.low = high, low
	if higher == 0 {
		return strconv.FormatUint(lower, distanceBase)
	}
	return strconv.FormatUint(higher, distanceBase) + "." + strconv.FormatUint(lower, distanceBase)
}

func (d *distance) read(prefix, text string) string {
	if id, ok := strings.CutPrefix(text, "="); ok {
		return id
	}
	var higher, lower uint64
	if before, after, ok := strings.Cut(text, "."); ok {
		higher, _ = strconv.ParseUint(before, distanceBase, 64)
		text = after
	}
	lower, _ = strconv.ParseUint(text, distanceBase, 64)
	low, carry := bits.Add64(d.low, lower, 0)
	high, _ := bits.Add64(d.high, higher, carry)
	d.high, d.low = high, low
	var value ulid.ULID
	binary.BigEndian.PutUint64(value[:8], high)
	binary.BigEndian.PutUint64(value[8:], low)
	return prefix + value.String()
}

func (d *distance) writeSerial(id string) string {
	number, ok := ident.ParseSerialID(id)
	if !ok {
		return "=" + id
	}
	step := number - int64(d.low) //nolint:gosec // a number that ParseSerialID returned
	d.low = uint64(number)        //nolint:gosec // above 0
	return strconv.FormatInt(step, distanceBase)
}

func (d *distance) readSerial(text string) string {
	if id, ok := strings.CutPrefix(text, "="); ok {
		return id
	}
	step, _ := strconv.ParseInt(text, distanceBase, 64)
	number := int64(d.low) + step //nolint:gosec // a number that ParseSerialID returned
	d.low = uint64(number)        //nolint:gosec // above 0
	return ident.SerialID(number)
}

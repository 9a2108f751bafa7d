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

// Results of operations are stored as JSON. A result that lists many records is stored column by column and compressed: in a column, the
// same value, or the next one, may repeat a hundred thousand times.

// compressFrom is the minimum length in bytes of a result that is compressed.
const compressFrom = 4 << 10

// compressed marks a compressed result. No JSON begins with it.
const compressed = "z"

// encodeResult returns the stored form of the result.
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
	encoder.SetEscapeHTML(false) // metadata is stored as given
	if err := encoder.Encode(result); err != nil {
		return "", fmt.Errorf("remember the result: %w", err)
	}
	text := bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
	if len(text) < compressFrom {
		return string(text), nil
	}
	return compress(text)
}

// decodeResult sets result to a stored value. It overwrites what an earlier attempt left there.
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

// recordColumns are the common columns of attachments and overrides.
type recordColumns struct {
	IDs     []string          `json:"ids"`     // each as the distance from the previous one
	Serials []string          `json:"serials"` // likewise
	Steps   []string          `json:"steps"`
	At      []ident.Timestamp `json:"at"`
	By      []string          `json:"by"`
}

// record has the common fields of attachments and overrides.
type record struct {
	id, serialID, stepID string
	at                   ident.Timestamp
	by                   string
}

// add adds the records of a list whose identifiers begin with prefix.
func (c *recordColumns) add(prefix string, records iter.Seq[record]) {
	var id, serial distance
	for r := range records {
		c.IDs = append(c.IDs, id.write(prefix, r.id))
		c.Serials = append(c.Serials, serial.writeSerial(r.serialID))
		c.Steps, c.At, c.By = append(c.Steps, r.stepID), append(c.At, r.at), append(c.By, r.by)
	}
}

// all yields the records with their indexes.
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

// distance encodes consecutive identifiers as the distance of each from the previous one. A text that is not such an identifier is
// written unchanged after an equals sign.
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

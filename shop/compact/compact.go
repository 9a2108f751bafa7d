// Package compact shortens results of operations that list many records. Such a result is stored column by column and compressed: in a
// column, a value, or its distance from the value before, may repeat a hundred thousand times.
package compact

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"io"
	"iter"
	"math/bits"
	"strconv"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/routecard/routecard/shop/ident"
)

// From is the minimum length in bytes of a text that is worth compressing.
const From = 4 << 10

// compressed marks a compressed text. No JSON begins with it.
const compressed = "z"

// Compress returns the compressed form of a JSON text.
func Compress(text []byte) (string, error) {
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

// Expand returns the JSON text of a stored text, which may be compressed.
func Expand(stored string) ([]byte, error) {
	packed, ok := strings.CutPrefix(stored, compressed)
	if !ok {
		return []byte(stored), nil
	}
	return io.ReadAll(flate.NewReader(base64.NewDecoder(base64.RawStdEncoding, strings.NewReader(packed))))
}

// Columns are the common columns of attachments and overrides, in their stored form.
type Columns struct {
	IDs     []string          `json:"ids"`     // each as the distance from the previous identifier
	Serials []string          `json:"serials"` // each as the distance from the previous serial
	Steps   []string          `json:"steps"`
	At      []ident.Timestamp `json:"at"`
	By      []string          `json:"by"`
}

// Record has the fields of a record in Columns.
type Record struct {
	ID, SerialID, StepID string
	At                   ident.Timestamp
	By                   string
}

// Add adds the records of a list whose identifiers begin with begins.
func (c *Columns) Add(prefix ident.Prefix, begins string, records iter.Seq[Record]) {
	var id, serial distance
	for r := range records {
		c.IDs = append(c.IDs, id.write(begins, r.ID))
		c.Serials = append(c.Serials, serial.writeSerial(prefix, r.SerialID))
		c.Steps, c.At, c.By = append(c.Steps, r.StepID), append(c.At, r.At), append(c.By, r.By)
	}
}

// All yields the records with their indexes.
func (c *Columns) All(prefix ident.Prefix, begins string) iter.Seq2[int, Record] {
	return func(yield func(int, Record) bool) {
		var id, serial distance
		for i := range c.IDs {
			r := Record{id.read(begins, c.IDs[i]), serial.readSerial(prefix, c.Serials[i]), c.Steps[i], c.At[i], c.By[i]}
			if !yield(i, r) {
				return
			}
		}
	}
}

// distance encodes consecutive identifiers as the distance of each from the previous identifier. A text that is not such an identifier is
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

func (d *distance) writeSerial(prefix ident.Prefix, id string) string {
	number, ok := prefix.ParseSerialID(id)
	if !ok {
		return "=" + id
	}
	step := number - int64(d.low) //nolint:gosec // a number that ParseSerialID returned
	d.low = uint64(number)        //nolint:gosec // above 0
	return strconv.FormatInt(step, distanceBase)
}

func (d *distance) readSerial(prefix ident.Prefix, text string) string {
	if id, ok := strings.CutPrefix(text, "="); ok {
		return id
	}
	step, _ := strconv.ParseInt(text, distanceBase, 64)
	number := int64(d.low) + step //nolint:gosec // a number that ParseSerialID returned
	d.low = uint64(number)        //nolint:gosec // above 0
	return prefix.SerialID(number)
}

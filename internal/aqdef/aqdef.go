package aqdef

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Separators of values in lines.
const (
	betweenCharacteristics = "\x0f"
	betweenFields          = "\x14"
)

// Characteristic is a characteristic of a part.
type Characteristic struct {
	Number, Name                   string // K2001, K2002
	Counted                        bool   // K2004: a count of defects instead of a measured number
	Nominal, Lower, Upper          string // K2101, K2110, K2111
	LowerTolerance, UpperTolerance string // K2112, K2113, from the nominal
	Unit                           string // K2142
	Step                           string // K2312: the operation after which the characteristic is measured
	ID                             string // K2997: a unique text for the characteristic
}

// Value is one value of a characteristic. Fields that the file does not have are "".
type Value struct {
	Line           int // the line of the file, counted from 1
	Characteristic int // index into File.Characteristics
	Text           string
	Attribute      string // K0002: "" or 0 for a value that counts
	Time           string // K0004, unchanged
	Size, Defects  string // K0020, K0021, for a counted characteristic
	// Others are further fields of the value in the order of their keys, such as K0006, the batch, K0012, the gage, and K0053, the order.
	Others []Field
	Serial string // K0014
	Note   string // K0009
}

// Field is a key with its text.
type Field struct{ Key, Text string }

// Other returns the text of a key among Others.
func (v *Value) Other(key string) string {
	if at, found := v.other(key); found {
		return v.Others[at].Text
	}
	return ""
}

func (v *Value) other(key string) (int, bool) {
	return slices.BinarySearchFunc(v.Others, key, func(f Field, key string) int { return strings.Compare(f.Key, key) })
}

// Part is a part with its characteristics.
type Part struct {
	Number, Name    string // K1001, K1002
	Revision        string // K1004
	Characteristics []Characteristic
	// Gages and Operators are the texts of catalogs, by the numbers in K0012 and K0008.
	Gages, Operators []Entry
}

// Entry is an entry of a catalog. Its place, counted from 1, is its number.
type Entry struct{ Number, Name string }

// File is the content of a file.
type File struct {
	Part
	Values []Value
}

// LineError is the reason why a line cannot be read.
type LineError struct {
	Line int
	Why  string
}

func (e *LineError) Error() string { return fmt.Sprintf("Line %d: %s", e.Line, e.Why) }

// ErrTooManyValues is the reason why Parse refuses a file with more values than ValueLimit.
var ErrTooManyValues = errors.New("the file has too many values")

// Limits of a file.
const (
	ValueLimit         = 100_000
	maxCharacteristics = 10_000 // the limit of catalog entries too
)

// keyed matches a key, the number of the characteristic, the number of the value, and the text.
var keyed = regexp.MustCompile(`^(K\d{4})(?:/(\d+))?(?:/(\d+))?(?:[ \t](.*))?$`)

// keyBegin matches the key in a line with a key.
var keyBegin = regexp.MustCompile(`^K\d{4}[/\d]*`)

// numeric matches a line with the value of the first characteristic only.
var numeric = regexp.MustCompile(`^[ \t]*[-+]?[.,]?\d[\d.,]*([eE][-+]?\d+)?[ \t]*$`)

// lineFields are the fields of a value in a line, in their order.
var lineFields = [...]string{"K0001", "K0002", "K0004", "K0005", "K0006", "K0007", "K0008", "K0010", "K0011", "K0012"}

// countedFields are the fields of a counted value in a line. One of them is always empty.
var countedFields = [...]string{
	"K0020", "K0021", "", "K0002", "K0004", "K0005", "K0006", "K0007", "K0008", "K0010", "K0011", "K0012",
}

// Parse reads a file. It calls take for the memory that the values need. It returns a *LineError for a line that it does not understand,
// ErrTooManyValues, or the error of take.
func Parse(text []byte, take func(bytes int) error) (*File, error) {
	p := &parser{
		file: &File{}, taken: take, common: map[string]string{}, typed: map[int]bool{}, of: map[int][]int{}, begun: map[int]int{},
		shared: map[string]*sharedKey{}, nth: map[int][]Field{},
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		p.line++
		if err := p.next(line); err != nil {
			return nil, err
		}
	}
	if err := p.finish(); err != nil {
		return nil, err
	}
	return p.file, nil
}

type parser struct {
	file      *File
	line      int
	announced int // the number of characteristics according to K0100; 0 without K0100, -1 if K0100 is 0

	common map[string]string // keys of all characteristics: K2002/0
	typed  map[int]bool      // the characteristics that have K2004

	of     map[int][]int         // the values of each characteristic, as indexes into Values
	shared map[string]*sharedKey // keys of the values of all characteristics: K0014/0
	nth    map[int][]Field       // keys of a value of all characteristics by its number: K0014/0/2

	valueLines int         // lines with values so far
	begun      map[int]int // the value of valueLines when the last value of a characteristic began

	taken func(bytes int) error
	owed  int // the number of bytes for which take was not called yet
}

// take accounts for memory, in large pieces.
func (p *parser) take(bytes int) error {
	const piece = 64 << 10
	if p.owed += bytes; p.owed < piece {
		return nil
	}
	bytes, p.owed = p.owed, 0
	return p.taken(bytes)
}

// sharedKey is a key that applies to one piece, which has one value of each characteristic. A file has such keys either before or after the
// values of each piece.
type sharedKey struct {
	before bool
	text   string
	from   int // the first value that does not have the key yet
}

func (p *parser) refuse(why string, args ...any) error {
	return &LineError{p.line, fmt.Sprintf(why, args...)}
}

// next reads a line.
func (p *parser) next(line string) error {
	line, ok := decoded(strings.TrimRight(line, "\r"))
	if !ok {
		return p.refuse("it has a byte that Windows-1252 does not have: save the file in UTF-8")
	}
	line = strings.TrimPrefix(line, "\ufeff")
	parts := keyed.FindStringSubmatch(line)
	separated := strings.Contains(line, betweenFields) || strings.Contains(line, betweenCharacteristics)
	switch {
	case strings.Trim(line, " \t\r"+betweenFields+betweenCharacteristics) == "":
		return nil
	case strings.Contains(line, "\r"): // otherwise the text would include the following lines
		return p.refuse("it has a CR inside: end each line with CRLF or LF")
	case separated && keyBegin.MatchString(line):
		return p.refuse("%s has a separator of values in its text", keyBegin.FindString(line))
	case separated, parts == nil && len(p.file.Characteristics) > 0 && numeric.MatchString(line):
		return p.values(line)
	case parts == nil:
		return p.refuse("%q is neither a key nor a value", cut(line))
	}
	key, text := parts[1], strings.TrimSpace(parts[4])
	index, err := p.index(key, parts[2])
	if err != nil {
		return err
	}
	value, err := p.index(key, parts[3])
	if err != nil {
		return err
	}
	if parts[3] != "" && (key[:2] != "K0" || value < 1) {
		return p.refuse("%s/%s/%s does not say of which value it is", key, cut(parts[2]), cut(parts[3]))
	}
	switch key[:2] {
	case "K0":
		if key == "K0100" || key == "K0101" {
			return p.announce(key, text)
		}
		return p.valueField(key, index, value, text)
	case "K1":
		return p.part(key, index, text)
	case "K2":
		return p.described(key, index, text)
	case "K4":
		return p.catalog(key, index, text)
	}
	return nil // further descriptions, such as structures
}

// decoded returns a line in UTF-8, converted from windows-1252 if necessary. ok is false if the line is in neither encoding.
func decoded(line string) (text string, ok bool) {
	if utf8.ValidString(line) {
		return line, true
	}
	text, err := charmap.Windows1252.NewDecoder().String(line)
	return text, err == nil && !strings.ContainsRune(text, utf8.RuneError)
}

// unnumbered is the index of a key without an index.
const unnumbered = -1

func (p *parser) index(key, text string) (int, error) {
	if text == "" {
		return unnumbered, nil
	}
	index, err := strconv.Atoi(text)
	if err != nil || index > max(maxCharacteristics, ValueLimit) {
		return 0, p.refuse("%s has an index that is too great", key)
	}
	return index, nil
}

func (p *parser) announce(key, text string) error {
	count, err := strconv.Atoi(text)
	if err != nil || count < 0 || count > maxCharacteristics {
		return p.refuse("%s is %q, and not a number of characteristics", key, cut(text))
	}
	if key == "K0100" {
		if p.announced = count; count == 0 {
			p.announced = -1
		}
	}
	return nil
}

func (p *parser) part(key string, index int, text string) error {
	if index > 1 {
		return p.refuse("%s describes a second part: send each part in a file of its own", key)
	}
	fields := map[string]*string{"K1001": &p.file.Number, "K1002": &p.file.Name, "K1004": &p.file.Revision}
	if field, known := fields[key]; known {
		return p.once(key, index, field, text)
	}
	return nil
}

// once sets a field that may be set only once.
func (p *parser) once(key string, index int, field *string, text string) error {
	if *field != "" && *field != text {
		return p.refuse("%s is %q, and was %q", written(key, index), cut(text), cut(*field))
	}
	*field = text
	return nil
}

func written(key string, index int) string {
	if index == unnumbered {
		return key
	}
	return fmt.Sprintf("%s/%d", key, index)
}

// described reads a key of a characteristic. With the index 0, the key applies to all characteristics that do not have it themselves. The
// index may be missing if the file has one characteristic.
func (p *parser) described(key string, index int, text string) error {
	switch {
	case index == unnumbered && p.announced == 1:
		index = 1
	case index == unnumbered:
		return p.refuse("%s does not say of which characteristic it is", key)
	case index > maxCharacteristics:
		return p.refuse("%s has an index that is too great", key)
	}
	if key == "K2004" {
		return p.kind(index, text)
	}
	if index == 0 {
		was := p.common[key]
		err := p.once(key, index, &was, text)
		p.common[key] = was
		return err
	}
	p.describe(index)
	if field := p.file.Characteristics[index-1].field(key); field != nil {
		return p.once(key, index, field, text)
	}
	return nil
}

// describe makes room for a characteristic.
func (p *parser) describe(index int) {
	for len(p.file.Characteristics) < index {
		p.file.Characteristics = append(p.file.Characteristics, Characteristic{})
	}
}

// field returns the field of a key; nil for a key that is not read.
func (c *Characteristic) field(key string) *string {
	switch key {
	case "K2001":
		return &c.Number
	case "K2002":
		return &c.Name
	case "K2101":
		return &c.Nominal
	case "K2110":
		return &c.Lower
	case "K2111":
		return &c.Upper
	case "K2112":
		return &c.LowerTolerance
	case "K2113":
		return &c.UpperTolerance
	case "K2142":
		return &c.Unit
	case "K2312":
		return &c.Step
	case "K2997":
		return &c.ID
	}
	return nil
}

// characteristicKeys are the keys that the method field reads.
var characteristicKeys = [...]string{
	"K2001", "K2002", "K2101", "K2110", "K2111", "K2112", "K2113", "K2142", "K2312", "K2997",
}

// kind reads K2004, the kind of a characteristic.
func (p *parser) kind(index int, text string) error {
	if text != "0" && text != "1" {
		return p.refuse("K2004/%d is %q: only measured (0) and counted (1) characteristics are read", index, cut(text))
	}
	if index == 0 {
		if len(p.file.Values) > 0 {
			return p.refuse("K2004/0 comes after a value")
		}
		p.common["K2004"] = text
		return nil
	}
	p.describe(index)
	if len(p.of[index-1]) > 0 && p.counted(index-1) != (text == "1") {
		return p.refuse("K2004/%d comes after a value", index)
	}
	p.file.Characteristics[index-1].Counted, p.typed[index-1] = text == "1", true
	return nil
}

// counted reports whether the characteristic at an index is counted.
func (p *parser) counted(at int) bool {
	if p.typed[at] {
		return p.file.Characteristics[at].Counted
	}
	return p.common["K2004"] == "1"
}

// catalog reads a key of a catalog: gages (K4072, K4073) or operators (K4092, K4093). It ignores other catalogs.
func (p *parser) catalog(key string, index int, text string) error {
	var entries *[]Entry
	switch key {
	case "K4072", "K4073":
		entries = &p.file.Gages
	case "K4092", "K4093":
		entries = &p.file.Operators
	default:
		return nil
	}
	if index < 1 || index > maxCharacteristics {
		return p.refuse("%s does not say of which entry it is", key)
	}
	for len(*entries) < index {
		*entries = append(*entries, Entry{})
	}
	entry := &(*entries)[index-1]
	if key == "K4072" || key == "K4092" {
		return p.once(key, index, &entry.Number, text)
	}
	return p.once(key, index, &entry.Name, text)
}

// cut shortens a text for a message.
func cut(text string) string {
	const shown = 40
	if runes := []rune(text); len(runes) > shown {
		return string(runes[:shown]) + "..."
	}
	return text
}

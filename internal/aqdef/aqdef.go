package aqdef

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Separators of values in lines.
const (
	betweenCharacteristics = "\x0f"
	betweenFields          = "\x14"
)

// Characteristic is what is measured of a part.
type Characteristic struct {
	Number, Name                   string // K2001, K2002
	Counted                        bool   // K2004: a count of defects, and not a number that was measured
	Nominal, Lower, Upper          string // K2101, K2110, K2111
	LowerTolerance, UpperTolerance string // K2112, K2113, from the nominal
	Unit                           string // K2142
}

// Value is one value of a characteristic. Fields that the file does not have are "".
type Value struct {
	Line           int // of the file, counted from 1
	Characteristic int // index into File.Characteristics
	Text           string
	Attribute      string // K0002: "" or 0 for a value that counts
	Time           string // K0004 as it is written
	Size, Defects  string // K0020, K0021, of a counted characteristic
	// Others are further fields of the value by their keys, such as K0006, the batch, K0012, the gage, and K0053, the order.
	Others map[string]string
	Serial string // K0014
}

// File is what a file has.
type File struct {
	Part, PartName  string // K1001, K1002
	Characteristics []Characteristic
	Values          []Value
}

// LineError is why a line is not understood.
type LineError struct {
	Line int
	Why  string
}

func (e *LineError) Error() string { return fmt.Sprintf("Line %d: %s", e.Line, e.Why) }

// maxCharacteristics is how many characteristics a file has at most.
const maxCharacteristics = 10_000

var keyed = regexp.MustCompile(`^(K\d{4})(?:/(\d+))?(?:[ \t](.*))?$`)

// lineFields are the fields of a value in a line, in their order.
func lineFields() []string {
	return []string{"K0001", "K0002", "K0004", "K0005", "K0006", "K0007", "K0008", "K0010", "K0011", "K0012"}
}

// countedFields are the fields of a counted value in a line. One of them is always empty.
func countedFields() []string {
	return append([]string{"K0020", "K0021", "", "K0002"}, lineFields()[2:]...)
}

// Parse reads a file. It returns a *LineError for a line that it does not understand.
func Parse(text []byte) (*File, error) {
	p := &parser{file: &File{}, open: map[int]int{}}
	for i, line := range strings.Split(strings.ReplaceAll(decoded(text), "\r\n", "\n"), "\n") {
		if p.line = i + 1; strings.TrimSpace(line) == "" {
			continue
		}
		if err := p.read(line); err != nil {
			return nil, err
		}
	}
	if len(p.file.Characteristics) == 0 {
		p.line = max(p.line, 1)
		return nil, p.refuse("the file describes no characteristic")
	}
	if p.announced != 0 && p.announced != len(p.file.Characteristics) {
		return nil, p.refuse("K0100 announces %d characteristics, and %d are described", p.announced, len(p.file.Characteristics))
	}
	return p.file, nil
}

// decoded is a text in UTF-8, which may have been in windows-1252.
func decoded(text []byte) string {
	text = []byte(strings.TrimPrefix(string(text), "\ufeff"))
	if utf8.Valid(text) {
		return string(text)
	}
	decoded, err := charmap.Windows1252.NewDecoder().Bytes(text)
	if err != nil {
		return string(text)
	}
	return string(decoded)
}

type parser struct {
	file      *File
	line      int
	announced int         // by K0100
	open      map[int]int // the value of each characteristic to which further keys belong: index into Values, by characteristic
}

func (p *parser) refuse(why string, args ...any) error {
	return &LineError{p.line, fmt.Sprintf(why, args...)}
}

func (p *parser) read(line string) error {
	if strings.Contains(line, betweenFields) || strings.Contains(line, betweenCharacteristics) {
		return p.values(line)
	}
	parts := keyed.FindStringSubmatch(line)
	if parts == nil {
		if len(p.file.Characteristics) > 0 && !strings.HasPrefix(line, "K") {
			return p.values(line)
		}
		return p.refuse("%q is neither a key nor a value", cut(line))
	}
	index := 0
	if parts[2] != "" {
		var err error
		if index, err = strconv.Atoi(parts[2]); err != nil || index > maxCharacteristics {
			return p.refuse("%s has an index that is too great", parts[1])
		}
	}
	text := strings.TrimSpace(parts[3])
	switch parts[1][:2] {
	case "K0":
		if parts[1] == "K0100" || parts[1] == "K0101" {
			return p.announce(parts[1], text)
		}
		return p.valueField(parts[1], index, text)
	case "K1":
		return p.part(parts[1], index, text)
	case "K2":
		return p.described(parts[1], index, text)
	}
	return nil // further descriptions, such as catalogs and structures
}

func (p *parser) announce(key, text string) error {
	count, err := strconv.Atoi(text)
	if err != nil || count < 1 || count > maxCharacteristics {
		return p.refuse("%s is %q, and not a number of characteristics", key, cut(text))
	}
	if key == "K0100" {
		p.announced = count
	}
	return nil
}

func (p *parser) part(key string, index int, text string) error {
	if index > 1 {
		return p.refuse("%s describes a second part: send each part in a file of its own", key)
	}
	switch key {
	case "K1001":
		p.file.Part = text
	case "K1002":
		p.file.PartName = text
	}
	return nil
}

// described is a key of a characteristic. With index 0 it is of all, which only the attribute of a counted value can be.
func (p *parser) described(key string, index int, text string) error {
	if index == 0 {
		return p.refuse("%s does not say of which characteristic it is", key)
	}
	for len(p.file.Characteristics) < index {
		p.file.Characteristics = append(p.file.Characteristics, Characteristic{})
	}
	c := &p.file.Characteristics[index-1]
	fields := map[string]*string{
		"K2001": &c.Number, "K2002": &c.Name, "K2101": &c.Nominal, "K2110": &c.Lower, "K2111": &c.Upper, "K2112": &c.LowerTolerance,
		"K2113": &c.UpperTolerance, "K2142": &c.Unit,
	}
	if field, known := fields[key]; known {
		if *field != "" && *field != text {
			return p.refuse("%s/%d is %q, and was %q", key, index, cut(text), cut(*field))
		}
		*field = text
	}
	if key == "K2004" {
		if text != "0" && text != "1" {
			return p.refuse("K2004/%d is %q: only measured (0) and counted (1) characteristics are read", index, cut(text))
		}
		c.Counted = text == "1"
	}
	return nil
}

// valueField is a key of a value. K0001, and K0020 of a counted one, begin a value.
func (p *parser) valueField(key string, index int, text string) error {
	if index == 0 {
		for at := range p.file.Characteristics { // of all values that are open
			if open, ok := p.open[at]; ok {
				p.file.Values[open].set(key, text)
			}
		}
		if len(p.open) == 0 {
			return p.refuse("%s does not say of which characteristic it is", key)
		}
		return nil
	}
	if index > len(p.file.Characteristics) {
		return p.refuse("%s/%d is of a characteristic that is not described", key, index)
	}
	begins := "K0001"
	if p.file.Characteristics[index-1].Counted {
		begins = "K0020"
	}
	if key == begins {
		p.open[index-1] = len(p.file.Values)
		p.file.Values = append(p.file.Values, Value{Line: p.line, Characteristic: index - 1})
	}
	open, ok := p.open[index-1]
	if !ok {
		return p.refuse("%s/%d comes before a value", key, index)
	}
	p.file.Values[open].set(key, text)
	return nil
}

func (v *Value) set(key, text string) {
	switch key {
	case "K0001":
		v.Text = text
	case "K0002":
		v.Attribute = text
	case "K0004":
		v.Time = text
	case "K0014":
		v.Serial = text
	case "K0020":
		v.Size = text
	case "K0021":
		v.Defects = text
	default:
		if text == "" || text == "0" || text == "#" {
			return
		}
		if v.Others == nil {
			v.Others = map[string]string{}
		}
		v.Others[key] = text
	}
}

// values is a line with one value of each characteristic.
func (p *parser) values(line string) error {
	of := strings.Split(line, betweenCharacteristics)
	if len(of) != len(p.file.Characteristics) {
		return p.refuse("it has values of %d characteristics, and %d are described", len(of), len(p.file.Characteristics))
	}
	for at, text := range of {
		names := lineFields()
		if p.file.Characteristics[at].Counted {
			names = countedFields()
		}
		fields := strings.Split(text, betweenFields)
		if len(fields) > len(names) {
			return p.refuse("the value of characteristic %d has %d fields, and at most %d are known", at+1, len(fields), len(names))
		}
		value := Value{Line: p.line, Characteristic: at}
		for i, field := range fields {
			if names[i] != "" {
				value.set(names[i], strings.TrimSpace(field))
			}
		}
		if p.open[at] = len(p.file.Values); fields[0] == "" {
			delete(p.open, at)
			continue // it was not measured of this piece
		}
		p.file.Values = append(p.file.Values, value)
	}
	return nil
}

// cut is the begin of a text, for a message.
func cut(text string) string {
	const shown = 40
	if runes := []rune(text); len(runes) > shown {
		return string(runes[:shown]) + "..."
	}
	return text
}

// Measured is the time of the value in a zone, and the zero time when it has none.
func (v *Value) Measured(zone *time.Location) (time.Time, error) {
	if v.Time == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{"2.1.2006/15:04:05", "2.1.2006/15:04", "2.1.06/15:04:05"} {
		if at, err := time.ParseInLocation(layout, v.Time, zone); err == nil {
			return at, nil
		}
	}
	return time.Time{}, &LineError{v.Line, fmt.Sprintf("K0004 is %q, and not a time such as 26.11.2026/10:00:00", cut(v.Time))}
}

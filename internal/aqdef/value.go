package aqdef

import (
	"maps"
	"slices"
	"strings"
)

// begin begins a value.
func (p *parser) begin(at int) (*Value, error) {
	if len(p.file.Values) >= ValueLimit {
		return nil, ErrTooManyValues
	}
	const size = 256
	if err := p.take(size); err != nil {
		return nil, err
	}
	p.of[at] = append(p.of[at], len(p.file.Values))
	p.begun[at] = p.valueLines
	p.file.Values = append(p.file.Values, Value{Line: p.line, Characteristic: at})
	return &p.file.Values[len(p.file.Values)-1], nil
}

// valueField reads a key of a value: the last value of a characteristic, the value with a number or, with the index 0, one value of each
// characteristic. K0001 begins a value; K0020 begins a value of a counted characteristic.
func (p *parser) valueField(key string, index, number int, text string) error {
	switch {
	case index == unnumbered && len(p.file.Characteristics) == 1:
		index = 1
	case index == unnumbered:
		return p.refuse("%s does not say of which characteristic it is", key)
	case index > len(p.file.Characteristics):
		return p.refuse("%s/%d is of a characteristic that is not described", key, index)
	case index == 0 && number == unnumbered:
		return p.ofAll(key, text)
	case index == 0:
		return p.ofNumbered(key, number, text)
	}
	at, begins := index-1, "K0001"
	if p.counted(at) {
		begins = "K0020"
	}
	values := p.of[at]
	switch {
	case key == begins && (number == unnumbered || number == len(values)+1):
		v, err := p.begin(at)
		if err != nil {
			return err
		}
		return p.set(v, key, text)
	case number == unnumbered && p.begun[at] == p.valueLines: // and no later line of values omits it
		number = len(values)
	}
	if number < 1 || number > len(values) {
		return p.refuse("%s/%d comes before a value", key, index)
	}
	return p.set(&p.file.Values[values[number-1]], key, text)
}

// ofAll reads a key with the index 0. The first such key decides whether the file has these keys before the values of a piece or after
// them.
func (p *parser) ofAll(key, text string) error {
	if key == "K0001" || key == "K0020" {
		return p.refuse("%s/0 does not say of which characteristic it is", key)
	}
	s := p.shared[key]
	switch {
	case s == nil:
		s = &sharedKey{before: len(p.file.Values) == 0, text: text}
		if p.shared[key] = s; s.before {
			return nil
		}
	case len(p.file.Values) == s.from:
		return p.refuse("%s/0 comes twice, with no value between", key)
	case s.before:
		s.text, text = text, s.text
	}
	return p.share(key, s, text)
}

// share gives a key to the values of a piece, which has one value of each characteristic. If the key comes before the values, a further
// value must have the key itself.
func (p *parser) share(key string, s *sharedKey, text string) error {
	seen := map[int]bool{}
	for i := s.from; i < len(p.file.Values); i++ {
		v := &p.file.Values[i]
		switch {
		case !seen[v.Characteristic]:
			seen[v.Characteristic] = true
			if p.get(v, key) == "" {
				if err := p.set(v, key, text); err != nil {
					return err
				}
			}
		case !s.before:
			return p.refuse("%s/0 does not say of which value it is: characteristic %d has several since the last one",
				key, v.Characteristic+1)
		case p.get(v, key) == "" && (text != "0" || key == "K0014"):
			return p.refuse("%s/0 does not say of which value it is: characteristic %d has several since then", key, v.Characteristic+1)
		}
	}
	s.from = len(p.file.Values)
	return nil
}

// ofNumbered reads a key for the value with a number of each characteristic, such as K0014/0/2.
func (p *parser) ofNumbered(key string, number int, text string) error {
	for _, field := range p.nth[number] {
		if field.Key == key {
			return p.refuse("%s/0/%d comes twice", key, number)
		}
	}
	const size = 64
	p.nth[number] = append(p.nth[number], Field{key, text})
	return p.take(size)
}

// field returns the field of a key of a value; nil for one of Others.
func (v *Value) field(key string) *string {
	switch key {
	case "K0001":
		return &v.Text
	case "K0002":
		return &v.Attribute
	case "K0004":
		return &v.Time
	case "K0009":
		return &v.Note
	case "K0014":
		return &v.Serial
	case "K0020":
		return &v.Size
	case "K0021":
		return &v.Defects
	}
	return nil
}

func (p *parser) get(v *Value, key string) string {
	if field := v.field(key); field != nil {
		return *field
	}
	return v.Other(key)
}

// set sets a field of a value, which may be set only once.
func (p *parser) set(v *Value, key, text string) error {
	if field := v.field(key); field != nil {
		return p.once(key, v.Characteristic+1, field, text)
	}
	switch OneLine(text) {
	case "", "0", "#":
		return nil // programs write such a text for no value
	}
	at, found := v.other(key)
	if found {
		return p.once(key, v.Characteristic+1, &v.Others[at].Text, text)
	}
	const size = 64
	if err := p.take(size); err != nil {
		return err
	}
	v.Others = slices.Insert(v.Others, at, Field{key, text})
	return nil
}

// values reads a line with one value of each characteristic. The line may end in a separator, and may omit the last characteristics.
func (p *parser) values(line string) error {
	line = strings.TrimRight(line, " \t\r"+betweenCharacteristics)
	if count := strings.Count(line, betweenCharacteristics) + 1; count > len(p.file.Characteristics) {
		return p.refuse("it has values of %d characteristics, and %d are described", count, len(p.file.Characteristics))
	}
	p.valueLines++
	at := 0
	for text := range strings.SplitSeq(line, betweenCharacteristics) {
		if err := p.value(at, text); err != nil {
			return err
		}
		at++
	}
	return nil
}

// value reads a value in a line.
func (p *parser) value(at int, text string) error {
	names := lineFields[:]
	if p.counted(at) {
		names = countedFields[:]
	}
	text = strings.TrimRight(text, " \t"+betweenFields)
	if count := strings.Count(text, betweenFields) + 1; count > len(names) {
		return p.refuse("the value of characteristic %d has %d fields, and at most %d are known", at+1, count, len(names))
	}
	fields := strings.Split(text, betweenFields)
	if strings.TrimSpace(fields[0]) == "" {
		return nil // the characteristic was not measured on this piece
	}
	v, err := p.begin(at)
	for i := 0; i < len(fields) && err == nil; i++ {
		if names[i] != "" {
			err = p.set(v, names[i], strings.TrimSpace(fields[i]))
		}
	}
	return err
}

// finish copies the keys of all characteristics and values to each of them, and checks that the file is complete.
func (p *parser) finish() error {
	f := p.file
	switch {
	case len(f.Characteristics) == 0 && p.announced != -1:
		return p.refuse("the file describes no characteristic")
	case p.announced != 0 && max(p.announced, 0) != len(f.Characteristics):
		return p.refuse("K0100 announces %d characteristics, and %d are described", max(p.announced, 0), len(f.Characteristics))
	}
	for at := range f.Characteristics {
		c := &f.Characteristics[at]
		c.Counted = p.counted(at)
		for _, key := range characteristicKeys {
			if field := c.field(key); *field == "" {
				*field = p.common[key]
			}
		}
	}
	for key, s := range p.shared {
		if s.before {
			if err := p.share(key, s, s.text); err != nil {
				return err
			}
		}
	}
	return p.finishNumbered()
}

// finishNumbered copies keys such as K0014/0/2 to the value with that number of each characteristic.
func (p *parser) finishNumbered() error {
	most := 0
	for _, values := range p.of {
		most = max(most, len(values))
	}
	for _, number := range slices.Sorted(maps.Keys(p.nth)) {
		if number > most {
			return p.refuse("%s/0/%d is of a value that there is not", p.nth[number][0].Key, number)
		}
	}
	count := map[int]int{}
	for i := range p.file.Values {
		v := &p.file.Values[i]
		count[v.Characteristic]++
		for _, field := range p.nth[count[v.Characteristic]] {
			if p.get(v, field.Key) == "" {
				if err := p.set(v, field.Key, field.Text); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

package aqdef

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// FormatTime writes a time as K0004 has it.
func FormatTime(at time.Time) string { return at.Format("02.01.2006/15:04:05") }

// Append writes a file to text: descriptions, then each value by its keys, with CRLF at the end of each line.
func (f *File) Append(text []byte) []byte {
	line := func(key string, index int, value string) {
		switch value = oneLine(value); {
		case value == "":
		case index == 0:
			text = fmt.Appendf(text, "%s %s\r\n", key, value)
		default:
			text = fmt.Appendf(text, "%s/%d %s\r\n", key, index, value)
		}
	}
	line("K0100", 0, fmt.Sprint(len(f.Characteristics)))
	line("K1001", 0, f.Part)
	line("K1002", 0, f.PartName)
	for i := range f.Characteristics {
		c, counted := &f.Characteristics[i], "0"
		if c.Counted {
			counted = "1"
		}
		for _, field := range [][2]string{
			{"K2001", c.Number}, {"K2002", c.Name}, {"K2004", counted}, {"K2101", c.Nominal}, {"K2110", c.Lower}, {"K2111", c.Upper},
			{"K2112", c.LowerTolerance}, {"K2113", c.UpperTolerance}, {"K2142", c.Unit},
		} {
			line(field[0], i+1, field[1])
		}
	}
	for i := range f.Values {
		v := &f.Values[i]
		index := v.Characteristic + 1
		for _, field := range [][2]string{
			{"K0001", v.Text}, {"K0020", v.Size}, {"K0021", v.Defects}, {"K0002", v.Attribute}, {"K0004", v.Time}, {"K0014", v.Serial},
		} {
			line(field[0], index, field[1])
		}
		for _, key := range slices.Sorted(maps.Keys(v.Others)) {
			line(key, index, v.Others[key])
		}
	}
	return text
}

// oneLine is a text without what separates lines and values.
func oneLine(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, text))
}

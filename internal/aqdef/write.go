package aqdef

import (
	"strconv"
	"strings"
	"unicode"
)

// AppendPart appends the descriptions of a file to text, with CRLF at the end of each line. The values follow.
func AppendPart(text []byte, part *Part) []byte {
	text = appendLine(text, "K0100", 0, strconv.Itoa(len(part.Characteristics)))
	text = appendLine(text, "K1001", 1, part.Number)
	text = appendLine(text, "K1002", 1, part.Name)
	text = appendLine(text, "K1004", 1, part.Revision)
	for i := range part.Characteristics {
		c, kind := &part.Characteristics[i], "0"
		if c.Counted {
			kind = "1"
		}
		text = appendLine(text, "K2004", i+1, kind)
		for _, key := range characteristicKeys {
			text = appendLine(text, key, i+1, *c.field(key))
		}
	}
	for i, gage := range part.Gages {
		text = appendLine(text, "K4072", i+1, gage.Number)
		text = appendLine(text, "K4073", i+1, gage.Name)
	}
	for i, operator := range part.Operators {
		text = appendLine(text, "K4092", i+1, operator.Number)
		text = appendLine(text, "K4093", i+1, operator.Name)
	}
	return text
}

// AppendValue appends a value of the part as lines with keys.
func AppendValue(text []byte, part *Part, v *Value) []byte {
	index, begins := v.Characteristic+1, "K0001"
	if part.Characteristics[v.Characteristic].Counted {
		begins = "K0020"
	}
	if text = appendKey(text, begins, index, OneLine(*v.field(begins))); begins == "K0001" {
		text = appendLine(text, "K0020", index, v.Size)
	} else {
		text = appendLine(text, "K0001", index, v.Text)
	}
	for _, key := range []string{"K0021", "K0002", "K0004", "K0009", "K0014"} {
		text = appendLine(text, key, index, *v.field(key))
	}
	for _, other := range v.Others {
		text = appendLine(text, other.Key, index, other.Text)
	}
	return text
}

// appendLine appends a line with a key, unless the text is empty.
func appendLine(text []byte, key string, index int, value string) []byte {
	if value = OneLine(value); value == "" {
		return text
	}
	return appendKey(text, key, index, value)
}

func appendKey(text []byte, key string, index int, value string) []byte {
	text = append(text, key...)
	if index > 0 {
		text = strconv.AppendInt(append(text, '/'), int64(index), 10)
	}
	return append(append(append(text, ' '), value...), "\r\n"...)
}

// OneLine converts a text for one line of a file: separators of lines and values become blanks, and white space at both ends is removed.
func OneLine(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == '\ufeff' {
			return ' '
		}
		return r
	}, text))
}

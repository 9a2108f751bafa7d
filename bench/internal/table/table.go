// Package table writes tables that are readable in a terminal and in a Markdown document, and figures that can be compared at a glance.
package table

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Write writes a table. The first column is aligned left, the others right. Rows may be shorter than the header.
func Write(w io.Writer, header []string, rows [][]string) error {
	widths := make([]int, len(header))
	for _, row := range append([][]string{header}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	line := func(row []string) {
		for i, width := range widths {
			cell := ""
			if i < len(row) {
				cell = row[i]
			}
			pad := strings.Repeat(" ", width-utf8.RuneCountInString(cell))
			if i == 0 {
				b.WriteString("| " + cell + pad + " ")
			} else {
				b.WriteString("| " + pad + cell + " ")
			}
		}
		b.WriteString("|\n")
	}
	line(header)
	for i, width := range widths {
		if i == 0 {
			b.WriteString("| " + strings.Repeat("-", width) + " ")
		} else {
			b.WriteString("| " + strings.Repeat("-", max(width-1, 0)) + ": ")
		}
	}
	b.WriteString("|\n")
	for _, row := range rows {
		line(row)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Rate formats a rate per second with three significant digits and separated thousands.
func Rate(perSecond float64) string {
	switch {
	case perSecond <= 0:
		return ""
	case perSecond < 10:
		return strconv.FormatFloat(perSecond, 'f', 2, 64)
	case perSecond < 100:
		return strconv.FormatFloat(perSecond, 'f', 1, 64)
	}
	return Thousands(int64(perSecond + 0.5))
}

// Thousands formats a whole number with a comma before every three digits.
func Thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Duration formats a duration in a suitable unit; "" for 0.
func Duration(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.2f ms", d.Seconds()*1e3)
	case d < time.Second:
		return fmt.Sprintf("%.0f ms", d.Seconds()*1e3)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

// Memory formats a number of bytes in MiB; "" for 0.
func Memory(bytes int64) string {
	if bytes <= 0 {
		return ""
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}

// Ratio formats a ratio; "" for 0.
func Ratio(r float64) string {
	if r <= 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", r)
}

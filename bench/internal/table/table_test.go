package table_test

import (
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/bench/internal/table"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	err := table.Write(&b, []string{"case", "rate", "p50"}, [][]string{{"advance", "12,345", "80 µs"}, {"é"}})
	const want = `| case    |   rate |   p50 |
| ------- | -----: | ----: |
| advance | 12,345 | 80 µs |
| é       |        |       |
`
	if err != nil || b.String() != want {
		t.Errorf("wrote\n%swant\n%s(%v)", b.String(), want, err)
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ got, want string }{
		{table.Rate(0), ""},
		{table.Rate(1.234), "1.23"},
		{table.Rate(45.67), "45.7"},
		{table.Rate(999.6), "1,000"},
		{table.Rate(1234567), "1,234,567"},
		{table.Thousands(100), "100"},
		{table.Thousands(1000), "1,000"},
		{table.Thousands(-100), "-100"},
		{table.Thousands(-1000), "-1,000"},
		{table.Duration(0), ""},
		{table.Duration(80 * time.Microsecond), "80 µs"},
		{table.Duration(1500 * time.Microsecond), "1.50 ms"},
		{table.Duration(15 * time.Millisecond), "15 ms"},
		{table.Duration(1500 * time.Millisecond), "1.50 s"},
		{table.Memory(0), ""},
		{table.Memory(3 << 19), "1.5 MiB"},
		{table.Ratio(0), ""},
		{table.Ratio(0.456), "0.46"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}

package sheet

import "testing"

// Rows are as high as their longest text needs, since programs do not fit rows to merged cells.
func TestHeightOfRows(t *testing.T) {
	t.Parallel()
	form := &Form{Widths: []int{10, 10}}
	for _, one := range []struct {
		row  []Box
		want int // lines
	}{
		{[]Box{{Text: ""}}, 1},
		{[]Box{{Text: "12345 1234"}}, 1},
		{[]Box{{Text: "12345 12345 12345"}}, 2},
		{[]Box{{Text: "12345 12345", Style: Label}}, 2},
		{[]Box{{Text: "12345 12345 12345", Wide: 2}}, 1},
		{[]Box{{Text: "a\n\nb"}, {Text: "a"}}, 3},
		{[]Box{{Text: "123456789012345678901234567890"}}, 3},
		{[]Box{{Text: "漢字漢字漢字漢字"}}, 2},
		{[]Box{{Text: "a title that is much longer than its columns", Style: Title}}, 1},
	} {
		if got := (form.height(one.row) - padding) / lineHeight; got != one.want {
			t.Errorf("%q has %d lines, want %d", one.row[0].Text, got, one.want)
		}
	}
	if got := form.height([]Box{{Text: string(make([]byte, 5000))}}); got != maxHeight {
		t.Errorf("a long text makes a row of %d points", got)
	}
}

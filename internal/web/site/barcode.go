package site

import (
	"fmt"
	"html"
	"html/template"
	"image/color"
	"strings"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/code128"
	"github.com/boombuler/barcode/datamatrix"
	"github.com/boombuler/barcode/qr"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/internal/web/lang"
)

// qrCode draws a text as a QR code.
func qrCode(l *lang.Language, text string) (template.HTML, error) {
	// The code has the highest level of error correction, because labels get oily and scratched, and printers have only 203 dots per inch.
	code, err := qr.Encode(text, qr.H, qr.Auto)
	if err != nil {
		return "", fmt.Errorf("draw %q: %w", text, err)
	}
	const quiet = 4
	return draw(code, "qr", l.T("QR code: {code}", "code", text), quiet, 1), nil
}

// DataMatrix draws a label as a Data Matrix code.
func DataMatrix(l *lang.Language, label scancode.Label) (template.HTML, error) {
	content := label.Content
	if label.GS1 {
		content = string([]byte{datamatrix.FNC1}) + content
	}
	code, err := datamatrix.Encode(content)
	if err != nil {
		return "", fmt.Errorf("draw %q: %w", label.Content, err)
	}
	const quiet = 2
	return draw(code, "matrix", l.T("Data Matrix: {code}", "code", Visible(label.Content)), quiet, 1), nil
}

// code128Bars draws a text as Code 128.
func code128Bars(text string) (template.HTML, error) {
	code, err := code128.Encode(text)
	if err != nil {
		return "", fmt.Errorf("draw %q: %w", text, err)
	}
	const quiet, height = 10, 30
	return draw(code, "bars", "Code 128: "+text, quiet, height), nil
}

// draw renders the dark modules of a code as one path on a white background, because scanners need dark modules on a light background even
// in the dark theme. Each row is a line as thick as the row, with gaps for light modules. That takes half as many bytes and half as much
// drawing as a rectangle for each run of dark modules. If a code has only one row, this row has the given height.
func draw(code barcode.Barcode, class, label string, quiet, height int) template.HTML {
	bounds := code.Bounds()
	rows := bounds.Dy()
	if height > 1 {
		rows = 1
	}
	var path strings.Builder
	for y := range rows {
		at := -1 // end of the line so far; -1 before the first dark module of the row
		for x := 0; x < bounds.Dx(); x++ {
			begin := x
			for x < bounds.Dx() && dark(code, x, y) {
				x++
			}
			switch {
			case x == begin:
				continue
			case at < 0:
				fmt.Fprintf(&path, "M%d %gh%d", quiet+begin, float64(quietTop(quiet, height)+y)+float64(height)/2, x-begin)
			default:
				fmt.Fprintf(&path, "m%d 0h%d", begin-at, x-begin)
			}
			at = x
		}
	}
	width, tall := bounds.Dx()+2*quiet, rows*height+2*quietTop(quiet, height)
	// The label is the only text that comes from outside, and it is escaped.
	return template.HTML(fmt.Sprintf(`<svg class="%s" viewBox="0 0 %d %d" role="img" aria-label="%s" shape-rendering="crispEdges">`+
		`<path fill="#fff" d="M0 0h%dv%dH0z"/><path fill="none" stroke="#000" stroke-width="%d" d="%s"/></svg>`,
		class, width, tall, html.EscapeString(label), width, tall, height, path.String()))
}

func quietTop(quiet, height int) int {
	if height > 1 {
		return 0
	}
	return quiet
}

func dark(code barcode.Barcode, x, y int) bool {
	return color.GrayModel.Convert(code.At(x, y)) == color.Gray{}
}

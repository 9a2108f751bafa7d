// Package paper prints documents for customers as PDF. The words come from the catalogue of package lang.
//
//	paper.go         the printer: languages, characters, logos
//	conformance.go   certificates of conformance
package paper

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/jpeg" // a format of logos
	"image/png"
	"io"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/image/draw"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	_ "golang.org/x/image/webp" // a format of logos
	"golang.org/x/text/unicode/norm"

	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/web/lang"
)

// Printer prints documents. It implements shop.Papers, and is safe for concurrent use.
type Printer struct {
	zone      *time.Location
	keeper    func() *files.Keeper
	languages func() []*lang.Language
	font      func() *sfnt.Font
}

// New returns a printer. Times are printed in the zone of the shop. keeper returns where logos are stored; it is called for each logo, so
// that the keeper can be made after the printer.
func New(zone *time.Location, keeper func() *files.Keeper) *Printer {
	return &Printer{
		zone: zone, keeper: keeper, languages: sync.OnceValue(lang.Languages),
		font: sync.OnceValue(func() *sfnt.Font {
			font, err := sfnt.Parse(goregular.TTF)
			if err != nil { // the font is a part of the program
				panic(err)
			}
			return font
		}),
	}
}

// Sizes of logos in pixels: the largest picture that is printed, and the size that it is reduced to.
const (
	logoPixels = 16 << 20
	logoSide   = 600
)

// Logo returns a stored picture as Conformance prints it. It returns nil for a picture that is missing, or too large to be printed: a
// certificate must not depend on it.
func (p *Printer) Logo(ctx context.Context, digest string) ([]byte, error) {
	_, content, err := p.keeper().Open(ctx, digest)
	if err != nil {
		return nil, nil //nolint:nilerr // the keeper logs it
	}
	defer content.Close()
	picture, err := io.ReadAll(content)
	if err != nil {
		return nil, err
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(picture))
	if err != nil || config.Width < 1 || config.Height < 1 || config.Width > logoPixels/config.Height {
		return nil, nil //nolint:nilerr // not a picture after all
	}
	decoded, _, err := image.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, nil //nolint:nilerr // not a picture after all
	}
	width, height := config.Width, config.Height
	if larger := max(width, height); larger > logoSide {
		width, height = max(1, width*logoSide/larger), max(1, height*logoSide/larger)
	}
	reduced := image.NewNRGBA(image.Rect(0, 0, width, height))
	draw.CatmullRom.Scale(reduced, reduced.Bounds(), decoded, decoded.Bounds(), draw.Src, nil)
	var out bytes.Buffer
	err = png.Encode(&out, reduced)
	return out.Bytes(), err
}

// language returns the language with a tag, or else English.
func (p *Printer) language(tag string) *lang.Language {
	found, _ := lang.Find(p.languages(), tag)
	return found
}

// printable returns a text whose characters are all in the font. A character that the font does not have is replaced by its code, such as
// [U+4E2D], so that it is missed.
func (p *Printer) printable(text string) string {
	var buffer sfnt.Buffer
	var out strings.Builder
	for _, c := range norm.NFC.String(strings.ToValidUTF8(text, "\uFFFD")) {
		switch index, err := p.font().GlyphIndex(&buffer, c); {
		case c == '\n' || c == ' ':
			out.WriteRune(c)
		case c == '\t' || c == '\r':
			out.WriteRune(' ')
		case err != nil || index == 0 || c > 0xFFFF || !unicode.IsPrint(c):
			fmt.Fprintf(&out, "[U+%04X]", c)
		default:
			out.WriteRune(c)
		}
	}
	return out.String()
}

package lang

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/leonelquinteros/gotext"
	"golang.org/x/text/language"
)

// Language is a language of the pages. It is immutable. A nil Language is English, which needs no file because its texts are the keys.
type Language struct {
	tag, name, direction string
	pseudo               bool
	po                   *gotext.Po        // nil for English and for the pseudo-language
	texts                map[string]string // the translations of texts without a count, by the text with its context
}

//go:embed locales/*.po
var locales embed.FS

// Languages returns the languages that users may choose: English first, then the languages whose files in the folder locales are marked as
// offered, sorted by tag. It reads the files completely, so call it only once. It panics if a file is invalid, because the files are part
// of the program.
func Languages() []*Language { return languagesIn(locales) }

func languagesIn(files fs.FS) []*Language {
	all := []*Language{English()}
	names, err := fs.Glob(files, "locales/*.po")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		file, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err)
		}
		if offers(file) {
			all = append(all, parse(strings.TrimSuffix(path.Base(name), ".po"), file))
		}
	}
	return all
}

// offers reports whether the header of a file, which ends at the first empty line, has X-Offered: yes. Only a complete translation may be
// marked so.
func offers(file []byte) bool {
	header, _, _ := bytes.Cut(file, []byte("\n\n"))
	return bytes.Contains(header, []byte(`"X-Offered: yes\n"`))
}

// parse reads a language from its file. The header has its name (X-Name), and X-Direction: rtl if the language is written from right to
// left.
func parse(tag string, file []byte) *Language {
	po := gotext.NewPo()
	po.Parse(file)
	headers := po.GetDomain().Headers
	if headers.Get("Language") != tag {
		panic(fmt.Sprintf("the file of the language %s says that it is %q", tag, headers.Get("Language")))
	}
	if !pluralForms.MatchString(po.GetDomain().PluralForms) {
		panic(fmt.Sprintf("the file of the language %s has no Plural-Forms: %q", tag, po.GetDomain().PluralForms))
	}
	texts := map[string]string{}
	for id, translation := range po.GetDomain().GetTranslations() {
		if text := translation.Trs[0]; text != "" && id != "" {
			texts[id] = text
		}
	}
	for context, translations := range po.GetDomain().GetCtxTranslations() {
		for id, translation := range translations {
			if text := translation.Trs[0]; text != "" && id != "" {
				texts[context+"|"+id] = text
			}
		}
	}
	return &Language{
		tag: tag, name: cmp.Or(headers.Get("X-Name"), tag), direction: headers.Get("X-Direction"), po: po, texts: texts,
	}
}

// English returns the language in which the keys are written.
func English() *Language { return &Language{tag: "en", name: "English"} }

// Pseudo returns the language en-XA, which tests use. It is English with accents and brackets, made 40 % longer. A text without brackets is
// not in the catalogue.
func Pseudo() *Language {
	return &Language{tag: "en-XA", name: "[English]", pseudo: true}
}

// Tag returns the language's BCP 47 tag, such as de.
func (l *Language) Tag() string {
	if l == nil {
		return "en"
	}
	return cmp.Or(l.tag, "en")
}

// Endonym returns the language's own name, such as Deutsch.
func (l *Language) Endonym() string {
	if l == nil {
		return "English"
	}
	return l.name
}

// Direction returns ltr or rtl, for the attribute dir.
func (l *Language) Direction() string {
	if l.rightToLeft() {
		return "rtl"
	}
	return "ltr"
}

func (l *Language) rightToLeft() bool { return l != nil && l.direction == "rtl" }

// Find returns the language with a tag. It returns nil and false if there is none.
func Find(languages []*Language, tag string) (*Language, bool) {
	at := slices.IndexFunc(languages, func(l *Language) bool { return l.Tag() == tag })
	if at < 0 {
		return nil, false
	}
	return languages[at], true
}

// Tags returns the tags of languages.
func Tags(languages []*Language) (tags []string) {
	for _, l := range languages {
		tags = append(tags, l.Tag())
	}
	return tags
}

// Accepted returns the language that a browser prefers according to its header Accept-Language. It returns nil and false if there is none.
func Accepted(languages []*Language, header string) (*Language, bool) {
	if header == "" {
		return nil, false
	}
	preferred, _, err := language.ParseAcceptLanguage(header)
	if err != nil {
		return nil, false
	}
	for _, wanted := range preferred {
		base, _ := wanted.Base()
		for _, tag := range []string{wanted.String(), base.String()} {
			if found, ok := Find(languages, tag); ok {
				return found, true
			}
		}
	}
	return nil, false
}

package dossier

import (
	"bytes"
	_ "embed" // for the pages
	"html/template"

	"github.com/routecard/routecard/internal/web/lang"
)

// Pages in a dossier.
const (
	verifyFile = "verify.html" // verifies dossiers
	cardFile   = "card.html"   // shows the records
)

//go:embed verify.html
var verifyTemplate string

//go:embed verify.js
var verifyScript []byte

// VerifyPage returns a page that verifies dossiers in a browser, in one file and without a network. It makes the checks of Verify.
func VerifyPage(l *lang.Language) ([]byte, error) {
	script := append(bytes.Clone(verifyScript), l.Script(lang.ScriptTexts(verifyScript))...)
	return rendered(verifyTemplate, l, nil, struct {
		*lang.Language
		Code template.JS
	}{l, template.JS(script)}) //nolint:gosec // the script is a part of the program
}

// rendered executes the template of a page with the functions of package lang and others.
func rendered(text string, l *lang.Language, functions template.FuncMap, data any) ([]byte, error) {
	parsed, err := template.New("").Option("missingkey=error").
		Funcs(template.FuncMap{"t": l.HTML, "tn": l.HTMLN, "ts": l.T, "apart": lang.Apart}).Funcs(functions).Parse(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = parsed.Execute(&b, data)
	return b.Bytes(), err
}

package lang

import (
	"encoding/json"
	"regexp"
	"strconv"
)

// ScriptText is a text that a script shows: T("Close"), or TN(count, "{n} unit", "{n} units").
type ScriptText struct{ One, Many Text }

// inScripts matches the calls of T, TNodes and TN with their texts, each one literal in double quotes.
var inScripts = regexp.MustCompile(`\bT(?:Nodes)?\(\s*("(?:[^"\\\n]|\\.)*")|` +
	`\bTN\([^"\n]+?,\s*("(?:[^"\\\n]|\\.)*"),\s*("(?:[^"\\\n]|\\.)*")`)

// ScriptTexts returns the texts that a script marks.
func ScriptTexts(source []byte) (found []ScriptText) {
	for _, call := range inScripts.FindAllSubmatch(source, -1) {
		texts := make([]Text, 0, len(call))
		for _, quoted := range call[1:] {
			plain, err := strconv.Unquote(string(quoted))
			if err == nil {
				texts = append(texts, Text(plain))
			} else {
				texts = append(texts, "")
			}
		}
		text := ScriptText{One: texts[0]}
		if text.One == "" {
			text = ScriptText{One: texts[1], Many: texts[2]}
		}
		found = append(found, text)
	}
	return found
}

// pluralForms matches the header Plural-Forms: the number of forms, and the expression that selects one. This expression is valid both in C
// and in JavaScript.
var pluralForms = regexp.MustCompile(`^nplurals=(\d+); *plural=([n0-9 ()<>=!&|?:%]+);?$`)

// Script returns JavaScript statements that pass a language's translations of scripts to static/texts.js. It returns "" for English.
func (l *Language) Script(texts []ScriptText) string {
	if l == nil || l.po == nil && !l.pseudo {
		return ""
	}
	known := map[string]any{}
	for _, text := range texts {
		if text.Many == "" {
			known[string(text.One)] = l.Lookup(text.One)
		} else {
			known[string(text.One)] = l.forms(text.One, text.Many)
		}
	}
	encoded, err := json.Marshal(known)
	if err != nil {
		panic(err) // cannot happen: texts can always be encoded
	}
	script := "Object.assign(TEXTS, " + string(encoded) + ");\n"
	if l.po != nil {
		script += "chosenForm = (n) => Number(" + pluralForms.FindStringSubmatch(l.po.GetDomain().PluralForms)[2] + ");\n"
	}
	return script
}

// forms returns the translations of a text with a count, in the order of the plural forms.
func (l *Language) forms(one, many Text) []string {
	if l.pseudo {
		return []string{l.Lookup(one), l.Lookup(many)}
	}
	context, singular := one.parts()
	translation := l.po.GetDomain().GetTranslations()[singular]
	if context != "" {
		translation = l.po.GetDomain().GetCtxTranslations()[context][singular]
	}
	if translation == nil || translation.Trs[0] == "" {
		return nil
	}
	forms := make([]string, len(translation.Trs))
	for i := range forms {
		forms[i] = translation.GetN(i)
	}
	return forms
}

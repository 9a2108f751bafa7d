// Package lang is the catalogue of texts in all languages of the pages. The English texts are its keys. Each other language is a file in
// the folder locales, in the gettext format that the tools of translators read. docs/translating.md describes how to mark a text and how to
// add a language.
//
//	text.go       a text, its places for arguments, its translation, numbers and times
//	languages.go  the languages, and the choice of one for a browser
//	words.go      identifiers of the interface in words
//	script.go     the texts of scripts
//	apart.go      isolates names in right-to-left scripts
//	pseudo.go     the pseudo-language of tests
//
// A text is a constant of type Text. The tests of this package collect all texts: from Go source by their type, from templates and scripts
// by the functions that they are passed to.
package lang

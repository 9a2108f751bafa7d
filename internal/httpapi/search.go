package httpapi

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// searchIndex builds the search index of the page /docs from the document in JSON. It maps the operationId of each operation to the words
// of its path, names, fields, messages, codes and all their descriptions. The words are in lower case, without repetitions, sorted and
// separated by spaces. Of the examples, only those of errors are included.
func searchIndex(document []byte) ([]byte, error) {
	var contract map[string]any
	if err := json.Unmarshal(document, &contract); err != nil {
		return nil, err
	}
	texts := map[string]string{}
	paths, _ := contract["paths"].(map[string]any)
	for path, item := range paths {
		methods, _ := item.(map[string]any)
		for method, value := range methods {
			operation, _ := value.(map[string]any)
			id, _ := operation["operationId"].(string)
			if id == "" {
				continue
			}
			words := wordsOf{document: contract, words: map[string]bool{}, seen: map[string]bool{}}
			words.add(method + " " + path)
			words.read(operation, "")
			texts[id] = strings.Join(slices.Sorted(maps.Keys(words.words)), " ")
		}
	}
	return json.Marshal(texts)
}

// wordsOf collects the words of one operation.
type wordsOf struct {
	document map[string]any
	words    map[string]bool
	seen     map[string]bool // the references that were followed
}

// add adds the words of a text.
func (w *wordsOf) add(text string) {
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if word = strings.Trim(word, "`*|,.;:()\"'"); word != "" {
			w.words[word] = true
		}
	}
}

// said reports whether the text of this member of the document is indexed.
func said(member string) bool {
	switch member {
	case "operationId", "summary", "description", "tags", "name", "enum", "message", "code", "x-permission":
		return true
	}
	return false
}

// read adds the words of a part of the document. key is the member that holds the part.
func (w *wordsOf) read(part any, key string) {
	switch part := part.(type) {
	case string:
		if said(key) {
			w.add(part)
		}
	case []any:
		for _, element := range part {
			w.read(element, key)
		}
	case map[string]any:
		if reference, ok := part["$ref"].(string); ok && !w.seen[reference] {
			w.seen[reference] = true
			w.read(w.referred(reference), key)
		}
		for name, member := range part {
			if key == "properties" {
				w.add(name)
				name = ""
			}
			w.read(member, name)
		}
	}
}

// referred returns the part of the document that a reference points to, such as #/components/schemas/Job.
func (w *wordsOf) referred(reference string) any {
	var part any = w.document
	for name := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
		members, _ := part.(map[string]any)
		part = members[name]
	}
	return part
}

package httpapi

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/routecard/routecard/shop"
)

// The answer to a GET of one record has a strong ETag, made from every byte of it: it changes whenever the answer would.

// entityTag names an answer.
func entityTag(text []byte) string {
	digest := sha256.Sum256(text)
	return `"` + base64.RawURLEncoding.EncodeToString(digest[:18]) + `"`
}

// answerTagged answers a record with its tag, and 304 to a caller who has it as it is.
func answerTagged[T any](c *call, value T, err error) error {
	if err != nil {
		return err
	}
	text, err := c.encoded(value)
	if err != nil {
		return err
	}
	tag := entityTag(text)
	header := c.w.Header()
	header.Set("ETag", tag)
	header.Set("Cache-Control", "no-cache") // may be kept, but must be asked about
	for _, known := range listTags(c.r.Header["If-None-Match"]) {
		if known == "*" || strings.TrimPrefix(known, "W/") == tag {
			c.w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	return writeEncoded(c.w, http.StatusOK, text)
}

// matched reports whether If-Match is judged for requests of a route: those that change or delete what a GET of the same
// address answers with a tag. Edit BOM supports matching too, but only pages use it.
func (r route) matched() bool {
	method, path, _ := strings.Cut(r.pattern, " ")
	return (method == http.MethodPut || method == http.MethodDelete) && strings.HasSuffix(path, "/{id}")
}

// matching requires of the record that is changed what the request's If-Match says.
func matching(r *http.Request) context.Context {
	fields, ok := r.Header["If-Match"]
	if !ok {
		return r.Context()
	}
	tags := listTags(fields)
	return shop.WithMatch(r.Context(), func(answer any) (bool, error) {
		var buffer bytes.Buffer
		if err := encode(&buffer, answer); err != nil {
			return false, err
		}
		tag := entityTag(buffer.Bytes())
		for _, known := range tags {
			if known == "*" || known == tag { // a weak tag is never the same as another one
				return true, nil
			}
		}
		return false, nil
	})
}

// listTags reads the tags of a header: between quotes a comma is part of a tag.
func listTags(fields []string) (tags []string) {
	for _, field := range fields {
		begin, quoted := 0, false
		for i := 0; i <= len(field); i++ {
			switch {
			case i < len(field) && field[i] == '"':
				quoted = !quoted
			case i == len(field) || field[i] == ',' && !quoted:
				if tag := strings.Trim(field[begin:i], " \t"); tag != "" {
					tags = append(tags, tag)
				}
				begin = i + 1
			}
		}
	}
	return tags
}

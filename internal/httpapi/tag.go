package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
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
	return writeTagged(c, text)
}

// writeTagged answers what is encoded already, as answerTagged does.
func writeTagged(c *call, text []byte) error {
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

// matchRule says what If-Match means for the requests of a route.
type matchRule int

// The rules.
const (
	unmatched   matchRule = iota // nothing: the request makes something, or only asks
	matchRecord                  // the operation compares it with the record that it changes
	matchUnit                    // it is compared with the unit in the address, whatever the operation
	matchMany                    // the request is refused: no tag is of many units
)

// matching requires of what is changed what the request's If-Match says.
func matching(r *http.Request, rule matchRule) (*http.Request, error) {
	fields, ok := r.Header["If-Match"]
	if !ok || rule == unmatched {
		return r, nil
	}
	same := matches(listTags(fields))
	switch rule {
	case matchMany:
		return r, refusal.Refuse(refusal.MatchOfMany)
	case matchUnit:
		return r.WithContext(shop.WithMatchOfUnit(r.Context(), r.PathValue("id"), same)), nil
	case matchRecord, unmatched:
	}
	return r.WithContext(shop.WithMatch(r.Context(), same)), nil
}

// matches returns what compares an answer with tags. No tag is of an answer that nobody gets.
func matches(tags []string) func(answer any) (bool, error) {
	return func(answer any) (bool, error) {
		if slices.Contains(tags, "*") || answer == nil {
			return slices.Contains(tags, "*"), nil
		}
		var buffer bytes.Buffer
		if err := encode(&buffer, answer); err != nil {
			return false, err
		}
		return slices.Contains(tags, entityTag(buffer.Bytes())), nil // a weak tag is never the same as another one
	}
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

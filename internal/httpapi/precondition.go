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

// The response to a GET of one record has a strong ETag, a digest of all its bytes: it changes whenever the response would.

// entityTag returns the ETag of a response.
func entityTag(text []byte) string {
	digest := sha256.Sum256(text)
	return `"` + base64.RawURLEncoding.EncodeToString(digest[:18]) + `"`
}

// answerTagged responds with a record and its ETag, or with 304 if the caller has the current version.
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

// writeTagged is answerTagged for text that is already encoded.
func writeTagged(c *call, text []byte) error {
	tag := entityTag(text)
	header := c.w.Header()
	header.Set("ETag", tag)
	header.Set("Cache-Control", "no-cache") // may be stored, but must be revalidated
	for _, known := range listTags(c.r.Header["If-None-Match"]) {
		if known == "*" || strings.TrimPrefix(known, "W/") == tag {
			c.w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	return writeEncoded(c.w, http.StatusOK, text)
}

// matchRule is the effect of If-Match on the requests of a route.
type matchRule int

const (
	unmatched   matchRule = iota // ignored: the request creates a record, or only reads
	matchRecord                  // the operation compares it with the record that it changes
	matchUnit                    // compared with the unit in the path, whichever record the operation changes
	matchMany                    // refused: an ETag identifies one unit
)

// matching adds the condition of the request's If-Match to its context.
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

// matches returns a function that compares the encoded form of a record with tags. A record without an address of its own is nil, and
// matches only *.
func matches(tags []string) func(answer any) (bool, error) {
	return func(answer any) (bool, error) {
		if slices.Contains(tags, "*") || answer == nil {
			return slices.Contains(tags, "*"), nil
		}
		var buffer bytes.Buffer
		if err := encode(&buffer, answer); err != nil {
			return false, err
		}
		return slices.Contains(tags, entityTag(buffer.Bytes())), nil // a weak tag never matches
	}
}

// listTags parses the tags of a header. A comma between quotes is part of a tag.
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

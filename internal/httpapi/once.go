package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

// Requests with an Idempotency-Key can be repeated safely. Operations know nothing of the key: see shop.Once.

const (
	onceHeader     = "Idempotency-Key"
	replayedHeader = "Idempotency-Replayed"
	keyLimit       = 255
)

var errKey = refuse(keyForm)

// changes reports whether a route changes anything.
func (r route) changes() bool { return !strings.HasPrefix(r.pattern, http.MethodGet+" ") }

// keyed reports whether requests of a route may have a key. Requests with a secret may not: the fingerprint is stored for days and covers
// the body, so the secret could be guessed offline from it. Uploads need no key: the digest identifies the file.
func (r route) keyed() bool { return r.changes() && r.body != secretBody && r.body != bytesBody }

// onceKey reads the key of a request, either bare or quoted as an RFC 8941 string.
func onceKey(header http.Header) (string, error) {
	values := header.Values(onceHeader)
	if len(values) != 1 {
		return "", errKey
	}
	key := strings.Trim(values[0], " \t")
	if inner, ok := strings.CutPrefix(key, `"`); ok {
		if key, ok = unquoteKey(inner); !ok {
			return "", errKey
		}
	}
	if key == "" || len(key) > keyLimit || slices.ContainsFunc([]byte(key), func(c byte) bool { return c <= ' ' || c > '~' }) {
		return "", errKey
	}
	return key, nil
}

// unquoteKey reads the rest of a quoted string after its opening quote. Nothing may follow its closing quote.
func unquoteKey(text string) (string, bool) {
	var key strings.Builder
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			return key.String(), i == len(text)-1
		case '\\':
			i++
			if i == len(text) || text[i] != '"' && text[i] != '\\' {
				return "", false
			}
		}
		key.WriteByte(text[i])
	}
	return "", false
}

// once runs an operation with the idempotency key of the request.
func (s *Server) once(c *call, route route, limit int64) error {
	key, err := onceKey(c.r.Header)
	if err != nil {
		return err
	}
	if route.body == noBody { // the operation reads no body, but the key covers the body too
		if c.sent, err = io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, limit)); err != nil {
			return unread(err)
		}
		if err := s.arrived(c, route.needs()); err != nil {
			return err
		}
	}
	named, err := fingerprint(c)
	if err != nil {
		return err
	}
	once := card.Once{Key: key, Fingerprint: named}
	return s.service.Once(c.r.Context(), once, func(ctx context.Context) error {
		c.r = c.r.WithContext(ctx)
		c.w = &onceWriter{ResponseWriter: c.w, ctx: ctx}
		return route.handle(s, c)
	})
}

// fingerprint returns a digest of a request: its method, path, query and body.
func fingerprint(c *call) (string, error) {
	digest := sha256.New()
	digest.Write([]byte(c.r.Method + "\n" + c.r.URL.EscapedPath() + "?" + c.r.URL.RawQuery + "\n"))
	digest.Write(c.sent)
	if c.file != nil {
		if _, err := io.Copy(digest, io.NewSectionReader(c.file, 0, c.file.Size)); err != nil {
			return "", err
		}
	}
	return base64.RawStdEncoding.EncodeToString(digest.Sum(nil)), nil
}

// onceWriter adds a header to a response that is a repetition of an earlier one.
type onceWriter struct {
	http.ResponseWriter
	ctx   context.Context
	begun bool
}

func (w *onceWriter) WriteHeader(status int) {
	if !w.begun {
		w.begun = true
		if shop.Answering(w.ctx) {
			w.Header().Set(replayedHeader, "true")
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *onceWriter) Write(b []byte) (int, error) {
	if !w.begun {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *onceWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

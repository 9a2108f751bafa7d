package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed static
var staticFiles embed.FS

// assets serves the embedded files under names that contain their fingerprint, so that browsers may keep them for good.
type assets struct {
	urls  map[string]string // by plain name
	files map[string]asset  // by fingerprinted name
}

type asset struct {
	kind    string
	content []byte
}

func loadAssets() *assets {
	a := &assets{urls: map[string]string{}, files: map[string]asset{}}
	entries, err := staticFiles.ReadDir("static")
	if err != nil {
		panic(err) // the files are part of the program
	}
	kinds := map[string]string{
		".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
		".LICENSE": "text/plain; charset=utf-8",
	}
	for _, entry := range entries {
		content, err := staticFiles.ReadFile("static/" + entry.Name())
		if err != nil {
			panic(err)
		}
		digest := sha256.Sum256(content)
		extension := path.Ext(entry.Name())
		name := strings.TrimSuffix(entry.Name(), extension) + "." + hex.EncodeToString(digest[:6]) + extension
		a.urls[entry.Name()] = "/assets/" + name
		a.files[name] = asset{kinds[extension], content}
	}
	return a
}

// ServeHTTP answers one file.
func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	file, ok := a.files[r.PathValue("file")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", file.kind)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file.content))
}

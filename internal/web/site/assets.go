package site

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"
)

// Assets serves the embedded files under names that contain their fingerprint, so that browsers may cache them forever.
type Assets struct {
	urls  map[string]string // by plain name
	files map[string]asset  // by fingerprinted name
}

type asset struct {
	kind    string
	content []byte
	policy  string // the content security policy of a worker, which differs from its page's; "" if the file is no worker
}

// cameraReader is the script that reads codes in browsers without a barcode reader of their own. It compiles WebAssembly, which no page
// may do, in a worker that has no document and loads only the library that this program serves.
const (
	cameraReader       = "camerareader.js"
	cameraReaderPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
)

// LoadAssets reads the files in the folder static.
func LoadAssets(files fs.FS) *Assets {
	a := &Assets{urls: map[string]string{}, files: map[string]asset{}}
	entries, err := fs.ReadDir(files, "static")
	if err != nil {
		panic(err) // the files are part of the program
	}
	kinds := map[string]string{
		".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
		".LICENSE": "text/plain; charset=utf-8", ".wasm": "application/wasm", ".woff2": "font/woff2",
	}
	// Style sheets come last, because they contain the fingerprinted addresses of other files.
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int {
		return cmp.Compare(strings.Count(path.Ext(a.Name()), ".css"), strings.Count(path.Ext(b.Name()), ".css"))
	})
	for _, entry := range entries {
		content, err := fs.ReadFile(files, "static/"+entry.Name())
		if err != nil {
			panic(err)
		}
		extension := path.Ext(entry.Name())
		if extension == ".css" {
			content = remarks.ReplaceAll(content, nil)
			content = namedInStyles.ReplaceAllFunc(content, func(name []byte) []byte {
				return []byte(`url("` + a.urls[string(namedInStyles.FindSubmatch(name)[1])] + `")`)
			})
		}
		digest := sha256.Sum256(content)
		name := strings.TrimSuffix(entry.Name(), extension) + "." + hex.EncodeToString(digest[:6]) + extension
		a.urls[entry.Name()] = "/assets/" + name
		file := asset{kind: kinds[extension], content: content}
		if entry.Name() == cameraReader {
			file.policy = cameraReaderPolicy
		}
		a.files[name] = file
	}
	return a
}

// remarks matches comments of a style sheet, and the white space around line ends.
var remarks = regexp.MustCompile(`(?s)/\*.*?\*/|[ \t]*\n[ \t]*`)

// namedInStyles matches a reference to another file in a style sheet.
var namedInStyles = regexp.MustCompile(`url\("([^"]+)"\)`)

// compressed serves scripts, style sheets and other compressible files compressed if the browser accepts that. Pages are never
// compressed: when a page contains both a secret and text from others, its compressed length leaks the secret.
func (a *Assets) compressed() http.Handler {
	compress, err := gzhttp.NewWrapper(gzhttp.ContentTypes([]string{"text/css", "text/javascript", "image/svg+xml", "application/wasm"}))
	if err != nil { // the settings are constants
		panic(err)
	}
	return compress(a)
}

// ServeHTTP serves one file.
func (a *Assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	file, ok := a.files[r.PathValue("file")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if file.policy != "" {
		w.Header().Set("Content-Security-Policy", file.policy)
	}
	w.Header().Set("Content-Type", file.kind)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file.content))
}

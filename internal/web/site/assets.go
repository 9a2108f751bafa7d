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

	"github.com/routecard/routecard/internal/web/lang"
)

// Assets serves the embedded files under names that contain their fingerprint, so that browsers may cache them forever.
type Assets struct {
	urls  map[string]string // by plain name
	files map[string]asset  // by fingerprinted name
}

type asset struct {
	kind    string
	content []byte
	policy  string // content security policy of a worker; "" for files that use that of their page
}

// cameraReader is the script that reads codes in browsers without a barcode reader of their own. It compiles WebAssembly, which pages are
// not allowed to do. So it runs in a worker that has no document and loads only the library that this program serves.
const (
	cameraReader       = "camerareader.js"
	cameraReaderPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
)

// textsOfScripts is the script that translates texts in scripts. A page loads it with the texts in its language.
const textsOfScripts = "texts.js"

// textsName returns the name of that script for a language.
func textsName(l *lang.Language) string { return "texts-" + l.Tag() + ".js" }

// LoadAssets reads the files in the folder static, and adds the texts of scripts in each language.
func LoadAssets(files fs.FS, languages []*lang.Language) *Assets {
	a := &Assets{urls: map[string]string{}, files: map[string]asset{}}
	entries, err := fs.ReadDir(files, "static")
	if err != nil {
		panic(err) // the files are part of the program
	}
	kinds := map[string]string{
		".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", // not a text: content types of files
		".svg":     "image/svg+xml",
		".LICENSE": "text/plain; charset=utf-8", ".wasm": "application/wasm", ".woff2": "font/woff2", // not a text: content types of files
	}
	var texts []lang.ScriptText
	for _, entry := range entries {
		if path.Ext(entry.Name()) == ".js" && entry.Name() != textsOfScripts {
			content, err := fs.ReadFile(files, "static/"+entry.Name())
			if err != nil {
				panic(err)
			}
			texts = append(texts, lang.ScriptTexts(content)...)
		}
	}
	// Style sheets come last, because they contain the addresses of other files, which include fingerprints.
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int {
		return cmp.Compare(strings.Count(path.Ext(a.Name()), ".css"), strings.Count(path.Ext(b.Name()), ".css"))
	})
	add := func(name string, content []byte, policy string) {
		digest := sha256.Sum256(content)
		extension := path.Ext(name)
		marked := strings.TrimSuffix(name, extension) + "." + hex.EncodeToString(digest[:6]) + extension
		a.urls[name] = "/assets/" + marked
		a.files[marked] = asset{kind: kinds[extension], content: content, policy: policy}
	}
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
		if extension == ".js" {
			content = remarkLines.ReplaceAll(content, nil)
		}
		policy := ""
		if entry.Name() == cameraReader {
			policy = cameraReaderPolicy
		}
		add(entry.Name(), content, policy)
		if entry.Name() == textsOfScripts {
			for _, l := range languages {
				add(textsName(l), append(bytes.Clone(content), l.Script(texts)...), "")
			}
		}
	}
	return a
}

// remarks matches comments in a style sheet, and the white space around line breaks.
var remarks = regexp.MustCompile(`(?s)/\*.*?\*/|[ \t]*\n[ \t]*`)

// remarkLines matches the lines of a script that are comments, and the blanks before other lines. No text in a script has several lines.
var remarkLines = regexp.MustCompile(`(?m)^[ \t]*//.*\n|^[ \t]+`)

// namedInStyles matches a reference to another file in a style sheet.
var namedInStyles = regexp.MustCompile(`url\("([^"]+)"\)`)

// compressed serves scripts, style sheets and other compressible files in compressed form if the browser accepts that. Pages are never
// compressed: if a page contains both a secret and text from other users, the compressed length reveals the secret.
func (a *Assets) compressed() http.Handler {
	compress, err := gzhttp.NewWrapper(gzhttp.ContentTypes([]string{"text/css", "text/javascript", "image/svg+xml", "application/wasm"}))
	if err != nil { // cannot happen: the settings are constants
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

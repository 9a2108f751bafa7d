package httpapi

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/sqlstore"
)

// hotShop returns a shop on SQLite for benchmarks: a thousand jobs, and serials of one of them with a certificate.
func hotShop(tb testing.TB, serials int, change func(*Config)) *Server {
	tb.Helper()
	store, err := sqlstore.OpenSQLite(tb.Context(), filepath.Join(tb.TempDir(), "shop.db"), sqlstore.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = store.Close() })
	face := newFace(store, func(c *Config) {
		c.Logger = slog.New(slog.NewTextHandler(discard{}, nil))
		if change != nil {
			change(c)
		}
	})
	for i := range 1000 {
		post(tb, face, "/api/jobs", fmt.Sprintf(`{"name": "Job %d: brackets, left", "goalQuantity": 25}`, i))
	}
	job := textOf(post(tb, face, "/api/jobs", `{"name": "Brackets", "goalQuantity": 5}`), "id")
	path := textOf(post(tb, face, "/api/paths", `{"jobId": "`+job+`", "name": "Main", "goalQuantity": 5, "advancementMode": "flexible",
		"steps": [{"name": "Saw"}, {"name": "Turn"}, {"name": "Grind", "optional": true}, {"name": "Inspect"}]}`), "id")
	cert := textOf(post(tb, face, "/api/certs", `{"type": "material", "name": "Heat 4711", "metadata": {"heat": "4711"}}`), "id")
	post(tb, face, "/api/serials", fmt.Sprintf(`{"jobId": %q, "pathId": %q, "quantity": %d, "certId": %q, "userId": "ann"}`,
		job, path, serials, cert))
	return face
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func post(tb testing.TB, face http.Handler, target, body string) string {
	tb.Helper()
	recorder := httptest.NewRecorder()
	request := httptest.NewRequestWithContext(tb.Context(), http.MethodPost, target, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	face.ServeHTTP(recorder, request)
	if recorder.Code >= http.StatusBadRequest {
		tb.Fatalf("%s: %d %s", target, recorder.Code, recorder.Body)
	}
	return recorder.Body.String()
}

// textOf returns a text in a JSON object.
func textOf(body, name string) string {
	_, rest, _ := strings.Cut(body, `"`+name+`":"`)
	text, _, _ := strings.Cut(rest, `"`)
	return text
}

// nowhere discards a response.
type nowhere struct {
	header http.Header
	status int
	bytes  int
}

func (w *nowhere) Header() http.Header { return w.header }
func (w *nowhere) WriteHeader(s int)   { w.status = s }
func (w *nowhere) Write(p []byte) (int, error) {
	w.bytes += len(p)
	return len(p), nil
}

func get(tb testing.TB, face http.Handler, target string) {
	tb.Helper()
	w := &nowhere{header: http.Header{}}
	face.ServeHTTP(w, httptest.NewRequestWithContext(tb.Context(), http.MethodGet, target, nil))
	if w.status != http.StatusOK {
		tb.Fatalf("%s: %d", target, w.status)
	}
}

func BenchmarkReads(b *testing.B) {
	const serials = 1000
	face := hotShop(b, serials, nil)
	for _, question := range []struct{ name, target string }{
		{"nothing", "/healthz"},
		{"serial", "/api/serials/SN-%05d"},
		{"statuses", "/api/serials/SN-%05d/step-statuses"},
		{"audit", "/api/audit?limit=50"},
		{"jobs", "/api/jobs"},
		{"queue", "/api/operator/work-queue"},
		{"serials", "/api/serials"},
	} {
		b.Run(question.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				target := question.target
				if strings.Contains(target, "%") {
					target = fmt.Sprintf(target, 1+i%serials)
				}
				get(b, face, target)
			}
		})
	}
}

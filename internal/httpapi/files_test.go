package httpapi

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/shop"
)

const testFileLimit = 1 << 20

// openFilingShop starts a service that stores files, and returns their folder.
func openFilingShop(t *testing.T, change func(*Config)) (workshop *servedShop, folder string) {
	t.Helper()
	return filingShop(t, enginetest.New(t), change)
}

// filingShop is openFilingShop on a database.
func filingShop(t *testing.T, database enginetest.Database, change func(*Config)) (workshop *servedShop, folder string) {
	t.Helper()
	folder, store := filepath.Join(t.TempDir(), "files"), database.Open(t)
	return serve(t, newFace(store, func(config *Config) {
		config.Files = files.New(files.NewFolder(folder, false), config.Service, testFileLimit, clockwork(), slog.New(slog.DiscardHandler))
		if change != nil {
			change(config)
		}
	}), store, database), folder
}

// upload uploads bytes and returns their digest.
func (s *servedShop) upload(t *testing.T, text string) string {
	t.Helper()
	answer := s.must(t, http.StatusCreated, http.MethodPost, "/api/files", text, [2]string{"Content-Type", "text/html"})
	var file shop.File
	if err := json.Unmarshal([]byte(answer.body), &file); err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256([]byte(text)); file.SHA256 != hex.EncodeToString(sum[:]) || file.Size != int64(len(text)) {
		t.Fatalf("uploaded %s", answer.body)
	}
	return file.SHA256
}

func pngText(t *testing.T) string {
	t.Helper()
	var text bytes.Buffer
	if err := png.Encode(&text, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// docs/files.md, "What is served": headers restrict the browser's use of a file.
func TestFilesAreServedHarmless(t *testing.T) {
	t.Parallel()
	s, _ := openFilingShop(t, nil)
	for name, row := range map[string]struct{ text, kind, how, policy string }{
		"picture": {pngText(t), "image/png", "inline", filePolicy},
		"text":    {"G0 X0\n", "text/plain; charset=utf-8", "inline", filePolicy},
		"pdf":     {"%PDF-1.7\n", "application/pdf", "inline", pdfPolicy},
		"svg":     {`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`, "application/octet-stream", "attachment", filePolicy},
		"html":    {"<!doctype html><script>alert(1)</script>", "application/octet-stream", "attachment", filePolicy},
		"archive": {"PK\x03\x04\x14\x00\x00\x00\x00\x00", "application/zip", "attachment", filePolicy},
		"both":    {pngText(t) + "<html><script>alert(1)</script>", "image/png", "inline", filePolicy},
	} {
		digest := s.upload(t, row.text)
		got := s.must(t, http.StatusOK, http.MethodGet, "/api/files/"+digest, "")
		how, parameters, err := mime.ParseMediaType(got.header.Get("Content-Disposition"))
		if got.body != row.text || err != nil || how != row.how || parameters["filename"] != digest ||
			got.header.Get("Content-Type") != row.kind || got.header.Get("Content-Security-Policy") != row.policy ||
			got.header.Get("X-Content-Type-Options") != "nosniff" || got.header.Get("ETag") != `"`+digest+`"` ||
			got.header.Get("Cache-Control") != "private, max-age=31536000, immutable" {
			t.Errorf("%s: %v", name, got.header)
		}
	}
}

func TestRangesOfAFile(t *testing.T) {
	t.Parallel()
	s, _ := openFilingShop(t, nil)
	digest := s.upload(t, "0123456789")
	part := s.must(t, http.StatusPartialContent, http.MethodGet, "/api/files/"+digest, "", [2]string{"Range", "bytes=2-4"})
	if part.body != "234" || part.header.Get("Content-Range") != "bytes 2-4/10" {
		t.Errorf("%q, %v", part.body, part.header)
	}
	s.must(t, http.StatusRequestedRangeNotSatisfiable, http.MethodGet, "/api/files/"+digest, "", [2]string{"Range", "bytes=10-"})
	s.must(t, http.StatusNotModified, http.MethodGet, "/api/files/"+digest, "", [2]string{"If-None-Match", `"` + digest + `"`})
	s.must(t, http.StatusNotFound, http.MethodGet, "/api/files/"+strings.Repeat("0", 64), "")
	s.must(t, http.StatusNotFound, http.MethodGet, "/api/files/..%2f..%2fetc%2fpasswd", "")
}

// The browser receives a file name unchanged, whatever characters it has.
func TestNamesOfDownloads(t *testing.T) {
	t.Parallel()
	s, _ := openFilingShop(t, nil)
	digest := s.upload(t, "PK\x03\x04\x14\x00\x00\x00\x00\x00")
	job := s.must(t, http.StatusCreated, http.MethodPost, "/api/jobs", `{"name": "Valve", "goalQuantity": 1}`)
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(job.body), &made); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{`a"; filename=b.html; x="`, "Überblick 全景.zip", "a;b=c.zip", `100% 'ok'.zip`} {
		body, _ := json.Marshal(map[string]string{"sha256": digest, "name": name, "kind": "other", "userId": "ann"})
		var link shop.FileLink
		answer := s.must(t, http.StatusCreated, http.MethodPost, "/api/jobs/"+made.ID+"/files", string(body))
		if err := json.Unmarshal([]byte(answer.body), &link); err != nil {
			t.Fatal(err)
		}
		got := s.must(t, http.StatusOK, http.MethodGet, "/api/files/"+digest+"?link="+link.ID, "")
		how, parameters, err := mime.ParseMediaType(got.header.Get("Content-Disposition"))
		if err != nil || how != "attachment" || len(parameters) != 1 || parameters["filename"] != name {
			t.Errorf("%s: %q", name, got.header.Get("Content-Disposition"))
		}
	}
	other := s.upload(t, "another")
	got := s.must(t, http.StatusOK, http.MethodGet, "/api/files/"+other+"?link=flnk_x", "")
	if !strings.Contains(got.header.Get("Content-Disposition"), other) {
		t.Errorf("a link that there is not: %v", got.header)
	}
}

func TestUploadsThatAreRefused(t *testing.T) {
	t.Parallel()
	s, folder := openFilingShop(t, nil)
	large := strings.Repeat("x", testFileLimit+1)
	s.must(t, http.StatusRequestEntityTooLarge, http.MethodPost, "/api/files", large)
	// The same without a Content-Length.
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/api/files", io.MultiReader(strings.NewReader(large)))
	if err != nil {
		t.Fatal(err)
	}
	response, err := s.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("answered %s", response.Status)
	}
	s.upload(t, large[1:])
	// A connection that is cut leaves no file.
	connection, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(connection, "POST /api/files HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n%s", strings.Repeat("y", 999))
	if err := connection.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	cut, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer cut.Body.Close()
	if cut.StatusCode != http.StatusBadRequest {
		t.Errorf("a cut upload is answered %s", cut.Status)
	}
	entries, err := os.ReadDir(filepath.Join(folder, "incoming"))
	if err != nil || len(entries) > 0 {
		t.Errorf("left %v, %v", entries, err)
	}
	off := openShop(t, nil)
	for _, method := range []string{http.MethodPost, http.MethodGet} {
		target := "/api/files"
		if method == http.MethodGet {
			target += "/" + strings.Repeat("0", 64)
		}
		answer, err := off.send(t.Context(), method, target, "")
		if err != nil || answer.status != http.StatusNotFound || !strings.Contains(answer.body, "Files are not enabled") {
			t.Errorf("%s %s without a place: %s, %v", method, target, answer.body, err)
		}
	}
}

// An upload takes no more of the shared memory than one piece of it.
func TestUploadsNeedLittleMemory(t *testing.T) {
	t.Parallel()
	s, _ := openFilingShop(t, func(config *Config) { config.Memory = 256 << 10 })
	s.upload(t, strings.Repeat("z", testFileLimit))
	s.upload(t, strings.Repeat("z", testFileLimit))
}

package files_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// kept is a shop with a folder for its files.
type kept struct {
	*shoptest.Shop
	folder string
	place  *files.Folder
	*files.Keeper
}

func open(t *testing.T) *kept {
	t.Helper()
	s := &kept{Shop: shoptest.Open(t), folder: filepath.Join(t.TempDir(), "db.files")}
	s.place = files.NewFolder(s.folder, false)
	s.Keeper = s.instance()
	return s
}

// instance returns a keeper of another process on the same folder and database.
func (s *kept) instance() *files.Keeper {
	return files.New(files.NewFolder(s.folder, false), s.Service, 1<<30,
		func() time.Time { return time.UnixMilli(s.Clock.Load()) }, slog.New(slog.DiscardHandler))
}

// onDisk lists the files below the folder.
func (s *kept) onDisk(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir(s.folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			name, _ := filepath.Rel(s.folder, path)
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (s *kept) attach(t *testing.T, digest string) {
	t.Helper()
	shoptest.Must(s.AttachFile(t.Context(), shop.FileSubject{Kind: shop.RecordJob, ID: s.job(t)}, shop.AttachFileInput{
		SHA256: input.Given(digest), Name: input.Given("a"), Kind: input.Given("other"), UserID: input.Given("ann"),
	}))
}

func (s *kept) job(t *testing.T) string {
	t.Helper()
	return shoptest.Must(s.CreateJob(t.Context(), shop.CreateJobInput{Name: input.Given("Valve"), GoalQuantity: input.Given(1.0)})).ID
}

// docs/files.md, "Upload and attach": an upload is on disk, once, when the service responds.
func TestUploadKeepsBytes(t *testing.T) {
	t.Parallel()
	s := open(t)
	const text = "as drawn\n"
	file := shoptest.Must(s.Upload(t.Context(), strings.NewReader(text)))
	if file.SHA256 != digestOf(text) || file.Size != 9 || file.Type != "text/plain; charset=utf-8" || file.Existed {
		t.Errorf("kept %+v", file)
	}
	at := filepath.Join(file.SHA256[:2], file.SHA256[2:4], file.SHA256)
	if found := s.onDisk(t); len(found) != 1 || found[0] != at {
		t.Errorf("on disk are %s, want %s", found, at)
	}
	if info := shoptest.Must(os.Stat(filepath.Join(s.folder, at))); info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v", info.Mode())
	}
	_, content, err := s.Keeper.Open(t.Context(), file.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	if got := string(shoptest.Must(io.ReadAll(content))); got != text {
		t.Errorf("handed out %q", got)
	}
	if again := shoptest.Must(s.Upload(t.Context(), strings.NewReader(text))); !again.Existed {
		t.Error("the second upload is told that the bytes were not there")
	}
	if found := s.onDisk(t); len(found) != 1 {
		t.Errorf("on disk are %s", found)
	}
}

// docs/files.md, "Upload and attach": an upload that is cut leaves nothing.
func TestAnUploadThatIsCutLeavesNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	text := strings.Repeat("x", 1<<20)
	cut := io.MultiReader(strings.NewReader(text), iotest.ErrReader(io.ErrUnexpectedEOF))
	_, err := s.Upload(t.Context(), cut)
	if failure, ok := errors.AsType[*files.ReadError](err); !ok || !errors.Is(failure, io.ErrUnexpectedEOF) {
		t.Errorf("refused with %v", err)
	}
	if found := s.onDisk(t); len(found) > 0 {
		t.Errorf("left %s", found)
	}
	if _, _, err := s.Keeper.Open(t.Context(), digestOf(text)); err == nil {
		t.Error("what was cut is handed out")
	}
}

// Simultaneous uploads of the same bytes on two instances all succeed, and exactly one is reported as new.
func TestTheSameBytesAtOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	keepers := []*files.Keeper{s.instance(), s.instance()}
	text := strings.Repeat("bore ", 1<<16)
	var wait sync.WaitGroup
	var mu sync.Mutex
	fresh := 0
	for i := range 8 {
		wait.Go(func() {
			file, err := keepers[i%2].Upload(t.Context(), strings.NewReader(text))
			if err != nil {
				t.Errorf("upload %d: %v", i, err)
			}
			mu.Lock()
			defer mu.Unlock()
			if !file.Existed {
				fresh++
			}
		})
	}
	wait.Wait()
	if fresh != 1 {
		t.Errorf("%d were told that the bytes were not there", fresh)
	}
	if found := s.onDisk(t); len(found) != 1 {
		t.Errorf("on disk are %s", found)
	}
}

// docs/files.md, "Upload and attach": a large file needs as much memory as a small one.
func TestMemoryDoesNotGrowWithTheFile(t *testing.T) {
	s := open(t)
	shoptest.Must(s.Upload(t.Context(), strings.NewReader("warm"))) // allocates buffers that are used again later
	const size = 64 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	shoptest.Must(s.Upload(t.Context(), io.LimitReader(zeros{}, size)))
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > size/8 {
		t.Errorf("%d bytes were allocated for a file of %d", grown, size)
	}
}

type zeros struct{}

func (zeros) Read(piece []byte) (int, error) {
	clear(piece)
	return len(piece), nil
}

func TestTypesComeFromTheBytes(t *testing.T) {
	t.Parallel()
	s := open(t)
	picture := image.NewGray(image.Rect(0, 0, 30, 20))
	var asPNG, asJPEG bytes.Buffer
	shoptest.Must(0, png.Encode(&asPNG, picture))
	shoptest.Must(0, jpeg.Encode(&asJPEG, picture, nil))
	for name, row := range map[string]struct {
		bytes  string
		kind   string
		pixels int64
		inline bool
	}{
		"png":                     {asPNG.String(), "image/png", 600, true},
		"png with a page behind":  {asPNG.String() + "<script>alert(1)</script>", "image/png", 600, true},
		"jpeg":                    {asJPEG.String(), "image/jpeg", 600, true},
		"cut png":                 {asPNG.String()[:20], "image/png", 0, false},
		"svg":                     {`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`, "image/svg+xml", 0, false},
		"html":                    {"<!doctype html><script>alert(1)</script>", "text/html; charset=utf-8", 0, false},
		"pdf":                     {"%PDF-1.7\n%âãÏÓ\n", "application/pdf", 0, true},
		"gcode":                   {"G0 X0 Y0\nG1 X10 F200\n", "text/plain; charset=utf-8", 0, true},
		"zip":                     {"PK\x03\x04\x14\x00\x00\x00\x00\x00", "application/zip", 0, false},
		"nothing":                 {"", "text/plain", 0, true},
		"bytes":                   {"\x00\x01\x02\xff", "application/octet-stream", 0, false},
		"png of ten gigapixels":   {bomb(100_000, 100_000), "image/png", 10_000_000_000, false},
		"png of sixty megapixels": {bomb(10_000, 6_000), "image/png", 60_000_000, true},
	} {
		file := shoptest.Must(s.Upload(t.Context(), strings.NewReader(row.bytes)))
		if file.Type != row.kind || file.Pixels != row.pixels || file.Inline() != row.inline {
			t.Errorf("%s: %s, %d pixels, inline %t", name, file.Type, file.Pixels, file.Inline())
		}
	}
}

// bomb returns the header of a PNG with these dimensions: a few bytes that claim gigabytes of pixels.
func bomb(width, height uint32) string {
	head := []byte("IHDR")
	head = binary.BigEndian.AppendUint32(head, width)
	head = binary.BigEndian.AppendUint32(head, height)
	head = append(head, 8, 0, 0, 0, 0)
	text := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d")
	text = append(text, head...)
	return string(binary.BigEndian.AppendUint32(text, crc32.ChecksumIEEE(head)))
}

// Run removes files that have not been attached for a day, and remains of uploads.
func TestRunRemovesWhatNobodyAttached(t *testing.T) {
	t.Parallel()
	s := open(t)
	attached := shoptest.Must(s.Upload(t.Context(), strings.NewReader("attached")))
	s.attach(t, attached.SHA256)
	shoptest.Must(s.Upload(t.Context(), strings.NewReader("forgotten")))
	aside := shoptest.Must(s.place.Aside())
	shoptest.Must(0, aside.Close())
	shoptest.Must(0, os.Chtimes(aside.Name(), time.Time{}, time.UnixMilli(s.Clock.Load())))
	var left []int
	s.Run(t.Context(), func(_ context.Context, wait time.Duration) error {
		left = append(left, len(s.onDisk(t)))
		s.Clock.Add(wait.Milliseconds() * 143) // a little less than a day
		if len(left) == 3 {
			return context.Canceled
		}
		return nil
	})
	if want := []int{3, 3, 1}; len(left) != 3 || left[0] != want[0] || left[1] != want[1] || left[2] != want[2] {
		t.Errorf("%v files were there, want %v", left, want)
	}
	if _, _, err := s.Keeper.Open(t.Context(), attached.SHA256); err != nil {
		t.Error(err)
	}
	if _, _, err := s.Keeper.Open(t.Context(), digestOf("forgotten")); err == nil {
		t.Error("the forgotten file is still handed out")
	}
}

func TestCheckFindsWhatIsMissingOrAltered(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, text := range []string{"good", "missing", "altered"} {
		s.attach(t, shoptest.Must(s.Upload(t.Context(), strings.NewReader(text))).SHA256)
	}
	shoptest.Must(0, os.Remove(shoptest.Must(s.place.Path(digestOf("missing")))))
	shoptest.Must(0, os.WriteFile(shoptest.Must(s.place.Path(digestOf("altered"))), []byte("ALTERED"), 0o600))
	var found []string
	done, err := files.Check(t.Context(), s.place, s.KeptFiles(t.Context()), func(digest, why string) {
		found = append(found, map[string]string{digestOf("missing"): "missing", digestOf("altered"): "altered"}[digest])
	})
	if err != nil || done.Files != 3 || len(found) != 2 || found[0] == found[1] || found[0] == "" || found[1] == "" {
		t.Errorf("%+v, %v, %v", done, found, err)
	}
	if _, _, err := s.Keeper.Open(t.Context(), digestOf("missing")); err == nil {
		t.Error("bytes that are missing are handed out")
	}
}

func TestPruneRemovesWhatTheDatabaseDoesNotKnow(t *testing.T) {
	t.Parallel()
	s := open(t)
	known := shoptest.Must(s.Upload(t.Context(), strings.NewReader("known")))
	aside := shoptest.Must(s.place.Aside())
	shoptest.Must(aside.WriteString("unknown"))
	shoptest.Must(0, aside.Close())
	shoptest.Must(0, s.place.Keep(t.Context(), aside.Name(), digestOf("unknown")))
	for round, want := range []int{1, 0} {
		removed := 0
		shoptest.Must(0, files.Prune(t.Context(), s.place, s.Service, func(stored files.Stored) {
			removed++
			if stored.Digest != digestOf("unknown") {
				t.Errorf("removed %s", stored.Digest)
			}
		}))
		if removed != want {
			t.Errorf("round %d: %d removed", round, removed)
		}
	}
	if _, _, err := s.Keeper.Open(t.Context(), known.SHA256); err != nil {
		t.Error(err)
	}
	if file := shoptest.Must(s.Upload(t.Context(), strings.NewReader("unknown"))); file.Existed {
		t.Error("what was removed is said to be there")
	}
}

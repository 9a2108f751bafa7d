package web_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
)

// bigFile sends the page's form with a generated file, which the test does not store. It calls each with the number of every line.
func (v *visitor) bigFile(form posted, head, line string, lines int, each func(sent int)) *visitor {
	v.t.Helper()
	begin := new(bytes.Buffer)
	parts, _ := v.formWithFile(begin, form)
	sent, rest := 0, ""
	file := readerFunc(func(p []byte) (int, error) {
		if rest == "" {
			if sent == lines {
				return 0, io.EOF
			}
			sent, rest = sent+1, line
			each(sent)
		}
		n := copy(p, rest)
		rest = rest[n:]
		return n, nil
	})
	end := strings.NewReader("\r\n--" + parts.Boundary() + "--\r\n")
	request := httptest.NewRequest(http.MethodPost, form.action, io.MultiReader(begin, strings.NewReader(head), file, end))
	request.Header.Set("Content-Type", parts.FormDataContentType())
	return v.send(request)
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// docs/api/clients.md, "Imports": While a form uploads a file of 60 MiB, only small parts of the file are in memory: the upload goes to
// disk, and the rows are read one by one. The test measures the whole process, so it does not run in parallel.
func TestLargestFileOnThePage(t *testing.T) { //nolint:paralleltest // see above
	const size, limit = 60 << 20, 24 << 20
	s := openShop(t)
	v := s.works("Dana")
	form, _ := v.importForm("users", "look", "")
	line := "Ann,1," + strings.Repeat("x", 1000) + "\n"
	lines := size / len(line)
	inUse := func() uint64 {
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		return memory.HeapAlloc
	}
	before, peak := inUse(), uint64(0)
	measured := 0
	form = form.with("column", "name", "column", "externalId", "column", "rest", "is", "name", "is", "externalId", "is", "")
	v.bigFile(form, "name,externalId,rest\n", line, lines, func(sent int) {
		if sent >= (measured+1)*lines/8 {
			measured++
			peak = max(peak, inUse())
		}
	})
	v.says(fmt.Sprintf("%s rows: 1 created, 0 changed, %s unchanged.", grouped(lines), grouped(lines-1)))
	if measured < 8 {
		t.Errorf("measured %d times", measured)
	}
	if grown := int64(peak) - int64(before); grown > limit {
		t.Errorf("the heap grew by %d MiB while the file was received", grown>>20)
	}
}

// grouped formats a number as pages do.
func grouped(n int) string { return fmt.Sprintf("%d\u202f%03d", n/1000, n%1000) }

package web_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
)

// haltingJobs is a store that blocks before it creates the 1,001st job of a transaction.
type haltingJobs struct {
	sqlstore.Store
	reached, wait chan struct{}
}

func (h *haltingJobs) Update(ctx context.Context, change func(shop.Tx) error, options ...shop.UpdateOption) error {
	return h.Store.Update(ctx, func(tx shop.Tx) error { return change(&haltingJobsTx{Tx: tx, of: h}) }, options...)
}

type haltingJobsTx struct {
	shop.Tx
	of   *haltingJobs
	made int
}

func (tx *haltingJobsTx) InsertJob(job shop.Job) error {
	if tx.made++; tx.made == 1001 {
		close(tx.of.reached)
		<-tx.of.wait
	}
	return tx.Tx.InsertJob(job)
}

// docs/api/clients.md, "Imports": During an import, a request with the key of its form returns the number of rows processed so far.
func TestProgressOfAnImport(t *testing.T) {
	t.Parallel()
	h := &haltingJobs{reached: make(chan struct{}), wait: make(chan struct{})}
	s := openShopOn(t, func(store sqlstore.Store) sqlstore.Store {
		h.Store = store
		return h
	})
	ann, bob := s.works("Ann"), s.works("Bob")
	file := new(strings.Builder)
	file.WriteString("name,goalQuantity\n")
	for i := range 1500 {
		fmt.Fprintf(file, "Job %d,1\n", i)
	}
	form, _ := ann.importForm("jobs", "import", file.String())
	key := form.values.Get("once")
	bob.progress(key, "")
	done := make(chan struct{})
	go func() {
		defer close(done)
		ann.sendFile(form, file.String())
	}()
	<-h.reached
	bob.progress(key, "1\u202f000 of 1\u202f500 rows")
	close(h.wait)
	<-done
	ann.says("1\u202f500 created")
	bob.progress(key, "")
}

// If a second administrator has to sign an operation, an import cannot perform it, and the preview already says so. Operations that need no
// signature are performed.
func TestImportOfWhatIsSigned(t *testing.T) {
	t.Parallel()
	s, boss, olaf := openTwoAdministrators(t)
	name := func() string {
		user, err := s.service.User(t.Context(), olaf)
		s.must(err)
		return user.Name
	}
	before := name()
	file := "id,name\n" + olaf + ",Another name\n"
	for _, onRefusal := range []string{"none", "each"} {
		for _, do := range []string{"look", "import", "errors"} {
			form, _ := boss.visit("/import?kind=users").importForm("users", do, file)
			form.values.Set("onRefusal", onRefusal)
			boss.sendFile(form, file).says("These rows have to be signed or confirmed, which a file cannot be. Nothing was done")
			if boss.page.status != http.StatusForbidden || name() != before {
				t.Errorf("%s, %s: status %d, and the name is %s", do, onRefusal, boss.page.status, name())
			}
		}
	}
	s.operator("Name of nobody")
	boss.visit("/import?kind=users").bring("users", "import", "name\nSomebody new\n").says("1 created")
}

// Columns are matched by position. This holds even if a name has two lines, which browsers send with other line endings, or if two columns
// have the same name and one of them is ignored.
func TestImportColumnsByPlace(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.works("Dana")
	const file = "\"Part\nname\",Count,Count,\nLid,99,5,\n"
	byHand := []string{"column", "Part\r\nname", "is", "name", "column", "Count", "is", "", "column", "Count", "is", "goalQuantity", "column", "", "is", "?"}
	v.visit("/import").bring("jobs", "look", file, byHand...).says("1 row: 1 created")
	v.visit("/import").bring("jobs", "import", file, byHand...).says("1 created, 0 changed, 0 unchanged.")
	jobs := func() (goals []int64) {
		for job, err := range s.service.Jobs(t.Context()) {
			s.must(err)
			goals = append(goals, job.GoalQuantity)
		}
		return goals
	}
	if goals := jobs(); len(goals) != 1 || goals[0] != 5 {
		t.Errorf("the goals are %v", goals)
	}
	// When two columns have the same name, the page ignores the remembered assignment of that name.
	form, _ := v.visit("/import").importForm("jobs", "look", file)
	form.values.Set("known", `{"Part\nname": "name", "Count": ""}`)
	v.sendFile(form, file).says("Nobody knows the column Count.")
	form, _ = v.visit("/import").importForm("jobs", "look", file)
	form.values.Set("known", `{"Part\nname": "name", "Count": "goalQuantity"}`)
	v.sendFile(form, "\"Part\r\nname\",Count\nLid,5\n").says("1 row: 1 created")
	// The column with the errors is never imported.
	v.visit("/import").bring("jobs", "look", "name,error\nLid,5\n", "column", "name", "is", "name", "column", "error", "is", "goalQuantity").
		says("Please fill in Goal quantity.")
}

// docs/api/clients.md, "Imports": An import accepts only the file that was previewed, with the same assignment of columns.
func TestImportOfAnotherFile(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.works("Dana")
	const file, other = "name,goalQuantity,customer\nLid,5,Acme\n", "name,goalQuantity,customer\nPin,5,Acme\n"
	v.bring("jobs", "look", file).says("1 row: 1 created")
	looked := v.page
	form, _ := v.importForm("jobs", "import", other)
	v.sendFile(form, other).says("The file or its columns differ from the previewed ones.")
	if v.page.status != http.StatusPreconditionFailed {
		t.Errorf("status %d", v.page.status)
	}
	v.page = looked
	form, _ = v.importForm("jobs", "import", file)
	form.values["column"], form.values["is"] = []string{"name", "goalQuantity", "customer"}, []string{"name", "goalQuantity", ""}
	v.sendFile(form, file).says("The file or its columns differ from the previewed ones.")
	v.page = looked
	form, _ = v.importForm("jobs", "import", file)
	form.values.Set("charset", "windows-1252")
	v.sendFile(form, file).says("The file or its columns differ from the previewed ones.")
	if made := s.jobs(); len(made) != 0 {
		t.Errorf("there are %q", made)
	}
	v.page = looked
	form, _ = v.importForm("jobs", "import", file)
	v.sendFile(form, file).says("1 created")
}

// A workbook is recognized as a workbook, whatever encoding the user chooses. It is never unpacked.
func TestImportOfAWorkbook(t *testing.T) {
	t.Parallel()
	v := openShop(t).works("Dana")
	for _, file := range []string{"PK\x03\x04\x14\x00rest", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"} {
		for _, charset := range []string{"utf-8", "windows-1252"} {
			form, _ := v.visit("/import").importForm("jobs", "look", file)
			form.values.Set("charset", charset)
			v.sendFile(form, file).says("The file is a workbook. Save it as CSV")
		}
	}
}

// A form with too many fields is refused, however short the fields are.
func TestImportWithManyFields(t *testing.T) {
	t.Parallel()
	v := openShop(t).works("Dana")
	form, _ := v.visit("/import").importForm("jobs", "look", "")
	for i := range 40_000 {
		form.values.Add(fmt.Sprint("x", i), "")
	}
	v.sendFile(form, "name\n").says("That is too much for one form.")
}

// An upload leaves no file, whether it was accepted, refused or interrupted. The test checks all open files of the process, so it
// does not run in parallel.
func TestImportLeavesNoFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system does not tell which files a process has open")
	}
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	s := openShop(t)
	v := s.works("Dana")
	form, _ := v.importForm("jobs", "look", "")
	open := func() (files []string) {
		fds, err := filepath.Glob("/proc/self/fd/*")
		s.must(err)
		for _, fd := range fds {
			if name, err := os.Readlink(fd); err == nil && strings.Contains(name, "routecard-import") {
				files = append(files, name)
			}
		}
		return files
	}
	long := "name,goalQuantity\n" + strings.Repeat("Lid,1\n", 100_000)
	during := 0
	for _, broken := range []bool{false, true} {
		in, out := io.Pipe()
		parts := multipart.NewWriter(out)
		go func() {
			_ = parts.WriteField("do", "look")
			_ = parts.WriteField("onRefusal", "each")
			part, err := parts.CreateFormFile("file", "orders.csv")
			if err == nil {
				_, err = io.WriteString(part, long)
			}
			during = max(during, len(open()))
			switch {
			case err != nil || broken:
				out.CloseWithError(errors.Join(err, io.ErrUnexpectedEOF))
			default:
				out.CloseWithError(parts.Close())
			}
		}()
		request := httptest.NewRequest(http.MethodPost, form.action, in)
		request.Header.Set("Content-Type", parts.FormDataContentType())
		v.send(request).says(map[bool]string{false: "100\u202f000 rows", true: "The form could not be read"}[broken])
		if left := open(); len(left) > 0 {
			t.Errorf("broken off: %t: %q is open", broken, left)
		}
	}
	if during == 0 {
		t.Error("no upload was ever in a file")
	}
	if left, err := filepath.Glob(folder + "/routecard-import*"); err != nil || len(left) > 0 {
		t.Errorf("%q are left, %v", left, err)
	}
}

// readThen is a body that calls a function when a part of it has been read.
type readThen struct {
	begin, rest io.Reader
	then        func()
}

func (r *readThen) Read(piece []byte) (int, error) {
	if n, err := r.begin.Read(piece); n > 0 || !errors.Is(err, io.EOF) {
		return n, err
	}
	if r.then != nil {
		r.then()
		r.then = nil
	}
	return r.rest.Read(piece)
}

// If a visitor signs out before the rest of a file arrives, the file is not imported.
func TestFileOfAnEndedSession(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	s.person("paul", "planner")
	v := s.signedIn("paul")
	other := s.visitor()
	other.cookies = maps.Clone(v.cookies)
	form := posted{"/import/jobs", map[string][]string{"do": {"import"}}}
	request := v.fileRequest(form, "name,goalQuantity\nLid,1\n")
	whole, err := io.ReadAll(request.Body)
	s.must(err)
	request.Body = io.NopCloser(&readThen{bytes.NewReader(whole[:len(whole)-30]), bytes.NewReader(whole[len(whole)-30:]), func() {
		other.visit("/me").press("Sign out")
	}})
	if answer := v.ask(request); answer.Code != http.StatusSeeOther || !strings.HasPrefix(answer.Header().Get("Location"), "/sign-in") {
		t.Errorf("answered %d to %q", answer.Code, answer.Header().Get("Location"))
	}
	if jobs := s.jobs(); len(jobs) > 0 {
		t.Errorf("imported %q", jobs)
	}
}

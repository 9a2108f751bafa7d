package sealer_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	fnote "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/ledger"
)

// witness implements C2SP's tlog-witness, with an external library for its cosignatures.
type witness struct {
	*httptest.Server
	t      *testing.T
	key    string
	signer *fnote.Signer
	log    note.Verifier

	mu   sync.Mutex
	size int64
	root tlog.Hash
	// instead, if set, responds instead of the witness.
	instead http.HandlerFunc
}

func newWitness(t *testing.T, name string) *witness {
	t.Helper()
	secret, public, err := note.GenerateKey(rand.Reader, name)
	if err != nil {
		t.Fatal(err)
	}
	w := &witness{t: t}
	if w.signer, err = fnote.NewSignerForCosignatureV1(secret); err == nil {
		w.key, err = fnote.VKeyToCosignatureV1(public)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.Server = httptest.NewServer(http.HandlerFunc(w.add))
	t.Cleanup(w.Close)
	return w
}

func (w *witness) add(answer http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	if instead := w.instead; instead != nil {
		w.mu.Unlock()
		instead(answer, r)
		return
	}
	defer w.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	head, signed, found := strings.Cut(string(body), "\n\n")
	lines := strings.Split(head, "\n")
	oldText, isOld := strings.CutPrefix(lines[0], "old ")
	old, err := strconv.ParseInt(oldText, 10, 64)
	if r.Method != http.MethodPost || r.URL.Path != "/add-checkpoint" || !found || !isOld || err != nil || len(lines) > 64 {
		http.Error(answer, "malformed", http.StatusBadRequest)
		return
	}
	opened, err := note.Open([]byte(signed), note.VerifierList(w.log))
	if err != nil {
		http.Error(answer, "not the log's signature", http.StatusForbidden)
		return
	}
	checkpoint, err := ledger.ParseCheckpoint(opened.Text)
	switch {
	case err != nil || old > checkpoint.Size:
		http.Error(answer, "malformed", http.StatusBadRequest)
		return
	case old != w.size:
		answer.Header().Set("Content-Type", "text/x.tlog.size")
		answer.WriteHeader(http.StatusConflict)
		fmt.Fprintf(answer, "%d\n", w.size)
		return
	}
	var proof tlog.TreeProof
	for _, line := range lines[1:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			http.Error(answer, "malformed", http.StatusBadRequest)
			return
		}
		proof = append(proof, hash)
	}
	switch {
	case old == checkpoint.Size && len(proof) == 0 && w.root == checkpoint.Root, old == 0 && len(proof) == 0:
	case old == 0 || old == checkpoint.Size || tlog.CheckTree(proof, checkpoint.Size, checkpoint.Root, old, w.root) != nil:
		http.Error(answer, "the proof does not hold", http.StatusUnprocessableEntity)
		return
	}
	w.size, w.root = checkpoint.Size, checkpoint.Root
	cosigned, err := note.Sign(&note.Note{Text: opened.Text}, w.signer)
	if err != nil {
		w.t.Error(err)
	}
	_, lineText, _ := strings.Cut(string(cosigned), "\n\n")
	fmt.Fprint(answer, lineText)
}

// answers replaces the handler of the witness.
func (w *witness) answers(instead http.HandlerFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.instead = instead
}

func TestWitnesses(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	one, two := newWitness(t, "one.example"), newWitness(t, "two.example")
	down := newWitness(t, "down.example")
	down.Close()
	refusing := newWitness(t, "refusing.example")
	refusing.answers(http.NotFound)
	_, other, err := note.GenerateKey(rand.Reader, "other.example")
	b.must(err)
	refusing.log, err = note.NewVerifier(other)
	b.must(err)
	text := fmt.Sprintf("witness w1 %s %s\nwitness w2 %s %s\nwitness w3 %s %s\nwitness w4 %s %s\ngroup enough 2 w1 w2 w3 w4\nquorum enough\n",
		one.key, one.URL, two.key, two.URL, down.key, down.URL, refusing.key, refusing.URL)
	policy, err := ledger.ParsePolicy([]byte(text))
	b.must(err)
	anchors := t.TempDir()
	s := b.start(func(c *sealer.Config) { c.Policy, c.AnchorFolder = policy, anchors })
	one.log, err = note.NewVerifier(s.Status().VerifierKeys[0])
	b.must(err)
	two.log = one.log

	for _, count := range []int{300, 500, 0} {
		b.append(count)
		b.until(s)
		b.must(s.Witness(t.Context()))
		signed, err := s.Cosigned(t.Context())
		b.must(err)
		witnesses, enough := policy.Judge(signed)
		if !enough || witnesses[0].At.IsZero() || witnesses[1].At.IsZero() || !witnesses[2].At.IsZero() {
			t.Errorf("%+v", witnesses)
		}
	}
	status := s.Status().Witnesses
	if status[0].Size != 800 || status[0].Problem != "" || status[2].Problem == "" || status[3].Problem == "" {
		t.Errorf("%+v", status)
	}
	b.must(s.Anchor(t.Context()))
	if files, err := os.ReadDir(anchors); err != nil || len(files) != 1 {
		t.Errorf("%v %v", files, err)
	} else if content, err := os.ReadFile(filepath.Join(anchors, files[0].Name())); err != nil || !strings.Contains(string(content), "\n800\n") {
		t.Errorf("%s %v", content, err)
	}
	// A restarted service does not know the last size that each witness saw, and asks for it.
	s.stop()
	s = b.start(func(c *sealer.Config) { c.Policy = policy })
	b.append(10)
	b.until(s)
	b.must(s.Witness(t.Context()))
	if one.size != 810 || two.size != 810 {
		t.Errorf("they know %d and %d", one.size, two.size)
	}
	// A witness that has seen a larger log than the present one reports that history was removed.
	one.size = 5000
	b.append(1)
	b.until(s)
	b.must(s.Witness(t.Context()))
	if problem := s.Status().Witnesses[0].Problem; !strings.Contains(problem, "it has seen 5000 entries") {
		t.Errorf("it says %q", problem)
	}
}

// until waits until all entries are sealed.
func (b *workbench) until(s *running) {
	b.Helper()
	s.until("sealed", func(status sealer.Status) bool {
		behind, err := s.Behind(b.Context())
		return err == nil && behind == 0 && status.Checked && status.Size > 0
	})
}

// A witness that never responds delays nothing.
func TestSlowWitness(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	slow := newWitness(t, "slow.example")
	reached, end := make(chan struct{}, 1), make(chan struct{})
	slow.answers(func(_ http.ResponseWriter, r *http.Request) {
		reached <- struct{}{}
		select {
		case <-end:
		case <-r.Context().Done():
		}
	})
	policy, err := ledger.ParsePolicy([]byte("witness w " + slow.key + " " + slow.URL + "\nquorum w\n"))
	b.must(err)
	s := b.start(func(c *sealer.Config) { c.Policy = policy })
	b.append(1)
	s.sealed(1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- s.Witness(ctx) }()
	<-reached
	b.append(5)
	s.sealed(6)
	cancel()
	close(end)
	b.must(<-done)
	if problem := s.Status().Witnesses[0].Problem; problem == "" {
		t.Error("nothing is said of it")
	}
}

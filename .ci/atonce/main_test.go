package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestTestsAtOnce(t *testing.T) {
	t.Parallel()
	with, without := t.TempDir(), t.TempDir()
	for folder, text := range map[string]string{
		with: `package p
func TestGo(t *testing.T) { go work() }
func TestGroup(t *testing.T) { for range 2 { group.Go(work) } }
func TestBubble(t *testing.T) { synctest.Test(t, work) }
func TestThroughAHelper(t *testing.T) { newServer(t).run() }
func TestHandedOn(t *testing.T) { each(t, crowd) }
func TestReflected(t *testing.T) { method.Call(nil) }
func TestAlone(t *testing.T) { t.Run("alone", work); newServer(t) }
func TestMain(m *testing.M) { go work() }
func (s *server) run() { s.start() }
func (s *server) start() { go s.serve() }
func crowd() { go work() }
func newServer(t *testing.T) *server { return &server{} }
func recursive() { recursive() }
func TestRecursive(t *testing.T) { recursive() }
`,
		without: `package p
func TestLikeTheOthers(t *testing.T) { start() }
`,
	} {
		if err := os.WriteFile(filepath.Join(folder, "p_test.go"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names, folders, err := testsAtOnce([]string{without, with})
	want := []string{"TestBubble", "TestGo", "TestGroup", "TestHandedOn", "TestReflected", "TestThroughAHelper"}
	if err != nil || !slices.Equal(names, want) || !slices.Equal(folders, []string{with}) {
		t.Errorf("%q in %q, %v", names, folders, err)
	}
}

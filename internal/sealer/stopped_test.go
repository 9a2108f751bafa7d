package sealer_test

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

func alone(config *sealer.Config) { config.Alone = true }

// verified verifies the database. It returns the findings, one a line, and the remarks.
func (b *workbench) verified() (findings string, told []shop.EntriesFound) {
	b.Helper()
	var result *sealer.Verified
	b.must(b.store.View(b.Context(), func(tx shop.Reader) (err error) {
		result, err = sealer.Verify(tx, sealer.Evidence{StateFile: sealer.StateFile(b.key)})
		return err
	}))
	var lines []string
	for _, finding := range result.Findings {
		if strings.Contains(finding.Text, "stopped") {
			lines = append(lines, finding.Text)
		}
	}
	return strings.Join(lines, "\n"), result.Unwitnessed
}

// killed makes a stop look like a kill of the service.
func (b *workbench) killed() {
	b.Helper()
	b.must(sealer.RemoveMarks(b.Context(), b.store, []string{b.key}))
}

func (b *workbench) last() (last int64) {
	b.Helper()
	b.must(b.store.View(b.Context(), func(tx shop.Reader) (err error) {
		last, err = tx.LastAuditSequence()
		return err
	}))
	return last
}

func TestEntriesWrittenWhileTheServiceWasStopped(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.start(alone)
	b.append(30)
	s.sealed(30)
	s.stop()
	s = b.start(alone)
	s.sealed(30)
	if _, err := os.Stat(sealer.MarkFile(b.key)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a service that runs has a mark: %v", err)
	}
	b.append(5)
	s.sealed(35)
	s.stop()
	s = b.start(alone)
	s.sealed(35)
	if s.Degraded() != "" || b.last() != 35 {
		t.Errorf("stopped and started in order: %q, %d entries", s.Degraded(), b.last())
	}
	s.stop()

	b.append(2)
	want := "written while the service was stopped: aud_0000000000000036 to aud_0000000000000037"
	for range 2 { // and at the start after it
		s = b.start(alone)
		status := s.sealed(38)
		if s.Degraded() != "ledger: "+want || !status.Wrong() || status.Trouble != "" {
			t.Errorf("%q, %+v", s.Degraded(), status)
		}
		s.stop()
		if findings, told := b.verified(); findings != want || told != nil {
			t.Errorf("%q, %v", findings, told)
		}
	}

	// An acceptance that was itself written while the service was stopped accepts nothing.
	b.must(b.store.Update(t.Context(), func(tx shop.Tx) error {
		return tx.AppendAudit(shop.LedgerRestarted(shop.LedgerRestart{Reason: "nothing"}, "otto", ident.TimestampOf(b.now())))
	}))
	s = b.start(alone)
	s.sealed(40)
	s.stop()
	forged := want + "\nwritten while the service was stopped: aud_0000000000000039 to aud_0000000000000039"
	if findings, _ := b.verified(); findings != forged {
		t.Errorf("a forged acceptance: %q", findings)
	}

	config := b.config()
	config.Alone = true
	_, err := sealer.Accept(t.Context(), config, "we wrote them by hand", "root")
	b.must(err)
	s = b.start(alone)
	s.sealed(41)
	if s.Degraded() != "" || s.Status().Wrong() {
		t.Errorf("accepted: %q", s.Degraded())
	}
	s.stop()
	if findings, told := b.verified(); findings != "" || told != nil {
		t.Errorf("accepted: %q, %v", findings, told)
	}

	// Entries between an acceptance and the start after it are found too.
	_, err = sealer.Accept(t.Context(), config, "again", "root")
	b.must(err)
	b.append(1)
	s = b.start(alone)
	s.sealed(44)
	if !strings.Contains(s.Degraded(), "aud_0000000000000043 to aud_0000000000000043") {
		t.Errorf("after an acceptance: %q", s.Degraded())
	}
}

// A service that was killed leaves no mark. It is then unknown whether the last entries are its own, so they are no finding.
func TestNoMark(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.start(alone)
	b.append(30)
	s.sealed(30)
	s.stop()
	b.append(2)
	b.killed()
	s = b.start(alone)
	s.sealed(33)
	if s.Degraded() != "" || s.Status().Wrong() {
		t.Errorf("%q", s.Degraded())
	}
	s.stop()
	want := shop.EntriesFound{First: "aud_0000000000000031", Last: "aud_0000000000000032", Written: shop.WrittenUnknown}
	if findings, told := b.verified(); findings != "" || len(told) != 1 || told[0] != want {
		t.Errorf("%q, %v", findings, told)
	}
	b.killed()
	s = b.start(alone)
	s.sealed(33)
	s.stop()
	if b.last() != 33 {
		t.Error("killed when everything was sealed: nothing is to be told")
	}
	// A mark that the key did not sign is ignored.
	b.append(1)
	b.must(os.WriteFile(sealer.MarkFile(b.key), []byte("routecard stop mark v1\n"), 0o600))
	b.start(alone).sealed(35)
	// If others may write while the service is stopped, there is no mark, and entries of others are no finding.
	other := newBench(t)
	s = other.start()
	other.append(3)
	s.sealed(3)
	s.stop()
	other.append(1)
	s = other.start()
	s.sealed(4)
	if _, err := os.Stat(sealer.MarkFile(other.key)); s.Degraded() != "" || err == nil {
		t.Errorf("%q, %v", s.Degraded(), err)
	}
}

// Requests that were cut off may commit later, so such a stop writes no mark.
func TestCutOffIsNotMarked(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.start(alone)
	b.append(3)
	s.sealed(3)
	s.CutOff()
	s.stop()
	if _, err := os.Stat(sealer.MarkFile(b.key)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is marked: %v", err)
	}
}

// The database records that a stop has a mark. If the mark file is removed, verify and each later start report that until it is accepted.
func TestRemovedMarkIsFound(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.start(alone)
	b.append(3)
	s.sealed(3)
	s.stop()
	missing := func() (findings []string) {
		t.Helper()
		var result *sealer.Verified
		evidence := sealer.Evidence{StateFile: sealer.StateFile(b.key), MissingMark: sealer.MissingMark(b.key)}
		b.must(b.store.View(t.Context(), func(tx shop.Reader) (err error) {
			result, err = sealer.Verify(tx, evidence)
			return err
		}))
		for _, finding := range result.Findings {
			findings = append(findings, finding.Text)
		}
		return findings
	}
	if found := missing(); found != nil {
		t.Errorf("with the mark: %q", found)
	}
	b.must(os.Remove(sealer.MarkFile(b.key)))
	want := "the mark of the stop after 3 entries was removed: the database says that it was written next to the key"
	for range 3 { // before the next start, and after each of two
		if found := missing(); len(found) != 1 || found[0] != want {
			t.Errorf("without the mark: %q", found)
		}
		s = b.start(alone)
		s.sealed(3)
		if s.Degraded() != "ledger: "+want {
			t.Errorf("degraded: %q", s.Degraded())
		}
		s.stop()
	}
	config := b.config()
	config.Alone = true
	_, err := sealer.Accept(t.Context(), config, "the folder was cleaned up", "root")
	b.must(err)
	s = b.start(alone)
	s.sealed(b.last())
	if s.Degraded() != "" {
		t.Errorf("accepted: %q", s.Degraded())
	}
	s.stop()
	if found := missing(); found != nil {
		t.Errorf("accepted: %q", found)
	}
}

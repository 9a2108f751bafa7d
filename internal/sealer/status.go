package sealer

import (
	"context"
	"slices"
	"time"

	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// Status is the state of the ledger.
type Status struct {
	Origin       string
	VerifierKeys []string
	Size         int64            // the number of sealed entries
	SealedUntil  ident.Timestamp  // the time of the newest sealed entry; 0 if there is none
	StartedWith  int64            // the number of entries from before the ledger
	Tree         int64            // the number of times that the ledger was begun
	Checked      bool             // whether the trail was compared with the last signature since this start
	Trouble      string           // the reason why nothing is signed; "" if everything is in order
	Failing      string           // the last error, which is being retried
	Verified     int64            // the number of entries that the last verification proved
	VerifiedAt   time.Time        // the time of the last verification; zero if there was none since the start
	Findings     []ledger.Finding // the findings of the last verification
	Refusals     int64            // the number of findings that kept the sealer from signing
	Failures     int64            // the number of verifications with findings
	Witnesses    []WitnessStatus
}

// WitnessStatus is the state of one witness.
type WitnessStatus struct {
	Name    string
	Size    int64     // the size of the last checkpoint that the witness cosigned
	At      time.Time // when
	Problem string    // the reason why the witness has not cosigned since
}

// Wrong reports whether users must see that something is wrong with the trail.
func (s Status) Wrong() bool { return s.Trouble != "" || len(s.Findings) > 0 }

// Status returns the current state of the ledger.
func (s *Sealer) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Status{
		Origin: s.log.Origin, VerifierKeys: s.namedKeys(), Size: s.sealed, SealedUntil: s.until, StartedWith: s.started,
		Tree: s.log.Number, Checked: s.checked, Trouble: s.trouble, Failing: s.failing,
		Verified: s.figures.verified, VerifiedAt: s.figures.lastFull, Findings: slices.Concat(s.figures.findings, s.accused),
		Refusals: s.figures.refused, Failures: s.figures.failures, Witnesses: slices.Clone(s.witnesses),
	}
}

// namedKeys returns the verifier keys under the current name of the log.
func (s *Sealer) namedKeys() []string {
	named := make([]string, 0, len(s.keys))
	for _, key := range s.keys {
		if text, err := ledger.RenameKey(key, s.log.Origin); err == nil {
			named = append(named, text)
		}
	}
	return named
}

// Behind returns the number of entries that are committed but not sealed yet.
func (s *Sealer) Behind(ctx context.Context) (behind int64, err error) {
	err = s.config.Store.View(ctx, func(tx shop.Reader) error {
		newest, err := tx.LastAuditSequence()
		behind = max(0, newest-s.Size())
		return err
	})
	return behind, err
}

// Lag returns the number of entries that are committed but not sealed, and the time for which the oldest of them has waited.
func (s *Sealer) Lag(ctx context.Context) (behind int64, waited time.Duration, err error) {
	err = s.config.Store.View(ctx, func(tx shop.Reader) error {
		sealed := s.Size()
		newest, err := tx.LastAuditSequence()
		if behind = max(0, newest-sealed); err != nil || behind == 0 {
			return err
		}
		next, err := tx.AuditAfter(sealed, 1)
		if err == nil && len(next) == 1 {
			waited = max(0, s.config.Clock().Sub(next[0].Timestamp.Time()))
		}
		return err
	})
	return behind, waited, err
}

// record stores the result of a verification of everything.
func (s *Sealer) record(report *ledger.Report) {
	s.mu.Lock()
	s.figures.lastFull = s.config.Clock()
	s.figures.verified = report.Sealed
	s.figures.findings = report.Findings
	if !report.OK() {
		s.figures.failures++
	}
	s.mu.Unlock()
	for _, finding := range report.Findings {
		s.config.Logger.Error("the audit trail is not what was sealed", "kind", finding.Kind, "what", finding.Text)
	}
}

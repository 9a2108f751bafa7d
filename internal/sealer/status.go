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
	Size         int64            // entries that are sealed
	SealedUntil  ident.Timestamp  // of the newest of them; 0 for none
	StartedWith  int64            // entries that were there before the ledger
	Tree         int64            // how often it was begun
	Checked      bool             // whether the trail was compared with the last signature since this start
	Trouble      string           // why nothing is signed; "" when all is well
	Failing      string           // what went wrong and is tried again
	Verified     int64            // entries that the last verification proved
	VerifiedAt   time.Time        // when it was; zero for never since the start
	Findings     []ledger.Finding // what it found
	Refusals     int64            // how often something kept the sealer from signing
	Failures     int64            // how often a verification found something
	Witnesses    []WitnessStatus
}

// WitnessStatus is the state of one witness.
type WitnessStatus struct {
	Name    string
	Size    int64     // what it cosigned last
	At      time.Time // when
	Problem string    // why not since
}

// Wrong reports whether users must see that something is wrong with the trail.
func (s Status) Wrong() bool { return s.Trouble != "" || len(s.Findings) > 0 }

// Status returns the present state of the ledger.
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

// namedKeys are the verifier keys under the name that the log has now.
func (s *Sealer) namedKeys() []string {
	named := make([]string, 0, len(s.keys))
	for _, key := range s.keys {
		if text, err := ledger.RenameKey(key, s.log.Origin); err == nil {
			named = append(named, text)
		}
	}
	return named
}

// Behind counts the entries that are committed and not sealed yet.
func (s *Sealer) Behind(ctx context.Context) (behind int64, err error) {
	err = s.config.Store.View(ctx, func(tx shop.Reader) error {
		newest, err := tx.LastAuditSequence()
		behind = max(0, newest-s.Size())
		return err
	})
	return behind, err
}

// Lag is how many entries are committed and not sealed, and how long the oldest of them has waited.
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

// record keeps what a verification of everything found.
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

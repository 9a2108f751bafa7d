package sealer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// Intervals and limits of sending checkpoints to witnesses and to the anchor folder.
const (
	showEvery       = time.Minute
	witnessPatience = 20 * time.Second
	witnessAnswer   = 64 << 10 // bytes of a witness's response
)

// Show sends checkpoints to witnesses once a minute, and writes one an hour into the anchor folder, until ctx ends. No other work waits for
// it.
func (s *Sealer) Show(ctx context.Context) {
	if s.config.Policy == nil && s.config.AnchorFolder == "" {
		return
	}
	ticker := time.NewTicker(showEvery)
	defer ticker.Stop()
	for {
		if status := s.Status(); status.Checked && status.Trouble == "" {
			s.warnShow(ctx, s.Witness(ctx))
			s.warnShow(ctx, s.Anchor(ctx))
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

func (s *Sealer) warnShow(ctx context.Context, err error) {
	if err != nil && !errors.Is(err, ErrNotSealed) && ctx.Err() == nil {
		s.config.Logger.WarnContext(ctx, "cannot show the checkpoint; it will be tried again", "error", err)
	}
}

// Witness sends the newest checkpoint to all witnesses at the same time, and stores it with their cosignatures.
func (s *Sealer) Witness(ctx context.Context) error {
	if s.config.Policy == nil {
		return nil
	}
	log := s.current()
	signed, err := s.Checkpoint(ctx)
	if err != nil {
		return err
	}
	checkpoint, err := ledger.UnverifiedCheckpoint(signed)
	if err != nil {
		return err
	}
	s.mu.Lock()
	if s.witnesses == nil {
		for _, witness := range s.config.Policy.Witnesses {
			s.witnesses = append(s.witnesses, WitnessStatus{Name: witness.Name})
		}
	}
	s.mu.Unlock()
	lines := make([][]byte, len(s.config.Policy.Witnesses))
	var asked sync.WaitGroup
	for i := range s.config.Policy.Witnesses {
		witness := &s.config.Policy.Witnesses[i]
		if witness.URL == "" {
			continue
		}
		asked.Go(func() {
			patient, cancel := context.WithTimeout(ctx, witnessPatience)
			defer cancel()
			line, err := s.ask(patient, witness, i, signed, checkpoint)
			s.mu.Lock()
			defer s.mu.Unlock()
			if err != nil {
				s.witnesses[i].Problem = err.Error()
				return
			}
			lines[i] = line
			s.witnesses[i] = WitnessStatus{
				Name: witness.Name, Size: checkpoint.Size, At: witness.Cosigned(append(bytes.Clone(signed), line...)),
			}
		})
	}
	asked.Wait()
	cosigned := bytes.Join(append([][]byte{signed}, lines...), nil)
	if _, enough := s.config.Policy.Judge(cosigned); !enough || len(cosigned) == len(signed) {
		return nil
	}
	return s.config.Store.Update(ctx, func(tx shop.Tx) error {
		return tx.PutLedgerCosigned(log.Number, shop.LedgerCheckpoint{
			Size: checkpoint.Size, Signed: cosigned, SealedAt: ident.TimestampOf(s.config.Clock()),
		})
	}, shop.Aside)
}

// ask asks one witness to cosign, with a proof from the size that the witness last saw. A witness that has seen a larger log than the
// present one reports that history was removed.
func (s *Sealer) ask(ctx context.Context, witness *ledger.Witness, i int, signed []byte, checkpoint ledger.Checkpoint) ([]byte, error) {
	s.mu.Lock()
	known := s.witnesses[i].Size
	s.mu.Unlock()
	for range 2 {
		line, knows, err := s.submit(ctx, witness, known, signed, checkpoint)
		if !errors.Is(err, errKnowsOther) {
			return line, err
		}
		if knows > checkpoint.Size {
			return nil, fmt.Errorf("it has seen %d entries, and here are %d", knows, checkpoint.Size)
		}
		known = knows
	}
	return nil, errKnowsOther
}

var errKnowsOther = errors.New("it knows another size")

func (s *Sealer) submit(ctx context.Context, witness *ledger.Witness, known int64, signed []byte, checkpoint ledger.Checkpoint) (
	line []byte, knows int64, err error,
) {
	proof, err := ledger.ProveConsistency(min(known, checkpoint.Size), checkpoint.Size, s.tiles(ctx, s.current()))
	if err != nil {
		return nil, 0, err
	}
	body := fmt.Appendf(nil, "old %d\n", known)
	for _, hash := range proof {
		body = append(body, hash.String()+"\n"...)
	}
	body = append(append(body, '\n'), signed...)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, witness.URL+"/add-checkpoint", bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, witnessAnswer))
	switch {
	case err != nil:
		return nil, 0, err
	case response.StatusCode == http.StatusConflict:
		knows, err := strconv.ParseInt(strings.TrimSpace(string(answer)), 10, 64)
		if err != nil || knows < 0 {
			return nil, 0, errors.New("it answers 409 without a size")
		}
		return nil, knows, errKnowsOther
	case response.StatusCode != http.StatusOK:
		return nil, 0, fmt.Errorf("it answers %s", response.Status)
	}
	own := "— " + witness.KeyName() + " "
	for text := range strings.Lines(string(answer)) {
		if strings.HasPrefix(text, own) && strings.HasSuffix(text, "\n") &&
			!witness.Cosigned(append(bytes.Clone(signed), text...)).IsZero() {
			return []byte(text), 0, nil
		}
	}
	return nil, 0, errors.New("what it answers is not its cosignature")
}

// Anchor writes the newest checkpoint into the anchor folder, once an hour.
func (s *Sealer) Anchor(ctx context.Context) error {
	if s.config.AnchorFolder == "" {
		return nil
	}
	hour := s.config.Clock().UTC().Format("20060102T15Z")
	s.mu.Lock()
	anchored := s.anchored == hour
	s.mu.Unlock()
	if anchored {
		return nil
	}
	signed, err := s.Checkpoint(ctx)
	if err != nil {
		return err
	}
	if err := replaceFile(filepath.Join(s.config.AnchorFolder, "checkpoint-"+hour+".txt"), signed); err != nil {
		return err
	}
	s.mu.Lock()
	s.anchored = hour
	s.mu.Unlock()
	return nil
}

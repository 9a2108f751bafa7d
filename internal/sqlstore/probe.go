package sqlstore

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver, for the migrations

	"github.com/routecard/routecard/internal/sqlstore/db"
)

// probe caches the last result of checking whether the store works, so that frequent calls cost nothing. One caller at a time runs the
// check. The others wait for its result until their contexts end.
type probe struct {
	turn  chan struct{}
	asked time.Time
	err   error
}

func newProbe() probe { return probe{turn: make(chan struct{}, 1)} }

func (p *probe) run(ctx context.Context, doubtful bool, ask func(context.Context) error) error {
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-p.turn }()
	if time.Since(p.asked) <= time.Second && (p.err != nil || !doubtful) { // doubtful: a write has failed since
		return p.err
	}
	err := ask(ctx)
	if ctx.Err() == nil { // if the caller did not wait for the result, the next caller checks again
		p.err, p.asked = err, time.Now()
	}
	return err
}

// probeSize is the number of bytes that a probe writes: about as many as an ordinary change.
const probeSize = 32 << 10

// probing writes as many bytes as an ordinary change. They are random, so that no engine can compress them.
func probing(t db.Querier) error {
	var filler strings.Builder
	for filler.Len() < probeSize {
		filler.WriteString(rand.Text())
	}
	return db.ExpectOne(t, `UPDATE counter SET value = value + 1, filler = $1 WHERE name = 'probe'`, filler.String())
}

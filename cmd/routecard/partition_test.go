package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// partitionedShop is a PostgreSQL database on which a test runs the statements of docs/postgres.md.
type partitionedShop struct {
	*testing.T
	address string
	keyFile string
	door    *pgx.Conn
}

// write adds entries as the service does, and seals everything.
func (s *partitionedShop) write(entries int) {
	s.Helper()
	ctx := s.Context()
	store, err := sqlstore.OpenPostgres(ctx, s.address, sqlstore.Pool{}, sqlstore.Options{})
	s.must(err)
	for range entries {
		s.must(store.Update(ctx, func(tx shop.Tx) error {
			return tx.AppendAudit(trail.Entry{Action: shop.ActionNoteCreated, UserID: "ann"})
		}))
	}
	seals, err := sealer.Open(ctx, sealer.Config{
		Store: store, Clock: time.Now, Logger: slog.New(slog.DiscardHandler), KeyFiles: []string{s.keyFile},
		Interval: time.Millisecond, Wait: func(ctx context.Context, _ int64) error { <-ctx.Done(); return ctx.Err() },
	})
	s.must(err)
	running, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { seals.Run(running); close(done) }()
	awaitSealed(s.T, seals)
	stop()
	<-done
	if trouble := seals.Status().Trouble; trouble != "" {
		s.Errorf("the ledger: %s", trouble)
	}
	s.must(store.Close())
}

func (s *partitionedShop) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *partitionedShop) exec(text string) error {
	_, err := s.door.Exec(s.Context(), text)
	return err
}

// refused runs a statement that has to fail, with a part of its message.
func (s *partitionedShop) refused(text, message string) {
	s.Helper()
	if err := s.exec(text); err == nil || !strings.Contains(err.Error(), message) {
		s.Errorf("%s: %v", text, err)
	}
}

func (s *partitionedShop) ask(query string) (answer string) {
	s.Helper()
	s.must(s.door.QueryRow(s.Context(), query).Scan(&answer))
	return answer
}

func (s *partitionedShop) verified(status int, part string) {
	s.Helper()
	var output strings.Builder
	if got := run(s.Context(), []string{"verify", "--database", s.address}, &output, &output); got != status || !strings.Contains(output.String(), part) {
		s.Errorf("verify: %d, want %d and %q\n%s", got, status, part, output.String())
	}
}

// partitioning returns the documented blocks of lines for partitioning, with small bounds.
func partitioning(t *testing.T) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/postgres.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n*Partitioning the audit trail.*")
	section, _, _ = strings.Cut(section, "\n*Rates with one primary.*")
	for _, piece := range strings.Split(section, "\n\n") {
		if strings.HasPrefix(piece, "    ") {
			blocks = append(blocks, strings.NewReplacer("100000000", "80", "50000000", "40").Replace(piece))
		}
	}
	if len(blocks) != 4 {
		t.Fatalf("the documentation has %d blocks", len(blocks))
	}
	return blocks
}

// TestPartitionedTrail runs the statements of docs/postgres.md on a trail with entries, and then statements that must fail.
func TestPartitionedTrail(t *testing.T) {
	t.Parallel()
	s := &partitionedShop{T: t, address: pgtest.Database(t), keyFile: filepath.Join(t.TempDir(), "key")}
	blocks := partitioning(t)
	divide, add, detach, attach := blocks[0], blocks[1], blocks[2], blocks[3]
	s.write(30)
	door, err := pgx.Connect(t.Context(), s.address)
	s.must(err)
	s.door = door
	t.Cleanup(func() { _ = door.Close(context.Background()) }) // the database is deleted anyway

	const indexes = `SELECT string_agg(indexname || regexp_replace(indexdef, '.* USING', ''), ', ' ORDER BY indexname) FROM pg_indexes WHERE tablename = 'audit'`
	const columns = `SELECT string_agg(concat_ws(' ', column_name, data_type, collation_name, is_nullable, column_default), ', '
		ORDER BY ordinal_position) FROM information_schema.columns WHERE table_name = 'audit'`
	before := [2]string{s.ask(indexes), s.ask(columns)}
	s.must(s.exec(divide))
	if after := [2]string{s.ask(indexes), s.ask(columns)}; after != before {
		t.Errorf("the table was\n%s\nand is\n%s", before, after)
	}
	s.must(s.exec(add))
	s.must(s.exec(strings.NewReplacer("audit_2", "audit_3", "40", "80", "80", "120").Replace(add)))

	unchangeable := func(tables ...string) {
		t.Helper()
		for _, table := range tables {
			for _, change := range []string{"DELETE FROM " + table, "UPDATE " + table + " SET user_id = 'eve'", "TRUNCATE " + table} {
				s.refused(change, "append-only")
			}
		}
	}
	// contiguous requires that the trail has every number from first on.
	contiguous := func(first, least string) {
		t.Helper()
		if got := s.ask(`SELECT concat_ws(' ', MIN(sequence), MAX(sequence) - MIN(sequence) + 1 = COUNT(*), MAX(sequence) >= ` + least + `) FROM audit`); got != first+" t t" {
			t.Errorf("first, without gaps, at least %s: %s", least, got)
		}
	}
	unchangeable("audit", "audit_1", "audit_2", "audit_3")
	s.write(30) // the instances continue, in the new partition
	contiguous("1", "60")
	unchangeable("audit", "audit_1", "audit_2", "audit_3")
	s.verified(0, "Proved")

	for _, newest := range []string{"audit_2", "audit_3"} {
		s.refused(strings.ReplaceAll(detach, "audit_1", newest), "has the newest entry, or none")
	}
	s.must(s.exec(detach))
	s.verified(1, "aud_0000000000000001 to aud_0000000000000039 are missing")
	last := s.ask(`SELECT CAST(MAX(sequence) + 5 AS text) FROM audit`)
	store, err := sqlstore.OpenPostgres(t.Context(), s.address, sqlstore.Pool{}, sqlstore.Options{})
	s.must(err)
	for range 5 {
		s.must(store.Update(t.Context(), func(tx shop.Tx) error {
			return tx.AppendAudit(trail.Entry{Action: shop.ActionNoteCreated, UserID: "ben"})
		}))
	}
	s.must(store.Close())
	contiguous("40", last)
	unchangeable("audit", "audit_1", "audit_2", "audit_3") // including the detached partition

	s.must(s.exec(attach))
	contiguous("1", last)
	unchangeable("audit", "audit_1", "audit_2", "audit_3")
	s.write(1)
	s.verified(0, "Proved")
}

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/process"
)

// backupLines returns the blocks of lines about backups in docs/postgres.md.
func backupLines(t *testing.T) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/postgres.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Backup\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, piece := range strings.Split(section, "\n\n") {
		if strings.HasPrefix(piece, "    ") {
			blocks = append(blocks, piece)
		}
	}
	if len(blocks) != 3 {
		t.Fatalf("the documentation has %d blocks", len(blocks))
	}
	return blocks
}

// TestDumpIsProved runs the lines of the documentation that copy a database, and verifies the copy.
func TestDumpIsProved(t *testing.T) {
	t.Parallel()
	server := pgtest.New(t)
	server.Run(t, "createdb", "shop")
	workshop := &partitionedShop{T: t, address: server.Address("shop"), keyFile: filepath.Join(t.TempDir(), "key")}
	workshop.write(300)
	binaries := filepath.Dir(process.Find(t, "postgresql", "pg_dump")) + ":" + filepath.Dir(process.Routecard(t))
	lines := strings.NewReplacer(
		"postgres://routecard@db1/routecard", workshop.address,
		"postgres://routecard@db2/postgres", server.Address("postgres"),
		"postgres://routecard@db2/restored", server.Address("restored"),
	).Replace(backupLines(t)[0])
	shell := exec.CommandContext(t.Context(), "/bin/sh", "-exc", lines) //nolint:gosec // our documentation
	shell.Dir, shell.Env = t.TempDir(), append(os.Environ(), "PATH="+binaries+":"+os.Getenv("PATH"))
	if output, err := shell.CombinedOutput(); err != nil || !strings.Contains(string(output), "Proved: the first 30") {
		t.Fatalf("%v\n%s", err, output)
	}
	restored := &partitionedShop{T: t, address: server.Address("restored"), keyFile: workshop.keyFile}
	restored.write(3) // the ledger continues
	door, err := pgx.Connect(t.Context(), restored.address)
	restored.must(err)
	restored.door = door
	t.Cleanup(func() { _ = door.Close(context.Background()) })
	restored.refused("DELETE FROM audit", "append-only")
}

// TestAnEarlierMomentIsRestored recovers a server to an earlier moment with the lines of the documentation.
func TestAnEarlierMomentIsRestored(t *testing.T) {
	t.Parallel()
	blocks, archive := backupLines(t), t.TempDir()
	if err := os.Chmod(archive, 0o777); err != nil { //nolint:gosec // the server is another user
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(archive), 0o755); err != nil { //nolint:gosec // the server is another user
		t.Fatal(err)
	}
	place := strings.NewReplacer("/archive", archive)
	server := pgtest.New(t, place.Replace(blocks[1]))
	server.Run(t, "createdb", "shop")
	workshop := &partitionedShop{T: t, address: server.Address("shop"), keyFile: filepath.Join(t.TempDir(), "key")}
	workshop.write(20)
	base := server.BaseBackup(t)
	workshop.write(20)
	door, err := pgx.Connect(t.Context(), workshop.address)
	workshop.must(err)
	workshop.door = door
	t.Cleanup(func() { _ = door.Close(context.Background()) })
	moment, entries := workshop.ask("SELECT now()::text"), workshop.ask("SELECT MAX(sequence)::text FROM audit")
	workshop.write(20)
	later := filepath.Join(t.TempDir(), "checkpoint")
	workshop.must(os.WriteFile(later, []byte(workshop.ask("SELECT signed FROM ledger_checkpoint ORDER BY size DESC LIMIT 1")), 0o600))
	for piece := workshop.ask("SELECT pg_walfile_name(pg_switch_wal())"); ; <-time.After(10 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(archive, piece)); err == nil {
			break
		}
		if workshop.ask("SELECT failed_count::text FROM pg_stat_archiver") != "0" {
			t.Fatal("the log is not archived")
		}
	}
	server.Stop(t, "fast")

	lines := place.Replace(strings.Replace(blocks[2], "2026-01-31 09:30:00+00", moment, 1))
	if !strings.Contains(lines, moment) {
		t.Fatal("the documentation names another moment")
	}
	base.Recover(t, lines)
	restored := &partitionedShop{T: t, address: base.Address("shop")}
	for restored.door, err = pgx.Connect(t.Context(), restored.address); ; <-time.After(10 * time.Millisecond) {
		restored.must(err)
		if restored.ask("SELECT pg_is_in_recovery()::text") == "false" {
			break
		}
	}
	t.Cleanup(func() { _ = restored.door.Close(context.Background()) })
	if got := restored.ask("SELECT MAX(sequence)::text FROM audit"); got != entries {
		t.Errorf("the trail ends at %s, want %s", got, entries)
	}
	restored.verified(0, "Proved: the first")
	var output strings.Builder
	if status := run(t.Context(), []string{"verify", "--database", restored.address, "--checkpoint", later}, &output, &output); status != 1 ||
		!strings.Contains(output.String(), "missing") {
		t.Errorf("with a checkpoint of later: %d\n%s", status, output.String())
	}
}

package dossier_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/demo"
	"github.com/routecard/routecard/internal/dossier"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
)

// The dossiers of all jobs and of every unit of the demonstration are the same on both engines.
func TestDossiersAreTheSameOnBothEngines(t *testing.T) {
	t.Parallel()
	file, address := filepath.Join(t.TempDir(), "shop.db"), pgtest.Database(t)
	options := sqlstore.Options{Logger: slog.New(slog.DiscardHandler)}
	opened := func(at string) (store sqlstore.Store) {
		t.Helper()
		var err error
		if at == file {
			store, err = sqlstore.OpenSQLite(t.Context(), at, options)
		} else {
			store, err = sqlstore.OpenPostgres(t.Context(), at, sqlstore.Pool{}, options)
		}
		if err != nil {
			t.Fatal(err)
		}
		return store
	}
	maker := dossier.NewMaker(time.UTC, true)
	filled := opened(file)
	now := time.Date(2026, time.January, 31, 9, 30, 0, 0, time.UTC)
	err := demo.Fill(t.Context(), filled, now)
	if err == nil {
		err = demo.AttachFiles(t.Context(), filled, files.NewFolder(t.TempDir(), false), now)
	}
	if err := errors.Join(err, filled.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlstore.Copy(t.Context(), file, address, sqlstore.CopyOptions{Options: options}); err != nil {
		t.Fatal(err)
	}
	read := func(at string) map[string]string {
		t.Helper()
		store := opened(at)
		found := map[string]string{}
		keep := func(content dossier.Content, err error) {
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal([]any{content.Units, content.Entries, content.Missing, content.Payload, content.Documents})
			if err != nil {
				t.Fatal(err)
			}
			found[content.About] = string(text)
		}
		err := store.View(t.Context(), func(tx shop.Reader) error {
			var units, jobs []string
			for serial, err := range tx.Serials(0) {
				if err != nil {
					return err
				}
				units = append(units, tx.SerialPrefix().SerialID(serial.Number))
			}
			for job, err := range tx.Jobs() {
				if err != nil {
					return err
				}
				jobs = append(jobs, job.ID)
			}
			for _, id := range units {
				keep(maker.Read(tx, id, "de"))
			}
			for _, id := range jobs {
				keep(maker.ReadJob(tx, id, ""))
			}
			keep(maker.ReadFirstArticle(tx, shop.FirstArticleID(1), ""))
			keep(maker.ReadConformance(tx, shop.ConformanceID(1), ""))
			return nil
		})
		if err := errors.Join(err, store.Close()); err != nil {
			t.Fatal(err)
		}
		return found
	}
	want, got := read(file), read(address)
	if len(want) < 100 || len(got) != len(want) {
		t.Fatalf("%d and %d dossiers", len(want), len(got))
	}
	for id, text := range want {
		if got[id] != text {
			t.Errorf("the dossier of %s differs", id)
		}
	}
}

package dossier_test

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/demo"
	"github.com/routecard/routecard/internal/dossier"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
)

// The contents of the dossiers of all jobs and of every unit of the demonstration are the same on both engines, and the dossiers of its
// certificate and of its first article have the same bytes, which are proved. The card of the first article has the names of its signers.
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
	place, sealing := files.NewFolder(t.TempDir(), false), newLog(t, "shop.example")
	filled := opened(file)
	now := time.Date(2026, time.January, 31, 9, 30, 0, 0, time.UTC)
	err := demo.Fill(t.Context(), filled, now)
	if err == nil {
		err = demo.AttachFiles(t.Context(), filled, place, now)
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
		view := func(read func(tx shop.Reader) error) {
			if err := store.View(t.Context(), read); err != nil {
				t.Fatal(err)
			}
		}
		// Each dossier is read in a transaction of its own, which the server does not end as too long.
		keep := func(read func(tx shop.Reader) (dossier.Content, error)) (content dossier.Content) {
			view(func(tx shop.Reader) (err error) {
				content, err = read(tx)
				return err
			})
			text, err := json.Marshal([]any{content.Units, content.Entries, content.Missing, content.Payload, content.Documents})
			if err != nil {
				t.Fatal(err)
			}
			found[content.About] = string(text)
			return content
		}
		sealed := &log{TB: t, signer: sealing.signer, key: sealing.key}
		var units, jobs []string
		view(func(tx shop.Reader) error {
			for entries, err := tx.AuditAfter(0, 1000); len(entries) > 0 || err != nil; entries, err = tx.AuditAfter(int64(len(sealed.entries)), 1000) {
				if err != nil {
					return err
				}
				sealed.append(entries...)
			}
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
			return nil
		})
		for _, id := range units {
			keep(func(tx shop.Reader) (dossier.Content, error) { return maker.Read(tx, id, "de") })
		}
		for _, id := range jobs {
			keep(func(tx shop.Reader) (dossier.Content, error) { return maker.ReadJob(tx, id, "") })
		}
		for _, content := range []dossier.Content{
			keep(func(tx shop.Reader) (dossier.Content, error) {
				return maker.ReadFirstArticle(tx, shop.FirstArticleID(1), "")
			}),
			keep(func(tx shop.Reader) (dossier.Content, error) {
				return maker.ReadConformance(tx, shop.ConformanceID(1), "")
			}),
		} {
			content.Day, content.Ledger = "2026-01-31", sealed.sealed(int64(len(sealed.entries)))
			content.Open = func(digest string) (io.ReadCloser, error) { return place.Open(t.Context(), digest) }
			archive := written(t, content)
			if report := verified(t, archive, sealing.verifiers()); !report.Proved {
				t.Errorf("%s: %+v", content.About, report)
			}
			found["bytes of "+content.About] = string(archive)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		return found
	}
	want, got := read(file), read(address)
	if len(want) < 100 || len(got) != len(want) {
		t.Fatalf("%d and %d dossiers", len(want), len(got))
	}
	_, texts := members(t, []byte(want["bytes of FAI-00001"]))
	card := string(texts["dossier-FAI-00001/data/card.html"])
	for _, part := range []string{"<td>Deepak Rao, 31 Jan 2026", "Deepak Rao: Approval", "<td>Marta Lindqvist, 31 Jan 2026", "(m.lindqvist)"} {
		if !strings.Contains(card, part) {
			t.Errorf("the card lacks %q", part)
		}
	}
	for id, text := range want {
		if got[id] != text {
			t.Errorf("the dossier of %s differs", id)
		}
	}
}

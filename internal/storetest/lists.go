package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

func (suite) Lists() []promise { return lists }

// lists are the cases that fill each list with more rows than it reads at a time, and compare their order.
var lists = []promise{
	{"jobs are listed newest first", func(s *testedStore) {
		s.each(many, func(tx shop.Tx, i int) error { return tx.InsertJob(aJob(i)) })
		newestFirst(s, list(s, views.Reader.Jobs), aJob)
	}},
	{"certificates are listed newest first", func(s *testedStore) {
		s.each(many, func(tx shop.Tx, i int) error { return tx.InsertCertificate(aCertificate(i)) })
		newestFirst(s, list(s, views.Reader.Certificates), aCertificate)
	}},
	{"BOMs and their versions are listed newest first", func(s *testedStore) {
		bom := func(n int) shop.BOM {
			return shop.BOM{ID: numbered("bom", n), Name: "B", Entries: []shop.BOMEntry{}}
		}
		version := func(n int) shop.BOMVersion {
			return shop.BOMVersion{ID: numbered("bomv", many-n), BOMID: bom(1).ID, VersionNumber: int64(n), EntriesSnapshot: json.RawMessage(`[]`)}
		}
		s.each(many, func(tx shop.Tx, i int) error { return tx.InsertBOM(bom(i)) })
		s.each(many, func(tx shop.Tx, i int) error { return tx.InsertBOMVersion(version(i)) })
		newestFirst(s, list(s, views.Reader.BOMs), bom)
		newestFirst(s, list(s, func(tx views.Reader) iter.Seq2[shop.BOMVersion, error] { return tx.BOMVersions(bom(1).ID) }), version)
		s.same(look(s, func(tx views.Reader) (int64, error) { return tx.LatestBOMVersion(bom(1).ID) }), int64(many))
		s.same(list(s, func(tx views.Reader) iter.Seq2[shop.BOMVersion, error] { return tx.BOMVersions(bom(2).ID) }), []shop.BOMVersion{})
	}},
	{"notes are listed oldest first", func(s *testedStore) {
		note := func(n int) shop.Note {
			return shop.Note{ID: numbered("note", n), StepID: "step_1", SerialIDs: []string{"SN-00001", "SN-00002"}, Text: "t"}
		}
		s.each(many, func(tx shop.Tx, i int) error { return tx.InsertNote(note(i)) })
		oldestFirst(s, list(s, func(tx views.Reader) iter.Seq2[shop.Note, error] { return tx.NotesOfStep("step_1") }), note)
		oldestFirst(s, list(s, func(tx views.Reader) iter.Seq2[shop.Note, error] { return tx.NotesOfSerial("SN-00002") }), note)
	}},
	{"attachments of a certificate and of a serial are listed oldest first", func(s *testedStore) {
		s.stock(many)
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.InsertCertificate(aCertificate(1)), tx.InsertCertificate(aCertificate(2)))
		})
		of := func(certificate int) func(n int) shop.Attachment {
			return func(n int) shop.Attachment {
				return shop.Attachment{
					ID: numbered("catt", certificate*10_000+n), SerialID: ident.DefaultPrefix.SerialID(int64(many + 1 - n)),
					CertificateID: aCertificate(certificate).ID, StepID: "a", AttachedBy: "u",
				}
			}
		}
		ofSerial := func(n int) shop.Attachment {
			attachment := of(2)(n)
			attachment.SerialID, attachment.StepID = "SN-00001", fmt.Sprint("step ", n)
			return attachment
		}
		s.update(func(tx shop.Tx) error {
			attachments := []shop.Attachment{}
			for i := many; i >= 1; i-- {
				attachments = append(attachments, of(1)(i), ofSerial(i))
			}
			return tx.InsertAttachments(attachments) // more than one statement inserts
		})
		oldestFirst(s, list(s, func(tx views.Reader) iter.Seq2[shop.Attachment, error] {
			return tx.AttachmentsOfCertificate(aCertificate(1).ID)
		}), of(1))
		s.same(list(s, func(tx views.Reader) iter.Seq2[shop.Attachment, error] {
			return tx.AttachmentsOfCertificate("x")
		}), []shop.Attachment{})
		found := look(s, func(tx views.Reader) ([]shop.Attachment, error) {
			return tx.AttachmentsOfSerial("SN-00001")
		})
		s.same(found[0], of(1)(many))
		oldestFirst(s, found[1:], ofSerial)
	}},
	{"a library is listed by name in byte order", func(s *testedStore) {
		// By bytes, upper case sorts before lower case, and both sort before letters with diacritics.
		name := func(n int) shop.LibraryEntry {
			return shop.LibraryEntry{ID: fmt.Sprint(many - n), Name: fmt.Sprintf("%s %05d", []string{"Mill", "Zinc", "mill", "ärger", "日本"}[n*5/(many+1)], n)}
		}
		s.each(many, func(tx shop.Tx, i int) error {
			if err := tx.InsertLibraryEntry(shop.Locations, name(i)); err != nil {
				return err
			}
			other := name(i)
			other.ID = "other " + other.ID
			return tx.InsertLibraryEntry(shop.Processes, other)
		})
		oldestFirst(s, list(s, func(tx views.Reader) iter.Seq2[shop.LibraryEntry, error] {
			return tx.LibraryEntries(shop.Locations)
		}), name)
	}},
	{"users are listed by name in byte order, those of one name by id", func(s *testedStore) {
		user := func(n int) shop.User {
			return shop.User{ID: numbered("user", n), Name: []string{"Bob", "alice", "Émile"}[n/1000], Active: n%2 == 0}
		}
		s.each(many, func(tx shop.Tx, i int) error { return tx.InsertUser(user(many + 1 - i)) })
		oldestFirst(s, list(s, views.Reader.Users), user)
	}},
	{"templates are listed newest first", func(s *testedStore) {
		template := func(n int) shop.Template {
			return shop.Template{ID: numbered("tmpl", n), Name: "T", Steps: []shop.TemplateStep{}}
		}
		s.each(many, func(tx shop.Tx, i int) error { return tx.InsertTemplate(template(i)) })
		newestFirst(s, list(s, views.Reader.Templates), template)
	}},
	{"paths of a job are listed oldest first, with their steps in order", func(s *testedStore) {
		s.stock(0)
		s.update(func(tx shop.Tx) error {
			other := aPath(300, 2)
			other.JobID = aJob(2).ID
			if err := errors.Join(tx.InsertJob(aJob(2)), tx.InsertPath(other)); err != nil {
				return err
			}
			for i := 200; i > 1; i-- {
				path := aPath(i, i%15)
				for from, to := 0, len(path.Steps)-1; from < to; from, to = from+1, to-1 { // in the reverse order of the steps
					path.Steps[from].ID, path.Steps[to].ID = path.Steps[to].ID, path.Steps[from].ID
				}
				if err := tx.InsertPath(path); err != nil {
					return err
				}
			}
			return nil
		})
		found := look(s, func(tx views.Reader) ([]card.Path, error) { return tx.PathsOfJob(aJob(1).ID) })
		s.same(len(found), 200)
		for i, path := range found {
			s.same(path.ID, aPath(i+1, 0).ID)
			s.same(path, path1(s, path.ID))
		}
		s.same(look(s, func(tx views.Reader) ([]card.Path, error) { return tx.PathsOfJob("x") }), []card.Path{})
	}},
	{"one serial and a hundred thousand are inserted alike and listed oldest first", func(s *testedStore) {
		const quantity = 100_000
		s.stock(1)
		s.update(func(tx shop.Tx) error { return insertSerials(tx, aPath(1, 3).ID, quantity) })
		next := int64(1)
		s.view(func(tx views.Reader) error {
			for serial, err := range tx.Serials(0) {
				if err != nil {
					return err
				}
				want := shop.ListedSerial{Number: next, PathID: aPath(1, 3).ID, Status: card.InProgress, CreatedAt: 2000}
				if serial != want {
					return fmt.Errorf("got %v, want %v", serial, want)
				}
				next++
			}
			return nil
		})
		s.same(next, int64(quantity+2))
		for after, want := range map[int64]int{quantity + 1: 0, quantity: 1, quantity - 2_499: many} { // the last reads from the middle
			rest := list(s, func(tx views.Reader) iter.Seq2[shop.ListedSerial, error] { return tx.Serials(after) })
			s.same(len(rest), want)
			if want > 0 {
				s.same(rest[0].Number, after+1)
			}
		}
		s.same(s.card("SN-100001").Serial, card.Serial{
			ID: "SN-100001", JobID: aJob(1).ID, PathID: aPath(1, 3).ID, Status: card.InProgress, CreatedAt: 2000, UpdatedAt: 2000,
		})
	}},
	{"a list may be left at any row and begun again", func(s *testedStore) {
		s.each(many, func(tx shop.Tx, i int) error { return tx.InsertJob(aJob(i)) })
		s.view(func(tx views.Reader) error {
			jobs := tx.Jobs()
			for _, stop := range []int{1, 999, 1000, 1001, many} {
				read := 0
				for job, err := range jobs {
					if err != nil {
						return err
					}
					if job != aJob(many-read) {
						return fmt.Errorf("row %d is %v", read, job)
					}
					if read++; read == stop {
						break
					}
				}
			}
			return nil
		})
	}},
	{"lists and slices of nothing are empty, not nil", func(s *testedStore) {
		s.same(list(s, views.Reader.Jobs), []shop.Job{})
		s.same(list(s, allSerials), []shop.ListedSerial{})
		s.same(list(s, views.Reader.BOMs), []shop.BOM{})
		s.same(list(s, views.Reader.Certificates), []shop.Certificate{})
		s.same(list(s, views.Reader.Users), []shop.User{})
		s.same(list(s, views.Reader.Templates), []shop.Template{})
	}},
}

func newestFirst[T any](s *testedStore, got []T, want func(n int) T) {
	s.Helper()
	oldestFirst(s, reversed(got), want)
}

// oldestFirst ends the test unless got has the values of want for 1 to many.
func oldestFirst[T any](s *testedStore, got []T, want func(n int) T) {
	s.Helper()
	wanted := make([]T, many)
	for i := range wanted {
		wanted[i] = want(i + 1)
	}
	if len(got) != many {
		s.Fatalf("%d rows, want %d", len(got), many)
	}
	s.same(got, wanted)
}

func allSerials(tx views.Reader) iter.Seq2[shop.ListedSerial, error] {
	return tx.Serials(0)
}

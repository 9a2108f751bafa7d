package storetest

import (
	"errors"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/views"
)

func (suite) Files() []promise { return files }

var files = []promise{
	{"every field of a file is kept, and replaced by the next upload but for whether it is attached", func(s *testedStore) {
		file := aFile("a")
		s.update(func(tx shop.Tx) error { return tx.PutFile(file) })
		s.same(s.file(file.SHA256), file)
		s.update(func(tx shop.Tx) error {
			return tx.AttachFile([]shop.FileLink{{ID: "1", SHA256: file.SHA256, On: shop.FileSubject{Kind: shop.RecordJob, ID: "j"}}})
		})
		file.Size, file.Type, file.Pixels, file.UploadedAt, file.State = 1, strange, 3, longAgo, shop.FileLeaving
		s.update(func(tx shop.Tx) error { return tx.PutFile(file) })
		file.Attached = true
		s.same(s.file(file.SHA256), file)
	}},
	{"who uploaded a file is known, once for each", func(s *testedStore) {
		file := aFile("a")
		uploaded := func(by string) bool {
			return look(s, func(tx views.Reader) (bool, error) { return tx.FileUploadedBy(file.SHA256, by) })
		}
		s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.PutFileUpload(file.SHA256, "ann", 1) }), nil)
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.PutFile(file), tx.PutFileUpload(file.SHA256, strange, 1), tx.PutFileUpload(file.SHA256, strange, 2))
		})
		s.same([]bool{uploaded(strange), uploaded("ann"), uploaded("")}, []bool{true, false, false})
	}},
	{"every field of a link is kept, and the links of a record come oldest first", func(s *testedStore) {
		file := aFile("a")
		link := func(id string, on shop.FileSubject) shop.FileLink {
			return shop.FileLink{
				ID: id, On: on, SHA256: file.SHA256, Size: file.Size, Type: file.Type, Pixels: file.Pixels,
				Name: strange, Kind: shop.Photo, Note: long(), AttachedBy: strange, AttachedAt: farOff,
			}
		}
		one, other := shop.FileSubject{Kind: shop.RecordStep, ID: strange}, shop.FileSubject{Kind: shop.RecordJob, ID: strange}
		first, second, elsewhere := link("flnk_1", one), link("flnk_2", one), link("flnk_3", other)
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.PutFile(file), tx.AttachFile([]shop.FileLink{second, elsewhere, first}), tx.AttachFile(nil))
		})
		links := func(on shop.FileSubject) []shop.FileLink {
			return look(s, func(tx views.Reader) ([]shop.FileLink, error) { return tx.FileLinks(on) })
		}
		s.same(links(one), []shop.FileLink{first, second})
		s.same(links(other), []shop.FileLink{elsewhere})
		s.same(links(shop.FileSubject{Kind: shop.RecordStep, ID: "x"}), []shop.FileLink{})

		first.Voiding = card.Voiding{VoidedAt: farOff, VoidedBy: strange, VoidReason: long()}
		s.update(func(tx shop.Tx) error { return tx.VoidFileLink(first.ID, first.Voiding) })
		s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.VoidFileLink(first.ID, first.Voiding) }), shop.ErrNoRecord)
		s.same(links(one), []shop.FileLink{first, second})
		s.same(look(s, func(tx views.Reader) (shop.FileLink, error) { return tx.FileLink(first.ID) }), first)
		all := look(s, func(tx views.Reader) ([]shop.FileLink, error) { return collect(tx.AllFileLinks()) })
		s.same(all, []shop.FileLink{first, second, elsewhere})
		s.same(look(s, func(tx views.Reader) ([]shop.VoidedRecord, error) { return tx.VoidedRecords("", 5) }),
			[]shop.VoidedRecord{{ID: first.ID, Voiding: first.Voiding}})
	}},
	{"files that nobody attached are dismissed when they are old, and forgotten then", func(s *testedStore) {
		attached, old, fresh, arriving := aFile("a"), aFile("b"), aFile("c"), aFile("d")
		attached.UploadedAt, old.UploadedAt, arriving.UploadedAt, fresh.UploadedAt = 1, 2, 3, 10
		arriving.State = shop.FileArriving
		s.update(func(tx shop.Tx) error {
			link := shop.FileLink{ID: "1", SHA256: attached.SHA256, On: shop.FileSubject{Kind: shop.RecordJob, ID: "j"}}
			return errors.Join(tx.PutFile(attached), tx.PutFile(old), tx.PutFile(fresh), tx.PutFile(arriving),
				tx.PutFileUpload(old.SHA256, "ann", 2), tx.AttachFile([]shop.FileLink{link}))
		})
		kept := func() (digests []string) {
			for _, file := range look(s, func(tx views.Reader) ([]shop.File, error) { return collect(tx.KeptFiles()) }) {
				digests = append(digests, file.SHA256[:1])
			}
			return digests
		}
		dismiss := func(limit int) (digests []string) {
			s.update(func(tx shop.Tx) (err error) {
				digests, err = tx.DismissFiles(10, limit)
				return err
			})
			return digests
		}
		s.same(kept(), []string{"a", "b", "c"})
		s.same(dismiss(1), []string{old.SHA256})
		s.same(dismiss(5), []string{old.SHA256, arriving.SHA256})
		s.same(kept(), []string{"a", "c"})
		for _, digest := range []string{old.SHA256, attached.SHA256, fresh.SHA256, "x"} {
			s.update(func(tx shop.Tx) error { return tx.ForgetFile(digest) })
		}
		s.same(dismiss(5), []string{arriving.SHA256})
		s.same(kept(), []string{"a", "c"})
		s.refused(s.tryUpdate(func(tx shop.Tx) error { _, err := tx.File(old.SHA256); return err }), shop.ErrNoRecord)
	}},
	{"a link needs its file, and a step with one is referred to", func(s *testedStore) {
		on := shop.FileSubject{Kind: shop.RecordStep, ID: "step_x"}
		attach := func() error {
			return s.tryUpdate(func(tx shop.Tx) error {
				return tx.AttachFile([]shop.FileLink{{ID: "flnk_1", SHA256: aFile("a").SHA256, On: on}})
			})
		}
		s.refused(attach(), nil)
		s.update(func(tx shop.Tx) error { return tx.PutFile(aFile("a")) })
		s.must(attach())
		for step, want := range map[string]bool{"step_x": true, "step_y": false} {
			s.update(func(tx shop.Tx) error {
				referred, err := tx.StepReferred(step)
				s.same(referred, want)
				return err
			})
		}
		s.refused(s.tryUpdate(func(tx shop.Tx) error { _, err := tx.FileLink("x"); return err }), shop.ErrNoRecord)
		s.refused(s.tryUpdate(func(tx shop.Tx) error { _, err := tx.File("x"); return err }), shop.ErrNoRecord)
	}},
}

// aFile returns a file whose digest consists of one repeated letter.
func aFile(letter string) shop.File {
	return shop.File{
		SHA256: strings.Repeat(letter, 64), Size: biggest, Type: "image/png", Pixels: 7, UploadedAt: farOff, State: shop.FileKept,
	}
}

func (s *testedStore) file(digest string) shop.File {
	return look(s, func(tx views.Reader) (shop.File, error) { return tx.File(digest) })
}

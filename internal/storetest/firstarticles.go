package storetest

import (
	"fmt"
	"iter"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/firstarticle"
	"github.com/routecard/routecard/views"
)

// aFirstArticle returns a draft about one unit of the first path.
func aFirstArticle(n int64, unit string) shop.FirstArticle {
	return shop.FirstArticle{
		ID: shop.FirstArticleID(n), Status: shop.FirstArticleDraft, JobID: aJob(1).ID, PathID: numbered("path", 1), SerialIDs: []string{unit},
		Kind: firstarticle.Partial, Reason: strange, Baseline: strange, Characteristics: []string{"1", strange}, Identifier: strange,
		PartNumber: strange, PartRevision: "C", CreatedBy: strange, CreatedAt: longAgo, UpdatedAt: longAgo,
	}
}

// FirstArticles are the cases for first article inspections.
func (suite) FirstArticles() []promise {
	of := func(s *testedStore, n int64) shop.FirstArticle {
		return look(s, func(tx views.Reader) (shop.FirstArticle, error) { return tx.FirstArticle(shop.FirstArticleID(n)) })
	}
	return []promise{
		{"every field of a first article is kept, and its content except in lists", func(s *testedStore) {
			s.stock(3)
			made := aFirstArticle(1, "SN-00002")
			s.update(func(tx shop.Tx) error { return tx.InsertFirstArticle(made) })
			s.same(of(s, 1), made)
			s.update(func(tx shop.Tx) error { return tx.PutFile(shop.File{SHA256: "digest", Size: 1, State: shop.FileKept}) })
			s.update(func(tx shop.Tx) error { return tx.PutFile(shop.File{SHA256: "letter", Size: 1, State: shop.FileKept}) })
			made.Status, made.PartNumber, made.PartRevision, made.UpdatedAt = shop.FirstArticleApproved, "BR-7", "D", farOff
			made.Typed = map[string]string{"1||8": strange}
			made.VerifiedBy, made.VerifiedAt, made.SHA256, made.Content = strange, 7, "digest", strange
			made.ApprovedBy, made.ApprovedAt = strange, 8
			made.Customer = &shop.CustomerSignOff{Name: strange, ApprovedOn: "2026-01-31", SHA256: "letter", RecordedBy: strange, RecordedAt: 9}
			s.update(func(tx shop.Tx) error { return tx.UpdateFirstArticle(made) })
			s.same(of(s, 1), made)
			for _, digest := range []string{"digest", "letter"} {
				s.same(look(s, func(tx views.Reader) (shop.File, error) { return tx.File(digest) }).Attached, true)
			}
			s.same(list(s, func(tx views.Reader) iter.Seq2[shop.FirstArticle, error] { return tx.AllFirstArticles() }), []shop.FirstArticle{made})
			unit := func(id string) []shop.FirstArticle {
				return look(s, func(tx views.Reader) ([]shop.FirstArticle, error) { return tx.FirstArticlesOfUnit(id) })
			}
			s.same(unit("SN-00002"), []shop.FirstArticle{made})
			s.same(unit("SN-00001"), []shop.FirstArticle{})
			listed := made
			listed.Content = ""
			s.same(look(s, func(tx views.Reader) ([]shop.FirstArticle, error) {
				return tx.FirstArticles(shop.FirstArticleQuery{Limit: 9})
			}), []shop.FirstArticle{listed})
			made.Voiding = card.Voiding{VoidedAt: farOff, VoidedBy: strange, VoidReason: strange}
			s.update(func(tx shop.Tx) error { return tx.UpdateFirstArticle(made) })
			s.same(of(s, 1), made)
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.UpdateFirstArticle(aFirstArticle(9, "SN-00001")) }), shop.ErrNoRecord)
			_, err := tryLook(s, func(tx views.Reader) (shop.FirstArticle, error) { return tx.FirstArticle("FAI-00009") })
			s.refused(err, shop.ErrNoRecord)
		}},
		{"first articles are found newest first by each condition", func(s *testedStore) {
			s.stock(3)
			other := aFirstArticle(2, "SN-00003")
			other.PartNumber, other.Identifier, other.Status = "BR-7", "50%_off", shop.FirstArticleVerified
			s.update(func(tx shop.Tx) error { return tx.InsertFirstArticle(aFirstArticle(1, "SN-00001")) })
			s.update(func(tx shop.Tx) error { return tx.InsertFirstArticle(other) })
			for _, test := range []struct {
				query shop.FirstArticleQuery
				want  []int64
			}{
				{shop.FirstArticleQuery{}, []int64{2, 1}}, {shop.FirstArticleQuery{Before: shop.FirstArticleID(2)}, []int64{1}},
				{shop.FirstArticleQuery{Text: "br-"}, []int64{2}}, {shop.FirstArticleQuery{Text: "50%_"}, []int64{2}},
				{shop.FirstArticleQuery{Text: "fai-00001"}, []int64{1}}, {shop.FirstArticleQuery{PartNumber: "BR-7"}, []int64{2}},
				{shop.FirstArticleQuery{SerialID: "SN-00001"}, []int64{1}}, {shop.FirstArticleQuery{JobID: aJob(1).ID}, []int64{2, 1}},
				{shop.FirstArticleQuery{PathID: "x"}, []int64{}}, {shop.FirstArticleQuery{Status: shop.FirstArticleVerified}, []int64{2}},
			} {
				test.query.Limit = 9
				found := []int64{}
				for _, one := range look(s, func(tx views.Reader) ([]shop.FirstArticle, error) { return tx.FirstArticles(test.query) }) {
					number, _ := shop.ParseFirstArticleID(one.ID)
					found = append(found, number)
				}
				s.same([]any{fmt.Sprintf("%+v", test.query), found}, []any{fmt.Sprintf("%+v", test.query), test.want})
			}
		}},
		{"the newest approved first article of a part is found, unless it is voided", func(s *testedStore) {
			s.stock(2)
			approved := func() string {
				found, err := tryLook(s, func(tx views.Reader) (shop.FirstArticle, error) { return tx.ApprovedFirstArticle(strange, "C") })
				if err != nil {
					s.refused(err, shop.ErrNoRecord)
				}
				return found.ID
			}
			for n := range int64(3) {
				s.update(func(tx shop.Tx) error { return tx.InsertFirstArticle(aFirstArticle(n+1, "SN-00001")) })
			}
			s.same(approved(), "")
			for n := range int64(2) {
				one := aFirstArticle(n+1, "SN-00001")
				one.Status = shop.FirstArticleApproved
				s.update(func(tx shop.Tx) error { return tx.UpdateFirstArticle(one) })
			}
			s.same(approved(), "FAI-00002")
			voided := aFirstArticle(2, "SN-00001")
			voided.Status, voided.Voiding = shop.FirstArticleApproved, card.Voiding{VoidedAt: 1, VoidedBy: "u", VoidReason: "r"}
			s.update(func(tx shop.Tx) error { return tx.UpdateFirstArticle(voided) })
			s.same(approved(), "FAI-00001")
		}},
		{"the production of a part is that of the paths of its jobs", func(s *testedStore) {
			s.stock(3)
			job := aJob(1)
			production := func(part, revision string) int {
				return len(look(s, func(tx views.Reader) ([]shop.Production, error) { return tx.ProductionOf(part, revision) }))
			}
			job.PartNumber, job.PartRevision = "Ä-7", "C"
			s.update(func(tx shop.Tx) error { return tx.UpdateJob(job) })
			s.same([]int{production("Ä-7", "C"), production("ä-7", "C"), production("Ä-7", "D"), production("", "")}, []int{1, 0, 0, 0})
		}},
		{"numbers of first articles count up", func(s *testedStore) {
			for want := range int64(3) {
				var number int64
				s.update(func(tx shop.Tx) (err error) {
					number, err = tx.TakeFirstArticleNumber()
					return err
				})
				s.same(number, want+1)
			}
		}},
	}
}

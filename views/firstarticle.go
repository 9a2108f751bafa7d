package views

import (
	"context"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// FirstArticleSheet is a first article inspection with the other data of its papers.
type FirstArticleSheet struct {
	FirstArticle shop.FirstArticle
	Organization shop.Organization
	Signatures   []shop.Signature // of its verification and its approval, oldest first
}

// Signed reports whether the verification and the approval are signed, as far as they were made.
func (s *FirstArticleSheet) Signed() bool {
	f := &s.FirstArticle
	signed := func(login string) bool {
		return slices.ContainsFunc(s.Signatures, func(of shop.Signature) bool { return of.Login == login })
	}
	return f.VerifiedBy != "" && signed(f.VerifiedBy) && (f.ApprovedBy == "" || signed(f.ApprovedBy))
}

// FirstArticleSheet returns what the papers of a first article inspection show.
func (v *Views) FirstArticleSheet(ctx context.Context, id string) (sheet FirstArticleSheet, err error) {
	err = v.store.Look(ctx, func(tx Reader) error {
		sheet = FirstArticleSheet{}
		if sheet.FirstArticle, err = v.shop.FirstArticleIn(tx, id); err != nil {
			return err
		}
		f := &sheet.FirstArticle
		if sheet.Organization, err = shop.OrganizationIn(tx); err != nil {
			return err
		}
		for _, at := range slices.Compact([]ident.Timestamp{f.VerifiedAt, f.ApprovedAt}) {
			if at == 0 {
				continue
			}
			entries, err := entriesAt(tx, at)
			if err != nil {
				return err
			}
			found, err := shop.SignaturesIn(entries)
			if err != nil {
				return err
			}
			sheet.Signatures = append(sheet.Signatures, slices.DeleteFunc(found, func(signature shop.Signature) bool {
				return !signsFirstArticle(signature, entries, id)
			})...)
		}
		return nil
	})
	return sheet, err
}

// signsFirstArticle reports whether a signature signs the verification or the approval of a first article inspection.
func signsFirstArticle(signature shop.Signature, entries []trail.Entry, id string) bool {
	return slices.ContainsFunc(entries, func(entry trail.Entry) bool {
		var told struct {
			FirstArticleID string `json:"firstArticleId"`
		}
		return slices.Contains(signature.EntryIDs, entry.ID) && trail.ReadMetadata(&entry, &told) == nil && told.FirstArticleID == id
	})
}

// FirstArticlesOfUnit returns all first article inspections of a unit, oldest first, also drafts and voided ones. Of one that is verified,
// SHA256 is the digest of the file with the frozen content, and Content has the bytes of this file.
func (v *Views) FirstArticlesOfUnit(ctx context.Context, serialID string) (found []shop.FirstArticle, err error) {
	err = v.store.Look(ctx, func(tx Reader) error {
		found, err = tx.FirstArticlesOfUnit(serialID)
		return err
	})
	return found, err
}

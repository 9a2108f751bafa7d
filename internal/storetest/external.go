package storetest

import (
	"errors"
	"iter"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

// ExternalIDs are the promises about what other systems call records.
func (suite) ExternalIDs() []promise {
	outside := func(s *testedStore, kind shop.RecordKind, externalID string) (string, error) {
		return tryLook(s, func(tx views.Reader) (string, error) { return tx.RecordOutside(kind, externalID) })
	}
	set := func(externals ...shop.ExternalID) func(tx shop.Tx) error {
		return func(tx shop.Tx) (err error) {
			for _, external := range externals {
				err = errors.Join(err, tx.SetExternalID(external))
			}
			return err
		}
	}
	return []promise{
		{"a record is found by its external identifier, which can be changed and taken away", func(s *testedStore) {
			first, other := shop.ExternalID{Of: shop.RecordJob, ID: "job_1", ExternalID: strange},
				shop.ExternalID{Of: shop.RecordUser, ID: "user_1", ExternalID: strange}
			s.update(set(first, other))
			id, err := outside(s, shop.RecordJob, strange)
			s.same([]any{id, err}, []any{"job_1", nil})
			s.same(list(s, func(tx views.Reader) iter.Seq2[shop.ExternalID, error] { return tx.ExternalIDs() }), []shop.ExternalID{first, other})
			s.update(set(shop.ExternalID{Of: shop.RecordJob, ID: "job_1", ExternalID: "x"}, shop.ExternalID{Of: shop.RecordUser, ID: "user_1"}))
			_, err = outside(s, shop.RecordJob, strange)
			s.refused(err, shop.ErrNoRecord)
			_, err = outside(s, shop.RecordUser, strange)
			s.refused(err, shop.ErrNoRecord)
			id, err = outside(s, shop.RecordJob, "x")
			s.same([]any{id, err}, []any{"job_1", nil})
		}},
		{"an external identifier belongs to one record of a kind", func(s *testedStore) {
			s.update(set(shop.ExternalID{Of: shop.RecordJob, ID: "job_1", ExternalID: "x"}))
			s.refused(s.tryUpdate(set(shop.ExternalID{Of: shop.RecordJob, ID: "job_2", ExternalID: "x"})), shop.ErrDuplicate)
		}},
	}
}

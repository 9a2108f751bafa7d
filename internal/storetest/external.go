package storetest

import (
	"errors"
	"iter"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// ExternalIDs returns the cases for external identifiers.
func (suite) ExternalIDs() []promise {
	outside := func(s *testedStore, kind ident.RecordKind, externalID string) (string, error) {
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
		{"a row of the list of units has what another system calls the unit", func(s *testedStore) {
			s.stock(3)
			s.update(set(shop.ExternalID{Of: shop.RecordSerial, ID: "SN-00002", ExternalID: strange},
				shop.ExternalID{Of: shop.RecordUser, ID: "user_1", ExternalID: "x"}))
			called := func(read func(tx views.Reader) ([]views.ListedUnit, error)) (names []string) {
				for _, unit := range look(s, read) {
					names = append(names, unit.ExternalID)
				}
				return names
			}
			within := ident.NumberRange{First: 1, Last: 3}
			s.same(called(func(tx views.Reader) ([]views.ListedUnit, error) { return tx.UnitsWithin("", within, 3) }), []string{"", strange, ""})
			s.same(called(func(tx views.Reader) ([]views.ListedUnit, error) { return tx.UnitsNumbered([]int64{2, 1}) }), []string{"", strange})
			s.update(set(shop.ExternalID{Of: shop.RecordSerial, ID: "SN-00002"}))
			s.same(called(func(tx views.Reader) ([]views.ListedUnit, error) { return tx.UnitsNumbered([]int64{2}) }), []string{""})
		}},
		{"an external identifier belongs to one record of a kind", func(s *testedStore) {
			s.update(set(shop.ExternalID{Of: shop.RecordJob, ID: "job_1", ExternalID: "x"}))
			s.refused(s.tryUpdate(set(shop.ExternalID{Of: shop.RecordJob, ID: "job_2", ExternalID: "x"})), shop.ErrDuplicate)
		}},
	}
}

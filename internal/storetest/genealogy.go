package storetest

import (
	"errors"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/genealogy"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// Genealogy returns the cases for tracing units through installations.
func (suite) Genealogy() []promise {
	inside := func(n int, parent, unit, lot string, from, until ident.Timestamp) func(shop.Tx) error {
		return func(tx shop.Tx) error {
			made := card.Component{
				ID: "comp_" + tx.SerialPrefix().SerialID(int64(n)), SerialID: parent, ComponentSerialID: unit, LotID: lot, StepID: "step_1", Pass: 1,
				InstalledBy: "u", InstalledAt: from,
			}
			err := tx.InsertComponents([]card.Component{made}, "")
			if until != 0 {
				made.RemovedAt, made.RemovedBy, made.RemoveReason = until, "u", "r"
				err = errors.Join(err, tx.RemoveComponent(made))
			}
			return err
		}
	}
	lot := func(id, parent string, at ident.Timestamp) func(shop.Tx) error {
		return func(tx shop.Tx) error {
			return tx.InsertLot(shop.Lot{
				ID: id, LotFields: shop.LotFields{LotNumber: id, Material: "bar", HeatNumber: "Heat"}, ParentID: parent, CreatedBy: "u", CreatedAt: at,
			})
		}
	}
	voided := func(n int) func(shop.Tx) error {
		return func(tx shop.Tx) error {
			return tx.VoidComponent("comp_"+tx.SerialPrefix().SerialID(int64(n)), card.Voiding{VoidedAt: 1, VoidedBy: "u", VoidReason: "r"})
		}
	}
	all := func(changes ...func(shop.Tx) error) func(shop.Tx) error {
		return func(tx shop.Tx) (err error) {
			for _, change := range changes {
				err = errors.Join(err, change(tx))
			}
			return err
		}
	}
	affected := func(s *testedStore, now bool, causes ...genealogy.Affected) map[string]genealogy.Affected {
		found := map[string]genealogy.Affected{}
		for _, one := range look(s, func(tx views.Reader) ([]genealogy.Affected, error) { return tx.AffectedBy(causes, now) }) {
			found[one.SerialID+one.LotID] = one
		}
		return found
	}
	uses := func(s *testedStore, unit, lot string, at ident.Timestamp) map[string]int {
		links := look(s, func(tx views.Reader) ([]genealogy.Link, error) { return tx.LinksFrom(unit, lot, at) })
		depths := map[string]int{}
		for _, use := range genealogy.Uses(unit+lot, links) {
			depths[use.SerialID+use.LotID] = use.Depth
		}
		return depths
	}
	parts := func(s *testedStore, unit string, at ident.Timestamp) []string {
		rows := look(s, func(tx views.Reader) ([]genealogy.Part, error) { return tx.PartsWithin(unit, at) })
		found := []string{}
		var walk func([]genealogy.Part)
		walk = func(parts []genealogy.Part) {
			for _, p := range parts {
				found = append(found, p.ComponentSerialID+p.LotNumber)
				walk(p.Components)
			}
		}
		walk(genealogy.Tree(unit, rows))
		return found
	}
	cause := func(lot, unit string, since ident.Timestamp) genealogy.Affected {
		return genealogy.Affected{LotID: lot, SerialID: unit, Since: since, How: genealogy.HasCause}
	}
	is := func(unit, lot string, since ident.Timestamp, how genealogy.How) genealogy.Affected {
		return genealogy.Affected{SerialID: unit, LotID: lot, Since: since, How: how}
	}
	return []promise{
		{"what is inside a unit, and where a unit and a lot are, follows from the installations at a time", func(s *testedStore) {
			s.stock(5)
			s.update(all(
				lot("lot_a", "", 5), lot("lot_b", "lot_a", 15),
				inside(1, "SN-00001", "", "lot_a", 10, 0), inside(2, "SN-00002", "SN-00001", "", 20, 30), inside(3, "SN-00003", "SN-00001", "", 30, 0),
				inside(4, "SN-00004", "SN-00003", "", 40, 0), inside(5, "SN-00005", "", "lot_b", 50, 0), inside(6, "SN-00005", "SN-00002", "", 51, 0),
				voided(6),
			))
			s.same(parts(s, "SN-00004", 0), []string{"SN-00003", "SN-00001", "lot_a"})
			s.same(parts(s, "SN-00004", 39), []string{})
			s.same(parts(s, "SN-00002", 0), []string{})
			s.same(parts(s, "SN-00002", 20), []string{"SN-00001", "lot_a"})
			s.same(parts(s, "SN-00002", 30), []string{})
			s.same(parts(s, "SN-00005", 0), []string{"lot_b"})
			s.same(uses(s, "SN-00001", "", 0), map[string]int{"SN-00003": 1, "SN-00004": 2})
			s.same(uses(s, "SN-00001", "", 29), map[string]int{"SN-00002": 1})
			s.same(uses(s, "", "lot_a", 0), map[string]int{"lot_b": 0, "SN-00001": 1, "SN-00003": 2, "SN-00004": 3, "SN-00005": 1})
			s.same(uses(s, "", "lot_a", 14), map[string]int{"SN-00001": 1})
			s.same(uses(s, "", "lot_b", 0), map[string]int{"SN-00005": 1})
			s.same(uses(s, "SN-99999", "", 0), map[string]int{})
		}},
		{"a unit is affected from the time when something affected was inside it, and passes this on from then on", func(s *testedStore) {
			s.stock(6)
			s.update(all(
				lot("lot_a", "", 5), lot("lot_b", "lot_a", 15),
				inside(1, "SN-00001", "", "lot_a", 10, 12), inside(2, "SN-00002", "SN-00001", "", 20, 30), inside(3, "SN-00003", "SN-00002", "", 40, 0),
				inside(4, "SN-00004", "SN-00005", "", 8, 50), inside(5, "SN-00005", "", "lot_b", 60, 0), inside(6, "SN-00006", "", "lot_a", 61, 0), voided(6),
			))
			s.same(affected(s, false, cause("lot_a", "", 5)), map[string]genealogy.Affected{
				"lot_a": is("", "lot_a", 5, genealogy.HasCause), "lot_b": is("", "lot_b", 15, genealogy.SplitFrom),
				"SN-00001": is("SN-00001", "", 10, genealogy.ContainedOne), "SN-00002": is("SN-00002", "", 20, genealogy.ContainedOne),
				"SN-00003": is("SN-00003", "", 40, genealogy.ContainedOne), "SN-00005": is("SN-00005", "", 60, genealogy.ContainedOne),
			})
			s.same(affected(s, true, cause("lot_a", "", 5)), map[string]genealogy.Affected{
				"lot_a": is("", "lot_a", 5, genealogy.HasCause), "lot_b": is("", "lot_b", 15, genealogy.SplitFrom),
				"SN-00005": is("SN-00005", "", 60, genealogy.ContainedOne),
			})
			s.same(affected(s, false, cause("", "SN-00001", 25)), map[string]genealogy.Affected{
				"SN-00001": is("SN-00001", "", 25, genealogy.HasCause), "SN-00002": is("SN-00002", "", 25, genealogy.ContainedOne),
				"SN-00003": is("SN-00003", "", 40, genealogy.ContainedOne),
			})
			s.same(affected(s, false, cause("", "SN-00001", 31)), map[string]genealogy.Affected{"SN-00001": is("SN-00001", "", 31, genealogy.HasCause)})
			s.same(affected(s, true, cause("", "SN-00001", 1), cause("", "SN-00001", 2), cause("lot_b", "", 15)), map[string]genealogy.Affected{
				"SN-00001": is("SN-00001", "", 1, genealogy.HasCause), "lot_b": is("", "lot_b", 15, genealogy.HasCause),
				"SN-00005": is("SN-00005", "", 60, genealogy.ContainedOne),
			})
			s.same(affected(s, false), map[string]genealogy.Affected{})
		}},
		{"circles of installations, which clocks and direct edits can leave, end", func(s *testedStore) {
			s.stock(3)
			s.update(all(
				inside(1, "SN-00001", "SN-00002", "", 10, 20), inside(2, "SN-00002", "SN-00003", "", 11, 0), inside(3, "SN-00003", "SN-00001", "", 12, 0),
			))
			s.same(parts(s, "SN-00001", 15), []string{"SN-00002", "SN-00003", "SN-00001"})
			s.same(uses(s, "SN-00001", "", 15), map[string]int{"SN-00003": 1, "SN-00002": 2})
			s.same(affected(s, false, cause("", "SN-00003", 1)), map[string]genealogy.Affected{
				"SN-00003": is("SN-00003", "", 1, genealogy.HasCause), "SN-00002": is("SN-00002", "", 11, genealogy.ContainedOne),
				"SN-00001": is("SN-00001", "", 11, genealogy.ContainedOne),
			})
		}},
	}
}

package storetest

import (
	"errors"
	"fmt"
	"iter"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// aConformance returns a revision of a certificate of conformance, without Revisions.
func aConformance(n int64, revision int) shop.Conformance {
	id := shop.ConformanceID(n)
	return shop.Conformance{
		ID: id, Status: shop.ConformanceIssued, UpdatedAt: farOff, ConformanceIssue: shop.ConformanceIssue{
			ConformanceID: id, Revision: revision, Customer: strange, CustomerAddress: strange, OrderNumber: strange, ShipmentID: "SHP-00007",
			Lines: []shop.ConformanceLine{{
				JobID: "job_1", OrderLine: strange, PartNumber: strange, Description: strange, Revision: strange, Quantity: 1, Remarks: strange,
			}},
			Units: 1, Statement: strange, Lang: "es", SHA256: fmt.Sprintf("digest %d", revision), Size: 1 << 40, Signed: true, Reason: strange,
			IssuedBy: strange, IssuedAt: longAgo,
		},
	}
}

// listedConformance returns a certificate that last changed at a time.
func listedConformance(n int64, at ident.Timestamp) shop.Conformance {
	made := aConformance(n, 1)
	made.UpdatedAt = at
	return made
}

// stockCertified puts the units of stockLines on a certificate.
func (s *testedStore) stockCertified(number int64) {
	s.Helper()
	s.update(func(tx shop.Tx) error {
		units := make([]shop.ConformanceUnit, listed)
		for i := range units {
			units[i] = certifiedUnit(number, 1, tx.SerialPrefix().SerialID(int64(2+i)))
		}
		return tx.InsertConformanceUnits(units)
	})
}

// certifiedUnit returns the open unit of a revision of a certificate in its first pass.
func certifiedUnit(n int64, revision int, unit string) shop.ConformanceUnit {
	return shop.ConformanceUnit{ConformanceID: shop.ConformanceID(n), Revision: revision, SerialID: unit, Pass: 1, Open: true}
}

// Conformances are the cases for certificates of conformance and their units.
func (suite) Conformances() []promise {
	of := func(s *testedStore, n int64) shop.Conformance {
		return look(s, func(tx views.Reader) (shop.Conformance, error) { return tx.Conformance(shop.ConformanceID(n)) })
	}
	open := func(s *testedStore, units ...string) []shop.ConformanceUnit {
		return look(s, func(tx views.Reader) ([]shop.ConformanceUnit, error) { return tx.OpenConformances(units) })
	}
	counted := func(s *testedStore) int {
		return look(s, func(tx views.Reader) (int, error) { return tx.OpenUnitsOfConformance(shop.ConformanceID(1)) })
	}
	on := func(s *testedStore, unit string) []shop.UnitConformance {
		return look(s, func(tx views.Reader) ([]shop.UnitConformance, error) { return tx.ConformancesOfUnit(unit) })
	}
	return []promise{
		{"every field of a certificate, its revisions and units is kept", func(s *testedStore) {
			s.stock(3)
			first, second := aConformance(1, 1), aConformance(1, 2)
			unit := certifiedUnit(1, 1, "SN-00002")
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.PutFile(shop.File{SHA256: first.SHA256, Size: 1 << 40, Type: "application/pdf", State: shop.FileKept, UploadedAt: 1}),
					tx.InsertConformance(first),
					tx.InsertConformanceUnits([]shop.ConformanceUnit{unit}))
			})
			s.same(s.file(first.SHA256).Attached, true)
			s.same(of(s, 1), first)
			s.same(open(s, "SN-00001", "SN-00002"), []shop.ConformanceUnit{unit})
			s.same(counted(s), 1)
			s.same(on(s, "SN-00002"), []shop.UnitConformance{{
				ID: first.ID, Revision: 1, Status: shop.ConformanceIssued, Pass: 1, SHA256: first.SHA256, IssuedAt: longAgo,
			}})
			other := certifiedUnit(1, 2, "SN-00003")
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.ReplaceConformance(second), tx.InsertConformanceUnits([]shop.ConformanceUnit{other}))
			})
			s.same(of(s, 1), second)
			s.same(open(s, "SN-00002", "SN-00003"), []shop.ConformanceUnit{other})
			s.same(on(s, "SN-00002")[0].Status, shop.ConformanceSuperseded)
			issues := []shop.ConformanceIssue{first.ConformanceIssue, second.ConformanceIssue}
			s.same(look(s, func(tx views.Reader) ([]shop.ConformanceIssue, error) {
				return tx.ConformanceIssues([]string{first.ID, "x"})
			}), issues)
			issues[1].Size = 0 // there is no file
			s.same(list(s, func(tx views.Reader) iter.Seq2[shop.ConformanceIssue, error] { return tx.AllConformanceIssues() }), issues)
			s.same(list(s, func(tx views.Reader) iter.Seq2[shop.Conformance, error] { return tx.AllConformances() }),
				[]shop.Conformance{{ID: second.ID, ConformanceIssue: shop.ConformanceIssue{Revision: 2}, UpdatedAt: second.UpdatedAt}})
			unit.Open, unit.JobID = false, aJob(1).ID
			s.same(list(s, func(tx views.Reader) iter.Seq2[shop.ConformanceUnit, error] {
				return tx.UnitsOfConformance(first.ID, 1)
			}),
				[]shop.ConformanceUnit{unit})
			second.Status, second.WithdrawnBy, second.WithdrawnAt = shop.ConformanceWithdrawn, strange, farOff
			second.WithdrawReason, second.UpdatedAt = strange, 9
			withdraw := func(tx shop.Tx) error { return tx.WithdrawConformance(second) }
			s.update(withdraw)
			s.same(of(s, 1), second)
			s.same(open(s, "SN-00003"), []shop.ConformanceUnit{})
			s.same(counted(s), 0)
			s.same(on(s, "SN-00003")[0].Status, shop.ConformanceWithdrawn)
			s.refused(s.tryUpdate(withdraw), shop.ErrNoRecord)
			_, err := tryLook(s, func(tx views.Reader) (shop.Conformance, error) { return tx.Conformance("COC-00009") })
			s.refused(err, shop.ErrNoRecord)
		}},
		{"a unit is on one issued certificate in a pass", func(s *testedStore) {
			s.stock(3)
			insert := func(units ...shop.ConformanceUnit) func(shop.Tx) error {
				return func(tx shop.Tx) error { return tx.InsertConformanceUnits(units) }
			}
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.InsertConformance(aConformance(1, 1)), tx.InsertConformance(aConformance(2, 1)))
			})
			s.update(insert(certifiedUnit(1, 1, "SN-00001")))
			s.refused(s.tryUpdate(insert(certifiedUnit(2, 1, "SN-00002"), certifiedUnit(2, 1, "SN-00001"))), shop.ErrDuplicate)
			s.same(open(s, "SN-00002"), []shop.ConformanceUnit{})
			later := certifiedUnit(2, 1, "SN-00001")
			later.Pass = 2
			s.update(insert(later))
		}},
		{"certificates are found newest first by each condition", func(s *testedStore) {
			s.stock(3)
			other := aConformance(2, 1)
			other.Customer, other.OrderNumber = "Meyer & Co", "50%_off"
			gone := aConformance(3, 1)
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.InsertConformance(aConformance(1, 1)), tx.InsertConformance(other), tx.InsertConformance(gone),
					tx.InsertConformanceUnits([]shop.ConformanceUnit{certifiedUnit(1, 1, "SN-00001"), certifiedUnit(2, 1, "SN-00002")}))
			})
			gone.WithdrawnAt = 5
			s.update(func(tx shop.Tx) error { return tx.WithdrawConformance(gone) })
			for _, test := range []struct {
				query shop.ConformanceQuery
				want  []int64
			}{
				{shop.ConformanceQuery{}, []int64{3, 2, 1}}, {shop.ConformanceQuery{Before: shop.ConformanceID(3)}, []int64{2, 1}},
				{shop.ConformanceQuery{Customer: "Meyer & Co"}, []int64{2}}, {shop.ConformanceQuery{Text: "50%_"}, []int64{2}},
				{shop.ConformanceQuery{Text: "coc-00001"}, []int64{1}}, {shop.ConformanceQuery{SerialID: "SN-00002"}, []int64{2}},
				{shop.ConformanceQuery{JobID: aJob(1).ID}, []int64{2, 1}}, {shop.ConformanceQuery{JobID: "x"}, []int64{}},
				{shop.ConformanceQuery{Status: shop.ConformanceIssued}, []int64{2, 1}},
				{shop.ConformanceQuery{Status: shop.ConformanceWithdrawn}, []int64{3}},
			} {
				test.query.Limit = 9
				found := []int64{}
				for _, one := range look(s, func(tx views.Reader) ([]shop.Conformance, error) { return tx.Conformances(test.query) }) {
					number, _ := shop.ParseConformanceID(one.ID)
					found = append(found, number)
				}
				s.same([]any{fmt.Sprintf("%+v", test.query), found}, []any{fmt.Sprintf("%+v", test.query), test.want})
			}
		}},
		{"certificates of units, of their receipts and of their lots are found for several units at once", func(s *testedStore) {
			s.stock(4)
			for n := range 4 {
				s.update(func(tx shop.Tx) error { return tx.InsertCertificate(aCertificate(n + 1)) })
			}
			s.update(func(tx shop.Tx) error {
				line := settled(aLine(1, "SN-00002"), card.LineReceived, "rcpt_1")
				return errors.Join(tx.InsertAttachments([]shop.Attachment{{
					ID: "catt_1", SerialID: "SN-00001", CertificateID: aCertificate(2).ID, StepID: "s", AttachedAt: 1, AttachedBy: "a", Pass: 1,
				}}), tx.InsertShipment(aShipment(1)), tx.InsertShipmentLines([]card.ShipmentLine{aLine(1, "SN-00002")}),
					tx.InsertReceipt(shop.Receipt{ID: "rcpt_1", ShipmentID: shop.ShipmentID(1)}), tx.SettleLines([]card.ShipmentLine{line}),
					tx.InsertReceiptCertificate(shop.ReceiptCertificate{ID: "rcert_1", ReceiptID: "rcpt_1", CertID: aCertificate(1).ID}))
			})
			found := func(units ...string) (ids []string) {
				for _, one := range look(s, func(tx views.Reader) ([]shop.Certificate, error) { return tx.CertificatesOfUnits(units) }) {
					ids = append(ids, one.ID)
				}
				return ids
			}
			s.same(found("SN-00002", "SN-00001", "SN-00003"), []string{aCertificate(1).ID, aCertificate(2).ID})
			s.same(found("SN-00004"), []string(nil))
		}},
		{"numbers of certificates count up", func(s *testedStore) {
			for want := range int64(3) {
				var number int64
				s.update(func(tx shop.Tx) (err error) {
					number, err = tx.TakeConformanceNumber()
					return err
				})
				s.same(number, want+1)
			}
		}},
	}
}

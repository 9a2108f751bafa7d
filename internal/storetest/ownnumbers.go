package storetest

import (
	"errors"
	"iter"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// OwnNumbers returns the cases for the numbers that are engraved on units.
func (suite) OwnNumbers() []promise {
	own := func(serial, number, job, scope string, at ident.Timestamp) shop.OwnNumber {
		return shop.OwnNumber{SerialID: serial, Number: number, JobID: job, Scope: scope, GivenAt: at}
	}
	job := numbered("job", 1)
	all := func(s *testedStore) []shop.OwnNumber {
		return list(s, func(tx views.Reader) iter.Seq2[shop.OwnNumber, error] { return tx.OwnNumbers() })
	}
	return []promise{
		{"a serial has the number that it got last, and keeps those that it had", func(s *testedStore) {
			s.stock(3)
			first, second, third := own("SN-00001", strange, job, "a", 5), own("SN-00001", "2", job, "a", farOff), own("SN-00003", "1", job, "a", 6)
			s.same(s.card("SN-00001").Serial.SerialNumber, "")
			s.update(func(tx shop.Tx) error { return tx.GiveOwnNumbers([]shop.OwnNumber{first, third}) })
			s.same(s.card("SN-00001").Serial.SerialNumber, strange)
			s.update(func(tx shop.Tx) error { return tx.GiveOwnNumbers([]shop.OwnNumber{second}) })
			for id, want := range map[string]string{"SN-00001": "2", "SN-00002": "", "SN-00003": "1"} {
				s.same(s.card(id).Serial.SerialNumber, want)
				detail, err := s.Store.SerialDetail(s.Context(), id)
				s.must(err)
				s.same(detail.Serial.SerialNumber, want)
			}
			var listed []string
			for _, one := range list(s, func(tx views.Reader) iter.Seq2[shop.ListedSerial, error] { return tx.Serials(0) }) {
				listed = append(listed, one.OwnNumber)
			}
			s.same(listed, []string{"2", "", "1"})
			units := look(s, func(tx views.Reader) ([]views.ListedUnit, error) { return tx.UnitsNumbered([]int64{1, 2}) })
			s.same([]ident.Timestamp{units[0].NumberedAt, units[1].NumberedAt}, []ident.Timestamp{farOff, 0})
			now := look(s, func(tx views.Reader) (map[int64]string, error) { return tx.OwnNumbersNow([]int64{3, 1, 2, 1, biggest}) })
			s.same(now, map[int64]string{1: "2", 3: "1"})
			first.Earlier = true
			s.same(look(s, func(tx views.Reader) ([]shop.OwnNumber, error) { return tx.OwnNumbersOf("SN-00001") }), []shop.OwnNumber{first, second})
			ofJob := func(job string, numbers ...string) []shop.OwnNumber {
				return look(s, func(tx views.Reader) ([]shop.OwnNumber, error) { return tx.OwnNumbersOfJob(job, numbers) })
			}
			s.same(ofJob(job, "1", "3", strange), []shop.OwnNumber{first, third})
			s.same(ofJob(numbered("job", 2), "1", strange), []shop.OwnNumber{})
			s.same(all(s), []shop.OwnNumber{first, second, third})
		}},
		{"a card that is moved keeps the number that its serial got since it was read", func(s *testedStore) {
			s.stock(1)
			s.changeCard("SN-00001", forward)
			s.update(func(tx shop.Tx) error { return tx.GiveOwnNumbers([]shop.OwnNumber{own("SN-00001", "7", job, "a", 5)}) })
			s.changeCard("SN-00001", func(unit card.Card) (card.Change, error) {
				if unit.Serial.SerialNumber != "7" {
					return card.Change{}, errors.New("the card has another number")
				}
				return forward(unit)
			})
			s.same(s.card("SN-00001").Serial.SerialNumber, "7")
		}},
		{"a number is given once within a scope, and again when it was replaced", func(s *testedStore) {
			s.stock(3)
			s.update(func(tx shop.Tx) error {
				return tx.GiveOwnNumbers([]shop.OwnNumber{own("SN-00001", "1", job, "a", 5), own("SN-00002", "1", job, "b", 5)})
			})
			taken := func(scope string, numbers ...string) map[string]string {
				return look(s, func(tx views.Reader) (map[string]string, error) { return tx.OwnNumbersTaken(scope, numbers) })
			}
			s.same(taken("a", "1", "2"), map[string]string{"1": "SN-00001"})
			s.same(taken("c", "1"), map[string]string{})
			s.refused(s.tryUpdate(func(tx shop.Tx) error {
				return tx.GiveOwnNumbers([]shop.OwnNumber{own("SN-00003", "1", job, "a", 6)})
			}), nil)
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.GiveOwnNumbers([]shop.OwnNumber{own("SN-00001", "2", job, "a", 7)}),
					tx.GiveOwnNumbers([]shop.OwnNumber{own("SN-00003", "1", job, "a", 7)}))
			})
			s.same(taken("a", "1", "2"), map[string]string{"1": "SN-00003", "2": "SN-00001"})
			s.same(look(s, func(tx views.Reader) (map[string]string, error) {
				return tx.SerialsInScope("a", []string{"1", "2", "3"})
			}),
				map[string]string{"1": "SN-00003", "2": "SN-00001"})
			s.same(s.card("SN-00003").Serial.SerialNumber, "1")
		}},
		{"a number of a job that another job has within a scope is found before the job comes into it", func(s *testedStore) {
			s.stock(4)
			other := aJob(2)
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.InsertJob(other), tx.GiveOwnNumbers([]shop.OwnNumber{
					own("SN-00001", "1", job, "a", 5), own("SN-00002", "2", job, "a", 5),
					own("SN-00003", "2", other.ID, "b", 5), own("SN-00004", "3", other.ID, "b", 5),
				}))
			})
			type among struct{ number, serial string }
			find := func(scope string) (among, error) {
				return tryLook(s, func(tx views.Reader) (found among, err error) {
					found.number, found.serial, err = tx.OwnNumberAmong(other.ID, scope)
					return found, err
				})
			}
			found, err := find("a")
			s.must(err)
			s.same(found == among{"2", "SN-00002"}, true)
			for _, scope := range []string{"b", "c"} {
				_, err = find(scope)
				s.refused(err, shop.ErrNoRecord)
			}
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.GiveOwnNumbers([]shop.OwnNumber{own("SN-00002", "4", job, "a", 6)}), tx.RescopeOwnNumbers(other.ID, "a"))
			})
			_, err = find("a")
			s.refused(err, shop.ErrNoRecord)
			for _, number := range all(s) {
				s.same(number.Scope, "a")
			}
		}},
		{"serials are found by the numbers that they have or had, whatever the case of A to Z", func(s *testedStore) {
			s.stock(4)
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.GiveOwnNumbers([]shop.OwnNumber{
					own("SN-00001", "ab", job, "a", 5), own("SN-00002", "AB", job, "a", 5),
					own("SN-00003", "Abc", job, "a", 5), own("SN-00004", "b", job, "a", 5),
				}), tx.GiveOwnNumbers([]shop.OwnNumber{own("SN-00002", "x", job, "a", 6)}))
			})
			ids := func(find func(tx views.Reader) ([]shop.OwnNumber, error)) (found []string) {
				for _, number := range look(s, find) {
					found = append(found, number.SerialID)
				}
				return found
			}
			just := func(number string, limit int) []string {
				return ids(func(tx views.Reader) ([]shop.OwnNumber, error) { return tx.SerialsNumbered(number, limit) })
			}
			from := func(beginning string, limit int) []string {
				return ids(func(tx views.Reader) ([]shop.OwnNumber, error) { return tx.SerialsNumberedFrom(beginning, limit) })
			}
			s.same(just("aB", 9), []string{"SN-00001", "SN-00002"})
			s.same(just("aB", 1), []string{"SN-00001"})
			s.same(len(just("a", 9)), 0)
			s.same(from("A", 9), []string{"SN-00002", "SN-00001", "SN-00003"})
			s.same(from("A", 1), []string{"SN-00002"})
			found := look(s, func(tx views.Reader) ([]shop.ListedSerial, error) {
				return tx.SearchSerials(views.SerialSearch{OwnNumber: "AB", Before: biggest, Limit: 9})
			})
			s.same([]int64{found[0].Number, found[1].Number}, []int64{2, 1})
		}},
		{"many numbers are given at once, and are all listed", func(s *testedStore) {
			s.stock(many)
			numbers := make([]shop.OwnNumber, many)
			for i := range numbers {
				id := ident.DefaultPrefix.SerialID(int64(i + 1))
				numbers[i] = own(id, "N"+id, job, "a", 5)
			}
			s.update(func(tx shop.Tx) error { return tx.GiveOwnNumbers(numbers) })
			s.same(all(s), numbers)
			asked := make([]int64, 0, many)
			for number := int64(many); number > 0; number-- {
				asked = append(asked, number)
			}
			now := look(s, func(tx views.Reader) (map[int64]string, error) { return tx.OwnNumbersNow(asked) })
			s.same(len(now), many)
			s.same(now[many], numbers[many-1].Number)
		}},
	}
}

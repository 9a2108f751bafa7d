package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

func (suite) ListPages() []promise { return listPages }

// listed is the number of rows in each list of stockLists.
const listed = 7

// listPages are the cases for lists that are read page by page.
var listPages = []promise{
	{"every list is read in each of its orders, each row once, whatever a page holds, and rows of one time by their place", func(s *testedStore) {
		owners := s.stockLists()
		for _, list := range views.StoredLists() {
			for _, order := range list.Orders() {
				window := views.ListWindow{Order: order, Owner: owners[list.Name], Limit: 1000}
				whole := s.follow(&list, window)
				want := listed
				if list.Name == views.ListAudit {
					want *= 2 // the notes of a unit and those of a job
				}
				s.same(len(whole), want)
				for i := 1; i < len(whole); i++ {
					if before(whole[i-1], whole[i]) == order.Descending {
						s.Fatalf("%s by %s: %v comes before %v", list.Name, order.Name, whole[i-1].ListPosition, whole[i].ListPosition)
					}
				}
				for window.Limit = 1; window.Limit <= listed+1; window.Limit++ {
					s.same(s.follow(&list, window), whole)
				}
			}
		}
	}},
	{"an operator, an override and a note know when they were last changed", func(s *testedStore) {
		s.stock(1)
		override := card.Override{ID: "snso_1", SerialID: "SN-00001", StepID: "a", Active: true, CreatedAt: 10}
		changed := func(name views.ListName, owner any, since ident.Timestamp) []ident.Timestamp {
			list, times := listNamed(name), []ident.Timestamp{}
			for _, row := range s.follow(&list, views.ListWindow{Order: list.Orders()[2], Owner: owner, Since: since, Limit: 1}) {
				times = append(times, row.Changed)
			}
			return times
		}
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.InsertUser(shop.User{ID: "user_1", Name: "Ann", Active: true, CreatedAt: 10}),
				tx.InsertUser(shop.User{ID: "user_2", Name: "Ben", Active: true, CreatedAt: 11}), tx.InsertOverrides([]card.Override{override}),
				tx.InsertNote(shop.Note{ID: "note_1", StepID: "s", SerialIDs: []string{"SN-00001"}, CreatedAt: 10}))
		})
		s.same(changed(views.ListUsers, nil, 0), []ident.Timestamp{10, 11})
		s.same(changed(views.ListUsers, nil, 11), []ident.Timestamp{11})
		s.same(changed(views.ListOverrides, int64(1), 10), []ident.Timestamp{10})
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.UpdateUser(shop.User{ID: "user_1", Name: "Anna"}, 20), tx.MarkNotePushed("note_1", "c", 20))
		})
		override.Active, override.ReversedAt = false, 20
		s.changeCard("SN-00001", func(unit card.Card) (card.Change, error) {
			return card.Change{Serial: unit.Serial, Reversed: []card.Override{override}}, nil
		})
		s.same(changed(views.ListUsers, nil, 0), []ident.Timestamp{11})  // one became inactive
		s.same(changed(views.ListUsers, nil, 20), []ident.Timestamp{20}) // the change is included in a query for changes
		s.same(changed(views.ListOverrides, int64(1), 20), []ident.Timestamp{20})
		s.same(changed(views.ListNotesOfStep, "s", 20), []ident.Timestamp{20})
		s.same(changed(views.ListNotesOfSerial, "SN-00001", 21), []ident.Timestamp{})
		s.update(func(tx shop.Tx) error { return tx.VoidNote("note_1", card.Voiding{VoidedAt: 30}) })
		s.same(changed(views.ListNotesOfSerial, "SN-00001", 21), []ident.Timestamp{30})
	}},
	{"a list of holds, of readings or of reports can be narrowed in each of its orders", narrowLists},
	{"a hold and a reading know when they were last changed", func(s *testedStore) {
		s.stock(1)
		at := func(name views.ListName, since ident.Timestamp) (times []ident.Timestamp) {
			list := listNamed(name)
			for _, row := range s.follow(&list, views.ListWindow{Order: list.Orders()[2], Since: since, Limit: 1}) {
				times = append(times, row.Changed)
			}
			return times
		}
		hold := card.Hold{ID: "hold_1", SerialID: "SN-00001", Reason: "r", PlacedBy: "u", PlacedAt: 10}
		s.changeCard("SN-00001", func(unit card.Card) (card.Change, error) {
			return card.Change{Serial: unit.Serial, Held: []card.Hold{hold}}, nil
		})
		made := aReading(1, "SN-00001")
		made.MeasuredAt = 10
		s.update(func(tx shop.Tx) error { return tx.InsertMeasurements([]card.Measurement{made}) })
		for _, name := range []views.ListName{views.ListHolds, views.ListMeasurements} {
			s.same(at(name, 10), []ident.Timestamp{10})
			s.same(len(at(name, 11)), 0)
		}
		hold.ReleasedBy, hold.ReleasedAt = "u", 20
		s.changeCard("SN-00001", func(unit card.Card) (card.Change, error) {
			return card.Change{Serial: unit.Serial, Released: []card.Hold{hold}}, nil
		})
		s.update(func(tx shop.Tx) error { return tx.VoidMeasurement(made.ID, card.Voiding{VoidedAt: 20, VoidedBy: "u"}) })
		for _, name := range []views.ListName{views.ListHolds, views.ListMeasurements} {
			s.same(at(name, 20), []ident.Timestamp{20})
		}
	}},
	{"whoever reads page by page while records are added reads each that was there once, in every order", func(s *testedStore) {
		s.stock(1)
		added := 0
		rapid.Check(s.T, func(t *rapid.T) {
			name := rapid.SampledFrom([]views.ListName{
				views.ListHolds, views.ListMeasurements, views.ListInstruments, views.ListLots, views.ListShipments, views.ListConformances, views.ListFirstArticles, views.ListReports, views.ListJobs, views.ListCertificates,
			}).Draw(t, "list")
			list := listNamed(name)
			order := rapid.SampledFrom(list.Orders()).Draw(t, "order")
			add := func(most int) {
				for range rapid.IntRange(0, most).Draw(t, "records") {
					added++
					// The identifiers and times of simultaneous writers may be lower than those of others that were committed before.
					at := ident.Timestamp(added + rapid.IntRange(0, 5).Draw(t, "moment"))
					s.addListed(name, fmt.Sprintf("%d %d", added+rapid.IntRange(0, 5).Draw(t, "place"), added), int64(added), at)
				}
			}
			add(6)
			there := s.follow(&list, views.ListWindow{Order: order, Limit: 1000})
			times, pages := map[any]int{}, 0
			s.pages(&list, views.ListWindow{Order: order, Limit: rapid.IntRange(1, 20).Draw(t, "limit")}, func(rows []views.ListedRow) {
				for i := range rows {
					times[rows[i].Place]++
				}
				if pages++; pages < 20 { // so that the loop ends
					add(3)
				}
			})
			for i := range there {
				if times[there[i].Place] != 1 {
					t.Fatalf("%s by %s: %v was read %d times", name, order.Name, there[i].Place, times[there[i].Place])
				}
			}
			for place, read := range times {
				if read != 1 {
					t.Fatalf("%s by %s: %v was read %d times", name, order.Name, place, read)
				}
			}
		})
	}},
	{"whoever reads page by page while others write reads each row that was there once, and has every change in the end", func(s *testedStore) {
		round := 0
		rapid.Check(s.T, func(t *rapid.T) {
			round++
			n := &noted{s: s, t: t, step: fmt.Sprint("step ", round), now: 1}
			for range rapid.IntRange(0, 8).Draw(t, "notes") {
				n.now += 2
				n.write()
			}
			n.staysOnce()
			n.changesCome()
		})
	}},
}

// follow reads a list page by page, from its beginning to its end.
func (s *testedStore) follow(list *views.List, window views.ListWindow) (all []views.ListedRow) {
	s.Helper()
	s.pages(list, window, func(rows []views.ListedRow) { all = append(all, rows...) })
	return all
}

// pages calls take with each page of a list.
func (s *testedStore) pages(list *views.List, window views.ListWindow, take func(rows []views.ListedRow)) {
	s.Helper()
	for {
		var rows []views.ListedRow
		var more bool
		s.view(func(tx views.Reader) (err error) {
			rows, more, err = tx.ListRows(list, window)
			return err
		})
		take(rows)
		if len(rows) < window.Limit && !more {
			return
		}
		window.After = &rows[len(rows)-1].ListPosition
	}
}

func listNamed(name views.ListName) views.List {
	lists := views.StoredLists()
	return lists[slices.IndexFunc(lists, func(list views.List) bool { return list.Name == name })]
}

// before reports whether row a comes before row b in ascending order.
func before(a, b views.ListedRow) bool {
	lesser := func(a, b any) bool {
		switch a := a.(type) {
		case int64:
			return a < b.(int64)
		case string:
			return a < b.(string)
		}
		return false
	}
	if a.By != b.By {
		return lesser(a.By, b.By)
	}
	return lesser(a.Place, b.Place)
}

// stockLists fills every list with the number of rows in listed, some of which have the same time. It returns the records that the lists
// belong to.
func (s *testedStore) stockLists() map[views.ListName]any {
	s.Helper()
	s.stock(1)
	job, unit := aJob(1).ID, "SN-00001"
	owners := map[views.ListName]any{
		views.ListAttachmentsOfSerial: int64(1), views.ListAttachmentsOfCertificate: aCertificate(1).ID, views.ListOverrides: int64(1),
		views.ListHoldsOfSerial: int64(1), views.ListNotesOfSerial: unit, views.ListNotesOfStep: "s", views.ListBOMVersions: "bom_1",
		views.ListCalibrations: "inst_1", views.ListLinesOfShipment: shop.ShipmentID(1), views.ListUnitsOfConformance: shop.ConformanceID(1), views.ListBaselines: "char_1", views.ListAuditOfSerial: int64(1), views.ListAuditOfJob: job,
	}
	for _, kind := range shop.FileSubjects() {
		owners[views.FilesOn(kind)] = "owner"
	}
	s.update(func(tx shop.Tx) error {
		return errors.Join(tx.PutFile(shop.File{SHA256: strange, Size: 1}),
			tx.InsertCharacteristics(card.CharacteristicSet{
				ID: "chset_1", StepID: "s", Revision: 1, Characteristics: []card.Characteristic{{ID: "char_1"}},
			}))
	})
	s.each(listed, func(tx shop.Tx, i int) error {
		at := ident.Timestamp(1000 + i/3) // three rows with each time
		name := fmt.Sprint("N", i%2)
		var err error
		if i > 1 {
			another := aJob(i)
			another.CreatedAt, another.UpdatedAt = at, at
			err = tx.InsertJob(another)
		}
		made := aCertificate(i)
		made.CreatedAt = at
		err = errors.Join(err, tx.InsertCertificate(made), tx.InsertBOM(shop.BOM{ID: fmt.Sprint("bom_", i), Name: name, UpdatedAt: at}),
			tx.InsertTemplate(shop.Template{ID: fmt.Sprint("tmpl_", i), Name: name, UpdatedAt: at}),
			tx.InsertUser(shop.User{ID: fmt.Sprint("user_", i), Name: name, Active: true, CreatedAt: at}),
			tx.InsertLibraryEntry(shop.Processes, shop.LibraryEntry{ID: fmt.Sprint("proc_", i), Name: fmt.Sprint("P", i), CreatedAt: at}),
			tx.InsertLibraryEntry(shop.Locations, shop.LibraryEntry{ID: fmt.Sprint("loc_", i), Name: fmt.Sprint("L", i), CreatedAt: at}),
			tx.InsertOverrides([]card.Override{{
				ID: fmt.Sprint("snso_", i), SerialID: unit, StepID: fmt.Sprint("s", i), Active: true, CreatedAt: at,
			}}),
			tx.InsertNote(shop.Note{ID: fmt.Sprint("note_", i), StepID: "s", SerialIDs: []string{unit}, Text: "t", CreatedAt: at}),
			tx.InsertAttachments([]shop.Attachment{{
				ID: fmt.Sprint("catt_", i), SerialID: unit, CertificateID: aCertificate(1).ID, StepID: fmt.Sprint("s", i), AttachedAt: at,
			}}),
			tx.AppendAudit(trail.Entry{Action: "x", SerialID: unit, Timestamp: at}, trail.Entry{Action: "x", JobID: job, Timestamp: at}),
			tx.InsertInstrument(shop.Instrument{ID: fmt.Sprint("inst_", i), Number: fmt.Sprint("M-", i), Name: name, UpdatedAt: at}),
			tx.InsertLot(shop.Lot{ID: fmt.Sprint("lot_", i), LotFields: shop.LotFields{LotNumber: fmt.Sprint("L-", i), Material: name}, UpdatedAt: at}),
			tx.InsertShipment(shop.Shipment{ID: shop.ShipmentID(int64(i)), Kind: card.ToCustomer, UpdatedAt: at}),
			tx.InsertConformance(listedConformance(int64(i), at)),
			tx.InsertFirstArticle(shop.FirstArticle{ID: shop.FirstArticleID(int64(i)), JobID: job, PathID: numbered("path", 1), UpdatedAt: at}),
			tx.InsertMeasurements([]card.Measurement{{ID: fmt.Sprint("meas_", i), SerialID: unit, MeasuredAt: at}}),
			tx.InsertNonconformance(shop.Nonconformance{ID: shop.NonconformanceID(int64(i)), Severity: shop.Minor, OpenedAt: at}),
			tx.InsertCalibration(shop.Calibration{ID: fmt.Sprint("cal_", i), InstrumentID: "inst_1", CalibratedAt: at}),
			tx.InsertBaseline(shop.Baseline{ID: fmt.Sprint("base_", i), CharacteristicID: "char_1", FrozenAt: at}))
		for k, kind := range shop.FileSubjects() {
			err = errors.Join(err, tx.AttachFile([]shop.FileLink{{
				ID: fmt.Sprintf("flnk_%d_%d", k, i), SHA256: strange, On: shop.FileSubject{Kind: kind, ID: "owner"}, AttachedAt: at,
			}}))
		}
		return err
	})
	s.stockLines(1)
	s.stockCertified(1)
	s.each(listed, func(tx shop.Tx, i int) error {
		return tx.InsertBOMVersion(shop.BOMVersion{
			ID: fmt.Sprint("bomv_", i), BOMID: "bom_1", VersionNumber: int64(i), EntriesSnapshot: json.RawMessage(`[]`),
			CreatedAt: ident.Timestamp(1000 + i/3),
		})
	})
	s.changeCard(unit, func(routeCard card.Card) (change card.Change, err error) {
		change.Serial = routeCard.Serial
		for i := range listed {
			change.Held = append(change.Held, card.Hold{
				ID: fmt.Sprint("hold_", i), SerialID: unit, Reason: "r", PlacedBy: "u", PlacedAt: ident.Timestamp(1000 + i/3),
			})
		}
		return change, nil
	})
	return owners
}

// noted is a step with notes. Other writers add and change notes while they are read.
type noted struct {
	s    *testedStore
	t    *rapid.T
	step string
	ids  []string
	now  ident.Timestamp
}

// write writes a note. Its identifier may be lower than those of existing notes.
func (n *noted) write() {
	id := fmt.Sprintf("%s note %d %d", n.step, rapid.IntRange(0, 3).Draw(n.t, "place"), len(n.ids))
	n.ids = append(n.ids, id)
	n.s.update(func(tx shop.Tx) error {
		return tx.InsertNote(shop.Note{ID: id, StepID: n.step, SerialIDs: []string{n.step}, Text: "t", CreatedAt: n.now})
	})
}

// others writes and changes notes, all of them at the time of the last change or a moment later.
func (n *noted) others() {
	n.now += ident.Timestamp(rapid.IntRange(0, 1).Draw(n.t, "moment"))
	for range rapid.IntRange(0, 3).Draw(n.t, "changes") {
		what := rapid.IntRange(0, 2).Draw(n.t, "what")
		if what == 0 || len(n.ids) == 0 {
			n.write()
			continue
		}
		id := rapid.SampledFrom(n.ids).Draw(n.t, "note")
		n.s.must(n.s.tryUpdate(func(tx shop.Tx) error {
			if what == 1 {
				return tx.MarkNotePushed(id, "c", n.now)
			}
			err := tx.VoidNote(id, card.Voiding{VoidedAt: n.now})
			if errors.Is(err, shop.ErrNoRecord) {
				err = nil // the note is already voided
			}
			return err
		}))
	}
}

// staysOnce reads the notes in one of their orders. Each note that existed at the beginning must appear once.
func (n *noted) staysOnce() {
	there, times := slices.Clone(n.ids), map[string]int{}
	list := listNamed(views.ListNotesOfStep)
	order := list.Orders()[rapid.IntRange(0, 1).Draw(n.t, "order")]
	window := views.ListWindow{Order: order, Owner: n.step, Limit: rapid.IntRange(1, 4).Draw(n.t, "limit")}
	pages := 0
	n.s.pages(&list, window, func(rows []views.ListedRow) {
		for _, row := range rows {
			times[row.Record.(shop.Note).ID]++
		}
		if pages++; pages < 20 { // so that the loop ends
			n.others()
		}
	})
	for _, id := range n.ids {
		if times[id] > 1 || times[id] == 0 && slices.Contains(there, id) {
			n.t.Fatalf("%s was read %d times", id, times[id])
		}
	}
}

// changesCome reads the changes, and then twice the changes since the time at which the previous read began. The result must have every
// note in its present state. The newest time in the previous read would not be enough: another change may have the same time as a row that
// was read, and sort before it.
func (n *noted) changesCome() {
	name, owner := views.ListNotesOfStep, n.step
	if rapid.Bool().Draw(n.t, "of serial") {
		name = views.ListNotesOfSerial
	}
	list, kept, began := listNamed(name), map[string]shop.Note{}, ident.Timestamp(1)
	window := views.ListWindow{Order: list.Orders()[2], Owner: owner}
	for round := range 3 {
		window.Since, window.Limit = began, rapid.IntRange(1, 4).Draw(n.t, "limit")
		began = n.now
		pages := 0
		n.s.pages(&list, window, func(rows []views.ListedRow) {
			for _, row := range rows {
				note := row.Record.(shop.Note)
				kept[note.ID] = note
			}
			if pages++; round < 2 && pages < 10 {
				n.others()
			}
		})
	}
	for _, id := range n.ids {
		is := look(n.s, func(tx views.Reader) (shop.Note, error) { return tx.Note(id) })
		if fmt.Sprint(kept[id]) != fmt.Sprint(is) {
			n.t.Fatalf("%s is\n%v\nand was read as\n%v", id, is, kept[id])
		}
	}
}

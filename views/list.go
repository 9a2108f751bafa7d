package views

import (
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// ListName names a list of the interface that is read page by page.
type ListName string

// The lists.
const (
	ListJobs                     ListName = "jobs"
	ListCertificates             ListName = "certificates"
	ListBOMs                     ListName = "bills"
	ListTemplates                ListName = "templates"
	ListUsers                    ListName = "users"
	ListProcesses                ListName = "processes"
	ListLocations                ListName = "locations"
	ListAttachmentsOfSerial      ListName = "attachments of serial"
	ListAttachmentsOfCertificate ListName = "attachments of certificate"
	ListOverrides                ListName = "overrides"
	ListHoldsOfSerial            ListName = "holds of serial"
	ListNotesOfSerial            ListName = "notes of serial"
	ListNotesOfStep              ListName = "notes of step"
	ListBOMVersions              ListName = "versions"
	ListCalibrations             ListName = "calibrations"
	ListBaselines                ListName = "baselines"
	ListAudit                    ListName = "audit"
	ListAuditOfSerial            ListName = "audit of serial"
	ListAuditOfJob               ListName = "audit of job"
	ListSerials                  ListName = "serials"
	ListHolds                    ListName = "holds"
	ListReports                  ListName = "reports"
	ListInstruments              ListName = "instruments"
	ListMeasurements             ListName = "measurements"
)

// List is what holds of a list: what it lists, of which record, and in which orders.
type List struct {
	Name ListName
	Of   ident.RecordKind // what the rows are
	// Owner is the column that names the record whose list it is, "" for the list of everything there is.
	Owner string
	// OfUnit says that the owner is a unit, which that column has by its number.
	OfUnit bool
	Only   string // a condition that every row meets, "" for none
	Place  Column // tells the rows apart, and orders those that are otherwise alike
	// Changed is when what a row shows was last changed, as an expression; "" where the trail tells that.
	Changed string
	// Dated says that the records have that time themselves, as updatedAt.
	Dated bool
	// Ended says that records which do not meet Only any more are among what was changed since a time.
	Ended bool

	// found refuses a record that has no such list because it does not exist; nil where that is an empty list.
	found func(tx Reader, id string) error
	sorts []ListOrder // the first is the list's own
}

// Column is a column of a table, with texts or with numbers, or computed from others.
type Column struct {
	Name     string // or an expression
	Numbers  bool
	Computed bool
}

// ListOrder is an order of a list.
type ListOrder struct {
	Name       string // as the parameter sort has it
	By         Column // the zero Column for the list's Place alone
	Descending bool
}

// The orders of lists. Identifiers sort as the times do at which they were made.
func newestFirst() []ListOrder {
	return []ListOrder{{Name: "-createdAt", Descending: true}, {Name: "createdAt"}}
}

func oldestFirst() []ListOrder {
	return []ListOrder{{Name: "createdAt"}, {Name: "-createdAt", Descending: true}}
}

func byName() []ListOrder {
	return []ListOrder{{Name: "name", By: Column{Name: "name"}}, {Name: "-name", By: Column{Name: "name"}, Descending: true}}
}

// changing adds the order of changes to the orders of a list.
func changing(orders []ListOrder, changed string) []ListOrder {
	by := Column{Name: changed, Numbers: true, Computed: strings.Contains(changed, " ")}
	return append(orders, ListOrder{Name: "updatedAt", By: by}, ListOrder{Name: "-updatedAt", By: by, Descending: true})
}

// laterOf is the later of two times, of which the second is 0 until it has come.
func laterOf(first, second string) string {
	return "CASE WHEN " + second + " > " + first + " THEN " + second + " ELSE " + first + " END"
}

// noteChanged is when a note was written, voided or posted as a comment, whichever was last.
func noteChanged() string { return laterOf(laterOf("n.created_at", "n.voided_at"), "n.pushed_at") }

// Lists has a row for every list but that of units, which serialpage.go reads.
func Lists() []List {
	return slices.Concat([]List{
		{
			Name: ListJobs, Of: shop.RecordJob, Dated: true,
			Place: Column{Name: "id"}, Changed: "updated_at",
			sorts: changing(newestFirst(), "updated_at"),
		},
		{
			Name: ListCertificates, Of: shop.RecordCertificate,
			Place: Column{Name: "id"}, Changed: "changed_at",
			sorts: changing(newestFirst(), "changed_at"),
		},
		{
			Name: ListBOMs, Of: shop.RecordBOM, Dated: true,
			Place: Column{Name: "id"}, Changed: "updated_at",
			sorts: changing(newestFirst(), "updated_at"),
		},
		{
			Name: ListTemplates, Of: shop.RecordTemplate, Dated: true,
			Place: Column{Name: "id"}, Changed: "updated_at",
			sorts: changing(newestFirst(), "updated_at"),
		},
		{
			Name: ListUsers, Of: shop.RecordUser, Only: "active", Ended: true,
			Place: Column{Name: "id"}, Changed: "changed_at", sorts: changing(byName(), "changed_at"),
		},
		{
			Name: ListProcesses, Of: shop.RecordProcess, Only: "library = 'process'",
			Place: Column{Name: "id"}, Changed: "created_at",
			sorts: changing(byName(), "created_at"),
		},
		{
			Name: ListLocations, Of: shop.RecordLocation, Only: "library = 'location'",
			Place: Column{Name: "id"}, Changed: "created_at",
			sorts: changing(byName(), "created_at"),
		},
		{
			Name: ListAttachmentsOfSerial, Of: shop.RecordAttachment, Owner: "serial_number", OfUnit: true, found: serialNumberFound,
			Place: Column{Name: "id"}, Changed: laterOf("attached_at", "voided_at"),
			sorts: changing(oldestFirst(), laterOf("attached_at", "voided_at")),
		},
		{
			Name: ListAttachmentsOfCertificate, Of: shop.RecordAttachment, Owner: "certificate_id", found: certificateFound,
			Place: Column{Name: "id"}, Changed: laterOf("attached_at", "voided_at"),
			sorts: changing(oldestFirst(), laterOf("attached_at", "voided_at")),
		},
		{
			Name: ListOverrides, Of: shop.RecordOverride, Owner: "serial_number", OfUnit: true, found: serialFound,
			Place: Column{Name: "id"}, Changed: laterOf("created_at", "reversed_at"),
			sorts: changing(oldestFirst(), laterOf("created_at", "reversed_at")),
		},
		{
			Name: ListHoldsOfSerial, Of: shop.RecordHold, Owner: "serial_number", OfUnit: true, found: serialFound,
			Place: Column{Name: "id"}, Changed: laterOf("placed_at", "released_at"),
			sorts: changing(oldestFirst(), laterOf("placed_at", "released_at")),
		},
		{
			Name: ListNotesOfSerial, Of: shop.RecordNote, Owner: "s.serial_id",
			Place: Column{Name: "s.note_id"}, Changed: noteChanged(), sorts: changing(oldestFirst(), noteChanged()),
		},
		{
			Name: ListNotesOfStep, Of: shop.RecordNote, Owner: "n.step_id",
			Place: Column{Name: "n.id"}, Changed: noteChanged(), sorts: changing(oldestFirst(), noteChanged()),
		},
		{
			Name: ListBOMVersions, Of: shop.RecordBOMVersion, Owner: "bom_id", found: bomFound,
			Place: Column{Name: "version_number", Numbers: true}, Changed: "created_at",
			sorts: changing(newestFirst(), "created_at"),
		},
		{
			Name: ListCalibrations, Of: shop.RecordCalibration, Owner: "instrument_id", found: instrumentFound,
			Place: Column{Name: "id"}, Changed: "calibrated_at",
			sorts: changing(oldestFirst(), "calibrated_at"),
		},
		{
			Name: ListBaselines, Of: shop.RecordBaseline, Owner: "characteristic_id", found: characteristicFound,
			Place: Column{Name: "id"}, Changed: "frozen_at",
			sorts: changing(oldestFirst(), "frozen_at"),
		},
		{
			Name: ListHolds, Of: shop.RecordHold,
			Place: Column{Name: "id"}, Changed: laterOf("placed_at", "released_at"),
			sorts: changing(newestFirst(), laterOf("placed_at", "released_at")),
		},
		{
			Name: ListMeasurements, Of: shop.RecordMeasurement,
			Place: Column{Name: "id"}, Changed: laterOf("measured_at", "voided_at"),
			sorts: changing(newestFirst(), laterOf("measured_at", "voided_at")),
		},
		{
			Name: ListInstruments, Of: shop.RecordInstrument, Dated: true,
			Place: Column{Name: "id"}, Changed: "updated_at", sorts: changing(newestFirst(), "updated_at"),
		},
		{
			Name: ListReports, Of: shop.RecordNonconformance, // what was changed is found by the trail: see reportsChanged
			Place: Column{Name: "number", Numbers: true}, sorts: newestFirst(),
		},
		{
			Name: ListAudit, Of: shop.RecordEntry,
			Place: Column{Name: "sequence", Numbers: true}, sorts: newestFirst(),
		},
		{
			Name: ListAuditOfSerial, Of: shop.RecordEntry, Owner: "serial_number", OfUnit: true, Only: "serial_number <> 0",
			Place: Column{Name: "sequence", Numbers: true}, sorts: oldestFirst(),
		},
		{
			Name: ListAuditOfJob, Of: shop.RecordEntry, Owner: "job_id", Only: "job_id <> ''",
			Place: Column{Name: "sequence", Numbers: true}, sorts: oldestFirst(),
		},
	}, filesOn(shop.RecordSerial, serialFound), filesOn(shop.RecordJob, func(tx Reader, id string) error {
		_, err := shop.FindJob(tx, id)
		return err
	}), filesOn(shop.RecordStep, func(tx Reader, id string) error {
		_, err := shop.FindPathOfStep(tx, id)
		return err
	}), filesOn(shop.RecordCertificate, certificateFound), filesOn(shop.RecordNonconformance, func(tx Reader, id string) error {
		_, err := shop.FindNonconformance(tx, id)
		return err
	}), filesOn(shop.RecordInstrument, instrumentFound))
}

// FilesOn names the list of the files that are attached to a record of a kind.
func FilesOn(kind ident.RecordKind) ListName { return ListName("files of " + kind) }

func filesOn(kind ident.RecordKind, found func(Reader, string) error) []List {
	changed := laterOf("l.attached_at", "l.voided_at")
	return []List{{
		Name: FilesOn(kind), Of: shop.RecordFileLink, Owner: "l.on_id", Only: "l.on_kind = '" + string(kind) + "'", found: found,
		Place: Column{Name: "l.id"}, Changed: changed, sorts: changing(oldestFirst(), changed),
	}}
}

func serialFound(tx Reader, id string) error {
	_, err := tx.RouteCard(id)
	return shop.OrNotFound(err, shop.NameSerial, id)
}

func serialNumberFound(tx Reader, id string) error {
	_, err := tx.RouteCard(id)
	return shop.OrNotFound(err, shop.NameSerialNumber, id)
}

func certificateFound(tx Reader, id string) error {
	_, err := tx.Certificate(id)
	return shop.OrNotFound(err, shop.NameCertificate, id)
}

func bomFound(tx Reader, id string) error {
	_, err := tx.BOM(id)
	return shop.OrNotFound(err, shop.NameBOM, id)
}

func instrumentFound(tx Reader, id string) error {
	_, err := tx.Instrument(id)
	return shop.OrNotFound(err, shop.NameInstrument, id)
}

func characteristicFound(tx Reader, id string) error {
	_, _, err := shop.FindCharacteristic(tx, id)
	return err
}

// listNamed finds a row of Lists; every name has one.
func listNamed(name ListName) *List {
	lists := Lists()
	return &lists[slices.IndexFunc(lists, func(l List) bool { return l.Name == name })]
}

// Orders are the orders of the list, its own first.
func (l *List) Orders() []ListOrder { return slices.Clone(l.sorts) }

// ofEntries reports whether the rows are entries of the trail, which never change: their order is that of their numbers.
func (l *List) ofEntries() bool { return l.Of == shop.RecordEntry }

// order is the one that a query asks for. What changed since a time is read in the order of the changes: in any other one a row
// that is changed while somebody reads page by page could be passed by.
func (l *List) order(query ListQuery) (ListOrder, error) {
	among := l.sorts
	if query.UpdatedSince != 0 {
		ofChanges := "updatedAt"
		if l.ofEntries() {
			ofChanges = "createdAt"
		}
		among = slices.DeleteFunc(slices.Clone(among), func(o ListOrder) bool { return o.Name != ofChanges })
	}
	if query.Sort == "" {
		return among[0], nil
	}
	at := slices.IndexFunc(among, func(o ListOrder) bool { return o.Name == query.Sort })
	if at < 0 {
		names := make([]string, len(among))
		for i, order := range among {
			names[i] = order.Name
		}
		return ListOrder{}, input.NotOneOf("sort", names)
	}
	return among[at], nil
}

package views

import (
	"slices"

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

// List is what holds of a list: what it lists, of which record, and in which orders. Where a store finds that is the store's own.
type List struct {
	Name ListName
	Of   ident.RecordKind // what the rows are
	// Owned says that it is the list of one record.
	Owned bool
	// OfUnit says that this record is a unit, which a store has by its number.
	OfUnit bool
	// On is the kind of that record where lists of several kinds have the same rows, as those of files.
	On ident.RecordKind
	// Numbered says that the place of a row is a number and not a text. The place tells the rows apart, and orders those that are otherwise
	// alike.
	Numbered bool
	// Dated says that the records have the time of their last change themselves, as updatedAt.
	Dated bool
	// Ended says that rows which the list has no more are among what was changed since a time.
	Ended bool

	// found refuses a record that has no such list because it does not exist; nil where that is an empty list.
	found func(tx Reader, id string) error
	sorts []ListOrder // the first is the list's own
}

// ListField is what a list is ordered by before the places of its rows.
type ListField int

// The fields.
const (
	ByPlace  ListField = iota // nothing before the places
	ByName                    // a text
	ByChange                  // the time of the last change, or the number of an entry of the trail
)

// Numbers reports whether the field has numbers and not texts.
func (f ListField) Numbers() bool { return f == ByChange }

// ListOrder is an order of a list.
type ListOrder struct {
	Name       string // as the parameter sort has it
	By         ListField
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
	return []ListOrder{{Name: "name", By: ByName}, {Name: "-name", By: ByName, Descending: true}}
}

// changing adds the order of changes to the orders of a list.
func changing(orders []ListOrder) []ListOrder {
	return append(orders, ListOrder{Name: "updatedAt", By: ByChange}, ListOrder{Name: "-updatedAt", By: ByChange, Descending: true})
}

// Lists has a row for every list but that of units, which serialpage.go reads.
func Lists() []List {
	return slices.Concat([]List{
		{Name: ListJobs, Of: shop.RecordJob, Dated: true, sorts: changing(newestFirst())},
		{Name: ListCertificates, Of: shop.RecordCertificate, sorts: changing(newestFirst())},
		{Name: ListBOMs, Of: shop.RecordBOM, Dated: true, sorts: changing(newestFirst())},
		{Name: ListTemplates, Of: shop.RecordTemplate, Dated: true, sorts: changing(newestFirst())},
		{Name: ListUsers, Of: shop.RecordUser, Ended: true, sorts: changing(byName())},
		{Name: ListProcesses, Of: shop.RecordProcess, sorts: changing(byName())},
		{Name: ListLocations, Of: shop.RecordLocation, sorts: changing(byName())},
		{
			Name: ListAttachmentsOfSerial, Of: shop.RecordAttachment, Owned: true, OfUnit: true, found: serialNumberFound,
			sorts: changing(oldestFirst()),
		},
		{
			Name: ListAttachmentsOfCertificate, Of: shop.RecordAttachment, Owned: true, found: certificateFound,
			sorts: changing(oldestFirst()),
		},
		{Name: ListOverrides, Of: shop.RecordOverride, Owned: true, OfUnit: true, found: serialFound, sorts: changing(oldestFirst())},
		{Name: ListHoldsOfSerial, Of: shop.RecordHold, Owned: true, OfUnit: true, found: serialFound, sorts: changing(oldestFirst())},
		{Name: ListNotesOfSerial, Of: shop.RecordNote, Owned: true, sorts: changing(oldestFirst())},
		{Name: ListNotesOfStep, Of: shop.RecordNote, Owned: true, sorts: changing(oldestFirst())},
		{Name: ListBOMVersions, Of: shop.RecordBOMVersion, Owned: true, found: bomFound, Numbered: true, sorts: changing(newestFirst())},
		{Name: ListCalibrations, Of: shop.RecordCalibration, Owned: true, found: instrumentFound, sorts: changing(oldestFirst())},
		{Name: ListBaselines, Of: shop.RecordBaseline, Owned: true, found: characteristicFound, sorts: changing(oldestFirst())},
		{Name: ListHolds, Of: shop.RecordHold, sorts: changing(newestFirst())},
		{Name: ListMeasurements, Of: shop.RecordMeasurement, sorts: changing(newestFirst())},
		{Name: ListInstruments, Of: shop.RecordInstrument, Dated: true, sorts: changing(newestFirst())},
		{Name: ListReports, Of: shop.RecordNonconformance, Numbered: true, sorts: newestFirst()}, // reportsChanged finds what was changed
		{Name: ListAudit, Of: shop.RecordEntry, Numbered: true, sorts: newestFirst()},
		{Name: ListAuditOfSerial, Of: shop.RecordEntry, Owned: true, OfUnit: true, Numbered: true, sorts: oldestFirst()},
		{Name: ListAuditOfJob, Of: shop.RecordEntry, Owned: true, Numbered: true, sorts: oldestFirst()},
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
	return []List{{
		Name: FilesOn(kind), Of: shop.RecordFileLink, Owned: true, On: kind, found: found, sorts: changing(oldestFirst()),
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

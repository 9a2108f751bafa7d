package views

import (
	"context"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// ListName names a list of the interface.
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
	ListUnits                    ListName = "units"
	ListJobsFound                ListName = "jobs found"
	ListAuditFound               ListName = "entries found"
	ListReadings                 ListName = "readings of instrument"
	ListStepStatuses             ListName = "statuses of steps"
	ListVisits                   ListName = "visits"
	ListSignatures               ListName = "signatures"
	ListMeasurementsOfSerial     ListName = "measurements of serial"
)

// List declares a list: what it lists, of which record, in which orders, what narrows it, and how it is read: whole, page by page, or as
// a table. Where a store finds the rows is the store's own. internal/httpapi has one function that answers lists.
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
	// Undated says that nobody can ask what was changed since a time.
	Undated bool
	// Ended says that rows which the list has no more are among what was changed since a time.
	Ended bool
	// Versioned says that shop.Service.Version names the state of the whole list.
	Versioned bool
	// Tagged says that the whole list is short and has a tag of its bytes.
	Tagged bool
	// Page is what a page is in JSON.
	Page PageShape

	// Whole reads all rows; nil for a list that is only read page by page. of identifies the record whose list it is.
	Whole func(ctx context.Context, v *Views, of string) Rows
	// Pages reads a page; nil for a list that is as short as what it is about.
	Pages *Reading
	// Export reads the rows as a table; nil for a list that is not exported.
	Export *Export

	// found refuses a record that has no such list because it does not exist; nil where that is an empty list.
	found func(tx Reader, id string) error
	sorts []ListOrder // the first is the list's own
}

// PageShape is what a page of a list is in JSON.
type PageShape int

// The shapes.
const (
	TaggedArray PageShape = iota // an array with a tag of its bytes
	PlainArray                   // an array that is answered while it is read, as a whole list is
	Envelope                     // an object, which has the rows as its items
)

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

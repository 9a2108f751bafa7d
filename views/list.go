package views

import (
	"context"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// ListName identifies a list of the interface.
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
	ListLots                     ListName = "lots"
	ListHoldsOfLot               ListName = "holds of lot"
	ListShipments                ListName = "shipments"
	ListFirstArticles            ListName = "first articles"
	ListLinesOfShipment          ListName = "lines of shipment"
	ListConformances             ListName = "conformances"
	ListUnitsOfConformance       ListName = "units of conformance"
	ListMeasurements             ListName = "measurements"
	ListUnits                    ListName = "units"
	ListJobsFound                ListName = "jobs found"
	ListAuditFound               ListName = "entries found"
	ListReadings                 ListName = "readings of instrument"
	ListStepStatuses             ListName = "statuses of steps"
	ListVisits                   ListName = "visits"
	ListSignatures               ListName = "signatures"
	ListMeasurementsOfSerial     ListName = "measurements of serial"
	ListComponents               ListName = "components"
	ListUsesOfSerial             ListName = "uses of serial"
	ListUsesOfLot                ListName = "uses of lot"
	ListRecall                   ListName = "recall"        // only exported
	ListInstallations            ListName = "installations" // only exported: components of all units
)

// List declares a list: its records, its owner, its orders, its filters, and how it is read: whole, page by page, or as a table. The store
// itself declares where it finds the rows. internal/httpapi has one function that responds with lists.
type List struct {
	Name ListName
	Of   ident.RecordKind // kind of the rows
	// Owned says that the list belongs to one record.
	Owned bool
	// OfUnit says that this record is a unit, which a store identifies by its number.
	OfUnit bool
	// On is the kind of that record if lists of several kinds have the same rows, as lists of files do.
	On ident.RecordKind
	// Numbered says that the place of a row is a number and not a text. The place is unique, and orders rows with equal values.
	Numbered bool
	// Dated says that the records themselves have the time of their last change, as updatedAt.
	Dated bool
	// Undated says that the list does not support changes since a time.
	Undated bool
	// Ended says that the changes since a time include rows that are no longer on the list.
	Ended bool
	// Versioned says that shop.Service.Version identifies the state of the whole list.
	Versioned bool
	// Tagged says that the whole list is short, and that its ETag is a hash of its bytes.
	Tagged bool
	// Page is the JSON form of a page.
	Page PageShape

	// Whole reads all rows; nil for a list that is only read page by page. of identifies the owner of the list.
	Whole func(ctx context.Context, v *Views, of string) Rows
	// Pages reads a page; nil for a list that is as short as its owner.
	Pages *Reading
	// Export reads the rows as a table; nil for a list that is not exported.
	Export *Export

	// found returns a refusal if the owner does not exist; nil if the list is empty then.
	found func(tx Reader, id string) error
	sorts []ListOrder // the first is the default
}

// PageShape is the JSON form of a page of a list.
type PageShape int

// The shapes.
const (
	TaggedArray PageShape = iota // an array with an ETag of its bytes
	PlainArray                   // an array that is sent while it is read, as a whole list is
	Envelope                     // an object with the rows as its items
)

// ListField is the value that a list is ordered by, before the places of its rows.
type ListField int

// The fields.
const (
	ByPlace  ListField = iota // ordered by place alone
	ByName                    // a text
	ByChange                  // the time of the last change, or the number of an audit entry
)

// Numbers reports whether the values of the field are numbers and not texts.
func (f ListField) Numbers() bool { return f == ByChange }

// ListOrder is an order of a list.
type ListOrder struct {
	Name       string // a value of the parameter sort
	By         ListField
	Descending bool
}

// The orders of lists. Identifiers sort by the time of creation.
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

// Orders returns the orders of the list, the default first.
func (l *List) Orders() []ListOrder { return slices.Clone(l.sorts) }

// ofEntries reports whether the rows are audit entries, which never change: they are ordered by number.
func (l *List) ofEntries() bool { return l.Of == shop.RecordEntry }

// order returns the requested order. Changes since a time are read in the order of the changes: in any other order, a client that reads
// page by page could miss a row that changes meanwhile.
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

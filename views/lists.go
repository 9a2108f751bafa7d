package views

import (
	"context"
	"fmt"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Lists declares every list of the interface. A new list needs a row here, a row in package lists of internal/sqlstore if a store reads it,
// and a route that refers to it.
func Lists() []List { return append(StoredLists(), composedLists()...) }

// ListNamed returns the list with a name, and panics if there is none.
func ListNamed(name ListName) *List {
	lists := Lists()
	at := slices.IndexFunc(lists, func(l List) bool { return l.Name == name })
	if at < 0 {
		panic(fmt.Sprintf("nothing declares the list %s", name)) // names are constants
	}
	return &lists[at]
}

// StoredLists returns the lists whose pages a store reads: see Lister.
func StoredLists() []List {
	lists := []List{
		{
			Name: ListJobs, Of: shop.RecordJob, Dated: true, Versioned: true, sorts: changing(newestFirst()),
			Whole: all((*shop.Service).Jobs), Pages: pagesOf(JobListQuery{ListQuery: ListQuery{Limit: ListPageLimit}}, readJobs),
		},
		{
			Name: ListCertificates, Of: shop.RecordCertificate, sorts: changing(newestFirst()), Whole: all((*shop.Service).Certificates),
			Export: exporting("certs", (*Views).exportCertificates),
		},
		{Name: ListBOMs, Of: shop.RecordBOM, Dated: true, sorts: changing(newestFirst()), Whole: all((*shop.Service).BOMs)},
		{Name: ListTemplates, Of: shop.RecordTemplate, Dated: true, sorts: changing(newestFirst()), Whole: all((*shop.Service).Templates)},
		{
			Name: ListUsers, Of: shop.RecordUser, Ended: true, sorts: changing(byName()), Export: exporting("users", (*Views).exportUsers),
			Whole: func(ctx context.Context, v *Views, _ string) Rows { return RowsOf(v.shop.Users(ctx, false)) },
		},
		{Name: ListProcesses, Of: shop.RecordProcess, sorts: changing(byName()), Whole: libraryOf(shop.Processes)},
		{Name: ListLocations, Of: shop.RecordLocation, sorts: changing(byName()), Whole: libraryOf(shop.Locations)},
		{
			Name: ListAttachmentsOfSerial, Of: shop.RecordAttachment, Owned: true, OfUnit: true, sorts: changing(oldestFirst()),
			found: exists(shop.NameSerialNumber, Reader.RouteCard), Whole: shortOf((*shop.Service).AttachmentsOfSerial),
		},
		{
			Name: ListAttachmentsOfCertificate, Of: shop.RecordAttachment, Owned: true, sorts: changing(oldestFirst()),
			found: exists(shop.NameCertificate, Reader.Certificate), Whole: allOf((*shop.Service).AttachmentsOfCertificate),
		},
		{
			Name: ListOverrides, Of: shop.RecordOverride, Owned: true, OfUnit: true, sorts: changing(oldestFirst()),
			found: exists(shop.NameSerial, Reader.RouteCard), Whole: shortOf((*shop.Service).Overrides),
		},
		{
			Name: ListHoldsOfSerial, Of: shop.RecordHold, Owned: true, OfUnit: true, sorts: changing(oldestFirst()),
			found: exists(shop.NameSerial, Reader.RouteCard), Whole: shortOf((*shop.Service).HoldsOfSerial),
		},
		{
			Name: ListNotesOfSerial, Of: shop.RecordNote, Owned: true, sorts: changing(oldestFirst()),
			Whole: allOf((*shop.Service).NotesOfSerial),
		},
		{
			Name: ListNotesOfStep, Of: shop.RecordNote, Owned: true, sorts: changing(oldestFirst()),
			Whole: allOf((*shop.Service).NotesOfStep),
		},
		{
			Name: ListBOMVersions, Of: shop.RecordBOMVersion, Owned: true, Numbered: true, sorts: changing(newestFirst()),
			found: exists(shop.NameBOM, Reader.BOM), Whole: allOf((*shop.Service).BOMVersions),
		},
		{
			Name: ListCalibrations, Of: shop.RecordCalibration, Owned: true, sorts: changing(oldestFirst()),
			found: exists(shop.NameInstrument, Reader.Instrument), Whole: shortOf((*shop.Service).CalibrationsOf),
		},
		{
			Name: ListBaselines, Of: shop.RecordBaseline, Owned: true, found: characteristicFound, sorts: changing(oldestFirst()),
			Whole: shortOf((*shop.Service).Baselines),
		},
		{
			Name: ListHolds, Of: shop.RecordHold, Page: Envelope, sorts: changing(newestFirst()),
			Pages: searchPages((*shop.Service).Holds, holdsInOrder),
		},
		listOfMeasurements(),
		{
			Name: ListInstruments, Of: shop.RecordInstrument, Dated: true, Page: Envelope, sorts: changing(newestFirst()),
			Pages: searchPages((*shop.Service).Instruments, instrumentsInOrder),
		},
		{
			Name: ListLots, Of: shop.RecordLot, Dated: true, Page: Envelope, sorts: changing(newestFirst()),
			Pages: searchPages((*shop.Service).Lots, lotsInOrder), Export: exporting("lots", (*Views).exportLots),
		},
		{
			Name: ListShipments, Of: shop.RecordShipment, Dated: true, Numbered: true, Page: Envelope, sorts: changing(newestFirst()),
			Pages: searchPages((*shop.Service).Shipments, shipmentsInOrder), Export: exporting("shipments", (*Views).exportShipments),
		},
		{
			Name: ListFirstArticles, Of: shop.RecordFirstArticle, Dated: true, Numbered: true, Page: Envelope,
			sorts: changing(newestFirst()),
			Pages: searchPages((*shop.Service).FirstArticles, firstArticlesInOrder),
		},
		{
			Name: ListLinesOfShipment, Of: shop.RecordShipmentLine, Owned: true, Numbered: true, Undated: true, sorts: oldestFirst(),
			found: exists(shop.NameShipment, Reader.Shipment), Whole: allOf((*shop.Service).LinesOfShipment),
		},
		{
			Name: ListConformances, Of: shop.RecordConformance, Dated: true, Numbered: true, Page: Envelope, sorts: changing(newestFirst()),
			Pages: searchPages((*shop.Service).Conformances, conformancesInOrder),
		},
		{
			Name: ListUnitsOfConformance, Of: shop.RecordConformanceIssue, Owned: true, Numbered: true, Undated: true, sorts: oldestFirst(),
			found: exists(shop.NameConformance, Reader.Conformance), Whole: allOf((*shop.Service).UnitsOfConformance),
		},
		{ // reportsChanged finds the changes
			Name: ListReports, Of: shop.RecordNonconformance, Numbered: true, Page: Envelope, sorts: newestFirst(),
			Pages: searchPages((*shop.Service).Nonconformances, reportsInOrder),
		},
		{Name: ListAudit, Of: shop.RecordEntry, Numbered: true, sorts: newestFirst()},
		{
			Name: ListAuditOfSerial, Of: shop.RecordEntry, Owned: true, OfUnit: true, Numbered: true, sorts: oldestFirst(),
			Whole: allOf((*shop.Service).AuditOfSerial),
		},
		{
			Name: ListAuditOfJob, Of: shop.RecordEntry, Owned: true, Numbered: true, sorts: oldestFirst(),
			Whole: allOf((*shop.Service).AuditOfJob),
		},
		filesOn(shop.RecordSerial, exists(shop.NameSerial, Reader.RouteCard)),
		filesOn(shop.RecordJob, exists(shop.NameJob, Reader.Job)),
		filesOn(shop.RecordStep, exists(card.NameStep, Reader.PathOfStep)),
		filesOn(shop.RecordCertificate, exists(shop.NameCertificate, Reader.Certificate)),
		filesOn(shop.RecordNonconformance, exists(shop.NameNonconformance, Reader.Nonconformance)),
		filesOn(shop.RecordInstrument, exists(shop.NameInstrument, Reader.Instrument)),
		filesOn(shop.RecordLot, exists(shop.NameLot, Reader.Lot)),
	}
	for i := range lists {
		if lists[i].Pages == nil {
			lists[i].Pages = pagesOf(ListQuery{Limit: ListPageLimit}, readList)
		}
	}
	return lists
}

// composedLists returns the lists whose pages are composed of several reads of a store.
func composedLists() []List {
	return []List{
		{
			Name: ListSerials, Of: shop.RecordSerial, Versioned: true, Whole: all((*shop.Service).Serials),
			Pages: pagesOf(SerialListQuery{Limit: ListPageLimit}, serialList),
		},
		{
			Name: ListUnits, Of: shop.RecordSerial, Numbered: true, Page: Envelope, sorts: newestFirst(),
			Pages: searchPages((*Views).SearchSerials, serialsInOrder), Export: exporting("serials", (*Views).exportSerials),
		},
		{
			Name: ListJobsFound, Of: shop.RecordJob, Page: Envelope, Pages: new(reading(JobsQuery{}, jobsListed)),
			Export: exporting("jobs", (*Views).exportJobs, jobColumns()...),
		},
		{
			Name: ListAuditFound, Of: shop.RecordEntry, Page: PlainArray,
			Pages: new(reading(AuditQuery{Limit: input.SearchDefault}, findAudit)), Export: exporting("audit", (*Views).exportAudit),
		},
		{
			Name: ListReadings, Of: shop.RecordMeasurement, Owned: true, Page: Envelope, sorts: changing(newestFirst()),
			Pages: searchPagesOf((*shop.Service).ReadingsWith, readingsInOrder),
		},
		{Name: ListHoldsOfLot, Owned: true, Tagged: true, Whole: shortOf((*shop.Service).LotHolds)},
		{Name: ListStepStatuses, Owned: true, OfUnit: true, Tagged: true, Whole: shortOf((*shop.Service).StepStatuses)},
		shortList(visitList(), (*shop.Service).Visits, exporting("steps", (*shop.Service).AllVisits)),
		shortList(signatureList(), (*Views).Signatures, nil),
		shortList(measurementList(), (*shop.Service).MeasurementsOfSerial, nil),
		shortList(componentList(), (*shop.Service).ComponentsOfSerial, nil),
		listOfUses(ListUsesOfSerial, true, (*Views).UsesOfUnit),
		listOfUses(ListUsesOfLot, false, (*Views).UsesOfLot),
		{Name: ListRecall, Export: exporting("recall", (*Views).exportRecall)},
		{Name: ListInstallations, Export: exporting("components", (*Views).exportComponents)},
	}
}

// shortList returns a list of a unit that is read whole, even for a page.
func shortList[S, T any](cut WholeList[T], read func(S, context.Context, string) ([]T, error), export *Export) List {
	return List{
		Name: cut.Name, Owned: true, OfUnit: true, Undated: !cut.Dated(), Export: export, Whole: shortOf(read),
		Pages: pagesOf(ListQuery{Limit: ListPageLimit},
			func(ctx context.Context, v *Views, _ *List, of string, query ListQuery) (page ListPage, err error) {
				rows, err := read(on[S](v), ctx, of)
				if err != nil {
					return page, err
				}
				return cut.Page(rows, of, query)
			}),
	}
}

func listOfMeasurements() List {
	return List{
		Name: ListMeasurements, Of: shop.RecordMeasurement, Page: Envelope, sorts: changing(newestFirst()),
		Pages:  searchPages((*shop.Service).Measurements, measurementsInOrder),
		Export: exporting("measurements", (*shop.Service).FindMeasurements, measurementColumns()...),
	}
}

func libraryOf(library shop.Library) func(context.Context, *Views, string) Rows {
	return func(ctx context.Context, v *Views, _ string) Rows { return RowsOf(v.shop.LibraryEntries(ctx, library)) }
}

// FilesOn returns the name of the list of files that are attached to a record of a kind.
func FilesOn(kind ident.RecordKind) ListName { return ListName("files of " + kind) }

func filesOn(kind ident.RecordKind, found func(Reader, string) error) List {
	return List{
		Name: FilesOn(kind), Of: shop.RecordFileLink, Owned: true, On: kind, found: found, sorts: changing(oldestFirst()),
		Whole: func(ctx context.Context, v *Views, id string) Rows {
			return RowsIn(v.shop.FilesOf(ctx, shop.FileSubject{Kind: kind, ID: id}))
		},
	}
}

// exists refuses an identifier that no record has.
func exists[T any](name refusal.RecordName, read func(Reader, string) (T, error)) func(Reader, string) error {
	return func(tx Reader, id string) error {
		_, err := read(tx, id)
		return shop.OrNotFound(err, name, id)
	}
}

func characteristicFound(tx Reader, id string) error {
	_, _, err := shop.FindCharacteristic(tx, id)
	return err
}

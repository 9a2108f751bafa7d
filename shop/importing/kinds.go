package importing

import (
	"reflect"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Kind is a kind of records that a file can import.
type Kind struct {
	Name      string         // in URLs
	Operation shop.Operation // the caller needs its permission
	// Fields are the columns that a file may have. Import leaves the other fields of a record unchanged.
	Fields []input.Field
	// ReadOver lists columns of an export that the import ignores.
	ReadOver []string
	// Identifiers lists the columns whose texts a spreadsheet must not have converted to numbers.
	Identifiers []string
	// Decimals lists the identifiers that may be decimal numbers, such as a revision 1.0.
	Decimals []string
	// Lines lists the columns that may have several lines. In other columns a line break becomes a blank.
	Lines []string
	// Dates lists the columns with days.
	Dates []string

	// Machine reports whether the file may come from a measuring machine: see internal/importcsv.
	Machine bool

	signed bool // whether operations on its rows may require a signature

	input reflect.Type
	take  func(im *run, in any) (rowOutcome, error)

	// recordKey returns the key that rows of one record share; "" for a row without a key. It is nil if each row is a record.
	recordKey func(in any) string
	// rowsOf imports the rows of one record, which have these numbers. It is set with recordKey.
	rowsOf func(im *run, ins []any, numbers []int) []toldRow
}

// New returns an empty input of the kind: a pointer to a struct with the fields.
func (k *Kind) New() any { return reflect.New(k.input).Interface() }

// kindOf returns a kind whose rows are imported by a method of run.
func kindOf[In any](take func(*run, In) (rowOutcome, error), kind Kind) Kind {
	kind.input = reflect.TypeFor[In]()
	kind.Fields = input.FieldsOf(kind.input, shop.Identifies, "field")
	kind.take = func(im *run, in any) (rowOutcome, error) {
		return take(im, *in.(*In)) //nolint:errcheck,forcetypeassert // New made it
	}
	return kind
}

// groupOf returns a kind whose rows are imported record by record by a method of run.
func groupOf[In any](recordKey func(*In) string, take func(*run, []*In, []int) []toldRow, kind Kind) Kind {
	kind.input = reflect.TypeFor[In]()
	kind.Fields = input.FieldsOf(kind.input, shop.Identifies, "field")
	kind.recordKey = func(in any) string { return recordKey(in.(*In)) } //nolint:errcheck,forcetypeassert // New made it
	kind.rowsOf = func(im *run, ins []any, numbers []int) []toldRow {
		rows := make([]*In, len(ins))
		for i := range ins {
			rows[i] = ins[i].(*In) //nolint:errcheck,forcetypeassert // New made it
		}
		return take(im, rows, numbers)
	}
	return kind
}

// Kinds returns the kinds of records that a file can import.
func Kinds() []Kind {
	return []Kind{
		kindOf((*run).job, Kind{
			Name: "jobs", Operation: shop.OpCreateJob,
			Identifiers: []string{
				"id", "externalId", "partNumber", "partRevision", "gtin", "orderNumber", "trackerTicketKey",
				"trackerPartNumber", "template",
				"serialNumbers", "drawingNumber", "drawingRevision", "orderLine",
			},
			Decimals: []string{"partRevision", "drawingRevision"}, Lines: []string{"description", "customerAddress"},
			Dates: []string{"dueDate"},
			ReadOver: []string{
				"createdAt", "updatedAt", "totalSerials", "completedSerials", "inProgressSerials", "scrappedSerials", "late",
				"closedBy", "closeReason",
			},
		}),
		kindOf((*run).serial, Kind{
			Name: "serials", Operation: shop.OpCreateSerials,
			Identifiers: []string{"id", "externalId", "serialNumber", "jobId", "pathId"}, Lines: []string{"reason"},
			ReadOver: []string{
				"jobName", "pathName", "currentStepIndex", "currentStepName", "assignedTo", "status", "scrapReason", "forceCompleted",
				"createdAt", "held", "completedAt", "updatedAt", "partNumber",
			},
		}),
		kindOf((*run).user, Kind{
			Name: "users", Operation: shop.OpCreateUser, signed: true,
			Identifiers: []string{"id", "externalId"},
			ReadOver:    []string{"createdAt", "login", "roles", "kind"},
		}),
		kindOf((*run).certificate, Kind{
			Name: "certs", Operation: shop.OpCreateCertificate,
			Identifiers: []string{"id", "externalId", "number"},
			ReadOver:    []string{"createdAt"},
		}),
		kindOf((*run).measurement, Kind{
			Name: "measurements", Operation: shop.OpMeasure, Machine: true,
			Identifiers: []string{
				"id", "serialId", "serialNumber", "stepId", "characteristicId", "number", "instrumentId",
				"partNumber", "partRevision",
			},
			Decimals: []string{"number", "partRevision"}, Lines: []string{"note", "voidReason"},
		}),
		kindOf((*run).lot, Kind{
			Name: "lots", Operation: shop.OpCreateLot,
			Identifiers: []string{
				"id", "externalId", "lotNumber", "partNumber", "partRevision", "supplierLot", "heatNumber", "orderNumber",
				"code", "certIds",
			},
			Decimals: []string{"partRevision"}, Lines: []string{"holdReason", "reason"}, Dates: []string{"receivedOn", "expiresOn"},
			ReadOver: []string{
				"remaining", "held", "expired", "parentId", "createdBy", "createdAt", "updatedAt", "voidedAt", "voidedBy", "voidReason",
			},
		}),
		kindOf((*run).component, Kind{
			Name: "components", Operation: shop.OpInstall, signed: true,
			Identifiers: []string{
				"id", "serialId", "serialNumber", "componentSerialId", "componentSerialNumber", "lotId", "lotNumber",
				"partSerialNumber", "stepId",
			},
			Lines: []string{"substituteReason", "removeReason", "voidReason"},
		}),
		groupOf(shipmentKey, importShipment, Kind{
			Name: "shipments", Operation: shop.OpCreateShipment,
			Identifiers: []string{"id", "externalId", "orderNumber", "serialId", "serialNumber"}, Dates: []string{"expectedBack", "sentOn"},
			ReadOver: []string{
				"shipmentStatus", "stepId", "pass", "status", "reason", "receiptId", "settledAt", "createdBy", "createdAt", "updatedAt",
			},
		}),
	}
}

// known returns the identifier of the record that a row identifies by its id or else by its external identifier; "" if the row creates a
// record. It refuses a key that a different earlier row has.
func (im *run) known(kind ident.RecordKind, id, externalID input.TextInput) (string, error) {
	named, err := input.OptionalWithin("id", id, input.NameLimit)
	if err != nil {
		return "", err
	}
	in := shop.ExternalInput{ExternalID: externalID}
	outside, err := in.Trimmed()
	if err != nil {
		return "", err
	}
	var found string
	if named = strings.TrimSpace(named); named != "" {
		found, err = shop.IDIn(im.tx, kind, named)
	} else if outside != "" {
		found, err = shop.FindOutside(im.tx, kind, outside)
		err = shop.IgnoreNoRecord(err)
	}
	if err != nil {
		return "", err
	}
	return found, im.claimKeys(kind, named, outside, found)
}

// actor returns the acting user: the row's, or else the request's.
func (im *run) actor(named input.TextInput) input.TextInput {
	if named.Missing() {
		return im.by
	}
	return named
}

// may refuses a row with an operation that the caller may not do, although the caller may import the file.
func (im *run) may(operation shop.Operation) error { return im.caller.Require(operation.Permission()) }

// refuseClosing refuses a row if the job is closed in only one of the file and the database.
func (in *JobInput) refuseClosing(job *shop.Job) error {
	if in.ClosedAt.State == input.StateAbsent {
		return nil
	}
	at, err := input.OptionalWithin("closedAt", in.ClosedAt, input.NameLimit)
	if err == nil && !input.Blank(at) != job.Closed() {
		err = refusal.RefuseField(shop.ClosedByFile, "closedAt")
	}
	return err
}

func anyOf(args []string) []any {
	all := make([]any, len(args))
	for i, arg := range args {
		all[i] = arg
	}
	return all
}

package importing

import (
	"reflect"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Kind is a kind of records that a file can bring in.
type Kind struct {
	Name      string         // in addresses
	Operation shop.Operation // whose permission the caller needs
	// Fields are the columns that a file may have. A field that is not in the file is not touched.
	Fields []input.Field
	// ReadOver are further columns that an export has, in which what stands is disregarded.
	ReadOver []string
	// Identifiers are those of the columns in which a spreadsheet must not have made numbers of what stood there.
	Identifiers []string
	// Decimals are those of the identifiers that may be numbers with decimals, such as a revision 1.0.
	Decimals []string
	// Lines are the texts that may have several lines. In others a line break is a blank.
	Lines []string
	// Dates are those of the columns that have days.
	Dates []string

	// Machine reports whether a file may be what a measuring machine writes: see internal/importcsv.
	Machine bool

	signed bool // whether what its rows do may have to be signed

	input reflect.Type
	take  func(im *run, in any) (rowOutcome, error)
}

// New makes an empty input of the kind, a pointer to a struct with the fields.
func (k *Kind) New() any { return reflect.New(k.input).Interface() }

// kindOf is a kind whose rows are taken by a method of importing.
func kindOf[In any](take func(*run, In) (rowOutcome, error), kind Kind) Kind {
	kind.input = reflect.TypeFor[In]()
	kind.Fields = input.FieldsOf(kind.input, shop.Identifies, "field")
	kind.take = func(im *run, in any) (rowOutcome, error) {
		return take(im, *in.(*In)) //nolint:errcheck,forcetypeassert // New made it
	}
	return kind
}

// Kinds returns the kinds of records that a file can bring in.
func Kinds() []Kind {
	return []Kind{
		kindOf((*run).job, Kind{
			Name: "jobs", Operation: shop.OpCreateJob,
			Identifiers: []string{
				"id", "externalId", "partNumber", "partRevision", "gtin", "orderNumber", "trackerTicketKey",
				"trackerPartNumber", "template",
				"serialNumbers",
			},
			Decimals: []string{"partRevision"}, Lines: []string{"description"}, Dates: []string{"dueDate"},
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
			Identifiers: []string{"id", "externalId"},
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
	}
}

// known returns the identifier of the record that a row names, by its id or else by its external identifier; "" when the row creates one.
// It refuses a key that an earlier row has.
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

// actor is who acts: whom the row names, or else the request.
func (im *run) actor(named input.TextInput) input.TextInput {
	if named.Missing() {
		return im.by
	}
	return named
}

// may refuses a row that does what the caller may not, though the caller may bring in the file.
func (im *run) may(operation shop.Operation) error { return im.caller.Require(operation.Permission()) }

// refuseClosing refuses a row whose job is closed in the file and not here, or the other way round.
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

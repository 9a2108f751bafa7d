package importing

import (
	"fmt"

	"github.com/routecard/routecard/shop"
)

// importPart is the stored result of importing rows, for repeats of the request with the same idempotency key.
type importPart struct {
	Rows      int         `json:"rows,omitempty"`
	Created   int         `json:"created"`
	Updated   int         `json:"updated"`
	Unchanged int         `json:"unchanged"`
	Failing   int         `json:"outOfLimits,omitempty"`
	Taken     int         `json:"taken,omitempty"`   // number of rows in the part
	Units     int64       `json:"units,omitempty"`   // created units
	At        shop.Places `json:"at,omitempty"`      // the refused rows
	Columns   []string    `json:"columns,omitempty"` // the columns that the refusals concern
	shop.BatchPart
}

func partOfImport(result Result) importPart {
	part := importPart{Rows: result.Rows, Created: result.Created, Updated: result.Updated, Unchanged: result.Unchanged}
	part.Failing = result.OutOfLimits
	refused := make([]shop.Refusal, len(result.Refused))
	for i, row := range result.Refused {
		part.At, part.Columns = append(part.At, int64(row.Row)), append(part.Columns, row.Column)
		refused[i] = shop.Refusal{SerialID: rowName(int64(row.Row)), Err: row.Err}
	}
	part.BatchPart = shop.PartOf(part.names(), 0, refused)
	return part
}

// rowName identifies a row in stored refusals, in place of a serial.
func rowName(row int64) string { return fmt.Sprintf("row %d", row) }

package importing

import (
	"fmt"

	"github.com/routecard/routecard/shop"
)

// importPart is what is written down of rows of a file, for whoever repeats the request under its key.
type importPart struct {
	Rows      int         `json:"rows,omitempty"`
	Created   int         `json:"created"`
	Updated   int         `json:"updated"`
	Unchanged int         `json:"unchanged"`
	Failing   int         `json:"outOfLimits,omitempty"`
	Taken     int         `json:"taken,omitempty"`   // how many rows these are, of a part
	Units     int64       `json:"units,omitempty"`   // that were made
	At        shop.Places `json:"at,omitempty"`      // the refused rows
	Columns   []string    `json:"columns,omitempty"` // what they are about
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

// rowName is what a row is called where refusals are written down, which are those of serials otherwise.
func rowName(row int64) string { return fmt.Sprintf("row %d", row) }

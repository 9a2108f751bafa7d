package office

import "github.com/routecard/routecard/internal/web/wording"

// ColumnWords returns the label of a column.
func (*importPage) ColumnWords(column string) string { return wording.ColumnCalled(column) }

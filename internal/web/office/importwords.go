package office

import "github.com/routecard/routecard/internal/web/wording"

// ColumnWords is what a column is called on the page.
func (*importPage) ColumnWords(column string) string { return wording.ColumnCalled(column) }

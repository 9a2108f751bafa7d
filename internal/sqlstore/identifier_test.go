package sqlstore

import (
	"testing"

	"github.com/routecard/routecard/internal/sqlstore/migrations"
)

// The last identifier is searched in every table of records whose key is the identifier.
func TestEveryKeyedTableIsAskedForItsLastIdentifier(t *testing.T) {
	t.Parallel()
	for _, table := range migrations.Tables {
		if table.Key == "id" && !table.Indexed {
			t.Errorf("%s is not asked for its last identifier", table.Name)
		}
	}
}

package sqlstore

import (
	"testing"

	"github.com/routecard/routecard/internal/sqlstore/migrations"
)

// The last identifier is found among all records whose table has it as its key.
func TestEveryKeyedTableIsAskedForItsLastIdentifier(t *testing.T) {
	t.Parallel()
	for _, table := range migrations.Tables {
		if table.Key == "id" && !table.Indexed {
			t.Errorf("%s is not asked for its last identifier", table.Name)
		}
	}
}

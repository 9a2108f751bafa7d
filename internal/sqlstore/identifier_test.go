package sqlstore

import "testing"

// The last identifier is found among all records that have one as the key of their table.
func TestEveryKeyedTableIsAskedForItsLastIdentifier(t *testing.T) {
	t.Parallel()
	for _, table := range tables {
		if table.key == "id" && !table.indexed {
			t.Errorf("%s is not asked for its last identifier", table.name)
		}
	}
}

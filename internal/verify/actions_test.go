package verify

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/replay"
)

// The check reads or replays exactly the actions about compared records. docs/ledger.md says for each table whether it is compared.
func TestActionsOfComparedRecordsAreTaken(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/ledger.md")
	if err != nil {
		t.Fatal(err)
	}
	compared := map[ident.RecordKind]bool{}
	for _, record := range shop.Records() {
		compared[record.Kind] = record.Compared
		nothing := strings.Contains(string(text), "| `"+record.Table+"` | all |")
		sealed := record.Kind == shop.RecordEntry || record.Kind == shop.RecordLedger // the ledger itself proves these
		if record.Table != "" && !sealed && nothing == (record.Compared || record.Voidable) {
			t.Errorf("a %s is compared: %t; docs/ledger.md says that nothing of %s is: %t",
				record.Kind, record.Compared || record.Voidable, record.Table, nothing)
		}
	}
	for _, action := range slices.Concat(shop.AuditActions(), shop.AccessActions()) {
		_, taken := takers[action]
		byHash := len(NewRecordCheck(ident.DefaultPrefix, nil).hashed(action)) > 0
		if byHash && taken && action != shop.ActionRecordVoided { // hashes do not cover the voiding
			t.Errorf("%s is taken twice", action)
		}
		taken = taken || byHash
		ofCompared := slices.ContainsFunc(shop.KindsOf(action), func(kind ident.RecordKind) bool { return compared[kind] })
		switch {
		case ofCompared && !taken && !replay.ChangesCard(action):
			t.Errorf("%s tells of a record that is compared, and nobody takes it", action)
		case !ofCompared && taken:
			t.Errorf("%s is taken, and tells of no record that is compared", action)
		}
	}
}

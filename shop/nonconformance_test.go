package shop

import (
	"slices"
	"testing"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// TestSpansOf checks that serials in any order are summarized in as few ranges as possible.
func TestSpansOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		ids  []string
		want []SerialSpan
	}{
		{nil, []SerialSpan{}},
		{[]string{"SN-00003"}, []SerialSpan{{"SN-00003", "SN-00003"}}},
		{[]string{"SN-00003", "SN-00001", "SN-00002", "SN-00002"}, []SerialSpan{{"SN-00001", "SN-00003"}}},
		{[]string{"SN-00005", "nonsense", "SN-00001"}, []SerialSpan{{"SN-00001", "SN-00001"}, {"SN-00005", "SN-00005"}}},
		{[]string{"SN-99999", "SN-100000"}, []SerialSpan{{"SN-99999", "SN-100000"}}},
	} {
		if got := SpansOf(ident.DefaultPrefix, test.ids); !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, want %v", test.ids, got, test.want)
		}
	}
}

// TestUnitKeepsReportOpen checks with every state of a unit whether it keeps a report open.
func TestUnitKeepsReportOpen(t *testing.T) {
	t.Parallel()
	const foundAt = 1
	for _, test := range []struct {
		disposition Disposition
		status      card.SerialStatus
		position    int
		want        string
	}{
		{"", card.InProgress, 1, "SN-00001 has no disposition"},
		{"", card.Completed, 3, "SN-00001 has no disposition"},
		{"", card.Scrapped, 1, ""},
		{UseAsIs, card.InProgress, 0, ""},
		{ReturnToSupplier, card.InProgress, 0, ""},
		{ScrapIt, card.Scrapped, 1, ""},
		{ScrapIt, card.InProgress, 1, "SN-00001 has no disposition"},
		{Rework, card.InProgress, 0, "SN-00001 is still being reworked"},
		{Rework, card.InProgress, foundAt, "SN-00001 is still being reworked"},
		{Rework, card.InProgress, foundAt + 1, ""},
		{Rework, card.Completed, 0, ""},
		{Rework, card.Scrapped, 0, ""},
		{Repair, card.InProgress, 0, "SN-00001 is still being reworked"},
		{Repair, card.InProgress, foundAt + 1, ""},
	} {
		unit := NonconformingUnit{SerialID: "SN-00001", Disposition: test.disposition, FoundAt: foundAt}
		err := unit.Open(test.status, test.position)
		said := ""
		if err != nil {
			said = err.Error()
		}
		if said != test.want {
			t.Errorf("%q, %s at %d: %q, want %q", test.disposition, test.status, test.position, said, test.want)
		}
	}
}

// TestIdentifiersOfReports checks that only identifiers of reports are parsed.
func TestIdentifiersOfReports(t *testing.T) {
	t.Parallel()
	for number, id := range map[int64]string{1: "NCR-00001", 99_999: "NCR-99999", 100_000: "NCR-100000"} {
		if got := NonconformanceID(number); got != id {
			t.Errorf("%d is %s, want %s", number, got, id)
		}
		if got, ok := ParseNonconformanceID(id); !ok || got != number {
			t.Errorf("%s is %d, %t", id, got, ok)
		}
	}
	for _, id := range []string{"", "NCR-", "NCR-1", "NCR-00000", "NCR-000001", "ncr-00001", "SN-00001", "NCR-0000x"} {
		if got, ok := ParseNonconformanceID(id); ok {
			t.Errorf("%q is %d", id, got)
		}
	}
}

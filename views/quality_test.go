package views

import (
	"slices"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

func TestUnitsOnASheet(t *testing.T) {
	t.Parallel()
	var sheet ReportSheet
	waiting := []shop.NonconformingUnit{{SerialID: "SN-00002"}, {SerialID: "SN-00006"}, {SerialID: "SN-100001"}}
	for _, id := range []string{"SN-00001", "SN-00002", "SN-00004", "SN-00006", "SN-99999", "SN-100001"} {
		sheet.Report.Units = append(sheet.Report.Units, shop.NonconformingUnit{SerialID: id})
	}
	for _, test := range []struct {
		query SheetQuery
		want  []string
		next  string
	}{
		{SheetQuery{}, []string{"SN-00001", "SN-00002", "SN-00004", "SN-00006", "SN-99999", "SN-100001"}, ""},
		{SheetQuery{Limit: 2}, []string{"SN-00001", "SN-00002"}, "SN-00004"},
		{SheetQuery{Limit: 2, From: "SN-00004"}, []string{"SN-00004", "SN-00006"}, "SN-99999"},
		{SheetQuery{Limit: 2, From: "SN-00005"}, []string{"SN-00006", "SN-99999"}, "SN-100001"},
		{SheetQuery{Limit: 2, From: "SN-99999"}, []string{"SN-99999", "SN-100001"}, ""},
		{SheetQuery{Limit: 2, From: "SN-200000"}, []string{}, ""},
		{SheetQuery{Limit: 2, From: "nonsense"}, []string{"SN-00001", "SN-00002"}, "SN-00004"},
		{SheetQuery{Waiting: true}, []string{"SN-00002", "SN-00006", "SN-100001"}, ""},
		{SheetQuery{Waiting: true, Limit: 1, From: "SN-00003"}, []string{"SN-00006"}, "SN-100001"},
	} {
		sheet.Next = ""
		if got := shop.SerialsOf(sheet.choose(ident.DefaultPrefix, test.query, waiting)); !slices.Equal(got, test.want) || sheet.Next != test.next {
			t.Errorf("%+v: %v and then %q, want %v and then %q", test.query, got, sheet.Next, test.want, test.next)
		}
	}
}

package views_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// kept is a row of a list that is read whole.
type kept struct {
	id      string
	changed ident.Timestamp
}

func keptList(newestFirst bool) views.WholeList[kept] {
	return views.WholeList[kept]{
		Name: "kept", NewestFirst: newestFirst, Place: func(k kept, _ int) string { return k.id },
		Changed: func(k kept) ident.Timestamp { return k.changed },
	}
}

// rowOf returns the record of a row of a page.
func rowOf(row any) kept { return row.(views.DatedRow).Record.(kept) }

// TestWholeListInPages reads a list in pages while rows are added, removed and changed between them: a row that exists all the while, and
// does not change, comes once, in the requested order.
func TestWholeListInPages(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		newestFirst := rapid.Bool().Draw(t, "newest first")
		list, made := keptList(newestFirst), 0
		var rows []kept // oldest first
		add := func() {
			rows = append(rows, kept{fmt.Sprintf("row %03d", made), ident.Timestamp(rapid.IntRange(1, 3).Draw(t, "time"))})
			made++
		}
		for range rapid.IntRange(0, 8).Draw(t, "rows") {
			add()
		}
		stays := slices.Clone(rows)
		query := views.ListQuery{
			Limit: rapid.IntRange(1, 4).Draw(t, "limit"),
			Sort:  rapid.SampledFrom([]string{"", "createdAt", "-createdAt", "updatedAt", "-updatedAt"}).Draw(t, "sort"),
		}
		times, seen := map[kept]int{}, []kept{}
		for pages := 0; ; pages++ {
			asked := slices.Clone(rows)
			if newestFirst {
				slices.Reverse(asked)
			}
			page, err := list.Page(asked, "it", query)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range page.Items {
				times[rowOf(row)]++
				seen = append(seen, rowOf(row))
			}
			if query.After = page.Next; page.Next == "" {
				break
			}
			if what := rapid.IntRange(0, 3).Draw(t, "change"); what == 0 && pages < 10 {
				add()
			} else if what == 1 {
				gone := rapid.IntRange(0, len(rows)-1).Draw(t, "gone")
				stays = slices.DeleteFunc(stays, func(k kept) bool { return k == rows[gone] })
				rows = slices.Delete(rows, gone, gone+1)
				if len(rows) == 0 {
					add()
				}
			}
		}
		for _, row := range stays {
			if times[row] != 1 {
				t.Fatalf("%v came %d times", row, times[row])
			}
		}
		byTime := query.Sort == "updatedAt" || query.Sort == "-updatedAt"
		falling := query.Sort == "-createdAt" || query.Sort == "-updatedAt" || query.Sort == "" && newestFirst
		for i := 1; i < len(seen); i++ {
			less := seen[i-1].id < seen[i].id
			if byTime && seen[i-1].changed != seen[i].changed {
				less = seen[i-1].changed < seen[i].changed
			}
			if less == falling {
				t.Fatalf("by %q %v came before %v", query.Sort, seen[i-1], seen[i])
			}
		}
	})
}

// TestWholeListSince narrows a list to changed rows, oldest change first, including the time before.
func TestWholeListSince(t *testing.T) {
	t.Parallel()
	const now = 10 * views.Lookback
	rows := []kept{{"a", now}, {"b", now - views.Lookback - 1}, {"c", now - views.Lookback}}
	page, err := keptList(false).Page(rows, "it", views.ListQuery{Limit: 5, UpdatedSince: now})
	if err != nil || len(page.Items) != 2 || rowOf(page.Items[0]) != rows[2] || rowOf(page.Items[1]) != rows[0] {
		t.Errorf("%+v, %v", page, err)
	}
	first, err := keptList(false).Page(rows, "it", views.ListQuery{Limit: 1})
	if err != nil || first.Next == "" {
		t.Fatalf("%+v, %v", first, err)
	}
	for _, query := range []views.ListQuery{
		{Limit: 0}, {Limit: views.ListPageLimit + 1}, {Limit: 1, Sort: "name"}, {Limit: 1, After: "x"},
		{Limit: 1, UpdatedSince: now, Sort: "createdAt"}, {Limit: 1, Sort: "-createdAt", After: first.Next},
	} {
		if page, err := keptList(false).Page(rows, "it", query); err == nil {
			t.Errorf("%+v is answered %+v", query, page)
		}
	}
	if page, err := keptList(false).Page(rows, "another", views.ListQuery{Limit: 1, After: first.Next}); err == nil {
		t.Errorf("a position in another list is answered %+v", page)
	}
}

package shop_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// TestCompareBOM writes a state as "bolt 2, nut 1 (job_1 job_2)" and a comparison as "bolt: 2 -> 3 changed".
func TestCompareBOM(t *testing.T) {
	t.Parallel()
	state := func(text string) []shop.BOMEntry {
		entries := []shop.BOMEntry{}
		for line := range strings.SplitSeq(text, ", ") {
			entry := shop.BOMEntry{ContributingJobIDs: []string{}}
			if head, jobs, found := strings.Cut(line, " ("); found {
				line, entry.ContributingJobIDs = head, strings.Fields(strings.TrimSuffix(jobs, ")"))
			}
			if line != "" {
				shoptest.Must(fmt.Sscanf(line, "%s %g", &entry.PartType, &entry.RequiredQuantityPerBuild))
				entries = append(entries, entry)
			}
		}
		return entries
	}
	for _, c := range []struct{ before, after, want string }{
		{"", "", ""},
		{"bolt 2", "bolt 2", "bolt: 2 -> 2"},
		{"bolt 2", "bolt 3", "bolt: 2 -> 3 changed"},
		{"bolt 2", "", "bolt: 2 -> - changed"},
		{"", "nut 0.25", "nut: - -> 0.25 changed"},
		{"bolt 2, nut 1", "nut 1, bolt 2", "bolt: 2 -> 2; nut: 1 -> 1"},
		{"bolt 2", "washer 4, bolt 2", "bolt: 2 -> 2; washer: - -> 4 changed"},
		// Lines with equal part types are all compared.
		{"bolt 2, bolt 5", "bolt 2, bolt 6", "bolt: 2 -> 2; bolt: 5 -> 6 changed"},
		{"bolt 2, nut 1, bolt 5", "bolt 2", "bolt: 2 -> 2; nut: 1 -> - changed; bolt: 5 -> - changed"},
		{"bolt 2", "bolt 2, bolt 2", "bolt: 2 -> 2; bolt: - -> 2 changed"},
		// The same number made by other jobs is a change.
		{"bolt 2 (job_1)", "bolt 2 (job_2)", "bolt: 2 -> 2 changed"},
	} {
		var lines []string
		for _, line := range shop.CompareBOM(state(c.before), state(c.after)) {
			side := func(entry *shop.BOMEntry) string {
				if entry == nil {
					return "-"
				}
				return fmt.Sprint(entry.RequiredQuantityPerBuild)
			}
			text := fmt.Sprintf("%s: %s -> %s", line.PartType, side(line.Before), side(line.After))
			if line.Changed() {
				text += " changed"
			}
			lines = append(lines, text)
		}
		if got := strings.Join(lines, "; "); got != c.want {
			t.Errorf("%q against %q: %q, want %q", c.before, c.after, got, c.want)
		}
	}
}

// Versions do not share entries: reading a version does not write to another version.
func TestVersionsOfBOMAreTheirOwn(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	ctx := t.Context()
	entries := func(quantity float64) shop.BOMEntriesInput {
		return input.Given([]input.Input[shop.BOMEntryInput]{input.Given(shop.BOMEntryInput{
			PartType: shoptest.Given("bolt"), RequiredQuantityPerBuild: shoptest.Number(quantity),
		})})
	}
	bom := shoptest.Must(s.CreateBOM(ctx, shop.CreateBOMInput{Name: shoptest.Given("Kit"), Entries: entries(2)}))
	for _, quantity := range []float64{3, 4} {
		shoptest.Must(s.EditBOM(ctx, bom.ID, shop.EditBOMInput{
			Entries: entries(quantity), ChangeDescription: shoptest.Given("more"), UserID: shoptest.Given("ann"),
		}))
	}
	var found []string
	for _, version := range shoptest.Collect(s.BOMVersions(ctx, bom.ID)) {
		lines := shop.CompareBOM(shoptest.Must(version.Entries()), shoptest.Must(s.BOM(ctx, bom.ID)).Entries)
		found = append(found, fmt.Sprintf("version %d: %g, now: %g", version.VersionNumber,
			lines[0].Before.RequiredQuantityPerBuild, lines[0].After.RequiredQuantityPerBuild))
	}
	if diff := cmp.Diff([]string{"version 2: 3, now: 4", "version 1: 2, now: 4"}, found); diff != "" {
		t.Error(diff)
	}
	if _, err := (shop.BOMVersion{EntriesSnapshot: json.RawMessage(`"x"`)}).Entries(); err == nil {
		t.Error("a damaged snapshot has entries")
	}
}

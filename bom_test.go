package routecard_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard"
)

// TestCompareBOM writes a state as "bolt 2, nut 1 (job_1 job_2)" and a comparison as "bolt: 2 -> 3 changed".
func TestCompareBOM(t *testing.T) {
	t.Parallel()
	state := func(text string) []routecard.BOMEntry {
		entries := []routecard.BOMEntry{}
		for line := range strings.SplitSeq(text, ", ") {
			entry := routecard.BOMEntry{ContributingJobIDs: []string{}}
			if head, jobs, found := strings.Cut(line, " ("); found {
				line, entry.ContributingJobIDs = head, strings.Fields(strings.TrimSuffix(jobs, ")"))
			}
			if line != "" {
				must(fmt.Sscanf(line, "%s %g", &entry.PartType, &entry.RequiredQuantityPerBuild))
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
		// Equal part types do not hide each other.
		{"bolt 2, bolt 5", "bolt 2, bolt 6", "bolt: 2 -> 2; bolt: 5 -> 6 changed"},
		{"bolt 2, nut 1, bolt 5", "bolt 2", "bolt: 2 -> 2; nut: 1 -> - changed; bolt: 5 -> - changed"},
		{"bolt 2", "bolt 2, bolt 2", "bolt: 2 -> 2; bolt: - -> 2 changed"},
		// The same number made by other jobs is another bill.
		{"bolt 2 (job_1)", "bolt 2 (job_2)", "bolt: 2 -> 2 changed"},
	} {
		var lines []string
		for _, line := range routecard.CompareBOM(state(c.before), state(c.after)) {
			side := func(entry *routecard.BOMEntry) string {
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

// A version's entries are its own: reading one does not write into another.
func TestVersionsOfBOMAreTheirOwn(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	ctx := t.Context()
	entries := func(quantity float64) routecard.BOMEntriesInput {
		return routecard.Given([]routecard.Input[routecard.BOMEntryInput]{routecard.Given(routecard.BOMEntryInput{
			PartType: given("bolt"), RequiredQuantityPerBuild: number(quantity),
		})})
	}
	bom := must(s.CreateBOM(ctx, routecard.CreateBOMInput{Name: given("Kit"), Entries: entries(2)}))
	for _, quantity := range []float64{3, 4} {
		must(s.EditBOM(ctx, bom.ID, routecard.EditBOMInput{
			Entries: entries(quantity), ChangeDescription: given("more"), UserID: given("ann"),
		}))
	}
	var found []string
	for _, version := range collect(s.BOMVersions(ctx, bom.ID)) {
		lines := routecard.CompareBOM(must(version.Entries()), must(s.BOM(ctx, bom.ID)).Entries)
		found = append(found, fmt.Sprintf("version %d: %g, now: %g", version.VersionNumber,
			lines[0].Before.RequiredQuantityPerBuild, lines[0].After.RequiredQuantityPerBuild))
	}
	if diff := cmp.Diff([]string{"version 2: 3, now: 4", "version 1: 2, now: 4"}, found); diff != "" {
		t.Error(diff)
	}
	if _, err := (routecard.BOMVersion{EntriesSnapshot: json.RawMessage(`"x"`)}).Entries(); err == nil {
		t.Error("a damaged snapshot has entries")
	}
}

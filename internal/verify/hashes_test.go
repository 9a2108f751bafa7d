package verify_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/internal/verify"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// checkOlder returns the findings when the entries of notes and users have no hashes, like those of an older program.
func checkOlder(t *testing.T, s *shoptest.Shop) (found []string, unproved []verify.Unproved) {
	t.Helper()
	check := verify.NewRecordCheck(s.Service.SerialPrefix(), ledger.Leaf)
	if err := s.Store.View(t.Context(), func(tx shop.Reader) error {
		entries, err := tx.AuditAfter(0, 1000)
		if err != nil {
			return err
		}
		for i := range entries {
			switch entry := &entries[i]; entry.Action { //nolint:exhaustive // an older program wrote the other actions in the same way
			case shop.ActionNoteCreated:
				entry.Metadata = nil
			case shop.ActionUserCreated:
				entry.Metadata = []byte(strings.Replace(string(entry.Metadata), `"contentsSha256"`, `"later"`, 1))
			}
			check.Add(&entries[i])
		}
		_, err = check.Compare(tx, func(d verify.RecordDifference) { found = append(found, string(d.Kind)+" "+d.ID) })
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return found, check.Unproved()
}

// Records of an older program, whose entries have no hashes, are unproved but are not findings.
func TestOldEntriesLeaveContentsUnproved(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	note := shoptest.Must(s.CreateNote(t.Context(), shop.CreateNoteInput{
		JobID: shoptest.Given("job_1"), PathID: shoptest.Given("path_1"), StepID: shoptest.Given("step_1"),
		SerialIDs: input.GivenTexts("SN-00001"), Text: shoptest.Given("burr"), UserID: shoptest.Given("ann"),
	}))
	user := shoptest.Must(s.CreateUser(t.Context(), shop.CreateUserInput{Name: shoptest.Given("Otto")}))
	if _, err := s.Database.BackDoor(t).ExecContext(t.Context(), `UPDATE counter SET value = 2 WHERE name = 'unhashed'`); err != nil {
		t.Fatal(err)
	}
	found, unproved := checkOlder(t, s)
	if len(found) > 0 {
		t.Errorf("nobody has edited anything: %q", found)
	}
	want := []verify.Unproved{
		{Kind: shop.RecordNote, Count: 1, First: []string{note.ID}}, {Kind: shop.RecordUser, Count: 1, First: []string{user.ID}},
	}
	if !slices.EqualFunc(unproved, want, func(a, b verify.Unproved) bool {
		return a.Kind == b.Kind && a.Count == b.Count && slices.Equal(a.First, b.First)
	}) {
		t.Errorf("unproved are %+v, want %+v", unproved, want)
	}
}

// Two notes with the same text and place have different hashes in the trail, so that they cannot be compared, and the salt is nowhere in
// the trail.
func TestHashesOfPrivateContentsCannotBeGuessed(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	var salts, hashes []string
	for range 2 {
		shoptest.Must(s.CreateUser(t.Context(), shop.CreateUserInput{Name: shoptest.Given("Otto")}))
	}
	for _, user := range shoptest.Collect(s.Users(t.Context(), true)) {
		salts, hashes = append(salts, user.Salt), append(hashes, string(user.Contents()))
	}
	if salts[0] == "" || salts[0] == salts[1] || hashes[0] == hashes[1] {
		t.Errorf("salts %q, hashes %q", salts, hashes)
	}
	for _, entry := range shoptest.Collect(s.AuditEntries(t.Context(), shop.NoLimit, 0)) {
		if strings.Contains(string(entry.Metadata), salts[0]) {
			t.Errorf("the trail has the salt: %s", entry.Metadata)
		}
	}
}

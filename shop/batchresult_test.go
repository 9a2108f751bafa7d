package shop

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// TestBatchPartKeepsRefusals: the stored result of a part restores its refusals, and does not grow with equal refusals.
func TestBatchPartKeepsRefusals(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var ids []string
		var refused []Refusal
		for i := range rapid.IntRange(1, 40).Draw(t, "serials") {
			id := ident.DefaultPrefix.SerialID(int64(i*3 + 1))
			if rapid.Bool().Draw(t, "listed by another name") {
				id = "a serial " + id
			}
			ids = append(ids, id)
			switch rapid.IntRange(0, 4).Draw(t, "outcome") {
			case 0:
				refused = append(refused, Refusal{SerialID: id, Err: refusal.Refuse(card.AdvanceScrapped)})
			case 1:
				refused = append(refused, Refusal{SerialID: id, Err: refusal.Refuse(refusal.StandsElsewhere, id, 3, 2)})
			case 2:
				refused = append(refused, Refusal{SerialID: id, Err: NameSerial.NotFound(id), unknown: true})
			case 3:
				refused = append(refused, Refusal{SerialID: id, Err: errors.New("serial " + id + " is damaged")})
			}
		}
		part := PartOf(ids, len(ids)-len(refused), refused)
		written, err := json.Marshal(part)
		if err != nil {
			t.Fatal(err)
		}
		var read BatchPart
		if err := json.Unmarshal(written, &read); err != nil {
			t.Fatal(err)
		}
		if len(part.Refused) > 8 {
			t.Errorf("%d kinds of refusal: %s", len(part.Refused), written)
		}
		same := cmp.Comparer(func(a, b error) bool {
			left, leftOK := errors.AsType[*refusal.Error](a)
			right, rightOK := errors.AsType[*refusal.Error](b)
			return a.Error() == b.Error() && leftOK == rightOK && (!leftOK || cmp.Equal(left, right, cmp.Comparer(func(a, b *refusal.Reason) bool { return a == b })))
		})
		if diff := cmp.Diff(refused, read.Refusals(ids), same, cmp.AllowUnexported(Refusal{})); diff != "" && len(refused) > 0 {
			t.Errorf("-before +after\n%s", diff)
		}
		if read.Changed != part.Changed {
			t.Errorf("%d changed", read.Changed)
		}
	})
}

// TestChosenIsShort: a full selection of scattered serials takes a few hundred kilobytes, and a selection of consecutive serials takes
// less.
func TestChosenIsShort(t *testing.T) {
	t.Parallel()
	var scattered, neighbours chosen
	for i := range int64(selectionLimit) {
		scattered = append(scattered, 1+(i*7919)%1_000_003)
		neighbours = append(neighbours, i+1)
	}
	for name, test := range map[string]struct {
		numbers chosen
		limit   int
	}{"neighbours": {neighbours, 150_000}, "scattered": {scattered, 450_000}} {
		written, err := json.Marshal(test.numbers)
		if err != nil || len(written) > test.limit {
			t.Errorf("%s take %d bytes (%v)", name, len(written), err)
		}
		var read chosen
		if err := json.Unmarshal(written, &read); err != nil || !slices.Equal(read, test.numbers) {
			t.Errorf("%s came back as something else (%v)", name, err)
		}
	}
	if _, err := chosenOf(ident.DefaultPrefix, []string{"a serial"}); err == nil {
		t.Error("what is no serial was written down")
	}
	for _, text := range []string{`"!"`, `"gICA"`} {
		var read chosen
		if err := json.Unmarshal([]byte(text), &read); err == nil {
			t.Errorf("%s was read as %v", text, read)
		}
	}
}

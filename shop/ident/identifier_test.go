package ident_test

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/routecard/routecard/shop/ident"
)

func TestSerialID(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		number int64
		id     string
	}{
		{1, "SN-00001"},
		{417, "SN-00417"},
		{99_999, "SN-99999"},
		{100_000, "SN-100000"},
		{1_234_567_890, "SN-1234567890"},
		{999_999_999_999_999_999, "SN-999999999999999999"},
	} {
		if got := ident.DefaultPrefix.SerialID(test.number); got != test.id {
			t.Errorf("the serial with number %d is %s, want %s", test.number, got, test.id)
		}
		if got, ok := ident.DefaultPrefix.ParseSerialID(test.id); !ok || got != test.number {
			t.Errorf("%s has number %d, %t, want %d", test.id, got, ok, test.number)
		}
	}
}

func TestParseSerialIDRefuses(t *testing.T) {
	t.Parallel()
	for _, id := range []string{
		"", "SN-", "SN-1", "SN-0417", "SN-00000", "SN-000417", "SN-0000000417", "sn-00417", "SN00417", "SN_00417", "00417",
		" SN-00417", "SN-00417 ", "SN--0417", "SN-+0417", "SN-0x417", "SN-00417a", "SN-0041٧", "SN-1000000000000000000",
		"SN-9223372036854775808", "SN-99999999999999999999999999", "SN-00417\x00",
	} {
		if number, ok := ident.DefaultPrefix.ParseSerialID(id); ok {
			t.Errorf("%q counts as the serial with number %d", id, number)
		}
	}
}

// A text is a serial's identifier if and only if SerialID returns it for the parsed number.
func FuzzParseSerialID(f *testing.F) {
	for _, id := range []string{"SN-00001", "SN-99999", "SN-100000", "SN-099999", "SN-00000", "SN-999999999999999999", "SN-"} {
		f.Add(id, int64(len(id)))
	}
	f.Fuzz(func(t *testing.T, id string, seed int64) {
		if number, ok := ident.DefaultPrefix.ParseSerialID(id); ok && (number < 1 || ident.DefaultPrefix.SerialID(number) != id) {
			t.Errorf("%q counts as the serial with number %d, which is %s", id, number, ident.DefaultPrefix.SerialID(number))
		}
		number := 1 + int64(uint64(seed)%999_999_999_999_999_999)
		if back, ok := ident.DefaultPrefix.ParseSerialID(ident.DefaultPrefix.SerialID(number)); !ok || back != number {
			t.Errorf("%s has number %d, %t, want %d", ident.DefaultPrefix.SerialID(number), back, ok, number)
		}
	})
}

func TestAuditIDSorts(t *testing.T) {
	t.Parallel()
	sequences := []int64{1, 2, 9, 10, 99, 100, 12_345, 99_999, 100_000, 1 << 40, 999_999_999_999_999, 9_999_999_999_999_999}
	ids := make([]string, len(sequences))
	for i, sequence := range sequences {
		ids[i] = ident.AuditID(sequence)
		if !strings.HasPrefix(ids[i], "aud_") {
			t.Errorf("entry %d has the id %s", sequence, ids[i])
		}
	}
	if !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Errorf("the ids of %v do not sort as the entries were committed: %v", sequences, ids)
	}
	if got := ident.AuditID(math.MaxInt64); got != "aud_9223372036854775807" {
		t.Errorf("the last entry has the id %s", got)
	}
}

func TestIdentifiers(t *testing.T) {
	t.Parallel()
	t.Run("sort by the order of the calls, whatever the clock does", func(t *testing.T) {
		t.Parallel()
		at := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
		identifiers := ident.NewIdentifiers(func() time.Time { return at })
		made := make([]string, 0, 3000)
		for i := range 3000 {
			switch i {
			case 1000:
				at = at.Add(time.Hour)
			case 2000:
				at = at.Add(-2 * time.Hour)
			}
			made = append(made, identifiers.Next())
		}
		for i := 1; i < len(made); i++ {
			if made[i-1] >= made[i] {
				t.Fatalf("identifier %d, %s, does not sort before the next one, %s", i-1, made[i-1], made[i])
			}
		}
	})
	t.Run("differ between callers at the same time", func(t *testing.T) {
		t.Parallel()
		at := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
		clock := func() time.Time { return at }
		shared, other := ident.NewIdentifiers(clock), ident.NewIdentifiers(clock)
		made := make([][]string, 4)
		var callers sync.WaitGroup
		for i := range made {
			callers.Go(func() {
				for range 500 {
					made[i] = append(made[i], shared.Next())
				}
			})
		}
		callers.Wait()
		for range 500 {
			made[0] = append(made[0], other.Next())
		}
		all := slices.Concat(made...)
		slices.Sort(all)
		if distinct := len(slices.Compact(slices.Clone(all))); distinct != len(all) {
			t.Errorf("%d of %d identifiers were made twice", len(all)-distinct, len(all))
		}
	})
}

func TestValidPrefixes(t *testing.T) {
	t.Parallel()
	for prefix, valid := range map[ident.Prefix]bool{
		"SN": true, "P2": true, "A": true, "BERLIN01": true,
		"": false, "BERLIN012": false, "2P": false, "42": false, "p2": false, "P-2": false, "P_2": false, "P 2": false, "Ü": false, "P2\n": false,
	} {
		if prefix.Valid() != valid {
			t.Errorf("%q is valid: %t", prefix, prefix.Valid())
		}
	}
}

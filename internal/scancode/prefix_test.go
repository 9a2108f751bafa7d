package scancode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/oklog/ulid/v2"
	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// prefixes draws the prefixes that a database can have.
func prefixes() *rapid.Generator[ident.Prefix] {
	return rapid.Custom(func(t *rapid.T) ident.Prefix {
		return ident.Prefix(rapid.StringMatching(`[A-Z][A-Z0-9]{0,7}`).Draw(t, "characters"))
	}).Filter(func(p ident.Prefix) bool { return !shop.ReservedPrefix(p) })
}

func numbers() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64Range(1, 99_999), rapid.Int64Range(1, 999_999_999_999_999))
}

// Every identifier that a database makes is found in every form, whatever its prefix, and never in a database with another prefix.
func TestUnitsOfEveryPrefix(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		prefix, number := prefixes().Draw(t, "prefix"), numbers().Draw(t, "number")
		id := prefix.SerialID(number)
		codes := []string{
			id, strings.ToLower(id), "]d1" + id, " " + id + "\r\n", "https://shop.example/serials/" + id + "/print",
			"/scan?unit=" + strings.ToLower(id), fmt.Sprintf("%s-%d", prefix, number), scancode.LabelOf(prefix, id, "", "", "").Content,
			"]C121" + id,
		}
		if number > 99_999 { // element strings have up to 20 characters
			codes = codes[:len(codes)-1]
		}
		for _, code := range codes {
			if unit, ok := scancode.Unit(prefix, code); !ok || unit != id {
				t.Errorf("in a database with %s, %q is %q, %t", prefix, code, unit, ok)
			}
			if scancode.OtherPlant(prefix, code) {
				t.Errorf("in a database with %s, %q is a unit of another plant", prefix, code)
			}
		}
		if err := shop.RefuseReserved(prefix, "serialNumber", id, ""); err == nil {
			t.Errorf("in a database with %s, %s can be the serial number of another unit", prefix, id)
		}
		other := prefixes().Draw(t, "other")
		if other == prefix {
			return
		}
		for _, code := range []string{id, strings.ToLower(id), "]d1" + id, "https://shop.example/serials/" + id} {
			if unit, ok := scancode.Unit(other, code); ok {
				t.Errorf("in a database with %s, %q is the unit %s", other, code, unit)
			}
			if is := scancode.OtherPlant(other, code); is != (prefix == ident.DefaultPrefix) {
				t.Errorf("in a database with %s, %q is a unit of another plant: %t", other, code, is)
			}
		}
	})
}

// Two identifiers are the same only if prefix and number are, also for prefixes that end in digits.
func TestNumbersOfPrefixesDiffer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := prefixes().Draw(t, "prefix"), prefixes().Draw(t, "other prefix")
		if rapid.Bool().Draw(t, "longer by a digit") {
			b = (a + "0")[:min(len(a)+1, ident.PrefixLimit)]
		}
		m, n := numbers().Draw(t, "number"), numbers().Draw(t, "other number")
		if (a.SerialID(m) == b.SerialID(n)) != (a == b && m == n) {
			t.Errorf("%s and %s", a.SerialID(m), b.SerialID(n))
		}
		if prefix, number, ok := ident.SplitSerialID(a.SerialID(m)); !ok || prefix != a || number != m {
			t.Errorf("%s is split into %s and %d", a.SerialID(m), prefix, number)
		}
	})
}

// Codes of other records, commands and badges mean the same in every database.
func TestOtherCodesWithEveryPrefix(t *testing.T) {
	t.Parallel()
	unique := ulid.Make().String()
	rapid.Check(t, func(t *rapid.T) {
		prefix, number := prefixes().Draw(t, "prefix"), numbers().Draw(t, "number")
		codes := []string{
			"RC-DONE", "rc-scrap-damaged", "RC-00417", "RC-ID-7Xk29fQmZ0aB4cD8eF1g", "ext:A-1", "417", "4006381333931", "LOT-00417", "NC-00417",
			shop.NonconformanceID(number), shop.ShipmentID(number), shop.ConformanceID(number), shop.FirstArticleID(number),
			ident.AuditID(number), "NCR-3",
		}
		for _, record := range shop.Records() {
			if strings.HasSuffix(record.Prefix, "_") {
				codes = append(codes, record.Prefix+unique)
			}
		}
		for _, code := range codes {
			read, usual := scancode.Parse(prefix, code), scancode.Parse(ident.DefaultPrefix, code)
			for i := range usual {
				if usual[i].Unit() {
					_, number, _ := ident.SplitSerialID(usual[i].ID)
					usual[i].ID = prefix.SerialID(number)
				}
			}
			if diff := cmp.Diff(usual, read); diff != "" {
				t.Errorf("%q with the prefix %s: %s", code, prefix, diff)
			}
		}
	})
}

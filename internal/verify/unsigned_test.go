package verify_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/internal/verify"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// TestUnsignedChanges (docs/signatures.md, "Checking a signature"): the check reports the entries that needed a signature under the policy
// of their time and have none.
func TestUnsignedChanges(t *testing.T) {
	t.Parallel()
	entry := func(action trail.Action, by, serial string) trail.Entry {
		return trail.Entry{Action: action, UserID: by, SerialID: serial, PathID: "path_1"}
	}
	scrap := func(by, serial string) trail.Entry { return entry(card.ActionSerialScrapped, by, serial) }
	note := entry(shop.ActionNoteCreated, "anna", "SN-00001")
	demand := func(of shop.SignedOperation, is shop.SignatureDemand) trail.Entry {
		return trail.Entry{Action: shop.ActionSignaturePolicyChanged, UserID: "boss",
			Metadata: json.RawMessage(fmt.Sprintf(`{"before":{},"after":{%q:%q}}`, of, is))}
	}
	signed := func(by, serial string, entries int) trail.Entry {
		signature := entry(shop.ActionRecordSigned, by, serial)
		signature.Metadata = json.RawMessage(fmt.Sprintf(`{"login":%q,"entries":%d}`, by, entries))
		return signature
	}
	const one, two = "it had to be signed, and is not", "it had to be signed by two people, and is not"
	self, second := demand(shop.SignScrap, shop.SignedBySelf), demand(shop.SignScrap, shop.SignedBySecond)
	created, changed := entry(card.ActionSerialCreated, "anna", ""), entry(card.ActionPathUpdated, "anna", "")
	wanted := func(place int, action trail.Action, why string) string {
		return fmt.Sprintf("%s %s by anna: %s", ident.AuditID(int64(place)), action, why)
	}
	const other = "it had to be signed by a second administrator, and is not"
	told := func(action trail.Action, by, metadata string) trail.Entry {
		return trail.Entry{Action: action, UserID: by, Means: "session", Metadata: json.RawMessage(metadata)}
	}
	account := told(shop.ActionAccountChanged, "anna", `{"accountId":"user_1","after":{"login":"tom","roles":[]}}`)
	roles := told(shop.ActionAccountChanged, "anna", `{"accountId":"user_1","after":{"login":"tom","roles":["admin"]}}`)
	secret := func(by string) trail.Entry {
		return told(shop.ActionSecretChanged, by, `{"accountId":"user_1","login":"tom","kind":"password"}`)
	}
	user := func(after string) trail.Entry {
		return told(shop.ActionUserChanged, "anna", `{"userId":"user_1","before":{},"after":`+after+`}`)
	}
	byProvider := func(entry trail.Entry) trail.Entry { entry.Actor = "oidc"; return entry }
	accounts := told(shop.ActionSignaturePolicyChanged, "anna", `{"before":{"accounts":"none"},"after":{"accounts":"second"}}`)
	lifted := told(shop.ActionSignaturePolicyChanged, "anna", `{"before":{"accounts":"second"},"after":{"accounts":"none"}}`)
	empty := shoptest.Open(t)
	for _, c := range []struct {
		name  string
		trail []trail.Entry
		want  []string
	}{
		{"nothing is demanded", []trail.Entry{scrap("anna", "SN-00001")}, nil},
		{"another operation is", []trail.Entry{demand(shop.SignUndo, shop.SignedBySelf), scrap("anna", "SN-00001")}, nil},
		{"before it was demanded", []trail.Entry{scrap("anna", "SN-00001"), self}, nil},
		{"after it was demanded", []trail.Entry{self, demand(shop.SignScrap, shop.SignedByNobody), scrap("anna", "SN-00001")}, nil},
		{"unsigned", []trail.Entry{self, scrap("anna", "SN-00001"), demand(shop.SignScrap, shop.SignedByNobody)},
			[]string{wanted(2, card.ActionSerialScrapped, one)}},
		{"signed", []trail.Entry{self, scrap("anna", "SN-00001"), signed("anna", "SN-00001", 1)}, nil},
		{"signed by another", []trail.Entry{self, scrap("anna", "SN-00001"), signed("tom", "SN-00001", 1)},
			[]string{wanted(2, card.ActionSerialScrapped, one)}},
		{"signed by both", []trail.Entry{second, scrap("anna", "SN-00001"), signed("anna", "SN-00001", 1), signed("tom", "SN-00001", 1)}, nil},
		{"signed by one of both", []trail.Entry{second, scrap("anna", "SN-00001"), signed("anna", "SN-00001", 1)},
			[]string{wanted(2, card.ActionSerialScrapped, two)}},
		{"signed twice by one", []trail.Entry{second, scrap("anna", "SN-00001"), signed("anna", "SN-00001", 1), signed("anna", "SN-00001", 1)},
			[]string{wanted(2, card.ActionSerialScrapped, two)}},
		{"signed by two others", []trail.Entry{second, scrap("anna", "SN-00001"), signed("tom", "SN-00001", 1), signed("eve", "SN-00001", 1)},
			[]string{wanted(2, card.ActionSerialScrapped, two)}},
		{"another unit is signed", []trail.Entry{self, scrap("anna", "SN-00001"), scrap("anna", "SN-00002"), signed("anna", "SN-00002", 1)},
			[]string{wanted(2, card.ActionSerialScrapped, one)}},
		{"a batch", []trail.Entry{self, scrap("anna", "SN-00001"), scrap("anna", "SN-00002"), signed("anna", "SN-00001", 1),
			signed("anna", "SN-00002", 1)}, nil},
		{"with entries around it", []trail.Entry{self, note, scrap("anna", "SN-00001"), note, signed("anna", "SN-00001", 3), note}, nil},
		{"a later change is signed, the earlier one is not", []trail.Entry{self, scrap("anna", "SN-00001"), note, scrap("anna", "SN-00001"),
			signed("anna", "SN-00001", 2), scrap("anna", "SN-00001")},
			[]string{wanted(2, card.ActionSerialScrapped, one), wanted(6, card.ActionSerialScrapped, one)}},
		{"the signature of an entry behind it", []trail.Entry{self, scrap("anna", "SN-00001"), note, signed("anna", "SN-00001", 1)},
			[]string{wanted(2, card.ActionSerialScrapped, one)}},
		{"a route without units", []trail.Entry{demand(shop.SignPathUpdate, shop.SignedBySelf), changed}, nil},
		{"a route with units", []trail.Entry{created, demand(shop.SignPathUpdate, shop.SignedBySelf), changed},
			[]string{wanted(3, card.ActionPathUpdated, one)}},
		{"a bill", []trail.Entry{demand(shop.SignBOMEdit, shop.SignedBySelf), entry(shop.ActionBOMEdited, "anna", ""),
			entry(shop.ActionBOMUpdated, "anna", ""), signed("anna", "", 2), entry(shop.ActionBOMEdited, "anna", "")},
			[]string{wanted(5, shop.ActionBOMEdited, one)}},
		{"an account, signed by a second administrator", []trail.Entry{account, accounts, roles, signed("ada", "", 1)}, nil},
		{"an account, unsigned", []trail.Entry{account, accounts, roles}, []string{wanted(3, shop.ActionAccountChanged, other)}},
		{"an account, signed by whoever did it", []trail.Entry{account, accounts, roles, signed("anna", "", 1)},
			[]string{wanted(3, shop.ActionAccountChanged, other)}},
		{"an account, by the provider", []trail.Entry{account, accounts, byProvider(roles)}, nil},
		{"a secret of one's own", []trail.Entry{account, accounts, secret("tom")}, nil},
		{"a secret of another", []trail.Entry{account, accounts, secret("anna")}, []string{wanted(3, shop.ActionSecretChanged, other)}},
		{"the demand taken back by one", []trail.Entry{accounts, lifted}, []string{wanted(2, shop.ActionSignaturePolicyChanged, other)}},
		{"the demand taken back by two", []trail.Entry{accounts, lifted, signed("ada", "", 1)}, nil},
		{"a user made inactive", []trail.Entry{account, accounts, user(`{"active":false}`)}, nil},
		{"a user made active", []trail.Entry{account, accounts, user(`{"active":true}`)}, []string{wanted(3, shop.ActionUserChanged, other)}},
		{"a user without a login", []trail.Entry{accounts, user(`{"name":"x"}`)}, nil},
	} {
		check := verify.NewRecordCheck(empty.Service.SerialPrefix(), ledger.Leaf)
		for i := range c.trail {
			entry := c.trail[i]
			entry.ID = ident.AuditID(int64(i + 1))
			check.Add(&entry)
		}
		var got []string
		if err := empty.Store.View(t.Context(), func(tx shop.Reader) error {
			_, err := check.Compare(tx, func(d verify.RecordDifference) {
				if d.Kind == verify.UnsignedEntry {
					got = append(got, d.ID+" "+d.Why.Error())
				}
			})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: found %q, want %q", c.name, got, c.want)
		}
	}
}

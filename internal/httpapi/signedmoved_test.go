package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/passkeytest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// namedRecord is a record that a request identifies.
type namedRecord struct {
	kind ident.RecordKind
	id   string
}

// namedIn lists the records that a request identifies in its address and in its body, in the order of their places.
func namedIn(t *testing.T, target, body string) (named []namedRecord) {
	t.Helper()
	pieces := strings.Split(target, "/")
	for i, piece := range pieces {
		if i == 0 {
			continue
		}
		if kind, ok := collections[pieces[i-1]]; ok && !strings.HasPrefix(piece, "batch-") {
			named = append(named, namedRecord{kind, piece})
		}
	}
	var object any
	if err := json.Unmarshal([]byte(body), &object); err != nil {
		t.Fatal(err)
	}
	var walk func(name string, value any)
	walk = func(name string, value any) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				walk(name, value[name])
			}
		case []any:
			for _, item := range value {
				walk(name, item)
			}
		case string:
			if kind, ok := shop.Identifies(name); ok {
				named = append(named, namedRecord{kind, value})
			}
		}
	}
	walk("", object)
	return named
}

// called gives a record an external identifier, "" for none, and removes that identifier from every other record of the kind.
func (s *signingShop) called(record namedRecord, externalID string) {
	s.t.Helper()
	err := s.store.Update(s.t.Context(), func(tx shop.Tx) error {
		before, err := tx.RecordOutside(record.kind, externalID)
		if err == nil {
			err = tx.SetExternalID(shop.ExternalID{Of: record.kind, ID: before})
		}
		if err != nil && !errors.Is(err, shop.ErrNoRecord) {
			return err
		}
		return tx.SetExternalID(shop.ExternalID{Of: record.kind, ID: record.id, ExternalID: externalID})
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// A signature is valid for the record that had the external identifier when it was signed. The test covers every operation that can be
// signed and every place at which its address and its body identify a record. It moves the external identifier of that place to another
// record between the signature and the request.
func TestSignatureStaysWithItsRecord(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	places := 0
	for _, pattern := range slices.Sorted(maps.Keys(signedRoutes)) {
		route := signedRoutes[pattern]
		method, _, _ := strings.Cut(pattern, " ")
		s.demand(route.operation, shop.SignedBySelf)
		target, body := route.prepare(s)
		for place := range namedIn(t, target, body) {
			places++
			s.movedAt(method, route.operation, route.prepare, place)
		}
	}
	if places < len(signedRoutes) {
		t.Errorf("%d operations name records at %d places", len(signedRoutes), places)
	}
	s.checkTrail()
}

// movedAt moves the external identifier at one place of a request, and then sends the request with the identifiers that were signed.
func (s *signingShop) movedAt(
	method string, operation shop.SignedOperation, prepare func(*signingShop) (target, body string), place int,
) {
	s.t.Helper()
	target, body := prepare(s)
	otherTarget, otherBody := prepare(s)
	record := namedIn(s.t, target, body)[place]
	others := namedIn(s.t, otherTarget, otherBody)
	other := others[place]
	s.made++
	externalID := fmt.Sprintf("E %d/%d", s.made, place)
	outside := func(target, body string, record namedRecord) (string, string) {
		return strings.ReplaceAll(target, "/"+record.id, "/ext:"+strings.NewReplacer(" ", "%20", "/", "%2F").Replace(externalID)),
			strings.ReplaceAll(body, `"`+record.id+`"`, `"ext:`+externalID+`"`)
	}
	what := fmt.Sprintf("place %d, a %s", place, record.kind)

	s.called(record, externalID)
	outsideTarget, outsideBody := outside(target, body, record)
	for signed, signs := range map[string][2]string{
		"signed by identifiers":                {target, body},
		"signed by external identifiers":       {outsideTarget, outsideBody},
		"signed by an external one in address": {outsideTarget, body},
	} {
		ticket := signedWith(s.ticket("anna", operation, signs[0], signs[1]))
		s.called(other, externalID)
		before := s.newest()
		got := s.try(method, outsideTarget, outsideBody, ticket)
		if got.status < http.StatusBadRequest || s.newest() != before {
			s.t.Errorf("%s %s, %s, %s, which was moved: %d %s", method, target, what, signed, got.status, got.body)
		}
		s.called(record, externalID)
	}
	// Again with the same identifiers, but without moving one. The signed body has the internal identifiers.
	ticket := signedWith(s.ticket("anna", operation, outsideTarget, body))
	if got := s.try(method, outsideTarget, outsideBody, ticket); got.status >= http.StatusBadRequest {
		s.t.Errorf("%s %s, %s, which was not moved: %d %s", method, target, what, got.status, got.body)
	}
	s.called(record, "") // without an entry in the trail
}

// If an external identifier moves after the request looked it up, the signature is not valid for the other record.
func TestSignatureIsForTheRecordOfTheOperation(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignBOMEdit, shop.SignedBySelf)
	signed, other := s.bom(), s.bom()
	const body = `{"entries": [{"partType": "bolt", "requiredQuantityPerBuild": 2}]}`
	moved := namedRecord{shop.RecordBOM, other}
	s.called(namedRecord{shop.RecordBOM, signed}, "moving")
	ticket := signedWith(s.ticket("anna", shop.SignBOMEdit, "/api/bom/"+signed, body))
	s.called(moved, "moving")
	s.refuses("moved", notValid, http.MethodPut, "/api/bom/ext:moving", body, ticket)
	s.called(namedRecord{shop.RecordBOM, signed}, "moving")
	if got := s.try(http.MethodPut, "/api/bom/ext:moving", body, ticket); got.status != http.StatusOK {
		t.Errorf("not moved: %d %s", got.status, got.body)
	}
}

// A signature of a second administrator is valid for the user who had the external identifier when it was given. The test covers every
// operation on accounts, and moves the external identifier to another user between the signature and the request.
func TestSignatureStaysWithItsUser(t *testing.T) {
	t.Parallel()
	for _, pattern := range slices.Sorted(maps.Keys(secondSigned)) {
		if !strings.Contains(pattern, "{id}") {
			continue
		}
		t.Run(pattern, func(t *testing.T) {
			t.Parallel()
			s := openTwoAdministrators(t)
			method, _, _ := strings.Cut(pattern, " ")
			target, body, _ := secondSigned[pattern](s)
			named := namedIn(t, target, "{}")[0]
			other := s.alike(pattern)
			if other == named.id {
				t.Fatalf("%s is the one whose external identifier moves", other)
			}
			try := func(target string, header ...[2]string) answered {
				got, err := s.send(t.Context(), method, target, body, append(header, s.boss())...)
				if err != nil {
					t.Fatal(err)
				}
				return got
			}
			if status, said := refusalIn(try(strings.Replace(target, named.id, other, 1))); status != http.StatusForbidden || said != uncosigned {
				t.Errorf("unsigned, for the other: %d %s", status, said)
			}
			outside := strings.Replace(target, named.id, "ext:E%20moving", 1)
			s.called(named, "E moving")
			for _, signed := range []string{target, outside} {
				ticket := signedWith(s.ticket("ada", shop.SignAccounts, signed, body))
				s.called(namedRecord{shop.RecordUser, other}, "E moving")
				before := s.newest()
				if status, said := refusalIn(try(outside, ticket)); status != http.StatusForbidden || said != notValid || s.newest() != before {
					t.Errorf("signed for %s, which was moved: %d %s", signed, status, said)
				}
				s.called(named, "E moving")
			}
			ticket, before := signedWith(s.ticket("ada", shop.SignAccounts, outside, body)), s.newest()
			if got := try(outside, ticket); got.status >= 300 || s.newest() == before {
				t.Errorf("not moved: %d %s", got.status, got.body)
			}
		})
	}
}

// alike returns another user than that of secondSigned. The same request has the same effect on that user.
func (s *signingShop) alike(pattern string) (id string) {
	s.t.Helper()
	signed := func(method, target, body string) {
		s.t.Helper()
		s.ask(200, method, target, body, s.signIn("ada", goodPassword), signedWith(s.ticket("boss", shop.SignAccounts, target, body)))
	}
	lena := "/api/users/" + s.users["lena"]
	switch pattern {
	case "PUT /api/users/{id}/account":
		return s.users["machine"]
	case "POST /api/users/{id}/tokens":
		var user struct{ ID string }
		s.reads(s.ask(201, "POST", "/api/users", `{"name": "Gateway"}`, s.admin), &user)
		signed("PUT", "/api/users/"+user.ID+"/account", `{"login": "gateway", "roles": ["operator"], "kind": "program"}`)
		return user.ID
	case "PUT /api/users/{id}/pin", "PUT /api/users/{id}/badge":
		return s.users["olaf"]
	case "POST /api/users/{id}/confirm":
		signed("PUT", lena+"/password", `{"password": "given by ada"}`)
		s.ask(200, "PUT", lena+"/password", fmt.Sprintf(`{"password": %q, "oldPassword": "given by ada"}`, goodPassword),
			s.signIn("lena", "given by ada"))
	case "DELETE /api/users/{id}/second-factors":
		session := s.signIn("lena", goodPassword)
		var made struct{ Secret string }
		s.reads(s.ask(201, "POST", "/api/me/one-time-codes", `{}`, session), &made)
		s.ask(200, "POST", "/api/me/one-time-codes/confirm",
			fmt.Sprintf(`{"code": %q}`, passkeytest.Code(s.t, made.Secret, time.UnixMilli(s.clock.Load()))), session)
	}
	return s.users["lena"]
}

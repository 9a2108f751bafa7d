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

	"github.com/routecard/routecard/shop"
)

// namedRecord is a place in a request that names a record by its identifier.
type namedRecord struct {
	kind shop.RecordKind
	id   string
}

// namedIn lists the records that a request names in its address and in its body, in the order of their places.
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

// called gives a record an external identifier, "" for none, which it takes away from every other record of the kind.
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

// A signature belongs to the record that an external identifier named when somebody signed. The test walks over every operation that
// can be signed and over every place in which its address and its body name a record. It moves the external identifier of that place to
// another record between the signature and the request.
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

// movedAt moves the external identifier at one place of a request, and then sends the request with its record named so as it was signed.
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
	// Once more, by the same names and without moving anything. What is signed of the body are the identifiers.
	ticket := signedWith(s.ticket("anna", operation, outsideTarget, body))
	if got := s.try(method, outsideTarget, outsideBody, ticket); got.status >= http.StatusBadRequest {
		s.t.Errorf("%s %s, %s, which was not moved: %d %s", method, target, what, got.status, got.body)
	}
	s.called(record, "") // no entry tells of it
}

// An external identifier that moves after the request looked it up does not carry the signature with it.
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

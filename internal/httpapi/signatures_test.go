package httpapi

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/verify"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// signingShop is a shop in which decisions are signed. Anna and Tom have the permissions to decide and plan, Olaf does not.
type signingShop struct {
	*guarded
	tokens map[string][2]string // by login
	path   string               // a flexible path of three steps
	steps  []string
	made   int
}

func openSigning(t *testing.T) *signingShop {
	t.Helper()
	s := &signingShop{guarded: openGuarded(t, access.All), tokens: map[string][2]string{}}
	for login, roles := range map[string][]string{"anna": {"lead"}, "tom": {"lead"}, "olaf": {"operator"}} {
		s.person(login, roles...)
	}
	s.confirm("tom", "anna")
	s.confirm("anna", "tom")
	s.confirm("olaf", "tom")
	for login, permissions := range map[string]string{
		"anna": `["read", "work", "decide", "plan"]`, "tom": `["read", "work", "decide", "plan"]`, "olaf": `["read", "work"]`,
	} {
		s.tokens[login] = s.token(login, s.signIn(login, goodPassword), permissions)
	}
	s.path, s.steps = s.route()
	return s
}

// route creates a path in a job of its own.
func (s *signingShop) route() (path string, steps []string) {
	s.t.Helper()
	var job struct{ ID string }
	s.reads(s.ask(201, "POST", "/api/jobs", `{"name": "j", "goalQuantity": 9}`, s.tokens["anna"]), &job)
	var made struct {
		ID    string
		Steps []struct{ ID string }
	}
	s.reads(s.ask(201, "POST", "/api/paths", fmt.Sprintf(`{"jobId": %q, "name": "p", "goalQuantity": 9, "advancementMode": "flexible",
		"steps": [{"name": "A"}, {"name": "B"}, {"name": "C"}]}`, job.ID), s.tokens["anna"]), &made)
	for _, step := range made.Steps {
		steps = append(steps, step.ID)
	}
	return made.ID, steps
}

// unit creates a serial of a path.
func (s *signingShop) unit(path string) string {
	s.t.Helper()
	var detail struct{ JobID string }
	s.reads(s.ask(200, "GET", "/api/paths/"+path, "", s.tokens["anna"]), &detail)
	var units []struct{ ID string }
	s.reads(s.ask(201, "POST", "/api/serials", fmt.Sprintf(`{"jobId": %q, "pathId": %q, "quantity": 1}`, detail.JobID, path),
		s.tokens["anna"]), &units)
	return units[0].ID
}

// ticket signs a body as a user.
func (s *signingShop) ticket(login string, operation shop.SignedOperation, target, body string) string {
	s.t.Helper()
	return s.ticketFor(login, operation, target, canonicalSHA256(s.t, body))
}

// ticketFor signs a hash as a user.
func (s *signingShop) ticketFor(login string, operation shop.SignedOperation, target, hash string) string {
	s.t.Helper()
	var ticket access.Ticket
	s.reads(s.ask(201, "POST", "/api/signatures", fmt.Sprintf(
		`{"meaning": "approval", "operation": %q, "target": %q, "bodySha256": %q, "password": %q}`, operation, target,
		hash, goodPassword), s.tokens[login]), &ticket)
	return ticket.Ticket
}

// canonicalSHA256 returns the SHA-256 of a body in the form of RFC 8785, computed without the code of the service.
func canonicalSHA256(t *testing.T, body string) string {
	t.Helper()
	text := jsontext.Value(body)
	if err := text.Canonicalize(); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func signedWith(tickets ...string) [2]string {
	return [2]string{"Signature-Ticket", strings.Join(tickets, ", ")}
}

// signed sends a request with the signatures of Anna and Tom.
func (s *signingShop) signed(operation shop.SignedOperation, method, target, body string) answered {
	s.t.Helper()
	got := s.try(method, target, body, signedWith(s.ticket("anna", operation, target, body), s.ticket("tom", operation, target, body)))
	if got.status >= http.StatusBadRequest {
		s.t.Fatalf("%s %s: %s", method, target, got.body)
	}
	return got
}

// try sends Anna's request.
func (s *signingShop) try(method, target, body string, header ...[2]string) answered {
	s.t.Helper()
	header = append(header, s.tokens["anna"])
	got, err := s.send(s.t.Context(), method, target, body, header...)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.document.check(s.t.Context(), &exchange{method: method, target: target, body: body, header: header, answer: got}); err != nil {
		s.t.Errorf("%s %s answers %d against the document: %v", method, target, got.status, err)
	}
	return got
}

// refuses sends Anna's request, which must be refused and leave nothing in the trail.
func (s *signingShop) refuses(what, message, method, target, body string, header ...[2]string) {
	s.t.Helper()
	before := s.newest()
	got := s.try(method, target, body, header...)
	if status, said := refusalIn(got); status != http.StatusForbidden || said != message {
		s.t.Errorf("%s %s, %s: %d %s", method, target, what, got.status, got.body)
	}
	if after := s.newest(); after != before {
		s.t.Errorf("%s %s, %s: the trail goes on to %s", method, target, what, after)
	}
}

func (s *signingShop) newest() string {
	s.t.Helper()
	var entries []trail.Entry
	s.reads(s.ask(200, "GET", "/api/audit?limit=1", "", s.tokens["anna"]), &entries)
	return entries[0].ID
}

// Returning a unit to its supplier does not change its card. The signature is in the trail of the report, and is also among the unit's
// signatures.
func TestSignatureOfADecisionThatChangesNoCard(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignDisposition, shop.SignedBySecond)
	decided, other := s.unit(s.path), s.unit(s.path)
	var report struct{ ID string }
	s.reads(s.ask(201, "POST", "/api/nonconformances", fmt.Sprintf(
		`{"title": "Porosity", "severity": "major", "serialIds": [%q, %q], "hold": true}`, decided, other), s.tokens["anna"]), &report)
	signed := s.signed(shop.SignDisposition, "POST", "/api/nonconformances/"+report.ID+"/dispositions", fmt.Sprintf(
		`{"serialIds": [%q], "disposition": "return_to_supplier", "reason": "pores"}`, decided))
	if signed.status != http.StatusOK {
		t.Fatalf("%d %s", signed.status, signed.body)
	}
	of := func(id string) (logins []string) {
		var signatures []shop.Signature
		s.reads(s.try("GET", "/api/serials/"+id+"/signatures", ""), &signatures)
		for _, signature := range signatures {
			logins = append(logins, string(signature.Operation)+" "+signature.Login)
			if len(signature.EntryIDs) != 1 {
				t.Errorf("it signs %v", signature.EntryIDs)
			}
		}
		return logins
	}
	if got := of(decided); !slices.Equal(got, []string{"disposition anna", "disposition tom"}) {
		t.Errorf("%s has the signatures %v", decided, got)
	}
	if got := of(other); len(got) > 0 {
		t.Errorf("%s, about which nobody has decided, has the signatures %v", other, got)
	}
}

// signedRoutes are the routes whose changes can be signed: the signed operation, and a function that prepares a valid request.
var signedRoutes = map[string]struct {
	operation shop.SignedOperation
	prepare   func(s *signingShop) (target, body string)
}{
	"POST /api/serials/{id}/scrap": {shop.SignScrap, func(s *signingShop) (string, string) {
		return "/api/serials/" + s.unit(s.path) + "/scrap", `{"reason": "damaged"}`
	}},
	"POST /api/serials/{id}/force-complete": {shop.SignForceComplete, func(s *signingShop) (string, string) {
		return "/api/serials/" + s.unit(s.path) + "/force-complete", `{"reason": "needed today"}`
	}},
	"POST /api/serials/{id}/waive-step/{stepId}": {shop.SignWaive, func(s *signingShop) (string, string) {
		id := s.unit(s.path)
		s.try("POST", "/api/serials/"+id+"/advance-to", `{"targetStepIndex": 2}`)
		return "/api/serials/" + id + "/waive-step/" + s.steps[1], `{"reason": "not needed"}`
	}},
	"POST /api/serials/{id}/overrides": {shop.SignOverride, func(s *signingShop) (string, string) {
		id, other := s.unit(s.path), s.unit(s.path)
		return "/api/serials/" + id + "/overrides", fmt.Sprintf(`{"serialIds": [%q, %q], "stepId": %q, "reason": "not needed"}`, id, other, s.steps[1])
	}},
	"DELETE /api/serials/{id}/overrides/{stepId}": {shop.SignOverride, func(s *signingShop) (string, string) {
		id := s.unit(s.path)
		s.signed(shop.SignOverride, "POST", "/api/serials/"+id+"/overrides",
			fmt.Sprintf(`{"serialIds": [%q], "stepId": %q, "reason": "not needed"}`, id, s.steps[1]))
		return "/api/serials/" + id + "/overrides/" + s.steps[1], `{}`
	}},
	"POST /api/serials/batch-scrap": {shop.SignScrap, func(s *signingShop) (string, string) {
		return "/api/serials/batch-scrap", fmt.Sprintf(`{"serialIds": [%q, %q], "reason": "damaged"}`, s.unit(s.path), s.unit(s.path))
	}},
	"POST /api/serials/batch-force-complete": {shop.SignForceComplete, func(s *signingShop) (string, string) {
		return "/api/serials/batch-force-complete", fmt.Sprintf(`{"serialIds": [%q, %q], "onRefusal": "each"}`, s.unit(s.path), s.unit(s.path))
	}},
	"POST /api/serials/batch-release": {shop.SignRelease, func(s *signingShop) (string, string) {
		ids := fmt.Sprintf(`"serialIds": [%q, %q]`, s.unit(s.path), s.unit(s.path))
		s.try("POST", "/api/serials/batch-hold", `{`+ids+`, "reason": "crack"}`)
		return "/api/serials/batch-release", `{` + ids + `, "reason": "a scratch"}`
	}},
	"POST /api/serials/{id}/release": {shop.SignRelease, func(s *signingShop) (string, string) {
		id := s.unit(s.path)
		var hold struct{ ID string }
		s.reads(s.try("POST", "/api/serials/"+id+"/hold", `{"reason": "crack"}`), &hold)
		return "/api/serials/" + id + "/release", fmt.Sprintf(`{"holdId": %q, "reason": "a scratch"}`, hold.ID)
	}},
	"POST /api/lots/{id}/release": {shop.SignRelease, func(s *signingShop) (string, string) {
		id := s.lot()
		var hold struct{ ID string }
		s.reads(s.try("POST", "/api/lots/"+id+"/hold", `{"reason": "soft"}`), &hold)
		return "/api/lots/" + id + "/release", fmt.Sprintf(`{"holdId": %q, "reason": "hard enough"}`, hold.ID)
	}},
	"POST /api/lots/{id}/expiry": {shop.SignLotExpiry, func(s *signingShop) (string, string) {
		return "/api/lots/" + s.lot() + "/expiry", `{"expiresOn": "2030-01-31", "reason": "tested again"}`
	}},
	"POST /api/serials/{id}/components": {shop.SignSubstitute, func(s *signingShop) (string, string) {
		path, _ := s.route()
		s.signed(shop.SignPathUpdate, "PUT", "/api/paths/"+path+"/bom", fmt.Sprintf(`{"bomId": %q}`, s.bom()))
		return "/api/serials/" + s.unit(path) + "/components",
			fmt.Sprintf(`{"lotId": %q, "substituteFor": "nut", "substituteReason": "none left"}`, s.lot())
	}},
	"POST /api/conformances": {shop.SignConformance, func(s *signingShop) (string, string) {
		return "/api/conformances", s.conforming("")
	}},
	"POST /api/conformances/{id}/reissue": {shop.SignConformance, func(s *signingShop) (string, string) {
		return "/api/conformances/" + s.conformance() + "/reissue", s.conforming(`, "reason": "another box"`)
	}},
	"POST /api/conformances/{id}/withdraw": {shop.SignConformance, func(s *signingShop) (string, string) {
		return "/api/conformances/" + s.conformance() + "/withdraw", `{"reason": "recalled"}`
	}},
	"POST /api/first-articles/{id}/verify": {shop.SignFirstArticle, func(s *signingShop) (string, string) {
		return "/api/first-articles/" + s.article() + "/verify", `{}`
	}},
	"POST /api/first-articles/{id}/approve": {shop.SignFirstArticle, func(s *signingShop) (string, string) {
		target := "/api/first-articles/" + s.article()
		verify := target + "/verify"
		s.ask(200, "POST", verify, `{}`, s.tokens["tom"], signedWith(s.ticket("tom", shop.SignFirstArticle, verify, `{}`),
			s.ticket("anna", shop.SignFirstArticle, verify, `{}`)))
		return target + "/approve", `{}`
	}},
	"POST /api/serials/{id}/undo": {shop.SignUndo, func(s *signingShop) (string, string) {
		id := s.unit(s.path)
		s.try("POST", "/api/serials/"+id+"/advance", `{}`)
		return "/api/serials/" + id + "/undo", fmt.Sprintf(`{"entryId": %q, "reason": "wrong unit"}`, s.newest())
	}},
	"POST /api/serials/{id}/rework": {shop.SignRework, func(s *signingShop) (string, string) {
		return "/api/serials/" + s.unit(s.path) + "/rework", `{"targetStepIndex": 0, "reason": "too small"}`
	}},
	"POST /api/nonconformances/{id}/dispositions": {shop.SignDisposition, func(s *signingShop) (string, string) {
		ids := fmt.Sprintf(`"serialIds": [%q, %q]`, s.unit(s.path), s.unit(s.path))
		var report struct{ ID string }
		s.reads(s.try("POST", "/api/nonconformances", `{`+ids+`, "title": "crack", "severity": "minor", "hold": true}`), &report)
		return "/api/nonconformances/" + report.ID + "/dispositions",
			`{` + ids + `, "disposition": "rework", "targetStepIndex": 0, "reason": "too small"}`
	}},
	"PUT /api/bom/{id}": {shop.SignBOMEdit, func(s *signingShop) (string, string) {
		return "/api/bom/" + s.bom(), `{"entries": [{"partType": "bolt", "requiredQuantityPerBuild": 2}]}`
	}},
	"POST /api/bom/{id}/edit": {shop.SignBOMEdit, func(s *signingShop) (string, string) {
		var job struct{ ID string }
		s.reads(s.try("POST", "/api/jobs", `{"name": "bolts", "goalQuantity": 9}`), &job)
		return "/api/bom/" + s.bom() + "/edit", fmt.Sprintf(
			`{"entries": [{"partType": "bolt", "requiredQuantityPerBuild": 0.1, "contributingJobIds": [%q]}], "changeDescription": "bolts"}`, job.ID)
	}},
	"PUT /api/paths/{id}": {shop.SignPathUpdate, func(s *signingShop) (string, string) {
		path, _ := s.route()
		s.unit(path)
		return "/api/paths/" + path, `{"name": "another"}`
	}},
	"PUT /api/paths/{id}/steps": {shop.SignPathUpdate, func(s *signingShop) (string, string) {
		path, steps := s.route()
		s.unit(path)
		return "/api/paths/" + path + "/steps", `{"steps": [{"name": "Receive"}, {"id": "` + strings.Join(steps, `"}, {"id": "`) + `"}]}`
	}},
	"PATCH /api/paths/{id}/advancement-mode": {shop.SignPathUpdate, func(s *signingShop) (string, string) {
		path, _ := s.route()
		s.unit(path)
		return "/api/paths/" + path + "/advancement-mode", `{"advancementMode": "strict"}`
	}},
	"PATCH /api/steps/{id}/config": {shop.SignPathUpdate, func(s *signingShop) (string, string) {
		path, steps := s.route()
		s.unit(path)
		return "/api/steps/" + steps[0] + "/config", `{"optional": true}`
	}},
	"PUT /api/steps/{id}/requirements": {shop.SignPathUpdate, func(s *signingShop) (string, string) {
		path, steps := s.route()
		s.unit(path)
		return "/api/steps/" + steps[0] + "/requirements", `{"components": ["Seal"], "functionalTest": {"procedure": "LT-7"}}`
	}},
	"PUT /api/paths/{id}/bom": {shop.SignPathUpdate, func(s *signingShop) (string, string) {
		path, _ := s.route()
		s.unit(path)
		return "/api/paths/" + path + "/bom", fmt.Sprintf(`{"bomId": %q}`, s.bom())
	}},
	"PUT /api/steps/{id}/characteristics": {shop.SignPathUpdate, func(s *signingShop) (string, string) {
		path, steps := s.route()
		s.unit(path)
		return "/api/steps/" + steps[0] + "/characteristics",
			`{"characteristics": [{"number": 7, "name": "Bore", "type": "number", "nominal": "12.500", "lower": 12.49}]}`
	}},
}

// conforming completes a unit, and returns the body of a request for its certificate of conformance.
func (s *signingShop) conforming(more string) string {
	s.t.Helper()
	id := s.unit(s.path)
	for range s.steps {
		s.try("POST", "/api/serials/"+id+"/advance", `{}`)
	}
	return fmt.Sprintf(`{"serialIds": [%q], "customer": "Meyer", "orderNumber": "PO-7"%s}`, id, more)
}

// conformance issues a certificate of conformance and returns its identifier.
func (s *signingShop) conformance() string {
	s.t.Helper()
	var made struct{ ID string }
	s.reads(s.signed(shop.SignConformance, "POST", "/api/conformances", s.conforming("")), &made)
	return made.ID
}

// article creates a first article that can be verified, and returns its identifier.
func (s *signingShop) article() string {
	s.t.Helper()
	path, steps := s.route()
	s.try("PUT", "/api/steps/"+steps[0]+"/characteristics", `{"characteristics": [{"number": "1", "name": "Bore", "type": "number", "upper": "9"}]}`)
	id := s.unit(path)
	s.try("POST", "/api/serials/"+id+"/measurements", `{"values": [{"characteristic": "1", "value": "8"}]}`)
	var made shop.FirstArticle
	s.reads(s.try("POST", "/api/paths/"+path+"/first-articles", fmt.Sprintf(`{"serialIds": [%q], "kind": "full", "reason": "new part"}`, id)), &made)
	typed := map[string]string{}
	for _, field := range made.Missing {
		typed[field.Name()] = "x"
	}
	fields, err := json.Marshal(map[string]any{"fields": typed})
	if err != nil {
		s.t.Fatal(err)
	}
	s.ask(200, "PUT", "/api/first-articles/"+made.ID, string(fields), s.tokens["anna"])
	return made.ID
}

// lot records a lot and returns its identifier.
func (s *signingShop) lot() string {
	s.t.Helper()
	var lot struct{ ID string }
	s.reads(s.try("POST", "/api/lots", `{"material": "bar"}`), &lot)
	return lot.ID
}

// bom creates a bill with one entry.
func (s *signingShop) bom() string {
	s.t.Helper()
	var bom struct{ ID string }
	s.reads(s.try("POST", "/api/bom", `{"name": "b", "entries": [{"partType": "nut", "requiredQuantityPerBuild": 1, "contributingJobIds": []}]}`), &bom)
	return bom.ID
}

// TestSignedRoutes checks that every route whose operation can be signed has a request in signedRoutes, and that the document has the same
// routes.
func TestSignedRoutes(t *testing.T) {
	t.Parallel()
	document := loadDocument(t)
	for _, route := range slices.Concat(routes(), accessRoutes()) {
		if !route.changes() {
			continue
		}
		_, signed := signedRoutes[route.pattern]
		_, second := secondSigned[route.pattern]
		sometimes := route.operation == shop.OpInstall // signed as OpSubstitute
		if !second && !sometimes && signed != (route.operation.Signed() != "") {
			t.Errorf("%s asks for %s, which is signed as %q, and there is a signed request of it: %t",
				route.pattern, route.operation, route.operation.Signed(), signed)
		}
		signed = signed || second
		method, path, _ := strings.Cut(route.pattern, " ")
		parameters := document.Paths.Value(path).GetOperation(method).Parameters
		if has := parameters.GetByInAndName("header", "Signature-Ticket") != nil; has != signed {
			t.Errorf("%s can be signed: %t; in the document: %t", route.pattern, signed, has)
		}
	}
}

// TestSignatures sends every operation that can be signed with every kind of ticket.
func TestSignatures(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	for _, pattern := range slices.Sorted(maps.Keys(signedRoutes)) {
		route := signedRoutes[pattern]
		method, _, _ := strings.Cut(pattern, " ")
		s.byOne(method, route.operation, route.prepare)
		s.byTwo(method, route.operation, route.prepare)
		s.demand(route.operation, shop.SignedByNobody) // a disposition also needs the signatures of the operations that it carries out
	}
	s.checkTrail()
}

const (
	unsigned   = "This needs your signature"
	uncosigned = "This needs the signature of a second person"
	notValid   = "The signature ticket is not valid for this request"
)

func (s *signingShop) demand(operation shop.SignedOperation, demand shop.SignatureDemand) {
	s.t.Helper()
	s.ask(200, "PUT", "/api/settings/signatures", fmt.Sprintf(`{%q: %q}`, operation, demand), s.boss())
}

func (s *signingShop) byOne(method string, operation shop.SignedOperation, prepare func(*signingShop) (string, string)) {
	s.t.Helper()
	s.demand(operation, shop.SignedBySelf)
	target, body := prepare(s)
	another, _ := prepare(s)
	if another == target { // a batch always has the same address
		another += "/"
	}
	elsewhere := shop.SignScrap
	if operation == elsewhere {
		elsewhere = shop.SignRelease
	}
	s.refuses("without a ticket", unsigned, method, target, body)
	s.refuses("with an empty one", notValid, method, target, body, signedWith(""))
	s.refuses("with none of ours", notValid, method, target, body, signedWith("abc"))
	s.refuses("by the wrong person", notValid, method, target, body, signedWith(s.ticket("tom", operation, target, body)))
	s.refuses("for another body", notValid, method, target, body,
		signedWith(s.ticket("anna", operation, target, `{"reason": "another", "userId": "anna"}`)))
	s.refuses("for another unit", notValid, method, target, body, signedWith(s.ticket("anna", operation, another, body)))
	s.refuses("for another operation", notValid, method, target, body, signedWith(s.ticket("anna", elsewhere, target, body)))
	s.refuses("twice by one person", notValid, method, target, body,
		signedWith(s.ticket("anna", operation, target, body), s.ticket("anna", operation, target, body)))
	ticket := s.ticket("anna", operation, target, body)
	s.refuses("the same twice", notValid, method, target, body, signedWith(ticket, ticket))
	s.refuses("by three", notValid, method, target, body, signedWith(ticket, s.ticket("tom", operation, target, body), "abc"))
	late := s.ticket("anna", operation, target, body)
	s.later(shop.TicketLife)
	s.refuses("too late", notValid, method, target, body, signedWith(late))

	key := [2]string{"Idempotency-Key", target + another}
	s.refuses("without a ticket, with a key", unsigned, method, target, body, key)
	ticket = s.ticket("anna", operation, target, body)
	s.later(shop.TicketLife - time.Millisecond)
	before := len(s.recorded())
	first := s.try(method, target, body, key, signedWith(ticket))
	if first.status >= http.StatusBadRequest {
		s.t.Fatalf("%s %s: %s", method, target, first.body)
	}
	if again := s.try(method, target, body, key); again.body != first.body || again.header.Get("Idempotency-Replayed") != "true" {
		s.t.Errorf("%s %s again: %d %s", method, target, again.status, again.body)
	}
	if again := s.try(method, target, body, key, signedWith(ticket)); again.body != first.body {
		s.t.Errorf("%s %s again with its ticket: %d %s", method, target, again.status, again.body)
	}
	made := s.recorded()[before:]
	if len(made) == 0 {
		s.t.Fatal("no record_signed")
	}
	for _, signature := range made {
		if signature.UserID != "anna" || signature.Actor != "" {
			s.t.Errorf("signed by %s for %q", signature.UserID, signature.Actor)
		}
	}

	// A used ticket is not valid again, even if everything else fits.
	target, body = prepare(s)
	ticket = s.ticket("anna", operation, target, body)
	if _, err := s.backDoor(s.t).ExecContext(s.t.Context(),
		`UPDATE signature_ticket SET used_at = 1, used_for = 'another' WHERE used_at = 0`); err != nil {
		s.t.Fatal(err)
	}
	s.refuses("with a used ticket", notValid, method, target, body, signedWith(ticket))
}

func (s *signingShop) byTwo(method string, operation shop.SignedOperation, prepare func(*signingShop) (string, string)) {
	s.t.Helper()
	s.demand(operation, shop.SignedBySecond)
	target, body := prepare(s)
	anna, tom := s.ticket("anna", operation, target, body), s.ticket("tom", operation, target, body)
	s.refuses("without a ticket", unsigned, method, target, body)
	s.refuses("by one", uncosigned, method, target, body, signedWith(anna))
	s.refuses("by the other", unsigned, method, target, body, signedWith(tom))
	s.refuses("twice by one person", notValid, method, target, body, signedWith(anna, s.ticket("anna", operation, target, body)))

	// The second person must have the permission when the operation is done.
	s.ask(200, "PUT", "/api/users/"+s.users["tom"]+"/account", `{"roles": ["viewer"]}`, s.boss())
	s.refuses("by one and by one who may not any more", notValid, method, target, body, signedWith(anna, tom))
	s.ask(200, "PUT", "/api/users/"+s.users["tom"]+"/account", `{"roles": ["lead"]}`, s.boss())

	before := len(s.recorded())
	s.signed(operation, method, target, body)
	made := s.recorded()[before:]
	if len(made)%2 != 0 || len(made) == 0 {
		s.t.Fatalf("%d signatures", len(made))
	}
	for i := 0; i < len(made); i += 2 {
		if made[i].UserID != "anna" || made[i+1].UserID != "tom" || made[i+1].Actor != "" {
			s.t.Errorf("signed by %s and %s (%s)", made[i].UserID, made[i+1].UserID, made[i+1].Actor)
		}
	}
}

// trail returns the whole trail, oldest first, from GET /api/audit.
func (s *signingShop) trail() []map[string]json.RawMessage {
	s.t.Helper()
	var entries []map[string]json.RawMessage
	s.reads(s.must(s.t, 200, "GET", "/api/audit?limit=100000", "", s.tokens["anna"]), &entries)
	slices.Reverse(entries)
	return entries
}

// recorded returns the entries record_signed, oldest first.
func (s *signingShop) recorded() (signed []trail.Entry) {
	s.t.Helper()
	for _, entry := range s.trail() {
		if string(entry["action"]) == `"record_signed"` {
			text, _ := json.Marshal(entry)
			var e trail.Entry
			if err := json.Unmarshal(text, &e); err != nil {
				s.t.Fatal(err)
			}
			signed = append(signed, e)
		}
	}
	return signed
}

// recordsFound returns the findings of the check of records.
func (s *signingShop) recordsFound() []string {
	s.t.Helper()
	return s.differingRecords(s.t)
}

// differingRecords returns the records that do not follow from the trail.
func (s *servedShop) differingRecords(t *testing.T) (found []string) {
	t.Helper()
	err := s.store.View(t.Context(), func(tx shop.Reader) error {
		check := verify.NewRecordCheck(tx.SerialPrefix(), ledger.Leaf)
		for after := int64(0); ; {
			entries, err := tx.AuditAfter(after, 10_000)
			if err != nil {
				return err
			}
			if len(entries) == 0 {
				break
			}
			for i := range entries {
				check.Add(&entries[i])
				after, _ = ident.AuditSequence(entries[i].ID)
			}
		}
		_, err := check.Compare(tx, func(d verify.RecordDifference) {
			found = append(found, fmt.Sprint(d.Kind, " ", d.ID, " ", d.Fields, " ", d.Why))
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// checkTrail computes the hash of every signature again from the responses of the interface.
func (s *signingShop) checkTrail() {
	s.t.Helper()
	if found := s.recordsFound(); len(found) > 0 {
		s.t.Errorf("records do not follow from the trail: %q", found)
	}
	trail := s.trail()
	for i, entry := range trail {
		if string(entry["action"]) != `"record_signed"` {
			continue
		}
		var told struct {
			Operation, Meaning, Login, PrintedName, Method, SignedAt, SHA256 string
			Entries                                                          int
		}
		if err := json.Unmarshal(entry["metadata"], &told); err != nil {
			s.t.Fatal(err)
		}
		if told.PrintedName != "Name of "+told.Login || told.Meaning != "approval" || told.Method != "password" ||
			told.SignedAt == "" || told.Operation == "" || told.Entries == 0 {
			s.t.Errorf("%s: %s", entry["id"], entry["metadata"])
		}
		signed := [][]byte{}
		for j := i - 1; j >= 0 && len(signed) < told.Entries; j-- {
			if string(trail[j]["action"]) == `"record_signed"` || string(trail[j]["serialId"]) != string(entry["serialId"]) {
				continue
			}
			bare := maps.Clone(trail[j])
			delete(bare, "id")
			text, _ := json.Marshal(bare)
			leaf, err := ledger.Leaf(text)
			if err != nil {
				s.t.Fatal(err)
			}
			signed = append(signed, append(leaf, '\n'))
		}
		slices.Reverse(signed)
		digest := sha256.Sum256(slices.Concat(signed...))
		if len(signed) != told.Entries || hex.EncodeToString(digest[:]) != told.SHA256 {
			s.t.Errorf("%s signs %d entries, which have another hash:\n%s", entry["id"], told.Entries, slices.Concat(signed...))
		}
	}
}

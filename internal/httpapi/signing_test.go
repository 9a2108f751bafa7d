package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/verify"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
)

// TestSignatureSettings covers the settings: the permissions to read and change them, and their audit entries.
func TestSignatureSettings(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	boss := s.boss()
	const settings = "/api/settings/signatures"
	none := `{"accounts":"none","bomEdit":"none","conformance":"none","disposition":"none","firstArticle":"none","forceComplete":"none","lotExpiry":"none","override":"none",` +
		`"pathUpdate":"none","release":"none","rework":"none","scrap":"none","substitute":"none","undo":"none","waive":"none"}`
	if got := s.ask(200, "GET", settings, "", boss); got.body != none {
		t.Errorf("at first: %s", got.body)
	}
	s.refused(403, "This needs the permission admin", "PUT", settings, `{"scrap": "none"}`, s.tokens["anna"])
	s.refused(400, "scrap must be one of: none, self, second", "PUT", settings, `{"undo": "self", "scrap": "both"}`, boss)
	s.refused(400, "undo must be a string", "PUT", settings, `{"undo": true}`, boss)
	if got := s.ask(200, "PUT", settings, `{}`, boss); got.body != none {
		t.Errorf("nothing changed: %s", got.body)
	}
	key := [2]string{"Idempotency-Key", "settings"}
	first := s.ask(200, "PUT", settings, `{"undo": "self", "scrap": "second", "waive": "none"}`, boss, key)
	if want := strings.NewReplacer(`"undo":"none"`, `"undo":"self"`, `"scrap":"none"`, `"scrap":"second"`).Replace(none); first.body != want {
		t.Errorf("changed: %s", first.body)
	}
	if again := s.ask(200, "PUT", settings, `{"undo": "self", "scrap": "second", "waive": "none"}`, boss, key); again.body != first.body {
		t.Errorf("again: %s", again.body)
	}
	changes := 0
	for _, entry := range s.trail() {
		if string(entry["action"]) == `"signature_policy_changed"` {
			changes++
			const want = `{"before":{"scrap":"none","undo":"none"},"after":{"scrap":"second","undo":"self"}}`
			if string(entry["metadata"]) != want || string(entry["userId"]) != `"boss"` {
				t.Errorf("%s by %s", entry["metadata"], entry["userId"])
			}
		}
	}
	if changes != 1 {
		t.Errorf("%d entries", changes)
	}
}

// TestSign covers every response to a request for a ticket.
func TestSign(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	const target = "/api/serials/SN-00001/scrap"
	const digest = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a" // of {}
	const noSHA256 = "bodySha256 must be a SHA-256 in lower-case hexadecimal digits"
	good := fmt.Sprintf(`{"meaning": "review", "operation": "scrap", "target": %q, "bodySha256": %q, "password": %q}`, target, digest, goodPassword)
	anna := s.tokens["anna"]
	s.refused(401, "Authentication required", "POST", "/api/signatures", good)
	s.refused(403, "This needs the permission decide", "POST", "/api/signatures", good, s.tokens["olaf"])
	for body, message := range map[string]string{
		`{}`: "meaning is required",
		`{"meaning": "gladly", "operation": "scrap", "target": "/x", "password": "p"}`:                                 "meaning must be one of: approval, review, responsibility, authorship",
		`{"meaning": "review", "target": "/x", "password": "p"}`:                                                       "operation is required",
		`{"meaning": "review", "operation": "advance", "target": "/x", "password": "p"}`:                               "operation must be one of: scrap, forceComplete, waive, override, release, disposition, undo, rework, bomEdit, lotExpiry, pathUpdate, substitute, conformance, firstArticle, accounts",
		`{"meaning": "review", "operation": "scrap", "password": "p"}`:                                                 "target is required",
		`{"meaning": "review", "operation": "scrap", "target": "/x"}`:                                                  "bodySha256 is required",
		`{"meaning": "review", "operation": "scrap", "target": "/x", "bodySha256": ""}`:                                "bodySha256 is required",
		`{"meaning": "review", "operation": "scrap", "target": "/x", "bodySha256": 7}`:                                 "bodySha256 must be a string",
		`{"meaning": "review", "operation": "scrap", "target": "/x", "bodySha256": "` + strings.ToUpper(digest) + `"}`: noSHA256,
		`{"meaning": "review", "operation": "scrap", "target": "/x", "bodySha256": "` + digest[1:] + `"}`:              noSHA256,
		`{"meaning": "review", "operation": "scrap", "target": "/x", "bodySha256": "` + digest + `"}`:                  "password is required",
		`{"meaning": "review", "operation": "scrap", "target": "/x", "bodySha256": "` + digest + `", "pin": 271828}`:   "pin must be a string",
	} {
		s.refused(400, message, "POST", "/api/signatures", body, anna)
	}
	got := s.ask(201, "POST", "/api/signatures", good, anna)
	if got.header.Get("Cache-Control") != "no-store" {
		t.Errorf("the answer may be kept: %v", got.header)
	}
	var ticket access.Ticket
	s.reads(got, &ticket)
	if strings.Contains(s.kept(), ticket.Ticket) || ticket.Ticket == "" {
		t.Errorf("the ticket lies in the database")
	}

	// A user without a password, who signs in through a provider, signs with a PIN.
	s.person("pia", "quality")
	s.confirm("pia", "tom")
	pia := s.token("pia", s.signIn("pia", goodPassword), `["read", "work", "decide"]`)
	s.ask(200, "PUT", "/api/users/"+s.users["pia"]+"/pin", fmt.Sprintf(`{"pin": "271828", "password": %q}`, goodPassword), s.signIn("pia", goodPassword))
	if _, err := s.backDoor(t).ExecContext(t.Context(), `DELETE FROM user_secret WHERE kind = 'password' AND user_id = '`+s.users["pia"]+`'`); err != nil {
		t.Fatal(err)
	}
	wrong := "The login or the password is not valid"
	s.refused(401, wrong, "POST", "/api/signatures", good, pia)
	withPIN := strings.Replace(good, `"password": "`+goodPassword+`"`, `"pin": "271828"`, 1)
	s.ask(201, "POST", "/api/signatures", withPIN, pia)
	// A PIN that an administrator set is known to the administrator.
	s.ask(200, "PUT", "/api/users/"+s.users["pia"]+"/pin", `{"pin": "314159"}`, s.boss())
	withPIN = strings.Replace(withPIN, "271828", "314159", 1)
	s.refused(403, "Change your PIN first", "POST", "/api/signatures", withPIN, pia)
	s.ask(200, "PUT", "/api/users/"+s.users["pia"]+"/pin", `{"pin": "161803", "password": "314159"}`, s.atStation("pia", "314159"))
	withPIN = strings.Replace(withPIN, "314159", "161803", 1)
	s.refused(403, "Your account is not confirmed yet", "POST", "/api/signatures", withPIN, pia)
	s.confirm("pia", "tom")
	s.ask(201, "POST", "/api/signatures", withPIN, pia)

	// Wrong secrets count as wrong sign-ins. After too many of them the right one is refused too.
	bad := strings.Replace(good, goodPassword, "five birds on a wire", 1)
	for range 5 {
		s.refused(401, wrong, "POST", "/api/signatures", bad, anna)
	}
	s.refused(429, "Too many wrong attempts. Try again in 15 minutes", "POST", "/api/signatures", good, anna)
	s.refused(429, "Too many wrong attempts. Try again in 15 minutes", "POST", "/api/sign-in",
		fmt.Sprintf(`{"login": "anna", "password": %q}`, goodPassword))
	if log := s.log.String(); strings.Contains(log, goodPassword) || strings.Contains(log, ticket.Ticket) {
		t.Error("the log has a secret")
	}
}

// kept returns all rows of the table of tickets.
func (s *signingShop) kept() string {
	s.t.Helper()
	rows, err := s.backDoor(s.t).QueryContext(s.t.Context(), `SELECT hash, user_id, login, target, used_for FROM signature_ticket`)
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	var all strings.Builder
	for rows.Next() {
		var columns [5]string
		if err := rows.Scan(&columns[0], &columns[1], &columns[2], &columns[3], &columns[4]); err != nil {
			s.t.Fatal(err)
		}
		fmt.Fprintln(&all, columns)
	}
	if err := rows.Err(); err != nil {
		s.t.Fatal(err)
	}
	return all.String()
}

// TestTicketIsUsedOnce sends one ticket with many requests at once, each of which is valid alone, after a request that is refused.
func TestTicketIsUsedOnce(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignRework, shop.SignedBySelf)
	target := "/api/serials/" + s.unit(s.path) + "/rework"
	ticket := signedWith(s.ticket("anna", shop.SignRework, target, `{"targetStepIndex": 0, "reason": "too small"}`))
	if got := s.try("POST", target, `{"targetStepIndex": 1, "reason": "too small"}`, ticket); got.status != 400 {
		t.Fatalf("a rework to a step ahead: %d %s", got.status, got.body) // and the ticket is still valid
	}
	var wait sync.WaitGroup
	var mu sync.Mutex
	answers := map[string]int{}
	for range 8 {
		wait.Go(func() {
			got, err := s.send(t.Context(), "POST", target, `{"targetStepIndex": 0, "reason": "too small"}`, ticket, s.tokens["anna"])
			mu.Lock()
			defer mu.Unlock()
			status, message := refusalIn(got)
			if err != nil {
				message = err.Error()
			}
			answers[fmt.Sprint(status, " ", message)]++
		})
	}
	wait.Wait()
	if answers["200 "] != 1 || answers["403 "+notValid] != 7 {
		t.Errorf("answers: %v", answers)
	}
	if n := len(s.recorded()); n != 1 {
		t.Errorf("%d signatures", n)
	}
}

// TestSignedBatch signs a batch of several transactions with one ticket, and continues it after an interruption.
func TestSignedBatch(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignScrap, shop.SignedBySecond)
	var detail struct{ JobID string }
	s.reads(s.ask(200, "GET", "/api/paths/"+s.path, "", s.tokens["anna"]), &detail)
	s.must(t, 201, "POST", "/api/serials", fmt.Sprintf(`{"jobId": %q, "pathId": %q, "quantity": 1100}`, detail.JobID, s.path), s.tokens["anna"])
	const target, body = "/api/serials/batch-scrap",
		`{"ranges": [{"first": "SN-00001", "last": "SN-01100"}], "expectedCount": 1100, "onRefusal": "each", "reason": "damaged"}`
	key := [2]string{"Idempotency-Key", "batch"}
	s.refuses("without a ticket", unsigned, "POST", target, body, key)
	tickets := signedWith(s.ticket("anna", shop.SignScrap, target, body), s.ticket("tom", shop.SignScrap, target, body))
	first := s.try("POST", target, body, key, tickets)
	if want := `{"selected":1100,"changed":1100,"refused":[]}`; first.body != want {
		t.Fatalf("the batch: %d %s", first.status, first.body)
	}
	if n := len(s.recorded()); n != 2*1100 {
		t.Errorf("%d signatures", n)
	}
	// The state after a crash that followed the first thousand serials.
	door := s.backDoor(t)
	for _, statement := range []string{
		`UPDATE serial SET status = 'in_progress', scrap_reason = '', scrap_step_id = '', scrapped_at = 0, scrapped_by = '' WHERE number > 1000`,
		`DELETE FROM remembered WHERE once_key = 'batch 3'`,
	} {
		if result, err := door.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		} else if n, _ := result.RowsAffected(); n == 0 {
			t.Fatalf("nothing was changed: %s", statement)
		}
	}
	s.later(shop.TicketLife)
	if again := s.try("POST", target, body, key); again.body != first.body {
		t.Errorf("the batch goes on: %d %s", again.status, again.body)
	}
	if n := len(s.recorded()); n != 2*1200 {
		t.Errorf("%d signatures", n)
	}
	// The same request under another key is another request.
	s.refuses("with used tickets", notValid, "POST", "/api/serials/"+s.unit(s.path)+"/scrap", `{"reason": "damaged"}`, tickets)
	s.checkTrail()
}

// TestSignaturesOfSerial lists the signatures of a serial. A signature that was moved to other entries is found.
func TestSignaturesOfSerial(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	id := s.unit(s.path)
	s.signed(shop.SignScrap, "POST", "/api/serials/"+id+"/scrap", `{"reason": "damaged"}`)
	scrapped := s.trail()[len(s.trail())-3]["id"]
	var listed []shop.Signature
	s.reads(s.ask(200, "GET", "/api/serials/"+id+"/signatures", "", s.tokens["olaf"]), &listed)
	if len(listed) != 2 || listed[0].Login != "anna" || listed[1].PrintedName != "Name of tom" || listed[1].Method != "password" ||
		listed[0].Operation != shop.SignScrap || fmt.Sprintf("%q", listed[1].EntryIDs[0]) != string(scrapped) {
		t.Errorf("listed: %+v", listed)
	}
	findings := func() (found []string) {
		err := s.store.View(t.Context(), func(tx shop.Reader) error {
			_, err := verify.CheckSerials(tx, ledger.Leaf, func(serialID string, fields []string, why error) {
				found = append(found, fmt.Sprint(serialID, " ", fields, " ", why))
			})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if found := findings(); len(found) > 0 {
		t.Errorf("found: %v", found)
	}
	another := s.unit(s.path)
	s.try("POST", "/api/serials/"+another+"/scrap", `{"reason": "damaged"}`)
	s.moveSignature(2)
	if found := findings(); len(found) != 1 || !strings.HasPrefix(found[0], another) || !strings.Contains(found[0], "it is not the signature") {
		t.Errorf("a signature was moved to another record: %v", found)
	}
}

// TestSignedForOthers checks that a caller who acts for another user needs that user's signature.
func TestSignedForOthers(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignBOMEdit, shop.SignedBySelf)
	target, body := signedRoutes["POST /api/bom/{id}/edit"].prepare(s)
	s.person("erp", "integration")
	s.confirm("erp", "tom")
	erp := s.token("erp", s.signIn("erp", goodPassword), `["read", "work", "plan", "act-for"]`)
	body = strings.Replace(body, `{`, `{"userId": "anna", `, 1)
	var own access.Ticket
	s.reads(s.ask(201, "POST", "/api/signatures", fmt.Sprintf(
		`{"meaning": "authorship", "operation": "bomEdit", "target": %q, "bodySha256": %q, "password": %q}`, target,
		canonicalSHA256(t, body), goodPassword), erp), &own)
	s.refused(403, unsigned, "POST", target, body, erp)
	s.refused(403, notValid, "POST", target, body, erp, signedWith(own.Ticket))
	s.ask(200, "POST", target, body, erp, signedWith(s.ticket("anna", shop.SignBOMEdit, target, body)))
	made := s.recorded()
	if len(made) != 1 || made[0].UserID != "anna" || made[0].Actor != "" {
		t.Errorf("signed: %+v", made)
	}
	s.checkTrail()
	// A signature without a serial that was moved after another entry is found.
	s.person("max", "quality")
	s.moveSignature(0)
	if found := s.recordsFound(); len(found) != 1 || !strings.Contains(found[0], "it is not the signature") {
		t.Errorf("a signature was moved to another record: %q", found)
	}
}

// moveSignature writes the first signature again at the end of the trail, for the serial with a number, or for none.
func (s *signingShop) moveSignature(serial int) {
	s.t.Helper()
	door := s.backDoor(s.t)
	copied := fmt.Sprintf(`INSERT INTO audit (action, user_id, at, serial_number, certificate_id, job_id, path_id, step_id, from_step_id,
		to_step_id, batch_quantity, metadata, actor) SELECT action, user_id, at, %d, certificate_id, job_id, path_id, step_id, from_step_id,
		to_step_id, batch_quantity, metadata, actor FROM audit
		WHERE sequence = (SELECT MIN(sequence) FROM audit WHERE action = 'record_signed')`, serial)
	if strings.HasPrefix(fmt.Sprintf("%T", door.Driver()), "*stdlib") {
		copied = `WITH turn AS (SELECT take_turn('{}', '{}')) ` + copied + ` AND (SELECT COUNT(*) FROM turn) = 1`
	}
	if _, err := door.ExecContext(s.t.Context(), copied); err != nil {
		s.t.Fatal(err)
	}
}

// TestDispositionIsNoWayRound checks that the operations of a disposition need the same signatures as on their own.
func TestDispositionIsNoWayRound(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignRework, shop.SignedBySecond)
	target, body := signedRoutes["POST /api/nonconformances/{id}/dispositions"].prepare(s)
	s.refuses("without a ticket", unsigned, "POST", target, body)
	s.refuses("by one", uncosigned, "POST", target, body, signedWith(s.ticket("anna", shop.SignDisposition, target, body)))
	s.signed(shop.SignDisposition, "POST", target, body)
	s.checkTrail()
}

// TestNothingToSign covers changes that need no signature although another change by the same operation does.
func TestNothingToSign(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignPathUpdate, shop.SignedBySecond)
	s.demand(shop.SignScrap, shop.SignedBySecond)
	path, steps := s.route() // without serials
	for _, request := range [][3]string{
		{"PUT", "/api/paths/" + path, `{"name": "another"}`},
		{"PATCH", "/api/paths/" + path + "/advancement-mode", `{"advancementMode": "strict"}`},
		{"PATCH", "/api/steps/" + steps[0] + "/config", `{"optional": true}`},
		{"PUT", "/api/paths/" + s.path, `{"name": "p"}`}, // as it is
		{"POST", "/api/serials/batch-scrap", `{"serialIds": ["` + s.unit(s.path) + `"], "reason": "damaged", "dryRun": true}`},
	} {
		if got := s.try(request[0], request[1], request[2]); got.status != http.StatusOK {
			t.Errorf("%v: %d %s", request, got.status, got.body)
		}
	}
	if n := len(s.recorded()); n != 0 {
		t.Errorf("%d signatures", n)
	}
}

// The ticket of a user who was deactivated, or lost the permission to decide, is not valid.
func TestTicketOfALeaver(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignScrap, shop.SignedBySecond)
	target, body := "/api/serials/"+s.unit(s.path)+"/scrap", `{"reason": "damaged"}`
	tickets := signedWith(s.ticket("anna", shop.SignScrap, target, body), s.ticket("tom", shop.SignScrap, target, body))
	tom := "/api/users/" + s.users["tom"]
	var user struct{ Roles []string }
	s.reads(s.ask(200, "GET", tom, "", s.boss()), &user)
	s.ask(200, "PUT", tom, `{"active": false}`, s.boss())
	s.refuses("tom has left", notValid, "POST", target, body, tickets)
	s.ask(200, "PUT", tom, `{"active": true}`, s.boss())
	s.ask(200, "PUT", tom+"/account", `{"roles": ["operator"]}`, s.boss())
	s.refuses("tom does not decide", notValid, "POST", target, body, tickets)
	s.ask(200, "PUT", tom+"/account", `{"roles": ["`+strings.Join(user.Roles, `", "`)+`"]}`, s.boss())
	if got := s.try("POST", target, body, tickets); got.status >= 300 {
		t.Errorf("as before: %d %s", got.status, got.body)
	}
}

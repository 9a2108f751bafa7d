package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// TestTicketIsForTheBody (docs/signatures.md, "What is signed"): the request may encode the signed body differently, but its content must
// be the same.
func TestTicketIsForTheBody(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignRework, shop.SignedBySelf)
	s.demand(shop.SignForceComplete, shop.SignedBySelf)
	rework := func() string { return "/api/serials/" + s.unit(s.path) + "/rework" }
	const signed = `{"reason": "too small \u00fc", "targetStepIndex": 0, "x": {"b": [1.0, 2e1], "a": null}}`
	for _, c := range []struct {
		what, body string
		good       bool
	}{
		{"as it was signed", signed, true},
		{"members in another order", `{"x": {"a": null, "b": [1, 20]}, "targetStepIndex": 0, "reason": "too small ü"}`, true},
		{"numbers written differently", `{"reason": "too small ü", "targetStepIndex": 0.0e5, "x": {"b": [10e-1, 20.00], "a": null}}`, true},
		{"negative zero", `{"reason": "too small ü", "targetStepIndex": -0, "x": {"b": [1, 20], "a": null}}`, true},
		{"with escapes", `{"re\u0061son": "\u0074oo small \u00FC", "targetStepIndex": 0, "x": {"b": [1, 20], "a": null}}`, true},
		{"another reason", strings.Replace(signed, "small", "large", 1), false},
		{"a text that looks the same", strings.Replace(signed, `\u00fc`, `u\u0308`, 1), false},
		{"a member more", strings.Replace(signed, `{"reason"`, `{"nonconformanceId": "", "reason"`, 1), false},
		{"a member less", strings.Replace(signed, `, "x": {"b": [1.0, 2e1], "a": null}`, ``, 1), false},
		{"a member that no operation has", strings.Replace(signed, `"a": null`, `"a": 0`, 1), false},
		{"null for absent", strings.Replace(signed, `"x"`, `"userId": null, "x"`, 1), false},
		{"a number for a text", strings.Replace(signed, `"too small \u00fc"`, `"0"`, 1), false},
		{"items in another order", strings.Replace(signed, `[1.0, 2e1]`, `[20, 1]`, 1), false},
		{"two members of one name, the last as signed", strings.Replace(signed, `{"reason"`, `{"reason": "fine", "reason"`, 1), false},
		{"two members of one name, the same twice", strings.Replace(signed, `{"reason"`, `{"targetStepIndex": 0, "reason"`, 1), false},
		{"two members of one name, one escaped", strings.Replace(signed, `{"reason"`, `{"re\u0061son": "fine", "reason"`, 1), false},
		{"two members of one name deep inside", strings.Replace(signed, `"a": null`, `"a": null, "a": null`, 1), false},
		{"a number beyond a double", strings.Replace(signed, `2e1`, `2e999`, 1), false},
		{"half of a surrogate pair", strings.Replace(signed, `"a": null`, `"a": "\ud800"`, 1), false},
	} {
		target := rework()
		ticket := signedWith(s.ticket("anna", shop.SignRework, target, signed))
		if !c.good {
			s.refuses(c.what, notValid, "POST", target, c.body, ticket)
			continue
		}
		if got := s.try("POST", target, c.body, ticket); got.status != http.StatusOK {
			t.Errorf("%s: %d %s", c.what, got.status, got.body)
		}
	}

	// A missing body counts as an empty object, and as nothing else.
	for what, body := range map[string]string{"no body": "", "white space": " \n\t", "an empty object": "{ }"} {
		target := "/api/serials/" + s.unit(s.path) + "/force-complete"
		s.refuses(what, notValid, "POST", target, body, signedWith(s.ticket("anna", shop.SignForceComplete, target, `{"reason": ""}`)))
		got := s.try("POST", target, body, signedWith(s.ticket("anna", shop.SignForceComplete, target, `{}`)))
		if got.status != http.StatusOK {
			t.Errorf("%s: %d %s", what, got.status, got.body)
		}
	}
	s.checkTrail()
}

// TestTicketsForOneBody (docs/signatures.md, "What is signed"): both persons sign the same body. A ticket from before bodies were signed is
// not valid for any.
func TestTicketsForOneBody(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignDisposition, shop.SignedBySecond)
	target, body := signedRoutes["POST /api/nonconformances/{id}/dispositions"].prepare(s)
	other := strings.Replace(body, `"reason": "too small"`, `"reason": "never mind"`, 1)
	if other == body {
		t.Fatal("both bodies are the same")
	}
	anna, tom := s.ticket("anna", shop.SignDisposition, target, body), s.ticket("tom", shop.SignDisposition, target, body)
	s.refuses("the second person signed another decision", notValid, "POST", target, body,
		signedWith(anna, s.ticket("tom", shop.SignDisposition, target, other)))
	s.refuses("the first person signed another decision", notValid, "POST", target, body,
		signedWith(s.ticket("anna", shop.SignDisposition, target, other), tom))
	s.refuses("another decision than both signed", notValid, "POST", target, other, signedWith(anna, tom))
	if _, err := s.backDoor(t).ExecContext(t.Context(), `UPDATE signature_ticket SET body_sha256 = '' WHERE login = 'tom'`); err != nil {
		t.Fatal(err)
	}
	s.refuses("a ticket for no body", notValid, "POST", target, body, signedWith(anna, tom))
	s.refuses("a ticket for no body, and a body without a form", notValid, "POST", target,
		strings.Replace(body, `{`, `{"reason": "", `, 1), signedWith(anna, tom))
	tom = s.ticket("tom", shop.SignDisposition, target, body)
	if got := s.try("POST", target, body, signedWith(anna, tom)); got.status != http.StatusOK {
		t.Errorf("what both signed: %d %s", got.status, got.body)
	}
}

// TestFilterIsNotSigned (docs/signatures.md, "What is signed"): a filter cannot be signed, because the serials that it selects may change
// between the signature and the request. A range lists its serials, and their number is signed with it.
func TestFilterIsNotSigned(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	unit := s.unit(s.path)
	const target = "/api/serials/batch-scrap"
	where := fmt.Sprintf(`{"where": {"pathId": %q}, "expectedCount": 1, "reason": "damaged"}`, s.path)
	each := strings.Replace(where, `{`, `{"onRefusal": "each", `, 1)
	s.demand(shop.SignScrap, shop.SignedBySelf)
	const message = "where cannot be signed: list the serials in serialIds or ranges"
	for _, body := range []string{where, each} {
		s.refused(400, message, "POST", target, body, s.tokens["anna"])
		s.refused(400, message, "POST", target, body, s.tokens["anna"], signedWith(s.ticket("anna", shop.SignScrap, target, body)))
	}
	s.demand(shop.SignScrap, shop.SignedByNobody)
	s.refused(400, message, "POST", target, where, s.tokens["anna"], signedWith(s.ticket("anna", shop.SignScrap, target, where)))
	s.demand(shop.SignScrap, shop.SignedBySelf)

	ranges := fmt.Sprintf(`{"ranges": [{"first": %q, "last": "SN-09999"}], "expectedCount": 1, "reason": "damaged"}`, unit)
	ticket := signedWith(s.ticket("anna", shop.SignScrap, target, ranges))
	more := s.unit(s.path)
	s.refused(400, "The selection has 2 serials, expected 1", "POST", target, ranges, s.tokens["anna"], ticket)
	s.refuses("another number", notValid, "POST", target, strings.Replace(ranges, `Count": 1`, `Count": 2`, 1), ticket)
	ranges = strings.Replace(ranges, "SN-09999", more, 1)
	ranges = strings.Replace(ranges, `Count": 1`, `Count": 2`, 1)
	if got := s.try("POST", target, ranges, signedWith(s.ticket("anna", shop.SignScrap, target, ranges))); got.status != http.StatusOK {
		t.Errorf("a range: %d %s", got.status, got.body)
	}
	s.demand(shop.SignScrap, shop.SignedByNobody)
	s.unit(s.path)
	where = strings.Replace(where, `"pathId"`, `"status": "in_progress", "pathId"`, 1)
	if got := s.try("POST", target, where); got.status != http.StatusOK {
		t.Errorf("a filter that nobody has to sign: %d %s", got.status, got.body)
	}
}

// TestBOMUpdateIsAnEdit (docs/api/bills.md): every change of the entries of a bill creates a version and must be signed as an edit.
func TestBOMUpdateIsAnEdit(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignBOMEdit, shop.SignedBySecond)
	bom := "/api/bom/" + s.bom()
	const entries = `"entries": [{"partType": "bolt", "requiredQuantityPerBuild": 2, "contributingJobIds": []}]`
	body, both := `{`+entries+`}`, `{"name": "c", `+entries+`}`
	s.refuses("unsigned", unsigned, "PUT", bom, body)
	s.refuses("unsigned, with a name", unsigned, "PUT", bom, both)
	s.refuses("signed by one", uncosigned, "PUT", bom, body, signedWith(s.ticket("anna", shop.SignBOMEdit, bom, body)))
	edit := `{` + entries + `, "changeDescription": "bolts"}`
	s.refuses("with a ticket for the edit", notValid, "PUT", bom, body, signedWith(s.ticket("anna", shop.SignBOMEdit, bom+"/edit", body)))
	s.refuses("the edit with a ticket for the update", notValid, "POST", bom+"/edit", edit,
		signedWith(s.ticket("anna", shop.SignBOMEdit, bom, edit)))

	type entry struct{ ID, PartType string }
	var made struct {
		Name    string
		Entries []entry
	}
	s.reads(s.signed(shop.SignBOMEdit, "PUT", bom, both), &made)
	if made.Name != "c" || len(made.Entries) != 1 || made.Entries[0].PartType != "bolt" {
		t.Errorf("made: %+v", made)
	}
	var versions []struct {
		VersionNumber                int64
		ChangeDescription, ChangedBy string
		EntriesSnapshot              []entry
	}
	s.reads(s.try("GET", bom+"/versions", ""), &versions)
	if len(versions) != 1 || versions[0].VersionNumber != 1 || versions[0].ChangedBy != "anna" ||
		versions[0].ChangeDescription != "Entries replaced by an update of the bill" || versions[0].EntriesSnapshot[0].PartType != "nut" {
		t.Errorf("versions: %+v", versions)
	}
	var told []string
	contents := regexp.MustCompile(`,"contentsSha256":"[0-9a-f]{64}"`)
	for _, entry := range s.trail() {
		if strings.HasPrefix(string(entry["action"]), `"bom_`) {
			told = append(told, string(entry["action"])+" "+contents.ReplaceAllString(string(entry["metadata"]), ""))
		}
	}
	id := strings.TrimPrefix(bom, "/api/bom/")
	if want := []string{
		`"bom_edited" {"bomId":"` + id + `","changeDescription":"Entries replaced by an update of the bill","versionNumber":1}`,
		`"bom_updated" {"bomId":"` + id + `","before":{"name":"b"},"after":{"name":"c"}}`,
	}; !slices.Equal(told[1:], want) {
		t.Errorf("told: %q", told[1:])
	}

	// A new name, or the same entries again, change no entry: such an update needs no signature, and creates no version.
	before := made
	if got := s.try("PUT", bom, `{"name": "d"}`); got.status != http.StatusOK {
		t.Errorf("a name: %d %s", got.status, got.body)
	}
	s.reads(s.try("PUT", bom, body), &made)
	if before.Name = "d"; !reflect.DeepEqual(made, before) {
		t.Errorf("as it is: %+v, was %+v", made, before)
	}
	if s.reads(s.try("GET", bom+"/versions", ""), &versions); len(versions) != 1 {
		t.Errorf("versions: %+v", versions)
	}
	s.checkTrail()
}

// TestContentsAreSigned (docs/signatures.md, "What is signed"): the signatures of a page are valid only for the content that the page
// showed, even if its form leads to several operations.
func TestContentsAreSigned(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignScrap, shop.SignedBySelf)
	one, other := s.unit(s.path), s.unit(s.path)
	clock := func() time.Time { return time.UnixMilli(s.clock.Load()) }
	service := shop.New(s.store, clock, ident.NewIdentifiers(clock), access.Signatures())
	const page = "/jobs/job_1"
	caller := shop.WithCaller(t.Context(), shop.Caller{Login: "anna", Permissions: shop.Permissions(), Means: "session"})
	in := func(reason string, units ...string) shop.BatchScrapInput {
		return shop.BatchScrapInput{
			BatchInput:       shop.BatchInput{Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(units...)}},
			ScrapSerialInput: shop.ScrapSerialInput{Reason: input.Given(reason)},
		}
	}
	var contents []shop.SignedContent
	for _, unit := range []string{one, other} {
		_, err := service.BatchScrap(shop.ToSign(caller), in("damaged", unit))
		wanting, ok := errors.AsType[*shop.SignatureError](err)
		if !ok || wanting.Operation != shop.SignScrap || wanting.Demand != shop.SignedBySelf {
			t.Fatalf("asked what is to be signed: %v", err)
		}
		contents = append(contents, wanting.Contents...)
	}
	ticket := func() access.Ticket {
		return access.Ticket{Ticket: s.ticketFor("anna", shop.SignScrap, page, access.ContentsSHA256(contents))}
	}
	for what, try := range map[string]struct {
		shown []shop.SignedContent
		in    shop.BatchScrapInput
	}{
		"another reason":             {contents, in("process_defect", one)},
		"both units at once":         {contents, in("damaged", one, other)},
		"what was shown, said twice": {slices.Concat(contents, contents), in("damaged", one)},
		"the first half of it":       {contents[:1], in("damaged", one)},
		"nothing":                    {[]shop.SignedContent{}, in("damaged", one)},
	} {
		_, err := service.BatchScrap(s.door.SignedBy(caller, page, try.shown, shop.ShownMeanings{}, ticket()), try.in)
		if refusal, ok := errors.AsType[*refusal.Error](err); !ok || refusal.Reason != shop.TicketNotValid {
			t.Errorf("%s: %v", what, err)
		}
	}
	signed := s.door.SignedBy(caller, page, contents, shop.ShownMeanings{}, ticket())
	for _, unit := range []string{one, other} {
		if _, err := service.BatchScrap(signed, in("damaged", unit)); err != nil {
			t.Errorf("%s: %v", unit, err)
		}
	}
	s.checkTrail()
}

// TestUnsignedIsFound (docs/signatures.md, "Checking a signature"): if the policy is removed from the database for a while, no signature is
// demanded, and the check finds the unsigned change.
func TestUnsignedIsFound(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignScrap, shop.SignedBySecond)
	s.signed(shop.SignScrap, "POST", "/api/serials/"+s.unit(s.path)+"/scrap", `{"reason": "damaged"}`)
	unit, door := s.unit(s.path), s.backDoor(t)
	for _, statement := range []string{
		`UPDATE signature_policy SET demand = 'none' WHERE operation = 'scrap'`,
		`UPDATE signature_policy SET demand = 'second' WHERE operation = 'scrap'`,
	} {
		if _, err := door.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
		s.try("POST", "/api/serials/"+unit+"/scrap", `{"reason": "damaged"}`) // refused the second time
	}
	if found, want := s.recordsFound(), "unsigned "+s.newest()+" [] serial_scrapped by anna: it had to be signed by two people, and is not"; !slices.Equal(found, []string{want}) {
		t.Errorf("found %q, want %q", found, want)
	}
}

// TestBodyOfInputs: an input can be encoded as the body that it was decoded from, so that a page signs the same body as a program.
func TestBodyOfInputs(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{}`,
		`{"serialIds":["SN-00001","SN-00002"],"onRefusal":"each","dryRun":false,"reason":"damaged","expectedStepIndex":2}`,
		`{"ranges":[{"first":"SN-00001","last":"SN-00009"}],"expectedCount":9,"explanation":"a <b> & \u2028 \"c\"","reason":"other"}`,
		`{"where":{"pathId":"path_1","status":"in_progress"},"expectedCount":null}`,
		`{"serialIds":[],"ranges":[null,{}],"where":{}}`,
	} {
		bodyIsRead[shop.BatchScrapInput](t, body)
	}
	bodyIsRead[shop.EditBOMInput](t, `{"changeDescription":"ü","entries":[{"partType":"nut","requiredQuantityPerBuild":0.1,`+
		`"contributingJobIds":["job_1"]},{"requiredQuantityPerBuild":1e-7},null],"userId":"anna"}`)
	bodyIsRead[shop.UpdatePathInput](t, `{"steps":[{"name":"A","optional":true,"dependencyType":"physical"}],"goalQuantity":9007199254740991}`)
	bodyIsRead[shop.ReplaceStepsInput](t, `{"steps":[{"id":"step_1"},{"name":"A","location":null,"optional":true},null],"dueDate":null}`)
	for _, body := range []string{`{"reason":1}`, `{"serialIds":"SN-00001"}`, `{"serialIds":[1]}`, `{"where":{"pathId":true}}`} {
		if made, err := shop.BodyOf(newDecoder[shop.BatchScrapInput]().decode([]byte(body))); err == nil {
			t.Errorf("%s was written as %s", body, made)
		}
	}
}

func bodyIsRead[In any](t *testing.T, body string) {
	t.Helper()
	made, err := shop.BodyOf(newDecoder[In]().decode([]byte(body)))
	if err != nil {
		t.Errorf("%s: %v", body, err)
		return
	}
	want, err := ledger.Canonical([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ledger.Canonical(made); err != nil || string(got) != string(want) {
		t.Errorf("%s is written as %s, %v", want, got, err)
	}
	if access.BodySHA256(made) != canonicalSHA256(t, body) {
		t.Errorf("%s has another hash", body)
	}
}

// A rework gives its target by an index. If the route changes after the signature, the index may refer to another step, for which the
// signature is not valid.
func TestSignatureOfAReworkIsForItsStep(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignRework, shop.SignedBySelf)
	s.demand(shop.SignDisposition, shop.SignedBySelf)
	for _, of := range []struct {
		operation shop.SignedOperation
		request   func(unit string) (target, body string)
	}{
		{shop.SignRework, func(unit string) (string, string) {
			return "/api/serials/" + unit + "/rework", `{"targetStepIndex": 0, "reason": "too small"}`
		}},
		{shop.SignDisposition, func(unit string) (string, string) {
			var report struct{ ID string }
			s.reads(s.try("POST", "/api/nonconformances", fmt.Sprintf(
				`{"serialIds": [%q], "title": "crack", "severity": "minor", "hold": true}`, unit)), &report)
			return "/api/nonconformances/" + report.ID + "/dispositions", fmt.Sprintf(
				`{"serialIds": [%q], "disposition": "rework", "targetStepIndex": 0, "reason": "too small"}`, unit)
		}},
	} {
		path, steps := s.route()
		unit := s.unit(path)
		s.try("POST", "/api/serials/"+unit+"/advance", `{}`)
		target, body := of.request(unit)
		ticket := signedWith(s.ticket("anna", of.operation, target, body))
		s.later(time.Second)
		s.signed(shop.SignPathUpdate, "PUT", "/api/paths/"+path+"/steps",
			`{"steps": [{"name": "Plate"}, {"id": "`+strings.Join(steps, `"}, {"id": "`)+`"}]}`)
		s.refuses("the route was changed", notValid, "POST", target, body, ticket)
		s.later(time.Second)
		if got := s.try("POST", target, body, signedWith(s.ticket("anna", of.operation, target, body))); got.status >= 300 {
			t.Errorf("signed again: %d %s", got.status, got.body)
		}
	}
	s.checkTrail()
}

// A release of all holds covers the holds that existed when it was signed: a hold that was placed later stays.
func TestSignatureOfAReleaseIsForEarlierHolds(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignRelease, shop.SignedBySelf)
	path, _ := s.route()
	unit := s.unit(path)
	hold := func(reason string) {
		s.t.Helper()
		if got := s.try("POST", "/api/serials/"+unit+"/hold", `{"reason": "`+reason+`"}`); got.status >= 300 {
			t.Fatalf("%d %s", got.status, got.body)
		}
		s.later(time.Second)
	}
	hold("a scratch")
	const target = "/api/serials/batch-release"
	body := `{"serialIds": ["` + unit + `"], "reason": "polished"}`
	ticket := signedWith(s.ticket("anna", shop.SignRelease, target, body))
	s.later(time.Second)
	hold("wrong alloy")
	s.refuses("a hold was placed after the signature", notValid, "POST", target, body, ticket)
	if got := s.try("POST", target, body, signedWith(s.ticket("anna", shop.SignRelease, target, body))); got.status >= 300 {
		t.Errorf("signed again: %d %s", got.status, got.body)
	}
	s.checkTrail()
}

// A force-completion skips the open steps that existed when it was signed: after a change of the route it must be signed again.
func TestSignatureOfAForceCompletionIsForItsRoute(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignForceComplete, shop.SignedBySelf)
	path, steps := s.route()
	unit := s.unit(path)
	target, body := "/api/serials/"+unit+"/force-complete", `{"reason": "prototype"}`
	ticket := signedWith(s.ticket("anna", shop.SignForceComplete, target, body))
	s.later(time.Second)
	s.signed(shop.SignPathUpdate, "PUT", "/api/paths/"+path+"/steps",
		`{"steps": [{"id": "`+strings.Join(steps, `"}, {"id": "`)+`"}, {"name": "Crack test"}]}`)
	s.refuses("the route was changed", notValid, "POST", target, body, ticket)
	s.later(time.Second)
	if got := s.try("POST", target, body, signedWith(s.ticket("anna", shop.SignForceComplete, target, body))); got.status >= 300 {
		t.Errorf("signed again: %d %s", got.status, got.body)
	}
	s.checkTrail()
}

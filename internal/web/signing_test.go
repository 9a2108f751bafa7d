package web_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/internal/station"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// openSigningShop returns a shop in which Anna and Tom can decide and plan. The pairs state which decisions need signatures.
func openSigningShop(t *testing.T, demands ...string) (s *visitedShop, anna *visitor) {
	t.Helper()
	s = openGuardedShop(t, access.All)
	s.person("anna", "lead")
	s.person("tom", "lead")
	s.confirm("tom", "anna")
	s.confirm("anna", "tom")
	boss := s.signedIn("boss")
	boss.visit("/settings/signatures").press("Save", demands...)
	boss.says("Saved.")
	return s, s.signedIn("anna")
}

// signatures lists a unit's signatures, each as its meaning and the name of the signer.
func (s *visitedShop) signatures(id string) (signed []string) {
	s.t.Helper()
	all, err := s.views.Signatures(s.t.Context(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, signature := range all {
		signed = append(signed, string(signature.Operation)+" "+string(signature.Meaning)+" "+signature.Login)
	}
	return signed
}

func TestScrapIsSigned(t *testing.T) {
	t.Parallel()
	s, anna := openSigningShop(t, "scrap", "self")
	_, unit := s.units(2, "Turn", "Pack")
	anna.visit("/serials/"+unit).press("Scrap "+unit, "do", "scrap", "reason", "damaged")
	anna.says("Signature of Name of anna")
	ask := anna.page

	// If a signature is missing, the page asks again, and does not show the typed secret.
	anna.press("sure", "sure", "yes", "sign-meaning", "review", "sign-secret", "five birds")
	anna.says("The login or the password is not valid")
	if anna.page.status != http.StatusUnauthorized || strings.Contains(anna.page.html, "five birds") {
		t.Errorf("status %d:\n%s", anna.page.status, anna.page.html)
	}
	s.stands(unit, 0, card.InProgress)
	anna.page = ask
	anna.press("sure", "sure", "yes", "sign-meaning", "review", "sign-secret", "")
	anna.says("Type the password or the PIN.")
	s.stands(unit, 0, card.InProgress)
	anna.page = ask
	form := anna.page.form(t, "sure")
	form.values.Del("sign") // this counts as a separate form
	anna.post(form.with("sure", "yes"))
	anna.says("Sign the scrapping")
	s.stands(unit, 0, card.InProgress)

	anna.press("sign-secret", "sure", "yes", "sign-meaning", "review", "sign-secret", browsertest.GoodPassword)
	anna.says(unit + " scrapped.")
	s.stands(unit, 0, card.Scrapped)
	anna.visit("/serials/" + unit)
	anna.says("Scrap: Review Name of anna (anna), with a password")
	anna.visit("/serials/" + unit + "/print")
	anna.says("Scrap Review Name of anna (anna), with a password")
	anna.visit("/audit")
	anna.says("Operation: Scrap Meaning: Review Signed by: Name of anna (anna) Proved with: Password")

	// A double press creates one signature.
	another := s.service.SerialPrefix().SerialID(2)
	anna.visit("/serials/"+another).press("Scrap "+another, "do", "scrap", "reason", "damaged")
	twice := anna.page.form(t, "sure").with("sure", "yes", "sign-meaning", "review", "sign-secret", browsertest.GoodPassword)
	anna.post(twice)
	anna.says(another + " scrapped.")
	anna.post(twice)
	anna.says(another + " scrapped.")
	if signed := s.signatures(another); len(signed) != 1 || signed[0] != "scrap review anna" {
		t.Errorf("signatures: %v", signed)
	}
}

// The audit entry of a signature has the meaning as a code, and the language and words in which the page showed the meaning. The list of
// signatures has only the code. Both signatures are valid.
func TestSignatureHasTheWordsOfItsPage(t *testing.T) {
	t.Parallel()
	s, anna := openSigningShop(t, "scrap", "self")
	_, first := s.units(2, "Turn", "Pack")
	for unit, language := range map[string]string{first: "de", s.service.SerialPrefix().SerialID(2): "en"} {
		anna.visit("/jobs").press(`name="language"`, "language", language)
		anna.visit("/serials/"+unit).press(`value="scrap"`, "do", "scrap", "reason", "damaged")
		anna.press("sign-secret", "sure", "yes", "sign-meaning", "review", "sign-secret", browsertest.GoodPassword)
		s.stands(unit, 0, card.Scrapped)
		want := map[string]string{
			"de": `"language":"de","meaningShown":"Prüfung"`, "en": `"language":"en","meaningShown":"Review"`,
		}[language]
		found := false
		for entry, err := range s.service.AuditOfSerial(t.Context(), unit) {
			if s.must(err); entry.Action == shop.ActionRecordSigned {
				found = strings.Contains(string(entry.Metadata), `"meaning":"review"`) && strings.Contains(string(entry.Metadata), want)
				if !found {
					t.Errorf("the signature of %s is %s, want it to have %s", unit, entry.Metadata, want)
				}
			}
		}
		if !found {
			t.Errorf("%s has no signature in %s", unit, language)
		}
		all, err := s.views.Signatures(t.Context(), unit)
		s.must(err)
		if listed, err := json.Marshal(all); err != nil || strings.Contains(string(listed), "anguage") || strings.Contains(string(listed), "Shown") {
			t.Errorf("the list has %s, %v", listed, err)
		}
	}
}

func TestTwoSignAForm(t *testing.T) {
	t.Parallel()
	s, anna := openSigningShop(t, "rework", "second", "undo", "second", "scrap", "second", "bomEdit", "self")
	s.person("olaf", "operator")
	job, unit := s.units(3, "Turn", "Pack")
	rework := func(signed ...string) {
		t.Helper()
		anna.visit("/serials/"+unit).press(`value="rework"`, "do", "rework", "target", "0", "reason", "too small")
		anna.says("Sign the rework")
		anna.says("Unit SN-00001 Reason too small Target step index 0 (Turn)")
		anna.press("cosign-login", append([]string{
			"sure", "yes", "sign-meaning", "approval", "sign-secret", browsertest.GoodPassword, "cosign-meaning", "review"}, signed...)...)
	}
	rework("cosign-login", "anna", "cosign-secret", browsertest.GoodPassword)
	anna.says("two different people with this permission must sign")
	rework("cosign-login", "olaf", "cosign-secret", browsertest.GoodPassword)
	anna.says("This needs the permission decide")
	rework("cosign-login", "nobody", "cosign-secret", browsertest.GoodPassword)
	anna.says("The login or the password is not valid")
	rework("cosign-secret", browsertest.GoodPassword)
	anna.says("Say who the second person is.")
	if signed := s.signatures(unit); len(signed) > 0 {
		t.Errorf("signatures: %v", signed)
	}
	rework("cosign-login", "Tom ", "cosign-secret", browsertest.GoodPassword)
	anna.says(unit + " was sent back.")
	if signed := strings.Join(s.signatures(unit), ", "); signed != "rework approval anna, rework review tom" {
		t.Errorf("signatures: %s", signed)
	}

	// The page of a station has no room for two signatures.
	anna.visit("/scan").press("data-scan", "code", unit)
	anna.press("data-scan", "code", station.CodeDone)
	anna.press("data-scan", "code", station.CodeUndo)
	anna.says("do it on the card of the unit")

	// A change of many units is one request, and afterwards every unit has both signatures.
	anna.visit("/jobs/"+job).press("data-all", "do", "ask-scrap", "serial", "SN-00002", "at:SN-00002", "0", "serial", "SN-00003", "at:SN-00003", "0")
	anna.press("scrap", "do", "scrap", "reason", "damaged")
	anna.says("Sign the scrapping")
	anna.says("SN-00002")
	anna.press("cosign-login", "sure", "yes", "sign-meaning", "approval", "sign-secret", browsertest.GoodPassword, "cosign-meaning", "review",
		"cosign-login", "tom", "cosign-secret", browsertest.GoodPassword)
	for _, id := range []string{"SN-00002", "SN-00003"} {
		if signed := strings.Join(s.signatures(id), ", "); signed != "scrap approval anna, scrap review tom" {
			t.Errorf("signatures of %s: %s\n%s", id, signed, anna.text())
		}
	}
}

// Before a secret is typed, the page shows word for word what is signed. Nothing else is carried out.
func TestWhatIsSignedIsShown(t *testing.T) {
	t.Parallel()
	s, anna := openSigningShop(t, "forceComplete", "self", "override", "self", "scrap", "self", "bomEdit", "self")
	job, unit := s.units(6, "Turn", "Pack")

	// If the form changes between the page and the signature, the page is shown again with the current form.
	anna.visit("/serials/"+unit).press("Scrap "+unit, "do", "scrap", "reason", "damaged", "explanation", "fell <off> the bench")
	anna.says("What is signed Operation Scrap Unit SN-00001 Expected step index 0 (Turn) Explanation fell <off> the bench Reason Damaged")
	form := anna.page.form(t, "sure").with("sure", "yes", "sign-meaning", "approval", "sign-secret", browsertest.GoodPassword)
	form.values.Set("reason", "other")
	anna.post(form)
	if anna.says("What would be signed is not what you saw."); anna.page.status != http.StatusPreconditionFailed {
		t.Errorf("status %d", anna.page.status)
	}
	anna.says("Explanation fell <off> the bench Reason Other")
	s.stands(unit, 0, card.InProgress)
	// The page is also shown again if the form's hash is missing or wrong.
	for _, shown := range []string{"", "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"} {
		form = anna.page.form(t, "sure").with("sure", "yes", "sign-meaning", "approval", "sign-secret", browsertest.GoodPassword)
		form.values.Set("sign-shown", shown)
		anna.post(form)
		anna.says("What would be signed is not what you saw.")
		s.stands(unit, 0, card.InProgress)
	}
	anna.press("sign-secret", "sure", "yes", "sign-meaning", "approval", "sign-secret", browsertest.GoodPassword)
	anna.says(unit + " scrapped.")
	s.stands(unit, 0, card.Scrapped)

	// A step is shown with its name.
	second := s.service.SerialPrefix().SerialID(2)
	anna.visit("/serials/"+second).press(`value="override"`, "do", "override", "reason", "the customer does it")
	anna.says("Operation Make a step optional for a unit, or undo that Unit SN-00002 Reason the customer does it Serial ids 1 unit SN-00002 Step id ")
	anna.says(" (Turn)")
	anna.press("sign-secret", "sure", "yes", "sign-meaning", "approval", "sign-secret", browsertest.GoodPassword)
	anna.says("The step counts as optional for " + second + ".")

	// "All units at a step" lists the units one by one. The signature covers only the units shown: a unit that arrives later is not
	// included.
	anna.visit("/jobs/"+job).press("data-all", "all", "0/5").press("ask-force-complete", "do", "ask-force-complete")
	anna.press("Complete these 5 units", "do", "force-complete", "explanation", "needed today")
	anna.says("Expected step index 0 On refusal each Reason needed today Serial ids 5 units SN-00002 to SN-00006")
	ask := anna.page.form(t, "sure").with("sure", "yes", "sign-meaning", "approval", "sign-secret", browsertest.GoodPassword)
	if ask.values.Get("seen") != "SN-00002 to SN-00006" {
		t.Errorf("the form names %q", ask.values["seen"])
	}
	if _, err := s.service.AdvanceSerial(t.Context(), "SN-00004", shop.AdvanceSerialInput{UserID: input.Given("anna")}); err != nil {
		t.Fatal(err)
	}
	anna.post(ask)
	anna.says("4 of 5 units completed with open steps. Not SN-00004: is at Pack by now.")
	for _, id := range []string{"SN-00002", "SN-00006"} {
		if signed := s.signatures(id); len(signed) == 0 || signed[len(signed)-1] != "forceComplete approval anna" {
			t.Errorf("signatures of %s: %v", id, signed)
		}
	}
	if signed := s.signatures("SN-00004"); len(signed) != 0 {
		t.Errorf("signatures of a unit that moved on: %v", signed)
	}
}

// A report shows who has signed decisions about its units. It shows no other signatures.
func TestReportShowsSignatures(t *testing.T) {
	t.Parallel()
	s, anna := openSigningShop(t, "disposition", "self")
	s.units(3, "Turn", "Pack")
	first, other := s.report("SN-00001"), s.report("SN-00002")
	for _, pair := range [][2]string{{first, "SN-00001"}, {other, "SN-00002"}} {
		anna.visit("/nonconformances/" + pair[0])
		if strings.Contains(anna.text(), "with a password") {
			t.Errorf("%s is signed already", pair[0])
		}
		anna.press(">Decide<", "do", "dispose", "serial", pair[1], "disposition", "return_to_supplier", "reason", "too small")
		anna.press("sign-secret", "sign-meaning", "approval", "sign-secret", browsertest.GoodPassword)
		anna.says("1 unit: return to supplier.")
	}
	for _, page := range []string{"/nonconformances/" + first, "/nonconformances/" + first + "/print"} {
		anna.visit(page)
		if anna.says("Approval Name of anna (anna), with a password"); strings.Count(anna.text(), "with a password") != 1 {
			t.Errorf("%s shows signatures of other decisions:\n%s", page, anna.text())
		}
	}
}

func TestSettingsOfSignatures(t *testing.T) {
	t.Parallel()
	s, anna := openSigningShop(t, "scrap", "self")
	if anna.visit("/settings/signatures"); anna.page.status != http.StatusForbidden {
		t.Errorf("a lead sees the settings: %d", anna.page.status)
	}
	boss := s.signedIn("boss")
	boss.visit("/settings/signatures").press("Save", "scrap", "both")
	if boss.page.status != http.StatusBadRequest {
		t.Errorf("a demand that is none: %d\n%s", boss.page.status, boss.text())
	}
	open := openShop(t)
	if v := open.visitor().visit("/settings/signatures"); v.page.status != http.StatusNotFound {
		t.Errorf("where nobody signs in: %d", v.page.status)
	}
}

// A form identifies the rework step by its index. If another step has that index now, nothing is signed.
func TestSignedStepIsTheOneShown(t *testing.T) {
	t.Parallel()
	s, anna := openSigningShop(t, "rework", "self")
	jobID, unit := s.units(1, "Turn", "Drill", "Pack")
	_, err := s.service.AdvanceToStep(t.Context(), unit, shop.AdvanceToStepInput{TargetStepIndex: input.Given(2.0), UserID: input.Given("anna")})
	s.must(err)
	anna.visit("/serials/"+unit).press(`value="rework"`, "do", "rework", "target", "0", "reason", "too small")
	anna.says("Target step index 0 (Turn)")
	form := anna.page.form(t, "sure").with("sure", "yes", "sign-meaning", "approval", "sign-secret", browsertest.GoodPassword)

	job, err := s.service.Job(t.Context(), jobID)
	s.must(err)
	steps := []input.Input[shop.RouteStepInput]{}
	for _, i := range []int{1, 0, 2} {
		steps = append(steps, input.Given(shop.RouteStepInput{ID: input.Given(job.Paths[0].Steps[i].ID)}))
	}
	_, err = s.service.ReplaceSteps(t.Context(), job.Paths[0].ID, shop.ReplaceStepsInput{Steps: input.Given(steps)})
	s.must(err)
	anna.post(form)
	anna.says("The steps of the route have changed. Nothing was done. Choose the step again.")
	s.stands(unit, 2, card.InProgress)
	if signed := s.signatures(unit); len(signed) > 0 {
		t.Errorf("signatures: %v", signed)
	}
}

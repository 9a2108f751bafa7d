package wording

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/genealogy"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/refusal"
)

// TestAdvice checks the text of refusals, and the form field that each concerns.
func TestAdvice(t *testing.T) {
	t.Parallel()
	for refusal, want := range map[*refusal.Error]Advice{
		refusal.RefuseField(refusal.Required, "userId"):                               {"userId", 0, "Choose who is working."},
		refusal.RefuseField(refusal.Required, "changedBy"):                            {"userId", 0, "Choose who is working."},
		refusal.RefuseField(refusal.ListEmpty, "entries"):                             {"partType", 0, "Fill in at least one part type."},
		refusal.RefuseField(refusal.NoScrapReason, "reason"):                          {"reason", 0, "Choose why it is scrapped."},
		refusal.RefuseField(refusal.Required, "reason"):                               {"reason", 0, "Say why."},
		refusal.RefuseField(refusal.NotAmong, "severity", "minor, major"):             {"severity", 0, "Choose the severity."},
		refusal.RefuseField(refusal.NotNumber, "entries[0].requiredQuantityPerBuild"): {"quantity", 0, "Line 1: Quantity per assembly must be a number."},
		refusal.RefuseField(refusal.Required, "entries[4].partType"):                  {"partType", 4, "Line 5: please fill in Part type."},
		refusal.RefuseField(refusal.WithControl, "steps[2].name"):                     {"step", 2, "Step 3: Name contains a tab or another invisible character. Type it instead of pasting."},
		refusal.RefuseField(refusal.TooLong, "entries[1].contributingJobIds[7]"):      {"jobs", 1, "Line 2: Made by jobs is too long."},
		refusal.RefuseField(refusal.Required, "steps[2].name"):                        {"step", 2, "Step 3: please fill in Name."},
		refusal.RefuseField(refusal.TooLong, "steps[0].location"):                     {"location", 0, "Step 1: Location is too long."},
		refusal.RefuseField(refusal.Required, "steps"):                                {"step", 0, "A route needs at least one step."},
		refusal.RefuseField(refusal.NotAboveZero, "goalQuantity"):                     {"goalQuantity", 0, "Goal quantity must be more than 0."},
		refusal.RefuseField(refusal.NumberTooLarge, "quantity", 100000):               {"quantity", 0, "Number of units must be at most 100\u202f000."},
		refusal.RefuseField(refusal.NotInteger, "quantity"):                           {"quantity", 0, "Number of units must be a whole number."},
		refusal.RefuseField(refusal.Required, "name"):                                 {"name", 0, "Please fill in Name."},
		shop.NameSerialNumber.NotFound("SN-00007"):                                    {"", 0, "There is no unit SN-00007."},
		shop.NameToken.NotFound("token_1"):                                            {"", 0, "It is already removed."},
		refusal.Refuse(card.CompleteUndeferred, card.StepWaived):                      {"", 0, "The step is no longer deferred: it is waived."},
		refusal.Refuse(UnitsBackwards, "SN-2 to SN-1"):                                {"units", 0, "“SN-2 to SN-1” ends before it begins: the lower number comes first."},
		refusal.Refuse(refusal.RecordChanged, "Job", "job_1"):                         {"", 0, "Somebody changed the job in the meantime. Nothing was saved. Reload the page."},
		refusal.Refuse(refusal.RecordChanged, "TemplateRoute", "template_1"):          {"", 0, "Somebody changed the template in the meantime. Nothing was saved. Reload the page."},
		refusal.Refuse(refusal.BatchCutOff, 1000, 2500).OfKey():                       {"", 0, "This was interrupted: 1\u202f000 of 2\u202f500 units were processed. Send the same once more: what was done already is not done twice."},
		refusal.Refuse(refusal.KeyIsRunning):                                          {"", 0, "This was sent before and is still in progress. Wait a moment, then check the result."},
		refusal.Refuse(httpstatus.Internal):                                           {"", 0, "Something went wrong here. The error is logged: contact your administrator."},
		// For operations on many units, the text says which unit was refused.
		refusal.RefuseField(card.TargetAhead, "targetStepIndex").OfSerial("SN-00742"):  {"target", 0, "SN-00742: The unit has not reached that step yet."},
		refusal.Refuse(card.ReworkScrapped).OfSerial("SN-1000000"):                     {"", 0, "SN-1000000: The unit is scrapped."},
		refusal.Refuse(card.SerialHeld, "see (SN-00007)"):                              {"", 0, "The unit is on hold: see (SN-00007)"},
		refusal.Refuse(refusal.StandsElsewhere, "SN-00007", 3, 2).OfSerial("SN-00007"): {"", 0, "SN-00007: SN-00007 has moved since. Nothing was changed. Reload the page."},
		refusal.Refuse(refusal.SelectionUnclear):                                       {"units", 0, "Name at least one unit."},
		refusal.Refuse(refusal.SelectionTooLarge, 100000):                              {"units", 0, "At most 100\u202f000 units at once."},
		refusal.Refuse(shop.SerialNotHeld).OfSerial("SN-00007"):                        {"", 0, "Serial is not on hold (SN-00007)"},
		// If a reason has no entry, its own sentence is shown.
		refusal.Refuse(shop.UserInactive):                     {"", 0, "User not found or inactive"},
		shop.NameHold.NotFound("hold_1"):                      {"", 0, "Hold not found: hold_1"},
		refusal.RefuseField(refusal.Required, "nonsense"):     {"", 0, "nonsense is required"},
		refusal.RefuseField(refusal.Required, "steps[1]"):     {"", 0, "steps[1] is required"},
		refusal.RefuseField(refusal.NotAmong, "name", "a, b"): {"", 0, "name must be one of: a, b"},
	} {
		if got := AdviseOn(nil, "", refusal); got != want {
			t.Errorf("%s:\n got %+v\nwant %+v", refusal, got, want)
		}
	}
}

// asTold lists the reasons that pages show in the words of the API, because no form of a page can cause them or because they need no better
// text. Every other reason needs words of the shop.
var asTold = map[*refusal.Reason]bool{
	refusal.ListEmpty: true, refusal.ListTooLong: true, refusal.NameEmpty: true, refusal.TooDeep: true, refusal.NotText: true, refusal.NotFlag: true,
	refusal.NotList: true, refusal.NumbersBeyond: true, refusal.NotAmong: true, refusal.NotUTF8: true, refusal.WithNUL: true,
	shop.NotFileName: true, refusal.NotSerialID: true, refusal.NotEntryID: true, refusal.NotRecordID: true, refusal.ActionUnknown: true, refusal.NotSHA256: true, refusal.NothingToUpdate: true, refusal.TextUnstorable: true, refusal.MatchOfMany: true, refusal.NotCursor: true, shop.CertificateFixed: true,
	importing.CutOff: true, importing.PathUnclear: true, importing.TemplateName: true, shop.ClosedByFile: true, // shown next to rows of a file
	shop.NotOnReport: true, shop.DecideScrapped: true, shop.SerialNotHeld: true, shop.PathOfOtherJob: true, shop.StepReferred: true,
	shop.StepTwice: true, shop.StepTakesOver: true,
	shop.UserInactive: true, shop.ProcessNameTaken: true, shop.LocationNameTaken: true, refusal.NotPermitted: true,
	refusal.ActsForOther: true, shop.SignaturesAreOff: true, refusal.RefusedBefore: true, refusal.ServiceBusy: true, refusal.WrongClock: true,
	refusal.ProgramTooOld: true, refusal.DatabaseUnreachable: true, refusal.DatabaseBusy: true, refusal.DatabaseLocked: true, refusal.DatabaseSlow: true,
	refusal.NotWritten: true, shop.MeasuredTwice: true, // pages state which value is meant
	refusal.SelectionOrRecall: true, shop.LotsUnused: true, genealogy.CauseUnclear: true, genealogy.TimesUnused: true, genealogy.EndsEarly: true,
	refusal.DatabaseFull: true, refusal.DatabaseUnwritable: true, refusal.DatabaseReplaced: true,
}

// filesOfTheBusiness returns the files of package shop and of the packages in its folder.
func filesOfTheBusiness(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../../shop/*.go")
	within, errWithin := filepath.Glob("../../../shop/*/*.go")
	if err = errors.Join(err, errWithin); err != nil || len(files) == 0 || len(within) == 0 {
		t.Fatal(err, len(files), len(within))
	}
	return slices.Concat(files, within)
}

// TestEveryReasonHasWords finds reasons of the shop that have no words in this package and are not listed in asTold.
func TestEveryReasonHasWords(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	for _, file := range filesOfTheBusiness(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		table.Write(text)
	}
	seen := 0
	for _, reason := range refusal.Reasons() {
		if reason.Kind() == 0 || !strings.Contains(table.String(), reason.Code()+`", "`+reason.Sentence()+`"`) {
			continue // a reason of another package
		}
		seen++
		_, known := Sentences[reason]
		_, rule := rules[reason]
		switch words := known || rule || reason == refusal.NoRecord; {
		case !words && !asTold[reason]:
			t.Errorf("pages have no words for %s: %s", reason.Code(), reason.Sentence())
		case words && asTold[reason]:
			t.Errorf("%s has words, and is said to need none", reason.Code())
		}
	}
	if seen < 80 {
		t.Errorf("only %d reasons were found", seen)
	}
}

// TestSentencesAreFilled finds names in sentences for which the reason has no argument.
func TestSentencesAreFilled(t *testing.T) {
	t.Parallel()
	place := regexp.MustCompile(`\{(\w+)(?::(\w+))?\}`)
	for reason, said := range Sentences {
		for _, found := range place.FindAllStringSubmatch(string(said.Text), -1) {
			if !slices.Contains(reason.Arguments(), found[1]) {
				t.Errorf("%q has no argument %s", reason.Sentence(), found[1])
			}
			if !slices.Contains([]string{"", "number", "units", "words", "thing", "record", "noun", "column"}, found[2]) {
				t.Errorf("nothing is written as %q", found[2])
			}
		}
	}
}

// TestNoInterfaceWordsOnPages checks, for every reason of every package, that pages show no words of the API that mean nothing to their
// users.
func TestNoInterfaceWordsOnPages(t *testing.T) {
	t.Parallel()
	strange := regexp.MustCompile(`(?i)idempotency|\b(dryRun|onRefusal|expected[A-Z]\w*|header|request|selection|step index)\b`)
	for _, reason := range refusal.Reasons() {
		if reason.Kind() == 0 && reason != httpstatus.Internal {
			continue // only in the JSON API
		}
		args := make([]any, len(reason.Arguments()))
		for i := range args {
			args[i] = "SN-00007"
		}
		refused := refusal.RefuseField(reason, "reason", args...)
		for _, shown := range []*refusal.Error{refused, refused.OfKey(), refused.OfSerial("SN-00008")} {
			if text := AdviseOn(nil, "", shown).Text; strange.MatchString(text) || strings.ContainsAny(text, "{}") {
				t.Errorf("pages show %q for %q", text, shown)
			}
		}
	}
}

// If an external id is in use, the sentence says which kind of record has it, on every page and at every row of a file.
func TestTakenExternalIDsNameTheNoun(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, record := range shop.Records() {
		if !record.External && record.Kind != shop.RecordInstrument {
			continue
		}
		seen++
		want := "Another " + map[string]string{
			"serial": "unit", "path": "route", "bill of materials": "bill", "user": "operator", "certificate": "certificate", "job": "job",
			"template": "template", "instrument": "instrument", "lot": "lot", "shipment": "shipment", "firstArticle": "first article",
		}[string(record.Kind)] + " has the external id A-1."
		id := record.Prefix + "1"
		if record.Kind == shop.RecordSerial {
			id = ident.DefaultPrefix.SerialID(1)
		}
		refused := refusal.RefuseField(shop.ExternalIDTaken, "externalId", "A-1", id)
		if got := AdviseOn(nil, "", refused); got.Text != want || got.Field != "externalId" {
			t.Errorf("of a %s: %+v, want %q", record.Kind, got, want)
		}
	}
	if seen < 8 {
		t.Errorf("only %d kinds of records have an external id", seen)
	}
}

// A noun must not have a sentence for a reason that other nouns share, because the sentence would be shown for those nouns as well.
func TestSentencesOfNounsAreTheirOwn(t *testing.T) {
	t.Parallel()
	files := filesOfTheBusiness(t)
	sources := map[string]string{} // source files that declare a noun
	declared := map[string]string{}
	reason := regexp.MustCompile(`(\w+)\s*= refusal\.NewReason\(refusal\.\w+, "(\w+)"`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range reason.FindAllSubmatch(text, -1) {
			declared[string(found[2])] = string(found[1])
		}
		if !strings.HasSuffix(file, "_test.go") && regexp.MustCompile(`(?m)^var \w+Noun = noun\{`).Match(text) {
			sources[file] = string(text)
		}
	}
	for _, words := range wordings {
		for said := range words.sentences {
			if len(words.of) == 0 { // pages without a noun, such as imports
				continue
			}
			refuses := regexp.MustCompile(`Refuse(Field)?\((\w+\.)?` + declared[said.Code()] + `\b`)
			var in []string
			for file, source := range sources {
				if declared[said.Code()] != "" && refuses.MatchString(source) {
					in = append(in, file)
				}
			}
			if len(in) > len(words.of) || strings.HasPrefix(said.Sentence(), "{field}") && declared[said.Code()] == "" {
				t.Errorf("the words of %q have a sentence for %s, which %q refuse for: write it in sentences.go", words.of, said.Code(), in)
			}
		}
	}
}

package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// bore, edge and heat return the characteristics in these tests: a number with an instrument, a pass or fail mark, and an optional text.
func bore() shop.CharacteristicInput {
	return shop.CharacteristicInput{
		Number: input.Given(input.Written("7")), Name: input.Given("Bore"), Type: input.Given("number"), Unit: input.Given("mm"),
		Lower: input.Given(input.Written("12.490")), Upper: input.Given(input.Written("12.510")),
	}
}

func edge() shop.CharacteristicInput {
	return shop.CharacteristicInput{Number: input.Given(input.Written("8")), Name: input.Given("Edge"), Type: input.Given("pass_fail")}
}

func heat() shop.CharacteristicInput {
	return shop.CharacteristicInput{Number: input.Given(input.Written("9")), Name: input.Given("Heat"), Type: input.Given("text"), Required: input.Given(false)}
}

// measured adds characteristics to a step of the only route of a job, and returns the identifier of the step.
func (s *visitedShop) measured(job string, step int, list ...shop.CharacteristicInput) string {
	s.t.Helper()
	detail, err := s.service.Job(context.Background(), job)
	s.must(err)
	id := detail.Paths[0].Steps[step].ID
	inputs := make([]input.Input[shop.CharacteristicInput], len(list))
	for i := range list {
		inputs[i] = input.Given(list[i])
	}
	_, err = s.service.SetCharacteristics(context.Background(), id, shop.SetCharacteristicsInput{
		Characteristics: input.Given(inputs), UserID: input.Given("setup"),
	})
	s.must(err)
	return id
}

// instrument records an instrument that may be used until a day. If given, reads has the smallest and the largest value in mm that it can
// read.
func (s *visitedShop) instrument(number, until string, reads ...input.Written) {
	s.t.Helper()
	in := shop.InstrumentInput{Number: input.Given(number), Name: input.Given("Bore gage"), DueDate: input.Given(until)}
	if len(reads) == 2 {
		in.MeasuringRangeInput = shop.MeasuringRangeInput{From: input.Given(reads[0]), To: input.Given(reads[1]), Unit: input.Given("mm")}
	}
	_, err := s.service.CreateInstrument(context.Background(), in)
	s.must(err)
}

// read returns the recorded values of a unit, as "7 12.503".
func (s *visitedShop) read(unit string) string {
	s.t.Helper()
	readings, err := s.service.MeasurementsOfSerial(context.Background(), unit)
	s.must(err)
	var list []string
	for _, reading := range readings {
		text := reading.Called() + " " + reading.Value
		if reading.Voided() {
			text += " struck"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// types enters a reading some time after the page has asked for it.
func (v *visitor) types(text, kind, says string) {
	v.t.Helper()
	v.pass(2 * time.Second)
	v.scan(text, kind, says)
}

// After the scan of a unit, the station asks for each reading separately and shows its verdict next to it. Before it continues after a
// reading out of limits, it asks for confirmation.
func TestStationMeasures(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, unit := s.units(2, "Hone", "Pack")
	withOne := bore()
	withOne.InstrumentRequired = input.Given(true)
	s.measured(job, 0, withOne, edge(), heat())
	s.instrument("M-017", "2999-12-31")
	s.instrument("M-018", "2001-12-31")
	s.instrument("M-019", "2999-12-31", "10", "12.5")
	v := s.works("Dana")

	v.scan(unit, "ask", "Type the number of the instrument for 7 Bore, then Enter.")
	v.types("M-099", "bad", "M-099")
	v.types("M-018", "bad", "M-018 is due for calibration since 2001-12-31: take another instrument.")
	v.types("M-019", "good", "7 Bore is measured with M-019, Bore gage.")
	v.says("With instrument M-019 Bore gage, 10 to 12.5 mm")
	v.types("12.505", "bad", "M-019 measures 10 to 12.5 mm, and 12.505 was typed. Nothing was recorded. Measure again, or take another instrument.")
	v.press("Another instrument", "do", "RC-INSTRUMENT")
	v.types("M-017", "good", "7 Bore is measured with M-017, Bore gage.")
	v.says("Measure 7 Bore of SN-00001, then Enter.")
	v.says("12.490 to 12.510 mm")
	if strings.Contains(v.page.html, `value="RC-DONE"`) {
		t.Error("a unit that is measured can be signed off")
	}
	v.types("RC-DONE", "ask", "Measure 7 Bore")
	v.types("1,012.503", "bad", "This is not one number, and nothing was recorded.")
	v.types("12.511", "ask", "7 Bore is 12.511, limit 12.510. It is recorded for SN-00001. Measure it again?")
	v.says("Out of limits")
	v.press("Measure again", "do", "RC-YES")
	v.types("12.503", "good", "7 Bore: 12.503 mm passes.")
	v.says("8 Edge of SN-00001: pass or fail?")
	v.pass(2 * time.Second)
	v.press(`value="RC-PASS"`, "do", "RC-PASS")
	v.band("good", "8 Edge: pass. Everything required at Hone is measured.")
	if got := s.read(unit); got != "7 12.511, 7 12.503, 8 pass" {
		t.Errorf("recorded: %s", got)
	}
	v.says("Done, on to Pack")
	v.types("RC-DONE", "good", "SN-00001 moved to the next step.")

	// The station remembers the instrument. Continuing after a reading out of limits does not sign the step off.
	v.types("SN-00002", "ask", "Measure 7 Bore of SN-00002")
	v.says("With instrument M-017")
	v.types("12.6", "ask", "Measure it again?")
	v.press("Go on", "do", "RC-NO")
	v.says("8 Edge of SN-00002: pass or fail?")
	v.types("RC-PASS", "good", "8 Edge: pass.")
	v.says("7 at Hone is out of limits: 12.6, limit 12.510. Measure again, or report it.")
	v.types("RC-DONE", "bad", "7 at Hone is out of limits: 12.6, limit 12.510. Measure again, or report it.")
	s.stands("SN-00002", 0, card.InProgress)
	// The next scan of the unit says this immediately, and does not ask to press a button that is missing.
	out := "7 at Hone is out of limits: 12.6, limit 12.510. Measure again, or report it."
	again := "7 Bore is 12.6, limit 12.510. It is recorded for SN-00002. Measure it again?"
	v.types("SN-00002", "ask", again)
	v.visit("/scan?unit=SN-00002").band("warn", out)
	if strings.Contains(v.page.html, `class="refusal`) {
		t.Error("the page says twice why the step cannot be signed off")
	}
	v.types("SN-00002", "ask", again)
	// The newest reading can be voided. A characteristic for which the unit is not in the sample is measured if the operator asks for it.
	v.types("RC-UNDO", "ask", "SN-00002: 8: pass.")
	v.types("RC-YES", "good", "SN-00002: the reading is voided.")
	v.types("SN-00002", "ask", "8 Edge of SN-00002: pass or fail?")
	v.types("RC-MEASURE-3", "ask", "Type 9 Heat of SN-00002, then Enter.")
	v.types("4711", "ask", "“4711” looks like a code. Is it the reading of 9 Heat?")
	v.types("RC-YES", "good", "9 Heat: 4711 is recorded.")
	v.types("RC-MEASURE-9", "bad", "SN-00002 has nothing to measure at Hone.")
	if got := s.read("SN-00002"); got != "7 12.6, 8 pass struck, 9 4711" {
		t.Errorf("recorded: %s", got)
	}
}

// Even a tired or hurried operator cannot record a reading of the wrong unit, at the wrong step, or for the wrong characteristic.
func TestStationRecordsNothingUnmeant(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, unit := s.units(3, "Hone", "Grind", "Pack")
	second := bore()
	second.Number, second.Name = input.Given(input.Written("10")), input.Given("Length")
	s.measured(job, 0, bore(), second)
	s.measured(job, 1, bore())
	v, other := s.works("Dana"), s.works("Quinn")
	nothing := func(what string) {
		t.Helper()
		if got := s.read(unit) + s.read("SN-00002"); got != "" {
			t.Fatalf("%s: recorded %s", what, got)
		}
	}

	v.scan(unit, "ask", "Measure 7 Bore of SN-00001")
	v.scan("12.503", "ask", "“12.503” came before 7 Bore could be read on the screen.") // directly after the scan
	nothing("behind the scan")
	v.types("RC-NO", "ask", "Measure 7 Bore")
	v.types("SN-00002", "ask", "Measure 7 Bore of SN-00002") // the next unit is scanned into the field
	nothing("a unit")
	v.types("4006381333931", "ask", "looks like a code") // a barcode that is not Routecard's
	v.types("RC-NO", "ask", "Measure 7 Bore of SN-00002")
	v.types("SNß00003", "bad", "The scanner is set to another keyboard")
	v.types("12.503", "bad", "This number was not recorded, because no number is asked for.") // a code of a unit that the scanner has misread
	nothing("after a damaged code")

	// A repeated value probably comes from the instrument and is not a reading of the next characteristic.
	v.types(unit, "ask", "Measure 7 Bore of SN-00001")
	v.types("12.503", "good", "7 Bore: 12.503 mm passes.")
	v.says("Measure 10 Length of SN-00001")
	v.press(`id="code"`, "code", "12.503", "gap", "40")
	if got := s.read(unit); got != "7 12.503" {
		t.Fatalf("recorded: %s", got)
	}

	// Another user has moved the unit or changed its characteristics. The page that was already open records nothing.
	shown := v.page
	s.measured(job, 0, bore(), second, edge())
	v.visit(shown.address).band("warn", "It is at Hone now. No unit is in hand now: scan it again.")
	v.page = shown
	v.types("12.5", "warn", "Nothing was done here.")
	v.types(unit, "ask", "Measure 10 Length of SN-00001")
	shown = v.page
	other.visit("/serials/"+unit).press("/measurements", "value:"+s.characteristic(unit, "10"), "12.5", "value:"+s.characteristic(unit, "8"), "pass")
	other.says("2 readings recorded.")
	v.visit(shown.address).band("warn", "Quinn, ")
	other.press(`value="advance"`, "do", "advance").says("advanced.")
	v.page = shown
	v.pass(2 * time.Second)
	v.press(`id="code"`, "code", "12.4")
	if v.band("warn", "Quinn, 08:00: Unit advanced from Hone to Grind."); s.read(unit) != "7 12.503, 10 12.5, 8 pass" {
		t.Errorf("recorded: %s", s.read(unit))
	}

	// After five minutes it is unclear which unit is being measured.
	v.types("SN-00002", "ask", "Measure 7 Bore of SN-00002")
	s.pass(6 * time.Minute)
	v.scan("12.503", "bad", "No unit is in hand now: scan it again.")
	// Opening an address does not record a reading, and does not show a question that the station has not asked.
	v.visit("/scan?" + url.Values{
		"state": {"asked"}, "why": {"early"}, "ask": {"RC-MEASURE"}, "unit": {"SN-00002"}, "step": {"0"}, "entry": {"none"}, "words": {"12.5"},
		"char": {s.characteristic("SN-00002", "7")}, "of": {"step_1"}, "revision": {"2"}, "type": {"number"},
	}.Encode())
	if strings.Contains(v.page.html, `value="RC-YES"`) || s.read("SN-00002") != "" {
		t.Error("an address asks whether to record a reading")
	}
}

// Scanning a unit with a reading out of limits asks whether to measure again, and a value is then the new reading. After *Go on* a value
// changes nothing.
func TestStationAsksToMeasureAgain(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, unit := s.units(2, "Hone", "Pack")
	s.measured(job, 0, bore())
	v := s.works("Dana")
	const again = "7 Bore is 12.6, limit 12.510. It is recorded for SN-00001. Measure it again?"
	v.types(unit, "ask", "Measure 7 Bore of SN-00001")
	v.types("12.6", "ask", again)
	v.types("SN-00002", "ask", "Measure 7 Bore of SN-00002")
	v.types(unit, "ask", again)
	v.press("Go on", "do", "RC-NO")
	v.band("warn", "7 at Hone is out of limits: 12.6, limit 12.510. Measure again, or report it.")
	v.types("12.503", "bad", "This number was not recorded, because no number is asked for. No unit is in hand now: scan it again.")
	v.types(unit, "ask", again)
	v.types("12.503", "good", "7 Bore: 12.503 mm passes.")
	v.types("RC-DONE", "good", "SN-00001 moved to the next step.")
	if got := s.read(unit) + s.read("SN-00002"); got != "7 12.6, 7 12.503" {
		t.Errorf("recorded: %s", got)
	}
}

// The station asks for confirmation if a caliper sends a value twice or loses its decimal separator. It accepts a decimal comma, a unit of
// measurement, and words for pass.
func TestStationReadsWhatInstrumentsType(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, unit := s.units(1, "Hone", "Pack")
	second := bore()
	second.Number, second.Name = input.Given(input.Written("10")), input.Given("Length")
	s.measured(job, 0, bore(), second, edge())
	v := s.works("Dana")
	v.scan(unit, "ask", "Measure 7 Bore of SN-00001")
	v.types("0.5 in", "bad", "The reading has another unit than the characteristic, and nothing was recorded.")
	v.types("12,50 MM", "good", "7 Bore: 12.50 mm passes.")
	v.pass(1400 * time.Millisecond)
	v.scan("12,50 MM", "ask", "“12.50” was recorded a moment ago. Is it the reading of 10 Length of SN-00001, too?")
	if got := s.read(unit); got != "7 12.50" {
		t.Fatalf("recorded: %s", got)
	}
	v.press("No", "do", "RC-NO")
	v.pass(6 * time.Second)
	v.scan("12503", "ask", "“12503” is far from 12.490 to 12.510 mm. Is it the reading of 10 Length of SN-00001?")
	if got := s.read(unit); got != "7 12.50" {
		t.Fatalf("recorded: %s", got)
	}
	v.types("12.504 mm", "good", "10 Length: 12.504 mm passes.") // the corrected value
	v.types("i.O.", "good", "8 Edge: pass.")
	if got := s.read(unit); got != "7 12.50, 10 12.504, 8 pass" {
		t.Errorf("recorded: %s", got)
	}
}

// A reading is interpreted as numbers are written in the language of the page. If a character could be a thousands separator, the station
// asks. The trail and the pages show the recorded number with a decimal point.
func TestReadingsInOtherLanguages(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, unit := s.units(2, "Count", "Pack")
	free := shop.CharacteristicInput{Number: input.Given(input.Written("1")), Name: input.Given("Length"), Type: input.Given("number")}
	second := shop.CharacteristicInput{Number: input.Given(input.Written("2")), Name: input.Given("Weight"), Type: input.Given("number")}
	s.measured(job, 0, free, second)
	v := s.works("Dana")
	v.visit("/jobs").press(`name="language"`, "language", "de")
	v.scan(unit, "ask", "1 Length")
	v.types("12,50", "good", "12.50")
	v.types("1.234", "ask", "1,234")
	if strings.Contains(v.page.html, `value="RC-YES"`) {
		t.Error("the station asks for yes or no, and not which number it is")
	}
	if got := s.read(unit); got != "1 12.50" {
		t.Fatalf("recorded: %s", got)
	}
	v.press(`value="1,234"`, "do", "1,234")
	if got := s.read(unit); got != "1 12.50, 2 1.234" {
		t.Errorf("recorded: %s", got)
	}
	v.visit("/audit").says("1.234")

	v.visit("/jobs").press(`name="language"`, "language", "en")
	v.scan("SN-00002", "ask", "1 Length")
	v.types("1.234", "good", "1.234")
	v.types("1,234", "ask", "Is the reading of 2 Weight of SN-00002 1.234 or 1234?")
	v.press(`value="1234"`, "do", "1234")
	if got := s.read("SN-00002"); got != "1 1.234, 2 1234" {
		t.Errorf("recorded: %s", got)
	}
}

// characteristic returns the identifier of the characteristic that has the given number at the unit's current step.
func (s *visitedShop) characteristic(unit, number string) string {
	s.t.Helper()
	card, err := s.views.Card(context.Background(), unit)
	s.must(err)
	for _, demand := range card.Card.Demands(card.Card.Serial.Position) {
		if demand.Characteristic.Number == number {
			return demand.Characteristic.ID
		}
	}
	s.t.Fatalf("%s has no characteristic %s", unit, number)
	return ""
}

// If the response to a reading is lost and the reading is sent again, it gets the same response and is recorded once.
func TestStationReadingIsRecordedOnce(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, unit := s.units(1, "Hone", "Pack")
	s.measured(job, 0, bore())
	v := s.works("Dana")
	v.scan(unit, "ask", "Measure 7 Bore")
	asked, scans := v.page, v.cookies["scans"]
	for range 2 {
		v.page, v.cookies["scans"] = asked, scans // the response was lost, including the cookie in it
		v.pass(2 * time.Second)
		v.press(`id="code"`, "code", "12.503")
		v.band("good", "7 Bore: 12.503 mm passes.")
	}
	heard := v.page.address
	v.page = asked // the user goes back to this page
	v.press(`id="code"`, "code", "12.503")
	v.band("warn", "Measured at Hone. It is at Hone now. No unit is in hand now: scan it again.")
	if got := s.read(unit); got != "7 12.503" {
		t.Errorf("recorded: %s", got)
	}
	request := httptest.NewRequest(http.MethodGet, heard, nil)
	request.Header.Set("Routecard-Live", "1")
	if answer := v.ask(request); answer.Code != http.StatusNoContent {
		t.Errorf("the page hears of its own reading: %d", answer.Code)
	}
}

// The card lists readings out of limits first, and still shows replaced and voided readings. It also records readings of deferred steps.
func TestCardMeasures(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, unit := s.units(1, "Hone", "Pack")
	s.measured(job, 0, bore(), edge(), heat())
	s.instrument("M-017", "2999-12-31")
	v := s.works("Dana")
	b, e := "value:"+s.characteristic(unit, "7"), "value:"+s.characteristic(unit, "8")
	at := "/serials/" + unit
	v.visit(at).says("First measure this at Hone: 7, 8.")
	if !strings.Contains(v.page.html, `<a href="#measure">`) {
		t.Error("what is missing does not lead to where it is measured")
	}
	old := v.page
	v.press("/measurements").says("Type at least one reading.")
	v.visit(at).press("/measurements", b, "1,012.5").says("Type a number of at most 18 digits, such as 12.503 or 12,503.")
	gage := "instrument:" + strings.TrimPrefix(b, "value:")
	v.visit(at).press("/measurements", b, "12.511", e, "pass", gage, "M-099").says("M-099")
	v.visit(at).press("/measurements", e, "pass", gage, "M-017").says("7 Bore has an instrument and no reading. Nothing was recorded.")
	v.visit(at).press("/measurements", b, "0.5 in").says("7 is measured in mm, and in was typed. Nothing was recorded.")
	v.visit(at).press("/measurements", b, "12,511 mm").says("7 Bore is 12,511 mm: that can be 12.511 or 12511. Nothing was recorded.")
	v.visit(at).press("/measurements", b, "12511").says("7 Bore is 12511, far from 12.490 to 12.510 mm. Nothing was recorded.")
	if got := s.read(unit); got != "" {
		t.Fatalf("recorded: %s", got)
	}
	right := "right:" + strings.TrimPrefix(b, "value:")
	ticked := v.box(right)
	v.visit(at).press("/measurements", b, "12511", right, ticked).says("1 reading recorded.")
	v.visit(at).press("/measurements", b, "12.511 MM", e, "pass", gage, "M-017")
	v.says("2 readings recorded. Out of limits: 7 is 12.511, limit 12.510.")
	readings, err := s.service.MeasurementsOfSerial(t.Context(), unit)
	s.must(err)
	if bore, edge := readings[1], readings[2]; bore.InstrumentID == "" || edge.InstrumentID != "" {
		t.Errorf("7 was measured with %q and 8 with %q, want an instrument for 7 alone", bore.InstrumentID, edge.InstrumentID)
	}
	v.press("/measurements", b, "12.520").says("1 reading recorded.")
	_, rows, _ := strings.Cut(v.text(), "Readings Characteristic")
	if first, early := strings.Index(rows, "12.520"), strings.Index(rows, "12.511"); first < 0 || first > strings.Index(rows, "8 Edge") || early < first {
		t.Errorf("what is out of limits is not first: %s", rows)
	}
	reading := s.lastReading(unit)
	v.press(`value="void"`, "do", "void", "record", "reading:"+reading, "reason", "dirt in the bore").says("Voided.")
	v.says("Does not count: dirt in the bore · Dana")
	v.press("/measurements", b, "12.500")
	v.says("Done, on to Pack")

	// The characteristics have changed since the form was rendered.
	s.measured(job, 0, bore(), edge())
	v.page = old
	v.press("/measurements", b, "12.5").says("What is measured there was changed meanwhile. Nothing was recorded")
}

// If the number of a required instrument is missing, the card names the characteristic.
func TestCardAsksForTheInstrument(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, unit := s.units(1, "Hone", "Pack")
	withOne := bore()
	withOne.InstrumentRequired = input.Given(true)
	s.measured(job, 0, edge(), withOne)
	s.instrument("M-017", "2999-12-31")
	v := s.works("Dana")
	id := s.characteristic(unit, "7")
	v.visit("/serials/"+unit).press("/measurements", "value:"+id, "12.503").says("7 Bore needs the number of the instrument. Nothing was recorded.")
	v.visit("/serials/"+unit).press("/measurements", "value:"+id, "12.503", "instrument:"+id, "M-017").says("1 reading recorded.")
}

func (s *visitedShop) lastReading(unit string) string {
	s.t.Helper()
	readings, err := s.service.MeasurementsOfSerial(context.Background(), unit)
	s.must(err)
	return readings[len(readings)-1].ID
}

// The characteristics of a step are edited row by row, without scripts. A form for an older version is refused. An invalid field has its
// refusal next to it.
func TestCharacteristicsEditor(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, unit := s.units(1, "Hone", "Pack")
	detail, err := s.service.Job(t.Context(), job)
	s.must(err)
	hone := detail.Paths[0].Steps[0].ID
	a, b := s.works("Ann"), s.works("Bob")
	at, form := "/steps/"+hone+"/characteristics", `/characteristics" class="panel"`
	if a.visit("/jobs/" + job + "/paths/" + detail.Paths[0].ID); !strings.Contains(a.page.html, at) {
		t.Error("the route does not lead to what is measured at its steps")
	}
	a.visit(at)
	b.visit(at)
	row := func(do string, more ...string) []string {
		return append([]string{"do", do, "number", "7", "name", "Bore", "type", "number", "unit", "mm", "lower", "12.490", "upper", "12.510",
			"sample", "every", "required", "0"}, more...)
	}
	a.press(form, row("add")...)
	a.page.form(t, form) // there are two rows now, and the input is still there
	if !strings.Contains(a.page.html, `value="12.490"`) || strings.Count(a.page.html, `name="number"`) != 2 {
		t.Fatalf("after another row: %s", a.text())
	}
	a.visit(at).press(form, "do", "save", "number", "7", "name", "Bore", "type", "number", "sample", "every", "lower", "13", "upper", "12")
	a.says("The upper limit is below the lower one.")
	a.visit(at).press(form, row("save")...)
	a.says("Saved: 1 characteristic at Hone.")
	a.says("7 Bore 12.490 to 12.510 mm")
	b.press(form, "do", "save", "number", "7", "name", "Inner diameter", "type", "number", "sample", "every", "required", "0")
	b.says("Row 1: 7 Inner diameter (now 7 Bore 12.490 to 12.510 mm).")
	s.works("Cy").visit("/serials/" + unit).says("First measure this at Hone: 7.")
	// Without rows the step has no characteristics.
	a.visit(at).press(form, "do", "remove:0", "number", "7", "name", "Bore", "type", "number", "sample", "every")
	a.press(form, "do", "save", "number", "", "name", "", "type", "number", "sample", "every").says("No characteristics at this step.")
	s.works("Di").visit("/serials/" + unit).says("Done, on to Pack")
}

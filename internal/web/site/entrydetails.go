package site

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// More describes an entry in addition to its action. It shows names in place of identifiers, and for a change the values before and after.
func (p Past) More(entry trail.Entry) []Detail {
	var object map[string]json.RawMessage
	if len(entry.Metadata) == 0 || json.Unmarshal(entry.Metadata, &object) != nil {
		return nil
	}
	if entry.Action == replay.ActionChangeUndone {
		reason, _ := textIn(object["reason"])
		return []Detail{
			{p.l.T("Undone change"), OrID(p.told[replay.EntryUndoneBy(entry)], p.l.T("an earlier change"))}, {p.l.T("Reason"), reason},
		}
	}
	if told := p.ofReport(entry, object); told != nil {
		return told
	}
	switch entry.Action {
	case card.ActionSerialHeld, card.ActionSerialReleased, card.ActionSerialReworked:
		return p.ofHold(entry, object)
	case shop.ActionMeasured:
		return p.ofReadings(entry)
	case shop.ActionCharacteristicsChanged:
		return p.ofCharacteristics(object)
	default:
	}
	if entry.Action == shop.ActionRecordSigned {
		return p.signed(object)
	}
	_, before := object["before"]
	_, after := object["after"]
	if before || after {
		return append(p.ofInstrument(object), p.changes(entry, object)...)
	}
	if first, ok := textIn(object["firstSerialId"]); ok {
		last, _ := textIn(object["lastSerialId"])
		if first == last {
			return []Detail{{p.l.T("Unit"), first}}
		}
		return []Detail{{p.l.T("Units"), p.l.T("{first} to {last}", "first", first, "last", last)}}
	}
	var told []Detail
	for _, one := range fieldsOf(entry.Metadata) {
		switch text, isText := textIn(one.value); {
		case one.name == "approverId" && isText:
			told = append(told, Detail{p.l.T("Approved by"), p.nameThen(entry, text)})
		case one.name == "reason" && isText && entry.Action == card.ActionSerialScrapped:
			told = append(told, Detail{p.l.T("Reason"), lang.Words(p.l, text)})
		case one.name == "incompleteStepIds":
			told = append(told, Detail{p.l.T("Left open"), p.stepsThen(entry, one.value)})
		case one.name == "recordId" && entry.CertID == "":
			told = append(told, Detail{"", p.l.T("A {record}", "record", wording.ThingOf(p.l, text))})
		case one.name == "linkId" || entry.Action == shop.ActionFileAttached && (one.name == "size" || one.name == "type"):
		case one.name == "sha256" && isText: // the proof page shows the whole digest
			told = append(told, Detail{"SHA-256", text[:min(len(text), digestShown)] + "…"})
		case one.name == "kind" && isText:
			told = append(told, Detail{p.l.T("Kind"), lang.Words(p.l, text)})
		case one.name == "instrumentId":
			told = append(told, Detail{p.l.T("of an entry|On"), p.l.T("an instrument")})
		case one.name == "componentSerialId" && isText:
			told = append(told, Detail{p.l.T("Component"), text})
		case one.name == "parentSerialId" && isText:
			told = append(told, Detail{p.l.T("Contained in"), text})
		case one.name == "shipmentId" && isText:
			told = append(told, Detail{p.l.T("Shipment"), text})
		case one.name == "lotId" && isText && p.LotNumbers[text] != "":
			told = append(told, Detail{p.l.T("Lot"), p.LotNumbers[text]})
		case one.name == "lotId":
			told = append(told, Detail{p.l.T("of an entry|On"), p.l.T("a lot")})
		case unsaid(entry.Action, one.name):
		case (one.name == "nonconformanceId" || one.name == "conformanceId" || one.name == "firstArticleId") && isText:
			told = append(told, Detail{p.l.T("of an entry|On"), text})
		case one.name == "serialIds":
			told = append(told, Detail{p.l.T("Units"), textsIn(one.value)})
		case one.name == "templateId" || one.name == "bomId" || one.name == "recordId" || one.name == "noteId" || one.name == "baselineId":
		default:
			told = append(told, Detail{p.field(one.name), p.plainValue(one.value)})
		}
	}
	return told
}

// unsaid reports whether a field of an entry about a component, a shipment, a certificate of conformance, a first article or a note is of
// no use to people.
func unsaid(action trail.Action, field string) bool {
	switch action {
	case card.ActionComponentInstalled, card.ActionComponentRemoved, card.ActionUnitInstalled, card.ActionUnitRemoved,
		card.ActionRecordVoided, card.ActionSerialSent, card.ActionSerialReceived:
		return slices.Contains([]string{"componentId", "receiptId", "contentsSha256", "lotSha256", "lineSha256", "pass"}, field)
	case shop.ActionConformanceIssued, shop.ActionConformanceReissued, shop.ActionFirstArticleCreated: // the page of the record has them
		return slices.Contains([]string{"lines", "lang", "size", "issuedBy", "issuedAt", "contentsSha256", "stateSha256", "ranges"}, field)
	case shop.ActionNoteCreated:
		return field == "contentsSha256"
	default:
		return false
	}
}

// textsIn lists the texts of a JSON array.
func textsIn(list json.RawMessage) string {
	var texts []string
	_ = json.Unmarshal(list, &texts)
	return strings.Join(texts, ", ")
}

// digestShown is the number of characters of a digest that an entry shows.
const digestShown = 12

// ofReadings describes readings, each with its number on the drawing.
func (p Past) ofReadings(entry trail.Entry) []Detail {
	made, err := shop.MeasurementsOf(&entry)
	if err != nil || len(made) == 0 {
		return nil
	}
	var told []Detail
	if made[0].Pass > 1 {
		told = append(told, Detail{p.l.T("of a step|Pass"), strconv.Itoa(made[0].Pass)})
	}
	for i := range made {
		text := made[i].Value
		if text != string(made[i].Verdict) { // neither pass nor fail
			text = strings.TrimSpace(text+" "+made[i].Unit) + " " + p.l.Lookup(wording.VerdictInWords(made[i].Verdict))
		}
		if made[i].Note != "" {
			text += ": " + made[i].Note
		}
		told = append(told, Detail{made[i].Called(), text})
	}
	return told
}

// ofCharacteristics describes the changed characteristics.
func (p Past) ofCharacteristics(object map[string]json.RawMessage) []Detail {
	var before, after []card.Characteristic
	_, _ = json.Unmarshal(object["before"], &before), json.Unmarshal(object["after"], &after)
	found := func(in []card.Characteristic, id string) int {
		return slices.IndexFunc(in, func(c card.Characteristic) bool { return c.ID == id })
	}
	var told []Detail
	for _, is := range after {
		text := characteristicInWords(p.l, is)
		if i := found(before, is.ID); i >= 0 {
			text = characteristicInWords(p.l, before[i]) + " → " + text
		} else {
			text = p.l.T("new: {value}", "value", text)
		}
		told = append(told, Detail{is.Called(), text})
	}
	for _, was := range before {
		if found(after, was.ID) < 0 {
			told = append(told, Detail{was.Called(), p.l.T("removed: {value}", "value", characteristicInWords(p.l, was))})
		}
	}
	return told
}

// characteristicInWords describes all requirements of a characteristic.
func characteristicInWords(l *lang.Language, c card.Characteristic) string {
	parts := []string{c.Name, wording.LimitsInWords(l, c.Limits, c.Unit)}
	if c.Nominal != "" && c.Lower+c.Upper != "" {
		parts = append(parts, l.T("nominal {value}", "value", c.Nominal))
	}
	if c.Type == card.PassFailReading {
		parts = append(parts, l.T("pass or fail"))
	}
	parts = append(parts, c.Requirement)
	if c.Designator != "" {
		parts = append(parts, lang.InSentence(l, c.Designator))
	}
	if c.Sample != "" && c.Sample != card.SampleEvery {
		parts = append(parts, l.T("units: {sample}", "sample", c.Sample))
	}
	if !c.Required {
		parts = append(parts, l.T("not demanded"))
	}
	if c.InstrumentRequired {
		parts = append(parts, l.T("with an instrument"))
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}

// ofInstrument returns the instrument of an entry, with its number before the change.
func (p Past) ofInstrument(object map[string]json.RawMessage) []Detail {
	_, instrument := object["instrumentId"]
	_, changed := object["before"]
	if number, _ := textIn(object["number"]); instrument && changed {
		return []Detail{{p.l.T("Instrument"), number}}
	}
	return nil
}

// signed describes a signature: signer, time and meaning.
func (p Past) signed(object map[string]json.RawMessage) []Detail {
	text := func(name string) string { text, _ := textIn(object[name]); return text }
	return []Detail{
		{p.l.T("Operation"), p.l.Lookup(OperationWords[shop.SignedOperation(text("operation"))])},
		{p.l.T("Meaning"), lang.Words(p.l, text("meaning"))}, {p.l.T("Signed by"), text("printedName") + " (" + text("login") + ")"},
		{p.l.T("Proved with"), lang.Words(p.l, text("method"))},
	}
}

// fieldOf is one member of an object.
type fieldOf struct {
	name  string
	value json.RawMessage
}

func fieldsOf(object json.RawMessage) []fieldOf {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil
	}
	var fields []fieldOf
	for decoder.More() {
		token, err := decoder.Token()
		name, ok := token.(string)
		var value json.RawMessage
		if err != nil || !ok || decoder.Decode(&value) != nil {
			break
		}
		fields = append(fields, fieldOf{name, value})
	}
	return fields
}

func textIn(value json.RawMessage) (string, bool) {
	var text string
	if len(value) == 0 || value[0] != '"' || json.Unmarshal(value, &text) != nil {
		return "", false
	}
	return text, true
}

// field returns the label of a field of an entry.
func (p Past) field(name string) string { return p.l.Lookup(lang.Text(spaced(name))) }

// plainValue writes a value as text.
func (p Past) plainValue(value json.RawMessage) string {
	if text, ok := textIn(value); ok {
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			return p.l.Time(day, lang.YearDay)
		}
		return text
	}
	switch string(value) {
	case "", "null":
		return p.l.T("nothing")
	case "true":
		return p.l.T("yes")
	case "false":
		return p.l.T("no")
	}
	return plain(value)
}

func (p Past) nameThen(entry trail.Entry, id string) string {
	return nameOf(p.NamesThen.People, id, views.WhenOf(entry))
}

func (p Past) stepsThen(entry trail.Entry, list json.RawMessage) string {
	var ids []string
	_ = json.Unmarshal(list, &ids)
	for i := range ids {
		ids[i] = p.StepNameIn(entry, ids[i])
	}
	return strings.Join(ids, ", ")
}

// changes describes a change by the values before and after.
func (p Past) changes(entry trail.Entry, object map[string]json.RawMessage) []Detail {
	var told []Detail
	if id, ok := textIn(object["userId"]); ok {
		told = append(told, Detail{p.l.T("Operator"), p.nameThen(entry, id)})
	}
	before, after := object["before"], object["after"]
	was, is := fieldsOf(before), fieldsOf(after)
	if was == nil && is == nil { // plain values, such as the assignee of a step or a mode
		return append(told, p.change(entry, "", before, after)...)
	}
	seen := map[string]bool{}
	for _, one := range slices.Concat(was, is) {
		if seen[one.name] {
			continue
		}
		seen[one.name] = true
		told = append(told, p.change(entry, one.name, member(was, one.name), member(is, one.name))...)
	}
	return told
}

func member(fields []fieldOf, name string) json.RawMessage {
	for _, one := range fields {
		if one.name == name {
			return one.value
		}
	}
	return nil
}

// change describes how one field changed. name is "" if the entry concerns only one value.
func (p Past) change(entry trail.Entry, name string, before, after json.RawMessage) []Detail {
	switch name {
	case "steps":
		return p.stepChanges(before, after)
	case "entries":
		return p.billChanges(before, after)
	}
	if bytes.Equal(before, after) {
		return nil
	}
	say := func(value json.RawMessage) string {
		text, isText := textIn(value)
		switch {
		case entry.Action == shop.ActionStepAssigned && isText:
			return p.nameThen(entry, text)
		case entry.Action == shop.ActionStepAssigned:
			return p.l.T("nobody")
		case entry.Action == card.ActionSerialNumberSet || entry.Action == shop.ActionExternalIDSet: // shown unchanged
			return p.plainValue(value)
		case name == "advancementMode" || name == "dependencyType" || name == "type" || name == "":
			return lang.Words(p.l, p.plainValue(value))
		}
		return p.plainValue(value)
	}
	label := p.field(strings.TrimPrefix(name, "tracker"))
	if name == "gtin" {
		label = "GTIN"
	}
	if before == nil || string(before) == "null" && name != "" {
		if said := say(after); said != "" && said != p.l.T("nothing") {
			return []Detail{{label, said}}
		}
		return nil
	}
	if after == nil && name != "" {
		return []Detail{{label, say(before)}}
	}
	return []Detail{{label, p.orBlank(say(before)) + " → " + p.orBlank(say(after))}}
}

func (p Past) orBlank(text string) string {
	if text == "" {
		return p.l.T("nothing")
	}
	return text
}

// stepChanges describes how the steps of a route differ.
func (p Past) stepChanges(before, after json.RawMessage) []Detail {
	var was, is []card.ProcessStep
	_, _ = json.Unmarshal(before, &was), json.Unmarshal(after, &is)
	if len(was) == 0 || len(is) == 0 {
		var names []string
		for _, step := range slices.Concat(was, is) {
			names = append(names, step.Name)
		}
		return []Detail{{p.l.T("Steps"), strings.Join(names, " → ")}}
	}
	var told []Detail
	stays, moved, last := map[int]bool{}, false, -1
	for i := range is {
		label, at := p.l.T("Step {n}", "n", i+1), stepBefore(was, is, i)
		if at < 0 {
			told = append(told, Detail{label, p.l.T("new: {value}", "value", StepInWords(is[i]))})
			continue
		}
		stays[at], moved, last = true, moved || at < last, at
		if said := p.stepChange(was[at], is[i]); said != "" {
			told = append(told, Detail{label, said})
		}
	}
	for i := range was {
		if !stays[i] {
			told = append(told, Detail{p.l.T("Step {n}", "n", i+1), p.l.T("removed: {value}", "value", was[i].Name)})
		}
	}
	if moved {
		names := make([]string, len(is))
		for i := range is {
			names[i] = is[i].Name
		}
		told = append(told, Detail{p.l.T("of steps|Order"), strings.Join(names, " → ")})
	}
	return told
}

// stepBefore returns the index that a step had before the change, or -1 for a new step. Steps of templates have no identifiers and are
// therefore compared by index.
func stepBefore(was, is []card.ProcessStep, place int) int {
	if is[place].ID == "" {
		if place < len(was) {
			return place
		}
		return -1
	}
	return slices.IndexFunc(was, func(step card.ProcessStep) bool { return step.ID == is[place].ID })
}

// StepInWords returns the name of a step with its location.
func StepInWords(step card.ProcessStep) string {
	if step.Location != "" {
		return step.Name + ", " + step.Location
	}
	return step.Name
}

func (p Past) stepChange(was, is card.ProcessStep) string {
	var said []string
	if was.Name != is.Name {
		said = append(said, was.Name+" → "+is.Name)
	}
	if was.Location != is.Location {
		said = append(said, p.l.T("at {before} → {after}", "before", p.orBlank(was.Location), "after", p.orBlank(is.Location)))
	}
	if was.Optional != is.Optional {
		said = append(said, p.l.Lookup(map[bool]lang.Text{true: "optional now", false: "required now"}[is.Optional]))
	}
	if was.DependencyType != is.DependencyType {
		said = append(said, lang.Words(p.l, was.DependencyType)+" → "+lang.Words(p.l, is.DependencyType))
	}
	if len(said) > 0 && was.Name == is.Name {
		return is.Name + ": " + strings.Join(said, ", ")
	}
	return strings.Join(said, ", ")
}

// billChanges describes the differences between the part types of two versions of a bill of materials.
func (p Past) billChanges(before, after json.RawMessage) []Detail {
	var was, is []shop.BOMEntry
	_, _ = json.Unmarshal(before, &was), json.Unmarshal(after, &is)
	var told []Detail
	for _, line := range shop.CompareBOM(was, is) {
		quantity := func(entry *shop.BOMEntry) string {
			return strconv.FormatFloat(entry.RequiredQuantityPerBuild, 'g', -1, 64)
		}
		switch {
		case !line.Changed():
		case line.Before == nil:
			told = append(told, Detail{line.PartType, quantity(line.After)})
		case line.After == nil:
			told = append(told, Detail{line.PartType, p.l.T("removed")})
		case quantity(line.Before) != quantity(line.After):
			told = append(told, Detail{line.PartType, quantity(line.Before) + " → " + quantity(line.After)})
		default:
			told = append(told, Detail{line.PartType, p.l.T("made by other jobs")})
		}
	}
	return told
}

// JobThen returns the name that an entry's job had at that time, or its identifier.
func (p Past) JobThen(entry trail.Entry) string {
	return OrID(p.NamesThen.Jobs[entry.JobID], entry.JobID)
}

// CertificateThen returns the name that an entry's certificate had at that time, or its identifier.
func (p Past) CertificateThen(entry trail.Entry) string {
	return OrID(p.NamesThen.Certificates[entry.CertID], entry.CertID)
}

// OrID returns the name, or the identifier if the name is blank.
func OrID(name, id string) string {
	if strings.TrimSpace(name) == "" {
		return id
	}
	return name
}

// ofReport describes a nonconformance report and its units. It returns nil if the entry concerns no report.
func (p Past) ofReport(entry trail.Entry, object map[string]json.RawMessage) []Detail {
	switch entry.Action {
	case shop.ActionNonconformanceOpened, shop.ActionNonconformanceExtended,
		shop.ActionNonconformanceDispositioned, shop.ActionNonconformanceClosed:
	default:
		return nil
	}
	var told []Detail
	for _, one := range fieldsOf(entry.Metadata) {
		switch text, isText := textIn(one.value); {
		case one.name == "nonconformanceId":
			told = append(told, Detail{"", text})
		case one.name == "ranges":
			var ranges []struct {
				First string `json:"first"`
				Last  string `json:"last"`
			}
			_ = json.Unmarshal(object["ranges"], &ranges)
			parts := make([]string, len(ranges))
			for i, units := range ranges {
				if parts[i] = units.First; units.First != units.Last {
					parts[i] = p.l.T("{first} to {last}", "first", units.First, "last", units.Last)
				}
			}
			if len(parts) > 0 {
				told = append(told, Detail{p.l.T("Units"), strings.Join(parts, ", ")})
			}
		case one.name == "targetStepIndex":
			place, _ := strconv.Atoi(string(one.value))
			told = append(told, Detail{p.l.T("Back to step"), wording.Ordinal(place)})
		case isText && (one.name == "severity" || one.name == "disposition" || one.name == "scrapReason"):
			told = append(told, Detail{p.field(one.name), lang.Words(p.l, text)})
		default:
			told = append(told, Detail{p.field(one.name), p.plainValue(one.value)})
		}
	}
	return told
}

// ofHold describes why a unit was put on hold, released or sent to rework. It omits the report's number if the reason already contains it.
func (p Past) ofHold(entry trail.Entry, object map[string]json.RawMessage) []Detail {
	reason, _ := textIn(object["reason"])
	told := []Detail{{p.l.T("Reason"), reason}}
	if pass, ok := object["pass"]; ok && entry.Action == card.ActionSerialReworked {
		told = append(told, Detail{p.l.T("of a step|Pass"), p.plainValue(pass)})
	}
	if report, ok := textIn(object["nonconformanceId"]); ok && report != "" && !strings.HasPrefix(reason, report+": ") {
		told = append(told, Detail{p.l.T("Report"), report})
	}
	return told
}

// StoryOf summarizes an entry in a few words, for another entry that refers to it.
func (p Past) StoryOf(entry trail.Entry) string {
	text := wording.ActionWords(p.l, shop.ActionTold(entry))
	if entry.FromStepID != "" {
		text += " " + p.l.T("from {step}", "step", p.StepNameIn(entry, entry.FromStepID))
	}
	if entry.ToStepID != "" {
		text += " " + p.l.T("to {step}", "step", p.StepNameIn(entry, entry.ToStepID))
	}
	if entry.StepID != "" {
		text += " " + p.l.T("at {step}", "step", p.StepNameIn(entry, entry.StepID))
	}
	return text
}

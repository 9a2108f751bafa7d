package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// More describes an entry in addition to its action: with names for identifiers, and for a change the values before and after.
func (p Past) More(entry trail.Entry) []Detail {
	var object map[string]json.RawMessage
	if len(entry.Metadata) == 0 || json.Unmarshal(entry.Metadata, &object) != nil {
		return nil
	}
	if entry.Action == replay.ActionChangeUndone {
		reason, _ := textIn(object["reason"])
		return []Detail{{"Undone change", OrID(p.told[replay.EntryUndoneBy(entry)], "an earlier change")}, {"Reason", reason}}
	}
	if told := p.ofReport(entry, object); told != nil {
		return told
	}
	switch entry.Action {
	case card.ActionSerialHeld, card.ActionSerialReleased, card.ActionSerialReworked:
		return ofHold(entry, object)
	case shop.ActionMeasured:
		return ofReadings(entry)
	case shop.ActionCharacteristicsChanged:
		return ofCharacteristics(object)
	default:
	}
	if entry.Action == shop.ActionRecordSigned {
		return p.signed(object)
	}
	_, before := object["before"]
	_, after := object["after"]
	if before || after {
		return append(ofInstrument(object), p.changes(entry, object)...)
	}
	if first, ok := textIn(object["firstSerialId"]); ok {
		last, _ := textIn(object["lastSerialId"])
		if first == last {
			return []Detail{{"Unit", first}}
		}
		return []Detail{{"Units", first + " to " + last}}
	}
	var told []Detail
	for _, one := range fieldsOf(entry.Metadata) {
		switch text, isText := textIn(one.value); {
		case one.name == "approverId" && isText:
			told = append(told, Detail{"Approved by", p.nameThen(entry, text)})
		case one.name == "reason" && isText && entry.Action == card.ActionSerialScrapped:
			told = append(told, Detail{"Reason", wording.Words(text)})
		case one.name == "incompleteStepIds":
			told = append(told, Detail{"Left open", p.stepsThen(entry, one.value)})
		case one.name == "recordId" && entry.CertID == "":
			told = append(told, Detail{"", "A " + wording.ThingOf(text)})
		case one.name == "linkId" || entry.Action == shop.ActionFileAttached && (one.name == "size" || one.name == "type"):
		case one.name == "sha256" && isText: // the proof page has the whole digest
			told = append(told, Detail{"SHA-256", text[:min(len(text), digestShown)] + "…"})
		case one.name == "kind" && isText:
			told = append(told, Detail{"Kind", wording.Words(text)})
		case one.name == "instrumentId":
			told = append(told, Detail{"On", "an instrument"})
		case one.name == "nonconformanceId" && isText:
			told = append(told, Detail{"On", text})
		case one.name == "templateId" || one.name == "bomId" || one.name == "recordId" || one.name == "noteId" || one.name == "baselineId":
		default:
			told = append(told, Detail{spaced(one.name), plainValue(one.value)})
		}
	}
	return told
}

// digestShown is the number of characters of a digest that an entry shows.
const digestShown = 12

// ofReadings describes readings, each by its number on the drawing.
func ofReadings(entry trail.Entry) []Detail {
	made, err := shop.MeasurementsOf(&entry)
	if err != nil || len(made) == 0 {
		return nil
	}
	var told []Detail
	if made[0].Pass > 1 {
		told = append(told, Detail{"Pass", strconv.Itoa(made[0].Pass)})
	}
	for i := range made {
		text := made[i].Value
		if text != string(made[i].Verdict) { // neither pass nor fail
			text = strings.TrimSpace(text+" "+made[i].Unit) + " " + wording.VerdictInWords(made[i].Verdict)
		}
		if made[i].Note != "" {
			text += ": " + made[i].Note
		}
		told = append(told, Detail{made[i].Called(), text})
	}
	return told
}

// ofCharacteristics describes the changed characteristics.
func ofCharacteristics(object map[string]json.RawMessage) []Detail {
	var before, after []card.Characteristic
	_, _ = json.Unmarshal(object["before"], &before), json.Unmarshal(object["after"], &after)
	found := func(in []card.Characteristic, id string) int {
		return slices.IndexFunc(in, func(c card.Characteristic) bool { return c.ID == id })
	}
	var told []Detail
	for _, is := range after {
		text := characteristicInWords(is)
		if i := found(before, is.ID); i >= 0 {
			text = characteristicInWords(before[i]) + " → " + text
		} else {
			text = "new: " + text
		}
		told = append(told, Detail{is.Called(), text})
	}
	for _, was := range before {
		if found(after, was.ID) < 0 {
			told = append(told, Detail{was.Called(), "removed: " + characteristicInWords(was)})
		}
	}
	return told
}

// characteristicInWords describes all requirements of a characteristic.
func characteristicInWords(c card.Characteristic) string {
	parts := []string{c.Name, wording.LimitsInWords(c.Limits, c.Unit)}
	if c.Nominal != "" && c.Lower+c.Upper != "" {
		parts = append(parts, "nominal "+string(c.Nominal))
	}
	if c.Type == card.PassFailReading {
		parts = append(parts, "pass or fail")
	}
	parts = append(parts, c.Requirement)
	if c.Designator != "" {
		parts = append(parts, strings.ToLower(wording.Words(c.Designator)))
	}
	if c.Sample != "" && c.Sample != card.SampleEvery {
		parts = append(parts, "units: "+string(c.Sample))
	}
	if !c.Required {
		parts = append(parts, "not demanded")
	}
	if c.InstrumentRequired {
		parts = append(parts, "with an instrument")
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}

// ofInstrument returns the instrument of an entry, by its designation before the change.
func ofInstrument(object map[string]json.RawMessage) []Detail {
	_, instrument := object["instrumentId"]
	_, changed := object["before"]
	if number, _ := textIn(object["number"]); instrument && changed {
		return []Detail{{"Instrument", number}}
	}
	return nil
}

// signed describes a signature: who, when, and its meaning.
func (p Past) signed(object map[string]json.RawMessage) []Detail {
	text := func(name string) string { text, _ := textIn(object[name]); return text }
	return []Detail{
		{"Operation", OperationWords[shop.SignedOperation(text("operation"))]}, {"Meaning", wording.Words(text("meaning"))},
		{"Signed by", text("printedName") + " (" + text("login") + ")"}, {"Proved with", wording.Words(text("method"))},
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

// plainValue writes a value as text.
func plainValue(value json.RawMessage) string {
	if text, ok := textIn(value); ok {
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			return day.Format("2 Jan 2006")
		}
		return text
	}
	switch string(value) {
	case "", "null":
		return "nothing"
	case "true":
		return "yes"
	case "false":
		return "no"
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

// changes describes a change by the values before and after it.
func (p Past) changes(entry trail.Entry, object map[string]json.RawMessage) []Detail {
	var told []Detail
	if id, ok := textIn(object["userId"]); ok {
		told = append(told, Detail{"Operator", p.nameThen(entry, id)})
	}
	before, after := object["before"], object["after"]
	was, is := fieldsOf(before), fieldsOf(after)
	if was == nil && is == nil { // plain values: the assignee of a step, a mode
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
		return stepChanges(before, after)
	case "entries":
		return billChanges(before, after)
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
			return "nobody"
		case entry.Action == card.ActionSerialNumberSet || entry.Action == shop.ActionExternalIDSet: // shown unchanged
			return plainValue(value)
		case name == "advancementMode" || name == "dependencyType" || name == "type" || name == "":
			return wording.Words(plainValue(value))
		}
		return plainValue(value)
	}
	label := spaced(strings.TrimPrefix(name, "tracker"))
	if name == "gtin" {
		label = "GTIN"
	}
	if before == nil || string(before) == "null" && name != "" {
		if said := say(after); said != "" && said != "nothing" {
			return []Detail{{label, said}}
		}
		return nil
	}
	if after == nil && name != "" {
		return []Detail{{label, say(before)}}
	}
	return []Detail{{label, fmt.Sprintf("%s → %s", orBlank(say(before)), orBlank(say(after)))}}
}

func orBlank(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

// stepChanges describes how the steps of a route differ.
func stepChanges(before, after json.RawMessage) []Detail {
	var was, is []card.ProcessStep
	_, _ = json.Unmarshal(before, &was), json.Unmarshal(after, &is)
	if len(was) == 0 || len(is) == 0 {
		var names []string
		for _, step := range slices.Concat(was, is) {
			names = append(names, step.Name)
		}
		return []Detail{{"Steps", strings.Join(names, " → ")}}
	}
	var told []Detail
	stays, moved, last := map[int]bool{}, false, -1
	for i := range is {
		label, at := "Step "+strconv.Itoa(i+1), stepBefore(was, is, i)
		if at < 0 {
			told = append(told, Detail{label, "new: " + StepInWords(is[i])})
			continue
		}
		stays[at], moved, last = true, moved || at < last, at
		if said := stepChange(was[at], is[i]); said != "" {
			told = append(told, Detail{label, said})
		}
	}
	for i := range was {
		if !stays[i] {
			told = append(told, Detail{"Step " + strconv.Itoa(i+1), "removed: " + was[i].Name})
		}
	}
	if moved {
		names := make([]string, len(is))
		for i := range is {
			names[i] = is[i].Name
		}
		told = append(told, Detail{"Order", strings.Join(names, " → ")})
	}
	return told
}

// stepBefore returns the index that a step had before, or -1 for a new step. Steps of templates have no identifiers and are compared by
// index.
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

func stepChange(was, is card.ProcessStep) string {
	var said []string
	if was.Name != is.Name {
		said = append(said, was.Name+" → "+is.Name)
	}
	if was.Location != is.Location {
		said = append(said, "at "+orBlank(was.Location)+" → "+orBlank(is.Location))
	}
	if was.Optional != is.Optional {
		said = append(said, map[bool]string{true: "optional now", false: "required now"}[is.Optional])
	}
	if was.DependencyType != is.DependencyType {
		said = append(said, wording.Words(was.DependencyType)+" → "+wording.Words(is.DependencyType))
	}
	if len(said) > 0 && was.Name == is.Name {
		return is.Name + ": " + strings.Join(said, ", ")
	}
	return strings.Join(said, ", ")
}

// billChanges describes how the part types of a bill of materials differ.
func billChanges(before, after json.RawMessage) []Detail {
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
			told = append(told, Detail{line.PartType, "removed"})
		case quantity(line.Before) != quantity(line.After):
			told = append(told, Detail{line.PartType, quantity(line.Before) + " → " + quantity(line.After)})
		default:
			told = append(told, Detail{line.PartType, "made by other jobs"})
		}
	}
	return told
}

// JobThen returns the name of an entry's job at the time, or its identifier.
func (p Past) JobThen(entry trail.Entry) string {
	return OrID(p.NamesThen.Jobs[entry.JobID], entry.JobID)
}

// CertificateThen returns the name of an entry's certificate at the time, or its identifier.
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

// ofReport describes a nonconformance report and its units, nil for entries that concern none.
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
					parts[i] += " to " + units.Last
				}
			}
			if len(parts) > 0 {
				told = append(told, Detail{"Units", strings.Join(parts, ", ")})
			}
		case one.name == "targetStepIndex":
			place, _ := strconv.Atoi(string(one.value))
			told = append(told, Detail{"Back to step", wording.Ordinal(place)})
		case isText && (one.name == "severity" || one.name == "disposition" || one.name == "scrapReason"):
			told = append(told, Detail{spaced(one.name), wording.Words(text)})
		default:
			told = append(told, Detail{spaced(one.name), plainValue(one.value)})
		}
	}
	return told
}

// ofHold describes why a unit was put on hold, released or sent to rework. The reason often contains the report's number already.
func ofHold(entry trail.Entry, object map[string]json.RawMessage) []Detail {
	reason, _ := textIn(object["reason"])
	told := []Detail{{"Reason", reason}}
	if pass, ok := object["pass"]; ok && entry.Action == card.ActionSerialReworked {
		told = append(told, Detail{"Pass", plainValue(pass)})
	}
	if report, ok := textIn(object["nonconformanceId"]); ok && report != "" && !strings.HasPrefix(reason, report+": ") {
		told = append(told, Detail{"Report", report})
	}
	return told
}

// StoryOf summarizes an entry in a few words, for another entry that refers to it.
func (p Past) StoryOf(entry trail.Entry) string {
	text := wording.ActionWords(shop.ActionTold(entry))
	if entry.FromStepID != "" {
		text += " from " + p.StepNameIn(entry, entry.FromStepID)
	}
	if entry.ToStepID != "" {
		text += " to " + p.StepNameIn(entry, entry.ToStepID)
	}
	if entry.StepID != "" {
		text += " at " + p.StepNameIn(entry, entry.StepID)
	}
	return text
}

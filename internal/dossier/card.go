package dossier

import (
	"cmp"
	_ "embed" // for card.html
	"html/template"
	"slices"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

//go:embed card.html
var cardTemplate string

// cardPage is the data of card.html. Installed parts, readings, signatures, files and the history are derived from the entries as the
// dossier has them. The other data is read from the database.
type cardPage struct {
	*lang.Language
	About        string
	Organization string
	Sealed       bool
	Last         ident.Timestamp // the time of the last entry
	Omitted      int             // the number of entries without details, because they identify other units
	Units        []cardUnit
	Files        []cardLink
	Conformances []shop.Conformance
	Articles     []cardArticle
	Signatures   []cardSignature // of entries that are not about units
}

type cardArticle struct {
	shop.FirstArticle
	Verified, Approved *cardSignOff // nil if it is not
	Letter             string       // the path of the file of the customer's approval; "" for none
}

// cardSignOff is the verification or the approval of a first article.
type cardSignOff struct {
	By      string
	At      ident.Timestamp
	Signed  []cardSignature
	EntryID string
}

type cardUnit struct {
	Card         card.Card
	Job          shop.Job
	Steps        []cardStep
	Parts        []cardPart
	Heats        []cardHeat // of the lots in it and in the units inside it
	Readings     []cardReading
	Failed       int // the number of readings that are out of limits and not voided
	Reports      []cardReport
	Troubles     []cardEntry // see troubles
	Signatures   []cardSignature
	Certificates []shop.Certificate
	Shipments    []cardShipment
	Entries      []cardEntry
}

// cardShipment is a shipment with the unit.
type cardShipment struct {
	shipment
	Line        shop.ListedLine // of the unit
	Step        string
	PackingSlip string
}

// Done returns the number of completed steps.
func (u cardUnit) Done() (done int) {
	for i := range u.Steps {
		if u.Steps[i].Status == card.StepCompleted {
			done++
		}
	}
	return done
}

type cardStep struct {
	Name   string
	Status card.StepStatus
	Left   *cardEntry // the last entry with which the unit left the step; nil if there is none
	Signed []cardSignature
}

type cardPart struct {
	part
	Lot          shop.Lot // the zero Lot for a unit
	Certificates []shop.Certificate
	Step         string
}

// cardHeat is a heat number with the unit that has the lot.
type cardHeat struct{ Number, Unit string }

type cardReading struct {
	card.Measurement
	Name, Step string
	Instrument instrument
	Void       card.Voiding
	EntryID    string
}

type cardReport struct {
	shop.Nonconformance
	Unit shop.NonconformingUnit
	Step string
}

type cardSignature struct {
	shop.Signature
	Actions []trail.Action // of the signed entries, each once
	Records []string       // to which the signed entries refer, except units, each once
}

// cardLink is a file.
type cardLink struct {
	attached
	Of   string // the record that it is attached to
	Path string // "" for a kind of file that the dossier has only on request
}

// cardEntry is an entry with the texts that its author typed.
type cardEntry struct {
	trail.Entry
	Step   string
	Undone bool // by a later entry
	Texts  struct {
		Reason      string `json:"reason"`
		Explanation string `json:"explanation"`
	}
}

// troubles lists the actions that record what did not go as planned, and the decisions about it.
func troubles() []trail.Action {
	return []trail.Action{
		card.ActionSerialHeld, card.ActionSerialReleased, card.ActionSerialReworked, card.ActionSerialScrapped,
		card.ActionSerialForceCompleted, card.ActionStepOverrideCreated, card.ActionStepOverrideReversed, card.ActionStepSkipped,
		card.ActionStepDeferred, card.ActionStepWaived, card.ActionComponentRemoved, card.ActionUnitRemoved, shop.ActionRecordVoided,
		replay.ActionChangeUndone,
	}
}

// carding makes card.html.
type carding struct {
	*reading
	shown   map[string]trail.Entry // the entries as the dossier has them, by identifier
	jobs    map[string]shop.Job
	steps   map[string]string // names by identifier
	undone  map[string]bool   // entries
	voided  map[string]card.Voiding
	called  map[string]string // names of characteristics by identifier
	persons map[string]string // names by identifier, and by login
}

// card returns card.html: all units, first those that the dossier concerns.
func (r *reading) card() (Payload, error) {
	c := carding{
		reading: r, shown: map[string]trail.Entry{}, jobs: map[string]shop.Job{}, steps: map[string]string{}, undone: map[string]bool{},
		called: map[string]string{}, persons: map[string]string{},
	}
	page := cardPage{Language: r.language, About: r.about, Sealed: r.maker.sealed}
	entries := inOrder(r.entries)
	for i := range entries {
		if r.scope.namesOthers(entries[i].Metadata) {
			entries[i].Metadata = nil
			page.Omitted++
		}
		page.Last = entries[i].Timestamp
		c.undone[replay.EntryUndoneBy(entries[i])] = true
		c.shown[entries[i].ID] = entries[i]
	}
	err := c.learnNames(entries)
	if err != nil {
		return Payload{}, err
	}
	for _, id := range r.units {
		unit, err := c.unit(id)
		if err != nil {
			return Payload{}, err
		}
		page.Units = append(page.Units, unit)
	}
	units := map[string]*cardUnit{}
	for i, id := range r.units {
		units[id] = &page.Units[i]
	}
	for id, unit := range units {
		unit.Heats = heatsOf(units, id)
	}
	if page.Files, err = c.files(entries); err != nil {
		return Payload{}, err
	}
	organization, err := shop.OrganizationIn(r.Reader)
	if err != nil {
		return Payload{}, err
	}
	page.Organization = organization.Name
	page.Conformances = inNumbers(r.conformances)
	if page.Signatures, err = c.signatures(bySerial(entries)[""]); err != nil {
		return Payload{}, err
	}
	if page.Articles, err = c.articles(entries, page.Signatures); err != nil {
		return Payload{}, err
	}
	text, err := rendered(cardTemplate, r.language, c.functions(), page)
	return Payload{cardFile, text}, err
}

// learnNames reads the names of people, steps and voidings.
func (c *carding) learnNames(entries []trail.Entry) (err error) {
	for user, err := range c.Users() {
		if err != nil {
			return err
		}
		c.persons[user.ID] = user.Name
		if user.Login != "" {
			c.persons[user.Login] = user.Name
		}
	}
	if c.voided, err = voided(entries); err != nil {
		return err
	}
	for _, id := range c.units {
		unit := c.cards[id]
		for i := range unit.Path.Steps {
			c.steps[unit.Path.Steps[i].ID] = unit.Path.Steps[i].Name
		}
		if _, known := c.jobs[unit.Serial.JobID]; known {
			continue
		}
		if c.jobs[unit.Serial.JobID], err = shop.FindJob(c.Reader, unit.Serial.JobID); err != nil {
			return err
		}
	}
	return nil
}

func (c *carding) functions() template.FuncMap {
	l := c.language
	return template.FuncMap{
		"at":     func(at ident.Timestamp) string { return l.Time(at.Time().In(c.maker.zone), lang.PaperMinute) },
		"who":    func(id string) template.HTML { return lang.Apart(c.person(id)) },
		"words":  func(value any) string { return lang.Words(l, value) },
		"action": func(action trail.Action) string { return wording.ActionWords(l, action) },
		"limits": func(limits card.Limits, unit string) string { return wording.LimitsInWords(l, limits, unit) },
	}
}

// person returns the name of a person, else the text that identifies the person.
func (c *carding) person(id string) string {
	if name, known := c.persons[id]; known {
		return name
	}
	return id
}

// about returns the entries of a unit as the dossier has them.
func (c *carding) about(id string) (entries []trail.Entry) {
	for i := range c.trails[id] {
		entries = append(entries, c.shown[c.trails[id][i].ID])
	}
	return entries
}

func (c *carding) unit(id string) (shown cardUnit, err error) {
	unit := c.cards[id]
	shown = cardUnit{Card: unit, Job: c.jobs[unit.Serial.JobID]}
	entries := c.about(id)
	if shown.Signatures, err = c.signatures(entries); err != nil {
		return shown, err
	}
	for i := range entries {
		one := cardEntry{Entry: entries[i], Step: c.steps[entries[i].StepID], Undone: c.undone[entries[i].ID]}
		if one.Step == "" {
			one.Step = c.steps[entries[i].FromStepID]
		}
		if len(entries[i].Metadata) > 0 {
			if err := metadataOf(&entries[i], &one.Texts); err != nil {
				return shown, err
			}
		}
		shown.Entries = append(shown.Entries, one)
		if slices.Contains(troubles(), one.Action) {
			shown.Troubles = append(shown.Troubles, one)
		}
	}
	shown.Steps = stepsOf(unit, shown.Entries, shown.Signatures)
	if shown.Parts, err = c.parts(id); err != nil {
		return shown, err
	}
	if shown.Readings, err = c.readings(entries); err != nil {
		return shown, err
	}
	for i := range shown.Readings {
		if shown.Readings[i].Verdict == card.VerdictFail && !shown.Readings[i].Void.Voided() {
			shown.Failed++
		}
	}
	for _, report := range inNumbers(c.reports) {
		at := slices.IndexFunc(report.Units, func(line shop.NonconformingUnit) bool { return line.SerialID == id })
		if at >= 0 {
			shown.Reports = append(shown.Reports, cardReport{report, report.Units[at], c.steps[report.StepID]})
		}
	}
	shown.Shipments = c.shipmentsOf(id)
	shown.Certificates, err = c.CertificatesOfSerial(id)
	return shown, err
}

// shipmentsOf returns the shipments with a unit.
func (c *carding) shipmentsOf(id string) (shown []cardShipment) {
	for _, sent := range inNumbers(c.shipments) {
		for _, line := range sent.Lines {
			if line.SerialID != id {
				continue
			}
			one := cardShipment{shipment: sent, Line: line, Step: c.steps[line.StepID]}
			for i := range sent.Receipts {
				if sent.Receipts[i].ID == line.ReceiptID {
					one.PackingSlip = sent.Receipts[i].PackingSlip
				}
			}
			shown = append(shown, one)
		}
	}
	return shown
}

// stepsOf returns the steps of a unit, with the entries by which it left them last.
func stepsOf(unit card.Card, entries []cardEntry, signatures []cardSignature) (steps []cardStep) {
	for i := range unit.Path.Steps {
		step := cardStep{Name: unit.Path.Steps[i].Name, Status: unit.StepStatus(i)}
		for at := range entries {
			left := entries[at].FromStepID == unit.Path.Steps[i].ID && entries[at].Action != card.ActionSerialReworked ||
				entries[at].StepID == unit.Path.Steps[i].ID && entries[at].Action == card.ActionDeferredStepCompleted
			if left && !entries[at].Undone && step.Status == card.StepCompleted {
				step.Left = &entries[at]
			}
		}
		for at := range signatures {
			if step.Left != nil && slices.Contains(signatures[at].EntryIDs, step.Left.ID) {
				step.Signed = append(step.Signed, signatures[at])
			}
		}
		steps = append(steps, step)
	}
	return steps
}

func (c *carding) signatures(entries []trail.Entry) (shown []cardSignature, err error) {
	readable := slices.DeleteFunc(slices.Clone(entries), func(entry trail.Entry) bool {
		return entry.Action == shop.ActionRecordSigned && hidden(&entry)
	})
	signatures, err := shop.SignaturesIn(readable)
	for i := range signatures {
		one := cardSignature{Signature: signatures[i]}
		for _, id := range signatures[i].EntryIDs {
			signed := c.entries[id]
			if !slices.Contains(one.Actions, signed.Action) {
				one.Actions = append(one.Actions, signed.Action)
			}
			if record := recordOf(signed); record != "" && !slices.Contains(one.Records, record) {
				one.Records = append(one.Records, record)
			}
		}
		shown = append(shown, one)
	}
	return shown, err
}

// recordOf returns the first article, certificate of conformance, report or lot to which an entry refers; "" for none.
func recordOf(entry trail.Entry) string {
	var refersTo struct {
		FirstArticleID   string `json:"firstArticleId"`
		ConformanceID    string `json:"conformanceId"`
		NonconformanceID string `json:"nonconformanceId"`
		LotID            string `json:"lotId"`
	}
	if len(entry.Metadata) == 0 || entry.SerialID != "" || trail.ReadMetadata(&entry, &refersTo) != nil {
		return ""
	}
	return cmp.Or(refersTo.FirstArticleID, refersTo.ConformanceID, refersTo.NonconformanceID, refersTo.LotID)
}

// articles returns the first articles with their last verification, approval and approval by the customer.
func (c *carding) articles(entries []trail.Entry, signatures []cardSignature) (shown []cardArticle, err error) {
	approvals, err := approvalsIn(entries)
	if err != nil {
		return nil, err
	}
	for _, f := range inNumbers(c.reading.articles) {
		one := cardArticle{FirstArticle: f}
		signOff := func(action trail.Action, by string, at ident.Timestamp) *cardSignOff {
			if by == "" {
				return nil
			}
			made := &cardSignOff{By: by, At: at}
			for i := range entries {
				if entries[i].Action == action && recordOf(entries[i]) == f.ID {
					made.EntryID = entries[i].ID
				}
			}
			for _, signature := range signatures {
				if slices.Contains(signature.EntryIDs, made.EntryID) {
					made.Signed = append(made.Signed, signature)
				}
			}
			return made
		}
		one.Verified = signOff(shop.ActionFirstArticleVerified, f.VerifiedBy, f.VerifiedAt)
		one.Approved = signOff(shop.ActionFirstArticleApproved, f.ApprovedBy, f.ApprovedAt)
		for _, a := range approvals {
			if a.FirstArticleID == f.ID {
				one.Letter = a.file()
			}
		}
		shown = append(shown, one)
	}
	return shown, nil
}

// parts returns what is in a unit.
func (c *carding) parts(id string) (shown []cardPart, err error) {
	within, err := installed(c.about(id))
	if err != nil {
		return nil, err
	}
	for _, p := range within[id] {
		one := cardPart{part: p, Lot: c.lots[p.LotID], Step: c.steps[p.StepID]}
		if p.LotID != "" {
			certificates, err := c.LotCertificates(p.LotID)
			if err != nil {
				return nil, err
			}
			for _, attached := range certificates {
				one.Certificates = append(one.Certificates, c.certificates[attached.CertID])
			}
		}
		shown = append(shown, one)
	}
	return shown, nil
}

// heatsOf returns the heat numbers in a unit, and in the units inside it at any depth.
func heatsOf(units map[string]*cardUnit, id string) (heats []cardHeat) {
	inside, seen := []string{id}, map[string]bool{}
	for ; len(inside) > 0; inside = inside[1:] {
		unit := units[inside[0]]
		if unit == nil || seen[inside[0]] {
			continue
		}
		seen[inside[0]] = true
		for i := range unit.Parts {
			p := &unit.Parts[i]
			if heat := (cardHeat{p.Lot.HeatNumber, inside[0]}); heat.Number != "" && !slices.Contains(heats, heat) {
				heats = append(heats, heat)
			}
			if p.ComponentSerialID != "" {
				inside = append(inside, p.ComponentSerialID)
			}
		}
	}
	return heats
}

func (c *carding) readings(entries []trail.Entry) (shown []cardReading, err error) {
	for i := range entries {
		if entries[i].Action != shop.ActionMeasured || hidden(&entries[i]) {
			continue
		}
		measured, err := shop.MeasurementsOf(&entries[i])
		if err != nil {
			return nil, err
		}
		for _, m := range measured {
			if err := c.learn(m.CharacteristicID); err != nil {
				return nil, err
			}
			shown = append(shown, cardReading{
				m, c.called[m.CharacteristicID], c.steps[m.StepID], c.instruments[m.InstrumentID], c.voided[m.ID], entries[i].ID,
			})
		}
	}
	return shown, nil
}

// learn reads the name of a characteristic.
func (c *carding) learn(id string) error {
	if _, known := c.called[id]; known {
		return nil
	}
	set, err := c.SetWith(id)
	if err != nil {
		return err
	}
	for i := range set.Characteristics {
		c.called[set.Characteristics[i].ID] = set.Characteristics[i].Name
	}
	return nil
}

// files returns the files that are not voided.
func (c *carding) files(entries []trail.Entry) (shown []cardLink, err error) {
	links, err := filesIn(entries)
	for i := range links {
		if links[i].Voided() {
			continue
		}
		one := cardLink{attached: links[i], Of: links[i].OnID}
		for _, name := range []string{
			c.lots[one.OnID].LotNumber, c.certificates[one.OnID].Name, c.instruments[one.OnID].Number, c.steps[one.OnID],
			c.jobs[one.OnID].Name,
		} {
			if name != "" {
				one.Of = name
			}
		}
		if !slices.Contains(onRequest(), one.Kind) {
			one.Path = storedAs(one.SHA256, one.Type)
		}
		shown = append(shown, one)
	}
	return shown, err
}

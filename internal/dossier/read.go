package dossier

import (
	"maps"
	"slices"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// UnitLimit is the maximum number of units of a job or certificate of conformance in a dossier. Units inside them are not counted.
const UnitLimit = 10_000

var tooManyUnits = refusal.NewReason(refusal.Invalid, "too_many_in_dossier", "At most {limit} units in a dossier")

// Read reads the content of a unit's dossier, except for the ledger, the day and the bytes of files. It refuses a unit that does not exist.
// The pages are in the language with the tag, see Maker.chosen.
func (m *Maker) Read(tx shop.Reader, unit, tag string) (Content, error) {
	return m.read(tx, asked{about: unit, units: []string{unit}, tag: tag})
}

// ReadJob reads the content of the dossier of a job with all its units. It refuses a job that does not exist or has more than UnitLimit
// units.
func (m *Maker) ReadJob(tx shop.Reader, id, tag string) (c Content, err error) {
	job, err := shop.FindJob(tx, id)
	if err != nil {
		return c, err
	}
	numbers, err := tx.SerialsWhere(shop.SerialFilter{JobID: id}, UnitLimit+1)
	if err != nil {
		return c, err
	}
	if len(numbers) > UnitLimit {
		return c, refusal.Refuse(tooManyUnits, UnitLimit)
	}
	units := make([]string, len(numbers))
	for i, number := range numbers {
		units[i] = tx.SerialPrefix().SerialID(number)
	}
	return m.read(tx, asked{about: id, job: id, units: units, tag: tag, language: job.Language})
}

// ReadConformance reads the content of the dossier of a certificate of conformance with the units of its newest revision, at most
// UnitLimit. It refuses a certificate that does not exist.
func (m *Maker) ReadConformance(tx shop.Reader, id, tag string) (c Content, err error) {
	found, err := tx.Conformance(id)
	if err != nil {
		return c, shop.OrNotFound(err, shop.NameConformance, id)
	}
	var units []string
	for unit, err := range tx.UnitsOfConformance(id, found.Revision) {
		if err != nil {
			return c, err
		}
		if len(units) == UnitLimit {
			return c, refusal.Refuse(tooManyUnits, UnitLimit)
		}
		units = append(units, unit.SerialID)
	}
	return m.read(tx, asked{about: id, units: units, tag: tag, language: found.Lang})
}

// ReadFirstArticle reads the content of the dossier of a first article inspection with its units. It refuses one that does not exist.
func (m *Maker) ReadFirstArticle(tx shop.Reader, id, tag string) (c Content, err error) {
	found, err := tx.FirstArticle(id)
	if err != nil {
		return c, shop.OrNotFound(err, shop.NameFirstArticle, id)
	}
	return m.read(tx, asked{about: id, units: found.SerialIDs, tag: tag})
}

// asked is a dossier that is read.
type asked struct {
	about    string // the record
	job      string // the job of the dossier; "" for another dossier
	units    []string
	tag      string // of the language that the request chooses; "" for none
	language string // tag of the language of the record; "" for that of the job of its first unit
}

// reading reads the records of a dossier in one transaction.
type reading struct {
	shop.Reader
	maker    *Maker
	language *lang.Language
	about    string
	job      string // the job of the dossier; "" for another dossier
	units    []string
	scope    scope // the units
	cards    map[string]card.Card
	trails   map[string][]trail.Entry
	entries  map[string]trail.Entry

	certificates map[string]shop.Certificate
	lots         map[string]shop.Lot
	reports      map[string]shop.Nonconformance
	instruments  map[string]instrument
	shipments    map[string]shipment
	conformances map[string]shop.Conformance
	articles     map[string]shop.FirstArticle
	documents    map[string]Document
}

func (m *Maker) read(tx shop.Reader, of asked) (c Content, err error) {
	r := &reading{
		Reader: tx, maker: m, about: of.about, job: of.job, cards: map[string]card.Card{},
		trails: map[string][]trail.Entry{}, entries: map[string]trail.Entry{}, certificates: map[string]shop.Certificate{},
		lots: map[string]shop.Lot{}, reports: map[string]shop.Nonconformance{}, instruments: map[string]instrument{},
		shipments: map[string]shipment{}, conformances: map[string]shop.Conformance{}, documents: map[string]Document{},
		articles: map[string]shop.FirstArticle{},
	}
	if r.units, err = UnitsInside(of.units, r.trailOf); err != nil {
		return c, err
	}
	r.scope = scopeOf(tx.SerialPrefix(), r.units)
	if of.language == "" && len(r.units) > 0 {
		job, err := shop.FindJob(tx, r.cards[r.units[0]].Serial.JobID)
		if err != nil {
			return c, err
		}
		of.language = job.Language
	}
	if r.language, err = m.chosen(tx, of.tag, of.language); err != nil {
		return c, err
	}
	for _, part := range []func() error{
		r.readUnits, r.readLots, r.readCertificates, r.readReports, r.readInstruments, r.readShipments, r.readConformances,
		r.readFirstArticles, r.readApprovals, r.readVoidings, r.readSignatures,
	} {
		if err := part(); err != nil {
			return c, err
		}
	}
	c.About, c.Prefix, c.Units, c.Entries, c.Language = of.about, tx.SerialPrefix(), r.units, inOrder(r.entries), r.language
	for _, name := range slices.Sorted(maps.Keys(r.documents)) {
		c.Documents = append(c.Documents, r.documents[name])
	}
	if c.Missing, err = r.missing(); err != nil {
		return c, err
	}
	if c.verify, err = m.VerifyPage(r.language); err != nil {
		return c, err
	}
	c.Payload, err = r.payload()
	return c, err
}

// inOrder returns entries in the order of the trail.
func inOrder(entries map[string]trail.Entry) []trail.Entry {
	return slices.SortedFunc(maps.Values(entries), func(a, b trail.Entry) int { return byNumber(a.ID, b.ID) })
}

// trailOf returns the entries of a unit.
func (r *reading) trailOf(id string) ([]trail.Entry, error) {
	if entries, known := r.trails[id]; known {
		return entries, nil
	}
	unit, err := r.RouteCard(id)
	if err != nil {
		return nil, shop.OrNotFound(err, shop.NameSerial, id)
	}
	r.cards[id] = unit
	r.trails[id], err = shop.TrailOf(r.Reader, unit.Serial)
	return r.trails[id], err
}

// readUnits adds the entries of the units and of their jobs.
func (r *reading) readUnits() error {
	jobs := map[string]bool{}
	if r.job != "" {
		jobs[r.job] = true
	}
	for _, id := range r.units {
		for _, entry := range r.trails[id] {
			r.entries[entry.ID] = entry
		}
		jobs[r.cards[id].Serial.JobID] = true
	}
	for _, job := range slices.Sorted(maps.Keys(jobs)) {
		for entry, err := range r.AuditOfJob(job) {
			if err != nil {
				return err
			}
			if entry.SerialID == "" && entry.Action != card.ActionSerialCreated && entry.Action != shop.ActionRecordSigned {
				r.entries[entry.ID] = entry
			}
		}
	}
	return nil
}

// addRecord adds the entries about a record that is no unit, except for their signatures, see readSignatures.
func (r *reading) addRecord(id string) error {
	for entry, err := range r.AuditOfRecord(id) {
		if err != nil {
			return err
		}
		if entry.Action != shop.ActionRecordSigned {
			r.entries[entry.ID] = entry
		}
	}
	return nil
}

// readLots adds the lots inside the units, and the lots that these were split from.
func (r *reading) readLots() error {
	waiting := []string{}
	for _, id := range r.units {
		within, err := installed(r.trails[id])
		if err != nil {
			return err
		}
		for _, p := range within[id] {
			if p.LotID != "" {
				waiting = append(waiting, p.LotID)
			}
		}
	}
	for ; len(waiting) > 0; waiting = waiting[1:] {
		if _, known := r.lots[waiting[0]]; known {
			continue
		}
		lot, err := r.Lot(waiting[0])
		if err != nil {
			return err
		}
		r.lots[lot.ID] = lot
		if lot.ParentID != "" {
			waiting = append(waiting, lot.ParentID)
		}
		if err := r.addRecord(lot.ID); err != nil {
			return err
		}
	}
	return nil
}

// readCertificates adds the certificates of the units, of their lots and of their receipts.
func (r *reading) readCertificates() error {
	for _, id := range r.units {
		found, err := r.CertificatesOfSerial(id)
		if err != nil {
			return err
		}
		for _, certificate := range found {
			r.certificates[certificate.ID] = certificate
		}
	}
	for id := range r.certificates {
		if err := r.addRecord(id); err != nil {
			return err
		}
	}
	return nil
}

func (r *reading) readReports() error {
	for chunk := range slices.Chunk(r.units, shop.ChunkSize) {
		on, err := r.ReportsOfUnits(chunk)
		if err != nil {
			return err
		}
		for i := range on {
			id := on[i].ReportID
			if _, known := r.reports[id]; known {
				continue
			}
			if r.reports[id], err = r.Nonconformance(id); err != nil {
				return err
			}
			if err := r.addRecord(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// instrument is an instrument in instruments.json, with what does not depend on the day.
type instrument struct {
	ID     string `json:"id"`
	Number string `json:"number"`
	Name   string `json:"name"`
	shop.MeasuringRange
	Calibrations []shop.Calibration `json:"calibrations"` // oldest first
}

// readInstruments adds the instruments that the readings of the units name.
func (r *reading) readInstruments() error {
	for _, id := range r.units {
		for i := range r.trails[id] {
			entry := &r.trails[id][i]
			if entry.Action != shop.ActionMeasured {
				continue
			}
			measured, err := shop.MeasurementsOf(entry)
			if err != nil {
				return err
			}
			for _, m := range measured {
				if err := r.addInstrument(m.InstrumentID); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (r *reading) addInstrument(id string) error {
	if _, known := r.instruments[id]; known || id == "" {
		return nil
	}
	found, err := r.Instrument(id)
	if err != nil {
		return err
	}
	calibrations, err := r.CalibrationsOf(id)
	if err != nil {
		return err
	}
	r.instruments[id] = instrument{found.ID, found.Number, found.Name, found.MeasuringRange, calibrations}
	return r.addRecord(id)
}

// shipment is a shipment in shipments.json, with what does not depend on the day. It has the units of the dossier and the number of others.
type shipment struct {
	ID          string            `json:"id"`
	Kind        card.ShipmentKind `json:"kind"`
	Party       string            `json:"party"` // the supplier or customer
	OrderNumber string            `json:"orderNumber,omitempty"`
	SentOn      string            `json:"sentOn"`
	CreatedBy   string            `json:"createdBy"`
	CreatedAt   ident.Timestamp   `json:"createdAt"`
	Lines       []shop.ListedLine `json:"lines"`
	Others      int               `json:"otherUnits"`
	Receipts    []receipt         `json:"receipts"` // those of units of the dossier, oldest first, also voided ones
}

// receipt is a receipt in shipments.json. Which units it received is in the lines.
type receipt struct {
	ID               string             `json:"id"`
	Missing          []shop.MissingUnit `json:"missing"`
	NonconformanceID string             `json:"nonconformanceId,omitempty"`
	PackingSlip      string             `json:"packingSlip,omitempty"`
	CertIDs          []string           `json:"certIds"`
	ReceivedBy       string             `json:"receivedBy"`
	ReceivedAt       ident.Timestamp    `json:"receivedAt"`
	card.Voiding
}

// readShipments adds the shipments that the entries of the units name.
func (r *reading) readShipments() error {
	for _, id := range r.units {
		for i := range r.trails[id] {
			if r.trails[id][i].Action != card.ActionSerialSent {
				continue
			}
			var sent card.SentMetadata
			if err := trail.ReadMetadata(&r.trails[id][i], &sent); err != nil {
				return err
			}
			if err := r.addShipment(sent.ShipmentID); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *reading) addShipment(id string) error {
	if _, known := r.shipments[id]; known {
		return nil
	}
	found, err := r.Shipment(id)
	if err != nil {
		return err
	}
	made := shipment{
		ID: found.ID, Kind: found.Kind, Party: found.Party(), OrderNumber: found.OrderNumber, SentOn: found.SentOn,
		CreatedBy: found.CreatedBy, CreatedAt: found.CreatedAt, Lines: []shop.ListedLine{}, Receipts: []receipt{},
	}
	for line, err := range r.LinesOfShipment(id) {
		if err != nil {
			return err
		}
		if r.scope.has[line.SerialID] {
			made.Lines = append(made.Lines, line)
		} else {
			made.Others++
		}
	}
	receipts, err := r.ReceiptsOfShipments([]string{id})
	if err != nil {
		return err
	}
	for i := range receipts {
		one := receipt{
			receipts[i].ID, []shop.MissingUnit{}, receipts[i].NonconformanceID, receipts[i].PackingSlip, receipts[i].CertIDs,
			receipts[i].ReceivedBy, receipts[i].ReceivedAt, receipts[i].Voiding,
		}
		for _, unit := range receipts[i].Missing {
			if r.scope.has[unit.SerialID] {
				one.Missing = append(one.Missing, unit)
			}
		}
		if len(one.Missing) > 0 || made.received(one.ID) {
			made.Receipts = append(made.Receipts, one)
		}
		if err := r.addRecord(one.ID); err != nil {
			return err
		}
	}
	r.shipments[id] = made
	return r.addRecord(id)
}

// received reports whether a receipt has units of the dossier.
func (s *shipment) received(receiptID string) bool {
	return slices.ContainsFunc(s.Lines, func(line shop.ListedLine) bool { return line.ReceiptID == receiptID })
}

// readVoidings adds the entries that void files of records, also those of steps that were removed from their path.
func (r *reading) readVoidings() error {
	for _, entry := range inOrder(r.entries) {
		if entry.Action != shop.ActionFileAttached || entry.SerialID != "" {
			continue
		}
		link, err := shop.LinkOf(&entry)
		if err != nil {
			return err
		}
		if err := r.addRecord(link.ID); err != nil {
			return err
		}
	}
	return nil
}

// readConformances adds the certificates of conformance that name the units, with the PDF of each revision.
func (r *reading) readConformances() error {
	for _, id := range r.units {
		on, err := r.ConformancesOfUnit(id)
		if err != nil {
			return err
		}
		for i := range on {
			if err := r.addConformance(on[i].ID); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *reading) addConformance(id string) error {
	if _, known := r.conformances[id]; known {
		return nil
	}
	found, err := r.Conformance(id)
	if err != nil {
		return err
	}
	certificates := []shop.Conformance{found}
	if err := shop.AddConformanceRevisions(r.Reader, certificates); err != nil {
		return err
	}
	r.conformances[id] = certificates[0]
	issues, err := r.ConformanceIssues([]string{id})
	if err != nil {
		return err
	}
	for i := range issues {
		name := conformanceFile(id, issues[i].Revision)
		r.documents[name] = Document{name, issues[i].SHA256, issues[i].Size}
	}
	return r.addRecord(id)
}

// readFirstArticles adds the first article inspections of the units. Those that are verified have a file with their content.
func (r *reading) readFirstArticles() error {
	for _, id := range r.units {
		on, err := r.FirstArticlesOfUnit(id)
		if err != nil {
			return err
		}
		for i := range on {
			f := &on[i]
			if _, known := r.articles[f.ID]; known {
				continue
			}
			r.articles[f.ID] = *f
			if f.SHA256 != "" {
				name := firstArticleFile(f.ID)
				r.documents[name] = Document{name, f.SHA256, int64(len(f.Content))}
			}
			if err := r.addRecord(f.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// readApprovals adds the files of the approvals of these first article inspections by customers.
func (r *reading) readApprovals() error {
	shown := slices.DeleteFunc(inOrder(r.entries), func(entry trail.Entry) bool { return r.scope.namesOthers(entry.Metadata) })
	approvals, err := approvalsIn(shown)
	if err != nil {
		return err
	}
	for _, a := range approvals {
		if _, of := r.articles[a.FirstArticleID]; !of {
			continue
		}
		file, err := r.File(a.SHA256)
		if err != nil {
			return err
		}
		r.documents[a.file()] = Document{a.file(), a.SHA256, file.Size}
	}
	return nil
}

// signedWithin is the number of entries after an entry among which its signatures are searched. More are read while they have its time.
const signedWithin = 100

// readSignatures adds the signatures of entries that are not about units, such as the approval of a first article. A signature belongs to
// the last entries before it. Without all of these the dossier could not prove it, so that it does not have it.
func (r *reading) readSignatures() error {
	var before []trail.Entry     // not about units, in the order of the trail
	var signable ident.Timestamp // of the last entry that can be signed: its change has one time
	for _, entry := range inOrder(r.entries) {
		if entry.SerialID != "" || entry.Action == shop.ActionRecordSigned {
			continue
		}
		if before = append(before, entry); r.scope.namesOthers(entry.Metadata) {
			before = before[:0]
			continue
		}
		if shop.SigningOf(&entry) != "" {
			signable = entry.Timestamp
		}
		if entry.Timestamp != signable {
			continue
		}
		if err := r.readSignaturesOf(before); err != nil {
			return err
		}
	}
	return nil
}

// readSignaturesOf adds the signatures whose last signed entry is the last of these.
func (r *reading) readSignaturesOf(signed []trail.Entry) error {
	last := signed[len(signed)-1]
	sequence, _ := ident.AuditSequence(last.ID)
	for {
		following, err := r.AuditAfter(sequence, signedWithin)
		if err != nil || len(following) == 0 {
			return err
		}
		for i := range following {
			entry := &following[i]
			if entry.SerialID != "" {
				continue
			}
			if entry.Action != shop.ActionRecordSigned {
				return nil // it ends the entries that signatures after it sign
			}
			wrong, err := shop.Signing{Canonical: ledger.Leaf}.Check(append(slices.Clip(signed), *entry))
			if wrong == "" && err == nil && !r.scope.namesOthers(entry.Metadata) {
				r.entries[entry.ID] = *entry
			}
		}
		end := following[len(following)-1]
		if end.Timestamp != last.Timestamp {
			return nil
		}
		sequence, _ = ident.AuditSequence(end.ID)
	}
}

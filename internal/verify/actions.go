package verify

import (
	"maps"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/trail"
)

// taker handles the entries of one action in a check.
type taker struct {
	take func(*RecordCheck, *trail.Entry) error
	// older is true if earlier versions wrote such entries without metadata. Entries without metadata are not compared.
	older bool
}

// takers lists the actions whose entries describe a record, except the kinds of records that kept.go compares. CheckSerials replays entries
// that change the card of a unit.
var takers = map[trail.Action]taker{ //nolint:exhaustive // other actions describe no record
	card.ActionSerialCreated:          {take: (*RecordCheck).serials, older: true},
	shop.ActionCertAttached:           {take: (*RecordCheck).attachment},
	card.ActionSerialNumberSet:        {take: (*RecordCheck).numberSet},
	shop.ActionFileAttached:           {take: (*RecordCheck).fileAttached},
	shop.ActionMeasured:               {take: (*RecordCheck).measured},
	card.ActionSerialHeld:             {take: (*RecordCheck).hold, older: true},
	card.ActionSerialReleased:         {take: (*RecordCheck).hold, older: true},
	shop.ActionRecordVoided:           {take: (*RecordCheck).voiding},
	shop.ActionCertificateCreated:     {take: (*RecordCheck).certificate, older: true},
	shop.ActionRecordSigned:           {take: (*RecordCheck).signature},
	shop.ActionSignaturePolicyChanged: {take: (*RecordCheck).signaturePolicy},
	shop.ActionAccessPolicyChanged:    {take: (*RecordCheck).accessPolicy},

	shop.ActionNonconformanceOpened:        {take: (*RecordCheck).report},
	shop.ActionNonconformanceExtended:      {take: (*RecordCheck).report},
	shop.ActionNonconformanceDispositioned: {take: (*RecordCheck).report},
	shop.ActionNonconformanceClosed:        {take: (*RecordCheck).report},

	shop.ActionNoteCreated:     {take: (*RecordCheck).note},
	shop.ActionBOMCreated:      {take: (*RecordCheck).bill, older: true},
	shop.ActionBOMUpdated:      {take: (*RecordCheck).bill, older: true},
	shop.ActionBOMEdited:       {take: (*RecordCheck).bill, older: true},
	shop.ActionTemplateCreated: {take: (*RecordCheck).template, older: true},
	shop.ActionTemplateChanged: {take: (*RecordCheck).template, older: true},
	shop.ActionTemplateDeleted: {take: (*RecordCheck).template, older: true},
	shop.ActionUserCreated:     {take: (*RecordCheck).user, older: true},
	shop.ActionUserChanged:     {take: (*RecordCheck).user, older: true},
	shop.ActionAccountChanged:  {take: (*RecordCheck).user, older: true},
	shop.ActionSecretChanged:   {take: (*RecordCheck).passed},
	// The person who confirmed an account is stored with the secrets, which are not compared.
	shop.ActionAccountConfirmed: {take: (*RecordCheck).passed},
	shop.ActionAccountUnlocked:  {take: (*RecordCheck).passed}, // attempts and sessions are not compared either
	shop.ActionSessionEnded:     {take: (*RecordCheck).passed},

	shop.ActionJobCreated: {take: (*RecordCheck).jobCreated, older: true},
	shop.ActionJobChanged: {take: (*RecordCheck).jobChanged, older: true},

	shop.ActionJobClosed:   {take: (*RecordCheck).jobClosed},
	shop.ActionJobReopened: {take: (*RecordCheck).jobClosed},

	shop.ActionPathCreated:            {take: (*RecordCheck).pathCreated, older: true},
	shop.ActionTemplateApplied:        {take: (*RecordCheck).pathCreated, older: true},
	card.ActionPathUpdated:            {take: (*RecordCheck).pathChanged, older: true},
	shop.ActionAdvancementModeChanged: {take: (*RecordCheck).pathChanged, older: true},
	shop.ActionStepAssigned:           {take: (*RecordCheck).pathChanged, older: true},
	shop.ActionStepConfigChanged:      {take: (*RecordCheck).pathChanged, older: true},
	shop.ActionPathBOMSet:             {take: (*RecordCheck).pathChanged},
	shop.ActionPathDeleted:            {take: (*RecordCheck).pathDeleted, older: true},
}

func (c *RecordCheck) serials(entry *trail.Entry) error {
	if made, told := shop.SerialsCreatedBy(*entry); told {
		c.told.made(made.NumberRange)
	}
	return nil
}

func (c *RecordCheck) attachment(entry *trail.Entry) error {
	c.told.attached[strings.Clone(entry.CertID)]++
	return nil
}

func (c *RecordCheck) hold(entry *trail.Entry) error { return c.told.hold(entry) }

func (c *RecordCheck) voiding(entry *trail.Entry) error {
	var told card.VoidedMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	if told.LotContents != "" {
		c.hashes.take(entry, shop.RecordLot, told.LotID, told.LotContents)
	}
	if told.LineContents != "" {
		c.hashes.take(entry, shop.RecordShipmentLine, card.LineKey(told.ShipmentID, entry.SerialID), told.LineContents)
	}
	c.voided[told.RecordID] = card.Voiding{
		VoidedAt: entry.Timestamp, VoidedBy: strings.Clone(entry.UserID), VoidReason: told.Reason,
	}
	return nil
}

func (c *RecordCheck) certificate(entry *trail.Entry) error {
	told := struct {
		After    shop.Certificate
		Contents trail.ContentsSHA256 `json:"contentsSha256"`
	}{After: shop.Certificate{CreatedAt: entry.Timestamp}}
	err := trail.ReadMetadata(entry, &told)
	if told.Contents != "" {
		c.hashes.begin(entry)
	}
	c.told.certificates[strings.Clone(entry.CertID)] = toldCertificate{told.After, told.Contents}
	return err
}

// signature reads the entry of a signature. It checks a signature without a serial; signatures of serials are checked with their serials.
func (c *RecordCheck) signature(entry *trail.Entry) error {
	var told struct {
		Login   string `json:"login"`
		Entries int    `json:"entries"`
	}
	if trail.ReadMetadata(entry, &told) == nil { // otherwise the check of the signature reports it
		c.signed.signed(entry.SerialID, told.Login, told.Entries)
	}
	if entry.SerialID != "" {
		return nil
	}
	if _, why := c.signing.Check(append(c.recent, *entry)); why != nil {
		c.differs(RecordDifference{Kind: shop.RecordSignature, ID: strings.Clone(entry.ID), Why: why})
	}
	return nil
}

func (c *RecordCheck) signaturePolicy(entry *trail.Entry) error {
	var told struct {
		After shop.SignaturePolicy `json:"after"`
	}
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	maps.Copy(c.signed.policy, told.After)
	return nil
}

func (c *RecordCheck) jobCreated(entry *trail.Entry) error {
	told := struct{ After toldJob }{After: toldJob{createdAt: entry.Timestamp}}
	err := trail.ReadMetadata(entry, &told)
	c.told.jobs[strings.Clone(entry.JobID)] = &told.After
	return err
}

func (c *RecordCheck) jobChanged(entry *trail.Entry) error {
	if job := c.told.jobs[entry.JobID]; job != nil {
		return job.change(entry)
	}
	return nil
}

// jobClosed reads an entry about a job that was closed or reopened.
func (c *RecordCheck) jobClosed(entry *trail.Entry) error {
	var told struct{ Reason string }
	err := trail.ReadMetadata(entry, &told)
	closing := shop.JobClosing{}
	if entry.Action == shop.ActionJobClosed {
		closing = shop.JobClosing{ClosedAt: entry.Timestamp, ClosedBy: strings.Clone(entry.UserID), CloseReason: told.Reason}
	}
	c.told.closings[strings.Clone(entry.JobID)] = closing
	return err
}

func (c *RecordCheck) pathCreated(entry *trail.Entry) error {
	told := struct{ After toldPath }{After: toldPath{jobID: strings.Clone(entry.JobID), createdAt: entry.Timestamp}}
	err := trail.ReadMetadata(entry, &told)
	c.told.paths[strings.Clone(entry.PathID)] = &told.After
	return err
}

func (c *RecordCheck) pathChanged(entry *trail.Entry) error {
	if path := c.told.paths[entry.PathID]; path != nil {
		return path.change(entry)
	}
	return nil
}

func (c *RecordCheck) pathDeleted(entry *trail.Entry) error {
	c.told.paths[strings.Clone(entry.PathID)] = nil
	return nil
}

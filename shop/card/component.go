package card

import (
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Component is one installation of another unit, or of an amount of a lot, in a unit. It is never deleted: it is removed or voided.
type Component struct {
	ID                string          `json:"id"`
	SerialID          string          `json:"serialId"` // the unit that contains the component
	ComponentSerialID string          `json:"componentSerialId,omitempty"`
	LotID             string          `json:"lotId,omitempty"`
	Quantity          input.Decimal   `json:"quantity,omitempty"` // as typed; missing for an unknown amount of a lot without a quantity
	Unit              string          `json:"unit,omitempty"`
	PartType          string          `json:"partType,omitempty"`
	PartSerialNumber  string          `json:"partSerialNumber,omitempty"`
	Place             string          `json:"place,omitempty"`
	SubstituteReason  string          `json:"substituteReason,omitempty"`
	StepID            string          `json:"stepId"`
	Pass              int             `json:"pass"` // the pass of the unit that contains the component
	InstalledBy       string          `json:"installedBy"`
	InstalledAt       ident.Timestamp `json:"installedAt"`
	RemovedBy         string          `json:"removedBy,omitempty"`
	RemovedAt         ident.Timestamp `json:"removedAt,omitzero"`
	RemoveReason      string          `json:"removeReason,omitempty"`
	Returned          bool            `json:"returned,omitempty"` // whether the removed amount is part of the lot again
	Voiding
}

// Open reports whether the component is still inside its unit: it is neither removed nor voided.
func (c *Component) Open() bool { return c.RemovedAt == 0 && !c.Voided() }

// Contents is the SHA-256 that the audit entries of a component record. It does not cover the voiding.
func (c *Component) Contents() trail.ContentsSHA256 {
	kept := *c
	kept.Voiding = Voiding{}
	return trail.ContentsOf(kept)
}

// ComponentLimit is the maximum number of open components of one unit.
const ComponentLimit = 10_000

// RefuseInstallingInto returns the refusal to install anything into a unit because of the unit's state, or nil.
func RefuseInstallingInto(parent Card) error {
	switch parent.Serial.Status {
	case Scrapped:
		return refusal.Refuse(InstallScrapped)
	case Completed:
		if !parent.Defers() {
			return refusal.Refuse(refusal.SerialCompleted)
		}
	case InProgress:
	}
	return RefuseStopped(parent)
}

// Defers reports whether a step of the unit is deferred.
func (c Card) Defers() bool {
	for _, exception := range c.Exceptions {
		if exception.Status == StepDeferred {
			return true
		}
	}
	return false
}

// RefuseInstalling returns the refusal to install a unit in another unit, or nil. above has the units that contain the parent.
func RefuseInstalling(parent, unit Card, above []string) error {
	switch id := unit.Serial.ID; {
	case id == parent.Serial.ID || slices.Contains(above, id):
		return refusal.Refuse(InsideItself, parent.Serial.ID)
	case unit.Inside != "":
		return refusal.Refuse(InstalledAlready, id, unit.Inside)
	case unit.Serial.Status == Scrapped:
		return refusal.Refuse(ComponentScrapped, id)
	case unit.Serial.Status != Completed:
		return refusal.Refuse(ComponentOpen, id)
	case len(unit.Holds) > 0:
		return refusal.Refuse(ComponentHeld, id, unit.Holds[0].Reason)
	}
	return RefuseAway(unit)
}

// Fitting is a part to install, with the fields that decide for which part type of a bill it counts.
type Fitting struct {
	Name             string // the unit, or the number of the lot
	PartNumber       string // "" for a part without a number
	JobID            string // of a unit; "" for a lot
	Title            string // the part number or, without one, the name of the job or the material; for messages
	SubstituteFor    string // the part type that it replaces; "" if it replaces none
	SubstituteReason string
}

// PartTypeFor returns the part type in the unit's bill for which a part counts. It is "" for a unit without a bill. A part that matches no
// entry of the bill is refused unless it replaces a part type of the bill, with a reason.
func (c Card) PartTypeFor(part Fitting) (string, error) {
	if part.SubstituteFor == "" {
		partType := c.Matching(part.PartNumber, part.JobID)
		if partType == "" && len(c.Bill) > 0 {
			return "", c.refuseForeign(part)
		}
		return partType, nil
	}
	listed := false
	for i := range c.Bill {
		if entry := &c.Bill[i]; entry.PartType == part.SubstituteFor {
			if listed = true; entry.fits(part.PartNumber, part.JobID) {
				return "", refusal.RefuseField(NoSubstitute, "substituteFor", part.Name, entry.PartType)
			}
		}
	}
	switch {
	case listed && part.SubstituteReason == "":
		return "", refusal.RefuseField(refusal.Required, "substituteReason")
	case listed:
		return part.SubstituteFor, nil
	case len(c.Bill) > 0 && c.Matching(part.PartNumber, part.JobID) == "":
		return "", c.refuseForeign(part)
	}
	return "", refusal.RefuseField(PartTypeUnlisted, "substituteFor", part.SubstituteFor, c.Serial.ID)
}

// refuseForeign refuses a part that matches no entry of the unit's bill.
func (c Card) refuseForeign(part Fitting) error {
	return refusal.Refuse(PartUnneeded, part.Name, part.Title, strings.Join(c.PartTypes(), ", "))
}

// PartTypes returns the part types of the unit's bill, each once, in the order of the bill.
func (c Card) PartTypes() (types []string) {
	for i := range c.Bill {
		if partType := c.Bill[i].PartType; !slices.Contains(types, partType) {
			types = append(types, partType)
		}
	}
	return types
}

// RefuseReopening returns the refusal to put a completed unit in progress again, or nil: a unit inside another unit stays completed.
func RefuseReopening(unit Card, after SerialStatus) error {
	if unit.Inside == "" || after != InProgress || unit.Serial.Status == InProgress {
		return nil
	}
	return refusal.Refuse(InsideAnother, unit.Serial.ID, unit.Inside)
}

// RefuseRemoving returns the refusal to remove a component from its unit, or nil.
func RefuseRemoving(parent Card, made Component) error {
	switch {
	case made.Voided():
		return refusal.Refuse(ComponentVoided)
	case made.RemovedAt != 0:
		return refusal.Refuse(ComponentRemoved)
	}
	return RefuseAway(parent)
}

// InstalledMetadata is the metadata of the entry of an installation on the unit that contains the component. The entry itself has the unit,
// the step, the user and the time.
type InstalledMetadata struct {
	ComponentID       string               `json:"componentId"`
	ComponentSerialID string               `json:"componentSerialId,omitempty"`
	LotID             string               `json:"lotId,omitempty"`
	Quantity          input.Decimal        `json:"quantity,omitempty"`
	Unit              string               `json:"unit,omitempty"`
	PartType          string               `json:"partType,omitempty"`
	PartSerialNumber  string               `json:"partSerialNumber,omitempty"`
	Place             string               `json:"place,omitempty"`
	SubstituteReason  string               `json:"substituteReason,omitempty"`
	Pass              int                  `json:"pass"`
	Contents          trail.ContentsSHA256 `json:"contentsSha256"`
	LotContents       trail.ContentsSHA256 `json:"lotSha256,omitempty"` // hash of the lot afterwards, if its remaining quantity changed
}

// RemovedMetadata is the metadata of the entry of a removal on the unit that contained the component.
type RemovedMetadata struct {
	ComponentID       string               `json:"componentId"`
	ComponentSerialID string               `json:"componentSerialId,omitempty"`
	LotID             string               `json:"lotId,omitempty"`
	Reason            string               `json:"reason"`
	Returned          bool                 `json:"returned,omitempty"`
	Contents          trail.ContentsSHA256 `json:"contentsSha256"`
	LotContents       trail.ContentsSHA256 `json:"lotSha256,omitempty"` // as in InstalledMetadata
}

// InsideMetadata is the metadata of a unit's entries about its own installation in another unit and its removal.
type InsideMetadata struct {
	ComponentID    string `json:"componentId"`
	ParentSerialID string `json:"parentSerialId"`
	Place          string `json:"place,omitempty"`
	Reason         string `json:"reason,omitempty"` // reason of the removal
}

// VoidedMetadata is the metadata of an entry about a voided record.
type VoidedMetadata struct {
	RecordID    string               `json:"recordId"`
	Reason      string               `json:"reason"`
	LotID       string               `json:"lotId,omitempty"`     // the lot of a voided component
	LotContents trail.ContentsSHA256 `json:"lotSha256,omitempty"` // as in InstalledMetadata

	ShipmentID   string               `json:"shipmentId,omitempty"` // of a unit on a voided receipt
	LineContents trail.ContentsSHA256 `json:"lineSha256,omitempty"` // of the unit's line on the shipment afterwards
}

// InstallsSubstitute reports whether an entry records the installation of a part that replaces a part type of the bill.
func InstallsSubstitute(entry *trail.Entry) bool {
	var told InstalledMetadata
	return trail.ReadMetadata(entry, &told) == nil && told.SubstituteReason != ""
}

// InstallEntry returns the entry of an installation on the unit that contains the component. lot is the hash of the lot afterwards; ""
// if it did not change.
func InstallEntry(parent Card, made Component, lot trail.ContentsSHA256) trail.Entry {
	entry := EntryAbout(parent.Serial, ActionComponentInstalled, made.StepID, made.InstalledBy, made.InstalledAt)
	entry.Metadata = trail.Metadata(InstalledMetadata{
		made.ID, made.ComponentSerialID, made.LotID, made.Quantity, made.Unit, made.PartType, made.PartSerialNumber, made.Place,
		made.SubstituteReason, made.Pass, made.Contents(), lot,
	})
	return entry
}

// EnterEntry returns the entry of an installation on the unit that is inside afterwards.
func EnterEntry(unit Card, made Component) trail.Entry {
	entry := EntryAbout(unit.Serial, ActionUnitInstalled, "", made.InstalledBy, made.InstalledAt)
	entry.Metadata = trail.Metadata(InsideMetadata{ComponentID: made.ID, ParentSerialID: made.SerialID, Place: made.Place})
	return entry
}

// RemoveEntry returns the entry of a removal on the unit that contained the component. lot is as for InstallEntry.
func RemoveEntry(parent Card, made Component, lot trail.ContentsSHA256) trail.Entry {
	entry := EntryAbout(parent.Serial, ActionComponentRemoved, StandingOn(parent), made.RemovedBy, made.RemovedAt)
	entry.Metadata = trail.Metadata(RemovedMetadata{
		made.ID, made.ComponentSerialID, made.LotID, made.RemoveReason, made.Returned, made.Contents(), lot,
	})
	return entry
}

// LeaveEntry returns the entry of a removal on the unit that was inside.
func LeaveEntry(unit Card, made Component) trail.Entry {
	entry := EntryAbout(unit.Serial, ActionUnitRemoved, "", made.RemovedBy, made.RemovedAt)
	entry.Metadata = trail.Metadata(InsideMetadata{ComponentID: made.ID, ParentSerialID: made.SerialID, Reason: made.RemoveReason})
	return entry
}

// VoidEntry returns the entry of the voiding of a component on one of its units. lot is as for InstallEntry.
func VoidEntry(unit Card, stepID string, made Component, lot trail.ContentsSHA256) trail.Entry {
	entry := EntryAbout(unit.Serial, ActionRecordVoided, stepID, made.VoidedBy, made.VoidedAt)
	entry.Metadata = trail.Metadata(VoidedMetadata{RecordID: made.ID, Reason: made.VoidReason, LotID: made.LotID, LotContents: lot})
	return entry
}

// HeldAfterRemoval is the reason of the hold on a unit that was removed from a scrapped unit.
func HeldAfterRemoval(parent Card) string { return "Removed from scrapped " + parent.Serial.ID }

// Actions of the trail.
const (
	ActionComponentInstalled trail.Action = "component_installed"
	ActionComponentRemoved   trail.Action = "component_removed"
	ActionUnitInstalled      trail.Action = "unit_installed"
	ActionUnitRemoved        trail.Action = "unit_removed"

	ActionRecordVoided trail.Action = "record_voided"
)

// Reasons for refusing to install or remove components, and for refusing to reopen units inside other units.
var (
	InstallScrapped   = refusal.NewReason(refusal.Invalid, "serial_scrapped", "Cannot install into a scrapped serial")
	InsideItself      = refusal.NewReason(refusal.Invalid, "inside_itself", "{serialId} would contain itself")
	InstalledAlready  = refusal.NewReason(refusal.Invalid, "already_installed", "{component} is already installed in {serialId}")
	ComponentScrapped = refusal.NewReason(refusal.Invalid, "component_scrapped", "{serialId} is scrapped")
	ComponentOpen     = refusal.NewReason(refusal.Invalid, "component_not_completed", "{serialId} is not completed")
	ComponentHeld     = refusal.NewReason(refusal.Invalid, "component_on_hold", "{serialId} is on hold: {reason}")
	InsideAnother     = refusal.NewReason(refusal.Invalid, "installed", "{serialId} is installed in {parentId}")
	ComponentRemoved  = refusal.NewReason(refusal.Invalid, "already_removed", "Component is already removed")
	ComponentVoided   = refusal.NewReason(refusal.Invalid, "already_voided", "Component is already voided")
	ComponentUnclear  = refusal.NewReason(refusal.Invalid, "exactly_one_component", "Exactly one of componentSerialId, lotId is required")
	QuantityNotOne    = refusal.NewReason(refusal.Invalid, "must_be_one", "{field} must be 1 for a unit or a part with a number of its own")
	LotHeldBack       = refusal.NewReason(refusal.Invalid, "lot_on_hold", "Lot {lotNumber} is on hold: {reason}")
	LotExpired        = refusal.NewReason(refusal.Invalid, "lot_expired", "Lot {lotNumber} expired on {date}")
	PartUnneeded      = refusal.NewReason(refusal.Invalid, "part_not_needed", "{component} is {partNumber}, needed: {partTypes}")
	PartTypeUnlisted  = refusal.NewReason(refusal.Invalid, "part_type_not_in_bill", "{partType} is not in the bill of {serialId}")
	NoSubstitute      = refusal.NewReason(refusal.Invalid, "no_substitute", "{component} is {partType} itself, not a substitute")
	TooManyComponents = refusal.NewReason(refusal.Invalid, "too_many_components", "A serial contains at most {limit} components")
)

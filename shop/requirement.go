package shop

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// RequirementsInput has the requirements of a step. Missing fields require nothing.
type RequirementsInput struct {
	Components          input.TextsInput                 `field:"components"`
	LotRequired         input.FlagInput                  `field:"lotRequired"`
	Outside             input.Input[OutsideInput]        `field:"outside"`
	CertificateRequired input.FlagInput                  `field:"certificateRequired"`
	FunctionalTest      input.Input[FunctionalTestInput] `field:"functionalTest"`
}

// FunctionalTestInput is the test that is made at a step.
type FunctionalTestInput struct {
	Procedure input.TextInput `field:"procedure"`
}

// check validates requirements. prefix is the beginning of the names of their fields.
func (in RequirementsInput) check(prefix string) (required card.Requirements, err error) {
	if required.Components, err = in.partTypes(prefix + "components"); err != nil {
		return required, err
	}
	if required.LotRequired, err = input.OptionalFlag(prefix+"lotRequired", in.LotRequired); err != nil {
		return required, err
	}
	if required.Outside, err = in.outside(prefix + "outside"); err != nil {
		return required, err
	}
	if required.CertificateRequired, err = input.OptionalFlag(prefix+"certificateRequired", in.CertificateRequired); err != nil {
		return required, err
	}
	if in.FunctionalTest.Missing() {
		return required, nil
	}
	if in.FunctionalTest.State != input.StateGiven {
		return required, refusal.RefuseField(refusal.NotObject, prefix+"functionalTest")
	}
	const procedure = "functionalTest.procedure"
	text, err := input.RequiredWithin(prefix+procedure, in.FunctionalTest.Value.Procedure, input.TextLimit, refusal.Required)
	required.FunctionalTest = &card.FunctionalTest{Procedure: text}
	return required, err
}

// OutsideInput is the work that a supplier does at a step.
type OutsideInput struct {
	Process          input.TextInput  `field:"process"`
	Specification    input.TextInput  `field:"specification"`
	Code             input.TextInput  `field:"code"`
	Suppliers        input.TextsInput `field:"suppliers"`
	CustomerApproval input.TextInput  `field:"customerApproval"`
}

// outside validates the outside work of a step; nil if the step has none.
func (in RequirementsInput) outside(field string) (work *card.OutsideWork, err error) {
	if in.Outside.Missing() {
		return nil, nil //nolint:nilnil // nil is no work
	}
	if in.Outside.State != input.StateGiven {
		return nil, refusal.RefuseField(refusal.NotObject, field)
	}
	given := in.Outside.Value
	work = &card.OutsideWork{}
	if work.Process, err = input.RequiredName(field+".process", input.Trimmed(given.Process)); err != nil {
		return nil, err
	}
	if err := changeTexts([]textChange{
		{field + ".specification", given.Specification, &work.Specification}, {field + ".code", given.Code, &work.Code},
	}); err != nil {
		return nil, err
	}
	if work.Suppliers, err = namesIn(field+".suppliers", given.Suppliers); err != nil || input.Unfilled(given.CustomerApproval) {
		return work, err
	}
	approval, err := input.OneOf(field+".customerApproval", given.CustomerApproval, CustomerApprovals())
	work.CustomerApproval = string(approval)
	return work, err
}

// partTypes validates the list of part types, and leaves out those that it has already.
func (in RequirementsInput) partTypes(field string) ([]string, error) {
	types, err := namesIn(field, in.Components)
	if types == nil && err == nil {
		types = []string{}
	}
	return types, err
}

// namesIn validates a list of names, and leaves out those that it has already. It returns nil if there are none.
func namesIn(field string, in input.TextsInput) (names []string, err error) {
	if in.Missing() {
		return nil, nil
	}
	if err := in.Typed(field); err != nil {
		return nil, err
	}
	if err := input.CheckItems(field, len(in.Value)); err != nil {
		return nil, err
	}
	for i, given := range in.Value {
		name, err := input.RequiredName(fmt.Sprintf("%s[%d]", field, i), given)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// SetRequirementsInput is the body of Set Requirements.
type SetRequirementsInput struct {
	RequirementsInput
	UserID input.TextInput `field:"userId"`
}

// SetRequirements replaces what a step requires of a unit before the unit leaves it.
func (s *Service) SetRequirements(ctx context.Context, stepID string, in SetRequirementsInput) (card.RequirementSet, error) {
	ctx = s.signable(ctx, in, stepID)
	var set card.RequirementSet
	err := s.Commit(ctx, &set, func(tx Tx) error {
		path, err := FindPathOfStep(tx, stepID)
		if err != nil {
			return err
		}
		before := path.RequirementsOf(stepID)
		if err := RefuseUnread(ctx, NameRequirements, stepID, func() (any, error) { return before, nil }); err != nil {
			return err
		}
		if err := path.RefuseClosed(); err != nil {
			return err
		}
		required, err := in.check("")
		if err != nil {
			return err
		}
		userID, err := requiredUser(CallerOf(ctx), in.UserID)
		if err != nil {
			return err
		}
		if set = before; required.Equal(before.Requirements) {
			return nil
		}
		after := path
		after.UpdatedAt = s.Now()
		if err := tx.UpdatePath(path, after); err != nil { // creates a new revision, so that cards are read again
			return err
		}
		set, err = s.recordRequirements(tx, after, before, required, userID)
		return err
	})
	return set, err
}

// recordRequirements stores the next requirements of a step and records them in the trail.
func (s *Service) recordRequirements(tx interface {
	AuditStore
	RequirementStore
}, path card.Path, before card.RequirementSet, required card.Requirements, userID string) (card.RequirementSet, error) {
	set := card.RequirementSet{
		ID: s.NewID(prefixRequirements), StepID: before.StepID, Revision: before.Revision + 1, Requirements: required,
		ChangedBy: userID, ChangedAt: path.UpdatedAt,
	}
	if err := tx.InsertRequirements(set); err != nil {
		return set, err
	}
	return set, tx.AppendAudit(trail.Entry{
		Action: ActionRequirementsChanged, UserID: userID, Timestamp: set.ChangedAt, JobID: path.JobID, PathID: path.ID, StepID: set.StepID,
		Metadata: trail.Metadata(requirementsEvent{set.ID, set.Revision, before.Requirements, required, set.Contents()}),
	})
}

// requirementsEvent is the metadata of an audit entry for a step's requirements.
type requirementsEvent struct {
	RequirementsID string               `json:"requirementsId"`
	Revision       int                  `json:"revision"`
	Before         card.Requirements    `json:"before"`
	After          card.Requirements    `json:"after"`
	Contents       trail.ContentsSHA256 `json:"contentsSha256"`
}

// Requirements returns the current requirements of a step.
func (s *Service) Requirements(ctx context.Context, stepID string) (set card.RequirementSet, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		path, err := FindPathOfStep(tx, stepID)
		set = path.RequirementsOf(stepID)
		return err
	})
	return set, err
}

// SetPathBOMInput is the body of Set BOM of Path. BOMID is null for no bill.
type SetPathBOMInput struct {
	BOMID  input.TextInput `field:"bomId"`
	UserID input.TextInput `field:"userId"`
}

func (in SetPathBOMInput) check() (string, error) {
	if in.BOMID.State == input.StateNull {
		return "", nil
	}
	return input.RequiredName("bomId", in.BOMID)
}

// SetPathBOM sets the bill of materials of a path. Units that are created later keep the bill, in its version at that time. Existing units
// do not change.
func (s *Service) SetPathBOM(ctx context.Context, id string, in SetPathBOMInput) (card.Path, error) {
	ctx = s.signable(ctx, in, id)
	var after card.Path
	err := s.Commit(ctx, &after, func(tx Tx) error {
		before, err := pathToChange(ctx, tx, id)
		if err != nil {
			return err
		}
		after = before
		if after.BOMID, err = in.check(); err != nil {
			return err
		}
		userID, err := requiredUser(CallerOf(ctx), in.UserID)
		if err != nil {
			return err
		}
		if after.BOMID != "" {
			if err := useBOM(tx, after.BOMID); err != nil {
				return err
			}
		}
		if after.BOMID == before.BOMID {
			return nil
		}
		after.UpdatedAt = s.Now()
		if err := tx.UpdatePath(before, after); err != nil {
			return err
		}
		return tx.AppendAudit(trail.Entry{
			Action: ActionPathBOMSet, UserID: userID, Timestamp: after.UpdatedAt, JobID: after.JobID, PathID: after.ID,
			Metadata: trail.BeforeAndAfter(pathBOM{before.BOMID}, pathBOM{after.BOMID}),
		})
	})
	return after, err
}

// pathBOM is the bill of a path in the trail, "" for none.
type pathBOM struct {
	BOMID string `json:"bomId"`
}

// useBOM marks a bill as used: from now on, every change of its entries creates a version, which units keep.
func useBOM(tx BOMStore, id string) error {
	bom, err := findBOM(tx, id)
	if err != nil || bom.Used {
		return err
	}
	bom.Used = true
	return tx.UpdateBOM(bom)
}

// currentBOM returns the current version of a path's bill; nothing for a path without a bill.
func currentBOM(tx BOMStore, path card.Path) (kept card.KeptBOM, err error) {
	if path.BOMID == "" {
		return kept, nil
	}
	latest, err := tx.LatestBOMVersion(path.BOMID)
	return card.KeptBOM{BOMID: path.BOMID, BOMVersion: latest + 1}, err
}

// BatchBOMInput is the body of Batch BOM. BOMID is null for no bill.
type BatchBOMInput struct {
	BatchInput
	BOMID  input.TextInput `field:"bomId"`
	Reason input.TextInput `field:"reason"`
	UserID input.TextInput `field:"userId"`
}

// givenBOM is a valid request for another bill.
type givenBOM struct{ bomID, reason, userID string }

func (in BatchBOMInput) check(caller Caller) (given givenBOM, err error) {
	if given.bomID, err = (SetPathBOMInput{BOMID: in.BOMID}).check(); err != nil {
		return given, err
	}
	if given.reason, err = input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.Required); err != nil {
		return given, err
	}
	given.userID, err = requiredUser(caller, in.UserID)
	return given, err
}

// BatchBOM gives the selected units, whatever their status, the current version of a bill, or no bill. Units that keep this version already
// do not change.
func (s *Service) BatchBOM(ctx context.Context, in BatchBOMInput) (BatchResult, error) {
	var given givenBOM
	m := many{in: in.BatchInput, missing: NameSerial}
	m.fields = func(caller Caller) (err error) {
		if given, err = in.check(caller); err != nil || given.bomID == "" {
			return err
		}
		return s.store.View(ctx, func(tx Reader) error {
			_, err := findBOM(tx, given.bomID)
			return err
		})
	}
	m.begin = func(tx Tx, ids []string, _ bool) (work batchWork, err error) {
		if err := tx.LockSerials(ids); err != nil {
			return work, err
		}
		if given.bomID != "" {
			if _, err := findBOM(tx, given.bomID); err != nil { // no edit makes a version meanwhile
				return work, err
			}
		}
		kept, err := currentBOM(tx, card.Path{BOMID: given.bomID})
		work.rule = func(unit card.Card, now ident.Timestamp) (card.Change, error) {
			return card.SetBOM(unit, kept, given.reason, given.userID, now), nil
		}
		work.store = func() error {
			if given.bomID == "" {
				return nil
			}
			return useBOM(tx, given.bomID)
		}
		return work, err
	}
	return s.changeEvery(ctx, &m)
}

// SerialBOM is the bill that a unit keeps, compared with what is installed in the unit.
type SerialBOM struct {
	BOMID   string           `json:"bomId,omitempty"`
	Version int64            `json:"version,omitempty"`
	Entries []card.PartCount `json:"entries"`
}

// SerialBOM returns the bill of a unit.
func (s *Service) SerialBOM(ctx context.Context, id string) (bill SerialBOM, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		unit, err := tx.RouteCard(id)
		if err != nil {
			return OrNotFound(err, NameSerial, id)
		}
		kept := unit.Serial.BOM
		bill = SerialBOM{BOMID: kept.BOMID, Version: kept.BOMVersion, Entries: unit.PartCounts()}
		if bill.Entries == nil {
			bill.Entries = []card.PartCount{}
		}
		return nil
	})
	return bill, err
}

// RequirementStore has the database functions for requirements. Paths contain the newest set of each step: see Path.Requirements.
type RequirementStore interface {
	InsertRequirements(set card.RequirementSet) error
	AllRequirements() iter.Seq2[card.RequirementSet, error] // all revisions of all steps, oldest first
}

// Names of requirements in the tables of nouns.go.
const (
	RecordRequirements ident.RecordKind = "requirements"

	NameRequirements refusal.RecordName = "Requirements"

	prefixRequirements = "reqs_"

	OpSetRequirements Operation = "set-requirements"
	OpSetPathBOM      Operation = "set-path-bom"
	OpBatchBOM        Operation = "batch-bom" // gives units another bill

	ActionRequirementsChanged trail.Action = "requirements_changed"
	ActionPathBOMSet          trail.Action = "path_bom_set"
)

var requirementNoun = noun{
	records: []Record{
		{
			Kind: RecordRequirements, Names: named(NameRequirements), Prefix: prefixRequirements, Table: "step_requirements",
			Tagged: true, Compared: true,
			Told: func(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
				var told requirementsEvent
				err := trail.ReadMetadata(entry, &told)
				return told.RequirementsID, told.Contents, err
			},
			Kept: func(tx Tx) iter.Seq2[Kept, error] {
				return keptOf(tx.AllRequirements(), func(s card.RequirementSet) Kept { return Kept{s.ID, s.Contents()} })
			},
		},
	},
	operations: []operationRow{
		{operation: OpSetRequirements, permission: Plan, subject: AboutStep, signed: SignPathUpdate},
		{operation: OpBatchBOM, permission: Plan, subject: AboutComponent},
		{operation: OpSetPathBOM, permission: Plan, subject: AboutPath, signed: SignPathUpdate},
	},
	actions: []actionRow{
		{action: ActionRequirementsChanged, of: only(RecordRequirements), signed: SignPathUpdate},
		{action: card.ActionSerialBOMSet, of: only(RecordSerial)},
		{action: ActionPathBOMSet, of: only(RecordPath), signed: SignPathUpdate},
	},
}

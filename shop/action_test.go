package shop_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// everyAction performs operations that together write every audit action of this package, except the actions of plain records, which affect
// neither a card nor a path. A test of internal/httpapi performs the operations on plain records and compares their effects with the table
// of actions.
func everyAction(s *shoptest.Shop, did func(context.Context)) {
	ctx, by, reason := context.Background(), shoptest.Given("ann"), shoptest.Given("so")
	do := func(err error) {
		shoptest.Must(0, err)
		s.Tick()
		did(ctx)
	}
	job, err := s.CreateJob(ctx, shop.CreateJobInput{Name: shoptest.Given("Valve"), GoalQuantity: shoptest.Number(9)})
	do(err)
	do(ran(s.UpdateJob(ctx, job.ID, shop.UpdateJobInput{Name: shoptest.Given("Gate valve")})))
	newPath := func(mode card.AdvancementMode) card.Path {
		path, err := s.CreatePath(ctx, shop.CreatePathInput{
			JobID: shoptest.Given(job.ID), Name: shoptest.Given("Main"), GoalQuantity: shoptest.Number(9),
			AdvancementMode: shoptest.Given(string(mode)), Steps: shoptest.StepsCalled("Saw", "Turn", "Mill", "Pack"),
		})
		do(err)
		return path
	}
	path, gone := newPath(card.Strict), newPath(card.Strict)
	do(s.DeletePath(ctx, gone.ID, by))
	do(ran(s.UpdatePath(ctx, path.ID, shop.UpdatePathInput{Steps: shoptest.StepsCalled("Saw", "Turn", "Mill", "Test", "Pack")})))
	path = shoptest.Must(s.Path(ctx, path.ID)).Path
	do(ran(s.UpdateAdvancementMode(ctx, path.ID, shoptest.Given("flexible"), by)))
	step := func(place int) input.TextInput { return shoptest.Given(path.Steps[place].ID) }
	do(ran(s.ConfigureStep(ctx, path.Steps[2].ID, shop.ConfigureStepInput{Optional: input.Given(true)})))
	user, err := s.CreateUser(ctx, shop.CreateUserInput{Name: shoptest.Given("Otto")})
	do(err)
	do(ran(s.UpdateUser(ctx, user.ID, shop.UpdateUserInput{Department: shoptest.Given("Milling")})))
	do(ran(s.AssignStep(ctx, path.Steps[1].ID, shop.AssignStepInput{UserID: shoptest.Given(user.ID)})))
	template, err := s.CreateTemplate(ctx, shop.CreateTemplateInput{Name: shoptest.Given("Usual"), Steps: shop.TemplateSteps(shoptest.StepsCalled("Saw", "Turn"))})
	do(err)
	do(ran(s.UpdateTemplate(ctx, template.ID, shop.UpdateTemplateInput{Name: shoptest.Given("Rare")})))
	do(ran(s.ApplyTemplate(ctx, template.ID, shop.ApplyTemplateInput{
		JobID: shoptest.Given(job.ID), PathName: shoptest.Given("Other"), GoalQuantity: shoptest.Number(1),
	})))
	do(s.DeleteTemplate(ctx, template.ID, by))
	canceled, err := s.CreateJob(ctx, shop.CreateJobInput{Name: shoptest.Given("Canceled"), GoalQuantity: shoptest.Number(1)})
	do(err)
	do(ran(s.CloseJob(ctx, canceled.ID, shop.JobClosingInput{Reason: shoptest.Given("the customer canceled it"), UserID: by})))
	do(ran(s.ReopenJob(ctx, canceled.ID, shop.JobClosingInput{Reason: shoptest.Given("wanted again"), UserID: by})))
	bom, err := s.CreateBOM(ctx, shop.CreateBOMInput{Name: shoptest.Given("Gearbox"), Entries: shoptest.EntriesOf("x")})
	do(err)
	do(ran(s.UpdateBOM(ctx, bom.ID, shop.UpdateBOMInput{Name: shoptest.Given("Gear")})))
	do(ran(s.EditBOM(ctx, bom.ID, shop.EditBOMInput{Entries: shoptest.EntriesOf("y"), ChangeDescription: reason, UserID: by})))

	batch, err := s.CreateSerials(ctx, shop.CreateSerialsInput{
		JobID: shoptest.Given(job.ID), PathID: shoptest.Given(path.ID), Quantity: shoptest.Number(4), UserID: by,
	})
	do(err)
	unit := func(n int64) string { return s.Service.SerialPrefix().SerialID(batch.First + n) }
	do(ran(s.SetSerialNumber(ctx, unit(0), shop.SetSerialNumberInput{SerialNumber: shoptest.Given("E-1"), UserID: by})))
	advance := func(unit string) {
		do(ran(s.AdvanceSerial(ctx, unit, shop.AdvanceSerialInput{UserID: by})))
	}
	advanceTo := func(unit string, place float64) {
		do(ran(s.AdvanceToStep(ctx, unit, shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(place), UserID: by})))
	}
	do(ran(s.CreateOverrides(ctx, unit(0), shop.CreateOverridesInput{
		SerialIDs: input.GivenTexts(unit(0)), StepID: step(3), Reason: reason, UserID: by,
	})))
	do(s.ReverseOverride(ctx, unit(0), path.Steps[3].ID, by))
	advanceTo(unit(0), 4) // skips one step and defers two
	do(ran(s.CompleteDeferredStep(ctx, unit(0), path.Steps[1].ID, by)))
	do(ran(s.WaiveStep(ctx, unit(0), path.Steps[3].ID, shop.WaiveStepInput{Reason: reason, ApproverID: by})))
	do(ran(s.ReworkSerial(ctx, unit(0), shop.ReworkSerialInput{TargetStepIndex: shoptest.Number(3), Reason: reason, UserID: by})))
	advance(unit(0))
	advance(unit(0)) // completes the unit
	do(ran(s.ScrapSerial(ctx, unit(1), shop.ScrapSerialInput{
		Reason: shoptest.Given("damaged"), UserID: by,
	})))
	trail := shoptest.Collect(s.AuditOfSerial(ctx, unit(1)))
	do(ran(s.Undo(ctx, unit(1), shop.UndoInput{EntryID: shoptest.Given(trail[len(trail)-1].ID), Reason: reason, UserID: by})))
	do(ran(s.ForceComplete(ctx, unit(1), shop.ForceCompleteInput{UserID: by})))
	hold, err := s.HoldSerial(ctx, unit(2), shop.HoldSerialInput{Reason: reason, UserID: by})
	do(err)
	do(ran(s.ReleaseSerial(ctx, unit(2), shop.ReleaseSerialInput{HoldID: shoptest.Given(hold.ID), Reason: reason, UserID: by})))

	do(ran(s.BatchBOM(ctx, shop.BatchBOMInput{
		BatchInput: shop.BatchInput{Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(unit(1), unit(2))}},
		BOMID:      shoptest.Given(bom.ID), Reason: reason, UserID: by,
	})))
	do(ran(s.BatchBOM(ctx, shop.BatchBOMInput{
		BatchInput: shop.BatchInput{Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(unit(2))}},
		BOMID:      input.TextInput{State: input.StateNull}, Reason: reason, UserID: by,
	})))
	component := func() card.Component {
		made, err := s.InstallComponent(ctx, unit(2), shop.InstallComponentInput{ComponentSerialID: shoptest.Given(unit(1)), UserID: by})
		do(err)
		return made
	}
	do(ran(s.RemoveComponent(ctx, unit(2), component().ID, shop.RemoveComponentInput{Reason: reason, UserID: by})))
	do(ran(s.VoidComponent(ctx, component().ID, shop.VoidInput{Reason: reason, UserID: by})))

	do(ran(s.SetRequirements(ctx, path.Steps[0].ID, shop.SetRequirementsInput{
		RequirementsInput: shop.RequirementsInput{Outside: input.Given(shop.OutsideInput{Process: shoptest.Given("Plate")})}, UserID: by,
	})))
	shipment, err := s.CreateShipment(ctx, shop.CreateShipmentInput{
		Supplier: shoptest.Given("Plating Ltd"), Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(unit(2))}, UserID: by,
	})
	do(err)
	receipt, err := s.ReceiveShipment(ctx, shipment.ID, shop.ReceiveShipmentInput{
		Received: input.Given(shop.SelectionInput{SerialIDs: input.GivenTexts(unit(2))}), UserID: by,
	})
	do(err)
	do(ran(s.VoidReceipt(ctx, shipment.ID, receipt.ID, shop.VoidInput{Reason: reason, UserID: by})))
	do(ran(s.ReceiveShipment(ctx, shipment.ID, shop.ReceiveShipmentInput{
		Received: input.Given(shop.SelectionInput{SerialIDs: input.GivenTexts(unit(2))}), UserID: by,
	})))

	certificate, err := s.CreateCertificate(ctx, shop.CreateCertificateInput{Type: shoptest.Given("material"), Name: shoptest.Given("3.1")})
	do(err)
	attachment, err := s.AttachCertificate(ctx, unit(2), shop.AttachCertificateInput{CertID: shoptest.Given(certificate.ID), UserID: by})
	do(err)
	do(ran(s.VoidAttachment(ctx, attachment.ID, shop.VoidInput{Reason: reason, UserID: by})))
	do(ran(s.SetCharacteristics(ctx, path.Steps[0].ID, shop.SetCharacteristicsInput{
		Characteristics: shoptest.Characteristics(shop.CharacteristicInput{Type: shoptest.Given("text")}), UserID: by,
	})))
	do(ran(s.SetRequirements(ctx, path.Steps[0].ID, shop.SetRequirementsInput{
		RequirementsInput: shop.RequirementsInput{Components: input.GivenTexts("Seal")}, UserID: by,
	})))
	bill, err := s.CreateBOM(ctx, shop.CreateBOMInput{Name: shoptest.Given("Pump"), Entries: input.Given([]input.Input[shop.BOMEntryInput]{
		input.Given(shop.BOMEntryInput{PartType: shoptest.Given("Seal"), RequiredQuantityPerBuild: shoptest.Number(1)}),
	})})
	do(err)
	do(ran(s.SetPathBOM(ctx, path.ID, shop.SetPathBOMInput{BOMID: shoptest.Given(bill.ID), UserID: by})))
	do(ran(s.SetRequirements(ctx, path.Steps[0].ID, shop.SetRequirementsInput{UserID: by})))
	do(ran(s.RecordMeasurements(ctx, unit(3), shoptest.Measured(by, "1", "grey"))))
	do(ran(s.CreateNote(ctx, shop.CreateNoteInput{
		JobID: shoptest.Given(job.ID), PathID: shoptest.Given(path.ID), StepID: step(0), SerialIDs: input.GivenTexts(unit(2)),
		Text: shoptest.Given("burr"), UserID: by,
	})))
	shoptest.Must(0, s.ExpectFile(ctx, shop.File{SHA256: "digest"}))
	do(ran(s.KeepFile(ctx, "digest")))
	do(ran(s.AttachFile(ctx, shop.FileSubject{Kind: shop.RecordSerial, ID: unit(2)}, shop.AttachFileInput{
		SHA256: shoptest.Given("digest"), Name: shoptest.Given("burr.png"), Kind: shoptest.Given("photo"), UserID: by,
	})))
	units := func(n ...int64) shop.SelectionInput {
		var ids []string
		for _, n := range n {
			ids = append(ids, unit(n))
		}
		return shop.SelectionInput{SerialIDs: input.GivenTexts(ids...)}
	}
	report, err := s.OpenNonconformance(ctx, shop.OpenNonconformanceInput{
		Title: shoptest.Given("Seat"), Severity: shoptest.Given("major"), Selection: units(2), UserID: by,
	})
	do(err)
	do(ran(s.AddToNonconformance(ctx, report.ID, shop.AddToNonconformanceInput{Selection: units(3), UserID: by})))
	do(ran(s.DisposeNonconformance(ctx, report.ID, shop.DispositionInput{
		SerialIDs: units(2, 3).SerialIDs, Disposition: shoptest.Given("use_as_is"), Reason: reason, Concession: by, UserID: by,
	})))
	do(ran(s.CloseNonconformance(ctx, report.ID, shop.CloseNonconformanceInput{Summary: reason, UserID: by})))
}

// toldElsewhere returns the actions that other packages write, and the actions of signatures. None of these actions moves a unit.
func toldElsewhere() []trail.Action {
	return append(shop.AccessActions(),
		shop.ActionLedgerStarted, shop.ActionLedgerRestarted, shop.ActionLedgerEntriesFound, shop.ActionLedgerKeyAdded, shop.ActionLedgerKeyRetired,
		shop.ActionDatabaseRestored, shop.ActionRecordSigned)
}

// plainAction reports whether an action only concerns records that verification compares by their hash.
func plainAction(action trail.Action) bool {
	of := shop.KindsOf(action)
	return len(of) > 0 && !slices.ContainsFunc(shop.Records(), func(record shop.Record) bool {
		return slices.Contains(of, record.Kind) && record.Told == nil
	})
}

// doneHereToo are actions of records that verification compares by their hash, and that affect a path or another unit too.
var doneHereToo = []trail.Action{shop.ActionCharacteristicsChanged, shop.ActionRequirementsChanged, card.ActionComponentInstalled, card.ActionComponentRemoved,
	shop.ActionShipmentCreated, shop.ActionShipmentReceived}

// To follow the positions of units, readers of the audit trail skip the actions that move nothing. So the test performs each action of the
// table. An action that moves nothing according to the table must leave all units and steps in place. An action that moves something must
// do so at least once.
func TestActionsMoveWhatTheTableSays(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	seen, moved := map[trail.Action]bool{}, map[trail.Action]bool{}
	before, last := map[string]string{}, int64(0)
	everyAction(s, func(ctx context.Context) {
		after := map[string]string{}
		var told []trail.Action
		if err := s.Store.View(ctx, func(tx shop.Reader) error {
			for job := range tx.Jobs() {
				for _, path := range shoptest.Must(tx.PathsOfJob(job.ID)) {
					for _, step := range path.Steps {
						after[path.ID] += step.ID + " "
					}
				}
			}
			for _, count := range shoptest.Must(tx.CountStanding(nil)) {
				after[count.PathID] += fmt.Sprint(count.StandingCount)
			}
			for _, entry := range shoptest.Must(tx.AuditAfter(last, 1000)) {
				told = append(told, entry.Action)
				last, _ = ident.AuditSequence(entry.ID)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		changed := false
		for path, was := range before {
			changed = changed || after[path] != was
		}
		if changed && !slices.ContainsFunc(told, shop.MovesUnits) {
			t.Errorf("%s moves nothing, as the table says, and units stood %s and stand %s", told, before, after)
		}
		for _, action := range told {
			seen[action] = true
			moved[action] = moved[action] || changed
		}
		before = after
	})
	for _, action := range slices.Concat(shop.AuditActions(), shop.AccessActions()) {
		elsewhere := slices.Contains(toldElsewhere(), action) || plainAction(action) && !slices.Contains(doneHereToo, action)
		switch {
		case seen[action] == elsewhere:
			t.Errorf("%s: done here %t, told elsewhere %t", action, seen[action], elsewhere)
		case shop.MovesUnits(action) && !moved[action]:
			t.Errorf("%s has moved nothing, and the table says that it does", action)
		}
	}
	if !shop.MovesUnits(trail.Action("an action that is not known here")) {
		t.Error("an action that is not known here may move anything")
	}
}

// The tables have one row for each declared action, and for each kind of record that actions concern.
func TestActionsAndRecordsHaveRows(t *testing.T) {
	t.Parallel()
	var actions, kinds, names, prefixes []string
	for _, action := range slices.Concat(shop.AuditActions(), shop.AccessActions()) {
		actions = append(actions, string(action))
		for _, kind := range shop.KindsOf(action) {
			if !shop.TellsOf(action, kind) || !slices.Contains(shop.ActionsOf(kind), action) {
				t.Errorf("%s tells of a %s, and does not", action, kind)
			}
		}
	}
	var voidable []ident.RecordKind
	for _, record := range shop.Records() {
		kinds = append(kinds, string(record.Kind))
		for _, name := range record.Names {
			names = append(names, string(name))
		}
		if record.Prefix != "" {
			prefixes = append(prefixes, record.Prefix)
		}
		if record.Voidable {
			voidable = append(voidable, record.Kind)
		}
		if record.Compared && len(shop.ActionsOf(record.Kind)) == 0 {
			t.Errorf("a %s is compared with its entries, and no action tells of one", record.Kind)
		}
	}
	if of := shop.KindsOf(shop.ActionRecordVoided); !slices.Equal(of, voidable) {
		t.Errorf("%s can be voided, and the trail tells of %s", voidable, of)
	}
	declared := constants(t)
	// The lines of a bill of materials are part of it.
	// Command codes and badges name no records. The number of a lot is not its identifier. A database chooses the prefix of its serials. The
	// secret of an access token is not its identifier.
	others := []string{"bome_", "LOT-", string(ident.DefaultPrefix), shop.AccessTokenPrefix, shop.CommandPrefix, shop.BadgePrefix}
	declared["prefix"] = slices.DeleteFunc(declared["prefix"], func(prefix string) bool { return slices.Contains(others, prefix) })
	for kind, found := range map[string][]string{
		"Action": actions, "RecordKind": kinds, "RecordName": names, "prefix": prefixes,
	} {
		slices.Sort(found)
		slices.Sort(declared[kind])
		if !slices.Equal(found, declared[kind]) {
			t.Errorf("%s: the rows have\n%s, and declared are\n%s", kind, strings.Join(found, " "), strings.Join(declared[kind], " "))
		}
	}
	if compact := slices.Compact(slices.Sorted(slices.Values(prefixes))); len(compact) != len(prefixes) {
		t.Errorf("two kinds of records have the same prefix: %s", prefixes)
	}
}

// An entry leaves a card unchanged unless the table says that its action changes one.
func TestActionsBesideTheCard(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	changing := map[trail.Action]bool{}
	everyAction(s, func(ctx context.Context) {
		var trail []trail.Entry
		for entry := range s.AuditEntries(ctx, shop.NoLimit, 0) {
			trail = append(trail, entry)
		}
		latest := trail[0]
		if latest.SerialID == "" {
			return
		}
		if err := s.Store.View(ctx, func(tx shop.Reader) error {
			card := shoptest.Must(tx.RouteCard(latest.SerialID))
			entries := shoptest.Must(shop.TrailOf(tx, card.Serial))
			last := len(entries) - 1
			told := shoptest.Must(replay.Replay(card.Path, card.Serial.ID, entries))
			if differs := told.Differs(card); len(differs) > 0 {
				t.Errorf("after %s the card has otherwise than its trail: %s", latest.Action, differs)
			}
			without, err := replay.Replay(card.Path, card.Serial.ID, entries[:last])
			changing[latest.Action] = changing[latest.Action] || err == nil && len(without.Differs(card)) > 0
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	})
	for action, changes := range changing {
		if changes != replay.ChangesCard(action) {
			t.Errorf("%s changes a card: %t, and the table says %t", action, changes, replay.ChangesCard(action))
		}
	}
	if len(changing) < 10 {
		t.Errorf("only %v were seen", slices.Collect(maps.Keys(changing)))
	}
}

// constants reads the string constants that the package declares, by type; prefixes by their names.
func constants(t *testing.T) map[string][]string {
	t.Helper()
	texts := map[string][]string{}
	for _, file := range slices.Concat(shoptest.Must(filepath.Glob("*.go")), shoptest.Must(filepath.Glob("*/*.go"))) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed := shoptest.Must(parser.ParseFile(token.NewFileSet(), file, nil, 0))
		ast.Inspect(parsed, func(node ast.Node) bool {
			spec, ok := node.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			literal, ok := spec.Values[0].(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			kind := fmt.Sprint(spec.Type)
			if of, ok := spec.Type.(*ast.SelectorExpr); ok {
				kind = of.Sel.Name
			}
			if name := spec.Names[0].Name; strings.HasPrefix(name, "prefix") || strings.HasSuffix(name, "Prefix") {
				kind = "prefix"
			}
			texts[kind] = append(texts[kind], shoptest.Must(strconv.Unquote(literal.Value)))
			return true
		})
	}
	return texts
}

func ran[T any](_ T, err error) error { return err }

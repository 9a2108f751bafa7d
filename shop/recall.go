package shop

import (
	"context"
	"errors"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/genealogy"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/replay"
)

// GenealogyStore lists the database operations that follow installations.
type GenealogyStore interface {
	// PartsWithin returns the components of a unit, and of the units inside it at any depth, at a time.
	PartsWithin(serialID string, at ident.Timestamp) ([]genealogy.Part, error)
	// LinksFrom returns the links from a unit (lotID is "") or a lot (serialID is "") to the units that contain it at any depth at a time.
	// For a lot, it also returns the links to the lots that were split from the lot until then.
	LinksFrom(serialID, lotID string, at ident.Timestamp) ([]genealogy.Link, error)
	// CausesOf returns the lots and units that have the cause of a query themselves, except for StepID and By. A lot has a certificate
	// since it was attached; any other cause of a lot counts since the lot was recorded.
	CausesOf(query genealogy.Query) ([]genealogy.Affected, error)
	// UnitsHandledBy returns the units with entries of a user in the period of the query. after is the number of an entry before it.
	UnitsHandledBy(query genealogy.Query, after int64) ([]genealogy.Affected, error)
	// AffectedBy returns the units and lots that have a cause, all lots that were split from these lots, and all units that contain any of
	// these. If now is false, units that contained such a unit or lot while it was affected also count. Each unit or lot is in the result
	// once.
	AffectedBy(causes []genealogy.Affected, now bool) ([]genealogy.Affected, error)
	// UnitStates returns the states of up to a thousand units, without the outermost units that contain them.
	UnitStates(serialIDs []string) ([]genealogy.State, error)
}

// CompleteStates sets the states of units and lots that have nothing but their identifiers. Each is in states once.
func CompleteStates(ctx context.Context, tx interface {
	GenealogyStore
	LotStore
}, states []*genealogy.State) error {
	var units, lots []*genealogy.State
	for _, s := range states {
		if s.SerialID != "" {
			units = append(units, s)
		} else {
			lots = append(lots, s)
		}
	}
	if err := readStates(ctx, lots, lotStates(tx)); err != nil {
		return err
	}
	if err := readStates(ctx, units, tx.UnitStates); err != nil {
		return err
	}
	if !slices.ContainsFunc(units, func(s *genealogy.State) bool { return s.Inside != "" }) {
		return nil
	}
	known := make(map[string]*genealogy.State, len(units))
	for _, s := range units {
		known[s.SerialID] = s
	}
	for above := unknownParents(known, units); len(above) > 0; above = unknownParents(known, above) {
		if err := readStates(ctx, above, tx.UnitStates); err != nil {
			return err
		}
	}
	genealogy.SetRoots(units, known)
	return nil
}

// lotStates returns the function that reads the states of lots.
func lotStates(tx LotStore) func([]string) ([]genealogy.State, error) {
	return func(lotIDs []string) (states []genealogy.State, err error) {
		lots, err := tx.LotsByID(lotIDs)
		for i := range lots {
			state := genealogy.State{
				LotID: lots[i].ID, LotNumber: lots[i].LotNumber, Held: lots[i].Held, Remaining: lots[i].Remaining,
			}
			if state.Remaining != "" {
				state.Unit = string(lots[i].Unit)
			}
			states = append(states, state)
		}
		return states, err
	}
}

// unknownParents returns the units that directly contain one of the units and are not known yet, and makes them known.
func unknownParents(known map[string]*genealogy.State, units []*genealogy.State) (unknown []*genealogy.State) {
	for _, s := range units {
		if s.Inside != "" && known[s.Inside] == nil {
			known[s.Inside] = &genealogy.State{SerialID: s.Inside}
			unknown = append(unknown, known[s.Inside])
		}
	}
	return unknown
}

// readStates reads the states of units or of lots a thousand at a time.
func readStates(ctx context.Context, states []*genealogy.State, read func(ids []string) ([]genealogy.State, error)) error {
	at := map[string]*genealogy.State{}
	for chunk := range slices.Chunk(states, ChunkSize) {
		if err := ctx.Err(); err != nil {
			return err
		}
		clear(at)
		ids := make([]string, len(chunk))
		for i, s := range chunk {
			ids[i] = s.SerialID + s.LotID
			at[ids[i]] = s
		}
		found, err := read(ids)
		if err != nil {
			return err
		}
		for i := range found {
			*at[found[i].SerialID+found[i].LotID] = found[i]
		}
	}
	return nil
}

// RecallOf returns what the cause of a checked query affects. It refuses a cause that does not exist. A heat number and a user need not
// exist.
func RecallOf(ctx context.Context, tx Tx, query genealogy.Query) (recall genealogy.Recall, err error) {
	causes, err := causesOf(ctx, tx, query)
	if err != nil {
		return recall, err
	}
	return recallBy(ctx, tx, query, causes)
}

// recallBy returns what the causes of a query affect.
func recallBy(ctx context.Context, tx Tx, query genealogy.Query, causes []genealogy.Affected) (recall genealogy.Recall, err error) {
	affected, err := tx.AffectedBy(causes, query.Contains == genealogy.Now)
	if err != nil {
		return recall, err
	}
	items := make([]genealogy.Item, len(affected))
	states := make([]*genealogy.State, len(affected))
	for i, one := range affected {
		items[i] = genealogy.Item{
			State: genealogy.State{SerialID: one.SerialID, LotID: one.LotID}, Since: one.Since, How: one.How,
		}
		states[i] = &items[i].State
	}
	if err := CompleteStates(ctx, tx, states); err != nil {
		return recall, err
	}
	return genealogy.RecallOf(items), nil
}

// RecallInput is an optional recall in a request, which selects its units.
type RecallInput = input.Input[CauseInput]

// CauseInput is the cause of a recall in a request: the fields of genealogy.Query.
type CauseInput struct {
	LotID        input.TextInput `field:"lotId"`
	HeatNumber   input.TextInput `field:"heatNumber"`
	CertID       input.TextInput `field:"certId"`
	SerialID     input.TextInput `field:"serialId"`
	ShipmentID   input.TextInput `field:"shipmentId"`
	InstrumentID input.TextInput `field:"instrumentId"`
	StepID       input.TextInput `field:"stepId"`
	By           input.TextInput `field:"by"`
	From         input.TextInput `field:"from"`
	To           input.TextInput `field:"to"`
	Contains     input.TextInput `field:"contains"`
}

// recallOf validates the recall of a request.
func recallOf(in RecallInput) (*genealogy.Query, error) {
	if err := in.Typed("recall"); err != nil {
		return nil, err
	}
	query, cause := genealogy.Query{}, in.Value
	for _, field := range []struct {
		name string
		in   input.TextInput
		to   *string
	}{
		{"recall.lotId", cause.LotID, &query.LotID},
		{"recall.heatNumber", cause.HeatNumber, &query.HeatNumber},
		{"recall.certId", cause.CertID, &query.CertID},
		{"recall.serialId", cause.SerialID, &query.SerialID},
		{"recall.shipmentId", cause.ShipmentID, &query.ShipmentID},
		{"recall.instrumentId", cause.InstrumentID, &query.InstrumentID},
		{"recall.stepId", cause.StepID, &query.StepID},
		{"recall.by", cause.By, &query.By},
	} {
		var err error
		if *field.to, err = input.OptionalWithin(field.name, field.in, input.NameLimit); err != nil {
			return nil, err
		}
	}
	for _, field := range []struct {
		name string
		in   input.TextInput
		to   *ident.Timestamp
	}{
		{"recall.from", cause.From, &query.From},
		{"recall.to", cause.To, &query.To},
	} {
		if field.in.Missing() {
			continue
		}
		var err error
		if *field.to, err = input.RequiredTime(field.name, field.in); err != nil {
			return nil, err
		}
	}
	if !cause.Contains.Missing() {
		var err error
		if query.Contains, err = input.OneOf("recall.contains", cause.Contains, genealogy.AllContains()); err != nil {
			return nil, err
		}
	}
	err := query.Check()
	if refused, ok := errors.AsType[*refusal.Error](err); ok && refused.Field != "" {
		refused.Field = "recall." + refused.Field
	}
	return &query, err
}

// recalled returns the units that a recall names and that are not scrapped, by number, and the lots that it names. With locking, no other
// transaction changes these units and lots until this transaction ends. A transaction that is committed meanwhile can add units to the
// recall. So recalled reads the recall again with the locks, until the locks cover the whole recall.
func recalled(ctx context.Context, tx Tx, query genealogy.Query, locking bool) (found selected, err error) {
	causes, err := causesOf(ctx, tx, query)
	if err != nil {
		return found, err
	}
	locked := map[string]bool{}
	for {
		recall, err := recallBy(ctx, tx, query, causes)
		if err != nil {
			return found, err
		}
		found = selected{}
		for i := range recall.Items {
			switch item := &recall.Items[i]; {
			case item.LotID != "":
				found.lots = append(found.lots, *item)
			case item.Status != card.Scrapped:
				found.serialIDs = append(found.serialIDs, item.SerialID)
			}
		}
		if len(found.serialIDs) > selectionLimit {
			return found, errTooMany()
		}
		if !locking {
			return found, nil
		}
		again, err := lockRecalled(tx, found, locked)
		if err != nil || !again {
			return found, err
		}
	}
}

// lockRecalled locks units and lots that are not in locked, and adds them. It reports whether there were any.
func lockRecalled(tx Tx, found selected, locked map[string]bool) (more bool, err error) {
	units := slices.DeleteFunc(slices.Clone(found.serialIDs), func(id string) bool { return locked[id] })
	for _, id := range units {
		locked[id] = true
	}
	if len(units) > 0 {
		if err := tx.LockSerials(units); err != nil {
			return false, err
		}
	}
	more = len(units) > 0
	for i := range found.lots {
		if id := found.lots[i].LotID; !locked[id] {
			locked[id], more = true, true
			if _, err := tx.Lot(id); err != nil {
				return false, err
			}
		}
	}
	return more, nil
}

// causesOf returns the units and lots that have the cause of a recall themselves.
func causesOf(ctx context.Context, tx Tx, query genealogy.Query) ([]genealogy.Affected, error) {
	if err := findCause(tx, query); err != nil {
		return nil, err
	}
	switch {
	case query.StepID != "":
		return visitorsOf(ctx, tx, query)
	case query.By != "":
		after, err := EntryBefore(tx, query.From-Lookback)
		if err != nil {
			return nil, err
		}
		return tx.UnitsHandledBy(query, after)
	}
	return tx.CausesOf(query)
}

// findCause refuses a cause that does not exist.
func findCause(tx Tx, query genealogy.Query) (err error) {
	switch {
	case query.LotID != "":
		_, err = tx.Lot(query.LotID)
		return OrNotFound(err, NameLot, query.LotID)
	case query.CertID != "":
		_, err = tx.Certificate(query.CertID)
		return OrNotFound(err, NameCertificate, query.CertID)
	case query.SerialID != "":
		_, err = tx.RouteCard(query.SerialID)
		return OrNotFound(err, NameSerial, query.SerialID)
	case query.ShipmentID != "":
		_, err = tx.Shipment(query.ShipmentID)
		return OrNotFound(err, NameShipment, query.ShipmentID)
	case query.InstrumentID != "":
		_, err = tx.Instrument(query.InstrumentID)
		return OrNotFound(err, NameInstrument, query.InstrumentID)
	}
	return nil
}

// visitorsOf returns the units that were at a step in the period of the query. A unit whose entries cannot be replayed counts as having
// been there.
func visitorsOf(ctx context.Context, tx Tx, query genealogy.Query) ([]genealogy.Affected, error) {
	path, err := FindPathOfStep(tx, query.StepID)
	if err != nil {
		return nil, err
	}
	history, err := replay.ReadHistory(tx, path)
	if err != nil {
		return nil, err
	}
	numbers, err := tx.SerialsWhere(SerialFilter{PathID: path.ID}, selectionLimit+1)
	if err != nil {
		return nil, err
	}
	if len(numbers) > selectionLimit {
		return nil, errTooMany()
	}
	found := []genealogy.Affected{}
	for chunk := range slices.Chunk(numbers, ChunkSize) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ids := make([]string, len(chunk))
		for i, number := range chunk {
			ids[i] = tx.SerialPrefix().SerialID(number)
		}
		cards, err := tx.RouteCards(ids)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			unit := cards[id]
			if unit.Serial.CreatedAt > query.Until() {
				continue
			}
			visits, err := visitsOf(tx, &history, unit.Serial)
			if err != nil {
				return nil, err
			}
			if since, ok := wasThere(visits, query); ok {
				found = append(found, genealogy.Affected{SerialID: id, Since: since, How: genealogy.HasCause})
			}
		}
	}
	return found, nil
}

// wasThere returns the time in the period of the query since when a unit was at the step. A unit that bypassed the step was not there.
func wasThere(visits []replay.Visit, query genealogy.Query) (since ident.Timestamp, ok bool) {
	for i := range visits {
		v := &visits[i]
		if v.Status == replay.VisitUnknown {
			return query.From, true
		}
		bypassed := v.Status == replay.VisitSkipped || v.Status == replay.VisitDeferred || v.Status == replay.VisitWaived
		if v.StepID == query.StepID && !bypassed && v.EnteredAt <= query.Until() && (v.LeftAt == 0 || v.LeftAt >= query.From) {
			return max(v.EnteredAt, query.From), true
		}
	}
	return 0, false
}

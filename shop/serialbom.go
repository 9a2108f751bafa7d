package shop

import (
	"context"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

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

// OpBatchBOM gives units another bill.
const OpBatchBOM Operation = "batch-bom"

package views

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// signaturesAbout lists the signatures on a serial, oldest first. Most are in the serial's trail. A decision that did not change the
// serial's card, such as to return the serial to the supplier, is signed only in the trail of its report.
func signaturesAbout(tx Reader, entries []trail.Entry, reports []UnitReport) ([]shop.Signature, error) {
	signatures, err := shop.SignaturesIn(entries)
	if err != nil {
		return nil, err
	}
	for i := range reports {
		unit := reports[i].Unit
		did := func(entry trail.Entry) bool { return carriedOut(unit, entry) }
		if unit.DecidedAt == 0 || slices.ContainsFunc(entries, did) {
			continue
		}
		entries, err := entriesAt(tx, reports[i].Unit.DecidedAt)
		if err != nil {
			return nil, err
		}
		aside, err := shop.SignaturesIn(entries)
		if err != nil {
			return nil, err
		}
		signatures = append(signatures, slices.DeleteFunc(aside, func(signature shop.Signature) bool {
			return !signsDecision(signature, entries, reports[i].ID)
		})...)
	}
	slices.SortStableFunc(signatures, func(a, b shop.Signature) int { return cmp.Compare(a.ID, b.ID) })
	return signatures, nil
}

// signaturesOnReport lists the signatures of the decisions about the units that a report's sheet shows, oldest first.
func signaturesOnReport(tx Reader, sheet *ReportSheet) (signatures []shop.Signature, err error) {
	seen := make(map[ident.Timestamp]bool)
	for i := range sheet.Units {
		at := sheet.Units[i].DecidedAt
		if at == 0 || seen[at] {
			continue
		}
		seen[at] = true
		entries, err := entriesAt(tx, at)
		if err != nil {
			return nil, err
		}
		found, err := shop.SignaturesIn(entries)
		if err != nil {
			return nil, err
		}
		for _, signature := range found {
			if signsDecision(signature, entries, sheet.Report.ID) {
				signatures = append(signatures, signature)
			}
		}
	}
	slices.SortFunc(signatures, func(a, b shop.Signature) int { return cmp.Compare(a.ID, b.ID) })
	return signatures, nil
}

// carriedOut reports whether an entry records the execution of the decision about the unit.
func carriedOut(u shop.NonconformingUnit, entry trail.Entry) bool {
	did := []trail.Action{card.ActionSerialReleased, card.ActionSerialReworked, card.ActionSerialScrapped}
	return entry.Timestamp == u.DecidedAt && slices.Contains(did, entry.Action)
}

// signsDecision reports whether a signature signs the decision about units of a report.
func signsDecision(signature shop.Signature, entries []trail.Entry, report string) bool {
	return signature.SerialID == "" && slices.ContainsFunc(entries, func(entry trail.Entry) bool {
		var told struct {
			NonconformanceID string `json:"nonconformanceId"`
		}
		return entry.Action == shop.ActionNonconformanceDispositioned && slices.Contains(signature.EntryIDs, entry.ID) &&
			json.Unmarshal(entry.Metadata, &told) == nil && told.NonconformanceID == report
	})
}

// Signatures returns the signatures on a serial, oldest first.
func (v *Views) Signatures(ctx context.Context, serialID string) ([]shop.Signature, error) {
	var signatures []shop.Signature
	err := v.store.Look(ctx, func(tx Reader) error {
		card, err := tx.RouteCard(serialID)
		if err != nil {
			return shop.OrNotFound(err, shop.NameSerial, serialID)
		}
		trail, err := shop.CollectAudit(nil, tx.AuditOfSerial(serialID))
		if err != nil {
			return err
		}
		reports, err := unitReports(tx, card)
		if err != nil {
			return err
		}
		signatures, err = signaturesAbout(tx, trail, reports)
		return err
	})
	return signatures, err
}

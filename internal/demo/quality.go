package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// What went wrong in the shop, and what was done about it.

// planTroubles plans a report that is closed, one that is half decided and one that has just been opened; batches on hold, mistakes that
// were undone, units that were sent back, and a certificate and a note on the wrong unit.
func (s *simulation) planTroubles() {
	trouble := func(at float64, route string, step, units int, begin func(context.Context, lot) error) {
		s.planAt(at, func(ctx context.Context) error { return s.trouble(ctx, route, step, units, begin) })
	}
	s.planAt(0.40, s.correctNumber)
	s.planAt(0.45, s.cancelOrder)
	s.planAt(0.9, s.installComponents)
	trouble(0.20, "Plate", 0, 1, s.wrongScan)
	trouble(0.30, "Carrier", 1, 6, s.holdForAShift)
	trouble(0.35, "Turn-mill", 2, 6, s.reportIndications)
	trouble(0.55, "Carrier", 4, 2, s.grindAgain)
	trouble(0.58, "Turn-mill", 3, 1, s.wrongPapers)
	trouble(0.65, "Flange, validated route", 1, 1, s.wrongScan)
	trouble(0.72, "Turn-mill", 1, 1, s.wrongScrap)
	trouble(0.82, "Casting to finished housing", 2, 5, s.reportPorosity)
	trouble(0.90, "Carrier", 4, 2, s.grindAgain)
	trouble(0.94, "Plate", 1, 12, s.holdForMeasurement)
	trouble(0.95, "Flange, validated route", 3, 4, s.reportBath)
	trouble(0.98, "Turn-mill", 1, 1, s.wrongScan)
}

// trouble begins once so many units stand together on a step of a route, that one or a later one, and takes them out of
// their lots.
func (s *simulation) trouble(
	ctx context.Context, route string, step, wanted int, begin func(context.Context, lot) error,
) error {
	l, known := s.routes[route]
	if known {
		page, err := s.views.SearchSerials(ctx, views.SerialQuery{
			PathID: l.path.ID, Status: card.InProgress, Limit: input.SearchLimit,
		})
		if err != nil {
			return err
		}
		for at := step; at < len(l.steps)-1; at++ { // none that would be finished by one step more
			var together []unit
			for _, item := range slices.Backward(page.Items) { // oldest first
				if item.CurrentStepIndex == at && s.turn[item.ID] == 0 && len(together) < wanted {
					together = append(together, unit{serial: item.ID})
				}
			}
			if len(together) == wanted {
				for i := range together {
					together[i] = s.take(together[i])
				}
				l.at, l.units = at, together
				return begin(ctx, l)
			}
		}
	}
	s.plan(2*time.Hour, func(ctx context.Context) error { return s.trouble(ctx, route, step, wanted, begin) })
	return nil
}

// take takes a unit out of its lot: from now on it belongs to its last taker, and its fate is forgotten.
func (s *simulation) take(u unit) unit {
	s.turn[u.serial]++
	return unit{serial: u.serial, turn: s.turn[u.serial]}
}

// after plans what becomes of the units of a lot some time later, and that work on them then goes on from a step.
func (s *simulation) after(in time.Duration, l lot, at int, do func(context.Context) error) {
	s.plan(in, func(ctx context.Context) error {
		if err := do(ctx); err != nil {
			return err
		}
		s.goOn(l, l.units, at)
		return nil
	})
}

// partOf returns a lot with some of the units of another lot.
func partOf(l lot, from, to int) lot {
	l.units = l.units[from:to]
	return l
}

// hold puts single units on hold. One in three stays on hold; the others are released and continue.
func (s *simulation) hold(ctx context.Context, l lot, units []unit) error {
	for _, u := range units {
		number := s.next("hold")
		held, err := s.service.HoldSerial(ctx, u.serial, shop.HoldSerialInput{
			Reason: input.Given(holdReasons[number%len(holdReasons)]), UserID: s.who(supervisor),
		})
		if err != nil {
			return err
		}
		l.units = []unit{s.take(u)}
		if number%3 == 0 {
			continue
		}
		s.after(s.between(12*time.Hour, 40*time.Hour), l, l.at, func(ctx context.Context) error {
			_, err := s.service.ReleaseSerial(ctx, u.serial, shop.ReleaseSerialInput{
				HoldID: input.Given(held.ID), UserID: s.who(quality),
				Reason: input.Given(releaseReasons[number%len(releaseReasons)]),
			})
			return err
		})
	}
	return nil
}

// holdBatch puts a whole batch on hold.
func (s *simulation) holdBatch(ctx context.Context, l lot, reason string) error {
	_, err := s.service.BatchHold(ctx, shop.BatchHoldInput{
		BatchInput:      shop.BatchInput{Selection: shop.SelectionInput{SerialIDs: serialsOf(l.units)}},
		HoldSerialInput: shop.HoldSerialInput{Reason: input.Given(reason), UserID: s.who(quality)},
	})
	return err
}

func (s *simulation) holdForAShift(ctx context.Context, l lot) error {
	if err := s.holdBatch(ctx, l, "Heat Q31188 in doubt: the supplier's certificate names another melt"); err != nil {
		return err
	}
	s.after(9*time.Hour, l, l.at, func(ctx context.Context) error {
		_, err := s.service.BatchRelease(ctx, shop.BatchReleaseInput{
			BatchInput: shop.BatchInput{Selection: shop.SelectionInput{SerialIDs: serialsOf(l.units)}},
			Reason:     input.Given("The supplier has corrected the certificate"), UserID: s.who(quality),
		})
		return err
	})
	return nil
}

func (s *simulation) holdForMeasurement(ctx context.Context, l lot) error {
	return s.holdBatch(ctx, l, "Edges over the limit on the first plate, the rest of the batch is measured")
}

// wrongScan advances a unit by mistake and undoes it.
func (s *simulation) wrongScan(ctx context.Context, l lot) error {
	user := s.operator(l.place + l.at)
	if _, err := s.service.AdvanceSerial(ctx, l.units[0].serial, shop.AdvanceSerialInput{UserID: user}); err != nil {
		return err
	}
	s.takeBack(l, "Scanned the wrong unit, it was the one beside it", user)
	return nil
}

func (s *simulation) wrongScrap(ctx context.Context, l lot) error {
	user := s.operator(l.place + l.at)
	if _, err := s.service.ScrapSerial(ctx, l.units[0].serial, shop.ScrapSerialInput{
		Reason: input.Given(string(card.Damaged)), Explanation: input.Given("Dropped while unclamping"), UserID: user,
	}); err != nil {
		return err
	}
	s.takeBack(l, "The one that was dropped is in the scrap bin, this one is not", s.who(supervisor))
	return nil
}

// takeBack plans that the last change of a unit is undone a few minutes later.
func (s *simulation) takeBack(l lot, reason string, user input.TextInput) {
	serial := l.units[0].serial
	s.after(6*time.Minute, l, l.at, func(ctx context.Context) error {
		card, err := s.views.Card(ctx, serial)
		if err != nil {
			return err
		}
		if card.LastChange == nil {
			return fmt.Errorf("%s has nothing to take back", serial)
		}
		_, err = s.service.Undo(ctx, serial, shop.UndoInput{
			EntryID: input.Given(card.LastChange.Entry.ID), Reason: input.Given(reason), UserID: user,
		})
		return err
	})
}

// grindAgain sends units back by a step.
func (s *simulation) grindAgain(ctx context.Context, l lot) error {
	for _, u := range l.units {
		if _, err := s.service.ReworkSerial(ctx, u.serial, shop.ReworkSerialInput{
			TargetStepIndex: input.Given(float64(l.at - 1)), Reason: input.Given("Run-out 0.02 mm over the limit"),
			UserID: s.who(quality),
		}); err != nil {
			return err
		}
	}
	s.goOn(l, l.units, l.at-1)
	return nil
}

// wrongPapers attaches a certificate and a note that belong to another unit.
func (s *simulation) wrongPapers(ctx context.Context, l lot) error {
	serial, reason := l.units[0].serial, input.Given("Belongs to the unit beside it")
	certificate, err := s.service.CreateCertificate(ctx, shop.CreateCertificateInput{
		Type: input.Given(string(shop.ProcessCertificate)), Name: input.Given("Hardness test, single part"),
		ChangedBy: s.who(quality),
	})
	if err != nil {
		return err
	}
	attachment, err := s.service.AttachCertificate(ctx, serial, shop.AttachCertificateInput{
		CertID: input.Given(certificate.ID), UserID: s.who(quality),
	})
	if err != nil {
		return err
	}
	note, err := s.service.CreateNote(ctx, shop.CreateNoteInput{
		JobID: input.Given(l.path.JobID), PathID: input.Given(l.path.ID), StepID: input.Given(l.path.Steps[l.at].ID),
		SerialIDs: serialsOf(l.units), Text: input.Given("Hardness 3 HRC below the others."), UserID: s.who(quality),
	})
	if err != nil {
		return err
	}
	s.after(30*time.Minute, l, l.at, func(ctx context.Context) error {
		void := shop.VoidInput{Reason: reason, UserID: s.who(quality)}
		if _, err := s.service.VoidAttachment(ctx, attachment.ID, void); err != nil {
			return err
		}
		_, err := s.service.VoidNote(ctx, note.ID, void)
		return err
	})
	return nil
}

// report opens a report about the units of a lot, which are put on hold.
func (s *simulation) report(
	ctx context.Context, l lot, severity shop.Severity, title, description string,
) (shop.Nonconformance, error) {
	return s.service.OpenNonconformance(ctx, shop.OpenNonconformanceInput{
		Title: input.Given(title), Description: input.Given(description), Severity: input.Given(string(severity)),
		Selection: shop.SelectionInput{SerialIDs: serialsOf(l.units)}, StepID: input.Given(l.path.Steps[l.at].ID),
		Hold: input.Given(true), UserID: s.who(quality),
	})
}

// decide decides about units of a report.
func (s *simulation) decide(ctx context.Context, report string, l lot, in shop.DispositionInput) error {
	in.SerialIDs, in.UserID = serialsOf(l.units), s.who(quality)
	_, err := s.service.DisposeNonconformance(ctx, report, in)
	return err
}

// reportIndications opens a report, decides about its units, and closes it.
func (s *simulation) reportIndications(ctx context.Context, l lot) error {
	report, err := s.report(ctx, l, shop.Major, "Penetrant indications at the bore edge",
		"Linear indications up to 0.8 mm at the bore edge. The insert was worn; the parts before it are clean.")
	if err != nil {
		return err
	}
	accepted, turned, lost := partOf(l, 0, 1), partOf(l, 1, 5), partOf(l, 5, 6)
	s.after(3*time.Hour, accepted, l.at, func(ctx context.Context) error {
		return s.decide(ctx, report.ID, accepted, shop.DispositionInput{
			Disposition: input.Given(string(shop.UseAsIs)), Reason: input.Given("Outside the area that is inspected"),
			Concession: input.Given("Customer's quality, concession 2231"),
		})
	})
	s.plan(3*time.Hour, func(ctx context.Context) error {
		return s.decide(ctx, report.ID, lost, shop.DispositionInput{
			Disposition: input.Given(string(shop.ScrapIt)), Reason: input.Given("Indication too deep to be turned out"),
			ScrapReason: input.Given(string(card.ProcessDefect)),
		})
	})
	s.after(5*time.Hour, turned, 1, func(ctx context.Context) error {
		return s.decide(ctx, report.ID, turned, shop.DispositionInput{
			Disposition: input.Given(string(shop.Rework)), Reason: input.Given("Turn the edge again with a new insert"),
			TargetStepIndex: input.Given(1.0),
		})
	})
	s.plan(30*time.Hour, func(ctx context.Context) error {
		return s.closeReport(ctx, report.ID, "Insert life set to 40 parts. Four parts turned again, one accepted, one scrapped.")
	})
	return nil
}

// closeReport closes a report as soon as it can be closed.
func (s *simulation) closeReport(ctx context.Context, id, summary string) error {
	sheet, err := s.views.ReportSheet(ctx, id, views.SheetQuery{})
	if err != nil {
		return err
	}
	if sheet.Open != nil {
		s.plan(6*time.Hour, func(ctx context.Context) error { return s.closeReport(ctx, id, summary) })
		return nil
	}
	_, err = s.service.CloseNonconformance(ctx, id, shop.CloseNonconformanceInput{
		Summary: input.Given(summary), UserID: s.who(quality),
	})
	return err
}

// reportPorosity opens a report and decides about half of its units.
func (s *simulation) reportPorosity(ctx context.Context, l lot) error {
	report, err := s.report(ctx, l, shop.Major, "Porosity in the sealing face",
		"Pores up to 2 mm after milling. The castings are of one heat, G7719.")
	if err != nil {
		return err
	}
	back, accepted := partOf(l, 0, 2), partOf(l, 2, 3)
	s.plan(6*time.Hour, func(ctx context.Context) error {
		return s.decide(ctx, report.ID, back, shop.DispositionInput{
			Disposition: input.Given(string(shop.ReturnToSupplier)), Reason: input.Given("Pores in the seal's groove"),
		})
	})
	s.after(7*time.Hour, accepted, l.at, func(ctx context.Context) error {
		return s.decide(ctx, report.ID, accepted, shop.DispositionInput{
			Disposition: input.Given(string(shop.UseAsIs)), Reason: input.Given("Pore outside the sealing face"),
			Concession: input.Given("Customer's engineering, mail of the project manager"),
		})
	})
	return nil
}

// reportBath opens a report without decisions.
func (s *simulation) reportBath(ctx context.Context, l lot) error {
	_, err := s.report(ctx, l, shop.Critical, "Electropolishing bath out of limits",
		"The subcontractor's record shows 12 °C over the limit. Samples are at the laboratory.")
	return err
}

package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// The demo measures valve bodies after turning: seat, length, and whether the edges are free of burr. The control limits of the seat are
// frozen after the first twenty units. Its readings grow from unit to unit, so that a rule of its chart finds them, and one unit stays with
// a reading out of limits.

const (
	measuredRoute = "Machining and pressure test"
	measuredStep  = 1 // counted from 0

	frozenAfter   = 20 // units
	measuredAgain = 22 // the unit whose reading was taken before cleaning and then repeated
	measuredOut   = 45 // the unit that is out of limits and stays there
)

// buyInstruments records the instruments of the shop. One has been due for calibration since the day before yesterday.
func (s *simulation) buyInstruments(ctx context.Context) error {
	for _, i := range []struct {
		number, name string
		days         int // from the end of the history to its due date
		from, to     input.Written
	}{
		{"M-017", "Micrometer 25-50 mm", 120, "25", "50"}, {"M-031", "Caliper 150 mm", -2, "0", "150"},
		{"M-032", "Caliper 150 mm", 200, "0", "150"},
	} {
		made, err := s.service.CreateInstrument(ctx, shop.InstrumentInput{
			Number: input.Given(i.number), Name: input.Given(i.name), ChangedBy: s.who(planner),
			DueDate:             input.Given(s.now.AddDate(0, 0, i.days).UTC().Format(time.DateOnly)),
			MeasuringRangeInput: shop.MeasuringRangeInput{From: input.Given(i.from), To: input.Given(i.to), Unit: input.Given("mm")},
		})
		if err != nil {
			return err
		}
		s.instruments[i.number] = made.ID
	}
	return nil
}

// demand adds the characteristics to a route, if it is the measured one.
func (s *simulation) demand(ctx context.Context, path card.Path) error {
	if path.Name != measuredRoute {
		return nil
	}
	seat := number("12", "Seat diameter", "mm", "48.000", "47.980", "48.020")
	seat.Designator = input.Given(string(card.KeyCharacteristic))
	_, err := s.service.SetCharacteristics(ctx, path.Steps[measuredStep].ID, shop.SetCharacteristicsInput{
		Characteristics: input.Given([]input.Input[shop.CharacteristicInput]{
			input.Given(seat), input.Given(number("13", "Length", "mm", "90.00", "89.90", "90.10")),
			input.Given(shop.CharacteristicInput{
				Number: input.Given(input.Written("14")), Name: input.Given("Free of burr"),
				Type: input.Given(string(card.PassFailReading)),
			}),
		}),
		UserID: s.who(planner),
	})
	return err
}

// number returns a characteristic with a number as its reading. It has no limit where the text is "".
func number(balloon, name, unit, nominal, lower, upper string) shop.CharacteristicInput {
	limit := func(value string) (in input.WrittenInput) {
		if value == "" {
			return in
		}
		return input.Given(input.Written(value))
	}
	return shop.CharacteristicInput{
		Number: input.Given(input.Written(balloon)), Name: input.Given(name), Type: input.Given(string(card.NumberReading)),
		Unit: input.Given(unit), Nominal: limit(nominal), Lower: limit(lower), Upper: limit(upper), InstrumentRequired: input.Given(true),
	}
}

// measure records the readings of the units of a lot if the step has characteristics. It returns the units that continue.
func (s *simulation) measure(ctx context.Context, l lot, user input.TextInput) ([]unit, error) {
	if l.path.Name != measuredRoute || l.at != measuredStep {
		return l.units, nil
	}
	var goOn []unit
	for _, u := range l.units {
		n := s.next("measured")
		switch n {
		case 0:
			s.measuredSince = s.service.Now()
		case frozenAfter:
			if err := s.freeze(ctx, l.path); err != nil {
				return nil, err
			}
		default:
		}
		// In thousandths and hundredths: what a tool that wears and a hand that measures leave.
		seat, length := 47992+n*2/5+(n*7+n*n)%7-3, 9000+(n*5+n*n*3)%9-4
		switch n {
		case measuredAgain:
			if err := s.record(ctx, u, 48031, length, user); err != nil {
				return nil, err
			}
		case measuredOut:
			seat = 48027
		default:
		}
		if err := s.record(ctx, u, seat, length, user); err != nil {
			return nil, err
		}
		if n != measuredOut {
			goOn = append(goOn, u)
		}
	}
	return goOn, nil
}

// freeze freezes the control limits of what was measured so far of the seat.
func (s *simulation) freeze(ctx context.Context, path card.Path) error {
	set, err := s.service.Characteristics(ctx, path.Steps[measuredStep].ID)
	if err != nil {
		return err
	}
	_, err = s.service.FreezeLimits(ctx, set.Characteristics[0].ID, shop.BaselineInput{
		From: input.Given(s.measuredSince.String()), To: input.Given(s.service.Now().String()),
		Reason: input.Given("New insert, the first twenty bodies run as they should"), UserID: s.who(planner),
	})
	return err
}

// record records one set of readings: the seat in thousandths of a millimetre, the length in hundredths.
func (s *simulation) record(ctx context.Context, u unit, seat, length int, user input.TextInput) error {
	caliper := "M-031"
	if _, err := s.service.UsableInstrument(ctx, caliper); err != nil {
		caliper = "M-032"
	}
	_, err := s.service.RecordMeasurements(ctx, u.serial, shop.MeasureInput{
		Values: input.Given([]input.Input[shop.MeasuredInput]{
			s.read("12", fmt.Sprintf("%d.%03d", seat/1000, seat%1000), "M-017"),
			s.read("13", fmt.Sprintf("%d.%02d", length/100, length%100), caliper),
			s.read("14", string(card.VerdictPass), ""),
		}),
		UserID: user,
	})
	return err
}

// read returns a reading of a characteristic. The instrument is "" for none.
func (s *simulation) read(balloon, value, instrument string) input.Input[shop.MeasuredInput] {
	in := shop.MeasuredInput{Characteristic: input.Given(input.Written(balloon)), Value: input.Given(input.Written(value))}
	if instrument != "" {
		in.InstrumentID = input.Given(s.instruments[instrument])
	}
	return input.Given(in)
}

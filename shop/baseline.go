package shop

import (
	"context"
	"iter"
	"slices"

	"github.com/routecard/routecard/internal/spc"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Baseline are control limits that were frozen: computed once, from the readings of a time in which a process ran as it should.
// Every reading since is judged by them. It is never changed. A later one with the same subgroup supersedes it.
type Baseline struct {
	ID               string          `json:"id"`
	CharacteristicID string          `json:"characteristicId"`
	StepID           string          `json:"stepId"`
	From             ident.Timestamp `json:"from"` // of the readings, both ends included
	To               ident.Timestamp `json:"to"`
	Subgroup         int             `json:"subgroup"` // how many readings make a point: 1 to spc.SubgroupMost
	Rules            spc.RuleSet     `json:"rules"`    // that points are judged by unless another set is asked for
	N                int             `json:"n"`        // readings that the limits follow from
	FirstReadingID   string          `json:"firstReadingId"`
	LastReadingID    string          `json:"lastReadingId"`
	Limits           spc.Limits      `json:"limits"` // of the points
	Spread           spc.Limits      `json:"spread"` // of the moving range, or of the range of each subgroup
	Reason           string          `json:"reason"`
	FrozenBy         string          `json:"frozenBy"`
	FrozenAt         ident.Timestamp `json:"frozenAt"`
}

// Contents is the SHA-256 of what the entry of a baseline tells of it.
func (b *Baseline) Contents() trail.ContentsSHA256 { return trail.ContentsOf(b) }

// CheckSubgroup refuses a size that no subgroup of a chart has.
func CheckSubgroup(field string, size int) error {
	if size < 1 || size > spc.SubgroupMost {
		return refusal.RefuseField(NotSubgroup, field)
	}
	return nil
}

// Chartable refuses a characteristic of which nothing can be charted.
func Chartable(c *card.Characteristic) error {
	if c.Type != card.NumberReading {
		return refusal.Refuse(OnlyNumbersCharted)
	}
	return nil
}

// BaselineInput is the body of Freeze Control Limits.
type BaselineInput struct {
	From     input.TextInput   `field:"from"`
	To       input.TextInput   `field:"to"`
	Subgroup input.NumberInput `field:"subgroup"` // 1 when it is missing
	Rules    input.TextInput   `field:"rules"`    // western_electric when it is missing
	Reason   input.TextInput   `field:"reason"`
	UserID   input.TextInput   `field:"userId"`
}

func (in BaselineInput) check(caller Caller) (b Baseline, err error) {
	if b.From, err = input.RequiredTime("from", in.From); err != nil {
		return b, err
	}
	if b.To, err = input.RequiredTime("to", in.To); err != nil {
		return b, err
	}
	if b.To < b.From {
		return b, refusal.RefuseField(refusal.RangeBackwards, "to")
	}
	b.Subgroup, b.Rules = 1, spc.WesternElectric
	if !in.Subgroup.Missing() {
		if err := in.Subgroup.Typed("subgroup"); err != nil {
			return b, err
		}
		if b.Subgroup = int(in.Subgroup.Value); float64(b.Subgroup) != in.Subgroup.Value {
			return b, refusal.RefuseField(NotSubgroup, "subgroup")
		}
		if err := CheckSubgroup("subgroup", b.Subgroup); err != nil {
			return b, err
		}
	}
	if !in.Rules.Missing() {
		if b.Rules, err = input.OneOf("rules", in.Rules, spc.RuleSets()); err != nil {
			return b, err
		}
	}
	if b.Reason, err = input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.Required); err != nil {
		return b, err
	}
	b.FrozenBy, err = requiredUser(caller, in.UserID)
	return b, err
}

// freeze computes the limits of readings, which are newest first. It refuses those from which none follow: fewer than two points, and
// readings that do not spread, whose limits every other reading would break.
func (b *Baseline) freeze(newestFirst []ChartedReading) error {
	if len(newestFirst) > ChartReadings {
		return refusal.RefuseField(TooManyReadings, "from", ChartReadings)
	}
	counted := Charted(newestFirst)
	sample, err := SampleOf(counted)
	if err != nil {
		return err
	}
	chart := spc.NewChart(sample, b.Subgroup)
	if len(chart.Points) < 2 || chart.Within <= 0 {
		return refusal.RefuseField(NoControlLimits, "from", len(counted))
	}
	counted = counted[:len(chart.Points)*b.Subgroup] // those at the end that fill no subgroup are not among them
	b.N, b.FirstReadingID, b.LastReadingID = len(counted), counted[0].ID, counted[len(counted)-1].ID
	b.Limits, b.Spread = chart.Limits, chart.Spread
	return nil
}

// FreezeLimits computes the control limits of a characteristic from its readings of a time, and keeps them: charts of the same subgroup
// have them from then on, until others are frozen.
func (s *Service) FreezeLimits(ctx context.Context, characteristicID string, in BaselineInput) (Baseline, error) {
	var made Baseline
	err := s.Commit(ctx, &made, func(tx Tx) error {
		set, c, err := FindCharacteristic(tx, characteristicID)
		if err != nil {
			return err
		}
		path, err := FindPathOfStep(tx, set.StepID)
		if err != nil {
			return err
		}
		if err := Chartable(&c); err != nil {
			return err
		}
		if made, err = in.check(CallerOf(ctx)); err != nil {
			return err
		}
		until := max(made.To, 1) // 0 would not narrow
		newest, err := tx.ChartedReadings(ChartedQuery{characteristicID, made.From, until, ChartReadings + 1})
		if err != nil {
			return err
		}
		if err := made.freeze(newest); err != nil {
			return err
		}
		made.ID, made.CharacteristicID, made.StepID, made.FrozenAt = s.NewID(prefixBaseline), characteristicID, set.StepID, s.Now()
		if err := tx.InsertBaseline(made); err != nil {
			return err
		}
		return tx.AppendAudit(trail.Entry{
			Action: ActionLimitsFrozen, UserID: made.FrozenBy, Timestamp: made.FrozenAt,
			JobID: path.JobID, PathID: path.ID, StepID: set.StepID, Metadata: trail.Metadata(baselineEvent{
				made.ID, characteristicID, c.Number, c.Place, made.From, made.To, made.Subgroup, made.Rules, made.N,
				made.FirstReadingID, made.LastReadingID, made.Limits, made.Spread, made.Reason, made.Contents(),
			}),
		})
	})
	return made, err
}

// FindCharacteristic returns a characteristic, as it is by now or was last, and the set that has it so.
func FindCharacteristic(tx CharacteristicStore, id string) (set card.CharacteristicSet, c card.Characteristic, err error) {
	if set, err = tx.SetWith(id); err != nil {
		return set, c, OrNotFound(err, NameCharacteristic, id)
	}
	at := slices.IndexFunc(set.Characteristics, func(c card.Characteristic) bool { return c.ID == id })
	if at < 0 {
		return set, c, NameCharacteristic.NotFound(id)
	}
	return set, set.Characteristics[at], nil
}

// Baselines answers what was frozen for a characteristic, oldest first. Of each subgroup the last one holds.
func (s *Service) Baselines(ctx context.Context, characteristicID string) (found []Baseline, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		if _, _, err := FindCharacteristic(tx, characteristicID); err != nil {
			return err
		}
		found, err = tx.BaselinesOf(characteristicID)
		return err
	})
	return found, err
}

// baselineEvent is the metadata of an entry about a baseline. The entries about the readings, which are in the trail too, have the
// values from which the limits follow.
type baselineEvent struct {
	BaselineID       string               `json:"baselineId"`
	CharacteristicID string               `json:"characteristicId"`
	Number           string               `json:"number"`
	Place            string               `json:"place,omitempty"`
	From             ident.Timestamp      `json:"from"`
	To               ident.Timestamp      `json:"to"`
	Subgroup         int                  `json:"subgroup"`
	Rules            spc.RuleSet          `json:"rules"`
	N                int                  `json:"n"`
	FirstReadingID   string               `json:"firstReadingId"`
	LastReadingID    string               `json:"lastReadingId"`
	Limits           spc.Limits           `json:"limits"`
	Spread           spc.Limits           `json:"spread"`
	Reason           string               `json:"reason"`
	Contents         trail.ContentsSHA256 `json:"contentsSha256"`
}

// BaselineStore is what the operations on baselines need of a database.
type BaselineStore interface {
	InsertBaseline(baseline Baseline) error
	BaselinesOf(characteristicID string) ([]Baseline, error) // oldest first
	AllBaselines() iter.Seq2[Baseline, error]                // of all characteristics, oldest first
}

// What the tables of the business call baselines.
const (
	RecordBaseline ident.RecordKind = "baseline"

	prefixBaseline = "base_"

	OpFreezeLimits Operation = "freeze-limits"

	AboutCharacteristic Subject = "characteristic"

	ActionLimitsFrozen trail.Action = "limits_frozen"
)

// Why it is refused.
var (
	NotSubgroup        = refusal.NewReason(refusal.Invalid, "invalid_subgroup", "{field} must be an integer from 1 to 10")
	OnlyNumbersCharted = refusal.NewReason(refusal.Invalid, "only_numbers_charted", "Only characteristics of type number have charts")
	NoControlLimits    = refusal.NewReason(refusal.Invalid, "no_control_limits", "No control limits follow from the readings between {field} and to: {n}")
	TooManyReadings    = refusal.NewReason(refusal.Invalid, "too_many_readings", "There are more than {n} readings between {field} and to")
)

var baselineNoun = noun{
	records: []Record{
		{
			Kind: RecordBaseline, Prefix: prefixBaseline, Table: "baseline", StepColumn: "step_id", Compared: true,
			Told: func(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
				var told baselineEvent
				err := trail.ReadMetadata(entry, &told)
				return told.BaselineID, told.Contents, err
			},
			Kept: func(tx Tx) iter.Seq2[Kept, error] {
				return keptOf(tx.AllBaselines(), func(b Baseline) Kept { return Kept{b.ID, b.Contents()} })
			},
		},
	},
	operations: []operationRow{
		{operation: OpFreezeLimits, permission: Plan, subject: AboutCharacteristic},
	},
	actions: []actionRow{
		{action: ActionLimitsFrozen, of: only(RecordBaseline)},
	},
}

// ChartedReading is what a control chart needs of a reading of a number.
type ChartedReading struct {
	ID         string          `json:"id"`
	SerialID   string          `json:"serialId"`
	Value      string          `json:"value"` // as it was typed
	Pass       int             `json:"-"`     // of the unit along its path
	MeasuredAt ident.Timestamp `json:"-"`
}

// ChartReadings is how many readings a chart has at most.
const ChartReadings = 10_000

// ChartedQuery says which readings of a characteristic to chart. A time of 0 does not narrow; both ends are included.
type ChartedQuery struct {
	CharacteristicID string
	From, To         ident.Timestamp
	Limit            int
}

// Charted are the readings that count in a chart, oldest first, of those that are not voided, newest first: of a unit that was
// measured again in the same pass the last one. What is no number was read while the characteristic was of another type, and does not
// count.
func Charted(newestFirst []ChartedReading) []ChartedReading {
	type measured struct {
		serial string
		pass   int
	}
	seen := make(map[measured]bool, len(newestFirst))
	count := make([]ChartedReading, 0, len(newestFirst))
	for i := range newestFirst {
		r := &newestFirst[i]
		if _, number := input.ParseDecimal(r.Value); !number {
			continue
		}
		if of := (measured{r.SerialID, r.Pass}); !seen[of] {
			seen[of] = true
			count = append(count, *r)
		}
	}
	slices.Reverse(count)
	return count
}

// SampleOf has the values of readings that Charted returned.
func SampleOf(readings []ChartedReading) (spc.Sample, error) {
	values := make([]string, len(readings))
	for i := range readings {
		values[i] = readings[i].Value
	}
	return spc.NewSample(values)
}

// ChartedStore is what charts need of a database.
type ChartedStore interface {
	// ChartedReadings returns readings that are not voided, newest first.
	ChartedReadings(query ChartedQuery) ([]ChartedReading, error)
}

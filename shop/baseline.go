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

// Baseline is a set of frozen control limits, computed once from readings of a period in which the process was stable. Later readings are
// checked against them. A baseline never changes: a later baseline with the same subgroup size supersedes it.
type Baseline struct {
	ID               string          `json:"id"`
	CharacteristicID string          `json:"characteristicId"`
	StepID           string          `json:"stepId"`
	From             ident.Timestamp `json:"from"` // period of the readings, both ends included
	To               ident.Timestamp `json:"to"`
	Subgroup         int             `json:"subgroup"` // readings per point: 1 to spc.SubgroupMost
	Rules            spc.RuleSet     `json:"rules"`    // the default rules for points
	N                int             `json:"n"`        // number of readings that the limits were computed from
	FirstReadingID   string          `json:"firstReadingId"`
	LastReadingID    string          `json:"lastReadingId"`
	Limits           spc.Limits      `json:"limits"` // limits of the plotted points
	Spread           spc.Limits      `json:"spread"` // limits of the moving range, or of the range of each subgroup
	Reason           string          `json:"reason"`
	FrozenBy         string          `json:"frozenBy"`
	FrozenAt         ident.Timestamp `json:"frozenAt"`
}

// Contents returns the SHA-256 of the contents that a baseline's audit entry records.
func (b *Baseline) Contents() trail.ContentsSHA256 { return trail.ContentsOf(b) }

// CheckSubgroup refuses invalid subgroup sizes.
func CheckSubgroup(field string, size int) error {
	if size < 1 || size > spc.SubgroupMost {
		return refusal.RefuseField(NotSubgroup, field)
	}
	return nil
}

// Chartable refuses characteristics that are not numbers.
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
	Subgroup input.NumberInput `field:"subgroup"` // default: 1
	Rules    input.TextInput   `field:"rules"`    // default: western_electric
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

// freeze computes limits from readings, newest first. It refuses fewer than two points, and readings without spread: every
// different reading would violate their limits.
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
	counted = counted[:len(chart.Points)*b.Subgroup] // without an incomplete subgroup at the end
	b.N, b.FirstReadingID, b.LastReadingID = len(counted), counted[0].ID, counted[len(counted)-1].ID
	b.Limits, b.Spread = chart.Limits, chart.Spread
	return nil
}

// FreezeLimits computes the control limits of a characteristic from the readings of a period and stores them. Charts with the same subgroup
// size use these limits until other limits are frozen.
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
		until := max(made.To, 1) // 0 would mean no bound
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

// FindCharacteristic returns the current or last version of a characteristic, and the set that contains it.
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

// Baselines returns the baselines of a characteristic, oldest first. The last one of each subgroup size is in force.
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

// baselineEvent is the metadata of a baseline's audit entry. The values that the limits were computed from are in the entries of
// the readings.
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

// BaselineStore has the database functions for baselines.
type BaselineStore interface {
	InsertBaseline(baseline Baseline) error
	BaselinesOf(characteristicID string) ([]Baseline, error) // oldest first
	AllBaselines() iter.Seq2[Baseline, error]                // of all characteristics, oldest first
}

// Names of baselines in the tables of nouns.go.
const (
	RecordBaseline ident.RecordKind = "baseline"

	prefixBaseline = "base_"

	OpFreezeLimits Operation = "freeze-limits"

	AboutCharacteristic Subject = "characteristic"

	ActionLimitsFrozen trail.Action = "limits_frozen"
)

// Reasons for refusing to chart readings or to freeze limits.
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

// ChartedReading has the fields of a numeric reading that a control chart needs.
type ChartedReading struct {
	ID         string          `json:"id"`
	SerialID   string          `json:"serialId"`
	Value      string          `json:"value"` // as entered
	Pass       int             `json:"-"`     // the unit's pass along its path
	MeasuredAt ident.Timestamp `json:"-"`
}

// ChartReadings is the maximum number of readings in a chart.
const ChartReadings = 10_000

// ChartedQuery selects readings of a characteristic to chart. A time of 0 means no bound; both ends are included.
type ChartedQuery struct {
	CharacteristicID string
	From, To         ident.Timestamp
	Limit            int
}

// Charted returns the readings that a chart shows, oldest first. Its argument is all readings that are not voided, newest first.
// If a unit was measured more than once in the same pass, only its last reading counts. Non-numeric readings, entered while the
// characteristic had another type, are skipped.
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

// SampleOf returns the values of readings that Charted returned.
func SampleOf(readings []ChartedReading) (spc.Sample, error) {
	values := make([]string, len(readings))
	for i := range readings {
		values[i] = readings[i].Value
	}
	return spc.NewSample(values)
}

// ChartedStore has the database functions for charts.
type ChartedStore interface {
	// ChartedReadings returns readings that are not voided, newest first.
	ChartedReadings(query ChartedQuery) ([]ChartedReading, error)
}

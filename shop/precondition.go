package shop

import (
	"context"
	"errors"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/refusal"
)

// A caller can make a change depend on what it read: the operation is refused when the record has changed since. A face
// knows how its callers name a state of a record, so it puts a function into the context that compares an answer with
// what the caller read.

// The comparison stays in the context: it comes with the request, from a header or a form, and applies to whichever
// operation the request leads to.
type matchKey struct{}

// WithMatch returns a context whose operation is refused unless same reports that the record is what the caller read. same
// is given the answer about the record as it is in the transaction of the change.
func WithMatch(ctx context.Context, same func(answer any) (bool, error)) context.Context {
	return context.WithValue(ctx, matchKey{}, same)
}

// unitMatchKey is for the identifier of the unit whose state every change under the context depends on.
type unitMatchKey struct{}

// WithMatchOfUnit returns a context in which every change is refused unless same, as in WithMatch, reports that the unit is what
// the caller read: what Get Serial answers about it, or Get Step Statuses. Whether a unit that does not exist refuses the change
// is left to the operation.
func WithMatchOfUnit(ctx context.Context, serialID string, same func(answer any) (bool, error)) context.Context {
	return context.WithValue(WithMatch(ctx, same), unitMatchKey{}, serialID)
}

// RefuseUnread refuses to change a record that is not what the caller read. The answers are what the caller would read now, at
// one address or another; one of them has to be what was read. Without answers the record can be read at no address of its own.
func RefuseUnread(ctx context.Context, name refusal.RecordName, id string, answers ...func() (any, error)) error {
	same, _ := ctx.Value(matchKey{}).(func(any) (bool, error))
	if same == nil {
		return nil
	}
	if len(answers) == 0 {
		answers = []func() (any, error){func() (any, error) { return nil, nil }} //nolint:nilnil // there is no answer
	}
	for _, answer := range answers {
		value, err := answer()
		if err != nil {
			return err
		}
		if unchanged, err := same(value); unchanged || err != nil {
			return err
		}
	}
	return refusal.Refuse(refusal.RecordChanged, string(name), id)
}

// refuseUnreadUnit refuses to change a unit that is not what the caller read; ErrNoRecord when there is no such unit.
func refuseUnreadUnit(ctx context.Context, tx Tx, serialID string) error {
	if ctx.Value(matchKey{}) == nil {
		return nil
	}
	card, err := tx.RouteCard(serialID)
	if err != nil {
		return err
	}
	return RefuseUnread(ctx, NameSerialNumber, serialID, func() (any, error) {
		certificates, err := tx.CertificatesOfSerial(serialID)
		return DetailOf(card, certificates), err
	}, func() (any, error) { return statusesOf(card), nil })
}

// matching is a store that judges, in each transaction under WithMatchOfUnit and before everything else in it, whether the unit is
// what the caller read.
type matching struct{ Store }

func (s matching) Update(ctx context.Context, change func(Tx) error, options ...UpdateOption) error {
	serialID, ok := ctx.Value(unitMatchKey{}).(string)
	if !ok || slices.Contains(options, Aside) {
		return s.Store.Update(ctx, change, options...)
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		if err := refuseUnreadUnit(ctx, tx, serialID); err != nil && !errors.Is(err, ErrNoRecord) {
			return err
		}
		return change(tx)
	}, options...)
}

// ChangeCard takes a transaction of its own: what the caller read has more in it than the card.
func (s matching) ChangeCard(ctx context.Context, serialID string, change func(card.Card) (card.Change, error)) error {
	if _, ok := ctx.Value(unitMatchKey{}).(string); !ok {
		return s.Store.ChangeCard(ctx, serialID, change)
	}
	return s.Update(ctx, func(tx Tx) error { return changeCardIn(tx, serialID, change) })
}

// changeCardIn does what Store.ChangeCard does, in a transaction that has more to do.
func changeCardIn(tx Tx, serialID string, change func(card.Card) (card.Change, error)) error {
	unit, err := tx.RouteCard(serialID)
	if err != nil {
		return err
	}
	changed, err := change(unit)
	if err != nil {
		return err
	}
	if err := tx.ChangeCards([]card.Change{changed}); err != nil || changed.Remember == nil {
		return err
	}
	return tx.Remember(*changed.Remember)
}

// CountJobsNow is countJobs for a transaction that changes something: it counts what is there, this very moment, and
// keeps nothing of it, since the transaction may come to nothing.
func CountJobsNow(tx Counting, jobIDs []string) (map[string]SerialCounts, error) {
	paths, err := tx.PathsOfJobs(jobIDs)
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	ids, jobOf := make([]string, len(paths)), map[string]string{}
	for i, path := range paths {
		ids[i], jobOf[path.PathID] = path.PathID, path.JobID
	}
	standing, err := tx.CountStanding(ids)
	if err != nil {
		return nil, err
	}
	counts := map[string]SerialCounts{}
	for _, count := range standing {
		of := counts[jobOf[count.PathID]]
		of.Add(count.Status, count.Count)
		counts[jobOf[count.PathID]] = of
	}
	return counts, nil
}

// countPathNow is countPath for a transaction that changes something.
func countPathNow(tx Counting, id string) (PathCounts, error) {
	counted, err := tx.CountStanding([]string{id})
	if err != nil {
		return PathCounts{}, err
	}
	standing := make([]StandingCount, len(counted))
	for i, count := range counted {
		standing[i] = count.StandingCount
	}
	return withExceptions(tx, id, standing)
}

// Counting is what an operation needs to know how many serials stand where.
type Counting interface {
	// CountStanding counts the serials of paths, or of all of them for nil, by path, status and position.
	CountStanding(pathIDs []string) ([]PathStandingCount, error)
	// CountExceptions counts the exceptions at the steps of a path.
	CountExceptions(pathID string) ([]ExceptionCount, error)
	// CountAhead counts those that are not behind their serial: a waiver can be ahead of one that was sent back.
	CountAhead(pathID string) ([]ExceptionCount, error)
	// PathsOfJobs returns the paths of jobs.
	PathsOfJobs(jobIDs []string) ([]PathOfJob, error)
}

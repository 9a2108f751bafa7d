package shop

import (
	"context"
	"errors"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/refusal"
)

// A caller can make a change conditional on what it read: the operation is refused if the record has changed since. The HTTP interface and
// the pages identify states of a record in different ways. So each puts its own function into the context, which compares a response with
// what the caller read. internal/httpapi/tag.go reads If-Match and compares ETags, and internal/httpstatus maps the refusal to 412.

// The key of that function in the context. The function belongs to the request, from a header or a form, and applies to every operation
// of the request.
type matchKey struct{}

// WithMatch returns a context whose operation is refused unless same returns true. same receives the response about the record in the
// transaction of the change, and compares that response with what the caller read.
func WithMatch(ctx context.Context, same func(answer any) (bool, error)) context.Context {
	return context.WithValue(ctx, matchKey{}, same)
}

// unitMatchKey is the key of the unit's identifier in a context from WithMatchOfUnit.
type unitMatchKey struct{}

// WithMatchOfUnit returns a context in which every change is refused unless same, as in WithMatch, returns true for the unit's current
// response of Get Serial or Get Step Statuses. If the unit does not exist, the operation decides whether to refuse the change.
func WithMatchOfUnit(ctx context.Context, serialID string, same func(answer any) (bool, error)) context.Context {
	return context.WithValue(WithMatch(ctx, same), unitMatchKey{}, serialID)
}

// RefuseUnread refuses to change a record that differs from what the caller read. Each of the answers functions returns what the caller
// would read now at one address of the record. The caller's version must equal one of these results. Pass no functions for a record without
// an address.
func RefuseUnread(ctx context.Context, name refusal.RecordName, id string, answers ...func() (any, error)) error {
	same, _ := ctx.Value(matchKey{}).(func(any) (bool, error))
	if same == nil {
		return nil
	}
	if len(answers) == 0 {
		answers = []func() (any, error){func() (any, error) { return nil, nil }} //nolint:nilnil // no response to compare
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

// refuseUnreadUnit refuses to change a unit that differs from what the caller read. It returns ErrNoRecord if the unit does not exist.
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

// matching is a store that, in each transaction under WithMatchOfUnit, first checks that the unit equals what the caller read.
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

// ChangeCard uses a transaction of its own under WithMatchOfUnit: the caller read more than the card.
func (s matching) ChangeCard(ctx context.Context, serialID string, change func(card.Card) (card.Change, error)) error {
	if _, ok := ctx.Value(unitMatchKey{}).(string); !ok {
		return s.Store.ChangeCard(ctx, serialID, change)
	}
	return s.Update(ctx, func(tx Tx) error { return changeCardIn(tx, serialID, change) })
}

// changeCardIn does what Store.ChangeCard does, as part of a larger transaction.
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

// CountJobsNow is countJobs for a transaction that changes something. It counts directly and caches nothing, since the transaction may be
// rolled back.
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

// Counting lists the database operations that count serials by position.
type Counting interface {
	// CountStanding counts the serials of paths by path, status and position. nil means all paths.
	CountStanding(pathIDs []string) ([]PathStandingCount, error)
	// CountExceptions counts the exceptions at the steps of a path.
	CountExceptions(pathID string) ([]ExceptionCount, error)
	// CountAhead counts the exceptions at steps that their serial has not passed: after a rework, a waiver may be ahead of its unit.
	CountAhead(pathID string) ([]ExceptionCount, error)
	// PathsOfJobs returns the paths of jobs.
	PathsOfJobs(jobIDs []string) ([]PathOfJob, error)
}

package shop

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/genealogy"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// BatchInput has the fields that all operations on many serials share.
type BatchInput struct {
	Selection SelectionInput
	OnRefusal input.TextInput `field:"onRefusal"` // AllOrNone (the default) or EachThatCan
	DryRun    input.FlagInput `field:"dryRun"`
	// Told, if not nil, is called from time to time with the number of serials processed so far.
	Told func(done, selected int) `field:"-"`
}

func (in BatchInput) selection() SelectionInput { return in.Selection }

// OnRefusal determines the effect of a refused serial on its batch.
type OnRefusal string

// The values of onRefusal.
const (
	AllOrNone   OnRefusal = "none" // no serial is changed
	EachThatCan OnRefusal = "each" // all serials that are not refused are changed
)

// Refusal is the reason why one serial of a batch was not changed.
type Refusal struct {
	SerialID string
	Err      error

	unknown bool // the serial does not exist
}

// BatchResult is the response of an operation on many serials.
type BatchResult struct {
	Selected int
	Changed  int
	Refused  []Refusal // in the order of the selection
	Lots     *int      `json:"lots,omitempty"` // put on hold too; nil if the request did not ask for that
}

// BatchAdvanceInput is the body of Batch Advance.
type BatchAdvanceInput struct {
	BatchInput
	AdvanceSerialInput
}

// BatchAdvance moves every selected serial one step forward, as AdvanceSerial does.
func (s *Service) BatchAdvance(ctx context.Context, in BatchAdvanceInput) (BatchResult, error) {
	return s.changeMany(ctx, in.BatchInput, NameSerialNumber, in.checkFields, in.rule)
}

// BatchAdvanceToInput is the body of Batch Advance to Step.
type BatchAdvanceToInput struct {
	BatchInput
	AdvanceToStepInput
}

// BatchAdvanceTo moves every selected serial to a step, as AdvanceToStep does.
func (s *Service) BatchAdvanceTo(ctx context.Context, in BatchAdvanceToInput) (BatchResult, error) {
	return s.changeMany(ctx, in.BatchInput, NameSerial, in.checkFields, in.rule)
}

// BatchScrapInput is the body of Batch Scrap.
type BatchScrapInput struct {
	BatchInput
	ScrapSerialInput
}

// BatchScrap takes every selected serial out of production, as ScrapSerial does.
func (s *Service) BatchScrap(ctx context.Context, in BatchScrapInput) (BatchResult, error) {
	return s.changeMany(s.signable(ctx, in), in.BatchInput, NameSerial, in.checkFields, in.rule)
}

// BatchForceCompleteInput is the body of Batch Force Complete.
type BatchForceCompleteInput struct {
	BatchInput
	ForceCompleteInput
}

// BatchForceComplete completes every selected serial, as ForceComplete does.
func (s *Service) BatchForceComplete(ctx context.Context, in BatchForceCompleteInput) (BatchResult, error) {
	return s.changeMany(s.signable(ctx, in), in.BatchInput, NameSerial, in.checkFields, in.rule)
}

// batch is an operation on many serials with validated fields.
type batch struct {
	selection Selection
	rule      cardRule
	missing   refusal.RecordName // the name for a serial that does not exist
	told      func(done, selected int)
	lots      func(Tx, []genealogy.Item) error // changes lots of a recall that are not on hold; nil for no change
	begin     beginBatch                       // nil if rule is all
}

// beginBatch prepares the work of a batch in one transaction that changes serials. whole reports whether the transaction changes all of
// them or none. It locks the serials before other records, and it stores nothing, because a dry run calls it too.
type beginBatch func(tx Tx, ids []string, whole bool) (batchWork, error)

// batchWork is the work of a batch in one transaction.
type batchWork struct {
	rule   cardRule
	refuse func() error // refuses all changes together, after no serial was refused; nil for no check
	store  func() error // stores all that the changes of the cards do not contain; nil for nothing
}

// work returns the work of the batch in a transaction.
func (b *batch) work(tx Tx, ids []string, whole bool) (w batchWork, err error) {
	w.rule = b.rule
	if b.begin != nil {
		w, err = b.begin(tx, ids, whole)
	}
	if w.refuse == nil {
		w.refuse = func() error { return nil }
	}
	if w.store == nil {
		w.store = w.refuse
	}
	return w, err
}

// many is a request for an operation on many serials.
type many struct {
	in      BatchInput
	missing refusal.RecordName
	fields  func(Caller) error // checks the request's own fields; it can set lots
	rule    func(Caller) cardRule
	lots    func(Tx, []genealogy.Item) error // see batch
	begin   beginBatch                       // see batch; rule is not used if it is set
}

// changeMany runs a rule on every selected serial. It calls fields once, before the first serial, to check the request's own
// fields.
func (s *Service) changeMany(
	ctx context.Context, in BatchInput, missing refusal.RecordName, fields func(Caller) error, rule func(Caller) cardRule,
) (BatchResult, error) {
	return s.changeEvery(ctx, &many{in, missing, fields, rule, nil, nil})
}

// changeEvery is changeMany for requests that can also change the lots of a recall.
func (s *Service) changeEvery(ctx context.Context, m *many) (BatchResult, error) {
	caller, in := CallerOf(ctx), m.in
	selection, err := in.Selection.check(s.SerialPrefix())
	if err != nil {
		return BatchResult{}, err
	}
	policy := AllOrNone
	if !in.OnRefusal.Missing() {
		if policy, err = input.OneOf("onRefusal", in.OnRefusal, []OnRefusal{AllOrNone, EachThatCan}); err != nil {
			return BatchResult{}, err
		}
	}
	dryRun, err := input.OptionalFlag("dryRun", in.DryRun)
	if err != nil {
		return BatchResult{}, err
	}
	if err := m.fields(caller); err != nil {
		return BatchResult{}, err
	}
	if err := in.Selection.takeMemory(ctx); err != nil {
		return BatchResult{}, err
	}
	b := &batch{selection: selection, missing: m.missing, told: in.Told, lots: m.lots, begin: m.begin}
	if m.rule != nil {
		b.rule = m.rule(caller)
	}
	if b.told == nil {
		b.told = func(int, int) {}
	}
	switch {
	case dryRun:
		return s.tryMany(ctx, b, policy)
	case policy == EachThatCan:
		return s.changeEach(ctx, b)
	}
	return s.changeAll(ctx, b)
}

// changeAll changes all selected serials in one transaction, or none of them if any serial is refused.
func (s *Service) changeAll(ctx context.Context, b *batch) (BatchResult, error) {
	var result BatchResult
	err := s.Commit(ctx, &result, func(tx Tx) error {
		found, err := b.selection.choose(ctx, tx, true)
		if err != nil {
			return err
		}
		ids := found.serialIDs
		work, err := b.work(tx, ids, true)
		if err != nil {
			return err
		}
		now, done, first := s.Now(), 0, placesIn(ids)
		var decides *Refusal // the refusal that comes first in the selection
		for chunk := range slices.Chunk(inKeyOrder(first), ChunkSize) {
			if err := ctx.Err(); err != nil {
				return err
			}
			done += len(chunk)
			if decides != nil {
				chunk = slices.DeleteFunc(chunk, func(id string) bool { return first[id] > first[decides.SerialID] })
			}
			changes, refused, err := b.judge(tx, chunk, work.rule, func() ident.Timestamp { return now })
			if err != nil {
				return err
			}
			decides = earlier(first, decides, refused)
			if decides == nil {
				if err := tx.ChangeCards(changes); err != nil {
					return err
				}
			}
			b.told(done, len(ids))
		}
		if decides != nil {
			return decides.decisive()
		}
		if err := work.refuse(); err != nil {
			return err
		}
		if err := work.store(); err != nil {
			return err
		}
		result = BatchResult{Selected: len(ids), Changed: len(ids), Refused: []Refusal{}}
		result.Lots, err = b.changeLots(tx, found)
		return err
	}, Alone)
	return result, err
}

// changeLots changes the lots of a recall that are not on hold, and returns their number; nil if the request does not change lots.
func (b *batch) changeLots(tx Tx, found selected) (*int, error) {
	if b.lots == nil {
		return nil, nil //nolint:nilnil // no number
	}
	free := slices.DeleteFunc(found.lots, func(lot genealogy.Item) bool { return lot.Held })
	return new(len(free)), b.lots(tx, free)
}

// earlier returns the refusal whose serial comes first in the selection. one may be nil.
func earlier(first map[string]int, one *Refusal, more []Refusal) *Refusal {
	for i := range more {
		if one == nil || first[more[i].SerialID] < first[one.SerialID] {
			one = &more[i]
		}
	}
	return one
}

// changeEach changes the selected serials that are not refused, each chunk in its own transaction. If there is more than one
// chunk, waiting requests commit between chunks. If the store fails after serials were changed, those changes remain. With an
// idempotency key the request then fails with BatchCutOff, and a repeat continues with the rest. Without a key, the remaining
// serials are returned as refused with the store's error.
func (s *Service) changeEach(ctx context.Context, b *batch) (BatchResult, error) {
	ids, lots, err := s.choose(ctx, b)
	if err != nil {
		return BatchResult{}, err
	}
	result := BatchResult{Selected: len(ids), Refused: []Refusal{}, Lots: lots}
	done := 0
	for chunk := range slices.Chunk(ids, ChunkSize) {
		var part BatchPart
		err := s.Commit(ctx, &part, func(tx Tx) error {
			work, err := b.work(tx, chunk, false)
			if err != nil {
				return err
			}
			changes, refused, err := b.judge(tx, chunk, work.rule, s.Now)
			if err != nil {
				return err
			}
			part = PartOf(chunk, len(changes), refused)
			if err := tx.ChangeCards(changes); err != nil {
				return err
			}
			return work.store()
		}, aloneIf(len(ids))...)
		if err != nil {
			if result.Changed == 0 && lots == nil || ctx.Err() != nil {
				return BatchResult{}, err
			}
			if onceRunOf(ctx) != nil {
				return BatchResult{}, errors.Join(refusal.Refuse(refusal.BatchCutOff, done, len(ids)), err)
			}
			for _, id := range ids[done:] {
				result.Refused = append(result.Refused, Refusal{SerialID: id, Err: err})
			}
			return result, nil
		}
		result.Changed += part.Changed
		result.Refused = append(result.Refused, part.Refusals(chunk)...)
		done += len(chunk)
		b.told(done, len(ids))
	}
	return result, nil
}

// choose resolves a selection once and stores the result under the request's key. A repeat then continues with the same serials,
// not with the serials that match it by then. A list of serials is not stored, because the repeated request contains it. If the
// request changes the lots of a recall, choose changes them and returns their number.
func (s *Service) choose(ctx context.Context, b *batch) ([]string, *int, error) {
	switch {
	case b.selection.listed != nil: // these need not exist
		var ids []string
		err := s.store.View(ctx, func(tx Reader) error {
			found, err := b.selection.choose(ctx, tx, false)
			ids = found.serialIDs
			return err
		})
		return ids, nil, err
	case b.lots == nil:
		var serials chosen
		err := s.Commit(ctx, &serials, func(tx Tx) error {
			found, err := b.selection.choose(ctx, tx, false)
			if err == nil {
				serials, err = chosenOf(tx.SerialPrefix(), found.serialIDs)
			}
			return err
		})
		return serials.ids(s.SerialPrefix()), nil, err
	}
	var both struct {
		Serials chosen
		Lots    *int
	}
	err := s.Commit(ctx, &both, func(tx Tx) error {
		found, err := b.selection.choose(ctx, tx, true)
		if err != nil {
			return err
		}
		if both.Serials, err = chosenOf(tx.SerialPrefix(), found.serialIDs); err != nil {
			return err
		}
		both.Lots, err = b.changeLots(tx, found)
		return err
	})
	return both.Serials.ids(s.SerialPrefix()), both.Lots, err
}

// tryMany is the dry run of changeAll and changeEach. It lists every refused serial, also where the real operation would be
// refused as a whole.
func (s *Service) tryMany(ctx context.Context, b *batch, policy OnRefusal) (BatchResult, error) {
	var result BatchResult
	if err := s.KeyIsFree(ctx); err != nil {
		return result, err
	}
	err := s.store.View(ctx, func(tx Reader) error {
		found, err := b.selection.choose(ctx, tx, false)
		if err != nil {
			return err
		}
		ids := found.serialIDs
		result = BatchResult{Selected: len(ids), Refused: []Refusal{}}
		if b.lots != nil {
			b.lots = func(Tx, []genealogy.Item) error { return nil }
			if result.Lots, err = b.changeLots(tx, found); err != nil {
				return err
			}
		}
		work, err := b.work(tx, ids, policy == AllOrNone)
		if err != nil {
			return err
		}
		done := 0
		for chunk := range slices.Chunk(ids, ChunkSize) {
			changes, refused, err := b.judge(tx, chunk, work.rule, s.Now)
			if err != nil {
				return err
			}
			result.Changed += len(changes)
			result.Refused = append(result.Refused, refused...)
			done += len(chunk)
			b.told(done, len(ids))
		}
		if policy == AllOrNone && len(result.Refused) > 0 {
			result.Changed = 0
			return nil
		}
		return work.refuse()
	})
	return result, err
}

// judge runs the rule on up to a thousand serials in order. It reads the clock after it has read the cards: the read may wait for another
// transaction, and the changes of that transaction must not be later than the changes of the batch.
func (b *batch) judge(
	tx CardStore, ids []string, rule cardRule, clock func() ident.Timestamp,
) (changes []card.Change, refused []Refusal, err error) {
	cards, err := tx.RouteCards(ids)
	if err != nil {
		return nil, nil, err
	}
	now := clock()
	changes = make([]card.Change, 0, len(ids))
	for _, id := range ids {
		unit, exists := cards[id]
		var change card.Change
		var err error
		if exists {
			change, err = b.judgeOne(unit, rule, now)
		} else {
			err = b.missing.NotFound(id)
		}
		if err == nil {
			changes = append(changes, change)
			continue
		}
		refused = append(refused, Refusal{SerialID: id, Err: err, unknown: !exists})
	}
	return changes, refused, nil
}

func (b *batch) judgeOne(unit card.Card, rule cardRule, now ident.Timestamp) (card.Change, error) {
	if err := card.CheckCard(unit); err != nil {
		return card.Change{}, err
	}
	if err := b.selection.refuseMoved(unit); err != nil {
		return card.Change{}, err
	}
	return rule(unit, now)
}

// decisive returns the error of a batch that changes all serials or none. It names the refused serial, unless the serial does not
// exist: that message contains the id.
func (r Refusal) decisive() error {
	refusal, ok := errors.AsType[*refusal.Error](r.Err)
	switch {
	case !ok:
		return fmt.Errorf("%s: %w", r.SerialID, r.Err)
	case r.unknown:
		return refusal
	}
	return refusal.OfSerial(r.SerialID)
}

// BatchStore has the database functions for operations on many serials, in addition to reading cards.
type BatchStore interface {
	// LockSerials prevents other transactions from changing serials until this transaction ends, as reading their cards does. Transactions
	// that lock many serials in one call do not deadlock, in whatever order they read the cards afterwards.
	LockSerials(serialIDs []string) error
	// ChangeCards writes the changes of up to a thousand serials, each at most once, and appends their audit entries in this
	// order. This transaction must have read the cards that the rule received.
	ChangeCards(changes []card.Change) error
}

// A batch that commits part by part stores its serials and the result of each part, for a repeat with the same key. A hundred
// thousand serials must not take megabytes, so numbers are stored as differences, and equal refusals are stored once.

// chosen has the numbers of the selected serials, all of which exist.
type chosen []int64

// chosenOf returns the numbers of serials.
func chosenOf(prefix ident.Prefix, ids []string) (c chosen, err error) {
	c = make(chosen, len(ids))
	for i, id := range ids {
		number, ok := prefix.ParseSerialID(id)
		if !ok {
			return nil, fmt.Errorf("%q is not the id of a serial", id)
		}
		c[i] = number
	}
	return c, nil
}

// ids returns the identifiers of the serials.
func (c chosen) ids(prefix ident.Prefix) []string {
	ids := make([]string, len(c))
	for i, number := range c {
		ids[i] = prefix.SerialID(number)
	}
	return ids
}

// MarshalText encodes the numbers.
func (c chosen) MarshalText() ([]byte, error) { return appendDifferences(nil, c), nil }

// UnmarshalText decodes the output of MarshalText.
func (c *chosen) UnmarshalText(text []byte) (err error) {
	*c, err = readDifferences(text)
	return err
}

// Places are indexes into the serials of one part of a batch.
type Places []int64

// MarshalText encodes the indexes.
func (p Places) MarshalText() ([]byte, error) { return appendDifferences(nil, p), nil }

// UnmarshalText decodes the output of MarshalText.
func (p *Places) UnmarshalText(text []byte) (err error) {
	*p, err = readDifferences(text)
	return err
}

func appendDifferences(text []byte, numbers []int64) []byte {
	var b []byte
	last := int64(0)
	for _, number := range numbers {
		b = binary.AppendVarint(b, number-last)
		last = number
	}
	return base64.RawStdEncoding.AppendEncode(text, b)
}

func readDifferences(text []byte) ([]int64, error) {
	b, err := base64.RawStdEncoding.AppendDecode(nil, text)
	if err != nil {
		return nil, err
	}
	var numbers []int64
	last := int64(0)
	for len(b) > 0 {
		difference, size := binary.Varint(b)
		if size <= 0 {
			return nil, errors.New("the list of numbers is cut off")
		}
		last += difference
		numbers = append(numbers, last)
		b = b[size:]
	}
	return numbers, nil
}

// BatchPart is the result of one part of a batch.
type BatchPart struct {
	Changed int            `json:"changed"`
	Refused []refusedAlike `json:"refused,omitempty"`
}

// refusedAlike groups serials of a part whose refusals differ only in the serial's id.
type refusedAlike struct {
	Kind    refusal.Kind `json:"code,omitempty"`   // 0 if the error is not a *refusal.Error
	Reason  string       `json:"reason,omitempty"` // code of the reason; empty in records of earlier releases
	Field   string       `json:"field,omitempty"`
	Args    []string     `json:"args,omitempty"` // with thisSerial in place of the serial's id, as in Message
	Message string       `json:"message"`
	Unknown bool         `json:"unknown,omitempty"`
	At      Places       `json:"at"`
}

// thisSerial replaces the id of a serial, argsEnd separates arguments. Neither occurs in texts.
const (
	thisSerial = "\x00"
	argsEnd    = "\xff"
)

// PartOf returns the stored result of a part of a batch: the number of changed serials, and the refusals.
func PartOf(ids []string, changed int, refused []Refusal) BatchPart {
	part := BatchPart{Changed: changed}
	type key struct {
		reason  *refusal.Reason
		kind    refusal.Kind
		field   string
		args    string // the text if the error is not a *refusal.Error
		unknown bool
	}
	alike := map[key]int{}
	at := 0
	for i := range refused {
		for ids[at] != refused[i].SerialID {
			at++
		}
		refusal, isRefusal := errors.AsType[*refusal.Error](refused[i].Err)
		k := key{unknown: refused[i].unknown}
		if isRefusal {
			k.reason, k.kind, k.field, k.args = refusal.Reason, refusal.Kind, refusal.Field, strings.Join(refusal.Args, argsEnd)
		} else {
			k.args = refused[i].Err.Error()
		}
		k.args = strings.ReplaceAll(k.args, refused[i].SerialID, thisSerial)
		index, known := alike[k]
		if !known {
			index = len(part.Refused)
			alike[k] = index
			one := refusedAlike{Kind: k.kind, Field: k.field, Message: k.args, Unknown: k.unknown}
			if isRefusal {
				one.Reason, one.Message = refusal.Reason.Code(), strings.ReplaceAll(refusal.Error(), refused[i].SerialID, thisSerial)
				if len(refusal.Args) > 0 {
					one.Args = strings.Split(k.args, argsEnd)
				}
			}
			part.Refused = append(part.Refused, one)
		}
		part.Refused[index].At = append(part.Refused[index].At, int64(at))
	}
	return part
}

// Refusals returns the refusals of a part, in the order of its serials.
func (p *BatchPart) Refusals(ids []string) []Refusal {
	refused := make([]func(id string) error, len(ids))
	count := 0
	unknown := make([]bool, len(ids))
	for i := range p.Refused {
		refusalOf := p.Refused[i].refusal()
		for _, at := range p.Refused[i].At {
			if at >= 0 && at < int64(len(ids)) {
				refused[at], unknown[at] = refusalOf, p.Refused[i].Unknown
				count++
			}
		}
	}
	refusals := make([]Refusal, 0, count)
	for i, refusalOf := range refused {
		if refusalOf != nil {
			refusals = append(refusals, Refusal{SerialID: ids[i], Err: refusalOf(ids[i]), unknown: unknown[i]})
		}
	}
	return refusals
}

// refusal returns a function that creates the refusal for a serial of the group.
func (a *refusedAlike) refusal() func(id string) error {
	if a.Kind == 0 {
		return func(id string) error { return errors.New(strings.ReplaceAll(a.Message, thisSerial, id)) }
	}
	alike := refusal.Error{Kind: a.Kind, Reason: a.reason(), Field: a.Field, Args: a.Args}
	if alike.Reason == refusal.RefusedBefore {
		alike.Args = []string{a.Message}
	}
	return func(id string) error {
		of := alike
		of.Args = slices.Clone(alike.Args)
		for i, arg := range of.Args {
			of.Args[i] = strings.ReplaceAll(arg, thisSerial, id)
		}
		return &of
	}
}

// reason returns the reason with this code and message. It returns RefusedBefore for records of earlier releases that have no reason, or a
// reason whose message has changed since.
func (a *refusedAlike) reason() *refusal.Reason {
	for _, reason := range refusal.Reasons() {
		told := refusal.Error{Reason: reason, Field: a.Field, Args: a.Args}
		if reason.Code() == a.Reason && told.Error() == a.Message {
			return reason
		}
	}
	return refusal.RefusedBefore
}

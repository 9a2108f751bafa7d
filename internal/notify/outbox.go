package notify

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/notice"
)

// waitingAtMost is the number of messages that may wait. The oldest are given up for new ones.
const waitingAtMost = 1000

// prefix begins the identifiers of messages.
const prefix = "ntc_"

// add stores messages with causes to targets. If the database cannot be written, as with a full disk, the messages stay in memory.
func (n *Notifier) add(ctx context.Context, kind notice.Kind, targets []notice.Target, causes []notice.Cause, now ident.Timestamp) {
	err := n.update(ctx, func(tx shop.Tx) error {
		fresh, err := newToday(tx, kind, causes, n.day)
		if err != nil || len(fresh) == 0 {
			return err
		}
		waiting, err := tx.WaitingNotices(waitingAtMost)
		if err != nil {
			return err
		}
		changed := n.messages(waiting, kind, targets, fresh, now)
		dropped := oldest(waiting, len(waiting)+len(changed)-waitingAtMost, now)
		if len(dropped) > 0 {
			n.options.Logger.ErrorContext(ctx, "too many notices wait; the oldest are given up", "notices", len(dropped))
		}
		return putAll(tx, slices.Concat(changed, dropped))
	})
	if err != nil {
		n.warn(ctx, "notices cannot be stored; they are sent from memory", err)
		for _, message := range n.messages(nil, kind, targets, causes, now) {
			n.unstored[message.ID] = message
		}
	}
	for _, cause := range causes {
		n.known[knownKey(kind, cause.Key)] = true
	}
}

// oldest gives up a number of messages, the oldest first.
func oldest(waiting []notice.Message, count int, now ident.Timestamp) (dropped []notice.Message) {
	for i := range min(count, len(waiting)) {
		dropped = append(dropped, waiting[i].Dropped(now))
	}
	return dropped
}

// update runs a change on the messages in one transaction. Other instances of the service wait for it.
func (n *Notifier) update(ctx context.Context, change func(shop.Tx) error) error {
	return n.options.Service.Store().Update(ctx, func(tx shop.Tx) error {
		if err := tx.LockNotices(); err != nil {
			return err
		}
		return change(tx)
	})
}

// newToday stores the causes of a day, and returns those that no instance has stored before.
func newToday(tx shop.Tx, kind notice.Kind, causes []notice.Cause, day string) (fresh []notice.Cause, err error) {
	for _, cause := range causes {
		isNew, err := tx.InsertNoticeCause(kind, cause.Key, day)
		if err != nil {
			return nil, err
		}
		if isNew {
			fresh = append(fresh, cause)
		}
	}
	return fresh, nil
}

// messages returns the messages for causes: those waiting ones that can take them, and new ones.
func (n *Notifier) messages(
	waiting []notice.Message, kind notice.Kind, targets []notice.Target, causes []notice.Cause, now ident.Timestamp,
) (changed []notice.Message) {
	for _, target := range targets {
		left := causes
		for i := range waiting {
			m := &waiting[i]
			if m.Kind != kind || m.Channel != target.Channel || m.Target != target.Address || !m.Open() || len(left) == 0 {
				continue
			}
			taken := min(len(left), notice.CausesAtMost-len(m.Causes))
			grown := *m
			grown.Causes = slices.Concat(m.Causes, left[:taken])
			changed, left = append(changed, grown), left[taken:]
		}
		for part := range slices.Chunk(left, notice.CausesAtMost) {
			changed = append(changed, notice.Message{
				ID: n.options.Service.NewID(prefix), Kind: kind, Channel: target.Channel, Target: target.Address, Causes: part,
				CreatedAt: now, DueAt: now, State: notice.Waiting,
			})
		}
	}
	return changed
}

func putAll(tx shop.Tx, messages []notice.Message) error {
	for i := range messages {
		if err := tx.PutNotice(messages[i]); err != nil {
			return err
		}
	}
	return nil
}

// store stores the state of messages, or keeps it in memory while the database cannot be written.
func (n *Notifier) store(ctx context.Context, messages []notice.Message) {
	if len(messages) == 0 {
		return
	}
	ctx = context.WithoutCancel(ctx) // what was sent is stored even if the service stops
	err := n.update(ctx, func(tx shop.Tx) error { return putAll(tx, messages) })
	for i := range messages {
		if err != nil {
			n.unstored[messages[i].ID] = messages[i]
		} else {
			delete(n.unstored, messages[i].ID)
		}
	}
	if err != nil {
		n.warn(ctx, "what was sent cannot be stored", err)
	}
}

// storeAgain stores what could not be stored before, with its causes.
func (n *Notifier) storeAgain(ctx context.Context) {
	if len(n.unstored) == 0 {
		return
	}
	err := n.update(ctx, func(tx shop.Tx) error {
		for _, message := range n.unstored {
			day := notice.DayOf(message.CreatedAt, n.options.Service.Zone())
			if _, err := newToday(tx, message.Kind, message.Causes, day); err != nil {
				return err
			}
			if err := tx.PutNotice(message); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		clear(n.unstored)
	}
}

// waiting returns the messages that wait, the oldest first: in the database, and in memory.
func (n *Notifier) waiting(ctx context.Context) []notice.Message {
	var stored []notice.Message
	err := n.options.Service.Read(ctx, func(tx shop.Reader) (err error) {
		stored, err = tx.WaitingNotices(waitingAtMost)
		return err
	})
	if err != nil {
		n.warn(ctx, "notices cannot be read", err)
	}
	return n.overlaid(stored)
}

// overlaid returns messages in the state that is not stored yet, with those that are only in memory.
func (n *Notifier) overlaid(stored []notice.Message) (waiting []notice.Message) {
	for i := range stored {
		if _, newer := n.unstored[stored[i].ID]; !newer {
			waiting = append(waiting, stored[i])
		}
	}
	for _, message := range n.unstored {
		if message.State == notice.Waiting {
			waiting = append(waiting, message)
		}
	}
	slices.SortFunc(waiting, func(a, b notice.Message) int { return strings.Compare(a.ID, b.ID) })
	return waiting
}

// claim leases the messages that are due, so that no other instance sends them, and returns them. If the database cannot be written, they
// are sent without a lease, and another instance may send them, too.
func (n *Notifier) claim(ctx context.Context, now ident.Timestamp, waiting []notice.Message, failed targets) (claimed []notice.Message) {
	var removed []notice.Message
	err := n.update(ctx, func(tx shop.Tx) error {
		stored, err := tx.WaitingNotices(waitingAtMost)
		if err != nil {
			return err
		}
		claimed, removed = nil, nil
		for _, message := range n.due(n.overlaid(stored), now, failed) {
			if !slices.Contains(n.settings.Targets(message.Kind), message.To()) {
				removed = append(removed, message.Cancelled(now))
				continue
			}
			claimed = append(claimed, message.Leased(now))
		}
		return putAll(tx, slices.Concat(claimed, removed))
	})
	if err != nil {
		n.warn(ctx, "notices cannot be leased", err)
		return n.due(waiting, now, failed)
	}
	return claimed
}

// sentAtOnce is the number of messages that are sent at the same time.
const sentAtOnce = 16

// targets is a set of targets.
type targets map[notice.Target]bool

// due returns the messages to send now: the oldest one for each target, except for those targets that have just failed.
func (n *Notifier) due(waiting []notice.Message, now ident.Timestamp, failed targets) (due []notice.Message) {
	seen := maps.Clone(failed)
	for i := range waiting {
		if target := waiting[i].To(); len(due) < sentAtOnce && !seen[target] && waiting[i].Due(now, n.options.Alone) {
			seen[target] = true
			due = append(due, waiting[i])
		}
	}
	return due
}

// forget deletes old messages from time to time.
func (n *Notifier) forget(ctx context.Context, now ident.Timestamp) {
	if now.Time().Sub(n.forgot).Abs() < forgetEvery {
		return
	}
	before := now.Time().Add(-notice.KeepTime)
	err := n.update(ctx, func(tx shop.Tx) error {
		at := ident.TimestampOf(before)
		return tx.ForgetNotices(at, notice.DayOf(at, n.options.Service.Zone()))
	})
	if err != nil {
		n.warn(ctx, "old notices cannot be deleted", err)
		return
	}
	n.forgot = now.Time()
}

package access

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/routecard/routecard/internal/remote"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// How many wrong attempts are too many, and for how long they count.
const (
	attemptWindow  = 15 * time.Minute
	accountWindow  = 24 * time.Hour
	accountLimit   = 5
	elsewhereLimit = 20 // of unknown logins from one network, or at one station
	longestLock    = time.Hour
	toldLimit      = 10 // entries of the trail about places, in attemptWindow
)

// subject is a thing for which wrong attempts are counted.
//
// Those at an account are counted for each place they come from, so that a person is not locked out from elsewhere: every fifth locks the
// account at that place, each time for twice as long. Those at a place, with any login, lock only wrong attempts there: a right secret is
// still accepted. The refusal does not say whether the login was wrong.
type subject struct {
	name   string
	kind   string // for the audit trail: account, address or station
	said   string // for the audit trail
	userID string // of the account, when it is one that exists
	place  bool   // a place, not an account at one
	// everywhere is for an account whose attempts from all places are counted together; they are few, and always stored.
	everywhere bool
	strict     bool  // a place at which right secrets have to wait too
	limit      int64 // of a place; 0 for elsewhereLimit
}

// window is how long an attempt counts.
func (s subject) window() time.Duration {
	if s.place {
		return attemptWindow
	}
	return accountWindow
}

// lock is how long attempts are refused that come now.
func (s subject) lock(found Attempts, now ident.Timestamp) time.Duration {
	from, wait := found.Newest, attemptWindow
	switch {
	case s.place && found.Count < cmp.Or(s.limit, elsewhereLimit), found.Count == 0, found.Count%accountLimit != 0 && !s.place:
		return 0
	case s.place:
		from = found.Oldest
	default:
		wait = lockOf(found.Count)
	}
	return from.Time().Add(wait).Sub(now.Time())
}

// lockOf is how long an account is locked at a place after so many wrong attempts.
func lockOf(wrong int64) time.Duration {
	wait := attemptWindow
	for range wrong/accountLimit - 1 {
		if wait *= 2; wait >= longestLock {
			return longestLock
		}
	}
	return wait
}

// Attempts are the wrong attempts of a subject.
type Attempts struct {
	Count          int64
	Oldest, Newest ident.Timestamp
}

// placeOf is the place that an attempt comes from: a station, or the network of the address.
func placeOf(from Visitor) string {
	if from.Station.ID != "" {
		return "station:" + from.Station.ID
	}
	return "address:" + remote.Network(from.Address)
}

// The names of subjects that a person typed are kept as digests only: people type passwords into the wrong field.
func accountSubject(user shop.User, typed, place string) subject {
	if user.ID == "" {
		return subject{name: "unknown:" + digest(typed) + "@" + place, kind: "account"}
	}
	return subject{name: accountPrefix(user.ID) + place, kind: "account", said: user.Login, userID: user.ID}
}

// accountPrefix begins the names of an account at every place.
func accountPrefix(userID string) string { return "user:" + userID + "@" }

func placeSubject(from Visitor) subject {
	if from.Station.ID != "" {
		return subject{name: placeOf(from), kind: "station", said: from.Station.Name, place: true}
	}
	return subject{name: placeOf(from), kind: "address", said: remote.Network(from.Address), place: true}
}

// providerSubject is for forged returns from the provider: attempts that are checked elsewhere are refused here before. It is unrelated to
// passwords.
func providerSubject(from Visitor) subject {
	place := placeSubject(from)
	place.name, place.strict = "provider:"+place.name, true
	return place
}

// sessionPlace is the place of users who prove their identity again in a session, which no other caller shares.
const sessionPlace = "session"

// subjectsOf are for what an attempt to be a user counts.
func subjectsOf(ctx context.Context, from Visitor, user shop.User, typed string) (account subject, others []subject) {
	if identity := IdentityOf(ctx); identity != nil && identity.Session.ID != "" && identity.User.ID == user.ID {
		return accountSubject(user, typed, sessionPlace), nil
	}
	return accountSubject(user, typed, placeOf(from)), []subject{placeSubject(from)}
}

// tried is an attempt that counts as wrong until the count is removed.
type tried struct {
	id      string
	full    []subject     // those whose last attempt it is
	crowded time.Duration // how long wrong attempts at the place are refused
}

// attempt counts an attempt as wrong for each subject, before anything is known about it, or refuses it. Attempts at
// the same time cannot slip past the limit together, on however many instances.
func (s *Service) attempt(ctx context.Context, subjects ...subject) (made tried, err error) {
	err = s.store.UpdateAccess(ctx, func(tx Tx) error {
		made = tried{id: s.newID("try_")}
		now := s.now()
		before := make([]Attempts, len(subjects))
		for i, subject := range subjects { // always in this order, to avoid deadlocks
			if err := tx.LockName(subject.name); err != nil {
				return err
			}
			found, err := tx.CountAttempts(subject.name, s.since(subject.window()))
			if err != nil {
				return err
			}
			before[i] = found
			if wait := subject.lock(found, now); wait > 0 {
				if !subject.place || subject.strict {
					return tooManyAttempts(wait)
				}
				made.crowded = wait
			}
		}
		for i, subject := range subjects {
			if made.crowded > 0 && !subject.everywhere {
				continue
			}
			next := Attempts{Count: before[i].Count + 1, Oldest: cmp.Or(before[i].Oldest, now), Newest: now}
			if subject.lock(next, now) > 0 {
				made.full = append(made.full, subject)
			}
			if err := tx.InsertAttempt(subject.name, made.id, now); err != nil {
				return err
			}
		}
		return nil
	}, shop.Aside)
	if account := subjects[0]; err == nil && made.crowded > 0 && !account.everywhere {
		err = s.crowd.attempt(account, subjects[len(subjects)-1].name, s.now(), made.crowded)
	}
	return made, err
}

// failed logs the subjects that are refused from now on.
func (s *Service) failed(ctx context.Context, full []subject, address string) error {
	if len(full) == 0 {
		return nil
	}
	err := s.store.UpdateAccess(ctx, func(tx Tx) error {
		if err := tx.DeleteAttemptsBefore(s.since(accountWindow)); err != nil {
			return err
		}
		for _, subject := range full {
			// One that was checked at the same time may have been right, and has removed the others.
			if found, err := tx.CountAttempts(subject.name, s.since(subject.window())); err != nil {
				return err
			} else if subject.lock(found, s.now()) <= 0 {
				continue
			}
			if err := s.tellLocked(tx, subject, address); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		s.options.Locked()
	}
	return err
}

// tellLocked writes an audit entry about a subject that is refused from now on: about an account once in a while, and about all others a
// limited number of times, for any number of addresses, because entries stay for ever.
func (s *Service) tellLocked(tx Tx, subject subject, address string) error {
	told, most := "told:"+subject.userID, int64(1)
	if subject.userID == "" {
		most = toldLimit
	}
	if err := tx.LockName(told); err != nil {
		return err
	}
	if before, err := tx.CountAttempts(told, s.since(attemptWindow)); err != nil || before.Count >= most {
		return err
	}
	if err := tx.InsertAttempt(told, s.newID("try_"), s.now()); err != nil {
		return err
	}
	user := subject.said
	if subject.kind != "account" || user == "" {
		user = "anonymous"
	}
	return tx.AppendAudit(trail.Entry{
		Action: shop.ActionSignInLocked, UserID: user, Timestamp: s.now(),
		Metadata: metadata(struct {
			Kind    string `json:"kind"`
			Name    string `json:"name,omitempty"`
			Address string `json:"address"`
		}{subject.kind, subject.said, address}),
	})
}

// succeeded takes an attempt back that was right, and with it the wrong ones of the account at that place.
func (s *Service) succeeded(tx Tx, id string, account subject, others ...subject) error {
	for _, other := range others {
		if err := tx.DeleteAttempt(other.name, id); err != nil {
			return err
		}
	}
	if err := tx.DeleteAttemptsBefore(s.since(accountWindow)); err != nil {
		return err
	}
	s.crowd.succeeded(account.name)
	return tx.DeleteAttemptsOf(account.name)
}

// lockedUntil returns until when a user is locked at some place for too many wrong attempts; 0 for nowhere.
func (s *Service) lockedUntil(tx Reader, userID string) (until ident.Timestamp, err error) {
	places, err := tx.AttemptsUnder(accountPrefix(userID), s.since(accountWindow))
	for _, found := range places {
		if wait := (subject{}).lock(found, s.now()); wait > 0 {
			until = max(until, ident.TimestampOf(s.now().Time().Add(wait)))
		}
	}
	return until, err
}

// metadata encodes what only one action has to say. Its arguments are plain structs, which always encode.
func metadata(value any) json.RawMessage {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return encoded
}

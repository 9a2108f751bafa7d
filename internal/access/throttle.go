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

// Limits of wrong attempts, and the time for which an attempt counts.
const (
	attemptWindow  = 15 * time.Minute
	accountWindow  = 24 * time.Hour
	accountLimit   = 5
	elsewhereLimit = 20 // of unknown logins from one network, or at one station
	longestLock    = time.Hour
	toldLimit      = 10 // audit entries about places in attemptWindow
)

// subject is an account or a place for which wrong attempts are counted.
//
// Attempts at an account are counted for each place they come from, so that an attacker elsewhere cannot lock a person out: every fifth
// wrong attempt locks the account at that place, each time for twice as long. Attempts from a place are also counted for all logins
// together. Too many of them make the service refuse further wrong attempts from there, but a right secret is still accepted. A refusal
// does not reveal whether the login or the secret was wrong.
type subject struct {
	name   string
	kind   string // for the audit trail: account, address or station
	said   string // for the audit trail
	userID string // the user of the account, if the account exists
	place  bool   // a place, not an account at one
	// everywhere means that the attempts at the account are counted for all places together. Their number is small, and they are always
	// stored.
	everywhere bool
	strict     bool  // a place from which right secrets are refused too
	limit      int64 // of a place; 0 for elsewhereLimit
}

// window returns the time for which an attempt counts.
func (s subject) window() time.Duration {
	if s.place {
		return attemptWindow
	}
	return accountWindow
}

// lock returns the time for which further attempts are refused, counted from now.
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

// lockOf returns the time for which an account is locked at a place after a number of wrong attempts.
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

// placeOf returns the origin of an attempt: a station, or the network of the client's address.
func placeOf(from Visitor) string {
	if from.Station.ID != "" {
		return "station:" + from.Station.ID
	}
	return "address:" + remote.Network(from.Address)
}

// A name that a person typed is stored only as a digest, because people sometimes type a password into the field of the login.
func accountSubject(user shop.User, typed, place string) subject {
	if user.ID == "" {
		return subject{name: "unknown:" + digest(typed) + "@" + place, kind: "account"}
	}
	return subject{name: accountPrefix(user.ID) + place, kind: "account", said: user.Login, userID: user.ID}
}

// accountPrefix returns the common prefix of the subject names of an account at all places.
func accountPrefix(userID string) string { return "user:" + userID + "@" }

func placeSubject(from Visitor) subject {
	if from.Station.ID != "" {
		return subject{name: placeOf(from), kind: "station", said: from.Station.Name, place: true}
	}
	return subject{name: placeOf(from), kind: "address", said: remote.Network(from.Address), place: true}
}

// providerSubject counts forged returns from the provider. It is unrelated to passwords, and refuses an attempt before the provider's
// response is checked.
func providerSubject(from Visitor) subject {
	place := placeSubject(from)
	place.name, place.strict = "provider:"+place.name, true
	return place
}

// sessionPlace is the place of users who prove their identity again in a session, which no other caller shares.
const sessionPlace = "session"

// subjectsOf returns the subjects for which an attempt to prove a user's identity counts.
func subjectsOf(ctx context.Context, from Visitor, user shop.User, typed string) (account subject, others []subject) {
	if identity := IdentityOf(ctx); identity != nil && identity.Session.ID != "" && identity.User.ID == user.ID {
		return accountSubject(user, typed, sessionPlace), nil
	}
	return accountSubject(user, typed, placeOf(from)), []subject{placeSubject(from)}
}

// tried is an attempt that counts as wrong until its count is removed.
type tried struct {
	id      string
	full    []subject     // the subjects that have no attempts left after this one
	crowded time.Duration // the time for which wrong attempts at the place are refused
}

// attempt counts an attempt as wrong for each subject before the attempt is checked, or refuses it. So simultaneous attempts cannot exceed
// the limit, on any number of instances.
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
			// A right attempt that was checked at the same time may have removed the wrong ones.
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

// tellLocked writes an audit entry about a subject that is refused from now on. Audit entries are permanent, so it writes few: within
// attemptWindow, one for an account, and toldLimit for all other subjects together.
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

// succeeded removes an attempt that was right, and all wrong attempts at the account from that place.
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

// lockedUntil returns the time until which a user is locked at some place after too many wrong attempts; 0 if the user is not locked.
func (s *Service) lockedUntil(tx Reader, userID string) (until ident.Timestamp, err error) {
	places, err := tx.AttemptsUnder(accountPrefix(userID), s.since(accountWindow))
	for _, found := range places {
		if wait := (subject{}).lock(found, s.now()); wait > 0 {
			until = max(until, ident.TimestampOf(s.now().Time().Add(wait)))
		}
	}
	return until, err
}

// metadata encodes the metadata of an audit entry. The arguments are plain structs, which can always be encoded.
func metadata(value any) json.RawMessage {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return encoded
}

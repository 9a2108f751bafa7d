package access

import (
	"context"
	"encoding/json"
	"time"

	"github.com/routecard/routecard/shop"
)

// How many wrong attempts are too many, and for how long they count.
const (
	attemptWindow  = 15 * time.Minute
	accountLimit   = 5
	elsewhereLimit = 20 // from one address, or at one station
)

// subject is somebody or something whose wrong attempts are counted.
type subject struct {
	name   string
	limit  int64
	userID string // of the account, when it is one that exists
	kind   string // for the audit trail: account, address or station
	said   string // for the audit trail
}

// The names of subjects that a person typed are kept as digests only: people type passwords into the wrong field.
func accountSubject(user shop.User, typed string) subject {
	if user.ID == "" {
		return subject{name: "unknown:" + digest(typed), limit: accountLimit, kind: "account"}
	}
	return subject{name: "user:" + user.ID, limit: accountLimit, userID: user.ID, kind: "account", said: user.Login}
}

func placeSubject(workstation Station, address string) subject {
	if workstation.ID != "" {
		return subject{name: "station:" + workstation.ID, limit: elsewhereLimit, kind: "station", said: workstation.Name}
	}
	return subject{name: "address:" + address, limit: elsewhereLimit, kind: "address", said: address}
}

// attempt counts an attempt as wrong for each subject, before anything is known about it, or refuses it. Attempts at
// the same time cannot slip past the limit together, on however many instances. full lists the subjects for whom it is
// the last one.
func (s *Service) attempt(ctx context.Context, subjects ...subject) (id string, full []subject, err error) {
	err = s.store.UpdateAccess(ctx, func(tx Tx) error {
		id, full = s.newID("try_"), nil
		window, now := s.since(attemptWindow), s.now()
		for _, subject := range subjects { // always in this order, so that nobody waits for each other
			if err := tx.LockName(subject.name); err != nil {
				return err
			}
			count, oldest, err := tx.CountAttempts(subject.name, window)
			if err != nil {
				return err
			}
			if count >= subject.limit {
				return tooManyAttempts(oldest.Time().Add(attemptWindow).Sub(now.Time()))
			}
			if count == subject.limit-1 {
				full = append(full, subject)
			}
			if err := tx.InsertAttempt(subject.name, id, now); err != nil {
				return err
			}
		}
		return nil
	}, shop.Aside)
	return id, full, err
}

// failed tells of the subjects that are refused from now on.
func (s *Service) failed(ctx context.Context, full []subject, address string) error {
	if len(full) == 0 {
		return nil
	}
	err := s.store.UpdateAccess(ctx, func(tx Tx) error {
		if err := tx.DeleteAttemptsBefore(s.since(attemptWindow)); err != nil {
			return err
		}
		for _, subject := range full {
			// One that was judged at the same time may have been right, and has taken the others back.
			if count, _, err := tx.CountAttempts(subject.name, s.since(attemptWindow)); err != nil {
				return err
			} else if count < subject.limit {
				continue
			}
			user := subject.said
			if subject.kind != "account" || user == "" {
				user = "anonymous"
			}
			if err := tx.AppendAudit(shop.AuditEntry{
				Action: shop.ActionSignInLocked, UserID: user, Timestamp: s.now(),
				Metadata: metadata(struct {
					Kind    string `json:"kind"`
					Name    string `json:"name,omitempty"`
					Address string `json:"address"`
				}{subject.kind, subject.said, address}),
			}); err != nil {
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

// succeeded takes an attempt back that was right, and with it the wrong ones of the account.
func (s *Service) succeeded(tx Tx, id string, account subject, others ...subject) error {
	for _, other := range others {
		if err := tx.DeleteAttempt(other.name, id); err != nil {
			return err
		}
	}
	return tx.DeleteAttemptsOf(account.name)
}

// locked answers until when a user cannot sign in for too many wrong attempts; 0 when they can.
func locked(tx Reader, user shop.User, window shop.Timestamp) (until shop.Timestamp, err error) {
	for _, account := range []subject{accountSubject(user, ""), secondSubject(user)} {
		count, oldest, err := tx.CountAttempts(account.name, window)
		if err != nil {
			return 0, err
		}
		if count >= accountLimit {
			until = max(until, shop.TimestampOf(oldest.Time().Add(attemptWindow)))
		}
	}
	return until, nil
}

// metadata encodes what only one action has to say. Its arguments are plain structs, which always encode.
func metadata(value any) json.RawMessage {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return encoded
}

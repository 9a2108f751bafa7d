package access

import (
	"context"

	"github.com/routecard/routecard"
)

// Store keeps what belongs to access, in the same database as everything else.
type Store interface {
	// ViewAccess runs read on one consistent snapshot.
	ViewAccess(ctx context.Context, read func(Reader) error) error
	// UpdateAccess runs change in one transaction, with the promises of routecard.Store's Update.
	UpdateAccess(ctx context.Context, change func(Tx) error) error
	// TokenByHash and SessionByHash take one indexed read each at most, with the user they belong to, and answer what is
	// committed when they are asked; routecard.ErrNoRecord when there is none. What is returned is not to be changed.
	TokenByHash(ctx context.Context, hash string) (Token, routecard.User, error)
	SessionByHash(ctx context.Context, hash string) (Session, routecard.User, error)
}

// Reader reads. What looks one record up answers routecard.ErrNoRecord when there is none.
type Reader interface {
	User(id string) (routecard.User, error)
	UserByLogin(login string) (routecard.User, error)
	// CountActive counts the active users who have a role.
	CountActive(role string) (int64, error)
	Secret(userID string, kind SecretKind) (Secret, error)
	SecretsOfUser(userID string) ([]Secret, error)
	BadgeByHash(hash string) (Secret, error)
	UserOfIdentity(issuer, subject string) (userID string, err error)
	IdentitiesOfUser(userID string) ([]ForeignIdentity, error)
	TokensOfUser(userID string) ([]Token, error)     // oldest first
	SessionsOfUser(userID string) ([]Session, error) // oldest first
	SessionOf(hash string) (Session, error)
	StationByHash(hash string) (Station, error)
	Stations() ([]Station, error) // oldest first
	// CountAttempts counts the attempts of a subject since a time, and answers when the oldest of them was.
	CountAttempts(subject string, since routecard.Timestamp) (count int64, oldest routecard.Timestamp, err error)
	Setting(name string) (value string, at routecard.Timestamp, err error)
}

// Tx reads and writes. What a look-up returned stays as it is until the transaction ends.
type Tx interface {
	Reader
	routecard.Memory
	// Alone keeps others from deciding on a name, which need not be anywhere yet, until the transaction ends.
	Alone(name string) error
	InsertUser(user routecard.User) error
	UpdateUser(user routecard.User) error
	PutSecret(secret Secret) error
	InsertIdentity(issuer, subject, userID string, at routecard.Timestamp) error
	DeleteIdentity(issuer, subject string) error
	InsertToken(token Token) error
	RevokeToken(userID, id string, at routecard.Timestamp) error // ErrNoRecord when it is not there or was revoked
	TouchToken(hash string, at routecard.Timestamp) error
	InsertSession(session Session) error
	TouchSession(hash string, at routecard.Timestamp) error
	DeleteSession(userID, id string) error // ErrNoRecord when there is none
	// DeleteSessionsOfUser ends the sessions of a user but for one, "" for none.
	DeleteSessionsOfUser(userID, except string) error
	DeleteSessionsBefore(created routecard.Timestamp) error
	InsertStation(station Station) error
	RevokeStation(id string, at routecard.Timestamp) error // ErrNoRecord when it is not there or was revoked
	InsertAttempt(subject, id string, at routecard.Timestamp) error
	DeleteAttempt(subject, id string) error
	DeleteAttemptsOf(subject string) error
	DeleteAttemptsBefore(at routecard.Timestamp) error
	InsertSignatureTicket(ticket routecard.SignatureTicket) error
	DeleteSignatureTicketsBefore(signed routecard.Timestamp) error
	PutSetting(name, value string, at routecard.Timestamp) error
	DeleteSettings(prefix string) error
	DeleteSettingsBefore(prefix string, at routecard.Timestamp) error
	AppendAudit(entries ...routecard.AuditEntry) error
}

// SecretKind is what a secret is.
type SecretKind string

// The kinds of secrets.
const (
	Password SecretKind = "password"
	PIN      SecretKind = "pin"
	Badge    SecretKind = "badge"
)

// Secret is what a user proves to be themselves with, as it is kept.
type Secret struct {
	UserID     string
	Kind       SecretKind
	Hash       string
	MustChange bool // set by somebody else, who knows it
	ChangedAt  routecard.Timestamp
}

// ForeignIdentity is who a user is to a provider of OpenID Connect.
type ForeignIdentity struct{ Issuer, Subject string }

// Token is an identity for a program.
type Token struct {
	ID          string                 `json:"id"`
	UserID      string                 `json:"userId"`
	Name        string                 `json:"name"`
	Permissions []routecard.Permission `json:"permissions"`
	CreatedBy   string                 `json:"createdBy"`
	CreatedAt   routecard.Timestamp    `json:"createdAt"`
	ExpiresAt   routecard.Timestamp    `json:"expiresAt"`
	LastUsedAt  routecard.Timestamp    `json:"lastUsedAt,omitempty"`
	RevokedAt   routecard.Timestamp    `json:"revokedAt,omitempty"`
	Hash        string                 `json:"-"`
}

// Session is somebody who signed in.
type Session struct {
	ID        string
	Hash      string
	UserID    string
	StationID string // "" at a device that is none
	Method    string // how they proved to be themselves: password, pin or oidc
	Address   string
	CreatedAt routecard.Timestamp
	SeenAt    routecard.Timestamp

	MustChange bool // whether the secret it was opened with was set by somebody else; a question of that secret
}

// Station is a device at which people sign in with a badge and a PIN.
type Station struct {
	ID        string
	Name      string
	Hash      string
	CreatedBy string
	CreatedAt routecard.Timestamp
	RevokedAt routecard.Timestamp
}

package access

import (
	"context"
	"iter"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// Store stores accounts, sessions, tokens and stations, in the same database as the records of the shop.
type Store interface {
	// ViewAccess runs read on one consistent snapshot.
	ViewAccess(ctx context.Context, read func(Reader) error) error
	// UpdateAccess runs change in one transaction, with the promises of shop.Store's Update.
	UpdateAccess(ctx context.Context, change func(Tx) error, options ...shop.UpdateOption) error
	// TokenByHash and SessionByHash take at most one indexed read each, including the user, and return the committed state;
	// shop.ErrNoRecord if there is none. The results must not be changed.
	TokenByHash(ctx context.Context, hash string) (Token, shop.User, error)
	SessionByHash(ctx context.Context, hash string) (Session, shop.User, error)
	// ActiveLogins returns the committed logins of active users, with at most one read. The result must not be changed.
	ActiveLogins(ctx context.Context) (map[string]bool, error)
}

// Reader reads the data of this package. Lookups return shop.ErrNoRecord if there is no record.
type Reader interface {
	FactorReader
	User(id string) (shop.User, error)
	UserByLogin(login string) (shop.User, error)
	Users() iter.Seq2[shop.User, error] // including inactive users
	LastAuditSequence() (int64, error)
	AuditAfter(sequence int64, limit int) ([]trail.Entry, error) // as in shop.Tx
	Secret(userID string, kind SecretKind) (Secret, error)
	SecretsOfUser(userID string) ([]Secret, error)
	BadgeByHash(hash string) (Secret, error)
	// UnconfirmedUsers returns the users with an unconfirmed secret or connection made by another user.
	UnconfirmedUsers() ([]string, error)
	UserOfIdentity(issuer, subject string) (userID string, err error)
	IdentitiesOfUser(userID string) ([]ForeignIdentity, error)
	TokensOfUser(userID string) ([]Token, error)     // oldest first
	SessionsOfUser(userID string) ([]Session, error) // oldest first
	SessionOf(hash string) (Session, error)
	StationByHash(hash string) (Station, error)
	Stations() ([]Station, error) // oldest first
	// CountAttempts counts the attempts of a subject since a time.
	CountAttempts(subject string, since ident.Timestamp) (Attempts, error)
	// AttemptsUnder counts the attempts of each subject whose name begins with a prefix.
	AttemptsUnder(prefix string, since ident.Timestamp) ([]Attempts, error)
	Setting(name string) (value string, at ident.Timestamp, err error)
}

// Tx reads and writes. Other transactions cannot change a record that a look-up returned until this transaction ends.
type Tx interface {
	Reader
	FactorTx
	shop.Memory
	shop.SigningTx
	// LockName locks a name until the transaction ends, so that no other transaction can use it meanwhile. No record needs to have the
	// name.
	LockName(name string) error
	// LockAdministrators prevents other transactions from changing the set of administrators until this transaction ends.
	LockAdministrators() error
	InsertUser(user shop.User) error
	UpdateUser(user shop.User, at ident.Timestamp) error
	PutSecret(secret Secret) error
	InsertIdentity(userID string, identity ForeignIdentity) error
	// ConfirmIdentities clears SetBy of the identities of a user.
	ConfirmIdentities(userID string) error
	// SeeIdentity records that the provider confirmed the user's identity. It returns shop.ErrNoRecord if the user is not connected.
	SeeIdentity(issuer, subject string, at ident.Timestamp) error
	DeleteIdentity(issuer, subject string) error
	InsertToken(token Token) error
	RevokeToken(userID, id string, at ident.Timestamp) error // ErrNoRecord when it is not there or was revoked
	TouchToken(hash string, at ident.Timestamp) error
	InsertSession(session Session) error
	// ConfirmSession stores when a secret was given in a session. It returns ErrNoRecord if there is no session.
	ConfirmSession(hash string, at ident.Timestamp) error
	TouchSession(hash string, at ident.Timestamp) error
	DeleteSession(userID, id string) error // ErrNoRecord when there is none
	// DeleteSessionsOfUser ends all sessions of a user except one; "" for no exception.
	DeleteSessionsOfUser(userID, except string) error
	DeleteSessionsBefore(created ident.Timestamp) error
	// DeleteSessionsOfMethod ends the sessions of a user that began with this method of signing in.
	DeleteSessionsOfMethod(userID, method string) error
	// SessionsOfProvider returns the sessions that began with this session at a provider.
	SessionsOfProvider(providerSession string) ([]Session, error)
	InsertStation(workstation Station) error
	RevokeStation(id string, at ident.Timestamp) error // ErrNoRecord when it is not there or was revoked
	InsertAttempt(subject, id string, at ident.Timestamp) error
	DeleteAttempt(subject, id string) error
	DeleteAttemptsOf(subject string) error
	DeleteAttemptsUnder(prefix string) error // deletes the attempts of all subjects whose names begin with the prefix
	DeleteAttemptsBefore(at ident.Timestamp) error
	InsertSignatureTicket(ticket shop.SignatureTicket) error
	DeleteSignatureTicketsBefore(signed ident.Timestamp) error
	PutSetting(name, value string, at ident.Timestamp) error
	DeleteSettings(prefix string) error
	DeleteSettingsBefore(prefix string, at ident.Timestamp) error
}

// SecretKind is the kind of a secret.
type SecretKind string

// The kinds of secrets.
const (
	Password SecretKind = "password"
	PIN      SecretKind = "pin"
	Badge    SecretKind = "badge"
)

// Secret is the stored form of a user's secret.
type Secret struct {
	UserID     string
	Kind       SecretKind
	Hash       string
	MustChange bool            // set by another user, who knows it
	ChangedAt  ident.Timestamp // 0 if the owner has to replace the secret before the account is confirmed
	// SetBy is the user who set the secret for its owner, until a second person has confirmed the account; "" otherwise.
	SetBy string
}

// ForeignIdentity is the identity of a user at a provider of OpenID Connect.
type ForeignIdentity struct {
	Issuer, Subject string
	SeenAt          ident.Timestamp // when the provider last confirmed it; at first, when the user was connected
	// SetBy is the user who connected the account, or the user's own identifier if the first sign-in with the provider created the
	// account. It is "" once a second person has confirmed the account.
	SetBy string
}

// Token is an identity for a program.
type Token struct {
	ID          string            `json:"id"`
	UserID      string            `json:"userId"`
	Name        string            `json:"name"`
	Permissions []shop.Permission `json:"permissions"`
	CreatedBy   string            `json:"createdBy"`
	CreatedAt   ident.Timestamp   `json:"createdAt"`
	ExpiresAt   ident.Timestamp   `json:"expiresAt"`
	LastUsedAt  ident.Timestamp   `json:"lastUsedAt,omitempty"`
	RevokedAt   ident.Timestamp   `json:"revokedAt,omitempty"`
	Hash        string            `json:"-"`
	OwnerSeenAt ident.Timestamp   `json:"-"` // as of a session; a question of the user
	HasSecond   bool              `json:"-"` // as of a session
	NeedsSecond []string          `json:"-"` // as of a session
}

// Session is a session of a signed-in user.
type Session struct {
	ID        string
	Hash      string
	UserID    string
	StationID string // "" at a device that is not a station
	Method    string // how the user signed in: password, pin, passkey or oidc
	Second    string // the proof of the second factor: passkey, code or recovery; "" before it was given
	Address   string
	CreatedAt ident.Timestamp
	SeenAt    ident.Timestamp
	// ProviderSession identifies the session at the provider with which this one began, "" for none.
	ProviderSession string
	// ConfirmedAt is the time when a password or a PIN was last given in the session, 0 for never.
	ConfirmedAt ident.Timestamp

	// The store looks up the following fields. MustChange is the secret that the user must replace before anything else, "" for none.
	// StationHash is the hash of the station where the session was opened, "" if the device is no longer a station.
	MustChange  SecretKind
	StationHash string
	Language    string // the tag of the pages' language that the user chose, or else the station; "" for none
	HasSecond   bool   // whether the user has a passkey or a confirmed generator of one-time codes
	// NeedsSecond are the roles that need a second factor.
	NeedsSecond []string
	// OwnerSeenAt is the time when a provider last identified the user; 0 for a user without a connection.
	OwnerSeenAt ident.Timestamp
}

// Station is a device at which people sign in with a badge and a PIN.
type Station struct {
	ID        string
	Name      string
	Hash      string
	CreatedBy string
	CreatedAt ident.Timestamp
	RevokedAt ident.Timestamp
	Places    []string // the locations whose steps are done here; none: every location
	OneScan   bool     // whether one scan of a unit completes its step, for steps at Places
	Language  string   // the tag of the pages' language that was chosen here, "" for none; the store looks it up
}

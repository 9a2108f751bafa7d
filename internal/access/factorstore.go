package access

import "github.com/routecard/routecard/shop/ident"

// FactorReader reads what people prove to be themselves with beside a password. What looks one record up answers
// shop.ErrNoRecord when there is none.
type FactorReader interface {
	// SecondFactorRoles returns the roles that need a second factor, in the order of their names.
	SecondFactorRoles() ([]string, error)
	PasskeyByCredential(credentialID string) (Passkey, error)
	PasskeysOfUser(userID string) ([]Passkey, error) // oldest first
	OneTimeCode(userID string) (OneTimeCode, error)
	// CountRecoveryCodes counts those that are not used.
	CountRecoveryCodes(userID string) (int64, error)
	Challenge(hash string) (Challenge, error)
}

// FactorTx writes it.
type FactorTx interface {
	PutSecondFactorRoles(roles []string) error
	InsertPasskey(passkey Passkey) error
	// UsePasskey records a use with what the authenticator says of itself now. It answers shop.ErrNoRecord when there is
	// no such passkey, or when its authenticator counts and has not counted on since the last use.
	UsePasskey(used Passkey) error
	DeletePasskey(userID, id string) error // ErrNoRecord when there is none
	DeletePasskeysOfUser(userID string) error
	PutOneTimeCode(code OneTimeCode) error
	// UseOneTimeCode records the step of a code that is used. It answers shop.ErrNoRecord when the generator is another
	// by now, or when that step or a later one was used.
	UseOneTimeCode(used OneTimeCode) error
	DeleteOneTimeCode(userID string) error
	// PutRecoveryCodes gives a user these recovery codes in the place of those that they have.
	PutRecoveryCodes(userID string, hashes []string, at ident.Timestamp) error
	UseRecoveryCode(userID, hash string, at ident.Timestamp) error // ErrNoRecord when it is not there or was used
	DeleteRecoveryCodes(userID string) error
	InsertChallenge(challenge Challenge) error
	DeleteChallenge(hash string) error // ErrNoRecord when there is none
	DeleteChallengesBefore(created ident.Timestamp) error
	// SetSessionSecond records what proved the second factor of a session.
	SetSessionSecond(id, second string) error
}

// Passkey is a key pair of somebody's, of which their authenticator keeps the private key.
type Passkey struct {
	ID           string          `json:"id"`
	UserID       string          `json:"-"`
	Name         string          `json:"name"`
	CredentialID string          `json:"-"` // base64url
	Credential   string          `json:"-"` // the public key and what the authenticator says of itself, as JSON
	SignCount    int64           `json:"-"`
	CreatedAt    ident.Timestamp `json:"createdAt"`
	LastUsedAt   ident.Timestamp `json:"lastUsedAt,omitempty"`
}

// OneTimeCode is a generator of one-time codes, as it is kept.
type OneTimeCode struct {
	UserID      string
	Secret      string // encrypted
	CreatedAt   ident.Timestamp
	ConfirmedAt ident.Timestamp // 0 until the first code was right
	LastStep    int64           // that of the last code that was used
}

// Challenge is what an authenticator was asked to sign and has not yet signed.
type Challenge struct {
	Hash      string
	Purpose   string
	BoundTo   string // who has to answer it
	Data      string // what the answer is judged by
	CreatedAt ident.Timestamp
}

package access

import "github.com/routecard/routecard/shop/ident"

// FactorReader reads the second factors of users. Lookups return shop.ErrNoRecord if there is no record.
type FactorReader interface {
	// SecondFactorRoles returns the roles that need a second factor, in the order of their names.
	SecondFactorRoles() ([]string, error)
	PasskeyByCredential(credentialID string) (Passkey, error)
	PasskeysOfUser(userID string) ([]Passkey, error) // oldest first
	OneTimeCode(userID string) (OneTimeCode, error)
	// CountRecoveryCodes counts the unused recovery codes.
	CountRecoveryCodes(userID string) (int64, error)
	Challenge(hash string) (Challenge, error)
}

// FactorTx reads and writes the second factors of users.
type FactorTx interface {
	PutSecondFactorRoles(roles []string) error
	InsertPasskey(passkey Passkey) error
	// UsePasskey records a use with the new state of the authenticator. It returns shop.ErrNoRecord if the passkey is gone, or if its
	// authenticator counts uses and the count has not increased.
	UsePasskey(used Passkey) error
	DeletePasskey(userID, id string) error // ErrNoRecord when there is none
	DeletePasskeysOfUser(userID string) error
	PutOneTimeCode(code OneTimeCode) error
	// UseOneTimeCode records the step of a used code. It returns shop.ErrNoRecord if the generator was replaced, or if this or a later step
	// was used.
	UseOneTimeCode(used OneTimeCode) error
	DeleteOneTimeCode(userID string) error
	// PutRecoveryCodes replaces a user's recovery codes.
	PutRecoveryCodes(userID string, hashes []string, at ident.Timestamp) error
	UseRecoveryCode(userID, hash string, at ident.Timestamp) error // ErrNoRecord when it is not there or was used
	DeleteRecoveryCodes(userID string) error
	InsertChallenge(challenge Challenge) error
	DeleteChallenge(hash string) error // ErrNoRecord when there is none
	DeleteChallengesBefore(created ident.Timestamp) error
	// SetSessionSecond records what proved the second factor of a session.
	SetSessionSecond(id, second string) error
}

// Passkey is a user's key pair. The authenticator stores the private key.
type Passkey struct {
	ID           string          `json:"id"`
	UserID       string          `json:"-"`
	Name         string          `json:"name"`
	CredentialID string          `json:"-"` // base64url
	Credential   string          `json:"-"` // the public key and the authenticator's description of itself, as JSON
	SignCount    int64           `json:"-"`
	CreatedAt    ident.Timestamp `json:"createdAt"`
	LastUsedAt   ident.Timestamp `json:"lastUsedAt,omitempty"`
}

// OneTimeCode is the stored form of a generator of one-time codes.
type OneTimeCode struct {
	UserID      string
	Secret      string // encrypted
	CreatedAt   ident.Timestamp
	ConfirmedAt ident.Timestamp // 0 until the first code was right
	LastStep    int64           // the time step of the last code that was used
}

// Challenge is a challenge that an authenticator has not signed yet.
type Challenge struct {
	Hash      string
	Purpose   string
	BoundTo   string // the party that must sign it
	Data      string // the data to verify the assertion with
	CreatedAt ident.Timestamp
}

package access

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// Cost is the cost of one hash of a password or a PIN.
type Cost struct {
	MemoryKiB uint32
	Passes    uint32
	Lanes     uint8
}

// DefaultCost is the argon2id setting that OWASP recommends for servers with little memory.
var DefaultCost = Cost{MemoryKiB: 19 << 10, Passes: 2, Lanes: 1} //nolint:gochecknoglobals // three numbers that belong together

const (
	saltBytes = 16
	hashBytes = 32
)

// hasher makes and compares hashes of secrets that can be guessed: argon2id over an HMAC with the pepper. The number of places limits how
// many hashes it computes at the same time.
type hasher struct {
	pepper []byte
	cost   Cost
	queue  *queue
	key    func(secret, salt []byte, passes, memory uint32, lanes uint8, length uint32) []byte // argon2id
}

func newHasher(pepper []byte, cost Cost, places int) *hasher {
	return &hasher{pepper: pepper, cost: cost, queue: newQueue(places), key: argon2.IDKey}
}

// The names of the forms in which secrets are stored. The former form hashes only the secret: a hash of that form copied to another user's
// row would be valid there.
const (
	formOfOwner = "argon2id-owner"
	formBefore  = "argon2id"
)

// owner identifies the secret that a hash belongs to, by its user and its kind.
type owner struct {
	userID string
	kind   SecretKind
}

// hash returns the stored form of a secret. The caller must hold a place of the queue.
func (h *hasher) hash(of owner, secret string) string {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails
	return fmt.Sprintf("$%s$v=%d$m=%d,t=%d,p=%d$%s$%s", formOfOwner, argon2.Version, h.cost.MemoryKiB, h.cost.Passes, h.cost.Lanes,
		base64.RawStdEncoding.EncodeToString(salt),
		base64.RawStdEncoding.EncodeToString(h.derive(of.text(secret), salt, h.cost)))
}

// text returns the text that is hashed. It is unambiguous, because identifiers and kinds contain no line feed.
func (o owner) text(secret string) string { return o.userID + "\n" + string(o.kind) + "\n" + secret }

func (h *hasher) derive(text string, salt []byte, cost Cost) []byte {
	mac := hmac.New(sha256.New, h.pepper)
	_, _ = mac.Write([]byte(text)) // never fails
	return h.key(mac.Sum(nil), salt, cost.Passes, cost.MemoryKiB, cost.Lanes, hashBytes)
}

// outdated reports whether a secret is stored in the former form.
func outdated(kept string) bool { return strings.HasPrefix(kept, "$"+formBefore+"$") }

// matches compares a secret with its stored form. An empty form, for an unknown user or a user without the secret, takes the same time and
// never matches. The caller must hold a place of the queue.
func (h *hasher) matches(of owner, secret, kept string) (bool, error) {
	text := of.text(secret)
	if kept == "" {
		h.derive(text, make([]byte, saltBytes), h.cost)
		return false, nil
	}
	var version int
	var cost Cost
	parts := strings.Split(kept, "$")
	if len(parts) != 6 || parts[1] != formOfOwner && parts[1] != formBefore {
		return false, errKept
	}
	if parts[1] == formBefore {
		text = secret
	}
	_, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &cost.MemoryKiB, &cost.Passes, &cost.Lanes)
	if err != nil {
		return false, errKept
	}
	salt, saltErr := base64.RawStdEncoding.DecodeString(parts[4])
	want, wantErr := base64.RawStdEncoding.DecodeString(parts[5])
	if saltErr != nil || wantErr != nil || version != argon2.Version || cost.Passes == 0 || cost.Lanes == 0 {
		return false, errKept
	}
	return subtle.ConstantTimeCompare(h.derive(text, salt, cost), want) == 1, nil
}

// fingerprint distinguishes peppers without revealing them.
func (h *hasher) fingerprint() string {
	mac := hmac.New(sha256.New, h.pepper)
	_, _ = mac.Write([]byte("routecard: which pepper this is")) // never fails
	return base64.RawStdEncoding.EncodeToString(mac.Sum(nil)[:saltBytes])
}

// Limits of passwords and PINs.
const (
	PasswordLeast = 12
	PasswordMost  = 500
	PINLeast      = 6
	PINMost       = 32
)

// checkPassword validates a new password of a user by its length and by how easily it is guessed. It has no rules that would make people
// write passwords down.
func (s *Service) checkPassword(password string, user shop.User) error {
	switch {
	case utf8.RuneCountInString(password) < PasswordLeast:
		return refusal.RefuseField(reasonShort, "password", PasswordLeast)
	case len(password) > PasswordMost:
		return refusal.RefuseField(refusal.TooLong, "password")
	case strings.EqualFold(password, user.Login):
		return refusal.RefuseField(reasonLogin, "password")
	case s.knownWordIn(password, user) != "":
		return refusal.RefuseField(reasonKnownWord, "password", s.knownWordIn(password, user))
	case s.tooCommon(password, user):
		return refusal.RefuseField(reasonCommon, "password")
	}
	return nil
}

// checkPIN validates a new PIN of a user: digits that are not easily guessed.
func checkPIN(pin string, user shop.User) error {
	switch {
	case len(pin) < PINLeast || strings.Trim(pin, "0123456789") != "":
		return refusal.RefuseField(reasonFewDigits, "pin", PINLeast)
	case len(pin) > PINMost:
		return refusal.RefuseField(refusal.TooLong, "pin")
	case easyPIN(pin, user):
		return refusal.RefuseField(reasonGuessable, "pin")
	}
	return nil
}

// guessable reports whether digits are a run (123456, 987654, 901234), or a group of up to half of them repeated
// (111111, 121212, 123123).
func guessable(pin string) bool {
	for _, step := range []int{1, 9} {
		run := true
		for i := 1; i < len(pin); i++ {
			run = run && (int(pin[i]-'0')-int(pin[i-1]-'0')+10)%10 == step
		}
		if run {
			return true
		}
	}
	for group := 1; group <= len(pin)/2; group++ {
		if strings.HasPrefix(strings.Repeat(pin[:group], len(pin)/group+1), pin) {
			return true
		}
	}
	return false
}

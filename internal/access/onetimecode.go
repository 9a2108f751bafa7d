package access

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // RFC 6238 and common generator apps use SHA-1; its weakness does not affect an HMAC
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// One-time codes follow RFC 6238 in the variant of every generator app: HMAC-SHA-1, six digits, a new code every 30 seconds. The clocks may
// differ by one step. A used code, and every code before it, is refused from then on.
const (
	codeDigits = 6
	codeStep   = 30 * time.Second
	codeSkew   = 1
	codeSecret = 20 // bytes, as RFC 4226 recommends
)

// Recovery codes replace a lost second factor.
const (
	recoveryCount  = 10
	recoveryBytes  = 10 // 80 bits, which cannot be guessed, even if the pepper is known
	recoveryLength = recoveryBytes * 8 / 5
)

//nolint:gochecknoglobals // the encoding in which generators accept secrets
var codeBase32 = base32.StdEncoding.WithPadding(base32.NoPadding)

var errWrongCode = &RefusalError{
	Refusal: refusal.Refuse(reasonCode), Challenge: realm,
}

// oneTimeCode returns the code of a step.
func oneTimeCode(secret []byte, step int64) string {
	mac := hmac.New(sha1.New, secret)
	_ = binary.Write(mac, binary.BigEndian, step) // never fails
	sum := mac.Sum(nil)
	offset := sum[len(sum)-1] & 0x0f
	number := binary.BigEndian.Uint32(sum[offset:]) & 0x7fffffff
	return fmt.Sprintf("%0*d", codeDigits, number%1_000_000)
}

// stepOf returns the step of a code: the current step or one next to it, but only a step after last.
func stepOf(secret []byte, code string, now time.Time, last int64) (step int64, found bool) {
	present := now.Unix() / int64(codeStep/time.Second)
	for candidate := present - codeSkew; candidate <= present+codeSkew; candidate++ {
		if candidate > last && same(oneTimeCode(secret, candidate), code) {
			return candidate, true
		}
	}
	return 0, false
}

// codeKey encrypts the secrets of generators, so that a copy of the database alone is not enough to make codes.
func (s *Service) codeKey() cipher.AEAD {
	mac := hmac.New(sha256.New, s.options.Pepper)
	_, _ = mac.Write([]byte("routecard: secrets of one-time codes")) // never fails
	block, err := aes.NewCipher(mac.Sum(nil))
	if err != nil {
		panic(err) // the key has a valid length
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err)
	}
	return aead
}

func (s *Service) encrypted(secret []byte, userID string) string {
	sealed := s.codeKey().Seal(nil, nil, secret, []byte(userID)) //nolint:gosec // the nonce is random, and part of the sealed text
	return base64.RawStdEncoding.EncodeToString(sealed)
}

func (s *Service) decrypted(kept OneTimeCode) ([]byte, error) {
	sealed, err := base64.RawStdEncoding.DecodeString(kept.Secret)
	if err != nil {
		return nil, errKept
	}
	secret, err := s.codeKey().Open(nil, nil, sealed, []byte(kept.UserID))
	if err != nil {
		return nil, errKept
	}
	return secret, nil
}

// recoveryHash hashes a recovery code for storage.
func (s *Service) recoveryHash(code string) string {
	mac := hmac.New(sha256.New, s.options.Pepper)
	_, _ = mac.Write([]byte("routecard: a recovery code\n" + code)) // never fails
	return hex.EncodeToString(mac.Sum(nil))
}

// NewOneTimeCodes is the response of Set Up One-Time Codes. No other response contains the secret.
type NewOneTimeCodes struct {
	Secret string `json:"secret"` // in base 32, for typing
	URI    string `json:"uri"`    // otpauth, for scanning
}

// SetUpOneTimeCodes makes a generator of one-time codes for the caller, who must have given a secret within the last minutes or give one
// now. The generator is a second factor once its first code was right.
func (s *Service) SetUpOneTimeCodes(ctx context.Context, from Visitor, in Confirmation) (made NewOneTimeCodes, err error) {
	identity, err := s.confirm(ctx, from, in)
	if err != nil {
		return made, err
	}
	secret := make([]byte, codeSecret)
	_, _ = rand.Read(secret) // never fails
	made.Secret = codeBase32.EncodeToString(secret)
	made.URI = (&url.URL{
		Scheme: "otpauth", Host: "totp", Path: "/Routecard:" + identity.User.Login,
		RawQuery: "secret=" + made.Secret + "&issuer=Routecard&algorithm=SHA1&digits=6&period=30",
	}).String()
	err = s.store.UpdateAccess(ctx, func(tx Tx) error {
		if err := tx.LockName(factorsOf(identity.User.ID)); err != nil {
			return err
		}
		had, err := tx.OneTimeCode(identity.User.ID)
		if err != nil && !errors.Is(err, shop.ErrNoRecord) {
			return err
		}
		if err == nil && had.ConfirmedAt > 0 {
			return refusal.Refuse(reasonHasCodes)
		}
		return tx.PutOneTimeCode(OneTimeCode{
			UserID: identity.User.ID, Secret: s.encrypted(secret, identity.User.ID), CreatedAt: s.now(),
		})
	})
	return made, err
}

// RecoveryCodes is a set of recovery codes, which are shown only once.
type RecoveryCodes struct {
	RecoveryCodes []string `json:"recoveryCodes"`
}

// CodeInput is the body of Confirm One-Time Codes.
type CodeInput struct {
	Code input.TextInput `field:"code"`
}

// ConfirmOneTimeCodes verifies the first code of a generator that was just set up, and returns recovery codes. From then on, the caller's
// session counts as having given its second factor.
func (s *Service) ConfirmOneTimeCodes(ctx context.Context, from Visitor, in CodeInput) (codes RecoveryCodes, err error) {
	identity, err := managesCredentials(ctx)
	if err != nil {
		return codes, err
	}
	text, err := input.RequiredText("code", in.Code)
	if err != nil {
		return codes, err
	}
	user := identity.User
	kept, secret, err := s.generator(ctx, user.ID)
	switch {
	case err != nil:
		return codes, err
	case secret == nil:
		return codes, refusal.Refuse(reasonCodesNotBegun)
	case kept.ConfirmedAt > 0:
		return codes, refusal.Refuse(reasonCodesConfirmed)
	}
	codes, hashes := s.newRecoveryCodes()
	return codes, s.weigh(ctx, from, user, secondSubject(user), errWrongCode, func() (right bool, err error) {
		kept.LastStep, right = stepOf(secret, typedCode(text), s.options.Clock(), kept.LastStep)
		return right, nil
	}, func(tx Tx) error {
		if err := tx.LockName(factorsOf(user.ID)); err != nil {
			return err
		}
		kept.ConfirmedAt = s.now()
		if err := tx.UseOneTimeCode(kept); errors.Is(err, shop.ErrNoRecord) {
			return errWrongCode // another generator was set up, or this one was confirmed, meanwhile
		} else if err != nil {
			return err
		}
		if err := tx.PutRecoveryCodes(user.ID, hashes, s.now()); err != nil {
			return err
		}
		if err := tx.SetSessionSecond(identity.Session.ID, string(OneTimeCodeFactor)); err != nil {
			return err
		}
		return tx.AppendAudit(s.factorEntry(ctx, user, factorChange{Kind: OneTimeCodeFactor}),
			s.factorEntry(ctx, user, factorChange{Kind: RecoveryFactor, Left: new(int64(recoveryCount))}))
	})
}

// generator returns a user's generator of one-time codes with its secret, nil for none.
func (s *Service) generator(ctx context.Context, userID string) (kept OneTimeCode, secret []byte, err error) {
	err = s.store.ViewAccess(ctx, func(tx Reader) (err error) {
		kept, err = tx.OneTimeCode(userID)
		return err
	})
	if errors.Is(err, shop.ErrNoRecord) {
		return kept, nil, nil
	}
	if err == nil {
		secret, err = s.decrypted(kept)
	}
	return kept, secret, err
}

// RemoveOneTimeCodes removes the caller's generator.
func (s *Service) RemoveOneTimeCodes(ctx context.Context, from Visitor, in Confirmation) error {
	return s.removeFactor(ctx, from, in, func(tx Tx, user shop.User) (factorChange, error) {
		change := factorChange{Kind: OneTimeCodeFactor, Removed: true}
		had, err := tx.OneTimeCode(user.ID)
		if errors.Is(err, shop.ErrNoRecord) || err == nil && had.ConfirmedAt == 0 {
			err = refusal.Refuse(reasonNoCodes)
		}
		if err != nil {
			return change, err
		}
		return change, tx.DeleteOneTimeCode(user.ID)
	})
}

// NewRecoveryCodes makes recovery codes for the caller, who must have a second factor. Earlier recovery codes are no longer valid.
func (s *Service) NewRecoveryCodes(ctx context.Context, from Visitor, in Confirmation) (codes RecoveryCodes, err error) {
	identity, err := s.confirm(ctx, from, in)
	if err != nil {
		return codes, err
	}
	codes, hashes := s.newRecoveryCodes()
	return codes, s.store.UpdateAccess(ctx, func(tx Tx) error {
		if err := tx.LockName(factorsOf(identity.User.ID)); err != nil {
			return err
		}
		had, err := secondFactors(tx, identity.User)
		if err != nil {
			return err
		}
		if !had.any() {
			return ErrSetUpSecond
		}
		if err := tx.PutRecoveryCodes(identity.User.ID, hashes, s.now()); err != nil {
			return err
		}
		return tx.AppendAudit(s.factorEntry(ctx, identity.User, factorChange{Kind: RecoveryFactor, Left: new(int64(recoveryCount))}))
	})
}

// newRecoveryCodes makes recovery codes, and the hashes to store.
func (s *Service) newRecoveryCodes() (codes RecoveryCodes, hashes []string) {
	for range recoveryCount {
		bits := make([]byte, recoveryBytes)
		_, _ = rand.Read(bits) // never fails
		text := codeBase32.EncodeToString(bits)
		hashes = append(hashes, s.recoveryHash(text))
		codes.RecoveryCodes = append(codes.RecoveryCodes, text[:4]+"-"+text[4:8]+"-"+text[8:12]+"-"+text[12:])
	}
	return codes, hashes
}

// proveCode checks a one-time code or a recovery code of a user and marks it as used. In the same transaction it calls then with the kind
// of the code. A wrong code counts as a wrong attempt.
func (s *Service) proveCode(ctx context.Context, from Visitor, user shop.User, in input.TextInput,
	then func(SecretKind) func(Tx) error,
) error {
	text, err := input.RequiredText("code", in)
	if err != nil {
		return err
	}
	code := typedCode(text)
	if len(code) == recoveryLength {
		return s.weigh(ctx, from, user, secondSubject(user), errWrongCode, func() (bool, error) { return true, nil },
			func(tx Tx) error {
				if err := s.useRecoveryCode(ctx, tx, user, code); err != nil {
					return err
				}
				return then(RecoveryFactor)(tx)
			})
	}
	kept, secret, err := s.generator(ctx, user.ID)
	if err != nil {
		return err
	}
	return s.weigh(ctx, from, user, secondSubject(user), errWrongCode, func() (right bool, err error) {
		if secret == nil || kept.ConfirmedAt == 0 {
			return false, nil
		}
		kept.LastStep, right = stepOf(secret, code, s.options.Clock(), kept.LastStep)
		return right, nil
	}, func(tx Tx) error {
		if err := tx.UseOneTimeCode(kept); errors.Is(err, shop.ErrNoRecord) {
			return errWrongCode // another request used the same code first
		} else if err != nil {
			return err
		}
		return then(OneTimeCodeFactor)(tx)
	})
}

// useRecoveryCode checks a recovery code and marks it as used.
func (s *Service) useRecoveryCode(ctx context.Context, tx Tx, user shop.User, code string) error {
	err := tx.UseRecoveryCode(user.ID, s.recoveryHash(code), s.now())
	if errors.Is(err, shop.ErrNoRecord) {
		return errWrongCode
	}
	if err != nil {
		return err
	}
	left, err := tx.CountRecoveryCodes(user.ID)
	if err != nil {
		return err
	}
	return tx.AppendAudit(s.factorEntry(ctx, user, factorChange{Kind: RecoveryFactor, Left: &left}))
}

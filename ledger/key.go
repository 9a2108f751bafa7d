package ledger

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/mod/sumdb/note"
)

// The first byte of a key identifies its algorithm.
const (
	algorithmEd25519     = 1 // a log's signature
	algorithmCosignature = 4 // a witness's cosignature
)

// NewKey creates a private key in the format of golang.org/x/mod/sumdb/note. The name of the key is the origin of its log.
func NewKey(origin string) (key string, err error) {
	if err := CheckOrigin(origin); err != nil {
		return "", err
	}
	key, _, err = note.GenerateKey(rand.Reader, origin)
	return key, err
}

// CheckOrigin refuses a text that cannot be the name of a log.
func CheckOrigin(origin string) error {
	if origin == "" || len(origin) > 255 || strings.ContainsFunc(origin, func(r rune) bool {
		return unicode.IsSpace(r) || r == '+' || r == unicode.ReplacementChar || !unicode.IsPrint(r)
	}) {
		return fmt.Errorf("%q cannot be the name of a log: it needs 1 to 255 characters without spaces and +", origin)
	}
	return nil
}

// SignerFor makes a signer and its verifier key from a private key, for a log with this name. The name is a parameter because a log that
// restarts has another name but may keep its key.
func SignerFor(key, origin string) (signer note.Signer, verifierKey string, err error) {
	if err := CheckOrigin(origin); err != nil {
		return nil, "", err
	}
	malformed := errors.New("the private key of the ledger is malformed")
	parts := strings.SplitN(strings.TrimSpace(key), "+", 5)
	if len(parts) != 5 || parts[0] != "PRIVATE" || parts[1] != "KEY" {
		return nil, "", malformed
	}
	secret, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil || len(secret) != 1+ed25519.SeedSize || secret[0] != algorithmEd25519 {
		return nil, "", malformed
	}
	public, ok := ed25519.NewKeyFromSeed(secret[1:]).Public().(ed25519.PublicKey)
	if !ok {
		return nil, "", malformed
	}
	if verifierKey, err = note.NewEd25519VerifierKey(origin, public); err != nil {
		return nil, "", malformed
	}
	_, rest, _ := strings.Cut(verifierKey, "+")
	hash, _, _ := strings.Cut(rest, "+")
	signer, err = note.NewSigner("PRIVATE+KEY+" + origin + "+" + hash + "+" + parts[4])
	if err != nil {
		return nil, "", malformed
	}
	return signer, verifierKey, nil
}

// Keys are verifier keys of one log.
type Keys []verifierKey

type verifierKey struct {
	text, name string
	public     ed25519.PublicKey
}

// Verifiers reads the verifier keys of a log. There are several keys while keys are exchanged.
func Verifiers(texts ...string) (Keys, error) {
	var keys Keys
	for _, text := range texts {
		text = strings.TrimSpace(text)
		verifier, err := note.NewVerifier(text)
		if err != nil {
			return nil, fmt.Errorf("%q is no verifier key of a log", text)
		}
		data, err := base64.StdEncoding.DecodeString(text[strings.LastIndex(text, "+")+1:])
		if parts := strings.SplitN(text, "+", 3); len(parts) == 3 {
			data, err = base64.StdEncoding.DecodeString(parts[2])
		}
		if err != nil || len(data) != 1+ed25519.PublicKeySize {
			return nil, fmt.Errorf("%q is no verifier key of a log", text)
		}
		keys = append(keys, verifierKey{text: text, name: verifier.Name(), public: data[1:]})
	}
	if len(keys) == 0 {
		return nil, errors.New("a verifier key is needed")
	}
	return keys, nil
}

func (k Keys) String() string {
	texts := make([]string, len(k))
	for i, key := range k {
		texts[i] = key.text
	}
	return strings.Join(texts, " ")
}

// named returns the verifiers for a checkpoint of a log with this name. The name of a restarted log is its first name, a slash and a
// number; keys always have the first name.
func (k Keys) named(origin string) (note.Verifiers, error) {
	var verifiers []note.Verifier
	for _, key := range k {
		if key.name != origin && FirstOrigin(origin) != FirstOrigin(key.name) {
			continue
		}
		text, err := note.NewEd25519VerifierKey(origin, key.public)
		if err != nil {
			return nil, fmt.Errorf("%q cannot be the name of a log", origin)
		}
		verifier, err := note.NewVerifier(text)
		if err != nil {
			return nil, fmt.Errorf("%q cannot be the name of a log", origin)
		}
		verifiers = append(verifiers, verifier)
	}
	if len(verifiers) == 0 {
		return nil, fmt.Errorf("the checkpoint is of the log %q, and the key of another: %s", origin, k)
	}
	return note.VerifierList(verifiers...), nil
}

// FirstOrigin returns the name of a log before its first restart, without the number.
func FirstOrigin(origin string) string {
	at := strings.LastIndexByte(origin, '/')
	if at <= 0 {
		return origin
	}
	number := origin[at+1:]
	if number == "" || strings.Trim(number, "0123456789") != "" || number[0] == '0' || number == "1" || len(number) > 6 {
		return origin
	}
	return origin[:at]
}

// LaterOrigin returns the name of a log that restarts for the n-th time.
func LaterOrigin(first string, n int64) string {
	if n <= 1 {
		return first
	}
	return fmt.Sprintf("%s/%d", first, n)
}

// RenameKey returns a verifier key under another name of its log.
func RenameKey(text, origin string) (string, error) {
	keys, err := Verifiers(text)
	if err != nil {
		return "", err
	}
	return note.NewEd25519VerifierKey(origin, keys[0].public)
}

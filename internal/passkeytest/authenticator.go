// Package passkeytest simulates an authenticator and its browser for tests.
package passkeytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"testing"
)

// Authenticator stores ES256 key pairs and responds to the requests of a page. One test uses it.
type Authenticator struct {
	T        testing.TB
	Origin   string // the origin of the page
	Verifies bool   // whether it verifies its user, for example by a fingerprint
	Counts   bool   // whether it counts its uses
	uses     uint32
	keys     map[string]key // by credential id
}

type key struct {
	private *ecdsa.PrivateKey
	user    []byte
}

// New makes an authenticator that verifies its user and counts its uses.
func New(tb testing.TB, origin string) *Authenticator {
	return &Authenticator{T: tb, Origin: origin, Verifies: true, Counts: true, keys: map[string]key{}}
}

// Copy returns an authenticator with the same keys and its own use counter.
func (a *Authenticator) Copy() *Authenticator {
	other := *a
	other.keys = maps.Clone(a.keys)
	return &other
}

type entity struct {
	ID string `json:"id"`
}

// options are the parts of a page's request that an authenticator uses.
type options struct {
	PublicKey struct {
		Challenge string   `json:"challenge"`
		RPID      string   `json:"rpId"`
		RP        entity   `json:"rp"`
		User      entity   `json:"user"`
		Allow     []entity `json:"allowCredentials"`
	} `json:"publicKey"`
}

func (a *Authenticator) read(asked []byte) (o options) {
	a.T.Helper()
	if err := json.Unmarshal(asked, &o); err != nil {
		a.T.Fatalf("%v: %s", err, asked)
	}
	return o
}

func encode(bits []byte) string { return base64.RawURLEncoding.EncodeToString(bits) }

func (a *Authenticator) decode(text string) []byte {
	a.T.Helper()
	bits, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		a.T.Fatal(err)
	}
	return bits
}

func (a *Authenticator) marshal(value any) json.RawMessage {
	a.T.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		a.T.Fatal(err)
	}
	return text
}

// client returns the data that the browser adds to a challenge.
func (a *Authenticator) client(kind, challenge string) []byte {
	return a.marshal(map[string]any{"type": kind, "challenge": challenge, "origin": a.Origin, "crossOrigin": false})
}

// data returns the authenticator data: the relying party, the flags, and the use counter.
func (a *Authenticator) data(party string, more byte) []byte {
	const present, verified = 0x01, 0x04
	flags := present | more
	if a.Verifies {
		flags |= verified
	}
	if a.Counts {
		a.uses++
	}
	of := sha256.Sum256([]byte(party))
	return binary.BigEndian.AppendUint32(append(of[:], flags), a.uses)
}

// Create makes a key pair for a page that registers a passkey, and returns the registration.
func (a *Authenticator) Create(asked []byte) json.RawMessage {
	a.T.Helper()
	o := a.read(asked)
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.T.Fatal(err)
	}
	const length = 16
	id := make([]byte, length)
	_, _ = rand.Read(id) // never fails
	a.keys[encode(id)] = key{private, a.decode(o.PublicKey.User.ID)}
	point, err := private.PublicKey.Bytes() // 4, x, y
	if err != nil {
		a.T.Fatal(err)
	}
	const attested = 0x40
	data := slices.Concat(a.data(o.PublicKey.RP.ID, attested), make([]byte, 16), []byte{0, length}, id,
		// A CBOR map with five entries: kind 2 (EC2), algorithm -7 (ES256), curve 1 (P-256), x and y.
		[]byte{0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32}, point[1:33], []byte{0x22, 0x58, 32}, point[33:])
	object := append([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58"), byte(len(data))) //nolint:gosec // below 256
	object = append(object, data...)
	return a.marshal(map[string]any{
		"id": encode(id), "rawId": encode(id), "type": "public-key", "clientExtensionResults": map[string]any{},
		"response": map[string]any{
			"clientDataJSON":    encode(a.client("webauthn.create", o.PublicKey.Challenge)),
			"attestationObject": encode(object),
		},
	})
}

// Get signs the request of a page with an allowed key, or with any key if the page does not restrict them.
func (a *Authenticator) Get(asked []byte) json.RawMessage {
	a.T.Helper()
	o := a.read(asked)
	for id, key := range a.keys {
		allowed := len(o.PublicKey.Allow) == 0
		for _, one := range o.PublicKey.Allow {
			allowed = allowed || one.ID == id
		}
		if allowed {
			return a.sign(o, id, key)
		}
	}
	a.T.Fatal("the authenticator has no key that is asked for")
	return nil
}

func (a *Authenticator) sign(o options, id string, key key) json.RawMessage {
	party := o.PublicKey.RPID
	if at, err := url.Parse(a.Origin); err == nil && party == "" {
		party = at.Hostname()
	}
	client, data := a.client("webauthn.get", o.PublicKey.Challenge), a.data(party, 0)
	of := sha256.Sum256(client)
	sum := sha256.Sum256(append(slices.Clone(data), of[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, key.private, sum[:])
	if err != nil {
		a.T.Fatal(err)
	}
	return a.marshal(map[string]any{
		"id": id, "rawId": id, "type": "public-key", "clientExtensionResults": map[string]any{},
		"response": map[string]any{
			"clientDataJSON": encode(client), "authenticatorData": encode(data), "signature": encode(signature),
			"userHandle": encode(key.user),
		},
	})
}

package ledger

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
)

// A cosignature is a time in seconds, eight bytes, and an Ed25519 signature.
const (
	timeSize        = 8
	cosignatureSize = timeSize + ed25519.SignatureSize
)

// cosigner checks the cosignatures of one witness, as tlog-cosignature says.
type cosigner struct {
	name   string
	hash   uint32
	public ed25519.PublicKey
}

// newCosigner reads the verifier key of a witness.
func newCosigner(text string) (*cosigner, error) {
	malformed := fmt.Errorf("%q is no verifier key of a witness; the supported kind is Ed25519 (type 4)", text)
	parts := strings.SplitN(text, "+", 3)
	if len(parts) != 3 || CheckOrigin(parts[0]) != nil {
		return nil, malformed
	}
	data, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(data) != 1+ed25519.PublicKeySize || data[0] != algorithmCosignature {
		return nil, malformed
	}
	sum := sha256.Sum256(append([]byte(parts[0]+"\n"), data...))
	c := &cosigner{name: parts[0], hash: binary.BigEndian.Uint32(sum[:]), public: data[1:]}
	if fmt.Sprintf("%08x", c.hash) != parts[1] {
		return nil, malformed
	}
	return c, nil
}

func (c *cosigner) Name() string    { return c.name }
func (c *cosigner) KeyHash() uint32 { return c.hash }

func (c *cosigner) Verify(message, signature []byte) bool {
	if len(signature) != cosignatureSize {
		return false
	}
	seconds := binary.BigEndian.Uint64(signature)
	signed := fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", seconds, message)
	return ed25519.Verify(c.public, signed, signature[timeSize:])
}

// cosignedAt returns the time of signing according to the witness.
func cosignedAt(signature note.Signature) time.Time {
	data, err := base64.StdEncoding.DecodeString(signature.Base64)
	if err != nil || len(data) < 4+timeSize {
		return time.Time{}
	}
	return time.Unix(int64(binary.BigEndian.Uint64(data[4:])), 0).UTC() //nolint:gosec // seconds
}

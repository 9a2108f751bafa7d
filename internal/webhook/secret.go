package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"
)

// Secret signs requests.
type Secret struct{ key []byte }

const secretPrefix = "whsec_"

// Lengths of secrets in bytes, as Standard Webhooks has them.
const (
	secretAtLeast = 24
	secretAtMost  = 64
)

// ParseSecret reads a secret: whsec_ and 24 to 64 bytes in Base64.
func ParseSecret(text string) (Secret, error) {
	encoded, ok := strings.CutPrefix(text, secretPrefix)
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(key) < secretAtLeast || len(key) > secretAtMost {
		return Secret{}, errors.New("it must be whsec_ followed by 24 to 64 bytes in Base64")
	}
	return Secret{key}, nil
}

// Known reports whether there is a secret.
func (s Secret) Known() bool { return len(s.key) > 0 }

// String implements fmt.Stringer, so that no log has the secret.
func (Secret) String() string { return secretPrefix + "..." }

// GoString implements fmt.GoStringer, for the same reason.
func (s Secret) GoString() string { return s.String() }

// Sign returns the header webhook-signature of a request.
func (s Secret) Sign(id string, at time.Time, body []byte) string {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

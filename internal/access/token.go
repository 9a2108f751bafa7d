package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"math/big"
	"strings"

	"github.com/routecard/routecard/shop"
)

// A token is rcd_ and 38 characters of base 62, the last six of which are the CRC-32 of everything before them: so a mistyped token costs
// no look-up, and scanners of repositories can recognize tokens.
const (
	tokenPrefix = shop.AccessTokenPrefix
	tokenRandom = 32
	tokenCheck  = 6
	tokenLength = len(tokenPrefix) + tokenRandom + tokenCheck
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// randomText returns the given number of random base 62 characters.
func randomText(length int) string {
	limit := big.NewInt(int64(len(base62)))
	text := make([]byte, length)
	for i := range text {
		n, err := rand.Int(rand.Reader, limit)
		if err != nil { // the system's generator never fails
			panic(err)
		}
		text[i] = base62[n.Int64()]
	}
	return string(text)
}

func newToken() string {
	text := tokenPrefix + randomText(tokenRandom)
	return text + tokenSum(text)
}

// tokenSum returns a CRC-32 in base 62.
func tokenSum(text string) string {
	sum := crc32.ChecksumIEEE([]byte(text))
	digits := make([]byte, tokenCheck)
	for i := tokenCheck - 1; i >= 0; i-- {
		digits[i] = base62[sum%uint32(len(base62))]
		sum /= uint32(len(base62))
	}
	return string(digits)
}

// wellFormed reports whether a text has the form of a token.
func wellFormed(text string) bool {
	return len(text) == tokenLength && strings.HasPrefix(text, tokenPrefix) &&
		strings.Trim(text[len(tokenPrefix):], base62) == "" &&
		tokenSum(text[:tokenLength-tokenCheck]) == text[tokenLength-tokenCheck:]
}

// bearer returns the credentials in the header Authorization. It returns false if the scheme is not Bearer.
func bearer(header string) (credentials string, ok bool) {
	scheme, credentials, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	return strings.TrimSpace(credentials), true
}

// digest hashes high-entropy secrets for storage, without salt.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

package passkeytest

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // RFC 6238 uses SHA-1
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"testing"
	"time"
)

// Code returns the one-time code of a generator app at a time.
func Code(tb testing.TB, secret string, at time.Time) string {
	tb.Helper()
	bits, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	if err != nil {
		tb.Fatal(err)
	}
	mac := hmac.New(sha1.New, bits)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(at.Unix()/30))) //nolint:gosec // after 1970
	sum := mac.Sum(nil)
	from := sum[19] & 15
	return fmt.Sprintf("%06d", (binary.BigEndian.Uint32(sum[from:from+4])&(1<<31-1))%1e6)
}

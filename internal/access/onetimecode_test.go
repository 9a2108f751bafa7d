package access

import (
	"testing"
	"time"
)

// The test values of RFC 6238, appendix B, in six digits.
func TestRFC6238(t *testing.T) {
	t.Parallel()
	for at, want := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130",
	} {
		if got := oneTimeCode([]byte("12345678901234567890"), at/int64(codeStep/time.Second)); got != want {
			t.Errorf("at %d: %s, want %s", at, got, want)
		}
	}
}

// The secret of a generator cannot be decrypted without the pepper, nor in the row of another user.
func TestSecretsOfGeneratorsAreEncrypted(t *testing.T) {
	t.Parallel()
	s, other := &Service{options: Options{Pepper: []byte("a")}}, &Service{options: Options{Pepper: []byte("b")}}
	kept := OneTimeCode{UserID: "user_1", Secret: s.encrypted([]byte("12345678901234567890"), "user_1")}
	if got, err := s.decrypted(kept); err != nil || string(got) != "12345678901234567890" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := other.decrypted(kept); err == nil {
		t.Error("it is read with another pepper")
	}
	kept.UserID = "user_2"
	if _, err := s.decrypted(kept); err == nil {
		t.Error("it is read as another user's")
	}
}

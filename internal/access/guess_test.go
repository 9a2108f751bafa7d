package access

import (
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
)

// docs/access.md, "Passwords, PINs, sessions": Common passwords, and those made of known words, are refused.
func TestWhatIsTooEasyToGuess(t *testing.T) {
	t.Parallel()
	s := &Service{options: Options{ShopNames: []string{"routecard", "muellerwerke"}}}
	anna := shop.User{Login: "anna.meier", Name: "Anna-Lena Meier 271828"}
	for password, want := range map[string]string{
		"password1234":                     "The password is too common",
		"aaaaaaaaaaaa":                     "The password is too common",
		"qwertyuiop12":                     "The password is too common",
		"P@ssw0rd!2024":                    "The password is too common",
		"Summer2024!!!":                    "The password is too common",
		"wx9 ANNA.MEIER kq3 vt7":           "password must not contain anna.meier, which is part of the login, the name or the name of the shop",
		"wx9 Meier kq3 vt7 hjz":            "password must not contain meier, which is part of the login, the name or the name of the shop",
		"wx9 lena kq3 vt7 hjz":             "password must not contain Lena, which is part of the login, the name or the name of the shop",
		"wx9 MuellerWerke kq3 vt7":         "password must not contain muellerwerke, which is part of the login, the name or the name of the shop",
		strings.Repeat("a", 64) + "wx9kq3": "The password is too common",
		"four birds on a wire":             "",
		"wx9kq3vt7hjz":                     "",
		"vier Vögel auf dem Draht":         "",
	} {
		if got := s.checkPassword(password, anna); messageOf(got) != want {
			t.Errorf("%q: %v", password, got)
		}
	}
	for pin, want := range map[string]string{
		"112233": "The PIN is too easy to guess", "123321": "The PIN is too easy to guess", "696969": "The PIN is too easy to guess",
		"159753": "The PIN is too easy to guess", "200000": "The PIN is too easy to guess", "123456": "The PIN is too easy to guess",
		"271828": "The PIN is too easy to guess", // the PIN is in her name
		"314159": "", "161803": "", "848291": "", "40718362": "",
	} {
		if got := checkPIN(pin, anna); messageOf(got) != want {
			t.Errorf("%s: %v", pin, got)
		}
	}
}

func messageOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

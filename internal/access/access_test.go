package access

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/remote"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

func TestTokenForm(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 1000 {
		token := newToken()
		if !wellFormed(token) || len(token) != 42 || seen[token] {
			t.Fatalf("%q", token)
		}
		seen[token] = true
	}
	token := newToken()
	for i := range token { // a single mistyped character is enough
		mistyped := []byte(token)
		mistyped[i] = base62[(strings.IndexByte(base62, token[i])+1)%len(base62)]
		if wellFormed(string(mistyped)) {
			t.Errorf("%q is taken for a token", mistyped)
		}
	}
}

func FuzzToken(f *testing.F) {
	f.Add(newToken())
	f.Add("rcd_")
	f.Add("rcd_\x00")
	f.Fuzz(func(t *testing.T, text string) {
		if wellFormed(text) && (len(text) != tokenLength || text[tokenLength-tokenCheck:] != tokenSum(text[:tokenLength-tokenCheck])) {
			t.Errorf("%q is taken for a token", text)
		}
	})
}

func FuzzBearer(f *testing.F) {
	for _, header := range []string{"", "Bearer", "Bearer x", "bearer  x ", "Basic eA==", "Bearer\tx", "\x00"} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		credentials, ok := bearer(header)
		if ok && !strings.EqualFold(header[:6], "bearer") || !ok && credentials != "" {
			t.Errorf("%q: %q, %v", header, credentials, ok)
		}
		// Reading a request never panics, whatever the client sends.
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header["Authorization"], r.Header["Cookie"] = []string{header}, []string{header}
		_ = remote.Of(r)
		_, _ = r.Cookie("session")
	})
}

// The service accepts an unchanged cookie of a sign-in attempt with the provider, and refuses every changed one.
func FuzzAttempt(f *testing.F) {
	now := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	s := &Service{options: Options{Pepper: []byte("pepper"), Clock: func() time.Time { return now }}}
	made := s.writeAttempt(attempt{secret: []byte("secret"), begun: ident.TimestampOf(now), next: "/queue"})
	for _, cookie := range []string{made, "", ".", "...", made + ".", "a.b.c." + s.seal("a.b.c"), "..." + s.seal(".."), strings.ToUpper(made)} {
		f.Add(cookie)
	}
	f.Fuzz(func(t *testing.T, cookie string) {
		if a, ok := s.readAttempt(cookie); ok && s.writeAttempt(a) != cookie {
			t.Errorf("%q is taken for %+v", cookie, a)
		}
	})
}

func TestGuessablePINs(t *testing.T) {
	t.Parallel()
	for pin, guessable := range map[string]bool{
		"123456": true, "234567": true, "654321": true, "000000": true, "121212": true, "123123": true, "12121212": true, "7890123": true,
		"112233": true, "100000": true, "123457": true, "271828": false, "902711": false,
	} {
		if err := checkPIN(pin, shop.User{}); (err != nil) != guessable {
			t.Errorf("%s: %v", pin, err)
		}
	}
}

func TestHash(t *testing.T) {
	t.Parallel()
	h := newHasher([]byte("pepper"), DefaultCost, 1)
	lena := owner{"user_lena", Password}
	kept := h.hash(lena, "four birds on a wire")
	if !strings.HasPrefix(kept, "$argon2id-owner$v=19$m=19456,t=2,p=1$") {
		t.Error(kept)
	}
	other := newHasher([]byte("other"), DefaultCost, 1)
	for _, row := range []struct {
		h      *hasher
		of     owner
		secret string
		want   bool
	}{
		{h, lena, "four birds on a wire", true}, {h, lena, "four birds", false}, {other, lena, "four birds on a wire", false},
		{h, owner{"user_tom", Password}, "four birds on a wire", false}, {h, owner{"user_lena", PIN}, "four birds on a wire", false},
	} {
		if got, err := row.h.matches(row.of, row.secret, kept); got != row.want || err != nil {
			t.Errorf("%q: %v, %v", row.secret, got, err)
		}
	}
	if got, err := h.matches(lena, "anything", ""); got || err != nil {
		t.Errorf("nothing kept: %v, %v", got, err)
	}
	for _, damaged := range []string{"x", "$argon2id$v=19$m=0,t=0,p=0$$", "$2y$10$abc", strings.Replace(kept, "t=2", "t=0", 1)} {
		if got, err := h.matches(lena, "four birds on a wire", damaged); got || err == nil {
			t.Errorf("%q: %v, %v", damaged, got, err)
		}
	}
}

func TestPepperFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "shop.pepper")
	made, isNew, err := ReadPepper(name)
	if err != nil || !isNew || len(made) != pepperBytes {
		t.Fatalf("%v, %v", isNew, err)
	}
	about, err := os.Stat(name)
	if err != nil || about.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", about.Mode(), err)
	}
	again, isNew, err := ReadPepper(name)
	if err != nil || isNew || string(again) != string(made) {
		t.Errorf("read again: %v, %v", isNew, err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), ".pepper-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := os.WriteFile(name, []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ReadPepper(name); err == nil {
		t.Error("a file with something else is taken")
	}
}

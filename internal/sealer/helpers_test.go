package sealer_test

import (
	"encoding/json"
	"os"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"github.com/routecard/routecard/ledger"
)

func encoded(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func mustSigner(t *testing.T, file, origin string) note.Signer {
	t.Helper()
	key, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	signer, _, err := ledger.SignerFor(string(key), origin)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

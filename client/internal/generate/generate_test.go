package generate_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/routecard/routecard/api"
	"github.com/routecard/routecard/client/internal/generate"
)

var write = flag.Bool("write", false, "write what follows from the document to types.go and operations.go")

// TestGenerated compares the generated part of the client with the result for the document. -args -write generates it again.
func TestGenerated(t *testing.T) {
	document, err := api.JSON30()
	if err != nil {
		t.Fatal(err)
	}
	types, operations, err := generate.Source(document)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{"../../types.go": types, "../../operations.go": operations} {
		if *write {
			if err := os.WriteFile(name, want, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what follows from the document: run go test ./client/internal/generate -args -write", name)
		}
	}
}

package docs_test

import (
	"encoding/hex"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/routecard/routecard/ledger"
)

// TestLedgerExample computes the example of docs/ledger.md, "Writing a verifier", from its entries.
func TestLedgerExample(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("ledger.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## Writing a verifier\n")
	if !found {
		t.Fatal("docs/ledger.md does not say how to write a verifier")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	shown := func(pattern string, count int) []string {
		t.Helper()
		var lines []string
		for _, line := range regexp.MustCompile(`(?m)^    (`+pattern+`)$`).FindAllStringSubmatch(section, -1) {
			lines = append(lines, line[1])
		}
		if len(lines) != count {
			t.Fatalf("%d lines are like %s, want %d", len(lines), pattern, count)
		}
		return lines
	}
	entries, leaves := shown(`\{"id".*`, 3), shown(`\{"action".*`, 3)
	hashes, key := shown(`[0-9a-f]{64}`, 4), shown(`routecard/example\+.*`, 1)[0]
	var tree []ledger.Hash
	for i := range entries {
		leaf, err := ledger.Leaf([]byte(entries[i]))
		if err != nil || string(leaf) != leaves[i] {
			t.Errorf("the leaf of\n%s is\n%s\n%v", entries[i], leaf, err)
		}
		hash := ledger.LeafHash(leaf)
		if tree = append(tree, hash); hex.EncodeToString(hash[:]) != hashes[i] {
			t.Errorf("the hash of leaf %d is %x", i, hash)
		}
	}
	root, err := ledger.RootAt(3, func(int, int64, int) ([]ledger.Hash, error) { return tree, nil })
	if err != nil || hex.EncodeToString(root[:]) != hashes[3] {
		t.Errorf("the root is %x %v", root, err)
	}
	keys, err := ledger.Verifiers(key)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(section, "### The checkpoint\n\n")
	signed, _, _ := strings.Cut(rest, "\n\nThe text is three lines")
	checkpoint, err := keys.Open([]byte(regexp.MustCompile(`(?m)^    `).ReplaceAllString(signed, "") + "\n"))
	if err != nil || checkpoint.Root != root || checkpoint.Size != 3 {
		t.Errorf("the checkpoint is %+v %v", checkpoint, err)
	}
	for _, shown := range regexp.MustCompile("`(tile/\\S+|x\\d{3}/\\S+|\\d{3})`").FindAllStringSubmatch(section, -1) {
		path := "tile/0/" + strings.TrimPrefix(shown[1], "tile/0/")
		if _, err := ledger.ParsePlace(path); err != nil {
			t.Error(err)
		}
	}
}

package dossier_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	gobagit "github.com/nyudlts/go-bagit"
)

// bagItAllows reports whether a bag is valid without a file, and with another one of that name. routecard verify refuses both.
func bagItAllows(name string) bool {
	return filepath.Base(name) == "signature.txt" || filepath.Base(name) == "tagmanifest-sha256.txt"
}

// Another program that knows BagIt accepts a dossier, and refuses it when any payload file is changed, removed or added.
func TestAnotherProgramReadsTheBag(t *testing.T) {
	t.Parallel()
	archive := written(t, aShop(t, "shop.example").content(10))
	names, _ := members(t, archive)
	judge := func(change func(folder string) error) error {
		t.Helper()
		reader, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		folder := t.TempDir()
		if err == nil {
			err = os.CopyFS(folder, reader)
		}
		if err == nil {
			err = change(folder)
		}
		if err != nil {
			t.Fatal(err)
		}
		bag, err := gobagit.GetExistingBag(filepath.Join(folder, "dossier-SN-00001"))
		if err != nil {
			return err
		}
		return bag.ValidateBag(false, false)
	}
	if err := judge(func(string) error { return nil }); err != nil {
		t.Errorf("a whole bag: %v", err)
	}
	for _, name := range names {
		if judge(func(folder string) error {
			text, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				return err
			}
			text[len(text)/2] ^= 1
			return os.WriteFile(filepath.Join(folder, name), text, 0o600)
		}) == nil && !bagItAllows(name) {
			t.Errorf("%s was changed, and the bag is valid", name)
		}
		if judge(func(folder string) error { return os.Remove(filepath.Join(folder, name)) }) == nil && !bagItAllows(name) {
			t.Errorf("%s was removed, and the bag is valid", name)
		}
	}
}

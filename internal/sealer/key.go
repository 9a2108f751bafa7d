package sealer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/sumdb/note"

	"github.com/routecard/routecard/ledger"
)

// privateMode is the mode of files that only the service may read.
const privateMode = 0o600

// MakeKey makes a private key in a file that must not exist.
func MakeKey(file, origin string) error {
	key, err := ledger.NewKey(origin)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, privateMode)
	if err != nil {
		return fmt.Errorf("make the key of the ledger: %w", err)
	}
	_, err = f.WriteString(key + "\n")
	err = errors.Join(err, f.Sync(), f.Close(), syncFolder(file))
	if err != nil {
		return fmt.Errorf("make the key of the ledger: %w", errors.Join(err, os.Remove(file)))
	}
	return nil
}

// signers reads the private keys for a log with this name. The verifier keys always have the log's first name.
func signers(files []string, origin string) (signers []note.Signer, verifierKeys []string, err error) {
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, nil, err
		}
		signer, _, err := ledger.SignerFor(string(text), origin)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		}
		_, verifierKey, err := ledger.SignerFor(string(text), ledger.FirstOrigin(origin))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		}
		if slices.Contains(verifierKeys, verifierKey) {
			return nil, nil, fmt.Errorf("%s has a key that was given already", file)
		}
		signers, verifierKeys = append(signers, signer), append(verifierKeys, verifierKey)
	}
	return signers, verifierKeys, nil
}

// CheckKeys returns an error if one of the files exists but has no key of a ledger. The start of the service creates a missing file.
func CheckKeys(files []string) error {
	existing := slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		_, err := os.Stat(file)
		return errors.Is(err, fs.ErrNotExist)
	})
	_, _, err := signers(existing, "routecard")
	return err
}

// StateFile returns the file with the last signature, next to a key.
func StateFile(keyFile string) string { return keyFile + ".state" }

// readState reads the last signature of a key; nil if there is none.
func readState(keyFile string) (*ledger.Checkpoint, error) {
	text, err := os.ReadFile(StateFile(keyFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // there is none
	}
	if err != nil {
		return nil, err
	}
	checkpoint, err := ledger.UnverifiedCheckpoint(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", StateFile(keyFile), err)
	}
	return &checkpoint, nil
}

// writeStates records a signature next to each key, before it is published.
func writeStates(keyFiles []string, signed []byte) error {
	for _, file := range keyFiles {
		if err := replaceFile(StateFile(file), signed); err != nil {
			return fmt.Errorf("record what is signed: %w", err)
		}
	}
	return nil
}

// replaceFile replaces a file. At every moment, even after a power failure, the file has either the complete old or the complete new
// content.
func replaceFile(file string, content []byte) error {
	temporary, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	_, err = temporary.Write(content)
	err = errors.Join(err, temporary.Sync(), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return syncFolder(file)
}

// syncFolder makes the name of a file durable.
func syncFolder(file string) error {
	folder, err := os.Open(filepath.Dir(file))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

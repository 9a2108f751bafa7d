package access

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/routecard/routecard/shop"
)

var errKept = errors.New("a secret is kept in a form that this program does not know")

const pepperBytes = 32

// ReadPepper reads the pepper from its file. If the file does not exist, it creates one that only its owner can read.
func ReadPepper(name string) (pepper []byte, made bool, err error) {
	pepper, err = readPepper(name)
	if errors.Is(err, os.ErrNotExist) {
		pepper, err = makePepper(name)
		return pepper, true, err
	}
	return pepper, false, err
}

// CheckPepper returns the reason why ReadPepper could not read or create the file. It creates no file.
func CheckPepper(name string) error {
	_, err := readPepper(name)
	if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if _, err := os.Stat(filepath.Dir(name)); err != nil {
		return fmt.Errorf("make the pepper file: %w", err)
	}
	return nil
}

func readPepper(name string) ([]byte, error) {
	content, err := readAtMost(name, 1<<10)
	if err != nil {
		return nil, fmt.Errorf("the pepper file: %w", err)
	}
	pepper, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(content)))
	if err != nil || len(pepper) != pepperBytes {
		return nil, fmt.Errorf("the pepper file %s holds something else", name)
	}
	return pepper, nil
}

func readAtMost(name string, limit int64) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // everything was read
	return io.ReadAll(io.LimitReader(file, limit))
}

// makePepper writes the file under a temporary name first, so that two processes that start at the same time end up with the same pepper.
func makePepper(name string) (pepper []byte, err error) {
	pepper = make([]byte, pepperBytes)
	_, _ = rand.Read(pepper) // never fails
	file, err := os.CreateTemp(filepath.Dir(name), ".pepper-*")
	if err != nil {
		return nil, fmt.Errorf("make the pepper file: %w", err)
	}
	defer func() { err = errors.Join(err, os.Remove(file.Name())) }()
	_, err = file.WriteString(base64.StdEncoding.EncodeToString(pepper) + "\n")
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return nil, fmt.Errorf("make the pepper file: %w", err)
	}
	if err := os.Link(file.Name(), name); err != nil {
		return nil, fmt.Errorf("make the pepper file: %w", err)
	}
	return pepper, nil
}

// settingPepper is the setting that identifies the pepper of the hashes in the database.
const settingPepper = "pepper"

// checkPepper refuses a pepper other than the one that the database's hashes were made with: no password would match any more.
func (s *Service) checkPepper(ctx context.Context) error {
	return s.store.UpdateAccess(ctx, func(tx Tx) error {
		if err := tx.LockName(settingPepper); err != nil {
			return err
		}
		known, _, err := tx.Setting(settingPepper)
		switch {
		case errors.Is(err, shop.ErrNoRecord):
			return tx.PutSetting(settingPepper, s.hasher.fingerprint(), s.now())
		case err == nil && known != s.hasher.fingerprint():
			return errors.New("the pepper file is not the one that this database's passwords were made with")
		}
		return err
	})
}

package sqlstore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

// ErrInUse says that another process has the database file open.
var ErrInUse = errors.New("in use by another routecard")

// fileLock keeps a second process off a database file. The lock goes with the process, however it ends; the file beside
// the database stays and says whose it was last.
type fileLock struct{ lock *flock.Flock }

func lockFile(database string) (*fileLock, error) {
	name := target(database) + ".lock" // one file, one lock, by whatever name it is opened
	lock := flock.New(name)
	locked, err := lock.TryLock()
	if err != nil {
		if _, statErr := os.Stat(filepath.Dir(database)); statErr != nil {
			err = statErr
		}
		return nil, fmt.Errorf("open %s: %w", database, err)
	}
	if !locked {
		return nil, fmt.Errorf("%s is %w%s", database, ErrInUse, holder(name))
	}
	if err := os.WriteFile(name, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", database, err), lock.Unlock())
	}
	return &fileLock{lock}, nil
}

// target is the file that a name stands for, also when it is yet to be made.
func target(name string) string {
	if file, err := filepath.EvalSymlinks(name); err == nil {
		return file
	}
	const mostLinks = 40 // as the system follows
	for range mostLinks {
		next, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(next) {
			next = filepath.Join(filepath.Dir(name), next)
		}
		name = next
	}
	return name
}

// holder names the process that has the lock, if it can be read.
func holder(name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" (process %d)", pid)
}

func (l *fileLock) release() error { return l.lock.Unlock() }

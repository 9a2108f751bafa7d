package sqlstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"github.com/routecard/routecard/shop/refusal"
)

// ErrInUse reports that another process has the database file open.
var ErrInUse = errors.New("in use by another routecard")

// fileLock prevents a second process from opening a database file. On all systems it locks the file's name. It also locks the file itself,
// whatever name, link or mount leads to it, if the system can do that without conflict with SQLite's own locks. The locks end with the
// process, however it ends. The lock file next to the database remains and identifies its last owner.
type fileLock struct {
	file *os.File // the database. It must be closed last: closing it releases all locks of this process on it
	info os.FileInfo
	name string // the path at which it was opened
	lock *flock.Flock
	logs map[string]os.FileInfo // the files that SQLite creates next to it, by name
	mark *fileMark
}

// errReplaced reports that the open file is no longer the one at its path.
var errReplaced = refusal.Refuse(refusal.DatabaseReplaced)

func lockFile(database string) (locked *fileLock, err error) {
	place := target(database)
	name := place + ".lock"
	// Only the owner needs access. SQLite gives the files next to the database the same permissions.
	file, err := os.OpenFile(place, os.O_RDONLY|os.O_CREATE, 0o600) //nolint:gosec // the operator named it
	if err != nil {
		if failure, ok := errors.AsType[*fs.PathError](err); ok {
			err = failure.Err
		}
		return nil, fmt.Errorf("open %s: %w", database, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close())
		}
	}()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", database, err)
	}
	if free, err := lockInode(file); err != nil {
		return nil, fmt.Errorf("open %s: %w", database, err)
	} else if !free {
		return nil, fmt.Errorf("%s is %w%s", database, ErrInUse, holder(name))
	}
	lock := flock.New(name)
	free, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", database, err)
	}
	if !free {
		return nil, fmt.Errorf("%s is %w%s", database, ErrInUse, holder(name))
	}
	if err := os.WriteFile(name, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", database, err), lock.Unlock())
	}
	return &fileLock{file: file, info: info, name: database, lock: lock}, nil
}

// watch records the mark of the database and the files next to it, once SQLite has created them.
func (l *fileLock) watch(conn *sqliteConnection) (err error) {
	if l.mark, err = markOf(l.file, conn); err != nil {
		return err
	}
	l.logs = map[string]os.FileInfo{}
	for _, ending := range []string{"-wal", "-shm"} {
		name := target(l.name) + ending
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		l.logs[name] = info
	}
	return nil
}

// intact returns errReplaced unless the database and its log files are at their paths and have the contents that this process wrote. Writes
// to a replaced file would be lost, so they are refused.
func (l *fileLock) intact() error {
	if err := l.inPlace(); err != nil {
		return err
	}
	return l.mark.check()
}

// inPlace checks the paths, not the contents.
func (l *fileLock) inPlace() error {
	if info, err := os.Stat(l.name); err != nil || !os.SameFile(info, l.info) {
		return errReplaced
	}
	for name, log := range l.logs {
		if info, err := os.Stat(name); err != nil || !os.SameFile(info, log) {
			return errReplaced
		}
	}
	return nil
}

// putLogAside renames the log of a database whose file now has other contents. A process that opens the file next must not apply that log.
func (l *fileLock) putLogAside() (name string, err error) {
	if err := l.inPlace(); err != nil {
		return "", err
	}
	log := target(l.name) + "-wal"
	name = log + ".of-the-replaced-file"
	for n := 2; ; n++ {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, os.Rename(log, name)
		}
		name = fmt.Sprintf("%s.of-the-replaced-file-%d", log, n) // an earlier renamed log stays
	}
}

// target returns the file that a name refers to, even if it does not exist yet.
func target(name string) string {
	if file, err := filepath.EvalSymlinks(name); err == nil {
		return file
	}
	const mostLinks = 40 // the limit of Linux
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

// holder returns the process that has the lock, if it can be read.
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

// release unlocks the file before it closes it. A process that is being started at this moment inherits the open file until it runs its own
// program, and would otherwise hold the lock until then.
func (l *fileLock) release() error {
	return errors.Join(l.lock.Unlock(), unlockInode(l.file), l.file.Close())
}

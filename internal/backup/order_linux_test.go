package backup_test

import (
	"encoding/binary"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/routecard/routecard/internal/sqlstore"
)

// A backup gets its manifest last: after a crash at any moment, every manifest in the folder has its database and its files.
func TestManifestIsRenamedLast(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.work(func(store sqlstore.Store) {
		service, keeper := s.office(store)
		s.must(attach(t, service, keeper, s.job(service), "certificate"))
	})
	watch, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	s.must(err)
	defer func() { s.must(syscall.Close(watch)) }()
	_, err = syscall.InotifyAddWatch(watch, s.folder, syscall.IN_MOVED_TO)
	s.must(err)
	manifest, err := s.takeWithFiles()
	s.must(err)
	name := strings.TrimSuffix(manifest.File, filepath.Ext(manifest.File))
	if got, want := renamed(t, watch), []string{name + ".files", name + ".db", name + ".json"}; !slices.Equal(got, want) {
		t.Errorf("the backup's parts were renamed in the order %s, want %s", got, want)
	}
}

// renamed returns the new names of renamed files, in the order of the events of inotify.
func renamed(t *testing.T, watch int) (names []string) {
	t.Helper()
	events := make([]byte, 1<<16)
	n, err := syscall.Read(watch, events)
	if err != nil {
		t.Fatal(err)
	}
	for events = events[:n]; len(events) > 0; {
		end := syscall.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(events[12:])) // the length of the name is the last field
		names = append(names, strings.TrimRight(string(events[syscall.SizeofInotifyEvent:end]), "\x00"))
		events = events[end:]
	}
	return names
}

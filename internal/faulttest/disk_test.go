//go:build linux && amd64

package faulttest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/routecard/routecard/internal/process"
)

// disk stands between a program and the files of one folder. The kernel notifies the disk of every call that changes a file there
// (seccomp's user notification), and the disk makes the calls for the program, one after the other. So it knows the order of the calls, can
// make any call fail, and can write only a part of the data.
type disk struct {
	t      *testing.T
	folder string

	mu     sync.Mutex
	events []event
	files  map[string]*file // the current files by name, as the program sees them
	fault  *fault
	seen   int  // the number of calls that the fault applied to since it was set
	hit    int  // the number of those calls that failed
	passes bool // whether events are recorded
}

// file is one file. It stays the same when it is renamed.
type file struct {
	synced  []byte                // the contents that are certainly on the disk
	pending []event               // the changes since the last sync
	owed    map[int]syscall.Errno // by descriptor: the failure of an earlier sync that the next sync of this descriptor has to report
}

// doing is the kind of an event.
type doing int

const (
	writing doing = iota
	truncating
	syncing
	creating
	renaming
	removing
	syncingFolder
)

// event is one call that changed a file or the folder, or synced it.
type event struct {
	doing  doing
	by     int // the descriptor, for a call on an open file
	file   *file
	name   string // the file's name at the time
	to     string // the file's new name
	offset int64  // the offset of a write, or the new length of a truncation
	data   []byte
}

// fault defines which calls fail: of the calls that it applies to, only the nth one, or all from the nth on.
type fault struct {
	about func(event) bool
	nth   int
	once  bool
	errno syscall.Errno
	short bool // a failing write writes the first half of its data, and returns that length unless it is 0
}

// watchedRole makes the test's program install the filter and then execute the program in its arguments.
const watchedRole = "ROUTECARD_TEST_WATCHED"

func TestMain(m *testing.M) {
	if os.Getenv(watchedRole) != "" {
		err := becomeWatched()
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// watchedCalls are the calls that change files.
var watchedCalls = []uint32{
	unix.SYS_WRITE, unix.SYS_PWRITE64, unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_FTRUNCATE,
	unix.SYS_OPEN, unix.SYS_OPENAT, unix.SYS_CREAT, unix.SYS_RENAME, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_UNLINK, unix.SYS_UNLINKAT,
	// Calls that the program does not make at present. If it makes one in future, disk must implement that call.
	unix.SYS_WRITEV, unix.SYS_PWRITEV, unix.SYS_PWRITEV2, unix.SYS_TRUNCATE, unix.SYS_FALLOCATE, unix.SYS_COPY_FILE_RANGE, unix.SYS_LINK, unix.SYS_LINKAT,
}

// becomeWatched runs in the child process.
func becomeWatched() error {
	runtime.LockOSThread()
	filter := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}}
	for i, call := range watchedCalls {
		filter = append(filter, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: call, Jt: uint8(len(watchedCalls) - i)})
	}
	filter = append(filter,
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_USER_NOTIF})
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	const socket = 3
	listener, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER,
		unix.SECCOMP_FILTER_FLAG_NEW_LISTENER|unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return fmt.Errorf("seccomp: %w", errno)
	}
	if err := unix.Sendmsg(socket, []byte{0}, unix.UnixRights(int(listener)), nil, 0); err != nil {
		return err
	}
	unix.CloseOnExec(socket)
	return syscall.Exec(os.Args[1], os.Args[1:], slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, watchedRole) }))
}

// newDisk watches an empty folder.
func newDisk(t *testing.T) *disk {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &disk{t: t, folder: folder, files: map[string]*file{}}
}

// serve starts the service with its database on the disk.
func (d *disk) serve(flags ...string) (*process.Server, error) {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	ours, theirs := os.NewFile(uintptr(ends[0]), "ours"), os.NewFile(uintptr(ends[1]), "theirs")
	flags = append([]string{"--database", filepath.Join(d.folder, "shop.db"), "--log-level", "warn"}, flags...)
	command := process.Command(context.Background(), process.Routecard(d.t), flags...)
	command.Args = append([]string{os.Args[0]}, command.Args...)
	command.Path, command.Env, command.ExtraFiles = os.Args[0], append(os.Environ(), watchedRole+"=1"), []*os.File{theirs}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer ours.Close()
		d.watch(ours)
	}()
	d.mu.Lock()
	for _, file := range d.files {
		file.owed = nil // the process that was to get the failures has ended
	}
	d.mu.Unlock()
	server, err := process.Start(command)
	theirs.Close()
	d.t.Cleanup(func() {
		if server != nil {
			server.Kill()
		}
		<-ended
	})
	return server, err
}

// notification and response are the kernel's struct seccomp_notif and seccomp_notif_resp.
type notification struct {
	id        uint64
	pid       uint32
	flags     uint32
	nr        int32
	arch      uint32
	pointer   uint64
	arguments [6]uint64
}

type response struct {
	id    uint64
	value int64
	errno int32
	flags uint32
}

const carryOn = 1 // SECCOMP_USER_NOTIF_FLAG_CONTINUE

// watch responds to the kernel until the program has ended.
func (d *disk) watch(socket *os.File) {
	buffer, rights := make([]byte, 1), make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(int(socket.Fd()), buffer, rights, 0) //nolint:dogsled // only the file descriptor in the message is needed
	if err != nil || n == 0 {
		return // the program ended before it was watched; the function that started it gets the error
	}
	messages, err := unix.ParseSocketControlMessage(rights[:n])
	if err != nil || len(messages) == 0 {
		d.t.Error("no listener", err)
		return
	}
	listeners, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		d.t.Error(err)
		return
	}
	listener := listeners[0]
	defer unix.Close(listener)
	for {
		poll := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}}
		if _, err := unix.Poll(poll, -1); err != nil && !errors.Is(err, unix.EINTR) {
			d.t.Error(err)
			return
		}
		if poll[0].Revents&unix.POLLIN == 0 {
			if poll[0].Revents&(unix.POLLHUP|unix.POLLERR) != 0 {
				return
			}
			continue
		}
		var asked notification
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&asked))); errno != 0 {
			continue // the process that made the call has ended
		}
		answer := d.answer(&asked)
		answer.id = asked.id
		_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&answer)))
	}
}

// answer decides whether a call fails, and with which error.
func (d *disk) answer(asked *notification) response {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch asked.nr {
	case unix.SYS_WRITE, unix.SYS_PWRITE64, unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_FTRUNCATE:
		return d.onFile(asked)
	case unix.SYS_OPEN:
		d.create(asked, atFolder, asked.arguments[0], asked.arguments[1])
	case unix.SYS_OPENAT:
		d.create(asked, int32(asked.arguments[0]), asked.arguments[1], asked.arguments[2])
	case unix.SYS_RENAME:
		d.rename(d.path(asked, atFolder, asked.arguments[0]), d.path(asked, atFolder, asked.arguments[1]))
	case unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2:
		d.rename(d.path(asked, int32(asked.arguments[0]), asked.arguments[1]), d.path(asked, int32(asked.arguments[2]), asked.arguments[3]))
	case unix.SYS_UNLINK:
		d.remove(d.path(asked, atFolder, asked.arguments[0]))
	case unix.SYS_UNLINKAT:
		d.remove(d.path(asked, int32(asked.arguments[0]), asked.arguments[1]))
	case unix.SYS_WRITEV, unix.SYS_PWRITEV, unix.SYS_PWRITEV2, unix.SYS_FALLOCATE:
		if d.name(asked) != "" {
			d.t.Errorf("call %d changes a file, and the test does not know how", asked.nr)
		}
	default:
		d.t.Errorf("the test does not know call %d", asked.nr)
	}
	return response{flags: carryOn}
}

// atFolder stands for the program's working folder. Names relative to it are not watched.
const atFolder = unix.AT_FDCWD

// path reads a path from the program's memory and returns the file's name, or "" if the file is not in the folder.
func (d *disk) path(asked *notification, at int32, address uint64) string {
	text := d.memory(asked, address, 256) // may read less than 256 bytes, up to the end of a page
	name, _, _ := strings.Cut(string(text), "\x00")
	if !filepath.IsAbs(name) {
		if at == atFolder {
			return ""
		}
		d.t.Errorf("the path %s is not absolute", name)
	}
	folder, base := filepath.Split(name)
	if filepath.Clean(folder) != d.folder {
		return ""
	}
	return base
}

// memory reads from the program's memory.
func (d *disk) memory(asked *notification, address uint64, length int) []byte {
	text := make([]byte, length)
	const page = 4096
	read := 0
	for read < length { // a page at a time, since the page after the text may not be mapped
		size := min(length-read, page-int((address+uint64(read))%page))
		local := []unix.Iovec{{Base: &text[read], Len: uint64(size)}}
		n, err := unix.ProcessVMReadv(int(asked.pid), local, []unix.RemoteIovec{{Base: uintptr(address) + uintptr(read), Len: size}}, 0)
		if err != nil || n == 0 {
			break
		}
		read += n
	}
	return text[:read]
}

// name returns the name of the file of a descriptor; "." for the folder itself and "" for a file elsewhere.
func (d *disk) name(asked *notification) string {
	link, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", asked.pid, int32(asked.arguments[0])))
	switch {
	case err != nil || strings.HasSuffix(link, " (deleted)"):
		return ""
	case link == d.folder:
		return "."
	case filepath.Dir(link) == d.folder:
		return filepath.Base(link)
	}
	return ""
}

// onFile makes a call on an open file, or fails it.
func (d *disk) onFile(asked *notification) response {
	name := d.name(asked)
	if name == "" || strings.HasSuffix(name, "-shm") {
		return response{flags: carryOn}
	}
	e := event{file: d.files[name], name: name, by: int(int32(asked.arguments[0]))}
	if e.file == nil && name != "." {
		e.file = &file{}
		d.files[name] = e.file
	}
	descriptor, err := borrow(int(asked.pid), e.by)
	if errors.Is(err, unix.ESRCH) || errors.Is(err, unix.EBADF) || errors.Is(err, os.ErrNotExist) {
		return response{flags: carryOn} // the process was killed, and the response is not awaited
	}
	if err != nil {
		d.t.Errorf("%s: %v", name, err)
		return response{flags: carryOn}
	}
	defer unix.Close(descriptor)
	switch asked.nr {
	case unix.SYS_PWRITE64:
		e.doing, e.offset, e.data = writing, int64(asked.arguments[3]), d.memory(asked, asked.arguments[1], int(asked.arguments[2]))
	case unix.SYS_WRITE:
		e.doing, e.data = writing, d.memory(asked, asked.arguments[1], int(asked.arguments[2]))
		if e.offset, err = unix.Seek(descriptor, 0, 1); err != nil {
			d.t.Errorf("%s: %v", name, err)
		}
	case unix.SYS_FTRUNCATE:
		e.doing, e.offset = truncating, int64(asked.arguments[1])
	default:
		if e.doing = syncing; name == "." {
			e.doing = syncingFolder
		}
	}
	if errno := d.fails(&e); errno != 0 && (e.doing != writing || len(e.data) == 0) {
		if e.doing == syncing {
			d.forget(descriptor, e.file)
			d.owe(int(asked.pid), &e, errno)
		}
		return response{errno: -int32(errno)}
	}
	value, err := carryOut(descriptor, &e, asked.nr == unix.SYS_WRITE)
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return response{errno: -int32(errno)}
	}
	d.keep(e)
	if errno := e.file.owes(e); errno != 0 {
		return response{errno: -int32(errno)}
	}
	return response{value: value}
}

// borrow duplicates a descriptor of another process.
func borrow(pid, descriptor int) (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // pid is the number of a thread; find its process
	if err != nil {
		return 0, err
	}
	_, group, _ := strings.Cut(string(status), "Tgid:")
	_, _ = fmt.Sscan(group, &pid)
	handle, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(handle)
	return unix.PidfdGetfd(handle, descriptor, 0)
}

func carryOut(descriptor int, e *event, atPosition bool) (int64, error) {
	switch e.doing {
	case writing:
		var n int
		var err error
		if atPosition {
			n, err = unix.Write(descriptor, e.data)
		} else {
			n, err = unix.Pwrite(descriptor, e.data, e.offset)
		}
		e.data = e.data[:max(n, 0)]
		return int64(n), err
	case truncating:
		return 0, unix.Ftruncate(descriptor, e.offset)
	}
	return 0, nil // nothing need be synced, since power failures are simulated
}

// fails decides whether a call fails. For a short write it returns the half that is still to be written.
func (d *disk) fails(e *event) syscall.Errno {
	if d.fault == nil || !d.fault.about(*e) {
		return 0
	}
	d.seen++
	if d.seen < d.fault.nth || d.fault.once && d.hit > 0 {
		return 0
	}
	d.hit++
	if e.doing == writing {
		half := 0
		if d.fault.short && d.hit%2 == 1 { // the program tries the rest again, which fails
			half = len(e.data) / 2
		}
		e.data = e.data[:half]
	}
	return d.fault.errno
}

// forget reduces a file to its synced contents, as a system may do after it failed to write the rest. It opens the file again, because the
// descriptor of the sync may be open only for reading.
func (d *disk) forget(descriptor int, f *file) {
	f.pending = nil
	again, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", descriptor), os.O_WRONLY, 0)
	if err != nil {
		d.t.Error(err)
		return
	}
	if err := again.Truncate(int64(len(f.synced))); err != nil {
		d.t.Error(err)
	}
	if _, err := again.WriteAt(f.synced, 0); err != nil {
		d.t.Error(err)
	}
	if err := again.Close(); err != nil {
		d.t.Error(err)
	}
}

// owe records a failed sync for every descriptor of the file. Linux reports the failure once for each descriptor, at its next sync. So a
// writer learns that its data are lost even if the sync of another descriptor failed.
func (d *disk) owe(pid int, failed *event, errno syscall.Errno) {
	folder := fmt.Sprintf("/proc/%d/fd", pid)
	open, err := os.ReadDir(folder)
	if err != nil {
		d.t.Error(err)
	}
	failed.file.owed = map[int]syscall.Errno{}
	for _, entry := range open {
		link, err := os.Readlink(filepath.Join(folder, entry.Name()))
		descriptor, _ := strconv.Atoi(entry.Name())
		if err == nil && link == filepath.Join(d.folder, failed.name) && descriptor != failed.by {
			failed.file.owed[descriptor] = errno
		}
	}
}

// owes returns the earlier failure that a sync has to report, even if the sync itself wrote everything; 0 for none.
func (f *file) owes(e event) syscall.Errno {
	if e.doing != syncing || f == nil {
		return 0
	}
	errno := f.owed[e.by]
	delete(f.owed, e.by)
	return errno
}

func (d *disk) create(asked *notification, at int32, address, flags uint64) {
	if flags&unix.O_CREAT == 0 {
		return
	}
	name := d.path(asked, at, address)
	if name == "" || d.files[name] != nil || strings.HasSuffix(name, "-shm") {
		return
	}
	d.files[name] = &file{}
	d.keep(event{doing: creating, file: d.files[name], name: name})
}

func (d *disk) rename(from, to string) {
	if from == "" || d.files[from] == nil {
		return
	}
	d.keep(event{doing: renaming, file: d.files[from], name: from, to: to})
	d.files[to] = d.files[from]
	delete(d.files, from)
}

func (d *disk) remove(name string) {
	if name == "" || d.files[name] == nil {
		return
	}
	d.keep(event{doing: removing, file: d.files[name], name: name})
	delete(d.files, name)
}

// keep records an event.
func (d *disk) keep(e event) {
	if d.passes {
		d.events = append(d.events, e)
	}
	switch e.doing {
	case writing, truncating:
		e.file.pending = append(e.file.pending, e)
	case syncing:
		for _, change := range e.file.pending {
			e.file.synced = change.on(e.file.synced)
		}
		e.file.pending = nil
	case creating, renaming, removing, syncingFolder:
	}
}

// on returns the contents of a file after a change.
func (e *event) on(content []byte) []byte {
	end := int(e.offset)
	if e.doing == writing {
		end += len(e.data)
	}
	if e.doing == truncating {
		content = content[:min(end, len(content))]
	}
	if end > len(content) {
		content = append(content, make([]byte, end-len(content))...)
	}
	if e.doing == writing {
		copy(content[e.offset:], e.data)
	}
	return content
}

// set sets a fault, or removes it if the argument is nil. It returns the number of calls that the earlier fault made fail.
func (d *disk) set(f *fault) (hit int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	hit = d.hit
	d.fault, d.seen, d.hit = f, 0, 0
	return hit
}

// failed returns the number of calls that have failed since the fault was set.
func (d *disk) failed() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.hit
}

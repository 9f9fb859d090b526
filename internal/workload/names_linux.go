package workload

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

func init() {
	programs["append"] = appendTo
	programs["deep"] = deep
	programs["rename"] = renameOpen
	programs["unlink"] = unlinked
	programs["reuse"] = reuse
	programs["reuse threads"] = reuseInThreads
	programs["unnamed"] = unnamed
	programs["events"] = events
	programs["duplicate"] = duplicate
	programs["chroot"] = enter
	programs["pass"] = pass
	programs["receive"] = receive
}

// put writes n bytes: each place of these programs writes a different number,
// by which a test knows the call again.
func put(fd, n int) error {
	if _, err := unix.Write(fd, make([]byte, n)); err != nil {
		return fmt.Errorf("writing %d bytes: %w", n, err)
	}
	return nil
}

func create(name string) (int, error) {
	fd, err := unix.Open(name, unix.O_CREAT|unix.O_RDWR, 0o600)
	if err != nil {
		return -1, fmt.Errorf("creating %q: %w", name, err)
	}
	return fd, nil
}

// appendTo FILE... stats each file, which does not exist, then creates it, writes 1
// byte to it and closes it.
func appendTo(names []string) error {
	for _, name := range names {
		var st unix.Stat_t
		if err := unix.Stat(name, &st); !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("%q: %w, want it not to exist", name, err)
		}
		fd, err := create(name)
		if err != nil {
			return err
		}
		if err := first(put(fd, 1), unix.Close(fd)); err != nil {
			return err
		}
	}
	return nil
}

// deep DIR NAME DEPTH makes DEPTH directories called NAME, one in the other, and
// writes 1 byte to a file "file" in each tenth of them and in the last.
func deep(args []string) error {
	depth, _ := strconv.Atoi(args[2])
	if err := os.Chdir(args[0]); err != nil {
		return err
	}
	for i := 1; i <= depth; i++ {
		if err := first(unix.Mkdir(args[1], 0o700), unix.Chdir(args[1])); err != nil {
			return err
		}
		if i%10 != 0 && i != depth {
			continue
		}
		fd, err := create("file")
		if err != nil {
			return err
		}
		if err := first(put(fd, 1), unix.Close(fd)); err != nil {
			return err
		}
	}
	return nil
}

// renameOpen DIR writes 1 byte to a, 2 when it is called b, 3 to d/f, 4 when it is called
// e/f, and 5 when that has become g/e/f.
func renameOpen(args []string) error {
	if err := os.Chdir(args[0]); err != nil {
		return err
	}
	a, err := create("a")
	if err != nil {
		return err
	}
	if err := first(put(a, 1), unix.Rename("a", "b"), put(a, 2), unix.Mkdir("d", 0o700),
		unix.Mkdir("g", 0o700)); err != nil {
		return err
	}
	f, err := create("d/f")
	if err != nil {
		return err
	}
	return first(put(f, 3), unix.Rename("d", "e"), put(f, 4), unix.Rename("e", "g/e"), put(f, 5))
}

// unlinked DIR writes 1 byte to a, 2 when it has no name any more, and 3 to another a.
func unlinked(args []string) error {
	if err := os.Chdir(args[0]); err != nil {
		return err
	}
	a, err := create("a")
	if err != nil {
		return err
	}
	if err := first(put(a, 1), unix.Unlink("a"), put(a, 2)); err != nil {
		return err
	}
	other, err := create("a")
	if err != nil {
		return err
	}
	return put(other, 3)
}

// reuse DIR N creates files 1 to N, each of which goes before the next one comes, so that
// the kernel uses inodes, directory entries and open files again. Each gets 1 byte.
func reuse(args []string) error {
	n, _ := strconv.Atoi(args[1])
	for i := 1; i <= n; i++ {
		name := filepath.Join(args[0], strconv.Itoa(i))
		fd, err := create(name)
		if err != nil {
			return err
		}
		if err := first(put(fd, 1), unix.Close(fd), unix.Unlink(name)); err != nil {
			return err
		}
	}
	return nil
}

// reuseInThreads is reuse, but one thread creates the files and another one writes them.
func reuseInThreads(args []string) error {
	n, _ := strconv.Atoi(args[1])
	fds, errs := make(chan int), make(chan error)
	go func() {
		runtime.LockOSThread()
		for fd := range fds {
			errs <- put(fd, 1)
		}
	}()
	runtime.LockOSThread()
	for i := 1; i <= n; i++ {
		name := filepath.Join(args[0], strconv.Itoa(i))
		fd, err := create(name)
		if err != nil {
			return err
		}
		fds <- fd
		if err := first(<-errs, unix.Close(fd), unix.Unlink(name)); err != nil {
			return err
		}
	}
	return nil
}

// unnamed DIR writes 1 byte to a file that never had a name, 2 to memory "memory", 3 to
// /dev/shm/NAME where NAME is that of DIR, and 4 to a pipe.
func unnamed(args []string) error {
	fd, err := unix.Open(args[0], unix.O_TMPFILE|unix.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("opening a file without a name: %w", err)
	}
	memory, err := unix.MemfdCreate("memory", 0)
	if err != nil {
		return err
	}
	name := "/dev/shm/" + filepath.Base(args[0])
	shm, err := create(name)
	if err != nil {
		return err
	}
	defer os.Remove(name)
	p := make([]int, 2)
	return first(put(fd, 1), put(memory, 2), put(shm, 3), unix.Pipe(p), put(p[1], 4))
}

// events N makes, N times in turn, an epoll, an eventfd, an inotify and a timerfd descriptor, asks each for its
// attributes, so many times as its place in this list, and closes it.
func events(args []string) error {
	n, _ := strconv.Atoi(args[0])
	makers := []func() (int, error){
		func() (int, error) { return unix.EpollCreate1(0) }, func() (int, error) { return unix.Eventfd(0, 0) },
		func() (int, error) { return unix.InotifyInit1(0) },
		func() (int, error) { return unix.TimerfdCreate(unix.CLOCK_MONOTONIC, 0) },
	}
	for range n {
		for i, make := range makers {
			fd, err := make()
			if err != nil {
				return err
			}
			var st unix.Stat_t
			for range i + 1 {
				err = first(err, unix.Fstat(fd, &st))
			}
			if err := first(err, unix.Close(fd)); err != nil {
				return err
			}
		}
	}
	return nil
}

// duplicate FILE writes 1 to 4 bytes to FILE through descriptors made by open, dup, dup3
// and fcntl, then 5 to OTHER through a descriptor that was FILE's before.
func duplicate(args []string) error {
	fd, err := create(args[0])
	if err != nil {
		return err
	}
	a, err := unix.Dup(fd)
	if err != nil {
		return err
	}
	const b = 77
	c, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 100)
	if err != nil {
		return err
	}
	if err := first(unix.Dup3(fd, b, 0), put(fd, 1), put(a, 2), put(b, 3), put(c, 4)); err != nil {
		return err
	}
	other, err := create(args[1])
	if err != nil {
		return err
	}
	return first(unix.Dup3(other, b, 0), put(b, 5))
}

// pass FILE opens a file and hands it to a process that has not, which writes 1 byte.
func pass(args []string) error {
	fd, err := create(args[0])
	if err != nil {
		return err
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	argv := Args("receive")
	child := exec.Command(argv[0], argv[1:]...)
	child.ExtraFiles = []*os.File{os.NewFile(uintptr(pair[1]), "socket")}
	child.Stderr = os.Stderr
	if err := child.Start(); err != nil {
		return err
	}
	if err := unix.Sendmsg(pair[0], []byte{0}, unix.UnixRights(fd), nil, 0); err != nil {
		return err
	}
	return first(unix.Close(fd), child.Wait())
}

// receive is the other half of pass.
func receive([]string) error {
	oob := make([]byte, syscall.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(3, make([]byte, 1), oob, 0)
	if err != nil {
		return err
	}
	messages, err := unix.ParseSocketControlMessage(oob[:n])
	if err != nil || len(messages) != 1 {
		return fmt.Errorf("%d messages: %w", len(messages), err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return fmt.Errorf("%d descriptors: %w", len(fds), err)
	}
	return put(fds[0], 1)
}

// enter DIR FILE makes DIR the root directory and writes 6 bytes to FILE in it.
func enter(args []string) error {
	if err := first(unix.Chroot(args[0]), unix.Chdir("/")); err != nil {
		return err
	}
	fd, err := create("/" + args[1])
	if err != nil {
		return err
	}
	return put(fd, 6)
}

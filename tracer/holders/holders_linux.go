package holders

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// locks takes note of who holds the locks that recorded processes wait for.
func (s *Search) locks() {
	text, err := os.ReadFile("/proc/locks")
	if err != nil {
		return
	}
	for _, w := range waits(string(text)) {
		if s.recorded(w.waiter) && !s.recorded(w.holder) {
			s.add(trace.Holder{What: trace.HeldLock, Inode: w.inode, PID: w.holder, Command: command(w.holder)})
		}
	}
}

// wait is a process that waits for a lock which another holds.
type wait struct {
	waiter, holder uint32
	inode          uint64
}

// waits reads /proc/locks (proc(5)): a line for each lock, and behind it those who wait for it, with an arrow and the
// same number. Locks of open file descriptions have no process, and are left out.
func waits(text string) (list []wait) {
	var number string
	var holder uint32
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		waiting := len(f) > 1 && f[1] == "->"
		if waiting {
			f = append(f[:1], f[2:]...)
		}
		if len(f) < 6 {
			continue
		}
		pid, err := strconv.ParseUint(f[4], 10, 32)
		if err != nil { // −1
			pid = 0
		}
		if !waiting {
			number, holder = f[0], uint32(pid)
			continue
		}
		inode, err := strconv.ParseUint(f[5][strings.LastIndexByte(f[5], ':')+1:], 10, 64)
		if err == nil && f[0] == number && holder != 0 && pid != 0 {
			list = append(list, wait{waiter: uint32(pid), holder: holder, inode: inode})
		}
	}
	return list
}

// ends takes note of who has the other ends of the pipes that recorded processes read from and write to.
func (s *Search) ends() {
	if time.Now().Before(s.rested) {
		return
	}
	open := map[string]int{} // pipes that were not looked at before, and how they are open here
	for _, pid := range s.sample() {
		for fd := range 3 {
			pipe, mode := descriptor(pid, strconv.Itoa(fd))
			if strings.HasPrefix(pipe, "pipe:[") && !s.pipes[pipe] {
				open[pipe] = mode
			}
		}
	}
	if len(open) == 0 {
		return
	}
	if len(s.pipes) > maxPipes {
		clear(s.pipes)
	}
	began := time.Now()
	for pipe := range open {
		s.pipes[pipe] = true
	}
	s.otherEnds(open)
	s.rested = time.Now().Add(restFor * time.Since(began))
}

// otherEnds looks through all processes for those that have pipes open the other way.
func (s *Search) otherEnds(pipes map[string]int) {
	links, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return
	}
	for _, link := range links {
		pipe, err := os.Readlink(link)
		mode, ok := pipes[pipe]
		if err != nil || !ok {
			continue
		}
		parts := strings.Split(link, "/")
		n, err := strconv.ParseUint(parts[2], 10, 32)
		pid := uint32(n)
		if err != nil || pid == uint32(os.Getpid()) || s.recorded(pid) {
			continue
		}
		inode, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimPrefix(pipe, "pipe:["), "]"), 10, 64)
		if _, other := descriptor(pid, parts[4]); err == nil && other >= 0 && other != mode {
			s.add(trace.Holder{What: trace.HeldPipe, Inode: inode, PID: pid, Command: command(pid)})
		}
	}
}

// descriptor is what a descriptor of a process stands for, and how it was opened: O_RDONLY, O_WRONLY or O_RDWR of unix;
// -1 if it is gone.
func descriptor(pid uint32, fd string) (name string, mode int) {
	dir := "/proc/" + strconv.FormatUint(uint64(pid), 10)
	name, err := os.Readlink(dir + "/fd/" + fd)
	if err != nil {
		return "", -1
	}
	text, err := os.ReadFile(dir + "/fdinfo/" + fd)
	if err != nil {
		return "", -1
	}
	_, rest, _ := strings.Cut(string(text), "flags:")
	flags, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
	n, err := strconv.ParseUint(flags, 8, 32)
	if err != nil {
		return "", -1
	}
	return name, int(n) & unix.O_ACCMODE
}

// command is the name of a process, "" if it is gone.
func command(pid uint32) string {
	text, err := os.ReadFile("/proc/" + strconv.FormatUint(uint64(pid), 10) + "/comm")
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(text), "\n")
}

package machine

import (
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

// locks takes note of who holds the locks that recorded processes wait for, and of who holds any.
func (s *HolderSearch) locks() {
	text, err := os.ReadFile("/proc/locks")
	if err != nil {
		return
	}
	clear(s.taken)
	for _, w := range locks(string(text)) {
		switch {
		case s.recorded(w.holder):
		case w.waiter == 0 && len(s.taken) < maxTaken:
			s.taken[w.inode] = w.holder
		case w.waiter != 0 && s.recorded(w.waiter):
			s.holds(w.inode, w.holder)
		}
	}
}

// holds adds the holder of a lock on a file.
func (s *HolderSearch) holds(inode uint64, pid uint32) {
	s.add(trace.Holder{What: trace.HeldLock, Inode: inode, PID: pid, Command: Command(pid)})
}

// lock is one that a process holds; with a waiter, one that another waits for.
type lock struct {
	waiter, holder uint32
	inode          uint64
}

// locks reads /proc/locks (proc(5)): a line for each lock, and behind it those who wait for it, with an arrow and the
// same number. Locks of open file descriptions have no process, and are left out.
func locks(text string) (list []lock) {
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
		if err != nil { // -1: a lock of an open file description
			pid = 0
		}
		inode, err := strconv.ParseUint(f[5][strings.LastIndexByte(f[5], ':')+1:], 10, 64)
		if !waiting {
			number, holder = f[0], uint32(pid)
			pid = 0
		}
		if err == nil && f[0] == number && holder != 0 && (pid != 0 || !waiting) {
			list = append(list, lock{waiter: uint32(pid), holder: holder, inode: inode})
		}
	}
	return list
}

// end is one of two, of a pipe or a socket, that a recorded process has open.
type end struct {
	what  string // trace.HeldPipe, trace.HeldSocket
	inode uint64
	mode  int // how it is open; of a pipe the other end is open otherwise
}

// ends takes note of who has the other ends of the pipes and sockets that recorded processes use.
func (s *HolderSearch) ends() {
	if time.Now().Before(s.rested) {
		return
	}
	began := time.Now()
	if len(s.known) > maxEnds {
		clear(s.known)
	}
	ends := map[string]end{} // by what a descriptor of the other end stands for
	for _, pid := range s.sample() {
		s.endsOf(pid, ends)
	}
	if len(ends) > 0 {
		s.otherEnds(ends)
	}
	s.rested = time.Now().Add(restFor * time.Since(began))
}

// endsOf adds the ends of a process that were not looked at before.
func (s *HolderSearch) endsOf(pid uint32, ends map[string]end) {
	var sockets []uint64
	for _, fd := range descriptors(pid, sysinfoMaxDescriptors) {
		name, mode, file := descriptor(pid, fd)
		if holder := s.taken[file]; holder != 0 { // it may be asked for again and again, which no list of waiters shows
			s.holds(file, holder)
		}
		what, inode := numbered(name)
		if mode < 0 || what == "" || s.known[name] {
			continue
		}
		if what == trace.HeldSocket {
			sockets = append(sockets, inode) // it may have no other end yet
			continue
		}
		s.known[name] = true
		ends[name] = end{what, inode, mode}
	}
	for inode, peer := range peers(pid, sockets) {
		s.known[socketName(inode)] = true
		if peer.inode == 0 {
			s.add(trace.Holder{What: trace.HeldSocket, Inode: inode, Address: peer.address})
			continue
		}
		ends[socketName(peer.inode)] = end{what: trace.HeldSocket, inode: inode}
	}
}

// otherEnds looks through all processes for those that have the other ends. The two ends of a pipe are one file, which
// the recording itself shows where both are recorded; those of a socket are two.
func (s *HolderSearch) otherEnds(ends map[string]end) {
	pids, err := host.PIDs()
	if err != nil {
		return
	}
	for _, pid := range pids {
		if int(pid) == os.Getpid() {
			continue
		}
		for _, fd := range descriptors(pid, -1) {
			name, err := os.Readlink(descriptorPath(pid, "fd", fd))
			e, ok := ends[name]
			if err != nil || !ok || e.what == trace.HeldPipe && s.recorded(pid) {
				continue
			}
			_, other, _ := descriptor(pid, fd)
			if other >= 0 && (e.what == trace.HeldSocket || other != e.mode) {
				s.add(trace.Holder{What: e.what, Inode: e.inode, PID: pid, Command: Command(pid)})
			}
		}
	}
}

// descriptors are those of a process, no more than limit if that is positive.
func descriptors(pid uint32, limit int) []string {
	dir, err := os.Open(descriptorPath(pid, "fd", ""))
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(limit) // what can be read counts
	return names
}

// descriptorPath is where the system tells of a descriptor, in fd or fdinfo; of all of them if fd is "".
func descriptorPath(pid uint32, dir, fd string) string {
	return "/proc/" + strconv.FormatUint(uint64(pid), 10) + "/" + dir + "/" + fd
}

// numbered is which pipe or socket a descriptor stands for; "" for anything else.
func numbered(name string) (what string, inode uint64) {
	what, number, ok := strings.Cut(strings.TrimSuffix(name, "]"), ":[")
	if !ok || what != trace.HeldPipe && what != trace.HeldSocket {
		return "", 0
	}
	inode, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return "", 0
	}
	return what, inode
}

// descriptor is what a descriptor of a process stands for, and how it was opened: O_RDONLY, O_WRONLY or O_RDWR of unix;
// -1 if it is gone. inode is that of its file, 0 where the kernel does not tell (before 5.14).
func descriptor(pid uint32, fd string) (name string, mode int, inode uint64) {
	name, err := os.Readlink(descriptorPath(pid, "fd", fd))
	if err != nil {
		return "", -1, 0
	}
	text, err := os.ReadFile(descriptorPath(pid, "fdinfo", fd))
	if err != nil {
		return "", -1, 0
	}
	n, err := strconv.ParseUint(told(string(text), "flags:"), 8, 32)
	if err != nil {
		return "", -1, 0
	}
	inode, _ = strconv.ParseUint(told(string(text), "\nino:"), 10, 64)
	return name, int(n) & unix.O_ACCMODE, inode
}

// told is what stands behind a word, up to the end of the line.
func told(text, word string) string {
	_, rest, _ := strings.Cut(text, word)
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}

// Command is the name of a process, "" if it is gone.
func Command(pid uint32) string {
	text, err := os.ReadFile("/proc/" + strconv.FormatUint(uint64(pid), 10) + "/comm")
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(text), "\n")
}

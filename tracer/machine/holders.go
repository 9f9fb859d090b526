package machine

import (
	"time"

	"github.com/iotrace/iotrace/trace"
)

// The system's list of locks is one short file. Finding out who has the other end of a pipe or a socket takes a look
// at the descriptors of every process, so it is done once for each of them, and more rarely the longer it takes: at
// most a twentieth of one CPU is spent on it.
const (
	locksEvery = 100 * time.Millisecond
	endsEvery  = 10 // times as long
	restFor    = 20 // times as long as a look took

	maxEnds               = 4096
	maxTaken              = 4096
	sysinfoMaxDescriptors = 1024                 // of a process that are looked at
	maxSockets            = trace.MaxHolders / 2 // of a program with many there is room for the holders of locks
)

// HolderSearch goes on from OpenHolders to Close.
type HolderSearch struct {
	sample   func() []uint32
	recorded func(pid uint32) bool
	found    []trace.Holder
	taken    map[uint64]uint32 // who holds a lock on a file, by inode, of those who are not recorded
	known    map[string]bool   // pipes and sockets of which the other end was looked for
	rested   time.Time         // when they may be looked for again
	stop     chan struct{}
	done     chan struct{}
}

// OpenHolders begins to look, and adds what Scanners finds. sample names some of the recorded processes, and recorded
// tells them from others; both are called from a goroutine.
func OpenHolders(scanners <-chan []trace.Holder, sample func() []uint32, recorded func(pid uint32) bool) *HolderSearch {
	s := &HolderSearch{sample: sample, recorded: recorded, taken: map[uint64]uint32{}, known: map[string]bool{},
		stop: make(chan struct{}), done: make(chan struct{})}
	go s.look(scanners)
	return s
}

func (s *HolderSearch) look(scanners <-chan []trace.Holder) {
	defer close(s.done)
	if scanners != nil {
		for _, h := range <-scanners {
			s.add(h)
		}
	}
	t := time.NewTicker(locksEvery)
	defer t.Stop()
	for n := 0; len(s.found) < trace.MaxHolders; n++ {
		s.locks()
		if n%endsEvery == 1 { // the command has its descriptors by then
			s.ends()
		}
		select {
		case <-s.stop:
			return
		case <-t.C:
		}
	}
}

// add keeps a holder; one is kept once.
func (s *HolderSearch) add(h trace.Holder) {
	sockets := 0
	for _, known := range s.found {
		if known.What == trace.HeldSocket {
			sockets++
		}
		if known.What == h.What && known.Inode == h.Inode && known.PID == h.PID && known.Address == h.Address {
			return
		}
	}
	if len(s.found) < trace.MaxHolders && (h.What != trace.HeldSocket || sockets < maxSockets) {
		s.found = append(s.found, h)
	}
}

// Close ends the search and returns what was found.
func (s *HolderSearch) Close() []trace.Holder {
	close(s.stop)
	<-s.done
	return s.found
}

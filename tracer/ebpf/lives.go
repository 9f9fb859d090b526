//go:build linux

package ebpf

// lives are the processes that are recorded, by number: those that run, and of those that have ended the latest. A
// recording may last for weeks.
type lives struct {
	running map[uint32]bool
	ended   recent[uint32, bool]
}

// knownEnded and knownThreads are how many numbers at least are remembered of what has ended, or may have.
const (
	knownEnded   = 1 << 13
	knownThreads = 1 << 13
)

func newLives() lives {
	return lives{running: map[uint32]bool{}, ended: newRecent[uint32, bool](knownEnded)}
}

// begin takes a process that is recorded from now on. Its number may have been another's before.
func (l *lives) begin(pid uint32) {
	l.running[pid] = true
	l.ended.remove(pid)
}

// end reports whether a process had not ended yet.
func (l *lives) end(pid uint32) bool {
	if _, again := l.ended.get(pid); again {
		return false
	}
	delete(l.running, pid)
	l.ended.put(pid, true)
	return true
}

// known reports whether a process is recorded, or was lately.
func (l *lives) known(pid uint32) bool {
	_, ended := l.ended.get(pid)
	return l.running[pid] || ended
}

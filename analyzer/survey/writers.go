package survey

import "github.com/iotrace/iotrace/analyzer/world"

// writers are the processes that wrote something that others can have from them. What the rest of them read went no
// further, so that it need not be followed.
type writers struct {
	pids map[uint32]bool
	last uint32 // that was entered; 0 without any
	data bool   // files that hold data were written, or may have been
}

// maxWriters is how many are told apart; of more all processes count as writers.
const maxWriters = 1 << 16

// wrote notes that a process wrote to a file; nil if it is not known which.
func (w *writers) wrote(pid uint32, f *world.File) {
	switch {
	case f == nil, f.Data():
		w.data = true
	case !f.Stream():
		return
	}
	if pid != w.last && len(w.pids) < maxWriters {
		w.pids[pid], w.last = true, pid
	}
}

// Writes reports whether a process may have written to a file that holds data, a pipe or a socket.
func (w *writers) Writes(pid uint32) bool {
	return pid == 0 || w.pids[pid] || len(w.pids) >= maxWriters
}

// WroteData reports whether a file that holds data may have been written.
func (w *writers) WroteData() bool { return w.data }

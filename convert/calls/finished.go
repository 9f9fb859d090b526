package calls

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/internal/bounded"
	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/trace"
)

// MostRows is how many rows of a table are put in order at most.
const MostRows = 1 << 20

// maxSeen bounds the processes that are remembered as known.
const maxSeen = 1 << 16

// Row is a call that a table tells whole, in the table's own clock.
type Row struct {
	Start, End       int64
	Call             int // in linux.Calls
	PID              uint32
	Command          string // "" if it is not known
	Path             []byte
	Offset           int64 // trace.NoOffset if it is not known
	Requested, Bytes int64 // Bytes is the result, or -errno
}

// Finished gives the rows of a table to a sink, in the trace's clock and in the order of their ends. Of a table that is
// in that order nearly, or altogether, few need to be held for that.
type Finished struct {
	Rows  uint64
	sink  trace.Sink
	files *fdtable.Files
	procs map[uint32]bool
	held  []held
	limit int
	begun bool
	zero  int64  // of the table's clock
	cut   uint64 // rows that began before it
	late  bool   // rows come after later ones
	last  int64
}

// held is a row that is in order only when others have come.
type held struct {
	start, end, offset, requested, result int64
	pid                                   uint32
	file                                  trace.FileID
	call                                  uint16
}

// NewFinished returns one that holds so many rows.
func NewFinished(sink trace.Sink, rows int) *Finished {
	return &Finished{sink: sink, files: fdtable.NewFiles(sink.File, nil), procs: map[uint32]bool{}, limit: rows}
}

// Add takes the next row; false means that a name is longer than any, or that it ends before it begins.
func (f *Finished) Add(r *Row) (bool, error) {
	if len(r.Path) > bounded.MaxPath || len(r.Command) > bounded.MaxName || r.End < r.Start {
		return false, nil
	}
	f.Rows++
	id, err := f.files.ID(r.Path, 0, 0)
	if err != nil {
		return true, err
	}
	if !f.procs[r.PID] && r.Command != "" && len(f.procs) < maxSeen {
		f.procs[r.PID] = true
		p := trace.Process{Action: trace.ProcessPresent, PID: r.PID, TID: r.PID, Command: r.Command}
		if err := f.sink.Process(&p); err != nil {
			return true, err
		}
	}
	f.held = append(f.held, held{r.Start, r.End, r.Offset, r.Requested, r.Bytes, r.PID, id, uint16(r.Call)})
	if len(f.held) < f.limit {
		return true, nil
	}
	return true, f.Flush()
}

// Flush writes the rows that are held. It is called at the end.
func (f *Finished) Flush() error {
	if !f.begun && len(f.held) > 0 {
		f.begun = true
		f.zero = slices.MinFunc(f.held, func(a, b held) int { return cmp.Compare(a.start, b.start) }).start
	}
	slices.SortStableFunc(f.held, func(a, b held) int { return cmp.Compare(a.end, b.end) })
	for i := range f.held {
		if err := f.write(&f.held[i]); err != nil {
			return err
		}
	}
	f.held = f.held[:0]
	return nil
}

func (f *Finished) write(h *held) error {
	start := h.start - f.zero
	if start < 0 {
		f.cut++
		start = 0
	}
	end := max(h.end-f.zero, start)
	f.late = f.late || end < f.last
	f.last = max(f.last, end)
	op := linux.Calls[h.call].Op
	return f.sink.Syscall(&trace.Syscall{Start: start, Duration: end - start, PID: h.pid, TID: h.pid, Op: op, Call: h.call,
		FD: -1, FD2: -1, File: h.file, Offset: h.offset, Offset2: trace.NoOffset,
		Requested: max(h.requested, 0), Result: h.result})
}

// Notes says what had to be done to the times, and of which files nothing is told.
func (f *Finished) Notes() (notes []string) {
	if f.cut > 0 {
		notes = append(notes, fmt.Sprintf("%d operations began before everything else and are shown as if they "+
			"had begun with it", f.cut))
	}
	if f.late {
		notes = append(notes, "some rows come long after later ones: the trace has them in the order of the table")
	}
	if note := f.files.Note(); note != "" {
		notes = append(notes, note)
	}
	return notes
}

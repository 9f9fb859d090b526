package block

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/internal/bounded"
	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/trace"
)

// ahead is how many requests are looked at to find the earliest beginning, which becomes time 0: a table whose rows are
// in the order of their ends begins with one that others may have begun before.
const (
	ahead      = 4096
	aheadPaths = 4 << 20 // or until their paths have so many bytes
)

// Row is a request as a table tells it: whole, with the times of the table's own clock.
type Row struct {
	trace.Request        // its Device may be 0: then the disk gets a number by its name
	Waited        bool   // Queued is known
	Disk, Command string // "" if they are not known
	Path          string // of the file, likewise
}

// begin is when it began.
func (r *Row) begin() int64 {
	if r.Waited {
		return r.Queued
	}
	return r.Issued
}

// Finished gives the rows of a table to a sink, in the trace's clock, and names disks, processes and files.
type Finished struct {
	Rows    uint64
	sink    trace.Sink
	ahead   []Row
	paths   int // bytes in them
	begun   bool
	zero    int64  // of the table's clock
	cut     uint64 // rows that began before it
	devices map[string]trace.DeviceID
	numbers map[trace.DeviceID]bool
	procs   map[uint32]bool
	files   *fdtable.Files
}

// NewFinished returns one that has no rows yet.
func NewFinished(sink trace.Sink) *Finished {
	return &Finished{sink: sink, devices: map[string]trace.DeviceID{}, numbers: map[trace.DeviceID]bool{},
		procs: map[uint32]bool{}, files: fdtable.NewFiles(sink.File, nil)}
}

// Notes says what had to be done to the times and to the disks.
func (f *Finished) Notes() (notes []string) {
	if f.cut > 0 {
		notes = append(notes, fmt.Sprintf("%d requests began before everything else and are shown as if they had begun "+
			"with it", f.cut))
	}
	if note := f.files.Note(); note != "" {
		notes = append(notes, note)
	}
	return notes
}

// Add takes the next row. One with a name that is longer than any is damaged.
func (f *Finished) Add(r *Row) (convert.Verdict, error) {
	if len(r.Disk) > bounded.MaxName || len(r.Command) > bounded.MaxName || len(r.Path) > bounded.MaxPath {
		return convert.Damaged, nil
	}
	f.Rows++
	if f.begun {
		return convert.Read, f.write(r)
	}
	f.ahead = append(f.ahead, *r)
	if f.paths += len(r.Path); len(f.ahead) >= ahead || f.paths >= aheadPaths {
		return convert.Read, f.Flush()
	}
	return convert.Read, nil
}

// Flush writes what was looked at ahead. It is called at the end.
func (f *Finished) Flush() error {
	if f.begun {
		return nil
	}
	f.begun = true
	if len(f.ahead) > 0 {
		first := slices.MinFunc(f.ahead, func(x, y Row) int { return cmp.Compare(x.begin(), y.begin()) })
		f.zero = first.begin()
	}
	for i := range f.ahead {
		if err := f.write(&f.ahead[i]); err != nil {
			return err
		}
	}
	f.ahead = nil
	return nil
}

// write passes a request on, in the trace's clock.
func (f *Finished) write(r *Row) (err error) {
	if r.begin() < f.zero {
		f.cut++
	}
	e := &r.Request
	e.Issued, e.Completed = max(e.Issued-f.zero, 0), max(e.Completed-f.zero, 0)
	if r.Waited {
		e.Queued = max(e.Queued-f.zero, 0)
	} else {
		e.Queued = -1
	}
	if err = f.disk(r); err != nil {
		return err
	}
	if r.Path != "" {
		if e.File, err = f.files.ID([]byte(r.Path), e.Issued, 0); err != nil {
			return err
		}
		e.Evidence = trace.EvidenceInode
	}
	if e.PID != 0 && r.Command != "" && !f.procs[e.PID] && len(f.procs) < maxSeen {
		f.procs[e.PID] = true
		if err := f.sink.Process(&trace.Process{Time: e.Issued, Action: trace.ProcessPresent, PID: e.PID, TID: e.PID,
			Command: r.Command}); err != nil {
			return err
		}
	}
	return f.sink.Request(e)
}

// disk introduces the disk of a row. One that has a name alone gets a number.
func (f *Finished) disk(r *Row) error {
	if r.Device == 0 {
		id, known := f.devices[r.Disk]
		if !known && len(f.devices) < maxSeen {
			id = trace.MakeDeviceID(0, uint32(len(f.devices)+1))
			f.devices[r.Disk] = id
		}
		if r.Device = id; known {
			return nil
		}
	}
	if f.numbers[r.Device] || len(f.numbers) >= maxSeen {
		return nil
	}
	f.numbers[r.Device] = true
	return f.sink.Device(&trace.Device{Time: r.Issued, ID: r.Device, Name: r.Disk})
}

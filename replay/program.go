package replay

import "github.com/iotrace/iotrace/trace"

// Program is what is replayed.
type Program struct {
	Files   []File
	Ops     []Op  // in the order of their starts
	Threads int   // their number
	Bytes   int64 // of data calls, once per call
	WallNS  int64 // from the start of the first operation to the end of the last
	Copies  []Copy
	Mapped  bool // a file was mapped for writing: what was written through it is left out
	// Omitted are the calls on the files that are not replayed; OmittedNS is
	// their time, which the replay spends in pauses.
	Omitted   int64
	OmittedNS int64
}

// File is a file of a program.
type File struct {
	Size int64 // before the program runs
	End  int64 // greatest offset that the program uses
	Warm bool  // its data was in memory when it was read
}

// Copy says that a file has the data of another when the program has run.
type Copy struct {
	From, To int
}

// touch is the kind of an operation that waits for a page of a mapped file.
const touch = trace.OpMmap

// Op is one operation.
type Op struct {
	Kind        trace.Op
	Thread      int
	File, File2 int // indices, −1 for none; data goes from File to File2 in a copy, and File replaces File2 in a rename
	Offset      int64
	Offset2     int64 // in File2; the advice; the flags of a sync of a range
	Size        int64 // bytes to move, to allocate, or that advice or a sync is for; the length to cut to
	Direct      bool
	Sync        trace.IOFlags // FlagSync or FlagDSync of a write that returns when its data is safe; 0: it does not wait
	Trunc       bool          // of an open
	Exchange    bool          // of a rename: each of two files gets the other's name
	At, Took    int64         // ns from the start of the program, as recorded
	Pause       int64         // ns, after the operation before it and those waited for
	After       []int         // operations of other threads to wait for
	// Turn is a number that threads share which pause one after the other,
	// because they stand for one thread of the recording; 0: none.
	Turn int
	// Carry: what is written is what the thread read last, from the start of its buffer.
	Carry bool
	// Ring, of a copy: it is made by io_uring, with this many requests in
	// flight, each of Block bytes; 0: by the kernel itself.
	Ring  int
	Block int64
}

// OnlyRead says of each file whether it is there before the program runs and the
// program leaves it, and its name, as they are.
func (p *Program) OnlyRead() []bool {
	inputs := make([]bool, len(p.Files))
	for i, f := range p.Files {
		inputs[i] = f.Size > 0 && f.End <= f.Size
	}
	for i := range p.Ops {
		o := &p.Ops[i]
		switch o.Kind {
		case trace.OpClose, trace.OpSync, trace.OpDataSync, trace.OpStat, trace.OpAdvise, trace.OpRead, touch:
		case trace.OpCopyRange, trace.OpClone:
			inputs[o.File2] = false
		case trace.OpOpen:
			inputs[o.File] = inputs[o.File] && !o.Trunc
		default:
			inputs[o.File] = false
			if o.File2 >= 0 {
				inputs[o.File2] = false
			}
		}
	}
	return inputs
}

func (p *Program) end(i int) int64 { return p.Ops[i].At + p.Ops[i].Took }

// looks reports whether an operation leaves its file as it is.
func (o *Op) looks() bool {
	return o.Kind == trace.OpRead || o.Kind == trace.OpStat || o.Kind == trace.OpAdvise || o.Kind == touch
}

// Writes reports whether an operation leaves something to be written.
func (o *Op) Writes() bool {
	switch o.Kind {
	case trace.OpWrite, trace.OpCopyRange, trace.OpClone, trace.OpTruncate, trace.OpAllocate, trace.OpRename,
		trace.OpUnlink, trace.OpAttr:
		return true
	}
	return o.Kind == trace.OpOpen && o.Trunc
}

// Paused is how long the thread with the longest pauses computes or waits between
// its operations.
func (p *Program) Paused() (ns int64) {
	each := make([]int64, p.Threads)
	for i := range p.Ops {
		o := &p.Ops[i]
		each[o.Thread] += o.Pause
		ns = max(ns, each[o.Thread])
	}
	return ns
}

// tangled reports whether dependences would take hours and gigabytes: each
// operation may wait for one of every other thread.
func (p *Program) tangled(room int64) bool { return int64(p.Threads)*int64(len(p.Ops)) > 64*room }

// Space is the room that the files of the program need.
func (p *Program) Space() int64 { return p.space(nil) }

// space is that of all files but some.
func (p *Program) space(without []bool) int64 {
	var n int64
	for i, f := range p.Files {
		if without == nil || !without[i] {
			n += max(f.Size, f.End)
		}
	}
	return n
}

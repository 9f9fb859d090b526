// Package calls makes events of system calls of Linux whose arguments are numbers, as its tracers see them: it follows
// descriptors and offsets from call to call. It reads what prints such calls: perf trace, perf script, ftrace,
// trace-cmd and LTTng, ext4slower and its like, and Darshan's extended tracing. Tracepoints of the block layer may be
// among the calls.
package calls

import (
	"path"

	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/trace"
)

// Call is a call that has returned.
type Call struct {
	PID, TID        uint32
	Start, Duration int64
	Index           int // in linux.Calls
	Args            [6]Arg
	Result          int64  // or -errno
	Path            string // of the descriptor it returned, if that is known
}

// Arg is an argument: its number and, where the tool says it, the path it leads to or is.
type Arg struct {
	Number uint64
	Path   string
}

// Names are the calls' names, for the header of a trace.
func Names() (names []string) {
	for i := range linux.Calls {
		names = append(names, linux.Calls[i].Name)
	}
	return names
}

var byName, byNumber = func() (map[string]int, map[int]int) {
	names, numbers := map[string]int{}, map[int]int{}
	for i := range linux.Calls {
		names[linux.Calls[i].Name] = i
		names[linux.Calls[i].Function()] = i
		if n, ok := linux.Calls[i].Number("amd64"); ok {
			numbers[n] = i
		}
	}
	return names, numbers
}()

// ByName is the place of a call in linux.Calls, by its name or by that of the kernel's function.
func ByName(name string) (int, bool) { i, ok := byName[name]; return i, ok }

// ByNumber is the place of a call in linux.Calls, by its number on amd64.
func ByNumber(n int) (int, bool) { i, ok := byNumber[n]; return i, ok }

// Follower makes the events.
type Follower struct {
	Unknown uint64 // uses of descriptors whose opening was not seen
	Unnamed uint64 // files that were opened by a name that is not known
	effects Effects
	sink    trace.Sink
	err     error
	made    event // of the call that was added last
}

// NewFollower returns a follower that gives its events to a sink.
func NewFollower(sink trace.Sink) *Follower {
	return &Follower{sink: sink, effects: Effects{fdtable.NewTable(), fdtable.NewFiles(sink.File, nil)}}
}

// Note says of which files the events do not tell, "" if of all.
func (f *Follower) Note() string { return f.effects.Files.Note() }

// Forked says that a process made another, which has its descriptors. If they are the same descriptors, as those of
// threads are (CLONE_FILES), or may be, then nothing is known of them under the number of the child: the calls of one
// do not tell what the other opens and closes.
func (f *Follower) Forked(parent, child uint32, shared bool) {
	if shared {
		f.effects.Descriptors.Exit(child)
	} else {
		f.effects.Descriptors.Fork(parent, child)
	}
}

// Executed says that a process became another program.
func (f *Follower) Executed(pid uint32) { f.effects.Descriptors.Exec(pid) }

// Exited forgets a process.
func (f *Follower) Exited(pid uint32) { f.effects.Descriptors.Exit(pid) }

// Lost forgets all descriptors: what is missing may have changed any.
func (f *Follower) Lost() { f.effects.Descriptors.Clear(); f.effects.Files.ForgetSizes() }

// Add makes the event of a call, if it is one that a recording has.
func (f *Follower) Add(c *Call) error {
	k := &linux.Calls[c.Index]
	x := &f.made
	*x = event{Follower: f, c: c, shape: k.Shape, at: k.Shape.Args(),
		e: trace.Syscall{Start: c.Start, Duration: c.Duration, PID: c.PID, TID: c.TID, Op: k.Op, Call: uint16(c.Index),
			Flags: k.Shape.Flags(), FD: -1, FD2: -1, Offset: trace.NoOffset, Offset2: trace.NoOffset, Result: c.Result}}
	emit := x.fill()
	if f.err != nil {
		return f.err
	}
	if !emit || x.e.Op == trace.OpOther {
		return nil
	}
	x.e.Requested = max(x.e.Requested, 0)
	x.e.Offset, x.e.Offset2 = max(x.e.Offset, trace.NoOffset), max(x.e.Offset2, trace.NoOffset)
	return f.sink.Syscall(&x.e)
}

// event is a call on its way to being an event.
type event struct {
	*Follower
	c     *Call
	shape linux.Shape
	at    linux.Args // where its arguments are, counted from 1
	e     trace.Syscall
}

// arg is an argument, the zero one if the call has none there.
func (x *event) arg(place int) Arg {
	if place < 1 || place > len(x.c.Args) {
		return Arg{}
	}
	return x.c.Args[place-1]
}

func (x *event) number(place int) int64 { return int64(x.arg(place).Number) }

// file returns the ID of a path.
func (x *event) file(name string) trace.FileID {
	id, err := x.effects.Files.Named(name, x.c.Start, 0)
	if err != nil && x.err == nil {
		x.err = err
	}
	return id
}

// open returns the open file of a descriptor argument. One that is not known, or that has another path than was
// thought, is at an offset that is not known.
func (x *event) open(place int) (n int32, o *fdtable.Open) {
	a := x.arg(place)
	if n = int32(a.Number); n < 0 {
		return n, nil
	}
	o = x.effects.Descriptors.Get(x.e.PID, n)
	if a.Path == "" {
		if x.e.Result >= 0 && (o == nil || o.File == 0) {
			x.Unknown++
		}
		return n, o
	}
	if o != nil && x.effects.Files.Path(o.File) == a.Path {
		return n, o // as nearly all
	}
	switch id := x.file(a.Path); {
	case o == nil || o.File != id && !x.effects.Files.IsUnnamed(o.File):
		o = &fdtable.Open{File: id, Offset: trace.NoOffset}
		x.effects.Descriptors.Set(x.e.PID, n, o, false)
	default: // what was opened without a name is told it later
		o.File = id
	}
	return n, o
}

// fd makes the descriptor argument the event's file.
func (x *event) fd(place int) *fdtable.Open {
	n, o := x.open(place)
	x.effects.Of(&x.e, n, o)
	return o
}

// path is the file that a name stands for, relative to a descriptor argument if there is one.
func (x *event) path(dir, place int) trace.FileID {
	name, base := x.arg(place).Path, x.arg(dir).Path
	if name != "" && base != "" && !path.IsAbs(name) {
		name = path.Join(base, name)
	}
	if name == "" {
		x.e.Flags |= trace.FlagPartial
	}
	return x.file(name)
}

package replay

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/trace"
)

// ErrEmpty means that there is nothing to replay.
var ErrEmpty = errors.New("nothing to replay: no data of a regular file was moved by a call or read by a mapping " +
	"(a clone moves none)")

// Load reads a program from a trace. A trace that lost calls is an error: what
// is left of it is not the workload.
func Load(path string) (*Program, error) {
	l := newLoader()
	room, err := program.Read(path, "replaying", l.batch, trace.KindFile, trace.KindSyscall, trace.KindAsyncOp,
		trace.KindFault, trace.KindLost)
	if err != nil {
		return nil, err
	}
	if l.lost > 0 {
		return nil, fmt.Errorf("replaying %s: the recording lost %d calls, so it is not the whole workload (record again "+
			"with a larger --buffer)", path, l.lost)
	}
	p := l.program()
	switch {
	case p == nil:
		return nil, fmt.Errorf("replaying %s: %w", path, ErrEmpty)
	case p.tangled(room):
		return nil, fmt.Errorf("replaying %s: %d operations in %d threads or lanes are too many to find out which waits "+
			"for which (record a part of the workload, with --duration)",
			path, len(p.Ops), p.Threads)
	}
	depend(p)
	return p, nil
}

// loader gathers the operations of a trace.
type loader struct {
	known program.Files[file]
	used  []*file
	ops   []Op
	tids  []uint64 // of ops: thread, or lane of asynchronous operations
	async []lane
	lost  uint64

	mapped    bool
	omitted   int64
	omittedNS int64
}

// file is a file of the recording that can have a part in the program.
type file struct {
	size  int64
	index int   // in the program, −1 if it has no part in it so far
	reads int64 // bytes
	fills int64 // bytes that reads brought into memory
}

// lane is a row of asynchronous operations that do not overlap.
type lane struct {
	tid uint32
	end int64
}

func newLoader() *loader {
	return &loader{known: program.NewFiles(func(f *trace.File) *file {
		if f.Type != trace.FileRegular || f.OfSystem() {
			return nil
		}
		return &file{size: max(f.Size, 0), index: -1}
	})}
}

// batch takes the next events and says how many operations there are.
func (l *loader) batch(b *trace.Batch) (held int64) {
	l.known.Learn(b)
	for i := range b.Lost {
		if k := b.Lost[i].Kind; k == trace.KindSyscall || k == trace.KindAsyncOp || k == trace.KindFile {
			l.lost += b.Lost[i].Count
		}
	}
	program.Steps(b, l.step)
	return int64(len(l.ops))
}

// file is the index of a file, −1 if it has no part in the program.
func (l *loader) file(id trace.FileID) int {
	f := l.known.Of(id)
	if f == nil {
		return -1
	}
	if f.index < 0 {
		f.index = len(l.used)
		l.used = append(l.used, f)
	}
	return f.index
}

// step takes what was done, unless it is not replayed.
func (l *loader) step(s *program.Step) {
	o := Op{Kind: s.Op, File: l.file(s.File), File2: -1, Offset: s.Offset, Offset2: s.Offset2, At: s.Start,
		Took: s.Took(), Direct: s.Direct()}
	if s.Op == trace.OpWrite {
		o.Sync = s.Flags & (trace.FlagSync | trace.FlagDSync)
	}
	key := uint64(s.TID)
	switch {
	case s.Page:
		if o.File < 0 || s.Offset < 0 {
			return
		}
		o.Kind = touch
		l.read(o.File, max(s.Filled, 4096), s.Filled)
	case s.API != 0: // a thread of its own for as long as it is in flight
		key |= 1 << 32
		if o.Size = s.Moved; !l.replaysAsync(s, &o) {
			return
		}
	case !l.replays(s, &o) || o.File < 0 || s.Failed || s.Op.MovesData() && o.Size == 0:
		l.mapped = l.mapped || s.Op == trace.OpMmap && o.File >= 0 && s.Flags&trace.FlagShared != 0 &&
			s.Flags&trace.FlagWrite != 0
		if o.File >= 0 && !s.Op.MovesData() {
			l.omit(s)
		}
		return
	case o.Kind == trace.OpRead || o.Kind == trace.OpCopyRange:
		l.read(o.File, o.Size, s.Filled)
	}
	l.ops, l.tids = append(l.ops, o), append(l.tids, key)
}

// read notes that a file was read, and how much of that came into memory meanwhile.
func (l *loader) read(file int, bytes, filled int64) {
	l.used[file].reads += bytes
	l.used[file].fills += filled
}

// omit counts what is not replayed.
func (l *loader) omit(s *program.Step) {
	l.omitted++
	l.omittedNS += s.Took()
}

// replays completes the operation for a call; false if there is none.
func (l *loader) replays(s *program.Step, o *Op) bool {
	switch s.Op {
	case trace.OpRead, trace.OpWrite:
		o.Size = s.Moved
	case trace.OpCopyRange, trace.OpSendfile:
		o.Kind, o.Size, o.File2 = trace.OpCopyRange, s.Moved, l.file(s.File2)
		if o.File2 < 0 {
			o.Kind = trace.OpRead // to a socket or a pipe
		}
	case trace.OpOpen:
		o.Trunc = s.Flags&trace.FlagTrunc != 0
	case trace.OpTruncate, trace.OpAllocate:
		o.Size, o.Offset = max(s.Asked, 0), max(s.Offset, 0)
	case trace.OpRename:
		o.File2, o.Exchange = l.file(s.File2), s.Flags&trace.FlagExchange != 0
	case trace.OpAdvise, trace.OpSyncRange:
		// How far the kernel reads ahead, what it drops, when it begins to write.
		// Not every source knows what was asked for, and madvise is about a mapping.
		o.Size, o.Offset = max(s.Asked, 0), max(s.Offset, 0)
		return s.Offset2 >= 0 && s.FD >= 0
	case trace.OpClose, trace.OpSync, trace.OpDataSync, trace.OpStat, trace.OpAttr, trace.OpUnlink:
	default:
		return false
	}
	return true
}

// replaysAsync reports whether there is an operation for an asynchronous one.
func (l *loader) replaysAsync(s *program.Step, o *Op) bool {
	switch {
	case o.File < 0 || s.Failed:
		return false
	case s.Op == trace.OpSyncRange: // what was asked for is not recorded
		l.omit(s)
		return false
	case s.Op == trace.OpRename:
		o.File2, o.Exchange = l.file(s.File2), s.Flags&trace.FlagExchange != 0
		return true
	case s.Op == trace.OpUnlink:
		return true
	}
	return (s.Op == trace.OpRead || s.Op == trace.OpWrite) && o.Size > 0 || s.Op.Durability()
}

// program finishes the operations, all but what they wait for; nil if none moves data.
func (l *loader) program() *Program {
	order := make([]int, len(l.ops))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(l.ops[a].At, l.ops[b].At) })
	p := &Program{Mapped: l.mapped, Omitted: l.omitted, OmittedNS: l.omittedNS}
	for _, f := range l.used {
		p.Files = append(p.Files, File{Size: f.size, Warm: program.Warm(f.fills, f.reads)})
	}
	threads := map[uint64]int{}
	for _, i := range order {
		o := l.ops[i]
		key := l.tids[i]
		if key>>32 != 0 {
			key = l.lane(uint32(key), &o)
		}
		n, ok := threads[key]
		if !ok {
			n = len(threads)
			threads[key] = n
		}
		o.Thread = n
		p.Ops = append(p.Ops, o)
		if o.Kind.MovesData() {
			p.Bytes += o.Size
		}
	}
	if p.Bytes == 0 && !slices.ContainsFunc(p.Ops, func(o Op) bool { return o.Kind == touch }) {
		return nil
	}
	p.Threads = len(threads)
	place(p)
	return p
}

// lane finds a row of asynchronous operations of a thread that is free.
func (l *loader) lane(tid uint32, o *Op) uint64 {
	for i := range l.async {
		if n := &l.async[i]; n.tid == tid && n.end <= o.At {
			n.end = o.At + o.Took
			return 1<<32 | uint64(i)
		}
	}
	l.async = append(l.async, lane{tid, o.At + o.Took})
	return 1<<32 | uint64(len(l.async)-1)
}

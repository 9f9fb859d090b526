package replay

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// ErrEmpty means that there is nothing to replay.
var ErrEmpty = errors.New("nothing to replay: no data of a regular file was moved by a call or read by a mapping " +
	"(a clone moves none)")

// Load reads a program from a trace. A trace that lost calls is an error: what
// is left of it is not the workload.
func Load(path string) (p *Program, err error) {
	f, err := tracefile.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening the recording: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	l := newLoader()
	l.room = f.Room()
	f.Only(trace.KindFile, trace.KindSyscall, trace.KindAsyncOp, trace.KindFault, trace.KindLost)
	var b trace.Batch
	for {
		err := f.Next(&b)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
		if l.batch(&b); int64(len(l.ops)) > l.room {
			return nil, fmt.Errorf("replaying %s: it has more than %d operations, which are all held in memory (record a part "+
				"of the workload, with --duration)",
				path, l.room)
		}
	}
	if l.lost > 0 {
		return nil, fmt.Errorf("replaying %s: the recording lost %d calls, so it is not the whole workload (record again "+
			"with a larger --buffer)", path, l.lost)
	}
	p = l.program()
	switch {
	case p == nil:
	case p.tangled(l.room):
		return nil, fmt.Errorf("replaying %s: %d operations in %d threads or lanes are too many to find out which waits "+
			"for which (record a part of the workload, with --duration)",
			path, len(p.Ops), p.Threads)
	default:
		depend(p)
		return p, nil
	}
	return nil, fmt.Errorf("replaying %s: %w", path, ErrEmpty)
}

// loader gathers the operations of a trace.
type loader struct {
	known map[trace.FileID]*trace.File
	index map[identity]int
	files []File
	fills []int64 // bytes that reads of a file brought into memory
	reads []int64
	ops   []Op
	tids  []uint64 // of ops: thread, or lane of asynchronous operations
	async []lane
	lost  uint64
	room  int64 // operations that are held at most

	mapped    bool
	omitted   int64
	omittedNS int64
}

// identity is what makes two numbers of a trace the same file: it keeps its
// inode when it is renamed.
type identity struct {
	device trace.DeviceID
	inode  uint64
	id     trace.FileID // where there is no inode
}

// lane is a row of asynchronous operations that do not overlap.
type lane struct {
	tid uint32
	end int64
}

func newLoader() *loader {
	return &loader{known: map[trace.FileID]*trace.File{}, index: map[identity]int{}}
}

func (l *loader) batch(b *trace.Batch) {
	for i := range b.Files {
		f := b.Files[i]
		if l.known[f.ID] == nil {
			l.known[f.ID] = &f
		}
	}
	for i := range b.Lost {
		if k := b.Lost[i].Kind; k == trace.KindSyscall || k == trace.KindAsyncOp || k == trace.KindFile {
			l.lost += b.Lost[i].Count
		}
	}
	for i := range b.Faults {
		l.fault(&b.Faults[i])
	}
	for i := range b.Syscalls {
		l.syscall(&b.Syscalls[i])
	}
	for i := range b.AsyncOps {
		l.asyncOp(&b.AsyncOps[i])
	}
}

// file is the index of a file, −1 if it has no part in the program.
func (l *loader) file(id trace.FileID) int {
	f := l.known[id]
	if f == nil || f.Type != trace.FileRegular || f.OfSystem() {
		return -1
	}
	key := identity{device: f.Device, inode: f.Inode}
	if f.Inode == 0 {
		key.id = id
	}
	i, ok := l.index[key]
	if !ok {
		i = len(l.files)
		l.index[key] = i
		l.files = append(l.files, File{Size: max(f.Size, 0)})
		l.fills, l.reads = append(l.fills, 0), append(l.reads, 0)
	}
	return i
}

func (l *loader) syscall(e *trace.Syscall) {
	o := Op{Kind: e.Op, File: l.file(e.File), File2: -1, Offset: e.Offset, Offset2: e.Offset2, At: e.Start,
		Took:   e.Duration,
		Direct: e.Flags&trace.FlagDirect != 0}
	switch e.Op {
	case trace.OpRead, trace.OpWrite:
		o.Size = e.Bytes()
	case trace.OpCopyRange, trace.OpSendfile:
		o.Kind, o.Size, o.File2 = trace.OpCopyRange, e.Bytes(), l.file(e.File2)
		if o.File2 < 0 {
			o.Kind = trace.OpRead // to a socket or a pipe
		}
	case trace.OpOpen:
		o.Trunc = e.Flags&trace.FlagTrunc != 0
	case trace.OpTruncate, trace.OpAllocate:
		o.Size, o.Offset = max(e.Requested, 0), max(e.Offset, 0)
	case trace.OpRename:
		o.File2 = l.file(e.File2)
	case trace.OpAdvise, trace.OpSyncRange:
		// How far the kernel reads ahead, what it drops, when it begins to write.
		// Not every source knows what was asked for.
		if o.Size, o.Offset = max(e.Requested, 0), max(e.Offset, 0); e.Offset2 < 0 || e.FD < 0 { // madvise is about a mapping
			l.omit(e, o.File)
			return
		}
	case trace.OpClose, trace.OpSync, trace.OpDataSync, trace.OpStat, trace.OpAttr, trace.OpUnlink:
	case trace.OpMmap:
		l.mapped = l.mapped || o.File >= 0 && e.Flags&trace.FlagShared != 0 && e.Flags&trace.FlagWrite != 0
		l.omit(e, o.File)
		return
	default:
		l.omit(e, o.File)
		return
	}
	if o.File < 0 || e.Result < 0 || e.Op.MovesData() && o.Size == 0 {
		l.omit(e, o.File)
		return
	}
	if o.Kind == trace.OpRead || o.Kind == trace.OpCopyRange {
		l.reads[o.File] += o.Size
		l.fills[o.File] += e.Filled
	}
	l.ops, l.tids = append(l.ops, o), append(l.tids, uint64(e.TID))
}

// omit counts a call that is not replayed.
func (l *loader) omit(e *trace.Syscall, file int) {
	if file >= 0 && !e.Op.MovesData() {
		l.omitted++
		l.omittedNS += e.Duration
	}
}

// fault is a wait for a page of a mapped file.
func (l *loader) fault(e *trace.Fault) {
	f := l.file(e.File)
	if f < 0 || e.Offset < 0 {
		return
	}
	l.reads[f] += max(e.Filled, 4096)
	l.fills[f] += e.Filled
	l.ops = append(l.ops, Op{Kind: touch, File: f, File2: -1, Offset: e.Offset, Offset2: trace.NoOffset, At: e.Start,
		Took: e.Duration})
	l.tids = append(l.tids, uint64(e.TID))
}

// asyncOp gives an operation a thread of its own for as long as it is in flight.
func (l *loader) asyncOp(a *trace.AsyncOp) {
	o := Op{Kind: a.Op, File: l.file(a.File), File2: -1, Offset: a.Offset, Offset2: trace.NoOffset, Size: a.Bytes(),
		At:   a.Submit,
		Took: a.Complete - a.Submit, Direct: a.Flags&trace.FlagDirect != 0}
	switch {
	case o.File < 0 || a.Result < 0:
		return
	case a.Op == trace.OpSyncRange: // what was asked for is not recorded
		l.omitted++
		l.omittedNS += o.Took
		return
	case (a.Op != trace.OpRead && a.Op != trace.OpWrite || o.Size == 0) && !a.Op.Durability():
		return
	}
	l.ops, l.tids = append(l.ops, o), append(l.tids, uint64(a.TID)|1<<32)
}

// program finishes the operations, all but what they wait for; nil if none moves data.
func (l *loader) program() *Program {
	order := make([]int, len(l.ops))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(l.ops[a].At, l.ops[b].At) })
	p := &Program{Files: l.files, Mapped: l.mapped, Omitted: l.omitted, OmittedNS: l.omittedNS}
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
	for i := range p.Files {
		p.Files[i].Warm = l.reads[i] > 0 && 5*l.fills[i] < l.reads[i]
	}
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

package generator

import (
	"errors"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// tracedOp is an operation on a data file, by whatever call.
type tracedOp struct {
	start, end int64
	tid        uint32
	op         trace.Op
	flags      trace.IOFlags
	file       string
	offset     int64
	bytes      int64
	async      bool
}

type tracedList []tracedOp

// tracedOps are the data operations and syncs on data files, in order of their
// start, and for each thread the times at which it entered the kernel to wait
// for a completion: it submits nothing in these calls.
func tracedOps(t *testing.T, path string) (all tracedList, waits map[uint32][]int64) {
	t.Helper()
	f, err := tracefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	files := map[trace.FileID]string{}
	waits = map[uint32][]int64{}
	var b trace.Batch
	for {
		err := f.Next(&b)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Files {
			if base := filepath.Base(b.Files[i].Path); storage.DataNames.MatchString(base) {
				files[b.Files[i].ID] = base
			}
		}
		for i := range b.AsyncOps {
			if a := &b.AsyncOps[i]; files[a.File] != "" {
				all = append(all, tracedOp{a.Submit, a.Complete, a.TID, a.Op, a.Flags, files[a.File], a.Offset, a.Bytes(), true})
			}
		}
		for i := range b.Syscalls {
			s := &b.Syscalls[i]
			if s.Op == trace.OpUringEnter && s.Requested == 0 {
				waits[s.TID] = append(waits[s.TID], s.Start)
			}
			if files[s.File] != "" && (s.Op.MovesData() || s.Op.Durability() || s.Op == trace.OpCloneRange ||
				s.Op == trace.OpClone) {
				all = append(all, tracedOp{s.Start, s.End(), s.TID, s.Op, s.Flags, files[s.File], s.Offset, s.Bytes(), false})
			}
		}
	}
	if end, ok := f.End(); ok {
		for _, kind := range []trace.Kind{trace.KindSyscall, trace.KindAsyncOp, trace.KindFile} {
			if n := end.Lost[kind.String()]; n > 0 {
				t.Errorf("%d events of kind %s were lost", n, kind)
			}
		}
		t.Logf("lost: %v", end.Lost)
	}
	slices.SortStableFunc(all, func(a, b tracedOp) int { return int(a.start - b.start) })
	return all, waits
}

// clockSlack is how far the clock of the trace and that of the report may be
// apart, ns: each is matched with the wall's to within a few reads of it. On a
// device as fast as memory the next step's operations begin 100 µs later.
const clockSlack = 10_000

// within are the operations of a run, and the syncs after it: a run that ends
// with one is over when its last operation is.
func (l tracedList) within(from, to int64) tracedList {
	var in tracedList
	for _, o := range l {
		switch {
		case o.start < from-clockSlack:
		case o.end <= to+clockSlack || o.op.Durability():
			in = append(in, o)
		case o.start > to+clockSlack: // what comes next
			return in
		}
	}
	return in
}

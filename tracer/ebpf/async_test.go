//go:build linux

package ebpf

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
)

// Each operation of a ring is recorded with what it asked for and what it got;
// what an operation does not have is not made up.
func TestUringOperations(t *testing.T) {
	needBPF(t)
	file := workDir(t) + "/file"
	rec := recordCommand(t, Options{}, nil, workload.Args("uring", file)...)
	ops := map[string]trace.Op{
		"write": trace.OpWrite, "fsync": trace.OpSync, "fdatasync": trace.OpDataSync, "read": trace.OpRead,
		"readv": trace.OpRead, "allocate": trace.OpAllocate, "readfixed": trace.OpRead, "bad": trace.OpRead,
	}
	var got []trace.AsyncOp
	for _, a := range rec.AsyncOps {
		if rec.path(a.File) == file {
			got = append(got, a)
		}
	}
	if len(got) != len(workload.UringSteps) {
		t.Fatalf("%d operations recorded, want %d: %+v", len(got), len(workload.UringSteps), got)
	}
	for i, want := range workload.UringSteps {
		a := got[i]
		if a.Op != ops[want.Name] || a.Offset != want.Offset || a.Requested != want.Requested || a.Result != want.Result ||
			a.API != trace.APIUring || a.Complete < a.Submit || a.PID == 0 || a.TID == 0 {
			t.Errorf("step %d, %+v: recorded %s %+v", i, want, a.Op, a)
		}
		if pinned := want.Name == "readfixed"; (a.Flags&trace.FlagPinned != 0) != pinned {
			t.Errorf("step %d, %+v: flags %#x", i, want, a.Flags)
		}
	}
}

// A batch of control blocks is recorded whole, without those that were not taken.
func TestLibaioOperations(t *testing.T) {
	needBPF(t)
	file := workDir(t) + "/file"
	rec := recordCommand(t, Options{}, nil, workload.Args("libaio", file)...)
	var got []trace.AsyncOp
	for _, a := range rec.AsyncOps {
		if rec.path(a.File) == file {
			got = append(got, a)
		}
	}
	if want := workload.LibaioBatch - 1 + 2; len(got) != want {
		t.Fatalf("%d operations recorded, want %d", len(got), want)
	}
	offsets := map[int64]bool{}
	for _, a := range got[:workload.LibaioBatch-1] {
		offsets[a.Offset] = true
		if a.Op != trace.OpWrite || a.Requested != 512 || a.Result != 512 || a.API != trace.APILibaio ||
			a.Complete < a.Submit {
			t.Errorf("recorded %+v", a)
		}
	}
	if len(offsets) != workload.LibaioBatch-1 {
		t.Errorf("%d offsets", len(offsets))
	}
	vectored, read := got[len(got)-2], got[len(got)-1]
	if vectored.Op != trace.OpWrite || vectored.Offset != 100000 || vectored.Requested != 3000 ||
		vectored.Result != 3000 || vectored.Flags&trace.FlagVectored == 0 {
		t.Errorf("vectored write: recorded %+v", vectored)
	}
	if read.Op != trace.OpRead || read.Offset != 102940 || read.Requested != 100 || read.Result != 60 {
		t.Errorf("read beyond the end: recorded %+v", read)
	}
	submits := slices.DeleteFunc(slices.Clone(rec.Syscalls), func(s trace.Syscall) bool {
		return s.Op != trace.OpAIOSubmit
	})
	if len(submits) != 3 || submits[0].Result != workload.LibaioBatch-1 {
		t.Errorf("io_submit: recorded %+v", submits)
	}
}

// Of more control blocks at once than can be looked at those beyond count as lost.
func TestManyAtOnce(t *testing.T) {
	needBPF(t)
	const more = 100
	for old, most := range map[bool]int{false: 4096, true: 256} {
		t.Run(fmt.Sprint("old probes ", old), func(t *testing.T) {
			if old {
				useOldProbes(t)
			}
			file := workDir(t) + "/file"
			session, w := launch(t, Options{}, workload.Args("libaio-many", file, strconv.Itoa(most+more))...)
			wait(t, w)
			rec := session.finish()
			got := 0
			for _, a := range rec.AsyncOps {
				if rec.path(a.File) == file {
					got++
				}
			}
			// Those that were not submitted, and those that were collected beyond as many, can be the same.
			if lost := int(rec.stats.Lost[trace.KindAsyncOp]); lost < more || lost > 2*more || got+lost < most+more {
				t.Errorf("%d recorded, %d lost of %d", got, lost, most+more)
			}
		})
	}
}

// Lists of buffers are summed up, however long, and the flags of single calls are recorded.
func TestVectoredCalls(t *testing.T) {
	needBPF(t)
	file := workDir(t) + "/file"
	rec := recordCommand(t, Options{}, nil, workload.Args("vectors", file)...)
	own := trace.FlagDSync | trace.FlagSync | trace.FlagAppend | trace.FlagNoWait | trace.FlagNoCache
	for _, want := range []struct {
		call   string
		offset int64
		bytes  int64
		flags  trace.IOFlags
	}{
		{"writev", 0, 10240, 0}, {"pwritev", 100, 200, 0}, {"pwritev2", 200, 300, trace.FlagDSync},
		{"pwritev2", 10240, 400, trace.FlagSync}, {"pwritev2", 10640, 50, trace.FlagAppend}, {"preadv2", 0, 10000, 0},
	} {
		found := 0
		for _, s := range rec.calls(want.call, file) {
			if s.Offset == want.offset && s.Requested == want.bytes && s.Result == want.bytes && s.Flags&own == want.flags &&
				s.Flags&trace.FlagVectored != 0 {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%+v: recorded %d times; all: %+v", want, found, rec.calls(want.call, file))
		}
	}
}

// Operations on names are recorded with both, as calls are.
func TestUringNames(t *testing.T) {
	needBPF(t)
	dir := workDir(t)
	rec := recordCommand(t, Options{}, nil, workload.Args("uring-names", dir)...)
	ops := map[byte]trace.Op{35: trace.OpRename, 36: trace.OpUnlink, 37: trace.OpMkdir, 38: trace.OpSymlink,
		39: trace.OpLink}
	if len(rec.AsyncOps) != len(workload.UringNames) {
		t.Fatalf("%d operations recorded: %+v", len(rec.AsyncOps), rec.AsyncOps)
	}
	path := func(name string) string {
		if name == "" {
			return ""
		}
		return dir + "/" + name
	}
	for i, want := range workload.UringNames {
		a := rec.AsyncOps[i]
		if a.Op != ops[want.Op] || a.Result != want.Result || a.Flags&trace.FlagExchange != 0 != (want.Flags != 0) ||
			rec.path(a.File) != path(want.First) ||
			rec.path(a.File2) != path(want.Second) {
			t.Errorf("%+v: recorded %s of %q and %q, %+v", want, a.Op, rec.path(a.File), rec.path(a.File2), a)
		}
	}
}

package copies

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// fileSums is what else was done to a file, whether it is listed or not.
type fileSums struct {
	read, written     transferred // by devices
	metaCalls, metaNS int64
	syncs, syncNS     int64
	allocated, holed  bool
}

// transferred is what devices moved in one direction.
type transferred struct{ count, bytes, last int64 }

// request adds the part of a request that carries the file's data.
func (s *fileSums) request(e *world.Request, bytes int64) {
	t := &s.read
	switch e.Op {
	case trace.ReqWrite:
		t = &s.written
	case trace.ReqRead:
	default:
		return
	}
	t.count++
	t.last = max(t.last, e.Issued, e.Completed)
	if e.Error == 0 {
		t.bytes += bytes
	}
}

// operation adds a call, or an asynchronous operation, on names, attributes or
// durability of a file.
func operation(sums *world.Table[fileSums], f *world.File, op trace.Op, duration int64, failed bool) {
	if f == nil {
		return
	}
	switch {
	case op.Metadata():
		s := sums.Of(f.Number)
		s.metaCalls++
		s.metaNS += duration
		s.allocated = s.allocated || op == trace.OpAllocate && !failed
		s.holed = s.holed || op == trace.OpPunch && !failed
	case op.Durability() && op != trace.OpSyncRange: // that one does not make metadata durable, nor empty caches
		s := sums.Of(f.Number)
		s.syncs++
		s.syncNS += duration
	}
}

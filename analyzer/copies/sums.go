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
	wrote, synced     int64 // ends of the last write, and of the first sync of all that was written before; 0: none
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

// commits reports whether an operation on a file returns when its data is safe: NFS has it on the server's disk when
// the file is closed, but for version 4, whose servers may lend a file to a client for longer.
func commits(f *world.File, op trace.Op) bool {
	return op == trace.OpSync || op == trace.OpDataSync || op == trace.OpClose && f.FSType == "nfs"
}

// sync enters an operation that has all data of a file safe.
func (s *fileSums) sync(start, end int64) {
	if s.synced == 0 && start >= s.wrote {
		s.synced = end
	}
}

// write enters one; synced says that it returned when its data was safe.
func (s *fileSums) write(end int64, synced bool) {
	safe := synced && (s.synced > 0 || s.wrote == 0)
	s.wrote, s.synced = max(s.wrote, end), 0
	if safe {
		s.synced = s.wrote
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

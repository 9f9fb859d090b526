package copies

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
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
// durability.
func (a *Collector) operation(f *world.File, op trace.Op, duration int64, failed bool) {
	if f == nil {
		return
	}
	switch {
	case op.Metadata():
		s := a.sums.Of(f.Number)
		s.metaCalls++
		s.metaNS += duration
		s.allocated = s.allocated || op == trace.OpAllocate && !failed
		s.holed = s.holed || op == trace.OpPunch && !failed
	case op.Durability() && op != trace.OpSyncRange: // that one does not make metadata durable, nor empty caches
		s := a.sums.Of(f.Number)
		s.syncs++
		s.syncNS += duration
	}
}

// share is what devices did for a copy in one direction: all that they moved of
// its file, or the part that belongs to the copy.
type share struct {
	transferred
	flow *profile.Flow // as the profile shows it
}

// entire is the share of a copy in what devices moved of a file: all of it; nil if
// there was nothing. The profile has a flow of the files it lists.
func entire(t transferred, listed *profile.Flow, wall int64) *share {
	if t.count == 0 {
		return nil
	}
	s := &share{transferred: t}
	if listed != nil {
		f := *listed
		f.Depth.MeanWall = 0
		if wall > 0 {
			f.Depth.MeanWall = float64(f.Latency.Sum) / float64(wall)
		}
		s.flow = &f
	}
	return s
}

// partial is the share of a copy of a part of a file.
func partial(f *measure.Flow, wall int64) *share {
	return &share{transferred{f.Count, f.Bytes, f.Last}, f.Profile(wall)}
}

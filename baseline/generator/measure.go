package generator

import "github.com/iotrace/iotrace/baseline"

const mib = 1 << 20

// measure is what one execution of a step gave.
type measure struct {
	engine  string // "io_uring", "threads" or "calls"
	mono    int64  // monotonic clock of the system when the clock started
	active  int64  // ns: the measured time, pauses left out
	wall    int64  // ns: from the first operation to the last, pauses included
	durable int64  // ns: active time plus the sync that followed the measurement; 0 if none did
	cpu     int64  // ns of CPU of this process in the active time
	ready   int64  // ns that its threads were ready while others had the processors
	tally          // of all workers
	bursts  []baseline.BurstRate
	files   []baseline.FileTime
	device  *baseline.DeviceUse
}

// result is the execution as it is reported.
func (m *measure) result(s baseline.Step) baseline.RunResult {
	r := baseline.RunResult{
		MonotonicNS: m.mono,
		ActiveNS:    m.active, WallNS: m.wall, DurableNS: m.durable,
		ReadOps: m.ops[1], ReadBytes: m.bytes[1], WriteOps: m.ops[0], WriteBytes: m.bytes[0],
		Latency: latencies(&m.latency), CPUNS: m.cpu, ReadyNS: m.ready, Syncs: m.syncs, SyncNS: m.syncNS,
		Engine: m.engine,
		Device: m.device, Bursts: m.bursts, Files: m.files, Course: m.course.export(m.active, 128),
		Changes: m.changes(),
	}
	ops := m.ops[0] + m.ops[1]
	if s.Op == baseline.Copy {
		ops = m.ops[0]
	}
	r.Rate, r.OpsPerSecond = baseline.PerSecond(payload(r, s), m.active), baseline.PerSecond(ops, m.active)
	if m.active > 0 {
		r.Achieved = (m.latency[0].Sum() + m.latency[1].Sum()) / float64(m.active-m.syncNS)
	}
	return r
}

// changes finds lasting changes of the rate within the run.
func (m *measure) changes() []baseline.Change {
	n := chunkCount(m.bytes[0] + m.bytes[1])
	if n == 0 {
		return nil
	}
	return changesOf(m.course.chunks(m.active, n))
}

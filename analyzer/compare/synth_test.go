package compare

import (
	"cmp"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// A synthesis writes the trace of a workload that never ran: what a pattern
// declares, on a device whose every operation takes its time. Nothing of it
// knows of the comparison.
type synthesis struct {
	t      testing.TB
	rnd    *rand.Rand
	now    int64
	files  int
	events []timed
	limits []trace.Limit
	cut    bool
	lost   uint64
}

type timed struct {
	end   int64
	event any
}

// most bounds the bytes of a step: more than is told apart.
const most = endless

func synthesize(t testing.TB, p *baseline.Pattern) *synthesis {
	s := &synthesis{t: t, rnd: rand.New(rand.NewPCG(1, 2)), now: 1e6}
	scale := 1.0
	weights := weigh(p.Steps)
	for _, w := range weights {
		scale = min(scale, most/w)
	}
	for i := range p.Steps {
		bytes := weights[i] * scale
		if weights[i] == 1 { // limited by time alone
			bytes = 4 << 20
			if len(p.Steps) == 1 {
				bytes = most
			}
		}
		s.step(&p.Steps[i], int64(bytes))
	}
	return s
}

func (s *synthesis) file(size int64) trace.FileID {
	s.files++
	s.put(s.now, &trace.File{Time: s.now, ID: trace.FileID(s.files), Path: "/data/" + string(rune('a'+s.files%26)),
		Device: 1,
		Inode:  uint64(100 + s.files), Size: size, Type: trace.FileRegular, FSType: "ext4", Mount: "/data"})
	return trace.FileID(s.files)
}

func (s *synthesis) put(end int64, event any) { s.events = append(s.events, timed{end, event}) }

// step acts as the step declares, until it has moved so many bytes.
func (s *synthesis) step(p *baseline.Step, bytes int64) {
	switch {
	case p.Files != nil:
		// One round, in which every size occurs, as much of each as can be told apart.
		for _, n := range p.Files.Sizes {
			s.blocks(p, n, min(n, 4*most))
		}
	case p.Op == baseline.Copy:
		s.copy(p, bytes)
	default:
		s.blocks(p, bytes, bytes)
	}
}

func flags(p *baseline.Step) trace.IOFlags {
	var f trace.IOFlags
	switch p.Cache {
	case baseline.Direct:
		f = trace.FlagDirect
	case baseline.Uncached:
		f = trace.FlagNoCache
	}
	if p.Sync == baseline.SyncWrite {
		f |= trace.FlagDSync
	}
	return f
}

// latency is that of an operation: 20 µs and 2 GB/s.
func latencyFor(n int64) int64 { return 20_000 + n/2 }

// blocks reads or writes a file in the declared order, keeping the declared
// number in flight.
func (s *synthesis) blocks(p *baseline.Step, size, bytes int64) {
	f := s.file(size)
	span := p.FileSize
	if span == 0 || p.Files != nil {
		span = max(size, 1<<30)
	}
	var at [2]int64
	slots := make([]int64, p.Nominal())
	for i := range slots {
		slots[i] = s.now
	}
	var burst, began int64 = 0, s.now
	for n := int64(0); n < bytes; {
		block := min(p.Block, bytes-n)
		op, way := trace.OpRead, 0
		if p.Op == baseline.Write || p.Op == baseline.Mixed && s.rnd.IntN(100) >= p.ReadShare {
			op, way = trace.OpWrite, 1
		}
		if !p.SplitMix {
			way = 0
		}
		offset := at[way] + int64(way)<<40
		if p.Access == baseline.Random || p.Access == baseline.Shuffled {
			offset = s.rnd.Int64N(max(1, span/p.Block)) * p.Block
		}
		at[way] += block
		slot := 0
		for i := range slots {
			if slots[i] < slots[slot] {
				slot = i
			}
		}
		start := slots[slot]
		end := start + latencyFor(block)
		slots[slot] = end
		s.now = max(s.now, end)
		s.move(p, op, f, offset, block, start, end)
		n += block
		if burst += block; p.Burst != nil && burst >= p.Burst.Bytes/32 {
			idle := int64(float64(s.now-began) * (1/p.Burst.Duty - 1))
			s.now += idle
			for i := range slots {
				slots[i] = s.now
			}
			burst, began = 0, s.now
		}
		if p.Sync == baseline.SyncEvery && n/p.Block%int64(p.Every) == 0 {
			s.sync(f)
		}
	}
	if p.Writes() && (p.Sync == baseline.SyncEnd || p.Sync == baseline.SyncData) {
		s.sync(f)
	}
}

func (s *synthesis) sync(f trace.FileID) {
	s.call(trace.Syscall{Op: trace.OpSync, Call: 2, File: f, Offset: trace.NoOffset}, s.now, s.now+50_000)
}

func (s *synthesis) call(c trace.Syscall, start, end int64) {
	c.Start, c.Duration, c.PID, c.TID, c.FD, c.FD2 = start, end-start, 10, 10, -1, -1
	s.now = max(s.now, end)
	s.put(end, &c)
}

func (s *synthesis) move(p *baseline.Step, op trace.Op, f trace.FileID, at, n, start, end int64) {
	if p.Blocking {
		s.call(trace.Syscall{Op: op, File: f, Offset: at, Requested: n, Result: n, Flags: flags(p)}, start, end)
		return
	}
	s.put(end, &trace.AsyncOp{Submit: start, Complete: end, PID: 10, TID: 10, API: trace.APIUring, Op: op, Flags: flags(p),
		File: f, Offset: at, Requested: n, Result: n})
}

func (s *synthesis) copy(p *baseline.Step, bytes int64) {
	from, to := s.file(bytes), s.file(0)
	block := p.Block
	op := map[baseline.Method]trace.Op{
		baseline.CopyFileRange: trace.OpCopyRange, baseline.CopySendfile: trace.OpSendfile, baseline.CopyClone: trace.OpClone,
	}[p.Method]
	if p.Method != baseline.CopyLoop {
		n := p.FileSize
		c := trace.Syscall{Op: op, File: from, File2: to, Requested: n, Result: n, Flags: flags(p)}
		if op == trace.OpClone {
			c.Result = 0
			c.Requested = 0
		}
		s.call(c, s.now, s.now+latencyFor(n))
		return
	}
	for at := int64(0); at < bytes; at += block {
		s.move(p, trace.OpRead, from, at, block, s.now, s.now+latencyFor(block))
		s.move(p, trace.OpWrite, to, at, block, s.now, s.now+latencyFor(block))
	}
}

// save writes the trace and analyses it.
func (s *synthesis) profile() *profile.Profile {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), "synthetic.iotrace")
	f, err := os.Create(path)
	check(s.t, err)
	defer f.Close()
	w, err := tracefile.NewWriter(f, trace.Header{Tool: "test", Backend: "ebpf", OS: "linux", WallStart: time.Unix(0, 0),
		CPUs: 2, Scope: "command",
		Command: []string{"synthetic"}, PIDs: []uint32{10}, Calls: []string{"read", "write", "fsync"}, Limits: s.limits})
	check(s.t, err)
	check(s.t, w.Process(&trace.Process{Action: trace.ProcessExec, PID: 10, TID: 10, Parent: 1, Command: "synthetic"}))
	slices.SortStableFunc(s.events, func(a, b timed) int { return cmp.Compare(a.end, b.end) })
	for _, e := range s.events {
		switch e := e.event.(type) {
		case *trace.File:
			check(s.t, w.File(e))
		case *trace.Syscall:
			check(s.t, w.Syscall(e))
		case *trace.AsyncOp:
			check(s.t, w.AsyncOp(e))
		case *trace.Request:
			check(s.t, w.Request(e))
		}
	}
	if s.lost > 0 {
		check(s.t, w.Lost(&trace.Lost{From: 0, To: s.now, Count: s.lost, Kind: trace.KindSyscall, CPU: 0}))
	}
	if s.cut {
		check(s.t, w.Flush())
	} else {
		check(s.t, w.Close(trace.End{Duration: s.now, CommandEnd: s.now, Durable: s.now, Reason: "exit"}))
	}
	p, err := analyzer.Analyze(path, analyzer.Options{})
	check(s.t, err)
	return p
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

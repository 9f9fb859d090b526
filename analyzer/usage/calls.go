package usage

import (
	"cmp"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// Calls gathers the calls per operation and name.
type Calls struct {
	names []string
	calls map[uint32]*callStats // by operation and name
	quick []*callStats          // by name, the operation it had first
	async *callStats            // of the last asynchronous operation
	last  uint32                // its key
}

type callStats struct {
	op      trace.Op
	name    string
	async   bool
	bytes   int64
	failed  failures
	advice  map[string]int64
	sizes   measure.Sizes
	latency measure.Histogram
}

func NewCalls(names []string) *Calls {
	return &Calls{names: names, calls: map[uint32]*callStats{}, quick: make([]*callStats, len(names))}
}

// Call adds a call.
func (t *Calls) Call(e *world.Call) {
	var s *callStats
	if int(e.Call) < len(t.quick) {
		s = t.quick[e.Call]
	}
	if s == nil || s.op != e.Op {
		s = t.find(e)
	}
	if what := adviceOf(e, s.name); what != "" {
		s.advice = counted(s.advice, what)
	}
	s.add(e.Duration, e.Result, e.Bytes(), e.Op.MovesData())
	if e.Op == trace.OpFork && e.Result >= 0 && e.Requested > 0 {
		s.sizes.Add(e.Requested)
	}
}

// kindsOfAdvice are those that fadvise64(2) and madvise(2) have in common, by number.
var kindsOfAdvice = [...]string{"normal", "random", "sequential", "willneed", "dontneed", "noreuse"}

// adviceOf is what a call of a name told the kernel of how a file is used; "" if it did not.
func adviceOf(e *world.Call, name string) string {
	if e.Op != trace.OpAdvise || e.Result < 0 || name != "fadvise64" && name != "madvise" ||
		e.Offset2 < 0 || e.Offset2 >= int64(len(kindsOfAdvice)) {
		return ""
	}
	return kindsOfAdvice[e.Offset2]
}

// counted adds one to a count by name.
func counted(counts map[string]int64, name string) map[string]int64 {
	if counts == nil {
		counts = map[string]int64{}
	}
	counts[name]++
	return counts
}

func (t *Calls) find(e *world.Call) *callStats {
	key := uint32(e.Op)<<16 | uint32(e.Call)
	s := t.calls[key]
	if s == nil {
		s = &callStats{op: e.Op, name: e.Op.String()}
		s.sizes.Common.Room = 32
		if int(e.Call) < len(t.names) {
			s.name = t.names[e.Call]
			if t.quick[e.Call] == nil {
				t.quick[e.Call] = s
			}
		}
		t.calls[key] = s
	}
	return s
}

// Async adds an asynchronous operation.
func (t *Calls) Async(e *world.Async) {
	if key := 1<<31 | uint32(e.Op)<<16 | uint32(e.API); key != t.last {
		t.async, t.last = t.operation(key, e), key
	}
	t.async.add(e.Complete-e.Submit, e.Result, e.Bytes(), e.Op.MovesData())
}

func (t *Calls) operation(key uint32, e *world.Async) *callStats {
	s := t.calls[key]
	if s == nil {
		s = &callStats{op: e.Op, name: e.API.String(), async: true}
		s.sizes.Common.Room = 32
		t.calls[key] = s
	}
	return s
}

func (s *callStats) add(duration, result, bytes int64, data bool) {
	s.latency.Add(duration)
	if result < 0 {
		s.failed.add(trace.Errno(-result))
		return
	}
	if data {
		s.bytes += bytes
		s.sizes.Add(bytes)
	}
}

// Finish lists the calls, most time first.
func (t *Calls) Finish(p *profile.Profile) {
	list := make([]profile.Call, 0, len(t.calls))
	for _, s := range t.calls {
		c := profile.Call{
			Op: s.op, Name: s.name, Async: s.async, Count: s.latency.Count, Errors: s.failed.count,
			Errno: s.failed.errno, Advice: s.advice, Bytes: s.bytes,
			TimeNS: s.latency.Sum, Size: s.sizes.Dist(), Latency: s.latency.Dist(),
		}
		list = append(list, c)
	}
	sorting.Stably(list, func(a, b profile.Call) int {
		return cmp.Or(cmp.Compare(b.TimeNS, a.TimeNS), cmp.Compare(b.Count, a.Count),
			cmp.Compare(a.Op.String(), b.Op.String()), cmp.Compare(a.Name, b.Name))
	})
	p.Calls = list
}

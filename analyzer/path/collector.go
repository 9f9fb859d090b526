package path

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// What the profile lists of the parts.
const (
	maxTold      = 40
	worthTelling = 0.001 // of the path
)

// mostUnknown is the share of a path that may be unknown. One of which more is not known says less than the labels of
// the time stack: these at least know what the devices did meanwhile.
const mostUnknown = 0.05

// Collector puts the path into the profile.
type Collector struct {
	Names
	account *Account
	kinds   [timeline.NumKinds]int64
	crowd   *crowd
	waking  int64
	changes changes
	thread  uint32 // of the segment that was added last
	turns   int64  // from one thread to another of its process
}

// Recorded reports whether a recording tells who woke whom, and where the path ends.
func Recorded(s *survey.Survey) bool {
	return s.OneCommand() && s.Whole && s.End.CommandEnd >= 0 && s.Explained > 0 && !s.Partial() &&
		s.Lost.Kinds[trace.KindWait.String()] == 0
}

// Find follows the path of a recording.
func Find(f *tracefile.File, s *survey.Survey, w timeline.Window) (*Collector, error) {
	c := &Collector{Names: Names{survey: s}, changes: changes{most: maxChanges}, crowd: newCrowd(s)}
	c.account = NewAccount(c.Label).Alike(s.SameCommand())
	walk := New(s.Header.PIDs[0], Span{w.Start, w.Wall, w.End}, s, c.add)
	c.asks = &walk.threads.asks
	return c, Follow(f, c.crowd.beside(walk))
}

func (c *Collector) add(s *Segment) {
	part := c.account.Add(s)
	c.crowd.count(part, s)
	l := part.Label
	kind := timeline.KindOf(l, class(&s.Call))
	c.kinds[kind] += s.To - s.From
	if l == timeline.Ready && s.To-s.From <= timeline.WakeUp {
		c.waking += s.To - s.From
	}
	c.changes.add(s.From, s.To, kind)
	if s.Thread != c.thread {
		if c.sameProcess(s.Thread, c.thread) {
			c.turns++
		}
		c.thread = s.Thread
	}
}

// class is the kind of call that the path is in, as far as it makes a difference under a label.
func class(c *Call) timeline.Class {
	if !c.In || c.Fault {
		return timeline.NoCall
	}
	return timeline.ClassOf(c.Op, true)
}

func (c *Collector) sameProcess(a, b uint32) bool {
	x, y := c.survey.Threads[a], c.survey.Threads[b]
	return x != nil && y != nil && x.PID == y.PID
}

// Tells reports whether the path says more than the labels of the time stack.
func (c *Collector) Tells() bool {
	return float64(c.account.Unknown()) <= mostUnknown*float64(c.account.Total)
}

// Kinds are the time of each kind, and of Ready that in which a processor woke up.
func (c *Collector) Kinds() (sum [timeline.NumKinds]int64, waking int64) { return c.kinds, c.waking }

// OverTime shows the kinds in the order of time, up to the end of the path. Of very many some are moved by a little:
// within slices that are short beside all of it.
func (c *Collector) OverTime(end int64, show func(k timeline.Kind, from, to int64)) {
	c.changes.each(end, show)
}

// Named lets the path name processes.
func (c *Collector) Named(t *world.Processes) *Collector {
	c.processes = t
	return c
}

// Finish says what the path was made of.
func (c *Collector) Finish(p *profile.Profile) {
	out := &profile.Path{TotalNS: c.account.Total, UnknownNS: c.account.Unknown(), Turns: c.turns, LeadNS: c.lead()}
	for i, x := range c.Parts(c.account) {
		x.Share = float64(x.NS) / float64(max(out.TotalNS, 1))
		if i >= maxTold || x.Share < worthTelling {
			out.OmittedNS += x.NS
			continue
		}
		out.Parts = append(out.Parts, *x)
	}
	for _, s := range c.account.Longest() {
		k := KeyOf(&s)
		out.Longest = append(out.Longest, profile.PathSegment{Place: c.Place(&k, c.Label(&k)), FromNS: s.From, ToNS: s.To})
	}
	p.Path = out
}

// lead is for how long the thread of the workload ran that ran longest.
func (c *Collector) lead() (longest int64) {
	ran := map[uint32]int64{}
	c.account.Each(func(p *Part) {
		if p.What == Runs && c.Whose(p.Thread) == Workload {
			ran[p.Thread] += p.NS
			longest = max(longest, ran[p.Thread])
		}
	})
	return longest
}

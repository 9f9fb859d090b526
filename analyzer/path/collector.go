package path

import (
	"cmp"
	"slices"

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

// Names says what the parts of an account are called.
type Names struct {
	survey    *survey.Survey
	processes *world.Processes // nil while these are not known
}

// NamesOf are those of a recording.
func NamesOf(s *survey.Survey, t *world.Processes) Names { return Names{s, t} }

// Recorded reports whether a recording tells who woke whom, and where the path ends.
func Recorded(s *survey.Survey) bool {
	return len(s.Header.Command) > 0 && s.Header.Scope == "command" && len(s.Header.PIDs) > 0 && s.Whole &&
		s.End.CommandEnd >= 0 && s.Explained > 0 && !s.Partial() && s.Lost.Kinds[trace.KindWait.String()] == 0
}

// Find follows the path of a recording.
func Find(f *tracefile.File, s *survey.Survey, w timeline.Window) (*Collector, error) {
	c := &Collector{Names: Names{survey: s}, changes: changes{most: maxChanges}, crowd: newCrowd(s)}
	c.account = NewAccount(c.Label).Alike(s.SameCommand())
	walk := New(s.Header.PIDs[0], Span{w.Start, w.Wall, w.End}, s, c.add)
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

// Label is the label of the time stack that segments of a kind fall under.
func (c *Names) Label(k *Key) timeline.Label {
	f := c.survey.Files.File(k.Call.File)
	whose := c.Whose(k.Thread)
	if k.Beyond != 0 { // whatever it does, it does for another program
		whose = Others
	}
	return Label(k, whose, f != nil && f.Data())
}

// Whose a thread is.
func (c *Names) Whose(id uint32) Whose {
	recorded, _ := c.survey.Known(id)
	switch {
	case recorded || id == 0:
		return Workload
	case c.survey.Kernel(id):
		return Kernel
	}
	return Others
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
	out := &profile.Path{TotalNS: c.account.Total, UnknownNS: c.account.Unknown(), Turns: c.turns,
		LeadNS: c.lead()}
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

// Parts are those of an account by what they are called, most time first. Those that differ in the file alone are one.
func (c *Names) Parts(a *Account) []*profile.PathPart {
	byPlace := map[profile.PathPlace]*profile.PathPart{}
	type presence struct {
		part   *profile.PathPart
		thread uint32
	}
	seen := map[presence]bool{}
	var list []*profile.PathPart
	for _, x := range a.Parts() {
		place := c.Place(&x.Key, x.Label)
		file := place.File
		place.File = ""
		part := byPlace[place]
		if part == nil {
			part = &profile.PathPart{Place: place}
			part.Place.File = file
			byPlace[place] = part
			list = append(list, part)
		}
		if part.Place.File != file {
			part.Place.File = ""
		}
		if k := (presence{part, x.Key.Thread}); !seen[k] {
			seen[k] = true
			part.Threads++
		}
		part.NS, part.Count, part.LongestNS = part.NS+x.NS, part.Count+x.Count, max(part.LongestNS, x.Longest)
		part.Waits += x.Waits
		part.CrowdedNS, part.RunnableNS = part.CrowdedNS+x.Crowded, part.RunnableNS+x.Runnable
		part.LackedNS += x.Lacked
	}
	for _, x := range list {
		if x.Threads == 1 {
			x.Threads = 0
		}
	}
	slices.SortStableFunc(list, func(x, y *profile.PathPart) int { return cmp.Compare(y.NS, x.NS) })
	return list
}

// Place puts names to numbers.
func (c *Names) Place(k *Key, l timeline.Label) profile.PathPlace {
	out := profile.PathPlace{What: k.What.String(), Label: l.String(), Fault: k.Call.Fault}
	if recorded, _ := c.survey.Known(k.Thread); recorded {
		if t := c.survey.Threads[k.Thread]; t != nil && c.processes != nil {
			if who := c.processes.Find(t.PID); who != nil {
				out.Process = who.Command
			}
		}
	} else if k.Thread != 0 {
		out.Helper, out.Process = true, c.survey.Helpers[k.Thread].Command
	}
	if k.Beyond != 0 {
		out.Beyond = c.survey.Helpers[k.Beyond].Command
	}
	if k.Call.In && !k.Call.Fault {
		out.Call = k.Call.Op.String()
	}
	if f := c.survey.Files.File(k.Call.File); k.Behind != 0 && f != nil && f.Data() {
		out.Behind = k.Behind.String()
	}
	if k.Cause.Halted() {
		out.By, out.ByPID = c.process(k.Request.By)
	}
	file := k.Call.File
	if k.Request.Device != 0 {
		out.Request, out.Meta = k.Request.Op.String(), k.Request.Flags&trace.ReqMeta != 0
		if command, kernel := c.survey.Outsider(k.Request.By); !kernel { // which may work for the recorded ones
			out.By = command
		}
		if d := c.survey.Devices.Find(k.Request.Device); d != nil {
			out.Device = d.Name
		}
		file = cmp.Or(k.Request.File, file)
	}
	if f := c.survey.Files.File(file); f != nil && file != 0 {
		out.File = f.Path
	}
	return out
}

// process is that of a thread, recorded or not; "" and 0 if it is not known.
func (c *Names) process(id uint32) (command string, pid uint32) {
	if t := c.survey.Threads[id]; t != nil && c.processes != nil {
		if who := c.processes.Find(t.PID); who != nil {
			return who.Command, t.PID
		}
	}
	h := c.survey.Helpers[id]
	return h.Command, h.PID
}

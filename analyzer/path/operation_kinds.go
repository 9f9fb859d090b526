package path

import (
	"cmp"
	"maps"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// What the profile lists.
const (
	maxKindsTold = 20    // kinds
	maxAll       = 40    // parts of all
	maxOf        = 8     // parts of a kind
	maxChain     = 16    // segments of an operation
	worthListing = 0.001 // of the time
)

// maxKinds bounds the kinds that are told apart.
const maxKinds = 1 << 10

// OperationKinds puts the operations of a recording into the profile.
type OperationKinds struct {
	survey  *survey.Survey
	lines   fileLines
	names   Names
	kinds   map[name]*kind
	as      map[uint32]uint32 // threads that one stands for, as they are called the same
	one     map[string]uint32
	omitted int64
	asked   map[uint32]int64 // operations that somebody outside asked a thread for
	answers map[uint32]bool  // threads that answer
}

// HasOperations reports whether a recording tells operations: it is of no command, and tells who woke whom.
func HasOperations(s *survey.Survey) bool {
	switch s.Header.Scope {
	case "pid", "name", "cgroup", "user", "all":
		return s.Explained > 0 && !s.Partial() && s.Lost.Kinds[trace.KindWait.String()] == 0
	}
	return false
}

// FindOperations finds the operations of a recording.
func FindOperations(f *tracefile.File, s *survey.Survey, start int64) (*OperationKinds, error) {
	c := &OperationKinds{survey: s, lines: fileLines{s}, names: Names{survey: s, operations: true},
		kinds: map[name]*kind{}, as: map[uint32]uint32{}, one: map[string]uint32{}, asked: map[uint32]int64{},
		answers: map[uint32]bool{}}
	all := NewOperations(s, c.lines, start, c.add)
	if all.crowd = newCrowd(s); all.crowd != nil {
		all.crowd.done = all.tell
	}
	c.names.asks = &all.threads.asks
	err := Follow(f, all.crowd.beside(all))
	c.omitted = all.Omitted
	return c, err
}

func (c *OperationKinds) add(o *Operation) {
	c.note(o)
	n, in, file := c.most(o)
	n.serves = o.Answers || c.lines.serves(o.Thread)
	k := c.kinds[n]
	if k == nil && len(c.kinds) >= maxKinds {
		n = name{answers: n.answers, serves: n.serves}
		k = c.kinds[n]
	}
	if k == nil {
		k = &kind{name: n, files: map[*world.File]int64{}, account: Limited(maxKindParts, c.names.Label)}
		c.kinds[n] = k
	}
	k.add(o, in, file, c.kindOf)
}

// command is what the program of a thread is called.
func (c *OperationKinds) command(tid uint32) (name string, recorded bool) {
	if recorded, _ := c.survey.Known(tid); !recorded {
		return c.survey.Helpers[tid].Command, false
	}
	if t := c.survey.Threads[tid]; t != nil {
		return c.survey.Command(t.PID), true
	}
	return "", true
}

// titleOf is the title of the process of a thread, "" if it has none.
func (c *OperationKinds) titleOf(tid uint32) string {
	if t := c.survey.Threads[tid]; t != nil {
		return c.survey.Title(t.PID)
	}
	return ""
}

// kindOf has one thread stand for all whose programs are called the same, by title where they were there before: a
// server may have made one for each answer.
func (c *OperationKinds) kindOf(k Key) Key {
	id, ok := c.as[k.Thread]
	if !ok {
		name, recorded := c.command(k.Thread)
		if recorded {
			name = "\x00" + name + "\x00" + c.titleOf(k.Thread)
		}
		if id, ok = c.one[name]; !ok || name == "" {
			id = k.Thread
			c.one[name] = id
		}
		c.as[k.Thread] = id
	}
	k.Thread = id
	return k
}

// Named lets the operations name processes.
func (c *OperationKinds) Named(t *world.Processes) *OperationKinds {
	c.names.processes = t
	return c
}

// Finish says what operations there were.
func (c *OperationKinds) Finish(p *profile.Profile) {
	out := &profile.Operations{Omitted: c.omitted}
	all := Limited(1<<14, c.names.Label)
	asides := c.asides()
	list := slices.Collect(maps.Values(c.kinds))
	for _, k := range list {
		if !asides[k] {
			out.Count, out.TotalNS = out.Count+k.times.Count, out.TotalNS+k.times.Sum
			all.Merge(k.account, func(k Key) Key { return k })
		}
	}
	slices.SortFunc(list, func(x, y *kind) int {
		return cmp.Or(compareBools(asides[x], asides[y]), cmp.Compare(y.times.Sum, x.times.Sum),
			cmp.Compare(x.process, y.process), compareBools(less(&y.most, &x.most), less(&x.most, &y.most)))
	})
	for _, k := range list {
		share := float64(k.times.Sum) / float64(max(out.TotalNS, 1))
		if share < worthListing || len(out.Kinds) == maxKindsTold {
			continue
		}
		out.Kinds = append(out.Kinds, c.told(k, share, asides[k]))
		if !asides[k] {
			for i := range k.worst {
				out.Longest = append(out.Longest, c.longest(k, &k.worst[i]))
			}
		}
	}
	out.Parts = c.parts(all, out.TotalNS, maxAll)
	sorting.Stably(out.Longest, func(x, y profile.Operation) int { return cmp.Compare(y.ToNS-y.FromNS, x.ToNS-x.FromNS) })
	out.Longest = out.Longest[:min(len(out.Longest), maxStalls)]
	p.Operations = out
}

func compareBools(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

// asides are what threads of programs that answer do, and never answer themselves.
func (c *OperationKinds) asides() map[*kind]bool {
	answers, set := map[string]bool{}, map[*kind]bool{}
	for n := range c.kinds {
		if n.answers {
			answers[n.process] = true
		}
	}
	for n, k := range c.kinds {
		if !n.serves && answers[n.process] {
			set[k] = true
		}
	}
	return set
}

func (c *OperationKinds) told(k *kind, share float64, aside bool) profile.OperationKind {
	return profile.OperationKind{
		Kind: k.called(aside), Count: k.times.Count, NS: k.times.Sum, Share: share,
		MedianNS: k.times.Quantile(0.5), P99NS: k.times.Quantile(0.99), MaxNS: k.times.Max, InNS: k.in,
		Parts: c.parts(k.account, k.times.Sum, maxOf),
	}
}

func (c *OperationKinds) parts(a *Account, total int64, most int) (list []profile.PathPart) {
	for i, x := range c.names.Parts(a) {
		if x.Share = float64(x.NS) / float64(max(total, 1)); i < most && x.Share >= worthListing {
			list = append(list, *x)
		}
	}
	return list
}

func (c *OperationKinds) longest(k *kind, s *stall) profile.Operation {
	o := profile.Operation{Kind: k.called(false), FromNS: s.from, ToNS: s.to, Together: s.together,
		Parts: c.parts(s.parts, s.ns(), maxOf)}
	o.Chain = chainOf(c.names, s.chain[:min(len(s.chain), maxChain)])
	return o
}

// chainOf puts the longest segments of an operation into the order of time.
func chainOf(names Names, longest []Segment) (chain []profile.PathSegment) {
	sorting.Stably(longest, func(x, y Segment) int { return cmp.Compare(x.From, y.From) })
	for i := range longest {
		key := KeyOf(&longest[i])
		chain = append(chain, profile.PathSegment{Place: names.Place(&key, names.Label(&key)), FromNS: longest[i].From,
			ToNS: longest[i].To})
	}
	return chain
}

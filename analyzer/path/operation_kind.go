package path

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// name is what operations of one kind have in common: who did them, and what took most of the time.
type name struct {
	process string
	answers bool
	serves  bool // the thread answers, this time or another: meanwhile it cannot
	most    doing
}

// doing is a call, a page fault, or what a thread does outside of both.
type doing struct {
	op        trace.Op
	in, fault bool
	socket    bool // that the call is on
	what      What
}

func (c *OperationKinds) doing(k *Key) doing {
	if k.Locked != 0 {
		return doing{op: trace.OpLock, in: true}
	}
	if k.Call.In {
		f := c.survey.Files.File(k.Call.File)
		return doing{op: k.Call.Op, in: true, fault: k.Call.Fault, socket: f != nil && f.Kind == trace.FileSocket}
	}
	return doing{what: k.What}
}

// call is the name of the operation of a call; on a socket that is to send or to receive.
func (d *doing) call() string {
	switch {
	case d.socket && d.op == trace.OpWrite:
		return "send"
	case d.socket && d.op == trace.OpRead:
		return "receive"
	}
	return d.op.String()
}

// kind is all operations of one.
type kind struct {
	name
	times   measure.Histogram
	in      int64
	files   map[*world.File]int64 // that the call was on, and for how long
	account *Account
	worst   []stall // of its operations, the longest first
}

// stall is an operation that took long.
type stall struct {
	from, to int64
	together int64
	chain    []Segment
	parts    *Account
}

func (k *kind) stallOf(o *Operation) stall {
	s := stall{o.From, o.To, 1, o.Account.Longest(), Limited(maxKindParts, k.account.Label)}
	s.parts.Merge(o.Account, func(k Key) Key { return k })
	return s
}

func (s *stall) ns() int64 { return s.to - s.from }

// limits of what is kept of a kind.
const (
	maxKindParts = 512
	maxStalls    = 8
	maxFiles     = 256
)

// add takes an operation that has so much time in what the kind is named by.
func (k *kind) add(o *Operation, in int64, file *world.File, as func(Key) Key) {
	if _, known := k.files[file]; known || len(k.files) < maxFiles {
		k.files[file] += in
	}
	k.times.Add(o.NS())
	k.in += in
	k.account.Merge(o.Account, as)
	k.keep(o)
}

// keep keeps the operation if it is among the longest. Of those that overlap for the most part it is the longest one.
func (k *kind) keep(o *Operation) {
	for i := range k.worst {
		s := &k.worst[i]
		if both := min(s.to, o.To) - max(s.from, o.From); 2*both > min(s.ns(), o.NS()) && 2*both > max(s.ns(), o.NS())/2 {
			s.together++
			if o.NS() > s.ns() {
				n := s.together
				*s = k.stallOf(o)
				s.together = n
				k.sort()
			}
			return
		}
	}
	if n := len(k.worst); n == maxStalls {
		if o.NS() <= k.worst[n-1].ns() {
			return
		}
		k.worst = k.worst[:n-1]
	}
	k.worst = append(k.worst, k.stallOf(o))
	k.sort()
}

func (k *kind) sort() {
	sorting.Stably(k.worst, func(x, y stall) int { return cmp.Compare(y.ns(), x.ns()) })
}

// share is the part of one doing in an operation.
type share struct {
	doing
	ns, longest int64
	part        *Part // the longest
	file        *world.File
	weight      int64 // of the file: by how much it is more than all others
}

// on adds time on a file.
func (x *share) on(file *world.File, ns int64) {
	if file == x.file {
		x.weight += ns
	} else if x.weight -= ns; x.weight < 0 {
		x.file, x.weight = file, -x.weight
	}
}

// most says what took most of an operation, for how long, whose thread that was in, and on which file.
func (c *OperationKinds) most(o *Operation) (n name, in int64, file *world.File) {
	var list [16]share
	used := list[:0]
	o.Account.Each(func(p *Part) {
		d := c.doing(&p.Key)
		i := slices.IndexFunc(used, func(x share) bool { return x.doing == d })
		if i < 0 {
			if len(used) == cap(used) {
				return
			}
			i = len(used)
			used = used[:i+1]
			used[i] = share{doing: d, part: p}
		}
		x := &used[i]
		x.ns += p.NS
		x.on(c.survey.Files.File(cmp.Or(p.Locked, p.Call.File)), p.NS)
		if p.NS > x.longest {
			x.longest, x.part = p.NS, p
		}
	})
	best := 0
	for i := range used {
		if more := cmp.Compare(used[i].ns, used[best].ns); more > 0 || more == 0 && less(&used[i].doing, &used[best].doing) {
			best = i
		}
	}
	x := &used[best]
	process, recorded := c.command(x.part.Thread)
	if !recorded {
		process, _ = c.command(o.Thread)
	}
	return name{process: process, answers: o.Answers, most: x.doing}, x.ns, x.file
}

func less(a, b *doing) bool {
	return cmp.Or(cmp.Compare(a.what, b.what), cmp.Compare(a.op, b.op), compareBools(a.socket, b.socket),
		compareBools(a.fault, b.fault)) < 0
}

// called is how the profile calls a kind.
func (k *kind) called(aside bool) profile.OperationName {
	n := profile.OperationName{Process: k.process, Answers: k.answers, Aside: aside, Fault: k.most.fault}
	switch {
	case !k.most.in:
		n.What = k.most.what.String()
	case !k.most.fault:
		n.Call = k.most.call()
	}
	for f, ns := range k.files {
		if f != nil && 2*ns > k.in && !k.most.socket {
			n.File = f.Path
		}
	}
	return n
}

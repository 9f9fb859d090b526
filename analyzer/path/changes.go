package path

import "github.com/iotrace/iotrace/analyzer/timeline"

// change is where another kind begins.
type change struct {
	from int64
	kind timeline.Kind
}

// changes are the kinds over time, the last one first. Where there are too many, those within a slice of time are put
// together: each kind keeps its time in the slice, and gives up its place there.
type changes struct {
	list  []change
	end   int64 // of the last kind
	slice int64 // 0 while all is exact
	most  int
}

// maxChanges bounds the changes that are kept; leastSlice is the first slice that is tried.
const (
	maxChanges = 1 << 20
	leastSlice = 1000
)

// add takes the kind of a stretch that ends where the one before it began.
func (c *changes) add(from, to int64, k timeline.Kind) {
	if len(c.list) == 0 {
		c.end = to
	}
	c.begin(from, k)
	for len(c.list) > c.most {
		c.slice = max(2*c.slice, leastSlice)
		c.coarsen()
	}
}

func (c *changes) begin(from int64, k timeline.Kind) {
	if n := len(c.list); n > 0 && c.list[n-1].kind == k {
		c.list[n-1].from = from
		return
	}
	c.list = append(c.list, change{from, k})
}

// coarsen puts together what lies in the same slice.
func (c *changes) coarsen() {
	s := sliced{out: changes{list: make([]change, 0, c.most)}, width: c.slice}
	to := c.end
	for _, x := range c.list {
		s.stretch(x.from, to, x.kind)
		to = x.from
	}
	s.flush()
	c.list = s.out.list
}

// sliced sums kinds up slice by slice, the last one first.
type sliced struct {
	out   changes
	width int64
	sum   [timeline.NumKinds]int64
	to    int64 // end of what is summed up
	some  bool
}

func (s *sliced) stretch(from, to int64, k timeline.Kind) {
	for from < to {
		if !s.some {
			s.to = to
		}
		edge := (to - 1) / s.width * s.width // where the slice begins
		if !s.some && from <= edge {         // nothing else lies in these slices
			to = max(from, (from+s.width-1)/s.width*s.width)
			s.out.begin(to, k)
			continue
		}
		begin := max(from, edge)
		s.sum[k] += to - begin
		s.some = true
		if to = begin; begin == edge {
			s.flush()
		}
	}
}

// flush tells the kinds of a slice, first the one that goes on after it.
func (s *sliced) flush() {
	if !s.some {
		return
	}
	at := s.to
	tell := func(k timeline.Kind) {
		if s.sum[k] > 0 {
			at -= s.sum[k]
			s.sum[k] = 0
			s.out.begin(at, k)
		}
	}
	if n := len(s.out.list); n > 0 {
		tell(s.out.list[n-1].kind)
	}
	for k := range timeline.NumKinds {
		tell(k)
	}
	s.some = false
}

// each shows the kinds in the order of time.
func (c *changes) each(end int64, show func(k timeline.Kind, from, to int64)) {
	for i := len(c.list) - 1; i >= 0; i-- {
		to := end
		if i > 0 {
			to = c.list[i-1].from
		}
		show(c.list[i].kind, c.list[i].from, to)
	}
}

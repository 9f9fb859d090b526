package copies

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// processes lists who made a copy.
func processes(f *judgedCopy) []uint32 {
	pids := []uint32{}
	for _, p := range f.Between {
		pids = append(pids, p.PID)
	}
	if f.Writer != nil && !slices.Contains(f.Between, f.Writer.By) {
		pids = append(pids, f.Writer.By.PID)
	}
	if f.PID != 0 {
		pids = append(pids, f.PID)
	}
	return pids
}

// span is when the copy took place, and for how long: from the first call on its
// data to the last.
func span(f *judgedCopy) (start, wall int64) {
	from, to := f.At, f.Until
	switch {
	case f.In != nil && f.Out != nil:
		from, to = min(f.In.First, f.Out.First), max(f.In.Last, f.Out.Last)
	case f.In != nil:
		from, to = f.In.First, max(f.In.Last, f.Until)
	case f.Out != nil:
		from, to = f.Out.First, f.Out.Last
	}
	return from, max(to-from, 0)
}

// settled is how certain a copy is with what contents add to the other evidence.
func settled(f *judgedCopy) string {
	if f.Checked && (f.Certainty == Likely || f.Certainty == SameSize || f.Certainty == "") {
		return Checked
	}
	return f.Certainty
}

// calls describes the data calls.
func calls(f *judgedCopy, c *profile.Copy) {
	if f.In != nil && f.In.Count > 0 {
		c.Read = f.In.Profile(c.WallNS)
		c.DirectSource = f.Reader.Calls.Direct > f.Reader.Calls.Cached
		c.BufferBytes = f.Reader.Buffer()
	}
	if f.Out != nil && f.Out.Count > 0 {
		c.Write = f.Out.Profile(c.WallNS)
		c.DirectDestination = f.Writer.Calls.Direct > f.Writer.Calls.Cached
		if c.BufferBytes == 0 {
			c.BufferBytes = f.Out.Usual()
		}
	}
	part := func(ns int64) float64 {
		if c.WallNS <= 0 {
			return 0
		}
		return float64(ns) / float64(c.WallNS)
	}
	if p := f.Pace; p != nil && p.Begun && f.Via == "" {
		c.Threads = len(p.Threads)
		think := p.Think.Dist()
		c.Think, c.Gaps = &think, p.Gaps.Profile()
		c.ReadShare, c.WriteShare = part(p.Read), part(p.Write)
		c.OverlapShare, c.ThinkShare = part(p.Read+p.Write-p.Any), max(1-part(p.Any), 0)
		return
	}
	if c.Read != nil {
		c.ReadShare = part(c.Read.Depth.BusyNS)
	}
	if c.Write != nil {
		c.WriteShare = part(c.Write.Depth.BusyNS)
	}
	c.OverlapShare, c.ThinkShare = -1, -1
}

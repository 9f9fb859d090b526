package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// manyStarts is from how many calls on, or files, the first and the last start tell how long all took: the last one's
// duration, which is not known, is a hundredth of it.
const manyStarts = 100

// forgetUntold takes out of a profile what rests on times or durations that the recording does not tell: it would be
// zero, or made up, and look measured.
func forgetUntold(p *profile.Profile) {
	timed := p.Trace.Sees(string(trace.LimitNoTimes))
	if !timed {
		withoutTimes(p)
	}
	if !p.Trace.Sees(string(trace.LimitNoDurations)) {
		withoutDurations(p, timed)
	}
}

// withoutTimes is for calls that stand in their order, one after the other: what lay between them, and what was in
// flight at once, is not known.
func withoutTimes(p *profile.Profile) {
	for i := range p.Copies {
		withoutPauses(&p.Copies[i])
	}
	for i := range p.CopyGroups {
		p.CopyGroups[i].Between = profile.Dist{}
	}
	for i := range p.Launches {
		p.Launches[i].WallNS = profile.Unknown
		withoutWaiting(&p.Launches[i])
	}
}

// withoutDurations is for calls and requests of which it is known at most when they began.
func withoutDurations(p *profile.Profile, timed bool) {
	p.TimeStack = profile.TimeStack{TotalNS: p.TimeStack.TotalNS, WallNS: p.TimeStack.WallNS}
	p.Bounds = nil
	if p.Charts != nil {
		p.Charts.Stack = nil
		for i := range p.Charts.Zooms {
			p.Charts.Zooms[i].StackAt, p.Charts.Zooms[i].Stack = nil, nil
		}
	}
	for i := range p.Processes {
		p.Processes[i].CallNS = profile.Unknown
	}
	for i := range p.Launches {
		withoutWaiting(&p.Launches[i])
	}
	for i := range p.Copies {
		c := &p.Copies[i]
		withoutPauses(c)
		c.Bounds = nil
		c.MetadataNS, c.SyncNS = profile.Unknown, profile.Unknown
		if !timed || calls(c) < manyStarts {
			c.WallNS, c.DurableNS = profile.Unknown, profile.Unknown
			c.BytesPerS, c.DurableBytesPerS = profile.Unknown, profile.Unknown
		}
	}
	for i := range p.CopyGroups {
		g := &p.CopyGroups[i]
		g.PerFile, g.Between, g.MetadataNS = profile.Dist{}, profile.Dist{}, profile.Unknown
		if !timed || g.Files < manyStarts {
			g.WallNS, g.DurableNS, g.FilesPerS = profile.Unknown, profile.Unknown, -1
			g.BytesPerS, g.DurableBytesPerS = profile.Unknown, profile.Unknown
		}
	}
}

// withoutPauses takes out of a copy what lay between its calls, and what was in flight at once.
func withoutPauses(c *profile.Copy) {
	c.Think, c.Gaps = nil, nil
	c.ReadShare, c.WriteShare, c.OverlapShare, c.ThinkShare = -1, -1, -1, -1
}

// withoutWaiting takes out of a program start what a drive had to do with it.
func withoutWaiting(l *profile.Launch) {
	l.DiskNS, l.BlockedNS, l.SavingNS, l.BestNS = profile.Unknown, profile.Unknown, profile.Unknown, profile.Unknown
}

// calls is how many calls a copy made in the direction that has more.
func calls(c *profile.Copy) (n int64) {
	for _, f := range []*profile.Flow{c.Read, c.Write} {
		if f != nil {
			n = max(n, f.Count)
		}
	}
	return n
}

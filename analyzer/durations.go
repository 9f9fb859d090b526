package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// manyStarts is from how many calls on, or files, the first and the last start tell how long all took: the last one's
// duration, which is not known, is a hundredth of it.
const manyStarts = 100

// withoutDurations takes out of a profile what rests on how long calls and requests took, where the recording does not
// tell that: it would be zero, and look measured.
func withoutDurations(p *profile.Profile) {
	timed := p.Trace.Sees(string(trace.LimitNoTimes))
	if !timed {
		for i := range p.Copies {
			withoutPauses(&p.Copies[i])
		}
	}
	if p.Trace.Sees(string(trace.LimitNoDurations)) {
		return
	}
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
		l := &p.Launches[i]
		l.DiskNS, l.BlockedNS, l.SavingNS, l.BestNS = profile.Unknown, profile.Unknown, profile.Unknown, profile.Unknown
		if !timed {
			l.WallNS = profile.Unknown
		}
	}
	for i := range p.Copies {
		untime(&p.Copies[i], timed)
	}
	for i := range p.CopyGroups {
		g := &p.CopyGroups[i]
		g.PerFile, g.Between, g.MetadataNS = profile.Dist{}, profile.Dist{}, profile.Unknown
		if !timed || g.Files < manyStarts {
			g.WallNS, g.DurableNS, g.BytesPerS, g.FilesPerS = profile.Unknown, profile.Unknown, profile.Unknown, -1
		}
	}
}

// withoutPauses takes out of a copy what lay between its calls, and what was in flight at once.
func withoutPauses(c *profile.Copy) {
	c.Think = nil
	c.ReadShare, c.WriteShare, c.OverlapShare, c.ThinkShare = -1, -1, -1, -1
}

// untime takes the times out of a copy; those between the starts of its calls stay if they are known and many.
func untime(c *profile.Copy, timed bool) {
	withoutPauses(c)
	c.Bounds = nil
	c.MetadataNS, c.SyncNS = profile.Unknown, profile.Unknown
	most := int64(0)
	for _, f := range []*profile.Flow{c.Read, c.Write} {
		if f != nil {
			most = max(most, f.Count)
		}
	}
	if timed && most >= manyStarts {
		return
	}
	c.WallNS, c.DurableNS = profile.Unknown, profile.Unknown
	c.BytesPerS, c.DurableBytesPerS = profile.Unknown, profile.Unknown
}

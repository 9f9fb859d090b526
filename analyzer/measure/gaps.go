package measure

import "github.com/iotrace/iotrace/analyzer/profile"

// Way is what a call does: a call of the kernel's own that copies begins by reading and ends by writing.
type Way struct{ Reads, Writes bool }

// Gaps tells the pauses between calls by what lies before and after them: what a program does between reading a piece
// and writing it is another thing than what it does before it asks for the next one.
type Gaps struct {
	readWrite, writeRead, writeWrite Histogram
}

// Add adds a pause between two calls. One between two reads is in no copy.
func (g *Gaps) Add(before, after Way, ns int64) {
	switch {
	case before.Writes && after.Reads:
		g.writeRead.Add(ns)
	case before.Writes && after.Writes:
		g.writeWrite.Add(ns)
	case before.Reads && after.Writes && !after.Reads:
		g.readWrite.Add(ns)
	}
}

// Profile describes the gaps; nil if there is none.
func (g *Gaps) Profile() *profile.Gaps {
	var p profile.Gaps
	for _, x := range []struct {
		from *Histogram
		to   **profile.Dist
	}{{&g.readWrite, &p.ReadWrite}, {&g.writeRead, &p.WriteRead}, {&g.writeWrite, &p.WriteWrite}} {
		if x.from.Count > 0 {
			d := x.from.Dist()
			*x.to = &d
		}
	}
	if p == (profile.Gaps{}) {
		return nil
	}
	return &p
}

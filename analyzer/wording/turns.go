package wording

import "github.com/iotrace/iotrace/analyzer/profile"

// RingInTurn is a ring whose writes are done one after the other, however many it is given.
type RingInTurn struct {
	Call       int     // in the profile
	Given, Got float64 // writes at a time: by the program, and by the drive
	Disk       *Disk
}

// inTurn is how many times as many writes a ring is given as a drive gets where they are done in turn.
const inTurn = 4

// InTurn finds a ring that was given most of the writes through the page cache, most of which had to be durable.
// Workers of the kernel do them, one after the other for each file. nil if there is none.
func InTurn(p *profile.Profile) *RingInTurn {
	d, m := Busiest(p, true), p.Pattern.Modes
	if d == nil || d.Flow == nil || m == nil || len(p.Layers) == 0 || p.Layers[0].Write == nil {
		return nil
	}
	given, got := p.Layers[0].Write.Depth.MeanBusy, d.Flow.Depth.MeanBusy
	if given < inTurn*got || got == 0 || 2*m.SyncedWrite < m.BufferedWrite || m.DirectWrite > 0 {
		return nil
	}
	for i := range p.Calls {
		if c := &p.Calls[i]; inRing(c) && 2*c.Bytes >= m.BufferedWrite {
			return &RingInTurn{Call: i, Given: given, Got: got, Disk: d}
		}
	}
	return nil
}

// inRing reports whether operations are writes that a ring was given.
func inRing(c *profile.Call) bool {
	return c.Async && c.Op.MovesData() && !c.Op.Reads() && c.Name == string(profile.ByUring)
}

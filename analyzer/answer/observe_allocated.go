package answer

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// fewestOnes is how many writes of one byte, a block apart, are an allocation.
const fewestOnes = 64

// What to do in place of an allocation by writes.
const (
	withAllocate = "leave out the allocation, or use a file system that has fallocate"
	byAllocate   = "posix_fallocate, which is one call where the file system has it"
)

// emulated is for files whose blocks were allocated by a write of one byte to each: by the library, where the file
// system has refused posix_fallocate, or by the program.
func emulated(o *observer) {
	for i := range o.p.Files {
		f := &o.p.Files[i]
		if !inOnes(f) {
			continue
		}
		text := "%[1]s was allocated by %[2]s, nearly all of one byte, one for each block, and each block is written " +
			"twice; posix_fallocate makes this one call where the file system has it."
		if declined(f) {
			text = "posix_fallocate of %s was %s, nearly all of one byte, one for each block: %s has no fallocate, and " +
				"each block is written twice; a file system that has it makes this one call."
		}
		at := fmt.Sprintf("/files/%d", i)
		o.say("emulated_allocation", at, fmt.Sprintf(text, named(f.Path), unit.Things(f.Write.Count, "write"), f.FSType),
			number(at+"/write/count", float64(f.Write.Count)), number(at+"/write/size_bytes/p90", float64(f.Write.Size.P90)))
	}
}

// inOnes reports whether nearly all writes of a file were of one byte, a block apart.
func inOnes(f *profile.File) bool {
	return f.Write != nil && f.WritePattern != nil && f.Write.Count >= fewestOnes && f.Write.Size.P90 <= 1 &&
		f.WritePattern.Run.P90 <= 1 && f.WritePattern.Sequential > 0.9 && f.Size >= f.Write.Count*512
}

// declined reports whether the file system has no fallocate: it refused each for a file.
func declined(f *profile.File) bool {
	return slices.ContainsFunc(f.Ops, func(c profile.OpCount) bool {
		return c.Op == trace.OpAllocate && c.Errors > 0 && c.Errors == c.Count
	})
}

// oneCall is what to do in place of an allocation by writes, if that took most of a cause: "" otherwise. What helps
// against the cause as such, as larger pieces, would not help there.
func oneCall(p *profile.Profile, c *profile.Reason) string {
	var writes, ns, filled int64
	instead := byAllocate
	for i := range p.Files {
		f := &p.Files[i]
		if !inOnes(f) {
			continue
		}
		writes, ns = writes+f.Write.Count, ns+f.Write.Count*f.Write.Latency.P50
		if f.DeviceWrite != nil { // what no call wrote
			filled += max(f.DeviceWrite.Bytes-f.Write.Bytes, 0)
		}
		if declined(f) {
			instead = withAllocate
		}
	}
	most := false
	switch c.Code {
	case cause.SmallCalls:
		most = 2*writes > dataCalls(p)
	case cause.PageCache, cause.UserSpaceFS, cause.NetworkFS:
		most = 2*ns > c.TimeNS
	case cause.Sync, cause.Settling, cause.DeviceBandwidth, cause.DeviceLatency, cause.DirtyLimit:
		most = 2*filled > writtenAbove(p)
	}
	if !most {
		return ""
	}
	return instead
}

// dataCalls is how many calls moved data.
func dataCalls(p *profile.Profile) (n int64) {
	if l := p.AtCalls(); l != nil {
		for _, f := range []*profile.Flow{l.Read, l.Write} {
			if f != nil {
				n += f.Count
			}
		}
	}
	return n
}

// writtenAbove is how many bytes were written to the topmost devices.
func writtenAbove(p *profile.Profile) (n int64) {
	for i := range p.Layers {
		if l := &p.Layers[i]; l.Level == 1 && l.Write != nil {
			n += l.Write.Bytes
		}
	}
	return n
}

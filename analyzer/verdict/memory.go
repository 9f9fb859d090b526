package verdict

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// throttled is for writers that the kernel holds back.
func throttled(a *account) {
	ns, d := a.take(onThrottle), wording.Busiest(a.p, true)
	if ofServer(a, ns) || d != nil && behindLimit(a, d, ns) {
		return
	}
	if d != nil && contradicted(a, d, ns) {
		a.give(onNothing, ns)
		return
	}
	r := profile.Reason{
		Code: cause.DirtyLimit, Name: "held back by unwritten data", TimeNS: ns, Certainty: cause.Measured,
		Evidence: []profile.Evidence{a.thread("throttled")},
		Text:     "the kernel held its writes back: too much data waited to be written",
		Remedy:   "a drive that writes faster; a higher vm.dirty_bytes only puts it off",
	}
	if d != nil {
		r.Text = fmt.Sprintf("the kernel held its writes back, as %s takes no more than %s", d.Name,
			unit.Speed(wording.DiskRate(d.Flow)))
		r.Evidence = append(r.Evidence, at(d.Pointer+"/bytes", float64(d.Flow.Bytes)))
	}
	a.because(r)
}

// copying is for calls that move data without waiting for a device.
func copying(a *account) {
	ns := a.take(inData)
	if !a.sees(trace.LimitNoWaits) {
		a.because(profile.Reason{
			Code: cause.OutsideOfCalls, Name: "in calls", TimeNS: ns, Certainty: cause.Open,
			Evidence:   []profile.Evidence{a.sliceAt("page_cache")},
			Text:       "in read and write calls; whether they waited for the drive is not recorded",
			Experiment: Recording(a.p),
		})
		return
	}
	if m := a.p.Pattern.Modes; m != nil && m.DirectRead+m.DirectWrite > m.BufferedRead+m.BufferedWrite {
		a.because(profile.Reason{
			Code: cause.OwnCPU, Name: "direct I/O calls", TimeNS: ns, Certainty: cause.Likely,
			Evidence: []profile.Evidence{a.sliceAt("page_cache"), a.thread("data_calls")},
			Text:     "in direct reads and writes beside the time at the drive: what each call costs the CPU",
			Remedy:   directly(a.p),
		})
		return
	}
	r := profile.Reason{
		Code: cause.PageCache, Name: "copying in memory", TimeNS: ns, Certainty: cause.Measured,
		Evidence: []profile.Evidence{a.sliceAt("page_cache"), a.thread("data_calls")},
		Text:     "copied in memory, with no wait for a drive",
		Remedy:   lessCopying(a.p) + "; a faster drive changes nothing",
	}
	if speed := memorySpeed(a, ns); speed > 0 && speed < slowMemory {
		a.figure("copied_bytes_per_s", float64(speed))
		r.Text += fmt.Sprintf("; only %s, as where a virtual machine uses memory for the first time, or memory is short",
			unit.Speed(speed))
	}
	a.because(r)
}

// directly says what makes direct calls cost less.
func directly(p *profile.Profile) string {
	if longerCalls(p) {
		return "larger calls: each costs about as much CPU time"
	}
	return "fewer, larger files, such as an archive of them: each call costs about as much CPU time"
}

// lessCopying says what moves the same data with less work in memory. Where most goes through small calls, each of them
// costs more than what it copies.
func lessCopying(p *profile.Profile) string {
	switch {
	// A larger piece would hold what is not wanted, or a file ends sooner.
	case inSmallCalls(p) && (p.Pattern.ReadClass == "random" || len(p.Copies) == 0 && !longerCalls(p)):
		return "mapped files copy less"
	case inSmallCalls(p):
		return wording.LargerCalls + "; mapped files copy less"
	case len(p.Copies) == 0:
		return "mapped files or direct I/O copy less"
	case slices.ContainsFunc(p.Copies, func(c profile.Copy) bool { return c.Method == profile.ByCopyFileRange }):
		return "direct I/O or a reflink clone, which skip this copy"
	}
	return "direct I/O, copy_file_range or a clone copy less"
}

// inSmallCalls reports whether most calls that move data are as small as a small request, and most of the bytes go
// through such: of copies what the largest asks for at a time; a file that is no larger leaves it nothing to ask for.
func inSmallCalls(p *profile.Profile) bool {
	if len(p.Copies) > 0 {
		c := slices.MaxFunc(p.Copies, func(a, b profile.Copy) int { return cmp.Compare(a.Bytes, b.Bytes) })
		return c.BufferBytes > 0 && c.BufferBytes < min(wording.SmallRequest, c.SourceSize)
	}
	l := p.AtCalls()
	if l == nil {
		return false
	}
	f := larger(l.Read, l.Write)
	return f != nil && f.Size.P50 > 0 && max(f.Size.P50, f.Size.ByBytes) < wording.SmallRequest
}

// slowMemory is a speed that is low for copying in memory, in bytes per second: a page fault
// into the host for each page of a virtual machine costs that.
const slowMemory = 1_000_000_000

// memorySpeed is what went through calls over the time it took; 0 if that is too little to
// tell, as where calls are small.
func memorySpeed(a *account, ns int64) int64 {
	if len(a.p.Layers) == 0 || ns <= 0 {
		return 0
	}
	var bytes, calls int64
	for _, f := range []*profile.Flow{a.p.Layers[0].Read, a.p.Layers[0].Write} {
		if f != nil && f.Bytes > bytes {
			bytes, calls = f.Bytes, f.Count
		}
	}
	if bytes < 64<<20 || bytes < calls*wording.SmallRequest {
		return 0
	}
	return int64(float64(bytes) / float64(ns) * 1e9)
}

// InMemory reports whether all that was written went to files that never reach a
// disk.
func InMemory(p *profile.Profile) bool {
	some := false
	for i := range p.Files {
		f := &p.Files[i]
		if f.Type != trace.FileRegular || f.Write == nil || f.Write.Bytes == 0 {
			continue
		}
		if !trace.InMemory(f.FSType) {
			return false
		}
		some = true
	}
	return some && p.Omitted.Files == 0
}

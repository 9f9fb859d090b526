package verdict

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// stored says that a program waited for a device's writes outside of calls: it stored to a page of a mapped file that
// had been written back, and the file system had to note that it is dirty again.
func stored(a *account, d *wording.Disk, r *profile.Reason) {
	if d.Verb != "wrote" {
		return
	}
	var waits, longest int64
	ns := a.onPath(func(x *profile.PathPart) bool {
		p := &x.Place
		if p.Call != "" || p.Helper || p.Process == "" || p.Device != d.Name || labels[p.Label] != onWrites {
			return false
		}
		waits, longest = waits+x.Count, max(longest, x.LongestNS)
		return true
	})
	f, index := writtenThroughMapping(a)
	if f == nil || 2*ns <= r.TimeNS {
		return
	}
	a.figure("stores_waited", float64(waits))
	a.figure("stores_waited_ns", float64(ns))
	a.figure("store_longest_ns", float64(longest))
	r.Text = fmt.Sprintf("stores to %s, which is mapped, waited %s for %s to write (%s at most): %s",
		wording.FileName(f.Path), unit.Things(waits, "time"), d.Name, unit.Nanoseconds(longest), r.Text)
	r.Remedy = "keep a file that is mapped and stored to on a tmpfs, or leave it out (-XX:+PerfDisableSharedMem for " +
		"Java's statistics); " + r.Remedy
	r.Evidence = append(r.Evidence, at(fmt.Sprintf("/files/%d/device_write/bytes", index), float64(f.DeviceWrite.Bytes)))
}

// writtenThroughMapping is the mapped file of which a device wrote most beyond what calls wrote to it.
func writtenThroughMapping(a *account) (*profile.File, int) {
	return most(a.p.Files, func(f *profile.File) int64 {
		mapped := slices.ContainsFunc(f.Ops, func(o profile.OpCount) bool {
			return o.Op == trace.OpMmap && o.Count > o.Errors
		})
		if !mapped || f.DeviceWrite == nil {
			return none
		}
		beyond := f.DeviceWrite.Bytes
		if f.Write != nil {
			beyond -= f.Write.Bytes
		}
		return beyond + none
	})
}

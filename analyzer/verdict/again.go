package verdict

import (
	"fmt"
	"path"
	"slices"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// forgotten gives reading again what had been read before its part of the time: the device shows which of its blocks it
// read more than once. Past the page cache nothing is meant to stay.
func forgotten(a *account, d *wording.Disk) {
	if d == nil || d.ReadPattern == nil {
		return
	}
	read, distinct := d.Flow.Bytes-d.SwapRead, d.ReadPattern.WorkingSet
	if d.PastCache(a.p) || distinct < notableBytes || float64(read) < again*float64(distinct) {
		return
	}
	r := profile.Reason{
		Code: cause.MemoryPressure, Name: "reading again", Certainty: cause.Likely,
		TimeNS: a.takeUpTo(part(a.spent[onReads], read-distinct, read), onReads),
		Text: fmt.Sprintf("%s were read from %s, though that is only %s of it: what it had read did not stay "+
			"in memory", unit.Bytes(read), d.Name, unit.Bytes(distinct)),
		Evidence: []profile.Evidence{
			at(d.Pointer+"/bytes", float64(d.Flow.Bytes)),
			at(path.Dir(d.Pointer)+"/read_pattern/working_set_bytes", float64(distinct)),
		},
		Remedy:     "more memory (or a higher limit of its cgroup), or read each block once",
		Experiment: "cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes",
	}
	if !dropped(a, d, &r) {
		confined(a, &r)
	}
	a.because(r)
}

// kept says that direct I/O asked for the same blocks again, which nothing had kept.
func kept(a *account, d *wording.Disk, r *profile.Reason) {
	if d.Verb != "read" || d.ReadPattern == nil || !d.PastCache(a.p) || d.Flow.Count < several {
		return
	}
	read, distinct := d.Flow.Bytes-d.SwapRead, d.ReadPattern.WorkingSet
	if distinct <= 0 || float64(read) < again*float64(distinct) {
		return
	}
	r.Text = fmt.Sprintf("the same %s were read until they were %s, by direct I/O, which keeps nothing: ",
		unit.Bytes(distinct), unit.Bytes(read)) + r.Text
	r.Remedy = "read each block once and keep it, or read through the page cache, which keeps it"
	r.Evidence = append(r.Evidence,
		at(path.Dir(d.Pointer)+"/read_pattern/working_set_bytes", float64(d.ReadPattern.WorkingSet)))
}

// dropped says who had what was read dropped from memory, if somebody had: the program itself, where most of what was
// read again it had given up, or, where memory is not known to have been short, anybody on the machine.
func dropped(a *account, d *wording.Disk, r *profile.Reason) bool {
	given, known := givenUp(movedOn(a, d))
	switch {
	case (given || !known) && a.gaveUp():
		r.Text += " because the program dropped it (POSIX_FADV_DONTNEED)"
		r.Remedy = "drop data after its last use, or not at all; read each block once"
		if known {
			r.Certainty = cause.Measured
		}
	case a.p.Trace.CacheDrops > 0 && (given || len(a.p.Trace.MemoryLimits) == 0):
		r.Text = fmt.Sprintf("somebody had the page cache dropped %s (drop_caches): ",
			unit.Things(a.p.Trace.CacheDrops, "time")) + r.Text
		r.Remedy = "stop what drops the caches: a cron job, a script, a benchmark"
		r.Evidence = append(r.Evidence, at("/trace/cache_drops", float64(a.p.Trace.CacheDrops)))
	case given && known:
		r.Text += " because a process that is not recorded had it dropped: the kernel took nothing for want of memory"
		r.Remedy = "find what drops it: a backup, a copy or a scanner that calls posix_fadvise(POSIX_FADV_DONTNEED)"
	default:
		return false
	}
	r.Code, r.Experiment = cause.CacheDropped, ""
	return true
}

// confined says which control group came up against its limit of memory, if any did.
func confined(a *account, r *profile.Reason) {
	if len(a.p.Trace.MemoryLimits) == 0 {
		return
	}
	l := &a.p.Trace.MemoryLimits[0]
	r.Text = fmt.Sprintf("its cgroup %s may use %s and came up against that %s: ", l.Group, unit.Bytes(l.Bytes),
		unit.Things(l.Reached, "time")) + r.Text
	r.Remedy = "a higher limit for the cgroup (memory.max; MemoryMax of systemd, --memory of docker), or read " +
		"each block once"
	r.Evidence = append(r.Evidence, at("/trace/memory_limits/0/reached", float64(l.Reached)))
	r.Certainty = cause.Measured
}

// givenUp reports whether most of what a device read again had been dropped before, and whether that is known.
func givenUp(m *profile.Moved) (most, known bool) {
	if m == nil {
		return false, false
	}
	up := m.Of(profile.AgainDropped)
	again := up + m.Of(profile.AgainEvicted) + m.Of(profile.AgainDirect)
	return 2*up > again, again > 0
}

// gaveUp reports whether the program told the kernel that it does not need what it has read.
func (a *account) gaveUp() bool {
	return slices.ContainsFunc(a.p.Calls, func(c profile.Call) bool {
		return c.Name == "fadvise64" && c.Advice["dontneed"] > 0
	})
}

// again is how many times the bytes it is of a device has to read to be reading again: blocks that hold pieces of
// several files, or of the file system's own, come twice without that.
const again = 1 + third

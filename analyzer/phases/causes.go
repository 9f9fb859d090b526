package phases

import (
	"fmt"
	"math"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// explain lists what could have caused a step, with what speaks for and
// against it in this trace, and the experiment that would decide. The shape of
// the curve alone decides nothing.
func explain(trend *measure.Trend, p *profile.Profile, changes []change, i int) {
	x := explanation{trend: trend, p: p, s: &p.ChangePoints[i], changes: changes, change: changes[i]}
	x.from, x.to = x.around()
	if x.s.Device == "" {
		x.device()
	}
	if onDrive(p, x.s) {
		x.cacheOfDrive()
		x.heat()
	}
	if throughCache(p, x.s) {
		x.pageCache()
	}
	x.limit()
	x.contention()
	x.program()
	x.s.Causes = x.causes
}

// explanation compares the phases before and after a step.
type explanation struct {
	trend    *measure.Trend
	p        *profile.Profile
	s        *profile.Step
	changes  []change // of all steps
	change            // of this one
	from, to int64    // beginning of the phase before, end of the phase after
	seen     bool     // a step of a call is one of a device too
	causes   []profile.Cause
}

func (x *explanation) around() (from, to int64) {
	for _, f := range x.p.Phases {
		if f.Series != x.s.Series || f.Device != x.s.Device {
			continue
		}
		if f.ToBytes == x.s.AtBytes {
			from = f.FromNS
		}
		if f.FromBytes == x.s.AtBytes {
			to = f.ToNS
		}
	}
	return from, to
}

// device takes over what is known of a device whose rate changed at about the
// same time.
func (x *explanation) device() {
	near := max((x.to-x.from)/20, 1)
	for i, s := range x.p.ChangePoints {
		if s.Device != "" && (s.Ratio < 1) == (x.s.Ratio < 1) && max(s.AtNS-x.s.AtNS, x.s.AtNS-s.AtNS) <= near {
			x.s.DeviceToo = x.s.DeviceToo || s.DeviceToo
			x.idle = x.changes[i].idle
			x.seen = true
		}
	}
}

func (x *explanation) add(c profile.Cause) {
	if c.For == nil {
		c.For = []string{}
	}
	if c.Against == nil {
		c.Against = []string{}
	}
	x.causes = append(x.causes, c)
}

// shares returns the part of the time that labels hold before and after.
func (x *explanation) shares(labels ...timeline.Label) (before, after float64) {
	return x.trend.Share(x.from, x.s.AtNS-1, labels...), x.trend.Share(x.s.AtNS, x.to, labels...)
}

func (x *explanation) writes() bool {
	return x.s.Series == "call write" || x.s.Series == "device write"
}

func (x *explanation) serviceTime(c *profile.Cause) {
	switch {
	case x.s.DeviceToo:
		c.For = append(c.For, "the device itself became slower: it moved fewer bytes per time in which it was busy")
	case x.s.Device != "" || x.seen:
		c.Against = append(c.Against, "while it was busy the device was about as fast as before")
	}
}

// Causes have a scale: below it they are not offered. docs/json.md says where
// the numbers come from.
const (
	fewestCached = 1_000_000_000 // bytes: the smallest fast region of a solid-state drive
	fewestInRAM  = 8 << 20       // bytes: the smallest memory of a disk
	quickestHeat = 5_000_000_000 // ns of work, after which the first drive is too hot
	fewestDirty  = 20            // a share of the memory: 1/20
)

// cacheable is how many bytes a drive must have taken before its cache can be full.
func (x *explanation) cacheable() int64 {
	for i := range x.p.Devices {
		if d := &x.p.Devices[i]; d.Rotational && (x.s.Device == "" || x.s.Device == d.Name) {
			return fewestInRAM
		}
	}
	return fewestCached
}

// warmedUp reports whether the drive can have become hot: it worked for long
// enough, or what was before the recording is not known.
func (x *explanation) warmedUp() bool {
	for _, f := range x.p.Phases {
		if f.Series == x.s.Series && f.Device == x.s.Device && f.FromBytes == 0 {
			return x.s.AtNS-f.FromNS >= quickestHeat || x.p.Trace.Scope != "command"
		}
	}
	return true
}

func (x *explanation) cacheOfDrive() {
	if !x.writes() || x.s.Ratio >= 1 || x.s.AtBytes < x.cacheable() {
		return
	}
	c := profile.Cause{
		Code: "drive_cache", Text: "the fast cache of the drive (SLC, DRAM) was full",
		Experiment: "Repeat at half the write rate: a full cache comes after the same number of bytes. Repeat after ten " +
			"minutes of rest: it has recovered.",
	}
	x.serviceTime(&c)
	if slower, known := x.readsSlower(); known && slower {
		c.Against = append(c.Against, "reads became slower at the same time, which a full write cache does not explain")
	} else if known {
		c.For = append(c.For, "reads did not become slower")
	}
	x.add(c)
}

// readsSlower reports whether a curve of reads has a step down at about the
// same time, and whether there is a curve of reads at all.
func (x *explanation) readsSlower() (slower, known bool) {
	for _, f := range x.p.Phases {
		known = known || f.Series == "device read"
	}
	near := max((x.to-x.from)/20, 1)
	for _, s := range x.p.ChangePoints {
		if s.Series == "device read" && s.Ratio < 1 && max(s.AtNS-x.s.AtNS, x.s.AtNS-s.AtNS) <= near {
			slower = true
		}
	}
	return slower, known
}

func (x *explanation) heat() {
	if x.s.Ratio >= 1 {
		return
	}
	if x.warmedUp() {
		c := profile.Cause{
			Code: "thermal", Text: "the drive, or its bridge, slowed down because it was hot",
			Experiment: "Watch the temperature (nvme smart-log, smartctl) during a repeat; at half the rate heat strikes " +
				"after more bytes, or not at all.",
		}
		x.serviceTime(&c)
		x.add(c)
	}
	c := profile.Cause{
		Code: "link_power_gc", Text: "the link fell back to a lower speed, power was saved, or the drive was cleaning up",
		Experiment: "Look for link and power messages in the kernel log; repeat after a rest and after fstrim.",
	}
	x.serviceTime(&c)
	x.add(c)
}

func (x *explanation) pageCache() {
	switch {
	case x.s.Series == "call write" && x.s.Ratio < 1 && x.buffered() && x.dirty():
		before, after := x.shares(timeline.Throttled, timeline.DeviceWrite, timeline.DeviceBoth)
		c := profile.Cause{
			Code: "dirty_limit", Text: "writes went to memory until the limit for dirty pages, then at the speed of the drive",
			Experiment: "Repeat with direct I/O, or with lower vm.dirty_bytes: the fast beginning goes away.",
		}
		x.weigh(&c, before, after, "of the time the drive was writing or the writer was held back")
		x.add(c)
	case x.s.Series == "call read" && x.buffered():
		before, after := x.shares(timeline.DeviceRead, timeline.DeviceBoth, timeline.IOWait)
		if x.s.Ratio > 1 {
			before, after = after, before
		}
		c := profile.Cause{
			Code: "page_cache", Text: "one part of the data was in memory, the other had to come from the drive",
			Experiment: "Repeat with cold caches (echo 3 > /proc/sys/vm/drop_caches): the fast part goes away.",
		}
		x.weigh(&c, before, after, "of the time was spent on reads from the drive in the fast part")
		x.add(c)
	}
}

// buffered reports whether calls went through the page cache, on one side of
// the step at least.
func (x *explanation) buffered() bool { return min(x.directBefore, x.directAfter) < .5 }

// dirty reports whether so much was written that a limit for dirty pages can
// have been reached, or the writer was held back.
func (x *explanation) dirty() bool {
	_, after := x.shares(timeline.Throttled)
	return after > .05 || x.s.AtBytes >= int64(x.p.Trace.MemoryBytes)/fewestDirty
}

// weigh records shares that a cause would have raised.
func (x *explanation) weigh(c *profile.Cause, before, after float64, what string) {
	text := fmt.Sprintf("%s %s, then %s", wording.Share(before), what, wording.Share(after))
	if after > before+.1 {
		c.For = append(c.For, text)
	} else {
		c.Against = append(c.Against, text)
	}
}

func (x *explanation) limit() {
	if x.s.Ratio >= 1 {
		return
	}
	c := profile.Cause{
		Code: "rate_limit", Text: "a limit was set or reached: a cgroup's io.max, a hypervisor's or a cloud volume's quota",
		Experiment: "Look at io.max of the cgroup and at the volume's quota; repeat outside of them.",
	}
	_, waited := x.shares(timeline.IOWait, timeline.Queued, timeline.Throttled, timeline.Blocked, timeline.Draining)
	others := x.trend.ForeignRate(x.s.AtNS, x.to)
	switch known, lowered := x.s.Device != "" || x.seen, x.lowered(); {
	case known && others > 2*x.s.After && x.s.After > 0:
		c.Against = append(c.Against, fmt.Sprintf("others moved %s meanwhile: requests had to wait for theirs",
			wording.Speed(others)))
	case lowered != "":
		c.Text, c.For = lowered, []string{"that limit is in the recording"}
	case known && x.idle > .5 && waited > .5:
		c.For = append(c.For, fmt.Sprintf("after the step no request of the workload was at the device for %s of the time, "+
			"while %s of the time was spent waiting for I/O, or writing back: "+
			"something above the device held them back", wording.Share(x.idle), wording.Share(waited)))
	case known && x.idle <= .5:
		c.Against = append(c.Against, fmt.Sprintf("after the step the device was busy for %s of the time: a limit above it "+
			"would leave it idle (a hypervisor's quota would not)", wording.Share(1-x.idle)))
	case known:
		c.Against = append(c.Against, fmt.Sprintf("after the step only %s of the time was spent waiting for I/O",
			wording.Share(waited)))
	}
	x.add(c)
}

func (x *explanation) contention() {
	if x.s.Ratio >= 1 {
		return
	}
	before, after := x.trend.ForeignRate(x.from, x.s.AtNS-1), x.trend.ForeignRate(x.s.AtNS, x.to)
	c := profile.Cause{
		Code: "contention", Text: "others used the device at the same time",
		Experiment: "Repeat with nothing else running; `iotrace record --all` shows who it was.",
	}
	text := fmt.Sprintf("requests of others: %.1f MB/s before, %.1f MB/s after", float64(before)/1e6, float64(after)/1e6)
	if float64(after-before) > .1*float64(x.s.Before-x.s.After) {
		c.For = append(c.For, text)
	} else {
		c.Against = append(c.Against, text)
	}
	x.add(c)
}

func (x *explanation) program() {
	if was, is := x.sizeBefore, x.sizeAfter; was > 0 && (is < was/2 || is > was*2) {
		c := profile.Cause{
			Code: "block_size", Text: "the size of the operations changed",
			For:        []string{fmt.Sprintf("%s on average before, %s after", unit.BlockSize(was), unit.BlockSize(is))},
			Experiment: "See in the report which files and calls follow the step; compare with `iotrace bench` at both sizes.",
		}
		x.add(c)
	}
	if was, is := x.directBefore, x.directAfter; x.s.Device == "" && math.Abs(is-was) > .5 {
		x.add(profile.Cause{
			Code: "cache_mode", Text: "the program changed between the page cache and direct I/O",
			For:        []string{fmt.Sprintf("%s of the bytes direct before, %s after", wording.Share(was), wording.Share(is))},
			Experiment: "None needed: these are two ways of doing I/O, each with its own speed.",
		})
	}
	labels := []timeline.Label{timeline.CPU, timeline.Waiting, timeline.Outside, timeline.Metadata}
	what := "of the time in the faster part was spent outside of data calls"
	if x.s.Device != "" {
		labels = append(labels, timeline.PageCache, timeline.Ready)
		what = "of the time in the faster part the program ran, or copied in memory, while the device was idle"
	}
	before, after := x.shares(labels...)
	if x.s.Ratio > 1 {
		before, after = after, before
	}
	c := profile.Cause{
		Code: "program", Text: "the program asked for less: it computed, waited for something else, or went on to smaller " +
			"files",
		Experiment: "Look at the time stack and the block sizes before and after the step in the report.",
	}
	x.weigh(&c, before, after, what)
	x.add(c)
}

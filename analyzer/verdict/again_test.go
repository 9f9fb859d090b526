package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// reread is a second in which a device read 300 MB, of which so much is distinct.
func reread(distinct int64) *profile.Profile {
	p := spent(map[string]int64{"device_read": second}, nil)
	p.Devices = []profile.Device{{
		Name: "sda", Level: 1, ReadPattern: &profile.AccessPattern{WorkingSet: distinct},
		Read: &profile.Flow{Count: 300, Bytes: 300e6, Depth: profile.Depth{MeanBusy: 1, BusyNS: second}},
	}}
	return p
}

// What a device read twice had not stayed in memory, whichever files it belongs to: of many small ones as of mapped
// ones. Distinct blocks are none of that, nor what is meant to go past memory. Where it was dropped, memory need not
// have been short.
func TestReadAgain(t *testing.T) {
	for _, c := range []struct {
		name     string
		distinct int64
		change   func(*profile.Profile)
		want     string
	}{
		{"many files", 100e6, func(*profile.Profile) {}, cause.MemoryPressure},
		{"a mapped file", 100e6, func(p *profile.Profile) {
			p.Files = []profile.File{{Path: "/f", Faults: &profile.FaultCount{Count: 9, TimeNS: second}}}
		}, cause.MemoryPressure},
		{"all distinct", 290e6, func(*profile.Profile) {}, cause.DeviceLatency},
		{"given up by the program", 100e6, func(p *profile.Profile) {
			p.Calls = []profile.Call{{Op: trace.OpAdvise, Name: "fadvise64", Advice: map[string]int64{"dontneed": 3}}}
		}, cause.CacheDropped},
		{"another file given up", 100e6, func(p *profile.Profile) {
			p.Calls = []profile.Call{{Op: trace.OpAdvise, Name: "fadvise64", Advice: map[string]int64{"dontneed": 3}}}
			p.Amounts = again(profile.AgainEvicted)
		}, cause.MemoryPressure},
		{"dropped by anybody", 100e6, func(p *profile.Profile) { p.Trace.CacheDrops = 2 }, cause.CacheDropped},
		{"dropped by anybody, and read once", 290e6, func(p *profile.Profile) { p.Trace.CacheDrops = 2 },
			cause.DeviceLatency},
		{"dropped, but there is a limit", 100e6, func(p *profile.Profile) {
			p.Trace.CacheDrops, p.Trace.MemoryLimits = 1, []profile.MemoryLimit{{Group: "/web", Bytes: 40e6, Reached: 700}}
		}, cause.MemoryPressure},
		{"past the page cache", 100e6, func(p *profile.Profile) {
			p.Pattern.Modes = &profile.CacheModes{DirectRead: 300e6}
		}, cause.DeviceLatency},
	} {
		p := reread(c.distinct)
		c.change(p)
		v := verdict.Judge(p)
		if v.Causes[0].Code != c.want {
			t.Errorf("%s: %+v", c.name, v.Causes)
		}
	}
}

// Direct I/O that asks for the same blocks again gets them from the drive again, however few they are; where all are
// distinct, or what reads again does so through the page cache, that is not said.
func TestDirectReadsOfTheSame(t *testing.T) {
	for _, c := range []struct {
		name     string
		distinct int64
		modes    profile.CacheModes
		depth    float64
		want     bool
	}{
		{"a few blocks", 8192, profile.CacheModes{DirectRead: 300e6}, 1, true},
		{"by many at once", 100e6, profile.CacheModes{DirectRead: 300e6}, 8, true},
		{"all distinct", 290e6, profile.CacheModes{DirectRead: 300e6}, 1, false},
		{"a few through the page cache", 8192, profile.CacheModes{BufferedRead: 300e6}, 1, false},
	} {
		p := reread(c.distinct)
		p.Pattern.Modes, p.Pattern.CallDepth.MeanBusy = &c.modes, c.depth
		p.Devices[0].Read.Depth.MeanBusy = c.depth
		p.Devices[0].Read.Latency = profile.Dist{Min: 1e6, P50: 9e6}
		got := verdict.Judge(p).Causes[0]
		if strings.Contains(got.Text, "by direct I/O, which keeps nothing") != c.want ||
			strings.Contains(got.Remedy, "keep it") != c.want {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// again is what the device read once more, for one reason.
func again(code string) profile.Amounts {
	return profile.Amounts{Devices: []profile.Amount{{Name: "sda", Read: profile.Moved{Device: 300e6,
		Reasons: []profile.Part{{Code: code, Bytes: 200e6}}}}}}
}

// What a program gave up is measured where it is known that this is what came in again.
func TestReadAgainWhatWasGivenUp(t *testing.T) {
	p := reread(100e6)
	p.Calls = []profile.Call{{Op: trace.OpAdvise, Name: "fadvise64", Advice: map[string]int64{"dontneed": 3}}}
	for _, sureness := range []string{cause.Likely, cause.Measured} {
		c := verdict.Judge(p).Causes[0]
		if c.Code != cause.CacheDropped || !sure(&c, sureness) {
			t.Errorf("%s: %+v", sureness, c)
		}
		p.Amounts = again(profile.AgainDropped)
	}
}

// A control group that came up against its limit is named, and then it is known that memory was short.
func TestReadAgainForALimit(t *testing.T) {
	p := reread(100e6)
	if c := verdict.Judge(p).Causes[0]; !sure(&c, cause.Likely) {
		t.Errorf("without a limit: %s", c.Certainty)
	}
	p.Trace.MemoryLimits = []profile.MemoryLimit{{Group: "/web", Bytes: 40e6, Reached: 700}}
	c := verdict.Judge(p).Causes[0]
	if !sure(&c, cause.Measured) || !strings.Contains(c.Text,
		"/web may use 40.0 MB and came up against that 700 times") {
		t.Errorf("%+v", c)
	}
}

// The journal that a sync has written is the sync's, however much data each sync writes; the data is the device's.
func TestJournalOfSyncs(t *testing.T) {
	for _, c := range []struct {
		name string
		meta bool
		want string
	}{{"journal", true, cause.Sync}, {"data", false, cause.DeviceBandwidth}} {
		p := spent(map[string]int64{"device_write": second}, nil)
		p.Calls = []profile.Call{{Op: trace.OpDataSync, Name: "fdatasync", Count: 10, TimeNS: second}}
		p.Devices = []profile.Device{{Name: "sda", Level: 1, Write: &profile.Flow{Count: 100, Bytes: 100e6,
			Latency: profile.Dist{Min: 1e6, P50: 9e6}, Depth: profile.Depth{MeanBusy: 3, BusyNS: second}}}}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: second, Count: 9, Place: profile.PathPlace{
			What: "service", Label: "device_write", Call: "datasync", Request: "write", Meta: c.meta}}}}
		if v := verdict.Judge(p); v.Causes[0].Code != c.want {
			t.Errorf("%s: %+v", c.name, v.Causes)
		}
	}
}

// A program that waits for its ring waits for a sync, if that is what most operations of the ring are.
func TestSyncsOfARing(t *testing.T) {
	for _, c := range []struct {
		op   trace.Op
		want string
	}{{trace.OpDataSync, cause.Sync}, {trace.OpWrite, cause.DeviceLatency}} {
		p := spent(map[string]int64{"device_write": second}, nil)
		p.Calls = []profile.Call{{Op: trace.OpUringEnter, Name: "io_uring_enter", Count: 50, TimeNS: second},
			{Op: c.op, Name: "io_uring", Async: true, Count: 50, TimeNS: second},
			{Op: trace.OpSync, Name: "fsync", Count: 1}}
		p.Devices = []profile.Device{{Name: "sda", Level: 1, Write: &profile.Flow{Count: 100, Bytes: 1e6,
			Depth: profile.Depth{MeanBusy: 1, BusyNS: second}}}}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: second, Place: profile.PathPlace{
			What: "service", Label: "device_write", Call: "uring_enter", Request: "write"}}}}
		if v := verdict.Judge(p); v.Causes[0].Code != c.want {
			t.Errorf("%s: %+v", c.op, v.Causes)
		}
	}
}

// TestQueuedFlush: a flush that the block layer holds until another one has ended is time in the sync; writes that it
// holds there are held back by something.
func TestQueuedFlush(t *testing.T) {
	for request, want := range map[string]string{"flush": cause.Sync, "write": cause.LimitAbove} {
		p := spent(map[string]int64{"queued": second}, nil)
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: second, Count: 1, Place: profile.PathPlace{
			What: "queued", Label: "queued", Call: "sync", Device: "vda", Request: request}}}}
		for _, n := range []int64{1, 9} {
			p.Calls = []profile.Call{{Name: "fsync", Op: trace.OpSync, Count: n, TimeNS: second}}
			c := verdict.Judge(p).Causes
			if len(c) != 1 || c[0].Code != want {
				t.Fatalf("a %s in the queue: %+v, want %s", request, c, want)
			}
			if batch := strings.Contains(c[0].Remedy, "per sync"); want == cause.Sync && batch != (n > 1) {
				t.Errorf("%d syncs: %s", n, c[0].Remedy)
			}
		}
	}
}

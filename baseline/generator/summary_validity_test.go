package generator

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/stats"
)

// run is one of 10,000 operations of 4 KiB in a second, all of which reached the device, where on average depth of them
// were in flight.
func run(depth float64, cpu, ready int64) baseline.RunResult {
	const ops = 10000
	return baseline.RunResult{
		Counted: true, ActiveNS: 1e9, ReadOps: ops, ReadBytes: ops * 4096, Achieved: 3.99, CPUNS: cpu, ReadyNS: ready,
		Rate: ops * 4096, Device: &baseline.DeviceUse{Device: "vda", Reads: ops, ReadBytes: ops * 4096, MeanDepth: depth},
	}
}

func result(l *stepLog, runs ...baseline.RunResult) baseline.StepResult {
	for _, r := range runs {
		l.Add(r, &[2]stats.Histogram{})
	}
	return l.Result(baseline.Original{Pick: baseline.PickSingle, Factor: 1})
}

// A device with fewer requests than were outstanding makes a result invalid unless the processor explains it.
func TestDepthAtTheDevice(t *testing.T) {
	for name, c := range map[string]struct {
		run   baseline.RunResult
		valid bool
		says  string
	}{
		"all of them":              {run(3.8, 0.2e9, 0), true, ""},
		"a busy processor":         {run(1.2, 0.9e9, 0), true, "as it limits the original"},
		"processors of others":     {run(1.2, 0.2e9, 0.9e9), true, "other programs had the CPUs"},
		"calls that do not return": {run(1, 0.05e9, 0), false, "waited elsewhere"},
	} {
		l := &stepLog{Step: baseline.Step{Op: baseline.Read, Depth: 4, Threads: 1, Cache: baseline.Direct}}
		s := result(l, c.run)
		text := ""
		for _, w := range s.Warnings {
			text += w.Text + "\n"
		}
		if s.Depth.Valid != c.valid || s.Invalid != "" || !strings.Contains(text, c.says) {
			t.Errorf("%s: %+v %q\n%s", name, s.Depth, s.Invalid, text)
		}
		if c.says == "" && strings.Contains(text, "in flight") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// A pass of a few large blocks ends with fewer outstanding than it began with.
func TestDepthOfAFewOperations(t *testing.T) {
	for _, c := range []struct {
		ops      int64
		achieved float64
		valid    bool
	}{{4, 2.4, true}, {8, 3.1, true}, {1, 1, false}, {4, 1, false}, {10000, 3.1, false}} {
		r := run(4, 0, 0)
		r.ReadOps, r.Achieved, r.Device = c.ops, c.achieved, nil
		l := &stepLog{Step: baseline.Step{Op: baseline.Read, Depth: 4, Threads: 1, Cache: baseline.Direct}}
		if s := result(l, r); s.Depth.Valid != c.valid {
			t.Errorf("%d operations, %.1f outstanding: %+v", c.ops, c.achieved, s.Depth)
		}
	}
}

// Results without a counted run, of a bench that was cut short, can be printed as JSON.
func TestNoRuns(t *testing.T) {
	r := run(4, 0, 0)
	r.Counted = false
	for _, runs := range [][]baseline.RunResult{nil, {r}} {
		s := result(&stepLog{Step: baseline.Step{Op: baseline.Read, Depth: 4, Threads: 1, Cache: baseline.Direct}}, runs...)
		if _, err := json.Marshal(s); err != nil {
			t.Error(err)
		}
	}
}

// passes is a run over a file so many times, of which the device saw the first.
func passes(n int64) baseline.RunResult {
	r := run(3.8, 0.2e9, 0)
	use := *r.Device
	r.ReadBytes, use.ReadBytes = n*1e9, 1e9
	r.Device = &use
	return r
}

// A line that falls gives no speed.
func TestFallingLine(t *testing.T) {
	line := sizeTimeOf([]baseline.FileTime{{Bytes: 1e6, NS: 3e8}, {Bytes: 2e6, NS: 2e8}, {Bytes: 3e6, NS: 1e8},
		{Bytes: 4e6, NS: 9e7}})
	if line.TheilSen != 0 || line.OLS != 0 || line.Low < 0 || line.High < 0 {
		t.Errorf("%+v", line)
	}
}

// Direct I/O that did not reach a device is no measurement of it.
func TestUnreachedDevice(t *testing.T) {
	cached := run(0, 0.9e9, 0)
	cached.Device.Reads, cached.Device.ReadBytes = 3, 3*4096
	unknown := run(0, 0.9e9, 0)
	unknown.Device = nil
	for name, c := range map[string]struct {
		cache   baseline.Cache
		fs      string
		device  string
		run     baseline.RunResult
		invalid string
	}{
		"reached":                {baseline.Direct, "ext4", "vda", run(3.8, 0.2e9, 0), ""},
		"from memory":            {baseline.Direct, "ext4", "vda", cached, "12.3 kB came from vda"},
		"through the cache":      {baseline.Buffered, "ext4", "vda", cached, ""},
		"tmpfs":                  {baseline.Direct, "tmpfs", "", unknown, "memory"},
		"fuse":                   {baseline.Direct, "fuse.mergerfs", "", unknown, "its daemon"},
		"fuse on a device":       {baseline.Direct, "fuseblk", "sdb1", run(3.8, 0.2e9, 0), ""},
		"fuse, the second pass":  {baseline.Direct, "fuseblk", "sdb1", passes(2), "its daemon answered the rest"},
		"fuse, the tenth pass":   {baseline.Direct, "fuseblk", "sdb1", passes(10), "its daemon answered the rest"},
		"ext4, ten times a file": {baseline.Direct, "ext4", "sdb1", passes(10), ""},
		"nothing is known (nfs)": {baseline.Direct, "nfs4", "", unknown, ""},
	} {
		l := &stepLog{Step: baseline.Step{Op: baseline.Read, Depth: 4, Threads: 1, Cache: c.cache},
			Place: baseline.Place{FSType: c.fs, Device: c.device}}
		if s := result(l, c.run); (s.Invalid == "") != (c.invalid == "") || !strings.Contains(s.Invalid, c.invalid) {
			t.Errorf("%s: %q", name, s.Invalid)
		}
	}
}

// Causes are named of a rate that fell, never of one that rose.
func TestNoCauseForARise(t *testing.T) {
	for _, rises := range []bool{false, true} {
		r := run(3.8, 0.2e9, 0)
		c := baseline.Change{Bytes: 1e6, NS: 1e8, Before: 2e8, After: 1e8}
		if rises {
			c.Before, c.After = c.After, c.Before
		}
		r.Changes = []baseline.Change{c}
		s := result(&stepLog{Step: baseline.Step{Op: baseline.Read, Depth: 4, Threads: 1, Cache: baseline.Direct}}, r)
		for _, w := range s.Warnings {
			if w.Code == "changes" && strings.Contains(w.Text, "heat") == rises {
				t.Errorf("rises %v: %s", rises, w.Text)
			}
		}
	}
}

// Every warning comes out, also one whose code is in no list; of one code the last.
func TestWarnings(t *testing.T) {
	l := stepLog{Step: baseline.Step{Op: baseline.Read}}
	l.Warn("of tomorrow", "a")
	l.Warn("undone", "b")
	l.Warn("undone", "c")
	l.Warn("purge", "d")
	var got []string
	for _, w := range result(&l, run(1, 0, 0)).Warnings {
		got = append(got, w.Code+" "+w.Text)
	}
	text := strings.Join(got, "; ")
	if !strings.HasPrefix(text, "undone c; ") || !strings.HasSuffix(text, "; purge d; of tomorrow a") {
		t.Error(text)
	}
}

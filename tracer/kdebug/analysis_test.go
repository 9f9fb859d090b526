package kdebug_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/kdebug/kdsim"
	"github.com/iotrace/iotrace/tracer/machine"
)

// analyze stores what the decoder makes of a machine's records, and analyses it.
func analyze(t *testing.T, m *kdsim.Machine, scope tracer.Scope) *analyzer.Profile {
	t.Helper()
	return analyzeOn(t, m, scope, nil)
}

// analyzeOn is analyze with a system that can be asked.
func analyzeOn(t *testing.T, m *kdsim.Machine, scope tracer.Scope, sys machine.System) *analyzer.Profile {
	t.Helper()
	devices := disk
	if sys != nil {
		devices = sys.Devices()
	}
	name := filepath.Join(t.TempDir(), "mac.iotrace")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := trace.NewWriter(f, trace.Header{Tool: "test", Backend: "kdebug", OS: "darwin", WallStart: time.Unix(1_800_000_000, 0),
		Scope: "name", Calls: kdebug.Names(), Limits: kdebug.Limits()})
	if err != nil {
		t.Fatal(err)
	}
	d := kdebug.NewDecoder(kdebug.Config{Scope: scope, Timebase: m.Timebase, Start: m.Base, Machine: sys, Now: func() int64 { return 0 },
		Devices: devices}, w)
	for i := range devices {
		if err := w.Device(&devices[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Seed(m.Entries); err != nil {
		t.Fatal(err)
	}
	records := m.Records()
	if err := d.Decode(kdsim.Bytes(records)); err != nil {
		t.Fatal(err)
	}
	end := trace.End{Duration: ns(int64(records[len(records)-1].Time-m.Base)) + 1, CommandEnd: -1, Durable: -1, ExitCode: -1, Reason: "duration"}
	if err := w.Close(end); err != nil {
		t.Fatal(err)
	}
	p, err := analyzer.Analyze(name, analyzer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// copyOf finds the one copy to a destination.
func copyOf(t *testing.T, p *analyzer.Profile, destination string) *analyzer.Copy {
	t.Helper()
	for i := range p.Copies {
		if p.Copies[i].Destination == destination {
			return &p.Copies[i]
		}
	}
	t.Fatalf("no copy to %s among %+v", destination, p.Copies)
	return nil
}

// From a Mac's records to the report: each way of copying is told as what it
// was.
func TestCopiesOfAMacAreRecognised(t *testing.T) {
	const size = 7*mib + 123
	for _, test := range []struct {
		name, method, destination string
		buffer                    int64
		copy                      func(m *kdsim.Machine, t *kdsim.Thread)
		check                     func(c *analyzer.Copy) bool
	}{
		{"cp, an fcopyfile loop in blocks of the file system", "read_write", "/Volumes/Ext/b.mov", mib,
			func(_ *kdsim.Machine, t *kdsim.Thread) { t.Copyfile("/Users/u/a.mov", "/Volumes/Ext/b.mov", mib) },
			func(c *analyzer.Copy) bool { return c.Preallocated && !c.DirectSource }},
		{"Finder's helper, uncached and fully synced", "read_write", "/Volumes/Ext/b.mov", 8 * mib,
			func(_ *kdsim.Machine, t *kdsim.Thread) { t.FinderCopy("/Users/u/a.mov", "/Volumes/Ext/b.mov", 8*mib) },
			func(c *analyzer.Copy) bool {
				return c.DirectSource && c.DirectDestination && c.Syncs == 1 && c.DeviceReadBytes == size && c.DeviceWriteBytes == size
			}},
		{"rsync, renamed into place", "read_write", "/Volumes/Ext/b.mov", 32 << 10,
			func(_ *kdsim.Machine, t *kdsim.Thread) { t.Rsync("/Users/u/a.mov", "/Volumes/Ext/b.mov") },
			func(c *analyzer.Copy) bool { return c.Renamed }},
		{"a clone, of a file whose size was seen", "clonefile", "/Users/u/clone.mov", size,
			func(_ *kdsim.Machine, t *kdsim.Thread) {
				t.Copyfile("/Users/u/a.mov", "/Users/u/b.mov", mib)
				t.Clonefile("/Users/u/b.mov", "/Users/u/clone.mov")
			},
			func(c *analyzer.Copy) bool { return c.DeviceWriteBytes == 0 }},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, _ := kdsim.New()
			m.MakeFile("/Users/u/a.mov", size)
			m.MakeFile("/Volumes/Ext/other", 1)
			helper := m.Running("DesktopServicesHelper", "/")
			test.copy(m, helper)
			c := copyOf(t, analyze(t, m, tracer.Scope{Names: []string{"DesktopServicesHelper"}}), test.destination)
			if c.Method != test.method || c.Bytes != size || c.BufferBytes != test.buffer || !test.check(c) {
				t.Errorf("%+v", *c)
			}
		})
	}
}

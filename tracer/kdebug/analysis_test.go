package kdebug_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/report/text"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/kdebug/kdsim"
	"github.com/iotrace/iotrace/tracer/machine"
)

// analyze stores what the decoder makes of a machine's records, and analyses it.
func analyze(t *testing.T, m *kdsim.Machine, scope tracer.Scope) *profile.Profile {
	t.Helper()
	return analyzeOn(t, m, scope, nil)
}

// analyzeOn is analyze with a system that can be asked.
func analyzeOn(t *testing.T, m *kdsim.Machine, scope tracer.Scope, sys machine.System) *profile.Profile {
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
	w, err := tracefile.NewWriter(f, trace.Header{Tool: "test", Backend: "kdebug", OS: "darwin",
		WallStart: time.Unix(1_800_000_000, 0), Scope: "name", Calls: kdebug.Names(), Limits: kdebug.Limits(m.Model)})
	if err != nil {
		t.Fatal(err)
	}
	d := kdebug.NewDecoder(kdebug.Config{Scope: scope, Timebase: m.Timebase, Start: m.Base, Machine: sys,
		Now: func() int64 { return 0 }, Devices: devices}, w)
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
	end := trace.End{Duration: m.Nanoseconds(int64(records[len(records)-1].Time-m.Base)) + 1, CommandEnd: -1, Durable: -1,
		ExitCode: -1, Reason: "duration"}
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
func copyOf(t *testing.T, p *profile.Profile, destination string) *profile.Copy {
	t.Helper()
	for i := range p.Copies {
		if p.Copies[i].Destination == destination {
			return &p.Copies[i]
		}
	}
	t.Fatalf("no copy to %s among %+v", destination, p.Copies)
	return nil
}

// A clone of a file that nobody asked the size of is a copy like any other; its
// size is told to be unknown.
func TestACloneOfUnknownSizeIsListed(t *testing.T) { onBothMacs(t, aCloneOfUnknownSizeIsListed) }

func aCloneOfUnknownSizeIsListed(t *testing.T, mac macos.Model) {
	m, _ := kdsim.New(mac)
	m.MakeFile("/Users/u/a.mov", 7*mib)
	m.MakeFile("/Users/u/b.mov", 7*mib)
	helper := m.Running("DesktopServicesHelper", "/")
	helper.Clonefile("/Users/u/a.mov", "/Users/u/x/a.mov")
	helper.Clonefile("/Users/u/b.mov", "/Users/u/x/b.mov")
	p := analyze(t, m, tracer.Scope{Names: []string{"DesktopServicesHelper"}})
	c := copyOf(t, p, "/Users/u/x/a.mov")
	if c.Method != "clonefile" || !c.SizeUnknown || c.Bytes != 0 || c.Source != "/Users/u/a.mov" || c.Evidence != "call" ||
		len(c.Processes) != 1 ||
		c.WallNS <= 0 || c.DurableNS != profile.Unknown {
		t.Errorf("%+v", *c)
	}
	if g := p.CopyGroups; len(g) != 1 || g[0].Files != 2 || g[0].Sizes.Count != 0 {
		t.Errorf("groups %+v", g)
	}
	var b strings.Builder
	if err := text.Profile(&b, p, text.Options{Width: 250, Full: true}); err != nil {
		t.Fatal(err)
	}
	shown := strings.Join(strings.Fields(b.String()), " ")
	for _, w := range []string{"Copied 2 files, size unknown, clonefile (shared blocks)",
		"size unknown /Users/u/a.mov → /Users/u/x/a.mov",
		"a.mov shares the data of its source (clonefile); its size is unknown"} {
		if !strings.Contains(shown, w) {
			t.Errorf("show does not say %q:\n%s", w, b.String())
		}
	}
}

// From a Mac's records to the report: each way of copying is told as what it
// was.
func TestCopiesOfAMacAreRecognised(t *testing.T) { onBothMacs(t, copiesOfAMacAreRecognised) }

func copiesOfAMacAreRecognised(t *testing.T, mac macos.Model) {
	const size = 7*mib + 123
	for _, test := range []struct {
		name, method, destination string
		buffer                    int64
		copy                      func(m *kdsim.Machine, t *kdsim.Thread)
		check                     func(c *profile.Copy) bool
	}{
		{"cp, an fcopyfile loop in blocks of the file system", "read_write", "/Volumes/Ext/b.mov", mib,
			func(_ *kdsim.Machine, t *kdsim.Thread) { t.Copyfile("/Users/u/a.mov", "/Volumes/Ext/b.mov", mib) },
			func(c *profile.Copy) bool { return c.Preallocated && !c.DirectSource }},
		{"Finder's helper, uncached and fully synced", "read_write", "/Volumes/Ext/b.mov", 8 * mib,
			func(_ *kdsim.Machine, t *kdsim.Thread) { t.FinderCopy("/Users/u/a.mov", "/Volumes/Ext/b.mov", 8*mib) },
			func(c *profile.Copy) bool {
				return c.DirectSource && c.DirectDestination && c.Syncs == 1 && c.DeviceReadBytes == size &&
					c.DeviceWriteBytes == size
			}},
		{"rsync, renamed into place", "read_write", "/Volumes/Ext/b.mov", 32 << 10,
			func(_ *kdsim.Machine, t *kdsim.Thread) { t.Rsync("/Users/u/a.mov", "/Volumes/Ext/b.mov") },
			func(c *profile.Copy) bool { return c.Renamed }},
		{"a clone, of a file whose size was seen", "clonefile", "/Users/u/clone.mov", size,
			func(_ *kdsim.Machine, t *kdsim.Thread) {
				t.Copyfile("/Users/u/a.mov", "/Users/u/b.mov", mib)
				t.Clonefile("/Users/u/b.mov", "/Users/u/clone.mov")
			},
			func(c *profile.Copy) bool { return c.DeviceWriteBytes == 0 }},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, _ := kdsim.New(mac)
			m.MakeFile("/Users/u/a.mov", size)
			m.MakeFile("/Volumes/Ext/other", 1)
			helper := m.Running("DesktopServicesHelper", "/")
			test.copy(m, helper)
			c := copyOf(t, analyze(t, m, tracer.Scope{Names: []string{"DesktopServicesHelper"}}), test.destination)
			if string(c.Method) != test.method || c.Bytes != size || c.BufferBytes != test.buffer || !test.check(c) {
				t.Errorf("%+v", *c)
			}
		})
	}
}

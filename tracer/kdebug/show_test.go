package kdebug_test

import (
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/report/text"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/kdebug/kdsim"
	"github.com/iotrace/iotrace/tracer/machine"
)

// container is a Mac with one APFS container: what diskutil says of it. Files have
// the size that it was asked for last.
type container struct{ size int64 }

func (m container) Identify(f *trace.File) {
	f.Size, f.Type, f.Device, f.Inode = m.size, trace.FileRegular, disk[0].ID, uint64(f.ID)
}
func (container) Resolve(string) string                       { return "" }
func (container) Inspect(uint32) (p machine.Process, ok bool) { return p, false }
func (container) Processes() []machine.Process                { return nil }
func (container) Threads(uint32) []uint64                     { return nil }
func (container) Devices() []trace.Device {
	id := func(minor uint32) trace.DeviceID { return trace.MakeDeviceID(1, minor) }
	return []trace.Device{
		{ID: id(1), Name: "disk0", Model: "APPLE SSD", LogicalBlock: 4096, Size: 1 << 40},
		{ID: id(2), Name: "disk0s2", LogicalBlock: 4096, Size: 1 << 40, Parents: []trace.DeviceID{id(1)}},
		{ID: id(3), Name: "disk3", LogicalBlock: 4096, Size: 1 << 40, Parents: []trace.DeviceID{id(2)}}, // synthesized
		{ID: disk[0].ID, Name: "disk3s5", LogicalBlock: 4096, Size: 1 << 40, Parents: []trace.DeviceID{id(3)}},
	}
}

// What is particular to a Mac, from its records to what show prints. A line is
// given by its words; blanks between them are the table's.
func TestShowOfAMac(t *testing.T) { onBothMacs(t, showOfAMac) }

func showOfAMac(t *testing.T, mac macos.Model) {
	const size = 7*mib + 123
	for _, test := range []struct {
		name string
		run  func(m *kdsim.Machine, t *kdsim.Thread)
		want []string
		not  []string
		// flushes are the words for what only an Intel Mac logs.
		flushes []string
	}{
		{"a clone moves no data", func(_ *kdsim.Machine, t *kdsim.Thread) { t.Clonefile("/Users/u/a.mov", "/Users/u/b.mov") },
			[]string{"The program moved no data.", "clonefile", "/Users/u/a.mov → /Users/u/b.mov"}, []string{"read_write"}, nil},
		{"cp is an fcopyfile loop in blocks of f_iosize", func(_ *kdsim.Machine, t *kdsim.Thread) {
			t.Copyfile("/Users/u/a.mov", "/Volumes/Ext/b.mov", mib)
		},
			[]string{"read and write calls of 1 MiB, one at a time", "preallocated", "fcntl(F_PREALLOCATE)",
				"/Users/u/a.mov → /Volumes/Ext/b.mov"}, []string{"direct"}, nil},
		{"Finder's helper, uncached, on an APFS volume", func(_ *kdsim.Machine, t *kdsim.Thread) {
			t.FinderCopy("/Users/u/a.mov", "/Volumes/Ext/b.mov", mib)
		},
			[]string{"DesktopServices (pid 101)", "direct", "fcntl(F_NOCACHE)", "fcntl(F_FULLFSYNC)",
				"the partition itself (disk3s5) read 7.34 MB and wrote 7.34 MB", "disk3s5 partition read 8 7.34",
				"disk3s5 partition write 8 7.34"}, nil, []string{"disk3s5 partition flush 1"}},
		{"a request that failed", func(_ *kdsim.Machine, t *kdsim.Thread) {
			fd := t.Open("/Users/u/a.mov", 0)
			t.Disk("/Users/u/a.mov", true, 1<<20, 100, 5)
			t.Disk("/Users/u/a.mov", true, 1<<20, 100, 0)
			t.Read(fd, 1<<20)
			t.Close(fd)
		}, []string{"disk3s5: 1 request failed with EIO", "count errors", "disk3s5 partition read 2 1 1.05"}, nil, nil},
		{"fsync alone leaves data in the drive", func(_ *kdsim.Machine, t *kdsim.Thread) {
			fd := t.Open("/Volumes/Ext/db", kdsim.ORdwr|kdsim.OCreat)
			for range 3 {
				t.Write(fd, 4096)
				t.OnFD("fsync", fd)
			}
			t.Fcntl(fd, 85, 0, "F_BARRIERFSYNC")
			t.Close(fd)
		}, []string{"3 fsyncs and 1 F_BARRIERFSYNC, which keeps order only, and no F_FULLFSYNC: on a Mac the data may " +
			"still be in the drive's cache"},
			[]string{"empties its cache"}, nil},
		{"fsync, a barrier and a full sync are three calls", func(m *kdsim.Machine, t *kdsim.Thread) {
			fd := t.Open("/Volumes/Ext/db", kdsim.ORdwr|kdsim.OCreat)
			t.Write(fd, 4096)
			t.OnFD("fsync", fd)
			t.Fcntl(fd, 85, 0, "F_BARRIERFSYNC")
			t.FullSync(fd, m.Ticks(time.Millisecond))
			t.Close(fd)
		}, []string{"fcntl(F_BARRIERFSYNC)", "fcntl(F_FULLFSYNC)",
			"1 F_FULLFSYNC, in which the drive empties its cache, took 1.00 ms in all"}, []string{"no F_FULLFSYNC"},
			[]string{"device flushing or discarding", "disk3s5 partition flush 1 - - 1,000 - 1 1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, _ := kdsim.New(mac)
			m.MakeFile("/Users/u/a.mov", size)
			m.MakeFile("/Volumes/Ext/other", 1)
			helper := m.Running("DesktopServicesHelper", "/")
			test.run(m, helper)
			var b strings.Builder
			p := analyzeOn(t, m, tracer.Scope{Names: []string{"Finder", "DesktopServicesHelper"}}, container{size})
			if err := text.Profile(&b, p, text.Options{Width: 250, Full: true}); err != nil {
				t.Fatal(err)
			}
			shown := strings.Join(strings.Fields(b.String()), " ")
			if mac == macos.AppleSilicon {
				test.want = append(test.want, "does not log cache flushes")
				test.not = append(test.not, test.flushes...)
			} else {
				test.want = append(test.want, test.flushes...)
				test.not = append(test.not, "Apple silicon")
			}
			for _, w := range test.want {
				if !strings.Contains(shown, w) {
					t.Errorf("show does not say %q:\n%s", w, b.String())
				}
			}
			for _, w := range test.not {
				if strings.Contains(shown, w) {
					t.Errorf("show says %q:\n%s", w, b.String())
				}
			}
		})
	}
}

// Flags and errors have other numbers on a Mac; a trace holds those of Linux.
func TestNumbersOfAMacAreTranslated(t *testing.T) {
	var log trace.Log
	d := kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true}, Timebase: kdebug.Frequency(24_000_000)}, &log)
	for _, r := range []kdebug.Record{
		{Time: 24, DebugID: kdebug.CallID(5) | kdebug.FuncStart, Thread: 9,
			Arg: [4]uint64{0x1000, 0x2 | 0x8 | 0x200 | 0x400 | 0x800}},
		{Time: 48, DebugID: kdebug.CallID(5) | kdebug.FuncEnd, Thread: 9, Arg: [4]uint64{0, 4, 0, 7}},
		{Time: 72, DebugID: kdebug.CallID(396) | kdebug.FuncStart, Thread: 9, Arg: [4]uint64{4, 0, 10}},
		{Time: 96, DebugID: kdebug.CallID(396) | kdebug.FuncEnd, Thread: 9, Arg: [4]uint64{35, 0, 0, 7}}, // EAGAIN
	} {
		if err := d.Decode(r.Append(nil)); err != nil {
			t.Fatal(err)
		}
	}
	const want = trace.FlagRead | trace.FlagWrite | trace.FlagAppend | trace.FlagCreate | trace.FlagTrunc | trace.FlagExcl
	if e := log.Syscalls; len(e) != 2 || e[0].Flags&^trace.FlagPartial != want || e[1].Errno() != 11 ||
		e[1].Start != 3000 || e[1].Duration != 1000 {
		t.Errorf("decoded as %+v", e)
	}
}

package kdebug_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/report/text"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/kdebug/kdsim"
	"github.com/iotrace/iotrace/tracer/machine"
)

// external is a Mac with an external disk, which is formatted with exFAT: its file system is a program.
type external struct {
	plugged
	server uint32 // its process, 0 if it is none of Apple's
}

func (m external) Identify(f *trace.File) {
	m.plugged.Identify(f)
	if strings.HasPrefix(f.Path, "/Volumes/USB/") {
		f.Device, f.FSType, f.Mount = usbDevices[1].ID, macos.VolumeType("exfat", 2), "/Volumes/USB"
	}
}

func (m external) Processes() []machine.Process {
	if m.server == 0 {
		return nil
	}
	return []machine.Process{{PID: m.server, Name: "com.apple.fskit.exfat"}}
}

func (m external) Inspect(pid uint32) (p machine.Process, ok bool) {
	return machine.Process{PID: pid, Name: "com.apple.fskit.exfat"}, m.server != 0 && pid == m.server
}

// What the kernel logs of the requests of such a volume is not known. Whether it moves the data itself, of the file's
// vnode or of another, or the program does, the copy and what the disk did for it are told.
func TestCopyToAVolumeOfFSKit(t *testing.T) { onBothMacs(t, copyToAVolumeOfFSKit) }

func copyToAVolumeOfFSKit(t *testing.T, mac macos.Model) {
	const size = 7*mib + 123
	for _, test := range []struct {
		name     string
		volume   func(m *kdsim.Machine) (v kdsim.Volume, server uint32)
		says     []string
		inferred bool
	}{
		{"the kernel moves the data of the file", func(*kdsim.Machine) (kdsim.Volume, uint32) { return kdsim.Volume{}, 900 },
			[]string{"com.apple.fskit.exfat (pid 900)", "None had to be inferred"}, false},
		{"the kernel moves data of another vnode", func(*kdsim.Machine) (kdsim.Volume, uint32) {
			return kdsim.Volume{Nameless: true}, 900
		}, []string{"com.apple.fskit.exfat (pid 900)", "7.34 MB sent to disk4s1 were is inferred"}, true},
		{"the program moves the data", func(m *kdsim.Machine) (kdsim.Volume, uint32) {
			s := m.Running("com.apple.fskit", "/")
			return kdsim.Volume{Server: s}, s.Proc.PID
		}, []string{"com.apple.fskit.exfat (pid 102)", "7.34 MB sent to disk4s1 were is inferred"}, true},
		{"a program that is none of Apple's", func(m *kdsim.Machine) (kdsim.Volume, uint32) {
			return kdsim.Volume{Server: m.Running("AnyFS", "/")}, 0
		}, []string{"AnyFS (pid 102)", "7.34 MB sent to disk4s1 were is inferred"}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, _ := kdsim.New(mac)
			m.MakeFile("/Users/u/a.mov", size)
			m.MakeFile("/Volumes/USB/other", 1)
			m.MakeCharacterDevice("/dev/null", kdsim.Null)
			finder := m.Running("Finder", "/")
			v, server := test.volume(m)
			v.Dir, v.Device, v.BlockSize = "/Volumes/USB", usb, 512
			m.Mount(v)
			null := finder.Open("/dev/null", kdsim.OWronly)
			finder.Write(null, 42)
			finder.FinderCopy("/Users/u/a.mov", "/Volumes/USB/b.mov", mib)
			p := analyzeOn(t, m, tracer.Scope{Names: []string{"Finder"}}, external{plugged{container{size}}, server})
			if p.Trace.Damaged > 0 || p.Lost.Total > 0 {
				t.Errorf("the trace is not whole: %+v", p.Warnings)
			}
			if c := copyOf(t, p, "/Volumes/USB/b.mov"); c.Bytes != size || c.DeviceWriteBytes != size ||
				c.DeviceReadBytes != size || c.Source != "/Users/u/a.mov" {
				t.Errorf("%+v", *c)
			}
			for _, d := range p.Devices {
				if d.Name == "disk4s1" && (d.Foreign.Count > 0 ||
					d.Evidence["inferred"] != map[bool]int64{true: size}[test.inferred]) {
					t.Errorf("disk4s1: foreign %+v, evidence %v", d.Foreign, d.Evidence)
				}
			}
			var b strings.Builder
			if err := text.Profile(&b, p, text.Options{Width: 250, Full: true}); err != nil {
				t.Fatal(err)
			}
			shown := strings.Join(strings.Fields(b.String()), " ")
			for _, w := range append(test.says, "/Volumes/USB is a volume of FSKit") {
				if !strings.Contains(shown, w) {
					t.Errorf("show does not say %q:\n%s", w, b.String())
				}
			}
		})
	}
}

const (
	foreign, shared = "foreign", "shared"
	second          = 24_000_000 // ticks of Apple silicon
)

// guesses are what happens on a volume of FSKit, and what its requests are tied to: the path of a file, or one of the
// words above.
var guesses = []struct {
	name string
	run  func(app, other *kdsim.Thread)
	want []string
}{
	{"written back later", func(app, _ *kdsim.Thread) {
		fd := app.Open("/Volumes/USB/a", kdsim.ORdwr)
		app.Write(fd, 1<<20)
		app.Close(fd)
		app.Now += 20 * second
		app.Disk("/Volumes/USB/a", false, 1<<20, 10, 0)
	}, []string{"/Volumes/USB/a"}},
	{"more than was written", func(app, _ *kdsim.Thread) {
		app.Write(app.Open("/Volumes/USB/a", kdsim.ORdwr), 1<<20)
		app.Disk("/Volumes/USB/a", false, 1<<20, 10, 0)
		app.Disk("/Volumes/USB/a", false, 1<<20, 10, 0)
	}, []string{"/Volumes/USB/a", foreign}},
	{"much later", func(app, _ *kdsim.Thread) {
		app.Write(app.Open("/Volumes/USB/a", kdsim.ORdwr), 1<<20)
		app.Now += 100 * second
		app.Disk("/Volumes/USB/a", false, 1<<20, 10, 0)
	}, []string{foreign}},
	{"the other direction", func(app, _ *kdsim.Thread) {
		app.Write(app.Open("/Volumes/USB/a", kdsim.ORdwr), 1<<20)
		app.Disk("/Volumes/USB/a", true, 1<<20, 10, 0)
	}, []string{foreign}},
	{"the tail of a file is written as a page", func(app, _ *kdsim.Thread) {
		app.Write(app.Open("/Volumes/USB/a", kdsim.ORdwr), 5)
		app.Disk("/Volumes/USB/a", false, 4096, 10, 0)
	}, []string{"/Volumes/USB/a"}},
	{"two files that fit", func(app, _ *kdsim.Thread) {
		app.Write(app.Open("/Volumes/USB/a", kdsim.ORdwr), 1<<20)
		app.Write(app.Open("/Volumes/USB/b", kdsim.ORdwr), 1<<20)
		app.Disk("/Volumes/USB/a", false, 1<<20, 10, 0)
	}, []string{shared}},
	{"two files, one of which is too small", func(app, _ *kdsim.Thread) {
		app.Write(app.Open("/Volumes/USB/a", kdsim.ORdwr), 1<<10)
		app.Write(app.Open("/Volumes/USB/b", kdsim.ORdwr), 1<<20)
		app.Disk("/Volumes/USB/b", false, 1<<20, 10, 0)
	}, []string{"/Volumes/USB/b"}},
	{"two processes", func(app, other *kdsim.Thread) {
		app.Write(app.Open("/Volumes/USB/a", kdsim.ORdwr), 1<<20)
		other.Now = app.Now
		other.Write(other.Open("/Volumes/USB/b", kdsim.ORdwr), 1<<20)
		app.Now = other.Now
		app.Disk("/Volumes/USB/a", false, 1<<20, 10, 0)
	}, []string{foreign}},
	{"read ahead of a call", func(app, _ *kdsim.Thread) {
		app.Read(app.Open("/Volumes/USB/a", kdsim.ORdonly), 4096)
		app.Disk("/Volumes/USB/a", true, 2<<20, 10, 0)
	}, []string{"/Volumes/USB/a"}},
	{"another disk", func(app, _ *kdsim.Thread) {
		app.Write(app.Open("/Volumes/USB/a", kdsim.ORdwr), 1<<20)
		app.Disk("/a", false, 1<<20, 10, 0)
	}, []string{foreign}},
}

// Requests are tied to what fits in time, size and direction, and to nothing where nothing or too much does.
func TestRequestsOfAVolumeOfFSKit(t *testing.T) {
	for _, test := range guesses {
		t.Run(test.name, func(t *testing.T) {
			m, _ := kdsim.New(macos.AppleSilicon)
			for _, name := range []string{"/Volumes/USB/a", "/Volumes/USB/b", "/a"} {
				m.MakeFile(name, 8<<20)
			}
			app, other := m.Running("app", "/"), m.Running("app", "/")
			server := m.Running("server", "/")
			m.Mount(kdsim.Volume{Dir: "", Device: kdsim.Device, BlockSize: kdsim.BlockSize, Server: server})
			m.Mount(kdsim.Volume{Dir: "/Volumes/USB", Device: usb, BlockSize: 512, Server: server})
			test.run(app, other)
			var log trace.Log
			d := kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{Names: []string{"app"}}, Timebase: m.Timebase,
				Start:   m.Base,
				Machine: external{}, Now: func() int64 { return 0 }, Devices: disk}, &log)
			if err := d.Seed(m.Entries); err != nil {
				t.Fatal(err)
			}
			if err := d.Decode(kdsim.Bytes(m.Records())); err != nil {
				t.Fatal(err)
			}
			if len(log.Requests) != len(test.want) {
				t.Fatalf("requests %+v", log.Requests)
			}
			for i, q := range log.Requests {
				got := log.Path(q.File)
				switch {
				case q.Flags&trace.ReqForeign != 0 && q.Evidence == trace.EvidenceNone:
					got = foreign
				case q.Evidence != trace.EvidenceInferred || q.Owner != app.Proc.PID:
					t.Errorf("request %+v", q)
				case q.File == 0:
					got = shared
				}
				if got != test.want[i] {
					t.Errorf("request %d is of %q, want %q", i, got, test.want[i])
				}
			}
		})
	}
}

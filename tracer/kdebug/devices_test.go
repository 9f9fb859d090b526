package kdebug_test

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/kdebug/kdsim"
)

// usb is a disk that is attached while a recording runs: a whole disk, and its partition.
const usb = 1<<24 | 9

var usbDevices = []trace.Device{
	{ID: trace.MakeDeviceID(1, 8), Name: "disk4", LogicalBlock: 512, Model: "Portable SSD"},
	{ID: trace.MakeDeviceID(1, 9), Name: "disk4s1", LogicalBlock: 512, Parents: []trace.DeviceID{trace.MakeDeviceID(1,
		8)}},
}

// plugged is a Mac to which a disk is attached: the system lists it when it is asked again.
type plugged struct{ container }

func (p plugged) Devices() []trace.Device { return append(p.container.Devices(), usbDevices...) }

// undeclared are the devices of requests that no event before them tells of.
type undeclared struct {
	*trace.Log
	told  map[trace.DeviceID]bool
	wrong []trace.DeviceID
}

func (u *undeclared) Device(e *trace.Device) error {
	u.told[e.ID] = true
	return u.Log.Device(e)
}

func (u *undeclared) Request(e *trace.Request) error {
	if !u.told[e.Device] {
		u.wrong = append(u.wrong, e.Device)
	}
	return u.Log.Request(e)
}

// onDisks decodes all that a machine logged.
func onDisks(t *testing.T, m *kdsim.Machine, cfg kdebug.Config) *undeclared {
	t.Helper()
	log := &undeclared{Log: &trace.Log{}, told: map[trace.DeviceID]bool{}}
	cfg.Scope, cfg.Timebase, cfg.Start, cfg.Devices = tracer.Scope{All: true}, m.Timebase, m.Base, disk
	cfg.Now = func() int64 { return 0 }
	log.told[disk[0].ID] = true
	d := kdebug.NewDecoder(cfg, log)
	if err := d.Seed(m.Entries); err != nil {
		t.Fatal(err)
	}
	if err := d.Decode(kdsim.Bytes(m.Records())); err != nil {
		t.Fatal(err)
	}
	return log
}

// The kernel logs transfers with /dev/null and /dev/zero as those of a disk. They are none; a block device that has
// the same number is one, and so is a raw disk.
func TestDevNullIsNoDisk(t *testing.T) { onBothMacs(t, devNullIsNoDisk) }

func devNullIsNoDisk(t *testing.T, mac macos.Model) {
	m, launchd := kdsim.New(mac)
	m.MakeFile("/a", mib)
	m.MakeCharacterDevice("/dev/null", kdsim.Null)
	m.MakeCharacterDevice("/dev/zero", kdsim.Null+1)
	m.MakeCharacterDevice("/dev/rdisk3s5", kdsim.Device)
	m.MakeFile("/Volumes/Ram/x", mib)
	m.Mount(kdsim.Volume{Dir: "/Volumes/Ram", Device: kdsim.Null, BlockSize: 512})
	for path, n := range map[string]int64{"/dev/null": 100, "/dev/zero": 4096, "/dev/rdisk3s5": 8192} {
		fd := launchd.Open(path, kdsim.ORdwr)
		launchd.Read(fd, n)
		launchd.Write(fd, n)
	}
	launchd.Disk("/Volumes/Ram/x", true, 512, 10, 0)
	launchd.Disk("/a", true, 4096, 10, 0)
	log := onDisks(t, m, kdebug.Config{})
	var sizes []int64
	for _, q := range log.Requests {
		sizes = append(sizes, q.Bytes)
	}
	slices.Sort(sizes)
	if want := []int64{512, 4096, 8192, 8192}; !slices.Equal(sizes, want) {
		t.Errorf("requests of %v bytes, want %v", sizes, want)
	}
	if len(log.wrong) > 0 {
		t.Errorf("requests of devices that nothing tells of: %v", log.wrong)
	}
}

// A disk that was not there when the recording began is told of before its first request, once, with what the
// system says of it; without a system by its number. A cache flush alone is a request as well.
func TestADiskThatIsAttachedLater(t *testing.T) {
	for _, test := range []struct {
		name  string
		cfg   kdebug.Config
		names []string
	}{
		{"the system is asked", kdebug.Config{Machine: plugged{}}, []string{"disk0", "disk0s2", "disk3", "disk4", "disk4s1"}},
		{"a stored stream", kdebug.Config{}, []string{"1:9"}},
		{"it is gone again", kdebug.Config{Machine: container{}}, []string{"disk0", "disk0s2", "disk3", "1:9"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, launchd := kdsim.New(macos.Intel)
			m.MakeFile("/Volumes/USB/a", mib)
			m.MakeFile("/a", mib)
			m.Mount(kdsim.Volume{Dir: "/Volumes/USB", Device: usb, BlockSize: 512})
			launchd.Disk("/a", true, 1000*512, 10, 0) // the block numbers of the simulation go on
			launchd.Disk("/Volumes/USB/a", true, 4096, 10, 0)
			launchd.Disk("/Volumes/USB/a", false, 4096, 10, 0)
			log := onDisks(t, m, test.cfg)
			var names []string
			for _, e := range log.Devices {
				names = append(names, e.Name)
			}
			if !slices.Equal(names, test.names) || len(log.wrong) > 0 {
				t.Errorf("told of %v, want %v; not told of %v", names, test.names, log.wrong)
			}
			if len(log.Requests) != 3 || log.Requests[1].Sector != 125 {
				t.Errorf("requests %+v", log.Requests)
			}
		})
	}
}

// A flush is all that is seen of a disk.
func TestAFlushTellsOfItsDisk(t *testing.T) {
	m, launchd := kdsim.New(macos.Intel)
	launchd.FlushOf(usb, 100)
	log := onDisks(t, m, kdebug.Config{Machine: plugged{}})
	if len(log.Requests) != 1 || log.Requests[0].Op != trace.ReqFlush || len(log.wrong) > 0 {
		t.Errorf("requests %+v, not told of %v", log.Requests, log.wrong)
	}
}

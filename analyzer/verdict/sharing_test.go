package verdict_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// Others on one device take nothing from what others on another one are charged with.
func TestOthersOnTwoDevices(t *testing.T) {
	p := spent(map[string]int64{"device_read": second / 2, "device_write": second / 2},
		map[string]int64{"waiting_io": second})
	from, to := drive(1), drive(1)
	from.Foreign.Read, to.Foreign.Write = 1<<30, 1<<30
	to.Name, to.Read, to.Write = "sdb", nil, to.Read
	p.Devices = []profile.Device{from, to}
	p.Trace.Drives = []profile.Drive{{Name: "sda", BusyNS: second / 2}, {Name: "sdb", BusyNS: second / 2}}
	charged := map[string]int64{}
	for _, c := range verdict.Judge(p).Causes {
		if c.Code == cause.OtherUsers {
			charged[c.Name] = c.TimeNS
		}
	}
	if sda, sdb := charged["others on sda"], charged["others on sdb"]; sda < second/3 || sda != sdb {
		t.Errorf("others had sda for %d ns and sdb for %d", sda, sdb)
	}
}

// Whoever had no requests on this device is not named for what was moved on it, even if too little of it was known
// elsewhere for a name there.
func TestOthersAreThoseOfTheDevice(t *testing.T) {
	dd := profile.User{PID: 7, Command: "dd", Bytes: 1 << 30}
	chromium := profile.User{PID: 8, Command: "chromium", Bytes: 8 << 30}
	for _, c := range []struct {
		name       string
		own        []profile.User
		want, lack string
	}{
		{"its own requests", []profile.User{dd}, "(dd)", "chromium"},
		{"written back by the kernel", nil, "(kernel threads)", "dd"},
	} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		here, there := drive(1), drive(1)
		here.Foreign.Read, here.Foreign.Users = 1<<30, c.own
		there.Name, there.Read, there.Write, there.Foreign.Users = "sdb", nil, nil, []profile.User{chromium}
		p.Devices, p.Trace.Users = []profile.Device{here, there}, []profile.User{chromium, dd}
		p.Trace.Drives = []profile.Drive{{Name: "sda", BusyNS: second}}
		causes := verdict.Judge(p).Causes
		i := slices.IndexFunc(causes, func(x profile.Reason) bool { return x.Code == cause.OtherUsers })
		if i < 0 || !strings.Contains(causes[i].Text, c.want) || strings.Contains(causes[i].Text, c.lack) {
			t.Errorf("%s: %+v", c.name, causes)
		}
	}
}

// What makes others come first is said: that the workload asked for it, where a scheduler heeds that, and that they are
// the kernel, which initialises a new file system.
func TestWhyOthersComeFirst(t *testing.T) {
	lazy := profile.User{PID: 9, Command: "ext4lazyinit", Kernel: true, Bytes: 1 << 30}
	for _, c := range []struct {
		name, scheduler string
		idle            float64 // of what it moved
		user            profile.User
		text, remedy    string
	}{
		{"idle", "bfq", 1, profile.User{Command: "fio"}, "class idle, and bfq has all others go first", "ionice -c 2"},
		{"idle, and mq-deadline", "mq-deadline", 0.8, profile.User{}, "class idle", "ionice -c 2"},
		{"idle, and nobody heeds it", "none", 1, profile.User{Command: "fio"}, "others used", "while nothing else uses"},
		{"hardly idle", "bfq", 0.1, profile.User{Command: "fio"}, "others used", "while nothing else uses"},
		{"a new file system", "none", 0, lazy, "ext4lazyinit, a thread of the kernel, init", "lazy_itable_init=0"},
		{"a program of that name", "none", 0, profile.User{Command: "ext4lazyinit"}, "others used", "while nothing else"},
	} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		d := drive(1)
		d.Scheduler, d.IdleClass = c.scheduler, int64(c.idle*float64(d.Moved()))
		d.Foreign.Read, d.Foreign.Users = 4*d.Moved(), []profile.User{c.user}
		p.Devices = []profile.Device{d}
		p.Trace.Drives = []profile.Drive{{Name: "sda", BusyNS: second}}
		x := verdict.Judge(p).Causes[0]
		if x.Code != cause.OtherUsers || !strings.Contains(x.Text, c.text) ||
			!strings.Contains(x.Remedy, c.remedy) {
			t.Errorf("%s: %+v", c.name, x)
		}
	}
}

// Others are charged with no more time than the device had requests of theirs, however slowly it served the workload.
func TestOthersForAMoment(t *testing.T) {
	for _, c := range []struct{ theirs, want int64 }{{0, second / 2}, {second / 10, second / 10}, {second, second / 2}} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		d := drive(1)
		d.Foreign = profile.Share{Write: d.Read.Bytes, BusyNS: c.theirs}
		p.Devices = []profile.Device{d}
		charged := int64(0)
		for _, x := range verdict.Judge(p).Causes {
			if x.Code == cause.OtherUsers {
				charged = x.TimeNS
			}
		}
		if charged != c.want {
			t.Errorf("with requests of theirs for %d ns: charged with %d, want %d", c.theirs, charged, c.want)
		}
	}
}

// Others who had the device serve theirs first are named however little each asked for; who was served beside the
// workload is not, however much that was.
func TestOthersInLine(t *testing.T) {
	for _, c := range []struct {
		name           string
		moved, behind  int64
		code           string
		least, longest int64
	}{
		{"behind small requests", 1 << 20, second * 9 / 10, cause.OtherUsers, second * 8 / 10, second},
		{"beside large ones", 1 << 30, second / 10, cause.DeviceLatency, second / 2, second},
	} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		d := drive(1)
		d.Read.Latency.Sum = second
		d.Foreign = profile.Share{Count: 256, Read: c.moved, BusyNS: second, MeanBusy: 16, ReadBehind: c.behind}
		p.Devices = []profile.Device{d}
		p.Trace.Drives = []profile.Drive{{Name: "sda", BusyNS: second}}
		x := verdict.Judge(p).Causes[0]
		if x.Code != c.code || x.TimeNS < c.least || x.TimeNS > c.longest {
			t.Errorf("%s: %+v", c.name, x)
		}
	}
}

// While requests of the workload are in the queue, what the device serves is others': all of that time is theirs, and
// what it spends on the workload's own is not.
func TestOthersServedFirst(t *testing.T) {
	p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
	part := func(by string, ns int64) profile.PathPart {
		return profile.PathPart{NS: ns, Count: 1, Place: profile.PathPlace{What: "service", Label: "device_read",
			Process: "dd", Device: "sda", Request: "read", By: by}}
	}
	p.Path = &profile.Path{Parts: []profile.PathPart{part("fio", second*8/10), part("", second*2/10)}}
	d := drive(1)
	d.Foreign = profile.Share{Count: 9, Read: 1 << 10, BusyNS: second, MeanBusy: 1}
	p.Devices = []profile.Device{d}
	p.Trace.Drives = []profile.Drive{{Name: "sda", BusyNS: second}}
	causes := verdict.Judge(p).Causes
	if x := causes[0]; x.Code != cause.OtherUsers || x.TimeNS != second*8/10 || x.Certainty != cause.Measured {
		t.Errorf("%+v", causes)
	}
	if len(causes) != 2 || causes[1].TimeNS != second*2/10 || causes[1].Code == cause.OtherUsers {
		t.Errorf("%+v", causes)
	}
}

package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// A program waited for a second in fsync, and its control group let no more be written meanwhile.
func TestSyncBehindALimit(t *testing.T) {
	for rate, want := range map[int64]string{100 << 20: cause.LimitAbove, 900 << 20: cause.Sync, 0: cause.Sync} {
		p := spent(map[string]int64{"sync": second}, map[string]int64{"sync_calls": second})
		p.Calls = []profile.Call{{Op: trace.OpSync, Name: "fsync", Count: 1, TimeNS: second}}
		d := drive(1)
		d.Read.Depth.BusyNS = second / 1000
		d.Read, d.Write = nil, d.Read
		p.Devices = []profile.Device{d}
		p.Trace.IOLimits = []profile.IOLimit{{Group: "/batch", Device: "sda", WriteBytes: rate}}
		if c := verdict.Judge(p).Causes; len(c) == 0 || c[0].Code != want {
			t.Errorf("%d bytes a second: %+v, want %s", rate, c, want)
		}
	}
}

// A program waited for a second with nothing at the drive, to which it wrote 100 MiB: a limit of its control group held
// it back if it used most of that.
func TestLimitsOfControlGroups(t *testing.T) {
	const rate, host = 100 << 20, "of the machine's host"
	for _, test := range []struct {
		name   string
		limits []profile.IOLimit
		sure   string
		says   string
	}{
		{"none", nil, cause.Likely, "a limit of a cgroup or of the machine's host"},
		{"as much as it wrote", []profile.IOLimit{{WriteBytes: rate}}, cause.Measured,
			"cgroup \"/batch\" limits it to write 105 MB/s at sda; it wrote 105 MB/s meanwhile"},
		{"lowered", []profile.IOLimit{{WriteBytes: 2 * rate}, {FromNS: second / 2, WriteBytes: rate / 2}}, cause.Measured,
			"limits it to write 52.4 MB/s to 210 MB/s at sda"},
		{"of requests", []profile.IOLimit{{Writes: 100}}, cause.Measured,
			"limits it to write 100 requests a second at sda"},
		{"the tighter one", []profile.IOLimit{{WriteBytes: 4 * rate, Writes: 110}}, cause.Measured,
			"110 requests a second"},
		{"of a group that it joined", []profile.IOLimit{{FromNS: second / 5, WriteBytes: rate}}, cause.Measured,
			"105 MB/s at sda"},
		{"set before, and lowered before",
			[]profile.IOLimit{{FromNS: -9, WriteBytes: 9 * rate}, {FromNS: -5, WriteBytes: rate}}, cause.Measured,
			"limits it to write 105 MB/s at sda"},
		{"twice as much", []profile.IOLimit{{WriteBytes: 2 * rate}}, cause.Likely, "limits it to write 210 MB/s at sda"},
		{"far above", []profile.IOLimit{{WriteBytes: 9 * rate}}, cause.Likely, host},
		{"of reading", []profile.IOLimit{{ReadBytes: rate}}, cause.Likely, host},
		{"set in the middle", []profile.IOLimit{{FromNS: second / 2, WriteBytes: rate}}, cause.Likely, host},
		{"lifted in the middle", []profile.IOLimit{{WriteBytes: rate}, {FromNS: second / 2}}, cause.Likely, host},
		{"set afterwards", []profile.IOLimit{{FromNS: 2 * second, WriteBytes: rate}}, cause.Likely, host},
		{"of another drive", []profile.IOLimit{{Device: "sdb", WriteBytes: rate}}, cause.Likely, host},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := spent(map[string]int64{"io_wait": second}, map[string]int64{"waiting_io": second})
			d := drive(1)
			d.Read.Depth.BusyNS = second / 1000
			d.Read, d.Write = nil, d.Read
			p.Devices = []profile.Device{d}
			for _, l := range test.limits {
				l.Group = "/batch"
				if l.Device == "" {
					l.Device = "sda"
				}
				p.Trace.IOLimits = append(p.Trace.IOLimits, l)
			}
			c := verdict.Judge(p).Causes
			if len(c) == 0 || c[0].Code != cause.LimitAbove || !sure(&c[0], test.sure) ||
				!strings.Contains(c[0].Text, test.says) {
				t.Errorf("%+v, want %s (%s)", c, test.says, test.sure)
			}
		})
	}
}

// What a program wrote waited for a second to be let through: the kernel held the program itself back, or the data came
// to the drive after it.
func TestWritebackBehindALimit(t *testing.T) {
	const rate = 100 << 20
	for _, test := range []struct {
		name, label string
		limit       int64
		requests    int64
		last        int64
		drive       profile.Drive // with what others did
		want, sure  string
	}{
		{"held back by a limit", "throttled", rate, 10, second, profile.Drive{}, cause.LimitAbove, cause.Measured},
		{"nobody used the drive", "throttled", 0, 10, second, profile.Drive{}, cause.LimitAbove, cause.Likely},
		{"a limit that is far above", "throttled", 9 * rate, 10, second, profile.Drive{}, cause.LimitAbove, cause.Likely},
		{"others used it", "throttled", 0, 10, second, profile.Drive{BusyNS: second}, cause.DirtyLimit, cause.Measured},

		{"let through afterwards", "draining", rate, 10, second, profile.Drive{}, cause.LimitAbove, cause.Measured},
		{"let through at once", "draining", rate, 10, second / 9, profile.Drive{}, cause.Settling, cause.Likely},
		{"in few requests", "draining", 0, 10, second, profile.Drive{}, cause.Settling, cause.Likely},
		{"in few requests, slowly", "draining", 0, 10, 3 * second, profile.Drive{}, cause.LimitAbove, cause.Likely},
		{"while others used it", "draining", 0, 10, 3 * second, profile.Drive{BusyNS: 2 * second}, cause.Settling,
			cause.Likely},
		{"bit by bit", "draining", 0, 20, second, profile.Drive{Writes: 20}, cause.LimitAbove, cause.Likely},
		{"the journal between", "draining", 0, 20, second, profile.Drive{Writes: 90}, cause.Settling, cause.Likely},
	} {
		t.Run(test.label+", "+test.name, func(t *testing.T) {
			p := spent(map[string]int64{test.label: max(second, test.last)}, map[string]int64{"throttled": second})
			if test.label == "draining" {
				p.WallNS, p.TimeStack.ThreadNS = 0, nil
			}
			d := drive(1)
			d.Read, d.Write = nil, d.Read
			d.Write.Depth.BusyNS, d.Write.Count, d.Write.LastNS = second/1000, test.requests, test.last
			test.drive.Name = d.Name
			p.Devices, p.Trace.Drives = []profile.Device{d}, []profile.Drive{test.drive}
			p.Trace.IOLimits = []profile.IOLimit{{Group: "/batch", Device: d.Name, WriteBytes: test.limit}}
			if c := verdict.Judge(p).Causes; len(c) != 1 || c[0].Code != test.want || !sure(&c[0], test.sure) {
				t.Errorf("%+v, want %s (%s)", c, test.want, test.sure)
			}
		})
	}
}

// A sync whose waits a timer of the kernel ends, while no request is to be seen, is held back by a limit, however
// little of it was used on average; one that waits for anything else is not.
func TestSyncsLetThroughByTimer(t *testing.T) {
	for _, c := range []struct {
		name   string
		what   string
		helper bool
		limit  int64
		code   string
		sure   string
	}{
		{"a limit of its group", "timeout", true, 1000, cause.LimitAbove, cause.Measured},
		{"a limit that is not recorded", "timeout", true, 0, cause.LimitAbove, cause.Open},
		{"a worker that waits for something else", "unseen", true, 1000, cause.Sync, cause.Measured},
		{"a timeout of its own", "timeout", false, 1000, cause.Sync, cause.Measured},
	} {
		p := spent(map[string]int64{"sync": second}, nil)
		p.Calls = []profile.Call{{Op: trace.OpSync, Name: "fsync", Count: 30, TimeNS: second, Latency: each(second / 30)}}
		d := drive(1)
		d.Write, d.Read = d.Read, nil
		d.Write.Count, d.Write.Depth.BusyNS = 300, second/100
		p.Devices = []profile.Device{d}
		if c.limit > 0 {
			p.Trace.IOLimits = []profile.IOLimit{{Group: "/batch", Device: "sda", Writes: c.limit}}
		}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: second, Count: 30, Place: profile.PathPlace{
			What: c.what, Label: "sync", Call: "sync", Process: "kworker/0:0", Helper: c.helper}}}}
		r := verdict.Judge(p).Causes[0]
		if r.Code != c.code || r.Certainty != c.sure {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

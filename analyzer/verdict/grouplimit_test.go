package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// A program waited for a second in fsync, and its control group let no more be written meanwhile.
func TestSyncBehindALimit(t *testing.T) {
	for rate, want := range map[int64]string{100 << 20: verdict.LimitAbove, 900 << 20: verdict.Sync, 0: verdict.Sync} {
		p := spent(map[string]int64{"sync": second}, map[string]int64{"sync_calls": second})
		p.Calls = []profile.Call{{Op: "sync", Name: "fsync", Count: 1, TimeNS: second}}
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
		{"none", nil, verdict.Fits, "a limit of a cgroup or of the machine's host"},
		{"as much as it wrote", []profile.IOLimit{{WriteBytes: rate}}, verdict.Proved,
			"its control group /batch lets it write 105 MB/s at sda, and while it waited it wrote 105 MB/s"},
		{"lowered", []profile.IOLimit{{WriteBytes: 2 * rate}, {FromNS: second / 2, WriteBytes: rate / 2}}, verdict.Proved,
			"lets it write 52.4 MB/s to 210 MB/s at sda"},
		{"of requests", []profile.IOLimit{{Writes: 100}}, verdict.Proved, "lets it write 100 requests a second at sda"},
		{"the tighter one", []profile.IOLimit{{WriteBytes: 4 * rate, Writes: 110}}, verdict.Proved, "110 requests a second"},
		{"of a group that it joined", []profile.IOLimit{{FromNS: second / 5, WriteBytes: rate}}, verdict.Proved,
			"105 MB/s at sda"},
		{"set before, and lowered before",
			[]profile.IOLimit{{FromNS: -9, WriteBytes: 9 * rate}, {FromNS: -5, WriteBytes: rate}}, verdict.Proved,
			"lets it write 105 MB/s at sda"},
		{"twice as much", []profile.IOLimit{{WriteBytes: 2 * rate}}, verdict.Fits, "lets it write 210 MB/s at sda"},
		{"far above", []profile.IOLimit{{WriteBytes: 9 * rate}}, verdict.Fits, host},
		{"of reading", []profile.IOLimit{{ReadBytes: rate}}, verdict.Fits, host},
		{"set in the middle", []profile.IOLimit{{FromNS: second / 2, WriteBytes: rate}}, verdict.Fits, host},
		{"lifted in the middle", []profile.IOLimit{{WriteBytes: rate}, {FromNS: second / 2}}, verdict.Fits, host},
		{"set afterwards", []profile.IOLimit{{FromNS: 2 * second, WriteBytes: rate}}, verdict.Fits, host},
		{"of another drive", []profile.IOLimit{{Device: "sdb", WriteBytes: rate}}, verdict.Fits, host},
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
			if len(c) == 0 || c[0].Code != verdict.LimitAbove || c[0].Certainty != test.sure ||
				!strings.Contains(c[0].Text, test.says) {
				t.Errorf("%+v, want %s (%s)", c, test.says, test.sure)
			}
		})
	}
}

// What a program wrote waited for a second to be let through: the kernel held the program itself back, or the data came
// to the drive after it. The drive was busy for a moment, and others kept it busy for as long as is said.
func TestWritebackBehindALimit(t *testing.T) {
	for _, test := range []struct {
		name         string
		label, state string
		limit        int64
		last, others int64
		want, sure   string
	}{
		{"held back by a limit", "throttled", "throttled", 100 << 20, second, 0, verdict.LimitAbove, verdict.Proved},
		{"let through afterwards", "draining", "", 100 << 20, second, 0, verdict.LimitAbove, verdict.Proved},
		{"through at once, and settling", "draining", "", 100 << 20, second / 9, 0, verdict.Settling, verdict.Fits},
		{"afterwards without a limit", "draining", "", 0, second, 0, verdict.Settling, verdict.Fits},
		{"held back, and nobody used the drive", "throttled", "throttled", 0, 0, 0, verdict.LimitAbove, verdict.Fits},
		{"a limit that is far above", "throttled", "throttled", 900 << 20, 0, 0, verdict.LimitAbove, verdict.Fits},
		{"a drive that others used", "throttled", "throttled", 0, 0, second, verdict.DirtyLimit, verdict.Proved},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := spent(map[string]int64{test.label: second}, map[string]int64{test.state: second})
			if test.label == "draining" {
				p.WallNS = 0
			}
			d := drive(1)
			d.Read.Depth.BusyNS = second / 1000
			d.Read, d.Write = nil, d.Read
			d.Write.Count, d.Write.LastNS = 10, test.last
			p.Devices = []profile.Device{d}
			p.Trace.Drives = []profile.Drive{{Name: "sda", BusyNS: test.others}}
			p.Trace.IOLimits = []profile.IOLimit{{Group: "/batch", Device: "sda", WriteBytes: test.limit}}
			if c := verdict.Judge(p).Causes; len(c) != 1 || c[0].Code != test.want || c[0].Certainty != test.sure {
				t.Errorf("%+v, want %s (%s)", c, test.want, test.sure)
			}
		})
	}
}

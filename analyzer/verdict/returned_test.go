package verdict_test

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// What came after a command for other reasons than its data does not hide what the command itself did: the journal
// after an index was saved, the metadata of what was removed. What copies leave behind counts, however little it is.
func TestUntilReturn(t *testing.T) {
	const ms = second / 1000
	for _, c := range []struct {
		name           string
		returned       int64
		written        int64
		busy           int64 // the drive, after the command
		data, metadata int64 // that it wrote
		want           string
		untilReturn    bool
	}{
		{"make looks at sources and keeps a stamp", 300 * ms, 4 << 10, 0, 0, 0, cause.Names, true},
		{"a program starts and keeps a stamp", 50 * ms, 4 << 10, 0, 0, 0, cause.Settling, false},
		{"a program reads settings and keeps a stamp", 150 * ms, 4 << 10, 0, 0, 0, cause.Names, true},
		{"an archive is written", 300 * ms, 64 << 20, 0, 0, 0, cause.Settling, false},
		{"a tree is removed", 300 * ms, 0, 600 * ms, 0, 40 << 20, cause.Names, true},
		{"a directory is removed at once", 50 * ms, 0, 900 * ms, 0, 40 << 20, cause.DeviceBandwidth, false},
		{"pictures are copied to a stick", 300 * ms, 4 << 20, 600 * ms, 4 << 20, 1 << 20, cause.DeviceBandwidth, false},
	} {
		left := second - c.returned
		p := spent(map[string]int64{"metadata": c.returned, "draining": left}, map[string]int64{"in_metadata": c.returned})
		p.WallNS, p.TimeStack.WallNS = c.returned, c.returned
		p.TimeStack.Parts = []profile.StackPart{{Label: "metadata", NS: c.returned}, {Label: "draining", NS: left}}
		p.Path = &profile.Path{TotalNS: second}
		p.Calls = []profile.Call{{Op: trace.OpUnlink, Name: "unlinkat", Count: 20_000, TimeNS: c.returned}}
		p.Layers = []profile.Layer{{Name: "calls", Write: &profile.Flow{Bytes: c.written}}}
		d := drive(20)
		d.Read, d.Write = nil, d.Read
		d.Write.Depth.BusyNS = c.busy
		p.Devices, p.Trace.Drives = []profile.Device{d}, []profile.Drive{{Name: "sda", BusyNS: c.busy}}
		p.Amounts.Devices = []profile.Amount{{Name: "sda", Write: profile.Moved{Device: c.data + c.metadata,
			Reasons: []profile.Part{{Code: profile.Data, Bytes: c.data}, {Code: profile.Metadata, Bytes: c.metadata}}}}}
		v := verdict.Judge(p)
		if len(v.Causes) == 0 || v.Causes[0].Code != c.want || v.UntilReturn != c.untilReturn {
			t.Errorf("%s: %+v", c.name, v.Causes)
			continue
		}
		of := map[bool]int64{true: c.returned, false: second}[c.untilReturn]
		if r := &v.Causes[0]; r.Share != float64(r.TimeNS)/float64(of) || c.untilReturn && r.Share < 0.9 {
			t.Errorf("%s: %v of %d ns", c.name, r.Share, of)
		}
	}
}

// Where nobody noticed the command nor what came after it, no time has to be divided anew: nothing waited for that.
func TestNeitherNoticed(t *testing.T) {
	for left, untilReturn := range map[int64]bool{second / 20: false, second / 5: true} {
		returned := second / 25
		p := spent(map[string]int64{"cpu": returned, "draining": left}, map[string]int64{"running": returned})
		p.WallNS, p.TimeStack.WallNS, p.TimeStack.TotalNS = returned, returned, returned+left
		v := verdict.Judge(p)
		if v.UntilReturn != untilReturn || verdict.Unwaited(&profile.Profile{Verdict: v}) == untilReturn {
			t.Errorf("%d ns after the command: %+v", left, v)
		}
	}
}

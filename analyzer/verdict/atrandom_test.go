package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// A file of which much is read at random comes in by far fewer requests in order. That is offered where memory holds
// it, and where not nearly all of it would be read for nothing.
func TestReadInOrderFirst(t *testing.T) {
	const requests, ahead = 5000, 128 << 10
	for _, c := range []struct {
		name             string
		size, memory     int64
		class            string
		direct           int64
		limits           []profile.MemoryLimit
		ofFile, inAnyWay string
	}{
		{"an index", 64 << 20, 8 << 30, "random", 0, nil, ", INBOX.idx here and there: ",
			"read it in order first (cat INBOX.idx >/dev/null): 512 requests, not 5,000; "},
		{"little of a large file", 1 << 30, 8 << 30, "random", 0, nil,
			", 20.5 MB of the 1.07 GB of INBOX.idx here and there: ", ""},
		{"all of an index", 20 << 20, 8 << 30, "random", 0, nil, ", all 21.0 MB of INBOX.idx here and there: ",
			"read it in order first (cat INBOX.idx >/dev/null): 160 requests, not 5,000; "},
		{"more than memory", 64 << 20, 100 << 20, "random", 0, nil, ", INBOX.idx here and there: ", ""},
		{"a group short of memory", 64 << 20, 8 << 30, "random", 0, []profile.MemoryLimit{{}}, ", INBOX.idx", ""},
		{"past the page cache", 64 << 20, 8 << 30, "random", requests << 12, nil, "", ""},
		{"in order", 64 << 20, 8 << 30, "sequential", 0, nil, "", ""},
	} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		p.Devices = []profile.Device{drive(1)}
		d := &p.Devices[0]
		d.Read.Count, d.Read.Bytes, d.Read.Size.P50 = requests, requests<<12, 4096
		d.ReadAhead, d.MaxRequest = 2*ahead, ahead
		p.Trace.MemoryBytes, p.Trace.MemoryLimits = c.memory, c.limits
		p.Pattern.Modes = &profile.CacheModes{DirectRead: c.direct, BufferedRead: requests<<12 - c.direct}
		p.Files = []profile.File{{Path: "/mail/INBOX.idx", Type: trace.FileRegular, Size: c.size,
			ReadPattern: &profile.AccessPattern{Class: c.class},
			DeviceRead:  &profile.Flow{Count: requests, Bytes: requests << 12}}}
		r := &verdict.Judge(p).Causes[0]
		if offered := strings.HasPrefix(r.Remedy, "read it in order first"); offered != (c.inAnyWay != "") ||
			!strings.HasPrefix(r.Remedy, c.inAnyWay) || strings.Contains(r.Text, "here and there") != (c.ofFile != "") ||
			!strings.Contains(r.Text, c.ofFile) || c.inAnyWay != "" && r.Code != cause.DeviceLatency {
			t.Errorf("%s: %+v", c.name, r)
		}
		fewer := "fewer places of it (an index of where things lie), or several requests in parallel"
		if little := c.size == 1<<30; strings.HasPrefix(r.Remedy, fewer) != little {
			t.Errorf("%s: %q", c.name, r.Remedy)
		}
	}
}

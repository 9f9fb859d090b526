package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// A few requests that took more than all others together are a drive that halted. Many long ones are a slow drive,
// short ones are chance, and who moved much beside it is the cause.
func TestStalls(t *testing.T) {
	const ms = second / 1000
	for _, c := range []struct {
		name       string
		few, each  int64 // requests that took so many ms
		all        int64
		others     int64
		code, text string
	}{
		{"one of many", 1, 900, 600, 0, cause.SlowingDown, "sda did not answer for a while: 1 of 600 requests took 900 ms, "},
		{"five", 5, 180, 600, 0, cause.SlowingDown,
			"sda did not answer for a while: 5 of 600 requests took 170 ms to 180 ms"},
		{"many", 300, 180, 600, 0, cause.DeviceLatency, "reads from sda one by one"},
		{"short", 5, 40, 600, 0, cause.DeviceLatency, "reads from sda one by one"},
		{"one, and little of all", 1, 150, 6000, 0, cause.DeviceLatency, "reads from sda one by one"},
		{"behind others", 5, 180, 600, 1 << 30, cause.OtherUsers, "others used sda at the same time: 1.07 GB"},
	} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		d := drive(1)
		d.Read.Count = c.all
		rest := c.all - c.few
		d.Read.Latency = profile.Dist{Count: c.all, Sum: rest*ms/10 + c.few*c.each*ms, P50: ms / 10, P90: ms / 10,
			Max: c.each * ms, Bins: []profile.Bin{{From: ms / 11, To: ms / 9, Count: rest},
				{From: (c.each - 10) * ms, To: (c.each + 10) * ms, Count: c.few}}}
		d.Foreign = profile.Share{Write: c.others, BusyNS: second * 9 / 10}
		p.Devices = []profile.Device{d}
		r := verdict.Judge(p).Causes[0]
		if r.Code != c.code || !strings.HasPrefix(r.Text, c.text) {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

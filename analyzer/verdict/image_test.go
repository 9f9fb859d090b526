package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// A loop device is a file on a drive: what that did meanwhile is told, and what helps depends on how the file is read.
func TestImage(t *testing.T) {
	const direct = "have the loop device read and write its file past the page cache (losetup --direct-io=on)"
	for _, c := range []struct {
		name    string
		backing string
		beneath int64 // bytes read of the drive beneath, by nobody of the workload
		busy    int64 // of 0.9 s
		direct  bool
		text    string
		remedy  string
	}{
		{"through the page cache", "/images/a.img", 100 << 20, second * 9 / 20, false,
			"; it is the file a.img on vda, which was busy with that for 50 % of the time", direct},
		{"the drive is what it waits for", "/images/a.img", 100 << 20, second * 8 / 10, false, "for 89 % of the time",
			direct + ", or put the file on a faster drive"},
		{"past it", "/images/a.img", 100 << 20, second * 8 / 10, true, "for 89 % of the time",
			"put the file on a faster drive"},
		{"the file is in memory", "/images/a.img", 1 << 20, second / 100, false, "", ""},
		{"no loop device", "", 100 << 20, second / 2, false, "", ""},
	} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		loop := drive(4)
		loop.Name, loop.Backing, loop.Parents, loop.BackingDirect = "loop0", c.backing, []string{"vda"}, c.direct
		p.Devices = []profile.Device{loop, {Name: "vda", Level: 2, Foreign: profile.Share{Read: c.beneath, BusyNS: c.busy}}}
		r := verdict.Judge(p).Causes[0]
		if told := strings.Contains(r.Text, "it is the file"); told != (c.text != "") || !strings.Contains(r.Text, c.text) ||
			c.remedy != "" && r.Remedy != c.remedy {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

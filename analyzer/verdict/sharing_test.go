package verdict_test

import (
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

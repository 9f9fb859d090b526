package dtrace

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"

	"github.com/iotrace/iotrace/tracer/machine"
)

// plugged is a system to which a disk was attached.
type plugged struct{ machine.System }

func (plugged) Devices() []trace.Device {
	return []trace.Device{{ID: trace.MakeDeviceID(1, 5), Name: "disk3s5", LogicalBlock: 4096},
		{ID: trace.MakeDeviceID(1, 9), Name: "disk4s1", LogicalBlock: 4096}}
}

func (plugged) Inspect(uint32) (p machine.Process, ok bool) { return p, false }

// A request of a device that was attached after the beginning is preceded by what the system says of that, or by its
// number if it says nothing.
func TestADiskThatIsAttachedLater(t *testing.T) {
	told := []trace.Device{{ID: trace.MakeDeviceID(1, 5), Name: "disk3s5", LogicalBlock: 4096}}
	for _, test := range []struct {
		name    string
		system  machine.System
		devices []string
		sector  uint64
	}{
		{"the system is asked", plugged{}, []string{"disk4s1", "1:11"}, 8000},
		{"a stored text", nil, []string{"1:9", "1:11"}, 1000},
	} {
		t.Run(test.name, func(t *testing.T) {
			log, _ := decode(t, config{Platform: Darwin, Devices: told, Machine: test.system,
				Now: func() int64 { return 0 }, Scope: tracer.Scope{PIDs: []uint32{7}}},
				"R\t0\t300\t0\t9\tb0\t1\t9\t1000\t8192\t0\t1\t??/u/f", "R\t0\t310\t7\t7\tb1\t1\t5\t2000\t4096\t1\t0\t??/u/f",
				"D\t0\t400\tb0\t1\t9\t1000\t8192\t0\t0", "D\t0\t420\tb1\t1\t5\t2000\t4096\t0\t0",
				"R\t0\t430\t7\t7\tb1\t1\t11\t2000\t4096\t1\t0\t??/u/f", "D\t0\t440\tb1\t1\t11\t2000\t4096\t0\t0")
			var names []string
			for _, e := range log.Devices {
				names = append(names, e.Name)
			}
			if !slices.Equal(names, test.devices) {
				t.Errorf("told of %v, want %v", names, test.devices)
			}
			if len(log.Requests) != 3 || log.Requests[0].Sector != test.sector {
				t.Errorf("requests %+v", log.Requests)
			}
		})
	}
}

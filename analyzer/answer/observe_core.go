package answer

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// noCore is what to do in place of core files.
const noCore = "mend what ends it, and until then have no core file (ulimit -c 0), or a smaller one (coredump_filter)"

// coreDumped is for a program that a signal ended, and whose memory the kernel wrote to a file before it was gone: no
// call writes that, and whoever waits for the program waits for it.
func coreDumped(o *observer) {
	var dead *profile.Process
	for i := range o.p.Processes {
		if x := &o.p.Processes[i]; x.Dumped {
			dead = x
		}
	}
	if dead == nil {
		return
	}
	for i := range o.p.Files {
		f := &o.p.Files[i]
		if f.Type != trace.FileRegular || len(f.Ops) > 0 || bytesOf(f.DeviceWrite) < amplifiedBytes {
			continue
		}
		o.say("core_dump", fmt.Sprintf("/files/%d", i), fmt.Sprintf("Signal %d ended %s, and the kernel wrote its memory "+
			"to %s: %s reached the drive; %s.", dead.Signal, dead.Command, named(f.Path),
			unit.Bytes(f.DeviceWrite.Bytes), noCore),
			number(fmt.Sprintf("/files/%d/device_write/bytes", i), float64(f.DeviceWrite.Bytes)))
		o.instead(noCore)
		return
	}
}

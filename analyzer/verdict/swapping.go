package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// swapping is for the time spent waiting for memory that had been moved to a device, and for its being moved there.
func swapping(a *account) {
	d, write := wording.Busiest(a.p, false), wording.Busiest(a.p, true)
	if d == nil || d.SwapRead == 0 {
		return
	}
	ns := a.takeUpTo(part(a.spent[onReads], d.SwapRead, d.Flow.Bytes), onReads)
	if write != nil && write.Name == d.Name {
		ns += a.takeUpTo(part(a.spent[onWrites], d.SwapWrite, write.Flow.Bytes), onWrites)
	}
	device := d.Pointer[:len(d.Pointer)-len("/read")]
	a.because(profile.Reason{
		Code: cause.MemoryPressure, Name: "swapping", TimeNS: ns, Certainty: cause.Measured,
		Text: fmt.Sprintf("%s went to swap on %s, %s came back", unit.Bytes(d.SwapWrite), d.Name,
			unit.Bytes(d.SwapRead)),
		Evidence:   []profile.Evidence{at(device+"/swap_read_bytes", float64(d.SwapRead))},
		Remedy:     "more memory, or a higher limit of its cgroup",
		Experiment: "cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes",
	})
}

// part is the share of a time that some of the bytes have in all.
func part(ns, some, all int64) int64 {
	return int64(float64(ns) * float64(some) / float64(max(some, all, 1)))
}

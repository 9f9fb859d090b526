package gap

import (
	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// lacking says, by the cause of a verdict, what a replay on this disk does not have of what
// the recording met.
var lacking = map[string]string{
	cause.LimitAbove: "a limit held the recording back, of a cgroup or of the machine's host; " +
		"here it may not hold",
	cause.Fragmentation:  "the file that was read lay in many pieces; a replay makes its files anew",
	cause.Compression:    "its data could be compressed; a replay writes random data",
	cause.MemoryPressure: "memory was short, as in a cgroup with a limit; here it may not be",
	cause.CacheDropped:   "what had been read was dropped from memory meanwhile; here nobody may do that",
	cause.DirtyLimit:     "the kernel held its writes back (vm.dirty_bytes, or little memory); here it may not",
	cause.OtherUsers:     "others used the disk while it was recorded",
	cause.CPUContention:  "others had the CPUs while it was recorded, or a quota forbade it to run",
	cause.CPUQuota:       "the CPU quota of its cgroup forbade it to run while it was recorded",
	cause.StolenCPU:      "the host of the virtual machine had the CPUs while it was recorded",
	cause.SlowingDown:    "the drive became slower while it was recorded",
	cause.BlockedInCall:  "another process held a lock that a replay does not wait for",
}

// least is the share of the time from which on a cause is a likely reason.
const least = 0.1

// elsewhere is the likely reason for which a replay differs from the recording; "" if the
// recording shows none but that it was made at another moment.
func elsewhere(p *profile.Profile) string {
	for _, c := range p.Verdict.Causes {
		if c.Share >= least && lacking[c.Code] != "" {
			return lacking[c.Code]
		}
	}
	return ""
}

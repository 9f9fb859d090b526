package whatif

import "github.com/iotrace/iotrace/analyzer/program"

// Scenario is a change with a name.
type Scenario struct {
	Code   string // of the standard set
	Name   string
	Change Change
}

// The codes of the standard set.
const (
	FasterDrive   = "drive"
	HalfLatency   = "latency"
	MoreBandwidth = "bandwidth"
	MoreDepth     = "depth"
	MoreReadAhead = "readahead"
	NoSyncs       = "no_fsync"
	NoPauses      = "no_think"
	AllWarm       = "warm"
	FasterCPU     = "cpu"
)

// Standard is what is tried when nobody says what to try.
func Standard() []Scenario {
	return []Scenario{
		{FasterDrive, "a drive twice as fast", Change{Latency: 0.5, Bandwidth: 2}},
		{HalfLatency, "half the latency of the drive", Change{Latency: 0.5}},
		{MoreBandwidth, "twice the bandwidth of the drive", Change{Bandwidth: 2}},
		{MoreDepth, "8 requests in flight", Change{Change: program.Change{Depth: 8}}},
		{MoreReadAhead, "4 MiB of readahead", Change{Change: program.Change{ReadAhead: 4 << 20}}},
		{NoSyncs, "no waiting for syncs", Change{Change: program.Change{NoSync: true}}},
		{NoPauses, "no pauses of the program", Change{Change: program.Change{NoThink: true}}},
		{AllWarm, "all that was read in memory", Change{Warm: true}},
		{FasterCPU, "a CPU twice as fast", Change{CPU: 2}},
	}
}

package compare

// A Dimension is one way in which two workloads can differ, and what was found.
// Numbers that do not apply or are not known are null.
type Dimension struct {
	Code string `json:"code"`
	Name string `json:"name"` // for people, with its layer
	Unit string `json:"unit"` // of Points: "bytes", "ns", "operations", "bytes/s"; "share" of Shares
	// Outcome marks what a workload achieves, not what it does. Outcomes have no
	// part in the similarity.
	Outcome   bool  `json:"outcome"`
	Subject   Value `json:"subject"`
	Reference Value `json:"reference"`

	// Verdict is "same", "differs", "~" (repeated runs, and the difference is
	// within their noise) or "?" (one side is not known; Reason says why).
	Verdict string `json:"verdict"`
	Reason  string `json:"reason,omitempty"`
	Effect  string `json:"effect"` // the subject against the reference, in words

	Distance  *float64 `json:"distance"`  // 0 to 1
	JS        *float64 `json:"js"`        // Jensen-Shannon divergence over log bins or kinds, divided by ln 2
	W1        *float64 `json:"w1"`        // Wasserstein distance in Unit; of Shares the share that is elsewhere
	Doublings *float64 `json:"doublings"` // Wasserstein distance of the base-2 logarithms
	Factor    *float64 `json:"factor"`    // this dimension's part in the similarity

	Ratio *float64 `json:"ratio"` // typical value of the subject / of the reference
	Low   *float64 `json:"low"`   // 95 % interval of Ratio, from six runs a side
	High  *float64 `json:"high"`
	// P says how well the scatter of repeated runs explains the difference, corrected
	// for the number of dimensions (repeat.go): below 0.045 it does not.
	P *float64 `json:"p"`
	// Detectable is the least relative change of the outcome that these runs show in
	// four of five repetitions, from the scatter within the sides: 0.12 is 12 %.
	Detectable *float64 `json:"detectable"`
}

// kind is the definition of a dimension.
type kind struct {
	code, name, unit string
	weight           float64 // exponent of its part in the similarity
	outcome          bool
	part             bool    // of another dimension: told only where a side has it, and not counted
	floor, limit     float64 // values below and above count as these
	span             float64 // doublings that count as entirely different
	mean             bool    // the typical value is the mean, not the median
	// Words of a ratio: "8 × smaller".
	more, less string
}

// Bytes beyond which a call is as good as one for the whole file, a run as good
// as endless, and data as good as never synced: 64 MiB take a drive of 5 GB/s
// 13 ms, a hundred times what any of its requests does.
const endless = 64 << 20

// The dimensions in the order in which they are shown.
const (
	callSize = iota
	requestSize
	callDepth
	requestDepth
	readMix
	locality
	runLength
	busyShare
	thinkTime
	cacheMode
	interfaceUsed
	syncEvery
	metadataShare
	wallTime
	durableTime
	throughput
	durableThroughput
	readLatency
	writeLatency
	requestLatency
	gapReadWrite // these last ones are there only where a side has such pauses
	gapWriteRead
	gapWriteWrite
	numDimensions
)

// kinds define the dimensions. The spans: 4 KiB to 1 MiB are 8 doublings, depth
// 1 to 32 are 5.
var kinds = [numDimensions]kind{
	callSize: {code: "call_size", name: "block size of calls", unit: "bytes", weight: 1, floor: 1, limit: endless,
		span: 8, more: "larger", less: "smaller"},
	requestSize: {code: "request_size", name: "block size of requests", unit: "bytes", weight: 0.5, floor: 1,
		limit: endless, span: 8, more: "larger", less: "smaller"},
	callDepth: {code: "call_depth", name: "queue depth of calls", unit: "operations", weight: 1, floor: 1,
		limit: 1 << 20, span: 5, mean: true},
	requestDepth: {code: "request_depth", name: "queue depth of requests", unit: "operations", weight: 0.5, floor: 1,
		limit: 1 << 20, span: 5, mean: true},
	readMix:  {code: "read_mix", name: "reads and writes", unit: "share", weight: 1},
	locality: {code: "locality", name: "locality", unit: "share", weight: 1},
	runLength: {code: "run_length", name: "run length", unit: "bytes", weight: 0.5, floor: 1, limit: endless,
		span: 8, more: "longer", less: "shorter"},
	busyShare: {code: "busy_share", name: "time with I/O in flight", unit: "share", weight: 0.5},
	thinkTime: {code: "think_time", name: "time between calls", unit: "ns", weight: 0.5, floor: 1e3, limit: 3600e9,
		span: 10, more: "longer", less: "shorter"},
	cacheMode:     {code: "cache_mode", name: "cache mode", unit: "share", weight: 1},
	interfaceUsed: {code: "interface", name: "how data is moved", unit: "share", weight: 0.5},
	syncEvery: {code: "sync", name: "bytes written per sync", unit: "bytes", weight: 0.5, floor: 1, limit: endless,
		span: 8, more: "longer", less: "shorter"},
	metadataShare: {code: "metadata_share", name: "time in metadata calls", unit: "share", weight: 0.5},
	wallTime: {code: "wall_time", name: "wall time", unit: "ns", outcome: true, floor: 1e3, limit: 30 * 86400e9,
		span: 5, more: "longer", less: "shorter"},
	durableTime: {code: "durable_time", name: "durable time", unit: "ns", outcome: true, floor: 1e3,
		limit: 30 * 86400e9, span: 5, more: "longer", less: "shorter"},
	throughput: {code: "throughput", name: "throughput", unit: "bytes/s", outcome: true, floor: 1, limit: 1e15,
		span: 5, more: "faster", less: "slower"},
	durableThroughput: {code: "durable_throughput", name: "durable throughput", unit: "bytes/s", outcome: true, floor: 1,
		limit: 1e15, span: 5, more: "faster", less: "slower"},
	readLatency: {code: "read_latency", name: "latency of read calls", unit: "ns", outcome: true, floor: 1,
		limit: 3600e9, span: 8, more: "longer", less: "shorter"},
	writeLatency: {code: "write_latency", name: "latency of write calls", unit: "ns", outcome: true, floor: 1,
		limit: 3600e9, span: 8, more: "longer", less: "shorter"},
	requestLatency: {code: "request_latency", name: "latency of requests", unit: "ns", outcome: true, floor: 1,
		limit: 3600e9, span: 8, more: "longer", less: "shorter"},
	// Parts of the think time, which have no part of their own in the similarity.
	gapReadWrite: {code: "gap_read_write", name: "from a read to the write", unit: "ns", part: true,
		floor: 1e3, limit: 3600e9, span: 10, more: "longer", less: "shorter"},
	gapWriteRead: {code: "gap_write_read", name: "from a write to the next read", unit: "ns", part: true,
		floor: 1e3, limit: 3600e9, span: 10, more: "longer", less: "shorter"},
	gapWriteWrite: {code: "gap_write_write", name: "from a write to the next write", unit: "ns", part: true,
		floor: 1e3, limit: 3600e9, span: 10, more: "longer", less: "shorter"},
}

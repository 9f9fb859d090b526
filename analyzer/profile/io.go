package profile

// Dist is the distribution of a quantity, in the unit its field is named by.
type Dist struct {
	Count int64 `json:"count"` // values
	Sum   int64 `json:"sum"`   // of all values
	Min   int64 `json:"min"`   // least value
	P10   int64 `json:"p10"`   // 10th percentile
	P50   int64 `json:"p50"`   // median
	P90   int64 `json:"p90"`   // 90th percentile
	P99   int64 `json:"p99"`   // 99th percentile
	P999  int64 `json:"p999"`  // 99.9th percentile
	Max   int64 `json:"max"`   // greatest value
	// half of the bytes are in operations of at most this size (sizes only): what moved the data, where `p50` is that
	// of most operations
	ByBytes int64 `json:"p50_by_bytes,omitempty"`
	// if the sample has more than one: dip test, mixture and separation all say so
	Modes []Mode  `json:"modes,omitempty"`
	Top   []Value `json:"top,omitempty"`  // the most frequent exact values (sizes only)
	Bins  []Bin   `json:"bins,omitempty"` // four per octave, empty ones left out
}

// Mean is the arithmetic mean; 0 if there is no value.
func (d *Dist) Mean() float64 {
	if d == nil || d.Count == 0 {
		return 0
	}
	return float64(d.Sum) / float64(d.Count)
}

// Mode is one cluster of a distribution with several.
type Mode struct {
	Median int64   `json:"median"` // of the values that belong to it
	Weight float64 `json:"weight"` // share of the sample
}

// Value is an exact value and how often it occurred.
type Value struct {
	Value int64 `json:"value"` // the value
	Count int64 `json:"count"` // how often it occurred
}

// Bin counts the values v with `from` <= v < `to`.
type Bin struct {
	From  int64 `json:"from"`  // least value of the bin
	To    int64 `json:"to"`    // least value of the next bin
	Count int64 `json:"count"` // values in it
}

// Flow is the I/O in one direction at one layer.
type Flow struct {
	Count   int64 `json:"count"`      // operations
	Bytes   int64 `json:"bytes"`      // moved
	Errors  int64 `json:"errors"`     // operations that failed
	FirstNS int64 `json:"first_ns"`   // start of the first operation
	LastNS  int64 `json:"last_ns"`    // end of the last one
	Size    Dist  `json:"size_bytes"` // moved per operation, without those that moved nothing, as at the end of a file
	Latency Dist  `json:"latency_ns"` // its sum is the time spent, added over operations
	Depth   Depth `json:"depth"`      // achieved queue depth
	// At a device, how long a request usually took that was given to it while it had no other; 0 if hardly any was.
	AloneNS int64 `json:"alone_ns,omitempty"`
}

// Gaps are the pauses between data calls, by what comes before and after them. Each is left out where there is no such
// value.
type Gaps struct {
	ReadWrite  *Dist `json:"read_to_write_ns,omitempty"`  // from a read to the write
	WriteRead  *Dist `json:"write_to_read_ns,omitempty"`  // from a write to the next read
	WriteWrite *Dist `json:"write_to_write_ns,omitempty"` // from a write to the next write
}

// Depth is the achieved queue depth: how many operations were in flight. The
// integral of the depth over time equals the sum of the latencies.
type Depth struct {
	MeanWall  float64 `json:"mean_wall"`                  // over the wall time (copies: over the copy)
	MeanBusy  float64 `json:"mean_busy"`                  // over the time with at least one in flight; 0 or >= 1
	Max       int     `json:"max"`                        // most in flight at once
	BusyNS    int64   `json:"busy_ns"`                    // time with at least one in flight
	BusyShare float64 `json:"busy_share,omitempty"`       // that, of the time that the causes divide
	BytesPerS int64   `json:"busy_bytes_per_s,omitempty"` // bytes / busy_ns
	Levels    []Level `json:"levels,omitempty"`           // devices and totals only
}

// Level is the time spent at depths of at least `depth` and below that of the next level.
type Level struct {
	Depth int   `json:"depth"` // least depth of the group
	NS    int64 `json:"ns"`    // time spent at it
}

// Layer is all I/O of the workload at one layer. Each byte is counted once per
// layer; layers are not to be added.
type Layer struct {
	Name    string   `json:"name"`            // "calls", "faults", "loop", "dm", "md", "partition", "disk", "unknown"
	Level   int      `json:"level"`           // 0 for calls and faults, then 1 for the topmost devices and so on down
	Devices []string `json:"devices"`         // their names
	Read    *Flow    `json:"read,omitempty"`  // what was read; missing if nothing was
	Write   *Flow    `json:"write,omitempty"` // what was written; missing if nothing was
	Marks   []string `json:"marks,omitempty"` // codes of warnings that touch these numbers

	// of a layer below another: what was read of files that are on it directly. An example is the source of a copy to a
	// file system in an image on the same disk
	DirectRead  int64 `json:"direct_read_bytes,omitempty"`
	DirectWrite int64 `json:"direct_write_bytes,omitempty"` // the same of what was written
}

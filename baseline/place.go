package baseline

// Place is where a run works: a directory with its file system, or a device.
type Place struct {
	Path       string `json:"path"`            // as the user named it
	Label      string `json:"label,omitempty"` // what the user calls it
	FSType     string `json:"fs_type,omitempty"`
	Mount      string `json:"mount,omitempty"`
	Source     string `json:"source,omitempty"` // what is mounted there
	Device     string `json:"device,omitempty"` // name of the block device, if it is one
	Model      string `json:"model,omitempty"`
	Rotational bool   `json:"rotational,omitempty"`
	Queue      int64  `json:"queue_requests,omitempty"` // requests that its queue holds
	SizeBytes  int64  `json:"size_bytes"`               // of the file system or device
	FreeBytes  int64  `json:"free_bytes"`               // before the run
}

// LeastReached is the share of what was moved by direct I/O below which a device
// has not seen it. Of several devices under one file system only one is looked at.
const LeastReached = 0.05

// DeviceUse is what the block device under a place did in the active and idle
// time of a run, no matter who used it: counters of the whole device, which any
// user may read. A recording tells requests of the benchmark from others.
type DeviceUse struct {
	Device       string  `json:"device"`
	Reads        int64   `json:"reads"` // requests
	ReadBytes    int64   `json:"read_bytes"`
	Writes       int64   `json:"writes"`
	WriteBytes   int64   `json:"write_bytes"`
	MeanRequest  int64   `json:"mean_request_bytes"`
	MeanDepth    float64 `json:"mean_depth"` // requests in flight, over the active time
	MeanServiced int64   `json:"mean_latency_ns"`
}

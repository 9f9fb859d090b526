package baseline

// Requests is what a recording saw at the device during one run: the requests
// that belong to the run's files, or to no file known by name (journal,
// metadata of the run).
type Requests struct {
	Device      string      `json:"device"`
	Reads       int64       `json:"reads"`
	ReadBytes   int64       `json:"read_bytes"`
	Writes      int64       `json:"writes"`
	WriteBytes  int64       `json:"write_bytes"`
	Flushes     int64       `json:"flushes"`
	Sizes       []SizeCount `json:"sizes"`             // the eight commonest, most first
	MeanDepth   float64     `json:"mean_depth"`        // requests that the drive had been given, over the active time
	MeanQueued  float64     `json:"mean_queued_depth"` // those and the ones that waited in the queue of the block layer
	BusyNS      int64       `json:"busy_ns"`           // while the drive had been given at least one
	Latency     Latency     `json:"latency_ns"`        // from issue to completion
	OtherBytes  int64       `json:"other_bytes"`
	WindowStart int64       `json:"trace_start_ns"` // of the run, on the clock of the trace
	WindowEnd   int64       `json:"trace_end_ns"`
}

// SizeCount is a request size and how often it occurred.
type SizeCount struct {
	Bytes int64 `json:"bytes"`
	Count int64 `json:"count"`
}

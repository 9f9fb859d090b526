package profile

// Order says in which order a device read files for the workload.
type Order struct {
	Device  string `json:"device"`       // its name
	Reads   int64  `json:"reads"`        // requests
	Files   int64  `json:"files"`        // of these, for another file than the one before
	Rising  int64  `json:"rising"`       // of these, for one with a larger inode number
	ByInode int64  `json:"by_inode"`     // of those for another file, where the larger inode number lies further on
	Jumped  int64  `json:"jumped_bytes"` // from the end of each read to the beginning of the next, added
	Span    int64  `json:"span_bytes"`   // from the first byte that was read on the device to the last
	Sweeps  int64  `json:"sweeps"`       // how often the first is the second; in order it is once at most
	EachNS  int64  `json:"each_ns"`      // mean time of a read, from when the one before was done
}

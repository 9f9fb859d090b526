package profile

// Amounts sets what programs asked for and what calls moved against what devices did, and says why these differ.
type Amounts struct {
	Devices     []Amount `json:"devices"`     // most bytes first
	Filesystems []Amount `json:"filesystems"` // of the files that the workload used, most bytes first
	Files       []Amount `json:"files"`       // those of which devices moved most more, or less, than calls did
}

// Amount is what was moved of a device, a file system or a file.
type Amount struct {
	Name   string `json:"name"`              // of the device, the mount point, the path
	Device string `json:"device,omitempty"`  // that a file system or a file lies on, if it was seen
	FSType string `json:"fs_type,omitempty"` // of a file system or a file
	Read   Moved  `json:"read"`
	Write  Moved  `json:"write"`
}

// Moved is one direction: what was asked for, what calls moved, and what devices did.
type Moved struct {
	Asked  int64 `json:"asked_bytes"`
	Moved  int64 `json:"moved_bytes"`  // by calls and asynchronous operations
	Device int64 `json:"device_bytes"` // by requests, whoever they were for
	// Factor is the bytes of the workload's requests for each byte that calls moved, without what mappings, swap and
	// devices above caused; Unknown if calls moved nothing.
	Factor  float64 `json:"factor"`
	Reasons []Part  `json:"reasons"` // they add up to Device
	// Spared is what calls moved and no request did for them.
	Spared []Part `json:"spared"`
}

// Part is bytes for a reason.
type Part struct {
	Code  string `json:"code"`
	Bytes int64  `json:"bytes"`
}

// Of is the bytes for a reason.
func (m *Moved) Of(code string) (n int64) {
	for _, p := range m.Reasons {
		if p.Code == code {
			n += p.Bytes
		}
	}
	for _, p := range m.Spared {
		if p.Code == code {
			n += p.Bytes
		}
	}
	return n
}

// Reasons for which devices read and wrote.
const (
	Data         = "data"          // what calls moved
	Mapped       = "mapped"        // through a mapping, or as a program's own code
	Metadata     = "metadata"      // and the journal
	Partial      = "partial"       // the rest of blocks of which calls moved a part
	ForWriting   = "for_writing"   // read to write a part of a block
	Readahead    = "readahead"     // read ahead, and not used
	AgainEvicted = "again_evicted" // read again after memory was needed for something else
	AgainDropped = "again_dropped" // read again after a program had it dropped
	AgainDirect  = "again_direct"  // read again as others went past the page cache
	Again        = "again"         // written more often than calls wrote it
	Zeroes       = "zeroes"        // written where no call wrote
	CopyUp       = "copy_up"       // of an overlay
	Mirror       = "mirror"        // on a further device
	Earlier      = "earlier"       // in memory before, or changed by who is not recorded
	Zeroed       = "zeroed"        // by a command of the device
	Above        = "above"         // for a device that is built on this one
	Swap         = "swap"
	ByOther      = "others"
	ByRecorder   = "recorder"
	Untold       = "untold" // the recording does not tell the file
)

// Reasons for which devices did not do what calls did.
const (
	Cached      = "cached"      // it was in memory
	Holes       = "holes"       // nothing is stored there
	Overwritten = "overwritten" // in memory, before it was written
	Compressed  = "compressed"  // fewer bytes were written
	Deleted     = "deleted"     // before it was written
	InMemory    = "in_memory"   // not written yet, or a file system in memory
	Elsewhere   = "elsewhere"   // a file system in a program or on another machine
)

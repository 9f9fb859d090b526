package profile

// Amounts compares what programs asked for and what calls moved with what devices did, and says why these differ. It is
// empty where no requests were recorded.
type Amounts struct {
	Devices []Amount `json:"devices"` // most bytes first
	// of the files that the workload used, most bytes first; metadata of a device belongs to the file system on it
	// where one alone was used
	Filesystems []Amount `json:"filesystems"`
	// those of which devices moved most more, or less, than calls did, at most 100
	Files []Amount `json:"files"`
}

// Amount is what was moved of a device, a file system or a file.
type Amount struct {
	Name   string `json:"name"`              // of the device, the mount point, the path
	Device string `json:"device,omitempty"`  // that holds the file system or file, if it was seen
	FSType string `json:"fs_type,omitempty"` // of a file system or a file
	Read   Moved  `json:"read"`              // what was read
	Write  Moved  `json:"write"`             // what was written
	// that a device was told are free again, for the workload
	Discarded int64 `json:"discarded_bytes,omitempty"`
}

// Moved is one direction: what was asked for, what calls moved, and what devices did. Reasons of requests: `data`
// (what calls moved), `mapped` (through a mapping, or a program's own code), `metadata` (and the journal), `partial`
// (the rest of blocks of which calls moved a part), `unpacked` (the rest of compressed extents, which have to be read
// whole), `for_writing` (read to write a part of a block), `readahead` (read ahead, and not used), `again_evicted`
// (read again after memory was needed for something else), `again_dropped` (after a program had it dropped, recorded
// or not), `again_direct` (as other calls bypassed the page cache), `again` (written more often than calls wrote it),
// `zeroes` (written where no call wrote), `copy_up` (of an overlay), `mirror` (on a further device), `earlier` (in
// memory before, or changed by a process that is not recorded), `zeroed` (by a command of the device), `above` (for a
// device that is built on this one), `swap`, `others`, `recorder`, `untold` (the recording does not name the file).
// Reasons for which requests were spared: `cached` (it was in memory), `holes` (nothing is stored there), `inline`
// (small enough to lie with the metadata), `overwritten` (in memory, before it was written), `compressed`, `deleted`
// (before it was written), `in_memory` (not written yet, or a file system in memory), `elsewhere` (a file system in a
// program or on another machine).
type Moved struct {
	// by calls and asynchronous operations; copies within the kernel ask for what they move
	Asked int64 `json:"asked_bytes"`
	Moved int64 `json:"moved_bytes"` // by them
	// by requests, whoever they were for: of a device what the kernel counts in `/proc/diskstats`
	Device int64 `json:"device_bytes"`
	// of a device, of these: those of a journal, a log or trees that hold changes of the workload and of others. How much
	// of it is `others`, and how much `metadata`, is an estimate
	Shared int64 `json:"shared_bytes,omitempty"`
	// of these, those of requests that hold compressed data
	Packed int64 `json:"compressed_bytes,omitempty"`
	// bytes of the workload's requests for each byte that calls moved; without what mappings, swap and devices above
	// caused; -1 if calls moved nothing
	Factor  float64 `json:"factor"`
	Reasons []Part  `json:"reasons"` // they add up to `device_bytes`
	Spared  []Part  `json:"spared"`  // what calls moved and no request did for them
}

// Part is bytes for a reason.
type Part struct {
	Code  string `json:"code"`  // one of the reasons above
	Bytes int64  `json:"bytes"` // for that reason
}

// Why is the reason for which a device moved most of what calls did not move there, nil if there is none. What it moved
// for others, or through mappings, is no amplification.
func (m *Moved) Why() (most *Part) {
	for i := range m.Reasons {
		switch r := &m.Reasons[i]; r.Code {
		case Data, Above, ByOther, ByRecorder, Swap, Mapped:
		default:
			if most == nil || r.Bytes > most.Bytes {
				most = r
			}
		}
	}
	return most
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
	Unpacked     = "unpacked"      // the rest of compressed extents, which are read whole
	ForWriting   = "for_writing"   // read to write a part of a block
	Readahead    = "readahead"     // read ahead, and not used
	AgainEvicted = "again_evicted" // read again after memory was needed for something else
	AgainDropped = "again_dropped" // read again after a program had it dropped, recorded or not
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
	Inline      = "inline"      // small enough to lie with the metadata
	Overwritten = "overwritten" // in memory, before it was written
	Compressed  = "compressed"  // fewer bytes were written
	Deleted     = "deleted"     // before it was written
	InMemory    = "in_memory"   // not written yet, or a file system in memory
	Elsewhere   = "elsewhere"   // a file system in a program or on another machine
)

package trace

import "fmt"

// Request is one block request at one device (one layer of a stack).
type Request struct {
	// Queued is when its first bio entered the block layer, in ns since the start of the recording; -1 if not seen.
	Queued int64 `name:"queued" none:"-1" unit:"ns" column:"5 6"`
	// Issued is when it was handed to the driver, in ns.
	Issued int64 `name:"issued" unit:"ns" table:",delta" column:"4 less Completed zero"`
	// Completed is when the driver had done it, in ns.
	Completed int64    `name:"completed" unit:"ns" table:",delta" column:"3 previous"`
	Device    DeviceID `name:"device" with:"name" column:"1 key"` // major * 2^20 + minor
	Sector    uint64   `name:"sector" column:"7"`                 // in units of 512 bytes, absolute on the device
	Bytes     int64    `name:"bytes" unit:"bytes" column:"8"`     // of all pieces together
	Op        ReqOp    `name:"op" column:"2 key"`                 // what it does
	Flags     ReqFlags `name:"flags" column:"9"`                  // of the request
	PID       uint32   `name:"pid" column:"10"`                   // process that queued it (for writeback a kernel worker)
	TID       uint32   `name:"tid" column:"11"`                   // thread that queued it
	// Owner is the process that it was done for, 0 if not known.
	Owner uint32 `name:"owner" none:"0" column:"12"`
	// File is the file of its first data byte, 0 if none.
	File FileID `name:"file" with:"path" none:"0" column:"13"`
	// Offset is in bytes from the start of File, NoOffset (-1) if not known.
	Offset   int64    `name:"offset" none:"-1" table:"file_offset" column:"14"`
	Evidence Evidence `name:"evidence" column:"15"`          // how sure the file is
	Bios     uint32   `name:"bios" column:"16"`              // bios merged into it, 1 if none was merged
	Requeues uint32   `name:"requeues" omit:"0" column:"17"` // how often the driver gave it back
	Error    int32    `name:"error" omit:"0" column:"18"`    // errno, 0 if it succeeded
	// More lists the further pieces of a request that holds data of several
	// files or of several places of one file; nil for the usual request. Bytes
	// of the first piece (File, Offset) is Bytes less the sum of More.
	More []Extent `name:"more" table:"-" column:"19"`
	// Others is the part of a request of a journal, a log or trees (btrfs) that holds what others changed; not of one
	// that is foreign as a whole.
	Others int64 `name:"others" omit:"0" unit:"bytes" column:"20"`
}

// Latency is the time from issue to completion, in ns.
func (r *Request) Latency() int64 { return r.Completed - r.Issued }

// Own is how much of it is not others'; of one that is not foreign.
func (r *Request) Own() int64 { return r.Bytes - r.Others }

// Impossible says what about the event cannot be, "" if it is plausible.
func (r *Request) Impossible() string {
	if why := during(r.Issued, r.Completed-r.Issued); why != "" {
		return why
	}
	switch {
	case r.Queued != -1 && !Within(MaxTime, r.Queued):
		return fmt.Sprintf("it was queued at %d ns", r.Queued)
	case r.Bytes < 0 || r.Bytes > MaxRequest:
		return fmt.Sprintf("a request of %d bytes; it has at most %d", r.Bytes, int64(MaxRequest))
	case r.Sector > MaxSector && r.Bytes > 0:
		return fmt.Sprintf("sector %d", r.Sector)
	case !place(r.Offset):
		return fmt.Sprintf("offset %d", r.Offset)
	}
	if r.Others < 0 || r.Others > r.Bytes {
		return fmt.Sprintf("%d of its %d bytes are others'", r.Others, r.Bytes)
	}
	rest := r.Bytes
	for _, m := range r.More {
		if rest -= m.Bytes; m.Bytes < 0 || rest < 0 || !place(m.Offset) {
			return fmt.Sprintf("a piece of %d bytes at offset %d, in a request of %d", m.Bytes, m.Offset, r.Bytes)
		}
	}
	return ""
}

// Extent is a piece of a request that belongs to one place of one file.
type Extent struct {
	File FileID `name:"file" with:"path" none:"0" column:"1 previous"` // file of the piece, 0 if none
	// Offset is in bytes from the start of File, NoOffset (-1) if not known.
	Offset int64 `name:"offset" none:"-1" table:"file_offset" column:"2 previous"`
	Bytes  int64 `name:"bytes" unit:"bytes" column:"3"` // of this piece
}

// ReqOp is what a block request does.
type ReqOp uint8

// The request operations.
const (
	ReqRead ReqOp = 1 + iota
	ReqWrite
	ReqFlush
	ReqDiscard
	ReqWriteZeroes
	ReqZone  // zone management
	ReqOther // pass-through and driver-private requests
)

var reqOpNames = [...]string{"unknown", "read", "write", "flush", "discard", "write_zeroes", "zone", "other"}

func (o ReqOp) String() string {
	if int(o) < len(reqOpNames) {
		return reqOpNames[o]
	}
	return "unknown"
}

// ReqFlags qualify a block request.
type ReqFlags uint16

// The request flags.
const (
	ReqSync       ReqFlags = 1 << iota // REQ_SYNC: somebody waits for it
	ReqMeta                            // REQ_META
	ReqFUA                             // REQ_FUA: on the medium before it completes
	ReqPreflush                        // REQ_PREFLUSH
	ReqReadahead                       // REQ_RAHEAD
	ReqBackground                      // REQ_BACKGROUND: background writeback
	ReqPrio                            // REQ_PRIO
	ReqForeign                         // neither queued by a recorded process nor of a file it used
	ReqRecorder                        // caused by the recorder itself
	ReqBioBased                        // the device has no request queue: one bio
	ReqDirect                          // from or to user memory (O_DIRECT)
	ReqSwap                            // anonymous memory: swap
	ReqNoMerge
	ReqPacked // with compressed data, of which only the place in the file is told where they begin
	ReqIdle   // of the I/O priority class idle: a scheduler that heeds it has everybody else go first
	ReqSpare  // of a log, with nothing but room beyond the ends of files that was given back
)

// Evidence says how sure the file of a request is.
type Evidence uint8

// The grades of evidence.
const (
	EvidenceNone     Evidence = iota // journal, metadata, or not known
	EvidenceExact                    // the call that submitted it names the file
	EvidenceInode                    // by the inode its pages belong to; one process wrote it
	EvidenceShared                   // by the inode; several processes wrote it
	EvidenceInferred                 // by device, time and size alone; File is 0 if several files of Owner fit
)

var evidenceNames = [...]string{"none", "exact", "inode", "shared", "inferred"}

func (e Evidence) String() string {
	if int(e) < len(evidenceNames) {
		return evidenceNames[e]
	}
	return "unknown"
}

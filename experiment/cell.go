package experiment

import (
	"fmt"
	"time"
)

// cell is one way to move a payload: a corner between a benchmark and a
// workload. Its clock runs until the last call returns; data that is not yet on
// the device by then is forced there afterwards, and that time told separately.
type cell struct {
	Read       bool          // from source files
	Write      bool          // to target files; with Read each block after it was read
	Depth      int           // threads, each with one call at a time
	Block      int64         // of a call; rounded up to 4 KiB without Buffered
	Random     bool          // blocks in random order within each file
	Buffered   bool          // through the page cache
	Warm       bool          // buffered reads find the source in the cache; otherwise it was dropped
	Fresh      bool          // targets are created, else overwritten
	FileSize   int64         // payload in files of this size, opened while the clock runs; 0: one file, opened before
	Looks      int           // calls that read the attributes of each file, besides open and close
	Changes    int           // calls that change them
	SyncEvery  int64         // bytes a thread writes between two syncs; 0: none
	FullSync   bool          // by fsync, not fdatasync
	ThinkPerGB time.Duration // pauses per 10^9 bytes of payload; several threads pause in turn
	// WarmTarget: files that are overwritten through the page cache are in it.
	WarmTarget bool
	CallGap    time.Duration // CPU time between two calls of a thread
	InKernel   bool          // with Read and Write: by copy_file_range; one thread copies a file in one call, as cp does
	// Compressible is the share of each 4 KiB that is zeros.
	Compressible float64
	Mapped       bool // what is read is mapped into memory, and its pages are touched
}

// cellResult is one run of a cell.
type cellResult struct {
	Bytes      int64 // payload
	ActiveNS   int64
	DeferredNS int64   // until its data was on the device, after ActiveNS
	Depth      float64 // achieved: calls in flight, mean over ActiveNS
	Syncs      int64
}

// space is the space that cells with a payload need at once.
func space(payload int64, cells []cell) int64 {
	fresh := int64(0)
	for _, c := range cells {
		if c.Write && c.Fresh {
			fresh = payload
		}
	}
	return files(payload, cells) + fresh
}

// files is the size of the files that have to be there before cells with a payload can run.
func files(payload int64, cells []cell) int64 {
	sets := map[string]bool{}
	for _, c := range cells {
		if c.Read {
			sets[fmt.Sprint("source ", c.FileSize, c.Compressible)] = true
		}
		if c.Write && !c.Fresh {
			sets[fmt.Sprint("target ", c.FileSize)] = true
		}
	}
	return int64(len(sets)) * payload
}

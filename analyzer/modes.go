package analyzer

import "github.com/iotrace/iotrace/trace"

// CacheModes says how calls went about the page cache, in bytes they moved.
type CacheModes struct {
	DirectRead    int64 `json:"direct_read_bytes"` // O_DIRECT
	DirectWrite   int64 `json:"direct_write_bytes"`
	UncachedRead  int64 `json:"uncached_read_bytes"` // F_NOCACHE, RWF_DONTCACHE
	UncachedWrite int64 `json:"uncached_write_bytes"`
	BufferedRead  int64 `json:"buffered_read_bytes"`
	BufferedWrite int64 `json:"buffered_write_bytes"`
	SyncedWrite   int64 `json:"synced_write_bytes"` // of all writes: O_SYNC, O_DSYNC, durable when the call returned
}

// add counts a data access to files that hold data.
func (m *CacheModes) add(x *access, reads, writes bool) {
	read, write := &m.BufferedRead, &m.BufferedWrite
	switch {
	case x.flags&trace.FlagDirect != 0:
		read, write = &m.DirectRead, &m.DirectWrite
	case x.flags&trace.FlagNoCache != 0:
		read, write = &m.UncachedRead, &m.UncachedWrite
	}
	if reads {
		*read += x.bytes
	}
	if writes {
		*write += x.bytes
		if x.flags&(trace.FlagSync|trace.FlagDSync) != 0 {
			m.SyncedWrite += x.bytes
		}
	}
}

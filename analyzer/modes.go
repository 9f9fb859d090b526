package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// countMode counts a data access to files that hold data.
func countMode(m *profile.CacheModes, x *access) {
	read, write := &m.BufferedRead, &m.BufferedWrite
	switch {
	case x.flags&trace.FlagDirect != 0:
		read, write = &m.DirectRead, &m.DirectWrite
	case x.flags&trace.FlagNoCache != 0:
		read, write = &m.UncachedRead, &m.UncachedWrite
	}
	if x.reads {
		*read += x.bytes
	}
	if x.writes {
		*write += x.bytes
		if x.flags&(trace.FlagSync|trace.FlagDSync) != 0 {
			m.SyncedWrite += x.bytes
		}
	}
}

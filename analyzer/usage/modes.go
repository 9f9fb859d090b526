package usage

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// countMode counts a data access to files that hold data.
func countMode(m *profile.CacheModes, x *world.Access) {
	read, write := &m.BufferedRead, &m.BufferedWrite
	switch {
	case x.Flags&trace.FlagDirect != 0:
		read, write = &m.DirectRead, &m.DirectWrite
	case x.Flags&trace.FlagNoCache != 0:
		read, write = &m.UncachedRead, &m.UncachedWrite
	}
	if x.Reads {
		*read += x.Bytes
	}
	if x.Writes {
		*write += x.Bytes
		if x.Synced() {
			m.SyncedWrite += x.Bytes
		}
	}
}

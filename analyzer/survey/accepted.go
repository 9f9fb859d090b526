package survey

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// accepted are the sockets at which programs wait to be asked, as the recorder found them.
func (s *Survey) accepted() map[trace.Socket]bool {
	set := map[trace.Socket]bool{}
	for _, x := range s.End.Accepted {
		set[x] = true
	}
	return set
}

// hostOf is what tells a socket from those of other hosts that have its inode, in a trace of several.
func (s *Survey) hostOf(f *world.File) trace.DeviceID {
	if s.Header.Scope != trace.ScopeMerge {
		return 0
	}
	return f.Device
}

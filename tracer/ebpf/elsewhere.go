//go:build linux

package ebpf

import (
	"cmp"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

// whereabouts is where files lie whose records follow, by the kernel's numbers: on the first of our mounts that shows
// them. Of an overlay's file the kernel tells two places, first that in the overlay.
type whereabouts map[uint32]location

// location is a file on a mount of ours.
type location struct {
	on   host.Mount
	path string
}

// mostWaiting bounds the files whose own records are awaited. One that was lost never comes.
const mostWaiting = 1024

// location takes a record that says where a file lies.
func (t *fileTable) location(r *iotraceIdent, names []byte) {
	f := trace.File{Device: trace.DeviceID(r.Dev), Type: trace.FileRegular}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.locations[r.File]; ok || iotraceIdentFlags(r.Flags)&iotraceIdentFlagsIDENT_CUT != 0 {
		return
	}
	there, on := pathOf(&t.mounts, &f, r, names)
	if on.Point == "" {
		return
	}
	if len(t.locations) == mostWaiting {
		clear(t.locations)
	}
	t.locations[r.File] = location{on, there}
}

// locate says where a file of another mount namespace lies, and returns the mount of ours that shows it.
func (t *fileTable) locate(f *trace.File, number uint32) host.Mount {
	at := t.locations[number]
	delete(t.locations, number)
	if f.Flags&trace.FileDeleted == 0 && at.path != f.Path {
		f.Flags |= trace.FileElsewhere
		f.Host = at.path
	}
	return at.on
}

// here is the path of a file in our mount namespace, as far as that is known.
func (i *identity) here() string { return cmp.Or(i.host, i.path) }

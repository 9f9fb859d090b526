package schema

import (
	"fmt"

	"github.com/iotrace/iotrace/trace"
)

// budget bounds the memory for file names, in bytes of their text. Beyond it the
// names that came first are forgotten.
const budget = 64 << 20

// Resolver knows the names of one trace: of its files, devices and system calls.
type Resolver struct {
	calls   []string
	files   map[trace.FileID]string
	order   []trace.FileID // of files, oldest first
	held    int            // bytes in files
	devices map[trace.DeviceID]string
}

// NewResolver knows the names of a trace of which nothing but the header is known yet.
func NewResolver(h trace.Header) *Resolver {
	return &Resolver{calls: h.Calls, files: map[trace.FileID]string{}, devices: map[trace.DeviceID]string{}}
}

// Learn takes in the identities in a batch. They may be used by events of the
// same batch, so it comes before those.
func (n *Resolver) Learn(b *trace.Batch) {
	for i := range b.Files {
		n.add(b.Files[i].ID, b.Files[i].Path)
	}
	for i := range b.Devices {
		n.devices[b.Devices[i].ID] = b.Devices[i].Name
	}
}

func (n *Resolver) add(id trace.FileID, path string) {
	old, known := n.files[id]
	n.held += len(path) - len(old)
	n.files[id] = path
	if !known {
		n.order = append(n.order, id)
	}
	for n.held > budget && len(n.order) > 1 {
		n.held -= len(n.files[n.order[0]])
		delete(n.files, n.order[0])
		n.order = n.order[1:]
	}
}

// Path is the path of a file, false if it is not known, or was forgotten.
func (n *Resolver) Path(id trace.FileID) (string, bool) {
	path, ok := n.files[id]
	return path, ok
}

// Call is the system's own name of a call, that of its operation if the trace
// does not have it.
func (n *Resolver) Call(s *trace.Syscall) string {
	if int(s.Call) < len(n.calls) {
		return n.calls[s.Call]
	}
	return s.Op.String()
}

// Device is the name of a device, its numbers if the trace has none.
func (n *Resolver) Device(id trace.DeviceID) string {
	if name := n.devices[id]; name != "" {
		return name
	}
	return fmt.Sprintf("%d:%d", id.Major(), id.Minor())
}

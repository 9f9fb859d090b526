package events

import (
	"fmt"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// nameBudget bounds the memory for file names, in bytes of their text. Beyond
// it the names that came first are forgotten; their events show the number.
const nameBudget = 64 << 20

// names resolves the numbers in events.
type names struct {
	calls   []string
	errnos  bool // the trace's error numbers are this system's
	files   map[trace.FileID]string
	order   []trace.FileID // of files, oldest first
	held    int            // bytes in files
	devices map[trace.DeviceID]string
}

func newNames(h trace.Header) *names {
	return &names{
		calls:   h.Calls,
		errnos:  h.OS == runtime.GOOS,
		files:   map[trace.FileID]string{},
		devices: map[trace.DeviceID]string{},
	}
}

// learn takes in the identities in a batch. They may be used by events of the
// same batch, so it comes before those.
func (n *names) learn(b *trace.Batch) {
	for i := range b.Files {
		n.add(b.Files[i].ID, b.Files[i].Path)
	}
	for i := range b.Devices {
		n.devices[b.Devices[i].ID] = b.Devices[i].Name
	}
}

func (n *names) add(id trace.FileID, path string) {
	old, known := n.files[id]
	n.held += len(path) - len(old)
	n.files[id] = path
	if !known {
		n.order = append(n.order, id)
	}
	for n.held > nameBudget && len(n.order) > 1 {
		n.held -= len(n.files[n.order[0]])
		delete(n.files, n.order[0])
		n.order = n.order[1:]
	}
}

func (n *names) call(s *trace.Syscall) string {
	if int(s.Call) < len(n.calls) {
		return n.calls[s.Call]
	}
	return s.Op.String()
}

func (n *names) device(id trace.DeviceID) string {
	if name := n.devices[id]; name != "" {
		return name
	}
	return fmt.Sprintf("%d:%d", id.Major(), id.Minor())
}

// errno is the name of an error number, "" if it cannot be known.
func (n *names) errno(e int64) string {
	if !n.errnos || e <= 0 || e > 4095 {
		return ""
	}
	return unix.ErrnoName(unix.Errno(e))
}

// appendFile appends the quoted name of a file, its number if the name is not known.
func (n *names) appendFile(b []byte, id trace.FileID) []byte {
	if path, ok := n.files[id]; ok {
		return strconv.AppendQuote(b, path)
	}
	return strconv.AppendUint(append(b, '#'), uint64(id), 10)
}

// appendResult appends " = 4096" or " = -2 ENOENT".
func (n *names) appendResult(b []byte, result int64) []byte {
	b = strconv.AppendInt(append(b, " = "...), result, 10)
	if name := n.errno(-result); name != "" {
		b = append(append(b, ' '), name...)
	}
	return b
}

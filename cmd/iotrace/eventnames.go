package main

import (
	"bytes"
	"encoding/json"
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

	text bytes.Buffer // what json wrote
	json *json.Encoder
}

func newNames(h trace.Header) *names {
	n := &names{
		calls:   h.Calls,
		errnos:  h.OS == runtime.GOOS,
		files:   map[trace.FileID]string{},
		devices: map[trace.DeviceID]string{},
	}
	n.json = json.NewEncoder(&n.text)
	n.json.SetEscapeHTML(false)
	return n
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

// flagNames name the bits of trace.IOFlags.
var flagNames = []string{
	"direct", "sync", "dsync", "append", "nocache", "nowait", "write", "read", "create", "trunc",
	"excl", "shared", "exec", "vectored", "positioned", "full", "barrier", "pinned", "partial", "hole",
}

// reqFlagNames name the bits of trace.ReqFlags.
var reqFlagNames = []string{
	"sync", "meta", "fua", "preflush", "readahead", "background", "prio", "foreign", "recorder",
	"bio", "direct", "swap", "nomerge",
}

// appendBits appends the names of the bits that are set, as "a|b".
func appendBits(b []byte, bits uint32, names []string) []byte {
	for i, first := 0, true; bits>>i != 0; i++ {
		if bits>>i&1 == 0 {
			continue
		}
		if !first {
			b = append(b, '|')
		}
		first = false
		if i < len(names) {
			b = append(b, names[i]...)
		} else {
			b = strconv.AppendInt(append(b, "bit"...), int64(i), 10)
		}
	}
	return b
}

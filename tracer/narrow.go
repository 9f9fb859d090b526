package tracer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// Narrow selects what is recorded of what processes do. Requests of devices that are not selected are left out in the
// kernel. Calls are left out when they have come: the path of a file is known here alone, and so are the devices
// beneath a file system of several.
type Narrow struct {
	Devices []Disk
	Files   []string // patterns, as CheckGlob describes them
}

// Disk is a device that was named.
type Disk struct {
	Name string
	On   []trace.DeviceID // it, its partitions and all that is built on them: requests and file systems have these numbers

	names []string // of these
}

// Everything reports whether nothing is left out.
func (n *Narrow) Everything() bool { return len(n.Devices)+len(n.Files) == 0 }

// Describe names what is selected.
func (n *Narrow) Describe() string {
	var list []string
	for _, d := range n.Devices {
		list = append(list, d.Name)
	}
	text := strings.Join(list, ", ")
	if len(n.Files) == 0 {
		return text
	}
	files := "files that match " + strings.Join(n.Files, ", ")
	if text != "" {
		return files + " on " + text
	}
	return files
}

// limits are those of a recording of what is selected.
func (n *Narrow) limits() []trace.Limit {
	if n.Everything() {
		return nil
	}
	return []trace.Limit{{Code: trace.LimitPartial, Text: fmt.Sprintf("The trace is of %s alone (--device, --file): what "+
		"processes did elsewhere is left out, so what held them back is not told.", n.Describe())}}
}

// Has reports whether a device is selected, or is built on one that is.
func (n *Narrow) Has(id trace.DeviceID) bool {
	return slices.ContainsFunc(n.Devices, func(d Disk) bool { return slices.Contains(d.On, id) })
}

// drives leaves out counters that count more than was selected.
func (n *Narrow) drives(list []trace.Drive) []trace.Drive {
	switch {
	case n.Everything():
		return list
	case len(n.Files) > 0:
		return nil
	}
	return slices.DeleteFunc(list, func(x trace.Drive) bool {
		return !slices.ContainsFunc(n.Devices, func(d Disk) bool { return slices.Contains(d.names, x.Name) })
	})
}

// narrowed passes on the events of some devices and files.
type narrowed struct {
	trace.Sink
	by       *Narrow
	beneath  beneath
	unwanted fileSet
	done     [1 << 12]int64 // when requests completed that were passed on, by a part of that time
}

// Sink makes a sink of another that is told of what is selected.
func (n *Narrow) Sink(s trace.Sink) trace.Sink {
	if n.Everything() {
		return s
	}
	return n.sink(s)
}

func (n *Narrow) sink(s trace.Sink) *narrowed { return &narrowed{Sink: s, by: n, unwanted: fileSet{}} }

// maxUnwanted bounds what is kept of files, in words of a set. A source tells of those again that it has forgotten; one
// that was forgotten here is taken to be wanted.
const maxUnwanted = 1 << 14

// File notes whether a file is wanted. Names are passed on: they take part in nothing as long as no event does.
func (n *narrowed) File(e *trace.File) error {
	if n.selects(e) {
		n.unwanted.remove(e.ID)
		return n.Sink.File(e)
	}
	if len(n.unwanted) >= maxUnwanted {
		clear(n.unwanted)
	}
	n.unwanted.add(e.ID)
	return nil
}

// selects reports whether a file is selected.
func (n *narrowed) selects(e *trace.File) bool {
	named := len(n.by.Files) == 0 || slices.ContainsFunc(n.by.Files, func(g string) bool { return matchGlob(g, e.Path) })
	return named && (len(n.by.Devices) == 0 || slices.ContainsFunc(n.beneath.of(e), n.by.Has))
}

func (n *narrowed) wanted(id trace.FileID) bool { return id != 0 && !n.unwanted.has(id) }

// Syscall passes on calls on wanted files.
func (n *narrowed) Syscall(e *trace.Syscall) error {
	if !n.wanted(e.File) && !n.wanted(e.File2) {
		return nil
	}
	return n.Sink.Syscall(e)
}

// AsyncOp passes on those on wanted files.
func (n *narrowed) AsyncOp(e *trace.AsyncOp) error {
	if !n.wanted(e.File) && !n.wanted(e.File2) {
		return nil
	}
	return n.Sink.AsyncOp(e)
}

// Fault passes on those of wanted files.
func (n *narrowed) Fault(e *trace.Fault) error {
	if !n.wanted(e.File) {
		return nil
	}
	return n.Sink.Fault(e)
}

// Request passes on those at the devices. Where files are selected, a request has to hold data of one of them.
func (n *narrowed) Request(e *trace.Request) error {
	if len(n.by.Devices) > 0 && !n.by.Has(e.Device) {
		return nil
	}
	if len(n.by.Files) > 0 && !n.wanted(e.File) &&
		!slices.ContainsFunc(e.More, func(m trace.Extent) bool { return n.wanted(m.File) }) {
		return nil
	}
	n.done[e.Completed&int64(len(n.done)-1)] = e.Completed
	return n.Sink.Request(e)
}

// RPC passes on those for data of wanted files.
func (n *narrowed) RPC(e *trace.RPC) error {
	if e.Served || !n.wanted(e.File) {
		return nil
	}
	n.done[e.End()&int64(len(n.done)-1)] = e.End()
	return n.Sink.RPC(e)
}

// Wait passes on those for a request or an RPC that was passed on.
func (n *narrowed) Wait(e *trace.Wait) error {
	if !e.By.Completion() || n.done[e.Completed&int64(len(n.done)-1)] != e.Completed {
		return nil
	}
	return n.Sink.Wait(e)
}

// Mounts leaves out the mounts of other devices, and directories that lie there.
func (n *Narrow) Mounts(mounts []trace.Mount, dirs []string) ([]trace.Mount, []string) {
	if len(n.Devices) == 0 {
		return mounts, dirs
	}
	var b beneath
	elsewhere := func(f *trace.File) bool { return !slices.ContainsFunc(b.of(f), n.Has) }
	return slices.DeleteFunc(slices.Clone(mounts), func(m trace.Mount) bool {
		return elsewhere(&trace.File{Device: m.Device, Path: m.Point})
	}), slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return elsewhere(&trace.File{Path: dir}) })
}

package tracer

import (
	"path"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// Narrow selects what is looked at of what processes do. It does so when events have come: a file is known by its path
// here alone, and a call is in the kernel before that knows on which device its data lies. So it costs as much to
// record as all.
type Narrow struct {
	Devices []Disk
	Files   []string // patterns, as CheckGlob describes them
}

// Disk is a device that was named.
type Disk struct {
	Name string
	ID   trace.DeviceID
	On   []trace.DeviceID // it, its partitions and all that is built on them: file systems have these numbers
}

// Everything reports whether nothing is left out.
func (n *Narrow) Everything() bool { return len(n.Devices)+len(n.Files) == 0 }

// Sink makes a sink of another that is told of what is selected.
func (n *Narrow) Sink(s trace.Sink) trace.Sink {
	if n.Everything() {
		return s
	}
	return &narrowed{Sink: s, by: n, unwanted: map[trace.FileID]bool{}}
}

// narrowed passes on the events of some devices and files.
type narrowed struct {
	trace.Sink
	by       *Narrow
	unwanted map[trace.FileID]bool
	done     [1 << 12]int64 // when requests completed that were passed on, by a part of that time
}

// maxUnwanted bounds what is kept of files. A source tells of those again that it has forgotten; one that was forgotten
// here is taken to be wanted.
const maxUnwanted = 1 << 20

// File notes whether a file is wanted. Names are passed on: they take part in nothing as long as no event does.
func (n *narrowed) File(e *trace.File) error {
	if n.by.file(e) {
		delete(n.unwanted, e.ID)
		return n.Sink.File(e)
	}
	if len(n.unwanted) >= maxUnwanted {
		clear(n.unwanted)
	}
	n.unwanted[e.ID] = true
	return nil
}

func (n *Narrow) file(e *trace.File) bool {
	on := len(n.Devices) == 0 ||
		slices.ContainsFunc(n.Devices, func(d Disk) bool { return slices.Contains(d.On, e.Device) })
	named := len(n.Files) == 0 || slices.ContainsFunc(n.Files, func(g string) bool { return matchGlob(g, e.Path) })
	return on && named
}

func (n *narrowed) wanted(id trace.FileID) bool { return id != 0 && !n.unwanted[id] }

// Syscall passes on calls on wanted files.
func (n *narrowed) Syscall(e *trace.Syscall) error {
	if !n.wanted(e.File) && !n.wanted(e.File2) {
		return nil
	}
	return n.Sink.Syscall(e)
}

// AsyncOp passes on those on wanted files.
func (n *narrowed) AsyncOp(e *trace.AsyncOp) error {
	if !n.wanted(e.File) {
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
	if len(n.by.Devices) > 0 && !slices.ContainsFunc(n.by.Devices, func(d Disk) bool { return d.ID == e.Device }) {
		return nil
	}
	if len(n.by.Files) > 0 && !n.wanted(e.File) &&
		!slices.ContainsFunc(e.More, func(m trace.Extent) bool { return n.wanted(m.File) }) {
		return nil
	}
	n.done[e.Completed&int64(len(n.done)-1)] = e.Completed
	return n.Sink.Request(e)
}

// Wait passes on those for a request that was passed on.
func (n *narrowed) Wait(e *trace.Wait) error {
	if e.By != trace.WokenByRequest || n.done[e.Completed&int64(len(n.done)-1)] != e.Completed {
		return nil
	}
	return n.Sink.Wait(e)
}

// below ends a pattern that selects all that lies below a directory.
const below = "/**"

// CheckGlob returns an error for a pattern that no path can match. Patterns are those of a shell: * and ? match no
// slash, DIR/** selects all below a directory, and one without a slash is for the last name alone.
func CheckGlob(glob string) error {
	_, err := path.Match(strings.TrimSuffix(glob, below), "")
	if err == nil && glob == "" {
		return path.ErrBadPattern
	}
	return err
}

func matchGlob(glob, name string) bool {
	if dir, deep := strings.CutSuffix(glob, below); deep {
		parts := strings.Split(name, "/")
		if n := strings.Count(dir, "/") + 1; n < len(parts) {
			return matches(dir, strings.Join(parts[:n], "/"))
		}
		return false
	}
	if !strings.Contains(glob, "/") {
		name = path.Base(name)
	}
	return matches(glob, name)
}

func matches(glob, name string) bool {
	ok, err := path.Match(glob, name)
	return ok && err == nil
}

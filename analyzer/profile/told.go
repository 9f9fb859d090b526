package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// Limits of a recording that decide what is known of it, as package trace names them.
const (
	noTimes     = "no_times"
	noDurations = "no_durations"
	noAsync     = "no_async"
	noUring     = "no_uring"
)

// Sees reports whether a recording has no such limit (a code of package trace).
func (t *Trace) Sees(limit string) bool {
	for _, l := range t.Limits {
		if l.Code == limit {
			return false
		}
	}
	return true
}

// TellsDepth reports whether a recording tells how many of certain operations were in flight, and for how long there
// was one; counted says whether it counted any. Among merged recordings one may tell it and another not.
func (t *Trace) TellsDepth(counted bool) bool {
	return t.Sees(noTimes) && (counted || t.Sees(noDurations))
}

// TellsLatency reports whether a recording tells how long certain operations took; counted says whether any took time.
func (t *Trace) TellsLatency(counted bool) bool { return counted || t.Sees(noDurations) }

// Matters reports whether a limit of the recording (a code of package trace) may hide something of this workload.
func (p *Profile) Matters(limit string) bool {
	switch limit {
	case noAsync, noUring:
		return p.submits()
	}
	return true
}

// submits reports whether asynchronous operations may have been in flight: there are calls that submit them, or there
// is none that maps memory, as where the tracer was told to show a few calls alone.
func (p *Profile) submits() bool {
	maps := false
	for i := range p.Calls {
		c := &p.Calls[i]
		switch c.Op {
		case trace.OpUringEnter, trace.OpUringSetup, trace.OpAIOSubmit, trace.OpAIOGetEvents:
			return true
		case trace.OpMmap:
			maps = true
		}
		if strings.HasPrefix(c.Name, "aio_") || strings.HasPrefix(c.Name, "lio_") {
			return true
		}
	}
	return !maps
}

// Signal is what ended the command, 0 if it returned by itself. A program may return 128 and more, as a shell does that
// reports how a command of its own was ended.
func (p *Profile) Signal() int {
	if p.ExitStatus <= 128 {
		return 0
	}
	for i := range p.Processes {
		if x := &p.Processes[i]; x.Status != nil && *x.Status == p.ExitStatus { // the command's comes first
			return x.Signal
		}
	}
	return p.ExitStatus - 128
}

// Syncs reports whether a program calls to have data on the device. An unmount does that too, but is called for another
// reason.
func (c *Call) Syncs() bool { return !c.Async && c.Op.Durability() && c.Op != trace.OpUnmount }

// noSyncs is the code of the change after which nothing waits for syncs.
const noSyncs = "no_fsync"

// Until is the time that is told of a prospect, and what the workload took: until its data was durable, or until the
// command returned where nothing is made durable, or nobody waited for that.
func (p *Profile) Until(w *Prospect) (took int64, r Range) {
	if w.Code == noSyncs || p.Verdict.UntilReturn {
		return p.WallNS, w.Wall
	}
	return p.TimeStack.TotalNS, w.Durable
}

// fewCalls say nothing about how many there are in a second.
const fewCalls = 10

// IOPS is how many calls a copy made in a second, -1 if that is not known or says nothing.
func (c *Copy) IOPS() float64 {
	var calls int64
	for _, f := range []*Flow{c.Read, c.Write} {
		if f != nil {
			calls += f.Count
		}
	}
	if c.WallNS <= 0 || calls < fewCalls || !c.Method.Moves() {
		return -1
	}
	return float64(calls) / float64(c.WallNS) * 1e9
}

// AtCalls is the layer of calls, which is the first; nil where none are recorded.
func (p *Profile) AtCalls() *Layer {
	if len(p.Layers) == 0 || p.Layers[0].Name != "calls" {
		return nil
	}
	return &p.Layers[0]
}

// ByCalls is how much all calls read and wrote; 0 where none are recorded.
func (p *Profile) ByCalls() (read, written int64) {
	l := p.AtCalls()
	if l == nil {
		return 0, 0
	}
	if l.Read != nil {
		read = l.Read.Bytes
	}
	if l.Write != nil {
		written = l.Write.Bytes
	}
	return read, written
}

// Written is how many bytes the workload wrote, by the layer that shows most of it.
func (p *Profile) Written() (n int64) {
	for i := range p.Layers {
		if w := p.Layers[i].Write; w != nil {
			n = max(n, w.Bytes)
		}
	}
	return n
}

// Observed is the first sentence of a code; nil if there is none.
func (p *Profile) Observed(code string) *Sentence {
	for i := range p.Observations {
		if p.Observations[i].Code == code {
			return &p.Observations[i]
		}
	}
	return nil
}

// Users are the recorded processes that used a file.
func (p *Profile) Users(f *File) (list []*Process) {
	for i := range p.Processes {
		if x := &p.Processes[i]; slices.Contains(f.Processes, x.PID) {
			list = append(list, x)
		}
	}
	return list
}

// Stream reports whether a file is a pipe or a socket.
func (f *File) Stream() bool { return f.Type == trace.FilePipe || f.Type == trace.FileSocket }

// Called is a process as its user knows it.
func (p *Process) Called() string { return fmt.Sprintf("%s (%d)", cmp.Or(p.Title, p.Command), p.PID) }

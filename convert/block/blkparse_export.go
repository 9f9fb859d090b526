package block

// This file writes the requests of traces as blkparse(1) prints what blktrace
// records: Q when they were queued, D when they were issued and C when they were complete.

import (
	"bufio"
	"fmt"
	"strings"
	"unicode"

	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// ExportBlkparse writes NAME.txt. It reads the trace twice: lines come in the order of their
// times, requests in that of their ends.
func ExportBlkparse(path, name string, to output.Destination) (r *tracefile.Reader, err error) {
	var late timeline.Late
	if _, err = tracefile.Each(path, late.Add); err != nil {
		return nil, err
	}
	err = to.Write(name+".txt", to.Replace, func(w *bufio.Writer) (err error) {
		p := &printer{w: w, commands: map[uint32]string{}}
		order := timeline.NewOrder(&late, func(*trace.Batch) {}, p)
		if r, err = tracefile.Each(path, order.Add); err != nil {
			return err
		}
		order.Finish()
		p.complete(trace.MaxTime)
		return p.err
	})
	return r, err
}

// printer prints the lines. It is a timeline.Visitor.
type printer struct {
	w        *bufio.Writer
	under    timeline.Ends[trace.Request] // issued
	commands map[uint32]string            // of processes
	lines    int
	err      error
}

// Queued prints that a request was queued. One of a device without a queue is a bio,
// which is never issued.
func (p *printer) Queued(r *trace.Request) {
	p.complete(r.Queued)
	if r.Flags&trace.ReqBioBased == 0 {
		p.print(r.Queued, 'Q', r)
	}
}

// Request prints that a request was issued.
func (p *printer) Request(r *trace.Request) {
	p.complete(r.Issued)
	switch {
	case r.Flags&trace.ReqBioBased != 0:
		p.print(r.Issued, 'Q', r)
	case r.Queued == r.Issued: // of which Queued is not told
		p.print(r.Issued, 'Q', r)
		fallthrough
	default:
		p.print(r.Issued, 'D', r)
	}
	p.under.Push(r.Completed, *r)
}

// complete prints the requests that were complete by a time.
func (p *printer) complete(by int64) {
	for {
		end, r, ok := p.under.Pop(by)
		if !ok {
			return
		}
		p.print(end, 'C', &r)
	}
}

// Process learns what a process is called.
func (p *printer) Process(e *trace.Process) {
	if e.Command != "" {
		p.commands[e.PID] = e.Command
	}
}

func (p *printer) Syscall(*trace.Syscall) {}
func (p *printer) AsyncOp(*trace.AsyncOp) {}
func (p *printer) Fault(*trace.Fault)     {}
func (p *printer) RPC(*trace.RPC)         {}
func (p *printer) Wait(*trace.Wait)       {}
func (p *printer) Flush()                 {}

// print prints a line of blkparse's default format. On which processor it was is not
// known.
func (p *printer) print(at int64, action byte, r *trace.Request) {
	if p.err != nil {
		return
	}
	p.lines++
	pid, who := r.PID, p.command(r.PID)
	if action == 'C' {
		pid, who = 0, fmt.Sprint(uint16(-r.Error))
	}
	place := ""
	if r.Bytes > 0 {
		place = fmt.Sprintf(" %d + %d", r.Sector, (r.Bytes+511)/512) // in whole sectors
	} else if action == 'C' {
		place = " 0"
	}
	_, p.err = fmt.Fprintf(p.w, "%3d,%-3d %2d %8d %5d.%09d %5d %2c %3s%s [%s]\n", r.Device.Major(), r.Device.Minor(), 0,
		p.lines, at/1e9, at%1e9, pid, action, rwbs(r), place, who)
}

// command is what a process is called, as far as a line can hold it.
func (p *printer) command(pid uint32) string {
	name := strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return '?'
		}
		return c
	}, p.commands[pid])
	if name == "" {
		return "(null)"
	}
	return name
}

// rwbs are the letters for what a request does, as the kernel puts them.
func rwbs(r *trace.Request) string {
	if r.Op == trace.ReqFlush {
		return "FN"
	}
	s := ""
	if r.Flags&trace.ReqPreflush != 0 {
		s = "F"
	}
	switch r.Op {
	case trace.ReqRead:
		s += "R"
	case trace.ReqWrite:
		s += "W"
	case trace.ReqDiscard:
		s += "D"
	case trace.ReqZone:
		return "Z"
	default:
		s += "N"
	}
	for _, f := range []struct {
		flag   trace.ReqFlags
		letter string
	}{{trace.ReqFUA, "F"}, {trace.ReqReadahead, "A"}, {trace.ReqSync, "S"}, {trace.ReqMeta, "M"}} {
		if r.Flags&f.flag != 0 {
			s += f.letter
		}
	}
	return s
}

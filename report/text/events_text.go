package text

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/schema"
)

// textLines are events as lines of text, in the form that the help of the command
// describes.
type textLines struct{ names lineNames }

func (t textLines) append(b []byte, batch *trace.Batch, e trace.Event) []byte {
	switch e.Kind {
	case trace.KindSyscall:
		s := &batch.Syscalls[e.Index]
		return appendRest(t.syscall(head(b, e, s.PID, s.TID), s), e.Kind, s)
	case trace.KindAsyncOp:
		o := &batch.AsyncOps[e.Index]
		return appendRest(t.asyncOp(head(b, e, o.PID, o.TID), o), e.Kind, o)
	case trace.KindFault:
		f := &batch.Faults[e.Index]
		b = t.names.appendFile(head(b, e, f.PID, f.TID), f.File)
		return appendRest(appendDuration(appendOffset(b, f.Offset), f.Duration), e.Kind, f)
	case trace.KindRequest:
		r := &batch.Requests[e.Index]
		return appendRest(t.request(head(b, e, r.PID, r.TID), r), e.Kind, r)
	case trace.KindRPC:
		r := &batch.RPCs[e.Index]
		return appendRest(t.rpc(head(b, e, r.PID, r.TID), r), e.Kind, r)
	case trace.KindWait:
		w := &batch.Waits[e.Index]
		return appendRest(appendWait(head(b, e, w.PID, w.TID), w), e.Kind, w)
	case trace.KindProcess:
		p := &batch.Processes[e.Index]
		return appendRest(appendProcess(head(b, e, p.PID, p.PID), p), e.Kind, p)
	case trace.KindFile:
		f := &batch.Files[e.Index]
		return appendRest(t.identity(head(b, e, 0, 0), f), e.Kind, f)
	case trace.KindDevice:
		d := &batch.Devices[e.Index]
		return appendRest(appendDevice(head(b, e, 0, 0), d), e.Kind, d)
	}
	l := &batch.Lost[e.Index]
	return appendRest(appendLost(head(b, e, 0, 0), l), e.Kind, l)
}

// appendWait appends what a thread waited for, for how long, and what woke it.
func appendWait(b []byte, w *trace.Wait) []byte {
	b = appendDuration(append(b, w.Cause.String()...), w.Duration)
	switch w.By {
	case trace.WokenByUnknown:
		return b
	case trace.WokenByThread:
		b = strconv.AppendUint(append(b, " woken by thread "...), uint64(w.Waker), 10)
	default:
		b = append(append(b, " woken by "...), w.By.String()...)
	}
	if w.Ready > 0 {
		b = appendDuration(append(b, ", ready for"...), w.Ready)
	}
	return b
}

// head appends what all lines begin with: when the event ended, whose it was,
// and its kind.
func head(b []byte, e trace.Event, pid, tid uint32) []byte {
	b = appendSeconds(b, e.Time, 14)
	who := "-"
	switch {
	case pid == 0 && tid == 0:
	case pid == tid:
		who = strconv.FormatUint(uint64(pid), 10)
	default:
		who = strconv.FormatUint(uint64(pid), 10) + "/" + strconv.FormatUint(uint64(tid), 10)
	}
	b = append(b, ' ')
	b = eventsPad(b, len(b)+7-len(who))
	b = append(append(b, who...), ' ')
	end := len(b) + 8
	return append(eventsPad(append(b, e.Kind.String()...), end), ' ')
}

func (t textLines) syscall(b []byte, s *trace.Syscall) []byte {
	b = append(append(b, printable(t.names.Call(s))...), '(')
	b = t.operand(b, s.FD, s.File, s.Offset, s.File2 != 0 || s.FD2 >= 0)
	if s.File2 != 0 || s.FD2 >= 0 {
		b = t.operand(append(b, ", "...), s.FD2, s.File2, s.Offset2, true)
	}
	// One file: its offset stands with the length, as "4096 @8192".
	single := s.File2 == 0 && s.FD2 < 0
	if s.Requested != 0 || single && s.Offset != trace.NoOffset {
		b = separate(b)
		b = strconv.AppendInt(b, s.Requested, 10)
		if single {
			b = appendOffset(b, s.Offset)
		}
	}
	if s.Flags != 0 {
		b = schema.IOFlags.Append(separate(b), uint32(s.Flags))
	}
	b = t.names.appendResult(append(b, ')'), s.Result)
	return appendDuration(b, s.Duration)
}

// operand appends a descriptor and its file, and the offset if each file has
// its own.
func (t textLines) operand(b []byte, fd int32, id trace.FileID, offset int64, withOffset bool) []byte {
	if fd >= 0 {
		b = strconv.AppendInt(b, int64(fd), 10)
	}
	if id != 0 {
		if fd >= 0 {
			b = append(b, ' ')
		}
		b = t.names.appendFile(b, id)
	}
	if withOffset {
		b = appendOffset(b, offset)
	}
	return b
}

func (t textLines) asyncOp(b []byte, o *trace.AsyncOp) []byte {
	b = append(append(b, o.API.String()...), ' ')
	b = append(append(b, o.Op.String()...), '(')
	if o.File != 0 {
		b = t.names.appendFile(b, o.File)
	}
	if o.File2 != 0 {
		b = t.names.appendFile(separate(b), o.File2)
	}
	b = appendOffset(strconv.AppendInt(separate(b), o.Requested, 10), o.Offset)
	if o.Flags != 0 {
		b = schema.IOFlags.Append(separate(b), uint32(o.Flags))
	}
	return appendDuration(t.names.appendResult(append(b, ')'), o.Result), o.Complete-o.Submit)
}

func (t textLines) request(b []byte, r *trace.Request) []byte {
	b = fmt.Appendf(b, "%s %s %d @sector %d", printable(t.names.Device(r.Device)), r.Op, r.Bytes, r.Sector)
	if r.Queued >= 0 {
		b = appendSeconds(append(b, " queued "...), r.Issued-r.Queued, 0)
	}
	b = appendSeconds(append(b, " served "...), r.Latency(), 0)
	if r.Flags != 0 {
		b = schema.ReqFlags.Append(append(b, ' '), uint32(r.Flags))
	}
	if r.File != 0 {
		b = appendOffset(t.names.appendFile(append(b, ' '), r.File), r.Offset)
	}
	b = append(append(b, ' '), r.Evidence.String()...)
	for _, x := range r.More {
		b = appendOffset(t.names.appendFile(fmt.Appendf(b, " + %d ", x.Bytes), x.File), x.Offset)
	}
	if r.Owner != 0 && r.Owner != r.PID {
		b = fmt.Appendf(b, " for %d", r.Owner)
	}
	if r.Bios > 1 {
		b = fmt.Appendf(b, " bios %d", r.Bios)
	}
	if r.Requeues > 0 {
		b = fmt.Appendf(b, " requeued %d", r.Requeues)
	}
	if r.Others > 0 {
		b = fmt.Appendf(b, " others' %d", r.Others)
	}
	if r.Error != 0 {
		b = t.names.appendResult(b, -abs(int64(r.Error)))
	}
	return b
}

// rpc appends what was asked of which server, and how long it was with the client and then with the server.
func (t textLines) rpc(b []byte, r *trace.RPC) []byte {
	b = fmt.Appendf(b, "%s %s", r.Protocol, printable(r.Procedure))
	if r.Bytes > 0 {
		b = fmt.Appendf(b, " %d", r.Bytes)
	}
	if r.Server != "" {
		b = append(append(b, " by "...), printable(r.Server)...)
	}
	if r.Queued >= 0 {
		b = appendSeconds(append(b, " queued "...), r.Queued, 0)
	}
	if r.RTT >= 0 {
		b = appendSeconds(append(b, " answered "...), r.RTT, 0)
	}
	if r.File != 0 {
		b = appendOffset(t.names.appendFile(append(b, ' '), r.File), r.Offset)
	}
	if r.Status != 0 {
		b = t.names.appendResult(b, -int64(r.Status))
	}
	return appendDuration(b, r.Duration)
}

func appendProcess(b []byte, p *trace.Process) []byte {
	b = append(b, p.Action.String()...)
	switch p.Action {
	case trace.ProcessFork:
		what := "process"
		if p.TID != p.PID {
			what = "thread"
		}
		return fmt.Appendf(b, " %s %d of %d %q", what, p.TID, p.Parent, p.Command)
	case trace.ProcessRunning:
		return appendSeconds(append(b, " cpu "...), p.CPU, 0)
	case trace.ProcessExit:
		b = appendStatus(b, p.Status)
		return append(appendSeconds(append(b, " cpu "...), p.CPU, 0), fmt.Sprintf(" %q", p.Command)...)
	}
	b = fmt.Appendf(b, " %q", p.Command)
	if p.Exe != "" {
		b = fmt.Appendf(b, " %q", p.Exe)
	}
	if p.Args != "" {
		b = append(b, " ["...)
		for i, arg := range strings.Split(strings.TrimSuffix(p.Args, "\x00"), "\x00") {
			if i > 0 {
				b = append(b, ' ')
			}
			b = strconv.AppendQuote(b, arg)
		}
		b = append(b, ']')
	}
	return fmt.Appendf(b, " uid %d parent %d", p.UID, p.Parent)
}

// appendStatus appends a wait status as waitpid reports it.
func appendStatus(b []byte, status int32) []byte {
	if signal := status & 0x7f; signal != 0 {
		return fmt.Appendf(b, " signal %d", signal)
	}
	return fmt.Appendf(b, " status %d", status>>8&0xff)
}

func (t textLines) identity(b []byte, f *trace.File) []byte {
	b = fmt.Appendf(b, "#%d %q %s", f.ID, f.Path, f.Type)
	if f.Inode != 0 {
		b = fmt.Appendf(b, " inode %d on %s", f.Inode, printable(t.names.Device(f.Device)))
	}
	if f.FSType != "" {
		b = fmt.Appendf(b, " %s %q", printable(f.FSType), f.Mount)
	}
	b = fmt.Appendf(b, " size %d", f.Size)
	for i, name := range []string{"deleted", "beginning cut", "never named", "synchronous", "in a container"} {
		if f.Flags>>i&1 != 0 {
			b = append(append(b, ", "...), name...)
		}
	}
	return b
}

func appendDevice(b []byte, d *trace.Device) []byte {
	b = fmt.Appendf(b, "%s %d:%d", printable(d.Name), d.ID.Major(), d.ID.Minor())
	if d.Model != "" {
		b = fmt.Appendf(b, " %q", d.Model)
	}
	if d.Firmware != "" {
		b = fmt.Appendf(b, " firmware %q", d.Firmware)
	}
	b = fmt.Appendf(b, " size %d rotational %v block %d/%d request %d readahead %d depth %d", d.Size, d.Rotational,
		d.LogicalBlock, d.PhysicalBlock, d.MaxRequest, d.ReadAhead, d.QueueDepth)
	if d.Scheduler != "" {
		b = fmt.Appendf(b, " scheduler %s", printable(d.Scheduler))
	}
	if d.WriteCache != "" {
		b = fmt.Appendf(b, " cache %q", d.WriteCache)
	}
	for _, p := range d.Parents {
		b = fmt.Appendf(b, " on %d:%d", p.Major(), p.Minor())
	}
	if d.Backing != "" {
		b = fmt.Appendf(b, " backed by %q", d.Backing)
	}
	return b
}

func appendLost(b []byte, l *trace.Lost) []byte {
	b = fmt.Appendf(b, "%d %s events", l.Count, l.Kind)
	if l.CPU >= 0 {
		b = fmt.Appendf(b, " on CPU %d", l.CPU)
	}
	return appendSeconds(append(b, " since "...), l.From, 0)
}

// Package jsonl writes traces as lines of JSON and reads them again: one object for
// each event, before them the header and behind them the end of the trace. Nothing is
// lost on the way.
package jsonl

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/iotrace/iotrace/convert/names"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/trace"
)

// Encoder makes events JSON objects, one per line.
type Encoder struct {
	names   *names.Names
	calls   callNumbers
	text    bytes.Buffer // what encoder wrote
	encoder *json.Encoder
}

// NewEncoder is an encoder for the events of a trace. What n knows of files and
// devices stands with the events that are about them.
func NewEncoder(h trace.Header, n *names.Names) *Encoder {
	j := &Encoder{names: n, calls: numberCalls(h)}
	j.encoder = json.NewEncoder(&j.text)
	j.encoder.SetEscapeHTML(false)
	return j
}

// Append appends an event as one line, without a line feed.
func (j *Encoder) Append(b []byte, batch *trace.Batch, e trace.Event) []byte {
	j.text.Reset()
	if err := j.encoder.Encode(j.object(batch, e)); err != nil {
		panic(err) // structs of numbers and strings: cannot happen
	}
	return visible.AppendJSON(b, bytes.TrimSuffix(j.text.Bytes(), []byte("\n")))
}

func (j *Encoder) object(batch *trace.Batch, e trace.Event) any {
	kind := e.Kind.String()
	switch e.Kind {
	case trace.KindSyscall:
		return j.syscall(kind, &batch.Syscalls[e.Index])
	case trace.KindAsyncOp:
		return j.asyncOp(kind, &batch.AsyncOps[e.Index])
	case trace.KindFault:
		f := &batch.Faults[e.Index]
		return &lineFault{Kind: kind, Start: f.Start, Duration: f.Duration, PID: f.PID, TID: f.TID,
			lineFile: j.file(f.File), Offset: unless(f.Offset, trace.NoOffset), Filled: f.Filled}
	case trace.KindRequest:
		return j.request(kind, &batch.Requests[e.Index])
	case trace.KindWait:
		return newWait(kind, &batch.Waits[e.Index])
	case trace.KindProcess:
		return newProcess(kind, &batch.Processes[e.Index])
	case trace.KindFile:
		return newIdentity(kind, &batch.Files[e.Index])
	case trace.KindDevice:
		return newDevice(kind, &batch.Devices[e.Index])
	}
	l := &batch.Lost[e.Index]
	lost := l.Kind.String()
	return &lineLost{Kind: kind, From: l.From, To: l.To, Count: l.Count, Lost: lost, CPU: unless(l.CPU, -1),
		LostNumber: kinds.number(l.Kind, lost)}
}

func newWait(kind string, w *trace.Wait) *lineWait {
	cause, by := w.Cause.String(), w.By.String()
	l := &lineWait{Kind: kind, Start: w.Start, Duration: w.Duration, PID: w.PID, TID: w.TID, Cause: cause,
		CauseNumber: causes.number(w.Cause, cause), Ready: w.Ready, By: by, ByNumber: wakeSources.number(w.By, by),
		Waker: w.Waker, Completed: w.Completed, Flags: names.WaitFlags.List(uint32(w.Flags))}
	if w.By == trace.WokenByUnknown {
		l.By, l.ByNumber = "", nil
	}
	return l
}

func (j *Encoder) syscall(kind string, s *trace.Syscall) *lineSyscall {
	op, call := s.Op.String(), j.names.Call(s)
	o := &lineSyscall{Kind: kind, Start: s.Start, Duration: s.Duration, PID: s.PID, TID: s.TID, Op: op,
		Call: call, Flags: names.IOFlags.List(uint32(s.Flags)), FD: unless(s.FD, -1), FD2: unless(s.FD2, -1),
		lineFile: j.file(s.File), Offset: unless(s.Offset, trace.NoOffset),
		Offset2: unless(s.Offset2, trace.NoOffset), Requested: s.Requested, Result: s.Result, Filled: s.Filled,
		Buffer: s.Buffer, OpNumber: ops.number(s.Op, op), CallNumber: unless(s.Call, j.calls[call])}
	second := j.file(s.File2)
	o.File2, o.Path2, o.Path2Bytes = second.File, second.Path, second.PathBytes
	return o
}

func (j *Encoder) asyncOp(kind string, a *trace.AsyncOp) *lineAsyncOp {
	op, api := a.Op.String(), a.API.String()
	return &lineAsyncOp{Kind: kind, Start: a.Submit, Duration: a.Complete - a.Submit, PID: a.PID, TID: a.TID,
		API: api, Op: op, Flags: names.IOFlags.List(uint32(a.Flags)), lineFile: j.file(a.File),
		Offset: unless(a.Offset, trace.NoOffset), Requested: a.Requested, Result: a.Result, Buffer: a.Buffer,
		APINumber: apis.number(a.API, api), OpNumber: ops.number(a.Op, op)}
}

// namedExtents is how many pieces of a request have their paths beside their
// numbers: a request may have 65,536 of them, with paths as long.
const namedExtents = 16

func (j *Encoder) request(kind string, r *trace.Request) *lineRequest {
	op, evidence := r.Op.String(), r.Evidence.String()
	o := &lineRequest{Kind: kind, Queued: unless(r.Queued, -1), Issued: r.Issued, Completed: r.Completed, Device: r.Device,
		Name: j.names.Device(r.Device), Sector: r.Sector, Bytes: r.Bytes, Op: op,
		Flags: names.ReqFlags.List(uint32(r.Flags)), PID: r.PID, TID: r.TID, Owner: r.Owner, lineFile: j.file(r.File),
		Offset: unless(r.Offset, trace.NoOffset), Evidence: evidence, Bios: r.Bios,
		Requeues: r.Requeues, Error: r.Error, OpNumber: reqOps.number(r.Op, op),
		EvidenceNumber: evidences.number(r.Evidence, evidence)}
	for i, x := range r.More {
		file := lineFile{File: x.File}
		if i < namedExtents {
			file = j.file(x.File)
		}
		o.More = append(o.More, lineExtent{file, unless(x.Offset, trace.NoOffset), x.Bytes})
	}
	return o
}

func newProcess(kind string, p *trace.Process) *lineProcess {
	action := p.Action.String()
	o := &lineProcess{Kind: kind, Time: p.Time, Action: action, PID: p.PID, TID: p.TID, Parent: p.Parent,
		CPU: p.CPU, Command: p.Command, Exe: p.Exe, UID: p.UID, CommandBytes: exact(p.Command), ExeBytes: exact(p.Exe),
		ActionNumber: actions.number(p.Action, action)}
	if p.Action == trace.ProcessExit || p.Status != 0 {
		o.Status = &p.Status
	}
	if p.Args != "" {
		o.Args = strings.Split(strings.TrimSuffix(p.Args, "\x00"), "\x00")
		if joined := joinArgs(o.Args); joined != p.Args || !utf8.ValidString(joined) {
			o.ArgsBytes = []byte(p.Args)
		}
	}
	return o
}

// joinArgs is what Args of a Process usually is.
func joinArgs(args []string) string {
	return strings.Join(args, "\x00")
}

func newIdentity(kind string, f *trace.File) *lineIdentity {
	fileType := f.Type.String()
	return &lineIdentity{Kind: kind, Time: f.Time, lineFile: newFile(f.ID, f.Path), Device: f.Device,
		Inode: f.Inode, Size: f.Size, Type: fileType, FSType: f.FSType, Mount: f.Mount,
		Flags: names.FileFlags.List(uint32(f.Flags)), FSTypeBytes: exact(f.FSType), MountBytes: exact(f.Mount),
		TypeNumber: fileTypes.number(f.Type, fileType)}
}

func newDevice(kind string, d *trace.Device) *lineDevice {
	return &lineDevice{Kind: kind, Time: d.Time, Device: d.ID, Major: d.ID.Major(), Minor: d.ID.Minor(),
		Name: d.Name, Model: d.Model, Scheduler: d.Scheduler, Rotational: d.Rotational, LogicalBlock: d.LogicalBlock,
		PhysicalBlock: d.PhysicalBlock, MaxRequest: d.MaxRequest, ReadAhead: d.ReadAhead, QueueDepth: d.QueueDepth,
		Size: d.Size, Parents: d.Parents, Backing: d.Backing, WriteCache: d.WriteCache,
		NameBytes: exact(d.Name), ModelBytes: exact(d.Model), SchedulerBytes: exact(d.Scheduler),
		BackingBytes: exact(d.Backing), WriteCacheBytes: exact(d.WriteCache),
		Firmware: d.Firmware, FirmwareBytes: exact(d.Firmware)}
}

func (j *Encoder) file(id trace.FileID) lineFile {
	path, _ := j.names.Path(id)
	return newFile(id, path)
}

func newFile(id trace.FileID, path string) lineFile {
	return lineFile{File: id, Path: path, PathBytes: exact(path)}
}

// callNumbers are the numbers of system calls by their names.
type callNumbers map[string]uint16

// numberCalls finds the numbers of the calls of a trace: the first of a name.
func numberCalls(h trace.Header) callNumbers {
	all := callNumbers{}
	for i, name := range h.Calls {
		if _, known := all[name]; !known && i <= 1<<16-1 {
			all[name] = uint16(i)
		}
	}
	return all
}

package events

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/trace"
)

// jsonLines are events as JSON objects, one per line.
type jsonLines struct {
	names   *names
	text    bytes.Buffer // what encoder wrote
	encoder *json.Encoder
}

func newJSONLines(n *names) *jsonLines {
	j := &jsonLines{names: n}
	j.encoder = json.NewEncoder(&j.text)
	j.encoder.SetEscapeHTML(false)
	return j
}

func (j *jsonLines) append(b []byte, batch *trace.Batch, e trace.Event) []byte {
	j.text.Reset()
	if err := j.encoder.Encode(j.object(batch, e)); err != nil {
		panic(err) // structs of numbers and strings: cannot happen
	}
	return visible.AppendJSON(b, bytes.TrimSuffix(j.text.Bytes(), []byte("\n")))
}

func (j *jsonLines) object(batch *trace.Batch, e trace.Event) any {
	kind := e.Kind.String()
	switch e.Kind {
	case trace.KindSyscall:
		s := &batch.Syscalls[e.Index]
		o := jsonSyscall{Kind: kind, Start: s.Start, Duration: s.Duration, PID: s.PID, TID: s.TID, Op: s.Op.String(),
			Call: j.names.call(s), Flags: bits(uint32(s.Flags), flagNames), FD: unless(s.FD, -1), FD2: unless(s.FD2, -1),
			jsonFile: j.jsonFile(s.File), Offset: unless(s.Offset, trace.NoOffset),
			Offset2: unless(s.Offset2, trace.NoOffset), Requested: s.Requested, Result: s.Result, Filled: s.Filled,
			Buffer: s.Buffer}
		second := j.jsonFile(s.File2)
		o.File2, o.Path2, o.Path2Bytes = second.File, second.Path, second.PathBytes
		return &o
	case trace.KindAsyncOp:
		a := &batch.AsyncOps[e.Index]
		return &jsonAsyncOp{Kind: kind, Start: a.Submit, Duration: a.Complete - a.Submit, PID: a.PID, TID: a.TID,
			API: a.API.String(), Op: a.Op.String(), Flags: bits(uint32(a.Flags), flagNames), jsonFile: j.jsonFile(a.File),
			Offset: unless(a.Offset, trace.NoOffset), Requested: a.Requested, Result: a.Result, Buffer: a.Buffer}
	case trace.KindFault:
		f := &batch.Faults[e.Index]
		return &jsonFault{Kind: kind, Start: f.Start, Duration: f.Duration, PID: f.PID, TID: f.TID,
			jsonFile: j.jsonFile(f.File), Offset: unless(f.Offset, trace.NoOffset), Filled: f.Filled}
	case trace.KindRequest:
		return j.jsonRequest(kind, &batch.Requests[e.Index])
	case trace.KindWait:
		w := &batch.Waits[e.Index]
		return &jsonWait{Kind: kind, Start: w.Start, Duration: w.Duration, PID: w.PID, TID: w.TID, Cause: w.Cause.String()}
	case trace.KindProcess:
		return newJSONProcess(kind, &batch.Processes[e.Index])
	case trace.KindFile:
		f := &batch.Files[e.Index]
		return &jsonIdentity{Kind: kind, Time: f.Time, jsonFile: newJSONFile(f.ID, f.Path), Device: f.Device,
			Inode: f.Inode, Size: f.Size, Type: f.Type.String(), FSType: f.FSType, Mount: f.Mount,
			Flags: bits(uint32(f.Flags), fileFlagNames)}
	case trace.KindDevice:
		d := &batch.Devices[e.Index]
		return &jsonDevice{Kind: kind, Time: d.Time, Device: d.ID, Major: d.ID.Major(), Minor: d.ID.Minor(),
			Name: d.Name, Model: d.Model, Scheduler: d.Scheduler, Rotational: d.Rotational, LogicalBlock: d.LogicalBlock,
			PhysicalBlock: d.PhysicalBlock, MaxRequest: d.MaxRequest, ReadAhead: d.ReadAhead, QueueDepth: d.QueueDepth,
			Size: d.Size, Parents: d.Parents, Backing: d.Backing, WriteCache: d.WriteCache}
	}
	l := &batch.Lost[e.Index]
	return &jsonLost{Kind: kind, From: l.From, To: l.To, Count: l.Count, Lost: l.Kind.String(), CPU: unless(l.CPU, -1)}
}

func (j *jsonLines) jsonRequest(kind string, r *trace.Request) *jsonRequest {
	o := &jsonRequest{Kind: kind, Queued: unless(r.Queued, -1), Issued: r.Issued, Completed: r.Completed, Device: r.Device,
		Name: j.names.device(r.Device), Sector: r.Sector, Bytes: r.Bytes, Op: r.Op.String(),
		Flags: bits(uint32(r.Flags), reqFlagNames), PID: r.PID, TID: r.TID, Owner: r.Owner, jsonFile: j.jsonFile(r.File),
		Offset: unless(r.Offset, trace.NoOffset), Evidence: r.Evidence.String(), Bios: r.Bios,
		Requeues: r.Requeues, Error: r.Error}
	for _, x := range r.More {
		o.More = append(o.More, jsonExtent{j.jsonFile(x.File), unless(x.Offset, trace.NoOffset), x.Bytes})
	}
	return o
}

func newJSONProcess(kind string, p *trace.Process) *jsonProcess {
	o := &jsonProcess{Kind: kind, Time: p.Time, Action: p.Action.String(), PID: p.PID, TID: p.TID, Parent: p.Parent,
		CPU: p.CPU, Command: p.Command, Exe: p.Exe, UID: p.UID}
	if p.Action == trace.ProcessExit {
		o.Status = &p.Status
	}
	if p.Args != "" {
		o.Args = strings.Split(strings.TrimSuffix(p.Args, "\x00"), "\x00")
	}
	return o
}

func (j *jsonLines) jsonFile(id trace.FileID) jsonFile { return newJSONFile(id, j.names.files[id]) }

func newJSONFile(id trace.FileID, path string) jsonFile {
	f := jsonFile{File: id, Path: path}
	if !utf8.ValidString(path) {
		f.PathBytes = []byte(path)
	}
	return f
}

// unless is a pointer to x, nil if x is none.
func unless[T comparable](x, none T) *T {
	if x == none {
		return nil
	}
	return &x
}

// bits are the names of the bits that are set.
func bits(set uint32, names []string) flags {
	if set == 0 {
		return nil
	}
	return strings.Split(string(appendBits(nil, set, names)), "|")
}

package jsonl

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/iotrace/iotrace/convert/names"
	"github.com/iotrace/iotrace/trace"
)

// decoder gives the events of lines to a sink.
type decoder struct {
	sink  trace.Sink
	calls callNumbers
	more  []trace.Extent // of the request that was read last
	plain plain
	call  trace.Syscall // that was read last, if it was plain
	block trace.Request // likewise
}

// sinkError is an error of the sink, and not of the line.
type sinkError struct{ error }

// put gives an event to the sink.
func put[T any](to func(*T) error, e *T) error {
	if err := to(e); err != nil {
		return sinkError{err}
	}
	return nil
}

// event reads the line of an event; false if this version knows no such kind. An
// error that is no sinkError is one of the line.
func (d *decoder) event(kind string, line []byte) (known bool, err error) {
	switch kind {
	case "syscall":
		err = d.syscall(line)
	case "asyncop":
		err = d.asyncOp(line)
	case "fault":
		err = d.fault(line)
	case "request":
		err = d.request(line)
	case "wait":
		err = d.wait(line)
	case "process":
		err = d.process(line)
	case "file":
		err = d.file(line)
	case "device":
		err = d.device(line)
	case "lost":
		err = d.lost(line)
	default:
		return false, nil
	}
	return true, err
}

// flags reads the names of flags.
func flags(n names.Bits, list []string) (uint32, error) {
	set, ok := n.Parse(list)
	if !ok {
		return 0, fmt.Errorf("unknown flags %q", list)
	}
	return set, nil
}

func (d *decoder) syscall(line []byte) error {
	if d.plainSyscall(line) {
		return put(d.sink.Syscall, &d.call)
	}
	var o lineSyscall
	err := json.Unmarshal(line, &o)
	op, err1 := ops.value(o.Op, o.OpNumber)
	set, err2 := flags(names.IOFlags, o.Flags)
	call, known := d.calls[o.Call]
	if o.CallNumber != nil {
		call, known = *o.CallNumber, true
	}
	if !known && o.Call != op.String() { // a call without a name goes by its operation
		err2 = errors.Join(err2, fmt.Errorf("the trace has no call %q", o.Call))
	}
	if err := errors.Join(err, err1, err2); err != nil {
		return err
	}
	return put(d.sink.Syscall, &trace.Syscall{Start: o.Start, Duration: o.Duration, PID: o.PID, TID: o.TID, Op: op,
		Call: call, Flags: trace.IOFlags(set), FD: or(o.FD, -1), FD2: or(o.FD2, -1), File: o.File, File2: o.File2,
		Offset: or(o.Offset, trace.NoOffset), Offset2: or(o.Offset2, trace.NoOffset), Requested: o.Requested,
		Result: o.Result, Filled: o.Filled, Buffer: o.Buffer})
}

func (d *decoder) asyncOp(line []byte) error {
	var o lineAsyncOp
	err := json.Unmarshal(line, &o)
	op, err1 := ops.value(o.Op, o.OpNumber)
	api, err2 := apis.value(o.API, o.APINumber)
	set, err3 := flags(names.IOFlags, o.Flags)
	if err := errors.Join(err, err1, err2, err3); err != nil {
		return err
	}
	return put(d.sink.AsyncOp, &trace.AsyncOp{Submit: o.Start, Complete: o.Start + o.Duration, PID: o.PID, TID: o.TID,
		API: api, Op: op, Flags: trace.IOFlags(set), File: o.File, Offset: or(o.Offset, trace.NoOffset),
		Requested: o.Requested, Result: o.Result, Buffer: o.Buffer})
}

func (d *decoder) fault(line []byte) error {
	var o lineFault
	if err := json.Unmarshal(line, &o); err != nil {
		return err
	}
	return put(d.sink.Fault, &trace.Fault{Start: o.Start, Duration: o.Duration, PID: o.PID, TID: o.TID, File: o.File,
		Offset: or(o.Offset, trace.NoOffset), Filled: o.Filled})
}

func (d *decoder) request(line []byte) error {
	if d.plainRequest(line) {
		return put(d.sink.Request, &d.block)
	}
	var o lineRequest
	err := json.Unmarshal(line, &o)
	op, err1 := reqOps.value(o.Op, o.OpNumber)
	evidence, err2 := evidences.value(o.Evidence, o.EvidenceNumber)
	set, err3 := flags(names.ReqFlags, o.Flags)
	if err := errors.Join(err, err1, err2, err3); err != nil {
		return err
	}
	d.more = d.more[:0]
	for _, x := range o.More {
		d.more = append(d.more, trace.Extent{File: x.File, Offset: or(x.Offset, trace.NoOffset), Bytes: x.Bytes})
	}
	return put(d.sink.Request, &trace.Request{Queued: or(o.Queued, -1), Issued: o.Issued, Completed: o.Completed,
		Device: o.Device, Sector: o.Sector, Bytes: o.Bytes, Op: op, Flags: trace.ReqFlags(set), PID: o.PID, TID: o.TID,
		Owner: o.Owner, File: o.File, Offset: or(o.Offset, trace.NoOffset), Evidence: evidence, Bios: o.Bios,
		Requeues: o.Requeues, Error: o.Error, More: d.more})
}

func (d *decoder) wait(line []byte) error {
	var o lineWait
	err := json.Unmarshal(line, &o)
	cause, err1 := causes.value(o.Cause, o.CauseNumber)
	by, err2 := wakeSources.value(o.By, o.ByNumber)
	set, err3 := flags(names.WaitFlags, o.Flags)
	if err := errors.Join(err, err1, err2, err3); err != nil {
		return err
	}
	return put(d.sink.Wait, &trace.Wait{Start: o.Start, Duration: o.Duration, PID: o.PID, TID: o.TID, Cause: cause,
		Ready: o.Ready, By: by, Waker: o.Waker, Completed: o.Completed, Flags: trace.WaitFlags(set)})
}

func (d *decoder) process(line []byte) error {
	var o lineProcess
	err := json.Unmarshal(line, &o)
	action, err1 := actions.value(o.Action, o.ActionNumber)
	if err := errors.Join(err, err1); err != nil {
		return err
	}
	return put(d.sink.Process, &trace.Process{Time: o.Time, Action: action, PID: o.PID, TID: o.TID, Parent: o.Parent,
		Status: or(o.Status, 0), CPU: o.CPU, Command: text(o.Command, o.CommandBytes),
		Args: text(joinArgs(o.Args), o.ArgsBytes), Exe: text(o.Exe, o.ExeBytes), UID: o.UID})
}

func (d *decoder) file(line []byte) error {
	var o lineIdentity
	err := json.Unmarshal(line, &o)
	fileType, err1 := fileTypes.value(o.Type, o.TypeNumber)
	set, err2 := flags(names.FileFlags, o.Flags)
	if err := errors.Join(err, err1, err2); err != nil {
		return err
	}
	return put(d.sink.File, &trace.File{Time: o.Time, ID: o.File, Path: text(o.Path, o.PathBytes), Device: o.Device,
		Inode: o.Inode, Size: o.Size, Type: fileType, FSType: text(o.FSType, o.FSTypeBytes),
		Mount: text(o.Mount, o.MountBytes), Flags: trace.FileFlags(set)})
}

func (d *decoder) device(line []byte) error {
	var o lineDevice
	if err := json.Unmarshal(line, &o); err != nil {
		return err
	}
	return put(d.sink.Device, &trace.Device{Time: o.Time, ID: o.Device, Name: text(o.Name, o.NameBytes),
		Model: text(o.Model, o.ModelBytes), Scheduler: text(o.Scheduler, o.SchedulerBytes), Rotational: o.Rotational,
		LogicalBlock: o.LogicalBlock, PhysicalBlock: o.PhysicalBlock, MaxRequest: o.MaxRequest, ReadAhead: o.ReadAhead,
		QueueDepth: o.QueueDepth, Size: o.Size, Parents: o.Parents, Backing: text(o.Backing, o.BackingBytes),
		WriteCache: text(o.WriteCache, o.WriteCacheBytes), Firmware: text(o.Firmware, o.FirmwareBytes)})
}

func (d *decoder) lost(line []byte) error {
	var o lineLost
	err := json.Unmarshal(line, &o)
	kind, err1 := kinds.value(o.Lost, o.LostNumber)
	if err := errors.Join(err, err1); err != nil {
		return err
	}
	return put(d.sink.Lost, &trace.Lost{From: o.From, To: o.To, Count: o.Count, Kind: kind, CPU: or(o.CPU, -1)})
}

//go:build linux

package ebpf

import (
	"fmt"
	"os"
	"path"
	"runtime"
	"unsafe"

	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// decoder turns records into events. It is used by one
// goroutine; only its file table is shared.
type decoder struct {
	sink     trace.Sink
	calls    *callTable
	base     int64
	self     uint32
	files    *fileTable
	devices  *deviceTable
	mappings mappings
	lives    lives
	present  []trace.Process
	selected map[uint32]bool      // processes, those of the kernel too, which make no calls that would tell
	early    recent[uint32, bool] // threads of recorded processes that woke another before they made a call
	groups   *groupTable
	all      bool // processes are recorded
	journals journals
	names    asyncNames
	samples  sampleTable
	scratch  scratch
}

// scratch holds the event that is handed to the sink, which does not keep it: frequent ones take no memory each.
type scratch struct {
	syscall trace.Syscall
	async   trace.AsyncOp
	fault   trace.Fault
	wait    trace.Wait
	rpc     trace.RPC
}

func newDecoder(calls *callTable, base int64, present []trace.Process, all bool) *decoder {
	d := &decoder{
		calls: calls, base: base, self: uint32(os.Getpid()), present: present, all: all, selected: map[uint32]bool{},
		early: newRecent[uint32, bool](knownThreads), groups: newGroupTable(), files: newFileTable(),
		devices: newDeviceTable(), mappings: mappings{}, lives: newLives(), journals: journals{}, samples: newSampleTable(),
	}
	for i := range present {
		d.selected[present[i].PID] = true
		d.lives.begin(present[i].PID)
		d.groups.set(present[i].PID, present[i].Cgroup)
	}
	return d
}

// begin writes what is known before the first record.
func (d *decoder) begin(sink trace.Sink) error {
	d.sink = sink
	for i := range d.present {
		if err := sink.Process(&d.present[i]); err != nil {
			return err
		}
	}
	return nil
}

// hold keeps others from the sink for a while, if there are any.
func (d *decoder) hold() (release func()) {
	shared, ok := d.sink.(tracer.SharedSink)
	if !ok {
		return func() {}
	}
	d.sink = shared.Hold()
	return func() {
		d.sink = shared
		shared.Release()
	}
}

// record decodes one record. The buffer is the kernel's: nothing may point into
// it afterwards.
func (d *decoder) record(b []byte) error {
	switch iotraceRecord(b[0]) {
	case iotraceRecordREC_IO:
		return d.io(as[iotraceIo](b))
	case iotraceRecordREC_CALL:
		return d.call(as[iotraceCall](b), b[unsafe.Sizeof(iotraceCall{}):])
	case iotraceRecordREC_FILE:
		return d.file(as[iotraceIdent](b), b[unsafe.Sizeof(iotraceIdent{}):])
	case iotraceRecordREC_ASYNC:
		return d.async(as[iotraceAsync](b))
	case iotraceRecordREC_NAMES:
		d.names.begun(as[iotraceCall](b), b[unsafe.Sizeof(iotraceCall{}):])
		return nil
	case iotraceRecordREC_FAULT:
		return d.fault(as[iotraceFault](b))
	case iotraceRecordREC_REQUEST:
		return d.request(as[requestHead](b), b[unsafe.Sizeof(requestHead{}):])
	case iotraceRecordREC_WAIT:
		return d.wait(as[iotraceWait](b))
	case iotraceRecordREC_FORK:
		return d.fork(as[iotraceFork](b))
	case iotraceRecordREC_EXEC:
		return d.exec(as[iotraceExec](b), b[unsafe.Sizeof(iotraceExec{}):])
	case iotraceRecordREC_EXIT:
		return d.exit(as[iotraceExit](b))
	case iotraceRecordREC_HELPER:
		return d.helper(as[iotraceHelper](b))
	case iotraceRecordREC_JOINED:
		return d.joined(as[iotraceFork](b))
	case iotraceRecordREC_LEFT:
		return d.left(as[iotraceFork](b))
	case iotraceRecordREC_COMMIT:
		d.journals.commit(as[iotraceCommit](b))
		return nil
	case iotraceRecordREC_GROUP:
		d.groups.told(as[iotraceGroupPath](b), b[unsafe.Sizeof(iotraceGroupPath{}):])
		return nil
	case iotraceRecordREC_RPC:
		return d.rpc(as[iotraceRpc](b))
	case iotraceRecordREC_SAMPLE:
		d.samples.count(as[iotraceSample](b), d.calls)
		return nil
	}
	return fmt.Errorf("decoding the event buffer: record of unknown kind %d", b[0])
}

// as views the beginning of a record as one of the structs shared with the
// probes. The ring buffer aligns records to 8 bytes.
func as[T any](b []byte) *T {
	var t T
	_ = b[unsafe.Sizeof(t)-1]
	return (*T)(unsafe.Pointer(&b[0]))
}

func (d *decoder) io(r *iotraceIo) error {
	op := d.calls.op[r.Nr]
	s := &d.scratch.syscall
	*s = trace.Syscall{
		Start: int64(r.Start) - d.base, Duration: int64(r.Dur), PID: r.Pid, TID: r.Tid,
		Op: op, Call: d.calls.index[r.Nr], Flags: fileFlags(r.Fflags) | shapeFlags[d.calls.shapes[r.Nr]],
		FD: r.Fd, FD2: -1, File: d.files.id(r.File), Offset: r.Off, Offset2: trace.NoOffset,
		Requested: int64(r.Req), Result: r.Ret, Filled: int64(r.Filled) * pageSize, Buffer: r.Buf,
	}
	if s.Start < 0 {
		return nil // began before recording did
	}
	if op == trace.OpWrite && s.Flags&trace.FlagAppend != 0 && s.Flags&trace.FlagPositioned != 0 {
		s.Offset = trace.NoOffset // Linux appends, whatever offset was given
	}
	if r.Rwf != 0 {
		s.Flags |= callFlags(uint32(r.Rwf))
	}
	if r.Fflags&movedZeros != 0 {
		s.Flags |= trace.FlagZeros
	}
	if op == trace.OpWrite && r.Ret > 0 || op == trace.OpTruncate && r.Ret == 0 {
		d.files.wrote(s.File, r.Pid)
	} else {
		d.files.touched(s.File)
	}
	return d.sink.Syscall(s)
}

func (d *decoder) call(r *iotraceCall, text []byte) error {
	s := &d.scratch.syscall
	*s = trace.Syscall{
		Start: int64(r.Start) - d.base, Duration: int64(r.Dur), PID: r.Pid, TID: r.Tid,
		Op: d.calls.op[r.Nr], Call: d.calls.index[r.Nr], Flags: fileFlags(r.Fflags) | shapeFlags[d.calls.shapes[r.Nr]],
		FD: r.Fd, FD2: r.Fd2, File: d.files.id(r.File), File2: d.files.id(r.File2), Offset: r.Off, Offset2: r.Off2,
		Requested: int64(min(r.Req, 1<<63-1)), Result: r.Ret, Filled: int64(r.Filled) * pageSize,
	}
	if s.Start < 0 {
		return nil
	}
	var err error
	if r.Len1 > 0 {
		if s.File, err = d.named(r.Dir, text[:r.Len1], s.End()); err != nil {
			return err
		}
	}
	switch {
	case r.Len2 == 0:
	case s.Op.HasPeer():
		if s.File2, err = d.addressed(text[r.Len1:][:r.Len2], s.End()); err != nil {
			return err
		}
	default:
		if s.File2, err = d.named(r.Dir2, text[r.Len1:][:r.Len2], s.End()); err != nil {
			return err
		}
	}
	d.refine(s, r)
	if s.Op == trace.OpAdvise && s.File == 0 && s.FD < 0 {
		return nil // how memory is used that is no file's
	}
	d.note(s)
	return d.sink.Syscall(s)
}

// named resolves a path that a call was given. An empty one means the
// descriptor itself (AT_EMPTY_PATH).
func (d *decoder) named(dir uint32, text []byte, now int64) (trace.FileID, error) {
	name := cString(text)
	base := d.files.id(dir)
	if name == "" {
		return base, nil
	}
	if name[0] != '/' && base != 0 {
		name = path.Join(d.files.path(base), name)
	} else if name[0] == '/' {
		name = path.Clean(name)
	}
	f, fresh := d.files.named(name, now)
	if !fresh {
		return f.ID, nil
	}
	return f.ID, d.sink.File(&f)
}

// note keeps track of who changes which file.
func (d *decoder) note(s *trace.Syscall) {
	failed := s.Result < 0
	if !failed && changing(s) {
		d.files.alters(s.File)
		d.files.alters(s.File2)
	}
	switch s.Op {
	case trace.OpCopyRange, trace.OpSendfile, trace.OpSplice, trace.OpTee:
		d.files.touched(s.File)
		if s.Result > 0 {
			d.files.wrote(s.File2, s.PID)
		}
	case trace.OpClone, trace.OpCloneRange, trace.OpDedupe:
		d.files.touched(s.File)
		if !failed {
			d.files.wrote(s.File2, s.PID)
		}
	case trace.OpWrite, trace.OpTruncate, trace.OpAllocate, trace.OpPunch:
		if !failed {
			d.files.wrote(s.File, s.PID)
		}
	case trace.OpRename:
		if !failed {
			d.renamed(s.Flags, s.File, s.File2)
		}
		d.files.touched(s.File)
	case trace.OpMmap:
		if !failed && s.Flags&trace.FlagShared != 0 && s.Flags&trace.FlagWrite != 0 {
			d.files.wrote(s.File, s.PID)
		}
		d.files.touched(s.File)
	default:
		d.files.touched(s.File)
	}
}

// addressed resolves the address of the other end of a socket; 0 if it has none or is of another family.
func (d *decoder) addressed(sockaddr []byte, now int64) (trace.FileID, error) {
	name := address(sockaddr)
	if name == "" {
		return 0, nil
	}
	f, fresh := d.files.addressed(name, now)
	if !fresh {
		return f.ID, nil
	}
	return f.ID, d.sink.File(&f)
}

func (d *decoder) renamed(flags trace.IOFlags, from, to trace.FileID) {
	d.files.renamed(from, to)
	if flags&trace.FlagExchange != 0 {
		d.files.renamed(to, from)
	}
}

func (d *decoder) file(r *iotraceIdent, names []byte) error {
	names = names[:min(int(r.Len), len(names))]
	if iotraceIdentFlags(r.Flags)&iotraceIdentFlagsIDENT_LOCATION != 0 {
		d.files.location(r, names)
		return nil
	}
	f, fresh := d.files.announce(r, names, d.base)
	if !fresh {
		return nil
	}
	return d.sink.File(&f)
}

func (d *decoder) async(r *iotraceAsync) error {
	a := &d.scratch.async
	*a = trace.AsyncOp{
		Submit: int64(r.Submit) - d.base, Complete: int64(r.Complete) - d.base, PID: r.Pid, TID: r.Tid,
		API: trace.AsyncAPI(r.Api), Flags: fileFlags(r.Fflags), File: d.files.id(r.File),
		Offset: r.Off, Requested: int64(r.Req), Result: r.Ret, Buffer: r.Buf,
	}
	if a.Submit < 0 {
		return nil
	}
	if a.API == trace.APILibaio {
		refineLibaio(a, r)
	} else {
		refineUring(a, r)
	}
	switch a.Op {
	case trace.OpWrite, trace.OpTruncate, trace.OpAllocate, trace.OpPunch:
		if r.Ret >= 0 {
			d.files.wrote(a.File, r.Pid)
		}
	}
	if err := d.nameAsync(a, r); err != nil {
		return err
	}
	d.files.touched(a.File)
	return d.sink.AsyncOp(a)
}

func (d *decoder) fault(r *iotraceFault) error {
	f := &d.scratch.fault
	*f = trace.Fault{
		Start: int64(r.Start) - d.base, Duration: int64(r.Dur), PID: r.Pid, TID: r.Tid,
		File: d.files.id(r.File), Offset: r.Off, Filled: int64(r.Filled) * pageSize,
	}
	if f.Start < 0 {
		return nil
	}
	d.files.touched(f.File)
	return d.sink.Fault(f)
}

func (d *decoder) wait(r *iotraceWait) error {
	w := &d.scratch.wait
	*w = trace.Wait{Start: int64(r.Start) - d.base, Duration: int64(r.Dur), PID: r.Pid, TID: r.Tid,
		Cause: trace.WaitCause(r.Cause)}
	if w.Cause == trace.WaitOther {
		w.Cause = linux.Blocked(runtime.GOARCH, int(r.Nr), r.Given != 0, r.Arg2, r.Arg3, int64(r.Dur))
	}
	d.woken(w, r)
	if w.Start < 0 {
		w.Duration += w.Start
		w.Start = 0
	}
	if w.Duration < 0 {
		return nil
	}
	w.Ready = max(min(w.Ready, w.Duration), 0) // below 0: it was woken, by another CPU's clock, when it ran already
	return d.sink.Wait(w)
}

// woken fills in what ended a wait. A request that was completed before the recording began is not in it.
func (d *decoder) woken(w *trace.Wait, r *iotraceWait) {
	w.By, w.Ready = trace.WakeSource(r.By), int64(r.Ready)
	helper := r.Helper != 0
	if helper {
		_, early := d.early.get(r.Tid)
		helper = !early
	}
	if helper {
		w.Flags |= trace.WaitHelper
	}
	switch w.By {
	case trace.WokenByThread:
		w.Waker = r.Waker
		if !helper {
			d.journals.woke(w.Waker)
		}
	case trace.WokenByRequest:
		if w.Completed = int64(r.Completed) - d.base; w.Completed < 0 {
			w.By, w.Completed = trace.WokenByInterrupt, 0
		}
		w.Waker = r.Waker
	case trace.WokenByRPC:
		w.Waker = r.Waker
		if w.Completed = int64(r.Completed) - d.base; w.Completed < 0 { // as of a request
			w.By, w.Completed = trace.WokenByThread, 0
		}
	}
}

// rpc takes what a client asked of a server, or a server was asked. What it was asked before recording began is left
// out.
func (d *decoder) rpc(r *iotraceRpc) error {
	e := &d.scratch.rpc
	*e = trace.RPC{
		Start: int64(r.Start) - d.base, Duration: int64(r.Ended - r.Start), PID: r.Pid, TID: r.Tid,
		Protocol: protocolOf(r.Program, r.Version), Procedure: procedureOf(r), Server: cString(r.Server[:]),
		Queued: -1, RTT: -1, File: d.files.id(r.File), Offset: r.Off, Bytes: int64(r.Bytes),
		Out: int64(r.Out), In: int64(r.In), Sends: r.Sends, Status: -min(r.Status, 0), XID: r.Xid, Served: r.Served != 0,
	}
	if e.Start < 0 {
		return nil
	}
	if e.File == 0 {
		e.Offset = trace.NoOffset
	}
	if r.Sent >= r.Start && r.Sent <= r.Ended {
		e.Queued = int64(r.Sent - r.Start)
		if r.Replied >= r.Sent {
			e.RTT = int64(min(r.Replied, r.Ended) - r.Sent)
		}
	}
	n := d.files.at(e.File)
	e.Foreign = !e.Served && !d.all && !d.lives.known(r.Pid) && (n == nil || !n.used)
	return d.sink.RPC(e)
}

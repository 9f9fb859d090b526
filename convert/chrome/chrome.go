// Package chrome writes traces in Chrome's Trace Event Format, in JSON. Calls,
// faults and waits are slices of their thread; asynchronous operations and
// requests, of which several are under way at once, are asynchronous slices of
// their process or device. A device is shown as a process.
package chrome

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// firstDevice is the process number of the first device: no process has one so
// high (PID_MAX_LIMIT of Linux is 1<<22).
const firstDevice = 1 << 30

// event is one event. What is text is quoted already.
type event struct {
	phase    string
	name     []byte
	cat      string
	ts, dur  int64 // ns; noTime for none
	pid, tid uint32
	id       uint64 // 0 for none
	scope    string
	args     bool // those of the writer are this event's
}

const noTime = -1

type writer struct {
	w       *bufio.Writer
	header  trace.Header
	files   map[trace.FileID][]byte // quoted paths
	names   map[string][]byte       // quoted names of calls and operations
	devices map[trace.DeviceID]uint32
	any     bool
	line    []byte
	args    []byte // of the event, in the order of their names
	next    uint64
	err     error
}

// Export writes a trace, which it reads to its end.
func Export(r *tracefile.Reader, w *bufio.Writer) error {
	c := &writer{w: w, header: r.Header(), files: map[trace.FileID][]byte{}, names: map[string][]byte{},
		devices: map[trace.DeviceID]uint32{}}
	if _, err := w.WriteString("{\"displayTimeUnit\":\"ns\",\"traceEvents\":["); err != nil {
		return err
	}
	var b trace.Batch
	for c.err == nil {
		if err := r.Next(&b); errors.Is(err, io.EOF) {
			_, err = w.WriteString("\n]}\n")
			return err
		} else if err != nil {
			return err
		}
		c.batch(&b)
	}
	return c.err
}

func (c *writer) batch(b *trace.Batch) {
	for i := range b.Files {
		c.files[b.Files[i].ID] = quoted(b.Files[i].Path)
	}
	for i := range b.Devices {
		c.device(b.Devices[i].ID, b.Devices[i].Name)
	}
	for i := range b.Processes {
		if e := &b.Processes[i]; e.Command != "" && e.Action != trace.ProcessExit {
			c.process(e.Command, e.PID, e.TID)
		}
	}
	for i := range b.Syscalls {
		c.call(&b.Syscalls[i])
	}
	for i := range b.Faults {
		e := &b.Faults[i]
		c.file("file", e.File)
		c.offset("offset", e.File, e.Offset)
		c.slice("page fault", "fault", e.PID, e.TID, e.Start, e.Duration, true)
	}
	for i := range b.Waits {
		e := &b.Waits[i]
		c.slice("wait: "+e.Cause.String(), "wait", e.PID, e.TID, e.Start, e.Duration, false)
	}
	for i := range b.AsyncOps {
		c.operation(&b.AsyncOps[i])
	}
	for i := range b.Requests {
		c.request(&b.Requests[i])
	}
	for i := range b.Lost {
		e := &b.Lost[i]
		c.put(event{phase: "i", scope: "g", name: quoted(fmt.Sprintf("%d events of kind %s lost", e.Count, e.Kind)),
			cat: "lost", ts: max(e.From, 0), dur: noTime})
	}
}

func (c *writer) call(e *trace.Syscall) {
	c.file("file", e.File)
	c.file("file2", e.File2)
	c.offset("offset", e.File, e.Offset)
	c.offset("offset2", e.File2, e.Offset2)
	c.number("requested", e.Requested)
	c.number("result", e.Result)
	c.slice(c.header.CallName(e.Call), e.Op.String(), e.PID, e.TID, e.Start, e.Duration, true)
}

func (c *writer) operation(e *trace.AsyncOp) {
	c.text("api", c.name(e.API.String()))
	c.file("file", e.File)
	c.offset("offset", e.File, e.Offset)
	c.number("requested", e.Requested)
	c.number("result", e.Result)
	c.flight(e.Op.String(), "asyncop", e.PID, e.TID, e.Submit, e.Complete)
}

func (c *writer) request(e *trace.Request) {
	pid := c.device(e.Device, "")
	c.number("bytes", e.Bytes)
	if e.Error != 0 {
		c.number("error", int64(e.Error))
	}
	c.text("evidence", c.name(e.Evidence.String()))
	c.file("file", e.File)
	c.offset("offset", e.File, e.Offset)
	c.number("pid", int64(e.PID))
	if e.Queued >= 0 {
		c.number("queued_ns", e.Issued-e.Queued)
	}
	c.number("sector", int64(e.Sector))
	c.flight(e.Op.String(), "request", pid, 0, e.Issued, e.Completed)
}

// device is the process number that stands for a device.
func (c *writer) device(id trace.DeviceID, name string) uint32 {
	pid, known := c.devices[id]
	if !known {
		pid = firstDevice + uint32(len(c.devices))
		c.devices[id] = pid
		if name == "" {
			name = fmt.Sprintf("%d:%d", id.Major(), id.Minor())
		}
	}
	if name != "" {
		c.process("device "+name, pid, 0)
	}
	return pid
}

// process gives a process a name.
func (c *writer) process(name string, pid, tid uint32) {
	c.text("name", quoted(name))
	c.put(event{phase: "M", name: []byte(`"process_name"`), ts: noTime, dur: noTime, pid: pid, tid: tid, args: true})
}

// slice writes what kept a thread for a time.
func (c *writer) slice(name, cat string, pid, tid uint32, start, duration int64, args bool) {
	c.put(event{phase: "X", name: c.name(name), cat: cat, pid: pid, tid: tid, ts: max(start, 0),
		dur: max(duration, 0), args: args})
}

// flight writes what was under way for a time, beside others.
func (c *writer) flight(name, cat string, pid, tid uint32, start, end int64) {
	c.next++
	e := event{phase: "b", name: c.name(name), cat: cat, pid: pid, tid: tid, ts: max(start, 0), dur: noTime,
		id: c.next, args: true}
	c.put(e)
	e.phase, e.ts, e.args = "e", max(start, end, 0), false
	c.put(e)
}

// put writes an event, and begins the arguments of the next.
func (c *writer) put(e event) {
	if c.err != nil {
		return
	}
	b := c.line[:0]
	b = append(append(append(b, "\n{\"ph\":\""...), e.phase...), "\",\"name\":"...)
	b = append(b, e.name...)
	if e.cat != "" {
		b = append(append(append(b, ",\"cat\":\""...), e.cat...), '"')
	}
	b = appendMicros(b, ",\"ts\":", e.ts)
	b = appendMicros(b, ",\"dur\":", e.dur)
	b = strconv.AppendUint(append(b, ",\"pid\":"...), uint64(e.pid), 10)
	b = strconv.AppendUint(append(b, ",\"tid\":"...), uint64(e.tid), 10)
	if e.id != 0 {
		b = append(strconv.AppendUint(append(b, ",\"id\":\"0x"...), e.id, 16), '"')
	}
	if e.scope != "" {
		b = append(append(append(b, ",\"s\":\""...), e.scope...), '"')
	}
	if e.args && len(c.args) > 0 {
		b = append(append(append(b, ",\"args\":{"...), c.args[1:]...), '}')
	}
	b = append(b, '}')
	if c.any {
		_ = c.w.WriteByte(',') // the next write tells
	}
	c.any = true
	_, c.err = c.w.Write(b)
	c.line, c.args = b, c.args[:0]
}

// appendMicros adds a time in microseconds, with three decimals.
func appendMicros(b []byte, name string, ns int64) []byte {
	if ns == noTime {
		return b
	}
	b = strconv.AppendInt(append(b, name...), ns/1000, 10)
	rest := ns % 1000
	return append(b, '.', byte('0'+rest/100), byte('0'+rest/10%10), byte('0'+rest%10))
}

package convert

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Chrome writes Chrome's Trace Event Format, in JSON. Calls, faults and waits
// are slices of their thread; asynchronous operations and requests, of which
// several are under way at once, are asynchronous slices of their process or
// device. A device is shown as a process.
var Chrome = Exporter{
	To:     "chrome",
	About:  "Trace Event Format, for ui.perfetto.dev and chrome://tracing",
	Suffix: ".json",
	Export: exportChrome,
}

// chromeDevice is the process number of the first device: no process has one so
// high (PID_MAX_LIMIT of Linux is 1<<22).
const chromeDevice = 1 << 30

// chromeEvent is one event. Times are in microseconds, with three decimals.
type chromeEvent struct {
	Phase string         `json:"ph"`
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	TS    json.Number    `json:"ts,omitempty"`
	Dur   json.Number    `json:"dur,omitempty"`
	PID   uint32         `json:"pid"`
	TID   uint32         `json:"tid"`
	ID    string         `json:"id,omitempty"`
	Scope string         `json:"s,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

type chromeWriter struct {
	w       *bufio.Writer
	header  trace.Header
	files   map[trace.FileID]string
	devices map[trace.DeviceID]uint32
	any     bool
	next    uint64
	err     error
}

func exportChrome(r *tracefile.Reader, w *bufio.Writer) error {
	c := &chromeWriter{w: w, header: r.Header(), files: map[trace.FileID]string{}, devices: map[trace.DeviceID]uint32{}}
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

func (c *chromeWriter) batch(b *trace.Batch) {
	for i := range b.Files {
		c.files[b.Files[i].ID] = b.Files[i].Path
	}
	for i := range b.Devices {
		c.device(b.Devices[i].ID, b.Devices[i].Name)
	}
	for i := range b.Processes {
		if e := &b.Processes[i]; e.Command != "" && e.Action != trace.ProcessExit {
			c.put(chromeEvent{Phase: "M", Name: "process_name", PID: e.PID, TID: e.TID, Args: map[string]any{"name": e.Command}})
		}
	}
	for i := range b.Syscalls {
		e := &b.Syscalls[i]
		args := map[string]any{"result": e.Result, "requested": e.Requested}
		c.file(args, "file", e.File, "offset", e.Offset)
		c.file(args, "file2", e.File2, "offset2", e.Offset2)
		c.slice(c.header.CallName(e.Call), e.Op.String(), e.PID, e.TID, e.Start, e.Duration, args)
	}
	for i := range b.Faults {
		e := &b.Faults[i]
		args := map[string]any{}
		c.file(args, "file", e.File, "offset", e.Offset)
		c.slice("page fault", "fault", e.PID, e.TID, e.Start, e.Duration, args)
	}
	for i := range b.Waits {
		e := &b.Waits[i]
		c.slice("wait: "+e.Cause.String(), "wait", e.PID, e.TID, e.Start, e.Duration, nil)
	}
	for i := range b.AsyncOps {
		e := &b.AsyncOps[i]
		args := map[string]any{"result": e.Result, "requested": e.Requested, "api": e.API.String()}
		c.file(args, "file", e.File, "offset", e.Offset)
		c.flight(e.Op.String(), "asyncop", e.PID, e.TID, e.Submit, e.Complete, args)
	}
	for i := range b.Requests {
		c.request(&b.Requests[i])
	}
	for i := range b.Lost {
		e := &b.Lost[i]
		c.put(chromeEvent{Phase: "i", Scope: "g", Name: fmt.Sprintf("%d events of kind %s lost", e.Count, e.Kind),
			Cat: "lost", TS: micros(e.From)})
	}
}

func (c *chromeWriter) request(e *trace.Request) {
	args := map[string]any{"sector": e.Sector, "bytes": e.Bytes, "pid": e.PID, "evidence": e.Evidence.String()}
	if e.Queued >= 0 {
		args["queued_ns"] = e.Issued - e.Queued
	}
	if e.Error != 0 {
		args["error"] = e.Error
	}
	c.file(args, "file", e.File, "offset", e.Offset)
	c.flight(e.Op.String(), "request", c.device(e.Device, ""), 0, e.Issued, e.Completed, args)
}

// device is the process number that stands for a device.
func (c *chromeWriter) device(id trace.DeviceID, name string) uint32 {
	pid, known := c.devices[id]
	if !known {
		pid = chromeDevice + uint32(len(c.devices))
		c.devices[id] = pid
		if name == "" {
			name = fmt.Sprintf("%d:%d", id.Major(), id.Minor())
		}
	}
	if name != "" {
		c.put(chromeEvent{Phase: "M", Name: "process_name", PID: pid, Args: map[string]any{"name": "device " + name}})
	}
	return pid
}

// file adds a file and an offset to the arguments of an event, if it has them.
func (c *chromeWriter) file(args map[string]any, name string, id trace.FileID, place string, offset int64) {
	if path, ok := c.files[id]; ok && id != 0 {
		args[name] = path
		if offset != trace.NoOffset {
			args[place] = offset
		}
	}
}

// slice writes what kept a thread for a time.
func (c *chromeWriter) slice(name, cat string, pid, tid uint32, start, duration int64, args map[string]any) {
	c.put(chromeEvent{Phase: "X", Name: name, Cat: cat, PID: pid, TID: tid, TS: micros(start), Dur: micros(duration),
		Args: args})
}

// flight writes what was under way for a time, beside others.
func (c *chromeWriter) flight(name, cat string, pid, tid uint32, start, end int64, args map[string]any) {
	c.next++
	e := chromeEvent{Phase: "b", Name: name, Cat: cat, PID: pid, TID: tid, TS: micros(start),
		ID: fmt.Sprintf("%#x", c.next), Args: args}
	c.put(e)
	e.Phase, e.TS, e.Args = "e", micros(max(start, end)), nil
	c.put(e)
}

// micros is a time in microseconds; one before the recording is its beginning.
func micros(ns int64) json.Number {
	ns = max(ns, 0)
	return json.Number(fmt.Sprintf("%d.%03d", ns/1000, ns%1000))
}

func (c *chromeWriter) put(e chromeEvent) {
	if c.err != nil {
		return
	}
	line, err := json.Marshal(&e)
	if err == nil {
		if c.any {
			_ = c.w.WriteByte(',') // the next write tells
		}
		c.any = true
		_ = c.w.WriteByte('\n')
		_, err = c.w.Write(visible.AppendJSON(nil, line))
	}
	c.err = err
}

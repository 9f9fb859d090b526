package tracefile

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/iotrace/iotrace/trace"
)

// headerJSON is the payload of the header frame. JSON holds text only, so what
// is no valid UTF-8 is there a second time as bytes.
type headerJSON struct {
	trace.Header
	CommandBytes [][]byte `json:"command_bytes,omitempty"`
	DirBytes     []byte   `json:"dir_bytes,omitempty"`
}

// maxCommand is the length of the command line that is kept, in bytes. Systems
// allow several MiB.
const maxCommand = 128 << 10

// MarshalHeader is the header as the JSON of a trace. Of a command line that is too
// long the end is cut.
func MarshalHeader(h trace.Header) ([]byte, error) {
	h.Command = shorten(h.Command)
	p := headerJSON{Header: h}
	for _, arg := range h.Command {
		if !utf8.ValidString(arg) {
			p.CommandBytes = make([][]byte, len(h.Command))
			for i, arg := range h.Command {
				p.CommandBytes[i] = []byte(arg)
			}
			break
		}
	}
	if !utf8.ValidString(h.Dir) {
		p.DirBytes = []byte(h.Dir)
	}
	b, err := json.Marshal(p)
	if err == nil && len(b) > MaxJSON {
		err = fmt.Errorf("it has %d bytes, at most %d are possible", len(b), MaxJSON)
	}
	if err != nil {
		return nil, fmt.Errorf("encoding trace header: %w", err)
	}
	return b, nil
}

// shorten replaces the arguments that are too much by "…".
func shorten(command []string) []string {
	size := 0
	for i, arg := range command {
		if size += len(arg) + 1; size > maxCommand {
			return append(command[:i:i], "…")
		}
	}
	return command
}

// UnmarshalHeader reads what MarshalHeader has written, and judges it: it may come
// from a stranger.
func UnmarshalHeader(b []byte) (trace.Header, error) {
	var p headerJSON
	if err := unmarshal(b, &p); err != nil {
		return trace.Header{}, err
	}
	if len(p.CommandBytes) > 0 {
		p.Command = make([]string, len(p.CommandBytes))
		for i, arg := range p.CommandBytes {
			p.Command[i] = string(arg)
		}
	}
	if len(p.DirBytes) > 0 {
		p.Dir = string(p.DirBytes)
	}
	if p.CPUs < 0 || p.CPUs > maxCPUs || p.Memory < 0 {
		return trace.Header{}, fmt.Errorf("a machine with %d processors and %d bytes of memory", p.CPUs, p.Memory)
	}
	if t := p.Trigger; t != nil && (!trace.Within(trace.MaxTime, t.Time, t.Start, t.Latency) ||
		!trace.Within(trace.MaxTotal, t.Bytes)) {
		return trace.Header{}, fmt.Errorf("a trigger at %d ns, by an event of %d ns and %d bytes", t.Time, t.Latency, t.Bytes)
	}
	return p.Header, nil
}

const maxCPUs = 1 << 20

// MarshalEnd is the end as the JSON of a trace. It drops what is too long rather than fail: a trace without its end
// counts as interrupted.
func MarshalEnd(e trace.End) ([]byte, error) {
	b, err := json.Marshal(e)
	if err == nil && len(b) > MaxJSON {
		e.Uncompared += int64(len(e.Contents))
		e.Contents, e.Touched = nil, nil
		e.Warnings = []string{fmt.Sprintf("%d warnings were too long for the trace file", len(e.Warnings))}
		e.Error = e.Error[:min(len(e.Error), MaxText)]
		b, err = json.Marshal(e)
	}
	if err != nil {
		return nil, fmt.Errorf("encoding end of trace: %w", err)
	}
	return b, nil
}

// UnmarshalEnd reads what MarshalEnd has written, and judges it likewise.
func UnmarshalEnd(b []byte) (trace.End, error) {
	var e trace.End
	if err := unmarshal(b, &e); err != nil {
		return e, err
	}
	c := &e.Recorder
	switch {
	case !trace.Within(trace.MaxTime, e.Duration), e.CommandEnd != -1 && !trace.Within(trace.MaxTime, e.CommandEnd),
		e.Durable != -1 && !trace.Within(trace.MaxTime, e.Durable):
		return e, fmt.Errorf("a recording of %d ns, a command of %d ns, data written after %d ns",
			e.Duration, e.CommandEnd, e.Durable)
	case !trace.Within(trace.MaxTotal, c.ProbeCPU, c.ReaderCPU, c.MaxRSS, c.BufferSize, c.BufferPeak):
		return e, fmt.Errorf("what recording cost: %+v", *c)
	}
	if p := e.Processors; p != nil && !likely(p) {
		return e, fmt.Errorf("what the processors did: %+v", *p)
	}
	if len(e.Holders) > trace.MaxHolders {
		return e, fmt.Errorf("%d holders, at most %d are told of", len(e.Holders), trace.MaxHolders)
	}
	for _, h := range e.Holders {
		if max(len(h.What), len(h.Command), len(h.Address)) > MaxText {
			return e, fmt.Errorf("the name of a holder has %d bytes", len(h.Command))
		}
	}
	if len(e.Accepted) > trace.MaxAccepted {
		return e, fmt.Errorf("%d accepted sockets, at most %d are told of", len(e.Accepted), trace.MaxAccepted)
	}
	if len(e.Samples) > trace.MaxSamples {
		return e, fmt.Errorf("%d places of samples, at most %d are told of", len(e.Samples), trace.MaxSamples)
	}
	for _, x := range e.Samples {
		if max(len(x.Process), len(x.Call), len(x.Library), len(x.Function)) > MaxText ||
			!trace.Within(trace.MaxTotal, x.Count) {
			return e, fmt.Errorf("a place of %d samples with a name of %d bytes", x.Count, len(x.Function))
		}
	}
	if len(e.Users) > trace.MaxUsers {
		return e, fmt.Errorf("%d users of drives, at most %d are told of", len(e.Users), trace.MaxUsers)
	}
	for _, u := range e.Users {
		if len(u.Command) > MaxText || !trace.Within(trace.MaxTotal, u.Bytes) {
			return e, fmt.Errorf("what a user of drives did: %+v", u)
		}
	}
	return e, likelyDevices(&e)
}

// likelyDevices judges what is told of drives, of limits and of what the command was charged with.
func likelyDevices(e *trace.End) error {
	if len(e.Drives) > trace.MaxDrives {
		return fmt.Errorf("%d drives, at most %d are told of", len(e.Drives), trace.MaxDrives)
	}
	for _, d := range e.Drives {
		if !trace.Within(trace.MaxTotal, d.Reads, d.ReadBytes, d.Writes, d.WrittenBytes, d.Busy) || len(d.Name) > MaxText {
			return fmt.Errorf("what a drive did: %+v", d)
		}
	}
	if len(e.IOLimits) > trace.MaxIOLimits {
		return fmt.Errorf("%d limits of I/O, at most %d are told of", len(e.IOLimits), trace.MaxIOLimits)
	}
	for _, l := range e.IOLimits {
		if !trace.Within(trace.MaxTotal, l.From, l.ReadBytes, l.WriteBytes, l.Reads, l.Writes) || len(l.Group) > MaxText {
			return fmt.Errorf("a limit of I/O: %+v", l)
		}
	}
	if len(e.Memory) > trace.MaxMemoryLimits {
		return fmt.Errorf("%d limits of memory, at most %d are told of", len(e.Memory), trace.MaxMemoryLimits)
	}
	for _, l := range e.Memory {
		if !trace.Within(trace.MaxTotal, l.Bytes, l.Reached) || len(l.Group) > MaxText {
			return fmt.Errorf("a limit of memory: %+v", l)
		}
	}
	if len(e.Mounts) > trace.MaxMounts || len(e.SyncedDirs) > trace.MaxSyncedDirs {
		return fmt.Errorf("%d mounts and %d directories, at most %d and %d are told of", len(e.Mounts), len(e.SyncedDirs),
			trace.MaxMounts, trace.MaxSyncedDirs)
	}
	for _, m := range e.Mounts {
		if max(len(m.Point), len(m.FSType), len(m.Source), len(m.Options)) > MaxText {
			return fmt.Errorf("a mount with options of %d bytes", len(m.Options))
		}
	}
	if !trace.Within(trace.MaxTotal, e.Uncompared) {
		return fmt.Errorf("%d files that were not compared", e.Uncompared)
	}
	if !trace.Within(trace.MaxTotal, e.CacheDrops) {
		return fmt.Errorf("a page cache that was dropped %d times", e.CacheDrops)
	}
	if e.Reclaimed != nil && !trace.Within(trace.MaxTotal, *e.Reclaimed) {
		return fmt.Errorf("%d bytes taken out of memory", *e.Reclaimed)
	}
	if c := e.Charged; c != nil && !trace.Within(trace.MaxTotal, c.ReadBytes, c.WrittenBytes, c.User, c.System) {
		return fmt.Errorf("what the command was charged with: %+v", *c)
	}
	return nil
}

// likely reports whether processors can have done that.
func likely(p *trace.Processors) bool {
	if !trace.Within(trace.MaxTotal, p.Busy, p.Idle, p.Stolen) || len(p.Held) > trace.MaxHeld ||
		len(p.Others) > trace.MaxRunners {
		return false
	}
	for _, o := range p.Others {
		if !trace.Within(trace.MaxTotal, o.Time) || len(o.Command) > MaxText {
			return false
		}
	}
	for _, h := range p.Held {
		if !trace.Within(trace.MaxTotal, h.Time) || len(h.Group) > MaxText {
			return false
		}
	}
	return true
}

func unmarshal(b []byte, v any) error {
	if len(b) > MaxJSON {
		return fmt.Errorf("%d bytes of JSON, at most %d are possible", len(b), MaxJSON)
	}
	return json.Unmarshal(b, v)
}

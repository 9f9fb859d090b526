// Package biosnoop reads the tables of biosnoop, in the dialects of its several makers.
package biosnoop

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/requests"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// Importer reads the table that biosnoop of bcc and of its libbpf tools prints,
// one line a request at its completion. Which columns there are is said by the
// heading: QUE(ms) comes with -Q.
var Importer = convert.Importer{
	From:  "biosnoop",
	About: "biosnoop -Q > FILE\n(without -Q it is not known when a request was queued)",
	Header: trace.Header{Backend: "import:biosnoop", OS: "linux", Scope: "import",
		Limits: append(requests.Limits("biosnoop"), trace.Limit{Code: trace.LimitNoErrors,
			Text: "biosnoop does not say whether a request failed."})},
	Import: convert.Checked(read),
}

// What biosnoop prints begins at the first completion; requests began before.
// So many are looked at to find the earliest beginning, which becomes time 0.
const ahead = 4096

func read(in io.Reader, sink tracer.Sink) (c convert.Counts, err error) {
	b := reader{sink: sink, devices: map[string]trace.DeviceID{}, procs: map[uint32]bool{}}
	if err = c.Each(in, b.line); err == nil {
		err = b.flush()
	}
	if err != nil {
		return c, err
	}
	if c.Lines > 0 && b.rows == 0 {
		return c, fmt.Errorf("importing from biosnoop: %w: none of %d lines is a request below a heading with TIME(s), "+
			"COMM, PID, DISK, SECTOR, BYTES and LAT(ms)",
			convert.ErrFormat, c.Lines)
	}
	if b.cut > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d requests began before everything else and are shown as if they had begun "+
			"with it", b.cut))
	}
	if !b.queues {
		c.Notes = append(c.Notes, "there is no QUE(ms) column: biosnoop -Q adds the time requests waited in the queue")
	}
	c.Notes = append(c.Notes, "biosnoop names disks without their numbers: the device numbers of this trace are made up")
	return c, nil
}

type reader struct {
	sink    tracer.Sink
	rows    uint64
	columns map[string]int // places from the right end, from 1
	ahead   []row
	begun   bool
	zero    int64 // of the text's clock, which may be below 0
	cut     uint64
	queues  bool
	devices map[string]trace.DeviceID
	procs   map[uint32]bool
}

// row is a request in the text's clock.
type row struct {
	trace.Request
	queued        bool // it is known when
	disk, command string
}

// heading reads the names of the columns. Those right of COMM are counted from
// the right: a command may hold blanks.
func (b *reader) heading(f [][]byte) bool {
	if len(f) < 7 || string(f[0]) != "TIME(s)" || string(f[1]) != "COMM" {
		return false
	}
	columns := map[string]int{}
	for i, name := range f {
		columns[string(name)] = len(f) - i
	}
	for _, name := range []string{"PID", "DISK", "T", "SECTOR", "BYTES", "LAT(ms)"} {
		if columns[name] == 0 {
			return false
		}
	}
	b.columns = columns
	return true
}

func (b *reader) line(text []byte) (convert.Verdict, error) {
	f := bytes.Fields(text)
	if len(f) == 0 || b.heading(f) {
		return convert.Skipped, nil
	}
	r, ok := b.row(f)
	if !ok {
		return convert.Damaged, nil
	}
	b.rows++
	if b.begun {
		return convert.Read, b.write(&r)
	}
	if b.ahead = append(b.ahead, r); len(b.ahead) >= ahead {
		return convert.Read, b.flush()
	}
	return convert.Read, nil
}

// row takes a line apart. Its times are those of the text.
func (b *reader) row(f [][]byte) (r row, ok bool) {
	at := func(name string) string { return string(f[len(f)-b.columns[name]]) }
	if b.columns == nil || len(f) < b.columns["PID"]+1 {
		return r, false
	}
	pid, err1 := strconv.ParseUint(at("PID"), 10, 32)
	bytesMoved, err2 := strconv.ParseInt(at("BYTES"), 10, 41)
	sector, err3 := strconv.ParseInt(at("SECTOR"), 10, 55)
	if err3 != nil && at("SECTOR") == "18446744073709551615" { // that of a flush, as a number without a sign
		sector, err3 = -1, nil
	}
	seconds, ok1 := parseDecimal(string(f[0]), 9)
	latency, ok2 := parseDecimal(at("LAT(ms)"), 6)
	if err1 != nil || err2 != nil || err3 != nil || !ok1 || !ok2 || seconds < 0 || latency < 0 || bytesMoved < 0 {
		return r, false
	}
	op, flags, ok := requests.ParseRWBS(at("T"), bytesMoved)
	r.Request = trace.Request{Queued: -1, Issued: seconds - latency, Completed: seconds, Bytes: bytesMoved,
		Sector: uint64(max(sector, 0)), Op: op,
		Flags: flags, PID: uint32(pid), TID: uint32(pid), Offset: trace.NoOffset, Bios: 1}
	if b.columns["QUE(ms)"] > 0 {
		b.queues = true
		wait, ok := parseDecimal(at("QUE(ms)"), 6)
		if !ok {
			return r, false
		}
		r.queued = true
		r.Queued = r.Issued - max(wait, 0) // -1: it was not in a queue
	}
	r.disk = at("DISK")
	r.command = string(bytes.Join(f[1:len(f)-b.columns["PID"]], []byte(" ")))
	return r, ok
}

// parseDecimal reads a number with up to nine digits behind the point, as an
// integer of units 10^-scale.
func parseDecimal(s string, scale int) (int64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	for range scale {
		v *= 10
	}
	if err != nil || !(v > -1<<52 && v < 1<<52) { // exact below 52 days
		return 0, false
	}
	if v < 0 {
		return int64(v - .5), true
	}
	return int64(v + .5), true
}

// earliest is the time at which a row begins.
func (r *row) earliest() int64 {
	if r.queued {
		return r.Queued
	}
	return r.Issued
}

// flush writes what was looked at ahead, once.
func (b *reader) flush() error {
	if b.begun {
		return nil
	}
	b.begun = true
	if len(b.ahead) > 0 {
		first := slices.MinFunc(b.ahead, func(x, y row) int { return cmp.Compare(x.earliest(), y.earliest()) })
		b.zero = first.earliest()
	}
	for i := range b.ahead {
		if err := b.write(&b.ahead[i]); err != nil {
			return err
		}
	}
	b.ahead = nil
	return nil
}

// write passes a request on, in the trace's clock.
func (b *reader) write(r *row) error {
	if r.earliest() < b.zero {
		b.cut++
	}
	e := &r.Request
	e.Issued, e.Completed = max(e.Issued-b.zero, 0), max(e.Completed-b.zero, 0)
	if r.queued {
		e.Queued = max(e.Queued-b.zero, 0)
	} else {
		e.Queued = -1
	}
	id, ok := b.devices[r.disk]
	if !ok && len(b.devices) < convert.MaxSeen {
		id = trace.MakeDeviceID(0, uint32(len(b.devices)+1))
		b.devices[r.disk] = id
		if err := b.sink.Device(&trace.Device{Time: e.Issued, ID: id, Name: r.disk}); err != nil {
			return err
		}
	}
	e.Device = id
	if e.PID != 0 && r.command != "" && !b.procs[e.PID] && len(b.procs) < convert.MaxSeen {
		b.procs[e.PID] = true
		if err := b.sink.Process(&trace.Process{Time: e.Issued, Action: trace.ProcessPresent, PID: e.PID, TID: e.PID,
			Command: r.command}); err != nil {
			return err
		}
	}
	return b.sink.Request(e)
}

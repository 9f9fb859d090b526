package darwin

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/kdebug"
)

// Ktrace reads the text that ktrace trace of macOS prints. Its columns are not documented; they are a time, delta,
// debug ID, four arguments, thread, CPU, and the process with its number in brackets. The time is date, time of day and
// time zone, or with -t the ticks of the mach clock. Debug IDs are numbers with -N alone: which function a name stands
// for, a beginning or an end, cannot be told.
var Ktrace = convert.Importer{
	From: "ktrace",
	About: "sudo ktrace trace -N \\\n  -f " + kdebug.Filter() + " > FILE\n" +
		"(-N: trace points by their numbers; -t is read as well)",
	Header: trace.Header{Backend: "import:ktrace", OS: "darwin", Scope: "import", Calls: kdebug.Names(),
		Limits: kdebug.Limits(macos.AppleSilicon)}, // a text does not say which Mac it is of
	Joins:  true,
	Import: convert.Checked(ktraceRead),
}

func ktraceRead(in io.Reader, sink trace.Sink) (convert.Counts, error) {
	k := ktraceReader{d: kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true},
		Timebase: kdebug.Timebase{Numer: 1, Denom: 1}}, sink),
		cols: wall, seen: map[uint64]bool{}}
	err := convert.Lines(in, k.line, k.count.AddLong)
	if err == nil {
		err = k.ticks.end(k.decode)
	}
	if err != nil {
		return k.count, err
	}
	if k.names > 0 && k.numbers == 0 {
		return k.count, fmt.Errorf("importing from ktrace: %w: %d lines name their trace points, and none of %d numbers a "+
			"system call or a disk request; record again with ktrace trace -N", convert.ErrFormat, k.names, k.count.Lines)
	}
	if k.count.Damaged > 0 && k.count.Damaged+k.blank == k.count.Lines {
		return k.count, fmt.Errorf("importing from ktrace: %w: none of %d lines has a time, a debug ID and arguments in "+
			"its columns", convert.ErrFormat, k.count.Lines)
	}
	if n := k.d.Counts(); n.Orphans > 0 {
		k.count.Notes = append(k.count.Notes, fmt.Sprintf("%d calls have no beginning in the text", n.Orphans))
	}
	if k.names > 0 {
		k.count.Notes = append(k.count.Notes,
			fmt.Sprintf("%d lines name their trace point and were left out; ktrace trace -N "+
				"numbers them", k.names))
	}
	if note := k.ticks.note(); note != "" {
		k.count.Notes = append(k.count.Notes, note)
	}
	if note := k.d.Files().Note(); note != "" {
		k.count.Notes = append(k.count.Notes, note)
	}
	k.count.Notes = append(k.count.Notes, "the columns of ktrace's text are not documented; they were taken from public "+
		"descriptions")
	return k.count, nil
}

// ktraceReader turns lines back into the records they were printed from.
type ktraceReader struct {
	d       *kdebug.Decoder
	count   convert.Counts
	cols    columns
	blank   uint64
	names   uint64 // lines whose debug ID is a name
	numbers uint64 // lines of calls and disk requests
	base    int64  // time of day of the first line
	begun   bool
	last    int64 // time of day of the line before
	shift   int64 // midnights
	ticks   ticks
	buf     []byte
	seen    map[uint64]bool // threads whose process is known
}

// columns are the places of a line's fields.
type columns struct{ time, id, arg, thread, process int }

var (
	wall = columns{time: 1, id: 4, arg: 5, thread: 9, process: 11} // date, time of day, time zone, delta
	mach = columns{time: 0, id: 2, arg: 3, thread: 7, process: 9}  // ticks, delta: -t
)

// layout finds the columns by the heading, or where that was cut off by a time that is a number.
func (k *ktraceReader) layout(first []byte) (heading bool) {
	switch string(first) {
	case "abstime":
		k.cols = mach
		return true
	case "walltime":
		k.cols = wall
		return true
	}
	if _, err := strconv.ParseUint(string(first), 10, 64); err == nil {
		k.cols = mach
	}
	return false
}

func (k *ktraceReader) line(b []byte) error {
	f := bytes.Fields(b)
	k.count.Lines++
	if len(f) == 0 || k.layout(f[0]) {
		k.count.Skipped++
		k.blank++
		return nil
	}
	if len(f) <= k.cols.thread {
		k.count.AddDamaged()
		return nil
	}
	at, ok := timeOfDay(string(f[k.cols.time]))
	if k.cols == mach {
		at, ok = number(f[k.cols.time], 10)
	}
	if !ok {
		k.count.AddDamaged()
		return nil
	}
	id, err := strconv.ParseUint(string(f[k.cols.id]), 16, 32)
	if err != nil {
		k.count.Skipped++
		k.names++
		return nil
	}
	r := kdebug.Record{DebugID: uint32(id)}
	for i := range r.Arg {
		if r.Arg[i], err = strconv.ParseUint(string(f[k.cols.arg+i]), 16, 64); err != nil {
			k.count.AddDamaged()
			return nil
		}
	}
	if r.Thread, err = strconv.ParseUint(string(f[k.cols.thread]), 16, 64); err != nil {
		k.count.AddDamaged()
		return nil
	}
	if group := r.DebugID & 0xffff0000; group == kdebug.GroupCall || group == kdebug.GroupDisk {
		k.numbers++
	}
	l := line{Record: r}
	if len(f) > k.cols.process {
		l.process = string(bytes.Join(f[k.cols.process:], []byte(" ")))
	}
	if k.cols == mach {
		return k.ticks.line(l, at, string(f[k.cols.id-1]), k.decode)
	}
	l.Time = uint64(k.since(at))
	return k.decode(l)
}

// line is one that was taken apart.
type line struct {
	kdebug.Record
	process string // "cp(123)", empty if it is not told
}

func (k *ktraceReader) decode(l line) error {
	if l.process != "" && !k.seen[l.Thread] {
		if err := k.process(l.Thread, l.process); err != nil {
			return err
		}
	}
	k.buf = l.Append(k.buf[:0])
	return k.d.Decode(k.buf)
}

// number reads a count of ticks that a time can be.
func number(b []byte, base int) (int64, bool) {
	n, err := strconv.ParseUint(string(b), base, 56)
	return int64(n), err == nil
}

// since is the time since the first line, across midnight.
func (k *ktraceReader) since(at int64) int64 {
	const day = 24 * 3600 * 1e9
	switch {
	case !k.begun:
		k.base, k.begun = at, true
	case at < k.last-day/2:
		k.shift += day
	}
	k.last = at
	return max(at+k.shift-k.base, 0)
}

// process tells the decoder which process a new thread belongs to: "cp(123)".
func (k *ktraceReader) process(tid uint64, s string) error {
	open := strings.LastIndexByte(s, '(')
	if open < 0 || !strings.HasSuffix(s, ")") {
		return nil
	}
	pid, err := strconv.ParseUint(s[open+1:len(s)-1], 10, 32)
	if err != nil || pid == 0 {
		return nil
	}
	if len(k.seen) < convert.MaxSeen {
		k.seen[tid] = true
	}
	return k.d.Seed([]kdebug.ThreadEntry{{TID: tid, PID: uint32(pid), Command: strings.TrimSpace(s[:open])}})
}

// timeOfDay reads HH:MM:SS and a fraction of up to nine digits.
func timeOfDay(s string) (ns int64, ok bool) {
	clock, frac, _ := strings.Cut(s, ".")
	if len(clock) != 8 || clock[2] != ':' || clock[5] != ':' || len(frac) > 9 {
		return 0, false
	}
	for i, part := range []string{clock[:2], clock[3:5], clock[6:]} {
		n, err := strconv.ParseUint(part, 10, 8)
		if err != nil || n > [...]uint64{23, 59, 60}[i] {
			return 0, false
		}
		ns = ns*60 + int64(n)
	}
	ns *= 1e9
	if frac != "" {
		n, err := strconv.ParseUint((frac + "000000000")[:9], 10, 64)
		if err != nil {
			return 0, false
		}
		ns += int64(n)
	}
	return ns, true
}

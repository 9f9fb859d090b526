// Package ktrace reads the text that ktrace trace of macOS prints.
package ktrace

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/macos"
)

// Importer reads the text that ktrace trace of macOS prints. Its columns are not
// documented; they are date, time, time zone, delta, debug ID, four arguments,
// thread, CPU, and the process with its number in brackets. Lines whose debug ID
// is printed as a name rather than in hexadecimal are skipped.
var Importer = convert.Importer{
	From:  "ktrace",
	About: "sudo ktrace trace \\\n  -f " + kdebug.Filter() + " > FILE",
	Header: trace.Header{Backend: "import:ktrace", OS: "darwin", Scope: "import", Calls: kdebug.Names(),
		Limits: kdebug.Limits(macos.AppleSilicon)}, // a text does not say which Mac it is of
	Joins:  true,
	Import: convert.Checked(read),
}

func read(in io.Reader, sink tracer.Sink) (convert.Counts, error) {
	k := reader{d: kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true},
		Timebase: kdebug.Timebase{Numer: 1, Denom: 1}}, sink),
		seen: map[uint64]bool{}}
	err := convert.Lines(in, k.line, k.count.AddLong)
	if err != nil {
		return k.count, err
	}
	if k.count.Damaged > 0 && k.count.Damaged+k.blank == k.count.Lines {
		return k.count, fmt.Errorf("importing from ktrace: %w: none of %d lines has a time, a debug ID and arguments in "+
			"its columns", convert.ErrFormat, k.count.Lines)
	}
	if n := k.d.Counts(); n.Orphans > 0 {
		k.count.Notes = append(k.count.Notes, fmt.Sprintf("%d calls have no beginning in the text", n.Orphans))
	}
	k.count.AddNote(k.d.Files().Note())
	k.count.Notes = append(k.count.Notes, "the columns of ktrace's text are not documented; they were taken from public "+
		"descriptions")
	return k.count, nil
}

// reader turns lines back into the records they were printed from.
type reader struct {
	d     *kdebug.Decoder
	count convert.Counts
	blank uint64
	base  int64 // time of day of the first line
	last  int64 // time of day of the line before
	shift int64 // midnights
	buf   []byte
	seen  map[uint64]bool // threads whose process is known
}

const (
	colTime, colID, colArg, colThread, colCPU, colProcess = 1, 4, 5, 9, 10, 11
)

func (k *reader) line(b []byte) error {
	f := bytes.Fields(b)
	k.count.Lines++
	if len(f) == 0 {
		k.count.Skipped++
		k.blank++
		return nil
	}
	if len(f) <= colThread {
		k.count.AddDamaged()
		return nil
	}
	at, ok := timeOfDay(string(f[colTime]))
	if !ok {
		k.count.AddDamaged() // a heading as well
		return nil
	}
	id, err := strconv.ParseUint(string(f[colID]), 16, 32)
	if err != nil {
		k.count.Skipped++ // a name
		return nil
	}
	r := kdebug.Record{DebugID: uint32(id), Time: uint64(k.since(at))}
	for i := range r.Arg {
		if r.Arg[i], err = strconv.ParseUint(string(f[colArg+i]), 16, 64); err != nil {
			k.count.AddDamaged()
			return nil
		}
	}
	if r.Thread, err = strconv.ParseUint(string(f[colThread]), 16, 64); err != nil {
		k.count.AddDamaged()
		return nil
	}
	if len(f) > colProcess && !k.seen[r.Thread] {
		if err := k.process(r.Thread, string(bytes.Join(f[colProcess:], []byte(" ")))); err != nil {
			return err
		}
	}
	k.buf = r.Append(k.buf[:0])
	return k.d.Decode(k.buf)
}

// since is the time since the first line, across midnight.
func (k *reader) since(at int64) int64 {
	const day = 24 * 3600 * 1e9
	if k.count.Lines-k.count.Damaged-k.count.Skipped == 1 {
		k.base = at
	} else if at < k.last-day/2 {
		k.shift += day
	}
	k.last = at
	return max(at+k.shift-k.base, 0)
}

// process tells the decoder which process a new thread belongs to: "cp(123)".
func (k *reader) process(tid uint64, s string) error {
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

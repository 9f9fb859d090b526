package darwin

import (
	"bytes"
	"fmt"
	"io"

	"github.com/iotrace/iotrace/convert"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/kdebug"
)

// Dtruss reads what dtruss of macOS prints, a line for each call. A line is turned back into the trace records of its
// call, so that descriptors and offsets are followed as in a recording.
var Dtruss = convert.Importer{
	From:  "dtruss",
	About: "sudo dtruss -f -e CMD 2> FILE\n(-a, -d and -o are read as well)",
	Header: trace.Header{Backend: "import:dtruss", OS: "darwin", Scope: "import", Calls: kdebug.Names(),
		Limits: []trace.Limit{
			{Code: trace.LimitNoTimes, Text: "dtruss has no clock, its RELATIVE is CPU time: calls stand in their order, one " +
				"after the other, without the pauses between them."},
			trace.LimitNoRequests.Limit(),
			{Code: trace.LimitNoPaths, Text: "dtruss shows the paths of calls that take one, and descriptors as numbers."},
			trace.LimitNoFaults.Limit(), trace.LimitNoWaits.Limit(), trace.LimitNoFill.Limit(),
			trace.LimitNoProcesses.Limit(), trace.LimitMmapFiles.Limit(),
		}},
	Limits: untimed,
	Import: convert.Checked(read),
}

// untimed is the limit of a table without the time that calls took.
func untimed(head []byte) []trace.Limit {
	for line := range bytes.Lines(head) {
		if h := (heading{}); h.take(line) {
			if h.elapsed >= 0 {
				return nil
			}
			break
		}
	}
	return []trace.Limit{{Code: trace.LimitNoDurations,
		Text: "There is no ELAPSD column: dtruss -e adds how long calls took."}}
}

func read(in io.Reader, sink trace.Sink) (c convert.Counts, err error) {
	r := reader{known: map[uint64]bool{}, d: kdebug.NewDecoder(kdebug.Config{
		Scope: tracer.Scope{All: true}, Timebase: kdebug.Timebase{Numer: 1, Denom: 1}}, sink)}
	if err = c.Each(in, r.line); err != nil {
		return c, err
	}
	if c.Lines > 0 && r.calls == 0 {
		return c, fmt.Errorf("importing from dtruss: %w: none of %d lines is a call below a heading with SYSCALL(args)",
			convert.ErrFormat, c.Lines)
	}
	if r.unknown > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("calls of kinds that a trace does not hold: %d", r.unknown))
	}
	c.AddNote(r.d.Files().Note())
	return c, nil
}

// gap is between calls of which it is not known when they were, in ns.
const gap = 1000

type reader struct {
	heading
	d       *kdebug.Decoder
	known   map[uint64]bool // threads whose process was told
	now     int64
	calls   uint64
	unknown uint64
	parsed  call
	buf     []byte
	texts   convert.Texts
}

// line reads a line. What the traced program prints comes between, and stands for no event.
func (r *reader) line(text []byte) (convert.Verdict, error) {
	switch {
	case len(bytes.TrimSpace(text)) == 0, r.take(text), bytes.HasPrefix(text, []byte("dtrace:")):
		return convert.Skipped, nil
	case !r.there || !r.parsed.parse(&r.heading, text):
		return convert.Damaged, nil
	}
	r.calls++
	c := &r.parsed
	is, ok := table[string(c.name)]
	if !ok {
		r.unknown++
		return convert.Skipped, nil
	}
	if is.Op.MovesData() {
		c.paths = c.paths[:0] // its text is data
	}
	return convert.Read, r.record(is.Number, c)
}

var table = func() map[string]*macos.Call {
	m := map[string]*macos.Call{}
	for i := range macos.Calls {
		m[macos.Calls[i].Name] = &macos.Calls[i]
	}
	return m
}()

// record gives the decoder the records that the kernel logs of a call.
func (r *reader) record(number uint16, c *call) error {
	tid := c.tid
	if tid == 0 {
		tid = uint64(c.pid)
	}
	if !r.known[tid] && len(r.known) < convert.MaxSeen {
		r.known[tid] = true
		if err := r.d.Seed([]kdebug.ThreadEntry{{TID: tid, PID: c.pid}}); err != nil {
			return err
		}
	}
	begin := kdebug.Record{Time: uint64(r.now), Thread: tid, DebugID: kdebug.CallID(number) | kdebug.FuncStart}
	copy(begin.Arg[:], c.arguments[:])
	r.now += c.elapsed
	end := kdebug.Record{Time: uint64(r.now), Thread: tid, DebugID: kdebug.CallID(number) | kdebug.FuncEnd}
	end.Arg = [4]uint64{c.errno, uint64(c.result), uint64(c.result >> 32), uint64(c.pid)}
	r.now += gap
	r.buf = begin.Append(r.buf[:0])
	for _, path := range c.paths {
		if len(path) > 0 && path[0] == '/' {
			r.buf = kdebug.AppendLookup(r.buf, begin, r.texts.Get(path))
		}
	}
	r.buf = end.Append(r.buf)
	return r.d.Decode(r.buf)
}

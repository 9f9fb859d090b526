package convert

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// Blkparse reads the text that blkparse prints by default ("%D %2c %8s %5T.%9t
// %5p %2a %3d" and what belongs to the action). A request is put together from
// the lines of its life: Q of its bios, D, R if the driver gave it back, C.
var Blkparse = Importer{
	From:   "blkparse",
	About:  "blktrace -d DEVICE -o X; blkparse -i X > FILE",
	Header: trace.Header{Backend: "import:blkparse", OS: "linux", Scope: "import", Limits: blockLimits("blkparse")},
	Import: Checked(importBlkparse),
}

// blockLimits are those of tools that show nothing but requests.
func blockLimits(tool string) []trace.Limit {
	return []trace.Limit{
		{Code: trace.LimitNoCalls, Text: tool + " shows requests only: system calls are not seen."},
		{Code: trace.LimitNoPaths, Text: tool + " does not say which file a request is of."},
		{Code: trace.LimitNoFaults, Text: "Reading and writing of mapped files is seen as requests only."},
		{Code: trace.LimitNoWaits, Text: "What a thread waited for is not seen."},
		trace.LimitNoFill.Limit(),
		{Code: trace.LimitNoProcesses, Text: "The process of a request is the one that queued it: for written-back data a " +
			"kernel thread. Starts, ends and command lines of processes are not seen."},
	}
}

func importBlkparse(in io.Reader, sink tracer.Sink) (Counts, error) {
	b := newBlkparseReader(sink)
	err := Lines(in, b.line)
	c := b.count
	if err != nil {
		return c, err
	}
	if c.Lines > 0 && b.events == 0 {
		return c, fmt.Errorf("importing from blkparse: %w: none of %d lines begins with a device, a CPU, a number, a time, "+
			"a process and an action; "+
			"was it made with a format of its own (-f)?", ErrFormat, c.Lines)
	}
	if b.skipped > 0 {
		if err := sink.Lost(&trace.Lost{To: b.last, Count: b.skipped, Kind: trace.KindRequest, CPU: -1}); err != nil {
			return c, err
		}
		c.Notes = append(c.Notes, fmt.Sprintf("blkparse had no record of %d events: requests are missing", b.skipped))
	}
	if n := len(b.issued); n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d requests were not complete when the text ended and are left out", n))
	}
	if b.orphans > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d completions have no beginning in the text and are left out", b.orphans))
	}
	if b.forgot > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d bios or requests that never went on were forgotten", b.forgot))
	}
	return c, nil
}

// place is where a bio or a request begins. Those without data have a place of
// their own: a flush lies nowhere.
type place struct {
	device trace.DeviceID
	sector uint64
	empty  bool
}

// begun is a bio that was queued, or a request that was issued.
type begun struct {
	trace.Request
	sectors uint64
}

// maxBegun bounds the bios and requests under way.
const maxBegun = 1 << 18

type blkparseReader struct {
	sink    tracer.Sink
	count   Counts
	events  uint64
	last    int64
	queued  map[place]begun // bios
	issued  map[place]begun
	back    map[place]begun // given back by the driver
	devices map[trace.DeviceID]bool
	procs   map[uint32]bool
	skipped uint64
	orphans uint64
	forgot  uint64
}

func newBlkparseReader(sink tracer.Sink) *blkparseReader {
	return &blkparseReader{sink: sink, queued: map[place]begun{}, issued: map[place]begun{}, back: map[place]begun{},
		devices: map[trace.DeviceID]bool{}, procs: map[uint32]bool{}}
}

// blkLine is one line of blkparse, taken apart.
type blkLine struct {
	at      place
	time    int64
	pid     uint32
	action  string
	op      trace.ReqOp
	flags   trace.ReqFlags
	sectors uint64
	command string
	error   int32
}

const (
	blkDevice, blkTime, blkPID, blkAction, blkRWBS, blkSector = 0, 3, 4, 5, 6, 7
)

func (b *blkparseReader) line(text []byte) error {
	b.count.Lines++
	f := bytes.Fields(text)
	device, ok := trace.DeviceID(0), false
	if len(f) > 0 {
		device, ok = deviceNumbers(string(f[blkDevice]))
	}
	if !ok { // the summary, a message, a heading
		b.count.Skipped++
		b.summary(f)
		return nil
	}
	l, known, ok := parseBlkLine(f, text)
	if !ok {
		b.count.AddDamaged()
		return nil
	}
	b.events++
	b.last = max(b.last, l.time)
	l.at.device = device
	switch {
	case !known:
		b.count.Skipped++
		return nil
	case l.action == "Q":
		return b.queue(&l)
	case l.action == "D":
		return b.issue(&l)
	case l.action == "R":
		b.requeue(&l)
		return nil
	}
	return b.complete(&l)
}

// deviceNumbers reads "259,0".
func deviceNumbers(s string) (trace.DeviceID, bool) {
	major, minor, ok := strings.Cut(s, ",")
	a, err1 := strconv.ParseUint(major, 10, 12)
	n, err2 := strconv.ParseUint(minor, 10, 20)
	return trace.MakeDeviceID(uint32(a), uint32(n)), ok && err1 == nil && err2 == nil
}

// parseBlkLine reads a line that begins with a device. Of actions that do not
// move a request on, and of pass-through commands, nothing else is known.
func parseBlkLine(f [][]byte, text []byte) (l blkLine, known, ok bool) {
	if len(f) <= blkAction {
		return l, false, false
	}
	seconds, fraction, dot := strings.Cut(string(f[blkTime]), ".")
	s, err1 := strconv.ParseInt(seconds, 10, 32)
	ns, err2 := strconv.ParseUint(fraction, 10, 32)
	pid, err3 := strconv.ParseUint(string(f[blkPID]), 10, 32)
	if !dot || len(fraction) != 9 || err1 != nil || err2 != nil || err3 != nil || s < 0 {
		return l, false, false
	}
	l.time, l.pid, l.action = s*1e9+int64(ns), uint32(pid), string(f[blkAction])
	switch l.action {
	case "Q", "D", "R", "C":
	default:
		return l, false, true
	}
	if len(f) <= blkSector {
		return l, false, false
	}
	l.command, l.error = bracketed(text)
	rest := f[blkSector:]
	if sector, err := strconv.ParseUint(string(rest[0]), 10, 54); err == nil {
		l.at.sector = sector
		if len(rest) > 1 && rest[1][0] == '(' && l.action != "C" || len(rest) < 2 {
			return l, false, len(rest) > 1 // a command's payload
		}
		if string(rest[1]) == "+" {
			if len(rest) < 3 {
				return l, false, false
			}
			if l.sectors, err = strconv.ParseUint(string(rest[2]), 10, 32); err != nil {
				return l, false, false
			}
		}
	} else if rest[0][0] == '(' {
		return l, false, true // likewise
	} else if rest[0][0] != '[' {
		return l, false, false
	}
	if l.at.empty = l.sectors == 0; l.at.empty {
		l.at.sector = 0
	}
	l.op, l.flags, ok = parseRWBS(string(f[blkRWBS]), int64(l.sectors)*512)
	return l, true, ok
}

// bracketed is the command of a line, or the error of a completion: a number
// below zero, printed as 16 bits by some versions.
func bracketed(text []byte) (command string, errno int32) {
	i, j := bytes.IndexByte(text, '['), bytes.LastIndexByte(text, ']')
	if i < 0 || j < i {
		return "", 0
	}
	s := string(text[i+1 : j])
	if n, err := strconv.ParseInt(s, 10, 32); err == nil {
		switch {
		case n > 1<<15 && n < 1<<16:
			n = 1<<16 - n
		case n < 0:
			n = -n
		}
		if n > 0 && n < 4096 {
			errno = int32(n)
		}
	}
	if s == "(null)" {
		s = ""
	}
	return s, errno
}

// summary reads "Skips: 3 forward (17 - 0.2%)": three gaps of 17 events in all.
func (b *blkparseReader) summary(f [][]byte) {
	if len(f) < 4 || string(f[0]) != "Skips:" || string(f[2]) != "forward" {
		return
	}
	if n, err := strconv.ParseUint(strings.TrimPrefix(string(f[3]), "("), 10, 40); err == nil {
		b.skipped += n
	}
}

package block

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/convert"

	"github.com/iotrace/iotrace/trace"
)

// Blkparse reads the text that blkparse prints by default ("%D %2c %8s %5T.%9t
// %5p %2a %3d" and what belongs to the action). A request is put together from
// the lines of its life: Q of its bios, D, R if the driver gave it back, C.
var Blkparse = convert.Importer{
	From:   "blkparse",
	About:  "blktrace -d DEVICE -o X; blkparse -i X > FILE",
	Header: trace.Header{Backend: "import:blkparse", OS: "linux", Scope: "import", Limits: Limits("blkparse")},
	Import: convert.Checked(importText),
	Refuse: oneEnded,
}

// errOneEnd is for lines of completions alone, as grep finds them.
var errOneEnd = errors.New("but its completions alone, of which no request can be made")

// oneEnded says what to do with a log of blkparse that was filtered.
func oneEnded(head []byte) string {
	if n := bytes.LastIndexByte(head, '\n'); n >= 0 {
		head = head[:n+1]
	}
	if _, err := importText(bytes.NewReader(head), nothing{}); errors.Is(err, errOneEnd) {
		return err.Error()
	}
	return ""
}

// nothing takes the requests of a trial.
type nothing struct{ trace.Sink }

func (nothing) Request(*trace.Request) error { return nil }
func (nothing) Device(*trace.Device) error   { return nil }
func (nothing) Process(*trace.Process) error { return nil }
func (nothing) Lost(*trace.Lost) error       { return nil }

func importText(in io.Reader, sink trace.Sink) (c convert.Counts, err error) {
	b := &textReader{requests: NewAssembler(sink), others: convert.LeftOut{}}
	if err := c.Each(in, b.line); err != nil {
		return c, err
	}
	if c.Lines > 0 && b.events == 0 {
		return c, fmt.Errorf("importing from blkparse: %w: none of %d lines begins with a device, a CPU, a number, a time, "+
			"a process and an action; "+
			"was it made with a format of its own (-f)?", convert.ErrFormat, c.Lines)
	}
	if b.begun == 0 && b.ended > 0 {
		return c, fmt.Errorf("it is blkparse's, %w: import all that blkparse prints", errOneEnd)
	}
	if b.skipped > 0 {
		if err := sink.Lost(&trace.Lost{To: b.last, Count: b.skipped, Kind: trace.KindRequest, CPU: -1}); err != nil {
			return c, err
		}
		c.Notes = append(c.Notes, fmt.Sprintf("blkparse had no record of %d events: requests are missing", b.skipped))
	}
	c.Notes = append(append(c.Notes, b.requests.Notes()...), b.leftOut()...)
	return c, nil
}

// leftOut says which lines no request was made of.
func (b *textReader) leftOut() (notes []string) {
	if len(b.others) > 0 {
		notes = append(notes, fmt.Sprintf("lines of actions that no request is made of: %s", b.others))
	}
	if b.commands > 0 {
		notes = append(notes, fmt.Sprintf("lines of commands that were passed through to the device, left out: %d",
			b.commands))
	}
	if b.strange > 0 {
		notes = append(notes, fmt.Sprintf("lines that are neither events nor blkparse's summary, left out: %d", b.strange))
	}
	return notes
}

// textReader turns lines into events.
type textReader struct {
	requests *Assembler
	events   uint64
	begun    uint64 // lines of what comes before a completion
	ended    uint64
	last     int64
	skipped  uint64
	others   convert.LeftOut // by action
	commands uint64
	strange  uint64 // lines
	summed   bool   // the summary has begun
	words    [][]byte
	event    Event
	texts    convert.Texts
}

const (
	blkDevice, blkTime, blkPID, blkAction, blkRWBS, blkSector = 0, 3, 4, 5, 6, 7
)

func (b *textReader) line(text []byte) (convert.Verdict, error) {
	f := convert.SplitFields(b.words[:0], text)
	b.words = f
	device, ok := trace.DeviceID(0), false
	if len(f) > 0 {
		device, ok = ParseDevice(f[blkDevice])
	}
	if !ok { // the summary, a message, a heading
		b.summary(f, text)
		return convert.Skipped, nil
	}
	b.event = Event{Device: device}
	known, ok := b.parse(&b.event, f, text)
	if !ok {
		return convert.Damaged, nil
	}
	b.events++
	b.summed = false
	b.last = max(b.last, b.event.Time)
	switch {
	case !known:
		return convert.Skipped, nil
	case b.event.Action == Complete:
		b.ended++
	default:
		b.begun++
	}
	return convert.Read, b.requests.Add(&b.event)
}

// parse reads a line that begins with a device. Of actions that do not
// move a request on, and of pass-through commands, nothing else is known.
func (b *textReader) parse(e *Event, f [][]byte, text []byte) (known, ok bool) {
	if len(f) <= blkAction {
		return false, false
	}
	seconds, fraction, dot := bytes.Cut(f[blkTime], []byte("."))
	s, ok1 := convert.ParseInt(seconds, 32)
	ns, ok2 := convert.ParseUint(fraction, 32)
	pid, ok3 := convert.ParseUint(f[blkPID], 32)
	if !dot || len(fraction) != 9 || !ok1 || !ok2 || !ok3 || s < 0 {
		return false, false
	}
	e.Time, e.PID = s*1e9+int64(ns), uint32(pid)
	switch string(f[blkAction]) {
	case "Q", "D", "R", "C":
		e.Action = Action(f[blkAction][0])
	default:
		b.others.Add(f[blkAction])
		return false, true
	}
	if len(f) <= blkSector {
		return false, false
	}
	e.Command, e.Error = b.bracketed(text)
	rest := f[blkSector:]
	if sector, ok := convert.ParseUint(rest[0], 54); ok {
		e.Sector = sector
		if len(rest) < 2 {
			return false, false
		}
		if rest[1][0] == '(' && e.Action != Complete {
			return b.command() // with its payload
		}
		if string(rest[1]) == "+" {
			if len(rest) < 3 {
				return false, false
			}
			if e.Sectors, ok = convert.ParseUint(rest[2], 32); !ok {
				return false, false
			}
		}
	} else if rest[0][0] == '(' {
		return b.command()
	} else if rest[0][0] != '[' {
		return false, false
	}
	e.Op, e.Flags, ok = ParseRWBS(string(f[blkRWBS]), int64(e.Sectors)*512)
	return true, ok
}

// bracketed is the command of a line, or the error of a completion: a number
// below zero, printed as 16 bits by some versions.
func (b *textReader) bracketed(text []byte) (command string, errno int32) {
	within := Bracketed(text)
	if n, ok := convert.ParseInt(within, 32); ok {
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
	if string(within) == "(null)" {
		return "", errno
	}
	return b.texts.Get(within), errno
}

// command is a line of a command that was passed through.
func (b *textReader) command() (known, ok bool) {
	b.commands++
	return false, true
}

// summary reads "Skips: 3 forward (17 - 0.2%)": three gaps of 17 events in all. The summary begins with a heading,
// "CPU0 (8,0):", and goes on until events follow, of another file.
func (b *textReader) summary(f [][]byte, text []byte) {
	if len(f) == 0 {
		return
	}
	b.summed = b.summed || bytes.HasSuffix(text, []byte("):")) &&
		(bytes.HasPrefix(text, []byte("CPU")) || bytes.HasPrefix(text, []byte("Total (")))
	if !b.summed && !bytes.HasPrefix(text, []byte("Input file ")) {
		b.strange++
	}
	if len(f) < 4 || string(f[0]) != "Skips:" || string(f[2]) != "forward" {
		return
	}
	if n, err := strconv.ParseUint(strings.TrimPrefix(string(f[3]), "("), 10, 40); err == nil {
		b.skipped += n
	}
}

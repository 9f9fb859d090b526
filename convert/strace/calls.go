package strace

import (
	"bytes"
	"path"
	"strings"

	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/trace"
)

// call turns a call into its event.
func (s *Reader) call(t *thread, c *call) error {
	i, ok := index[string(c.name)]
	if !ok {
		return s.other(t, c)
	}
	k := &linux.Calls[i]
	x := &s.made
	x.Reader, x.c, x.shape, x.at = s, c, k.Shape, k.Shape.Args()
	x.e = trace.Syscall{Start: c.start, Duration: c.duration, PID: t.pid, TID: t.tid, Op: k.Op, Call: i,
		Flags: k.Shape.Flags(), FD: -1, FD2: -1, Offset: trace.NoOffset, Offset2: trace.NoOffset, Result: c.result}
	emit := x.fill()
	if s.err != nil {
		return s.err
	}
	if x.e.Op != trace.OpOther && !emit {
		s.count.Skipped++
		s.others.Add(c.name)
		return nil
	}
	s.kept++
	if x.e.Op == trace.OpOther { // whose effect is seen in later calls
		return nil
	}
	if forks(k.Name) {
		if err := s.forked(t, c); err != nil {
			return err
		}
	}
	return s.sink.Syscall(&x.e)
}

// other is a call that is no event of its own.
func (s *Reader) other(t *thread, c *call) error {
	name := string(c.name)
	if (name == "execve" || name == "execveat") && c.result == 0 {
		s.kept++
		return s.exec(t, c)
	}
	s.count.Skipped++
	s.others.Add(c.name)
	return nil
}

func (s *Reader) exec(t *thread, c *call) error {
	place := 0
	if string(c.name) == "execveat" {
		place = 1
	}
	program, _ := c.textArg(place)
	exe := string(program)
	t.command = strings.Clone(trace.Comm(path.Base(exe)))
	s.effects.Descriptors.Exec(t.pid)
	var args strings.Builder
	if list := c.arg(place + 1); len(list) > 0 && list[0] == '[' {
		var words call
		words.split(append(bytes.Clone(bytes.TrimSuffix(list[1:], []byte("]"))), ')'))
		for i := range words.args {
			if word, ok := words.textArg(i); ok {
				args.Write(word)
				args.WriteByte(0)
			}
		}
	}
	return s.sink.Process(&trace.Process{Time: c.start + c.duration, Action: trace.ProcessExec, PID: t.pid, TID: t.pid,
		Command: t.command, Args: args.String(), Exe: exe})
}

// event is a call on its way to being an event. It is used again for the next one.
type event struct {
	*Reader
	c     *call
	shape linux.Shape
	at    linux.Args // where its arguments are, counted from 1
	e     trace.Syscall
}

// word is an argument as it is printed, number its value.
func (x *event) word(place int) []byte { return x.c.arg(place - 1) }

func (x *event) number(place int) int64 {
	n, _ := x.c.number(place - 1)
	return n
}

// file returns the ID of a path.
func (x *event) file(name []byte) trace.FileID {
	id, err := x.effects.Files.ID(name, x.c.start, 0)
	if err != nil && x.Reader.err == nil {
		x.Reader.err = err
	}
	return id
}

// open returns the open file of a descriptor argument. One that is not known,
// or that has another path than was thought, is at an offset that is not known.
func (x *event) open(place int) (n int32, o *fdtable.Open) {
	n, name, ok := x.c.fd(place - 1)
	if !ok || n < 0 {
		return n, nil
	}
	o = x.effects.Descriptors.Get(x.e.PID, n)
	if len(name) == 0 {
		if x.e.Result >= 0 {
			x.nameless++
		}
		return n, o
	}
	name = unquote(name)
	if o != nil && x.effects.Files.Has(o.File, name) {
		return n, o
	}
	if id := x.file(name); o == nil || o.File != id {
		o = &fdtable.Open{File: id, Offset: trace.NoOffset, Stream: x.effects.Files.Stream(id) || stream(x.word(place))}
		x.effects.Descriptors.Set(x.e.PID, n, o, false)
	}
	return n, o
}

// fd makes the descriptor argument the event's file.
func (x *event) fd(place int) *fdtable.Open {
	n, o := x.open(place)
	x.effects.Of(&x.e, n, o)
	return o
}

// fill works out what a call did. It reports whether it is an event.
func (x *event) fill() bool {
	e, at := &x.e, &x.at
	switch x.shape {
	case linux.ShapeIO, linux.ShapePIO, linux.ShapeVec, linux.ShapePVec, linux.ShapePVec2, linux.ShapeSend,
		linux.ShapeMessage:
		if bytes.Contains(x.word(at.Flags), []byte("MSG_PEEK")) {
			return false // it leaves the data where it is
		}
		x.moved()
		x.peer()
	case linux.ShapeCopy, linux.ShapeSendfile, linux.ShapeTee:
		x.copied()
	case linux.ShapeOpen, linux.ShapeCreat, linux.ShapeOpenAt, linux.ShapeOpenAt2:
		x.opened()
	case linux.ShapeClose:
		x.fd(at.FD)
		x.effects.Closed(e)
	case linux.ShapeDup, linux.ShapeDup2:
		n, _ := x.open(at.FD)
		x.effects.Duplicated(e, n, bytes.Contains(x.c.arg(2), []byte("CLOEXEC")))
	case linux.ShapeCloseMany:
		x.effects.ClosedRange(e, x.number(at.FD), x.number(at.FD2), bytes.Contains(x.word(at.Flags), []byte("CLOEXEC")))
	case linux.ShapeFcntl:
		return x.fcntl()
	case linux.ShapeIoctl:
		return x.ioctl()
	case linux.ShapeSeek:
		x.sought()
	case linux.ShapeMmap:
		return x.mapped()
	case linux.ShapeChdir, linux.ShapeFchdir:
		x.moves()
	case linux.ShapeMemory: // which file it is of stands in no argument
		e.Requested = max(x.number(at.Length), 0)
	case linux.ShapeConnect, linux.ShapeAccept:
		x.names()
		x.peer()
	case linux.ShapeClone, linux.ShapeClone3:
		e.Op = cloneOp(x.c.text)
	default:
		x.names()
	}
	e.Requested = max(e.Requested, 0)
	e.Offset = max(e.Offset, trace.NoOffset)
	return true
}

func (x *event) fcntl() bool {
	e, command := &x.e, named(x.word(x.at.Flags), commands)
	x.fd(x.at.FD)
	if bytes.HasPrefix(command, []byte("F_DUPFD")) {
		x.effects.Duplicated(e, e.FD, bytes.HasSuffix(command, []byte("CLOEXEC")))
	}
	return bytes.HasPrefix(command, []byte("F_SETLK")) || bytes.HasPrefix(command, []byte("F_OFD")) ||
		bytes.HasPrefix(command, []byte("F_GETLK"))
}

func (x *event) sought() {
	e, whence := &x.e, x.word(x.at.Flags)
	o := x.fd(x.at.FD)
	if at, ok := x.c.within(2); ok && e.Result == 0 && string(x.c.name) == "_llseek" {
		e.Result = at // its result is where it points to
	}
	if bytes.HasPrefix(whence, []byte("SEEK_DATA")) || bytes.HasPrefix(whence, []byte("SEEK_HOLE")) {
		e.Flags |= trace.FlagHole
	}
	x.effects.Sought(e, o)
}

func (x *event) moved() {
	e, at := &x.e, &x.at
	o := x.fd(at.FD)
	if e.Flags&trace.FlagVectored != 0 {
		e.Requested = vector(x.c.arg(1))
	} else {
		e.Requested = x.number(at.Length)
	}
	if at.Offset > 0 {
		e.Offset = x.number(at.Offset)
	}
	x.effects.Moved(e, o)
}

func (x *event) copied() {
	c, e, at := x.c, &x.e, &x.at
	e.Requested = x.number(at.Length)
	in := x.fd(at.FD)
	n, out := x.open(at.FD2)
	if e.FD2 = n; out != nil {
		e.File2 = out.File
	}
	if from, ok := c.within(at.OffsetAt - 1); ok {
		e.Offset, in = from, nil
	} else if x.shape == linux.ShapeTee { // which leaves its input where it is
		in = nil
	}
	if to, ok := c.within(at.Offset2At - 1); ok {
		e.Offset2, out = to, nil
	}
	x.effects.Copied(e, in, out)
}

func (x *event) opened() {
	c, e := x.c, &x.e
	words := x.word(x.at.Flags)
	if x.shape == linux.ShapeCreat {
		words = []byte("O_WRONLY|O_CREAT|O_TRUNC")
	}
	e.Flags |= openFlags(words)
	if e.Result < 0 {
		e.File = x.path(x.at.Dir, x.at.Path)
		return
	}
	if e.File = seen(x, unquote(c.path)); len(c.path) == 0 {
		e.File = x.path(x.at.Dir, x.at.Path)
	}
	x.effects.Opened(e, bytes.Contains(words, []byte("O_CLOEXEC")))
}

func (x *event) mapped() bool {
	c, e := x.c, &x.e
	shares := named(c.arg(3), mappings)
	if bytes.Contains(shares, []byte("MAP_ANONYMOUS")) {
		return false
	}
	x.fd(x.at.FD)
	e.Requested = x.number(x.at.Length)
	e.Offset = x.number(x.at.Offset)
	e.Flags |= protection(x.word(x.at.Flags))
	if bytes.Contains(shares, []byte("MAP_SHARED")) {
		e.Flags |= trace.FlagShared
	}
	return x.effects.Mapped(e)
}

// peer sets the address of whoever is at the other end of a socket, if the call tells it.
func (x *event) peer() {
	var text []byte
	switch x.shape {
	case linux.ShapeConnect, linux.ShapeAccept:
		text = x.c.arg(1)
	case linux.ShapeSend:
		text = x.c.arg(4)
	case linux.ShapeMessage:
		text = field(x.c.arg(1), "msg_name")
	}
	if len(text) == 0 || text[0] != '{' {
		return
	}
	id, err := x.effects.Files.Addressed(address(text), x.c.start)
	if err != nil {
		x.Reader.err = err
	}
	x.e.File2 = id
}

// names handles the calls that name files, by descriptor or by path.
func (x *event) names() {
	e, at := &x.e, &x.at
	if at.FD > 0 {
		x.fd(at.FD)
	}
	if at.Path > 0 {
		e.File = x.path(at.Dir, at.Path)
	}
	if at.Path2 > 0 {
		e.File2 = x.path(at.Dir2, at.Path2)
	}
	if at.Length > 0 {
		e.Requested = x.number(at.Length)
	}
	if at.Offset > 0 {
		e.Offset = x.number(at.Offset)
	}
	if mode := x.word(at.Flags); x.shape == linux.ShapeAllocate &&
		(bytes.Contains(mode, []byte("PUNCH_HOLE")) || bytes.Contains(mode, []byte("ZERO_RANGE"))) {
		e.Op = trace.OpPunch
	}
	if x.shape == linux.ShapeTwoAt && e.Op == trace.OpRename &&
		bytes.Contains(x.word(at.Path2+1), []byte("RENAME_EXCHANGE")) {
		e.Flags |= trace.FlagExchange
	}
	if err := x.effects.Named(e); err != nil {
		x.Reader.err = err
	}
}

package strace

import (
	"path"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/fdtable"
	"github.com/iotrace/iotrace/tracer/linux"
)

// call turns a call into its event.
func (s *Reader) call(t *thread, c *call) error {
	if forks(c.text) {
		return s.forked(t, c)
	}
	if c.name == "execve" && c.result == 0 {
		return s.exec(t, c)
	}
	i, ok := index[c.name]
	if !ok {
		s.count.Skipped++
		return nil
	}
	k := &linux.Calls[i]
	x := event{Reader: s, c: c, shape: k.Shape, at: k.Shape.Args(),
		e: trace.Syscall{Start: c.start, Duration: c.duration, PID: t.pid, TID: t.tid, Op: k.Op,
			Call: uint16(i), Flags: k.Shape.Flags(), FD: -1, FD2: -1, Offset: trace.NoOffset, Offset2: trace.NoOffset,
			Result: c.result}}
	emit := x.fill()
	if s.err != nil {
		return s.err
	}
	if !emit || x.e.Op == trace.OpOther {
		return nil
	}
	return s.sink.Syscall(&x.e)
}

func (s *Reader) exec(t *thread, c *call) error {
	exe, _ := c.textArg(0)
	t.command = path.Base(exe)[:min(len(path.Base(exe)), 15)]
	s.fds.Exec(t.pid)
	var args strings.Builder
	if list, ok := strings.CutPrefix(c.arg(1), "["); ok {
		words, _ := split(strings.TrimSuffix(list, "]") + ")")
		for i := range words {
			w := call{args: words}
			if word, ok := w.textArg(i); ok {
				args.WriteString(word + "\x00")
			}
		}
	}
	return s.sink.Process(&trace.Process{Time: c.start + c.duration, Action: trace.ProcessExec, PID: t.pid, TID: t.pid,
		Command: t.command, Args: args.String(), Exe: exe})
}

// event is a call on its way to being an event.
type event struct {
	*Reader
	c     *call
	shape linux.Shape
	at    linux.Args // where its arguments are, counted from 1
	e     trace.Syscall
}

// word is an argument as it is printed, number its value.
func (x *event) word(place int) string { return x.c.arg(place - 1) }

func (x *event) number(place int) int64 {
	n, _ := x.c.number(place - 1)
	return n
}

// file returns the ID of a path.
func (x *event) file(name string) trace.FileID {
	id, err := x.files.ID([]byte(name), x.c.start, 0)
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
	o = x.fds.Get(x.e.PID, n)
	if name == "" {
		if x.e.Result >= 0 {
			x.nameless++
		}
		return n, o
	}
	if id := x.file(name); o == nil || o.File != id {
		o = &fdtable.Open{File: id, Offset: trace.NoOffset, Stream: x.files.Stream(id)}
		x.fds.Set(x.e.PID, n, o, false)
	}
	return n, o
}

// fd makes the descriptor argument the event's file.
func (x *event) fd(place int) *fdtable.Open {
	n, o := x.open(place)
	if x.e.FD = n; o != nil {
		x.e.File = o.File
		x.e.Flags |= o.Flags & (trace.FlagDirect | trace.FlagSync | trace.FlagDSync | trace.FlagAppend)
	}
	return o
}

// path is the file that a name stands for, relative to a descriptor argument if
// there is one.
func (x *event) path(dir, place int) trace.FileID {
	name, ok := x.c.textArg(place - 1)
	base := ""
	if dir > 0 {
		_, base, _ = x.c.fd(dir - 1)
	}
	switch {
	case !ok && dir > 0 && base != "" && x.word(place) == "NULL": // utimensat and its like: of the descriptor
		return x.file(base)
	case !ok:
		x.e.Flags |= trace.FlagPartial
		return 0
	case name == "" && dir > 0:
		return x.file(base)
	case name == "":
		return 0
	case strings.HasPrefix(name, "/"):
		return x.file(path.Clean(name))
	case base == "":
		base = x.dirs[x.e.PID]
	}
	return x.file(path.Join(base, name))
}

// seen is the file that was just opened under a name. If there was none of that name before, it is another one.
func (x *event) seen(name string) trace.FileID {
	id := x.file(name)
	if x.live == nil || id == 0 || x.files.Identified(id) {
		return id
	}
	x.files.Unlinked([]byte(name))
	return x.file(name)
}

// moves follows the directory of a process.
func (x *event) moves() {
	if x.e.Result < 0 {
		return
	}
	if x.shape == linux.ShapeFchdir {
		if _, dir, _ := x.c.fd(0); dir != "" {
			x.dirs[x.e.PID] = dir
		}
		return
	}
	if to, ok := x.c.textArg(0); ok {
		if !strings.HasPrefix(to, "/") {
			to = path.Join(x.dirs[x.e.PID], to)
		}
		x.dirs[x.e.PID] = to
	}
}

// fill works out what a call did. It reports whether it is an event.
func (x *event) fill() bool {
	e, at := &x.e, &x.at
	switch x.shape {
	case linux.ShapeIO, linux.ShapePIO, linux.ShapeVec, linux.ShapePVec, linux.ShapePVec2, linux.ShapeSend,
		linux.ShapeMessage:
		if strings.Contains(x.word(at.Flags), "MSG_PEEK") {
			return false // it leaves the data where it is
		}
		x.moved()
	case linux.ShapeCopy, linux.ShapeSendfile, linux.ShapeTee:
		x.copied()
	case linux.ShapeOpen, linux.ShapeCreat, linux.ShapeOpenAt, linux.ShapeOpenAt2:
		x.opened()
	case linux.ShapeClose:
		x.fd(at.FD)
		if e.Result >= 0 {
			x.fds.Close(e.PID, e.FD)
		}
	case linux.ShapeDup, linux.ShapeDup2:
		if n, _ := x.open(at.FD); e.Result >= 0 {
			x.fds.Dup(e.PID, n, int32(e.Result), strings.Contains(x.c.arg(2), "CLOEXEC"))
		}
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
	default:
		x.named()
	}
	e.Requested = max(e.Requested, 0)
	e.Offset = max(e.Offset, trace.NoOffset)
	return true
}

func (x *event) fcntl() bool {
	e, command := &x.e, x.word(x.at.Flags)
	x.fd(x.at.FD)
	if strings.HasPrefix(command, "F_DUPFD") && e.Result >= 0 {
		x.fds.Dup(e.PID, e.FD, int32(e.Result), strings.HasSuffix(command, "CLOEXEC"))
	}
	return strings.HasPrefix(command, "F_SETLK") || strings.HasPrefix(command, "F_OFD") || command == "F_GETLK"
}

func (x *event) sought() {
	e, whence := &x.e, x.word(x.at.Flags)
	o := x.fd(x.at.FD)
	if strings.HasPrefix(whence, "SEEK_DATA") || strings.HasPrefix(whence, "SEEK_HOLE") {
		e.Flags |= trace.FlagHole
	}
	if e.Result >= 0 {
		if e.Offset = e.Result; o != nil {
			o.Offset = e.Result
		}
	}
}

func (x *event) moved() {
	e, at := &x.e, &x.at
	o := x.fd(at.FD)
	if e.Flags&trace.FlagVectored != 0 {
		for _, part := range strings.Split(x.c.arg(1), "iov_len=")[1:] {
			n, _ := strconv.ParseInt(part[:strings.IndexFunc(part+"}", func(r rune) bool { return r < '0' || r > '9' })], 10, 64)
			e.Requested += n
		}
	} else {
		e.Requested = x.number(at.Length)
	}
	if at.Offset > 0 {
		e.Offset = x.number(at.Offset)
	}
	write := e.Op == trace.OpWrite
	if o != nil && e.Offset < 0 { // preadv2 with -1 as well
		e.Offset = o.Advance(e.Result, x.files.Size(e.File), write)
	}
	if write && e.Result > 0 {
		x.files.Wrote(e.File, e.PID, e.Offset, e.Result)
	}
}

func (x *event) copied() {
	c, e, at := x.c, &x.e, &x.at
	e.Requested = x.number(at.Length)
	in := x.fd(at.FD)
	n, out := x.open(at.FD2)
	e.FD2 = n
	if from, ok := c.within(at.OffsetAt - 1); ok {
		e.Offset = from
	} else if in != nil && x.shape != linux.ShapeTee { // which leaves its input where it is
		e.Offset = in.Advance(e.Result, trace.NoOffset, false)
	}
	if out == nil {
		return
	}
	e.File2 = out.File
	if to, ok := c.within(at.Offset2At - 1); ok {
		e.Offset2 = to
	} else {
		e.Offset2 = out.Advance(e.Result, x.files.Size(out.File), true)
	}
	if e.Result > 0 {
		x.files.Wrote(e.File2, e.PID, e.Offset2, e.Result)
	}
}

func (x *event) opened() {
	c, e := x.c, &x.e
	words := x.word(x.at.Flags)
	if x.shape == linux.ShapeCreat {
		words = "O_WRONLY|O_CREAT|O_TRUNC"
	}
	e.Flags |= openFlags(words)
	if e.Result < 0 {
		e.File = x.path(x.at.Dir, x.at.Path)
		return
	}
	e.FD = int32(e.Result)
	if e.File = x.seen(c.path); c.path == "" {
		e.File = x.path(x.at.Dir, x.at.Path)
	}
	if e.Flags&trace.FlagTrunc != 0 || e.Flags&(trace.FlagCreate|trace.FlagExcl) == trace.FlagCreate|trace.FlagExcl {
		x.files.Truncated(e.File, 0)
	}
	x.fds.Set(e.PID, e.FD, &fdtable.Open{File: e.File, Flags: e.Flags, Stream: x.files.Stream(e.File)},
		strings.Contains(words, "O_CLOEXEC"))
}

// openFlags reads O_RDWR|O_CREAT, and what openat2 has around it.
func openFlags(words string) trace.IOFlags {
	f := trace.FlagRead
	for _, w := range strings.FieldsFunc(words, func(r rune) bool { return strings.ContainsRune("|{}=, ", r) }) {
		switch w {
		case "O_WRONLY":
			f = f&^trace.FlagRead | trace.FlagWrite
		case "O_RDWR":
			f |= trace.FlagWrite
		case "O_CREAT":
			f |= trace.FlagCreate
		case "O_TRUNC":
			f |= trace.FlagTrunc
		case "O_EXCL":
			f |= trace.FlagExcl
		case "O_APPEND":
			f |= trace.FlagAppend
		case "O_DIRECT":
			f |= trace.FlagDirect
		case "O_SYNC":
			f |= trace.FlagSync
		case "O_DSYNC":
			f |= trace.FlagDSync
		case "O_NONBLOCK":
			f |= trace.FlagNoWait
		}
	}
	return f
}

func (x *event) mapped() bool {
	c, e := x.c, &x.e
	if strings.Contains(c.arg(3), "MAP_ANONYMOUS") {
		return false
	}
	x.fd(x.at.FD)
	e.Requested = x.number(x.at.Length)
	e.Offset = x.number(x.at.Offset)
	for word, flag := range map[string]trace.IOFlags{"PROT_READ": trace.FlagRead, "PROT_WRITE": trace.FlagWrite,
		"PROT_EXEC": trace.FlagExec} {
		if strings.Contains(x.word(x.at.Flags), word) {
			e.Flags |= flag
		}
	}
	if strings.Contains(c.arg(3), "MAP_SHARED") {
		e.Flags |= trace.FlagShared
	}
	if e.Result >= 0 || e.Result < -4095 {
		e.Result = 0 // an address is no result
	}
	return e.FD >= 0
}

// named handles the calls that name files, by descriptor or by path.
func (x *event) named() {
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
		(strings.Contains(mode, "PUNCH_HOLE") || strings.Contains(mode, "ZERO_RANGE")) {
		e.Op = trace.OpPunch
	}
	if e.Result < 0 {
		return
	}
	switch e.Op {
	case trace.OpTruncate:
		x.files.Truncated(e.File, max(e.Requested, 0))
	case trace.OpUnlink:
		x.files.Unlinked([]byte(x.files.Path(e.File)))
	case trace.OpRename:
		id, err := x.files.Renamed([]byte(x.files.Path(e.File)), []byte(x.files.Path(e.File2)), x.c.start)
		if e.File2 = id; err != nil {
			x.Reader.err = err
		}
	}
}

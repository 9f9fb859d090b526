package convert

import (
	"path"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/fdtable"
)

// call turns a call into its event.
func (s *straceReader) call(t *straceThread, c *straceCall) error {
	if forks(c.text) {
		return s.forked(t, c)
	}
	if c.name == "execve" && c.result == 0 {
		return s.exec(t, c)
	}
	i, ok := straceIndex[c.name]
	if !ok {
		s.count.Skipped++
		return nil
	}
	x := straceEvent{straceReader: s, c: c, e: trace.Syscall{Start: c.start, Duration: c.duration, PID: t.pid, TID: t.tid, Op: straceTable[i].op,
		Call: uint16(i), FD: -1, FD2: -1, Offset: trace.NoOffset, Offset2: trace.NoOffset, Result: c.result}}
	emit := x.fill(straceTable[i].shape)
	if s.err != nil {
		return s.err
	}
	if !emit || x.e.Op == trace.OpOther {
		return nil
	}
	return s.sink.Syscall(&x.e)
}

func (s *straceReader) exec(t *straceThread, c *straceCall) error {
	exe, _ := c.textArg(0)
	t.command = path.Base(exe)[:min(len(path.Base(exe)), 15)]
	s.fds.Exec(t.pid)
	var args strings.Builder
	if list, ok := strings.CutPrefix(c.arg(1), "["); ok {
		words, _ := splitStrace(strings.TrimSuffix(list, "]") + ")")
		for i := range words {
			w := straceCall{args: words}
			if word, ok := w.textArg(i); ok {
				args.WriteString(word + "\x00")
			}
		}
	}
	return s.sink.Process(&trace.Process{Time: c.start + c.duration, Action: trace.ProcessExec, PID: t.pid, TID: t.pid, Command: t.command, Args: args.String(), Exe: exe})
}

// straceEvent is a call on its way to being an event.
type straceEvent struct {
	*straceReader
	c *straceCall
	e trace.Syscall
}

// file returns the ID of a path.
func (x *straceEvent) file(name string) trace.FileID {
	id, err := x.files.ID([]byte(name), x.c.start, 0)
	if err != nil && x.straceReader.err == nil {
		x.straceReader.err = err
	}
	return id
}

// open returns the open file of a descriptor argument. One that is not known,
// or that has another path than was thought, is at an offset that is not known.
func (x *straceEvent) open(i int) (n int32, o *fdtable.Open) {
	n, name, ok := x.c.fd(i)
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
		o = &fdtable.Open{File: id, Offset: trace.NoOffset, Stream: strings.HasPrefix(name, "pipe:[") || strings.HasPrefix(name, "socket:[")}
		x.fds.Set(x.e.PID, n, o, false)
	}
	return n, o
}

// fd makes the descriptor argument the event's file.
func (x *straceEvent) fd(i int) *fdtable.Open {
	n, o := x.open(i)
	if x.e.FD = n; o != nil {
		x.e.File = o.File
		x.e.Flags |= o.Flags & (trace.FlagDirect | trace.FlagSync | trace.FlagDSync | trace.FlagAppend)
	}
	return o
}

// path is the file that a name stands for, relative to a descriptor argument if
// dir is not -1.
func (x *straceEvent) path(dir, i int) trace.FileID {
	name, ok := x.c.textArg(i)
	base := ""
	if dir >= 0 {
		_, base, _ = x.c.fd(dir)
	}
	switch {
	case !ok:
		x.e.Flags |= trace.FlagPartial
		return 0
	case name == "":
		return x.file(base)
	case !strings.HasPrefix(name, "/") && base != "":
		name = path.Join(base, name)
	}
	return x.file(name)
}

// fill works out what a call did. It reports whether it is an event.
func (x *straceEvent) fill(shape straceShape) bool {
	c, e := x.c, &x.e
	switch shape {
	case stFD:
		x.fd(0)
	case stIO, stPIO, stVec, stPVec:
		x.moved(shape)
	case stCopy, stSendfile:
		x.copied(shape)
	case stOpen:
		x.opened(-1, 0, 1)
	case stOpenAt:
		x.opened(0, 1, 2)
	case stClose:
		x.fd(0)
		if e.Result >= 0 {
			x.fds.Close(e.PID, e.FD)
		}
	case stDup:
		if n, _ := x.open(0); e.Result >= 0 {
			x.fds.Dup(e.PID, n, int32(e.Result), strings.Contains(c.arg(2), "CLOEXEC"))
		}
	case stFcntl:
		x.fd(0)
		if strings.HasPrefix(c.arg(1), "F_DUPFD") && e.Result >= 0 {
			x.fds.Dup(e.PID, e.FD, int32(e.Result), strings.HasSuffix(c.arg(1), "CLOEXEC"))
		}
		return strings.HasPrefix(c.arg(1), "F_SETLK") || strings.HasPrefix(c.arg(1), "F_OFD") || c.arg(1) == "F_GETLK"
	case stSeek:
		o := x.fd(0)
		if strings.HasPrefix(c.arg(2), "SEEK_DATA") || strings.HasPrefix(c.arg(2), "SEEK_HOLE") {
			e.Flags |= trace.FlagHole
		}
		if e.Result >= 0 {
			if e.Offset = e.Result; o != nil {
				o.Offset = e.Result
			}
		}
	case stMmap:
		return x.mapped()
	case stLength, stPathLen:
		if e.Requested, _ = c.number(1); shape == stLength {
			x.fd(0)
		} else {
			e.File = x.path(-1, 0)
		}
		if e.Result >= 0 {
			x.files.Truncated(e.File, e.Requested)
		}
	case stRange, stAllocate:
		x.fd(0)
		at := 1
		if shape == stAllocate {
			if at = 2; strings.Contains(c.arg(1), "PUNCH_HOLE") || strings.Contains(c.arg(1), "ZERO_RANGE") {
				e.Op = trace.OpPunch
			}
		}
		e.Offset, _ = c.number(at)
		e.Requested, _ = c.number(at + 1)
	default:
		x.named(shape)
	}
	e.Requested = max(e.Requested, 0)
	e.Offset = max(e.Offset, trace.NoOffset)
	return true
}

func (x *straceEvent) moved(shape straceShape) {
	c, e := x.c, &x.e
	o := x.fd(0)
	if shape == stVec || shape == stPVec {
		e.Flags |= trace.FlagVectored
		for _, part := range strings.Split(c.arg(1), "iov_len=")[1:] {
			n, _ := strconv.ParseInt(part[:strings.IndexFunc(part+"}", func(r rune) bool { return r < '0' || r > '9' })], 10, 64)
			e.Requested += n
		}
	} else {
		e.Requested, _ = c.number(2)
	}
	if e.Op == trace.OpReaddir {
		return
	}
	if shape == stPIO || shape == stPVec {
		e.Flags |= trace.FlagPositioned
		e.Offset, _ = c.number(3)
	}
	write := e.Op == trace.OpWrite
	if o != nil && e.Offset < 0 { // preadv2 with -1 as well
		e.Offset = o.Advance(e.Result, x.files.Size(e.File), write)
	}
	if write && e.Result > 0 {
		x.files.Wrote(e.File, e.PID, e.Offset, e.Result)
	}
}

func (x *straceEvent) copied(shape straceShape) {
	c, e := x.c, &x.e
	from, fromAt, to, toAt, length := 0, 1, 2, 3, 4
	if shape == stSendfile {
		from, fromAt, to, toAt, length = 1, 2, 0, -1, 3
	}
	e.Requested, _ = c.number(length)
	in := x.fd(from)
	n, out := x.open(to)
	e.FD2 = n
	if at, ok := c.within(fromAt); ok {
		e.Offset = at
	} else if in != nil {
		e.Offset = in.Advance(e.Result, trace.NoOffset, false)
	}
	if out == nil {
		return
	}
	e.File2 = out.File
	if at, ok := c.within(toAt); toAt >= 0 && ok {
		e.Offset2 = at
	} else {
		e.Offset2 = out.Advance(e.Result, x.files.Size(out.File), true)
	}
	if e.Result > 0 {
		x.files.Wrote(e.File2, e.PID, e.Offset2, e.Result)
	}
}

func (x *straceEvent) opened(dir, name, flags int) {
	c, e := x.c, &x.e
	words := c.arg(flags)
	if c.name == "creat" {
		words = "O_WRONLY|O_CREAT|O_TRUNC"
	}
	e.Flags |= straceOpenFlags(words)
	if e.Result < 0 {
		e.File = x.path(dir, name)
		return
	}
	if e.File, e.FD = x.file(c.path), int32(e.Result); c.path == "" {
		e.File = x.path(dir, name)
	}
	if e.Flags&trace.FlagTrunc != 0 || e.Flags&(trace.FlagCreate|trace.FlagExcl) == trace.FlagCreate|trace.FlagExcl {
		x.files.Truncated(e.File, 0)
	}
	x.fds.Set(e.PID, e.FD, &fdtable.Open{File: e.File, Flags: e.Flags}, strings.Contains(words, "O_CLOEXEC"))
}

// straceOpenFlags reads O_RDWR|O_CREAT, and what openat2 has around it.
func straceOpenFlags(words string) trace.IOFlags {
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

func (x *straceEvent) mapped() bool {
	c, e := x.c, &x.e
	if strings.Contains(c.arg(3), "MAP_ANONYMOUS") {
		return false
	}
	x.fd(4)
	e.Requested, _ = c.number(1)
	e.Offset, _ = c.number(5)
	for word, flag := range map[string]trace.IOFlags{"PROT_READ": trace.FlagRead, "PROT_WRITE": trace.FlagWrite, "PROT_EXEC": trace.FlagExec} {
		if strings.Contains(c.arg(2), word) {
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

// named handles the calls that name files.
func (x *straceEvent) named(shape straceShape) {
	e := &x.e
	switch shape {
	case stPath:
		e.File = x.path(-1, 0)
	case stAt:
		e.File = x.path(0, 1)
	case stTwo:
		e.File, e.File2 = x.path(-1, 0), x.path(-1, 1)
	case stTwoAt:
		e.File, e.File2 = x.path(0, 1), x.path(2, 3)
	case stLink:
		e.File2 = x.path(-1, 1)
	case stLinkAt:
		e.File2 = x.path(1, 2)
	}
	if e.Result < 0 {
		return
	}
	switch e.Op {
	case trace.OpUnlink:
		x.files.Unlinked([]byte(x.files.Path(e.File)))
	case trace.OpRename:
		id, err := x.files.Renamed([]byte(x.files.Path(e.File)), []byte(x.files.Path(e.File2)), x.c.start)
		if e.File2 = id; err != nil {
			x.straceReader.err = err
		}
	}
}

package fsusage

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// known is what a printed name of a call stands for.
type known struct {
	index uint16 // in callNames
	op    trace.Op
	shape macos.Shape
	flags trace.IOFlags
}

var (
	callNames []string
	calls     = makeCalls()
	commands  = makeCommands()
)

// printed are names that fs_usage prints otherwise than the system calls them.
var printed = map[string]string{
	"open_dprotected": "open_dprotected_np", "delete-Carbon": "delete", "chmodat": "fchmodat", "chownat": "fchownat",
	"pthread_chdir": "__pthread_chdir", "pthread_fchdir": "__pthread_fchdir", "stat_extended64": "stat64_extended",
	"lstat_extended64": "lstat64_extended",
}

func makeCalls() map[string]known {
	m := map[string]known{}
	byName := map[string]known{}
	for _, c := range macos.Calls {
		k := known{addName(c.Name), c.Op, c.Shape, c.Flags}
		byName[c.Name] = k
		if short := cutName(c.Name); m[short].op == 0 { // it prints read for read_nocancel as well
			m[short] = k
		}
	}
	for as, name := range printed {
		m[cutName(as)] = byName[name]
	}
	m["getdirentries"], m["getdirentriesattr"] = byName["getdirentries64"], byName["getattrlistbulk"]
	return m
}

func makeCommands() map[string]known {
	m := map[string]known{}
	for _, c := range macos.Commands {
		k := known{addName(macos.FcntlName(c.Name)), c.Op, macos.ShapeFcntl, c.Flags}
		m[strings.TrimPrefix(c.Name, "F_")] = k
		m[fmt.Sprintf("CMD=%d", c.Number)] = k // one that is newer than fs_usage
		switch c.Name {
		case "F_NOCACHE":
			m["CACHING OFF"], m["CACHING ON"] = k, k
		case "F_NOCACHE_EXT":
			m["CACHING OFF (EXTENDED)"], m["CACHING ON (EXTENDED)"] = k, k
		case "F_GLOBAL_NOCACHE":
			m["CACHING OFF (GLOBAL)"], m["CACHING ON (GLOBAL)"] = k, k
		case "F_RDAHEAD":
			m["RDAHEAD ON"], m["RDAHEAD OFF"] = k, k
		}
	}
	return m
}

func addName(n string) uint16 {
	callNames = append(callNames, n)
	return uint16(len(callNames) - 1)
}

func cutName(n string) string { return n[:min(len(n), nameWidth)] }

// Names returns the names of system calls, by trace.Syscall.Call.
func Names() []string { return callNames }

// lookup finds what a line's call is; an fcntl command is a call of its own.
func lookup(l *Line) (known, bool) {
	if l.Call == "fcntl" {
		if k, ok := commands[l.Tag]; ok {
			return k, true
		}
	}
	k, ok := calls[l.Call]
	return k, ok
}

// openFlags reads the flags of an open line: a letter or _ for each of
// R W C A T E N l/L F S V X f B.
func openFlags(s string) (f trace.IOFlags, cloexec bool) {
	for _, c := range s {
		switch c {
		case 'R':
			f |= trace.FlagRead
		case 'W':
			f |= trace.FlagWrite
		case 'C':
			f |= trace.FlagCreate
		case 'A':
			f |= trace.FlagAppend
		case 'T':
			f |= trace.FlagTrunc
		case 'E':
			f |= trace.FlagExcl
		case 'N':
			f |= trace.FlagNoWait
		case 'X':
			cloexec = true
		}
	}
	return f, cloexec
}

// protection reads what mmap allows to do with the memory: "READ|WRITE".
func protection(s string) (f trace.IOFlags) {
	for w := range strings.SplitSeq(s, "|") {
		f |= map[string]trace.IOFlags{"READ": trace.FlagRead, "WRITE": trace.FlagWrite, "EXEC": trace.FlagExec}[w]
	}
	return f
}

// syscall fills in what a line says beyond its call. It is false if the call is
// no event.
func (d *Decoder) syscall(l *Line, e *trace.Syscall, shape macos.Shape, end int64) bool {
	pid := e.PID
	o := d.fds.At(pid, l.FD, end)
	if o != nil {
		e.File = o.File
		e.Flags |= o.Flags & macos.PerOpen
	}
	switch shape {
	case macos.ShapeOpen, macos.ShapeOpenAt, macos.ShapeGuardOpen, macos.ShapeOpenByID:
		d.open(l, e, end)
	case macos.ShapeClose:
		if l.Errno == 0 {
			if closed := d.threads.closed(l.TID, pid, l.FD, end-l.Elapsed); closed != nil {
				e.File = closed.File
			}
		}
	case macos.ShapeDup, macos.ShapeDup2:
		if l.Errno == 0 && l.FD2 >= 0 {
			d.fds.Dup(pid, l.FD, l.FD2, false)
			e.Result, e.File2 = int64(l.FD2), e.File
		}
	case macos.ShapeFcntl:
		off := strings.HasPrefix(l.Tag, "CACHING OFF")
		if on := strings.HasPrefix(l.Tag, "CACHING ON"); on {
			e.Flags &^= trace.FlagNoCache
		}
		if o != nil && l.Errno == 0 && off {
			o.Flags |= trace.FlagNoCache
		} else if o != nil && l.Errno == 0 && strings.HasPrefix(l.Tag, "CACHING ON") {
			o.Flags &^= trace.FlagNoCache
		}
	case macos.ShapeIO, macos.ShapeVec, macos.ShapeGuardIO, macos.ShapeGuardVec, macos.ShapePIO, macos.ShapePVec,
		macos.ShapeGuardPIO:
		d.moved(l, e, o, shape)
	case macos.ShapeSeek:
		d.seek(l, e, o)
	case macos.ShapeFtruncate:
		size(l, e)
		if l.Errno == 0 {
			d.files.Truncated(e.File, e.Requested)
			d.files.Wrote(e.File, pid, 0, 0)
		}
	case macos.ShapeMmap:
		return mapped(l, e)
	case macos.ShapeRange:
		e.Requested = max(l.Bytes, 0)
	case macos.ShapeFD, macos.ShapeFDBuf, macos.ShapeSendfile:
	default:
		e.FD = -1
		e.File = d.file(l, pid, end)
		if e.Op == trace.OpUnlink && l.Errno == 0 {
			d.files.Unlinked([]byte(d.files.Path(e.File)))
		}
		if shape == macos.ShapeTruncate {
			size(l, e)
		}
	}
	return true
}

// size is that of truncate and ftruncate. Its upper half is whatever the
// register of the next argument held.
func size(l *Line, e *trace.Syscall) {
	if l.Offset >= 0 {
		e.Requested = l.Offset & low
		e.Flags |= trace.FlagPartial
	}
}

func (d *Decoder) open(l *Line, e *trace.Syscall, end int64) {
	flags, cloexec := openFlags(l.Flags)
	e.Flags |= flags
	e.File = d.file(l, e.PID, end)
	if l.Errno != 0 || l.FD < 0 {
		return
	}
	e.Result = int64(l.FD)
	if flags&trace.FlagTrunc != 0 || flags&(trace.FlagCreate|trace.FlagExcl) == trace.FlagCreate|trace.FlagExcl {
		d.files.Truncated(e.File, 0)
	}
	d.threads.opens(l.TID, l.FD, end)
	d.fds.Set(e.PID, l.FD, &fdtable.Open{File: e.File, Flags: flags, Dir: d.files.Path(e.File),
		Stream: d.files.Stream(e.File), Opened: end}, cloexec)
}

// moved fills in a read or write. fs_usage prints what was moved, never what
// was asked for.
func (d *Decoder) moved(l *Line, e *trace.Syscall, o *fdtable.Open, shape macos.Shape) {
	if l.Errno == 0 {
		e.Result = max(l.Bytes, 0)
	}
	e.Requested = max(e.Result, 0)
	e.Flags |= trace.FlagPartial
	write := e.Op == trace.OpWrite
	switch {
	case e.Flags&trace.FlagPositioned != 0:
		e.Offset = d.positioned(l, shape)
	case o != nil && e.Op != trace.OpReaddir:
		e.Offset = o.Advance(e.Result, d.files.Size(e.File), write)
	}
	switch {
	case !write || e.Result <= 0:
	case e.File == 0:
		d.files.ForgetSizes()
	default:
		d.files.Wrote(e.File, e.PID, e.Offset, e.Result)
	}
}

func (d *Decoder) seek(l *Line, e *trace.Syscall, o *fdtable.Open) {
	if l.Tag == "SEEK_HOLE" || l.Tag == "SEEK_DATA" {
		e.Flags |= trace.FlagHole
	}
	if l.Errno != 0 {
		return
	}
	e.Offset, e.Result = l.Offset, l.Offset
	if o != nil {
		o.Offset = l.Offset
	}
}

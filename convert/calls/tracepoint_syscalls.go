package calls

import (
	"bytes"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/internal/linux"
)

// entered is a call that has begun.
type entered struct {
	index  int // in linux.Calls, below 0 for one of those below
	number int
	start  int64
	args   [6]Arg
}

// text is how many bytes the texts of a call have.
func (e *entered) text() (n int) {
	for i := range e.args {
		n += len(e.args[i].Path)
	}
	return n
}

// shares reports whether what a call made shares its descriptors, or may. The flags of clone3 lie in memory.
func (e *entered) shares() bool {
	return e.number == callClone3 || e.number == callClone && e.args[0].Number&linux.CloneFiles != 0
}

// Calls that say who is who: their numbers on amd64.
const (
	callClone, callFork, callVfork, callClone3 = 56, 57, 58, 435
	callExec, callExecAt                       = 59, 322
	callExit, callExitGroup                    = 60, 231
)

var lives = map[string]int{"clone": callClone, "fork": callFork, "vfork": callVfork, "clone3": callClone3,
	"execve": callExec, "execveat": callExecAt, "exit": callExit, "exit_group": callExitGroup}

var (
	enterPrefix = []byte("sys_enter_")
	exitPrefix  = []byte("sys_exit_")
	shortPrefix = []byte("sys_")
)

// step says what a line of a system call is.
type step uint8

const (
	stepNone  step = iota
	stepEnter      // its beginning
	stepExit       // its end
)

// syscallEvent reads the beginning or the end of a call. name is that of the call, "" if its number is said instead.
func syscallEvent(l *eventLine) (what step, name []byte, args []byte) {
	switch {
	case bytes.Equal(l.event, []byte("sys_enter")):
		return stepEnter, nil, l.rest
	case bytes.Equal(l.event, []byte("sys_exit")):
		return stepExit, nil, l.rest
	case l.function && bytes.HasPrefix(l.event, shortPrefix):
		name = l.event[len(shortPrefix):]
		if result, ok := bytes.CutPrefix(l.rest, []byte(" -> ")); ok {
			return stepExit, name, result
		}
		if args, ok := bytes.CutPrefix(l.rest, []byte("(")); ok {
			return stepEnter, name, bytes.TrimSuffix(bytes.TrimRight(args, " "), []byte(")"))
		}
	case bytes.HasPrefix(l.event, enterPrefix):
		return stepEnter, l.event[len(enterPrefix):], l.rest
	case bytes.HasPrefix(l.event, exitPrefix):
		return stepExit, l.event[len(exitPrefix):], l.rest
	}
	return stepNone, nil, nil
}

// rawNumber reads "NR 0 (3, 7ffd, 1000, 0, 0, 0)" and "NR 0 = 4096".
func rawNumber(args []byte) (n int, rest []byte, ok bool) {
	args, ok = bytes.CutPrefix(args, []byte("NR "))
	word, rest, _ := bytes.Cut(args, []byte(" "))
	v, isNumber := convert.ParseInt(word, 32)
	return int(v), rest, ok && isNumber
}

// rawArgs reads "(3, 7ffd, 1000, 0, 0, 0)", in hexadecimal.
func rawArgs(args *[6]Arg, text []byte) (ok bool) {
	text, ok = bytes.CutPrefix(text, []byte("("))
	text, _, closed := bytes.Cut(text, []byte(")"))
	for i := 0; i < len(args) && len(text) > 0; i++ {
		word, rest, _ := bytes.Cut(text, []byte(", "))
		v, isNumber := convert.ParseHex(word)
		if !isNumber {
			return false
		}
		args[i].Number, text = v, rest
	}
	return ok && closed
}

// namedArgs reads "fd: 0x00000003, buf: 0x7ffc2ab15c28, count: 0x00000340": in hexadecimal, also without its mark.
// A text behind an address is what is there: `filename: 0x7ffc2ab15c28 "/etc/passwd"`.
func namedArgs(args *[6]Arg, text []byte, texts *convert.Texts) (ok bool) {
	for i := 0; i < len(args) && len(text) > 0; i++ {
		_, value, ok := bytes.Cut(text, []byte(": "))
		if !ok {
			return false
		}
		end := bytes.IndexAny(value, ", ")
		if end < 0 {
			end = len(value)
		}
		v, ok := convert.ParseHex(bytes.TrimPrefix(value[:end], []byte("0x")))
		if !ok {
			return false
		}
		args[i].Number = v
		if value = value[end:]; bytes.HasPrefix(value, []byte(" \"")) {
			name, after, ok := bytes.Cut(value[2:], []byte("\""))
			if !ok {
				return false
			}
			args[i].Path, value = texts.Get(name), after
		}
		_, rest, more := bytes.Cut(value, []byte(", "))
		if !more {
			return true
		}
		text = rest
	}
	return true
}

// result reads "0x340", and "-2" of raw_syscalls.
func result(text []byte) (int64, bool) {
	text = bytes.TrimSpace(text)
	if digits, ok := bytes.CutPrefix(text, []byte("0x")); ok {
		v, ok := convert.ParseHex(digits)
		return int64(v), ok
	}
	return convert.ParseInt(text, 64)
}

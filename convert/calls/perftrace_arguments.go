package calls

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/internal/linux"
)

// argument is "count: 832".
type argument struct{ name, value []byte }

// maxArguments bounds those of a call.
const maxArguments = 8

// perftraceSplit takes the arguments of a call apart. Paths and texts may hold commas.
func perftraceSplit(list []argument, text []byte) []argument {
	for len(text) > 0 {
		name, rest, ok := bytes.Cut(text, []byte(": "))
		if !ok || len(list) >= maxArguments {
			return list
		}
		end := valueEnd(rest)
		list = append(list, argument{name, rest[:end]})
		text = bytes.TrimPrefix(rest[end:], []byte(", "))
	}
	return list
}

// valueEnd is where a value ends: at a comma outside of <>, "" and brackets.
func valueEnd(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '<', '(', '{', '[':
			depth++
		case '>', ')', '}', ']':
			depth--
		case '"':
			n := bytes.IndexByte(text[i+1:], '"')
			if n < 0 {
				return len(text)
			}
			i += n + 1
		case ',':
			if depth <= 0 {
				return i
			}
		}
	}
	return len(text)
}

// The names that arguments have in the kernel, by what they are to a call. The first of a list that a call has counts.
var (
	fdNames     = []string{"fd", "fildes", "oldfd", "in_fd", "fd_in", "fdin"}
	fd2Names    = []string{"newfd", "out_fd", "fd_out", "fdout", "max_fd"}
	dirNames    = []string{"dfd", "olddfd"}
	dir2Names   = []string{"newdfd"}
	pathNames   = []string{"filename", "pathname", "path", "oldname", "name"}
	path2Names  = []string{"newname"}
	lengthNames = []string{"count", "len", "length", "size", "nbytes"}
	offsetNames = []string{"pos", "offset", "off", "loff", "pos_l"}
	atNames     = []string{"off_in"}
	at2Names    = []string{"off_out"}
	flagNames   = []string{"flags", "prot", "cmd", "whence", "origin", "mode", "advice", "how", "clone_flags"}
)

// arguments puts the values where the call has them. perf leaves out those that are zero.
func (r *perftraceReader) arguments(c *Call, text []byte) {
	var space [maxArguments]argument
	shape := linux.Calls[c.Index].Shape
	at := shape.Args()
	list := perftraceSplit(space[:0], text)
	take := func(place int, names []string) {
		if place < 1 {
			return
		}
		for _, name := range names {
			for i := range list {
				if string(list[i].name) == name {
					r.argument(&c.Args[place-1], &list[i])
					return
				}
			}
		}
	}
	take(at.FD, fdNames)
	take(at.FD2, fd2Names)
	take(at.Dir, dirNames)
	take(at.Dir2, dir2Names)
	take(at.Path, pathNames)
	take(at.Path2, path2Names)
	take(at.Length, lengthNames)
	take(at.Offset, offsetNames)
	take(at.OffsetAt, atNames)
	take(at.Offset2At, at2Names)
	take(at.Flags, flagNames)
	switch shape {
	case linux.ShapeSendfile:
		take(at.OffsetAt, offsetNames)
	case linux.ShapeMmap: // which has two words of flags
		take(at.Flags, []string{"prot"})
		take(4, []string{"flags"})
	case linux.ShapeTwoAt:
		take(at.Path2+1, []string{"flags"})
	case linux.ShapeIoctl:
		take(at.Length, []string{"arg"})
	}
}

// words are the numbers of those names of flags that matter (linux/fcntl.h, linux/mman.h, linux/fs.h).
var words = map[string]map[string]uint64{
	"flags": {"WRONLY": 1, "RDWR": 2, "CREAT": 0o100, "EXCL": 0o200, "TRUNC": 0o1000, "APPEND": 0o2000,
		"NONBLOCK": 0o4000, "DSYNC": 0o10000, "DIRECT": 0o40000, "CLOEXEC": 0o2000000, "SYNC": 0o4010000,
		"EXCHANGE": renameExchange, "SHARED": 1, "PRIVATE": 2, "ANONYMOUS": 0x20, "PEEK": linux.MsgPeek},
	"clone_flags": {"VM": linux.CloneMemory},
	"prot":        {"READ": 1, "WRITE": 2, "EXEC": 4},
	"cmd": {"DUPFD": 0, "DUPFD_CLOEXEC": 1030, "GETFD": 1, "SETFD": 2, "GETFL": 3, "SETFL": 4,
		"GETLK": 5, "SETLK": 6, "SETLKW": 7},
	"whence": {"SET": 0, "CUR": 1, "END": 2, "DATA": 3, "HOLE": 4},
	"mode":   {"KEEP_SIZE": 1, "PUNCH_HOLE": 2, "ZERO_RANGE": 0x10},
}

// argument reads a value: a number, a descriptor with its path, "CWD", a text, an address with or without a text,
// flags.
func (r *perftraceReader) argument(v *Arg, a *argument) {
	text := a.value
	if bytes.HasPrefix(text, []byte("\"")) {
		*v = Arg{Path: r.texts.Get(bytes.Trim(text, "\""))}
		return
	}
	if bytes.HasPrefix(text, []byte("CWD")) {
		_, path := descriptor(text)
		*v = Arg{Number: uint64(int64(-100) & 0xffffffff), Path: r.texts.Get(path)}
		return
	}
	if digits, path := descriptor(text); len(path) > 0 {
		if n, ok := convert.ParseInt(digits, 32); ok {
			*v = Arg{Number: uint64(n), Path: r.texts.Get(path)}
			return
		}
	}
	*v = Arg{}
	if n, ok := convert.ParseLiteral(text); ok {
		v.Number = uint64(n)
		return
	}
	if string(a.name) == "cmd" && bytes.HasPrefix(text, []byte("(")) {
		v.Number = request(string(text))
		return
	}
	numbers := words[string(a.name)]
	for more := true; more; {
		var word []byte
		word, text, more = bytes.Cut(text, []byte("|"))
		v.Number |= numbers[string(word)]
	}
}

// request is the number of an ioctl that perf shows by its parts: "(READ|WRITE, 0x94, 0x9, 0x4)" are the direction, the
// kind, the number and the size of its argument (linux/ioctl.h).
func request(text string) (n uint64) {
	parts := strings.Split(strings.Trim(text, "()"), ", ")
	if len(parts) != 4 {
		return 0
	}
	for i, shift := range []int{8, 0, 16} {
		part, err := strconv.ParseUint(parts[i+1], 0, 14)
		if err != nil {
			return 0
		}
		n |= part << shift
	}
	if strings.Contains(parts[0], "WRITE") {
		n |= 1 << 30
	}
	if strings.Contains(parts[0], "READ") {
		n |= 1 << 31
	}
	return n
}

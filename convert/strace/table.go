package strace

import (
	"strings"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/linux"
)

func names() (names []string) {
	for i := range linux.Calls {
		names = append(names, linux.Calls[i].Name)
	}
	return names
}

var index = func() map[string]int {
	m := map[string]int{}
	for i := range linux.Calls {
		m[linux.Calls[i].Name] = i
	}
	return m
}()

// ioctl takes those that move or drop data; the others are no events.
func (x *event) ioctl() bool {
	e := &x.e
	if e.Op = ioctlOp(x.word(x.at.Flags)); e.Op == trace.OpIoctl {
		return false
	}
	x.fd(x.at.FD)
	argument := x.word(x.at.Length)
	switch e.Op {
	case trace.OpClone: // the argument is the source, the descriptor the destination
		e.FD2, e.File2, e.File = e.FD, e.File, 0
		x.fd(x.at.Length)
		e.Offset, e.Offset2 = 0, 0
	case trace.OpCloneRange:
		e.FD2, e.File2, e.File = e.FD, e.File, 0
		source := call{args: []string{field(argument, "src_fd")}}
		inner := event{Reader: x.Reader, c: &source, e: trace.Syscall{PID: e.PID, Result: e.Result}}
		inner.fd(1)
		e.FD, e.File = inner.e.FD, inner.e.File
		e.Offset, e.Requested, e.Offset2 = fieldNumber(argument, "src_offset"), fieldNumber(argument, "src_length"),
			fieldNumber(argument, "dest_offset")
	case trace.OpDedupe:
		e.Offset, e.Requested = fieldNumber(argument, "src_offset"), fieldNumber(argument, "src_length")
	case trace.OpDiscard:
		if from, length, ok := strings.Cut(strings.Trim(argument, "[]"), ","); ok && argument[0] == '[' {
			numbers := call{args: []string{from, strings.TrimSpace(length)}}
			e.Offset, _ = numbers.number(0)
			e.Requested, _ = numbers.number(1)
		} else {
			e.Offset, e.Requested = fieldNumber(argument, "start"), fieldNumber(argument, "len")
		}
	}
	if e.File2 != 0 && e.Result >= 0 {
		x.files.Wrote(e.File2, e.PID, trace.NoOffset, 0)
	}
	return true
}

// ioctlOp is what an ioctl does, by its name: "BTRFS_IOC_CLONE or FICLONE".
func ioctlOp(names string) trace.Op {
	for name := range strings.SplitSeq(names, " or ") {
		for _, i := range linux.Ioctls {
			if i.Name == name {
				return i.Op
			}
		}
	}
	return trace.OpIoctl
}

// field is a member of a printed struct: "{src_fd=3</a>, src_offset=0}".
func field(text, name string) string {
	words, _ := split(strings.Trim(text, "{}") + ")")
	for _, w := range words {
		if value, ok := strings.CutPrefix(w, name+"="); ok {
			return value
		}
	}
	return ""
}

func fieldNumber(text, name string) int64 {
	n, _ := (&call{args: []string{field(text, name)}}).number(0)
	return n
}

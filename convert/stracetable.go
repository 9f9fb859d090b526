package convert

import (
	"strings"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/linux"
)

func straceNames() (names []string) {
	for i := range linux.Calls {
		names = append(names, linux.Calls[i].Name)
	}
	return names
}

var straceIndex = func() map[string]int {
	m := map[string]int{}
	for i := range linux.Calls {
		m[linux.Calls[i].Name] = i
	}
	return m
}()

// ioctl takes those that move or drop data; the others are no events.
func (x *straceEvent) ioctl() bool {
	e := &x.e
	if e.Op = straceIoctl(x.word(x.at.Flags)); e.Op == trace.OpIoctl {
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
		source := straceCall{args: []string{straceField(argument, "src_fd")}}
		inner := straceEvent{straceReader: x.straceReader, c: &source, e: trace.Syscall{PID: e.PID, Result: e.Result}}
		inner.fd(1)
		e.FD, e.File = inner.e.FD, inner.e.File
		e.Offset, e.Requested, e.Offset2 = straceNumber(argument, "src_offset"), straceNumber(argument, "src_length"),
			straceNumber(argument, "dest_offset")
	case trace.OpDedupe:
		e.Offset, e.Requested = straceNumber(argument, "src_offset"), straceNumber(argument, "src_length")
	case trace.OpDiscard:
		if from, length, ok := strings.Cut(strings.Trim(argument, "[]"), ","); ok && argument[0] == '[' {
			numbers := straceCall{args: []string{from, strings.TrimSpace(length)}}
			e.Offset, _ = numbers.number(0)
			e.Requested, _ = numbers.number(1)
		} else {
			e.Offset, e.Requested = straceNumber(argument, "start"), straceNumber(argument, "len")
		}
	}
	if e.File2 != 0 && e.Result >= 0 {
		x.files.Wrote(e.File2, e.PID, trace.NoOffset, 0)
	}
	return true
}

// straceIoctl is what an ioctl does, by its name: "BTRFS_IOC_CLONE or FICLONE".
func straceIoctl(names string) trace.Op {
	for name := range strings.SplitSeq(names, " or ") {
		for _, i := range linux.Ioctls {
			if i.Name == name {
				return i.Op
			}
		}
	}
	return trace.OpIoctl
}

// straceField is a member of a printed struct: "{src_fd=3</a>, src_offset=0}".
func straceField(text, name string) string {
	words, _ := splitStrace(strings.Trim(text, "{}") + ")")
	for _, w := range words {
		if value, ok := strings.CutPrefix(w, name+"="); ok {
			return value
		}
	}
	return ""
}

func straceNumber(text, name string) int64 {
	n, _ := (&straceCall{args: []string{straceField(text, name)}}).number(0)
	return n
}

package strace

import (
	"bytes"

	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/trace"
)

// index finds a call by its name. 32-bit programs and old kernels have other names for some: the calls and their
// arguments are the same.
var index = func() map[string]uint16 {
	m := map[string]uint16{}
	for i := range linux.Calls {
		m[linux.Calls[i].Name] = uint16(i)
	}
	for name, is := range map[string]string{"pread": "pread64", "pwrite": "pwrite64", "stat64": "stat",
		"lstat64": "lstat", "fstat64": "fstat", "fstatat64": "newfstatat", "mmap2": "mmap", "fcntl64": "fcntl",
		"sendfile64": "sendfile", "truncate64": "truncate", "ftruncate64": "ftruncate", "fadvise64_64": "fadvise64",
		"fstatfs64": "fstatfs", "statfs64": "statfs", "chown32": "chown", "fchown32": "fchown", "lchown32": "lchown",
		"oldstat": "stat", "oldlstat": "lstat", "oldfstat": "fstat", "old_mmap": "mmap", "_llseek": "lseek",
		"arm_fadvise64_64": "fadvise64", "send": "sendto", "recv": "recvfrom"} {
		m[name] = m[is]
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
		source := call{args: [][]byte{field(argument, "src_fd")}}
		inner := event{Reader: x.Reader, c: &source, e: trace.Syscall{PID: e.PID, Result: e.Result}}
		inner.fd(1)
		e.FD, e.File = inner.e.FD, inner.e.File
		e.Offset, e.Requested, e.Offset2 = fieldNumber(argument, "src_offset"), fieldNumber(argument, "src_length"),
			fieldNumber(argument, "dest_offset")
	case trace.OpDedupe:
		e.Offset, e.Requested = fieldNumber(argument, "src_offset"), fieldNumber(argument, "src_length")
	case trace.OpDiscard:
		if from, length, ok := bytes.Cut(bytes.Trim(argument, "[]"), []byte(",")); ok && argument[0] == '[' {
			e.Offset, _ = number(bytes.TrimSpace(from))
			e.Requested, _ = number(bytes.TrimSpace(length))
		} else {
			e.Offset, e.Requested = fieldNumber(argument, "start"), fieldNumber(argument, "len")
		}
	}
	if e.File2 != 0 && e.Result >= 0 {
		x.effects.Files.Wrote(e.File2, e.PID, trace.NoOffset, 0)
	}
	return true
}

// ioctlOp is what an ioctl does, by its name: "BTRFS_IOC_CLONE or FICLONE".
func ioctlOp(names []byte) trace.Op {
	for name := range bytes.SplitSeq(names, []byte(" or ")) {
		for _, i := range linux.Ioctls {
			if i.Name == string(name) {
				return i.Op
			}
		}
	}
	return trace.OpIoctl
}

// field is a member of a printed struct: "{src_fd=3</a>, src_offset=0}".
func field(text []byte, name string) []byte {
	var words call
	words.split(append(bytes.Clone(bytes.Trim(text, "{}")), ')'))
	for _, w := range words.args {
		if value, ok := bytes.CutPrefix(w, []byte(name+"=")); ok {
			return value
		}
	}
	return nil
}

func fieldNumber(text []byte, name string) int64 {
	n, _ := number(field(text, name))
	return n
}

package strace

import (
	"bytes"

	"github.com/iotrace/iotrace/convert/calls"
	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/trace"
)

// openFlags reads O_RDWR|O_CREAT, what openat2 has around it, and their number, of -X raw.
func openFlags(words []byte) trace.IOFlags {
	if n, length := number(words); length > 0 {
		return linux.OpenFlags(uint64(n), calls.Arch)
	}
	f := trace.FlagRead
	for len(words) > 0 {
		n := wordLength(words)
		switch string(words[:n]) {
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
		words = words[min(n+1, len(words)):]
	}
	return f
}

// wordLength is the length of the word that flags begin with.
func wordLength(words []byte) int {
	for i, b := range words {
		switch b {
		case '|', '{', '}', '=', ',', ' ':
			return i
		}
	}
	return len(words)
}

// cloneOp is what clone or clone3 does, by its flags, which are among its arguments: CLONE_VM|CLONE_VFORK|SIGCHLD, and
// their number.
func cloneOp(args []byte) trace.Op {
	_, flags, _ := bytes.Cut(args, []byte("flags="))
	n, _ := number(flags)
	if bytes.HasPrefix(flags, []byte("CLONE_VM")) {
		n |= linux.CloneMemory
	}
	return linux.CloneOp(uint64(n))
}

// protection reads PROT_READ|PROT_WRITE, and their number.
func protection(words []byte) (f trace.IOFlags) {
	bits, length := number(words)
	for _, p := range [...]struct {
		name string
		bit  int64
		flag trace.IOFlags
	}{{"PROT_READ", 1, trace.FlagRead}, {"PROT_WRITE", 2, trace.FlagWrite}, {"PROT_EXEC", 4, trace.FlagExec}} {
		if length > 0 && bits&p.bit != 0 || length == 0 && bytes.Contains(words, []byte(p.name)) {
			f |= p.flag
		}
	}
	return f
}

// The numbers behind names that -X raw prints in their place (fcntl.h, mman.h), those that matter.
var (
	commands = map[int64]string{0: "F_DUPFD", 5: "F_GETLK", 6: "F_SETLK", 7: "F_SETLKW", 36: "F_OFD_GETLK",
		37: "F_OFD_SETLK", 38: "F_OFD_SETLKW", 1030: "F_DUPFD_CLOEXEC"}
	mappings = map[int64]string{0x01: "MAP_SHARED", 0x20: "MAP_ANONYMOUS", 0x22: "MAP_ANONYMOUS", 0x21: "MAP_ANONYMOUS"}
)

// named is the name behind a number, and any other text itself.
func named(word []byte, names map[int64]string) []byte {
	if n, length := number(word); length > 0 {
		if name, ok := names[n]; ok {
			return []byte(name)
		}
	}
	return word
}

// stream reports whether -yy says of a descriptor that it has no offsets.
func stream(word []byte) bool { return bytes.Contains(word, []byte("<char ")) }

// vector adds up the lengths of a vector: [{iov_base="a", iov_len=1}], or [{"a", 1}] of versions before 4.11.
func vector(list []byte) (sum int64) {
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '"':
			i += quoted(list[i+1:])
		case '=', ' ':
			n, length := number(list[i+1:])
			if end := i + 1 + length; length > 0 && end < len(list) && list[end] == '}' {
				sum += n
				i = end
			}
		}
	}
	return sum
}

package replay

import (
	"fmt"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// Method is a way to copy files.
type Method struct {
	Name   string // as --method says it
	Block  int64
	Depth  int // blocks in flight, or files where these are many
	Direct bool
	kind   trace.Op // OpRead: reads and writes
	ring   bool
}

// Methods are those that copying programs use: many move 128 KiB at a time, those
// that know better 1 MiB; cp since coreutils 9.0 (2021) says that it reads all in
// order, leaves it to the kernel, and clones first where the file system can.
func Methods() []Method {
	return []Method{
		{Name: "read_write", Block: 128 << 10, Depth: 1, kind: trace.OpRead},
		{Name: "read_write_1M", Block: 1 << 20, Depth: 1, kind: trace.OpRead},
		{Name: "threads", Block: 1 << 20, Depth: 8, kind: trace.OpRead},
		{Name: "copy_file_range", Block: 256 << 20, Depth: 1, kind: trace.OpCopyRange},
		{Name: "direct", Block: 1 << 20, Depth: 1, Direct: true, kind: trace.OpRead},
		{Name: "direct_threads", Block: 1 << 20, Depth: 8, Direct: true, kind: trace.OpRead},
		{Name: "io_uring", Block: 1 << 20, Depth: 8, ring: true, kind: trace.OpCopyRange},
		{Name: "io_uring_direct", Block: 1 << 20, Depth: 8, Direct: true, ring: true, kind: trace.OpCopyRange},
		{Name: "clone", Depth: 1, kind: trace.OpClone},
	}
}

// String says in words how a method copies.
func (m Method) String() string {
	how := "read and write"
	switch {
	case m.kind == trace.OpClone:
		return "clone: nothing is moved"
	case m.ring:
		how = "io_uring"
	case m.kind == trace.OpCopyRange:
		return "copy_file_range"
	}
	if m.Direct {
		how += ", direct"
	}
	how += ", " + unit.BlockSize(m.Block)
	if m.Depth > 1 {
		how += fmt.Sprintf(" × %d", m.Depth)
	}
	return how
}

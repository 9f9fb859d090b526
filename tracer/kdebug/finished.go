package kdebug

import (
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// finished is a call that has ended, on its way to being an event.
type finished struct {
	trace.Syscall
	t       *thread
	p       *process
	k       known
	partial bool     // only its end was seen: no arguments
	silent  bool     // it began before the recording, or before the workload did
	word    [2]int32 // the two result words
	end     int64
}

// result joins the two result words: size_t, ssize_t and off_t results fill
// both, an int only the first, which is sign-extended.
func (c *finished) result(r *Record) {
	const restart, justReturn = -1, -2 // ERESTART, EJUSTRETURN: never seen by the program
	switch errno := int64(int32(r.Arg[0])); errno {
	case 0, justReturn:
		lo, hi := uint64(uint32(r.Arg[1])), uint64(uint32(r.Arg[2]))
		c.word = [2]int32{int32(lo), int32(hi)}
		c.Result = int64(lo | hi<<32)
		if wide := c.k.op.MovesData() || c.k.shape == macos.ShapeSeek || c.k.shape == macos.ShapeAIOReturn; !wide {
			c.Result = int64(int32(lo))
		}
		if c.k.shape == macos.ShapeMmap || c.Result < 0 {
			c.Result = 0 // an address is no result
		}
	case restart:
		c.Result = -4 // EINTR: it begins again
	default:
		if errno < 0 {
			errno = 5 // a damaged record
		}
		c.Result = -macos.Errno(errno)
	}
}

// arg returns an argument, 0 if the beginning of the call was not seen.
func (c *finished) arg(i int) uint64 {
	if c.partial {
		return 0
	}
	return c.t.call.arg[i]
}

func (c *finished) fd(i int) int32 {
	if c.partial {
		return -1
	}
	return int32(uint32(c.t.call.arg[i]))
}

// found reports whether the vnode of the i-th path is that of its file. The
// lookup of a name that is about to be made logs the vnode of its directory; if
// the file is looked up again in the same call, that is the new file.
func (c *finished) found(i int) bool {
	if c.Result < 0 || i >= c.t.look.n {
		return false
	}
	makes := false
	switch c.k.op {
	case trace.OpOpen:
		makes = c.Flags&trace.FlagCreate != 0
	case trace.OpMkdir, trace.OpSymlink:
		makes = true
	case trace.OpClone:
		makes = i == 1 || c.k.shape == macos.ShapeClone
	case trace.OpRename, trace.OpLink, trace.OpCopyfile:
		makes = i == 1
	}
	return !makes || c.t.look.again[i]
}

// openArgs says where an open call's directory descriptor and flags are.
func openArgs(c *finished) (dirfd int32, flags uint64) {
	switch c.k.shape {
	case macos.ShapeOpenAt:
		return c.fd(0), c.arg(2)
	case macos.ShapeGuardOpen:
		return macos.ATFdCwd, c.arg(3)
	case macos.ShapeOpenByID:
		return macos.ATFdCwd, c.arg(2)
	}
	return macos.ATFdCwd, c.arg(1)
}

package fsusage

import (
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// On Apple silicon the kernel does not log the second half of the arguments of
// mmap, pread and pwrite, and fs_usage prints what it kept of the first half in
// their place: as if it were whole.

// low is the half of a number that is printed right.
const low = 1<<32 - 1

// sure is a length from which on an offset that begins with it is no accident:
// the file would have to be larger than 16 TiB.
const sure = 4096

// positioned is the offset of a pread or pwrite. Apple silicon's fs_usage prints
// length<<32 | offset, of which the lower half of the offset can be had. A text
// does not say where it was made: the first offset that begins with the length
// of its own transfer shows it. The offset of vectors is printed like that on
// every Mac, behind their number; that of guarded_pwrite_np stands one place
// further on, and what is printed are buffer and length.
func (d *Decoder) positioned(l *Line, shape macos.Shape) int64 {
	upper, lower := l.Offset>>32, l.Offset&low
	switch {
	case l.Offset < 0:
		return trace.NoOffset
	case shape == macos.ShapePVec:
		return lower
	case shape == macos.ShapeGuardPIO:
		if d.silicon || upper > 0 && lower == l.Bytes {
			return trace.NoOffset
		}
		return l.Offset
	}
	own := l.Bytes > 0 && upper == l.Bytes
	if own && l.Bytes >= sure {
		d.silicon = true
	}
	if d.silicon || own {
		return lower
	}
	return l.Offset
}

// mapped fills in an mmap; it is false for memory that is no file's, which is no
// event. On Apple silicon the arguments of the call stand one place further on
// than they are printed: the address in F, length and protection in A, the flags
// in B.
func mapped(l *Line, e *trace.Syscall) bool {
	if flags := uint64(l.Bytes) >> 32; l.Bytes > 0 && l.Bytes&low == 0 {
		if !macos.MapsFile(flags) {
			return false
		}
		e.FD, e.File = -1, 0
		e.Requested = int64(l.Address >> 32)
		e.Flags |= macos.MmapFlags(l.Address, flags) | trace.FlagPartial
		return true
	}
	if l.Errno == 0 && (l.FD < 0 || l.FD > maxFD) {
		return false
	}
	e.Offset, e.Requested = l.Offset, max(l.Bytes, 0)
	e.Flags |= protection(l.Tag)
	return true
}

// maxFD is above every descriptor. What is above it in the place of one is a tag
// for anonymous memory, which begins at bit 24 (VM_MAKE_TAG).
const maxFD = 1<<24 - 1

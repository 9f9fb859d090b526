//go:build linux

package ebpf

import (
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// The io_uring opcodes (linux/io_uring.h) that are recorded.
const (
	uringReadv         = 1
	uringWritev        = 2
	uringFsync         = 3
	uringReadFixed     = 4
	uringWriteFixed    = 5
	uringPollAdd       = 6
	uringSyncFileRange = 8
	uringSendmsg       = 9
	uringRecvmsg       = 10
	uringTimeout       = 11
	uringAccept        = 13
	uringLinkTimeout   = 15
	uringConnect       = 16
	uringFallocate     = 17
	uringOpenat        = 18
	uringClose         = 19
	uringStatx         = 21
	uringRead          = 22
	uringWrite         = 23
	uringFadvise       = 24
	uringSend          = 26
	uringRecv          = 27
	uringOpenat2       = 28
	uringSplice        = 30
	uringTee           = 33
	uringRenameat      = 35
	uringUnlinkat      = 36
	uringMkdirat       = 37
	uringSymlinkat     = 38
	uringLinkat        = 39
	uringSendZC        = 47
	uringSendmsgZC     = 48
	uringFtruncate     = 55
	uringReadvFixed    = 60
	uringWritevFixed   = 61
)

// uringOps are the operations of the recorded io_uring opcodes.
var uringOps = map[uint8]trace.Op{
	uringReadv:         trace.OpRead,
	uringWritev:        trace.OpWrite,
	uringFsync:         trace.OpSync,
	uringReadFixed:     trace.OpRead,
	uringWriteFixed:    trace.OpWrite,
	uringPollAdd:       trace.OpPoll,
	uringSyncFileRange: trace.OpSyncRange,
	uringSendmsg:       trace.OpWrite,
	uringRecvmsg:       trace.OpRead,
	uringTimeout:       trace.OpTimeout,
	uringAccept:        trace.OpAccept,
	uringLinkTimeout:   trace.OpTimeout,
	uringConnect:       trace.OpConnect,
	uringFallocate:     trace.OpAllocate,
	uringOpenat:        trace.OpOpen,
	uringClose:         trace.OpClose,
	uringStatx:         trace.OpStat,
	uringRead:          trace.OpRead,
	uringWrite:         trace.OpWrite,
	uringFadvise:       trace.OpAdvise,
	uringSend:          trace.OpWrite,
	uringRecv:          trace.OpRead,
	uringOpenat2:       trace.OpOpen,
	uringSplice:        trace.OpSplice,
	uringTee:           trace.OpTee,
	uringRenameat:      trace.OpRename,
	uringUnlinkat:      trace.OpUnlink,
	uringMkdirat:       trace.OpMkdir,
	uringSymlinkat:     trace.OpSymlink,
	uringLinkat:        trace.OpLink,
	uringSendZC:        trace.OpWrite,
	uringSendmsgZC:     trace.OpWrite,
	uringFtruncate:     trace.OpTruncate,
	uringReadvFixed:    trace.OpRead,
	uringWritevFixed:   trace.OpWrite,
}

const fsyncDataSync = 1 // IORING_FSYNC_DATASYNC

// refineUring sets the operation of an io_uring entry and the flags it carries
// itself. A list of buffers, a registered buffer and RWF_ flags are of reads and writes.
func refineUring(a *trace.AsyncOp, r *iotraceAsync) {
	a.Op = uringOps[r.Op]
	switch r.Op {
	case uringFsync:
		if r.Aux&fsyncDataSync != 0 {
			a.Op = trace.OpDataSync
		}
	case uringFallocate:
		a.Op = allocateOp(r.Aux)
	case uringReadv, uringWritev:
		a.Flags |= callFlags(r.Aux) | trace.FlagVectored
	case uringReadFixed, uringWriteFixed:
		a.Flags |= callFlags(r.Aux) | trace.FlagPinned
	case uringReadvFixed, uringWritevFixed:
		a.Flags |= callFlags(r.Aux) | trace.FlagPinned | trace.FlagVectored
	case uringRead, uringWrite:
		a.Flags |= callFlags(r.Aux)
	}
}

const (
	iocbPreadv  = 7 // linux/aio_abi.h
	iocbPwritev = 8
)

// refineLibaio does the same for a control block of libaio.
func refineLibaio(a *trace.AsyncOp, r *iotraceAsync) {
	a.Op = aioOps[r.Op]
	a.Flags |= callFlags(r.Aux)
	if r.Op == iocbPreadv || r.Op == iocbPwritev {
		a.Flags |= trace.FlagVectored
	}
}

// nameAsync sets the files that a finished operation names.
func (d *decoder) nameAsync(a *trace.AsyncOp, r *iotraceAsync) (err error) {
	n, ok := d.names.taken(r)
	if !ok {
		return nil
	}
	if len(n.first) > 0 {
		if a.File, err = d.named(n.dir, n.first, a.Complete); err != nil {
			return err
		}
	}
	if a.Op.HasPeer() {
		a.File2, err = d.addressed(n.second, a.Complete)
		return err
	}
	if len(n.second) > 0 {
		if a.File2, err = d.named(n.dir2, n.second, a.Complete); err != nil {
			return err
		}
	}
	if a.Op == trace.OpRename && n.flags&unix.RENAME_EXCHANGE != 0 {
		a.Flags |= trace.FlagExchange
	}
	if a.Result < 0 {
		return nil
	}
	d.files.alters(a.File)
	d.files.alters(a.File2)
	if a.Op == trace.OpRename {
		d.renamed(a.Flags, a.File, a.File2)
	}
	return nil
}

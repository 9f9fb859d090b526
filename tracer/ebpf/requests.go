//go:build linux

package ebpf

import (
	"structs"
	"unsafe"

	"github.com/iotrace/iotrace/trace"
)

// requestHead is struct req of bpf/iotrace.h without its extents, of which only
// the used ones are sent.
type requestHead struct {
	_         structs.HostLayout
	Rec       uint8
	Evidence  uint8
	Marks     uint8
	Status    uint8
	Opf       uint32
	Queued    uint64
	Issued    uint64
	Completed uint64
	Sector    uint64
	Dev       uint32
	Bytes     uint32
	Pid       uint32
	Tid       uint32
	Bios      uint16
	Requeues  uint16
	Extents   uint16
	Pad       uint16
	Own       uint32
	Others    uint32
}

// Bits of bio->bi_opf and rq->cmd_flags (enum req_flag_bits, linux/blk_types.h).
// The low ones are as old as the interface; those above REQ_NOWAIT move.
const (
	reqOpMask     = 0xff
	reqSync       = 1 << 11
	reqMeta       = 1 << 12
	reqPrio       = 1 << 13
	reqNoMerge    = 1 << 14
	reqFUA        = 1 << 17
	reqPreflush   = 1 << 18
	reqReadahead  = 1 << 19
	reqBackground = 1 << 20
)

func (d *decoder) request(r *requestHead, rest []byte) error {
	q := trace.Request{
		Queued: int64(r.Queued) - d.base, Issued: int64(r.Issued) - d.base, Completed: int64(r.Completed) - d.base,
		Device: trace.DeviceID(r.Dev), Sector: r.Sector, Bytes: int64(r.Bytes), Op: requestOp(r.Opf & reqOpMask),
		Flags: requestFlags(r), PID: r.Pid, TID: r.Tid, Offset: trace.NoOffset,
		Evidence: trace.Evidence(r.Evidence), Bios: uint32(r.Bios), Requeues: uint32(r.Requeues), Error: errnoOf(r.Status),
	}
	if q.Issued < 0 {
		return nil // issued before recording began
	}
	if r.Queued == 0 || q.Queued < 0 {
		q.Queued = -1
	}
	switch q.Op {
	case trace.ReqRead, trace.ReqWrite:
		if r.Extents > 0 {
			d.place(&q, unsafe.Slice(as[iotraceExtent](rest), r.Extents))
		}
	case trace.ReqFlush: // concerns the whole device
		q.Sector, q.Bytes = 0, 0
	}
	d.judge(&q, r.Marks)
	if r.Own > 0 || r.Others > 0 {
		d.share(&q, r.Own, r.Others)
	}
	if dev, fresh := d.devices.seen(q.Device, q.Completed); fresh {
		for i := range dev {
			if err := d.sink.Device(&dev[i]); err != nil {
				return err
			}
		}
	}
	return d.sink.Request(&q)
}

// place sets the files and offsets of a request.
func (d *decoder) place(q *trace.Request, extents []iotraceExtent) {
	for i, e := range extents {
		file := d.files.id(e.File)
		if i == 0 {
			q.File, q.Offset = file, e.Off
			continue
		}
		q.More = append(q.More, trace.Extent{File: file, Offset: e.Off, Bytes: int64(e.Bytes)})
	}
	if q.File == 0 && len(q.More) == 0 {
		q.Evidence = trace.EvidenceNone
		q.Offset = trace.NoOffset
	}
}

// judge says for whom a request was done, and how sure that is.
func (d *decoder) judge(q *trace.Request, marks uint8) {
	traced := iotraceReqMarks(marks)&iotraceReqMarksMARK_TRACED != 0
	n := d.files.at(q.File)
	own := q.PID == d.self || n != nil && n.own
	inScope := !own && (d.all || q.PID != 0 && d.selected[q.PID])
	if traced && q.Op == trace.ReqWrite && q.File != 0 {
		d.files.filled(q)
	}
	switch {
	case traced:
		q.Owner = q.PID
	case n != nil && n.writer != 0 && q.Op == trace.ReqWrite:
		q.Owner = n.writer
	case inScope: // a thread of the kernel's that works for others, such as nfsd
		q.Owner = q.PID
	}
	if q.Evidence == trace.EvidenceInode && n != nil && n.shared && q.Op == trace.ReqWrite {
		q.Evidence = trace.EvidenceShared
	}
	used := n != nil && n.used
	for _, e := range q.More {
		if m := d.files.at(e.File); m != nil && m.used {
			used = true
		}
	}
	if !traced && !used && !inScope && d.ofOthers(q, own) {
		q.Flags |= trace.ReqForeign
	}
	if !used && own {
		q.Flags |= trace.ReqRecorder
	}
}

// share divides a request of a log or of trees by who changed what it holds, whoever queued it.
func (d *decoder) share(q *trace.Request, own, others uint32) {
	if d.all || q.File != 0 {
		return
	}
	q.Flags &^= trace.ReqForeign | trace.ReqRecorder
	if own == 0 {
		q.Flags |= trace.ReqForeign
		q.Owner = 0
		return
	}
	q.Others = q.Bytes * int64(others) / (int64(own) + int64(others))
}

// ofOthers reports whether a request is not the workload's that no recorded process queued: a journal's is whose its
// transaction is.
func (d *decoder) ofOthers(q *trace.Request, own bool) bool {
	if j := d.journals[q.TID]; q.File == 0 && j != nil && j.known() {
		return j.divide(q)
	}
	return !d.journals.awaited(q) && (own || !d.files.serves(q))
}

func requestOp(op uint32) trace.ReqOp {
	switch op { // enum req_op, linux/blk_types.h
	case 0:
		return trace.ReqRead
	case 1, 7: // write, zone append
		return trace.ReqWrite
	case 2:
		return trace.ReqFlush
	case 3, 5: // discard, secure erase
		return trace.ReqDiscard
	case 9:
		return trace.ReqWriteZeroes
	case 10, 11, 12, 13, 15, 17, 19: // zone management, before and after they were numbered anew
		return trace.ReqZone
	}
	return trace.ReqOther
}

func requestFlags(r *requestHead) trace.ReqFlags {
	var f trace.ReqFlags
	for _, bit := range [...]struct {
		kernel uint32
		flag   trace.ReqFlags
	}{
		{reqSync, trace.ReqSync}, {reqMeta, trace.ReqMeta}, {reqFUA, trace.ReqFUA}, {reqPreflush, trace.ReqPreflush},
		{reqReadahead, trace.ReqReadahead}, {reqBackground, trace.ReqBackground}, {reqPrio, trace.ReqPrio},
		{reqNoMerge, trace.ReqNoMerge},
	} {
		if r.Opf&bit.kernel != 0 {
			f |= bit.flag
		}
	}
	if iotraceReqMarks(r.Marks)&iotraceReqMarksMARK_BIO != 0 {
		f |= trace.ReqBioBased
	}
	if iotraceReqMarks(r.Marks)&iotraceReqMarksMARK_DIRECT != 0 {
		f |= trace.ReqDirect
	}
	if iotraceReqMarks(r.Marks)&iotraceReqMarksMARK_SWAP != 0 {
		f |= trace.ReqSwap
	}
	if iotraceReqMarks(r.Marks)&iotraceReqMarksMARK_PACKED != 0 {
		f |= trace.ReqPacked
	}
	if iotraceReqMarks(r.Marks)&iotraceReqMarksMARK_IDLE != 0 {
		f |= trace.ReqIdle
	}
	if iotraceReqMarks(r.Marks)&iotraceReqMarksMARK_SPARE != 0 && r.Bios == 1 { // others may have more
		f |= trace.ReqSpare
	}
	return f
}

// errnoOf maps blk_status_t (linux/blk_types.h) to an errno.
func errnoOf(status uint8) int32 {
	errnos := [...]int32{ // OK, NOTSUPP, TIMEOUT, NOSPC, TRANSPORT, TARGET, RESV_CONFLICT, MEDIUM, PROTECTION, RESOURCE
		0, 95, 110, 28, 67, 121, 52, 61, 84, 12,
		// IOERR, DM_REQUEUE, AGAIN, DEV_RESOURCE, ZONE_RESOURCE, ZONE_OPEN_RESOURCE, ZONE_ACTIVE_RESOURCE, OFFLINE,
		// DURATION_LIMIT, INVAL
		5, 11, 11, 16, 16, 109, 75, 19, 62, 22,
	}
	if int(status) < len(errnos) {
		return errnos[status]
	}
	if e := int8(status); e < 0 { // until Linux 5.15 the hook has an error number
		return -int32(e)
	}
	return 5
}

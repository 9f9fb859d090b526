package kdebug

import (
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// disks follows the requests of disks.
type disks struct{ *Decoder }

// diskIO pairs the beginning and the end of a disk request by the address of
// its buffer. The end is logged by whichever thread completes it.
func (d disks) diskIO(r *Record) {
	code := r.DebugID & codeMask >> 2
	if code&DiskDone == 0 {
		d.diskStart(r, code)
		return
	}
	q, ok := d.disk[r.Arg[0]]
	if !ok {
		return // it began before the recording, or in a gap
	}
	delete(d.disk, r.Arg[0])
	d.thread(r.Thread).completed = completion{q.tid, r.Time}
	d.ended(q.tid)
	residual := int64(uint32(r.Arg[2]))
	e := trace.Request{
		Queued: -1, Issued: d.at(q.start), Completed: d.at(r.Time), Device: q.device,
		Sector: q.block * uint64(d.blockSize(q.device)) / 512, Bytes: q.bytes,
		Op: trace.ReqWrite, Flags: requestFlags(q.code), PID: q.pid, TID: uint32(q.tid), Offset: trace.NoOffset, Bios: 1,
	}
	if q.code&DiskRead != 0 {
		e.Op = trace.ReqRead
	}
	if residual > 0 && residual <= e.Bytes {
		e.Bytes -= residual
	}
	e.Error = diskErrno(r.Arg[3])
	issuer := d.procs[e.PID]
	d.attribute(&e, d.vnodeFile(r.Arg[1], issuer != nil && issuer.in), q.file)
	d.volumes.settle(&e, q.guess, e.File)
	d.keep(d.sink.Request(&e))
}

func (d disks) diskStart(r *Record, code uint32) {
	if old, taken := d.disk[r.Arg[0]]; taken {
		d.ended(old.tid)
	} else if len(d.disk) >= maxRequests {
		clear(d.disk)
		for _, t := range d.threads {
			t.issued = 0
		}
	}
	q := request{start: r.Time, device: device(r.Arg[1]), block: r.Arg[2], bytes: int64(r.Arg[3]), code: code,
		tid: r.Thread}
	if q.bytes < 0 || q.bytes > 1<<40 {
		return // a damaged record
	}
	if raw := r.Arg[0] == r.Thread; raw && q.device.Major() == memoryMajor {
		delete(d.disk, r.Arg[0])
		return
	}
	d.keep(d.devices.Seen(q.device, d.now))
	if t := d.thread(r.Thread); t.proc != nil {
		q.pid = t.proc.pid
		q.file = d.callFile(t)
	}
	d.thread(r.Thread).issued++
	q.guess = d.volumes.guess(&q, d.at(r.Time))
	d.disk[r.Arg[0]] = q
}

// ended takes note that a request of a thread is no longer under way.
func (d disks) ended(tid uint64) {
	if t := d.threads[tid]; t != nil && t.issued > 0 {
		t.issued--
	}
}

// memoryMajor is the number of /dev/null, /dev/zero and their kin. The kernel has them down as disks (cdevsw of
// bsd/dev/arm64/conf.c and bsd/dev/i386/conf.c) and logs what is read from and written to them. Transfers with
// character devices, raw disks among them, carry the thread in place of a buffer; a block device may have the
// same number.
const memoryMajor = 3

// callFile is the file of the data or sync call that a thread is in, 0 if none.
func (d disks) callFile(t *thread) trace.FileID {
	if !t.call.active || !t.proc.in {
		return 0
	}
	switch callTable[t.call.number].shape {
	case macos.ShapeIO, macos.ShapePIO, macos.ShapeVec, macos.ShapePVec, macos.ShapeGuardIO, macos.ShapeGuardPIO,
		macos.ShapeGuardVec:
		if o := d.fds.Get(t.proc.pid, int32(uint32(t.call.arg[0]))); o != nil {
			return o.File
		}
	}
	return 0
}

// attribute says whose a request is. The vnode that the end of a request names
// is the file of its data; it is as good as the inode on other systems. Where
// it is the file that the issuing call works on, nothing better can be known.
func (d disks) attribute(e *trace.Request, file, callFile trace.FileID) {
	if e.PID == d.self && d.self != 0 {
		e.Flags |= trace.ReqRecorder
		return
	}
	issuer := d.procs[e.PID]
	recorded := issuer != nil && issuer.in
	if recorded {
		e.Owner = e.PID
	}
	if e.File = file; file == 0 {
		if !recorded {
			e.Flags |= trace.ReqForeign
		}
		return
	}
	writer, shared := d.files.Writer(file)
	switch {
	case file == callFile:
		e.Evidence = trace.EvidenceExact
	case e.Op == trace.ReqWrite && shared:
		e.Evidence = trace.EvidenceShared
	default:
		e.Evidence = trace.EvidenceInode
	}
	if !recorded && writer != 0 {
		e.Owner = writer
	}
}

// blockSize is the unit of a device's block numbers: 4096 bytes on the internal
// disks of Apple silicon, 512 where the device is not known.
func (d disks) blockSize(dev trace.DeviceID) int64 {
	if n := d.devices.Block(dev); n > 0 {
		return n
	}
	return 512
}

// The disk ioctls that are requests (bsd/sys/disk.h), by group and number:
// DKIOCSYNCHRONIZE and DKIOCSYNCHRONIZECACHE are 'd' 22, DKIOCUNMAP is 'd' 31.
const (
	ioctlSynchronize = 'd'<<8 | 22
	ioctlUnmap       = 'd'<<8 | 31
)

// diskIoctl turns cache flushes and trims into requests.
func (d disks) diskIoctl(r *Record) {
	t := d.thread(r.Thread)
	switch r.DebugID & idMask {
	case TrimExtent:
		d.ioctlRequest(t, r, trace.ReqDiscard, device(r.Arg[0]), r.Arg[1], int64(r.Arg[2]))
	case SpecIoctl:
		switch {
		case r.DebugID&funcMask == 0:
			return // the driver's own note within the call
		case r.DebugID&FuncEnd == 0:
			t.disk = pendingIoctl{active: true, start: r.Time, device: device(r.Arg[0])}
			switch r.Arg[1] & 0xffff {
			case ioctlSynchronize:
				t.disk.op = trace.ReqFlush
			case ioctlUnmap:
				t.disk.op = trace.ReqDiscard
			}
			return
		}
		if t.disk.active && t.disk.op == trace.ReqFlush {
			d.ioctlRequest(t, r, trace.ReqFlush, t.disk.device, 0, 0)
		}
		t.disk = pendingIoctl{}
	}
}

func (d disks) ioctlRequest(t *thread, r *Record, op trace.ReqOp, dev trace.DeviceID, block uint64, bytes int64) {
	if bytes < 0 {
		return
	}
	d.keep(d.devices.Seen(dev, d.now))
	e := trace.Request{Queued: -1, Issued: d.at(r.Time), Completed: d.at(r.Time), Device: dev,
		Sector: block * uint64(d.blockSize(dev)) / 512, Bytes: bytes, Op: op, Flags: trace.ReqSync, TID: uint32(t.tid),
		Offset: trace.NoOffset, Bios: 1}
	if t.disk.active {
		e.Issued = d.at(t.disk.start)
	}
	if t.proc != nil {
		e.PID = t.proc.pid
	}
	if op == trace.ReqFlush {
		e.Error = diskErrno(r.Arg[3])
	}
	d.attribute(&e, 0, 0)
	d.keep(d.sink.Request(&e))
}

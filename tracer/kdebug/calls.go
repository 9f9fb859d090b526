package kdebug

import (
	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// calls pairs the beginnings and ends of system calls and finishes them.
type calls struct{ *Decoder }

// call takes the beginning or the end of a system call.
func (d calls) call(r *Record) {
	number := uint16(r.DebugID & codeMask >> 2)
	if number >= maxCall {
		return
	}
	t := d.thread(r.Thread)
	if t.inside = number; r.DebugID&FuncEnd != 0 {
		t.inside = 0
		d.callEnd(t, r, number)
		return
	}
	if t.proc != nil && t.proc.pid == d.self && d.self != 0 {
		d.ownSeen = true
	}
	if !callTable[number].ok || t.outside() {
		t.call.active = false
		return
	}
	t.seen = true
	d.volumes.leave(t, 0, d.now) // one whose end was not logged
	t.call = pending{active: true, number: number, start: r.Time, arg: r.Arg}
	t.look.reset()
	if t.proc != nil {
		d.volumes.begin(t)
	}
}

func (d calls) callEnd(t *thread, r *Record, number uint16) {
	pid := uint32(r.Arg[3])
	if t.proc == nil || t.proc.pid != pid {
		t.proc = d.process(pid)
	}
	p := t.proc
	if pid == d.self && d.self != 0 {
		d.ownSeen = true
		return
	}
	processes(d).adopt(p)
	k := &callTable[number]
	if !k.ok || !p.in {
		t.call.active = false
		return
	}
	before := !t.call.active && !t.seen && d.stats.Lost == 0 // it was under way when recording began
	t.seen = true
	if !t.call.active || t.call.number != number {
		d.stats.Orphans++
		d.volumes.leave(t, 0, d.now)
		t.call = pending{number: number, start: r.Time}
		t.look.reset()
	}
	d.fin = finished{t: t, p: p, k: *k, partial: !t.call.active}
	c := &d.fin
	t.call.active = false
	c.end = d.at(r.Time)
	c.Start = d.at(t.call.start)
	c.Duration = max(c.end-c.Start, 0)
	c.PID, c.TID = p.pid, uint32(t.tid)
	c.FD, c.FD2 = -1, -1
	c.Offset, c.Offset2 = trace.NoOffset, trace.NoOffset
	c.result(r)
	d.volumes.leave(t, c.Result, c.end)
	c.silent = before || c.Start < 0 || p.held
	if !p.asked {
		processes(d).inspect(p)
		p.asked = true
	}
	d.finish(c)
	t.look.reset()
}

// finish works out what the call did and writes its event.
func (d calls) finish(c *finished) {
	c.Flags = c.k.flags
	if c.partial {
		c.Flags |= trace.FlagPartial
	}
	switch c.k.shape {
	case macos.ShapeExit, macos.ShapeFork, macos.ShapeExec, macos.ShapeSpawn:
		return // the trace points of threads and processes tell more
	case macos.ShapeSocket, macos.ShapePipe:
		naming(d).finishUnnamed(c)
		return
	case macos.ShapeChdir, macos.ShapeFchdir, macos.ShapeThreadChdir, macos.ShapeThreadFchdir:
		naming(d).finishChdir(c)
		return
	case macos.ShapeIO, macos.ShapePIO, macos.ShapeVec, macos.ShapePVec, macos.ShapeGuardIO, macos.ShapeGuardPIO,
		macos.ShapeGuardVec:
		d.finishIO(c)
	case macos.ShapeOpen, macos.ShapeOpenAt, macos.ShapeGuardOpen, macos.ShapeOpenByID:
		naming(d).finishOpen(c)
	case macos.ShapeClose, macos.ShapeDup, macos.ShapeDup2, macos.ShapeFcntl:
		naming(d).finishDescriptor(c)
	case macos.ShapeSeek, macos.ShapeFtruncate, macos.ShapeFD, macos.ShapeFDBuf, macos.ShapeSendfile:
		d.finishFD(c)
	case macos.ShapeMmap:
		if !d.finishMmap(c) {
			return
		}
	case macos.ShapeRange:
		d.finishRange(c)
	case macos.ShapeAIO, macos.ShapeAIOReturn:
		d.finishAIO(c)
	default:
		naming(d).finishPath(c)
	}
	if c.silent || c.k.op == trace.OpOther {
		return
	}
	c.Op, c.Call = c.k.op, c.k.index
	d.keep(d.sink.Syscall(&c.Syscall))
}

// setFD names the call's descriptor and its file.
func (d calls) setFD(c *finished, fd int32) *fdtable.Open {
	c.FD = fd
	o := d.fds.At(c.p.pid, fd, c.end)
	if o != nil {
		c.File = o.File
		c.Flags |= o.Flags & macos.PerOpen
	}
	return o
}

func (d calls) finishIO(c *finished) {
	o := d.setFD(c, c.fd(0))
	c.Requested = int64(c.arg(2))
	at := trace.NoOffset
	switch c.k.shape {
	case macos.ShapeGuardIO:
		c.Requested = int64(c.arg(3))
	case macos.ShapePIO, macos.ShapePVec:
		if !c.partial {
			at = int64(c.arg(3))
		}
	case macos.ShapeGuardPIO: // the offset is the fifth argument: only in the extra record
		c.Requested = int64(c.arg(3))
		if e := c.t.call.extra; c.t.call.ext && !c.partial {
			at = int64(uint64(uint32(e[2]))<<32 | uint64(uint32(e[3])))
		} else {
			c.Flags |= trace.FlagPartial
		}
	}
	if c.Flags&trace.FlagVectored != 0 || c.partial || c.Requested < 0 {
		// The lengths are in user memory; what was moved is the least it asked for.
		c.Requested = max(c.Result, 0)
		c.Flags |= trace.FlagPartial
	}
	write := c.k.op == trace.OpWrite
	if c.Flags&trace.FlagPositioned == 0 && o != nil {
		at = o.Advance(c.Result, d.files.Size(c.File), write)
	}
	if at < 0 || c.k.op == trace.OpReaddir {
		at = trace.NoOffset
	}
	c.Offset = at
	switch {
	case !write || c.Result <= 0:
	case c.File == 0:
		d.files.ForgetSizes()
	default:
		d.files.Wrote(c.File, c.p.pid, at, c.Result)
	}
}

func (d calls) finishFD(c *finished) {
	o := d.setFD(c, c.fd(0))
	switch c.k.shape {
	case macos.ShapeSeek:
		if whence := c.arg(2); whence == macos.SeekHole || whence == macos.SeekData {
			c.Flags |= trace.FlagHole
		}
		if c.Result >= 0 {
			c.Offset = c.Result
			if o != nil {
				o.Offset = c.Result
			}
		}
	case macos.ShapeFtruncate:
		c.Requested = max(int64(c.arg(1)), 0)
		if c.Result >= 0 && !c.partial {
			d.files.Truncated(c.File, c.Requested)
			d.files.Wrote(c.File, c.p.pid, 0, 0)
		}
	case macos.ShapeFDBuf:
		c.Requested = max(int64(c.arg(3)), 0)
	case macos.ShapeSendfile:
		c.FD2 = c.fd(1)
		if o2 := d.fds.At(c.p.pid, c.FD2, c.end); o2 != nil {
			c.File2 = o2.File
		}
		c.Offset = max(int64(c.arg(2)), trace.NoOffset)
		c.Flags |= trace.FlagPartial // the length is in user memory
	}
}

func (d calls) finishMmap(c *finished) bool {
	if c.partial || !macos.MapsFile(c.arg(3)) {
		return false
	}
	c.Requested = max(int64(c.arg(1)), 0)
	c.Flags |= macos.MmapFlags(c.arg(2), c.arg(3))
	if !c.t.call.ext {
		c.Flags |= trace.FlagPartial // which file it is stands in the record that is missing
		return true
	}
	e, e2 := c.t.call.extra, c.t.call.extra2
	d.setFD(c, int32(uint32(e[0])))
	if c.t.call.ext2 {
		c.Offset = max(int64(uint64(uint32(e2[2]))<<32|uint64(uint32(e2[3]))), trace.NoOffset)
		if c.Result >= 0 && c.File != 0 {
			if len(c.p.maps) >= maxMappings {
				c.p.maps = c.p.maps[1:]
			}
			addr := uint64(uint32(e2[0]))<<32 | uint64(uint32(e[1]))
			c.p.maps = append(c.p.maps, mapping{addr, uint64(c.Requested), c.File, c.Offset})
		}
	}
	return true
}

// finishRange ties msync to the file that is mapped there.
func (d calls) finishRange(c *finished) {
	addr := c.arg(0)
	c.Requested = max(int64(c.arg(1)), 0)
	for i := len(c.p.maps) - 1; i >= 0; i-- {
		if m := c.p.maps[i]; addr >= m.addr && addr-m.addr < m.size {
			c.File = m.file
			c.Offset = m.offset + int64(addr-m.addr)
			return
		}
	}
}

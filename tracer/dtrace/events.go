package dtrace

import (
	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// call turns a finished call into its event.
func (d *decoder) call(r *Record) error {
	k, ok := d.calls[r.Call]
	if !ok {
		d.count.Damaged++
		return nil
	}
	p, err := d.known(r)
	if err != nil {
		return err
	}
	e := trace.Syscall{Start: d.at(r.Start), Duration: r.Time - r.Start, PID: r.PID, TID: r.TID, Op: k.op, Call: k.index,
		FD: -1, FD2: -1, Offset: trace.NoOffset, Offset2: trace.NoOffset, Result: r.Result}
	if r.Errno != 0 {
		e.Result = -r.Errno
		if d.cfg.Platform == Darwin {
			e.Result = -macos.Errno(r.Errno)
		}
	}
	if k.lay.length != "" {
		e.Requested = max(r.Length, 0)
	}
	c := pendingCall{d: d, r: r, p: p, k: k, e: &e}
	emit, err := c.fill()
	if err != nil || !emit || p.held || e.Start < 0 || e.Op == trace.OpOther {
		return err
	}
	return d.sink.Syscall(&e)
}

// pendingCall is a call on its way to being an event.
type pendingCall struct {
	d *decoder
	r *Record
	p *process
	k known
	e *trace.Syscall
}

// fd names a descriptor and returns its open file.
func (c *pendingCall) fd(n int32) *fdtable.Open {
	c.e.FD = n
	o := c.d.fds.At(c.r.PID, n, c.d.at(c.r.Time))
	if o != nil {
		c.e.File = o.File
		c.e.Flags |= o.Flags & keep
	}
	return o
}

// keep are the flags that an open file gives to its calls.
const keep = macos.PerOpen | trace.FlagDirect

// fill works out what the call did. It reports whether an event comes of it.
func (c *pendingCall) fill() (bool, error) {
	d, r, e := c.d, c.r, c.e
	end := d.at(r.Time)
	switch c.k.shape {
	case shIO, shPIO, shVec, shPVec:
		c.moved()
	case shCopy:
		c.copied(end)
	case shOpen:
		return true, naming{c}.opened(end)
	case shClose:
		c.fd(r.FD)
		if e.Result >= 0 {
			d.fds.Close(r.PID, r.FD)
		}
	case shDup:
		c.duplicated()
	case shCloses:
		c.closedMany()
	case shFcntl:
		return c.fcntl(), nil
	case shIoctl:
		return c.ioctl(), nil
	case shSeek:
		o := c.fd(r.FD)
		if r.Flags == 3 || r.Flags == 4 { // SEEK_DATA and SEEK_HOLE, in either order
			e.Flags |= trace.FlagHole
		}
		if e.Result >= 0 {
			if e.Offset = e.Result; o != nil {
				o.Offset = e.Result
			}
		}
	case shMmap:
		c.mapped()
	case shRange:
		c.e.Requested = max(r.Length, 0)
		for i := len(c.p.maps) - 1; i >= 0; i-- {
			if m := c.p.maps[i]; uint64(r.Offset) >= m.addr && uint64(r.Offset)-m.addr < m.size {
				e.File, e.Offset = m.file, m.offset+int64(uint64(r.Offset)-m.addr)
				break
			}
		}
		return e.File != 0 || e.Op != trace.OpAdvise, nil // how memory is used that is no file's is no event
	case shFork:
		e.Op = linux.CloneOp(uint64(r.Flags))
	case shChdir:
		return false, naming{c}.chdir(end)
	default:
		return true, naming{c}.named(end)
	}
	return true, nil
}

func (c *pendingCall) moved() {
	d, r, e := c.d, c.r, c.e
	o := c.fd(r.FD)
	positioned := c.k.shape == shPIO || c.k.shape == shPVec
	if positioned {
		e.Flags |= trace.FlagPositioned
		e.Offset = max(r.Offset, trace.NoOffset)
	}
	if c.k.shape == shVec || c.k.shape == shPVec {
		e.Flags |= trace.FlagVectored | trace.FlagPartial // the lengths are in the program's memory
		e.Requested = max(e.Result, 0)
	}
	write := e.Op == trace.OpWrite
	if o != nil && e.Offset == trace.NoOffset { // preadv2 with offset -1 uses the descriptor's as well
		e.Offset = o.Advance(e.Result, d.files.Size(e.File), write)
	}
	d.wrote(write, e.File, r.PID, e.Offset, e.Result)
}

// copied handles the calls that move data between two descriptors. An offset
// that was passed by pointer is in the line; otherwise the descriptor's counts.
func (c *pendingCall) copied(end int64) {
	d, r, e := c.d, c.r, c.e
	from := c.fd(r.FD)
	e.FD2 = r.FD2
	to := d.fds.At(r.PID, r.FD2, end)
	e.Offset, e.Offset2 = max(r.Offset, trace.NoOffset), max(r.Offset2, trace.NoOffset)
	if from != nil && e.Offset == trace.NoOffset {
		e.Offset = from.Advance(e.Result, trace.NoOffset, false)
	}
	if to != nil {
		e.File2 = to.File
		if e.Offset2 == trace.NoOffset {
			e.Offset2 = to.Advance(e.Result, d.files.Size(to.File), true)
		}
	}
	d.wrote(true, e.File2, r.PID, e.Offset2, e.Result)
	if d.cfg.Platform == Darwin {
		e.Flags |= trace.FlagPartial // sendfile returns its length in memory
	}
}

func (c *pendingCall) duplicated() {
	c.fd(c.r.FD)
	if c.e.Result >= 0 {
		c.d.fds.Dup(c.r.PID, c.r.FD, int32(c.e.Result), false)
		c.e.FD2, c.e.File2 = int32(c.e.Result), c.e.File
	}
}

// closedMany ends the descriptors of a close_range, which are unsigned.
func (c *pendingCall) closedMany() {
	if c.e.Result >= 0 {
		c.d.fds.CloseRange(c.r.PID, uint32(c.r.FD), uint32(c.r.FD2), c.r.Flags&linux.CloseRangeOnExec != 0)
	}
}

// fcntl follows the commands that change a descriptor. On Linux only locks are
// events, as in the eBPF backend; on macOS much of a file's I/O control is here.
func (c *pendingCall) fcntl() bool {
	d, r, e := c.d, c.r, c.e
	o := c.fd(r.FD)
	e.Requested = 0
	const linuxDup, linuxDupCloexec, setFD, setFL = 0, 1030, 2, 4
	dup, cloexec, clofork := r.Flags == linuxDup || r.Flags == linuxDupCloexec, r.Flags == linuxDupCloexec, false
	if d.cfg.Platform == Darwin {
		dup, cloexec, clofork = macos.Duplicates(r.Flags)
	}
	if e.Result >= 0 {
		if dup {
			d.fds.Dup(r.PID, r.FD, int32(e.Result), cloexec)
			d.fds.CloseOnFork(r.PID, int32(e.Result), clofork)
			e.FD2, e.File2 = int32(e.Result), e.File
		}
		switch r.Flags {
		case setFD:
			d.fds.CloseOnExec(r.PID, r.FD, r.Length&macos.FDCloexec != 0)
			d.fds.CloseOnFork(r.PID, r.FD, d.cfg.Platform == Darwin && r.Length&macos.FDClofork != 0)
		case setFL:
			if o != nil {
				const settable = trace.FlagAppend | trace.FlagNoWait | trace.FlagDirect
				f, _ := d.openFlags(uint64(r.Length))
				o.Flags = o.Flags&^settable | f&settable
			}
		}
	}
	if d.cfg.Platform == Linux {
		return r.Flags >= 5 && r.Flags <= 7 || r.Flags >= 36 && r.Flags <= 38
	}
	for i, m := range macos.Commands {
		if m.Number == r.Flags {
			e.Op, e.Call = m.Op, uint16(len(darwinCalls)+i)
			e.Flags |= m.Flags
		}
	}
	if (r.Flags == macos.FNoCache || r.Flags == macos.FNoCacheExt) && o != nil && e.Result >= 0 {
		if o.Flags &^= trace.FlagNoCache; r.Length != 0 {
			o.Flags |= trace.FlagNoCache
		}
	}
	if r.Flags == macos.FNoCache && r.Length == 0 {
		e.Flags &^= trace.FlagNoCache
	}
	return true
}

func (c *pendingCall) ioctl() bool {
	d, r, e := c.d, c.r, c.e
	c.fd(r.FD)
	e.Requested = 0
	if d.cfg.Platform == Darwin {
		return true
	}
	if e.Op = linux.IoctlOp(uint32(r.Flags)); e.Op == trace.OpIoctl {
		return false
	}
	switch uint32(r.Flags) {
	case linux.FIClone: // the argument is the source, the descriptor the destination
		e.FD2, e.File2 = e.FD, e.File
		e.File = 0
		c.fd(int32(r.Length))
		e.Offset, e.Offset2 = 0, 0
		d.files.Wrote(e.File2, r.PID, trace.NoOffset, 0)
	case linux.FICloneRange:
		e.FD2, e.File2, e.File, e.FD = e.FD, e.File, 0, -1
		d.files.Wrote(e.File2, r.PID, trace.NoOffset, 0)
	}
	return true
}

func (c *pendingCall) mapped() {
	r, e := c.r, c.e
	c.fd(r.FD)
	e.Offset = max(r.Offset, trace.NoOffset)
	flags := r.Flags >> 8
	if c.d.cfg.Platform == Linux && flags&3 == 2 { // MAP_PRIVATE
		flags = 0
	}
	e.Flags |= macos.MmapFlags(r.Flags&0xff, flags)
	if r.Errno != 0 {
		return
	}
	addr := uint64(e.Result)
	e.Result = 0 // an address is no result
	if e.File == 0 {
		return
	}
	if len(c.p.maps) >= maxMappings {
		c.p.maps = c.p.maps[1:]
	}
	c.p.maps = append(c.p.maps, mapping{addr, uint64(e.Requested), e.File, e.Offset})
	if e.Flags&(trace.FlagShared|trace.FlagWrite) == trace.FlagShared|trace.FlagWrite {
		c.d.files.Wrote(e.File, r.PID, trace.NoOffset, 0)
	}
}

package dtrace

import (
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/fdtable"
	"github.com/iotrace/iotrace/tracer/linux"
	"github.com/iotrace/iotrace/tracer/machine"
	"github.com/iotrace/iotrace/tracer/macos"
)

// call turns a finished call into its event.
func (d *Decoder) call(r *record) error {
	k, ok := d.calls[r.call]
	if !ok {
		d.count.Damaged++
		return nil
	}
	p, err := d.known(r)
	if err != nil {
		return err
	}
	e := trace.Syscall{Start: d.at(r.start), Duration: r.time - r.start, PID: r.pid, TID: r.tid, Op: k.op, Call: k.index,
		FD: -1, FD2: -1, Offset: trace.NoOffset, Offset2: trace.NoOffset, Result: r.result}
	if r.errno != 0 {
		e.Result = -r.errno
		if d.cfg.Platform == Darwin {
			e.Result = -macos.Errno(r.errno)
		}
	}
	if k.lay.length != "" {
		e.Requested = max(r.length, 0)
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
	d *Decoder
	r *record
	p *process
	k known
	e *trace.Syscall
}

// fd names a descriptor and returns its open file.
func (c *pendingCall) fd(n int32) *fdtable.Open {
	c.e.FD = n
	o := c.d.fds.At(c.r.pid, n, c.d.at(c.r.time))
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
	end := d.at(r.time)
	switch c.k.shape {
	case shIO, shPIO, shVec, shPVec:
		c.moved()
	case shCopy:
		c.copied(end)
	case shOpen:
		return true, c.opened(end)
	case shClose:
		c.fd(r.fd)
		if e.Result >= 0 {
			d.fds.Close(r.pid, r.fd)
		}
	case shDup:
		c.duplicated()
	case shFcntl:
		return c.fcntl(), nil
	case shIoctl:
		return c.ioctl(), nil
	case shSeek:
		o := c.fd(r.fd)
		if r.flags == 3 || r.flags == 4 { // SEEK_DATA and SEEK_HOLE, in either order
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
		c.e.Requested = max(r.length, 0)
		for i := len(c.p.maps) - 1; i >= 0; i-- {
			if m := c.p.maps[i]; uint64(r.offset) >= m.addr && uint64(r.offset)-m.addr < m.size {
				e.File, e.Offset = m.file, m.offset+int64(uint64(r.offset)-m.addr)
				break
			}
		}
	case shChdir:
		return false, c.chdir(end)
	default:
		return true, c.named(end)
	}
	return true, nil
}

func (c *pendingCall) moved() {
	d, r, e := c.d, c.r, c.e
	o := c.fd(r.fd)
	positioned := c.k.shape == shPIO || c.k.shape == shPVec
	if positioned {
		e.Flags |= trace.FlagPositioned
		e.Offset = max(r.offset, trace.NoOffset)
	}
	if c.k.shape == shVec || c.k.shape == shPVec {
		e.Flags |= trace.FlagVectored | trace.FlagPartial // the lengths are in the program's memory
		e.Requested = max(e.Result, 0)
	}
	write := e.Op == trace.OpWrite
	if o != nil && e.Offset == trace.NoOffset { // preadv2 with offset -1 uses the descriptor's as well
		e.Offset = o.Advance(e.Result, d.files.Size(e.File), write)
	}
	d.wrote(write, e.File, r.pid, e.Offset, e.Result)
}

func (d *Decoder) wrote(write bool, file trace.FileID, pid uint32, off, n int64) {
	switch {
	case !write || n <= 0:
	case file == 0:
		d.files.ForgetSizes()
	default:
		d.files.Wrote(file, pid, off, n)
	}
}

// copied handles the calls that move data between two descriptors. An offset
// that was passed by pointer is in the line; otherwise the descriptor's counts.
func (c *pendingCall) copied(end int64) {
	d, r, e := c.d, c.r, c.e
	from := c.fd(r.fd)
	e.FD2 = r.fd2
	to := d.fds.At(r.pid, r.fd2, end)
	e.Offset, e.Offset2 = max(r.offset, trace.NoOffset), max(r.offset2, trace.NoOffset)
	if from != nil && e.Offset == trace.NoOffset {
		e.Offset = from.Advance(e.Result, trace.NoOffset, false)
	}
	if to != nil {
		e.File2 = to.File
		if e.Offset2 == trace.NoOffset {
			e.Offset2 = to.Advance(e.Result, d.files.Size(to.File), true)
		}
	}
	d.wrote(true, e.File2, r.pid, e.Offset2, e.Result)
	if d.cfg.Platform == Darwin {
		e.Flags |= trace.FlagPartial // sendfile returns its length in memory
	}
}

func (d *Decoder) openFlags(o uint64) (f trace.IOFlags, cloexec bool) {
	if d.cfg.Platform == Darwin {
		return macos.OpenFlags(o), o&macos.OCloexec != 0
	}
	return machine.LinuxOpenFlags(o), o&machine.LinuxCloexec != 0
}

func (c *pendingCall) duplicated() {
	c.fd(c.r.fd)
	if c.e.Result >= 0 {
		c.d.fds.Dup(c.r.pid, c.r.fd, int32(c.e.Result), false)
		c.e.FD2, c.e.File2 = int32(c.e.Result), c.e.File
	}
}

// fcntl follows the commands that change a descriptor. On Linux only locks are
// events, as in the eBPF backend; on macOS much of a file's I/O control is here.
func (c *pendingCall) fcntl() bool {
	d, r, e := c.d, c.r, c.e
	o := c.fd(r.fd)
	e.Requested = 0
	dup, dupCloexec, setFD, setFL := uint64(0), uint64(1030), uint64(2), uint64(4)
	if d.cfg.Platform == Darwin {
		dupCloexec = macos.FDupFDCloexec
	}
	if e.Result >= 0 {
		switch r.flags {
		case dup, dupCloexec:
			d.fds.Dup(r.pid, r.fd, int32(e.Result), r.flags == dupCloexec)
			e.FD2, e.File2 = int32(e.Result), e.File
		case setFD:
			d.fds.CloseOnExec(r.pid, r.fd, r.length&1 != 0)
		case setFL:
			if o != nil {
				const settable = trace.FlagAppend | trace.FlagNoWait | trace.FlagDirect
				f, _ := d.openFlags(uint64(r.length))
				o.Flags = o.Flags&^settable | f&settable
			}
		}
	}
	if d.cfg.Platform == Linux {
		return r.flags >= 5 && r.flags <= 7 || r.flags >= 36 && r.flags <= 38
	}
	for i, m := range macos.Commands {
		if m.Number == r.flags {
			e.Op, e.Call = m.Op, uint16(len(darwinCalls)+i)
			e.Flags |= m.Flags
		}
	}
	if (r.flags == macos.FNoCache || r.flags == macos.FNoCacheExt) && o != nil && e.Result >= 0 {
		if o.Flags &^= trace.FlagNoCache; r.length != 0 {
			o.Flags |= trace.FlagNoCache
		}
	}
	if r.flags == macos.FNoCache && r.length == 0 {
		e.Flags &^= trace.FlagNoCache
	}
	return true
}

func (c *pendingCall) ioctl() bool {
	d, r, e := c.d, c.r, c.e
	c.fd(r.fd)
	e.Requested = 0
	if d.cfg.Platform == Darwin {
		return true
	}
	if e.Op = linux.IoctlOp(uint32(r.flags)); e.Op == trace.OpIoctl {
		return false
	}
	switch uint32(r.flags) {
	case linux.FIClone: // the argument is the source, the descriptor the destination
		e.FD2, e.File2 = e.FD, e.File
		e.File = 0
		c.fd(int32(r.length))
		e.Offset, e.Offset2 = 0, 0
		d.files.Wrote(e.File2, r.pid, trace.NoOffset, 0)
	case linux.FICloneRange:
		e.FD2, e.File2, e.File, e.FD = e.FD, e.File, 0, -1
		d.files.Wrote(e.File2, r.pid, trace.NoOffset, 0)
	}
	return true
}

func (c *pendingCall) mapped() {
	r, e := c.r, c.e
	c.fd(r.fd)
	e.Offset = max(r.offset, trace.NoOffset)
	flags := r.flags >> 8
	if c.d.cfg.Platform == Linux && flags&3 == 2 { // MAP_PRIVATE
		flags = 0
	}
	e.Flags |= macos.MmapFlags(r.flags&0xff, flags)
	if r.errno != 0 {
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
		c.d.files.Wrote(e.File, r.pid, trace.NoOffset, 0)
	}
}

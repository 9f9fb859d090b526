package dtrace

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/fdtable"
	"github.com/iotrace/iotrace/tracer/macos"
)

func (c *pendingCall) opened(end int64) (err error) {
	d, r, e := c.d, c.r, c.e
	flags, cloexec := d.openFlags(r.flags)
	e.Flags |= flags
	dir := r.fd2
	if c.k.lay.fd2 == "" {
		dir = d.cwdFD()
	}
	if e.File, err = c.openedFile(r.path, dir, end); err != nil || e.Result < 0 {
		return err
	}
	e.FD = int32(e.Result)
	if flags&trace.FlagTrunc != 0 || flags&(trace.FlagCreate|trace.FlagExcl) == trace.FlagCreate|trace.FlagExcl {
		d.files.Truncated(e.File, 0)
	}
	d.fds.Set(r.pid, e.FD, &fdtable.Open{File: e.File, Flags: flags, Dir: d.files.Path(e.File), Stream: d.files.Stream(e.File)}, cloexec)
	return nil
}

func (c *pendingCall) chdir(end int64) error {
	if c.e.Result < 0 {
		return nil
	}
	dir := ""
	if c.k.lay.path != "" {
		dir = string(c.absolute(c.r.path, c.d.cwdFD()))
	} else if o := c.d.fds.Get(c.r.pid, c.r.fd); o != nil {
		dir = o.Dir
	}
	if strings.HasPrefix(dir, "/") {
		c.p.cwd = dir
	}
	return nil
}

// cwdFD is the number that stands for the working directory in *at calls.
func (d *Decoder) cwdFD() int32 {
	if d.cfg.Platform == Darwin {
		return macos.ATFdCwd
	}
	return -100
}

// absolute makes a path that a call was given absolute. An empty one means the
// descriptor itself (AT_EMPTY_PATH).
func (c *pendingCall) absolute(path string, dir int32) []byte {
	base := ""
	if dir == c.d.cwdFD() {
		base = c.p.cwd
	} else if o := c.d.fds.Get(c.r.pid, dir); o != nil {
		base = o.Dir
	}
	if path == "" {
		return []byte(base)
	}
	if path[0] == '/' {
		base = ""
	}
	return macos.AppendGiven(nil, base, []byte(path))
}

func (c *pendingCall) file(path string, dir int32, now int64) (trace.FileID, error) {
	if path == "" && dir == c.d.cwdFD() {
		c.e.Flags |= trace.FlagPartial // it could not be read
		return 0, nil
	}
	if path == "" {
		if o := c.d.fds.Get(c.r.pid, dir); o != nil {
			return o.File, nil
		}
		return 0, nil
	}
	abs := c.absolute(path, dir)
	id, err := c.d.files.ID(abs, max(now, 0), 0)
	c.d.remember(string(abs), id)
	return id, err
}

// openedFile is the file that an open led to, behind symbolic links.
func (c *pendingCall) openedFile(path string, dir int32, now int64) (trace.FileID, error) {
	m := c.d.cfg.Machine
	if m == nil || c.e.Result < 0 || path == "" {
		return c.file(path, dir, now)
	}
	given := c.own(string(c.absolute(path, dir)))
	if real, ok := c.d.links[given]; ok { // the file there may be a new one
		return c.file(real, dir, now)
	}
	real := m.Resolve(given)
	if real == "" || real == given {
		return c.file(given, dir, now)
	}
	if len(c.d.links) >= maxSuffixes {
		clear(c.d.links)
	}
	c.d.links[given] = real
	return c.file(real, dir, now)
}

// own puts a process in the place of what stands for the caller in /proc, which
// would be the recorder for whoever looks there.
func (c *pendingCall) own(path string) string {
	if rest, ok := strings.CutPrefix(path, "/proc/self/"); ok && c.d.cfg.Platform == Linux {
		return fmt.Sprintf("/proc/%d/%s", c.r.pid, rest)
	}
	if rest, ok := strings.CutPrefix(path, "/proc/thread-self/"); ok && c.d.cfg.Platform == Linux {
		return fmt.Sprintf("/proc/%d/task/%d/%s", c.r.pid, c.r.tid, rest)
	}
	return path
}

// named handles the calls that name files by path, and those on a descriptor
// that do no more than that.
func (c *pendingCall) named(end int64) (err error) {
	d, r, e, lay := c.d, c.r, c.e, c.k.lay
	dir, dir2 := d.cwdFD(), d.cwdFD()
	switch {
	case lay.path == "" && lay.fd != "":
		c.fd(r.fd)
	case lay.path != "" && lay.fd != "":
		if dir = r.fd; lay.path2 == "" {
			e.FD = r.fd
		}
	}
	if lay.fd2 != "" {
		dir2 = r.fd2
	}
	if c.k.shape == shRename && e.Result >= 0 {
		return c.renamed(dir, dir2, end)
	}
	if lay.path != "" {
		if e.File, err = c.file(r.path, dir, end); err != nil {
			return err
		}
	}
	if lay.path2 != "" {
		if e.File2, err = c.file(r.path2, dir2, end); err != nil {
			return err
		}
	}
	if lay.offset != "" {
		e.Offset = max(r.offset, trace.NoOffset)
	}
	if e.Result < 0 {
		return nil
	}
	switch c.k.shape {
	case shUnlink:
		d.files.Unlinked([]byte(d.files.Path(e.File)))
	case shTruncate:
		d.files.Truncated(e.File, e.Requested)
		d.files.Wrote(e.File, r.pid, 0, 0)
	case shClone:
		d.files.Wrote(e.File2, r.pid, trace.NoOffset, 0)
	}
	if e.Op == trace.OpAllocate {
		if r.flags&2 != 0 { // FALLOC_FL_PUNCH_HOLE
			e.Op = trace.OpPunch
		}
		d.files.Wrote(e.File, r.pid, trace.NoOffset, 0)
	}
	return nil
}

func (c *pendingCall) renamed(dir, dir2 int32, end int64) (err error) {
	d, r, e := c.d, c.r, c.e
	if e.File, err = c.file(r.path, dir, end); err != nil {
		return err
	}
	from, to := c.absolute(r.path, dir), c.absolute(r.path2, dir2)
	e.File2, err = d.files.Renamed(from, to, max(end, 0))
	d.remember(string(to), e.File2)
	return err
}

package dtrace

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// naming is a call that names files by their paths.
type naming struct{ *pendingCall }

func (c naming) opened(end int64) (err error) {
	d, r, e := c.d, c.r, c.e
	flags, cloexec := d.openFlags(r.Flags)
	e.Flags |= flags
	dir := r.FD2
	if c.k.lay.fd2 == "" {
		dir = d.cwdFD()
	}
	if e.File, err = c.openedFile(r.Path, dir, end); err != nil || e.Result < 0 {
		return err
	}
	e.FD = int32(e.Result)
	if flags&trace.FlagTrunc != 0 || flags&(trace.FlagCreate|trace.FlagExcl) == trace.FlagCreate|trace.FlagExcl {
		d.files.Truncated(e.File, 0)
	}
	d.fds.Set(r.PID, e.FD, &fdtable.Open{File: e.File, Flags: flags, Dir: d.files.Path(e.File),
		Stream: d.files.Stream(e.File)}, cloexec)
	return nil
}

func (c naming) chdir(end int64) error {
	if c.e.Result < 0 {
		return nil
	}
	dir := ""
	if c.k.lay.path != "" {
		dir = string(c.absolute(c.r.Path, c.d.cwdFD()))
	} else if o := c.d.fds.Get(c.r.PID, c.r.FD); o != nil {
		dir = o.Dir
	}
	if strings.HasPrefix(dir, "/") {
		c.p.cwd = dir
	}
	return nil
}

// absolute makes a path that a call was given absolute. An empty one means the
// descriptor itself (AT_EMPTY_PATH).
func (c naming) absolute(path string, dir int32) []byte {
	base := ""
	if dir == c.d.cwdFD() {
		base = c.p.cwd
	} else if o := c.d.fds.Get(c.r.PID, dir); o != nil {
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

func (c naming) file(path string, dir int32, now int64) (trace.FileID, error) {
	if path == "" && dir == c.d.cwdFD() {
		c.e.Flags |= trace.FlagPartial // it could not be read
		return 0, nil
	}
	if path == "" {
		if o := c.d.fds.Get(c.r.PID, dir); o != nil {
			return o.File, nil
		}
		return 0, nil
	}
	abs := c.absolute(path, dir)
	id, err := c.d.files.ID(abs, max(now, 0), 0)
	c.d.requests.remember(string(abs), id)
	return id, err
}

// openedFile is the file that an open led to, behind symbolic links.
func (c naming) openedFile(path string, dir int32, now int64) (trace.FileID, error) {
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
func (c naming) own(path string) string {
	if rest, ok := strings.CutPrefix(path, "/proc/self/"); ok && c.d.cfg.Platform == Linux {
		return fmt.Sprintf("/proc/%d/%s", c.r.PID, rest)
	}
	if rest, ok := strings.CutPrefix(path, "/proc/thread-self/"); ok && c.d.cfg.Platform == Linux {
		return fmt.Sprintf("/proc/%d/task/%d/%s", c.r.PID, c.r.TID, rest)
	}
	return path
}

// named handles the calls that name files by path, and those on a descriptor
// that do no more than that.
func (c naming) named(end int64) (err error) {
	d, r, e, lay := c.d, c.r, c.e, c.k.lay
	dir, dir2 := d.cwdFD(), d.cwdFD()
	switch {
	case lay.path == "" && lay.fd != "":
		c.fd(r.FD)
	case lay.path != "" && lay.fd != "":
		if dir = r.FD; lay.path2 == "" {
			e.FD = r.FD
		}
	}
	if lay.fd2 != "" {
		dir2 = r.FD2
	}
	if c.k.shape == shRename && e.Result >= 0 {
		return c.renamed(dir, dir2, end)
	}
	if lay.path != "" {
		if e.File, err = c.file(r.Path, dir, end); err != nil {
			return err
		}
	}
	if lay.path2 != "" {
		if e.File2, err = c.file(r.Path2, dir2, end); err != nil {
			return err
		}
	}
	if lay.offset != "" {
		e.Offset = max(r.Offset, trace.NoOffset)
	}
	if e.Result < 0 {
		return nil
	}
	switch c.k.shape {
	case shUnlink:
		d.files.Unlinked([]byte(d.files.Path(e.File)))
	case shTruncate:
		d.files.Truncated(e.File, e.Requested)
		d.files.Wrote(e.File, r.PID, 0, 0)
	case shClone:
		d.files.Wrote(e.File2, r.PID, trace.NoOffset, 0)
	}
	if e.Op == trace.OpAllocate {
		if r.Flags&2 != 0 { // FALLOC_FL_PUNCH_HOLE
			e.Op = trace.OpPunch
		}
		d.files.Wrote(e.File, r.PID, trace.NoOffset, 0)
	}
	return nil
}

func (c naming) renamed(dir, dir2 int32, end int64) (err error) {
	d, r, e := c.d, c.r, c.e
	if e.File, err = c.file(r.Path, dir, end); err != nil {
		return err
	}
	from, to := c.absolute(r.Path, dir), c.absolute(r.Path2, dir2)
	e.File2, err = d.files.Renamed(from, to, max(end, 0))
	d.requests.remember(string(to), e.File2)
	return err
}

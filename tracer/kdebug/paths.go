package kdebug

import (
	"path"
	"strings"

	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// oldPathLimit is how much of a path a kernel before macOS 15.4 logs: its last
// 24 + 5 × 32 bytes.
const oldPathLimit = 184

// naming finishes the calls that are about names and descriptors.
type naming struct{ *Decoder }

// absolute turns the i-th path that the kernel looked up into an absolute one.
// dirfd is the descriptor a relative path starts from. The result is valid
// until the next call.
func (d naming) absolute(c *finished, i int, dirfd int32) (abs []byte, flags trace.FileFlags) {
	if i >= c.t.look.n {
		return nil, 0
	}
	p := c.t.look.path[i]
	if c.Result < 0 { // only the part that was found, padded
		for len(p) > 0 && p[len(p)-1] == '>' {
			p = p[:len(p)-1]
		}
	}
	if len(p) == oldPathLimit && p[0] != '/' {
		return p, trace.FileTruncated
	}
	if known := d.files.Path(d.vnodes[c.t.look.vnode[i]]); c.found(i) && known != "" &&
		len(known) > len(p) && strings.HasSuffix(known, string(p)) && known[len(known)-len(p)-1] == '/' {
		return append(d.path[:0], known...), 0
	}
	base := ""
	if dirfd == macos.ATFdCwd {
		base = c.t.base()
	} else if o := d.fds.Get(c.p.pid, dirfd); o != nil {
		base = o.Dir
	}
	d.path = macos.AppendAbsolute(d.path[:0], base, p)
	return d.path, 0
}

// file returns the file of the i-th path.
func (d naming) file(c *finished, i int, dirfd int32) trace.FileID {
	abs, flags := d.absolute(c, i, dirfd)
	id, err := d.files.ID(abs, c.end, flags)
	d.keep(err)
	if c.found(i) {
		d.vnode(c.t.look.vnode[i], id)
	}
	return id
}

func (d naming) finishOpen(c *finished) {
	dirfd, flags := openArgs(c)
	if !c.partial {
		c.Flags |= macos.OpenFlags(flags)
		c.File = d.file(c, 0, dirfd)
	}
	if c.Result < 0 {
		return
	}
	c.FD = int32(c.Result)
	if c.partial { // some file: what the descriptor was before is wrong now
		d.fds.Close(c.p.pid, c.FD)
		return
	}
	if c.Flags&trace.FlagTrunc != 0 || c.Flags&(trace.FlagCreate|trace.FlagExcl) == trace.FlagCreate|trace.FlagExcl {
		d.files.Truncated(c.File, 0)
	}
	o := &fdtable.Open{File: c.File, Flags: c.Flags, Dir: d.files.Path(c.File), Stream: d.files.Stream(c.File),
		Opened: c.end}
	// Guarded descriptors are close-on-exec whatever the flags say.
	d.fds.Set(c.p.pid, c.FD, o, flags&macos.OCloexec != 0 || c.k.shape == macos.ShapeGuardOpen)
	d.fds.CloseOnFork(c.p.pid, c.FD, flags&macos.OClofork != 0)
}

func (d naming) finishDescriptor(c *finished) {
	o := calls(d).setFD(c, c.fd(0))
	pid, arg := c.p.pid, c.arg(2)
	if c.k.shape == macos.ShapeFcntl && !c.partial {
		if k, ok := commands[c.arg(1)]; ok {
			c.k = k
			c.Flags |= k.flags
		}
	}
	if c.Result < 0 || c.partial {
		return
	}
	switch c.k.shape {
	case macos.ShapeClose:
		d.fds.Closed(pid, c.FD, c.Start)
	case macos.ShapeDup:
		d.dup(c, int32(c.Result), false)
	case macos.ShapeDup2:
		d.dup(c, c.fd(1), false)
	case macos.ShapeFcntl:
		if dup, cloexec, clofork := macos.Duplicates(c.arg(1)); dup {
			d.dup(c, int32(c.Result), cloexec)
			d.fds.CloseOnFork(pid, int32(c.Result), clofork)
		}
		switch c.arg(1) {
		case macos.FSetFD:
			d.fds.CloseOnExec(pid, c.FD, arg&macos.FDCloexec != 0)
			d.fds.CloseOnFork(pid, c.FD, arg&macos.FDClofork != 0)
		case macos.FSetFL:
			if o != nil {
				const settable = trace.FlagAppend | trace.FlagNoWait | trace.FlagSync | trace.FlagDSync
				o.Flags = o.Flags&^settable | macos.OpenFlags(arg)&settable
			}
		case macos.FNoCache, macos.FNoCacheExt:
			if o != nil && arg != 0 {
				o.Flags |= trace.FlagNoCache
			} else if o != nil {
				o.Flags &^= trace.FlagNoCache
			}
			if arg == 0 {
				c.Flags &^= trace.FlagNoCache
			}
		}
	}
}

func (d naming) dup(c *finished, to int32, cloexec bool) {
	d.fds.Dup(c.p.pid, c.FD, to, cloexec)
	c.FD2, c.File2 = to, c.File
}

// finishPath handles the calls that name their files.
func (d naming) finishPath(c *finished) {
	const cwd = macos.ATFdCwd
	if c.partial {
		return
	}
	dir1, dir2, two := int32(cwd), int32(cwd), false
	switch c.k.shape {
	case macos.ShapeAt:
		if dir1 = c.fd(0); dir1 >= 0 {
			c.FD = dir1
		}
	case macos.ShapeTwoPaths:
		two = true
	case macos.ShapeTwoAt:
		dir1, dir2, two = c.fd(0), c.fd(2), true
	case macos.ShapeSymlink, macos.ShapeSymlinkAt:
		// The target is a text that is not looked up; the link is the file made.
		if c.k.shape == macos.ShapeSymlinkAt {
			dir2 = c.fd(1)
		}
		c.File2 = d.file(c, 0, dir2)
		return
	case macos.ShapeClone:
		calls(d).setFD(c, c.fd(0))
		c.File2 = d.file(c, 0, c.fd(1))
		d.wrote(c, c.File2)
		return
	case macos.ShapeTruncate:
		c.Requested = max(int64(c.arg(1)), 0)
	}
	switch {
	case c.k.op == trace.OpRename && c.Result >= 0 && c.t.look.n == 2:
		d.rename(c, dir1, dir2)
		return
	case c.k.op == trace.OpUnlink && c.Result >= 0:
		c.File = d.file(c, 0, dir1)
		abs, _ := d.absolute(c, 0, dir1)
		d.files.Unlinked(abs)
		return
	}
	c.File = d.file(c, 0, dir1)
	if two {
		c.File2 = d.file(c, 1, dir2)
	}
	switch {
	case c.Result < 0:
	case c.k.op == trace.OpClone || c.k.op == trace.OpCopyfile:
		d.wrote(c, c.File2)
	case c.k.op == trace.OpTruncate:
		d.files.Truncated(c.File, c.Requested)
		d.files.Wrote(c.File, c.p.pid, 0, 0)
	}
}

// wrote marks the destination of a copy that was made in one call.
func (d naming) wrote(c *finished, id trace.FileID) {
	if c.Result >= 0 {
		d.files.Wrote(id, c.p.pid, trace.NoOffset, 0)
	}
}

func (d naming) rename(c *finished, dir1, dir2 int32) {
	c.File = d.file(c, 0, dir1)
	from, _ := d.absolute(c, 0, dir1)
	from = append([]byte(nil), from...)
	to, _ := d.absolute(c, 1, dir2)
	id, err := d.files.Renamed(from, to, c.end)
	d.keep(err)
	c.File2 = id
	d.vnode(c.t.look.vnode[0], id) // the vnode moved; the second lookup found what was there
}

func (d naming) finishChdir(c *finished) {
	if c.Result < 0 || c.partial {
		return
	}
	var dir string
	switch c.k.shape {
	case macos.ShapeChdir, macos.ShapeThreadChdir:
		abs, _ := d.absolute(c, 0, macos.ATFdCwd)
		dir = string(abs)
	default:
		if o := d.fds.Get(c.p.pid, c.fd(0)); o != nil {
			dir = o.Dir
		}
	}
	if !path.IsAbs(dir) {
		dir = ""
	}
	switch c.k.shape {
	case macos.ShapeThreadChdir, macos.ShapeThreadFchdir:
		c.t.cwd = dir
	default:
		c.p.cwd = dir
	}
}

// finishUnnamed gives pipes and sockets a file, so that what goes through them
// is not taken for a file's data.
func (d naming) finishUnnamed(c *finished) {
	if c.Result < 0 {
		return
	}
	kind, label := trace.FileSocket, "socket"
	fds := []int32{int32(c.Result)}
	if c.k.shape == macos.ShapePipe { // both ends are results: the two words
		kind, label = trace.FilePipe, "pipe"
		fds = []int32{c.word[0], c.word[1]}
	}
	id, err := d.files.Anonymous(kind, label, c.end)
	d.keep(err)
	for _, fd := range fds {
		d.fds.Set(c.p.pid, fd, &fdtable.Open{File: id, Offset: trace.NoOffset, Stream: true}, false)
	}
}

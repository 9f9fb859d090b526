package kdsim

import (
	"strings"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/tracer/kdebug"
)

// macOS open flags and error numbers that the calls below use.
const (
	ORdonly  = 0
	OWronly  = 1
	ORdwr    = 2
	OAppend  = 8
	OCreat   = 0x200
	OTrunc   = 0x400
	OExcl    = 0x800
	OCloexec = macos.OCloexec

	enoent = 2
	ebadf  = 9
	eexist = 17
)

const atFdCwd = ^uint64(1) // -2

// Thread is a simulated thread, and what a program calls in it.
type Thread struct{ runner }

// Open is open(2), or the variant of that name.
func (t *Thread) Open(p string, flags uint64) int32 { return t.OpenBy("open", p, flags) }

// OpenBy opens by the call of a name: open, open_nocancel, openat,
// guarded_open_np.
func (t *Thread) OpenBy(call, p string, flags uint64) int32 {
	args := []uint64{0x16f00, flags, 0o644}
	switch call {
	case "openat":
		args = []uint64{atFdCwd, 0x16f00, flags, 0o644}
	case "guarded_open_np":
		args = []uint64{0x16f00, 0x7f00, 1, flags}
	}
	truth := Call{Name: call, FD: -1, Path: t.abs(p), Offset: -1}
	return int32(t.call(truth, args, func() int64 {
		n := t.find(p)
		if n == nil && flags&OCreat == 0 {
			return -enoent
		}
		if n != nil && flags&(OCreat|OExcl) == OCreat|OExcl {
			return -eexist
		}
		if n == nil {
			n = t.made(p, 0)
		}
		if flags&OTrunc != 0 {
			n.size = 0
		}
		return int64(t.newFD(&descriptor{node: n, append: flags&OAppend != 0}, flags&OCloexec != 0 ||
			call == "guarded_open_np"))
	}))
}

// Read and the following do what their names say, by the plain call.
func (t *Thread) Read(fd int32, n int64) int64  { return t.ReadBy("read", fd, n) }
func (t *Thread) Write(fd int32, n int64) int64 { return t.WriteBy("write", fd, n) }

// ReadBy reads at the descriptor's offset by read, read_nocancel or readv.
func (t *Thread) ReadBy(call string, fd int32, n int64) int64 { return t.io(call, fd, n, -1, false) }

// WriteBy writes at the descriptor's offset by write, write_nocancel, writev,
// guarded_write_np or guarded_writev_np.
func (t *Thread) WriteBy(call string, fd int32, n int64) int64 { return t.io(call, fd, n, -1, true) }

// Pread and Pwrite carry their own offset; call may be any positioned form.
func (t *Thread) Pread(call string, fd int32, n, off int64) int64 {
	return t.io(call, fd, n, off, false)
}

// Pwrite is the writing counterpart of Pread.
func (t *Thread) Pwrite(call string, fd int32, n, off int64) int64 {
	return t.io(call, fd, n, off, true)
}

func (t *Thread) io(call string, fd int32, n, at int64, write bool) int64 {
	args := []uint64{uint64(fd), 0x10000, uint64(n), uint64(at)}
	vectored := strings.Contains(call, "readv") || strings.Contains(call, "writev")
	if vectored {
		args[2] = 3 // vectors
	}
	if strings.HasPrefix(call, "guarded") {
		args = []uint64{uint64(fd), 0x7f00, 0x10000, args[2]}
	}
	if at < 0 && !strings.HasPrefix(call, "guarded") {
		args[3] = 0
	}
	d, ok := t.Proc.fds[fd]
	truth := Call{Name: call, FD: fd, Offset: at, Requested: n}
	if !ok {
		return t.call(truth, args, func() int64 { return -ebadf })
	}
	truth.Path = d.node.path
	if at < 0 {
		truth.Offset = d.offset
		if write && d.append {
			truth.Offset = d.node.size
		}
	}
	moved := n
	if !write && d.node.device == 0 {
		moved = max(min(n, d.node.size-truth.Offset), 0)
	}
	if vectored {
		truth.Requested = moved // the lengths are not in the records
	}
	from := truth.Offset
	if call == "guarded_pwrite_np" && t.m.Model == macos.AppleSilicon {
		truth.Offset = -1 // the fifth argument is not in the records
	}
	return t.call(truth, args, func() int64 {
		if d.node.device != 0 {
			t.raw(d.node.device, !write, uint64(from/512), n, 2, 0)
		}
		if base := strings.TrimSuffix(call, "_nocancel"); base == "pread" || base == "pwrite" || base == "guarded_pwrite_np" {
			ext := kdebug.GroupCallExt | uint32(numbers[base])<<2
			t.constant(ext, uint64(fd), uint64(n), uint64(at)>>32, uint64(uint32(at)))
		}
		t.Now += uint64(n) / 400 // about 10 GB/s
		if at < 0 {
			d.offset = from + moved
		}
		if write && moved > 0 {
			d.node.size = max(d.node.size, from+moved)
		}
		return moved
	})
}

// Seek is lseek(2) with SEEK_SET.
func (t *Thread) Seek(fd int32, off int64) {
	d := t.Proc.fds[fd]
	truth := Call{Name: "lseek", FD: fd, Path: d.node.path, Offset: off}
	t.call(truth, []uint64{uint64(fd), uint64(off), 0}, func() int64 {
		d.offset = off
		return off
	})
}

// Close is close(2), or the variant of that name.
func (t *Thread) Close(fd int32) { t.CloseBy("close", fd) }

// CloseBy closes by close, close_nocancel or guarded_close_np.
func (t *Thread) CloseBy(call string, fd int32) {
	truth := Call{Name: call, FD: fd, Offset: -1}
	if d, ok := t.Proc.fds[fd]; ok {
		truth.Path = d.node.path
	}
	t.call(truth, []uint64{uint64(fd)}, func() int64 {
		if _, ok := t.Proc.fds[fd]; !ok {
			return -ebadf
		}
		delete(t.Proc.fds, fd)
		return 0
	})
}

// Dup2 is dup2(2).
func (t *Thread) Dup2(from, to int32) {
	d := t.Proc.fds[from]
	truth := Call{Name: "dup2", FD: from, Path: d.node.path, Path2: d.node.path, Offset: -1}
	t.call(truth, []uint64{uint64(from), uint64(to)}, func() int64 {
		t.Proc.fds[to] = descr{descriptor: d.descriptor}
		return int64(to)
	})
}

// Fcntl issues an fcntl command on a descriptor.
func (t *Thread) Fcntl(fd int32, cmd, arg uint64, name string) {
	truth := Call{Name: "fcntl", FD: fd, Offset: -1}
	if d, ok := t.Proc.fds[fd]; ok {
		truth.Path = d.node.path
	}
	at := len(t.m.Calls)
	t.call(truth, []uint64{uint64(fd), cmd, arg}, nil)
	if name != "" {
		t.m.Calls[at].Name = macos.FcntlName(name)
	}
}

// OnFD issues a call whose only argument of interest is a descriptor.
func (t *Thread) OnFD(call string, fd int32) {
	truth := Call{Name: call, FD: fd, Path: t.Proc.fds[fd].node.path, Offset: -1}
	t.call(truth, []uint64{uint64(fd)}, nil)
}

// OnPath issues a call whose only argument of interest is a path.
func (t *Thread) OnPath(call, p string) int64 {
	truth := Call{Name: call, FD: -1, Path: t.abs(p), Offset: -1}
	return t.call(truth, []uint64{0x16f00, 0x7000}, func() int64 {
		if t.find(p) == nil {
			return -enoent
		}
		return 0
	})
}

// Ftruncate gives a file a size.
func (t *Thread) Ftruncate(fd int32, size int64) {
	d := t.Proc.fds[fd]
	truth := Call{Name: "ftruncate", FD: fd, Path: d.node.path, Offset: -1, Requested: size}
	t.call(truth, []uint64{uint64(fd), uint64(size)}, func() int64 {
		d.node.size = size
		return 0
	})
}

// Rename moves a file.
func (t *Thread) Rename(from, to string) {
	truth := Call{Name: "rename", FD: -1, Path: t.abs(from), Path2: t.abs(to), Offset: -1}
	t.call(truth, []uint64{0x16f00, 0x17f00}, func() int64 {
		n := t.find(from)
		t.find(to)
		delete(t.m.files, n.path)
		n.path = t.abs(to)
		t.m.files[n.path] = n
		return 0
	})
}

// Unlink removes a file.
func (t *Thread) Unlink(p string) {
	truth := Call{Name: "unlink", FD: -1, Path: t.abs(p), Offset: -1}
	t.call(truth, []uint64{0x16f00}, func() int64 {
		t.find(p)
		delete(t.m.files, t.abs(p))
		return 0
	})
}

// Clonefile is clonefileat(2).
func (t *Thread) Clonefile(from, to string) {
	truth := Call{Name: "clonefileat", FD: -1, Path: t.abs(from), Path2: t.abs(to), Offset: -1}
	t.call(truth, []uint64{atFdCwd, 0x16f00, atFdCwd, 0x17f00}, func() int64 {
		n := t.find(from)
		t.find(to)         // finds its directory
		t.made(to, n.size) // VNOP_CLONEFILE logs the new file
		return 0
	})
}

// Fclonefile is fclonefileat(2).
func (t *Thread) Fclonefile(fd int32, to string) {
	d := t.Proc.fds[fd]
	truth := Call{Name: "fclonefileat", FD: fd, Path: d.node.path, Path2: t.abs(to), Offset: -1}
	t.call(truth, []uint64{uint64(fd), atFdCwd, 0x17f00}, func() int64 {
		t.find(to)
		t.made(to, d.node.size)
		return 0
	})
}

// Mmap maps part of a file. Descriptor and offset are only in the extra records.
func (t *Thread) Mmap(fd int32, size, off int64) uint64 {
	d := t.Proc.fds[fd]
	addr := uint64(0x1_0000_0000) + uint64(off)
	truth := Call{Name: "mmap", FD: fd, Path: d.node.path, Offset: off, Requested: size}
	if t.m.Model == macos.AppleSilicon {
		truth.FD, truth.Path, truth.Offset = -1, "", -1
	}
	at := len(t.m.Calls)
	t.call(truth, []uint64{0, uint64(size), 1, 1}, func() int64 {
		n := numbers["mmap"]
		t.constant(kdebug.GroupCallExt|uint32(n)<<2, uint64(fd), uint64(uint32(addr)), uint64(uint32(size)), 0)
		t.constant(kdebug.GroupCallExt2|uint32(n)<<2, addr>>32, uint64(size)>>32, uint64(off)>>32, uint64(uint32(off)))
		return int64(addr)
	})
	t.m.Calls[at].Result = 0
	return addr
}

// MmapMemory maps memory that is no file's: a tag says what it is for, where the
// descriptor would be. It is no event, so no truth is kept.
func (t *Thread) MmapMemory(size int64, tag uint64) {
	at := len(t.m.Calls)
	t.call(Call{Name: "mmap"}, []uint64{0, uint64(size), 3, 0x1002}, func() int64 {
		addr := uint64(0x2_0000_0000)
		n := numbers["mmap"]
		t.constant(kdebug.GroupCallExt|uint32(n)<<2, tag<<24, uint64(uint32(addr)), uint64(uint32(size)), 0)
		t.constant(kdebug.GroupCallExt2|uint32(n)<<2, addr>>32, uint64(size)>>32, 0, 0)
		return int64(addr)
	})
	t.m.Calls = t.m.Calls[:at]
}

// Chdir changes the working directory.
func (t *Thread) Chdir(p string) {
	t.call(Call{Name: "chdir"}, []uint64{0x16f00}, func() int64 {
		t.find(p)
		return 0
	})
	t.Proc.Cwd = t.abs(p)
}

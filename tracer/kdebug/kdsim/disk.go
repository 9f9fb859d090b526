package kdsim

import (
	"strings"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/tracer/kdebug"
)

// Device is the disk of files that are on no Volume: major 1, minor 5.
const Device = 1<<24 | 5

// Null is /dev/null, which the kernel has down as a disk.
const Null = 3<<24 | 2

// BlockSize is the size of that disk's blocks in bytes, as on an APFS volume.
const BlockSize = 4096

// Volume is a mounted file system.
type Volume struct {
	Dir       string
	Device    uint64 // dev_t
	BlockSize int64
	// Server is a thread of the process that is the file system: it moves all data itself, through the raw disk.
	// Without it the kernel does.
	Server *Thread
	// Nameless volumes have requests whose vnode nothing has looked up.
	Nameless bool
}

// Mount puts a volume where its files will be.
func (m *Machine) Mount(v Volume) { m.volumes = append(m.volumes, v) }

// volume is what a file is on: the last that was mounted above it.
func (m *Machine) volume(file string) Volume {
	for i := len(m.volumes) - 1; i >= 0; i-- {
		if strings.HasPrefix(file, m.volumes[i].Dir+"/") {
			return m.volumes[i]
		}
	}
	return Volume{Dir: "/", Device: Device, BlockSize: BlockSize}
}

// MakeCharacterDevice puts a device into /dev whose transfers the kernel logs.
func (m *Machine) MakeCharacterDevice(name string, device uint64) {
	m.MakeFile(name, 0)
	m.files[name].device = device
}

// Disk issues a request for a file from the thread; it completes after some
// ticks on another thread.
func (t *runner) Disk(file string, read bool, bytes int64, ticks uint64, errno int64) {
	v := t.m.volume(file)
	q := Request{PID: t.Proc.PID, Path: file, Device: v.Device, Read: read, Block: t.m.block, Bytes: bytes, Errno: errno}
	t.m.block += uint64(bytes / v.BlockSize)
	switch s := v.Server; {
	case s != nil:
		s.Now = max(s.Now, t.Now)
		q.PID, q.Start = s.Proc.PID, int64(s.Now-t.m.Base)
		s.raw(v.Device, read, q.Block, bytes, ticks, errno)
		t.Now = s.Now
		q.End = int64(t.Now - 12 - t.m.Base)
	default:
		vnode := t.m.files[file].vnode
		if v.Nameless {
			vnode = t.m.id()
		}
		q.Start = int64(t.Now - t.m.Base)
		done := t.request(&q, vnode, ticks)
		q.End = int64(done - t.m.Base)
		if read { // the caller waits
			t.Now = done
		}
	}
	t.m.Requests = append(t.m.Requests, q)
}

// request logs a request of the kernel's and says when it is done.
func (t *runner) request(q *Request, vnode, ticks uint64) uint64 {
	code := uint32(kdebug.DiskAsync)
	if q.Read {
		code = kdebug.DiskRead
	}
	buf := t.m.id()
	t.log(kdebug.GroupDisk|code<<2, buf, q.Device, q.Block, uint64(q.Bytes))
	done := runner{m: t.m, TID: 7, Now: t.Now + ticks}
	at := done.Now
	done.log(kdebug.GroupDisk|(code|kdebug.DiskDone)<<2, buf, vnode, 0, uint64(q.Errno))
	return at
}

// raw logs a transfer with a character device of disk type, in the place of a buffer the thread.
func (t *runner) raw(device uint64, read bool, block uint64, bytes int64, ticks uint64, errno int64) {
	code := uint32(0)
	if read {
		code = kdebug.DiskRead
	}
	t.log(kdebug.GroupDisk|code<<2, t.TID, device, block, uint64(bytes))
	t.Now += ticks
	t.log(kdebug.GroupDisk|(code|kdebug.DiskDone)<<2, t.TID, 0xdead0000+device, 0, uint64(errno))
}

// FullSync is fcntl(F_FULLFSYNC), in which the disk empties its cache.
func (t *runner) FullSync(fd int32, ticks uint64) {
	truth := Call{Name: "fcntl", FD: fd, Path: t.Proc.fds[fd].node.path, Offset: -1}
	at := len(t.m.Calls)
	t.call(truth, []uint64{uint64(fd), 51, 0}, func() int64 {
		t.Flush(ticks)
		return 0
	})
	t.m.Calls[at].Name = macos.FcntlName("F_FULLFSYNC")
}

// Flush logs a cache flush of the disk (DKIOCSYNCHRONIZE).
func (t *runner) Flush(ticks uint64) { t.FlushOf(Device, ticks) }

// FlushOf logs a cache flush of some disk.
func (t *runner) FlushOf(device, ticks uint64) {
	t.constant(kdebug.SpecIoctl|kdebug.FuncStart, device, 0x80206416, 0, 3)
	t.Now += ticks
	t.constant(kdebug.SpecIoctl|kdebug.FuncEnd, device, 0x80206416, 0, 0)
}

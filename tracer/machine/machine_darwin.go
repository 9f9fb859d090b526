package machine

import (
	"context"
	"encoding/binary"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// live is macOS, asked through proc_info(2), sysctl(3), stat(2) and diskutil.
type live struct{}

// Live returns the running machine.
func Live() System { return live{} }

// The calls and flavours of proc_info(2) (bsd/sys/proc_info.h). libproc wraps
// the same call; without cgo it is made directly.
const (
	callListPIDs  = 1
	callPIDInfo   = 2
	callPIDFDInfo = 3

	allPIDs            = 1
	pidListFDs         = 1
	pidBSDInfo         = 3
	pidVnodePathInfo   = 9
	pidFDVnodePathInfo = 2
	pidListThreadIDs   = 28 // private, but what fs_usage's thread numbers are
	maxThreads         = 1 << 14
	maxDescriptors     = 1 << 16
	diskutilTimeout    = 20 * time.Second
	maxArgs            = 1 << 20
	spareForNewPIDs    = 512
	bytesPerPID        = 4
	sysProcInfo        = syscall.SYS_PROC_INFO
)

// procInfo fills b and returns the number of bytes the kernel had.
func procInfo(call int, pid uint32, flavor int, arg uint64, b []byte) int {
	var p unsafe.Pointer
	if len(b) > 0 {
		p = unsafe.Pointer(&b[0])
	}
	n, _, errno := syscall.Syscall6(sysProcInfo, uintptr(call), uintptr(pid), uintptr(flavor), uintptr(arg), uintptr(p),
		uintptr(len(b)))
	runtime.KeepAlive(b)
	if errno != 0 || int(n) < 0 {
		return 0
	}
	return int(n)
}

func (live) Resolve(path string) string { return resolve(path) }

func (live) Identify(f *trace.File) {
	var st unix.Stat_t
	if unix.Lstat(f.Path, &st) != nil {
		return
	}
	f.Device = deviceID(uint32(st.Dev))
	f.Inode = st.Ino
	f.Size = st.Size
	f.Type = fileType(uint32(st.Mode))
	var fs unix.Statfs_t
	if f.Type == trace.FileSymlink || unix.Statfs(f.Path, &fs) != nil {
		return
	}
	f.FSType = macos.VolumeType(unix.ByteSliceToString(fs.Fstypename[:]), fs.Flags_ext)
	if node := macos.VolumeDevice(f.FSType, unix.ByteSliceToString(fs.Mntfromname[:])); node != "" && unix.Stat(node,
		&st) == nil {
		f.Device = deviceID(uint32(st.Rdev))
	}
	f.Mount = unix.ByteSliceToString(fs.Mntonname[:])
}

func (live) Processes() (list []Process) {
	n := procInfo(callListPIDs, allPIDs, 0, 0, nil)
	pids := make([]byte, n+spareForNewPIDs*bytesPerPID)
	n = procInfo(callListPIDs, allPIDs, 0, 0, pids)
	for i := 0; i+bytesPerPID <= min(n, len(pids)); i += bytesPerPID {
		pid := binary.LittleEndian.Uint32(pids[i:])
		if p, ok := bsdInfo(pid); ok {
			list = append(list, p)
		}
	}
	return list
}

func bsdInfo(pid uint32) (Process, bool) {
	b := make([]byte, bsdInfoSize)
	return parseBSDInfo(b[:procInfo(callPIDInfo, pid, pidBSDInfo, 0, b)])
}

func (live) Inspect(pid uint32) (Process, bool) {
	p, ok := bsdInfo(pid)
	if !ok {
		return p, false
	}
	p.Exe, p.Args = parseArgs(procArgs(pid))
	dir := make([]byte, vnodePathsSize)
	p.Dir = parseDir(dir[:procInfo(callPIDInfo, pid, pidVnodePathInfo, 0, dir)])
	p.Files = openFiles(pid)
	return p, true
}

func openFiles(pid uint32) (files []OpenFile) {
	n := procInfo(callPIDInfo, pid, pidListFDs, 0, nil)
	fds := make([]byte, min(n, maxDescriptors*fdInfoSize))
	n = procInfo(callPIDInfo, pid, pidListFDs, 0, fds)
	for _, fd := range parseFDs(fds[:min(n, len(fds))]) {
		b := make([]byte, vnodeFDPathSize)
		if f, ok := parseFDPath(fd, b[:procInfo(callPIDFDInfo, pid, pidFDVnodePathInfo, uint64(fd), b)]); ok {
			files = append(files, f)
		}
	}
	return files
}

func (live) Threads(pid uint32) (list []uint64) {
	b := make([]byte, maxThreads*8)
	n := procInfo(callPIDInfo, pid, pidListThreadIDs, 0, b)
	for i := 0; i+8 <= min(n, len(b)); i += 8 {
		list = append(list, binary.LittleEndian.Uint64(b[i:]))
	}
	return list
}

func procArgs(pid uint32) []byte {
	b, err := unix.SysctlRaw("kern.procargs2", int(pid))
	if err != nil || len(b) > maxArgs {
		return nil
	}
	return b
}

// Devices asks diskutil, the only source of the tree of APFS containers that
// needs no framework.
func (live) Devices() []trace.Device {
	run := func(args ...string) []byte {
		ctx, cancel := context.WithTimeout(context.Background(), diskutilTimeout)
		defer cancel()
		out, err := exec.CommandContext(ctx, "/usr/sbin/diskutil", args...).Output()
		if err != nil {
			return nil
		}
		return out
	}
	disks, err := parseDiskList(run("list", "-plist"))
	if err != nil {
		return nil
	}
	// Whole disks, synthesized ones among them, have what the rest inherits. Each
	// takes diskutil some 0.1 s.
	var group sync.WaitGroup
	for i := range disks {
		if d := &disks[i]; d.whole() {
			group.Go(func() { _ = d.parseInfo(run("info", "-plist", d.Name)) }) // what is missing stays empty
		}
	}
	group.Wait()
	inherit(disks)
	return deviceTree(disks, func(name string) (trace.DeviceID, bool) {
		var st unix.Stat_t
		if unix.Stat("/dev/"+name, &st) != nil {
			return 0, false
		}
		return deviceID(uint32(st.Rdev)), true
	})
}

// deviceID translates a dev_t.
func deviceID(dev uint32) trace.DeviceID { return trace.MakeDeviceID(dev>>24, dev&0xffffff) }

// TicksPerSecond is the frequency of the mach clock.
func TicksPerSecond() uint64 {
	hz, err := unix.SysctlUint64("hw.tbfrequency")
	if err != nil {
		return 1e9 // Intel
	}
	return hz
}

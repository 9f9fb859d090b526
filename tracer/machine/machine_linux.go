package machine

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/trace"
)

// live is Linux, asked through /proc, /sys and stat(2).
type live struct{}

// Live returns the running machine.
func Live() System { return live{} }

func (live) Resolve(path string) string { return resolve(path) }

func (live) Identify(f *trace.File) {
	var st unix.Stat_t
	if unix.Lstat(f.Path, &st) != nil {
		return
	}
	f.Device = trace.MakeDeviceID(unix.Major(st.Dev), unix.Minor(st.Dev))
	f.Inode, f.Size, f.Type = st.Ino, st.Size, fileType(st.Mode)
}

func (live) Processes() (list []Process) {
	pids, _ := host.PIDs()
	for _, pid := range pids {
		if p, ok := procStatus(pid); ok {
			list = append(list, p)
		}
	}
	return list
}

func procStatus(pid uint32) (Process, bool) {
	p := Process{PID: pid}
	b, err := os.ReadFile(procPath(pid, "status"))
	if err != nil {
		return p, false
	}
	for line := range strings.Lines(string(b)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":\t")
		switch key {
		case "Name":
			p.Name = value
		case "PPid":
			p.Parent = number(value)
		case "Uid":
			first, _, _ := strings.Cut(value, "\t")
			p.UID = number(first)
		}
	}
	return p, true
}

func number(s string) uint32 {
	n, _ := strconv.ParseUint(strings.TrimSpace(s), 10, 32)
	return uint32(n)
}

func procPath(pid uint32, name string) string {
	return "/proc/" + strconv.FormatUint(uint64(pid), 10) + "/" + name
}

func (live) Inspect(pid uint32) (Process, bool) {
	p, ok := procStatus(pid)
	if !ok {
		return p, false
	}
	p.Exe, _ = os.Readlink(procPath(pid, "exe"))
	p.Dir, _ = os.Readlink(procPath(pid, "cwd"))
	args, _ := os.ReadFile(procPath(pid, "cmdline"))
	p.Args = strings.TrimSuffix(string(args), "\x00")
	fds, _ := os.ReadDir(procPath(pid, "fd"))
	for _, e := range fds {
		path, err := os.Readlink(procPath(pid, "fd/"+e.Name()))
		fd, err2 := strconv.ParseInt(e.Name(), 10, 32)
		if err != nil || err2 != nil || !strings.HasPrefix(path, "/") {
			continue
		}
		f := OpenFile{FD: int32(fd), Path: path, Offset: trace.NoOffset}
		info, _ := os.ReadFile(procPath(pid, "fdinfo/"+e.Name()))
		for line := range strings.Lines(string(info)) {
			key, value, _ := strings.Cut(line, ":")
			value = strings.TrimSpace(value)
			switch key {
			case "pos":
				f.Offset, _ = strconv.ParseInt(value, 10, 64)
			case "flags":
				flags, _ := strconv.ParseUint(value, 8, 64)
				f.Flags = linux.OpenFlags(flags, runtime.GOARCH)
				f.CloseOnExec = flags&linux.Cloexec != 0
			}
		}
		p.Files = append(p.Files, f)
	}
	return p, true
}

func (live) Threads(pid uint32) (list []uint64) {
	tasks, _ := os.ReadDir(procPath(pid, "task"))
	for _, t := range tasks {
		if tid, err := strconv.ParseUint(t.Name(), 10, 64); err == nil {
			list = append(list, tid)
		}
	}
	return list
}

// Devices lists whole disks and partitions from /sys.
func (live) Devices() (list []trace.Device) {
	dirs, _ := filepath.Glob("/sys/class/block/*")
	for _, dir := range dirs {
		id, ok := DeviceNumber(filepath.Join(dir, "dev"))
		if !ok {
			continue
		}
		d := DeviceIn(dir)
		d.ID = id
		under, _ := filepath.Glob(filepath.Join(dir, "slaves/*/dev"))
		if target, err := filepath.EvalSymlinks(dir); err == nil && exists(filepath.Join(dir, "partition")) {
			under = append([]string{filepath.Join(filepath.Dir(target), "dev")}, under...)
		}
		for _, file := range under {
			if p, ok := DeviceNumber(file); ok {
				d.Parents = append(d.Parents, p)
			}
		}
		list = append(list, d)
	}
	return list
}

// DeviceIn is a device as a directory of /sys describes it: all but its number, what it is built on, and the scheduler.
func DeviceIn(dir string) trace.Device {
	text := func(name string) string {
		b, _ := os.ReadFile(filepath.Join(dir, name))
		return strings.TrimSpace(string(b))
	}
	number := func(name string) int64 {
		n, _ := strconv.ParseInt(text(name), 10, 64)
		return n
	}
	return trace.Device{Name: filepath.Base(dir), Model: text("device/model"), Size: number("size") << 9,
		LogicalBlock: number("queue/logical_block_size"), PhysicalBlock: number("queue/physical_block_size"),
		MaxRequest: number("queue/max_sectors_kb") << 10, HardwareRequest: number("queue/max_hw_sectors_kb") << 10,
		ReadAhead: number("queue/read_ahead_kb") << 10, QueueDepth: number("queue/nr_requests"),
		Rotational: number("queue/rotational") == 1, WriteCache: text("queue/write_cache"),
		Firmware: cmp.Or(text("device/firmware_rev"), text("device/rev")), // of NVMe, of SCSI and SATA
		Backing:  text("loop/backing_file"), BackingDirect: number("loop/dio") == 1}
}

// DeviceNumber reads a file of /sys that holds the number of a device.
func DeviceNumber(file string) (trace.DeviceID, bool) {
	text, err := os.ReadFile(file)
	major, minor, ok := strings.Cut(strings.TrimSpace(string(text)), ":")
	a, err1 := strconv.ParseUint(major, 10, 32)
	b, err2 := strconv.ParseUint(minor, 10, 32)
	return trace.MakeDeviceID(uint32(a), uint32(b)), err == nil && ok && err1 == nil && err2 == nil
}

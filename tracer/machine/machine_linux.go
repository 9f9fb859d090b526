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
		read := func(name string) string {
			b, _ := os.ReadFile(filepath.Join(dir, name))
			return strings.TrimSpace(string(b))
		}
		num := func(name string) int64 {
			n, _ := strconv.ParseInt(read(name), 10, 64)
			return n
		}
		id, ok := parseDev(read("dev"))
		if !ok {
			continue
		}
		d := trace.Device{ID: id, Name: filepath.Base(dir), Model: read("device/model"), Size: num("size") << 9,
			LogicalBlock: num("queue/logical_block_size"), PhysicalBlock: num("queue/physical_block_size"),
			MaxRequest: num("queue/max_sectors_kb") << 10, HardwareRequest: num("queue/max_hw_sectors_kb") << 10,
			ReadAhead:  num("queue/read_ahead_kb") << 10,
			QueueDepth: num("queue/nr_requests"), Rotational: num("queue/rotational") == 1,
			WriteCache: read("queue/write_cache"), Firmware: cmp.Or(read("device/firmware_rev"), read("device/rev")),
			Backing: read("loop/backing_file"), BackingDirect: num("loop/dio") == 1}
		if target, err := filepath.EvalSymlinks(dir); err == nil && read("partition") != "" {
			parent, _ := os.ReadFile(filepath.Join(filepath.Dir(target), "dev"))
			if p, ok := parseDev(strings.TrimSpace(string(parent))); ok {
				d.Parents = append(d.Parents, p)
			}
		}
		slaves, _ := filepath.Glob(filepath.Join(dir, "slaves/*/dev"))
		for _, s := range slaves {
			b, _ := os.ReadFile(s)
			if p, ok := parseDev(strings.TrimSpace(string(b))); ok {
				d.Parents = append(d.Parents, p)
			}
		}
		list = append(list, d)
	}
	return list
}

func parseDev(s string) (trace.DeviceID, bool) {
	major, minor, ok := strings.Cut(s, ":")
	a, err1 := strconv.ParseUint(major, 10, 32)
	b, err2 := strconv.ParseUint(minor, 10, 32)
	return trace.MakeDeviceID(uint32(a), uint32(b)), ok && err1 == nil && err2 == nil
}

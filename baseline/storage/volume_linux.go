package storage

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/rights"
)

// Describe finds the file system of a directory and the device below it.
func Describe(path string) (Volume, error) {
	p := Volume{Place: baseline.Place{Path: path}}
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return p, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	var fs unix.Statfs_t
	if err := unix.Statfs(path, &fs); err != nil {
		return p, &os.PathError{Op: "statfs", Path: path, Err: err}
	}
	p.SizeBytes, p.FreeBytes = int64(fs.Blocks)*fs.Frsize, int64(fs.Bavail)*fs.Frsize
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return p, err
	}
	if text, err := os.ReadFile(host.OwnMounts); err == nil {
		m := host.MountOf(host.ParseMounts(string(text)), real)
		p.FSType, p.Mount, p.Source = m.FSType, m.Point, m.Source
	}
	dev := st.Dev
	var source unix.Stat_t
	if unix.Major(dev) == 0 && unix.Stat(p.Source, &source) == nil && source.Mode&unix.S_IFMT == unix.S_IFBLK {
		dev = source.Rdev // btrfs numbers its subvolumes itself
	}
	p.describeDevice(dev)
	return p, nil
}

// describeDevice reads what sysfs says of a block device.
func (p *Volume) describeDevice(dev uint64) {
	dir := fmt.Sprintf("/sys/dev/block/%d:%d", unix.Major(dev), unix.Minor(dev))
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return
	}
	p.Device, p.stat = filepath.Base(real), filepath.Join(real, "stat")
	disk := real
	if _, err := os.Stat(filepath.Join(real, "partition")); err == nil {
		disk = filepath.Dir(real)
	}
	p.Rotational = readLine(filepath.Join(disk, "queue/rotational")) == "1"
	p.Queue, _ = strconv.ParseInt(readLine(filepath.Join(disk, "queue/nr_requests")), 10, 64)
	p.Model = readLine(filepath.Join(disk, "device/model"))
}

// DropDevice throws what is cached of the block device itself out of memory, where this process began as root. Nothing
// that is not written yet is lost.
func (p Volume) DropDevice() {
	if p.Device == "" {
		return
	}
	_ = rights.Root(func() error { // others may not open it, and measure what is there
		fd, err := unix.Open("/dev/"+p.Device, unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		_ = unix.Fsync(fd)
		return unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED)
	})
}

func readLine(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	return string(bytes.TrimSpace(text))
}

// read reads the device's counters.
func (p Volume) read() counters {
	var c counters
	if p.stat == "" {
		return c
	}
	f := strings.Fields(readLine(p.stat))
	if len(f) < 8 {
		return c
	}
	for i, to := range map[int]*int64{0: &c.reads, 2: &c.readSectors, 3: &c.readMS, 4: &c.writes, 6: &c.writeSectors,
		7: &c.writeMS} {
		n, err := strconv.ParseInt(f[i], 10, 64)
		if err != nil {
			return counters{}
		}
		*to = n
	}
	c.ok = true
	return c
}

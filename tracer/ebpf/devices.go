//go:build linux

package ebpf

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// deviceTable describes block devices from /sys when a request first names one, and again when its number is that of
// another one by now: of a loop device with another file, or of what was plugged in instead.
type deviceTable struct {
	known map[trace.DeviceID]*knownDevice
}

type knownDevice struct {
	sequence string // of all that had this number and others; "" before Linux 5.15
	next     int64  // when to ask for it again
}

// askDevice is how often a device is asked whether it is still the same.
const askDevice = int64(time.Second)

func newDeviceTable() *deviceTable { return &deviceTable{known: map[trace.DeviceID]*knownDevice{}} }

// seen returns the descriptions of a device and of those it is built on, if
// they have not been given before.
func (t *deviceTable) seen(id trace.DeviceID, now int64) ([]trace.Device, bool) {
	if d := t.known[id]; d != nil {
		if now < d.next {
			return nil, false
		}
		d.next = now + askDevice
		if s := sequenceOf(id); s == d.sequence || s == "" { // or it is gone
			return nil, false
		}
		delete(t.known, id)
	}
	var list []trace.Device
	t.describe(id, now, &list)
	return list, true
}

// sysDir is where a device is described.
func sysDir(id trace.DeviceID) string {
	return fmt.Sprintf("/sys/dev/block/%d:%d", id.Major(), id.Minor())
}

// sequenceOf is the number that the kernel gave a disk as it came, or was given another medium.
func sequenceOf(id trace.DeviceID) string {
	text, _ := os.ReadFile(sysDir(id) + "/diskseq")
	return strings.TrimSpace(string(text))
}

func (t *deviceTable) describe(id trace.DeviceID, now int64, list *[]trace.Device) {
	if t.known[id] != nil {
		return
	}
	t.known[id] = &knownDevice{sequenceOf(id), now + askDevice}
	dir := sysDir(id)
	d := trace.Device{Time: now, ID: id, Name: fmt.Sprintf("%d:%d", id.Major(), id.Minor())}
	if target, err := filepath.EvalSymlinks(dir); err == nil {
		d.Name = filepath.Base(target)
	}
	attribute := func(name string) string {
		b, _ := os.ReadFile(filepath.Join(dir, name))
		return strings.TrimSpace(string(b))
	}
	number := func(name string) int64 {
		n, _ := strconv.ParseInt(attribute(name), 10, 64)
		return n
	}
	d.Model = attribute("device/model")
	d.Firmware = cmp.Or(attribute("device/firmware_rev"), attribute("device/rev")) // of NVMe, of SCSI and SATA
	d.Scheduler = bracketed(attribute("queue/scheduler"))
	d.Rotational = number("queue/rotational") == 1
	d.LogicalBlock = number("queue/logical_block_size")
	d.PhysicalBlock = number("queue/physical_block_size")
	d.MaxRequest = number("queue/max_sectors_kb") << 10
	d.HardwareRequest = number("queue/max_hw_sectors_kb") << 10
	d.ReadAhead = number("queue/read_ahead_kb") << 10
	d.QueueDepth = number("queue/nr_requests")
	d.Size = number("size") << 9
	d.WriteCache = attribute("queue/write_cache")
	d.Backing, d.BackingDirect = attribute("loop/backing_file"), number("loop/dio") == 1
	for _, parent := range t.parents(dir) {
		d.Parents = append(d.Parents, parent)
		t.describe(parent, now, list)
	}
	*list = append(*list, d)
}

// parents are the members of a stacked device (slaves/) or, for a loop device,
// the device of the file system that holds its backing file.
func (t *deviceTable) parents(dir string) []trace.DeviceID {
	var ids []trace.DeviceID
	slaves, _ := os.ReadDir(filepath.Join(dir, "slaves"))
	for _, s := range slaves {
		if id, ok := parseDevice(filepath.Join(dir, "slaves", s.Name(), "dev")); ok {
			ids = append(ids, id)
		}
	}
	if backing, err := os.ReadFile(filepath.Join(dir, "loop/backing_file")); err == nil {
		if id, ok := deviceOfFile(strings.TrimSpace(string(backing))); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

func parseDevice(name string) (trace.DeviceID, bool) {
	b, err := os.ReadFile(name)
	if err != nil {
		return 0, false
	}
	major, minor, ok := strings.Cut(strings.TrimSpace(string(b)), ":")
	a, err1 := strconv.ParseUint(major, 10, 32)
	c, err2 := strconv.ParseUint(minor, 10, 32)
	return trace.MakeDeviceID(uint32(a), uint32(c)), ok && err1 == nil && err2 == nil
}

// bracketed takes the one in brackets: "none [mq-deadline] kyber".
func bracketed(s string) string {
	if _, rest, ok := strings.Cut(s, "["); ok {
		name, _, _ := strings.Cut(rest, "]")
		return name
	}
	return s
}

// deviceOfFile is the disk (not the partition) below a file's file system.
func deviceOfFile(name string) (trace.DeviceID, bool) {
	var st unix.Stat_t
	if unix.Stat(name, &st) != nil {
		return 0, false
	}
	dir, err := filepath.EvalSymlinks(fmt.Sprintf("/sys/dev/block/%d:%d", unix.Major(st.Dev), unix.Minor(st.Dev)))
	if err != nil {
		return 0, false // an anonymous device: btrfs, tmpfs, overlay
	}
	if _, err := os.Stat(filepath.Join(dir, "partition")); err == nil {
		dir = filepath.Dir(dir)
	}
	return parseDevice(filepath.Join(dir, "dev"))
}

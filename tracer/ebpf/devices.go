//go:build linux

package ebpf

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/machine"
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
	d := machine.DeviceIn(dir)
	d.Time, d.ID, d.Name = now, id, fmt.Sprintf("%d:%d", id.Major(), id.Minor())
	if target, err := filepath.EvalSymlinks(dir); err == nil {
		d.Name = filepath.Base(target)
	}
	scheduler, _ := os.ReadFile(filepath.Join(dir, "queue/scheduler"))
	d.Scheduler = bracketed(strings.TrimSpace(string(scheduler)))
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
		if id, ok := machine.DeviceNumber(filepath.Join(dir, "slaves", s.Name(), "dev")); ok {
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
	return machine.DeviceNumber(filepath.Join(dir, "dev"))
}

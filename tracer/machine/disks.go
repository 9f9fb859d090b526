package machine

import (
	"errors"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// Disk is a disk, partition, APFS container or APFS volume as diskutil lists it.
type Disk struct {
	Name      string   // as in /dev: disk0, disk0s2, disk3s5
	Size      int64    // bytes
	On        []string // what it is built on: the disk of a partition, the physical stores of a container …
	BlockSize int64    // bytes
	Model     string
}

// parseDiskList reads the output of `diskutil list -plist`.
func parseDiskList(b []byte) ([]Disk, error) {
	v, err := parsePlist(b)
	if err != nil {
		return nil, err
	}
	top, _ := v.(map[string]any)
	all, ok := top["AllDisksAndPartitions"].([]any)
	if !ok {
		return nil, errors.New("reading diskutil's list: it has no AllDisksAndPartitions")
	}
	var disks []Disk
	for _, e := range all {
		whole, _ := e.(map[string]any)
		d := disk(whole)
		if d.Name == "" {
			continue
		}
		for _, s := range list(whole, "APFSPhysicalStores") {
			d.On = append(d.On, str(s, "DeviceIdentifier"))
		}
		disks = append(disks, d)
		for _, key := range []string{"Partitions", "APFSVolumes"} {
			for _, e := range list(whole, key) {
				part := disk(e)
				part.On = []string{d.Name}
				disks = append(disks, part)
				for _, s := range list(e, "MountedSnapshots") {
					name := strings.TrimPrefix(str(s, "SnapshotBSD"), "/dev/")
					disks = append(disks, Disk{Name: name, On: []string{part.Name}})
				}
			}
		}
	}
	return disks, nil
}

func disk(m map[string]any) Disk {
	return Disk{Name: str(m, "DeviceIdentifier"), Size: num(m, "Size")}
}

// parseInfo adds what `diskutil info -plist NAME` says.
func (d *Disk) parseInfo(b []byte) error {
	v, err := parsePlist(b)
	if err != nil {
		return err
	}
	m, _ := v.(map[string]any)
	d.BlockSize = num(m, "DeviceBlockSize")
	d.Model = str(m, "MediaName")
	if n := num(m, "Size"); d.Size == 0 {
		d.Size = n
	}
	return nil
}

// whole reports whether a disk is no part of another: disk3, not disk3s1.
func (d *Disk) whole() bool { return !strings.Contains(strings.TrimPrefix(d.Name, "disk"), "s") }

// inherit gives parts of disks the block size of what they are part of.
func inherit(disks []Disk) {
	byName := map[string]*Disk{}
	for i := range disks {
		byName[disks[i].Name] = &disks[i]
	}
	for range maxLevels {
		for i := range disks {
			d := &disks[i]
			for _, on := range d.On {
				if p := byName[on]; d.BlockSize == 0 && p != nil {
					d.BlockSize = p.BlockSize
				}
			}
		}
	}
}

// maxLevels is more than APFS stacks: snapshot, volume, container, partition, disk.
const maxLevels = 5

// deviceTree turns disks into device events; number tells their device numbers.
func deviceTree(disks []Disk, number func(name string) (trace.DeviceID, bool)) (devices []trace.Device) {
	ids := map[string]trace.DeviceID{}
	for _, d := range disks {
		if id, ok := number(d.Name); ok {
			ids[d.Name] = id
		}
	}
	for _, d := range disks {
		id, ok := ids[d.Name]
		if !ok {
			continue
		}
		// SolidState is false for many an SSD behind a USB bridge, so that a disk
		// is not called rotational for the lack of it.
		e := trace.Device{ID: id, Name: d.Name, Model: d.Model, Size: d.Size, LogicalBlock: d.BlockSize,
			PhysicalBlock: d.BlockSize}
		for _, on := range d.On {
			if parent, ok := ids[on]; ok {
				e.Parents = append(e.Parents, parent)
			}
		}
		devices = append(devices, e)
	}
	return devices
}

func list(m map[string]any, key string) (out []map[string]any) {
	l, _ := m[key].([]any)
	for _, e := range l {
		if d, ok := e.(map[string]any); ok {
			out = append(out, d)
		}
	}
	return out
}

func str(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

func num(m map[string]any, key string) int64 {
	n, _ := m[key].(int64)
	return n
}

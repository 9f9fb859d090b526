package tracer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// blocks are the block devices that the system has.
const blocks = "/sys/class/block"

// FindDisk finds a device by its name, or by a path in /dev.
func FindDisk(name string) (Disk, error) { return findDisk(blocks, name) }

func findDisk(root, name string) (Disk, error) {
	if strings.HasPrefix(name, "/") {
		if real, err := filepath.EvalSymlinks(name); err == nil {
			name = real
		}
	}
	d := Disk{Name: strings.ReplaceAll(strings.TrimPrefix(name, "/dev/"), "/", "!")} // as the kernel writes cciss/c0d0
	dir := filepath.Join(root, d.Name)
	_, err := numberIn(dir)
	switch {
	case d.Name == "" || d.Name == "." || d.Name == ".." || err != nil:
		return d, fmt.Errorf("device %s: %w; there are %s", name, os.ErrNotExist, strings.Join(disks(root), ", "))
	case has(dir, "partition"):
		return d, fmt.Errorf("device %s is a partition, and requests are those of a whole device; there are %s", name,
			strings.Join(disks(root), ", "))
	}
	d.on(root, d.Name, 8)
	return d, nil
}

// on adds a device, its partitions and what is built on them, in some steps at most.
func (d *Disk) on(root, name string, steps int) {
	dir := filepath.Join(root, name)
	id, err := numberIn(dir)
	if err != nil || steps == 0 || slices.Contains(d.On, id) {
		return
	}
	d.On, d.names = append(d.On, id), append(d.names, name)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if has(filepath.Join(dir, e.Name()), "partition") {
			d.on(root, e.Name(), steps-1)
		}
	}
	holders, _ := os.ReadDir(filepath.Join(dir, "holders"))
	for _, h := range holders {
		d.on(root, h.Name(), steps-1)
	}
	for _, loop := range loopsOn(root, id) {
		d.on(root, loop, steps-1)
	}
}

// loopsOn lists the loop devices whose files lie on a device.
func loopsOn(root string, id trace.DeviceID) (names []string) {
	var b beneath
	loops, _ := filepath.Glob(filepath.Join(root, "loop*", "loop", "backing_file"))
	for _, file := range loops {
		text, err := os.ReadFile(file)
		if err == nil && slices.Contains(b.of(&trace.File{Path: strings.TrimSpace(string(text))}), id) {
			names = append(names, filepath.Base(filepath.Dir(filepath.Dir(file))))
		}
	}
	return names
}

// disks lists the devices that are no partitions and have a size.
func disks(root string) (names []string) {
	entries, _ := os.ReadDir(root)
	for _, e := range entries {
		dir := filepath.Join(root, e.Name())
		size, err := os.ReadFile(filepath.Join(dir, "size"))
		if err == nil && strings.TrimSpace(string(size)) != "0" && !has(dir, "partition") {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return []string{"none"}
	}
	return names
}

func has(dir, file string) bool {
	_, err := os.Stat(filepath.Join(dir, file))
	return err == nil
}

func numberIn(dir string) (trace.DeviceID, error) {
	text, err := os.ReadFile(filepath.Join(dir, "dev"))
	if err != nil {
		return 0, err
	}
	var major, minor uint32
	if _, err := fmt.Sscanf(string(text), "%d:%d", &major, &minor); err != nil {
		return 0, errors.Join(fmt.Errorf("%s has no number of a device", dir), err)
	}
	return trace.MakeDeviceID(major, minor), nil
}

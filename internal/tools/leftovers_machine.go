//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
)

// machine is where things are left.
type machine struct {
	root   string // only what was started with IOTRACE_FRESH set to this directory, if any, or is in it
	inside bool   // only what is seen from within
}

// list has one line for each thing there is, the same each time.
func (m machine) list() (map[string]bool, error) {
	found := map[string]bool{}
	var errs []error
	kinds := map[string]func() ([]string, error){"mount": m.mounts, "file": m.files}
	if !m.inside {
		maps.Copy(kinds,
			map[string]func() ([]string, error){"process": m.processes, "loop device": m.loops, "control group": m.groups,
				"BPF program": programs})
	}
	for kind, things := range kinds {
		list, err := things()
		if err != nil {
			errs = append(errs, fmt.Errorf("listing each %s: %w", kind, err))
		}
		for _, thing := range list {
			found[kind+" "+strings.ReplaceAll(thing, "\n", " ")] = true
		}
	}
	return found, errors.Join(errs...)
}

// processes are told by their environment, which a session, a parent or a root of their own does not change.
func (m machine) processes() (list []string, err error) {
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environments {
		dir := filepath.Dir(path)
		text, err := os.ReadFile(path)
		if err != nil || filepath.Base(dir) == fmt.Sprint(os.Getpid()) {
			continue // has ended
		}
		if m.root != "" && !bytes.Contains(append([]byte{0}, text...), []byte("\x00IOTRACE_FRESH="+m.root+"\x00")) {
			continue
		}
		command, _ := os.ReadFile(dir + "/cmdline")
		if len(command) > 0 { // none: a zombie, or a thread of the kernel
			list = append(list, filepath.Base(dir)+" "+strings.TrimSpace(strings.ReplaceAll(string(command), "\x00", " ")))
		}
	}
	return list, err
}

// mounts are those of this process's namespace.
func (m machine) mounts() (list []string, err error) {
	text, err := os.ReadFile(host.OwnMounts)
	for _, x := range host.ParseMounts(string(text)) {
		if m.holds(x.Point) {
			list = append(list, x.Point)
		}
	}
	return list, err
}

// holds reports whether a path is within the root, if there is one.
func (m machine) holds(path string) bool { return m.root == "" || strings.HasPrefix(path, m.root+"/") }

// loops are those whose image is in the root, or is gone. The kernel names an image as the root sees it, where the same
// name may be that of another file outside.
func (m machine) loops() (list []string, err error) {
	images, err := filepath.Glob("/sys/block/loop*/loop/backing_file")
	for _, path := range images {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // detached meanwhile
		}
		name, image := strings.Split(path, "/")[3], strings.TrimSpace(string(text))
		if m.holds(image) || !backs(name, image) {
			list = append(list, name+" of "+image)
		}
	}
	return list, err
}

// backs reports whether the file of this name, as this process sees it, is the image of a loop device.
func backs(loop, image string) bool {
	device, err := os.Open("/dev/" + loop)
	if err != nil {
		return false
	}
	defer device.Close()
	status, err := unix.IoctlLoopGetStatus64(int(device.Fd()))
	if err != nil {
		return false
	}
	var file unix.Stat_t
	return unix.Stat(image, &file) == nil && file.Ino == status.Inode && uint64(file.Dev) == status.Device
}

func (m machine) groups() ([]string, error) { return m.groupsIn("/sys/fs/cgroup") }

// groupsIn are the control groups below a directory. On a machine that others use as well, a group in which a process
// runs is in use: one that was left is found as a process.
func (m machine) groupsIn(dir string) (list []string, err error) {
	used := map[string]bool{}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil // it has gone meanwhile
		}
		list = append(list, path)
		if processes, _ := os.ReadFile(path + "/cgroup.procs"); len(processes) > 0 && m.root != "" {
			for ; strings.HasPrefix(path, dir); path = filepath.Dir(path) {
				used[path] = true
			}
		}
		return nil
	})
	return slices.DeleteFunc(list, func(path string) bool { return used[path] }), err
}

// programs numbers the BPF programs that the kernel holds.
func programs() (list []string, err error) {
	var attr struct{ start, next, flags uint32 }
	const progGetNextID = 11
	for {
		_, _, errno := unix.Syscall(unix.SYS_BPF, progGetNextID, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr))
		if errno == unix.ENOENT {
			return list, nil
		} else if errno != 0 {
			return list, os.NewSyscallError("bpf", errno)
		}
		attr.start = attr.next
		list = append(list, fmt.Sprint(attr.next))
	}
}

// files are those in the directories for what is temporary, and the segments of shared memory. What works in a root of
// its own does not see them.
func (m machine) files() (list []string, err error) {
	if m.root != "" {
		return nil, nil
	}
	for _, dir := range []string{"/tmp", "/var/tmp", "/dev/shm"} {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return list, err
		}
		for _, e := range entries {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	return list, nil
}

//go:build linux

package ebpf

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/machine"
)

// use notes a mount whose files have a device, and those below that hold the files of loop devices.
func (m *mounts) use(on host.Mount) {
	for range trace.MaxLoops {
		at := place{on.Major, on.Minor, on.Point}
		upper := upperOf(&on)
		if !strings.Contains(on.Source, "/") && upper == "" || m.used.known[at] {
			return
		}
		if len(m.used.mounts) == trace.MaxMounts && !m.forgetGone() {
			return
		}
		if m.used.known == nil {
			m.used.known = map[place]bool{}
		}
		m.used.known[at] = true
		m.read() // it may have been mounted anew, with other options
		if i := slices.IndexFunc(m.list, func(x host.Mount) bool {
			return x.Point == on.Point && x.Major == on.Major && x.Minor == on.Minor
		}); i >= 0 {
			on = m.list[i]
		}
		disk := diskOf(&on)
		x := trace.Mount{Device: trace.MakeDeviceID(on.Major, on.Minor), Disk: disk, Point: on.Point, FSType: on.FSType,
			Source: on.Source, Options: options(&on), Unjournaled: host.Unjournaled(on.FSType, on.Major, on.Minor),
			Unindexed:      host.Unindexed(on.FSType, disk.Major(), disk.Minor()),
			SharingCounted: host.SharingCounted(on.FSType, on.Source)}
		m.used.mounts = append(m.used.mounts, x)
		if upper != "" {
			on = host.MountOf(m.list, upper)
			continue
		}
		if m.stamps != nil && !x.Has("noatime", "relatime", "lazytime", "ro") {
			m.stamps(x.Device, x.Source)
		}
		file, err := os.ReadFile(fmt.Sprintf("/sys/dev/block/%d:%d/loop/backing_file", disk.Major(), disk.Minor()))
		if err != nil {
			return
		}
		on = host.MountOf(m.list, strings.TrimSpace(string(file)))
	}
}

// forgetGone makes room for mounts that are used now, in place of those that are there no more. It reports whether it
// found some.
func (m *mounts) forgetGone() bool {
	m.read()
	m.used.mounts = slices.DeleteFunc(slices.Clone(m.used.mounts), func(x trace.Mount) bool {
		at := place{x.Device.Major(), x.Device.Minor(), x.Point}
		there := slices.ContainsFunc(m.list, func(y host.Mount) bool { return place{y.Major, y.Minor, y.Point} == at })
		if !there {
			delete(m.used.known, at)
		}
		return !there
	})
	return len(m.used.mounts) < trace.MaxMounts
}

// upperOf is the directory that an overlay writes to, "" if there is none, or where its name leads from is not known.
func upperOf(on *host.Mount) string {
	if dir := trace.OptionValue(on.Options, "upperdir"); on.FSType == "overlay" && filepath.IsAbs(dir) {
		return dir
	}
	return ""
}

// options are those of the mount and of its file system, each once.
func options(on *host.Mount) string {
	var all []string
	for _, list := range []string{on.Here, on.Options} {
		for o := range strings.SplitSeq(list, ",") {
			if o != "" && !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
	}
	text := strings.Join(all, ",")
	if len(text) > maxOptions { // an overlay of very many layers
		text = text[:strings.LastIndexByte(text[:maxOptions], ',')+1]
	}
	return text
}

const maxOptions = 4096

// diskOf is the disk that a file system lies on: of a partition the whole, of several the one it was mounted from.
func diskOf(on *host.Mount) trace.DeviceID {
	id := trace.MakeDeviceID(on.Major, on.Minor)
	var st unix.Stat_t
	if on.Major == 0 && filepath.IsAbs(on.Source) && unix.Stat(on.Source, &st) == nil &&
		st.Mode&unix.S_IFMT == unix.S_IFBLK {
		id = trace.MakeDeviceID(unix.Major(st.Rdev), unix.Minor(st.Rdev))
	}
	dir, err := filepath.EvalSymlinks(fmt.Sprintf("/sys/dev/block/%d:%d", id.Major(), id.Minor()))
	if err != nil {
		return 0
	}
	if _, err := os.Stat(filepath.Join(dir, "partition")); err == nil {
		dir = filepath.Dir(dir)
	}
	disk, _ := machine.DeviceNumber(filepath.Join(dir, "dev"))
	return disk
}

// attributed are the file systems whose directories have attributes. Their directories are in memory when a name in
// them has just been changed: to ask them waits for nobody.
var attributed = []string{"ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "jfs", "reiserfs", "ocfs2", "nilfs2"}

// mostAsked bounds the directories that are asked for their attributes.
const mostAsked = 512

// names notes that a name was changed, and whether its directory has it written at once.
func (m *mounts) names(name string) {
	dir := filepath.Dir(name)
	if m.asked[dir] || len(m.asked) == mostAsked || !filepath.IsAbs(dir) || len(m.used.dirs) == trace.MaxSyncedDirs ||
		!slices.Contains(attributed, host.MountOf(m.list, dir).FSType) {
		return
	}
	if m.asked == nil {
		m.asked = map[string]bool{}
	}
	m.asked[dir] = true
	f, err := host.OpenQuietly(dir, unix.O_DIRECTORY)
	if err != nil {
		return
	}
	defer f.Close()
	const synced, dirSynced = 0x8, 0x10000 // FS_SYNC_FL, FS_DIRSYNC_FL of linux/fs.h
	if flags, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS); err == nil && flags&(synced|dirSynced) != 0 {
		m.used.dirs = append(m.used.dirs, dir)
	}
}

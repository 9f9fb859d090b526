package profile

import "github.com/iotrace/iotrace/trace"

// Mount is a mounted file system that the workload used, or one below it: that of the file of a loop device.
type Mount struct {
	Point  string `json:"point"`   // where it is mounted
	FSType string `json:"fs_type"` // its type
	Source string `json:"source"`  // what it was mounted from
	// the disk on which it lies, as in `devices`, if that was used
	Device string `json:"device,omitempty"`
	// of the mount and of the file system, separated by commas, when it was first used
	Options string `json:"options,omitempty"`
	// it keeps no journal, log or trees of which a sync makes a whole version safe: its type has none, or this ext4 was
	// made without
	Unjournaled bool `json:"unjournaled,omitempty"`
	// it is an ext2, ext3 or ext4 whose directories have no index (dir_index)
	Unindexed bool `json:"unindexed,omitempty"`
	// it is a btrfs with quota groups that count who shares an extent
	SharingCounted bool `json:"sharing_counted,omitempty"`
	// the device below it whose volatile cache nothing flushes: what is written there is not called durable. The file
	// system, or that of a loop device's file, is mounted `nobarrier`, and the device is not `write through`
	Unflushed string `json:"unflushed,omitempty"`
}

// Has reports whether it has one of some options.
func (m *Mount) Has(options ...string) bool { return trace.HasOption(m.Options, options...) }

// Remount is the command that sets an option.
func (m *Mount) Remount(option string) string { return "mount -o remount," + option + " " + m.Point }

// Without is what takes an option back. No remount does so for some: dirsync and wsync, and discard of XFS.
func (m *Mount) Without(option string) string {
	switch back := map[string]string{"sync": "async", "nobarrier": "barrier", "discard": "nodiscard"}[option]; {
	case back == "", back == "nodiscard" && m.FSType == "xfs":
		return "without " + option + ": umount " + m.Point + " && mount " + m.Source + " " + m.Point
	default:
		return m.Remount(back)
	}
}

// Naming is the option with which each change of a name waits until it is safe, "" if there is none.
func (m *Mount) Naming() string {
	for _, option := range []string{"dirsync", "wsync", "sync"} { // sync can be taken back without the others
		if m.Has(option) {
			return option
		}
	}
	return ""
}

// Mount is the mount at a place, nil if it is not told of. The last one there covers the others.
func (t *Trace) Mount(point string) (m *Mount) {
	for i := range t.Mounts {
		if t.Mounts[i].Point == point {
			m = &t.Mounts[i]
		}
	}
	return m
}

// Journals reports whether file systems on a device may keep a journal: false where all that were used have none.
func (t *Trace) Journals(device string) bool {
	without := false
	for i := range t.Mounts {
		switch m := &t.Mounts[i]; {
		case m.Device != device:
		case !m.Unjournaled:
			return true
		default:
			without = true
		}
	}
	return !without
}

// MountWith is the first mount that has one of some options, nil if none has.
func (t *Trace) MountWith(options ...string) *Mount {
	for i := range t.Mounts {
		if m := &t.Mounts[i]; m.Has(options...) {
			return m
		}
	}
	return nil
}

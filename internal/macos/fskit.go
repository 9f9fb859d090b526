package macos

import "strings"

// File systems that are programs (FSKit, since macOS 15): mount(8) says fskit of their volumes, statfs(2)
// MNT_EXT_FSKIT.
const (
	// UserSpace precedes the type of such a file system in a trace, as fuse does on Linux.
	UserSpace = "fskit."
	// FileSystemProgram precedes the type in the name of the program where that is Apple's. Other programs have any
	// name.
	FileSystemProgram = "com.apple.fskit."

	extFSKit = 0x2 // MNT_EXT_FSKIT in f_flags_ext (bsd/sys/mount.h of xnu-11417)
)

// VolumeType is the type of a file system as a trace has it, of its name and f_flags_ext in statfs(2).
func VolumeType(name string, extended uint32) string {
	if extended&extFSKit != 0 {
		return UserSpace + name
	}
	return name
}

// VolumeDevice is the node in /dev on which a volume of such a type is, by what it was mounted from; "" if it is on
// none, or if the device of its files says which.
func VolumeDevice(kind, from string) string {
	if strings.HasPrefix(kind, UserSpace) && strings.HasPrefix(from, "/dev/") {
		return from
	}
	return ""
}

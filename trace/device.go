package trace

import "strings"

// DeviceID is a block or file-system device number, major<<20 | minor, as the
// Linux kernel encodes it internally. Zero means "not known".
type DeviceID uint32

// Major returns the device's major number.
func (d DeviceID) Major() uint32 { return uint32(d) >> 20 }

// Minor returns the device's minor number.
func (d DeviceID) Minor() uint32 { return uint32(d) & (1<<20 - 1) }

// MakeDeviceID builds a DeviceID from a major and a minor number.
func MakeDeviceID(major, minor uint32) DeviceID { return DeviceID(major<<20 | minor&(1<<20-1)) }

// Compresses reports whether a type of file system can compress what calls write.
func Compresses(fsType string) bool {
	switch fsType {
	case "btrfs", "zfs", "bcachefs", "f2fs", "ntfs3":
		return true
	}
	return false
}

// Inlines reports whether a type of file system keeps a file of a few hundred bytes with its metadata, in no block.
func Inlines(fsType string) bool {
	switch fsType {
	case "btrfs", "f2fs", "ntfs3", "bcachefs":
		return true
	}
	return false
}

// TellsPacked reports whether requests tell which data of a type of file system is compressed (ReqPacked).
func TellsPacked(fsType string) bool { return fsType == "btrfs" }

// Packed reports whether a type of file system is made once, of compressed files.
func Packed(fsType string) bool {
	return fsType == "squashfs" || fsType == "erofs" || fsType == "cramfs"
}

// InMemory reports whether the files of a type of file system never reach a device.
func InMemory(fsType string) bool {
	return fsType == "tmpfs" || fsType == "ramfs" || fsType == "hugetlbfs"
}

// ByProcess reports whether a type of file system is a process of which nobody knows where it has its data.
func ByProcess(fsType string) bool { return strings.HasPrefix(fsType, "fuse") && fsType != "fuseblk" }

// Unjournaled reports whether a type of file system keeps no journal, log or trees of which each sync makes a whole
// version safe: one of a file may leave its name in memory, and one of all files may leave them in a drive's cache. An
// ext4 may have been made without one, which its mount tells.
func Unjournaled(fsType string) bool {
	switch fsType {
	case "ext2", "vfat", "msdos", "exfat", "minix", "hfs", "udf":
		return true
	}
	return false
}

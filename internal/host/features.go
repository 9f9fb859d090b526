package host

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Where the first block of ext2, ext3 and ext4 lies, and what it has where (fs/ext4/ext4.h).
const (
	superblockAt  = 1024
	magicAt       = 0x38
	magic         = 0xEF53
	compatibleAt  = 0x5C
	directoryTree = 0x20 // dir_index
)

// What the list of mounts does not say of file systems.

// Unjournaled reports whether the ext4 on a device was made, or mounted, without a journal. Its type does not say so,
// nor do the options in the list of mounts. The kernel's own list of all options tells how a journal orders data.
func Unjournaled(fsType string, major, minor uint32) bool {
	if fsType != "ext4" {
		return false
	}
	options, err := os.ReadFile(filepath.Join("/proc/fs/ext4", diskName(major, minor), "options"))
	return err == nil && !ordersData(string(options))
}

// ordersData reports whether one of some options of ext4, one a line, is the mode of a journal.
func ordersData(options string) bool {
	return slices.ContainsFunc(strings.Fields(options), func(o string) bool { return strings.HasPrefix(o, "data=") })
}

// Unindexed reports whether directories of an ext2, ext3 or ext4 have no index: a name is then looked for from their
// beginning.
func Unindexed(fsType string, major, minor uint32) bool {
	if !slices.Contains([]string{"ext2", "ext3", "ext4"}, fsType) {
		return false
	}
	f, err := os.Open(filepath.Join("/dev", diskName(major, minor)))
	if err != nil {
		return false
	}
	defer f.Close()
	block := make([]byte, compatibleAt+4)
	_, err = f.ReadAt(block, superblockAt)
	return err == nil && withoutTree(block)
}

// withoutTree reports whether a first block is one of ext2 to ext4 without an index of directories.
func withoutTree(block []byte) bool {
	return binary.LittleEndian.Uint16(block[magicAt:]) == magic &&
		binary.LittleEndian.Uint32(block[compatibleAt:])&directoryTree == 0
}

// SharingCounted reports whether a btrfs keeps quota groups that count who shares an extent: of each extent that is
// freed it looks for all who have it. Simple quotas (Linux 6.7) do not. Source is what it was mounted from.
func SharingCounted(fsType, source string) bool {
	if fsType != "btrfs" {
		return false
	}
	if real, err := filepath.EvalSymlinks(source); err == nil {
		source = real
	}
	systems, err := filepath.Glob(filepath.Join("/sys/fs/btrfs/*/devices", filepath.Base(source)))
	if err != nil || len(systems) == 0 {
		return false
	}
	groups := filepath.Join(filepath.Dir(filepath.Dir(systems[0])), "qgroups")
	return setting(groups, "enabled") == "1" && setting(groups, "mode") != "squota"
}

// setting is what a file of the kernel's holds, "" without one.
func setting(dir, name string) string {
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// diskName is the name of a disk or a partition, "" if there is none.
func diskName(major, minor uint32) string {
	link, err := os.Readlink(fmt.Sprintf("/sys/dev/block/%d:%d", major, minor))
	if err != nil {
		return ""
	}
	return filepath.Base(link)
}

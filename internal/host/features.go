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

// Unindexed reports whether directories of an ext2, ext3 or ext4 have no index: a name is then looked for from their
// beginning. The list of mounts does not say so.
func Unindexed(fsType string, major, minor uint32) bool {
	if !slices.Contains([]string{"ext2", "ext3", "ext4"}, fsType) {
		return false
	}
	device, err := os.Readlink(fmt.Sprintf("/sys/dev/block/%d:%d", major, minor))
	if err != nil {
		return false
	}
	f, err := os.Open(filepath.Join("/dev", filepath.Base(device)))
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

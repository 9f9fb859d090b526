package host

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Unjournaled reports whether the ext4 on a device was made, or mounted, without a journal. Its type does not say so,
// nor do the options in the list of mounts. The kernel's own list of all options tells how a journal orders data.
func Unjournaled(fsType string, major, minor uint32) bool {
	if fsType != "ext4" {
		return false
	}
	device, err := os.Readlink(fmt.Sprintf("/sys/dev/block/%d:%d", major, minor))
	if err != nil {
		return false
	}
	options, err := os.ReadFile(filepath.Join("/proc/fs/ext4", filepath.Base(device), "options"))
	return err == nil && !ordersData(string(options))
}

// ordersData reports whether one of some options of ext4, one a line, is the mode of a journal.
func ordersData(options string) bool {
	return slices.ContainsFunc(strings.Fields(options), func(o string) bool { return strings.HasPrefix(o, "data=") })
}

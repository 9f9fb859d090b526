package host

import (
	"slices"
	"strings"
	"testing"
	"unsafe"
)

func TestParseMounts(t *testing.T) {
	const text = `22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw
31 22 0:46 /@home /home rw master:1 shared:2 - btrfs /dev/sdb1 rw,subvol=/@home
40 22 8:17 /a\134b /mnt/two\040words\011tab rw - vfat /dev/disk/by-label/MY\040DISK rw
41 22 8:17 / /mnt/odd\9end\04 rw - vfat none rw
no such line
50 22 8 / /x rw - ext4 /dev/sda rw
51 22 8:1 / /x rw
`
	want := []Mount{
		{259, 2, "/", "/", "ext4", "/dev/nvme0n1p2", "rw", "rw,relatime"},
		{0, 46, "/@home", "/home", "btrfs", "/dev/sdb1", "rw,subvol=/@home", "rw"},
		{8, 17, `/a\b`, "/mnt/two words\ttab", "vfat", "/dev/disk/by-label/MY DISK", "rw", "rw"},
		{8, 17, "/", `/mnt/odd\9end\04`, "vfat", "none", "rw", "rw"},
	}
	if got := ParseMounts(text); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}

// What is kept of a list of mounts keeps no more of its text.
func TestMountsHaveTheirOwnMemory(t *testing.T) {
	text := strings.Repeat("22 1 259:2 /a /b rw,relatime shared:1 - ext4 /dev/x rw\n", 3)
	from := uintptr(unsafe.Pointer(unsafe.StringData(text)))
	for _, m := range ParseMounts(text) {
		for _, s := range []string{m.Root, m.Point, m.FSType, m.Source, m.Options, m.Here} {
			if at := uintptr(unsafe.Pointer(unsafe.StringData(s))); at >= from && at < from+uintptr(len(text)) {
				t.Errorf("%q lies in the text", s)
			}
		}
	}
}

func TestTheMountOfAPath(t *testing.T) {
	list := []Mount{{Point: "/", FSType: "ext4"}, {Point: "/mnt", FSType: "xfs"}, {Point: "/mnt/a", FSType: "tmpfs"},
		{Point: "/mnt/a", FSType: "overlay"}}
	for path, want := range map[string]string{
		"/etc/passwd": "ext4", "/mnt": "xfs", "/mnt/ab": "xfs", "/mnt/a": "overlay", "/mnt/a/b": "overlay",
	} {
		if got := MountOf(list, path).FSType; got != want {
			t.Errorf("%s is on %s, want %s", path, got, want)
		}
	}
	if got := MountOf(list[1:], "/etc/passwd"); got.Point != "" {
		t.Errorf("a path on no mount is on %+v", got)
	}
}

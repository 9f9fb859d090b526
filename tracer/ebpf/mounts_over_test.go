//go:build linux

package ebpf

import "testing"

func TestTheMountOfAPath(t *testing.T) {
	m := mounts{list: []mount{
		{point: "/", fsType: "ext4"}, {point: "/mnt", fsType: "xfs"}, {point: "/mnt/a", fsType: "tmpfs"},
		{point: "/mnt/a", fsType: "overlay"},
	}}
	for path, want := range map[string]string{
		"/etc/passwd": "ext4", "/mnt": "xfs", "/mnt/ab": "xfs", "/mnt/a": "overlay", "/mnt/a/b": "overlay",
	} {
		if got := m.over(path).fsType; got != want {
			t.Errorf("%s lies on %s, want %s", path, got, want)
		}
	}
}

//go:build linux

package corpus

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSourceBeneath copies a file that is not in memory from a disk to a file
// system in an image on that disk: what the disk read of it is told of, although
// the loop device lies above.
func TestSourceBeneath(t *testing.T) {
	needPrivilege(t)
	const bytes = 24 << 20
	dir, to := workDir(t), mount(t, "ext4", 96<<20)
	a := filepath.Join(dir, "a")
	fill(t, a, bytes)
	run(t, "sync", a)
	run(t, "dd", "if="+a, "iflag=nocache", "count=0", "status=none")
	file := filepath.Join(dir, "trace")
	keep(t, file, "sh", "-c", "cat "+a+" > "+filepath.Join(to, "b")+" && sync -f "+to)
	p := show(t, file)
	list := between(p, dir, to)
	if len(list) != 1 || list[0].DeviceReadBytes < bytes/2 {
		t.Fatalf("want one copy of a file that is not in memory: %+v", list)
	}
	read := int64(0)
	for _, l := range p.Layers {
		read += l.DirectRead
		if l.Level == 1 && l.DirectRead > 0 {
			t.Errorf("%s is topmost and lies beneath another device", l.Name)
		}
	}
	if read < list[0].DeviceReadBytes || read > 2*bytes {
		t.Errorf("%d bytes were read of files beneath the loop device; of the source %d", read, list[0].DeviceReadBytes)
	}
	if out, err := exec.Command(binary, "show", "--full", file).Output(); err != nil ||
		!strings.Contains(strings.Join(strings.Fields(string(out)), " "), "of files that lie on the disk beneath (") {
		t.Errorf("the summary does not tell of it: %v\n%.1000s", err, out)
	}
}

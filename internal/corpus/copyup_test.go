//go:build linux

package corpus

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// TestCopyUpPacked changes a file of an overlay of which the lower layer is an image of compressed files: what is read
// of the image is the file, for the copy, and all of it adds up to what the kernel counted there.
func TestCopyUpPacked(t *testing.T) {
	needPrivilege(t)
	for _, image := range []struct{ fs, make string }{
		{"squashfs", "mksquashfs l image -quiet -no-progress -comp zstd"},
		{"squashfs", "mksquashfs l image -quiet -no-progress -comp lz4 -b 64K"},
		{"erofs", "mkfs.erofs -zlz4hc image l"},
	} {
		for name, script := range map[string]string{
			"chmod": "chmod 600 m/f", "append": "echo x >> m/f", "link": "ln m/f m/g", "rename": "mv m/f m/g",
			"owner": "chown 1:1 m/f", "opened to write": "exec 3<>m/f",
		} {
			t.Run(image.fs+"/"+name, func(t *testing.T) {
				tool := strings.Fields(image.make)[0]
				needPrograms(t, tool, "mkfs.ext4", "python3")
				top := mount(t, "ext4", 128<<20)
				run(t, "sh", "-c", "cd "+top+" && mkdir l u w m lower && "+halfPacked(1024, "l/f")+" && "+image.make+
					" >&2 && mount -o loop,ro image lower")
				t.Cleanup(func() { run(t, "sh", "-c", "umount -q "+top+"/m; umount "+top+"/lower") })
				device := filepath.Base(source(t, top+"/lower"))
				p := prepared(t, func() []string {
					run(t, "sh", "-c", "cd "+top+"; umount -q m; rm -rf u w; mkdir u w; "+
						"mount -t overlay o -o lowerdir=lower,upperdir=u,workdir=w m; stat m/f")
					run(t, "sync", "-f", top)
					dropCaches(t)
					run(t, "stat", top+"/m/f")
					return in(top, script)
				})
				m := amountOf(t, p, device).Read
				for _, d := range p.Trace.Drives {
					if d.Name == device && p.Lost.Total == 0 && m.Device != d.ReadBytes {
						t.Errorf("%d bytes were read, the kernel counted %d", m.Device, d.ReadBytes)
					}
				}
				if n := m.Of(profile.CopyUp); n < 2<<20 || n*20 < m.Device*19 {
					t.Errorf("%d bytes of %d were read for the copy: %+v", n, m.Device, m.Reasons)
				}
			})
		}
	}
}

//go:build linux

package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// compressed is a file system on a device in compressed memory (zram), which has no request queue; it is removed when
// the test ends.
func compressed(t testing.TB, fs string, size string) (dir, device string) {
	t.Helper()
	const control = "/sys/class/zram-control/"
	number, err := os.ReadFile(control + "hot_add")
	if err != nil {
		t.Skipf("no zram here: %v", err)
	}
	n := strings.TrimSpace(string(number))
	device = "zram" + n
	t.Cleanup(func() {
		if err := os.WriteFile(control+"hot_remove", []byte(n), 0o200); err != nil {
			t.Error(err)
		}
	})
	if err := os.WriteFile("/sys/block/"+device+"/disksize", []byte(size), 0o644); err != nil {
		t.Fatal(err)
	}
	format(t, fs, "/dev/"+device)
	dir = workDir(t)
	run(t, "mount", "/dev/"+device, dir)
	t.Cleanup(func() { run(t, "umount", dir) })
	return dir, device
}

// TestZram records programs on a device without a request queue: each byte that the kernel counted there has its
// reason, and nothing was done for others.
func TestZram(t *testing.T) {
	needPrivilege(t)
	for _, fs := range []string{"ext4", "xfs", "btrfs"} {
		t.Run(fs, func(t *testing.T) {
			needPrograms(t, "mkfs."+fs)
			top, device := compressed(t, fs, "400M")
			fill(t, filepath.Join(top, "a"), 24<<20)
			for _, x := range []struct {
				script        string
				read, written int64
			}{
				{"dd if=/dev/urandom of=b bs=1M count=16 conv=fsync", 0, 16 << 20},
				{"cp --reflink=never a c; sync -f .", 24 << 20, 24 << 20},
				{"dd if=/dev/urandom of=d bs=64k count=64 oflag=direct", 0, 4 << 20},
				{"for i in $(seq 50); do echo $i > f$i; sync f$i; done", 0, 50 * 512},
			} {
				t.Run(strings.Fields(x.script)[0], func(t *testing.T) {
					p := prepared(t, func() []string {
						run(t, "sync", "-f", top)
						dropCaches(t)
						return in(top, x.script)
					})
					a := amountOf(t, p, device)
					if a.Read.Device < x.read || a.Write.Device < x.written {
						t.Errorf("read %d and wrote %d bytes, want at least %d and %d", a.Read.Device, a.Write.Device, x.read, x.written)
					}
					if a.Read.Of(profile.ByOther)+a.Write.Of(profile.ByOther) > 0 {
						t.Errorf("nobody else was there: %+v %+v", a.Read.Reasons, a.Write.Reasons)
					}
					counted(t, p, a, device)
				})
			}
		})
	}
}

// counted compares what a device read and wrote with what the kernel counted there.
func counted(t *testing.T, p *profile.Profile, a profile.Amount, device string) {
	t.Helper()
	for _, m := range []profile.Moved{a.Read, a.Write} {
		sum := int64(0)
		for _, r := range m.Reasons {
			sum += r.Bytes
		}
		if sum != m.Device {
			t.Errorf("reasons add up to %d of %d bytes: %+v", sum, m.Device, m.Reasons)
		}
	}
	i := slices.IndexFunc(p.Trace.Drives, func(d profile.Drive) bool { return d.Name == device })
	if i < 0 {
		t.Fatalf("%s is not among the drives: %+v", device, p.Trace.Drives)
	}
	d := p.Trace.Drives[i]
	if p.Lost.Total == 0 && (a.Read.Device != d.ReadBytes || a.Write.Device != d.WrittenBytes) {
		t.Errorf("%d bytes were read and %d written, the kernel counted %d and %d", a.Read.Device, a.Write.Device,
			d.ReadBytes, d.WrittenBytes)
	}
}

//go:build linux

package corpus

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// imposed are programs of which it is known why a device read or wrote other bytes than calls moved, and how many. Each
// runs in the root of a file system of its own, with what was prepared on the device and not in memory.
var imposed = []struct {
	name, fs, options string
	prepare, script   string
	code              string
	written           bool
	least, most       int64
}{
	{"parts of blocks", "ext4", "", "head -c 8M /dev/urandom > f", `python3 -c 'import os
f = os.open("f", os.O_WRONLY)
for i in range(100): os.pwrite(f, b"x" * 100, (i << 16) + 7)
os.fsync(f)'`, profile.ForWriting, false, 100 << 10, 100 << 12},
	{"the rest of blocks that are written", "xfs", "", "head -c 8M /dev/urandom > f", `python3 -c 'import os
f = os.open("f", os.O_WRONLY)
for i in range(100): os.pwrite(f, b"x" * 100, (i << 16) + 7)
os.fsync(f)'`, profile.Partial, true, 100 * (4096 - 100), 100 * (4096 - 100)},
	{"readahead that nobody used", "ext4", "", "head -c 8M /dev/urandom > f", "dd if=f bs=64k count=3 of=/dev/null",
		profile.Readahead, false, 64 << 10, 1 << 20},
	{"dropped by a program", "btrfs", "", "head -c 8M /dev/urandom > f",
		"cat f > /dev/null; dd if=f iflag=nocache count=0; cat f > /dev/null", profile.AgainDropped, false, 8 << 20, 8 << 20},
	{"written past the cache in between", "ext4", "", "head -c 8M /dev/urandom > f",
		"cat f > /dev/null; dd if=/dev/zero of=f bs=1M count=8 oflag=direct conv=notrunc; cat f > /dev/null",
		profile.AgainDirect, false, 8 << 20, 8 << 20},
	{"holes of the source", "xfs", "", "truncate -s 16M f; head -c 64K /dev/urandom > data", "cat f data > /dev/null",
		profile.Holes, false, 16 << 20, 16 << 20},
	{"compressed", "btrfs", "compress-force=zstd", "", "yes | head -c 16M > f; sync f", profile.Compressed, true, 15 << 20,
		16 << 20},
	{"overwritten in memory", "xfs", "", "",
		"for i in 1 2 3; do dd if=/dev/zero of=f bs=1M count=4 conv=notrunc; done; sync f", profile.Overwritten, true,
		8 << 20, 8 << 20},
	{"deleted before it was written", "ext4", "", "", "dd if=/dev/zero of=f bs=1M count=4; rm f", profile.Deleted, true,
		4 << 20, 4 << 20},
	{"the journal of data", "ext4", "data=journal", "", "dd if=/dev/urandom of=f bs=1M count=8 conv=fsync",
		profile.Metadata, true, 8 << 20, 20 << 20},
	{"a copy before a change", "ext4", "", "mkdir l u w m; head -c 8M /dev/urandom > l/f; mount -t overlay o -o " +
		"lowerdir=$PWD/l,upperdir=$PWD/u,workdir=$PWD/w m", "chmod 600 m/f; sync -f .", profile.CopyUp, true, 8 << 20,
		8 << 20},
	{"a copy of which the layers are named by other paths, read", "ext4", "", "mkdir l u w m; " +
		"head -c 8M /dev/urandom > l/f; mount -t overlay o -o lowerdir=l,upperdir=u,workdir=w m", "ln m/f m/g; sync -f .",
		profile.CopyUp, false, 8 << 20, 8 << 20},
	{"compressed, read", "btrfs", "compress-force=lzo", "yes | head -c 16M > f", "cat f > /dev/null", profile.Compressed,
		false, 15 << 20, 16 << 20},
	// To read 4 KiB of 128 takes some 66.
	{"a page of each compressed extent", "btrfs", "compress-force=zstd", halfPacked(2560, "f"), `python3 -c 'import os
f = os.open("f", os.O_RDONLY)
os.posix_fadvise(f, 0, 0, os.POSIX_FADV_RANDOM)
for i in range(80): os.pread(f, 4096, ((i * 37 % 80) << 17) + (i % 32 << 12))'`, profile.Unpacked, false, 80 * 58 << 10,
		80 * 68 << 10},
	{"compressed extents that nobody wants", "btrfs", "compress-force=lzo", halfPacked(1024, "f"),
		"dd if=f bs=64k count=2 of=/dev/null", profile.Readahead, false, 60 << 10, 2 << 20},
	{"a hole beside what is compressed", "btrfs", "compress=zstd", "yes | head -c 4M > f; truncate -s 12M f; echo >> f",
		"cat f > /dev/null", profile.Holes, false, 8<<20 - 4096, 8 << 20},
	{"overwritten in memory of what could be compressed", "btrfs", "", "",
		"for i in 1 2 3; do dd if=/dev/urandom of=f bs=1M count=4 conv=notrunc; done; sync f", profile.Overwritten, true,
		8 << 20, 8 << 20},
	{"written with the metadata", "btrfs", "", "", "for i in $(seq 50); do echo $i > $i; done; sync -f .", profile.Inline,
		true, 141, 141},
	{"read with the metadata", "btrfs", "", "for i in $(seq 600); do head -c 1500 /dev/urandom > $i; done",
		"cat * > /dev/null", profile.Inline, false, 600 * 1500, 600 * 1500},
	{"deleted on a mount with discard", "ext4", "discard", "head -c 8M /dev/urandom > f", "rm f; sync -f .; sleep .2",
		"discard", true, 8 << 20, 32 << 20},
}

// halfPacked makes a file of pages of which half can be compressed: none is kept as it is.
func halfPacked(pages int, file string) string {
	return fmt.Sprintf("python3 -c 'import os,sys\nfor i in range(%d): sys.stdout.buffer.write(os.urandom(2048) + "+
		"bytes(2048))' > %s", pages, file)
}

// TestReasons records each of them: so much was for that reason, and all reasons add up to what the kernel counted.
func TestReasons(t *testing.T) {
	needPrivilege(t)
	for _, x := range imposed {
		t.Run(x.name, func(t *testing.T) {
			needPrograms(t, "mkfs."+x.fs, "python3")
			top := mount(t, x.fs, 384<<20)
			if x.options != "" {
				anew(t, top, x.options)
			}
			device := filepath.Base(source(t, top))
			uncover := func() { run(t, "sh", "-c", "umount -q "+top+"/m; true") }
			t.Cleanup(uncover)
			p := prepared(t, func() []string {
				uncover()
				run(t, "sh", "-c", "cd "+top+" && rm -rf * && "+strings.TrimPrefix(x.prepare+"; true", "; "))
				run(t, "sync", "-f", top)
				dropCaches(t)
				return in(top, x.script)
			})
			a := amountOf(t, p, device)
			m := a.Read
			if x.written {
				m = a.Write
			}
			bytes := m.Of(x.code)
			if x.code == "discard" {
				bytes = a.Discarded
			}
			if bytes < x.least || bytes > x.most {
				t.Errorf("%d bytes were %s, want %d to %d: %+v", bytes, x.code, x.least, x.most, m)
			}
			if others := a.Read.Of(profile.ByOther) + a.Write.Of(profile.ByOther); others > 0 {
				t.Errorf("%d bytes were done for others (%+v): %+v %+v", others, p.Trace.Users, a.Read.Reasons,
					a.Write.Reasons)
			}
			for _, d := range p.Trace.Drives {
				if d.Name == device && p.Lost.Total == 0 && (a.Read.Device != d.ReadBytes || a.Write.Device != d.WrittenBytes) {
					t.Errorf("%d bytes were read and %d written, the kernel counted %d and %d", a.Read.Device, a.Write.Device,
						d.ReadBytes, d.WrittenBytes)
				}
			}
		})
	}
}

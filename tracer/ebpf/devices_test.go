//go:build linux

package ebpf

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// fill writes pattern files and leaves nothing of them in memory.
func (d *disk) fill(fstype string, files, size int) {
	d.t.Helper()
	d.format(fstype)
	dir := d.mount(fstype, "")
	for id := range files {
		run(d.t, workload.Args("write", dir, fmt.Sprint(id), fmt.Sprint(size), "65536", "buffered")...)
	}
	unmount(d.t, dir)
}

// onMounted records a shell command on a file system that is mounted for it and
// unmounted after it, by the recorded shell itself. $dir is where.
func (d *disk) onMounted(fstype, options, command string) *recording {
	d.t.Helper()
	script := fmt.Sprintf("set -e; dir=%s; mount -t %s -o defaults%s %s $dir; trap 'umount $dir' EXIT; %s",
		workDir(d.t), fstype, options, d.path(), command)
	s, w := launch(d.t, Options{}, "/bin/sh", "-c", script)
	wait(d.t, w)
	return s.end()
}

// What is read from a device is of the file that it is said to be of, and the
// recording of a command contains all requests at the device.
func TestReadsCarryTheirFile(t *testing.T) {
	needBPF(t)
	for _, fstype := range []string{"ext4", "xfs", "btrfs"} {
		for _, method := range []string{"buffered", "direct", "mmap"} {
			t.Run(fstype+" "+method, func(t *testing.T) {
				d := newDisk(t, imageSize)
				d.fill(fstype, 3, 8<<20)
				var read []string
				for id := range 3 {
					read = append(read, quoted(workload.Args("read", "$dir", fmt.Sprint(id), "65536", method)))
				}
				c := d.watch()
				rec := d.onMounted(fstype, "", strings.Join(read, "; "))
				c.stop()
				c.compare(rec)
				checkPlaces(t, d, rec, trace.ReqRead)
				for _, q := range rec.requests(d.id) {
					if _, ok := workload.PatternID(rec.path(q.File)); ok && q.Flags&trace.ReqForeign != 0 {
						t.Fatalf("a request of a file that the command read is said to be foreign: %+v", q)
					}
				}
			})
		}
	}
}

func quoted(args []string) string { return `"` + strings.Join(args, `" "`) + `"` }

// Discards, however they come about, are counted like the kernel counts them.
func TestDiscards(t *testing.T) {
	needBPF(t)
	needTools(t, "fstrim", "fallocate", "blkdiscard")
	for _, test := range []struct{ name, fstype, options, command string }{
		{"fstrim ext4", "ext4", "", "rm $dir/pattern-1; sync; fstrim $dir"},
		{"fstrim xfs", "xfs", "", "rm $dir/pattern-1; sync; fstrim $dir"},
		{"fstrim btrfs", "btrfs", "", "rm $dir/pattern-1; sync; fstrim $dir"},
		{"mount -o discard, rm", "ext4", ",discard", "rm $dir/pattern-1; sync"},
		{"mount -o discard, punch", "ext4", ",discard", "fallocate -p -o 65536 -l 1048576 $dir/pattern-1; sync"},
		{"mount -o discard, btrfs", "btrfs", ",discard=sync", "rm $dir/pattern-1; sync"},
		{"zero range", "ext4", "", "fallocate -z -o 65536 -l 1048576 $dir/pattern-1; sync"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDisk(t, imageSize)
			d.fill(test.fstype, 3, 4<<20)
			c := d.watch()
			rec := d.onMounted(test.fstype, test.options, test.command)
			c.stop()
			c.compare(rec)
			want := c.after.Requests[trace.ReqDiscard] - c.before.Requests[trace.ReqDiscard]
			if want == 0 && test.name != "zero range" {
				t.Error("nothing was discarded: the test proves nothing")
			}
		})
	}
	t.Run("blkdiscard", func(t *testing.T) {
		d := newDisk(t, 64<<20)
		c := d.watch()
		s, w := launch(t, Options{}, "/bin/sh", "-c", fmt.Sprintf("blkdiscard -o 1M -l 3M %s && blkdiscard -z -o 8M -l 1M %s",
			d.path(), d.path()))
		wait(t, w)
		c.stop()
		rec := s.end()
		c.compare(rec)
		var calls []trace.Syscall
		for _, s := range rec.Syscalls {
			if s.Op == trace.OpDiscard {
				calls = append(calls, s)
			}
		}
		if len(calls) != 2 || rec.path(calls[0].File) != d.path() || calls[0].Offset != 1<<20 ||
			calls[0].Requested != 3<<20 ||
			calls[1].Offset != 8<<20 || calls[1].Requested != 1<<20 {
			t.Errorf("recorded calls: %+v", calls)
		}
	})
}

// A file system of its own need not be mounted to be read: a block device is a
// file, and its requests carry it, with offsets.
func TestRawDevice(t *testing.T) {
	needBPF(t)
	for _, flags := range []string{"", "iflag=direct oflag=direct"} {
		for _, block := range []string{"4k", "1M", "4M"} {
			t.Run("dd "+flags+" bs="+block, func(t *testing.T) {
				d := newDisk(t, 64<<20)
				c := d.watch()
				s, w := launch(t, Options{}, "/bin/sh", "-c", fmt.Sprintf(
					"dd if=/dev/zero of=%[1]s bs=%[2]s count=4 seek=1 %[3]s conv=fsync status=none; dd if=%[1]s of=/dev/null "+
						"bs=%[2]s count=4 skip=1 iflag=%[4]s status=none", d.path(), block, strings.TrimPrefix(flags, "iflag=direct "),
					map[bool]string{true: "direct", false: "fullblock"}[flags != ""]))
				wait(t, w)
				c.stop()
				rec := s.end()
				c.compare(rec)
				bytes := map[trace.ReqOp]int64{}
				for _, q := range rec.requests(d.id) {
					for _, e := range extents(&q) {
						if q.Op == trace.ReqFlush {
							continue
						}
						if rec.path(e.File) != d.path() || e.Offset < 0 {
							t.Errorf("%s of %d bytes at sector %d: file %q, offset %d", q.Op, e.Bytes, q.Sector, rec.path(e.File), e.Offset)
						} else {
							bytes[q.Op] += e.Bytes
						}
					}
					if q.More == nil && q.Op != trace.ReqFlush && q.Offset != int64(q.Sector)*512 {
						t.Errorf("%s at sector %d: offset %d", q.Op, q.Sector, q.Offset)
					}
					if q.Op == trace.ReqFlush && q.PID == 0 {
						t.Errorf("a flush that nobody asked for: %+v", q)
					}
				}
				t.Log(bytes)
			})
		}
	}
}

// Scopes differ in the calls they record, not in the requests.
func TestScopesHaveTheSameRequests(t *testing.T) {
	needBPF(t)
	d := newDisk(t, imageSize)
	d.format("ext4")
	c := d.watch()
	s := begin(t, Options{}, tracer.Scope{PIDs: []uint32{1}})
	dir := d.mount("ext4", "")
	run(t, workload.Args("write", dir, "0", "1048576", "65536", "buffered")...)
	run(t, "sync", "-f", dir) // unmounting forgets the names before it writes the data
	unmount(t, dir)
	c.stop()
	rec := s.end()
	c.compare(rec)
	checkPlaces(t, d, rec, trace.ReqWrite)
	for _, q := range rec.requests(d.id) {
		if q.Flags&trace.ReqForeign == 0 {
			t.Fatalf("no recorded process had to do with %+v", q)
		}
	}
}

// A number that is another device's by now is described anew: a recording may last for weeks.
func TestADeviceIsDescribedAnewWhenItIsAnother(t *testing.T) {
	testenv.NeedRoot(t)
	d := newDisk(t, 1<<20)
	if sequenceOf(d.id) == "" {
		t.Skip("this kernel does not tell devices of a number apart (Linux 5.15)")
	}
	table := newDeviceTable()
	of := func(now int64) string {
		list, fresh := table.seen(d.id, now)
		if !fresh {
			return ""
		}
		return list[len(list)-1].Backing
	}
	first := of(0)
	other := filepath.Join(workDir(t), "other")
	if err := os.WriteFile(other, make([]byte, 2<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	again := of(2 * askDevice)
	run(t, "losetup", "-d", d.path())
	run(t, "losetup", d.path(), other)
	soon, then := of(2*askDevice+1), of(4*askDevice)
	if first == "" || again != "" || soon != "" || then != other {
		t.Errorf("described as of %q, %q, %q and then %q, want %q", first, again, soon, then, other)
	}
}

package strace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/trace"
)

// lineOf is what strace prints of a call with a descriptor, path or number in
// each place that its shape names.
func lineOf(c *linux.Call) string {
	at := c.Shape.Args()
	args := []string{"0", "0", "0", "0", "0", "0"}
	for place, value := range map[int]string{at.FD: "3</d/f>", at.FD2: "4</d/g>", at.Dir: "5</dir>", at.Dir2: "6</dir2>",
		at.Path: `"p"`, at.Path2: `"q"`, at.Length: "77", at.Offset: "4096", at.OffsetAt: "[100]", at.Offset2At: "[200]"} {
		if place > 0 {
			args[place-1] = value
		}
	}
	switch c.Shape {
	case linux.ShapeFcntl:
		args[1] = "F_SETLK"
	case linux.ShapeIoctl:
		args[1] = "FITRIM"
	case linux.ShapeVec, linux.ShapePVec, linux.ShapePVec2, linux.ShapeMessage:
		args[1] = `[{iov_base="", iov_len=70}, {iov_base="", iov_len=7}]`
	}
	result := "0"
	if c.Op == trace.OpOpen {
		result = "9"
	}
	return fmt.Sprintf("100 1700000000.000100 %s(%s) = %s <0.000010>\n", c.Name, strings.Join(args, ", "), result)
}

// Every call of the common table becomes an event with what its arguments name,
// but for those that only change what later calls refer to.
func TestStraceHasEveryCall(t *testing.T) {
	for i := range linux.Calls {
		c := &linux.Calls[i]
		line := lineOf(c)
		log, counts := trial.Import(t, &Importer, line)
		if counts.Skipped+counts.Damaged > 0 {
			t.Errorf("left out: %s", line)
			continue
		}
		if c.Op == trace.OpOther {
			if len(log.Syscalls) != 0 {
				t.Errorf("an event of %s", line)
			}
			continue
		}
		if len(log.Syscalls) != 1 {
			t.Errorf("%d events of %s", len(log.Syscalls), line)
			continue
		}
		e, at := &log.Syscalls[0], c.Shape.Args()
		want := map[string]bool{
			"name": Importer.Header.Calls[e.Call] == c.Name,
			"fd":   at.FD == 0 || e.FD == 3 && log.Path(e.File) == "/d/f",
			"fd2":  at.FD2 == 0 || e.FD2 == 4 && log.Path(e.File2) == "/d/g",
			"path": at.Path == 0 || strings.HasSuffix(log.Path(e.File), "p") && (at.Dir == 0 || log.Path(e.File) == "/dir/p"),
			// What is renamed has one name then.
			"path2": at.Path2 == 0 || strings.HasSuffix(log.Path(e.File2), "q") &&
				(at.Dir2 == 0 || log.Path(e.File2) == "/dir2/q"),
			"length":  at.Length == 0 || c.Shape == linux.ShapeFcntl || c.Shape == linux.ShapeIoctl || e.Requested == 77,
			"vector":  e.Flags&trace.FlagVectored == 0 || e.Requested == 77,
			"offset":  at.Offset == 0 || c.Shape == linux.ShapeSeek || c.Shape == linux.ShapeMemory || e.Offset == 4096,
			"offset2": at.OffsetAt == 0 || e.Offset == 100,
			"offset3": at.Offset2At == 0 || e.Offset2 == 200,
		}
		for what, right := range want {
			if !right {
				t.Errorf("%s of %s became %+v of %q and %q", what, strings.TrimSpace(line), *e, log.Path(e.File), log.Path(e.File2))
			}
		}
	}
}

// The ioctls that move or drop data, as strace 6 prints them; others are no events.
func TestStraceIoctls(t *testing.T) {
	const opened = `100 1700000000.000001 openat(AT_FDCWD</w>, "a", O_RDONLY) = 3</w/a> <0.000001>
100 1700000000.000002 openat(AT_FDCWD</w>, "b", O_WRONLY|O_CREAT) = 4</w/b> <0.000001>
`
	for line, want := range map[string]string{
		`ioctl(4</w/b>, BTRFS_IOC_CLONE or FICLONE, 3) = 0`:                                                                                "clone /w/a → /w/b at 0 → 0, 0 bytes = 0",
		`ioctl(4</w/b>, FICLONE, 3</w/a>) = 0`:                                                                                             "clone /w/a → /w/b at 0 → 0, 0 bytes = 0",
		`ioctl(4</w/b>, BTRFS_IOC_CLONE or FICLONE, 3) = -1 EOPNOTSUPP (Operation)`:                                                        "clone /w/a → /w/b at 0 → 0, 0 bytes = -95",
		`ioctl(4</w/b>, BTRFS_IOC_CLONE_RANGE or FICLONERANGE, {src_fd=3</w/a>, src_offset=4096, src_length=8192, dest_offset=12288}) = 0`: "clone_range /w/a → /w/b at 4096 → 12288, 8192 bytes = 0",
		`ioctl(3</w/a>, BTRFS_IOC_FILE_EXTENT_SAME or FIDEDUPERANGE, {src_offset=1, src_length=2, dest_count=1, info=[{dest_fd=4}]}) = 0`:  "dedupe /w/a →  at 1 → -1, 2 bytes = 0",
		`ioctl(3</dev/sda>, BLKDISCARD, [4096, 65536]) = 0`:                                                                                "discard /dev/sda →  at 4096 → -1, 65536 bytes = 0",
		`ioctl(3</mnt>, FITRIM, {start=0, len=1048576, minlen=0}) = 0`:                                                                     "discard /mnt →  at 0 → -1, 1048576 bytes = 0",
		`ioctl(1</dev/pts/0>, TCGETS, 0x7ffe) = -1 ENOTTY (Inappropriate io)`:                                                              "",
	} {
		log, counts := trial.Import(t, &Importer, opened+"100 1700000000.000100 "+line+" <0.000010>\n")
		got := ""
		if n := len(log.Syscalls); n > 2 {
			e := &log.Syscalls[2]
			got = fmt.Sprintf("%s %s → %s at %d → %d, %d bytes = %d", e.Op, log.Path(e.File), log.Path(e.File2), e.Offset,
				e.Offset2, e.Requested, e.Result)
		}
		if got != want || counts.Damaged > 0 {
			t.Errorf("%s\n is %q\nwant %q", line, got, want)
		}
	}
}

package fsusage

import (
	"fmt"
	"testing"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// linesOf are lines of one thread, a microsecond apart.
func linesOf(command string, calls ...[3]string) (lines []string) {
	for i, c := range calls {
		lines = append(lines, printLine(fmt.Sprintf("10:00:00.%06d", 100+i), c[0], c[1], c[2], true, "0.000001", false,
			command, 5))
	}
	return lines
}

// moves is what fs_usage prints for a pread of so many bytes at an offset: by
// Apple silicon's kernel the first four arguments of the call, by Intel's the
// record that holds the offset in two halves.
func moves(call string, m macos.Model, asked, moved, offset int64) [3]string {
	if m == macos.AppleSilicon {
		offset = asked<<32 | offset&low
	}
	return [3]string{call, fdField(4, 0) + fmt.Sprintf("  B=0x%-8x ", moved) + clip("O=", uint64(offset))}
}

const tib = 1 << 40

func TestOffsetsOfPositionedCalls(t *testing.T) {
	for _, test := range []struct {
		name  string
		model macos.Model
		of    macos.Model // where it was printed
		calls [][3]string
		want  []int64
	}{
		{"live on Apple silicon", macos.AppleSilicon, macos.AppleSilicon, [][3]string{
			moves("pread", macos.AppleSilicon, 4096, 4096, 0x2f9730), moves("pwrite", macos.AppleSilicon, 1<<20, 100, 5<<32+77),
			moves("pread", macos.AppleSilicon, 10, 0, 99)},
			[]int64{0x2f9730, 77, 99}},
		{"a text from Apple silicon", macos.Intel, macos.AppleSilicon, [][3]string{
			moves("pread", macos.AppleSilicon, 16, 16, 512), moves("pread", macos.AppleSilicon, 4096, 4096, 0x2f9730),
			moves("pread", macos.AppleSilicon, 65536, 100, 8192)},
			[]int64{512, 0x2f9730, 8192}}, // the last, short one is known by the second
		{"a text from Intel", macos.Intel, macos.Intel, [][3]string{
			moves("pread", macos.Intel, 4096, 4096, 0x2f9730), moves("pwrite", macos.Intel, 4096, 4096, 3*tib),
			moves("pread", macos.Intel, 65536, 100, 5<<32)},
			[]int64{0x2f9730, 3 * tib, 5 << 32}},
		{"vectors", macos.Intel, macos.Intel, [][3]string{{"preadv",
			fdField(4, 0) + "  B=0x1000     " + clip("O=", 3<<32|8192)}}, []int64{8192}},
		{"guarded writes of Apple silicon", macos.Intel, macos.AppleSilicon, [][3]string{
			{"guarded_pwrite_np", fdField(4, 0) + "  B=0x1000     " + clip("O=", 0x7f001000<<32|4096)}},
			[]int64{trace.NoOffset}},
	} {
		log, _ := decode(t, Config{Start: -1, Model: test.model}, linesOf("sqlite3", test.calls...)...)
		var got []int64
		for _, e := range log.Syscalls {
			got = append(got, e.Offset)
			if e.Flags&trace.FlagPartial == 0 {
				t.Errorf("%s: %+v is not marked", test.name, e)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s: offsets %v, want %v", test.name, got, test.want)
		}
	}
}

func TestMappings(t *testing.T) {
	const read, shared = 1, 1
	silicon := func(address uint32, size, prot, flags uint64) [3]string {
		return [3]string{"mmap", fmt.Sprintf(" F=%-3d  ", int32(address)) + clip("A=", size<<32|prot) + clip("O=", 0) +
			fmt.Sprintf("B=0x%-16x", flags<<32) + " <>", ""}
	}
	intel := func(fd int32, size uint64) [3]string {
		return [3]string{"mmap", fmt.Sprintf(" F=%-3d  ", fd) + clip("A=", 0x1_0000_0000) + clip("O=", 8192) +
			fmt.Sprintf("B=0x%-16x", size) + " <READ>", ""}
	}
	open := [3]string{"open", " F=3        (R_____________) ", "/lib"}
	log, d := decode(t, Config{Start: -1}, linesOf("dyld", open, silicon(0, 16384, read, shared),
		silicon(3, 16384, read, 0x1002))...)
	if s := log.Syscalls; len(s) != 2 || s[1].FD != -1 || s[1].File != 0 || s[1].Requested != 16384 ||
		s[1].Offset != trace.NoOffset ||
		s[1].Flags != trace.FlagRead|trace.FlagShared|trace.FlagPartial || d.Counts().Skipped != 1 {
		t.Errorf("Apple silicon: %+v, %+v", s, d.Counts())
	}
	log, d = decode(t, Config{Start: -1}, linesOf("dyld", open, intel(3, 16384), intel(1<<24, 1<<20), intel(-1, 1<<20))...)
	if s := log.Syscalls; len(s) != 2 || log.Path(s[1].File) != "/lib" || s[1].Requested != 16384 || s[1].Offset != 8192 ||
		d.Counts().Skipped != 2 {
		t.Errorf("Intel: %+v, %+v", s, d.Counts())
	}
}

// The upper half of the size is what another register held.
func TestSizesOfTruncations(t *testing.T) {
	log, _ := decode(t, Config{Start: -1}, linesOf("cp",
		[3]string{"open", " F=3        (_WC___________) ", "/a"},
		[3]string{"ftruncate", fdField(3, 0) + clip("  O=", 0x16f0_2a40<<32|7_340_155)},
		[3]string{"write", fdField(3, 0) + "  B=0x10    "},
		[3]string{"truncate", "      " + clip("  O=", 0x7000<<32|99), "/b"})...)
	s := log.Syscalls
	if s[1].Requested != 7_340_155 || s[1].Flags&trace.FlagPartial == 0 || s[3].Requested != 99 ||
		s[3].Flags&trace.FlagPartial == 0 {
		t.Errorf("%+v", s)
	}
}

// Disk lines cut the name of a program, the lines of its calls do not.
func TestOneProgramWhatLineSoever(t *testing.T) {
	const whole = "DesktopServicesHelper"
	disk := func(command string) string {
		return printLine("10:00:00.000150", "  WrData[A]", " D=0x00001000  B=0x1000   /dev/disk3s5 ", "/big.bin", false,
			"0.000001", true, command, 5)
	}
	call := linesOf(whole, [3]string{"read", fdField(3, 0) + "  B=0x10    "})[0]
	for _, lines := range [][]string{{disk(whole[:16]), call}, {call, disk(whole[:16])}} {
		log, _ := decode(t, Config{Start: -1}, lines...)
		if log.Requests[0].PID != log.Syscalls[0].PID {
			t.Errorf("processes %d and %d", log.Requests[0].PID, log.Syscalls[0].PID)
		}
		if p := log.Processes; p[len(p)-1].Command != whole || p[len(p)-1].PID != p[0].PID {
			t.Errorf("announced as %+v", p)
		}
	}
	log, _ := decode(t, Config{Start: -1}, linesOf("cp", [3]string{"read", fdField(3, 0) + "  B=0x10    "})[0],
		linesOf("cpio", [3]string{"read", fdField(3, 0) + "  B=0x10    "})[0])
	if len(log.Processes) != 2 {
		t.Errorf("%d programs of cp and cpio", len(log.Processes))
	}
}

// A page-in names its file.
func TestPageInsHaveAFile(t *testing.T) {
	log, _ := decode(t, Config{Start: -1}, linesOf("app",
		[3]string{"PAGE_IN_FILE", clip(" A=", 0x104000000), "/usr/lib/libz.dylib"})...)
	if len(log.Faults) != 1 || log.Path(log.Faults[0].File) != "/usr/lib/libz.dylib" {
		t.Errorf("%+v", log.Faults)
	}
}

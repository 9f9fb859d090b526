package fsusage

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	const at = "13:02:55.798868"
	const when = int64((13*60+2)*60+55)*1e9 + 798868000
	none := Line{TimeOfDay: when, FD: -1, FD2: -1, DirFD: -2, Bytes: -1, Offset: -1, Block: -1, Elapsed: 12000,
		Command: "cp", TID: 4711}
	for _, c := range []struct {
		name, middle, path string
		want               func(l *Line)
	}{
		{"stat64", pathField(0), "/Users/u/a file [2] 0.5.txt", func(l *Line) { l.Path = "/Users/u/a file [2] 0.5.txt" }},
		{"lstat64", pathField(0), "F=3 B=0x5 (x) <y>", func(l *Line) { l.Path = "F=3 B=0x5 (x) <y>" }},
		{"lstat64", pathField(2), "private/tmp/LittleSnitchDebugLogs>>>>>>>",
			func(l *Line) { l.Errno = 2; l.Path = "private/tmp/LittleSnitchDebugLogs" }},
		{"fstatat64", pathField(2), "[-2]/private/tmp/x", func(l *Line) { l.Errno = 2; l.Path = "private/tmp/x" }},
		{"openat", " F=7        (RW____________) ", "[15]/name", func(l *Line) {
			l.FD, l.DirFD, l.Flags, l.Path = 7, 15, "RW____________", "name"
		}},
		{"open", " F=3        (_WC_T______X__) ", "/a/(b) <c>",
			func(l *Line) { l.FD, l.Flags, l.Path = 3, "_WC_T______X__", "/a/(b) <c>" }},
		{"open", "      [ 13] (R_____________) ", "/etc/x",
			func(l *Line) { l.Errno, l.Flags, l.Path = 13, "R_____________", "/etc/x" }},
		{"guarded_open_dprotected_np", " F=9        (RW____________) ", "/db", func(l *Line) {
			l.Call, l.FD, l.Flags, l.Path = "guarded_open_dpro", 9, "RW____________", "/db"
		}},
		{"read", fdField(86, 0) + fmt.Sprintf("  B=0x%-6x", 234), "", func(l *Line) { l.FD, l.Bytes = 86, 234 }},
		{"write", fdField(1000, 28), "", func(l *Line) { l.FD, l.Errno = 1000, 28 }},
		{"fremovexattr", fdField(5, 93), "", func(l *Line) { l.FD, l.Errno = 5, 93 }},
		{"close", fdField(-1, 9), "", func(l *Line) { l.FD, l.Errno = -1, 9 }},
		{"pread", fdField(4, 0) + fmt.Sprintf("  B=0x%-8x ", 4096) + clip("O=", 1<<32), "",
			func(l *Line) { l.FD, l.Bytes, l.Offset = 4, 4096, 1<<32 }},
		{"pwrite", fdField(4, 28) + "  " + clip("O=", 0x12345678901234), "",
			func(l *Line) { l.FD, l.Errno, l.Offset = 4, 28, 0x12345678901234 }},
		{"lseek", fdField(7, 0) + "  " + clip("O=", 8) + " <SEEK_SET>", "",
			func(l *Line) { l.FD, l.Offset, l.Tag = 7, 8, "SEEK_SET" }},
		{"dup2", " F=3    F=1  ", "", func(l *Line) { l.FD, l.FD2 = 3, 1 }},
		{"fcntl", fdField(3, 0) + " <FULLFSYNC>", "", func(l *Line) { l.FD, l.Tag = 3, "FULLFSYNC" }},
		{"fcntl", fdField(3, 35) + " <CACHING OFF>", "", func(l *Line) { l.FD, l.Errno, l.Tag = 3, 35, "CACHING OFF" }},
		{"fcntl", fdField(3, 0) + " <OPENFROM> F=9", "", func(l *Line) { l.FD, l.FD2, l.Tag = 3, 9, "OPENFROM" }},
		{"mmap", " F=5    " + clip("A=", 0x1000) + clip("O=", 0) + fmt.Sprintf("B=0x%-16x", 0x4000) + " <READ|WRITE>", "",
			func(l *Line) {
				l.FD, l.Address, l.Offset, l.Bytes, l.Tag = 5, 0x1000, 0, 0x4000, "READ|WRITE"
			}},
		{"ftruncate", fdField(3, 0) + clip("  O=", 99), "", func(l *Line) { l.FD, l.Offset = 3, 99 }},
		{"truncate", "      " + clip("  O=", 99), "/x", func(l *Line) { l.Offset, l.Path = 99, "/x" }},
		{"access", "      [  2] (R___)   ", "/x y", func(l *Line) { l.Errno, l.Flags, l.Path = 2, "R___", "/x y" }},
		{"chmod", " <rwxr-xr-x>      ", "/x", func(l *Line) { l.Tag, l.Path = "rwxr-xr-x", "/x" }},
		{"select", "        S=3  ", "", func(*Line) {}},
		{"aio_return", "            P=0x16f00000  B=0x1000    ", "",
			func(l *Line) { l.Address, l.Bytes = 0x16f00000, 0x1000 }},
		{"PAGE_IN_FILE", clip(" A=", 0x104000000), "", func(l *Line) { l.Address = 0x104000000 }},
		{"IOCTL", " <DKIOCSYNCHRONIZECACHE>  /dev/disk3", "",
			func(l *Line) { l.Tag, l.Device = "DKIOCSYNCHRONIZECACHE", "disk3" }},
		{"  WrData[A]", fmt.Sprintf(" D=0x%08x  B=0x%-6x /dev/%s ", 0xe2db501, 1<<20, "disk3s5"), "big file.bin",
			func(l *Line) {
				l.Call, l.Disk, l.Block, l.Bytes, l.Device, l.Path = "WrData[A]", true, 0xe2db501, 1<<20, "disk3s5", "big file.bin"
			}},
		{"  RdData[ST2]", " D=0x00000001  [ 16]", "/dev/disk4", func(l *Line) {
			l.Call, l.Disk, l.Block, l.Errno, l.Path = "RdData[ST2]", true, 1, 16, "/dev/disk4"
		}},
		{"  TrimExtent", " D=0x00000010  B=0x2000   /dev/disk3", "",
			func(l *Line) { l.Block, l.Bytes, l.Device = 16, 0x2000, "disk3" }},
		{"some_new_call", "", "", func(*Line) {}},
		{"  THROTTLED", "                  ", "", func(l *Line) { l.Call = "THROTTLED" }},
	} {
		want := none
		want.Call = strings.TrimSpace(c.name)
		c.want(&want)
		for _, padded := range []bool{true, false} {
			line := printLine(at, c.name, c.middle, c.path, padded, "0.000012", false, "cp", 4711)
			got, err := Parse([]byte(line))
			if err != nil || got != want {
				t.Errorf("%s\n got %+v, %v\nwant %+v", line, got, err, want)
			}
		}
	}
}

func TestParseNamesAndMarks(t *testing.T) {
	for _, name := range []string{"cp", "Browser Helper (", "at.obdev.littlesnitch.networkex", "W", "W x", "a  b",
		"1.000002", "x.5"} {
		for _, waited := range []bool{true, false} {
			line := printLine("00:00:00.000001", "  RdData[A]", " D=0x00000001  B=0x1000   /dev/disk1 ", "/a 0.000001   b.1",
				false, "12.345678", waited, name, 77)
			l, err := Parse([]byte(line))
			if err != nil || l.Command != name || l.TID != 77 || l.Waited != waited || l.Elapsed != 12345678000 ||
				l.Path != "/a 0.000001   b.1" {
				t.Errorf("%q: %+v, %v", line, l, err)
			}
		}
	}
}

func TestCutPathsAreMarked(t *testing.T) {
	long := "/Volumes/Ext/" + strings.Repeat("a directory/", 40) + "file.mov"
	line := printLine("01:02:03.000004", "stat64", pathField(0), long, true, "0.000001", false, "cp", 1)
	l, err := Parse([]byte(line))
	if err != nil || !l.Cut || !strings.HasSuffix(long, l.Path) || l.Path == long {
		t.Errorf("%+v, %v", l, err)
	}
	if l, _ = Parse([]byte(printLine("01:02:03.000004", "stat64", pathField(0), "relative/name", true, "0.000001", false,
		"cp", 1))); l.Cut {
		t.Error("a short relative path was taken for a cut one")
	}
}

func TestDamagedLines(t *testing.T) {
	good := printLine("13:02:55.798868", "read", fdField(3, 0)+"  B=0x10    ", "", true, "0.000012", false, "cp", 4711)
	for line, want := range map[string]error{
		"":                              ErrTime,
		"13:02:55  read   0.000012  cp": ErrTime, // without -w
		"99:02:55.798868" + good[15:]:   ErrTime,
		good[:60]:                       ErrTail,
		good[20:]:                       ErrTime,
		"13:02:55.798868  " + strings.Repeat(" ", 50) + "   0.000012   cp.1": ErrNoCall,
	} {
		if _, err := Parse([]byte(line)); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", line, err, want)
		}
	}
	l, err := Parse([]byte(good[:40]))
	if !errors.Is(err, ErrTail) || l.FD != 3 || l.Call != "read" {
		t.Errorf("what is left of a cut line: %+v, %v", l, err)
	}
}

// Any path and name comes back, whatever it looks like.
func TestParsePrintedLines(t *testing.T) {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("aF=B0x/[]()<>. -W1é")), 1, 60, -1)
	rapid.Check(t, func(t *rapid.T) {
		path := strings.TrimSpace("/" + text.Draw(t, "path"))
		command := strings.TrimRight("n"+rapid.StringOfN(rapid.SampledFrom([]rune("ab. W1")), 0, 14, -1).Draw(t, "command"),
			" ")
		tid := rapid.Uint64().Draw(t, "tid")
		us := rapid.Int64Range(1, 5e9).Draw(t, "us")
		errno := rapid.Int64Range(0, 106).Draw(t, "errno")
		line := printLine("23:59:59.999999", "stat64", pathField(errno), path, true, fmt.Sprintf("%3d.%06d", us/1e6, us%1e6),
			rapid.Bool().Draw(t, "waited"), command, tid)
		if errno != 0 {
			path = strings.TrimRight(path, ">")
		}
		l, err := Parse([]byte(line))
		if err != nil || l.Path != path || l.Command != command || l.TID != tid || l.Elapsed != us*1000 || l.Errno != errno {
			t.Fatalf("%q\n%+v, %v", line, l, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(printLine("13:02:55.798868", "read", fdField(3, 0)+"  B=0x10    ", "", true, "0.000012", false, "cp", 4711))
	f.Add(printLine("13:02:55.798868", "openat", " F=7        (RW____________) ", "[15]/name", false, "0.000012", false,
		"cp", 1))
	f.Add(printLine("00:00:00.000000", "  WrData[AT2]", " D=0x0e2db501  B=0x100000 /dev/disk3s5 ", "x", false, "0.000150",
		true, "dd", 2))
	f.Fuzz(func(t *testing.T, line string) {
		l, err := Parse([]byte(line))
		if err == nil && (l.Call == "" || l.Elapsed < 0 || l.TimeOfDay < 0 || l.TimeOfDay > day+1e9 || l.Bytes < -1 ||
			l.Offset < -1) {
			t.Fatalf("%q: %+v", line, l)
		}
	})
}

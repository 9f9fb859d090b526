package fsusage

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// What 28 public logs of macOS 26.5 and 28 of macOS 15.3 hold of what a program said that it did, kind by kind, on
// lines
// made up for this. macOS 26 prints fifteen places of open flags, macOS 15 twelve.
func TestKindsOfPublishedLogs(t *testing.T) {
	for _, places := range []int{15, 12} {
		open := func(flags string) string {
			return " F=3        (" + flags + strings.Repeat("_", places-len(flags)) + ") "
		}
		const dir = "/private/tmp/un répertoire/"
		for _, test := range []struct {
			name  string
			calls [][3]string
			want  []string // call, path and result
		}{
			{"a file that is made", [][3]string{{"open", open("_WC_T"), dir + "a"}, {"close", fdField(3, 0), ""}},
				[]string{"open a 3", "close a 0"}},
			{"a write", [][3]string{{"open", open("_W"), dir + "a"}, {"fstat64", fdField(3, 0), ""},
				{"fcntl", fdField(3, 0) + " <GETPATH>", ""}, {"write", fdField(3, 0) + "  B=0x9     ", ""}},
				[]string{"open a 3", "fstat64 a 0", "write a 9"}},
			{"a write of nothing", [][3]string{{"open", open("_W"), dir + "a"}, {"write", fdField(3, 0) + "  B=0x0     ", ""}},
				[]string{"open a 3", "write a 0"}},
			{"a large write", [][3]string{{"open", open("_W"), dir + "a"}, {"write", fdField(3, 0) + "  B=0x400000", ""}},
				[]string{"open a 3", "write a 4194304"}},
			{"vectors, appended", [][3]string{{"open", open("_W_A"), dir + "a"}, {"writev", fdField(3, 0) + "  B=0x11    ", ""}},
				[]string{"open a 3", "writev a 17"}},
			{"a pwrite, with its length before the offset", [][3]string{{"open", open("_W"), dir + "a"},
				{"pwrite", fdField(3, 0) + "  B=0x6      " + clip(" O=", 6<<32), ""}}, []string{"open a 3", "pwrite a 6"}},
			{"two descriptors by turns", [][3]string{{"open", open("_W_A"), dir + "a"},
				{"open", strings.Replace(open("_W_A"), "3", "4", 1), dir + "b"}, {"write", fdField(3, 0) + "  B=0x5     ", ""},
				{"write", fdField(4, 0) + "  B=0x6     ", ""}, {"write", fdField(3, 0) + "  B=0x7     ", ""}},
				[]string{"open a 3", "open b 4", "write a 5", "write b 6", "write a 7"}},
			{"a sync", [][3]string{{"open", open("_W"), dir + "a"}, {"fsync", fdField(3, 0), ""}},
				[]string{"open a 3", "fsync a 0"}},
			{"names", [][3]string{{"rename", pathField(0), dir + "a"}, {"unlink", pathField(0), dir + "b"}},
				[]string{"rename a 0", "unlink b 0"}},
			{"calls that fail", [][3]string{{"open", "      [  2] (_WC_T" + strings.Repeat("_", places-5) + ") ", dir + "no/a"},
				{"unlink", pathField(2), dir + "a"}, {"rename", pathField(2), dir + "a"}, {"mkdir", pathField(17), dir + "b"},
				{"rmdir", pathField(2), dir + "a"}, {"link", pathField(2), dir + "a"},
				{"truncate", "      [  2]" + clip("  O=", 4), dir + "a"}},
				[]string{"open no/a -2", "unlink a -2", "rename a -2", "mkdir b -17", "rmdir a -2", "link a -2", "truncate a -2"}},
			{"the folder that is not there, and what is below it filled up", [][3]string{
				{"open", "      [  2] (_WC_T" + strings.Repeat("_", places-5) + ") ", dir + "no>>>>>>>"}},
				[]string{"open no -2"}},
		} {
			t.Run(fmt.Sprintf("%s, %d places", test.name, places), func(t *testing.T) {
				log, d := decode(t, Config{Start: -1}, linesOf("program", test.calls...)...)
				var got []string
				for _, e := range log.Syscalls {
					if name := Names()[e.Call]; name != "fcntl(F_GETPATH)" {
						got = append(got, fmt.Sprintf("%s %s %d", name, strings.TrimPrefix(log.Path(e.File), dir), e.Result))
					}
				}
				if !slices.Equal(got, test.want) || d.Counts().Damaged > 0 {
					t.Errorf("%q, want %q; %+v", got, test.want, d.Counts())
				}
			})
		}
	}
}

// A path that is too long for its line is cut on the left, on the line of a call elsewhere than on that of a request.
func TestPiecesOfOnePathAreOneFile(t *testing.T) {
	deep := "/Volumes/Archive/" + strings.Repeat("a folder of some length/", 9)
	call := func(name, middle, path string) string {
		return printLine("10:00:00.000100", name, middle, path, strings.HasPrefix(name, "s"), "0.000001", false, "app", 5)
	}
	opened := func(path string) string { return call("open", " F=3        (RW_____________) ", path) }
	disk := func(path string) string {
		return printLine("10:00:00.000150", "  WrData[AT1]", " D=0x00001000  B=0x1000   /dev/disk3s5 ", path, false,
			"0.000001",
			true, "app", 5)
	}
	for _, test := range []struct {
		name  string
		lines []string
		files int
	}{
		{"a call and a request", []string{opened(deep + "x"), disk(deep + "x")}, 1},
		{"the request first", []string{disk(deep + "x"), opened(deep + "x")}, 1},
		{"three pieces", []string{opened(deep + "x"), disk(deep + "x"), call("stat64", pathField(0), deep+"x")}, 1},
		{"two files", []string{opened(deep + "x"), disk(deep + "y")}, 2},
		{"one whose name is the end of the other's", []string{opened(deep + "xy"), disk(deep + "y")}, 2},
		{"short paths are whole", []string{opened("/a/" + deep[:60] + "/x"), disk(deep[:60] + "/x")}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			log, _ := decode(t, Config{Start: -1}, test.lines...)
			ids := map[trace.FileID]bool{}
			for _, e := range log.Syscalls {
				ids[e.File] = true
			}
			for _, e := range log.Requests {
				ids[e.File] = true
			}
			if len(ids) != test.files || ids[0] {
				t.Errorf("files %v, want %d: %q", ids, test.files, test.lines)
			}
		})
	}
	// What was removed is another file when it is made again.
	log, _ := decode(t, Config{Start: -1}, opened(deep+"x"), call("unlink", pathField(0), deep+"x"), opened(deep+"x"),
		disk(deep+"x"))
	if s := log.Syscalls; s[0].File != s[1].File || s[2].File == s[0].File || log.Requests[0].File != s[2].File {
		t.Errorf("calls %+v, request %+v", s, log.Requests[0])
	}
}

// at is a line of a thread of one program, at some millisecond, that took some.
func at(tid uint64, ms, took int, name, middle, path string) string {
	return printLine(fmt.Sprintf("10:00:00.%03d000", ms), name, middle, path, false, fmt.Sprintf("0.%03d000", took),
		false, "app",
		tid)
}

// sameNames are lines of threads of one name, and what is made of them.
func sameNames() []sameName {
	open := func(fd int, flags string) string { return fmt.Sprintf(" F=%-3d      (%s) ", fd, flags) }
	const rw = "RW_____________"
	write := func(fd, n int) string { return fdField(int64(fd), 0) + fmt.Sprintf("  B=0x%-6x", n) }
	return []sameName{
		{"threads share descriptors", []string{at(5, 10, 1, "open", open(3, rw), "/a"), at(6, 20, 1, "write", write(3, 1),
			""),
			at(6, 30, 1, "close", fdField(3, 0), ""), at(7, 40, 1, "open", open(3, rw), "/b"), at(5, 50, 1, "write", write(3,
				2), ""),
			at(6, 60, 1, "exit", "", "")}, []string{"/a 1", "/b 2"}, 1, 1},
		{"one descriptor, two files", []string{at(5, 10, 1, "open", open(3, rw), "/a"), at(6, 20, 1, "open", open(3, rw),
			"/b"),
			at(6, 30, 1, "write", write(3, 1), ""), at(5, 40, 1, "write", write(3, 2), ""), at(6, 50, 1, "write", write(3, 3),
				""),
			at(5, 60, 1, "exit", "", ""), at(6, 70, 1, "write", write(3, 4), ""), at(6, 80, 1, "exit", "", "")},
			[]string{"/b 1", "/a 2", "/b 3", "/b 4"}, 2, 2},
		{"the thread that came later has the older file", []string{at(5, 5, 1, "stat64", pathField(0), "/x"),
			at(6, 10, 1, "open", open(3, rw), "/a"), at(5, 20, 1, "open", open(3, rw), "/b"), at(6, 30, 1, "write", write(3,
				1), ""),
			at(5, 40, 1, "write", write(3, 2), "")}, []string{"/a 1", "/b 2"}, 0, 2},
		{"a close that takes its time", []string{at(5, 10, 1, "open", open(3, rw), "/a"), at(6, 20, 1, "open", open(3, rw),
			"/b"),
			at(5, 30, 15, "close", fdField(3, 0), ""), at(5, 40, 1, "write", write(3, 1), "")}, []string{"/b 1"}, 0, 1},
		{"the newer one is closed first", []string{at(5, 10, 1, "open", open(3, rw), "/a"), at(6, 20, 1, "open", open(3,
			rw), "/b"),
			at(6, 30, 1, "close", fdField(3, 0), ""), at(5, 40, 1, "write", write(3, 1), "")}, []string{"/a 1"}, 0, 1},
		{"a child ends", []string{at(5, 10, 1, "open", open(3, rw), "/a"), at(6, 20, 1, "open", open(4, rw), "/b"),
			at(6, 30, 1, "exit", "", ""), at(5, 40, 1, "write", write(3, 1), ""), at(5, 50, 1, "exit", "", "")},
			[]string{"/a 1"}, 2, 2},
		{"the parent ends", []string{at(5, 10, 1, "open", open(3, rw), "/a"), at(6, 20, 1, "open", open(4, rw), "/b"),
			at(5, 30, 1, "exit", "", ""), at(6, 40, 1, "write", write(4, 1), ""), at(6, 50, 1, "exit", "", "")},
			[]string{"/b 1"}, 2, 2},
		{"one after the other", []string{at(5, 10, 1, "open", open(3, rw), "/a"), at(5, 20, 1, "exit", "", ""),
			at(6, 30, 1, "write", write(3, 1), ""), at(6, 40, 1, "exit", "", "")}, []string{" 1"}, 2, 2},
	}
}

type sameName struct {
	name  string
	lines []string
	want  []string // path and bytes of each write
	exits int
	procs int
}

// Processes of one name are told apart by what one process cannot do.
func TestProcessesOfOneName(t *testing.T) {
	for _, test := range sameNames() {
		t.Run(test.name, func(t *testing.T) {
			log := &trace.Log{}
			d := NewDecoder(Config{Start: -1}, log)
			for _, l := range test.lines {
				if err := d.Line([]byte(l)); err != nil {
					t.Fatal(err)
				}
			}
			if err := d.Flush(); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range log.Syscalls {
				if e.Op == trace.OpWrite {
					got = append(got, fmt.Sprintf("%s %d", log.Path(e.File), e.Result))
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("writes %q, want %q", got, test.want)
			}
			exits, pids, since := map[uint32]int{}, map[uint32]bool{}, map[uint32]int64{}
			for _, e := range log.Processes {
				if !pids[e.PID] {
					since[e.PID] = e.Time
				}
				if pids[e.PID] = true; e.Action == trace.ProcessExit {
					exits[e.PID]++
				}
				if e.Time < since[e.PID] {
					t.Errorf("process %d is there from %d on, and ended at %d", e.PID, since[e.PID], e.Time)
				}
			}
			if len(exits) != test.exits || len(pids) != test.procs {
				t.Errorf("ends of processes %v, want of %d; of processes %v, want %d", exits, test.exits, pids, test.procs)
			}
			for pid, n := range exits {
				if n != 1 {
					t.Errorf("process %d ended %d times", pid, n)
				}
			}
		})
	}
}

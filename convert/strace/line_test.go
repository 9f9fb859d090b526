package strace

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

// lineCases are what lines look like in logs of other versions, other machines and other habits, and the calls in them.
var lineCases = map[string]struct{ text, want string }{
	"no time, no thread": {`openat(AT_FDCWD, "/a", O_RDONLY) = 3` + "\n" + `read(3, "x", 10) = 1`,
		"1 openat /a 3 | 1 read /a 1"},
	"seconds since the line before": {"     0.000000 open(\"/a\", O_RDONLY) = 3\n     0.500000 read(3, \"\", 1) = 0\n" +
		"     0.250000 close(3) = 0", "1 open /a 3 | 1 read /a 0 at 500000000 | 1 close /a 0 at 750000000"},
	"over midnight": {"23:59:59.900000 open(\"/a\", O_RDONLY) = 3\n00:00:00.100000 close(3) = 0",
		"1 open /a 3 | 1 close /a 0 at 200000000"},
	"durations alone": {"open(\"/a\", O_RDONLY) = 3 <1.000000>\nclose(3) = 0 <0.5>",
		"1 open /a 3 | 1 close /a 0 at 1000002000"},
	"the end of another call": {"7 write(3</a>, \"x\", 1 <unfinished ...>\n8 vfork( <unfinished ...>\n" +
		"7 <... vfork resumed>) = 9\n7 <... write resumed>) = 1", "7 write /a 1, 1 damaged"},
	"duration of two lines": {"7 1700000000.000000 fsync(3</a> <unfinished ...>\n7 1700000000.250000 <... fsync resumed>) = 0",
		"7 fsync /a 0 lasting 250000000"},
	"the program's own output": {"write(1</a>, \"hi\\n\", 3hi\n)                     = 3\nclose(1</a>) = 0",
		"1 write /a 3 | 1 close /a 0"},
	"the first process is named later": {"open(\"/a\", O_RDONLY) = 3\nclone(flags=SIGCHLD <unfinished ...>\n" +
		"[pid  21] close(3) = 0\n[pid 20] <... clone resumed>) = 21\n[pid 20] read(3, \"\", 1) = 0",
		"1 open /a 3 | 21 close /a 0 | 1 clone  21 | 1 read /a 0"},
	"32 bits": {"open(\"/a\", O_RDONLY|O_LARGEFILE) = 3\n_llseek(3, 4096, [4096], SEEK_SET) = 0\npread(3, \"\", 5, 7) = 5\n" +
		"fstat64(3, {st_mode=S_IFREG|0644}) = 0\nread(3, \"\", 5) = 5",
		"1 open /a 3 | 1 lseek /a 4096 from 4096 | 1 pread64 /a 5 from 7 | 1 fstat /a 0 | 1 read /a 5 from 4096"},
	"a vector before 4.11": {`writev(1</a>, [{"a, 7}", 4}, {"b", 3}], 2) = 7`, "1 writev /a 7 asked 7"},
	"a shift":              {"capset({version=1}, {effective=1<<CAP_CHOWN, permitted=1<<CAP_FOWNER}) = 0\nclose(3</a>) = 0", "1 close /a 0"},
	"restarted":            {"read(3</a>, 0x7ffe, 10) = ? ERESTARTSYS (To be restarted)\nread(3</a>, \"x\", 10) = 1", "1 read /a 1"},
	"a device and a connection": {"read(0</dev/tty<char 5:0>>, \"x\", 1) = 1\n" +
		"close(4<TCP:[127.0.0.1:5->127.0.0.1:6]>) = 0", "1 read /dev/tty 1 | 1 close TCP:[127.0.0.1:5->127.0.0.1:6] 0"},
	"relative to a directory": {"chdir(\"/home\") = 0\nstat(\"a\", {}) = 0\nchdir(\"b\") = 0\nunlink(\"c\") = 0\n" +
		"fchdir(5</d>) = 0\nmkdir(\"e\", 0777) = 0", "1 stat /home/a 0 | 1 unlink /home/b/c 0 | 1 mkdir /d/e 0"},
	"stacks, data and signals": {"close(3</a>) = 0\n > /lib/libc.so.6(close+0x14) [0x1]\n | 00000  61 |\n" +
		"--- SIGCHLD {si_signo=SIGCHLD} ---\nProcess 12 attached\nstrace: Process 13 attached", "1 close /a 0"},
	"Windows": {"close(3</a>) = 0\r\nclose(4</b>) = 0\r", "1 close /a 0 | 1 close /b 0"},
	"damage":  {"close(3</a>) = 0\nclose(3</a>) 0\n???\nclose(4</b>) = 0", "1 close /a 0 | 1 close /b 0, 2 damaged"},
	"closed together": {"open(\"/a\", O_RDONLY) = 3\nclose_range(3, 4294967295, 0) = 0\nread(3, \"\", 1) = -1 EBADF (Bad)",
		"1 open /a 3 | 1 read  -9"},
	"closed together at exec": {"open(\"/a\", O_RDONLY) = 3\nclose_range(3, 4294967295, CLOSE_RANGE_CLOEXEC) = 0\n" +
		"read(3, \"\", 1) = 1\nexecve(\"/b\", [\"b\"], 0x1) = 0\nread(3, \"\", 1) = 1", "1 open /a 3 | 1 read /a 1 | 1 read  1"},
}

func TestLines(t *testing.T) {
	for name, c := range lineCases {
		log, counts := trial.Import(t, &Importer, c.text)
		if got := toldShort(log, &counts); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
}

func toldShort(log *trace.Log, c *convert.Counts) string {
	var list []string
	for i := range log.Syscalls {
		e := &log.Syscalls[i]
		s := fmt.Sprintf("%d %s %s %d", e.PID, Importer.Header.Calls[e.Call], log.Path(e.File), e.Result)
		if e.Start >= 1e8 {
			s += fmt.Sprintf(" at %d", e.Start)
		}
		if e.Duration >= 1e8 && e.Duration < 5e8 {
			s += fmt.Sprintf(" lasting %d", e.Duration)
		}
		if e.Offset > 0 {
			s += fmt.Sprintf(" from %d", e.Offset)
		}
		if strings.HasSuffix(Importer.Header.Calls[e.Call], "v") {
			s += fmt.Sprintf(" asked %d", e.Requested)
		}
		list = append(list, s)
	}
	s := strings.Join(list, " | ")
	if c.Damaged > 0 {
		s += fmt.Sprintf(", %d damaged", c.Damaged)
	}
	return s
}

// What is no log of calls is refused, with what it is.
func TestRefusals(t *testing.T) {
	for text, why := range map[string]string{
		"% time     seconds  usecs/call     calls    errors syscall\n100.00 0.1 2 3 read\n": "table of strace -c",
		"SYSCALL(args) \t\t = return\n":    "dtruss",
		"\n\n\n":                           "none of 3 lines",
		"nothing\n3.5 of strace\nat all\n": "none of 3 lines",
	} {
		_, err := Importer.Import(strings.NewReader(text), &trace.Log{})
		if !errors.Is(err, convert.ErrFormat) || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A log of futexes alone is strace's all the same, and refused with what to record: of calls that follow them later a
// trace is made.
func TestNothingTold(t *testing.T) {
	futexes := strings.Repeat("7 1700000000.5 futex(0x7f, FUTEX_WAIT_PRIVATE, 2, NULL) = 0 <0.1>\n7 1700000001 getpid() = 7\n", 9)
	for text, why := range map[string]string{
		futexes + "7 +++ exited with 0 +++\n": "all of kinds that a trace does not hold: 18, of futex (9), getpid (9); " +
			"record with strace -f -ttt -T -y -o FILE, without -e",
		"7 exit_group(0) = ?\n7 +++ exited with 0 +++\n": "none of its 1 calls returned",
	} {
		_, err := Importer.Import(strings.NewReader(text), &trace.Log{})
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v, want %s", err, why)
		}
		if len(convert.Recognize([]byte(text), false, []*convert.Importer{&Importer})) == 0 {
			t.Errorf("it is not taken for strace's: %s", text)
		}
	}
	if log, _ := trial.Import(t, &Importer, futexes+"7 1700000002 close(3</a>) = 0\n"); len(log.Syscalls) != 1 {
		t.Errorf("%d calls", len(log.Syscalls))
	}
}

// What is left out of a log is counted and said.
func TestNotes(t *testing.T) {
	for text, want := range map[string]string{
		"read(3</a>, \"\", 1) = 0\nbrk(NULL) = 0x1\nnewcall(1) = 0\nbrk(NULL) = 0x1\n": "calls of kinds that a trace does not hold: " +
			"3, of brk (2), newcall (1)",
		"read(3</a>, \"\", 1) = 0\nioctl(3</a>, TCGETS, 0x7f) = -1 ENOTTY (Inappropriate ioctl for device)\n" +
			"fcntl(3</a>, F_GETFD) = 0\nioctl(3</a>, FIONREAD, [7]) = 0\nmmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f\n": "calls of " +
			"kinds that a trace does not hold: 4, of ioctl (2), fcntl (1), mmap (1)",
		"read(3</a>, 0x7ffe, 10) = ? ERESTARTSYS (To be restarted)\n" +
			"7 wait4(-1,  <unfinished ...>\n7 <... wait4 resumed>0x7ffe, 0, NULL) = ? ERESTART_RESTARTBLOCK (Interrupted by signal)\n" +
			"read(3</a>, \"x\", 10) = 1\nexit_group(0) = ?\n": "and that did not return (ERESTARTSYS and its like), left out: 2;",
		"1700000010.000000 read(3</a>, \"\", 1) = 0\n1700000012.500000 read(3</a>, \"\", 1) = 0\n" +
			"1700000011.000000 read(3</a>, \"\", 1) = 0\n1700000010.750000 read(3</a>, \"\", 1) = 0\n": "the clock of the log " +
			"goes back 2 times, by up to 1.5s:",
		"12:00:10 read(3</a>, \"\", 1) = 0\n12:00:05 read(3</a>, \"\", 1) = 0\n12:00:06 read(3</a>, \"\", 1) = 0\n": "lines with " +
			"a time before that of the first, shown as if they were of the same: 2",
	} {
		_, c := trial.Import(t, &Importer, text)
		if notes := strings.Join(c.Notes, "\n"); !strings.Contains(notes, want) || c.Damaged > 0 {
			t.Errorf("%d damaged, no word of %q in:\n%s", c.Damaged, want, notes)
		}
	}
}

// A clock that goes on is not said to go back: over midnight, and where a line is put together from two.
func TestClockGoesOn(t *testing.T) {
	for _, text := range []string{
		"23:59:59.9 close(3</a>) = 0\n00:00:00.1 close(3</a>) = 0\n",
		"1700000010.5 close(3</a>) = 0\n1700000010.5 write(1</a>, \"hi\\n\", 3hi\n) = 3\n1700000011 close(1</a>) = 0\n",
	} {
		_, c := trial.Import(t, &Importer, text)
		if notes := strings.Join(c.Notes, "\n"); strings.Contains(notes, "goes back") || strings.Contains(notes, "before that") {
			t.Error(notes)
		}
	}
}

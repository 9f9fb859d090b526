package calls

import (
	"errors"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

// What perf trace 6.1 prints: zeros left out, calls that go on while others are shown, flags in words.
const sample = `         ? (         ): sh/90  ... [continued]: execve())                                           = 0
     1.000 ( 0.016 ms): sh/90 openat(dfd: CWD, filename: "/d/a, b", flags: CREAT|TRUNC|WRONLY|DIRECT, mode: IRUGO|IWUGO) = 5
     2.000 ( 0.020 ms): sh/90 write(fd: 5</d/a, b>, buf: 0x55aa206b95a0, count: 8192)                   = 100
     3.000 ( 0.020 ms): sh/90 write(fd: 5</d/a, b>, buf: 0x55aa206b95a0, count: 8192)                   = -1 ENOSPC (No space left on device)
     4.000 (         ): sh/90 read(fd: 6</d/r>, buf: 0x55aa206b95a0, count: 4096)                    ...
     4.500 ( 0.010 ms): my prog/91 pread64(fd: 7, buf: 0x7ffd77696e60, count: 784, pos: 64)              = 784
     4.000 ( 1.270 ms): sh/90  ... [continued]: read())                                            = 4096
     6.000 ( 0.010 ms): sh/90 ioctl(fd: 6</d/h>, cmd: (WRITE, 0x94, 0x9, 0x4), arg: 0x5)             = 0
     7.000 ( 0.010 ms): sh/90 copy_file_range(fd_in: 5</d/a, b>, fd_out: 6</d/h>, len: 9223372035781033984) = 200
     8.000 ( 0.010 ms): sh/90 lseek(fd: 6</d/h>, offset: 300, whence: DATA)                        = 512
     9.000 ( 0.010 ms): sh/90 mmap(len: 4096, prot: READ|EXEC, flags: PRIVATE, fd: 6</d/h>, off: 0x1000) = 0x7f952b7b0000
     9.100 ( 0.010 ms): sh/90 mmap(len: 4096, prot: READ|WRITE, flags: PRIVATE|ANONYMOUS) = 0x7f952b7b0000
     9.200 ( 0.010 ms): sh/90 fcntl(fd: 5, cmd: GETFL)                        = RDONLY|LARGEFILE
     9.300 ( 0.015 ms): sh/90 getppid()                                                             = 
LOST 12 events!
    10.000 (         ): sh/90 exit_group()                                                          = ?
    11.000 ( 0.010 ms): sh/90 read(fd: 5</d/a, b>, buf: 0x1, count: 1)  = what
    12.000 ( 0.0
`

// TestExchange: two files get each other's names, which perf shows as a word, and LTTng or ftrace as a number.
func TestExchange(t *testing.T) {
	log, _ := trial.Import(t, &PerfTrace, `     1.000 ( 0.010 ms): sh/90 openat(dfd: CWD, filename: "/d/a", flags: CREAT|WRONLY) = 3
     2.000 ( 0.010 ms): sh/90 openat(dfd: CWD, filename: "/d/b", flags: CREAT|WRONLY) = 4
     3.000 ( 0.010 ms): sh/90 renameat2(olddfd: CWD, oldname: "/d/a", newdfd: CWD, newname: "/d/b", flags: EXCHANGE) = 0
     4.000 ( 0.010 ms): sh/90 write(fd: 3</d/b>, buf: 0x1, count: 100) = 100
     5.000 ( 0.010 ms): sh/90 write(fd: 4</d/a>, buf: 0x1, count: 10) = 10
     6.000 ( 0.010 ms): sh/90 linkat(olddfd: CWD, oldname: "/d/a", newdfd: CWD, newname: "/d/c", flags: 2) = 0
`)
	trial.Calls(t, &PerfTrace, log, []string{
		"90 openat fd=3 /d/a at -1 req 0 = 3, 0+10000", "90 openat fd=4 /d/b at -1 req 0 = 4, 1000000+10000",
		"90 renameat2 fd=-1 /d/a at -1 req 0 = 0, 2000000+10000",
		"90 write fd=3 /d/b at -1 req 100 = 100, 3000000+10000", "90 write fd=4 /d/a at -1 req 10 = 10, 4000000+10000",
		"90 linkat fd=-1 /d/a at -1 req 0 = 0, 5000000+10000",
	})
	for _, e := range log.Syscalls {
		if exchanged := e.Flags&trace.FlagExchange != 0; exchanged != (e.Op == trace.OpRename) {
			t.Errorf("%+v", e)
		}
	}
}

func TestCalls(t *testing.T) {
	log, c := trial.Import(t, &PerfTrace, sample)
	trial.Calls(t, &PerfTrace, log, []string{
		"90 openat fd=5 /d/a, b at -1 req 0 = 5, 0+16000",
		"90 write fd=5 /d/a, b at 0 req 8192 = 100, 1000000+20000",
		"90 write fd=5 /d/a, b at 100 req 8192 = -28, 2000000+20000",
		"91 pread64 fd=7  at 64 req 784 = 784, 3500000+10000",
		"90 read fd=6 /d/r at -1 req 4096 = 4096, 3000000+1270000",
		"90 ioctl fd=5 /d/a, b at 0 req 0 = 0, 5000000+10000",
		"90 copy_file_range fd=5 /d/a, b at 100 req 9223372035781033984 = 200, 6000000+10000",
		"90 lseek fd=6 /d/h at 512 req 0 = 512, 7000000+10000",
		"90 mmap fd=6 /d/h at 4096 req 4096 = 0, 8000000+10000",
	})
	if c.Damaged != 2 || c.First != 17 || len(log.Processes) != 2 || log.Processes[1].Command != "my prog" ||
		len(log.Losses) != 1 || log.Losses[0].Count != 12 {
		t.Errorf("%+v, %+v, %+v", c, log.Processes, log.Losses)
	}
	notes := strings.Join(c.Notes, "; ")
	if !strings.Contains(notes, "begun before the text does: 1") || !strings.Contains(notes, "perf lost 12") {
		t.Error(notes)
	}
	if _, err := PerfTrace.Import(strings.NewReader("no\nperf\n"), &trace.Log{}); !errors.Is(err, convert.ErrFormat) {
		t.Errorf("another text: %v", err)
	}
}

// What close_range closes is known no more; perf prints the highest number as -1, and no zeros.
func TestClosedRange(t *testing.T) {
	log, _ := trial.Import(t, &PerfTrace, `     1.000 ( 0.016 ms): sh/90 openat(dfd: CWD, filename: "/a", flags: RDONLY) = 5
     2.000 ( 0.010 ms): sh/90 read(fd: 5, buf: 0x1, count: 8)                 = 8
     3.000 ( 0.030 ms): sh/90 close_range(fd: 3, max_fd: -1)                  = 0
     4.000 ( 0.010 ms): sh/90 read(fd: 5, buf: 0x1, count: 8)                 = 8
`)
	trial.Calls(t, &PerfTrace, log, []string{
		"90 openat fd=5 /a at -1 req 0 = 5, 0+16000",
		"90 read fd=5 /a at 0 req 8 = 8, 1000000+10000",
		"90 read fd=5  at -1 req 8 = 8, 3000000+10000",
	})
}

// Names that perf could look up only later do not take away what is known of a file; threads are none of clone3's.
func TestNamedLater(t *testing.T) {
	log, _ := trial.Import(t, &PerfTrace, `     1.000 ( 0.010 ms): cp/90 openat(dfd: CWD, filename: 0x9aeaca8f) = 4
     2.000 ( 0.010 ms): cp/90 openat(dfd: CWD, filename: 0x9aeaca91, flags: CREAT|WRONLY, mode: IRUGO|IWUSR) = 5
     3.000 ( 0.010 ms): cp/90 read(fd: 4, buf: 0x1, count: 8)                 = 8
     4.000 ( 0.010 ms): cp/90 read(fd: 4</a>, buf: 0x1, count: 8)             = 8
     5.000 ( 0.010 ms): cp/90 copy_file_range(fd_in: 4, fd_out: 5, len: 100) = 100
     6.000 ( 0.010 ms): cp/90 clone(clone_flags: VM|FS|FILES|SIGHAND|THREAD) = 91
     7.000 ( 0.010 ms): cp/91 read(fd: 4, buf: 0x1, count: 8)                 = 8
     8.000 ( 0.010 ms): cp/90 clone(clone_flags: CHILD_CLEARTID|CHILD_SETTID) = 92
     9.000 ( 0.010 ms): cp/92 read(fd: 4, buf: 0x1, count: 8)                 = 8
`)
	trial.Calls(t, &PerfTrace, log, []string{
		"90 openat fd=4 open:[1] at -1 req 0 = 4, 0+10000",
		"90 openat fd=5 open:[2] at -1 req 0 = 5, 1000000+10000",
		"90 read fd=4 open:[1] at 0 req 8 = 8, 2000000+10000",
		"90 read fd=4 /a at 8 req 8 = 8, 3000000+10000",
		"90 copy_file_range fd=4 /a at 16 req 100 = 100, 4000000+10000",
		"90 clone fd=-1  at -1 req 0 = 91, 5000000+10000",
		"91 read fd=4  at -1 req 8 = 8, 6000000+10000",
		"90 clone fd=-1  at -1 req 0 = 92, 7000000+10000",
		"92 read fd=4 /a at 116 req 8 = 8, 8000000+10000",
	})
	if thread, process := log.Syscalls[5].Op, log.Syscalls[7].Op; thread != trace.OpSpawn || process != trace.OpFork {
		t.Errorf("a thread is made by %v, a process by %v", thread, process)
	}
}

func FuzzPerfTrace(f *testing.F) {
	for line := range strings.Lines(sample) {
		f.Add(line)
	}
	f.Add(sample)
	f.Fuzz(func(t *testing.T, text string) { trial.Fuzz(t, &PerfTrace, text) })
}

func BenchmarkPerfTrace(b *testing.B) {
	text := strings.Repeat(sample, 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := PerfTrace.Import(strings.NewReader(text), &trace.Log{}); err != nil {
			b.Fatal(err)
		}
	}
}

package calls

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

// What perf script 6.1 prints of a Linux 6.18: blanks in commands, calls by name and by number, a thread of a process.
const perfText = `# captured on: a day
     my prog (2)   500 [001] 36752.000100:                    block:block_bio_queue: 254,0 WS 1000 + 8 [my prog (2)]
     my prog (2)   500 [001] 36752.000110:                        block:block_getrq: 254,0 WS 1000 + 8 [my prog (2)]
 kworker/1:0H-kb  5789 [001] 36752.000150:                     block:block_rq_issue: 254,0 WS 4096 () 1000 + 8 0x2,0,4 [kworker/1:0H]
         swapper     0 [001] 36752.000350:                  block:block_rq_complete: 254,0 WS () 1000 + 8 0x2,0,4 [0]
 kworker/1:0H-kb  5789 [001] 36752.000400:                     block:block_rq_issue: 254,0 FF 0 () 0 + 0 0x0,0,0 [kworker/1:0H]
         swapper     0 [001] 36752.000500:                  block:block_rq_complete: 254,0 FF () 18446744073709551615 + 0 0x0,0,0 [0]
         swapper     0 [001] 36752.000501:                  block:block_rq_complete: 254,0 WS () 0 + 0 0x2,0,4 [-5]
              dd 600/601 [000] 36752.001000:              syscalls:sys_enter_openat: dfd: 0xffffff9c, filename: 0x7fb11eb410b1, flags: 0x00004241, mode: 0x000001b6
              dd 600/601 [000] 36752.001010:                   syscalls:sys_exit_openat: 0x4
              dd 600/601 [000] 36752.001020:                 syscalls:sys_enter_write: fd: 0x00000004, buf: 0x7ffc2ab15c28, count: 0x00000340
              dd 600/601 [000] 36752.001050:                  syscalls:sys_exit_write: 0x340
              dd 600/601 [000] 36752.001060:  raw_syscalls:sys_enter: NR 1 (4, 7ffc2ab15c28, 1000, 0, 0, 0)
              dd 600/601 [000] 36752.001090:  raw_syscalls:sys_exit: NR 1 = -28
              dd 600/601 [000] 36752.001100:                 syscalls:sys_enter_read: fd: 0x00000009, buf: 0x7ffc2ab15c28, count: 0x00000340
              dd 600/601 [000] 36752.001150:                  syscalls:sys_exit_read: 0xfffffffffffffff7
              dd 600/601 [000] 36752.001160:                 syscalls:sys_enter_futex: uaddr: 0x00000009
              dd 600/601 [000] 36752.001170:                  syscalls:sys_exit_futex: 0x0
              dd 600/601 [000] 36752.001180:                 syscalls:sys_exit_read: 0x1
              dd 600/601 [000] 36752.001190:                 syscalls:sys_enter_read: fd: what
              dd 600/601 [000] 36752.0011
`

func TestPerf(t *testing.T) {
	log, c := trial.Import(t, &PerfScript, perfText)
	trial.Requests(t, log, []string{
		fmt.Sprintf("254:0 write 1000+4096 pid 500: 0 50000 250000, 1 bios, flags %b", trace.ReqSync),
		fmt.Sprintf("254:0 flush 0+0 pid 5789: -1 300000 400000, 1 bios, flags %b", trace.ReqSync),
	})
	trial.Calls(t, &PerfScript, log, []string{
		"600 openat fd=4 open:[1] at -1 req 0 = 4, 900000+10000",
		"600 write fd=4 open:[1] at 0 req 832 = 832, 920000+30000",
		"600 write fd=4 open:[1] at 832 req 4096 = -28, 960000+30000",
		"600 read fd=9  at -1 req 832 = -9, 1000000+50000",
	})
	if e := log.Syscalls[1]; e.TID != 601 || e.Flags != trace.FlagDirect {
		t.Errorf("%+v", e)
	}
	if c.Damaged != 2 || c.First != 20 || len(log.Processes) != 3 || log.Processes[0].Command != "my prog (2)" {
		t.Errorf("%+v, %+v", c, log.Processes)
	}
}

// What ftrace prints, with and without the process of a thread, and trace-cmd report with and without the flags.
const ftraceText = `# tracer: nop
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
              dd-600     (    600) [001] ..... 37029.600651: sys_openat(dfd: 0xffffff9c, filename: 0x7fb11eb410b1 "/d/f", flags: 0x241, mode: 0x1b6)
              dd-600     (    600) [001] ..... 37029.600661: sys_openat -> 0x4
              dd-601     (    600) [000] ..... 37029.600671: sys_write(fd: 4, buf: 0x7ffcadb03ba8, count: 0x340)
              dd-601     (    600) [000] ..... 37029.600681: sys_write -> 0x340
CPU:1 [LOST 39 EVENTS]
              dd-601   [000]   37029.600682: sys_enter_futex:      op=FUTEX_WAKE|FUTEX_PRIVATE_FLAG uaddr=0x7f5a4e24aa4c val=2147483647
 my-prog-7-700     (-------) [001] d..1. 37029.600691: sys_enter: NR 17 (b, 7ffcadb03ba8, 340, 10, 0, 0)
 my-prog-7-700     (-------) [001] d..1. 37029.600701: sys_exit: NR 17 = 832
           <...>-800   [000] 37029.600711: block_rq_issue:       254,0 R 4096 () 2000 + 8 be,0,4 [cat]
          <idle>-0     [000] 37029.600811: block_rq_complete:    254,0 R () 2000 + 8 be,0,4 [-5]
CPU:0 [7 EVENTS DROPPED]
CPU:1 [LOST EVENTS]
             cat-800   1d..2. 37029.600811: no CPU
`

func TestFtrace(t *testing.T) {
	log, c := trial.Import(t, &Ftrace, ftraceText)
	trial.Calls(t, &Ftrace, log, []string{
		"600 openat fd=4 /d/f at -1 req 0 = 4, 0+10000",
		"600 write fd=4 /d/f at 0 req 832 = 832, 20000+10000",
		"700 pread64 fd=11  at 16 req 832 = 832, 40000+10000",
	})
	trial.Requests(t, log, []string{"254:0 read 2000+4096 pid 800: -1 60000 160000, 1 bios, 0 requeues, error 5"})
	if c.Damaged != 1 || c.First != 16 {
		t.Errorf("%+v", c)
	}
	var lost []uint64
	for _, l := range log.Losses {
		lost = append(lost, l.Count)
	}
	if diff := cmp.Diff([]uint64{39, 7, 1}, lost); diff != "" {
		t.Error(diff)
	}
}

// A thread has its process's descriptors, which are not known under its own number; whether clone3 makes one stands in
// memory. What a file is opened as is told apart from what it was opened as before.
func TestShared(t *testing.T) {
	const text = `  a 1 [000] 100.000010: raw_syscalls:sys_enter: NR 257 (ffffff9c, 7f, 0, 0, 0, 0)
  a 1 [000] 100.000020: raw_syscalls:sys_exit: NR 257 = 3
  a 1 [000] 100.000030: raw_syscalls:sys_enter: NR 56 (10f00, 0, 0, 0, 0, 0)
  a 1 [000] 100.000040: raw_syscalls:sys_exit: NR 56 = 2
  a 1 [000] 100.000050: raw_syscalls:sys_enter: NR 435 (7f, 58, 0, 0, 0, 0)
  a 1 [000] 100.000060: raw_syscalls:sys_exit: NR 435 = 4
  a 1 [000] 100.000070: raw_syscalls:sys_enter: NR 3 (3, 0, 0, 0, 0, 0)
  a 1 [000] 100.000080: raw_syscalls:sys_exit: NR 3 = 0
  a 1 [000] 100.000090: raw_syscalls:sys_enter: NR 257 (ffffff9c, 7f, 0, 0, 0, 0)
  a 1 [000] 100.000100: raw_syscalls:sys_exit: NR 257 = 3
  a 2 [000] 100.000110: raw_syscalls:sys_enter: NR 0 (3, 7f, 64, 0, 0, 0)
  a 2 [000] 100.000120: raw_syscalls:sys_exit: NR 0 = 100
  a 4 [000] 100.000130: raw_syscalls:sys_enter: NR 0 (3, 7f, 64, 0, 0, 0)
  a 4 [000] 100.000140: raw_syscalls:sys_exit: NR 0 = 100
`
	log, c := trial.Import(t, &PerfScript, text)
	trial.Calls(t, &PerfScript, log, []string{
		"1 openat fd=3 open:[1] at -1 req 0 = 3, 0+10000",
		"1 clone fd=-1  at -1 req 0 = 2, 20000+10000",
		"1 clone3 fd=-1  at -1 req 0 = 4, 40000+10000",
		"1 close fd=3 open:[1] at -1 req 0 = 0, 60000+10000",
		"1 openat fd=3 open:[2] at -1 req 0 = 3, 80000+10000",
		"2 read fd=3  at -1 req 100 = 100, 100000+10000",
		"4 read fd=3  at -1 req 100 = 100, 120000+10000",
	})
	if notes := strings.Join(c.Notes, "; "); !strings.Contains(notes, "told apart: 2") || !strings.Contains(notes, "was not seen: 2") {
		t.Error(notes)
	}
}

// perf record without -a sees the ends of requests only where they met the command: what is left of them are losses.
func TestHalves(t *testing.T) {
	const text = `  dd 5 [000] 100.000010: block:block_rq_issue: 254,0 R 4096 () 1000 + 8 [dd]
  dd 5 [000] 100.000020: block:block_rq_issue: 254,0 R 4096 () 1008 + 8 [dd]
  dd 5 [001] 100.000030: block:block_rq_complete: 254,0 R () 1008 + 8 [0]
  dd 5 [001] 100.000040: block:block_rq_complete: 254,0 R () 2000 + 8 [0]
`
	log, c := trial.Import(t, &PerfScript, text)
	if len(log.Losses) != 1 || log.Losses[0].Count != 2 || log.Losses[0].Kind != trace.KindRequest || log.Losses[0].To != 30000 {
		t.Errorf("%+v", log.Losses)
	}
	if notes := strings.Join(c.Notes, "; "); !strings.Contains(notes, "perf record -a") {
		t.Error(notes)
	}
}

// What begins before the text and what does not end in it is counted; descriptors go to children and stay at an exec.
func TestProcesses(t *testing.T) {
	var b strings.Builder
	now := 0
	put := func(pid int, text string) {
		now += 10
		fmt.Fprintf(&b, "  sh %d [000] 100.%06d: %s\n", pid, now, text)
	}
	put(1, "raw_syscalls:sys_exit: NR 0 = 4")
	put(1, "raw_syscalls:sys_enter: NR 257 (ffffff9c, 7f, 0, 0, 0, 0)")
	put(1, "raw_syscalls:sys_exit: NR 257 = 3")
	put(1, "raw_syscalls:sys_enter: NR 56 (0, 0, 0, 0, 0, 0)")
	put(1, "raw_syscalls:sys_exit: NR 56 = 2")
	put(2, "raw_syscalls:sys_enter: NR 59 (0, 0, 0, 0, 0, 0)")
	put(2, "raw_syscalls:sys_exit: NR 59 = 0")
	put(2, "raw_syscalls:sys_enter: NR 0 (3, 7f, 64, 0, 0, 0)")
	put(2, "raw_syscalls:sys_exit: NR 0 = 100")
	put(2, "raw_syscalls:sys_enter: NR 231 (0, 0, 0, 0, 0, 0)")
	put(1, "raw_syscalls:sys_enter: NR 0 (3, 7f, 64, 0, 0, 0)")
	put(1, "raw_syscalls:sys_exit: NR 0 = 50")
	put(1, "raw_syscalls:sys_enter: NR 0 (3, 7f, 64, 0, 0, 0)")
	log, c := trial.Import(t, &PerfScript, b.String())
	trial.Calls(t, &PerfScript, log, []string{
		"1 openat fd=3 open:[1] at -1 req 0 = 3, 10000+10000",
		"1 clone fd=-1  at -1 req 0 = 2, 30000+10000",
		"2 read fd=3 open:[1] at 0 req 100 = 100, 70000+10000",
		"1 read fd=3 open:[1] at 100 req 100 = 50, 100000+10000",
	})
	notes := strings.Join(c.Notes, "; ")
	if !strings.Contains(notes, "begun before the text does: 1") || !strings.Contains(notes, "not returned when the text ended: 1") {
		t.Error(notes)
	}
}

// What close_range closes is known no more: now, or after the next exec (CLOSE_RANGE_CLOEXEC, 4).
func TestClosedRanges(t *testing.T) {
	var b strings.Builder
	now := 0
	call := func(nr int, args string, result int) {
		now += 10
		fmt.Fprintf(&b, "  sh 1 [000] 100.%06d: raw_syscalls:sys_enter: NR %d (%s)\n", now, nr, args)
		fmt.Fprintf(&b, "  sh 1 [000] 100.%06d: raw_syscalls:sys_exit: NR %d = %d\n", now+1, nr, result)
	}
	read := func(fd int) { call(0, fmt.Sprintf("%x, 7f, 64, 0, 0, 0", fd), 1) }
	for fd := 3; fd <= 5; fd++ {
		call(257, "ffffff9c, 7f, 0, 0, 0, 0", fd)
	}
	call(436, "5, ffffffffffffffff, 0, 0, 0, 0", 0)
	call(436, "4, 4, 4, 0, 0, 0", 0)
	call(436, "0, ffffffff, 0, 0, 0, 0", -22)
	read(3)
	read(4)
	read(5)
	call(59, "0, 0, 0, 0, 0, 0", 0)
	read(3)
	read(4)
	log, _ := trial.Import(t, &PerfScript, b.String())
	var got []string
	for _, s := range log.Syscalls {
		if s.Op == trace.OpRead {
			got = append(got, fmt.Sprintf("%d at %d", s.FD, s.Offset)) // the offset of a descriptor that is known is, too
		}
	}
	if diff := cmp.Diff([]string{"3 at 0", "4 at 0", "5 at -1", "3 at 1", "4 at -1"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestOthers(t *testing.T) {
	for _, text := range []string{"no\ntracer\n", ftraceText} {
		if _, err := PerfScript.Import(strings.NewReader(text), &trace.Log{}); !errors.Is(err, convert.ErrFormat) {
			t.Errorf("perf of %q: %v", text, err)
		}
	}
	if _, err := Ftrace.Import(strings.NewReader(perfText), &trace.Log{}); !errors.Is(err, convert.ErrFormat) {
		t.Errorf("ftrace: %v", err)
	}
	codes := func(head string) (list []trace.LimitCode) {
		for _, l := range limits([]byte(head)) {
			list = append(list, l.Code)
		}
		return list
	}
	if diff := cmp.Diff([]trace.LimitCode{trace.LimitNoCalls}, codes("block:block_rq_issue")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]trace.LimitCode{trace.LimitNoRequests}, codes("sys_enter")); diff != "" {
		t.Error(diff)
	}
}

func FuzzTracepoint(f *testing.F) {
	for _, text := range []string{perfText, ftraceText} {
		for line := range strings.Lines(text) {
			f.Add(line)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		trial.Fuzz(t, &PerfScript, text)
		trial.Fuzz(t, &Ftrace, text)
	})
}

func BenchmarkPerf(b *testing.B) {
	text := strings.Repeat(perfText, 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := PerfScript.Import(strings.NewReader(text), &discard{}); err != nil {
			b.Fatal(err)
		}
	}
}

// discard takes events and keeps none.
type discard struct{ trace.Log }

func (*discard) Syscall(*trace.Syscall) error { return nil }
func (*discard) Request(*trace.Request) error { return nil }
func (*discard) Process(*trace.Process) error { return nil }

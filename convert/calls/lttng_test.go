package calls

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

const lttngText = `[23:59:59.900000000] (+?.?????????) host syscall_entry_openat: { cpu_id = 2 }, { pid = 7, tid = 8, procname = "dd" }, { dfd = -100, filename = "/a b, {c", flags = ( "O_RDWR" | "O_CREAT" : container = 66 ), mode = ( <unknown> : container = 438 ) }
[23:59:59.900010000] (+0.000010000) host syscall_exit_openat: { cpu_id = 2 }, { pid = 7, tid = 8, procname = "dd" }, { ret = 3 }
[23:59:59.900020000] (+0.000010000) host syscall_entry_read: { cpu_id = 2 }, { pid = 7, tid = 8, procname = "dd" }, { fd = 3, count = 512 }
[23:59:59.900050000] (+0.000030000) host sched_switch: { cpu_id = 2 }, { pid = 7, tid = 8, procname = "dd" }, { prev_comm = "dd", prev_tid = 8 }
[00:00:00.000000000] (+0.099950000) host syscall_exit_read: { cpu_id = 1 }, { pid = 7, tid = 8, procname = "dd" }, { ret = 100, buf = 0x7FFC }
[00:00:00.000001000] (+0.000001000) host syscall_entry_pwrite64: { cpu_id = 1 }, { pid = 7, tid = 8, procname = "dd" }, { fd = 3, buf = 0x7FFC, count = 4096, pos = 8192 }
[00:00:00.000002000] (+0.000001000) host syscall_exit_pwrite64: { cpu_id = 1 }, { pid = 7, tid = 8, procname = "dd" }, { ret = -28 }
[00:00:00.000003000] (+0.000001000) host syscall_entry_write: { cpu_id = 1 }, { pid = 7, tid = 8, procname = "dd" }, { fd = 3, buf = 0x7FFC, count = 5 }
[00:00:00.000004000] (+0.000001000) host syscall_exit_write: { cpu_id = 1 }, { pid = 7, tid = 8, procname = "dd" }, { ret = 5 }
[00:00:00.100000000] (+0.099996000) host block_bio_queue: { cpu_id = 1 }, { pid = 7, tid = 8, procname = "dd" }, { dev = 8388624, sector = 1000, nr_sector = 8, rwbs = 1057, tid = 8, comm = "dd" }
[00:00:00.100001000] (+0.000001000) host block_rq_issue: { cpu_id = 1 }, { pid = 30, tid = 30, procname = "kworker/1:1H" }, { dev = 8388624, sector = 1000, nr_sector = 8, bytes = 4096, tid = 30, rwbs = 1057, _cmd_length = 0, cmd = [ ], comm = "kworker/1:1H" }
[00:00:00.100009000] (+0.000008000) host block_rq_complete: { cpu_id = 0 }, { pid = 0, tid = 0, procname = "swapper/0" }, { dev = 8388624, sector = 1000, nr_sector = 8, error = -5, rwbs = 1057, _cmd_length = 0, cmd = [ ] }
[00:00:00.200000000] (+0.099991000) host block_rq_complete: { cpu_id = 0 }, { dev = 8388624, sector = 1000
`

// The kernel's order of arguments with gaps, midnight, names with brackets in them, and a request with its flags: 1057 is
// a write, synchronous, with a flush before it (1 + 32 + 1024).
func TestLTTng(t *testing.T) {
	log, c := trial.Import(t, &LTTng, lttngText)
	trial.Calls(t, &LTTng, log, []string{
		"7 openat fd=3 /a b, {c at -1 req 0 = 3, 0+10000",
		"7 read fd=3 /a b, {c at 0 req 512 = 100, 20000+99980000",
		"7 pwrite64 fd=3 /a b, {c at 8192 req 4096 = -28, 100001000+1000",
		"7 write fd=3 /a b, {c at 100 req 5 = 5, 100003000+1000",
	})
	trial.Requests(t, log, []string{fmt.Sprintf("8:16 write 1000+4096 pid 7: 200000000 200001000 200009000, 1 bios, flags %b, "+
		"0 requeues, error 5", trace.ReqSync|trace.ReqPreflush)})
	if c.Damaged != 1 || c.First != 13 || log.Syscalls[0].TID != 8 || log.Processes[0].Command != "dd" {
		t.Errorf("%+v, %+v", c, log.Processes)
	}
}

// Times of the clock and with dates, threads of a namespace, losses; and events that do not say whose they are.
func TestLTTngForms(t *testing.T) {
	text := strings.NewReplacer("[00:00:00.", "[1700000001.", "[23:59:59.", "[1700000000.", " pid", " vpid", " tid = 8, p", " vtid = 8, p").Replace(lttngText)
	log, c := trial.Import(t, &LTTng, text)
	if len(log.Syscalls) != 4 || len(log.Requests) != 1 || log.Syscalls[3].Start != 100003000 || log.Syscalls[3].PID != 7 {
		t.Errorf("%+v, %+v", c, log.Syscalls)
	}
	dated := strings.NewReplacer("[00:", "[2026-01-02 00:", "[23:", "[2026-01-01 23:").Replace(lttngText)
	if log, _ := trial.Import(t, &LTTng, dated); len(log.Syscalls) != 4 || log.Syscalls[3].Start != 100003000 {
		t.Errorf("%+v", log.Syscalls)
	}
	_, c = trial.Import(t, &LTTng, lttngText+"[warning] Tracer discarded 39 events between [a] and [b] in trace UUID x\n")
	if notes := strings.Join(c.Notes, "; "); !strings.Contains(notes, "lost 39 events") || c.Damaged != 1 {
		t.Errorf("%+v", c)
	}
	nobody := strings.NewReplacer("{ pid = 7, tid = 8, procname = \"dd\" }, ", "").Replace(strings.Join(strings.SplitAfter(lttngText, "\n")[:3], ""))
	if _, err := LTTng.Import(strings.NewReader(nobody), &trace.Log{}); err == nil || !strings.Contains(err.Error(), "add-context -k -t pid") {
		t.Error(err)
	}
	if limits := LTTng.Limits([]byte(lttngText)); len(limits) != 0 {
		t.Errorf("%+v", limits)
	}
	for _, other := range []*convert.Importer{&PerfScript, &Ftrace} {
		if len(convert.Recognize([]byte(lttngText), true, []*convert.Importer{other})) > 0 {
			t.Errorf("it is taken for %s", other.From)
		}
	}
}

func FuzzLTTng(f *testing.F) {
	f.Add(lttngText)
	for line := range strings.Lines(lttngText) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) { trial.Fuzz(t, &LTTng, text) })
}

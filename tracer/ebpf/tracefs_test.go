//go:build linux

package ebpf

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/testenv"
)

// ftrace is the kernel's own event log: a second witness for what probes have seen.
type ftrace struct {
	*testenv.EventLog
	t testing.TB
}

// startFtrace logs tracepoints, filtered by an expression over their fields.
func startFtrace(t testing.TB, filter string, events ...string) *ftrace {
	t.Helper()
	return &ftrace{testenv.StartEventLog(t, filter, events...), t}
}

func (f *ftrace) lines() []string { return f.Lines() }

// ftraceTask matches "   comm-123   (    1) [001] ..s.. 12.3: event: …".
var ftraceTask = regexp.MustCompile(`^.*-(\d+) +\( *([-\d]+)\) \[`)

// ofKernel reports whether a thread is a worker of the kernel or one of XFS. Its name is asked of /proc: the log keeps
// names of some thousand threads, for the whole machine, and has "<...>" for one whose place another has taken since.
func ofKernel(tid string) bool {
	name, err := os.ReadFile("/proc/" + tid + "/comm")
	return err == nil && (bytes.HasPrefix(name, []byte("kworker/")) || bytes.HasPrefix(name, []byte("xfsaild/")))
}

// ofInit tells whether something happened while a thread of process 1 had the
// CPU, in an interrupt as a rule. Hardened kernels run no BPF program then, and
// keep some of these events from this log as well: what is in neither cannot be
// recorded. A request counts as lost once the kernel uses its struct request again.
func (f *ftrace) ofInit(line string) bool {
	f.t.Helper()
	m := ftraceTask.FindStringSubmatch(line)
	if m == nil {
		f.t.Fatalf("event without a task: %q", line)
	}
	// The log does not know the process of a thread that has run since before; one that is gone may have been of any.
	_, err := os.Stat("/proc/1/task/" + m[1])
	_, alive := os.Stat("/proc/" + m[1])
	return m[2] == "1" || err == nil || alive != nil && strings.HasPrefix(m[2], "-")
}

// requestLine matches "block_rq_issue: 7,0 WS 4096 () 2048 + 8 none,0,0 [dd]", and the end of that request.
var requestLine = regexp.MustCompile(`: block_rq_(issue|complete): (\d+,\d+ ).*?\) (\d+) \+ `)

// hidden counts the requests that no probe can have seen whole: process 1 had the CPU at one of their ends, or that is
// missing from a log of both.
func (f *ftrace) hidden() (n int) {
	f.t.Helper()
	open := map[string]int{} // requests by device and sector
	for _, line := range f.lines() {
		m := requestLine.FindStringSubmatch(line)
		if m == nil {
			f.t.Fatalf("no request: %q", line)
		}
		if f.ofInit(line) {
			n++
		}
		if m[1] == "issue" {
			open[m[2]+m[3]]++
		} else {
			open[m[2]+m[3]]--
		}
	}
	for _, ends := range open {
		n += max(ends, -ends)
	}
	return n
}

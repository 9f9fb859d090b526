//go:build linux

package ebpf

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/testenv"
)

// ftrace is the kernel's own event log, in a buffer that nobody else uses: a
// second witness for what probes have seen.
type ftrace struct {
	t   testing.TB
	dir string
}

// startFtrace logs tracepoints, filtered by an expression over their fields.
func startFtrace(t testing.TB, filter string, events ...string) *ftrace {
	t.Helper()
	root, closed, err := testenv.OpenTracefs()
	if err != nil {
		missing(t, "the kernel's own event log: %v", err)
	}
	t.Cleanup(func() {
		if err := closed(); err != nil {
			t.Error(err)
		}
	})
	dir, err := os.MkdirTemp(root+"/instances", "iotrace-test-")
	if err != nil {
		t.Fatal(err)
	}
	f := &ftrace{t, dir}
	t.Cleanup(func() {
		for _, event := range events {
			f.set("events/"+event+"/enable", "0")
		}
		if err := os.Remove(dir); err != nil {
			t.Error(err)
		}
	})
	f.set("buffer_size_kb", "32768")
	f.set("options/record-tgid", "1")
	for _, event := range events {
		f.set("events/"+event+"/filter", filter)
		f.set("events/"+event+"/enable", "1")
	}
	return f
}

func (f *ftrace) set(name, value string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), []byte(value), 0); err != nil {
		f.t.Fatal(err)
	}
}

// lines are the events so far. A full buffer is an error of the test.
func (f *ftrace) lines() []string {
	f.t.Helper()
	log, err := os.Open(f.dir + "/trace")
	if err != nil {
		f.t.Fatal(err)
	}
	defer log.Close()
	var events []string
	for s := bufio.NewScanner(log); s.Scan(); {
		if line := s.Text(); !strings.HasPrefix(line, "#") {
			events = append(events, line)
			continue
		}
		var kept, all int
		if n, _ := fmt.Sscanf(s.Text(), "# entries-in-buffer/entries-written: %d/%d", &kept, &all); n == 2 && kept != all {
			f.t.Fatalf("the kernel's event log kept %d of %d events", kept, all)
		}
	}
	return events
}

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

package conversion

import (
	"bytes"
	"regexp"

	"github.com/iotrace/iotrace/trace/tracefile"
)

// recordings are files of tools whose text is imported, by how they begin: what is to be done with each.
var recordings = []struct {
	begins string
	do     string
}{
	{tracefile.Signature, "it is a trace already: iotrace show, report, diff, gap and export read it"},
	{"PERFILE2", "it is perf's own recording: import what `perf script -F comm,pid,tid,cpu,time,event,trace -i FILE` " +
		"prints of it (of one that perf trace made: perf trace -i FILE)"},
	{"\x17\x08Dtracing", "it is trace-cmd's own recording: import what `trace-cmd report -i FILE` prints of it"},
	{"PML_", "it is Process Monitor's own recording: import what File, Save, CSV makes of it"},
}

// recording is what to do with a file that begins so, "" if that is not known.
func recording(head []byte) string {
	for _, r := range recordings {
		if bytes.HasPrefix(head, []byte(r.begins)) {
			return r.do
		}
	}
	for _, s := range summaries {
		if s.like.Match(head) {
			return s.do
		}
	}
	return ""
}

// summaries are texts of tools that have no events, or are not read, by how a line of them looks.
var summaries = []struct {
	like *regexp.Regexp
	do   string
}{
	{regexp.MustCompile(`(?m)^% time +seconds +usecs/call +calls`),
		"it is the summary of strace -c, which has no calls: " +
			"record with strace -f -ttt -T -yy -o FILE, and import FILE"},
	{regexp.MustCompile(`(?m)^ *syscall +calls +(errors +)?total +min +avg +max`), "it is the summary of perf trace -s, " +
		"which has no calls: record with perf trace -T -o FILE, and import FILE"},
	{regexp.MustCompile(`(?m)^ *Performance counter stats for `), "it is a summary of perf stat, which has no " +
		"events: record with perf trace -T -o FILE, and import FILE"},
	{regexp.MustCompile(`(?m)^Device:? +(\S+ +)*(r/s|tps) `), "it is a table of iostat" + sums},
	{regexp.MustCompile(`(?m)^[^"]+ PID +kB_rd/s +kB_wr/s `), "it is a table of pidstat -d" + sums},
	{regexp.MustCompile(`(?m)^Total DISK READ *:`), "it is a table of iotop" + sums},
	{regexp.MustCompile(`(?m)^ *\w+ +: count +distribution$`), "it is a histogram of bcc (biolatency, bitesize)" + sums},
	{regexp.MustCompile(`(?m)^\s*(\d+( +\d+)?: +)?(\d+\.\d{9} +){0,2}\w+\(.*\)\s+` + // -f and -H, -d and -D
		`(= -?\d+ \(0x[0-9a-f]+\)|ERR#\d+ '[^']*')$`), "it is a log of FreeBSD's truss, which is not read: " + instead},
	{regexp.MustCompile(`(?m)^.*\)\s+Err#\d+( [A-Z]\w*)?( \[.*\])?$`), "it is a log of truss of Solaris " +
		"or illumos, which is not read: " + instead},
	{regexp.MustCompile(`(?m)^\d\d:\d\d:\d\d  +[a-zA-Z_]\w+ .* \d+\.\d{6}( W)? +\S`), "it is fs_usage without " +
		"-w, whose times are whole seconds and whose names are cut: record with fs_usage -w -f filesys -f diskio"},
}

// sums is what to do with the output of tools that add up what happened.
const sums = ", which has no single I/O: record with iotrace, or with biosnoop or blktrace"

// instead is what can be imported of a system whose tracer is not read.
const instead = "on Linux record with iotrace or strace, on macOS with iotrace or fs_usage -w"

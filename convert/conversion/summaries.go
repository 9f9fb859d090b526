package conversion

import "regexp"

// summary is what to do with a text that has no events, or is of a tool that is not read; "" if it is none known.
func summary(head []byte) string {
	for _, s := range summaries {
		if s.like.Match(head) {
			return s.do
		}
	}
	return ""
}

// What to do with the output of tools that add up what happened, and what can be imported of a system whose tracer is
// not read.
const (
	sums    = ", which has no single I/O: record with iotrace, or with biosnoop or blktrace"
	instead = "on Linux record with iotrace or strace, on macOS with iotrace or fs_usage -w"
)

// summaries are such texts by how a line of them looks, the more particular first.
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
	{regexp.MustCompile(`(?m)^\s*(\d+( +\d+)?: +)?(\d+\.\d{9} +){0,2}\w+\(.*\)\s+` + // -f and -H, -d and -D
		`(= -?\d+ \(0x[0-9a-f]+\)|ERR#\d+ '[^']*')$`), "it is a log of FreeBSD's truss, which is not read: " + instead},
	{regexp.MustCompile(`(?m)^.*\)\s+Err#\d+( [A-Z]\w*)?( \[.*\])?$`), "it is a log of truss of Solaris " +
		"or illumos, which is not read: " + instead},
	{regexp.MustCompile(`(?m)^\d\d:\d\d:\d\d  +[a-zA-Z_]\w+ .* \d+\.\d{6}( W)? +\S`), "it is fs_usage without " +
		"-w, whose times are whole seconds and whose names are cut: record with fs_usage -w -f filesys -f diskio"},
	// Rates and sums of disks and of processes.
	{regexp.MustCompile(`(?m)^[Dd]evice:? +(\S+ +)*(r/s|tps) |^ +(tps|r/s) +(\S+ +)*Device$|"disk_device": `),
		"it is a table of iostat" + sums},
	{regexp.MustCompile(`(?m)^ +(KB/t +x?(tps|frs) +MB/s *)+( |$)`), "it is a table of iostat" + sums}, // of BSD and macOS
	{regexp.MustCompile(`(?m)^[^"]+ PID +kB_rd/s +kB_wr/s `), "it is a table of pidstat -d" + sums},
	{regexp.MustCompile(`(?m)^\d\d:\d\d:\d\d( [AP]M)? +((DEV +)?tps +r\w+/s|tps +rtps) `), "it is a table of sar" + sums},
	{regexp.MustCompile(`\ALinux \S+ \(.*\)\s.*\(\d+ CPU\)`), "it is a table of sysstat (sar, mpstat, pidstat)" + sums},
	{regexp.MustCompile(`(?m)^-*procs-* -+memory-+ -+swap-+|^disk-* -+reads-+ -+writes-+|` +
		`^ *\d+ (K total memory|total reads)$`), "it is a table of vmstat" + sums},
	{regexp.MustCompile(`(?m)^ *\d+ +\d+ [a-zA-Z]\S*( \d+){11,17}$`), "it is /proc/diskstats" + sums},
	{regexp.MustCompile(`(?m)^pool +alloc +free +read +write +read +write`), "it is a table of zpool iostat" + sums},
	{regexp.MustCompile(`(?m)^Total DISK READ *:`), "it is a table of iotop" + sums},
	{regexp.MustCompile(`(?m)^top - \d\d:\d\d:\d\d up |^ *PID +USER +PR +NI +VIRT |^Processes: \d+ total, `),
		"it is a table of top" + sums},
	{regexp.MustCompile(`(?m)^ATOP - | ?-dsk/total- `), "it is a table of atop or dstat" + sums},
	{regexp.MustCompile(`(?m)^PID +COMM +D +MAJ +MIN +DISK +I/O|^TID +COMM +READS +WRITES +R_Kb `),
		"it is a table of biotop or filetop" + sums},
	// Histograms of bcc, bpftrace and DTrace.
	{regexp.MustCompile(`(?m)^ *\w+ +: count +distribution$`), "it is a histogram of bcc (biolatency, bitesize)" + sums},
	{regexp.MustCompile(`(?m)^[\[(](-?\d+[KMGTPE]?|\.\.\.)(\]|, (-?\d+[KMGTPE]?|\.\.\.)\)) +\d+ +\|@* *\|$`),
		"it is a histogram of bpftrace (biolatency.bt)" + sums},
	{regexp.MustCompile(`(?m)^ +value +-+ Distribution -+ count *$`), "it is a histogram of DTrace" + sums},
	// What has no I/O at all.
	{regexp.MustCompile(`(?m)^COMMAND +PID +(\S+ +)*USER +FD +TYPE `), "it is a list of open files (lsof)" + sums},
	{regexp.MustCompile(`(?m)^(TIME\S* +)?(UID +)?PID +COMM +FD +ERR +(\S+ +)*PATH`), "it is a table of opensnoop, " +
		"which has opens alone: record with iotrace, or with strace -f -ttt -T -y -o FILE"},
	{kernelLog, "it is the kernel's log (dmesg)" + sums},
}

// kernelLog is how the log of the kernel begins: with the time that each of dmesg's options prints, or without any.
var kernelLog = regexp.MustCompile(`\A\s*(<\d{1,3}>|[a-z]+ *:[a-z]+ *: )?(` +
	`\[( *\d+\.\d{6}( <.{12}>)?|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}( <.{12}>)?` +
	`|[A-Z][a-z]{2} ?\d\d? \d\d:\d\d| *\+\d+\.\d{6}|<.{12}>)\](\[ *[TC]\d+\])? |` +
	`\d{4}-\d\d-\d\dT[\d:]{8},\d{6}[+-]\d\d:\d\d |` +
	`Linux version \d+\.\d+)`)

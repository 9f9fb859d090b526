package conversion

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/formats"
	"github.com/iotrace/iotrace/convert/strace"
	"github.com/iotrace/iotrace/internal/testenv"
)

// summaryTexts are how such texts begin, with a word of the answer.
var summaryTexts = map[string]string{
	"% time     seconds  usecs/call     calls    errors syscall\n------ ----------- ----------- --------- ---------\n" +
		" 50.00    0.000123          12        10           read\n": "strace -f -ttt -T",
	" Summary of events:\n\n cat (1234), 98 events, 95.1%\n\n" +
		"   syscall            calls  errors  total       min       avg       max       stddev\n": "perf trace -T",
	"Linux 6.1.0 (vm)\n\nDevice            r/s     rkB/s   rrqm/s\nvda 1.00 2.00 0.00\n":                          "biosnoop",
	"Linux 6.1.0 (vm)\n\nDevice             tps    kB_read/s\nvda 1.00 2.00\n":                                    "biosnoop",
	"02:05:46      UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command\n":                                "biosnoop",
	"Total DISK READ :       0.00 B/s | Total DISK WRITE :       0.00 B/s\n":                                      "biosnoop",
	"     usecs               : count     distribution\n         0 -> 1          : 0   |  |\n":                    "biosnoop",
	"\n Performance counter stats for 'ls':\n\n 1.2 msec task-clock\n":                                            "perf trace -T",
	" 1234: openat(AT_FDCWD,\"/etc/passwd\",O_RDONLY,00)\t = 3 (0x3)\n":                                           "FreeBSD",
	"open(\"/nope\",O_RDONLY,00)\t ERR#2 'No such file or directory'\n":                                           "FreeBSD",
	"12345: 0.000123456 open(\"/a\",O_RDONLY,00) = 3 (0x3)\n":                                                     "FreeBSD", // -f -d
	" 123 100077: 0.000223456 0.000100000 read(3,\"abc\",4096) = 3 (0x3)\n":                                       "FreeBSD", // -f -H -d -D
	"0.000223456 0.000100000 open(\"/nope\",O_RDONLY,00) ERR#2 'No such file or directory'\n":                     "FreeBSD", // -d -D
	"open64(\"/etc/motd\", O_RDONLY)\t\t\t= 3\nopen(\"/nope\", O_RDONLY)\t\tErr#2 ENOENT\n":                       "Solaris",
	"10:15:30  open              /etc/passwd                   0.000012   cat\n":                                  "fs_usage -w",
	"     r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device\n":                                                "table of iostat",
	"{\"sysstat\": {\n\"disk\": [\n{\"disk_device\": \"vda\", \"r/s\": 0.67},\n":                                  "table of iostat",
	"              disk0       cpu\n    KB/t  tps  MB/s  us sy id   1m\n   24.01   20  0.47\n":                    "table of iostat",
	"10:47:46 AM       DEV       tps     rkB/s     wkB/s   areq-sz    aqu-sz\n":                                   "table of sar",
	"10:47:47          tps      rtps      wtps   bread/s   bwrtn/s\n":                                             "table of sar",
	"Linux 6.1.0 (vm) \t11/29/26 \t_x86_64_\t(2 CPU)\n\n10:47:48        CPU     %user\n":                          "mpstat",
	"procs -----------memory---------- ---swap-- -----io---- -system--\n r  b   swpd\n":                           "table of vmstat",
	"   8       0 sda 1258 1 28976 85 556 301 684914 440 0 300 621 12 0 6291464 0 94 94\n":                        "diskstats",
	"              capacity     operations     bandwidth\npool        alloc   free   read  write   read  write\n": "zpool",
	"Processes: 400 total, 2 running, 398 sleeping\n2026/11/29 10:15:30\n":                                        "table of top",
	"----total-usage---- -dsk/total- -net/total-\nusr sys idl wai stl| read  writ\n":                              "dstat",
	"10:15:30 loadavg: 0.10 0.05 1/1 1\n\nPID     COMM             D MAJ MIN DISK       I/O  Kbytes  AVGms\n":     "biotop",
	"TID     COMM             READS  WRITES R_Kb    W_Kb    T FILE\n":                                             "filetop",
	"@usecs: \n[1]                    2 |@@@@@@                   |\n[256K, 512K)           7 |@@@@@@@@@|\n":      "bpftrace",
	"(..., 0)               1 |@@@@@|\n":                                                                          "bpftrace",
	"           value  ------------- Distribution ------------- count    \n":                                      "DTrace",
	"COMMAND     PID   TID TASKCMD USER   FD      TYPE             DEVICE SIZE/OFF NODE NAME\n":                   "lsof",
	"PID    COMM               FD ERR PATH\n1235   snmp-pass           3   0 /proc/stat\n":                        "opensnoop",
	"[   12.345678] sd 0:0:0:0: [sda] Attached SCSI disk\n":                                                       "the kernel's log",
	"[    0.000000][    T0] Linux version 6.1.0\n":                                                                "the kernel's log",
	"<6>[   12.345678] EXT4-fs (vda): mounted\n":                                                                  "the kernel's log",
	"kern  :info  : [    0.000000] Command line: quiet\n":                                                         "the kernel's log",
	"[Sun Nov 29 10:16:32 2026] Command line: quiet\n":                                                            "the kernel's log",
	"[Nov29 10:16] Linux version 6.1.0\n[  +0.000012] Command line\n":                                             "the kernel's log",
	"[    0.000012 <    0.000012>] Command line: quiet\n":                                                         "the kernel's log",
	"2026-11-29T10:16:32,000000+00:00 Command line: quiet\n":                                                      "the kernel's log",
	"Linux version 6.1.0 (builder@host)\nCommand line: quiet\n":                                                   "the kernel's log",
	"10:15:30  WrData[A]         D=0x00ca2e20  B=0x1000 /dev/disk1  0.000112 W launchd\n":                         "",
}

// TestSummaries: a text without events, or of a tool that is not read, is answered by what to record instead, also if
// --from names a tool.
func TestSummaries(t *testing.T) {
	for content, want := range summaryTexts {
		_, err := text(content).Recognize(formats.Importers)
		if err == nil || !strings.Contains(err.Error(), want) || want == "" && !strings.Contains(err.Error(),
			"none of the formats") {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
		if _, err := Import(io.Discard, &strace.Importer, text(content), "a test"); want != "" && (err == nil ||
			!strings.Contains(err.Error(), want)) {
			t.Errorf("%q with --from strace: %v", content, err)
		}
	}
	for _, content := range []string{
		"1 read(3, \"open(1)\\t= 3 (0x3)\\n\", 4096) = 20\n", "1 write(1, \"x) Err#2 ENOENT\\n\", 9) = 9\n",
		"7 1700000000.123456789 lseek(3</a>, 3, SEEK_SET) = 3 <0.000000012>\n",
		"10:15:30.123456  open              /etc/passwd                   0.000012   cat.77\n",
	} {
		if why := summary([]byte(content)); why != "" {
			t.Errorf("%q: %s", content, why)
		}
	}
}

// A log with a summary behind it, or with what the program has printed, is a log all the same.
func TestSummaryInALog(t *testing.T) {
	for _, more := range []string{
		"% time     seconds  usecs/call     calls    errors syscall\n------ ----------- ----------- --------- ---------\n" +
			" 50.00    0.000123          12        10           read\n",
		"procs -----------memory---------- ---swap-- -----io----\n",
	} {
		for _, i := range []*convert.Importer{nil, &strace.Importer} {
			in, err := text(log+more), error(nil)
			if i == nil {
				i, err = in.Recognize(formats.Importers)
			}
			if err != nil {
				t.Fatal(err)
			}
			if r, err := Import(io.Discard, i, in, "a test"); err != nil || r.Calls != 2 {
				t.Errorf("%q: %+v, %v", more, r, err)
			}
		}
	}
}

// What the tools of this machine print is answered by their names.
func TestSummariesOfRealTools(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("tools of Linux")
	}
	testenv.NeedTools(t, "vmstat", "sar", "iostat", "pidstat", "mpstat", "lsof", "top")
	for command, want := range map[string]string{
		"vmstat": "vmstat", "vmstat -w": "vmstat", "vmstat -d": "vmstat", "vmstat -D": "vmstat", "vmstat -s": "vmstat",
		"sar -d 1 1": "sar", "sar -b 1 1": "sar", "sar -u 1 1": "sar", "pidstat -d 1 1": "pidstat", "mpstat": "mpstat",
		"iostat": "iostat", "iostat -x": "iostat", "iostat -xh": "iostat", "iostat -o JSON": "iostat",
		"lsof -p 1": "lsof", "top -b -n 1": "table of top", "cat /proc/diskstats": "diskstats",
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			words := strings.Fields(command)
			c := exec.Command(words[0], words[1:]...)
			c.Env = append(os.Environ(), "LC_ALL=C")
			out, err := c.Output()
			if err != nil {
				t.Fatal(err)
			}
			_, err = text(string(out)).Recognize(formats.Importers)
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "record with iotrace") {
				t.Errorf("%v\n%.500s", err, out)
			}
		})
	}
}

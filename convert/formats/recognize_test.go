package formats

import (
	"os"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
)

// samples are the beginnings of what the tools write, by the format that each is to be found in.
var samples = map[string]string{
	"strace": "100 1700000000.000100 openat(AT_FDCWD, \"/d/f\", O_RDONLY) = 3</d/f> <0.000010>\n" +
		"100 1700000000.000200 read(3</d/f>, \"x\"..., 4096) = 4096 <0.000050>\n",
	"blkparse": "  8,0    1        3     0.000001100   300  D   W 1000 + 16 [kworker/1:1H]\n" +
		"  8,0    0        4     0.000002000     0  C   W 1000 + 16 [0]\n",
	"biosnoop": "TIME(s)     COMM           PID     DISK    T    SECTOR     BYTES   QUE(ms) LAT(ms)\n" +
		"0.000000    Chrome IOThrea 311     nvme0n1 RA   4000       4096      0.250   0.500\n",
	"biosnoop of bpftrace": "TIME(ms)     DISK ID COMM             PID    LAT(ms)\n             MAJOR MINOR\n" +
		"132          254   0     Thread-3         27366        0\n",
	"fsslower": "Tracing ext4 operations\nTIME     COMM           PID    T BYTES   OFF_KB   LAT(ms) FILENAME\n" +
		"06:35:01 cron           16464  R 1249    0          16.05 common-auth\n",
	"fsslower of -j": "ENDTIME_us,TASK,PID,TYPE,BYTES,OFFSET_b,LATENCY_us,FILE\n1000300,dd,7,W,4096,8192,100,out\n",
	"lttng": "[17:02:57.265276947] (+?.?????????) host syscall_entry_close: { cpu_id = 2 }, { pid = 7, tid = 7 }, { fd = 3 }\n" +
		"[17:02:57.265284413] (+0.000007466) host syscall_exit_close: { cpu_id = 2 }, { pid = 7, tid = 7 }, { ret = 0 }\n",
	"darshan-dxt": "# DXT, file_id: 7, file_name: /a\n# DXT, rank: 0, hostname: n\n" +
		" X_POSIX       0  write        0               0       262144      0.0029      0.0032\n",
	"iosnoop": "COMM         PID    TYPE DEV      BLOCK        BYTES     LATms\n" +
		"bash         17280  W    254,0    381703568    4096       0.12\n",
	"iosnoop-dtrace": "  UID   PID D    BLOCK   SIZE       COMM PATHNAME\n" +
		"  501   300 R   180224   4096         ls ??/bin/ls\n",
	"dtruss": "\tPID/THRD  RELATIVE  ELAPSD    CPU SYSCALL(args) \t\t = return\n" +
		" 4966/0x54c8:       391      14     13 read(0x3, \"x\\0\", 0x1000)\t\t = 4096 0\n",
	"procmon": `"Time of Day","Process Name","PID","Operation","Path","Result","Detail"` + "\n" +
		`"11:59:59.9000100 PM","cp.exe","300","ReadFile","C:\a","SUCCESS","Offset: 0, Length: 65,536"` + "\n",
	"fio-log":       "2, 355678, 0, 4096, 61440, 0x0000\n2, 294314, 0, 8192, 774144, 0x0000\n",
	"fio-iolog":     "fio version 3 iolog\n3 /d add\n147 /d open\n155 /d read 61440 4096\n",
	"msr-cambridge": "128166372003061629,hm,0,Read,383496192,32768,413\n",
	"alibaba-block": "419,W,8192,16384,1577808144360767\n",
	"tencent-cbs":   "1538323200,12036744,8,1,1063\n",
	"systor17":      "Timestamp,Response,IOType,LUN,Offset,Size\n1456095145.133076000,0.000806000,R,0,512,131072\n",
	"spc":           "0,20941264,8192,W,0.551706\n0,20939840,8192,R,0.554041\n",
	"fiu":           "89966000 4892 syslogd 904265560 8 W 6 0 531e779b8d7f0b5a0f4c7e1f3a5d9b11\n",
	"cloudphysics":  "5633898611441,4096,w,4096\n5633898612941,4104,r,512\n",
	"perf": "  dd 600 [000] 36752.001060:  raw_syscalls:sys_enter: NR 1 (4, 7ffc2ab15c28, 1000, 0, 0, 0)\n" +
		"  dd 600 [000] 36752.001090:  raw_syscalls:sys_exit: NR 1 = 4096\n",
	"ftrace": "# tracer: nop\n#\n" +
		"  dd-600     (    600) [001] ..... 37029.600651: sys_write(fd: 4, buf: 0x7ffcadb03ba8, count: 0x340)\n" +
		"  dd-600     (    600) [001] ..... 37029.600681: sys_write -> 0x340\n",
	"perf-trace": "     1.000 ( 0.016 ms): sh/90 write(fd: 5</d/a>, buf: 0x55aa206b95a0, count: 8192)     = 100\n" +
		"     2.000 ( 0.016 ms): sh/90 close(fd: 5</d/a>)                        = 0\n",
	"fs_usage": "10:00:00.000400  read              F=3    B=0x100000                                       0.000090   cp.7001\n" +
		"10:00:00.001100  close             F=3                                                     0.000010   cp.7001\n",
	"ktrace": "2026-11-21 00:00:01.000000 PST 0.0(0.0) 40c000d 3 2 2 4 5 0 x(1)\n" +
		"2026-11-21 00:00:01.100000 PST 0.0(0.0) 40c000e 0 2 0 1 5 0 x(1)\n",
}

// Each is found in its own format and in no other, also with lines that end in CRLF.
func TestRecognize(t *testing.T) {
	table, err := os.ReadFile("../darwin/testdata/system-trace.xml")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{"xctrace": string(table)}
	for name, text := range samples {
		all[name] = text
		all[name+" in CRLF"] = strings.ReplaceAll(text, "\n", "\r\n")
	}
	for _, name := range []string{"strace", "perf-trace", "blkparse", "alibaba-block"} { // one line in seven is no event
		lines := strings.SplitAfter(strings.Repeat(samples[name], 7), "\n")
		lines[3] = "what the program has printed\n"
		all[name+" with what else was printed"] = strings.Join(lines[:7], "")
	}
	for name, text := range all {
		want, _, _ := strings.Cut(name, " ")
		var got []string
		for _, i := range convert.Recognize([]byte(text), true, Importers) {
			got = append(got, i.From)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s is found in %q", name, got)
		}
	}
	for _, text := range []string{"\n", "Nothing that\nany tool has written.\n", "a,b,c\n1,2,3\n", "{\"a\": 1}\n"} {
		if got := convert.Recognize([]byte(text), true, Importers); len(got) > 0 {
			t.Errorf("%q is found in %s", text, got[0].From)
		}
	}
}

package formats

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"

	"github.com/iotrace/iotrace/convert/darwin"
	"github.com/iotrace/iotrace/convert/internal/trial"

	"github.com/iotrace/iotrace/convert/block"
	"github.com/iotrace/iotrace/convert/calls"
	"github.com/iotrace/iotrace/convert/jsonl"
	"github.com/iotrace/iotrace/convert/procmon"
)

// tells writes what a tool prints of one request or of a few calls.
type tells func(b *strings.Builder, w *work)

// work is one request, or one read of a file, of a workload that does not exist.
type work struct {
	n, at, took int // number, and µs
	pid         int
	command     string
	write       bool
	place, size int // bytes
	file        string
}

// letter is one of two, for reads and for writes.
func (w *work) letter(letters string) byte {
	if w.write {
		return letters[1]
	}
	return letters[0]
}

// word is one of two, for reads and for writes.
func (w *work) word(read, write string) string {
	if w.write {
		return write
	}
	return read
}

// text is what a tool prints in some bytes.
func text(size int, heading string, tell tells) string {
	var b strings.Builder
	b.WriteString(heading)
	r := rand.New(rand.NewPCG(1, 2))
	commands := []string{"dd", "postgres", "kworker/u8:3", "jbd2/vda-8", "rsync", "Chrome IOThrea"}
	for w := (work{}); b.Len() < size; w.n++ {
		k := r.IntN(len(commands))
		w.at += 1 + r.IntN(200)
		w.took, w.pid, w.command, w.write = 20+r.IntN(400), 1200+37*k, commands[k], r.IntN(3) == 0
		w.place, w.size = r.IntN(1<<25)*4096, 4096<<r.IntN(6)
		w.file = fmt.Sprintf("/home/user/project/sources/package%d/module.c", r.IntN(3000))
		tell(&b, &w)
	}
	return b.String()
}

// formats are those whose import is measured, and what their tools print.
var inputs = []struct {
	name     string
	importer *convert.Importer
	heading  string
	tell     tells
}{
	{"biosnoop of bcc", &block.Biosnoop,
		"TIME(s)     COMM           PID     DISK    T    SECTOR     BYTES   QUE(ms) LAT(ms)\n",
		func(b *strings.Builder, w *work) {
			fmt.Fprintf(b, "%-11.6f %-14.14s %-7d %-7s %-4s %-10d %-7d %7.3f %7.3f\n", float64(w.at)/1e6, w.command, w.pid,
				"nvme0n1", w.word("RA", "WS"), w.place/512, w.size, float64(w.took%17)/1e3, float64(w.took)/1e3)
		}},
	{"biosnoop of bpftrace", &block.Biosnoop,
		"Attaching 5 probes...\nTIME(ms)     DISK ID COMM             PID    LAT(ms)\n             MAJOR MINOR\n",
		func(b *strings.Builder, w *work) {
			fmt.Fprintf(b, "%-12d 254   0     %-16s %-6d %7d\n", w.at/1000, w.command, w.pid, w.took/100)
		}},
	{"iosnoop", &block.Iosnoop,
		"STARTs          ENDs            COMM         PID    TYPE DEV      BLOCK        BYTES     LATms\n",
		func(b *strings.Builder, w *work) {
			fmt.Fprintf(b, "%-15.6f %-15.6f %-12s %-6d %-4s %-8s %-12d %-9d %.2f\n", float64(w.at)/1e6,
				float64(w.at+w.took)/1e6, strings.ReplaceAll(w.command, " ", "_"), w.pid, w.word("R", "WS"), "254,0",
				w.place/512, w.size, float64(w.took)/1e3)
		}},
	{"perf script", &calls.PerfScript, "", func(b *strings.Builder, w *work) {
		line := func(at int, who string, pid int, event, format string, args ...any) {
			fmt.Fprintf(b, "%16s %5d [%03d] %5d.%06d: %27s: "+format+"\n",
				append([]any{who, pid, w.n % 2, at / 1e6, at % 1e6, event}, args...)...)
		}
		place, sectors, kind := w.place/512, w.size/512, w.word("RA", "WS")
		line(w.at, w.command, w.pid, "block:block_bio_queue", "254,0 %s %d + %d [%s]", kind, place, sectors, w.command)
		line(w.at+3, w.command, w.pid, "block:block_rq_issue", "254,0 %s %d () %d + %d 0x2,0,4 [%s]", kind, w.size, place,
			sectors, w.command)
		line(w.at+w.took, "swapper", 0, "block:block_rq_complete", "254,0 %s () %d + %d 0x2,0,4 [0]", kind, place, sectors)
		line(w.at+w.took, w.command, w.pid, "raw_syscalls:sys_enter", "NR %d (%x, %x, %x, 0, 0, 0)", w.n%2, 3, 0x7ffd00001000,
			w.size)
		line(w.at+w.took+9, w.command, w.pid, "raw_syscalls:sys_exit", "NR %d = %d", w.n%2, w.size)
	}},
	{"trace-cmd", &calls.Ftrace, "cpus=2\n", func(b *strings.Builder, w *work) {
		line := func(at int, who string, pid int, event, format string, args ...any) {
			fmt.Fprintf(b, "%16s-%-5d [%03d] %5d.%06d: %-21s "+format+"\n",
				append([]any{who, pid, w.n % 2, at / 1e6, at % 1e6, event + ":"}, args...)...)
		}
		place, sectors, kind := w.place/512, w.size/512, w.word("RA", "WS")
		line(w.at, w.command, w.pid, "block_bio_queue", "254,0 %s %d + %d [%s]", kind, place, sectors, w.command)
		line(w.at+3, w.command, w.pid, "block_rq_issue", "254,0 %s %d () %d + %d be,0,4 [%s]", kind, w.size, place, sectors,
			w.command)
		line(w.at+w.took, "<idle>", 0, "block_rq_complete", "254,0 %s () %d + %d be,0,4 [0]", kind, place, sectors)
		line(w.at+w.took, w.command, w.pid, "sys_enter_read", "fd: 0x%08x, buf: 0x%x, count: 0x%08x", 3, 0x7ffd00001000, w.size)
		line(w.at+w.took+9, w.command, w.pid, "sys_exit_read", "0x%x", w.size)
	}},
	{"perf trace", &calls.PerfTrace, "", func(b *strings.Builder, w *work) {
		line := func(at int, call, format string, args ...any) {
			told := fmt.Sprintf(format, args...)
			told, result, _ := strings.Cut(told, " = ")
			fmt.Fprintf(b, "%10.3f (%6.3f ms): %s/%d %-70s = %s\n", float64(w.at+at)/1e3, float64(w.took)/1e4, w.command, w.pid,
				call+"("+told+")", result)
		}
		line(0, "openat", "dfd: CWD, filename: \"%s\", flags: RDONLY|CLOEXEC = 5", w.file)
		line(30, "read", "fd: 5<%s>, buf: 0x7ffd77697248, count: 131072 = %d", w.file, w.size)
		line(80, "write", "fd: 1</home/user/project/out>, buf: 0x7ffd77697248, count: %d = %d", w.size, w.size)
		line(120, "mmap", "len: 139264, prot: READ|WRITE, flags: PRIVATE|ANONYMOUS = 0x7f952b7b0000")
		line(150, "close", "fd: 5<%s> = 0", w.file)
	}},
	{"blktrace", &block.Blktrace, "", func(b *strings.Builder, w *work) {
		record := func(k, ns, pid int, action uint32) { // one after the other, as the kernel writes them
			var r [48]byte
			for i, v := range []uint32{0: 0x65617407, 1: uint32(3*w.n + k), 2: uint32(ns), 3: uint32(ns >> 32),
				4: uint32(w.place / 512), 5: uint32(w.place / 512 >> 32), 6: uint32(w.size), 7: action, 8: uint32(pid),
				9: 259 << 20, 10: 0, 11: 0} {
				binary.LittleEndian.PutUint32(r[4*i:], v)
			}
			b.Write(r[:])
		}
		kind := uint32(1) << 16
		if w.write {
			kind = 1 << 17
		}
		record(1, w.at*1000, w.pid, kind|1)
		record(2, w.at*1000+300, w.pid, kind|7)
		record(3, w.at*1000+900, 0, kind|8)
	}},
	{"blkparse", &block.Blkparse, "", func(b *strings.Builder, w *work) {
		line := func(k, at, pid int, action byte, who string) {
			fmt.Fprintf(b, "259,0  %3d %8d %5d.%09d %5d  %c %3s %d + %d [%s]\n", w.n%2, 3*w.n+k, at/1e6, at%1e6*1000, pid, action,
				w.word("RA", "WS"), w.place/512, w.size/512, who)
		}
		line(1, w.at, w.pid, 'Q', w.command)
		line(2, w.at+3, w.pid, 'D', w.command)
		line(3, w.at+w.took, 0, 'C', "0")
	}},
	{"MSR Cambridge", &block.Cambridge, "", func(b *strings.Builder, w *work) {
		fmt.Fprintf(b, "%d,usr,%d,%s,%d,%d,%d\n", 128166372000000000+w.at*10, w.pid%3, w.word("Read", "Write"), w.place, w.size,
			w.took*10)
	}},
	{"Alibaba", &block.Alibaba, "", func(b *strings.Builder, w *work) {
		fmt.Fprintf(b, "%d,%c,%d,%d,%d\n", w.pid%700, w.letter("RW"), w.place, w.size, 1577808000000000+w.at)
	}},
	{"dtruss", &darwin.Dtruss, "\tPID/THRD  RELATIVE  ELAPSD    CPU SYSCALL(args) \t\t = return\n",
		func(b *strings.Builder, w *work) {
			line := func(format string, args ...any) {
				fmt.Fprintf(b, "%5d/0x%x:  %8d %7d %6d "+format+" 0\n",
					append([]any{w.pid, 0x54c8 + w.pid, w.at, w.took, w.took / 5}, args...)...)
			}
			line(`open("%s\0", 0x0, 0x0)		 = 3`, w.file)
			line(`pread(0x3, "some data that was read\0", 0x%X, 0x%X)		 = %d`, w.size, w.place, w.size)
			line(`write(0x1, "some data that was written\0", 0x%X)		 = %d`, w.size, w.size)
			line(`close(0x3)		 = 0`)
		}},
	{"Process Monitor", &procmon.Importer,
		`"Time of Day","Process Name","PID","TID","Duration","Operation","Path","Result","Detail"` + "\n",
		func(b *strings.Builder, w *work) {
			path := `C:` + strings.ReplaceAll(w.file, "/", `\`)
			line := func(operation, detail string) {
				fmt.Fprintf(b, `"1:%02d:%02d.%06d0 AM","%s.exe","%d","%d","0.%06d0","%s","%s","SUCCESS","%s"`+"\n",
					w.at/60e6%60, w.at/1e6%60, w.at%1e6, w.command, w.pid, w.pid+4, w.took, operation, path, detail)
			}
			line("CreateFile", "Desired Access: Generic Read, Disposition: Open, Options: Sequential Access, Synchronous IO "+
				"Non-Alert, OpenResult: Opened")
			line(w.word("ReadFile", "WriteFile"), fmt.Sprintf("Offset: %s, Length: %s, Priority: Normal", grouped(w.place),
				grouped(w.size)))
			line("CloseFile", "")
		}},
	{"lines of JSON", &jsonl.Importer, `{"kind":"trace","schema":1,"header":{"os":"linux","calls":["read","write"]}}` + "\n" +
		`{"kind":"file","time":0,"file":1,"path":"/home/user/data","device":1,"inode":5,"size":4096,"type":"file"}` + "\n",
		func(b *strings.Builder, w *work) {
			op := w.word("read", "write")
			fmt.Fprintf(b, `{"kind":"syscall","start":%d,"duration":%d,"pid":%d,"tid":%d,"op":"%s","call":"%s",`+
				`"flags":["%s"],"fd":3,"file":1,"path":"/home/user/data","offset":%d,"requested":%d,"result":%d,`+
				`"buffer":140500000}`+"\n", w.at*1000, w.took*100, w.pid, w.pid, op, op, op, w.place, w.size, w.size)
			fmt.Fprintf(b, `{"kind":"request","queued":%d,"issued":%d,"completed":%d,"device":266338304,"name":"vda",`+
				`"sector":%d,"bytes":%d,"op":"%s","flags":["sync"],"pid":%d,"tid":%d,"file":1,"path":"/home/user/data",`+
				`"offset":%d,"evidence":"inode","bios":1}`+"\n", w.at*1000, w.at*1000+900, (w.at+w.took)*1000, w.place/512,
				w.size, op, w.pid, w.pid, w.place)
		}},
}

// grouped prints "4,096".
func grouped(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// BenchmarkImport is how fast the texts of tools become traces, all of it.
func BenchmarkImport(b *testing.B) {
	for _, f := range inputs {
		b.Run(f.name, func(b *testing.B) { trial.Speed(b, f.importer, text(16<<20, f.heading, f.tell)) })
	}
}

// The texts that are measured are whole, and are found to be of their tools.
func TestMeasuredTexts(t *testing.T) {
	for _, f := range inputs {
		input := text(64<<10, f.heading, f.tell)
		r := trial.Trace(t, f.importer, input)
		fit := convert.Recognize([]byte(input), true, Importers)
		if c := r.Counts; c.Damaged > 0 || r.Calls+r.Requests < 200 || len(fit) != 1 || fit[0] != f.importer {
			t.Errorf("%s: %d calls and %d requests of %+v", f.name, r.Calls, r.Requests, c)
		}
	}
}

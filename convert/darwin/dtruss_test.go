package darwin

import (
	"errors"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

// all is a program under dtruss -a, by the columns of its manual.
const all = "\tPID/THRD  RELATIVE  ELAPSD    CPU SYSCALL(args) \t\t = return\n" +
	" 700/0x54c8:       232:        0:       0 fork()\t\t = 0 0\n" +
	" 700/0x54c8:       300      14     13 open(\"/Users/u/a, \\\"b\\\".txt\\0\", 0x0, 0x0)\t\t = 3 0\n" +
	" 700/0x54c8:       310     100     20 read(0x3, \"/no/path\\0\", 0x1000)\t\t = 4096 0\n" +
	" 700/0x54c8:       320      50     20 read(0x3, \"\\0\", 0x1000)\t\t = 96 0\n" +
	"what the program prints\n" +
	" 700/0x54c9:       330       9      8 stat64(\"/none\\0\", 0x16D26EA4C, 0x0)\t\t = -1 Err#2\n" +
	" 700/0x54c8:       340       2      1 csrctl(0x0, 0x16D26EA4C, 0x4)\t\t = -1 Err#1\n" +
	" 700/0x54c8:       350       7      6 pwrite(0x4, \"x\\0\", 0x200, 0x1000)\t\t = 512 0\n" +
	" 700/0x54c8:       360       5      4 close(0x3)\t\t = 0 0\n"

func TestDtruss(t *testing.T) {
	log, c := trial.Import(t, &Dtruss, all)
	trial.Calls(t, &Dtruss, log, []string{
		"700 open fd=3 /Users/u/a, \\\"b\\\".txt at -1 req 0 = 3, 1000+14000",
		"700 read fd=3 /Users/u/a, \\\"b\\\".txt at 0 req 4096 = 4096, 16000+100000",
		"700 read fd=3 /Users/u/a, \\\"b\\\".txt at 4096 req 4096 = 96, 117000+50000",
		"700 stat64 fd=-1 /none at -1 req 0 = -2, 168000+9000",
		"700 pwrite fd=4  at 4096 req 512 = 512, 178000+7000",
		"700 close fd=3 /Users/u/a, \\\"b\\\".txt at -1 req 0 = 0, 186000+5000",
	})
	if c.Damaged != 1 || c.First != 6 || len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "does not hold: 1") {
		t.Errorf("%+v", c)
	}
	if limits := Dtruss.Limits([]byte(all)); len(limits) != 0 {
		t.Errorf("limits %v", limits)
	}
}

// Every flag adds or takes a column.
func TestColumns(t *testing.T) {
	for flags, c := range map[string]struct{ heading, before string }{
		"none": {"", ""}, "-f": {"\tPID/THRD  ", " 700/0x54c8:  "}, "-e": {" ELAPSD ", "      14 "},
		"-d": {"RELATIVE ", "     300 "}, "-o": {"   CPU ", "    13 "}, "-eo": {" ELAPSD    CPU ", "     14     13 "},
		"-fd": {"\tPID/THRD  RELATIVE ", " 700/0x54c8:      300 "}, "Solaris": {"PID/LWP    ELAPSD ", "6215/1:      14 "},
	} {
		text := c.heading + "SYSCALL(args) \t\t = return\n" + c.before + "open(\"/a\\0\", 0x0, 0x0)\t\t = 3 0\n"
		log, counts := trial.Import(t, &Dtruss, text)
		elapsed := strings.Contains(c.heading, "ELAPSD")
		if counts.Damaged > 0 || len(log.Syscalls) != 1 || log.Path(log.Syscalls[0].File) != "/a" ||
			(log.Syscalls[0].Duration == 14000) != elapsed {
			t.Errorf("%s: %+v, %+v", flags, counts, log.Syscalls)
		}
		limits := Dtruss.Limits([]byte(text))
		if (len(limits) == 0) != elapsed || !elapsed && limits[0].Code != trace.LimitNoDurations {
			t.Errorf("%s: limits %v", flags, limits)
		}
	}
}

// What is copied from a terminal has blanks in place of tabulators, and data may look like a result.
func TestBlanks(t *testing.T) {
	log, c := trial.Import(t, &Dtruss, "  PID/LWP    ELAPSD SYSCALL(args)           = return\n"+
		"  3911/1:       41 write(0x2, \"a) = 7 0\\0\", 0x8)          = 8 0\n"+
		"  3911/1:  1001579 read(0x0, \"s\\0\", 0x1)\t = 1 0\n"+
		"  3911/1:        9 close(0x3) \n")
	trial.Calls(t, &Dtruss, log, []string{
		"3911 write fd=2  at -1 req 8 = 8, 0+41000",
		"3911 read fd=0  at -1 req 1 = 1, 42000+1001579000",
	})
	if c.Damaged != 1 || c.First != 4 {
		t.Errorf("%+v", c)
	}
}

func TestRefusals(t *testing.T) {
	for _, text := range []string{"no\ndtruss\n", "open(\"/a\\0\", 0x0, 0x0)\t\t = 3 0\n",
		"SYSCALL(args) \t\t = return\n"} {
		if _, err := Dtruss.Import(strings.NewReader(text), &trace.Log{}); !errors.Is(err, convert.ErrFormat) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzDtruss(f *testing.F) {
	f.Add(all)
	f.Add("SYSCALL(args) \t\t = return\nmmap(0x0, 0x1000, 0x3, 0x1002, 0xFFFFFFFFFFFFFFFF, 0x0)\t\t = 0x10E0 0\n")
	f.Add("PID/THRD ELAPSD SYSCALL(args)\n1/0x2: 3 rename(\"/a\\0\", \"/b\\0\")\t\t = 0 0\n" +
		"1/2: 1 lseek(0x3, 0x7FFFFFFFFFFFFFFF, 0x0)\t\t = -1 0\n")
	f.Fuzz(func(t *testing.T, text string) { trial.Fuzz(t, &Dtruss, text) })
}

func BenchmarkDtruss(b *testing.B) {
	text := "\tPID/THRD  RELATIVE  ELAPSD    CPU SYSCALL(args) \t\t = return\n" +
		strings.Repeat(" 700/0x54c8:       310     100     20 pread(0x3, \"some data\\0\", 0x1000, 0x2000)\t\t = 4096 0\n",
			10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		trial.Import(b, &Dtruss, text)
	}
}

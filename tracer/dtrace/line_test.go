package dtrace

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// escape does what %S does (dt_printf.c): DTrace 2.x ends with the NUL as well.
func escape(s string, nul bool) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case strings.IndexByte("\a\b\t\n\v\f\r", c) >= 0:
			b.WriteString(`\` + string("abtnvfr"[c-7]))
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	if nul {
		b.WriteString(`\0`)
	}
	return b.String()
}

func TestTextsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := strings.ReplaceAll(string(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "text")), "\x00", "0")
		if got := unescape(escape(want, rapid.Bool().Draw(t, "nul"))); got != want {
			t.Fatalf("%q came back as %q", want, got)
		}
	})
}

func TestParseLines(t *testing.T) {
	for line, want := range map[string]Record{
		"V\t2\t500\t1790000000000000000\tlinux\tsyscall+io": {Kind: 'V', Version: 2, Time: 500, Wall: 1790000000000000000,
			Platform: Linux, Caps: "syscall+io"},
		"T\t3\t77\t5": {Kind: 'T', CPU: 3, Time: 77, Number: 5},
		"Z\t78":       {Kind: 'Z', Time: 78},
		"C\t1\t100\t25\t7\t8\t-2\t2\t-100\t-1\t0\t-1\t-1\ta2\tnewfstatat\t/a\\tb\\0\t\\0": {Kind: 'C', CPU: 1, Start: 100,
			Time: 125, PID: 7, TID: 8, Result: -2, Errno: 2, FD: -100, FD2: -1, Offset: -1, Offset2: -1, Flags: 0xa2,
			Call: "newfstatat", Path: "/a\tb"},
		"C\t0\t1\t2\t7\t4294967297\t4096\t0\t3\t-1\t4096\t-1\t-1\t0\tread": {Kind: 'C', Start: 1, Time: 3, PID: 7, TID: 1,
			Result: 4096, FD: 3, FD2: -1, Length: 4096, Offset: -1, Offset2: -1, Call: "read"},
		"F\t0\t9\t1\t2":     {Kind: 'F', Time: 9, PID: 1, Other: 2},
		"X\t0\t9\t1\tcp\\0": {Kind: 'X', Time: 9, PID: 1, Path: "cp"},
		"E\t0\t9\t1\t1\t-1": {Kind: 'E', Time: 9, PID: 1, Cause: 1, Status: -1},
		"R\t0\t9\t1\t2\tff80\t254\t1\t800\t4096\t1\t0\t??/d/f": {Kind: 'R', Time: 9, PID: 1, TID: 2, Buffer: 0xff80,
			Major: 254, Minor: 1, Block: 800, Bytes: 4096, Read: true, Path: "??/d/f"},
		"R\t0\t9\t1\t2\tff80\t254\t1\t800\t4096\t0\t1\t": {Kind: 'R', Time: 9, PID: 1, TID: 2, Buffer: 0xff80, Major: 254,
			Minor: 1, Block: 800, Bytes: 4096, Async: true},
		"D\t0\t9\tff80\t254\t1\t800\t4096\t512\t5": {Kind: 'D', Time: 9, Buffer: 0xff80, Major: 254, Minor: 1, Block: 800,
			Bytes: 4096, Residual: 512, Errno: 5},
	} {
		got, err := parseRecord(line)
		if err != nil || got != want {
			t.Errorf("%q\n got %+v, %v\nwant %+v", line, got, err, want)
		}
	}
}

func TestDamagedLinesAreRefused(t *testing.T) {
	good := "C\t1\t100\t25\t7\t8\t-2\t2\t-100\t-1\t0\t-1\t-1\ta2\tread"
	for n := range strings.Count(good, "\t") {
		cut := strings.Join(strings.Split(good, "\t")[:n+1], "\t")
		if _, err := parseRecord(cut); err == nil {
			t.Errorf("%q was read", cut)
		}
	}
	for _, line := range []string{"", "Q\t0\t1", "hello", "T\t0\tx", "T\t0\t5", "T\t0\t5\t0", "T\t-1\t5\t1",
		"C\t0\t9223372036854775807\t1\t7\t8\t0\t0\t0\t0\t0\t0\t0\t0\tread"} {
		if _, err := parseRecord(line); err == nil {
			t.Errorf("%q was read", line)
		}
	}
	if _, err := parseRecord("V\t3\t1\t1\tdarwin\tsyscall"); err == nil || errors.Is(err, errLine) ||
		!strings.Contains(err.Error(), "version 3") {
		t.Errorf("a later version: %v", err)
	}
}

// Lines of several CPUs, printed a buffer at a time, come out in order and
// complete.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cpus := rapid.IntRange(1, 5).Draw(t, "cpus")
		var got []int64
		o := newOrderer(cpus, false, func(r *Record) error {
			got = append(got, r.Time)
			return nil
		})
		now, sent := int64(0), 0
		for range rapid.IntRange(1, 12).Draw(t, "rounds") {
			end := now + 100
			for cpu := range cpus {
				at := now
				for range rapid.IntRange(0, 6).Draw(t, "lines") {
					if at += rapid.Int64Range(0, 15).Draw(t, "gap"); at >= end {
						break
					}
					if err := o.Add(&Record{Kind: KindCall, CPU: int32(cpu), Time: at}); err != nil {
						t.Fatal(err)
					}
					sent++
				}
				if rapid.Bool().Draw(t, "tick") { // late now and then
					_ = o.Add(&Record{Kind: KindTick, CPU: int32(cpu), Time: end - 1})
				}
			}
			now = end
		}
		if err := o.Flush(); err != nil {
			t.Fatal(err)
		}
		if len(got) != sent {
			t.Fatalf("%d of %d lines came out", len(got), sent)
		}
		for i := 1; i < len(got); i++ {
			if got[i] < got[i-1] {
				t.Fatalf("out of order: %v", got)
			}
		}
	})
}

func FuzzParseLine(f *testing.F) {
	f.Add("C\t1\t100\t25\t7\t8\t-2\t2\t-100\t-1\t0\t-1\t-1\ta2\tnewfstatat\t/a\\tb\\0\t\\0")
	f.Add("R\t0\t9\t1\t2\tff80\t254\t1\t800\t4096\t1\t0\t??/d/f")
	f.Add("E\t0\t9\t1\t1\t-1")
	f.Fuzz(func(t *testing.T, line string) {
		if r, err := parseRecord(line); err == nil && (r.Time < r.Start || r.CPU < 0 || r.Bytes < 0) {
			t.Fatalf("%q: %+v", line, r)
		}
	})
}

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
	for line, want := range map[string]record{
		"V\t2\t500\t1790000000000000000\tlinux\tsyscall+io": {kind: 'V', version: 2, time: 500, wall: 1790000000000000000, platform: Linux, caps: "syscall+io"},
		"T\t3\t77\t5": {kind: 'T', cpu: 3, time: 77, number: 5},
		"Z\t78":       {kind: 'Z', time: 78},
		"C\t1\t100\t25\t7\t8\t-2\t2\t-100\t-1\t0\t-1\t-1\ta2\tnewfstatat\t/a\\tb\\0\t\\0": {kind: 'C', cpu: 1, start: 100, time: 125, pid: 7, tid: 8,
			result: -2, errno: 2, fd: -100, fd2: -1, offset: -1, offset2: -1, flags: 0xa2, call: "newfstatat", path: "/a\tb"},
		"C\t0\t1\t2\t7\t4294967297\t4096\t0\t3\t-1\t4096\t-1\t-1\t0\tread": {kind: 'C', start: 1, time: 3, pid: 7, tid: 1, result: 4096, fd: 3, fd2: -1,
			length: 4096, offset: -1, offset2: -1, call: "read"},
		"F\t0\t9\t1\t2":     {kind: 'F', time: 9, pid: 1, other: 2},
		"X\t0\t9\t1\tcp\\0": {kind: 'X', time: 9, pid: 1, path: "cp"},
		"E\t0\t9\t1\t1\t-1": {kind: 'E', time: 9, pid: 1, cause: 1, status: -1},
		"R\t0\t9\t1\t2\tff80\t254\t1\t800\t4096\t1\t0\t??/d/f": {kind: 'R', time: 9, pid: 1, tid: 2, buffer: 0xff80, major: 254, minor: 1, block: 800, bytes: 4096,
			read: true, path: "??/d/f"},
		"R\t0\t9\t1\t2\tff80\t254\t1\t800\t4096\t0\t1\t": {kind: 'R', time: 9, pid: 1, tid: 2, buffer: 0xff80, major: 254, minor: 1, block: 800, bytes: 4096, async: true},
		"D\t0\t9\tff80\t254\t1\t800\t4096\t512\t5":       {kind: 'D', time: 9, buffer: 0xff80, major: 254, minor: 1, block: 800, bytes: 4096, residual: 512, errno: 5},
	} {
		got, err := parse(line)
		if err != nil || got != want {
			t.Errorf("%q\n got %+v, %v\nwant %+v", line, got, err, want)
		}
	}
}

func TestDamagedLinesAreRefused(t *testing.T) {
	good := "C\t1\t100\t25\t7\t8\t-2\t2\t-100\t-1\t0\t-1\t-1\ta2\tread"
	for n := range strings.Count(good, "\t") {
		cut := strings.Join(strings.Split(good, "\t")[:n+1], "\t")
		if _, err := parse(cut); err == nil {
			t.Errorf("%q was read", cut)
		}
	}
	for _, line := range []string{"", "Q\t0\t1", "hello", "T\t0\tx", "T\t0\t5", "T\t0\t5\t0", "T\t-1\t5\t1", "C\t0\t9223372036854775807\t1\t7\t8\t0\t0\t0\t0\t0\t0\t0\t0\tread"} {
		if _, err := parse(line); err == nil {
			t.Errorf("%q was read", line)
		}
	}
	if _, err := parse("V\t3\t1\t1\tdarwin\tsyscall"); err == nil || errors.Is(err, errLine) || !strings.Contains(err.Error(), "version 3") {
		t.Errorf("a later version: %v", err)
	}
}

func TestLossMessages(t *testing.T) {
	for line, want := range map[string]Loss{
		"dtrace: [DTRACEDROP_PRINCIPAL] 12 drops on CPU 3":                                 {12, 3, "PRINCIPAL"},
		"dtrace: [DTRACEDROP_PRINCIPAL] 1 drop on CPU 0":                                   {1, 0, "PRINCIPAL"},
		"[DTRACEDROP_AGGREGATION] dtrace: 7 aggregation drops on CPU 11":                   {7, 11, "AGGREGATION"},
		"dtrace: [DTRACEDROP_DYNAMIC] 4 dynamic variable drops":                            {4, -1, "DYNAMIC"},
		"dtrace: [DTRACEDROP_DYNDIRTY] 5 dynamic variable drops with non-empty dirty list": {5, -1, "DYNDIRTY"},
	} {
		if got, ok := parseLoss(line); !ok || got != want {
			t.Errorf("%q: %+v, want %+v", line, got, want)
		}
	}
	for _, line := range []string{"", "dtrace: script matched 4 probes", "[DTRACEDROP_", "dtrace: [DTRACEDROP_X] none", "dtrace: error on enabled probe ID 3"} {
		if l, ok := parseLoss(line); ok {
			t.Errorf("%q is a loss of %+v", line, l)
		}
	}
}

// Lines of several CPUs, printed a buffer at a time, come out in order and
// complete.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cpus := rapid.IntRange(1, 5).Draw(t, "cpus")
		var got []int64
		o := newOrderer(cpus, false, func(r *record) error {
			got = append(got, r.time)
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
					if err := o.add(&record{kind: kindCall, cpu: int32(cpu), time: at}); err != nil {
						t.Fatal(err)
					}
					sent++
				}
				if rapid.Bool().Draw(t, "tick") { // late now and then
					_ = o.add(&record{kind: kindTick, cpu: int32(cpu), time: end - 1})
				}
			}
			now = end
		}
		if err := o.flush(); err != nil {
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
		if r, err := parse(line); err == nil && (r.time < r.start || r.cpu < 0 || r.bytes < 0) {
			t.Fatalf("%q: %+v", line, r)
		}
	})
}

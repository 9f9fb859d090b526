//go:build linux

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cilium/ebpf"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/tracer/metrics"
)

// The load reads twelve times for each file that it makes, and leaves nothing.
func TestSoakLoad(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := testenv.WorkDir(t)
	b := session{ended: t.Context()}
	load, err := b.start(self, makeSoak, dir)
	if err != nil {
		t.Fatal(err)
	}
	for made := false; !made; made = strings.Contains(testenv.Listing(t, dir), "new") {
		select {
		case <-load.ended:
			t.Fatalf("the load has ended: %s", &load.said)
		default:
		}
	}
	load.stop()
	var reads, files int
	var seconds float64
	text := load.out.String()
	if _, err := fmt.Sscan(text, &reads, &files, &seconds); err != nil || files == 0 || seconds <= 0 ||
		reads*soakFiles != files*soakReads {
		t.Errorf("%q: %d reads, %d files, %g s, %v", text, reads, files, seconds, err)
	}
	if left := testenv.Listing(t, dir); left != "" {
		t.Errorf("%q is left", left)
	}
}

// What a process has in the kernel is counted: the entries of hash tables, each table once.
func TestTables(t *testing.T) {
	testenv.NeedBPF(t)
	before, bytesBefore, err := tablesOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []ebpf.MapType{ebpf.Hash, ebpf.LRUHash, ebpf.Array} {
		m, err := ebpf.NewMap(&ebpf.MapSpec{Type: kind, KeySize: 4, ValueSize: 8, MaxEntries: 100})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		again, err := m.Clone()
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		for key := range uint32(7) {
			if err := m.Put(key, uint64(key)); err != nil {
				t.Fatal(err)
			}
		}
	}
	entries, bytes, err := tablesOf(os.Getpid())
	if err != nil || entries != before+2*7 || bytes <= bytesBefore {
		t.Errorf("%d entries, before %d, in %d and %d bytes, %v", entries, before, bytes, bytesBefore, err)
	}
}

// Of the memory of a process that is resident, a part is anonymous.
func TestMemoryOf(t *testing.T) {
	resident, anonymous, err := memoryOf(os.Getpid())
	if err != nil || anonymous <= 0 || anonymous > resident {
		t.Errorf("%.1f of %.1f MiB, %v", anonymous, resident, err)
	}
}

// The table has a line for minute 3, some after it, and the last.
func TestSoakTable(t *testing.T) {
	for minutes, want := range map[int]string{4: "3 4", 10: "3 4 5 6 7 8 9 10", 30: "3 7 11 15 19 23 27 30"} {
		var b session
		list := make([]soakMinute, minutes)
		for i := range list {
			list[i].resident, list[i].anonymous = sample{2, 4}, sample{1}
		}
		if err := tellSoak(&b, list, "120 10 1.5", "../../testdata/cp.iotrace"); err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range strings.Lines(b.report.String()) {
			if number, ok := strings.CutPrefix(line, "| "); ok && number[0] >= '0' && number[0] <= '9' {
				number, _, _ = strings.Cut(number, " ")
				got = append(got, number)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%d minutes: lines of %s, want %s", minutes, s, want)
		}
	}
}

// What a recorder knows is found among its metrics.
func TestReadKnown(t *testing.T) {
	c := metrics.New()
	if k, err := readKnown(string(c.Text(metrics.Own{}))); err == nil {
		t.Errorf("%+v of a recorder that keeps nothing", k)
	}
	c.Keeps(metrics.Kept{Bytes: 30 << 20, Files: 7_000_000, Processes: 2, Devices: 1})
	k, err := readKnown(string(c.Text(metrics.Own{})))
	if want := (known{30 << 20, 7_000_000, 2}); err != nil || k != want {
		t.Errorf("%+v, %v, want %+v", k, err, want)
	}
}

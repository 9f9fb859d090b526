package procfs

import (
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestParseCPU(t *testing.T) {
	for stat, want := range map[string]time.Duration{
		"7 (a) b) 3) S 1 7 7 0 -1 4194560 9 8 0 0 12 3 40 50 20 0 1 0 5": 150 * time.Millisecond,
		"7 (a) S 1 7 7 0 -1 4194560 9 8 0 0 12":                          -1,
		"7 (a) S 1 7 7 0 -1 4194560 9 8 0 0 x 3":                         -1,
		"":                                                               -1,
	} {
		if got, err := parseCPU([]byte(stat)); (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("%q: %v, %v", stat, got, err)
		}
	}
}

// The time of this process is what getrusage says.
func TestCPU(t *testing.T) {
	for began := time.Now(); time.Since(began) < 50*time.Millisecond; {
	}
	var before, after unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &before); err != nil {
		t.Fatal(err)
	}
	used, err := CPU(uint32(os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Getrusage(unix.RUSAGE_SELF, &after); err != nil {
		t.Fatal(err)
	}
	low := time.Duration(before.Utime.Nano()+before.Stime.Nano()) - 2*tick
	high := time.Duration(after.Utime.Nano()+after.Stime.Nano()) + 2*tick
	if used < low || used > high {
		t.Errorf("%v, getrusage says %v to %v", used, low, high)
	}
}

package host

import (
	"testing"
	"time"
)

// A thread that is held up now and then, before or after it reads the other clock, does not move the result.
func TestZeroOnABusyMachine(t *testing.T) {
	start := time.Now()
	for _, held := range []int{0, 1, 2, 3, 18, 19} { // which of the reads
		reads := 0
		zero := ClockZero(func() int64 {
			reads++
			if reads-1 == held {
				time.Sleep(100 * time.Millisecond)
			}
			at := int64(time.Since(start))
			if reads-1 == held {
				time.Sleep(100 * time.Millisecond)
			}
			return at
		})
		if off := zero.Sub(start); off.Abs() > 20*time.Millisecond {
			t.Errorf("held up at read %d: off by %v", held, off)
		}
	}
}

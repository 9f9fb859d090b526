//go:build linux

package ebpf

import (
	"testing"
	"time"
)

// TestNextPoll: the reader looks as seldom as it may, and at once more often when
// records come fast.
func TestNextPoll(t *testing.T) {
	const buffer = DefaultBuffer
	for _, c := range []struct {
		last time.Duration
		n    int
		want time.Duration
	}{
		{busyPoll, 0, idlePoll},
		{idlePoll, 100, idlePoll},
		{busyPoll, buffer / pollShare / 32, idlePoll},
		{idlePoll, buffer / pollShare * 2, idlePoll / 2},
		{busyPoll, buffer / pollShare, busyPoll},
		{busyPoll, buffer, busyPoll},
	} {
		if got := nextPoll(c.last, c.n, buffer, 2); got != c.want {
			t.Errorf("after %d bytes in %v: %v, want %v", c.n, c.last, got, c.want)
		}
	}
	if got := nextPoll(busyPoll, 0, buffer/4, 4); got != idlePoll/4 {
		t.Errorf("with a quarter of the buffer: %v, want %v", got, idlePoll/4)
	}
	if got := nextPoll(busyPoll, 0, buffer, 32); got != idlePoll/8 {
		t.Errorf("with 32 CPUs: %v, want %v", got, idlePoll/8)
	}
	if got := nextPoll(idlePoll, 8192, 4096, 4); got != busyPoll {
		t.Errorf("with a tiny buffer: %v, want %v", got, busyPoll)
	}
}

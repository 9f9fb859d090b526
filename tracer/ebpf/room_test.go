//go:build linux

package ebpf

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/tracer/machine"
)

// The buffer is the largest that leaves as much again, and never more than the default; whoever gets less is told.
func TestFittingBuffer(t *testing.T) {
	base := int64(baseMemory) + perCPU*int64(host.CPUs())
	for _, c := range []struct {
		free int64
		want int
		says string
	}{
		{base + 2*DefaultBuffer, DefaultBuffer, ""}, {base + 2*DefaultBuffer - 1, DefaultBuffer / 2, "instead of 64 MiB"},
		{base + 9<<20, 4 << 20, "--buffer"}, {base, smallestBuffer, "the kernel may end it"},
		{0, smallestBuffer, "the kernel may end it"},
	} {
		got, advice := fittingBuffer(machine.Memory{Group: "/g", Limit: 1 << 30, Free: c.free}, true)
		if got != c.want || (advice == nil) != (c.says == "") || advice != nil && !strings.Contains(advice.Error(), c.says) {
			t.Errorf("%d free: %d, %v; want %d and %q", c.free, got, advice, c.want, c.says)
		}
	}
	if got, advice := fittingBuffer(machine.Memory{}, false); got != DefaultBuffer || advice != nil {
		t.Errorf("without a limit: %d, %v", got, advice)
	}
	small := machine.Memory{Group: "/g", Limit: 100 << 20, Free: 90 << 20}
	for buffer, says := range map[int]string{100 << 20: "cannot allocate memory", 64 << 20: "the kernel may end it"} {
		if err := doubt(buffer, small, true); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%d: %v, want %q", buffer, err, says)
		}
		if err := doubt(buffer, small, false); err != nil {
			t.Errorf("without a limit: %v", err)
		}
	}
	err := short(fmt.Errorf("map events: %w", unix.ENOMEM), 8<<20)
	if text := err.Error(); !strings.Contains(text, "8 MiB with --buffer") {
		t.Error(text)
	}
}

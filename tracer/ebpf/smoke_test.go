//go:build linux

package ebpf

import (
	"testing"

	"github.com/iotrace/iotrace/internal/workload"
)

func TestEveryCallIsRecorded(t *testing.T) {
	needBPF(t)
	rec := recordCommand(t, Options{}, nil, workload.Args("calls", "/dev/zero", "10007")...)
	if got := len(rec.calls("pread64", "/dev/zero")); got != 10007 {
		t.Errorf("%d pread64 calls on /dev/zero, want 10007", got)
	}
}

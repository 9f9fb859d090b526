package host

import (
	"os"
	"slices"
	"testing"
)

func TestPIDs(t *testing.T) {
	pids, err := PIDs()
	if err != nil || !slices.Contains(pids, uint32(os.Getpid())) || !slices.IsSorted(pids) {
		t.Errorf("%d is not among %v, or they have no order: %v", os.Getpid(), pids, err)
	}
}

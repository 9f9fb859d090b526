package usage

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// Programs are named by their own requests, several processes of one as one. Who moved little is not, nor is a thread
// of the kernel.
func TestUsers(t *testing.T) {
	names := map[uint32]string{10: "dd", 11: "dd", 12: "mkfs.xfs", 13: "updatedb"}
	moved := map[uint32]int64{10: 30, 11: 40, 12: 25, 13: 4, 14: 900}
	got := users(moved, 100, func(pid uint32) string { return names[pid] })
	want := []profile.User{{PID: 11, Command: "dd", Bytes: 70}, {PID: 12, Command: "mkfs.xfs", Bytes: 25}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := users(nil, 0, nil); got != nil {
		t.Errorf("of nothing: %+v", got)
	}
}

// Where threads of the kernel wrote back nearly all of it, the programs are named that had requests of their own there.
func TestUsersBehindTheKernel(t *testing.T) {
	names := map[uint32]string{7: "dd", 8: "ls"} // 2 is a thread of the kernel
	got := users(map[uint32]int64{2: 950, 7: 45, 8: 5}, 1000, func(pid uint32) string { return names[pid] })
	if want := []profile.User{{PID: 7, Command: "dd", Bytes: 45}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

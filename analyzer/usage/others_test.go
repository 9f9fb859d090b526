package usage

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// Programs are named by their own requests, several processes of one as one. Who moved little is not, nor is a worker
// of the kernel.
func TestUsers(t *testing.T) {
	names := map[uint32]string{10: "dd", 11: "dd", 12: "mkfs.xfs", 13: "updatedb"}
	moved := map[uint32]int64{10: 30, 11: 40, 12: 25, 13: 4, 14: 900}
	got := users(moved, 100, func(pid uint32) (string, bool) { return names[pid], false })
	want := []profile.User{{PID: 11, Command: "dd", Bytes: 70}, {PID: 12, Command: "mkfs.xfs", Bytes: 25}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := users(nil, 0, nil); got != nil {
		t.Errorf("of nothing: %+v", got)
	}
}

// Where workers of the kernel wrote back nearly all of it, the programs are named that had requests of their own there.
// A thread of the kernel with work of its own is named like a program, but is no part of what programs moved.
func TestUsersBehindTheKernel(t *testing.T) {
	names := map[uint32]string{3: "md0_resync", 7: "dd", 8: "ls"} // 2 is a worker
	for _, c := range []struct {
		moved map[uint32]int64
		want  profile.User
	}{
		{map[uint32]int64{2: 950, 7: 45, 8: 5}, profile.User{PID: 7, Command: "dd", Bytes: 45}},
		{map[uint32]int64{3: 950, 7: 45}, profile.User{PID: 3, Command: "md0_resync", Bytes: 950, Kernel: true}},
		{map[uint32]int64{2: 785, 3: 190, 7: 25}, profile.User{PID: 3, Command: "md0_resync", Bytes: 190, Kernel: true}},
	} {
		got := users(c.moved, 1000, func(pid uint32) (string, bool) { return names[pid], pid < 4 })
		if len(got) == 0 || got[0] != c.want {
			t.Errorf("%v, want %v first", got, c.want)
		}
	}
}

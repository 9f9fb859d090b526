package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// TestAmountUnpacked: a compressed extent is read whole, whatever a call wants of it. What calls wanted nothing of was
// read ahead, and what was wanted before is read again; another part of the same extent is not.
func TestAmountUnpacked(t *testing.T) {
	s := newScene(t, "reads")
	a := s.identify(trace.File{Path: "/packed", Device: nvme, Inode: 9, Size: 4 * MiB, FSType: "btrfs", Mount: "/"})
	packed := func(at, n int64) {
		s.request(trace.ReqRead, a, at, n, s.now+us, s.now+ms).Flags |= trace.ReqPacked
		s.now += 2 * ms
	}
	want := func(at, n int64) {
		s.call(trace.Syscall{Op: trace.OpRead, File: a, Offset: at, Requested: n, Result: n, Filled: n,
			Flags: trace.FlagRead}, us)
	}
	for _, at := range []int64{64 * KiB, 32 * KiB, 700 * KiB} { // the first two in one extent
		packed(at, 40*KiB)
		want(at, 4*KiB)
	}
	packed(MiB, 40*KiB)     // nobody wants that
	packed(700*KiB, 40*KiB) // again
	want(700*KiB, 4*KiB)
	packed(2*MiB, 40*KiB)
	s.write(a, 2*MiB+100, 100, us)
	s.returns()
	p := s.profile()
	m := amountOf(t, p, "/packed").Read
	parted(t, m, map[string]int64{profile.Data: 16 * KiB, profile.Unpacked: 104 * KiB, profile.Readahead: 40 * KiB,
		profile.AgainEvicted: 40 * KiB, profile.ForWriting: 40 * KiB})
	whole(t, p)
}

package analyzer

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/trace"
)

// allocates writes a byte to each of n blocks of a file, each in so long, after fallocate was refused or not at all.
func allocates(t *testing.T, n, took int64, refused bool) (*scene, trace.FileID) {
	s := newScene(t, "allocates")
	a := s.create("/mnt/space")
	if refused {
		s.call(trace.Syscall{Op: trace.OpAllocate, Call: 7, File: a, Requested: n * 4096, Result: -95}, us)
	}
	for i := range n {
		s.call(trace.Syscall{Op: trace.OpWrite, Call: 3, File: a, Offset: (i+1)*4096 - 1, Requested: 1, Result: 1,
			Flags: trace.FlagWrite | trace.FlagPositioned}, took)
		s.think(took / 2)
	}
	s.size[a] = n * 4096
	s.again(a, "/mnt/space")
	return s, a
}

func TestEmulatedAllocation(t *testing.T) {
	s, a := allocates(t, 256, us, true)
	s.write(a, 0, 64*KiB, us) // and then comes the data
	s.returns()
	named(t, s, "emulated_allocation", "posix_fallocate of space was 257 writes, nearly all of one byte",
		"ext4 has no fallocate")
	s, _ = allocates(t, 256, us, false) // nobody asked
	s.returns()
	named(t, s, "emulated_allocation", "space was allocated by 256 writes, nearly all of one byte", "posix_fallocate")
	s = newScene(t, "bytes") // a byte after the other is no allocation
	b := s.create("/mnt/bytes")
	for i := range int64(256) {
		s.write(b, i, 1, us)
	}
	s.returns()
	named(t, s, "")
}

// tries checks the first cause and what there is to try.
func tries(t *testing.T, s *scene, code, want string) {
	t.Helper()
	p := s.profile()
	if c := p.Verdict.Causes; len(c) == 0 || c[0].Code != code {
		t.Errorf("the causes are %+v, want %s first", c, code)
	}
	for _, l := range p.Verdict.Lines {
		if l.Label == "Try" && strings.HasPrefix(l.Text, want) {
			return
		}
	}
	t.Errorf("want to try %q: %+v", want, p.Verdict.Lines)
}

// TestInsteadOfOnes: where the writes of an allocation are what takes the time, what there is to try is to allocate
// otherwise. Larger pieces would change nothing in it.
func TestInsteadOfOnes(t *testing.T) {
	for refused, want := range map[bool]string{
		true:  "leave out the allocation, or use a file system that has fallocate",
		false: "posix_fallocate, which is one call",
	} {
		s, _ := allocates(t, 20_000, 2*us, refused)
		s.returns()
		tries(t, s, cause.SmallCalls, want)
	}
	s, _ := allocates(t, 20_000, 2*us, true) // beside many more small writes
	log := s.create("/mnt/log")
	for i := range int64(60_000) {
		s.write(log, i, 1, 2*us)
		s.think(us)
	}
	s.returns()
	tries(t, s, cause.SmallCalls, "a larger block size")
}

// TestInsteadOfFilledBlocks: a device that writes what no call wrote works for the allocation; one that writes the data
// does not.
func TestInsteadOfFilledBlocks(t *testing.T) {
	for _, data := range []bool{false, true} {
		s, a := allocates(t, 2048, us, true)
		if data {
			for at := int64(0); at < 8*MiB; at += MiB {
				s.write(a, at, MiB, 10*us)
			}
		}
		from := s.now
		for at := int64(0); at < 8*MiB; at += MiB {
			s.request(trace.ReqWrite, a, at, MiB, s.now, s.now+10*ms)
			s.now += 10 * ms
		}
		s.wait(trace.WaitIO, from, s.now)
		took := s.now - from
		s.now = from
		s.call(trace.Syscall{Op: trace.OpSync, File: a, Offset: trace.NoOffset}, took)
		s.returns()
		want := "leave out the allocation"
		if data {
			want = "several requests in parallel"
		}
		tries(t, s, cause.DeviceLatency, want)
	}
}

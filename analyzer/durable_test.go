package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

func TestDurableTime(t *testing.T) {
	s, a, b := copying(t, MiB)
	start := s.now
	s.loop(a, b, MiB, 256*KiB)
	s.returns()
	end := s.now + 7*ms
	s.request(trace.ReqWrite, b, 0, MiB, end-2*ms, end)
	s.durable(end + 50*ms)
	c := one(t, s.profile())
	if c.DurableNS != end-start || c.DeviceWriteBytes != MiB || c.WriteAmplification != 1 || c.CacheHitShare != 1 {
		t.Errorf("durable after %d, want %d; %+v", c.DurableNS, end-start, c)
	}
	s = newScene(t, "cp")
	a = s.file("/src/a", MiB)
	b = s.create("/dst/b")
	s.loop(a, b, MiB, 256*KiB)
	s.returns()
	s.end.Durable = -1
	p := s.profile()
	if c := one(t, p); c.DurableNS != profile.Unknown || len(c.Marks) == 0 {
		t.Errorf("durable time of what was not written back: %d, marks %v", c.DurableNS, c.Marks)
	}
}

// Of a file that is copied over again and again each copy has what the devices wrote in its turn.
func TestCopiedOver(t *testing.T) {
	s := newScene(t, "sh")
	a := s.file("/src/a", MiB)
	s.request(trace.ReqRead, a, 0, MiB, s.now+5*us, s.now+20*us) // for the first read
	b := s.create("/dst/b")
	var start, safe [5]int64
	for i := range start {
		start[i] = s.now
		s.loop(a, b, MiB, 256*KiB)
		s.close(a)
		s.close(b)
		if i != 3 { // the fourth is written over before the device has it
			safe[i] = s.now + 7*ms
			s.request(trace.ReqWrite, b, 0, MiB, safe[i]-2*ms, safe[i])
		}
		s.think(10 * ms)
	}
	s.returns()
	s.durable(s.now)
	p := s.profile()
	if len(p.Copies) != len(start) {
		t.Fatalf("%d copies, want %d: %+v", len(p.Copies), len(start), p.Copies)
	}
	for i, c := range p.Copies {
		want, wrote := safe[i]-start[i], int64(MiB)
		if i == 3 {
			want, wrote = profile.Unknown, 0
		}
		if c.DurableNS != want || c.DeviceWriteBytes != wrote {
			t.Errorf("copy %d: durable after %d, want %d; %d bytes written", i, c.DurableNS, want, c.DeviceWriteBytes)
		}
		if read := c.DeviceReadBytes; read != 0 && i > 0 || read != MiB && i == 0 {
			t.Errorf("copy %d: the devices read %d of its source", i, read)
		}
	}
}

package analyzer

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// Of a copy the pauses from a read to its write, from write to read and from a write to the next write are
// three things: what a file manager does before it asks for the next piece is not merged with what lies within one.
func TestGapsAreToldApart(t *testing.T) {
	s, a, b := copying(t, 40*MiB)
	for at := int64(0); at < 40*MiB; at += MiB {
		s.read(a, at, MiB, 100*us)
		s.now += 3 * us
		s.write(b, at, MiB/2, 80*us)
		s.now += 40 * us
		s.write(b, at+MiB/2, MiB/2, 80*us)
		s.now += 250 * us
	}
	p := s.finish(a, b)
	c := one(t, p)
	for _, of := range []struct {
		where string
		gaps  *profile.Gaps
	}{{"copy", c.Gaps}, {"whole", p.Pattern.Gaps}} {
		g := of.gaps
		if g == nil || g.ReadWrite == nil || g.WriteRead == nil || g.WriteWrite == nil {
			t.Fatalf("%s: %+v", of.where, g)
		}
		for _, x := range []struct {
			name  string
			d     *profile.Dist
			n, ns int64
		}{{"read to write", g.ReadWrite, 40, 3 * us}, {"write to write", g.WriteWrite, 40, 40 * us},
			{"write to read", g.WriteRead, 39, 250 * us}} {
			if x.d.Count != x.n || x.d.P50 < x.ns*98/100 || x.d.P50 > x.ns*102/100 {
				t.Errorf("%s, %s: %+v, want %d of %d ns", of.where, x.name, x.d, x.n, x.ns)
			}
		}
	}
	for _, o := range p.Observations {
		if o.Code == "copy_loop" && strings.Contains(o.Text, " µs from read to write, ") &&
			strings.Contains(o.Text, "from write to read and ") {
			return
		}
	}
	t.Errorf("not said: %+v", p.Observations)
}

// The size of the calls that moved the bytes is not that of the many small ones beside them.
func TestSizesByBytes(t *testing.T) {
	s, a, b := copying(t, 700*MiB)
	s.call(trace.Syscall{Op: trace.OpCopyRange, File: a, File2: b, Result: 700 * MiB, Requested: 1 << 40}, 100*ms)
	libs := s.file("/usr/lib/libc.so", 64*KiB)
	s.open(libs, trace.FlagRead)
	for at := int64(0); at < 11; at++ {
		s.read(libs, at*1024, 832, 2*us)
	}
	p := s.finish(a, b)
	for _, l := range p.Layers {
		if l.Name == "calls" && (l.Read.Size.P50 != 832 || l.Read.Size.ByBytes != 700*MiB) {
			t.Errorf("%+v", l.Read.Size)
		}
	}
}

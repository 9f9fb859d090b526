package analyzer

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// TestUnjournaled: a sync of an ext4 without a journal is no commit of all that was changed before. What is safe is
// told by flushes after all of the device's writes, and no journal is told of.
func TestUnjournaled(t *testing.T) {
	for name, without := range map[string]bool{"a journal": false, "none": true} {
		s := newScene(t, "writes")
		s.end.Mounts = []trace.Mount{{Device: nvme, Disk: nvme, Point: "/x", FSType: "ext4", Unjournaled: without}}
		from := s.file("/src/a", MiB)
		s.open(from, trace.FlagRead)
		f := s.identify(trace.File{Path: "/x/f", Device: nvme, Inode: 9, FSType: "ext4", Mount: "/x"})
		s.open(f, trace.FlagWrite|trace.FlagCreate)
		start := s.now
		for i := range int64(16) {
			s.read(from, i*4096, 4096, 20*us)
			s.write(f, i*4096, 4096, 20*us)
			s.request(trace.ReqWrite, f, i*4096, 4096, s.now, s.now+100*us)
			table := s.request(trace.ReqWrite, 0, 0, 64<<10, s.now+100*us, s.now+200*us)
			table.Flags, table.Owner = trace.ReqMeta, 0
			s.call(trace.Syscall{Op: trace.OpSync, File: f, Offset: trace.NoOffset}, 300*us)
		}
		synced := s.now
		s.close(f)
		s.returns()
		end := s.now
		bitmap := s.request(trace.ReqWrite, 0, 0, 4096, end+ms, end+2*ms) // by the kernel, for anybody
		bitmap.Flags, bitmap.Owner, bitmap.PID, bitmap.TID = trace.ReqMeta|trace.ReqForeign, 0, 50, 50
		s.request(trace.ReqFlush, 0, 0, 0, end+3*ms, end+4*ms)
		s.durable(end + 30*ms)
		p := s.profile()
		text := p.Verdict.Causes[0].Text
		for i := range p.Verdict.Causes {
			text += p.Verdict.Causes[i].Text + " "
		}
		for _, l := range p.Verdict.Lines {
			text += l.Text + " "
		}
		for _, o := range p.Observations {
			text += o.Text + " "
		}
		if strings.Contains(text, "journal") == without {
			t.Errorf("%s: %s", name, text)
		}
		c := one(t, p)
		if at := start + c.DurableNS; !without && at != synced || without && c.DurableNS >= 0 && at < end+4*ms {
			t.Errorf("%s: the copy is durable at %d, synced at %d, flushed at %d", name, at, synced, end+4*ms)
		}
		if at := p.StartNS + p.DurableNS; without && at < end+4*ms {
			t.Errorf("%s: all is durable at %d, flushed at %d", name, at, end+4*ms)
		}
	}
}

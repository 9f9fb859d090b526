package analyzer

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// TestSafeIsWhatReachedADevice: what was written to memory, or to a file system that is a process or on another
// machine, is not called safe with the rest.
func TestSafeIsWhatReachedADevice(t *testing.T) {
	for name, c := range map[string]struct {
		fsType string
		bytes  int64
		disk   bool
		want   string
		not    string
	}{
		"memory beside a disk":   {"tmpfs", 8 * MiB, true, "8.39 MB on /x in memory only (tmpfs)", "all data durable"},
		"the rest is durable":    {"tmpfs", 8 * MiB, true, "other data durable", "not seen"},
		"FUSE beside a disk":     {"fuse.bindfs", 8 * MiB, true, "8.39 MB on /x not seen here (fuse.bindfs)", "all data"},
		"FUSE alone":             {"fuse.sshfs", 8 * MiB, false, "8.39 MB on /x not seen here (fuse.sshfs)", "durable"},
		"a server":               {"nfs4", 8 * MiB, false, "8.39 MB on /x not seen here (nfs4)", "durable"},
		"memory alone":           {"tmpfs", 8 * MiB, false, "the 8.39 MB written are in memory only", "durable"},
		"a few bytes in memory":  {"tmpfs", 100, true, "all data durable", "memory only"},
		"another disk's, cached": {"ext4", 8 * MiB, true, "all data durable", "not seen"},
	} {
		s := newScene(t, "writes")
		x := s.identify(trace.File{Path: "/x/f", Device: trace.MakeDeviceID(0, 51), Inode: 9, FSType: c.fsType, Mount: "/x"})
		s.open(x, trace.FlagWrite|trace.FlagCreate|trace.FlagTrunc)
		s.write(x, 0, c.bytes, ms)
		if c.disk {
			a := s.create("/data")
			s.write(a, 0, 4*MiB, ms)
			s.request(trace.ReqWrite, a, 0, 4*MiB, s.now, s.now+50*ms)
			s.wait(trace.WaitIO, s.now, s.now+50*ms)
			s.call(trace.Syscall{Op: trace.OpSync, File: a, Offset: trace.NoOffset}, 50*ms)
		}
		s.returns()
		text := ""
		for _, l := range s.profile().Verdict.Lines {
			text += l.Text + " "
		}
		if !strings.Contains(text, c.want) || strings.Contains(text, c.not) {
			t.Errorf("%s: %s; want %q, not %q", name, text, c.want, c.not)
		}
	}
}

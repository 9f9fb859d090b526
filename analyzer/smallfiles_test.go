package analyzer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// TestPiecesOfFiles: who waits for one read after another is advised larger ones as long as its files are larger, by
// calls as well as through mappings, and however many files there are.
func TestPiecesOfFiles(t *testing.T) {
	for _, c := range []struct {
		name        string
		files       int
		size, piece int64
		mapped      bool
		larger      bool
	}{
		{"a mail in each file", 3000, 7000, 4 * KiB, false, false},
		{"icons, mapped", 3000, 900, 4 * KiB, true, false},
		{"files of 40 KiB, in one piece", 100, 40_000, 40 * KiB, false, false},
		{"files of 40 KiB, page by page", 100, 40_000, 4 * KiB, false, true},
		{"a large file", 1, 8 * MiB, 4 * KiB, false, true},
	} {
		s := newScene(t, "index")
		for i := range c.files {
			f := s.file(fmt.Sprint("/d/", i), c.size)
			for at := int64(0); at < c.size; at += c.piece {
				begun, n := s.now, min(c.piece, c.size-at)
				s.request(trace.ReqRead, f, at, (n+4095)/4096*4096, begun+10*us, begun+900*us)
				s.wait(trace.WaitIO, begun+10*us, begun+900*us)
				if c.mapped {
					s.now += 910 * us
					s.put(s.now, &trace.Fault{Start: begun, Duration: 910 * us, PID: s.pid, TID: s.tid, File: f, Filled: n})
				} else {
					s.read(f, at, n, 910*us)
				}
			}
		}
		s.returns()
		p := s.profile()
		x := &p.Verdict.Causes[0]
		if x.Share < .9 || strings.Contains(x.Remedy, "larger") != c.larger ||
			strings.Contains(x.Remedy, "several files in parallel") == c.larger {
			t.Errorf("%s: %+v", c.name, x)
		}
	}
}

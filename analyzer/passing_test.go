package analyzer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// stagings makes names in one directory after the other, and removes those of a kind.
func stagings(t *testing.T, times int, link, remove bool) *scene {
	s := newScene(t, "stage")
	for i := range times {
		var made []trace.FileID
		for k := range 100 {
			path := fmt.Sprintf("/build/box/%d/dep%d", i, k)
			if link {
				to := s.name(path)
				s.call(trace.Syscall{Op: trace.OpSymlink, Call: 4, File2: to, Offset: trace.NoOffset}, 30*us)
				made = append(made, to)
				continue
			}
			made = append(made, s.create(path))
		}
		for _, f := range made {
			if remove {
				s.call(trace.Syscall{Op: trace.OpUnlink, Call: 4, File: f, Offset: trace.NoOffset}, 30*us)
			}
		}
	}
	s.returns()
	return s
}

// TestMadeAgain: names that are made for each step and removed after it are told of, links or files; not those that
// stay, nor those that are made once.
func TestMadeAgain(t *testing.T) {
	named(t, stagings(t, 20, true, true), "made_again", "2,000 names below box were made and removed again, 20 times "+
		"each, most of symbolic links")
	named(t, stagings(t, 20, false, true), "made_again", "2,000 names below box were made and removed again")
	if got := advised(stagings(t, 20, true, true)); !strings.HasPrefix(got, "make them once and keep them") {
		t.Error(got)
	}
	for _, s := range []*scene{stagings(t, 20, true, false), stagings(t, 4, true, true)} {
		if found := kindsOf(t, s); found["made_again"] != "" {
			t.Error(found)
		}
	}
}

// segments writes files of a stream and deletes each after a while; some are read back before.
func segments(t *testing.T, back bool) *scene {
	s := newScene(t, "streamer")
	for i := range 1100 {
		f := s.create(fmt.Sprintf("/srv/live/seg%d.ts", i))
		s.write(f, 0, 64*KiB, 20*us)
		if back {
			s.read(f, 0, 64*KiB, 20*us)
		}
		s.call(trace.Syscall{Op: trace.OpUnlink, Call: 4, File: f, Offset: trace.NoOffset}, 30*us)
	}
	s.write(s.create("/srv/live/index.m3u8"), 0, 64*KiB, 20*us)
	s.returns()
	return s
}

// TestDeletedAgain: data that is written to files which are deleted, and that nobody reads, is told of; what is read
// back went through temporary files.
func TestDeletedAgain(t *testing.T) {
	named(t, segments(t, false), "deleted_again", "1,100 new files were deleted again, with 72.1 MB of the 72.2 MB "+
		"written")
	if found := kindsOf(t, segments(t, true)); found["deleted_again"] != "" {
		t.Error(found)
	}
}

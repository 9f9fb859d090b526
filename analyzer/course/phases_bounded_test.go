package course

import "testing"

// More bytes than a curve was made for add no more marks than it has room for.
func TestSpeedOfMoreThanAnnounced(t *testing.T) {
	s := newSpeed("call read", "", 64<<20)
	for i := range int64(1000) {
		s.add(i, i+1, 1<<31, false)
	}
	s.finish()
	if len(s.marks) > maxMarks || s.done != 1000<<31 {
		t.Errorf("%d marks of %d bytes", len(s.marks), s.done)
	}
}

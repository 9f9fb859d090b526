//go:build linux

package ebpf

import (
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// stamps are the times at which files were read last. With relatime, as file systems are mounted if nothing else is
// said, a file gets one if it was changed since, or after a day. Whether it does no event says. So files are asked once
// their file system writes something of its own, before which it has to have them.
type stamps struct {
	files []trace.FileID // that recorded processes used
	since time.Time
	next  int64 // when to ask again
}

const (
	// coarse is by how much the clock of file systems is behind.
	coarse = 10 * time.Millisecond
	// mostStamps bounds how many files are asked, which are those used last, and askEvery how often.
	mostStamps = 256
	askEvery   = int64(time.Second)
)

func (s *stamps) expect(id trace.FileID) {
	if len(s.files) == mostStamps {
		s.files = slices.Delete(s.files, 0, mostStamps/2)
	}
	s.files = append(s.files, id)
}

// serves reports whether a request is what a file system does of its own for the workload. One that stamps what the
// workload reads is changed by it.
func (t *fileTable) serves(q *trace.Request) bool {
	if q.Op == trace.ReqWrite && q.Flags&trace.ReqMeta != 0 && q.File == 0 && !t.changes.disks[q.Device] &&
		q.Completed >= t.stamps.next {
		t.stamps.next = q.Completed + askEvery
		t.stamped()
	}
	return t.changes.serves(q)
}

// stamped looks for files that were stamped.
func (t *fileTable) stamped() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stamps.files = slices.DeleteFunc(t.stamps.files, func(id trace.FileID) bool {
		name, ok := t.names.get(id)
		if !ok || t.changes.systems[name.node.device] {
			return true
		}
		if !slices.Contains(attributed, t.mounts.find(name.node.device, name.here()).FSType) {
			return true // of others it is not known that to ask them waits for nobody
		}
		var st unix.Stat_t
		if unix.Lstat(name.here(), &st) != nil || st.Ino != name.node.inode {
			return true
		}
		if time.Unix(st.Atim.Unix()).Before(t.stamps.since) {
			return false
		}
		t.changed(id)
		return true
	})
}

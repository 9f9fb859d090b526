package copies

import (
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// commits are the syncs of a file, or of a file system, that succeeded.
type commits struct {
	list  []commit
	every int // of so many, one is kept
	left  int // until the next that is kept
}

type commit struct{ start, end int64 }

// mostCommits is how many are kept of each. With more, every second is forgotten: what is taken for safe is so by then.
const mostCommits = 128

func (c *commits) add(start, end int64) {
	if c.left--; c.left > 0 {
		return
	}
	if len(c.list) == mostCommits {
		for i := range mostCommits / 2 {
			c.list[i] = c.list[2*i+1]
		}
		c.list, c.every = c.list[:mostCommits/2], max(c.every, 1)*2
	}
	c.list, c.left = append(c.list, commit{start, end}), c.every
}

// after is when the first returned that began at a time or later, 0 if none did.
func (c *commits) after(at int64) (end int64) {
	for _, x := range c.list {
		if x.start >= at && (end == 0 || x.end < end) {
			end = x.end
		}
	}
	return end
}

// safety is what is known of when data was durable: of each file, of each file system and of all of them.
type safety struct {
	files   world.Table[fileSafety]
	systems map[trace.DeviceID]*commits
	all     commits
	survey  *survey.Survey
	darwin  bool
}

// fileSafety is that of one file.
type fileSafety struct {
	commits
	plain, synced period // of writes that returned before their data was durable, and as it was
}

// period is that of the ends of some writes; 0: there were none.
type period struct{ first, last int64 }

func (p *period) add(at int64) {
	if p.first == 0 {
		p.first = at
	}
	p.last = max(p.last, at)
}

// meets reports whether some may have ended between two times.
func (p *period) meets(from, to int64) bool { return p.first != 0 && p.last >= from && p.first <= to }

// call enters what a call or an asynchronous operation did for the safety of files.
func (s *safety) call(f *world.File, op trace.Op, flags trace.IOFlags, start, end, result int64) {
	switch {
	case result < 0:
	case op == trace.OpSyncFS && f == nil:
		s.all.add(start, end)
	case f == nil:
	case op == trace.OpSyncFS:
		x := s.systems[f.Device]
		if x == nil {
			if s.systems == nil {
				s.systems = map[trace.DeviceID]*commits{}
			}
			x = new(commits)
			s.systems[f.Device] = x
		}
		x.add(start, end)
	case s.commits(f, op, flags):
		s.files.Of(f.Number).add(start, end)
	}
}

// commits reports whether an operation on a file returns when its data is safe: NFS has it on the server's disk when
// the file is closed, but for version 4, whose servers may lend a file to a client for longer. On macOS a drive keeps
// what it likes in its cache, unless it is asked for all.
func (s *safety) commits(f *world.File, op trace.Op, flags trace.IOFlags) bool {
	if s.darwin && op != trace.OpClose {
		return flags&trace.FlagFull != 0
	}
	return op == trace.OpSync || op == trace.OpDataSync || op == trace.OpClose && f.FSType == "nfs"
}

// write enters one; synced says that it returned when its data was durable.
func (s *safety) write(f *world.File, end int64, synced bool) {
	x := s.files.Of(f.Number)
	if synced {
		x.synced.add(end)
		return
	}
	x.plain.add(end)
}

// of is when what had been written to a file from one time to another was safe: as its writes returned, as the first
// sync did that began after them, or as its devices were seen to have all, whoever saw to that: umount, the kernel's
// write-back and syncs of processes that were not recorded have no call in the trace. 0: not known.
func (s *safety) of(f *world.File, from, to int64) (at int64) {
	flushed := s.survey.SafeFile(f)
	if flushed < to {
		flushed = 0
	}
	if s.survey.Unjournaled(f) { // no sync says that the name is safe as well
		return flushed
	}
	x := s.files.Of(f.Number)
	if x.synced.meets(from, to) && !x.plain.meets(from, to) {
		return to
	}
	for _, c := range []*commits{&x.commits, s.systems[f.Device], &s.all} {
		if c == nil {
			continue
		}
		if end := c.after(to); end != 0 && (at == 0 || end < at) {
			at = end
		}
	}
	if flushed != 0 && (at == 0 || flushed < at) {
		at = flushed
	}
	return at
}

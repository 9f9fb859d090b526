package analyzer

import (
	"fmt"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// program begins one as a child of the command, which goes on acting.
func (s *scene) program(pid uint32, args ...string) {
	s.fork(pid, "sh")
	s.put(s.now, &trace.Process{Time: s.now, Action: trace.ProcessExec, PID: pid, TID: pid, Parent: s.pid,
		Command: args[0], Exe: "/usr/bin/" + args[0], Args: joined(args)})
}

// as has another process do something.
func (s *scene) as(pid uint32, do func()) {
	was := s.pid
	s.act(pid)
	do()
	s.act(was)
}

// byParts reads or writes a file in its order, by calls of 256 KiB.
func byParts(n int64, do func(at, n int64)) {
	for at := int64(0); at < n; at += 256 * KiB {
		do(at, 256*KiB)
	}
}

func (s *scene) unlink(f trace.FileID) {
	s.call(trace.Syscall{Op: trace.OpUnlink, File: f, Offset: trace.NoOffset}, us)
}

// handed is what one program writes to a file, and the next reads in some order before it is deleted.
func handed(t *testing.T, from, to []string, backward bool) *scene {
	s := newScene(t, "sh")
	var tmp trace.FileID
	s.program(101, from...)
	s.as(101, func() {
		tmp = s.create("/srv/tmp/a.tar")
		byParts(4*MiB, func(at, n int64) { s.write(tmp, at, n, ms) })
		s.close(tmp)
	})
	s.program(102, to...)
	s.as(102, func() {
		s.open(tmp, trace.FlagRead)
		byParts(4*MiB, func(at, n int64) {
			if backward {
				at = 4*MiB - n - at
			}
			s.read(tmp, at, n, ms)
		})
		s.close(tmp)
	})
	s.unlink(tmp)
	s.returns()
	return s
}

// TestHandedOver: a file by which one program hands data to another is no lack of memory.
func TestHandedOver(t *testing.T) {
	named(t, handed(t, []string{"tar", "cf"}, []string{"tar", "xf"}, false), "handed_over",
		"4.19 MB went from tar to tar in a.tar, deleted afterwards; a pipe (tar | tar), or these files on another drive")
	named(t, handed(t, []string{"cc1"}, []string{"as"}, false), "handed_over", "a pipe (cc1 | as)")
	named(t, handed(t, []string{"curl"}, []string{"unzip"}, true), "handed_over",
		"in a.tar, deleted afterwards; these files on another drive, or in memory; unzip does not read in order")
}

// runs are the parts that a sort writes and merges: by itself or a fork, or by programs that compress and expand them.
func runs(t *testing.T, helper bool, writer, reader uint32) *scene {
	s := newScene(t, "sort", "-T", "/srv/tmp")
	var list []trace.FileID
	for i := range uint32(3) {
		f := s.create(fmt.Sprint("/srv/tmp/sort", i))
		if helper {
			s.program(writer+i, "gzip")
		} else if writer != 100 {
			s.fork(writer+i, "sort")
		}
		by := writer
		if writer != 100 {
			by += i
		}
		s.as(by, func() { byParts(MiB, func(at, n int64) { s.write(f, at, n, ms) }) })
		list = append(list, f)
	}
	for i, f := range list {
		s.open(f, trace.FlagRead)
		if helper {
			s.program(reader+uint32(i), "gzip", "-d")
		}
	}
	byParts(MiB, func(at, n int64) {
		for i, f := range list {
			by := reader
			if helper {
				by += uint32(i)
			}
			s.as(by, func() { s.read(f, at, n, ms) })
		}
	})
	for _, f := range list {
		s.unlink(f)
	}
	s.returns()
	return s
}

// TestSpilled: what one program keeps for itself is told as what its memory does not hold, whoever does it for it.
func TestSpilled(t *testing.T) {
	const want = "3.15 MB went through temporary files, and 3.15 MB came back; more memory"
	named(t, runs(t, false, 100, 100), "temporary_files", want)
	named(t, runs(t, false, 200, 100), "temporary_files", want) // forks of it write
	named(t, runs(t, true, 200, 300), "temporary_files", want)  // gzip writes, gzip -d reads
}

// TestReadBack: what one program writes to a file and reads once in its order, one file at a time, it can pass on.
func TestReadBack(t *testing.T) {
	spool := func(fsType string) *scene {
		s := newScene(t, "proxy")
		client := s.pipe(9)
		for i := range 3 {
			f := s.identify(trace.File{Path: fmt.Sprint("/srv/tmp/body", i), Device: ext4, Inode: uint64(70 + i),
				FSType: fsType, Mount: "/"})
			s.open(f, trace.FlagWrite|trace.FlagCreate|trace.FlagTrunc|trace.FlagExcl)
			byParts(2*MiB, func(at, n int64) { s.write(f, at, n, ms) })
			byParts(2*MiB, func(at, n int64) {
				s.read(f, at, n, ms)
				s.write(client, trace.NoOffset, n, us)
			})
			s.unlink(f)
		}
		s.returns()
		return s
	}
	named(t, spool("ext4"), "temporary_files", "6.29 MB went to 3 files such as ",
		"came back once in order, and was deleted; pass it on as it comes")
	named(t, spool("tmpfs"), "") // memory
}

// TestCopiedOn: what is unpacked somewhere, copied from there and deleted was to be written where it stays.
func TestCopiedOn(t *testing.T) {
	s := newScene(t, "sh")
	var list []trace.FileID
	s.program(101, "unzip")
	s.program(102, "cp")
	for i := range 4 {
		s.as(101, func() {
			f := s.create(fmt.Sprintf("/srv/tmp/x%d/f", i))
			byParts(512*KiB, func(at, n int64) { s.write(f, at, n, ms) })
			s.close(f)
			list = append(list, f)
		})
	}
	for i, f := range list {
		s.as(102, func() {
			to := s.create(fmt.Sprintf("/srv/site%d/f", i))
			s.open(f, trace.FlagRead)
			byParts(512*KiB, func(at, n int64) {
				s.read(f, at, n, ms)
				s.write(to, at, n, ms)
			})
			s.close(to)
		})
		s.unlink(f)
	}
	s.returns()
	named(t, s, "via_temporary", "2.10 MB went to 4 files such as f, was copied on to site0, and deleted; write it to "+
		"its place at once")
}

// TestNumberOfAnInodeUsedAgain: a file that is deleted, and replaced by one that got its inode's number, has one number
// of the recording before and after that, as an archive has that zip tries to make, writes beside and renames.
func TestNumberOfAnInodeUsedAgain(t *testing.T) {
	s := newScene(t, "zip")
	made := func(path string) trace.FileID {
		s.think(us)
		f := s.identify(trace.File{Path: path, Device: ext4, Inode: 4711, FSType: "ext4", Mount: "/"})
		s.open(f, trace.FlagWrite|trace.FlagCreate|trace.FlagExcl)
		return f
	}
	a := made("/srv/a.zip")
	s.unlink(a)
	b := made("/srv/zi123")
	byParts(2*MiB, func(at, n int64) { s.write(b, at, n, ms) })
	s.rename(b, a)
	s.open(a, trace.FlagRead)
	byParts(2*MiB, func(at, n int64) { s.read(a, at, n, ms) })
	s.returns()
	p := s.profile()
	if f := &p.Files[0]; f.Path != "/srv/a.zip" || f.Deleted || f.Read == nil || f.Write == nil ||
		f.Read.Bytes != f.Write.Bytes {
		t.Errorf("%+v", f)
	}
}

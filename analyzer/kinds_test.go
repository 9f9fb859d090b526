package analyzer

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/answer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// kindsOf are the sentences of a scene that name a kind of work; their numbers are those of the profile.
func kindsOf(t *testing.T, s *scene) map[string]string {
	t.Helper()
	p := s.profile()
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(b, &tree); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, o := range p.Observations {
		for _, e := range o.Evidence {
			if v, err := resolve(tree, e.Pointer); err != nil || v != e.Value {
				t.Errorf("%s: %s is %v (%v), the sentence says %v", o.Code, e.Pointer, v, err, e.Value)
			}
		}
		if answer.WorkKinds[o.Code] {
			found[o.Code] = o.Text
		}
	}
	return found
}

// named checks that one kind of work is named, and no other.
func named(t *testing.T, s *scene, code string, words ...string) {
	t.Helper()
	found := kindsOf(t, s)
	if code == "" {
		if len(found) > 0 {
			t.Errorf("%v", found)
		}
		return
	}
	for _, w := range words {
		if !strings.Contains(found[code], w) || len(found) != 1 {
			t.Errorf("want %q of %s in %v", w, code, found)
		}
	}
}

// appended writes pieces to a file, each synced, and what the journal writes for that.
func appended(t *testing.T, n int, at func(i int64) int64, journal int64, before ...trace.Op) *scene {
	s := newScene(t, "logs")
	a := s.create("/srv/app.log")
	for _, op := range before {
		s.call(trace.Syscall{Op: op, File: a, Requested: MiB, Offset: 0}, us)
	}
	for i := range int64(n) {
		s.write(a, at(i), 100, us)
		s.request(trace.ReqWrite, a, at(i)&^4095, 4*KiB, s.now, s.now+ms)
		if journal > 0 {
			s.request(trace.ReqWrite, 0, trace.NoOffset, journal, s.now, s.now+ms).Evidence = trace.EvidenceNone
		}
		s.call(trace.Syscall{Op: trace.OpDataSync, File: a, Offset: trace.NoOffset}, 2*ms)
	}
	s.returns()
	return s
}

func TestGrowingLog(t *testing.T) {
	inOrder := func(i int64) int64 { return i * 100 }
	named(t, appended(t, 64, inOrder, 0), "growing_log", "app.log grows by 100 B", "64 times", "journal")
	named(t, appended(t, 8, inOrder, 0), "")                         // too few
	named(t, appended(t, 64, inOrder, 0, trace.OpAllocate), "")      // allocated beforehand
	named(t, appended(t, 64, inOrder, 0, trace.OpUnlink), "")        // of one transaction
	named(t, appended(t, 64, func(int64) int64 { return 0 }, 0), "") // always the same place
}

// A log can be synced by each write as well.
func TestGrowingLogOfSyncedWrites(t *testing.T) {
	for flag, code := range map[trace.IOFlags]string{
		trace.FlagDSync: "growing_log", trace.FlagSync: "growing_log", 0: "",
	} {
		s := newScene(t, "logs")
		a := s.create("/srv/wal")
		for i := range int64(64) {
			s.call(trace.Syscall{Op: trace.OpWrite, Call: 1, File: a, Offset: i * 900, Requested: 900, Result: 900,
				Flags: trace.FlagWrite | flag}, 2*ms)
			s.request(trace.ReqWrite, a, i*900&^4095, 4*KiB, s.now-2*ms, s.now-ms)
		}
		s.returns()
		named(t, s, code, "wal grows by 900 B", "64 times")
	}
}

func TestAmplified(t *testing.T) {
	s := appended(t, 10, func(i int64) int64 { return i * 100 }, 256*KiB)
	named(t, s, "amplified", "nvme0n1 took 2.66 MB for 1.00 kB written",
		"2.62 MB metadata and journal")
}

// readTwice reads a file past or through the page cache, does something to it, and reads it again.
func readTwice(t *testing.T, flags trace.IOFlags, between func(s *scene, a trace.FileID)) *scene {
	s := newScene(t, "verifies")
	s.header.Calls = append(s.header.Calls, "fadvise64")
	a := s.file("/data", 8*MiB)
	pass := func(flags trace.IOFlags, kind trace.ReqFlags) {
		for at := int64(0); at < 8*MiB; at += MiB {
			s.request(trace.ReqRead, a, at, MiB, s.now, s.now+10*ms).Flags |= kind
			s.wait(trace.WaitIO, s.now, s.now+10*ms)
			c := s.call(trace.Syscall{Op: trace.OpRead, File: a, Offset: at, Requested: MiB, Result: MiB,
				Flags: trace.FlagRead | flags}, 10*ms)
			if flags == 0 {
				c.Filled = MiB
			}
		}
	}
	pass(flags, 0)
	between(s, a)
	pass(0, 0)
	s.returns()
	return s
}

func TestReadAgain(t *testing.T) {
	drop := func(s *scene, a trace.FileID) {
		s.call(trace.Syscall{Op: trace.OpAdvise, Call: 8, File: a, Offset: 0, Offset2: 4, Requested: 8 * MiB}, us)
	}
	s := readTwice(t, 0, drop)
	named(t, s, "read_again", "nvme0n1 read 8.39 MB again that a program had dropped", "POSIX_FADV_DONTNEED")
	named(t, readTwice(t, 0, func(*scene, trace.FileID) {}), "") // memory was short: a cause of its own
}

func TestWrittenOver(t *testing.T) {
	of := int64(4)
	writes := func(times int64, anew bool) *scene {
		s := newScene(t, "saves")
		for i := range of {
			a := s.create("/srv/" + string(rune('a'+i)))
			for k := range times {
				if anew && k > 0 {
					s.open(a, trace.FlagWrite|trace.FlagTrunc)
				}
				s.write(a, 0, MiB, us)
			}
			s.size[a] = MiB
			s.again(a, "/srv/"+string(rune('a'+i)))
		}
		s.returns()
		return s
	}
	named(t, writes(3, true), "written_over", "4.19 MB of files below srv was written over: 12.6 MB written")
	named(t, writes(2, false), "written_over", "4.19 MB of files below srv was written over: 8.39 MB written")
	named(t, writes(1, false), "")
	of = 1
	named(t, writes(4, true), "written_over", "1.05 MB of a was written over: 4.19 MB written")
}

func TestTemporaryFiles(t *testing.T) {
	runs := func(keep bool) *scene {
		s := newScene(t, "joins")
		var list []trace.FileID
		for i := range int64(4) {
			a := s.create("/tmp/run" + string(rune('a'+i)))
			s.write(a, 0, (4-i)*MiB, us)
			list = append(list, a)
		}
		for _, a := range list {
			s.read(a, 0, MiB, us)
			if !keep {
				s.call(trace.Syscall{Op: trace.OpUnlink, File: a, Offset: trace.NoOffset}, us)
			}
		}
		out := s.create("/srv/out")
		s.write(out, 0, 4*MiB, us)
		s.size[out] = 4 * MiB
		s.again(out, "/srv/out")
		s.returns()
		return s
	}
	named(t, runs(false), "temporary_files", "10.5 MB went through temporary files, and 4.19 MB came back")
	if found := kindsOf(t, runs(true)); found["temporary_files"] != "" {
		t.Error(found)
	}
}

func TestStampsSynced(t *testing.T) {
	writes := func(size int64, sync trace.Op) *scene {
		s := newScene(t, "ring")
		a := s.file("/srv/ring", size)
		for i := range int64(40) {
			s.write(a, i%8*4096, 4096, us)
			s.call(trace.Syscall{Op: sync, File: a, Offset: trace.NoOffset}, 2*ms)
		}
		s.size[a] = max(size, 8*4096)
		s.again(a, "/srv/ring")
		s.returns()
		return s
	}
	named(t, writes(16*MiB, trace.OpSync), "stamps_synced", "fdatasync would do for ring", "40 times")
	named(t, writes(16*MiB, trace.OpDataSync), "")
	named(t, writes(0, trace.OpSync), "") // it grows
}

func TestHolesCopied(t *testing.T) {
	copied := func(filled int64, fromDevice bool) *scene {
		s := newScene(t, "copies")
		a, b := s.file("/vm.img", 8*MiB), s.create("/back.img")
		if fromDevice {
			s.request(trace.ReqRead, a, 0, 8*MiB, s.now, s.now+ms)
		}
		s.call(trace.Syscall{Op: trace.OpCopyRange, Call: 7, File: a, File2: b, Offset: 0, Offset2: 0, Requested: 8 * MiB,
			Result: 8 * MiB, Filled: filled}, 20*ms)
		s.size[b] = 8 * MiB
		s.again(b, "/back.img")
		s.returns()
		return s
	}
	named(t, copied(16*MiB, false), "holes_copied", "8.39 MB of vm.img is holes, written as data")
	named(t, copied(8*MiB, false), "") // it was in memory; the copy is what was added to that
	named(t, copied(16*MiB, true), "") // it was read
}

func TestHolesRead(t *testing.T) {
	read := func(stored int64) *scene {
		s := newScene(t, "sums")
		a := s.file("/vm.img", 64*MiB)
		for at := int64(0); at < 64*MiB; at += MiB {
			if at < stored {
				s.request(trace.ReqRead, a, at, MiB, s.now, s.now+ms)
			}
			s.call(trace.Syscall{Op: trace.OpRead, File: a, Offset: at, Requested: MiB, Result: MiB, Flags: trace.FlagRead,
				Filled: MiB}, 2*ms)
		}
		s.returns()
		return s
	}
	named(t, read(8*MiB), "holes_read", "58.7 MB of 67.1 MB read of vm.img were holes")
	named(t, read(64*MiB), "")
}

func TestReopened(t *testing.T) {
	lines := func(n, each int) *scene {
		s := newScene(t, "logs")
		a, at := s.file("/var/app.log", 0), int64(0)
		for range n {
			s.open(a, trace.FlagWrite|trace.FlagAppend)
			for range each {
				s.write(a, at, 40, us)
				at += 40
			}
			s.close(a)
		}
		s.returns()
		return s
	}
	named(t, lines(2000, 1), "reopened", "app.log was opened 2,000 times, for 2,000 writes of 40 B")
	named(t, lines(2000, 8), "per_call", "16,000 writes of 40 B, mostly of app.log") // several for each
	named(t, lines(100, 1), "")
}

func TestReopenedAll(t *testing.T) {
	clients := func(files, rounds, each int) *scene {
		s := newScene(t, "maild")
		var logs []trace.FileID
		for i := range files {
			logs = append(logs, s.file(fmt.Sprint("/var/log/host", i), 0))
		}
		for round := range rounds {
			for _, f := range logs {
				s.open(f, trace.FlagWrite|trace.FlagAppend)
				for k := range each {
					s.write(f, int64(round*each+k)*80, 80, us)
				}
				s.close(f)
			}
		}
		s.returns()
		return s
	}
	named(t, clients(150, 20, 1), "reopened_all", "files were opened 3,000 times, for 3,000 writes of 80 B: 150 of them "+
		"again and again")
	named(t, clients(3000, 1, 1), "")                  // each once
	named(t, clients(150, 20, 10), "per_call", "30,0") // several for each
}

func TestReplaced(t *testing.T) {
	anew := func(read int64) *scene {
		s := newScene(t, "edits")
		a, b := s.file("/srv/dump.sql", 4*MiB), s.create("/srv/sedXYZ")
		for at := int64(0); at < 4*MiB; at += 64 * KiB {
			if at < read {
				s.read(a, at, 64*KiB, us)
			}
			s.write(b, at+1, 64*KiB, us)
		}
		s.rename(b, s.name("/srv/dump.sql"))
		s.returns()
		return s
	}
	if found := kindsOf(t, anew(4*MiB)); !strings.Contains(found["replaced"], "dump.sql was read and written anew as a "+
		"whole, 4.19 MB, and replaced by that") {
		t.Error(found)
	}
	if found := kindsOf(t, anew(MiB)); found["replaced"] != "" {
		t.Error(found)
	}
}

// TestReplacedEach: so are many files, each by its own, whatever order they were read in.
func TestReplacedEach(t *testing.T) {
	tagged := func(files int, read int64) *scene {
		s := newScene(t, "tags")
		for i := range files {
			name := fmt.Sprintf("/srv/track%02d.flac", i)
			a, b := s.file(name, MiB), s.create(name+".tmp")
			for at := MiB - 64*KiB; at >= MiB-read; at -= 64 * KiB {
				s.read(a, at, 64*KiB, us)
			}
			for at := int64(0); at < MiB; at += 64 * KiB {
				s.write(b, at, 64*KiB, us)
			}
			s.rename(b, s.name(name))
		}
		s.returns()
		return s
	}
	if found := kindsOf(t, tagged(12, MiB)); !strings.HasPrefix(found["replaced"],
		"12 files were read and written anew as a whole, 12.6 MB, and replaced by these: write only what has changed") {
		t.Error(found)
	}
	if found := kindsOf(t, tagged(12, 128*KiB)); found["replaced"] != "" { // the header alone
		t.Error(found)
	}
}

func TestBlockingSubmit(t *testing.T) {
	submits := func(took int64) *scene {
		s := newScene(t, "aio")
		s.header.Calls = append(s.header.Calls, "io_submit")
		a := s.file("/data", 64*MiB)
		for i := range int64(32) {
			start := s.now
			s.call(trace.Syscall{Op: trace.OpAIOSubmit, Call: 8, Offset: trace.NoOffset, Requested: 1, Result: 1}, took)
			s.put(s.now+us, &trace.AsyncOp{Submit: start, Complete: s.now + us, PID: s.pid, TID: s.tid, API: trace.APILibaio,
				Op: trace.OpRead, File: a, Offset: i * 4096, Requested: 4096, Result: 4096})
			s.think(100 * us)
		}
		s.returns()
		return s
	}
	named(t, submits(2*ms), "blocking_submit", "io_submit waited 64.0 ms in 32 calls", "O_DIRECT")
	named(t, submits(2*us), "")
}

// TestRingInTurn: what a drive gets one by one although a ring was given it at once was written through the page cache.
func TestRingInTurn(t *testing.T) {
	writes := func(flags trace.IOFlags, served int64) *scene {
		s := newScene(t, "ring")
		a := s.file("/data", 64*MiB)
		s.open(a, trace.FlagRead|trace.FlagWrite|flags)
		for range 8 {
			start := s.now
			for i := range int64(16) {
				at := start + i*served
				s.request(trace.ReqWrite, a, i*4096, 4096, at, at+ms)
				s.put(at+ms, &trace.AsyncOp{Submit: start, Complete: at + ms, PID: s.pid, TID: s.tid, API: trace.APIUring,
					Op: trace.OpWrite, File: a, Offset: i * 4096, Requested: 4096, Result: 4096, Flags: flags})
			}
			s.now = start + 15*served + ms
		}
		s.returns()
		return s
	}
	named(t, writes(trace.FlagSync, ms), "ring_in_turn", "io_uring was given 8.5 writes at a time, and nvme0n1 1.0")
	for name, s := range map[string]*scene{
		"at once": writes(trace.FlagSync, 0), "not to be durable": writes(0, ms),
		"direct": writes(trace.FlagSync|trace.FlagDirect, ms),
	} {
		if said := kindsOf(t, s)["ring_in_turn"]; said != "" {
			t.Errorf("%s: %s", name, said)
		}
	}
}

func TestLockPolling(t *testing.T) {
	tries := func(n int) *scene {
		s := newScene(t, "sqlite3")
		s.header.Calls = append(s.header.Calls, "fcntl")
		a := s.file("/srv/a.db", MiB)
		for range n {
			s.call(trace.Syscall{Op: trace.OpLock, Call: 8, File: a, Offset: trace.NoOffset, Result: -11}, us)
			s.think(5 * ms)
		}
		s.end.Holders = []trace.Holder{{What: "lock", Inode: s.files[a-1].Inode, PID: 77, Command: "backup"}}
		s.returns()
		return s
	}
	named(t, tries(44), "lock_polling", "A lock on a.db was refused 44 times", "backup (pid 77) had it")
	named(t, tries(3), "")
}

// mv is a rename that is refused, and a copy instead.
func mv(t *testing.T, mount string) *scene { return across(t, mount, trace.OpRename) }

// across is a call that would share a file's data with another mount, and is refused, and a copy instead.
func across(t *testing.T, mount string, op trace.Op) *scene {
	s := newScene(t, "mv", "/a/f", "/b/f")
	a := s.file("/a/f", 2*MiB)
	s.call(trace.Syscall{Op: op, Call: 6, File: a, File2: s.name("/b/f"), Offset: trace.NoOffset, Result: -18}, us)
	b := s.identify(trace.File{Path: "/b/f", Device: ext4, Inode: 4711, FSType: "ext4", Mount: mount})
	s.open(a, trace.FlagRead)
	s.open(b, trace.FlagWrite|trace.FlagCreate|trace.FlagTrunc|trace.FlagExcl)
	for at := int64(0); at < 2*MiB; at += 256 * KiB {
		s.read(a, at, 256*KiB, ms)
		s.write(b, at, 256*KiB, ms)
	}
	s.close(b)
	s.returns()
	return s
}

func TestAcrossMounts(t *testing.T) {
	named(t, mv(t, "/b"), "across_mounts", "1 rename was refused", "EXDEV", "both lie on one file system (259:1)")
	if text := kindsOf(t, mv(t, "/"))["across_mounts"]; strings.Contains(text, "both lie") || text == "" {
		t.Errorf("one mount: %q", text)
	}
	named(t, across(t, "/b", trace.OpLink), "across_mounts", "1 hard link was refused",
		"through one mount it is a hard link")
	named(t, across(t, "/b", trace.OpClone), "across_mounts", "1 clone was refused", "EXDEV")
	named(t, across(t, "/", trace.OpLink), "across_mounts", "1 hard link was refused")
	if text := kindsOf(t, across(t, "/", trace.OpClone))["across_mounts"]; text != "" {
		t.Errorf("a clone to another file system: %q", text)
	}
}

func TestViaTemporary(t *testing.T) {
	via := func(gone bool) *scene {
		s := newScene(t, "installs")
		a, tmp, b := s.file("/src/f", 4*MiB), s.create("/tmp/x"), s.create("/dst/f")
		for _, c := range [][2]trace.FileID{{a, tmp}, {tmp, b}} {
			s.open(c[0], trace.FlagRead)
			for at := int64(0); at < 4*MiB; at += 256 * KiB {
				s.read(c[0], at, 256*KiB, ms)
				s.write(c[1], at, 256*KiB, ms)
			}
			s.close(c[1])
			s.close(c[0])
		}
		if gone {
			s.call(trace.Syscall{Op: trace.OpUnlink, File: tmp, Offset: trace.NoOffset}, us)
		}
		s.returns()
		return s
	}
	named(t, via(true), "via_temporary", "f was written twice: through /tmp/x, which was deleted afterwards")
	named(t, via(false), "")
}

// Every kind has a code that is listed; what the profile has no number of is not said.
func TestNoKindWithoutNumbers(t *testing.T) {
	for _, o := range answer.Sentences(&profile.Profile{}) {
		t.Errorf("of nothing: %s", o.Text)
	}
}

// The first kind of work stands in the answer.
func TestKindInTheAnswer(t *testing.T) {
	s := appended(t, 64, func(i int64) int64 { return i * 100 }, 256*KiB)
	p, n := s.profile(), 0
	for _, l := range p.Verdict.Lines {
		if l.Label == "Note" {
			n++
			if !strings.Contains(l.Text, "app.log grows by 100 B and is synced, 64 times") {
				t.Errorf("%s", l.Text)
			}
		}
	}
	if n != 1 {
		t.Errorf("%d notes in %+v", n, p.Verdict.Lines)
	}
}

// A file that calls read several times over is told of, if that is most of what they read, and it is no small one.
func TestRewound(t *testing.T) {
	scan := func(size int64, times int, beside int64) *scene {
		s := newScene(t, "indexer")
		a, b := s.file("/srv/log", size), s.file("/srv/other", 64*MiB)
		s.open(a, trace.FlagRead)
		for range times {
			for at := int64(0); at < size; at += 64 * KiB {
				s.read(a, at, 64*KiB, us)
			}
		}
		for at := int64(0); at < beside; at += 64 * KiB {
			s.read(b, at, 64*KiB, us)
		}
		s.returns()
		return s
	}
	named(t, scan(4*MiB, 3, 0), "rewound", "log was read over and over: 12.6 MB in all; it has 4.19 MB")
	named(t, scan(4*MiB, 1, 0), "")
	named(t, scan(4*MiB, 3, 32*MiB), "")
	named(t, scan(256*KiB, 9, 0), "")
}

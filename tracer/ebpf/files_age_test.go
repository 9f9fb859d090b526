//go:build linux

package ebpf

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

// However many files come and go, those of the last turns are known, and no others: but for those that are announced
// again, that a mapping is of, or that the probes know by a mark without a name.
func TestFilesAge(t *testing.T) {
	const each, turns = 200, 100
	table := newFileTable()
	table.mounts.list = []host.Mount{{Major: 8, Minor: 1, Root: "/", Point: "/"}}
	next := uint32(0)
	tell := func(name string, inode uint64, as func(*iotraceIdent)) (trace.File, bool) {
		next++
		record, names := ident(next, inode, name)
		as(record)
		return table.announce(record, names, 0)
	}
	plain := func(*iotraceIdent) {}
	disk := func(r *iotraceIdent) { r.Mode = 0o060644 }
	sda, _ := tell("sda", 1, disk)
	mapped, _ := tell("mapped", 2, plain)
	hot, _ := tell("hot", 3, plain)
	cold, _ := tell("cold", 4, plain)
	held := mappings{7: {{file: mapped.ID}}}
	var gone []trace.FileID
	var before []uint32 // the last numbers as the last turns began
	for turn := range turns {
		for n := range each {
			tell(fmt.Sprint("new", turn, "-", n), uint64(100+turn*each+n), plain)
			table.named(fmt.Sprint("/missing", turn, "-", n), 0)
		}
		if again, fresh := tell("hot", 3, plain); fresh || again.ID != hot.ID {
			t.Fatalf("turn %d: the file in use is %d, new: %t", turn, again.ID, fresh)
		}
		if asked, fresh := table.named("/named", 0); fresh && turn > 0 {
			t.Fatalf("turn %d: the name in use is %d, new", turn, asked.ID)
		}
		now, valid := table.age(held.files())
		if gone = append(gone, now...); turn >= validFor && valid != before[0]+1 {
			t.Fatalf("turn %d: the first valid number is %d, want %d", turn, valid, before[0]+1)
		}
		before = append(before, next)
		before = before[max(0, len(before)-validFor):]
		if names, most := table.names.kept(), 2*each*(remembered+1)+5; names > most {
			t.Fatalf("turn %d: %d names, want at most %d", turn, names, most)
		}
		if paths := table.byPath.kept(); paths != table.names.kept() {
			t.Fatalf("turn %d: %d paths", turn, paths)
		}
		if room := table.room(); room > 2*chunkSize+5 {
			t.Fatalf("turn %d: room for %d numbers, files or inodes", turn, room)
		}
	}
	slices.Sort(gone)
	if all := 2 * each * (turns - remembered); len(gone) < all || len(slices.Compact(slices.Clone(gone))) != len(gone) {
		t.Errorf("%d files are gone, of at least %d", len(gone), all)
	}
	for _, id := range []trace.FileID{sda.ID, mapped.ID, hot.ID} {
		if slices.Contains(gone, id) || table.path(id) == "" || table.at(id) == nil {
			t.Errorf("file %d is gone", id)
		}
	}
	if disk, again := table.id(1), table.id(next-1); disk != sda.ID || again == 0 {
		t.Errorf("by their numbers, the disk is file %d and one that came lately is %d", disk, again)
	}
	if again, fresh := tell("cold", 4, plain); !fresh || again.ID == cold.ID || !slices.Contains(gone, cold.ID) {
		t.Errorf("the file that was not used is %d, new: %t", again.ID, fresh)
	}
}

// kept is how many values are.
func (r *recent[K, V]) kept() (n int) {
	for range r.all() {
		n++
	}
	return n
}

// room is how many values there is room for.
func (w *window[V]) room() int { return len(w.chunks)*chunkSize + len(w.kept) }

// room is for how many of the probes' numbers, files or inodes there is room, whichever are most.
func (t *fileTable) room() int { return max(t.ids.room(), t.states.room(), t.byNode.kept()) }

// Where files age, new ones take as much memory after five minutes as before, whether they fill a table or not.
func TestAgingFilesTakeTheSameMemory(t *testing.T) {
	const minute = int(time.Minute / turnTime)
	for _, each := range []int{300 * int(turnTime/time.Second), 500 * int(turnTime/time.Second)} {
		table := newFileTable()
		table.mounts.list = []host.Mount{{Major: 8, Minor: 1, Root: "/", Point: "/"}}
		next := uint32(0)
		var most [12]uint64 // by minute
		for turn := range len(most) * minute {
			for range each {
				next++
				record, names := ident(next, uint64(next), fmt.Sprintf("file-%d-with-a-name-of-usual-length", next))
				f, _ := table.announce(record, names, 0)
				table.wrote(f.ID, 9)
			}
			table.age(nil)
			most[turn/minute] = max(most[turn/minute], heap()>>10)
		}
		if early, late := slices.Max(most[:5]), slices.Max(most[5:]); late > early+early/10 {
			t.Errorf("%d files a turn: %d KiB at most at first, then %d; by minute %d", each, early, late, most)
		}
		runtime.KeepAlive(table)
	}
}

// Who wrote a file is known under the name that it has now, when the name under which it was written is forgotten.
func TestAgeSparesInodes(t *testing.T) {
	table := newFileTable()
	table.mounts.list = []host.Mount{{Major: 8, Minor: 1, Root: "/", Point: "/"}}
	table.age(nil)
	record, names := ident(1, 7, "new")
	first, _ := table.announce(record, names, 0)
	table.wrote(first.ID, 9)
	for n := range uint32(10 * chunkSize) {
		if n%chunkSize == 0 {
			table.age(nil)
		}
		if record, names = ident(n+2, 7, "final"); n%2 == 0 {
			record, names = ident(n+2, uint64(n+100), fmt.Sprint("other", n))
		}
		table.announce(record, names, 0)
	}
	record, names = ident(20*chunkSize, 7, "final")
	final, fresh := table.announce(record, names, 0)
	if s := table.at(final.ID); fresh || s == nil || s.writer != 9 {
		t.Errorf("file %d, new: %t, is %+v", final.ID, fresh, s)
	}
	if table.path(first.ID) != "" {
		t.Error("the name that it had is known")
	}
}

// Files that others leave no room for age as well.
func TestCrowdedFilesAge(t *testing.T) {
	const each, turns = 2 * knownFiles, 20
	table := newFileTable()
	table.mounts.list = []host.Mount{{Major: 8, Minor: 1, Root: "/", Point: "/"}}
	table.age(nil)
	gone, lost := 0, map[trace.FileID]bool{}
	for turn := range turns {
		for n := range each {
			table.named(fmt.Sprint("/", turn, "-", n), 0)
			if f, _ := table.named("/hot", 0); lost[f.ID] {
				t.Fatalf("turn %d: the name in use is that of a file that is gone", turn)
			}
		}
		now, _ := table.age(nil)
		gone += len(now)
		for _, id := range now {
			lost[id] = true
		}
		if told, left := (turn+1)*each, (remembered+1)*each; told-gone > left {
			t.Fatalf("turn %d: %d of %d files are gone, want all but %d", turn, gone, told, left)
		}
	}
}

//go:build linux

package ebpf

import (
	"fmt"
	"maps"
	"runtime"
	"testing"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

func TestAWindowForgetsWhatNobodyAsksFor(t *testing.T) {
	var w window[uint32]
	const all = 3 * mostChunks * chunkSize
	for n := uint32(1); n <= all; n++ {
		*w.add(n) = n * 7
		if v := w.at(5); n >= 5 && (v == nil || *v != 35) {
			t.Fatalf("number 5, asked for all the time, is %v after %d", v, n)
		}
	}
	if w.at(6) != nil {
		t.Error("number 6 is remembered")
	}
	for n := uint32(all - mostChunks*chunkSize/2); n <= all; n++ {
		if v := w.at(n); v == nil || *v != n*7 {
			t.Fatalf("number %d is %v", n, v)
		}
	}
	if w.at(all+1) != nil || w.at(1<<31) != nil {
		t.Error("there are numbers that were never added")
	}
	if len(w.chunks) > mostChunks || len(w.kept) > 1 {
		t.Errorf("%d chunks and %d older numbers", len(w.chunks), len(w.kept))
	}
	*w.add(7) = 1 // late
	if v := w.at(7); v == nil || *v != 1 {
		t.Error("a late number is lost")
	}
}

// What was neither added nor asked for in the last turns is forgotten, up to a chunk.
func TestAWindowAges(t *testing.T) {
	var w window[uint32]
	w.age()
	n, each := uint32(0), uint32(chunkSize/3)
	for turn := range 50 {
		for range each {
			n++
			*w.add(n) = n
		}
		if v := w.at(5); v == nil || *v != 5 {
			t.Fatalf("turn %d: number 5, asked for all the time, is %v", turn, v)
		}
		if turn == 20 {
			w.at(6)
		}
		w.age()
		if lately := n - min(n, remembered*each) + 1; w.find(lately) == nil {
			t.Fatalf("turn %d: number %d of %d is forgotten", turn, lately, n)
		}
		if most := (remembered+1)*int(each) + chunkSize; w.room() > most+chunkSize {
			t.Fatalf("turn %d: room for %d numbers, want %d", turn, w.room(), most)
		}
	}
	if w.find(6) != nil || w.find(7) != nil || len(w.kept) != 1 {
		t.Errorf("%d numbers are kept that nobody asks for", len(w.kept))
	}
	for range 2 * remembered {
		w.age()
	}
	if w.find(5) != nil || w.room() != chunkSize {
		t.Errorf("room for %d numbers when all is quiet", w.room())
	}
}

func TestRecentKeepsWhatIsAskedFor(t *testing.T) {
	const limit = 100
	r := newRecent[int, int](limit)
	gone := map[int]bool{}
	r.dropped = func(m map[int]int) {
		for k := range m {
			if gone[k] {
				t.Errorf("%d was dropped twice", k)
			}
			gone[k] = true
		}
	}
	for k := range 100 * limit {
		r.put(k, -k)
		if v, ok := r.get(3); k >= 3 && (!ok || v != -3) {
			t.Fatalf("3 is %d after %d", v, k)
		}
		for near := max(0, k-limit/2); near <= k; near++ {
			if _, young := r.young[near]; young {
				continue
			}
			if v, old := r.old[near]; !old || v != -near {
				t.Fatalf("%d is %d after %d", near, v, k)
			}
		}
	}
	if n := len(r.young) + len(r.old); n > 2*limit || gone[3] || len(gone) < 97*limit {
		t.Errorf("%d kept, %d dropped, 3 among them: %t", n, len(gone), gone[3])
	}
}

// ident is an announcement of file number n under a path in the root.
func ident(n uint32, inode uint64, name string) (*iotraceIdent, []byte) {
	return &iotraceIdent{File: n, Ino: inode, Dev: 0x800001, Mode: 0o100644, Len: uint32(len(name) + 1)},
		append([]byte(name), 0)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A million files take as much memory as the first 150,000, and what is in use
// all the time is known to the end.
func TestTheFileTableDoesNotGrow(t *testing.T) {
	table := newFileTable()
	table.mounts.list = []host.Mount{{Major: 8, Minor: 1, Root: "/", Point: "/"}}
	name, names := ident(1, 1, "hot")
	hot, _ := table.announce(name, names, 0)
	table.wrote(hot.ID, 9)
	var before uint64
	for n := uint32(2); n < 1_000_000; n++ {
		name, names := ident(n, uint64(n), fmt.Sprintf("file-%d-with-a-name-of-usual-length", n))
		f, fresh := table.announce(name, names, 0)
		if !fresh || table.id(n) != f.ID {
			t.Fatalf("file %d has ID %d, fresh %t", n, table.id(n), fresh)
		}
		table.touched(f.ID)
		if n%1000 == 0 {
			if id := table.id(1); id != hot.ID || table.at(id) == nil || table.at(id).writer != 9 {
				t.Fatalf("the file in use is %d after %d", id, n)
			}
		}
		switch n {
		case 300_000:
			before = heap()
		case 999_999:
			if now := heap(); now > before+before/20 {
				t.Errorf("%d KiB with 300,000 files, %d KiB with a million", before>>10, now>>10)
			}
		}
	}
	// Its name is forgotten, where it lies is not: its file system can be synced.
	written := table.written()
	if len(written) != 1 || written[0].Path != "/hot" || written[0].Inode != 0 {
		t.Errorf("written: %+v", written)
	}
	runtime.KeepAlive(table)
}

// The latest name of a file that was written counts.
func TestWrittenFilesHaveTheirLatestName(t *testing.T) {
	table := newFileTable()
	a, an := ident(1, 77, "first")
	f, _ := table.announce(a, an, 0)
	table.wrote(f.ID, 5)
	b, bn := ident(2, 77, "second")
	g, fresh := table.announce(b, bn, 0)
	if !fresh || g.ID == f.ID || table.at(g.ID) != table.at(f.ID) || table.at(g.ID).writer != 5 {
		t.Errorf("%+v, %+v, fresh %t", f, g, fresh)
	}
	if w := table.written(); len(w) != 1 || w[0].Path != "/second" || w[0].Inode != 77 {
		t.Errorf("written: %+v", w)
	}
	if again, fresh := table.announce(b, bn, 0); fresh || again.ID != g.ID {
		t.Errorf("announced again: %+v, fresh %t", again, fresh)
	}
	if n, fresh := table.named("/second", 0); fresh || n.ID != g.ID {
		t.Errorf("named: %+v, fresh %t", n, fresh)
	}
	if id := table.id(3); id != trace.FileID(0) {
		t.Errorf("number 3 is %d", id)
	}
}

// TestUsedFilesLieWhereTheirDirectoriesWentTo: a tree that was renamed takes along what
// had been used in it, and not what got the old name afterwards.
func TestUsedFilesLieWhereTheirDirectoriesWentTo(t *testing.T) {
	table := newFileTable()
	table.mounts.list = []host.Mount{{Major: 8, Minor: 1, Root: "/", Point: "/"}}
	use := func(number uint32, inode uint64, path string) {
		record, names := ident(number, inode, path)
		f, _ := table.announce(record, names, 0)
		table.touched(f.ID)
	}
	rename := func(from, to string) {
		a, _ := table.named(from, 0)
		b, _ := table.named(to, 0)
		table.renamed(a.ID, b.ID)
	}
	use(1, 11, "new/a")
	use(2, 12, "new/b")
	rename("/new/b", "/new/c")
	rename("/new", "/done")
	use(3, 13, "new/d")
	rename("/done", "/kept")
	places := map[uint64]string{}
	for _, f := range table.everUsed() {
		places[f.Inode] = f.Path
	}
	if want := map[uint64]string{11: "/kept/a", 12: "/kept/c", 13: "/new/d"}; !maps.Equal(places, want) {
		t.Errorf("the files lie at %v, want %v", places, want)
	}
}

// TestFilesOpenedByNumber: whoever opens files by their numbers, such as xfsdump, may
// leave the kernel without names. Each is a file of its own then.
func TestFilesOpenedByNumber(t *testing.T) {
	table := newFileTable()
	table.mounts.list = []host.Mount{{Major: 8, Minor: 1, Root: "/", Point: "/mnt"}}
	for n := uint32(1); n <= 2; n++ {
		record, names := ident(n, uint64(100+n), "/")
		record.Flags = uint8(iotraceIdentFlagsIDENT_ALONE)
		f, fresh := table.announce(record, names, 0)
		if want := fmt.Sprintf("/mnt/#%d", 100+n); !fresh || f.Path != want || f.Mount != "/mnt" {
			t.Errorf("%+v (new: %v), want %s", f, fresh, want)
		}
	}
}

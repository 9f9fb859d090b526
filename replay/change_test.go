package replay

import (
	"errors"
	"maps"
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/analyzer/program"

	"github.com/iotrace/iotrace/trace"
)

// loop is a copy of blocks by one thread, between opening and syncing.
func loop(blocks int, size int64) *Program {
	p := &Program{Files: []File{{Size: int64(blocks) * size, End: int64(blocks) * size},
		{End: int64(blocks) * size}}, Threads: 1}
	add := func(kind trace.Op, file int, at, n int64) {
		p.Ops = append(p.Ops, Op{Kind: kind, File: file, File2: -1, Offset: at, Size: n, Pause: 10})
	}
	add(trace.OpOpen, 0, 0, 0)
	add(trace.OpOpen, 1, 0, 0)
	for i := range int64(blocks) {
		add(trace.OpRead, 0, i*size, size)
		add(trace.OpWrite, 1, i*size, size)
	}
	add(trace.OpSync, 1, 0, 0)
	return p
}

func apply(t *testing.T, c program.Change, p *Program) *Program {
	t.Helper()
	q, err := Apply(c, p)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestBlocks(t *testing.T) {
	p := loop(20, 128<<10)
	q := apply(t, program.Change{Block: 1 << 20}, p)
	var kinds []trace.Op
	var sizes []int64
	pauses := int64(0)
	for _, o := range q.Ops {
		kinds, sizes, pauses = append(kinds, o.Kind), append(sizes, o.Size), pauses+o.Pause
	}
	r, w := trace.OpRead, trace.OpWrite
	want := []trace.Op{trace.OpOpen, trace.OpOpen, r, w, r, w, r, w, trace.OpSync}
	if len(kinds) != len(want) {
		t.Fatalf("%v, want %v", kinds, want)
	}
	for i := range want {
		if kinds[i] != want[i] {
			t.Fatalf("%v, want %v", kinds, want)
		}
	}
	if sizes[2] != 1<<20 || sizes[7] != 512<<10 || q.Ops[5].Offset != 1<<20 {
		t.Errorf("sizes %d; the second write is at %d", sizes, q.Ops[5].Offset)
	}
	if pauses != 43*10 {
		t.Errorf("pauses of %d ns, want those of all 43 operations", pauses)
	}
	if len(p.Ops) != 43 || p.Ops[2].Size != 128<<10 {
		t.Error("the program itself was changed")
	}
	if n := len(apply(t, program.Change{Block: 32 << 10}, p).Ops); n != 3+40*4 {
		t.Errorf("split into %d operations, want %d", n, 3+40*4)
	}
}

func TestDepth(t *testing.T) {
	q := apply(t, program.Change{Depth: 4}, loop(20, 4096))
	if q.Threads != 4 {
		t.Fatalf("%d threads", q.Threads)
	}
	for i := 2; i < 42; i += 2 {
		if read, write := q.Ops[i], q.Ops[i+1]; read.Thread != write.Thread || read.Thread != (i/2-1)%4 {
			t.Errorf("block %d is read by thread %d and written by %d", i/2-1, read.Thread, write.Thread)
		}
	}
	if o := q.Ops[4]; len(o.After) != 1 || o.After[0] != 1 {
		t.Errorf("the first read of another thread waits for %v, want the open", o.After)
	}
	if o := q.Ops[42]; o.Thread != 0 || len(o.After) != 3 {
		t.Errorf("the sync waits for %v, want the last writes of three other threads", o.After)
	}
}

func TestNothingToChange(t *testing.T) {
	p := loop(4, 1000) // no offset but the first is one of a page
	for _, c := range []program.Change{{Block: 1000}, {Direct: true}, {NoSync: true, Block: 1000}} {
		if _, err := Apply(c, p); !errors.Is(err, ErrSame) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, err := Apply(program.Change{Depth: maxDepth + 1}, p); err == nil {
		t.Error("any number of threads")
	}
}

func TestReadAhead(t *testing.T) {
	q := apply(t, program.Change{ReadAhead: 16 << 10}, loop(8, 4096))
	told, end := int64(0), int64(0)
	for _, o := range q.Ops {
		switch o.Kind {
		case trace.OpAdvise:
			if o.Offset != told {
				t.Errorf("told of what begins at %d, before up to %d", o.Offset, told)
			}
			told = o.Offset + o.Size
		case trace.OpRead:
			if end = o.Offset + o.Size; told < end+8<<10 {
				t.Errorf("up to %d was read when the kernel was told of %d", end, told)
			}
		}
	}
}

// Whatever is changed: the same bytes are moved, pauses are neither made nor
// lost, and no operation waits for one that waits for it.
func TestChangesKeepTheWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := programs(t)
		c := program.Change{Direct: rapid.Bool().Draw(t, "direct"), NoSync: rapid.Bool().Draw(t, "nosync"),
			Block: rapid.SampledFrom([]int64{0, 4096, 16 << 10, 1 << 20}).Draw(t, "block"),
			Depth: rapid.IntRange(0, 5).Draw(t, "depth"), ReadAhead: rapid.SampledFrom([]int64{0, 64 << 10}).Draw(t, "ahead")}
		q, err := Apply(c, p)
		if errors.Is(err, ErrSame) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if before, after := bytesMoved(p), bytesMoved(q); !maps.Equal(before, after) {
			t.Fatalf("%+v: moved %v, now %v", c, before, after)
		}
		if n := ends(q); n != len(q.Ops) {
			t.Fatalf("%+v: %d of %d operations can begin", c, n, len(q.Ops))
		}
		if before, after := pauses(p), pauses(q); after > before || after < before && !c.NoSync {
			t.Fatalf("%+v: pauses of %d ns, now %d", c, before, after)
		}
	})
}

// programs draws one of several threads that wait for earlier operations of each
// other.
func programs(t *rapid.T) *Program {
	threads, files := rapid.IntRange(1, 3).Draw(t, "threads"), rapid.IntRange(1, 3).Draw(t, "files")
	p := &Program{Threads: threads, Files: make([]File, files)}
	position := map[[2]int]int64{}
	for i := range rapid.IntRange(1, 40).Draw(t, "ops") {
		o := Op{Thread: rapid.IntRange(0, threads-1).Draw(t, "thread"),
			File: rapid.IntRange(0, files-1).Draw(t, "file"), File2: -1, Pause: 1,
			Kind: rapid.SampledFrom([]trace.Op{trace.OpRead, trace.OpRead, trace.OpWrite, trace.OpWrite,
				trace.OpSync}).Draw(t, "kind")}
		if o.Kind != trace.OpSync {
			at := [2]int{o.File, int(o.Kind)}
			o.Offset, o.Size = position[at], 4096*rapid.Int64Range(1, 3).Draw(t, "size")
			position[at] = o.Offset + o.Size
			p.Files[o.File].End = max(p.Files[o.File].End, position[at])
		}
		if i > 0 && rapid.IntRange(0, 2).Draw(t, "waits") == 0 {
			if j := rapid.IntRange(0, i-1).Draw(t, "for"); p.Ops[j].Thread != o.Thread {
				o.After = []int{j}
			}
		}
		p.Ops = append(p.Ops, o)
	}
	return p
}

// bytesMoved counts how often each page of a file is read and written.
func bytesMoved(p *Program) map[[3]int64]int {
	moved := map[[3]int64]int{}
	for _, o := range p.Ops {
		for at := o.Offset; at < o.Offset+o.Size && o.Kind.MovesData(); at += 4096 {
			moved[[3]int64{int64(o.File), int64(o.Kind), at}]++
		}
	}
	return moved
}

func pauses(p *Program) (ns int64) {
	for _, o := range p.Ops {
		ns += o.Pause
	}
	return ns
}

// ends is how many operations come to their end.
func ends(p *Program) int {
	lists := make([][]int, p.Threads)
	for i, o := range p.Ops {
		lists[o.Thread] = append(lists[o.Thread], i)
	}
	done := make([]bool, len(p.Ops))
	ended := 0
	for progress := true; progress; {
		progress = false
		for t, list := range lists {
			for len(list) > 0 && all(p.Ops[list[0]].After, done) {
				done[list[0]] = true
				list = list[1:]
				ended++
				progress = true
			}
			lists[t] = list
		}
	}
	return ended
}

func all(list []int, done []bool) bool {
	for _, i := range list {
		if !done[i] {
			return false
		}
	}
	return true
}

// Without syncs no write waits until its data is safe either; blocks that wait and others do not become one.
func TestSynchronousWritesWithoutSyncs(t *testing.T) {
	p := loop(4, 4096)
	for i := range p.Ops {
		if o := &p.Ops[i]; o.Kind == trace.OpWrite && o.Offset >= 8192 {
			o.Sync = trace.FlagDSync
		}
	}
	for i, o := range apply(t, program.Change{NoSync: true}, p).Ops {
		if o.Sync != 0 || o.Kind == trace.OpSync {
			t.Errorf("operation %d waits: %+v", i, o)
		}
	}
	var writes []Op
	for _, o := range apply(t, program.Change{Block: 1 << 20}, p).Ops {
		if o.Kind == trace.OpWrite {
			writes = append(writes, o)
		}
	}
	if len(writes) != 2 || writes[0].Sync != 0 || writes[1].Sync != trace.FlagDSync || writes[1].Size != 8192 {
		t.Errorf("%+v", writes)
	}
	p.Ops = p.Ops[:len(p.Ops)-1] // the sync: what remains to be left out is in the writes
	if _, err := Apply(program.Change{NoSync: true}, p); err != nil {
		t.Error(err)
	}
}

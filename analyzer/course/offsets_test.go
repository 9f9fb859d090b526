package course

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
)

// follow is a collector of one file over a thousand bins of 1000 ns.
func follow() (*Offsets, *world.File) {
	f := &world.File{Number: 3, Path: "/a"}
	c := &Offsets{width: 1000}
	x := &file{File: f, row: firstRow, cells: map[place]int64{}, steps: map[place]int64{}}
	c.files.Set(f.Number, x)
	c.list = append(c.list, x)
	return c, f
}

func finished(t *testing.T, c *Offsets) profile.Offsets {
	t.Helper()
	var p profile.Profile
	c.Finish(&p)
	if len(p.Charts.Offsets) != 1 {
		t.Fatalf("%d files", len(p.Charts.Offsets))
	}
	return p.Charts.Offsets[0]
}

// A file that is read from end to end is a line that rises: no row is touched before one
// below it, and all bytes are there, however often rows grew.
func TestSequentialRises(t *testing.T) {
	c, f := follow()
	const size, call = 64 << 20, 256 << 10
	for at := int64(0); at < size; at += call {
		c.add(f, profile.TouchRead, at/call*900, at/call*900+800, at, call)
	}
	o := finished(t, c)
	if o.Rows > rows || o.RowBytes*o.Rows < size {
		t.Errorf("%d rows of %d bytes for a file of %d", o.Rows, o.RowBytes, size)
	}
	total, last := int64(0), int64(0)
	for _, x := range o.Cells {
		if total += x[3]; x[1] < last {
			t.Fatalf("row %d is touched after row %d", x[1], last)
		}
		last = x[1]
	}
	if total != size {
		t.Errorf("%d bytes, want %d", total, size)
	}
}

// One call that moves all of a file passes through it in the time it took.
func TestOneCallPassesThrough(t *testing.T) {
	c, f := follow()
	c.add(f, profile.TouchWrite, 0, 100_000, 0, rows*firstRow)
	o := finished(t, c)
	if first, last := o.Cells[0], o.Cells[len(o.Cells)-1]; first[1] != 0 || last[1] != rows-1 || last[0] < 98 {
		t.Errorf("from row %d in bin %d to row %d in bin %d", first[1], first[0], last[1], last[0])
	}
}

// A jump back is seen as one, a read of another file is not, and what cannot be is left out.
func TestJumps(t *testing.T) {
	c, f := follow()
	c.add(f, profile.TouchRead, 0, 10, 8<<20, 4096)
	c.add(f, profile.TouchFault, 5000, 5010, 4096, 4096)
	c.add(&world.File{Number: 4}, profile.TouchRead, 0, 10, 0, 4096)
	c.add(f, profile.TouchRead, 0, 10, -1, 4096)
	o := finished(t, c)
	if !slices.IsSortedFunc(o.Cells, func(a, b profile.Touch) int { return slices.Compare(a[:], b[:]) }) ||
		len(o.Cells) != 2 {
		t.Fatalf("%v", o.Cells)
	}
	if o.Cells[0][1] <= o.Cells[1][1] || o.Cells[1][2] != profile.TouchFault {
		t.Errorf("%v", o.Cells)
	}
}

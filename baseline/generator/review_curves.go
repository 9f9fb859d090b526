package generator

import (
	"fmt"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
)

// Curves are what the load generator measures beside the everyday work: how the speed depends on one thing.
var Curves = []string{"blocks", "depths", "mix", "files", "sustained"}

// A point of a curve past the page cache takes so long: 0.5 s are 50 operations of a drive that needs 10 ms for each.
const pointTime = 500 * time.Millisecond

// The settings of the curves are those of the programs that made them known: ATTO has 4 requests at once, AnandTech's
// depths are of random 4 KiB, and so is its mix, at depth 4.
const (
	smallestBlock = 4 << 10
	largestBlock  = 16 << 20
	blocksDepth   = 4
	randomBlock   = 4 << 10
	streamBlock   = 128 << 10 // of AnandTech's sequential transfers
	streamMix     = 1         // at once, in its sequential mix
	deepest       = 32
	mixDepth      = 4
	mixStep       = 10
)

// fileSizes are those of one run over files, in the proportions of Stibium's gold standard.
var fileSizes = []int64{2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, 600, 800, 1000, 2000}

// What is written to see a drive slow down: a multiple of the largest file, in pieces.
const (
	sustainedTimes  = 20
	sustainedPieces = 160
	leastPiece      = 16 * mib
)

// curve is the tasks of a curve over a file of a size, or over files that have that size together.
func curve(name string, size int64) (all []baseline.Task) {
	ops := []baseline.Op{baseline.Write, baseline.Read}
	point := func(op baseline.Op, over baseline.Axis, value int64) {
		all = append(all, way{baseline.Sequential, value}.pointOf(name, op, over, value, size))
	}
	switch name {
	case "blocks":
		for _, op := range ops {
			for block := int64(smallestBlock); block <= min(largestBlock, size); block *= 2 {
				point(op, baseline.OverBlock, block)
			}
		}
	case "depths":
		for _, way := range ways {
			for _, op := range ops {
				for depth := int64(1); depth <= deepest; depth *= 2 {
					all = append(all, way.pointOf(name, op, baseline.OverDepth, depth, size))
				}
			}
		}
	case "mix":
		for _, way := range ways {
			for share := int64(0); share <= 100; share += mixStep {
				all = append(all, way.pointOf(name, baseline.Mixed, baseline.OverReads, share, size))
			}
		}
	case "files":
		for _, op := range ops {
			all = append(all, filesOf(op, size))
		}
	case "sustained":
		piece, n := pieces(size)
		all = append(all, baseline.Task{Name: name + " " + unit.BlockSize(piece*n), Work: name, Op: baseline.Write,
			Bytes: piece * n, Files: int(n), Runs: 1, Measure: baseline.ByRate,
			About: fmt.Sprintf("%s written once, past the page cache, in %d new files that all stay until the end",
				unit.Bytes(piece*n), n)})
	}
	return all
}

// filesOf is writing or reading whole files that have a size together.
func filesOf(op baseline.Op, size int64) baseline.Task {
	how := "written until fsync has returned"
	if op == baseline.Read {
		how = "read, cold cache"
	}
	sizes := sizesOf(size)
	return baseline.Task{Name: fmt.Sprintf("files %s %s", op, unit.BlockSize(size)), Work: "files", Op: op,
		Cold: op == baseline.Read, Bytes: size, Files: len(sizes), Measure: baseline.ByRate,
		About: fmt.Sprintf("%d files of %s to %s, one after the other, %s", len(sizes), unit.Bytes(sizes[0]),
			unit.Bytes(sizes[len(sizes)-1]), how)}
}

// pieces are those of sustained writing: how large each is, and how many.
func pieces(size int64) (piece, n int64) {
	total := sustainedTimes * size
	piece = max(baseline.WholeBlocks(total/sustainedPieces, mib), leastPiece)
	return piece, max(total/piece, 1)
}

// sizesOf are those of files that have a size together.
func sizesOf(together int64) []int64 {
	sizes := make([]int64, len(fileSizes))
	for i, n := range fileSizes {
		sizes[i] = max(1, int64(float64(n)/float64(sum(fileSizes))*float64(together)))
	}
	return sizes
}

func sum(sizes []int64) (n int64) {
	for _, s := range sizes {
		n += s
	}
	return n
}

// way is the order of the operations of a curve, and their size.
type way struct {
	access baseline.Access
	block  int64
}

// ways are those of AnandTech.
var ways = []way{{baseline.Random, randomBlock}, {baseline.Sequential, streamBlock}}

func (w way) pointOf(name string, op baseline.Op, over baseline.Axis, value, size int64) baseline.Task {
	text := unit.Count(value)
	switch over {
	case baseline.OverBlock:
		text = unit.BlockSize(value)
	case baseline.OverReads:
		text += " %"
	}
	t := baseline.Task{Name: fmt.Sprintf("%s %s %s", name, op, text), Work: name, Op: op, Bytes: size,
		Point: &baseline.Point{Over: over, Value: value}, Measure: baseline.ByRate, Access: w.access, Block: w.block}
	if over != baseline.OverBlock && w.access == baseline.Sequential {
		t.Name = fmt.Sprintf("%s sequential %s %s", name, op, text)
	}
	how := fmt.Sprintf("%s, %d at once", w.access, blocksDepth)
	switch over {
	case baseline.OverDepth:
		how = string(w.access) + ", " + unit.BlockSize(w.block)
	case baseline.OverReads:
		how = fmt.Sprintf("%s, %s, %d at once", w.access, unit.BlockSize(w.block), w.mixDepth())
	}
	t.About = fmt.Sprintf("%s, past the page cache, in a file of %s, %s for each run of a point", how,
		unit.BlockSize(size), unit.Duration(pointTime))
	return t
}

// mixDepth is how many operations of a mix there are at once.
func (w way) mixDepth() int {
	if w.access == baseline.Sequential {
		return streamMix
	}
	return mixDepth
}

// step is what the load generator does for a task, or for a piece of one.
func step(t baseline.Task) baseline.Step {
	s := baseline.Step{Name: t.Name, Op: t.Op, Access: baseline.Sequential, Block: mib, Depth: 1, Threads: 1,
		Cache: baseline.Direct, FileSize: t.Bytes, Data: baseline.RandomData}
	switch t.Work {
	case "blocks":
		s.Block, s.Depth = t.Point.Value, blocksDepth
	case "blackmagic":
		s.Depth = sustainedDepth
	case "depths":
		s.Access, s.Block, s.Depth = t.Access, t.Block, int(t.Point.Value)
	case "mix":
		s.Access, s.Block, s.Depth, s.ReadShare = t.Access, t.Block, way{t.Access, t.Block}.mixDepth(), int(t.Point.Value)
		s.SplitMix = t.Access == baseline.Sequential
	case "files":
		s.FileSize, s.Blocking, s.Cache, s.Fresh = 0, true, baseline.Buffered, true
		s.Files = &baseline.FileSet{Sizes: sizesOf(t.Bytes), Rounds: 1, Shuffle: true}
		if s.Sync = baseline.SyncEnd; t.Op == baseline.Read {
			s.Sync, s.Cache, s.Fresh = baseline.SyncNone, baseline.Uncached, false
		}
	case "sustained":
		s.Depth, s.Fresh = sustainedDepth, true
		s.FileSize = t.Bytes / int64(max(t.Files, 1))
	}
	if t.Point != nil {
		s.FileSize = baseline.WholeBlocks(t.Bytes, s.Block)
		s.Limit.Time = pointTime
	}
	return s
}

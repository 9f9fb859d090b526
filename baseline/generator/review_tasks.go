package generator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
)

// Names are the kinds of work, in the order of the tables.
var Names = append([]string{"blackmagic", "cp", "tree", "clone", "launch", "scrub"}, Curves...)

// A tree is as many files of each of these sizes, as a project of text and small pictures has them.
var treeSizes = []int64{1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10}

const treeRounds = 100

// A scrub reads a piece of a second of film at each jump.
const (
	scrubJumps = 100
	scrubPiece = 1 << 20
)

// Tasks are those that kinds of work with files of some sizes come to.
func Tasks(names []string, sizes []int64) ([]baseline.Task, error) {
	var all []baseline.Task
	for _, name := range names {
		if !slices.Contains(Names, name) {
			return nil, fmt.Errorf("work %q: there is %s", name, strings.Join(Names, ", "))
		}
	}
	for _, name := range Names {
		if !slices.Contains(names, name) {
			continue
		}
		switch name {
		case "tree", "launch":
			all = append(all, task(name, true, 0))
		case "scrub":
			all = append(all, task(name, true, slices.Max(sizes)))
		case "clone":
			for _, size := range sizes {
				all = append(all, task(name, false, size))
			}
		case "blackmagic":
			for _, size := range sizes {
				all = append(all, blackmagic(baseline.Write, size), blackmagic(baseline.Read, size))
			}
		case "cp":
			for _, size := range sizes {
				all = append(all, task(name, true, size), task(name, false, size))
			}
		default:
			all = append(all, curve(name, slices.Max(sizes))...)
		}
	}
	return all, nil
}

// blackmagic is one direction of a disk speed test as Blackmagic's is taken to be: its block and depth are not
// published.
func blackmagic(op baseline.Op, size int64) baseline.Task {
	return baseline.Task{Name: fmt.Sprintf("blackmagic %s %s", op, unit.BlockSize(size)), Work: "blackmagic", Op: op,
		Bytes: size, Measure: baseline.ByRate, About: fmt.Sprintf("one file of %s, %s in order past the page "+
			"cache, 1 MiB at a time, 8 at once, as bmdst-like/h1-async", unit.BlockSize(size),
			map[baseline.Op]string{baseline.Write: "written over", baseline.Read: "read"}[op])}
}

func task(work string, cold bool, size int64) baseline.Task {
	t := baseline.Task{Work: work, Cold: cold, Bytes: size, Measure: baseline.ByRate}
	switch work {
	case "cp":
		t.Name = "cp " + unit.BlockSize(size)
		t.About = "cp copies a file of " + unit.BlockSize(size) + " within the volume"
		if cold {
			t.Name += " cold"
			t.About += ", cold cache"
		} else {
			t.Name += " warm"
			t.About += ", warm cache"
		}
	case "clone":
		t.Name, t.Measure = "clone "+unit.BlockSize(size), baseline.ByTime
		t.About = "cp makes a clone of a file of " + unit.BlockSize(size) + ": no data moves where the file system can do it"
	case "tree":
		for _, n := range treeSizes {
			t.Bytes += n * treeRounds
		}
		t.Name, t.Files = "tree", treeRounds*len(treeSizes)
		t.About = fmt.Sprintf("cp -r copies %d files of 1 to 256 KiB, %s, cold cache", t.Files, unit.Bytes(t.Bytes))
	case "launch":
		t.Name, t.Measure = "launch", baseline.ByTime
		t.About = "a program that lies on the volume starts and ends, cold cache"
	case "scrub":
		t.Name, t.Measure = "scrub", baseline.ByTime
		t.About = fmt.Sprintf("%d jumps to random places of a file of %s, 1 MiB read at each: the time of one", scrubJumps,
			unit.BlockSize(size))
	}
	return t
}

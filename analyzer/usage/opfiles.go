package usage

import (
	"cmp"
	"path"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// OpFiles counts, for each operation on names and for reads, writes and syncs, the calls on each file. It keeps two
// numbers a file and operation, so that it knows of all files and not of the listed ones alone.
type OpFiles struct {
	files *world.Files
	of    map[trace.Op]*onFiles
	last  *onFiles // of the operation of the last call
	op    trace.Op
}

// onFiles are the calls of one operation, by the number of the file.
type onFiles struct{ list []spent }

// spent is how many calls there were, and their time.
type spent struct{ count, ns int64 }

func (s *spent) add(o spent) { s.count, s.ns = s.count+o.count, s.ns+o.ns }

// NewOpFiles returns a collector.
func NewOpFiles(files *world.Files) *OpFiles {
	return &OpFiles{files: files, of: map[trace.Op]*onFiles{}}
}

// Call counts one on a file.
func (c *OpFiles) Call(e *world.Call) {
	if e.File == nil || !e.Op.Metadata() && !e.Op.Durability() && e.Op != trace.OpRead && e.Op != trace.OpWrite {
		return
	}
	if c.last == nil || c.op != e.Op {
		if c.last = c.of[e.Op]; c.last == nil {
			c.last = &onFiles{}
			c.of[e.Op] = c.last
		}
		c.op = e.Op
	}
	c.last.at(e.File.Number).add(spent{1, e.Duration})
}

func (o *onFiles) at(number int) *spent {
	if n := len(o.list); number >= n {
		o.list = append(o.list, make([]spent, max(number+1, 2*n)-n)...)
	}
	return &o.list[number]
}

// Finish lists the operations on several files, most time first.
func (c *OpFiles) Finish(p *profile.Profile) {
	dirs, in := directoriesOf(c.files.All)
	for op, o := range c.of {
		if f := o.where(c.files.All, dirs, in); f.Files > 1 {
			f.Op = op
			p.OpFiles = append(p.OpFiles, f)
		}
	}
	sorting.Stably(p.OpFiles, func(a, b profile.OpFiles) int {
		return cmp.Or(cmp.Compare(b.UnderNS, a.UnderNS), cmp.Compare(b.Calls, a.Calls),
			cmp.Compare(a.Op.String(), b.Op.String()))
	})
}

// directoriesOf lists the directories that files lie in, and which of them each file is in; -1 of what has no place.
func directoriesOf(files []*world.File) (dirs []string, in []int) {
	known := map[string]int{}
	in = make([]int, len(files))
	for i, f := range files {
		in[i] = -1
		if f.Path == "" || f.Stream() {
			continue
		}
		d := path.Dir(f.Path)
		if f.Kind == trace.FileDirectory {
			d = f.Path
		}
		n, ok := known[d]
		if !ok {
			n = len(dirs)
			known[d] = n
			dirs = append(dirs, d)
		}
		in[i] = n
	}
	return dirs, in
}

// where adds up the calls by directory.
func (o *onFiles) where(files []*world.File, dirs []string, in []int) (f profile.OpFiles) {
	all, count := make([]spent, len(dirs)), make([]int64, len(dirs))
	var total int64
	for i, file := range files {
		if file.Number >= len(o.list) || in[i] < 0 || o.list[file.Number].count == 0 {
			continue
		}
		s := o.list[file.Number]
		f.Files++
		f.Calls += s.count
		total += s.ns
		count[in[i]]++
		all[in[i]].add(s)
	}
	took := map[string]int64{}
	for i, s := range all {
		if s.ns > 0 {
			took[dirs[i]] = s.ns
		}
	}
	if f.Under, f.UnderNS = measure.Deepest(took, nearlyAll); f.Under == "" {
		f.UnderFiles, f.UnderCalls, f.UnderNS = f.Files, f.Calls, total
		return f
	}
	for i, s := range all {
		if s.count > 0 && measure.Within(dirs[i], f.Under) {
			f.UnderFiles += count[i]
			f.UnderCalls += s.count
		}
	}
	return f
}

package gap

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"github.com/iotrace/iotrace/baseline"
)

// Given are rates that somebody knows, in bytes per second; 0 for those that nobody knows.
type Given struct{ Read, Write, Copy, Link float64 }

// Reference is what a workload is compared with.
type Reference struct {
	Name     string
	Setting  Setting
	Speed    Benchmark
	Result   *baseline.StepResult // what its runs gave; nil of a pattern, and of a review
	Warnings []string
}

// Sought is the workload for which a benchmark is sought.
type Sought struct {
	Reads  bool // moves its data by reading it; else by writing
	Copies bool // what it writes was read
	Warm   bool // what it reads was in memory
	Files  int64
	Bytes  int64
	Dir    string // where it is to be measured, if anywhere
}

// SoughtBy is what is sought for a workload, which may be nil.
func SoughtBy(w *Workload, dir string) Sought {
	if w == nil {
		return Sought{Dir: dir}
	}
	return Sought{Reads: w.Reading(), Copies: w.Copies(), Warm: w.Warm, Files: w.Files, Bytes: w.Bytes, Dir: dir}
}

// FindReference looks for the step of a benchmark that moves data as the workload does: reading, copying, or else
// writing. name is that of a pattern or of a file of results, whose rates then count as far as they are measurements;
// rates that are given count more.
func FindReference(name string, sought Sought, given Given) (*Reference, error) {
	b := &Reference{}
	results, err := read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the benchmark's results: %w", err)
	}
	switch r := results.(type) {
	case *baseline.Review:
		err = b.review(r, name, sought)
	case *baseline.Report:
		err = b.report(r, name, sought)
	case *baseline.SustainedReport:
		err = fmt.Errorf("%s holds a sustained run, which has no single speed: name results of patterns, or of bench --with",
			name)
	default:
		err = b.pattern(name, sought)
	}
	if err != nil {
		return nil, err
	}
	b.Speed.Read = replaced(b.Speed.Read, given.Read)
	b.Speed.Write = replaced(b.Speed.Write, given.Write)
	b.Speed.Copy = replaced(b.Speed.Copy, given.Copy)
	b.Speed.Link = given.Link
	return b, nil
}

// read reads results of bench or of fio.
func read(name string) (any, error) {
	if r, err := readFio(name); !errors.Is(err, errOther) {
		return r, err
	}
	return baseline.ReadResults(name)
}

// pattern takes a pattern of the catalogue.
func (b *Reference) pattern(name string, sought Sought) error {
	patterns, err := baseline.Lookup(name)
	if err != nil {
		return err
	}
	for _, p := range patterns {
		for _, s := range p.Steps {
			if fits(s, sought) {
				b.Name, b.Setting = p.Name, setting(s)
				return nil
			}
		}
	}
	return none(name, sought, patterns)
}

// fits reports whether a step moves the data of one file in the direction of the workload.
func fits(s baseline.Step, sought Sought) bool {
	switch {
	case s.Op == baseline.Copy:
		return sought.Copies && s.Method != baseline.CopyClone
	case sought.Reads:
		return s.Op == baseline.Read && s.Files == nil && s.Block > 0
	}
	return s.Op == baseline.Write && s.Files == nil && s.Block > 0
}

// none says why no step fits.
func none(name string, sought Sought, patterns []baseline.Pattern) error {
	verb, copies, clones := "writes", false, len(patterns) > 0
	if sought.Reads {
		verb = "reads"
	}
	for _, p := range patterns {
		for _, s := range p.Steps {
			copies = copies || s.Op == baseline.Copy
			clones = clones && s.Method == baseline.CopyClone
		}
	}
	switch {
	case clones:
		return fmt.Errorf("comparing with %s: a clone moves no data, so that nothing can be as fast (name a pattern that "+
			"copies, such as copy/loop-256k)", name)
	case copies:
		return fmt.Errorf("comparing with %s: it copies, and the workload only %s (name a pattern that %s: see iotrace "+
			"bench --list)", name, verb, verb)
	}
	return fmt.Errorf("comparing with %s: it has no step that %s blocks of one file, as the workload does (see iotrace "+
		"bench --list)", name, verb)
}

// setting is a step in the terms of a workload.
func setting(s baseline.Step) Setting {
	g := Setting{
		Read: s.Op != baseline.Write, Write: s.Op != baseline.Read, Depth: s.Nominal(), Block: s.Block, Fresh: s.Fresh,
		Buffered: s.Cache == baseline.Buffered,
		Random:   s.Access == baseline.Random || s.Access == baseline.Shuffled,
	}
	if s.Method == baseline.CopyFileRange || s.Method == baseline.CopySendfile {
		g.InKernel, g.Block = true, kernelPiece
	}
	if s.Data == baseline.Zero || s.Data == baseline.ByteA {
		g.Compressible = 1
	}
	return g
}

// kernelPiece stands for the size of calls that copy a whole file in the kernel.
const kernelPiece = 1 << 20

// replaced is a rate that is given, or else the one that is known.
func replaced(known Speed, given float64) Speed {
	if given <= 0 {
		return known
	}
	s := Speed{Source: "given"}
	s.Value = given
	return s
}

// review takes the copy of a review (bench --with) that is most like the workload's: of a tree if there are several
// files, else of a file of the nearest size, on the volume that is to be measured.
func (b *Reference) review(r *baseline.Review, name string, sought Sought) error {
	if !sought.Copies {
		return fmt.Errorf("comparing with %s: the work of a review that gap knows are copies (cp, tree), and the workload "+
			"copies nothing (name a pattern: see iotrace bench --list)", name)
	}
	if len(r.Volumes) == 0 {
		return fmt.Errorf("comparing with %s: it has no volume", name)
	}
	volume := volumeOf(r, sought.Dir)
	var best *baseline.Task
	for i := range r.Tasks {
		t := &r.Tasks[i]
		if res := t.Results[volume]; (t.Work == "cp" || t.Work == "tree") && res.Skipped == "" && res.Value.Median > 0 &&
			t.Bytes > 0 && (best == nil || unlikeReference(t, sought) < unlikeReference(best, sought)) {
			best = t
		}
	}
	if best == nil {
		return fmt.Errorf("comparing with %s: it has no copy on %s (make one with iotrace bench --with cp,tree)", name,
			r.Volumes[volume].Label)
	}
	if len(r.Volumes) > 1 {
		b.Warnings = append(b.Warnings, fmt.Sprintf("of the volumes of %s the benchmark is that of %s", name,
			r.Volumes[volume].Label))
	}
	b.Name = best.Name + " on " + r.Volumes[volume].Label
	b.Setting = Setting{Read: true, Write: true, Depth: 1, Block: kernelPiece, Buffered: true, Warm: !best.Cold,
		Fresh: true, InKernel: r.OS == "linux"}
	if best.Files > 1 {
		b.Setting.FileSize = best.Bytes / int64(best.Files)
	}
	b.Speed.Copy = measured(b.Name, best.Results[volume].Value)
	return nil
}

// unlikeReference is how far a task is from the workload: first by its files, then by its size, then by its cache.
func unlikeReference(t *baseline.Task, sought Sought) float64 {
	far := math.Abs(math.Log2(float64(t.Bytes) / math.Max(float64(sought.Bytes), 1)))
	if (t.Files > 1) != (sought.Files > 1) {
		far += 1000
	}
	if t.Cold == sought.Warm {
		far += 0.5
	}
	return far
}

// volumeOf is the volume of a review on which a directory lies; the first if none is known to be.
func volumeOf(r *baseline.Review, dir string) int {
	real, err := filepath.EvalSymlinks(dir)
	if dir == "" || err != nil {
		return 0
	}
	if real, err = filepath.Abs(real); err != nil {
		return 0
	}
	best := 0
	for i, v := range r.Volumes {
		if v.Mount != "" && within(real, v.Mount) && (!within(real, r.Volumes[best].Mount) ||
			len(v.Mount) > len(r.Volumes[best].Mount)) {
			best = i
		}
	}
	return best
}

// within reports whether a path lies in a directory.
func within(path, dir string) bool {
	if dir == "" {
		return false
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

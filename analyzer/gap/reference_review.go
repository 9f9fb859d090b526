package gap

import (
	"fmt"
	"math"
	"path/filepath"

	"github.com/iotrace/iotrace/baseline"
)

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

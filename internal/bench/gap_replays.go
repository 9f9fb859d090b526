//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/stats"
)

// replays compares replays with their recordings. A disk whose speed changes
// from minute to minute makes one recording a poor measure for many replays:
// each replay is set against a recording made right before it.
func (s *gapSession) replays() (err error) {
	release, err := Fragment(s.ended, 8<<30) // buffered copies depend on it
	if err != nil {
		return err
	}
	defer release()
	slowly, end, err := testenv.Start(s.dir, 4*time.Millisecond)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	fmt.Println("\n| workload | replayed / recorded, median | quartiles | each | sizes and order equal |\n" +
		"|---|---|---|---|---|")
	direct := []string{"dd", "if={}/source", "of={}/target", "bs=1M", "iflag=direct", "oflag=direct", "status=none"}
	for _, w := range []replayed{
		{"dd of 128 MiB in direct blocks of 1 MiB, on a device whose every request takes 4 ms", slowly, 128, direct},
		{"dd of 512 MiB in direct blocks of 1 MiB, on the disk", s.dir, 512, direct},
		{"cp of 128 MiB, cold, on a device whose every request takes 4 ms", slowly, 128,
			[]string{"cp", "{}/source", "{}/target"}},
		{"dd of 128 MiB in blocks of 128 KiB, cold, on that device", slowly, 128, []string{"dd", "if={}/source",
			"of={}/target", "bs=128k", "status=none"}},
		{"cp of 512 MiB, cold, on the disk", s.dir, 512, []string{"cp", "{}/source", "{}/target"}},
		{"dd of 512 MiB in blocks of 128 KiB, cold, on the disk", s.dir, 512, []string{"dd", "if={}/source", "of={}/target",
			"bs=128k", "status=none"}},
		{"5,000 new files of 4 KiB, in a new file system", "", 1, []string{s.self, makeWork, "files", "{}/target"}},
	} {
		if err := s.replayAll(w); err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
	}
	return nil
}

// replayed is a workload that is recorded and replayed.
type replayed struct {
	name, dir string // "": a new file system each time
	source    int    // MiB
	words     []string
}

func (s *gapSession) replayAll(w replayed) error {
	var ratios []float64
	var each []string
	equal := true
	for i := range s.runs {
		r, err := s.replay(w)
		if err != nil {
			return err
		}
		ratios = append(ratios, r.Ratio)
		each = append(each, fmt.Sprintf("%.2f", r.Ratio))
		equal = equal && r.SameSizes && r.SameOrder
		fmt.Fprintf(os.Stderr, "%s %d: %.3f (%.0f ms recorded, %.0f ms replayed)\n", w.name, i+1, r.Ratio,
			float64(r.Recorded.Wall)/1e6, float64(r.Replayed.Wall)/1e6)
	}
	slices.Sort(ratios)
	n := len(ratios)
	fmt.Printf("| %s | %.3f | %.2f to %.2f | %s | %v |\n", w.name, stats.Median(ratios), ratios[n/4], ratios[n-1-n/4],
		strings.Join(each, ", "), equal)
	return nil
}

type replayResult struct {
	Ratio     float64 `json:"wall_ratio"`
	SameSizes bool    `json:"same_sizes"`
	SameOrder bool    `json:"same_order"`
	Recorded  struct {
		Wall int64 `json:"wall_ns"`
	}
	Replayed struct {
		Wall int64 `json:"wall_ns"`
	}
}

// replay records a workload and replays it, both with a cold cache and a disk
// at rest.
func (s *gapSession) replay(w replayed) (r replayResult, err error) {
	dir := w.dir
	if dir == "" {
		var undo func() error
		dir, undo, err = newImage(s.dir)
		defer func() { err = errors.Join(err, undo()) }()
		if err != nil {
			return r, err
		}
		if err := os.Mkdir(filepath.Join(dir, "target"), 0o700); err != nil {
			return r, err
		}
	}
	source, target := filepath.Join(dir, "source"), filepath.Join(dir, "target")
	if err := command("dd", "if=/dev/urandom", "of="+source, "bs=1M", fmt.Sprint("count=", w.source), "status=none",
		"conv=fsync"); err != nil {
		return r, err
	}
	if err := cold(source); err != nil {
		return r, err
	}
	trace := filepath.Join(s.dir, "replay.iotrace")
	words := []string{"record", "--quiet", "-f", "-o", trace, "--"}
	for _, word := range w.words {
		words = append(words, strings.ReplaceAll(word, "{}", dir))
	}
	if _, err := s.iotrace(words...); err != nil {
		return r, err
	}
	if w.dir != "" {
		if err := errors.Join(os.RemoveAll(target), os.Remove(source)); err != nil {
			return r, err
		}
	}
	unix.Sync()
	text, err := s.iotrace("replay", trace, "--dir", dir, "--json")
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(text, &r)
}

// cold brings everything to the disk and takes a file out of the page cache.
func cold(path string) error {
	unix.Sync()
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
}

//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// replays compares replays with their recordings. A disk whose speed changes
// from minute to minute makes one recording a poor measure for many replays:
// each replay is set against a recording made right before it.
func (s *session) replays() error {
	const size = 512 << 20
	source, target := filepath.Join(s.dir, "source"), filepath.Join(s.dir, "target")
	if err := command("dd", "if=/dev/urandom", "of="+source, "bs=1M", fmt.Sprint("count=", size>>20), "status=none", "conv=fsync"); err != nil {
		return err
	}
	fmt.Println("\n| workload | replayed / recorded, median | quartiles | each | sizes and order equal |\n|---|---|---|---|---|")
	for _, w := range []struct {
		name  string
		words []string
	}{
		{"cp of 512 MiB, cold", []string{"cp", source, target}},
		{"dd of 512 MiB in blocks of 128 KiB, cold", []string{"dd", "if=" + source, "of=" + target, "bs=128k", "status=none"}},
		{"5,000 new files of 4 KiB", []string{s.self, "__work", "files", target}},
	} {
		var ratios []float64
		var each []string
		equal := true
		for i := range s.runs {
			r, err := s.replayed(w.words, source, target)
			if err != nil {
				return err
			}
			ratios = append(ratios, r.Ratio)
			each = append(each, fmt.Sprintf("%.2f", r.Ratio))
			equal = equal && r.SameSizes && r.SameOrder
			fmt.Fprintf(os.Stderr, "%s %d: %.3f (%.0f ms recorded, %.0f ms replayed)\n", w.name, i+1, r.Ratio, float64(r.Recorded.Wall)/1e6, float64(r.Replayed.Wall)/1e6)
		}
		slices.Sort(ratios)
		n := len(ratios)
		fmt.Printf("| %s | %.3f | %.2f to %.2f | %s | %v |\n", w.name, (ratios[(n-1)/2]+ratios[n/2])/2, ratios[n/4], ratios[n-1-n/4], strings.Join(each, ", "), equal)
	}
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

// replayed records a workload and replays it, both with a cold cache and a disk
// at rest.
func (s *session) replayed(words []string, source, target string) (r replayResult, err error) {
	trace := filepath.Join(s.dir, "replay.iotrace")
	if words[0] == s.self {
		if err := os.Mkdir(target, 0o700); err != nil {
			return r, err
		}
	}
	if err := cold(source); err != nil {
		return r, err
	}
	if _, err := s.iotrace(append([]string{"record", "--quiet", "-f", "-o", trace, "--"}, words...)...); err != nil {
		return r, err
	}
	if err := os.RemoveAll(target); err != nil {
		return r, err
	}
	if err := cold(source); err != nil {
		return r, err
	}
	text, err := exec.Command(s.tool, "replay", trace, "--dir", s.dir, "--json").Output()
	if err != nil {
		return r, fmt.Errorf("replaying: %w", err)
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

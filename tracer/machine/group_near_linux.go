package machine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/internal/sorting"
)

const (
	mostNear   = 5
	mostLooked = 1 << 14 // directories
)

var errAbsent = errors.New("there is none of this path")

// absent says that there is no such group, and which are most like it.
func absent(list []tree, path string) error {
	err := fmt.Errorf("control group %s: %w", path, errAbsent)
	if names := near(list, path); len(names) > 0 {
		return fmt.Errorf("%w; there are %s", err, strings.Join(names, ", "))
	}
	return fmt.Errorf("%w; /proc/PID/cgroup says in which ones a process is", err)
}

// near lists groups whose names are like the last one of a path: it is part of theirs, or they differ by a few letters.
// Failing that, those that are where the path ends to be right.
func near(list []tree, path string) []string {
	type group struct {
		path string
		far  int
	}
	var groups []group
	want := strings.ToLower(filepath.Base(path))
	looked := 0
	for _, t := range list {
		_ = filepath.WalkDir(t.point, func(dir string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() || dir == t.point {
				return nil
			}
			if looked++; looked > mostLooked {
				return filepath.SkipAll
			}
			name := strings.ToLower(filepath.Base(dir))
			far := distance(name, want)
			if strings.Contains(name, want) {
				far = 1
			}
			if far <= 1+len(want)/4 {
				groups = append(groups, group{filepath.Join(t.root, strings.TrimPrefix(dir, t.point)), far})
			}
			return nil
		})
	}
	sorting.Stably(groups, func(a, b group) int { return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.path, b.path)) })
	var names []string
	for _, g := range groups {
		if !slices.Contains(names, g.path) && len(names) < mostNear {
			names = append(names, g.path)
		}
	}
	if len(names) == 0 {
		return beside(list, path)
	}
	return names
}

// beside lists what is in the deepest group on the way to a path that there is.
func beside(list []tree, path string) (names []string) {
	for _, t := range list {
		up := filepath.Clean("/" + strings.TrimPrefix(path, t.point))
		for up != "/" {
			up = filepath.Dir(up)
			inside, err := os.ReadDir(filepath.Join(t.point, up))
			if err != nil {
				continue
			}
			for _, d := range inside {
				if name := filepath.Join(t.root, up, d.Name()); d.IsDir() && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
			break
		}
	}
	return names[:min(len(names), mostNear)]
}

// distance is how many letters have to be put in, left out or replaced to make one word of another.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := last
			if a[i] != b[j] {
				next = 1 + min(last, row[j], row[j+1])
			}
			last, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}

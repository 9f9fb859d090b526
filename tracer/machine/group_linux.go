package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/sorting"
)

// tree is a hierarchy of control groups where it is mounted.
type tree struct {
	point, root string // the directory, and the group that it is
	number      uint32 // of the hierarchy, 0: version 2
}

// trees lists what is mounted: version 2 first, then the hierarchy that systemd keeps for itself, whose groups are
// complete, then those of controllers.
func trees(mounts []host.Mount, own string) (list []tree) {
	for _, m := range mounts {
		switch m.FSType {
		case "cgroup2":
			list = append(list, tree{m.Point, m.Root, 0})
		case "cgroup":
			if n := numberOf(m.Options, own); n != 0 {
				list = append(list, tree{m.Point, m.Root, n})
			}
		}
	}
	rank := func(t tree) int {
		switch {
		case t.number == 0:
			return 0
		case strings.HasSuffix(t.point, "/systemd"):
			return 1
		}
		return 2
	}
	sorting.Stably(list, func(a, b tree) int { return rank(a) - rank(b) })
	return list
}

// numberOf is the number of a hierarchy of version 1 by the options of its mount, which name its controllers, 0 if
// it is none. own are the lines "number:controllers:path" of some process.
func numberOf(options, own string) uint32 {
	has := strings.Split(options, ",")
	for line := range strings.Lines(own) {
		number, rest, _ := strings.Cut(line, ":")
		controllers, _, _ := strings.Cut(rest, ":")
		n, err := strconv.ParseUint(number, 10, 32)
		if err == nil && n != 0 && slices.Contains(has, strings.Split(controllers, ",")[0]) {
			return uint32(n)
		}
	}
	return 0
}

// Groups lists the control groups whose paths are wanted, in all hierarchies.
func Groups(wanted func(path string) bool) (groups []Group, err error) {
	for _, t := range trees(mounts(), host.Memberships(uint32(os.Getpid()))) {
		err := filepath.WalkDir(t.point, func(dir string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return nil // removed meanwhile, or a file
			}
			if path := filepath.Join(t.root, strings.TrimPrefix(dir, t.point)); wanted(path) {
				if g, ok := t.group(dir); ok {
					groups = append(groups, g)
				}
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("listing control groups: %w", err)
		}
	}
	return groups, nil
}

// FindGroup finds a control group by its directory, or by its path in the hierarchies that are mounted. If several have
// the path, that with processes in it counts.
func FindGroup(path string) (Group, error) {
	list := trees(mounts(), host.Memberships(uint32(os.Getpid())))
	if len(list) == 0 {
		return Group{}, fmt.Errorf("control group %s: no hierarchy of control groups is mounted (/sys/fs/cgroup)", path)
	}
	return findIn(list, path)
}

func findIn(list []tree, path string) (Group, error) {
	var found []Group
	for _, t := range list {
		if g, ok := t.group(path); ok {
			found = append(found, g)
		}
	}
	if len(found) == 0 {
		return Group{}, absent(list, path)
	}
	for _, g := range found {
		if pids, err := g.Processes(); err == nil && len(pids) > 0 {
			return g, nil
		}
	}
	return found[0], nil
}

// group is that of a path, which may be that of a directory, in one hierarchy.
func (t tree) group(path string) (g Group, ok bool) {
	clean := filepath.Clean("/" + path)
	for _, dir := range []string{clean, filepath.Join(t.point, clean), filepath.Join(t.point, t.below(clean))} {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		var st unix.Stat_t
		if !host.Within(dir, t.point) || unix.Stat(dir, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFDIR {
			continue
		}
		below := strings.TrimPrefix(dir, t.point)
		return Group{Path: filepath.Join(t.root, below), Dir: dir, Hierarchy: t.number, Inode: st.Ino}, true
	}
	return g, false
}

// below is a path from the root of the hierarchy, as one from the group that is mounted.
func (t tree) below(path string) string {
	if t.root != "/" && host.Within(path, t.root) {
		return strings.TrimPrefix(path, t.root)
	}
	return path
}

// Processes lists who is in a group or below it now.
func (g Group) Processes() ([]uint32, error) {
	var pids []uint32
	err := filepath.WalkDir(g.Dir, func(dir string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed meanwhile
			return nil
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		}
		pids = append(pids, members(dir)...)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("listing the processes of control group %s: %w", g.Path, err)
	}
	slices.Sort(pids)
	return slices.Compact(pids), nil
}

// members are the processes of one group. Where single threads are in it (version 2), only these are listed.
func members(dir string) (pids []uint32) {
	text, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	if err == nil {
		return numbers(string(text))
	}
	if !errors.Is(err, unix.EOPNOTSUPP) {
		return nil
	}
	text, _ = os.ReadFile(filepath.Join(dir, "cgroup.threads"))
	for _, tid := range numbers(string(text)) {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", tid))
		for line := range strings.Lines(string(status)) {
			if n, ok := strings.CutPrefix(line, "Tgid:"); ok {
				pids = append(pids, numbers(strings.TrimSpace(n))...)
			}
		}
	}
	return pids
}

// numbers are those of a list, one in each line. 0 is a process of another namespace.
func numbers(text string) (list []uint32) {
	for line := range strings.Lines(text) {
		if n, err := strconv.ParseUint(strings.TrimSpace(line), 10, 32); err == nil && n != 0 {
			list = append(list, uint32(n))
		}
	}
	return list
}

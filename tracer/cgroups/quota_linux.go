package processors

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/internal/mountinfo"
	"github.com/iotrace/iotrace/trace"
)

// maxGroups bounds the control groups that are looked at; of more, those that were joined first count.
const maxGroups = 256

// groups are the control groups that recorded processes were in, with those around them, whose quotas hold as well.
type groups struct {
	root    string // where the hierarchy with the processors is mounted
	unified bool   // it is version 2
	seen    map[string]*span
}

// span is for how long a group had been held back, in ns, when it was first seen and when it was seen last: it may be
// gone when its processes are.
type span struct{ first, last int64 }

// newGroups finds the hierarchy: that of version 1 if the processors have one there, else the unified one.
func newGroups() *groups {
	g := &groups{seen: map[string]*span{}}
	text, err := os.ReadFile(mountinfo.Own)
	if err != nil {
		return g
	}
	for _, m := range mountinfo.Parse(string(text)) {
		switch {
		case m.FSType == "cgroup" && exists(filepath.Join(m.Point, "cpu.cfs_quota_us")),
			m.FSType == "cgroup" && exists(filepath.Join(m.Point, "cpu.shares")):
			g.root, g.unified = m.Point, false
			return g
		case m.FSType == "cgroup2" && g.root == "":
			g.root, g.unified = m.Point, true
		}
	}
	return g
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// joined takes note of the group of a process.
func (g *groups) joined(pid uint32) {
	text, err := os.ReadFile("/proc/" + strconv.FormatUint(uint64(pid), 10) + "/cgroup")
	if err != nil || g.root == "" {
		return
	}
	for path := memberOf(string(text), g.unified); path != "/" && path != "."; path = filepath.Dir(path) {
		if g.seen[path] != nil || len(g.seen) >= maxGroups {
			return // and those around it
		}
		n := g.heldBack(path)
		g.seen[path] = &span{n, n}
	}
}

// memberOf is the group of the processors in a list such as /proc/PID/cgroup: lines of "number:controllers:path".
func memberOf(text string, unified bool) string {
	for line := range strings.Lines(text) {
		number, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), ":")
		controllers, path, _ := strings.Cut(rest, ":")
		if unified && number == "0" || !unified && slices.Contains(strings.Split(controllers, ","), "cpu") {
			return filepath.Clean("/" + path)
		}
	}
	return "/"
}

// heldBack is for how long a quota has kept what is in a group from running, in ns added up over processors, as
// tg_throttle_up and unthrottle_cfs_rq of kernel/sched/fair.c count it.
func (g *groups) heldBack(path string) int64 {
	text, err := os.ReadFile(filepath.Join(g.root, path, "cpu.stat"))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.ParseInt(value, 10, 64)
		switch {
		case err != nil || n < 0:
		case name == "throttled_time": // version 1: ns
			return n
		case name == "throttled_usec" && n < 1<<50: // version 2: µs
			return n * 1000
		}
	}
	return 0
}

// look takes note of what has become of the groups.
func (g *groups) look() {
	for path, s := range g.seen {
		s.last = max(s.last, g.heldBack(path))
	}
}

// throttled lists the groups that were held back since they were first seen, longest first.
func (g *groups) throttled() (list []trace.Held) {
	g.look()
	for path, s := range g.seen {
		if n := since(s.last, s.first); n > 0 {
			list = append(list, trace.Held{Group: path, Time: n})
		}
	}
	slices.SortFunc(list, func(a, b trace.Held) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Group, b.Group))
	})
	return list[:min(len(list), trace.MaxHeld)]
}

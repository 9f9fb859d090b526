package machine

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// groupLimits are those of the groups that recorded processes were in, as they were set and changed. In version 2 the
// limits of the groups around them hold as well; in version 1 they do not (throtl_pd_init of block/blk-throttle.c).
type groupLimits struct {
	hierarchy
	now    func() int64
	groups []string
	latest map[place]trace.IOLimit
	list   []trace.IOLimit
}

// place is where a limit holds.
type place struct {
	group  string
	device trace.DeviceID
}

func newGroupLimits(on []host.Mount, now func() int64) *groupLimits {
	return &groupLimits{hierarchy: find(on, "blkio", files["rbps"]), now: now, latest: map[place]trace.IOLimit{}}
}

// joined takes note of the group of a process, by its memberships.
func (l *groupLimits) joined(of string) {
	for group := range l.around(of) {
		if slices.Contains(l.groups, group) || len(l.groups) >= maxGroups {
			return
		}
		if l.groups = append(l.groups, group); !l.unified {
			return
		}
	}
}

// look takes note of what has changed: a limit is new, another or lifted. A group that is gone keeps what it had.
func (l *groupLimits) look() {
	for _, group := range l.groups {
		if !exists(filepath.Join(l.root, group)) {
			continue
		}
		set := l.of(group)
		for at := range l.latest {
			if _, still := set[at]; at.group == group && !still {
				set[at] = trace.IOLimit{Group: group, Device: at.device}
			}
		}
		places := slices.Collect(maps.Keys(set))
		sorting.Stably(places, func(a, b place) int { return cmp.Compare(a.device, b.device) })
		for _, at := range places {
			l.note(at, set[at])
		}
	}
}

// note keeps a limit if it is another than before. One that is looser than any is kept only if there was a tighter one.
func (l *groupLimits) note(at place, x trace.IOLimit) {
	old, known := l.latest[at]
	x.From = old.From
	if x == old || !known && x == (trace.IOLimit{Group: at.group, Device: at.device}) || len(l.list) == trace.MaxIOLimits {
		return
	}
	x.From = l.now()
	l.latest[at] = x
	l.list = append(l.list, x)
}

// files are those of version 1, by the words that version 2 has for the same in io.max.
var files = map[string]string{
	"rbps": "blkio.throttle.read_bps_device", "wbps": "blkio.throttle.write_bps_device",
	"riops": "blkio.throttle.read_iops_device", "wiops": "blkio.throttle.write_iops_device",
}

// of are the limits that are set in a group.
func (l *groupLimits) of(group string) map[place]trace.IOLimit {
	set := map[place]trace.IOLimit{}
	if l.unified {
		for line := range strings.Lines(l.read(group, "io.max")) {
			device, words, _ := strings.Cut(strings.TrimSpace(line), " ")
			for _, word := range strings.Fields(words) {
				name, value, _ := strings.Cut(word, "=")
				limit(set, group, device, name, value)
			}
		}
		return set
	}
	for name, file := range files {
		for line := range strings.Lines(l.read(group, file)) {
			device, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			limit(set, group, device, name, value)
		}
	}
	return set
}

// limit adds one, unless it is none ("max"), or not in the form of the kernel.
func limit(set map[place]trace.IOLimit, group, device, name, value string) {
	var major, minor uint32
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n <= 0 {
		return
	}
	if _, err := fmt.Sscanf(device, "%d:%d", &major, &minor); err != nil {
		return
	}
	at := place{group, trace.MakeDeviceID(major, minor)}
	x := set[at]
	x.Group, x.Device = at.group, at.device
	switch name {
	case "rbps":
		x.ReadBytes = n
	case "wbps":
		x.WriteBytes = n
	case "riops":
		x.Reads = n
	case "wiops":
		x.Writes = n
	}
	set[at] = x
}

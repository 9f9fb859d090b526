package usage

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
)

// Finish puts the launches into the profile: that of the command, and of
// every program that was read from the disk for long enough to matter.
func (t *Launches) Finish(p *profile.Profile) {
	p.Launches = []profile.Launch{}
	list := slices.Clone(t.list)
	slices.SortStableFunc(list, func(a, b *launch) int {
		return cmp.Compare(b.sum.Sub(b.first).Disk, a.sum.Sub(a.first).Disk)
	})
	var command *launch // the last program of the first process: shims run others in their place
	for _, l := range t.list {
		if l.process == t.list[0].process {
			command = l
		}
	}
	for _, l := range list {
		main := l == command
		if len(p.Launches) >= maxLaunch || l.exe == "" || !main && l.device.Bytes < 1<<20 && l.faults < 10 {
			continue
		}
		p.Launches = append(p.Launches, t.describe(l))
	}
	sorting.Stably(p.Launches, func(a, b profile.Launch) int { return cmp.Compare(a.StartNS, b.StartNS) })
}

func (t *Launches) describe(l *launch) profile.Launch {
	if !l.over {
		l.until = "recording"
		if t.last-l.last > quiet {
			l.until = "quiet"
		}
	}
	spent := l.sum.Sub(l.first)
	r := profile.Launch{
		PID: l.process.PID, Exe: l.exe, Args: l.args, StartNS: l.start, WallNS: max(l.last-l.start, 0), Until: l.until,
		DiskNS: spent.Disk + l.held, BlockedNS: l.io + l.held, CPUNS: spent.Running(), ReadCalls: l.readCalls,
		ReadBytes: l.readBytes,
		Faults:    l.faults, FaultBytes: l.faultBytes, Device: l.device.Profile(l.last - l.start), State: "unknown",
	}
	if !t.waits {
		r.DiskNS, r.BlockedNS, r.CPUNS = profile.Unknown, profile.Unknown, profile.Unknown
	}
	if l.until == "exit" && l.process.CPUNS > 0 {
		r.CPUNS = l.process.CPUNS
	}
	if r.DiskNS >= 0 {
		r.SavingNS = r.DiskNS + spent.Wake // whoever does not wait need not be woken
	}
	r.BestNS = r.WallNS - r.SavingNS
	r.Kinds = l.kinds()
	if t.requests {
		switch used := l.readBytes + l.faultBytes; {
		case r.DiskNS >= 0 && r.DiskNS*50 < r.WallNS: // of what was mapped and in memory nothing is seen
			r.State = "warm"
		case l.device.Bytes*2 > used:
			r.State = "cold"
		case l.device.Bytes*20 <= used:
			r.State = "warm"
		default:
			r.State = "mixed"
		}
	}
	return r
}

// kinds says what kinds of files a launch read.
func (l *launch) kinds() []profile.LaunchKind {
	sums := map[string]*profile.LaunchKind{}
	for f, x := range l.files {
		k := kindOf(f, l.exe)
		if sums[k] == nil {
			sums[k] = &profile.LaunchKind{Kind: k}
		}
		sums[k].Files++
		sums[k].Bytes += x.bytes
		sums[k].DeviceBytes += x.device
	}
	list := []profile.LaunchKind{}
	for _, k := range measure.SortedKeys(sums) {
		list = append(list, *sums[k])
	}
	sorting.Stably(list, func(a, b profile.LaunchKind) int {
		return cmp.Compare(b.DeviceBytes+b.Bytes, a.DeviceBytes+a.Bytes)
	})
	return list
}

// kindOf sorts a file by its name: the program itself, code it loads, what
// belongs to the system, its data.
func kindOf(f *world.File, exe string) string {
	name := path.Base(f.Path)
	ext := path.Ext(name)
	switch {
	case f.Path == exe:
		return "program"
	case ext == ".so" || strings.Contains(name, ".so.") || ext == ".dylib" || ext == ".py" || ext == ".pyc" ||
		ext == ".jar" || ext == ".node":
		return "library"
	case strings.HasPrefix(f.Path, "/etc/") || strings.HasPrefix(f.Path, "/usr/share/") ||
		strings.HasPrefix(f.Path, "/usr/lib/locale/") ||
		strings.HasPrefix(f.Path, "/proc/") || strings.HasPrefix(f.Path, "/sys/") || strings.HasPrefix(f.Path, "/System/"):
		return "system"
	}
	return "data"
}

package phases

import (
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
)

// onDrive reports whether a drive can be what made a step. A loop device, memory, and a file system that a program
// serves have no fast cache, heat or link of their own; if they keep their data on a drive, its own curve shows that.
func onDrive(p *profile.Profile, s *profile.Step) bool {
	if s.Device != "" {
		return !slices.ContainsFunc(p.Devices, func(d profile.Device) bool { return d.Name == s.Device && !hasDrive(p, &d) })
	}
	return mostly(p, s, func(f *profile.File) bool {
		if world.InMemory[f.FSType] || strings.HasPrefix(f.FSType, "fuse") {
			return false
		}
		return !slices.ContainsFunc(p.Devices, func(d profile.Device) bool { return d.ID == f.Device && !hasDrive(p, &d) })
	})
}

// throughCache reports whether the page cache stands between the calls of a curve and a device: files in memory have
// no other place.
func throughCache(p *profile.Profile, s *profile.Step) bool {
	return mostly(p, s, func(f *profile.File) bool { return !world.InMemory[f.FSType] })
}

// mostly reports whether at least half of what the calls of a curve moved was in files of a kind.
func mostly(p *profile.Profile, s *profile.Step, kind func(*profile.File) bool) bool {
	of, all := int64(0), int64(0)
	for i := range p.Files {
		f := &p.Files[i]
		flow := f.Read
		if s.Series == "call write" {
			flow = f.Write
		}
		if flow == nil {
			continue
		}
		all += flow.Bytes
		if kind(f) {
			of += flow.Bytes
		}
	}
	return 2*of >= all
}

// hasDrive reports whether a device is a drive, or built on one directly.
func hasDrive(p *profile.Profile, d *profile.Device) bool {
	if d.Layer == "loop" || d.Layer == "zram" {
		return false
	}
	built, drives := false, false
	for i := range p.Devices {
		if below := &p.Devices[i]; slices.Contains(d.Parents, below.Name) && below.Level > d.Level {
			built, drives = true, drives || hasDrive(p, below)
		}
	}
	return !built || drives
}

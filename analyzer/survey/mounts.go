package survey

import (
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// mounts are those that the recording tells of.
func mounts(s *Survey) (list []profile.Mount) {
	for i := range s.End.Mounts {
		m := &s.End.Mounts[i]
		x := profile.Mount{Point: m.Point, FSType: m.FSType, Source: m.Source, Options: m.Options,
			Unjournaled: m.Unjournaled || trace.Unjournaled(m.FSType), Unindexed: m.Unindexed,
			SharingCounted: m.SharingCounted}
		if d := s.Devices.Find(m.Disk); d != nil {
			x.Device = d.Name
		}
		if d := s.unflushed(m, trace.MaxLoops); d != nil {
			x.Unflushed = d.Name
		}
		list = append(list, x)
	}
	return list
}

// Unflushed reports whether what is written to a file stays in memory, or in the cache of a drive, whoever syncs it.
func (s *Survey) Unflushed(f *world.File) bool {
	for i := range s.End.Mounts {
		if m := &s.End.Mounts[i]; m.Device == f.Device && m.Point == f.Mount {
			return m.Has(trace.Volatile...) || s.unflushed(m, trace.MaxLoops) != nil
		}
	}
	return false
}

// Unjournaled reports whether the file system of a file keeps no journal, log or trees.
func (s *Survey) Unjournaled(f *world.File) bool {
	return trace.Unjournaled(f.FSType) || slices.ContainsFunc(s.End.Mounts, func(m trace.Mount) bool {
		return m.Unjournaled && m.Device == f.Device && m.Point == f.Mount
	})
}

// unflushed is the drive below a mount whose volatile cache is never flushed, as the file system does not ask for it.
// Of a loop device it is the drive of its file. nil if there is none.
func (s *Survey) unflushed(m *trace.Mount, layers int) *world.Device {
	d := s.Devices.Find(m.Disk)
	switch {
	case d == nil || layers == 0 || d.WriteCache == "write through" && d.Backing == "":
		return nil
	case d.WriteCache != "write through" && m.Has(trace.Unflushing...):
		return d
	case d.Backing == "":
		return nil
	}
	var below *trace.Mount
	for i := range s.End.Mounts {
		x := &s.End.Mounts[i]
		if x != m && strings.HasPrefix(d.Backing, strings.TrimSuffix(x.Point, "/")+"/") &&
			(below == nil || len(x.Point) > len(below.Point)) {
			below = x
		}
	}
	if below == nil {
		return nil
	}
	return s.unflushed(below, layers-1)
}

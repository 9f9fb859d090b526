package survey

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// safety is when devices had safe what was written to them, and of which files that is known.
type safety struct {
	ledgers world.Table[ledger]
	unsure  bool            // files were written that may not be kept by devices of this machine
	mixed   bool            // it is not known of all metadata that is written for whom it is
	systems map[system]bool // that files were written in
	foreign uint64          // devices with files that are of no ext4, by number
}

// system is a mounted file system.
type system struct {
	device trace.DeviceID
	point  string
}

// request enters what a device did.
func (s *safety) request(d *world.Device, f *world.File, e *trace.Request) {
	l := s.ledgers.Of(d.Number)
	if e.Flags&trace.ReqRecorder != 0 && e.File != 0 { // of the trace: nothing of the workload's lies there
		l.flush(e)
		return
	}
	l.request(e)
	if writes(e) && !world.Others(e) {
		l.home = l.home || f != nil && s.systems[system{f.Device, f.Mount}]
	}
}

// Types of file systems that have all of their data on devices of this machine: those of which it is known for whom
// the metadata is that they write, and others. An overlay has it on any of them.
var (
	dividing = []string{"ext3", "ext4", "xfs", "btrfs"}
	keeping  = []string{"ext2", "f2fs", "jfs", "nilfs2", "reiserfs", "vfat", "msdos", "exfat", "ntfs3", "minix", "hfs",
		"hfsplus", "udf", "overlay"}
)

// file notes that a file was written; nil if it is not known which.
func (s *safety) file(f *world.File) {
	switch {
	case f == nil || f.Other:
		s.unsure = true
	case !f.Data() || trace.InMemory(f.FSType):
	case slices.Contains(dividing, f.FSType):
		if s.systems == nil {
			s.systems = map[system]bool{}
		}
		s.systems[system{f.Device, f.Mount}] = true
	case f.Kind == trace.FileBlock || slices.Contains(keeping, f.FSType):
		s.mixed = true
	default:
		s.unsure = true
	}
}

// homes are the disks of the file systems in which files were written; nil if they are not all known.
func (s *safety) homes(mounts []trace.Mount) map[trace.DeviceID]bool {
	disks, found := map[trace.DeviceID]bool{}, 0
	for i := range mounts {
		if m := &mounts[i]; m.Disk != 0 && s.systems[system{m.Device, m.Point}] {
			disks[m.Disk] = true
			found++
		}
	}
	if found < len(s.systems) {
		return nil
	}
	return disks
}

// mixes reports whether files were written in a file system of which it is not known for whom all metadata is.
func (s *safety) mixes(mounts []trace.Mount) bool {
	return s.mixed || slices.ContainsFunc(mounts, func(m trace.Mount) bool {
		return m.Unjournaled && s.systems[system{m.Device, m.Point}]
	})
}

// finish finds the devices with files that are of no ext4.
func (s *safety) finish(files *world.Files) {
	s.foreign = files.Rest.SeenAt
	for _, f := range files.All {
		if f.FSType != "ext4" && f.FSType != "ext3" {
			s.foreign |= f.SeenAt
		}
	}
}

// names are the kinds of what says where files lie that had to be written on a device; with all that is written there,
// where it is not known for whom it is.
func (s *safety) names(d *world.Device, l *ledger, mixed bool) []kind {
	switch {
	case mixed:
		return []kind{journal, placed, settled, data, ofOthers}
	case l.kernel && d.Number < 64 && s.foreign>>d.Number&1 == 0:
		return []kind{journal}
	}
	return []kind{journal, placed}
}

// safe is when devices had safe all that was written; -1 if that was not seen, or nothing was written. What a sync of
// all writes to further ones is not for what the workload wrote.
func (s *Survey) safe() int64 {
	homes, mixed := s.safety.homes(s.End.Mounts), s.safety.mixes(s.End.Mounts)
	at := int64(-1)
	for _, d := range s.Devices.All {
		l := s.safety.ledgers.Known(d.Number)
		if l == nil || l.of(data, journal, placed).written == 0 || !mixed && homes != nil && !homes[d.ID] && !l.home {
			continue
		}
		safe := l.of(append(s.safety.names(d, l, mixed), data)...).safe(d)
		if safe < 0 || s.safety.unsure {
			return -1
		}
		at = max(at, safe)
	}
	return at
}

// SafeFile is when what devices wrote of a file was safe, with what says where it lies, whoever saw to that: -1 if that
// was not seen. The recorder syncs what is left, after the command.
func (s *Survey) SafeFile(f *world.File) (at int64) {
	if f.Stored == 0 || f.Top == nil || !s.synced() {
		return -1
	}
	mixed := !slices.Contains(dividing, f.FSType) || s.Unjournaled(f)
	for _, d := range s.Devices.All {
		if d.Number >= 64 || f.SeenAt>>d.Number&1 == 0 || d.Level != f.Top.Level {
			continue
		}
		l := s.safety.ledgers.Of(d.Number)
		safe := l.of(s.safety.names(d, l, mixed)...).with(l.until(f.Stored)).safe(d)
		if safe < 0 {
			return -1
		}
		at = max(at, safe)
	}
	return at
}

// synced reports whether the recorder synced all that was written, after the command, and all requests are known.
func (s *Survey) synced() bool {
	return s.Whole && s.End.Durable >= 0 && s.Lost.Kinds[trace.KindRequest.String()] == 0
}

// Durable is when all that the workload wrote was safe, whoever saw to that, -1 if that was not reached. The recorder
// syncs all of it after the command: it is safe when that returns. It was safe before if the devices had nothing left
// to write by then, or to flush.
func (s *Survey) Durable() int64 {
	switch {
	case !s.Whole || s.End.Durable < 0:
		return -1
	case s.Header.Scope == trace.ScopeMerge, !s.synced():
		return s.End.Durable
	}
	if at := s.safe(); at >= 0 {
		return min(at, s.End.Durable)
	}
	return s.End.Durable
}

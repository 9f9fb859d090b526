package survey

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// safety is when devices had safe what was written to them: what went past a volatile cache as it was written, the
// rest with the first flush that began when all of it was there.
type safety struct {
	devices world.Table[deviceSafety]
	unsure  bool            // files were written that may not be kept by devices of this machine
	mixed   bool            // it is not known of all metadata that is written for whom it is
	systems map[system]bool // that files were written in
}

// system is a mounted file system.
type system struct {
	device trace.DeviceID
	point  string
}

// deviceSafety is that of one device: of what the workload wrote, and all metadata; of what others wrote, too; and of
// the former without the metadata that a journal of ext4 has and tasks write in its place.
type deviceSafety struct {
	ours, all, logged kept
	journal           bool   // the kernel's thread was seen to write that
	data              bool   // of a file system in which files were written, lies there
	super             uint64 // the sector of the superblock of btrfs that was written last
}

// kept is what a device was given to keep.
type kept struct {
	written, cached int64 // when the last write was done, and the last that may lie in a cache; 0: none
	first, last     flush // that began after it: what was done first, and what began last
}

// flush is one of a cache; the zero value is none.
type flush struct{ begun, done int64 }

// request enters what a device did.
func (s *safety) request(d *world.Device, f *world.File, e *trace.Request) {
	flushes := e.Op == trace.ReqFlush || e.Flags&trace.ReqPreflush != 0
	writes := (e.Op == trace.ReqWrite || e.Op == trace.ReqWriteZeroes) && (e.Bytes > 0 || !flushes)
	if !flushes && !writes {
		return
	}
	x, by := s.devices.Of(d.Number), flush{e.Issued, max(e.Issued, e.Completed)}
	if flushes && e.Error == 0 {
		x.all.flushed(by)
		x.ours.flushed(by)
		x.logged.flushed(by)
	}
	if !writes {
		return
	}
	past := e.Flags&trace.ReqFUA != 0 || x.superblockCopy(e)
	x.all.wrote(by.done, past)
	metadata := e.File == 0 && e.Flags&trace.ReqMeta != 0
	recorder := e.Flags&trace.ReqRecorder != 0 && e.File == 0 // it may be of the recorded ones, which it syncs
	// A transaction of others may hold what a thread of the kernel did for the workload.
	if world.Others(e) && !recorder && !metadata {
		return
	}
	x.ours.wrote(by.done, past)
	x.data = x.data || f != nil && s.systems[system{f.Device, f.Mount}]
	x.journal = x.journal || metadata && e.Flags&trace.ReqSync != 0 && e.Owner == 0 && !recorder
	if !metadata || e.Owner == 0 && !recorder {
		x.logged.wrote(by.done, past)
	}
}

// superblockCopy reports whether a request writes a second or third superblock of btrfs. A commit writes the first one
// past the cache and does not flush the others: nothing reads them while the first one is whole.
func (x *deviceSafety) superblockCopy(e *trace.Request) bool {
	const of = trace.ReqMeta | trace.ReqSync | trace.ReqPrio // of all writes of btrfs, only superblocks have ReqPrio
	if e.Flags&of != of || e.Bytes != superblock {
		return false
	}
	if from := e.Sector - x.super; x.super > 0 && (from == secondSuperblock || from == thirdSuperblock) {
		return true
	}
	x.super = e.Sector
	return false
}

// The size of a superblock of btrfs in bytes, and how many sectors behind the first one the others lie: they begin at
// 64 KiB, 64 MiB and 256 GiB (btrfs_sb_offset in the kernel's fs/btrfs/disk-io.h).
const (
	superblock       = 4096
	secondSuperblock = (64<<20 - 64<<10) / 512
	thirdSuperblock  = (256<<30 - 64<<10) / 512
)

func (k *kept) wrote(done int64, past bool) {
	k.written = max(k.written, done)
	if past {
		return
	}
	k.cached = max(k.cached, done)
	if k.first.begun < k.cached {
		k.first = k.last
	}
	if k.first.begun < k.cached {
		k.first, k.last = flush{}, flush{}
	}
}

func (k *kept) flushed(by flush) {
	if by.begun < k.cached {
		return
	}
	if k.first.done == 0 || by.done < k.first.done {
		k.first = by
	}
	if by.begun > k.last.begun {
		k.last = by
	}
}

// safe is when all was, -1 if that was not seen. A device without a volatile cache is never told to flush.
func (k *kept) safe(d *world.Device) int64 {
	switch {
	case k.cached == 0 || d.WriteCache == "write through":
		return k.written
	case k.first.done == 0:
		return -1
	}
	return max(k.written, k.first.done)
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

// safe is when devices had safe all that was written; -1 if that was not seen, or nothing was written. What a sync of
// all writes to further ones is not for what the workload wrote.
func (s *Survey) safe() int64 {
	homes, others, mixed := s.safety.homes(s.End.Mounts), s.Files.Rest.SeenAt, s.safety.mixes(s.End.Mounts)
	for _, f := range s.Files.All {
		if f.FSType != "ext4" && f.FSType != "ext3" {
			others |= f.SeenAt // devices with files that are of no ext4
		}
	}
	at := int64(-1)
	for _, d := range s.Devices.All {
		x := s.safety.devices.Known(d.Number)
		if x == nil || x.ours.written == 0 || !mixed && homes != nil && !homes[d.ID] && !x.data {
			continue
		}
		k := &x.ours
		switch {
		case mixed:
			k = &x.all
		case x.journal && d.Number < 64 && others>>d.Number&1 == 0:
			k = &x.logged
		}
		safe := k.safe(d)
		if safe < 0 || s.safety.unsure {
			return -1
		}
		at = max(at, safe)
	}
	return at
}

// Durable is when all that the workload wrote was safe, whoever saw to that, -1 if that was not reached. The recorder
// syncs all of it after the command: it is safe when that returns. It was safe before if the devices had nothing left
// to write by then, or to flush.
func (s *Survey) Durable() int64 {
	switch {
	case !s.Whole || s.End.Durable < 0:
		return -1
	case s.Header.Scope == trace.ScopeMerge, s.Lost.Kinds[trace.KindRequest.String()] > 0:
		return s.End.Durable
	}
	if at := s.safe(); at >= 0 {
		return min(at, s.End.Durable)
	}
	return s.End.Durable
}

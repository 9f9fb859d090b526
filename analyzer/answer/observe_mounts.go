package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// mounted names options of mounts, and attributes of files and directories, that cost the workload time or bytes, with
// the command that changes them.
func mounted(o *observer) {
	for i := range o.p.Trace.Mounts {
		m := &o.p.Trace.Mounts[i]
		at := fmt.Sprintf("/trace/mounts/%d", i)
		for _, about := range []func(*observer, *profile.Mount, string){
			syncedWrites, syncedNames, discarded, journalled, stamped, unindexed,
			sharingCounted,
		} {
			about(o, m, at)
		}
	}
	attributed(o)
}

// worthTelling reports whether a time is as much as that of the whole.
func (o *observer) worthTelling(ns int64) bool { return worthTelling(o.p, ns) }

// syncedWrites is for a file system on which each write waits.
func syncedWrites(o *observer, m *profile.Mount, at string) {
	if n, ns := writesOn(o.p, m); m.Has("sync") && o.worthTelling(ns) {
		o.say("mount_sync", at, fmt.Sprintf("Mount option sync: %s waited until their data was durable, %s in all (%s).",
			unit.Things(n, "write"), unit.Nanoseconds(ns), m.Without("sync")),
			number("/pattern/cache_modes/synced_write_bytes", synced(o.p)))
	}
}

func synced(p *profile.Profile) float64 {
	if p.Pattern.Modes == nil {
		return 0
	}
	return float64(p.Pattern.Modes.SyncedWrite)
}

// writesOn are the writes to files of a mount.
func writesOn(p *profile.Profile, m *profile.Mount) (n, ns int64) {
	for i := range p.Files {
		if f := &p.Files[i]; f.Mount == m.Point && f.Write != nil {
			n += f.Write.Count
			ns += f.Write.Latency.Sum
		}
	}
	return n, ns
}

// naming are the operations that change names, and of which a synchronous directory waits.
var naming = []trace.Op{trace.OpRename, trace.OpUnlink, trace.OpLink, trace.OpSymlink, trace.OpMkdir}

// changes are the calls that changed names, their time, and which of them took most. Files that were opened count if
// most of them were made.
func changes(p *profile.Profile) (n, ns int64, index int) {
	made := int64(0)
	for i := range p.Files {
		if p.Files[i].Created {
			made++
		}
	}
	most := int64(-1)
	for i := range p.Calls {
		c := &p.Calls[i]
		if !slices.Contains(naming, c.Op) && (c.Op != trace.OpOpen || 2*made < c.Count-c.Errors) {
			continue
		}
		n += c.Count
		ns += c.TimeNS
		if c.TimeNS > most {
			most, index = c.TimeNS, i
		}
	}
	return n, ns, index
}

// syncedNames is for a file system on which each change of a name waits.
func syncedNames(o *observer, m *profile.Mount, at string) {
	option := m.Naming()
	n, ns, index := changes(o.p)
	if _, written := writesOn(o.p, m); option == "" || !o.worthTelling(ns) || option == "sync" && written > ns {
		return
	}
	o.say("mount_dirsync", at, fmt.Sprintf("Mount option %s: changes of names waited until they were safe, %s in %s (%s).",
		option, unit.Nanoseconds(ns), unit.Things(n, "call"), m.Without(option)),
		number(fmt.Sprintf("/calls/%d/time_ns", index), float64(o.p.Calls[index].TimeNS)))
	o.list[len(o.list)-1].Figures = map[string]float64{"changes": float64(n), "changes_ns": float64(ns)}
}

// discarded is for a file system that tells its drive at once which blocks are free again.
func discarded(o *observer, m *profile.Mount, at string) {
	for i := range o.p.Devices {
		d := &o.p.Devices[i]
		if d.Name != m.Device || d.Discard == nil || !m.Has("discard", "discard=sync", "discard=async") ||
			!o.worthTelling(d.Discard.Depth.BusyNS) {
			continue
		}
		o.say("mount_discard", at, fmt.Sprintf("Mount option discard: %s was told at once what is free; "+
			"%s in %s (%s, and fstrim now and then).", d.Name, unit.Nanoseconds(d.Discard.Depth.BusyNS),
			unit.Things(d.Discard.Count, "request"), m.Without("discard")),
			number(fmt.Sprintf("/devices/%d/discard/count", i), float64(d.Discard.Count)))
	}
}

// journalled is for a file system that writes data twice: to its journal, and to its place.
func journalled(o *observer, m *profile.Mount, at string) {
	for i := range o.p.Amounts.Devices {
		d := &o.p.Amounts.Devices[i]
		journal := d.Write.Of(profile.Metadata)
		if d.Name != m.Device || !m.Has("data=journal") || journal < amplifiedBytes || 2*journal < d.Write.Moved {
			continue
		}
		o.say("mount_journal", at, fmt.Sprintf("Mount option data=journal: %s of journal for %s written (tune2fs -o "+
			"journal_data_ordered %s, then mount it anew).", unit.Bytes(journal), unit.Bytes(d.Write.Moved), m.Source),
			number(fmt.Sprintf("/amounts/devices/%d/write/moved_bytes", i), float64(d.Write.Moved)))
	}
}

// stamped is for a file system that writes when each file was read last, where nothing else was written. With relatime
// that is so for files that were not read since they were changed, or for a day: it is told of where it is much.
func stamped(o *observer, m *profile.Mount, at string) {
	for i := range o.p.Amounts.Filesystems {
		f := &o.p.Amounts.Filesystems[i]
		bytes := f.Write.Of(profile.Metadata)
		if f.Name != m.Point || m.Options == "" || m.Has("noatime", "ro") || f.Read.Moved == 0 || f.Write.Moved > 0 ||
			bytes == 0 || m.Has("relatime") && (bytes < amplifiedBytes || altered(o.p, m)) {
			continue
		}
		o.say("mount_atime", at, fmt.Sprintf("Without mount option noatime reading alone wrote %s to %s (%s).",
			unit.Bytes(bytes), f.Device, m.Remount("noatime")),
			number(fmt.Sprintf("/amounts/filesystems/%d/read/moved_bytes", i), float64(f.Read.Moved)))
	}
}

// altered reports whether calls changed names, lengths or attributes of files of a mount.
func altered(p *profile.Profile, m *profile.Mount) bool {
	other := append([]trace.Op{trace.OpAttr, trace.OpXattr, trace.OpTruncate, trace.OpAllocate, trace.OpPunch}, naming...)
	return slices.ContainsFunc(p.Files, func(f profile.File) bool {
		return f.Mount == m.Point && (f.Created || f.Deleted || slices.ContainsFunc(f.Ops, func(c profile.OpCount) bool {
			return c.Count > c.Errors && slices.Contains(other, c.Op)
		}))
	})
}

// unflushed is for data that no sync makes safe: its file system, or the one below that, never flushes a drive's cache.
func unflushed(o *observer) {
	for i := range o.p.Trace.Mounts {
		m := &o.p.Trace.Mounts[i]
		k := slices.IndexFunc(o.p.Amounts.Filesystems, func(f profile.Amount) bool { return f.Name == m.Point })
		if m.Unflushed == "" || k < 0 || o.p.Amounts.Filesystems[k].Write.Moved == 0 {
			continue
		}
		where, how := "", ""
		if m.Unflushed != m.Device {
			where = " below " + m.Point
		}
		for k := range o.p.Trace.Mounts {
			if b := &o.p.Trace.Mounts[k]; b.Device == m.Unflushed && b.Has(trace.Unflushing...) {
				how = " (" + b.Without("nobarrier") + ")"
			}
		}
		o.say("mount_nobarrier", fmt.Sprintf("/trace/mounts/%d", i), fmt.Sprintf("Mount option nobarrier%s: no sync made "+
			"data safe%s; %s may have it in its volatile cache, which nothing flushes.", where, how, m.Unflushed),
			number(fmt.Sprintf("/amounts/filesystems/%d/write/moved_bytes", k),
				float64(o.p.Amounts.Filesystems[k].Write.Moved)))
	}
}

// attributed is for single files and directories that wait as those of such mounts do.
func attributed(o *observer) {
	if dirs := o.p.Trace.SyncedDirs; len(dirs) > 0 {
		if n, ns, index := changes(o.p); o.worthTelling(ns) {
			o.say("synced_directory", "/trace/synced_dirs", fmt.Sprintf("Attribute D or S of %s: changes of names in "+
				"it waited until they were safe, %s in %s (chattr -DS %s).", several(dirs), unit.Nanoseconds(ns),
				unit.Things(n, "call"), strings.Join(dirs[:min(len(dirs), maxObserved)], " ")),
				number(fmt.Sprintf("/calls/%d/time_ns", index), float64(o.p.Calls[index].TimeNS)))
			o.list[len(o.list)-1].Figures = map[string]float64{"changes": float64(n), "changes_ns": float64(ns)}
		}
	}
	for i := range o.p.Files {
		f := &o.p.Files[i]
		m := o.p.Trace.Mount(f.Mount)
		if !f.Synchronous || m == nil || m.Has("sync") || f.Write == nil || !o.worthTelling(f.Write.Latency.Sum) {
			continue
		}
		o.say("synced_file", fmt.Sprintf("/files/%d", i), fmt.Sprintf("Attribute S of %s: %s waited until their "+
			"data was durable, %s in all (chattr -S %s).", named(f.Path),
			unit.Things(f.Write.Count, "write"), unit.Nanoseconds(f.Write.Latency.Sum), f.Path),
			number(fmt.Sprintf("/files/%d/write/count", i), float64(f.Write.Count)))
		return
	}
}

// several names the first of some directories.
func several(dirs []string) string {
	if len(dirs) == 1 {
		return named(dirs[0])
	}
	return fmt.Sprintf("%s and %s", named(dirs[0]),
		unit.Things(int64(len(dirs)-1), "other directory"))
}

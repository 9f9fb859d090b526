package answer

import (
	"fmt"
	"path"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// again is for data that a device read once more because a program had it dropped, or went past the page cache. Where
// memory was short that is a cause of its own.
func again(o *observer) {
	for i := range o.p.Amounts.Devices {
		d := &o.p.Amounts.Devices[i]
		for k := range d.Read.Reasons {
			r := &d.Read.Reasons[k]
			first := d.Read.Device - r.Bytes
			if r.Bytes < amplifiedBytes || float64(d.Read.Device) < amplifiedBy*float64(first) {
				continue
			}
			why := ""
			switch r.Code {
			case profile.AgainDropped:
				why = droppedBy(o.p)
			case profile.AgainDirect:
				why = "that had gone past the page cache (O_DIRECT): read it through the cache, or keep it"
			default:
				continue
			}
			at := fmt.Sprintf("/amounts/devices/%d/read", i)
			o.say("read_again", at, fmt.Sprintf("%s read %s again %s.", d.Name, unit.Bytes(r.Bytes), why),
				number(at+"/device_bytes", float64(d.Read.Device)),
				number(fmt.Sprintf("%s/reasons/%d/bytes", at, k), float64(r.Bytes)))
		}
	}
}

// droppedBy says who had data dropped from memory, and what changes that.
func droppedBy(p *profile.Profile) string {
	switch {
	case slices.ContainsFunc(p.Calls, func(c profile.Call) bool { return c.Advice["dontneed"] > 0 }):
		return "that a program had dropped (POSIX_FADV_DONTNEED): drop it after the last use, or not at all"
	case p.Trace.CacheDrops > 0:
		return "that had been dropped from memory (drop_caches): stop what does that"
	}
	return "that another process had dropped from memory, such as a backup (POSIX_FADV_DONTNEED)"
}

// over is for files that calls wrote over: they hold far less in the end than was written to them.
func over(o *observer) {
	if o.said("saved") || o.said("rewritten") {
		return
	}
	var wrote, holds, syncs int64
	var evidence []profile.Evidence
	in, what := map[string]int64{}, "" // bytes that were written over, by directory
	for i := range o.p.Files {
		f := &o.p.Files[i]
		if f.Type != trace.FileRegular || f.Deleted || f.Write == nil || f.Write.Bytes == 0 {
			continue
		}
		if what = named(f.Path); wrote > 0 { // more than one
			what = "files"
		}
		wrote += f.Write.Bytes
		of, held := places(f)
		holds += held
		if f.Write.Bytes > held {
			syncs += syncsOf(f)
			in[path.Dir(f.Path)] += f.Write.Bytes - held
		}
		if f.Write.Bytes > held && len(evidence) < fewestTries {
			at := fmt.Sprintf("/files/%d", i)
			evidence = append(evidence, number(at+"/write/bytes", float64(f.Write.Bytes)), number(at+of, float64(held)))
		}
	}
	if wrote-holds < amplifiedBytes || float64(wrote) < amplifiedBy*float64(holds) {
		return
	}
	if under, _ := measure.Deepest(in, nearly); what == "files" && under != "" {
		what += " below " + named(under)
	}
	figures := map[string]float64{"written_bytes": float64(wrote), "held_bytes": float64(holds)}
	if syncs >= fewestSaves { // each makes what it writes durable, so that nothing of it can be left out
		o.say("synced_over", "/files", fmt.Sprintf("%s of %s was written over: %s between %s; %s.", unit.Bytes(holds), what,
			unit.Bytes(wrote), unit.Things(syncs, "sync"), writeChanges), evidence...)
		o.list[len(o.list)-1].Figures = figures
		o.instead(writeChanges)
		return
	}
	o.say("written_over", "/files", fmt.Sprintf("%s of %s was written over: %s written.", unit.Bytes(holds), what,
		unit.Bytes(wrote)), evidence...)
	o.list[len(o.list)-1].Figures = figures
	var spared int64 // in memory, before a drive wrote it
	for i := range o.p.Amounts.Devices {
		spared += o.p.Amounts.Devices[i].Write.Of(profile.Overwritten)
	}
	if 2*spared < wrote-holds {
		o.instead(writeOnce)
	}
}

// syncsOf is how many calls made a file durable.
func syncsOf(f *profile.File) (n int64) {
	for _, c := range f.Ops {
		if c.Op.Durability() {
			n += c.Count - c.Errors
		}
	}
	return n
}

// places is how much of a file calls wrote to, and what of the profile says so.
func places(f *profile.File) (pointer string, bytes int64) {
	pointer, bytes = "/size_bytes", min(f.Size, f.Write.Bytes)
	if w := f.WritePattern; w != nil && w.WorkingSet < bytes {
		pointer, bytes = "/write_pattern/working_set_bytes", w.WorkingSet
	}
	return pointer, bytes
}

// stamps is for fsync after writes within a file: the file system's journal has to write no more for it than the time
// of the change, which fdatasync leaves for later.
func stamps(o *observer) {
	for i := range o.p.Files {
		f := &o.p.Files[i]
		syncs, other := int64(0), f.Created || f.Deleted
		for _, c := range f.Ops {
			switch c.Op {
			case trace.OpSync:
				syncs += c.Count - c.Errors
			case trace.OpAllocate, trace.OpTruncate, trace.OpPunch:
				other = true
			}
		}
		if f.Write == nil || f.WritePattern == nil || other || syncs < fewestAppends || syncs*2 < f.Write.Count ||
			f.WritePattern.WorkingSet*2 > f.Size {
			continue
		}
		at := fmt.Sprintf("/files/%d", i)
		o.say("stamps_synced", at, fmt.Sprintf("fdatasync would do for %s: its length stays, and fsync, %s, writes its "+
			"time stamps %s.", named(f.Path), unit.Things(syncs, "time"), asWell(o, f)),
			number(at+"/write/count", float64(f.Write.Count)), number(at+"/size_bytes", float64(f.Size)))
	}
}

// holesOf is how much of what was read of a file is stored nowhere.
func holesOf(p *profile.Profile, name string) (bytes int64) {
	for i := range p.Amounts.Files {
		if a := &p.Amounts.Files[i]; a.Name == name {
			bytes += a.Read.Of(profile.Holes)
		}
	}
	return bytes
}

// expanded is for a copy that reads the holes of a file, and writes them as data.
func expanded(o *observer) {
	for i := range o.p.Copies {
		c := &o.p.Copies[i]
		if !c.Method.Moves() || c.Bytes < amplifiedBytes {
			continue
		}
		holes := holesOf(o.p, c.Source)
		if holes < amplifiedBytes || float64(c.Bytes) < amplifiedBy*float64(c.Bytes-holes) {
			continue
		}
		at := fmt.Sprintf("/copies/%d", i)
		o.say("holes_copied", at, fmt.Sprintf("%s of %s is holes, written as data: cp --sparse=always leaves these out.",
			unit.Bytes(holes), named(c.Source)), number(at+"/bytes", float64(c.Bytes)))
		return
	}
}

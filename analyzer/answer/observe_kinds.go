package answer

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// observeAmplified is for a device that wrote far more than programs did there.
func observeAmplified(o *observer) {
	for i := range o.p.Amounts.Devices {
		d := &o.p.Amounts.Devices[i]
		m := &d.Write
		if m.Factor < amplifiedBy || len(m.Reasons) == 0 {
			continue
		}
		did := int64(m.Factor * float64(m.Moved))
		most := m.Why()
		if most == nil || did-m.Moved < amplifiedBytes {
			continue
		}
		at := fmt.Sprintf("/amounts/devices/%d", i)
		o.say("amplified", at, fmt.Sprintf("%s took %s for %s written: %s %s.", d.Name, unit.Bytes(did),
			unit.Bytes(m.Moved), unit.Bytes(most.Bytes), wording.Reason(most.Code, o.p.Trace.Journals(d.Name))),
			number(at+"/write/factor", m.Factor), number(at+"/write/moved_bytes", float64(m.Moved)),
			number(fmt.Sprintf("%s/write/reasons/%d/bytes", at, slices.IndexFunc(m.Reasons, func(r profile.Part) bool {
				return r.Code == most.Code
			})), float64(most.Bytes)))
	}
}

// fewestAppends is how many syncs of a growing file are a log.
const fewestAppends = 16

// growing is for a file that is synced after each piece that is appended: each sync has to write its new length, too.
// It is told where as many syncs are its own as are of all other files.
func growing(o *observer) {
	var all int64
	for i := range o.p.Calls {
		if c := &o.p.Calls[i]; c.Op.Durability() {
			all += c.Count - c.Errors
		}
	}
	for i := range o.p.Files {
		f := &o.p.Files[i]
		syncs, other := f.SyncedWrites, false
		for _, c := range f.Ops {
			switch c.Op {
			case trace.OpSync, trace.OpDataSync:
				syncs += c.Count - c.Errors
			case trace.OpAllocate, trace.OpTruncate: // it has its length beforehand
				other = true
			case trace.OpUnlink: // a file of one transaction, begun anew each time
				other = true
			}
		}
		if f.Write == nil || f.WritePattern == nil || syncs < max(fewestAppends, all/2) || syncs*2 < f.Write.Count || other ||
			f.WritePattern.Consecutive < 0.9 || f.WritePattern.WorkingSet*10 < f.Write.Bytes*9 || f.Size > 2*f.Write.Bytes {
			continue
		}
		at := fmt.Sprintf("/files/%d", i)
		o.say("growing_log", at, fmt.Sprintf("%s grows by %s and is synced, %s: each sync writes its new length %s; %s.",
			named(f.Path), wording.Sizes(&f.Write.Size), unit.Things(syncs, "time"), asWell(o, f), allocated),
			number(at+"/write/count", float64(f.Write.Count)), number(at+"/write/bytes", float64(f.Write.Bytes)))
		o.instead(allocated)
	}
}

// asWell says where the metadata of a file is written beside its data.
func asWell(o *observer, f *profile.File) string {
	if m := o.p.Trace.Mount(f.Mount); m != nil && m.Unjournaled {
		return "as well"
	}
	return "to the journal as well"
}

// blockedShare is the part of the time that io_submit has to take to be told of.
const blockedShare = 0.2

// submits is for asynchronous I/O that is done within the call that submits it.
func submits(o *observer) {
	var async *profile.Call
	for i := range o.p.Calls {
		if c := &o.p.Calls[i]; c.Async && c.Name == "libaio" && (async == nil || c.Count > async.Count) {
			async = c
		}
	}
	for i := range o.p.Calls {
		c := &o.p.Calls[i]
		if c.Op != trace.OpAIOSubmit || async == nil || c.Count == 0 ||
			float64(c.TimeNS) < blockedShare*float64(o.p.WallNS) {
			continue
		}
		at := fmt.Sprintf("/calls/%d", i)
		o.say("blocking_submit", at, fmt.Sprintf("%s waited %s in %s: %s.", c.Name, unit.Nanoseconds(c.TimeNS),
			unit.Things(c.Count, "call"), whySubmit(o.p)), number(at+"/time_ns", float64(c.TimeNS)),
			number(at+"/count", float64(c.Count)))
	}
}

// whySubmit is what is done within the call, at the device that was busy for longest.
func whySubmit(p *profile.Profile) string {
	d := wording.Busiest(p, false)
	if w := wording.Busiest(p, true); d == nil || w != nil && w.Own > d.Own {
		d = w
	}
	if d != nil {
		switch wording.WhySubmit(p, d) {
		case wording.DirtyInCache:
			return "what is dirty of a file in memory is written within the call, before it is read past the page cache"
		case wording.FullQueue:
			return fmt.Sprintf("the queue of %s holds %d requests (nr_requests), and the call waits for room", d.Name,
				d.QueueDepth)
		}
	}
	return "files that are opened without O_DIRECT, or that grow, are read and written within the call, one after the " +
		"other"
}

// rewound is for a file that calls read from its beginning again and again, if that is most of what they read.
func rewound(o *observer) {
	all, _ := o.p.ByCalls()
	for i := range o.p.Files {
		f := &o.p.Files[i]
		if f.Type != trace.FileRegular || f.Read == nil || f.Size < amplifiedBytes || f.Read.Bytes < 2*f.Size ||
			2*(f.Read.Bytes-f.Size) <= all || o.said("rewritten") {
			continue
		}
		at := fmt.Sprintf("/files/%d", i)
		by := runsOn(o.p, f.Processes)
		code, instead := "rewound", by.instead(readOnce)
		if f.ReadPattern != nil && f.ReadPattern.Class == "random" {
			instead = by.instead(keepPages)
		}
		text := fmt.Sprintf("%s was read over and over%s: %s in all; it has %s.", named(f.Path), by.words(),
			unit.Bytes(f.Read.Bytes), unit.Bytes(f.Size))
		evidence := []profile.Evidence{number(at+"/read/bytes", float64(f.Read.Bytes)),
			number(at+"/size_bytes", float64(f.Size))}
		if r := f.ReadPattern; r != nil && 2*r.Overlapping > 1 {
			code, instead = "read_within", keepReads
			text = fmt.Sprintf("%s was read over and over, %s of %s, as each read begins within the one "+
				"before: %s.", named(f.Path), unit.Bytes(f.Read.Bytes), unit.Bytes(f.Size), keepReads)
			evidence = append(evidence, number(at+"/read_pattern/overlapping_share", r.Overlapping))
		}
		o.say(code, at, text, evidence...)
		o.instead(instead)
		o.list[len(o.list)-1].Figures = by.figures()
	}
}

// rereadAll is for many files that were read over and over, by calls or through mappings, if that is most of what was
// read.
func rereadAll(o *observer) {
	r := o.p.Reread
	if all := readInAll(o.p); r == nil || r.Files < wholeFiles || r.Bytes-r.Size < amplifiedBytes ||
		2*(r.Bytes-r.Size) <= all || o.said("rewound") || o.said("read_within") || o.said("rewritten") {
		return
	}
	text := unit.Things(r.Files, "file")
	if r.Under != "" {
		text += " below " + named(r.Under)
	}
	o.say("reread", "/reread", fmt.Sprintf("%s were read over and over, %s of %s; %s.", text, unit.Bytes(r.Bytes),
		unit.Bytes(r.Size), readEachOnce), number("/reread/files", float64(r.Files)),
		number("/reread/bytes", float64(r.Bytes)), number("/reread/size_bytes", float64(r.Size)))
	o.instead(readEachOnce)
}

// readInAll is how much calls and page faults read.
func readInAll(p *profile.Profile) int64 {
	n, _ := p.ByCalls()
	for i := range p.Layers {
		if l := &p.Layers[i]; l.Name == "faults" && l.Read != nil {
			n += l.Read.Bytes
		}
	}
	return n
}

// refusedOps are the calls that would share a file's data rather than copy it, and what they make of it.
var refusedOps = map[trace.Op]string{
	trace.OpRename: "rename", trace.OpLink: "hard link", trace.OpClone: "clone", trace.OpCloneRange: "clone",
}

// acrossMounts is for files that were to be renamed, linked or cloned and had to be copied. Programs that copy try a
// clone first and expect it to be refused by another file system.
func acrossMounts(o *observer) {
	for i := range o.p.Calls {
		c := &o.p.Calls[i]
		n := c.Errno[trace.ErrCrossDevice]
		what, ok := refusedOps[c.Op]
		if !ok || n == 0 || len(o.p.Copies) == 0 {
			continue
		}
		one := oneSystem(o.p)
		if one == "" && what == "clone" {
			continue
		}
		text := unit.Things(n, what+" was", what+"s were") + " refused, as they led to another mount (EXDEV), and " +
			"data was copied"
		if one != "" {
			text += fmt.Sprintf("; both lie on one file system (%s): through one mount it is a %s", one, what)
		}
		at := fmt.Sprintf("/calls/%d", i)
		o.say("across_mounts", at, text+".", number(fmt.Sprintf("%s/errno/%d", at, trace.ErrCrossDevice), float64(n)))
	}
}

// oneSystem is the device of the file system that a copy begins and ends on, by different mounts.
func oneSystem(p *profile.Profile) string {
	files := map[string]*profile.File{}
	for i := range p.Files {
		files[p.Files[i].Path] = &p.Files[i]
	}
	for i := range p.Copies {
		from, to := files[p.Copies[i].Source], files[p.Copies[i].Destination]
		if from != nil && to != nil && from.Device == to.Device && from.Mount != to.Mount && from.Inode != 0 {
			return from.Device
		}
	}
	return ""
}

// fewestTries is how often a lock has to be refused.
const fewestTries = 8

// making are the operations that fail where a name is there already.
var making = []trace.Op{trace.OpOpen, trace.OpMkdir, trace.OpLink, trace.OpSymlink}

// polling is for a lock that is tried again and again, with sleeps between, as SQLite does; also for one that is a file
// which can be made by one program alone.
func polling(o *observer) {
	for i := range o.p.Files {
		f := &o.p.Files[i]
		for k := range f.Ops {
			c, text := &f.Ops[k], ""
			switch {
			case c.Errors < fewestTries:
				continue
			case c.Op == trace.OpLock:
				text = fmt.Sprintf("A lock on %s was refused %s and tried again", named(f.Path), unit.Things(c.Errors, "time"))
				if h := holder(o.p, f); h != nil {
					text += fmt.Sprintf(": %s (pid %d) had it", h.Command, h.PID)
				}
			case 2*f.Retries > c.Errors && slices.Contains(making, c.Op): // who does not sleep, makes what may be there
				text = fmt.Sprintf("%s, a lock file, was there %s and tried again", named(f.LockName()),
					unit.Things(c.Errors, "time"))
			default:
				continue
			}
			text += "; between tries nothing is done, and whoever tries wakes up later than the lock is free."
			at := fmt.Sprintf("/files/%d/ops/%d", i, k)
			o.say("lock_polling", at, text, number(at+"/errors", float64(c.Errors)))
		}
	}
}

// holder is who had the lock on a file.
func holder(p *profile.Profile, f *profile.File) *profile.Holder {
	for i := range p.Trace.Holders {
		if h := &p.Trace.Holders[i]; h.What == "lock" && h.Inode == f.Inode {
			return h
		}
	}
	return nil
}

package kdebug

import "fmt"

// Decode takes the next records, a whole number of them: a remainder is an
// error of the caller and refused.
func (d *Decoder) Decode(b []byte) error {
	if len(b)%RecordSize != 0 {
		return fmt.Errorf("decoding kdebug records: %d bytes are no whole number of %d-byte records", len(b), RecordSize)
	}
	var r Record
	for ; len(b) > 0; b = b[RecordSize:] {
		r.get(b)
		d.record(&r)
		if d.err != nil {
			return d.err
		}
	}
	return nil
}

func (d *Decoder) record(r *Record) {
	if r.DebugID&idMask == LostEvents {
		d.lost(d.at(r.Time))
	}
	if t := d.at(r.Time); t > d.now {
		d.now = t
	}
	switch r.DebugID & groupMask {
	case GroupCall:
		calls{d}.call(r)
	case GroupSched:
		waits{d}.record(r)
	case GroupLookup:
		if r.DebugID&idMask == Lookup {
			d.lookup(r)
		}
	case GroupDisk:
		disks{d}.diskIO(r)
	case GroupCallExt:
		d.extra(r)
	case GroupCallExt2:
		d.extra2(r)
	case GroupIoctl:
		disks{d}.diskIoctl(r)
	case GroupData, GroupString:
		processes{d}.threadEvent(r)
	case GroupProc:
		if r.DebugID&idMask == ProcExit && r.DebugID&FuncStart != 0 {
			processes{d}.exit(uint32(r.Arg[0]), int32(r.Arg[1]))
		}
	}
}

func (d *Decoder) lookup(r *Record) {
	t := d.thread(r.Thread)
	d.recycled(r)
	if t.outside() && t.proc.pid != d.self {
		return
	}
	n := t.look.n
	t.look.add(r)
	if t.look.n > n && t.proc != nil && t.proc.pid == d.self {
		// The recorder looks up files that were open before it began, so that
		// the kernel names their vnodes.
		if id, ok := d.files.Find(t.look.path[n]); ok {
			d.vnode(t.look.vnode[n], id)
		}
		t.look.reset()
	}
}

func (d *Decoder) extra(r *Record) {
	t := d.thread(r.Thread)
	if t.call.active {
		t.call.extra, t.call.ext = r.Arg, true
	}
}

func (d *Decoder) extra2(r *Record) {
	t := d.thread(r.Thread)
	if t.call.active {
		t.call.extra2, t.call.ext2 = r.Arg, true
	}
}

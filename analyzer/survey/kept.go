package survey

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// kept is what a device was given to keep of one kind. It is safe as it was written, where it went past a volatile
// cache, else with the first flush that began when all of it was there.
type kept struct {
	written, cached int64 // when the last write was done, and the last that may lie in a cache; 0: none
	first, last     flush // that began after it: what was done first, and what began last
}

// flush is one of a cache; the zero value is none.
type flush struct{ begun, done int64 }

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
	if by.done == 0 || by.begun < k.cached {
		return
	}
	if k.first.done == 0 || by.done < k.first.done {
		k.first = by
	}
	if by.begun > k.last.begun {
		k.last = by
	}
}

// with is both. All kinds are given the flushes of their device.
func (k kept) with(x kept) kept {
	both := kept{written: max(k.written, x.written), cached: max(k.cached, x.cached)}
	for _, f := range []flush{k.first, k.last, x.first, x.last} {
		both.flushed(f)
	}
	return both
}

// safe is when all was, -1 if that was not seen. A device without a volatile cache is never told to flush.
func (k kept) safe(d *world.Device) int64 {
	switch {
	case k.cached == 0 || d.WriteCache == "write through":
		return k.written
	case k.first.done == 0:
		return -1
	}
	return max(k.written, k.first.done)
}

// kind is one of what a device was given to keep.
type kind int

const (
	data     kind = iota // of files
	journal              // what says where files lie: a journal, a log, a superblock of btrfs; or it is not known what
	placed               // the same, in its own place: of an ext4 with a journal it was in that before
	settled              // what no file needs: nobody waits, as a journal has it or a superblock follows; or spare room
	ofOthers             // what others wrote of their files
	kinds
)

// kindOf is the kind of what a request writes. A transaction of others may hold what a thread of the kernel did for the
// workload, and what the recorder writes of no file may be the workload's, which it syncs.
func kindOf(e *trace.Request) kind {
	recorder, meta := e.Flags&trace.ReqRecorder != 0, e.Flags&trace.ReqMeta != 0
	switch {
	case e.File != 0 && !world.Others(e):
		return data
	case e.File != 0, world.Others(e) && !recorder && !meta:
		return ofOthers
	case meta && (e.Flags&trace.ReqSync == 0 || e.Flags&trace.ReqSpare != 0):
		return settled
	case meta && (e.Owner != 0 || recorder || e.Flags&trace.ReqPrio != 0): // a journal's thread has none of these
		return placed
	}
	return journal
}

// ledger is what one device was given to keep, by kind.
type ledger struct {
	kept   [kinds]kept
	kernel bool   // it was the kernel's thread that wrote a journal
	home   bool   // of a file system in which files were written, data lies there
	super  uint64 // the sector of the superblock of btrfs that was written last
}

// request enters what the device did.
func (l *ledger) request(e *trace.Request) {
	l.flush(e)
	if !writes(e) {
		return
	}
	x := kindOf(e)
	l.kept[x].wrote(max(e.Issued, e.Completed), e.Flags&trace.ReqFUA != 0 || l.superblockCopy(e))
	l.kernel = l.kernel || x == journal && e.Flags&trace.ReqMeta != 0
}

// flush enters a flush, if it is one.
func (l *ledger) flush(e *trace.Request) {
	if e.Error != 0 || e.Op != trace.ReqFlush && e.Flags&trace.ReqPreflush == 0 {
		return
	}
	for i := range l.kept {
		l.kept[i].flushed(flush{e.Issued, max(e.Issued, e.Completed)})
	}
}

// writes reports whether a request gives a device something to keep.
func writes(e *trace.Request) bool {
	empty := e.Bytes == 0 && e.Flags&trace.ReqPreflush != 0
	return (e.Op == trace.ReqWrite || e.Op == trace.ReqWriteZeroes) && !empty
}

// superblockCopy reports whether a request writes a second or third superblock of btrfs. A commit writes the first one
// past the cache and does not flush the others: nothing reads them while the first one is whole.
func (l *ledger) superblockCopy(e *trace.Request) bool {
	const of = trace.ReqMeta | trace.ReqSync | trace.ReqPrio // of all writes of btrfs, only superblocks have ReqPrio
	if e.Flags&of != of || e.Bytes != superblock {
		return false
	}
	if from := e.Sector - l.super; l.super > 0 && (from == secondSuperblock || from == thirdSuperblock) {
		return true
	}
	l.super = e.Sector
	return false
}

// The size of a superblock of btrfs in bytes, and how many sectors behind the first one the others lie: they begin at
// 64 KiB, 64 MiB and 256 GiB (btrfs_sb_offset in the kernel's fs/btrfs/disk-io.h).
const (
	superblock       = 4096
	secondSuperblock = (64<<20 - 64<<10) / 512
	thirdSuperblock  = (256<<30 - 64<<10) / 512
)

// of is all of some kinds.
func (l *ledger) of(list ...kind) kept {
	all := l.kept[list[0]]
	for _, k := range list[1:] {
		all = all.with(l.kept[k])
	}
	return all
}

// until is the data of one file, all of which was there at a time.
func (l *ledger) until(last int64) kept {
	return kept{written: last, cached: last}.with(kept{first: l.kept[data].first, last: l.kept[data].last})
}

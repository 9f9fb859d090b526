package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// requests are what a device did, at times after the last call of a command.
type requests = []trace.Request

// durableCase is a command whose data is durable at some time after its last call.
type durableCase struct {
	cache, fs string
	did       requests
	lost      bool
	want      int64
}

// A command ends, and the recorder takes notice of the last write, so long after the last call.
const (
	commandEnds  = 100 * ms
	recorderSees = 130 * ms
)

const ofOthers, ofRecorder = trace.ReqForeign, trace.ReqForeign | trace.ReqRecorder

func metaWrite(from, to int64, flags trace.ReqFlags) trace.Request {
	return trace.Request{Op: trace.ReqWrite, Bytes: 4096, Sector: 9000, Flags: flags, Issued: from, Completed: to}
}

func dataWrite(from, to int64) trace.Request {
	return trace.Request{Op: trace.ReqWrite, Bytes: MiB, File: 1, Issued: from, Completed: to}
}

func cacheFlush(from, to int64, flags trace.ReqFlags) trace.Request {
	return trace.Request{Op: trace.ReqFlush, Flags: flags, Issued: from, Completed: to}
}

// TestDurableWithLastFlush: all is durable with the first flush that began when the last of it was written, not when
// the recorder took notice of that.
func TestDurableWithLastFlush(t *testing.T) {
	failed := cacheFlush(12*ms, 15*ms, 0)
	failed.Error = 5
	asked := cacheFlush(12*ms, 15*ms, trace.ReqPreflush|trace.ReqBioBased)
	asked.Op = trace.ReqWrite
	synced := dataWrite(5*ms, 10*ms)
	for name, c := range map[string]durableCase{
		"itself, past the cache": {"write back", "ext4", requests{synced, cacheFlush(12*ms, 15*ms, 0),
			metaWrite(15*ms, 17*ms, trace.ReqFUA)}, false, commandEnds},
		"itself, with two flushes": {"write back", "xfs", requests{synced, cacheFlush(12*ms, 15*ms, 0),
			metaWrite(15*ms, 17*ms, 0),
			cacheFlush(17*ms, 19*ms, 0)}, false, commandEnds},
		"a flush for others": {"write back", "btrfs", requests{synced, cacheFlush(12*ms, 15*ms, ofOthers)},
			false, commandEnds},
		"an unknown cache": {"", "ext4", requests{synced, cacheFlush(12*ms, 15*ms, 0)}, false, commandEnds},
		"only a flush left": {"write back", "ext4", requests{synced, cacheFlush(110*ms, 112*ms, 0)},
			false, 112 * ms},
		"several flushes": {"write back", "ext4", requests{dataWrite(104*ms, 106*ms),
			cacheFlush(108*ms, 110*ms, 0),
			cacheFlush(120*ms, 121*ms, 0)}, false, 110 * ms},
		"a flush in between": {"write back", "ext4", requests{synced, cacheFlush(12*ms, 15*ms, 0),
			dataWrite(20*ms, 110*ms), cacheFlush(112*ms, 113*ms, 0)}, false, 113 * ms},
		"began too early": {"write back", "ext4", requests{dataWrite(5*ms, 20*ms),
			cacheFlush(12*ms, 25*ms, 0)}, false, recorderSees},
		"metadata too late": {"write back", "ext4", requests{synced, cacheFlush(12*ms, 15*ms, 0),
			metaWrite(104*ms, 105*ms, trace.ReqMeta|trace.ReqSync)}, false, recorderSees},
		"metadata in its own time": {"write back", "ext4", requests{synced, cacheFlush(12*ms, 15*ms, 0),
			metaWrite(104*ms, 105*ms, trace.ReqMeta)}, false, commandEnds},
		"spare room given back": {"write back", "xfs", requests{synced, cacheFlush(12*ms, 15*ms, 0),
			metaWrite(104*ms, 105*ms, trace.ReqMeta|trace.ReqSync|trace.ReqFUA|trace.ReqSpare)}, false, commandEnds},
		"more in the same log": {"write back", "xfs", requests{synced, cacheFlush(12*ms, 15*ms, 0),
			metaWrite(104*ms, 105*ms, trace.ReqMeta|trace.ReqSync|trace.ReqFUA)}, false, 105 * ms},
		"it failed": {"write back", "ext4", requests{synced, failed}, false, recorderSees},
		"none":      {"write back", "ext4", requests{synced}, false, recorderSees},
		"requests are lost": {"write back", "ext4", requests{synced, cacheFlush(12*ms, 15*ms, 0)},
			true, recorderSees},
		"asked for by a bio": {"write back", "ext4", requests{synced, asked}, false, commandEnds},
		"no volatile cache":  {"write through", "ext4", requests{dataWrite(104*ms, 106*ms)}, false, 106 * ms},
	} {
		c.check(t, name)
	}
}

// TestDurableWithTheFirstSuperblock: btrfs writes its first superblock past the cache, here as the kernel does that for
// a device that cannot, and the others without a flush. They lie at 64 KiB, 64 MiB and 256 GiB of the file system.
func TestDurableWithTheFirstSuperblock(t *testing.T) {
	const begins = 2048 // the sector at which a partition begins
	super := func(at uint64, from, to int64) trace.Request {
		r := metaWrite(from, to, trace.ReqSync|trace.ReqMeta|trace.ReqPrio)
		r.Sector = begins + at/512
		return r
	}
	const first, second, third = 64 << 10, 64 << 20, 256 << 30
	commit := func(copies ...trace.Request) requests {
		return append(requests{dataWrite(5*ms, 10*ms), cacheFlush(11*ms, 12*ms, trace.ReqPreflush),
			super(first, 13*ms, 15*ms), cacheFlush(15*ms, 19*ms, trace.ReqPreflush)}, copies...)
	}
	for name, c := range map[string]durableCase{
		"a second one": {"write back", "btrfs", commit(super(second, 13*ms, 18*ms)), false, commandEnds},
		"three of them": {"write back", "btrfs", commit(super(second, 13*ms, 16*ms),
			super(third, 13*ms, 17*ms)), false, commandEnds},
		"a first one, not flushed": {"write back", "btrfs", append(commit(), super(first, 20*ms, 21*ms)),
			false, recorderSees},
		"metadata elsewhere": {"write back", "btrfs", commit(super(second+4096, 13*ms, 18*ms)), false, recorderSees},
	} {
		c.check(t, name)
	}
}

// TestDurableBesideOthers: what others write counts where it may hold what the workload's data needs to be found.
func TestDurableBesideOthers(t *testing.T) {
	synced := dataWrite(5*ms, 10*ms)
	inPlace := metaWrite(20*ms, 25*ms, trace.ReqMeta|trace.ReqSync) // as sync(2) does once the journal has it
	inPlace.Owner = 100
	journal := metaWrite(15*ms, 17*ms, trace.ReqMeta|trace.ReqSync|trace.ReqFUA)
	for name, c := range map[string]durableCase{
		"others write later": {"write back", "ext4", requests{synced, cacheFlush(12*ms, 15*ms, 0),
			metaWrite(104*ms, 105*ms, ofOthers)}, false, commandEnds},
		"others' transaction": {"write back", "ext4", requests{synced, cacheFlush(12*ms, 15*ms, 0),
			metaWrite(104*ms, 105*ms, ofOthers|trace.ReqMeta|trace.ReqSync)}, false, recorderSees},
		"whose is not known": {"write back", "vfat", requests{synced, cacheFlush(12*ms, 15*ms, 0),
			metaWrite(104*ms, 105*ms, ofOthers)}, false, recorderSees},
		"the recorder's sync": {"write back", "ext4", requests{synced, cacheFlush(12*ms, 15*ms, 0),
			metaWrite(104*ms, 105*ms, ofRecorder), cacheFlush(106*ms, 107*ms, ofRecorder)}, false, 107 * ms},
		"in place": {"write back", "ext4", requests{synced, cacheFlush(12*ms, 15*ms, 0), journal, inPlace},
			false, commandEnds},
		"in place, by nobody known": {"write back", "ext4", requests{synced, cacheFlush(12*ms, 15*ms, 0), journal,
			metaWrite(20*ms, 25*ms, trace.ReqMeta|trace.ReqSync|trace.ReqPrio)}, false, commandEnds},
		"in place, no journal": {"write back", "ext4", requests{synced, cacheFlush(12*ms, 15*ms, 0), inPlace},
			false, recorderSees},
		"in place, no journal, by nobody known": {"write back", "ext4", requests{synced, cacheFlush(12*ms, 15*ms, 0),
			metaWrite(20*ms, 25*ms, trace.ReqMeta|trace.ReqSync|trace.ReqPrio)}, false, recorderSees},
		"in a log": {"write back", "xfs", requests{synced, cacheFlush(12*ms, 15*ms, 0), journal, inPlace},
			false, recorderSees},
		"another machine": {"write back", "nfs4", requests{synced, cacheFlush(12*ms, 15*ms, 0)},
			false, recorderSees},
		"an unknown system": {"write back", "zfs", requests{synced, cacheFlush(12*ms, 15*ms, 0)},
			false, recorderSees},
	} {
		c.check(t, name)
	}
}

// check records the case, and compares when all is said to be durable.
func (c *durableCase) check(t *testing.T, name string) {
	const disk = trace.DeviceID(8 << 20)
	s := newScene(t, "writes")
	s.put(s.now, &trace.Device{ID: disk, Name: "sda", WriteCache: c.cache})
	b := s.identify(trace.File{Path: "/x/new", Device: disk, Inode: 9, FSType: c.fs, Mount: "/x"})
	s.open(b, trace.FlagWrite|trace.FlagCreate|trace.FlagTrunc)
	s.write(b, 0, MiB, ms)
	begun := s.now
	for _, q := range c.did {
		q.Issued, q.Completed = q.Issued+begun, q.Completed+begun
		q.Queued, q.Device, q.PID, q.TID, q.Bios = q.Issued, disk, 7, 7, 1
		if q.File != 0 {
			q.Evidence = trace.EvidenceInode
		}
		s.put(q.Completed, &q)
	}
	if c.lost {
		s.put(begun, &trace.Lost{Kind: trace.KindRequest, Count: 1, From: begun, To: begun + ms})
	}
	s.now = begun + commandEnds
	s.returns()
	s.durable(begun + recorderSees)
	// What sync(2) writes to a further disk makes nothing of this safe.
	s.put(begun+31*ms, &trace.Request{Op: trace.ReqWrite, Flags: trace.ReqMeta | trace.ReqSync, Bytes: 4096, Device: nvme,
		Queued: begun + 30*ms, Issued: begun + 30*ms, Completed: begun + 31*ms, PID: 100, TID: 100, Owner: 100, Bios: 1})
	s.end.Mounts = []trace.Mount{{Device: disk, Disk: disk, Point: "/x", FSType: c.fs}}
	p := s.profile()
	if got := p.StartNS + p.DurableNS - begun; got != c.want {
		t.Errorf("%s: durable %d ms after the last call, want %d", name, got/ms, c.want/ms)
	}
	if got := p.StartNS + p.TimeStack.TotalNS - begun; got != c.want {
		t.Errorf("%s: the time is divided up to %d ms after the last call, want %d", name, got/ms, c.want/ms)
	}
}

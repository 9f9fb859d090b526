package kdebug_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/kdebug/kdsim"
)

// program lets a few processes do random things to a few files.
func program(rt *rapid.T, mac macos.Model) *kdsim.Machine {
	m, launchd := kdsim.New(mac)
	for i := range 7 {
		m.MakeFile(fmt.Sprintf("/files/%d with a name that needs two records", i), int64(i)<<20)
	}
	threads := []*kdsim.Thread{launchd.Spawn("/bin/a"), launchd.Spawn("/bin/b")}
	open := map[*kdsim.Thread][]int32{}
	// Either the processes overlap in time and have files of their own, or they
	// share files and take turns: what overlapping writers do to the end of one
	// file depends on more than the records show.
	overlap := rapid.Bool().Draw(rt, "overlap")
	clock := uint64(0)
	for range rapid.IntRange(1, 60).Draw(rt, "steps") {
		t := rapid.SampledFrom(threads).Draw(rt, "thread")
		number := rapid.IntRange(0, 4).Draw(rt, "file")
		if overlap {
			number = 2*number + int(t.TID%2)
		} else {
			t.Now = max(t.Now, clock)
		}
		file := fmt.Sprintf("/files/%d with a name that needs two records", number)
		n := rapid.Int64Range(0, 1<<20).Draw(rt, "n")
		what := rapid.IntRange(0, 9).Draw(rt, "what")
		if fds := open[t]; len(fds) > 0 && what > 1 {
			fd := rapid.SampledFrom(fds).Draw(rt, "fd")
			switch what {
			case 2, 3:
				t.Read(fd, n)
			case 4, 5:
				t.WriteBy("write_nocancel", fd, n)
			case 6:
				t.Seek(fd, n)
			case 7:
				t.Pwrite("pwrite", fd, n, n*7)
			case 8:
				t.Close(fd)
				open[t] = slices.DeleteFunc(slices.Clone(fds), func(f int32) bool { return f == fd })
			case 9:
				t.ReadBy("readv", fd, n)
			}
			clock = t.Now
			continue
		}
		flags := rapid.SampledFrom([]uint64{kdsim.ORdwr, kdsim.ORdwr | kdsim.OCreat,
			kdsim.ORdwr | kdsim.OCreat | kdsim.OTrunc, kdsim.OWronly | kdsim.OAppend | kdsim.OCreat | kdsim.OTrunc}).Draw(rt,
			"flags")
		if fd := t.Open(file, flags); fd >= 0 {
			open[t] = append(open[t], fd)
		}
		clock = t.Now
	}
	return m
}

// Whatever is lost, an event that is decoded in full is true: a loss hides
// calls, files and offsets, and never invents or mixes them up.
func TestLossesHideButDoNotLie(t *testing.T) { onBothMacs(t, lossesHideButDoNotLie) }

func lossesHideButDoNotLie(t *testing.T, mac macos.Model) {
	rapid.Check(t, func(rt *rapid.T) {
		m := program(rt, mac)
		records := m.Records()
		i := rapid.IntRange(0, len(records)-2).Draw(rt, "from")
		j := rapid.IntRange(i+1, len(records)-1).Draw(rt, "to")
		var log trace.Log
		d := kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true}, Timebase: m.Timebase, Start: m.Base}, &log)
		if err := d.Seed(m.Entries); err != nil {
			rt.Fatal(err)
		}
		if err := d.Decode(kdsim.Bytes(kdsim.Lose(records, i, j))); err != nil {
			rt.Fatal(err)
		}
		if len(log.Losses) != 1 || d.Counts().Lost != 1 {
			rt.Fatalf("%d losses reported, want 1", len(log.Losses))
		}
		gap := log.Losses[0]
		type key struct {
			tid uint32
			end int64
		}
		truth := map[key]comparable{}
		for _, c := range truths(m) {
			truth[key{c.TID, c.End}] = c
		}
		for k := range log.Syscalls {
			got := event(&log, &log.Syscalls[k])
			want, ok := truth[key{got.TID, got.End}]
			if !ok {
				rt.Fatalf("invented: %+v", got)
			}
			delete(truth, key{got.TID, got.End})
			if log.Syscalls[k].Flags&trace.FlagPartial != 0 && log.Syscalls[k].Flags&trace.FlagVectored == 0 {
				want.Start, want.FD, want.Path, want.Req = got.Start, got.FD, "", got.Req
			}
			if got.FD == -1 {
				want.FD = -1
			}
			if got.Path == "" { // after the gap a descriptor's file is not known
				want.Path, want.Path2 = "", ""
			}
			if got.Offset == trace.NoOffset {
				want.Offset = trace.NoOffset
			}
			if got.Req == max(got.Res, 0) {
				want.Req = got.Req
			}
			if got.Start == got.End {
				want.Start = got.Start
			}
			if got != want {
				rt.Fatalf("decoded %+v\n  truth %+v", got, want)
			}
		}
		for _, c := range truth { // whatever is missing touches the gap
			if c.End < gap.From || c.Start > gap.To {
				rt.Fatalf("missing outside the gap %d…%d: %+v", gap.From, gap.To, c)
			}
		}
	})
}

// Any record may be missing without a mark (a coprocessor's, an old kernel's
// bug): the rest must decode, and a lone end is marked as partial.
func TestRecordsOutOfPairs(t *testing.T) { onBothMacs(t, recordsOutOfPairs) }

func recordsOutOfPairs(t *testing.T, mac macos.Model) {
	m, launchd := kdsim.New(mac)
	m.MakeFile("/f", mib)
	p := launchd.Spawn("/bin/x")
	fd := p.Open("/f", kdsim.ORdonly)
	p.Read(fd, 4096)
	records := m.Records()
	for i := range records {
		var log trace.Log
		d := kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true}, Timebase: m.Timebase, Start: m.Base}, &log)
		if err := d.Decode(kdsim.Bytes(slices.Delete(slices.Clone(records), i, i+1))); err != nil {
			t.Fatal(err)
		}
		for _, e := range log.Syscalls {
			if e.Duration == 0 && e.Flags&trace.FlagPartial == 0 {
				t.Errorf("without record %d: a call of no duration is not marked: %+v", i, e)
			}
		}
	}
	// A process that was inside a call when recording began: that call is not
	// of the recording. After a loss the same record is all there is of one.
	last := records[len(records)-1:]
	var log trace.Log
	d := kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true}, Timebase: m.Timebase, Start: m.Base}, &log)
	if err := d.Decode(kdsim.Bytes(last)); err != nil {
		t.Fatal(err)
	}
	if len(log.Syscalls) != 0 || d.Counts().Orphans != 1 {
		t.Errorf("%d events of a call that began before", len(log.Syscalls))
	}
	d = kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true}, Timebase: m.Timebase, Start: m.Base}, &log)
	if err := d.Decode(kdsim.Bytes(kdsim.Lose(records, 0, len(records)-1))); err != nil {
		t.Fatal(err)
	}
	if e := log.Syscalls[0]; e.Result != 4096 || e.Flags&trace.FlagPartial == 0 || e.FD != -1 || e.Duration != 0 {
		t.Errorf("lone end decoded as %+v", e)
	}
}

func TestOldKernelsTimeStampsAndPaths(t *testing.T) { onBothMacs(t, oldKernelsTimeStampsAndPaths) }

func oldKernelsTimeStampsAndPaths(t *testing.T, mac macos.Model) {
	m, launchd := kdsim.New(mac)
	long := "/deep/" + string(slices.Repeat([]byte("directory/"), 30)) + "file"
	m.MakeFile(long, 10)
	p := launchd.Spawn("/bin/x")
	p.OnPath("stat64", long)
	records := slices.Clone(m.Records())
	for i := range records {
		records[i].Time |= uint64(records[i].CPU) << 56
	}
	// Such a kernel logs the last 184 bytes only.
	cut := []kdebug.Record{}
	seen := 0
	for _, r := range records {
		if r.DebugID&^3 == kdebug.Lookup && r.Thread == p.TID && r.Arg[0] != 0 && len(long) > 184 {
			if seen++; seen == 1 {
				cut = append(cut, kdebug.LookupRecords(r, long[len(long)-184:])...)
			}
			continue
		}
		cut = append(cut, r)
	}
	var log trace.Log
	d := kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true}, Timebase: m.Timebase, Start: m.Base}, &log)
	if err := d.Decode(kdsim.Bytes(cut)); err != nil {
		t.Fatal(err)
	}
	f := log.Files[len(log.Files)-1]
	if f.Path != long[len(long)-184:] || f.Flags&trace.FileTruncated == 0 {
		t.Errorf("cut path decoded as %q, flags %b", f.Path, f.Flags)
	}
	last := log.Syscalls[len(log.Syscalls)-1]
	if want := m.Nanoseconds(m.Calls[len(m.Calls)-1].Start); last.Start != want {
		t.Errorf("start %d, want %d: the CPU number in the time stamp must not count", last.Start, want)
	}
}

func TestTimebase(t *testing.T) {
	for _, c := range []struct {
		hz         uint64
		ticks, per int64
	}{{24_000_000, 24, 1000}, {1_000_000_000, 5, 5}, {0, 7, 7}} {
		var log trace.Log
		d := kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true}, Timebase: kdebug.Frequency(c.hz)}, &log)
		r := []kdebug.Record{
			{Time: 0, DebugID: kdebug.CallID(3) | kdebug.FuncStart, Thread: 1, Arg: [4]uint64{0, 0, 10}},
			{Time: uint64(c.ticks), DebugID: kdebug.CallID(3) | kdebug.FuncEnd, Thread: 1, Arg: [4]uint64{0, 10, 0, 5}},
		}
		if err := d.Decode(kdsim.Bytes(r)); err != nil {
			t.Fatal(err)
		}
		if got := log.Syscalls[0].Duration; got != c.per {
			t.Errorf("%d ticks at %d Hz are %d ns, want %d", c.ticks, c.hz, got, c.per)
		}
	}
}

func FuzzDecoder(f *testing.F) {
	m, launchd := kdsim.New(macos.Intel) // which logs more kinds of records
	m.MakeFile("/f", mib)
	p := launchd.Spawn("/bin/x")
	p.Copyfile("/f", "/g", 1<<18)
	c := p.Fork().Exec("/bin/y")
	c.Disk("/f", true, 4096, 100, 0)
	c.Flush(10)
	c.Exit(0)
	all := kdsim.Bytes(m.Records())
	f.Add(all)
	f.Add(all[:64])
	f.Add(kdsim.Bytes(kdsim.Lose(m.Records(), 10, 40)))
	f.Fuzz(func(t *testing.T, b []byte) {
		var log trace.Log
		d := kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true}, Timebase: m.Timebase, Start: m.Base,
			Self: 77}, &log)
		if err := d.Decode(b); (err != nil) != (len(b)%kdebug.RecordSize != 0) {
			t.Fatalf("%d bytes: %v", len(b), err)
		}
		for _, e := range log.Syscalls {
			if e.Duration < 0 || e.Offset < trace.NoOffset || e.Requested < 0 || int(e.Call) >= len(kdebug.Names()) {
				t.Fatalf("impossible event %+v", e)
			}
		}
		if n := uint64(len(b) / kdebug.RecordSize); uint64(len(log.Syscalls)) > n || uint64(len(log.Files)) > 2*n {
			t.Fatalf("%d calls and %d files from %d records", len(log.Syscalls), len(log.Files), n)
		}
	})
}

// nothing is a sink that costs nothing.
type nothing struct{ *trace.Log }

func (nothing) Syscall(*trace.Syscall) error { return nil }
func (nothing) Request(*trace.Request) error { return nil }

func BenchmarkDecode(b *testing.B) {
	m, launchd := kdsim.New(macos.Intel) // which logs more kinds of records
	m.MakeFile("/in", 1<<32)
	var busy []*kdsim.Thread
	for range 8 {
		p := launchd.Spawn("/bin/cp")
		busy = append(busy, p)
		in := p.Open("/in", kdsim.ORdonly)
		out := p.Open(fmt.Sprintf("/out-%d", p.Proc.PID), kdsim.ORdwr|kdsim.OCreat)
		for range 2000 {
			p.Read(in, 4096)
			p.Write(out, 4096)
			p.OnPath("stat64", "/a/path/of/a/usual/length/in/a/file/system")
		}
	}
	_ = busy
	buf := kdsim.Bytes(m.Records())
	records := len(buf) / kdebug.RecordSize
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		d := kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true}, Timebase: m.Timebase, Start: m.Base},
			nothing{&trace.Log{}})
		if err := d.Decode(buf); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(records)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

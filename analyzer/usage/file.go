package usage

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// fileStats is what was done to a file. Parts that were not needed stay nil, and
// of files that will not be listed there are sums only: most files of a long
// trace are small, and only looked at.
type fileStats struct {
	light             bool
	read, write       *measure.Flow
	ops               []opStats
	faults            *faultStats
	devRead, devWrite *measure.Flow
	reads, writes     *measure.Pattern
	cached, filled    int64 // read through the page cache, added to it meanwhile
	users             []uint32
	durable           int64 // writes that returned when they were safe
	zeros             int64 // written by calls of which samples were zeros
	asked             int64 // in reads of what to do next
	retries, tries    int64 // slept between being refused a lock on it and asking again, and how often
	advice            map[string]int64
	relocated         relocations
	handed            *handing // of one that was made and deleted
	mapped            int64    // longest mapping
	brief             brief    // of one that is not listed
}

type opStats struct {
	op                          trace.Op
	count, errors, time, amount int64
}

// fewestPlaces is how many waits for a mapped file it takes to have an order.
const fewestPlaces = 16

type faultStats struct {
	count, time, filled int64
	latency             measure.Histogram
	places              measure.Pattern
}

// operation counts a call, or an asynchronous operation, of a process.
func (s *fileStats) operation(pid uint32, op trace.Op, duration, bytes int64, failed bool) {
	s.user(pid)
	s.op(op, duration, bytes, failed)
}

func (s *fileStats) user(pid uint32) {
	if n := len(s.users); s.light || n > 0 && s.users[n-1] == pid {
		return
	}
	if len(s.users) < profile.MaxUsers && !slices.Contains(s.users, pid) {
		s.users = append(s.users, pid)
	}
}

// op counts a call.
func (s *fileStats) op(op trace.Op, duration, bytes int64, failed bool) {
	if s.light {
		s.brief.call(op, duration)
		return
	}
	i := 0
	for ; i < len(s.ops); i++ {
		if s.ops[i].op == op {
			break
		}
	}
	if i == len(s.ops) {
		s.ops = append(s.ops, opStats{op: op})
	}
	o := &s.ops[i]
	o.count++
	o.time += duration
	o.amount += bytes
	if failed {
		o.errors++
	}
}

// track begins to follow one direction.
func (s *fileStats) track() (*measure.Flow, *measure.Pattern) {
	if s.light {
		return &measure.Flow{Light: true}, nil
	}
	return new(measure.Flow), new(measure.Pattern)
}

// input adds bytes taken from the file.
func (s *fileStats) input(start, end, at, bytes int64, failed bool) {
	if s.read == nil {
		s.read, s.reads = s.track()
	}
	s.read.Add(start, end, bytes, failed)
	s.reads.Add(at, bytes)
}

// fill counts what a read through the page cache brought into it. A call that
// also writes has the pages of its destination in that number.
func (s *fileStats) fill(x *world.Access) {
	if x.Direct() {
		return
	}
	s.cached += x.Bytes
	s.filled += x.Filled
	if x.File2 != nil {
		s.filled -= min(x.Filled, x.Bytes)
	}
}

// output adds bytes put into the file.
func (s *fileStats) output(start, end, at, bytes int64, failed bool) {
	if s.write == nil {
		s.write, s.writes = s.track()
	}
	s.write.Add(start, end, bytes, failed)
	s.writes.Add(at, bytes)
}

func (s *fileStats) fault(e *world.Fault) {
	if s.faults == nil {
		s.faults = new(faultStats)
	}
	s.faults.count++
	s.faults.time += e.Duration
	s.brief.ns += e.Duration
	s.faults.filled += e.Filled
	s.faults.latency.Add(e.Duration)
	if !s.light {
		s.faults.places.Add(e.Offset, e.Filled)
	}
}

// request adds the part of a request that carries the file's data.
func (s *fileStats) request(e *world.Request, bytes int64) {
	into := &s.devRead
	switch e.Op {
	case trace.ReqWrite:
		into = &s.devWrite
	case trace.ReqRead:
	default:
		return
	}
	if *into == nil {
		*into = &measure.Flow{Light: s.light}
	}
	(*into).Add(e.Issued, e.Completed, bytes, e.Error != 0)
}

// onlyRead is what calls read and what came in for page faults; 0 if it was written, too.
func (s *fileStats) onlyRead() (bytes int64) {
	if s.write != nil {
		return 0
	}
	if s.read != nil {
		bytes = s.read.Bytes
	}
	if s.faults != nil {
		bytes += s.faults.filled
	}
	return bytes
}

// moved is how many bytes of the file were moved, at the layer where it was most.
func (s *fileStats) moved() int64 {
	calls, requests := int64(0), int64(0)
	for _, f := range []*measure.Flow{s.read, s.write} {
		if f != nil {
			calls += f.Bytes
		}
	}
	for _, f := range []*measure.Flow{s.devRead, s.devWrite} {
		if f != nil {
			requests += f.Bytes
		}
	}
	return max(calls, requests)
}

// profile is the file as the profile shows it.
func (s *fileStats) profile(f *world.File, wall int64, cache bool) profile.File {
	p := profile.File{
		Number: f.Number,
		Path:   f.Path, Names: f.Names, Type: f.Kind, Device: world.DeviceNumber(f.Device), Inode: f.Inode,
		FSType: f.FSType, Mount: f.Mount, Size: f.Size, Created: f.Created, Deleted: f.Deleted, Synchronous: f.Synced,
		StatusLater: f.StatusLater, Peer: f.Peer,
	}
	if f.Elsewhere && (f.Data() || f.Kind == trace.FileDirectory) {
		p.Elsewhere, p.Host = true, f.Host
	}
	if !utf8.ValidString(f.Path) {
		p.PathBase64 = []byte(f.Path)
	}
	p.Processes, p.AskedNS, p.Advice = s.users, s.asked, s.advice
	p.RetriesNS, p.Retries = s.retries, s.tries
	p.Relocated, p.SyncedWrites, p.Zeros = s.relocated.count, s.durable, s.zeros
	p.Handed, p.Mapped = s.handed.profile(), s.mapped
	p.Read, p.Write = s.read.Profile(wall), s.write.Profile(wall)
	p.DeviceRead, p.DeviceWrite = s.devRead.Profile(wall), s.devWrite.Profile(wall)
	p.ReadPattern, p.WritePattern = s.reads.Profile(), s.writes.Profile()
	for _, o := range s.ops {
		p.Ops = append(p.Ops, profile.OpCount{Op: o.op, Count: o.count, Errors: o.errors, TimeNS: o.time, Bytes: o.amount})
	}
	sorting.Stably(p.Ops, func(a, b profile.OpCount) int { return cmp.Compare(b.TimeNS, a.TimeNS) })
	if s.faults != nil {
		p.Faults = &profile.FaultCount{Count: s.faults.count, TimeNS: s.faults.time, Filled: s.faults.filled,
			Latency: s.faults.latency.Dist()}
		if s.faults.count >= fewestPlaces {
			p.Faults.Pattern = s.faults.places.Profile()
		}
	}
	if f.Data() && s.read != nil {
		p.Cache = s.cache(cache)
	}
	return p
}

// cache says how much of what was read came from memory.
func (s *fileStats) cache(told bool) *profile.Cache {
	device := int64(0)
	if s.devRead != nil {
		device = s.devRead.Bytes
	}
	return measure.CacheOf(s.cached, s.filled, device, told)
}

// set is how many distinct bytes were read or written.
func (s *fileStats) set() int64 {
	n := int64(0)
	for _, o := range []*measure.Pattern{s.reads, s.writes} {
		if o != nil {
			n += o.Touched.Bytes()
		}
	}
	return n
}

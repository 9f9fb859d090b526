package fio

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// ExportJob writes NAME.fio, a job with the sizes, the mix, the order, the queue depth and
// the pauses of a trace, all of them as shares and means.
func ExportJob(trace, name string, to output.Destination) (reader *tracefile.Reader, err error) {
	name = line(name)
	r, err := survey(trace)
	if err != nil {
		return nil, err
	}
	err = to.Write(name+".fio", to.Replace, func(w *bufio.Writer) (err error) {
		l := &likeness{shape: newShape()}
		if r.bytes[direct] > r.bytes[buffered] {
			l.way = direct
		}
		if reader, err = r.operations(l.operation); err != nil {
			return err
		}
		l.flight.Finish()
		return l.job(settings{w}, name, r.disks)
	})
	return reader, err
}

// likeness is what a job is made like: the operations of the way that most bytes took.
// What a program reads of itself and its libraries to start is left out.
type likeness struct {
	*shape
	way  int
	left int64 // operations that were left out
}

func (l *likeness) operation(o *operation) {
	if o.file.program || o.way() != l.way {
		l.left++
		return
	}
	l.add(o)
}

// job writes the job.
func (s *likeness) job(set settings, name string, d *disks) error {
	reads, writes := s.sides[read], s.sides[write]
	if s.operations() == 0 {
		return errNothing
	}
	depth := int(math.Round(s.flight.Mean()))
	threads := s.threads(depth)
	set.comment("Like %s: fio %s.fio. %d reads, %d writes, %d files, %.2f in flight while any was, %.3f s.", name, name,
		reads.count, writes.count, len(s.files), s.flight.Mean(), float64(s.last-s.first)/1e9)
	if s.left > 0 {
		set.comment("%d operations are left out: of programs and libraries, and those that were %s.", s.left,
			[]string{buffered: "direct", direct: "buffered"}[s.way])
	}
	d.comment(set)
	set.section(name)
	s.direction(set)
	set.set("bssplit", splits(reads)+","+splits(writes))
	if s.odd() {
		set.set("bs_unaligned", 1)
	}
	set.set("percentage_random", fmt.Sprintf("%d,%d", reads.random(), writes.random()))
	s.share(set, name, threads)
	set.set("io_size", divided(reads.bytes+writes.bytes, threads))
	set.engine(s.shape, depth/threads, s.way)
	s.pauses(set, depth, threads)
	set.set("norandommap", 1)
	for _, a := range []action{sync, datasync} {
		if n := s.syncs[a]; n > 0 && writes.count > 0 {
			set.set(map[action]string{sync: "fsync", datasync: "fdatasync"}[a], max(1, (writes.count+n/2)/n))
		}
	}
	return set.w.Flush()
}

// share divides the files among the threads, if there is one for each, and has all of them use all files otherwise.
func (s *shape) share(set settings, name string, threads int) {
	files, space := len(s.files), s.space()
	if threads > 1 {
		set.set("numjobs", threads)
		set.set("thread", 1)
	}
	if files < threads {
		var shared []string // with filename_format alone, fio 3.33 has only the first thread do anything
		for i := range files {
			shared = append(shared, fmt.Sprintf("%s.%d", plain(name), i))
		}
		set.set("filename", strings.Join(shared, ":"))
		set.set("size", space)
		return
	}
	each := divided(files, threads)
	set.set("nrfiles", each)
	set.set("size", int64(each)*divided(space, files))
}

// divided is the part of one of several, rounded up.
func divided[N int | int64](n N, parts int) N { return (n + N(parts) - 1) / N(parts) }

// direction says what is read and written.
func (s *shape) direction(set settings) {
	reads, writes := s.sides[read], s.sides[write]
	switch {
	case writes.count == 0:
		set.set("rw", "randread")
	case reads.count == 0:
		set.set("rw", "randwrite")
	default:
		set.set("rw", "randrw")
		set.set("rwmixread", (100*reads.count+s.operations()/2)/s.operations())
	}
}

// pauses are those between operations: of one after the other a time to think, of
// several at once their rate, that of each thread. Where little is idle, nothing holds fio back.
func (s *shape) pauses(set settings, depth, threads int) {
	wall := s.last - s.first
	idle := wall - s.flight.Busy()
	if idle*20 < wall || wall == 0 {
		return
	}
	if depth <= 1 {
		set.set("thinktime", idle/1000/s.operations())
		return
	}
	rate := func(n int64) int64 { return int64(math.Ceil(float64(n) * 1e9 / float64(wall) / float64(threads))) }
	set.set("rate_iops", fmt.Sprintf("%d,%d", rate(s.sides[read].count), rate(s.sides[write].count)))
}

// odd reports whether a size is no number of sectors.
func (s *shape) odd() bool {
	for _, d := range s.sides {
		for size := range d.sizes {
			if size%512 != 0 {
				return true
			}
		}
	}
	return false
}

// space is how much of the files was used, as far as is known; of each, which fio makes
// of one size, enough for the largest operation.
func (s *shape) space() int64 {
	total, largest := int64(0), int64(0)
	for f := range s.files {
		if size := max(f.readEnd, f.wroteEnd); size < 1<<40 {
			total += size
		}
	}
	for _, d := range s.sides {
		for size := range d.sizes {
			largest = max(largest, size)
		}
	}
	return max(total, largest*int64(len(s.files)))
}

// random is the share of operations that jump, in percent.
func (d *side) random() int64 {
	if d.count == 0 {
		return 0
	}
	return (100*d.jumps + d.count/2) / d.count
}

// maxSplits is how many sizes fio takes for one direction.
const maxSplits = 64

// splits are the sizes and their shares in whole percents, as bssplit wants them: the
// most frequent ones, with the percents that are left over by the largest remainder.
func splits(d *side) string {
	if d.count == 0 {
		return "4096/100"
	}
	type part struct{ size, percent, rest int64 }
	var parts []part
	for size, n := range d.sizes {
		parts = append(parts, part{size, 100 * n / d.count, 100 * n % d.count})
	}
	sorting.Stably(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(b.percent, a.percent), cmp.Compare(b.rest, a.rest), cmp.Compare(a.size, b.size))
	})
	parts = parts[:min(len(parts), maxSplits)]
	left := int64(100)
	for _, p := range parts {
		left -= p.percent
	}
	byRest := slices.Clone(parts)
	sorting.Stably(byRest, func(a, b part) int {
		return cmp.Or(cmp.Compare(b.rest, a.rest), cmp.Compare(a.size, b.size))
	})
	percents := map[int64]int64{}
	for i, p := range byRest {
		percents[p.size] = p.percent + left/int64(len(byRest))
		if int64(i) < left%int64(len(byRest)) {
			percents[p.size]++
		}
	}
	var text []string
	for _, size := range slices.Sorted(maps.Keys(percents)) {
		if percents[size] > 0 {
			text = append(text, fmt.Sprintf("%d/%d", size, percents[size]))
		}
	}
	return strings.Join(text, ":")
}

package gap

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
)

// Setting is one way to move the payload: a corner of the experiment, between a benchmark and a workload.
type Setting struct {
	Read       bool          `json:"read"`             // from source files
	Write      bool          `json:"write"`            // to target files; with Read each block after it was read
	Depth      int           `json:"depth"`            // threads, each with one call at a time
	Block      int64         `json:"block_bytes"`      // of a call; rounded up to 4 KiB without Buffered
	Random     bool          `json:"random"`           // blocks in random order within each file
	Buffered   bool          `json:"buffered"`         // through the page cache, else past it
	Warm       bool          `json:"warm"`             // buffered reads find the source in the cache
	Fresh      bool          `json:"fresh"`            // targets are created, else overwritten
	FileSize   int64         `json:"file_size_bytes"`  // opened while the clock runs; 0: one file, opened before
	Looks      int           `json:"looks"`            // calls that read attributes of each file, besides open and close
	Changes    int           `json:"changes"`          // calls that change them
	SyncEvery  int64         `json:"sync_every_bytes"` // that a thread writes; 0: never
	FullSync   bool          `json:"full_sync"`        // by fsync, not fdatasync
	ThinkPerGB time.Duration `json:"think_ns_per_gb"`  // pauses per 10^9 bytes; several threads pause in turn
	// WarmTarget: files that are overwritten through the page cache are in it.
	WarmTarget bool          `json:"warm_target"`
	CallGap    time.Duration `json:"call_gap_ns"` // CPU time of a thread between two calls
	// InKernel, with Read and Write: by copy_file_range; one thread copies a file in one call, as cp does.
	InKernel bool `json:"in_kernel"`
	// Compressible is the share of the data, of each 4 KiB, that is zeros; the rest does not
	// compress.
	Compressible float64 `json:"compressible"`
	Mapped       bool    `json:"mapped"` // what is read is mapped into memory (mmap), and its pages are touched
}

// Factor is a difference between benchmark and workload.
type Factor struct {
	ID        string `json:"id"` // "R", "Q", "B", "P", "C", "QC", "A", "M", "D", "T" or "Z"; "other" for several at once
	Name      string `json:"name"`
	Benchmark string `json:"benchmark"` // its level there, in words
	Workload  string `json:"workload"`
	// Causes are codes of the verdict under which its time falls in a recording.
	Causes []string `json:"causes"`

	apply func(*Setting) // from the benchmark's to the workload's level
}

// Levels of inclusion: smaller differences are no factor.
const (
	leastBlockRatio = 2.0  // of block sizes
	leastThink      = 0.05 // of the time
	leastZeros      = 0.2  // of the data
)

// Factors are the differences between a benchmark and a recording, in the order
// in which they are shown.
//
// Each is switched on its own: the pauses of T go with the bytes, not with the
// calls, so that they are the same whatever the block size and however many
// threads there are (all pause in turn); a block that is smaller than direct I/O
// permits is rounded up where the cache is off. What the program does for less
// than 100 µs around each call comes with the request size B, because more calls
// mean more of it; if that is no difference, with the files M, and else with the
// think time T. Creating files is allocation A where there is one file, and
// metadata M where there are several.
//
// Calls that are as large as the benchmark's would be on files of the recorded
// size are no difference in request size: the files make them so. Depth and
// cache mode are one factor where the workload goes through the page cache: how
// many calls are in flight there says nothing about the device, whose depth
// readahead and writeback make.
func Factors(w *Workload, bench Setting) []Factor {
	d := &differences{w: w, bench: bench}
	if w.Copies() && bench.Write && !bench.Read {
		d.add("R", "read side", "write only", "each block read, then written", func(s *Setting) {
			s.Read = true
			s.Warm = s.Warm || bench.Buffered && w.Warm
		})
	}
	depth := max(1, int(math.Round(w.Depth)))
	grouped := depth != bench.Depth && w.Buffered && !bench.Buffered
	if depth != bench.Depth && !grouped {
		d.add("Q", "concurrency", fmt.Sprintf("%d in flight", bench.Depth), fmt.Sprintf("%d in flight", depth),
			func(s *Setting) { s.Depth = depth })
	}
	perFile, pauses := d.size()
	if w.Random != bench.Random {
		d.add("P", "locality", order(bench.Random), order(w.Random), func(s *Setting) { s.Random = w.Random })
	}
	d.cache(depth, grouped)
	d.files(perFile)
	if every := w.SyncEvery(); every > 0 && bench.SyncEvery == 0 {
		call := "fdatasync"
		if w.FullSync {
			call = "fsync"
		}
		d.add("D", "durability", "no sync", "an "+call+" every "+unit.Bytes(every),
			func(s *Setting) { s.SyncEvery, s.FullSync = every, w.FullSync })
	}
	if pauses >= leastThink*w.Seconds {
		think := time.Duration(perGB(pauses, w.Bytes) * 1e9)
		d.add("T", "time between calls", "none", fmt.Sprintf("%s per GB outside of calls", unit.Duration(think)),
			func(s *Setting) { s.ThinkPerGB = think })
	}
	if math.Abs(w.Compressible-bench.Compressible) > leastZeros {
		d.add("Z", "data", compressible(bench.Compressible), compressible(w.Compressible),
			func(s *Setting) { s.Compressible = w.Compressible })
	}
	return d.all
}

// differences gathers the factors of a workload.
type differences struct {
	w     *Workload
	bench Setting
	all   []Factor
}

func (d *differences) add(id, name, from, to string, apply func(*Setting)) {
	d.all = append(d.all, Factor{id, name, from, to, causesOf(id), apply})
}

// size is for requests of another size, with the time around each. Where the requests are alike that time goes with the
// files, or with the pauses of a single one; in seconds, like these.
func (d *differences) size() (perFile time.Duration, pauses float64) {
	w, bench := d.w, d.bench
	natural := min(bench.Block, w.FileSize())
	if w.Files == 1 {
		natural = bench.Block
	}
	around := time.Duration(w.CallGap * 1e9)
	ratio := float64(natural) / float64(w.Block)
	switch {
	case !w.InKernel && !w.Mapped && !bench.InKernel && (ratio >= leastBlockRatio || ratio <= 1/leastBlockRatio):
		block := min(w.Block, largestBlock)
		to := unit.BlockSize(block)
		if around > 0 {
			to += ", " + unit.Duration(around) + " around each call"
		}
		d.add("B", "request size", unit.BlockSize(bench.Block), to, func(s *Setting) { s.Block, s.CallGap = block, around })
	case w.Mapped, bench.InKernel && !w.InKernel: // requests and the time around each come with C
	case w.Files == 1:
		return 0, w.ThinkSeconds + w.GapSeconds
	default:
		perFile = around
	}
	return perFile, w.ThinkSeconds
}

// cache is for another way through the page cache, together with the depth if that differs because of it.
func (d *differences) cache(depth int, grouped bool) {
	w, bench := d.w, d.bench
	warmer := bench.Read && bench.Buffered && w.Buffered && w.Warm != bench.Warm
	if w.Buffered == bench.Buffered && w.InKernel == bench.InKernel && !warmer && !w.Mapped {
		return
	}
	from, to := cache(bench.Buffered), cache(w.Buffered)
	if bench.InKernel {
		from += ", copied by the kernel"
	}
	if w.InKernel {
		to += ", copied by the kernel"
	}
	if w.Mapped {
		to = "mapped (mmap), page by page"
	}
	if w.Warm {
		to += ", source in memory"
	}
	apply := func(s *Setting) { s.Buffered, s.Warm, s.InKernel, s.Mapped = w.Buffered, w.Warm, w.InKernel, w.Mapped }
	if w.Mapped || bench.InKernel && !w.InKernel { // what has no calls has no size of them: it comes with the way
		block, around := min(w.Block, largestBlock), time.Duration(w.CallGap*1e9)
		if w.Mapped {
			to += fmt.Sprintf(", %s at each wait", unit.BlockSize(block))
		} else {
			to += ", calls of " + unit.BlockSize(block)
		}
		moved := apply
		apply = func(s *Setting) {
			moved(s)
			s.Block, s.CallGap = block, around
		}
	}
	if !grouped {
		d.add("C", "cache mode", from, to, apply)
		return
	}
	d.add("QC", "cache mode and depth", fmt.Sprintf("%s, %d in flight", from, bench.Depth),
		fmt.Sprintf("%s, %d in flight", to, depth), func(s *Setting) {
			apply(s)
			s.Depth = depth
		})
}

// files is for many files instead of one, or for one that is new.
func (d *differences) files(perFile time.Duration) {
	w := d.w
	if !w.Reading() && w.Fresh != d.bench.Fresh && w.Files == 1 {
		d.add("A", "allocation", allocation(d.bench.Fresh), allocation(w.Fresh), func(s *Setting) { s.Fresh = w.Fresh })
	}
	if w.Files <= 1 {
		return
	}
	from := "1 file"
	if one := d.bench.FileSize; one > 0 {
		from = "files of about " + unit.Bytes(one)
	}
	size, looks, changes := w.FileSize(), int(math.Round(w.Looks)), int(math.Round(w.Changes))
	to := fmt.Sprintf("%d files of about %s", w.Files, unit.Bytes(size))
	if !w.Reading() && w.Fresh {
		to = fmt.Sprintf("%d new files of about %s", w.Files, unit.Bytes(size))
	}
	d.add("M", "files and metadata", from, to, func(s *Setting) {
		s.FileSize, s.Looks, s.Changes = size, looks, changes
		s.CallGap = max(s.CallGap, perFile)
		s.Fresh = !w.Reading() && w.Fresh
	})
}

// largestBlock bounds the memory of a cell.
const largestBlock = 64 << 20

func order(random bool) string {
	if random {
		return "random"
	}
	return "sequential"
}

func cache(buffered bool) string {
	if buffered {
		return "page cache"
	}
	return "direct"
}

func compressible(zeros float64) string {
	switch {
	case zeros >= 0.99:
		return "zeros"
	case zeros <= 0.01:
		return "does not compress"
	}
	return "compresses to " + unit.Share(1-zeros)
}

func allocation(fresh bool) string {
	if fresh {
		return "new files"
	}
	return "overwritten"
}

// Corner is the setting with the factors of a mask at the level of the workload.
func Corner(bench Setting, factors []Factor, mask int) Setting {
	for i, f := range factors {
		if mask>>i&1 == 1 {
			f.apply(&bench)
		}
	}
	return bench
}

// fold makes one factor of all that are not kept. It keeps at most most−1 of
// them, those with the greatest effects, if any are left over.
func fold(factors []Factor, effects []float64, active func(int) bool, most int) []Factor {
	rank := make([]int, len(factors))
	for i := range factors {
		for j := range factors {
			if math.Abs(effects[j]) > math.Abs(effects[i]) || effects[j] == effects[i] && j < i {
				rank[i]++
			}
		}
	}
	var kept, rest []Factor
	for i, f := range factors {
		if rank[i] < most-1 && active(i) {
			kept = append(kept, f)
		} else {
			rest = append(rest, f)
		}
	}
	if len(rest) == 1 {
		return append(kept, rest[0])
	}
	other := Factor{ID: "other", Benchmark: "as benchmark", Workload: "as recorded", apply: func(s *Setting) {
		for _, f := range rest {
			f.apply(s)
		}
	}}
	for i, f := range rest {
		if i > 0 {
			other.Name += ", "
		}
		other.Name += f.Name
		other.Causes = append(other.Causes, f.Causes...)
	}
	slices.Sort(other.Causes)
	other.Causes = slices.Compact(other.Causes)
	return append(kept, other)
}

package ablation

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/clock"
	"github.com/iotrace/iotrace/internal/sysfile"
)

// Cell is one way to move a payload: a corner between a benchmark and a
// workload. Its clock runs until the last call returns; data that is not yet on
// the device by then is forced there afterwards, and that time told separately.
type Cell struct {
	Read       bool          // from source files
	Write      bool          // to target files; with Read each block after it was read
	Depth      int           // threads, each with one call at a time
	Block      int64         // of a call; rounded up to 4 KiB without Buffered
	Random     bool          // blocks in random order within each file
	Buffered   bool          // through the page cache
	Warm       bool          // buffered reads find the source in the cache; otherwise it was dropped
	Fresh      bool          // targets are created, else overwritten
	FileSize   int64         // payload in files of this size, opened while the clock runs; 0: one file, opened before
	Looks      int           // calls that read the attributes of each file, besides open and close
	Changes    int           // calls that change them
	SyncEvery  int64         // bytes a thread writes between two syncs; 0: none
	FullSync   bool          // by fsync, not fdatasync
	ThinkPerGB time.Duration // pauses per 10^9 bytes of payload; several threads pause in turn
	// WarmTarget: files that are overwritten through the page cache are in it.
	WarmTarget bool
	CallGap    time.Duration // CPU time between two calls of a thread
	InKernel   bool          // with Read and Write: by copy_file_range; one thread copies a file in one call, as cp does
	// Compressible is the share of each 4 KiB that is zeros.
	Compressible float64
	Mapped       bool // what is read is mapped into memory, and its pages are touched
}

// CellResult is one run of a cell.
type CellResult struct {
	Bytes      int64 // payload
	ActiveNS   int64
	DeferredNS int64   // until its data was on the device, after ActiveNS
	Depth      float64 // achieved: calls in flight, mean over ActiveNS
	Syncs      int64
}

const mib = 1 << 20

// maxCellFiles bounds the files of a cell.
const maxCellFiles = 50_000

// Ablation runs cells in one directory, all with the same payload.
type Ablation struct {
	ws      *storage.Workspace
	place   storage.Volume
	payload int64
	seed    uint64
	rng     *rand.Rand
	room    int64        // for files that are kept
	kept    []string     // directories of small files, the oldest first
	sources []*cellFiles // one for each file size in use
	targets []*cellFiles

	// Limit is how long a run goes on with further pieces of its payload; 0: until all is moved. A run that syncs only at
	// the end of its payload always moves all of it.
	Limit  time.Duration
	direct reached
}

// New prepares to move payload bytes in each cell, in a directory of its
// own inside dir that Close removes. cells are those that will be run.
func New(dir string, payload int64, cells []Cell, seed uint64) (*Ablation, error) {
	place, err := storage.Describe(dir)
	if err != nil {
		return nil, fmt.Errorf("preparing %s: %w", dir, err)
	}
	need := Space(payload, cells)
	if need+baseline.Spare(need) > place.FreeBytes {
		return nil, fmt.Errorf("preparing %s: the cells need %d MB, free are %d MB (use a smaller --size, or another "+
			"directory)",
			dir, need/1e6, place.FreeBytes/1e6)
	}
	for _, c := range cells {
		if c.FileSize > 0 && payload/c.FileSize > maxCellFiles {
			return nil, fmt.Errorf("preparing %s: %d files are more than %d (use a smaller --size)", dir, payload/c.FileSize,
				maxCellFiles)
		}
	}
	ws, err := storage.OpenWorkspace(dir)
	if err != nil {
		return nil, err
	}
	return &Ablation{ws: ws, place: place, payload: payload, room: min((place.FreeBytes-need)/4, mostKept), seed: seed,
		rng: rand.New(rand.NewPCG(seed, 0x63656c6c))}, nil
}

// Place is where the cells run.
func (a *Ablation) Place() baseline.Place { return a.place.Place }

// Unreached is why runs past the page cache measure no device here; "" if they do, or nothing tells.
func (a *Ablation) Unreached() string { return a.direct.missed(a.place.Place) }

// Space is the space that cells with a payload need at once.
func Space(payload int64, cells []Cell) int64 {
	fresh := int64(0)
	for _, c := range cells {
		if c.Write && c.Fresh {
			fresh = payload
		}
	}
	return Files(payload, cells) + fresh
}

// Files is the size of the files that have to be there before cells with a payload can run.
func Files(payload int64, cells []Cell) int64 {
	sets := map[string]bool{}
	for _, c := range cells {
		if c.Read {
			sets[fmt.Sprint("source ", c.FileSize, c.Compressible)] = true
		}
		if c.Write && !c.Fresh {
			sets[fmt.Sprint("target ", c.FileSize)] = true
		}
	}
	return int64(len(sets)) * payload
}

// Close removes everything.
func (a *Ablation) Close() error { return a.ws.Close() }

// Run runs a cell once.
func (a *Ablation) Run(ctx context.Context, c Cell) (CellResult, error) {
	r, err := a.run(ctx, c)
	if err != nil {
		return r, fmt.Errorf("running a cell in %s: %w", a.ws.Dir, a.ws.Explain(err))
	}
	return r, nil
}

func (a *Ablation) run(ctx context.Context, c Cell) (r CellResult, err error) {
	c.Depth, c.Block = max(c.Depth, 1), max(c.Block, 1)
	if !c.Buffered {
		c.Block = (c.Block + storage.Sector - 1) / storage.Sector * storage.Sector
	}
	x := &cellRun{cell: c, seed: a.rng.Uint64()}
	if c.Read {
		if x.sources, err = a.prepared(ctx, &a.sources, "set", c.FileSize, c.Compressible); err != nil {
			return r, err
		}
	}
	switch {
	case c.Write && c.Fresh:
		if x.targets, err = a.fresh(c.FileSize); err != nil {
			return r, err
		}
	case c.Write:
		if x.targets, err = a.prepared(ctx, &a.targets, "data", c.FileSize, 0); err != nil {
			return r, err
		}
	}
	if err := a.settle(c, x); err != nil {
		return r, err
	}
	x.limit = a.Limit
	use := a.place.Measure()
	r, err = x.measure(ctx)
	if err == nil && !c.Buffered {
		a.direct.add(c.Read, c.Write, r.Bytes, use(r.ActiveNS))
	}
	if c.Write && err == nil {
		t := clock.Now()
		err = a.durable(x.targets.paths)
		r.DeferredNS = clock.Now() - t
	}
	return r, errors.Join(err, a.forget(c))
}

// settle brings the page cache into the state that the cell begins with, and
// has the file system commit what the run before left it, removed files above
// all.
func (a *Ablation) settle(c Cell, x *cellRun) error {
	if err := a.ws.Sync(); err != nil {
		return err
	}
	var drop []string
	switch {
	case x.targets == nil || c.Fresh:
	case c.Buffered && c.WarmTarget:
		if err := eachFile(x.targets.paths, os.O_RDONLY, readThrough); err != nil {
			return err
		}
	default:
		drop = slices.Concat(drop, x.targets.paths)
	}
	switch {
	case c.Read && c.Buffered && c.Warm:
		if err := eachFile(x.sources.paths, os.O_RDONLY, readThrough); err != nil {
			return err
		}
	case c.Read:
		drop = slices.Concat(drop, x.sources.paths)
	}
	return eachFile(drop, os.O_RDONLY, (*storage.File).DropPages)
}

func readThrough(f *storage.File) error {
	buf := make([]byte, mib)
	for at := int64(0); ; {
		n, err := sysfile.IgnoringEINTR(func() (int, error) { return storage.Pread(f.FD, buf, at, 0) })
		if err != nil {
			return &os.PathError{Op: "read", Path: f.Path, Err: err}
		}
		if n == 0 {
			return nil
		}
		at += int64(n)
	}
}

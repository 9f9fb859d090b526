package experiment

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/host"
)

// maxCellFiles bounds the files of a cell.
const maxCellFiles = 50_000

// ablation runs cells in one directory, all with the same payload.
type ablation struct {
	ws    *storage.Workspace
	place storage.Volume
	files *fileSets
	rng   *rand.Rand

	// Limit is how long a run goes on with further pieces of its payload; 0: until all is moved. A run that syncs only at
	// the end of its payload always moves all of it.
	Limit  time.Duration
	direct reached
}

// newAblation prepares to move payload bytes in each cell, in a directory of its
// own inside dir that Close removes. cells are those that will be run.
func newAblation(dir string, payload int64, cells []gap.Setting, seed uint64) (*ablation, error) {
	place, err := storage.Describe(dir)
	if err != nil {
		return nil, fmt.Errorf("preparing %s: %w", dir, err)
	}
	need := space(payload, cells)
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
	files := &fileSets{ws: ws, payload: payload, room: min((place.FreeBytes-need)/4, mostKept), seed: seed}
	return &ablation{ws: ws, place: place, files: files, rng: rand.New(rand.NewPCG(seed, 0x63656c6c))}, nil
}

// Place is where the cells run.
func (a *ablation) Place() baseline.Place { return a.place.Place }

// Unreached is why runs past the page cache measure no device here; "" if they do, or nothing tells.
func (a *ablation) Unreached() string { return a.direct.missed(a.place.Place) }

// Close removes everything.
func (a *ablation) Close() error { return a.ws.Close() }

// Run runs a cell once.
func (a *ablation) Run(ctx context.Context, c gap.Setting) (cellResult, error) {
	r, err := a.run(ctx, c)
	if err != nil {
		return r, fmt.Errorf("running a cell in %s: %w", a.ws.Dir, a.ws.Explain(err))
	}
	return r, nil
}

func (a *ablation) run(ctx context.Context, c gap.Setting) (r cellResult, err error) {
	c.Depth, c.Block = max(c.Depth, 1), max(c.Block, 1)
	if !c.Buffered {
		c.Block = host.Sectors(c.Block)
	}
	x := &cellRun{ws: a.ws, cell: c, seed: a.rng.Uint64()}
	if c.Read {
		if x.sources, err = a.files.prepared(ctx, &a.files.sources, "set", c.FileSize, c.Compressible); err != nil {
			return r, err
		}
	}
	switch {
	case c.Write && c.Fresh:
		if x.targets, err = a.files.fresh(c.FileSize); err != nil {
			return r, err
		}
	case c.Write:
		if x.targets, err = a.files.prepared(ctx, &a.files.targets, "data", c.FileSize, 0); err != nil {
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
		t := host.Now()
		err = a.files.durable(x.targets.paths)
		r.DeferredNS = host.Now() - t
	}
	if c.Fresh {
		err = errors.Join(err, a.files.forget())
	}
	return r, err
}

// settle brings the page cache into the state that the cell begins with, and
// has the file system commit what the run before left it, removed files above
// all.
func (a *ablation) settle(c gap.Setting, x *cellRun) error {
	if err := a.ws.Sync(); err != nil {
		return err
	}
	var drop []string
	switch {
	case x.targets == nil || c.Fresh:
	case c.Buffered && c.WarmTarget:
		if err := eachFile(a.ws, x.targets.paths, os.O_RDONLY, readThrough); err != nil {
			return err
		}
	default:
		drop = slices.Concat(drop, x.targets.paths)
	}
	switch {
	case c.Read && c.Buffered && c.Warm:
		if err := eachFile(a.ws, x.sources.paths, os.O_RDONLY, readThrough); err != nil {
			return err
		}
	case c.Read:
		drop = slices.Concat(drop, x.sources.paths)
	}
	return eachFile(a.ws, drop, os.O_RDONLY, (*storage.File).DropPages)
}

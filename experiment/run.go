package experiment

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/host"
)

// cellRun is one run of a cell: its threads draw pieces of work, a block or,
// where files are opened on the way, a file.
type cellRun struct {
	ws               *storage.Workspace
	cell             gap.Setting
	seed             uint64
	sources, targets *cellFiles
	step             int64   // bytes of a piece
	order            []int32 // of the blocks of one file, if that is not 0, 1, 2…
	next             atomic.Int64
	stop             atomic.Bool
	limit            time.Duration
	until            int64 // when no further piece is begun; 0: never
	moved            atomic.Int64
	part             atomic.Bool // a piece was not begun
	thinking         sync.Mutex  // threads pause in turn
}

func (x *cellRun) inKernel() bool { return x.cell.InKernel && x.sources != nil && x.targets != nil }

func (x *cellRun) perFile() bool { return x.cell.FileSize > 0 }

// syncsEnd reports whether a file is synced at its end: a sync of the whole
// payload or of each file is one at the end of it, whatever the payload.
func (x *cellRun) syncsEnd() bool {
	return !x.perFile() || x.cell.SyncEvery <= x.cell.FileSize+x.cell.FileSize/2
}

// files are the ones that hold the payload.
func (x *cellRun) files() *cellFiles {
	if x.targets != nil {
		return x.targets
	}
	return x.sources
}

func (x *cellRun) measure(ctx context.Context) (r cellResult, err error) {
	files := x.files()
	if files == nil {
		return r, errors.New("a cell that neither reads nor writes")
	}
	x.step = x.cell.Block
	if x.inKernel() && x.cell.Depth == 1 && !x.cell.Random {
		x.step = max(x.step, slices.Max(files.sizes))
	}
	x.shuffle(files)
	threads := make([]*cellThread, x.cell.Depth)
	for i := range threads {
		t := &cellThread{run: x, pauses: pauses{gap: x.cell.CallGap, perGB: x.cell.ThinkPerGB, turn: &x.thinking}}
		threads[i] = t
		if t.bufs, err = storage.NewBuffers(1, x.cell.Block); err != nil {
			return r, err
		}
		defer func() { err = errors.Join(err, t.bufs.Free()) }()
		t.bufs.Fill(baseline.RandomData, x.seed+uint64(i))
		storage.Blank(t.bufs.Mem, x.cell.Compressible)
		if !x.perFile() {
			if err := t.open(0, i == 0); err != nil {
				return r, err
			}
			defer func() { err = errors.Join(err, t.close()) }()
		}
	}
	release := context.AfterFunc(ctx, func() { x.stop.Store(true) })
	defer release()
	errs := make([]error, len(threads))
	var wg sync.WaitGroup
	begun := host.Now()
	if x.limit > 0 && x.cutShort(files) {
		x.until = begun + int64(x.limit)
	}
	for i, t := range threads {
		wg.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			if errs[i] = t.work(); errs[i] != nil {
				x.stop.Store(true)
			}
		})
	}
	wg.Wait()
	r.ActiveNS = max(host.Now()-begun, 1)
	for _, n := range files.sizes {
		r.Bytes += n
	}
	if x.part.Load() {
		r.Bytes = min(x.moved.Load(), r.Bytes)
	}
	for _, t := range threads {
		r.Depth += float64(t.busy) / float64(r.ActiveNS)
		r.Syncs += t.syncs
	}
	return r, errors.Join(append(errs, ctx.Err())...)
}

// shuffle puts the blocks of a file into random order, where the cell asks for that.
func (x *cellRun) shuffle(files *cellFiles) {
	if !x.cell.Random {
		return
	}
	rng := rand.New(rand.NewPCG(x.seed, 1))
	n := (files.sizes[0] + x.cell.Block - 1) / x.cell.Block
	x.order = make([]int32, n)
	for i, v := range rng.Perm(int(n)) {
		x.order[i] = int32(v)
	}
}

// cutShort reports whether a part of the payload is the same work for each byte as all of it: not where one sync ends
// it, nor where one call moves it.
func (x *cellRun) cutShort(files *cellFiles) bool {
	c := &x.cell
	if c.SyncEvery > 0 && !x.perFile() && 4*c.SyncEvery > files.sizes[0] {
		return false
	}
	return x.perFile() || !x.inKernel()
}

// over reports whether no further piece is begun.
func (x *cellRun) over() bool {
	late := x.until > 0 && host.Now() >= x.until
	if late {
		x.part.Store(true)
	}
	return late || x.stop.Load()
}

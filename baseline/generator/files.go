package generator

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/host"
)

// fileRun is one run of a step over a set of files.
type fileRun struct {
	*execution
	bufs *storage.Buffers
	c    workers
	m    *measure
}

// files runs a step that writes or reads whole files, one after the other:
// each is opened, moved in calls of a block, synced if the step says so, and
// closed. Writing makes the files, reading takes those that are there.
func (x *fileRun) files(ctx context.Context) (m *measure, err error) {
	todo, err := x.fileList()
	if err != nil {
		return nil, err
	}
	if x.bufs, err = storage.NewBuffers(1, x.step.Block); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, x.bufs.Free()) }()
	x.bufs.Fill(x.step.Data, x.seed)

	m = &measure{engine: "calls", files: make([]baseline.FileTime, 0, len(todo))}
	x.m = m
	use := x.place.Measure()
	begin := host.Now()
	m.mono = host.OnSystemClock(begin)
	for i, f := range todo {
		if err := x.wholeFile(ctx, f, uint64(i)); err != nil {
			return nil, err
		}
	}
	m.wall = host.Now() - begin
	m.active, m.cpu = x.c.active, x.c.cpu
	if x.step.Writes() && x.step.Sync == baseline.SyncNone {
		t := host.Now()
		if err := x.syncAll(todo); err != nil {
			return nil, err
		}
		m.durable = m.active + host.Now() - t
	}
	m.device = use(m.active)
	return m, nil
}

// setFile is one file of a set.
type setFile struct {
	path string
	size int64
}

// fileList names the files: new ones to write, or those of the directory in
// the order in which it lists them.
func (x *fileRun) fileList() ([]setFile, error) {
	if x.step.Writes() {
		sizes := allSizes(x.step.Files, x.seed)
		list := make([]setFile, len(sizes))
		for i, size := range sizes {
			list[i] = setFile{x.data.NewPath("set"), size}
		}
		return list, nil
	}
	names, err := x.data.List(x.data.Path)
	if err != nil {
		return nil, fmt.Errorf("listing %s: %w", x.data.Path, err)
	}
	var list []setFile
	for _, n := range names {
		if strings.HasPrefix(n.Name, "set-") {
			list = append(list, setFile{filepath.Join(x.data.Path, n.Name), n.Size})
		}
	}
	return list, nil
}

// allSizes are those of all files of a set, shuffled within each round if the set
// says so.
func allSizes(f *baseline.FileSet, seed uint64) []int64 {
	rng := rand.New(rand.NewPCG(seed, 0))
	all := make([]int64, 0, f.Count())
	for range f.Rounds {
		round := append([]int64{}, f.Sizes...)
		if f.Shuffle {
			rng.Shuffle(len(round), func(i, j int) { round[i], round[j] = round[j], round[i] })
		}
		all = append(all, round...)
	}
	return all
}

// wholeFile moves file number i of the set and books its time.
func (x *fileRun) wholeFile(ctx context.Context, f setFile, i uint64) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	mode := unix.O_RDONLY
	if x.step.Writes() {
		mode = unix.O_WRONLY | unix.O_CREAT
	}
	step := x.step
	step.Depth = 1
	w := newWorker(nil, newSchedule(step, 0, f.size, x.seed), x.bufs, 0, step, storage.Mix(x.seed, i))
	w.sched.limit.Store(w.sched.blocks)
	x.meter.watch(w)

	t, cpu := host.Now(), host.CPUClock()
	if w.file, err = x.open(f.path, mode, x.step.Cache, x.step.Sync == baseline.SyncWrite); err != nil {
		return err
	}
	release := context.AfterFunc(ctx, func() { x.c.stop.Store(true) })
	err = w.callLoop(&phase{begun: t, offset: x.c.active, deadline: noDeadline, stop: &x.c.stop})
	release()
	if err == nil {
		err = x.syncFile(w.file)
	}
	if err == nil && w.file.Drop {
		err = w.file.DropPages()
	}
	err = errors.Join(err, w.file.Close(), ctx.Err())
	ns := host.Now() - t
	x.c.active += ns
	x.c.cpu += host.CPUClock() - cpu
	x.m.tally.merge(&w.tally)
	x.m.files = append(x.m.files, baseline.FileTime{Bytes: f.size, NS: ns})
	return err
}

func (x *fileRun) syncFile(f *storage.File) error {
	t := host.Now()
	switch {
	case !x.step.Writes():
		return nil
	case x.step.Sync == baseline.SyncEnd:
		if err := f.Sync(); err != nil {
			return err
		}
	case x.step.Sync == baseline.SyncData:
		if err := f.Datasync(); err != nil {
			return err
		}
	default:
		return nil
	}
	x.m.syncs++
	x.m.syncNS += host.Now() - t
	return nil
}

// syncAll makes the files durable, after the measurement.
func (x *execution) syncAll(files []setFile) error {
	for _, file := range files {
		f, err := x.open(file.path, unix.O_RDONLY, baseline.Buffered, false)
		if err != nil {
			return err
		}
		if err := errors.Join(f.Datasync(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

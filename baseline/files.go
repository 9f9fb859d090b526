package baseline

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// files runs a step that writes or reads whole files, one after the other:
// each is opened, moved in calls of a block, synced if the step says so, and
// closed. Writing makes the files, reading takes those that are there.
func (x *execution) files(ctx context.Context, ws *workspace) (m *measure, err error) {
	todo, err := x.fileList(ws)
	if err != nil {
		return nil, err
	}
	bufs, err := newBuffers(1, x.step.Block)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, bufs.free()) }()
	bufs.fill(x.step.Data, x.seed)

	m = &measure{engine: "calls", files: make([]FileTime, 0, len(todo))}
	c := &crew{}
	before := x.place.counters()
	begin := now()
	m.mono = onSystemClock(begin)
	for i, f := range todo {
		if err := x.wholeFile(ctx, c, bufs, f, uint64(i), m); err != nil {
			return nil, err
		}
	}
	m.wall = now() - begin
	m.active, m.cpu = c.active, c.cpu
	if x.step.Writes() && x.step.Sync == SyncNone {
		t := now()
		if err := syncAll(todo); err != nil {
			return nil, err
		}
		m.durable = m.active + now() - t
	}
	m.device = x.place.use(before, x.place.counters(), m.active)
	return m, nil
}

// setFile is one file of a set.
type setFile struct {
	path string
	size int64
}

// fileList names the files: new ones to write, or those of the directory in
// the order in which it lists them.
func (x *execution) fileList(ws *workspace) ([]setFile, error) {
	if x.step.Writes() {
		sizes := x.step.Files.all(x.seed)
		list := make([]setFile, len(sizes))
		for i, size := range sizes {
			list[i] = setFile{ws.newPath("set"), size}
		}
		return list, nil
	}
	dir, err := os.Open(ws.path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.Readdir(-1)
	if err != nil {
		return nil, fmt.Errorf("listing %s: %w", ws.path, err)
	}
	var list []setFile
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "set-") {
			list = append(list, setFile{filepath.Join(ws.path, e.Name()), e.Size()})
		}
	}
	return list, nil
}

// all is the sizes of all files of a set, shuffled within each round if the set
// says so.
func (f FileSet) all(seed uint64) []int64 {
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
func (x *execution) wholeFile(ctx context.Context, c *crew, bufs *buffers, f setFile, i uint64, m *measure) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	mode := unix.O_RDONLY
	if x.step.Writes() {
		mode = unix.O_WRONLY | unix.O_CREAT
	}
	step := x.step
	step.Depth = 1
	w := newWorker(nil, newSchedule(step, 0, f.size, x.seed), bufs, 0, step, hash(x.seed, i))
	w.sched.limit.Store(w.sched.blocks)
	x.meter.watch(w)

	t, cpu := now(), cpuTime()
	if w.file, err = openFile(f.path, mode, x.step.Cache, x.step.Sync == SyncWrite); err != nil {
		return err
	}
	release := context.AfterFunc(ctx, func() { c.stop.Store(true) })
	err = w.callLoop(&phase{begun: t, offset: c.active, deadline: noDeadline, stop: &c.stop})
	release()
	if err == nil {
		err = x.syncFile(w.file, m)
	}
	if err == nil && w.file.drop {
		err = w.file.dropPages()
	}
	err = errors.Join(err, w.file.close(), ctx.Err())
	ns := now() - t
	c.active += ns
	c.cpu += cpuTime() - cpu
	m.tally.merge(&w.tally)
	m.files = append(m.files, FileTime{Bytes: f.size, NS: ns})
	return err
}

func (x *execution) syncFile(f *file, m *measure) error {
	t := now()
	switch {
	case !x.step.Writes():
		return nil
	case x.step.Sync == SyncEnd:
		if err := f.sync(); err != nil {
			return err
		}
	case x.step.Sync == SyncData:
		if err := f.datasync(); err != nil {
			return err
		}
	default:
		return nil
	}
	m.syncs++
	m.syncNS += now() - t
	return nil
}

// syncAll makes the files durable, after the measurement.
func syncAll(files []setFile) error {
	for _, file := range files {
		f, err := openFile(file.path, unix.O_RDONLY, Buffered, false)
		if err != nil {
			return err
		}
		if err := errors.Join(f.datasync(), f.close()); err != nil {
			return err
		}
	}
	return nil
}

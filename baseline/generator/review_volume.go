package generator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/host"
)

// volume is one place at work, with what the present task reads there.
type volume struct {
	ws      *storage.Workspace
	seed    uint64
	program string
	source  string // a file, or a directory of files
	ready   string // what was made last, see needs
	place   storage.Volume
	made    baseline.Trial // of what the last trial read
}

// needs names what has to be there for a task; tasks that need the same share it.
func needs(t baseline.Task) string {
	switch {
	case t.Point != nil:
		return fmt.Sprint("points of ", t.Bytes)
	case t.Work == "blackmagic" || t.Work == "cp" || t.Work == "clone" || t.Work == "scrub":
		return fmt.Sprint("file of ", t.Bytes)
	}
	return t.Name
}

// prepare makes what a task needs, unless the one before it left that.
func (v *volume) prepare(ctx context.Context, t baseline.Task) (err error) {
	if v.ready == needs(t) {
		return nil
	}
	if v.ready, err = "", v.renew(ctx, t); err == nil {
		v.ready = needs(t)
	}
	return err
}

func (v *volume) renew(ctx context.Context, t baseline.Task) (err error) {
	if _, err := v.ws.RemoveData(); err != nil {
		return err
	}
	switch t.Work {
	case "files":
		if t.Op == baseline.Write {
			return nil
		}
		write := t
		write.Op = baseline.Write
		_, err = v.generate(ctx, write)
		return err
	case "sustained":
		return nil
	case "launch":
		v.source = v.ws.NewPath("data")
		return v.copyProgram(v.source, v.program)
	case "tree":
		if v.source, err = v.ws.NewDir(); err != nil {
			return err
		}
		for i := range t.Files {
			path := filepath.Join(v.source, fmt.Sprintf("data-%05d", i+1))
			if err := v.fill(ctx, path, treeSizes[i%len(treeSizes)]); err != nil {
				return err
			}
		}
		return v.ws.SyncAll()
	}
	v.source = v.ws.NewPath("data")
	if err := v.fill(ctx, v.source, t.Bytes); err != nil {
		return err
	}
	return v.synced(v.source)
}

// fill makes a file of data that neither compresses nor repeats.
func (v *volume) fill(ctx context.Context, path string, size int64) (err error) {
	f, err := v.ws.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	buf := make([]byte, min(size, mib))
	for left := size; left > 0; left -= int64(len(buf)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		buf = buf[:min(left, int64(len(buf)))]
		v.seed++
		host.FillRandom(buf, v.seed)
		if _, err := f.Write(buf); err != nil {
			return err
		}
	}
	return nil
}

func (v *volume) copyProgram(to, from string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := v.ws.CreateProgram(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(struct{ io.Writer }{out}, in)
	return errors.Join(err, out.Sync(), out.Close())
}

func (v *volume) synced(path string) error {
	f, err := v.ws.Reopen(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// run does a task once. What it made is removed, and the removal committed, before it returns.
func (v *volume) run(ctx context.Context, t baseline.Task) (r baseline.TaskRun, err error) {
	if t.Op != "" {
		return v.generated(ctx, t)
	}
	if err := v.settle(t); err != nil {
		return r, err
	}
	switch t.Work {
	case "launch":
		r.NS, err = timed(exec.CommandContext(ctx, v.source, "version"))
		if errors.Is(err, fs.ErrPermission) {
			err = fmt.Errorf("%w: programs may not be started from there (noexec)", storage.ErrUnsupported)
		}
		return r, err
	case "scrub":
		return v.scrub(ctx, t)
	}
	kind := "copy"
	if t.Work == "tree" {
		kind = "dir"
	}
	target := v.ws.NewPath(kind)
	begun := host.Now()
	r.NS, err = timed(exec.CommandContext(ctx, "cp", append(copyOptions(t.Work), v.source, target)...))
	if err == nil && t.Work == "tree" {
		err = v.ws.SyncAll()
	} else if err == nil {
		err = v.synced(target)
	}
	r.SafeNS = host.Now() - begun
	if t.Work == "tree" {
		err = errors.Join(err, v.ws.RemoveDir(target))
	} else {
		err = errors.Join(err, v.ws.Remove(target))
	}
	return r, errors.Join(err, v.ws.Sync())
}

// timed runs a command and returns how long it took.
func timed(c *exec.Cmd) (int64, error) {
	var said strings.Builder
	c.Stderr = &said
	begun := host.Now()
	err := c.Run()
	took := host.Now() - begun
	switch text := strings.TrimSpace(said.String()); {
	case err != nil && cannotClone(text):
		return took, fmt.Errorf("%w: the file system cannot clone files", storage.ErrUnsupported)
	case err != nil:
		return took, fmt.Errorf("%s: %w: %s", filepath.Base(c.Path), err, text)
	}
	return took, nil
}

func cannotClone(text string) bool {
	return strings.Contains(text, "failed to clone") || strings.Contains(text, "clonefile failed")
}

// settle brings the page cache into the state that a task begins with.
func (v *volume) settle(t baseline.Task) error {
	paths := []string{v.source}
	if t.Work == "tree" {
		names, err := v.ws.List(v.source)
		if err != nil {
			return err
		}
		paths = paths[:0]
		for _, n := range names {
			paths = append(paths, filepath.Join(v.source, n.Name))
		}
	}
	for _, path := range paths {
		if err := v.visit(path, t.Cold); err != nil {
			return err
		}
	}
	return nil
}

// visit drops a file from the page cache, or reads it into it.
func (v *volume) visit(path string, drop bool) (err error) {
	if drop {
		f, err := v.ws.Open(path, unix.O_RDONLY, baseline.Buffered, false)
		if err != nil {
			return err
		}
		return errors.Join(f.DropPages(), f.Close())
	}
	f, err := v.ws.Reopen(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(struct{ io.Writer }{io.Discard}, f)
	return errors.Join(err, f.Close())
}

// scrub jumps about in the file, with one descriptor, as a player does.
func (v *volume) scrub(ctx context.Context, t baseline.Task) (r baseline.TaskRun, err error) {
	f, err := v.ws.Reopen(v.source)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	rng := rand.New(rand.NewPCG(v.seed, 2))
	buf := make([]byte, min(scrubPiece, t.Bytes))
	begun := host.Now()
	for range scrubJumps {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		if _, err := f.ReadAt(buf, rng.Int64N(t.Bytes-int64(len(buf))+1)); err != nil {
			return r, err
		}
	}
	v.seed++
	return baseline.TaskRun{NS: host.Now() - begun, Jumps: scrubJumps}, nil
}

package baseline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// fill writes a prepared file, in large blocks past the cache where that is
// possible, and makes it durable.
func (b *Bench) fill(ctx context.Context, s *site, want fill) error {
	// Only btrfs and bcachefs know it; elsewhere there is nothing to be done.
	_ = setNoCOW(s.ws.path, want.noCOW)
	step := Step{Name: "fill", Op: Write, Access: Sequential, Block: mib, Depth: 8, Threads: 1, Cache: Direct,
		FileSize: want.size, Data: want.data, Fresh: true, Sync: SyncEnd}
	if want.size%sector != 0 {
		step.Cache = Buffered // direct I/O does not end within a sector
	}
	x := &execution{step: step, path: want.path, place: s.place, seed: b.rng.Uint64(), threads: b.config.Threads, meter: &b.meter}
	b.meter.begin()
	_, err := x.blocks(ctx)
	if errors.Is(err, errUnsupported) {
		x.step.Cache = Buffered
		_, err = x.blocks(ctx)
	}
	return err
}

// removeKind removes the data files of one kind.
func (ws *workspace) removeKind(kind string) error {
	entries, err := os.ReadDir(ws.path)
	if err != nil {
		return ignoreMissing(err)
	}
	var errs []error
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), kind+"-") && dataNames.MatchString(e.Name()) {
			errs = append(errs, ignoreMissing(os.Remove(filepath.Join(ws.path, e.Name()))))
		}
	}
	return errors.Join(errs...)
}

// sync commits what was created and removed in the working directory.
func (ws *workspace) sync() error {
	dir, err := os.Open(ws.path)
	if err != nil {
		return ignoreMissing(err)
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && !errors.Is(err, unix.EINVAL) { // some file systems sync no directories
		return fmt.Errorf("syncing %s: %w", ws.path, err)
	}
	return nil
}

// syncAll brings everything that was written to the file system to its device.
func (ws *workspace) syncAll() error {
	dir, err := os.Open(ws.path)
	if err != nil {
		return ignoreMissing(err)
	}
	defer dir.Close()
	if err := syncFS(int(dir.Fd())); err != nil {
		return fmt.Errorf("syncing the file system of %s: %w", ws.path, err)
	}
	return nil
}

// dropPages throws the pages of all data files out of the page cache. They are
// clean: each was synced when it was written.
func (ws *workspace) dropPages() error {
	entries, err := os.ReadDir(ws.path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !dataNames.MatchString(e.Name()) {
			continue
		}
		f, err := openFile(filepath.Join(ws.path, e.Name()), unix.O_RDONLY, Buffered, false)
		if err != nil {
			return err
		}
		if err := errors.Join(f.dropPages(), f.close()); err != nil {
			return err
		}
	}
	return nil
}

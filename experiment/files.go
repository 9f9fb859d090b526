package experiment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/host"
)

const mib = 1 << 20

// mostKept bounds the room of files that are kept until the end.
const mostKept = 8 << 30

// cellFiles are files that hold the payload.
type cellFiles struct {
	size  int64 // of each, as in Cell
	zeros float64
	paths []string
	sizes []int64
}

// fileSets are the files of an ablation, all with the same payload.
type fileSets struct {
	ws      *storage.Workspace
	payload int64
	seed    uint64
	room    int64        // for files that are kept
	kept    []string     // directories of small files, the oldest first
	sources []*cellFiles // one for each file size in use
	targets []*cellFiles
}

// fresh names files that do not exist yet; many of them in a directory of their
// own.
func (s *fileSets) fresh(size int64) (*cellFiles, error) {
	f := s.layout(size)
	if len(f.sizes) == 1 {
		s.name(f, "copy", 0)
		return f, nil
	}
	dir, err := s.ws.NewDir()
	if err != nil {
		return nil, err
	}
	s.kept = append(s.kept, dir)
	for i := range f.sizes {
		f.paths = append(f.paths, filepath.Join(dir, fmt.Sprintf("copy-%05d", i+1)))
	}
	return f, nil
}

// forget removes what a run has created. Many small files stay, the latest as
// long as there is room: ext4 does not use the inode of a removed file for
// minutes, and until then looks past it for each new file, so that each run
// would be slower than the one before.
func (s *fileSets) forget() error {
	err := s.ws.RemoveKind("copy")
	for int64(len(s.kept))*s.payload > s.room {
		err = errors.Join(err, s.ws.RemoveDir(s.kept[0]))
		s.kept = s.kept[1:]
	}
	return err
}

// layout divides the payload into files of a size.
func (s *fileSets) layout(size int64) *cellFiles {
	f := &cellFiles{size: size}
	if size <= 0 || size >= s.payload {
		f.sizes = []int64{s.payload}
	} else {
		for left := s.payload; left > 0; left -= size {
			f.sizes = append(f.sizes, min(size, left))
		}
	}
	return f
}

// name gives each file a path: of its kind, numbered from after on.
func (s *fileSets) name(f *cellFiles, kind string, after int) {
	for i := range f.sizes {
		f.paths = append(f.paths, filepath.Join(s.ws.Path, fmt.Sprintf("%s-%05d", kind, after+i+1)))
	}
}

// prepared returns existing files of a size and with a share of zeros, which it
// writes the first time.
func (s *fileSets) prepared(ctx context.Context, sets *[]*cellFiles, kind string, size int64,
	zeros float64) (f *cellFiles, err error) {
	used := 0
	for _, f := range *sets {
		if f.size == size && f.zeros == zeros {
			return f, nil
		}
		used += len(f.paths)
	}
	f = s.layout(size)
	f.zeros = zeros
	s.name(f, kind, used)
	bufs, err := storage.NewBuffers(1, mib)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, bufs.Free()) }()
	for i, path := range f.paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.seed++
		// Direct I/O moves whole sectors: files are as long as that takes.
		if err := fillFile(s.ws, path, host.Sectors(f.sizes[i]), bufs.At(0), s.seed, zeros); err != nil {
			return nil, err
		}
	}
	*sets = append(*sets, f)
	return f, s.durable(f.paths)
}

// manyFiles is the number of files above which the file system is synced as a
// whole: a sync of each would commit its journal as often.
const manyFiles = 16

// durable brings the data of files to the device.
func (s *fileSets) durable(paths []string) error {
	if len(paths) <= manyFiles {
		return eachFile(s.ws, paths, os.O_WRONLY, (*storage.File).Sync)
	}
	return s.ws.SyncAll()
}

// fillFile makes a file of data of which a share is zeros and the rest neither
// compresses nor repeats.
func fillFile(ws *storage.Workspace, path string, size int64, buf []byte, seed uint64, zeros float64) (err error) {
	f, err := ws.Open(path, os.O_WRONLY|os.O_CREATE, baseline.Buffered, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for at := int64(0); at < size; at += int64(len(buf)) {
		part := buf[:min(int64(len(buf)), size-at)]
		host.FillRandom(part, seed<<20+uint64(at/int64(len(buf))))
		storage.Blank(part, zeros)
		if err := writeAll(f, part, at); err != nil {
			return err
		}
	}
	return nil
}

func eachFile(ws *storage.Workspace, paths []string, mode int, do func(*storage.File) error) error {
	for _, path := range paths {
		f, err := ws.Open(path, mode, baseline.Buffered, false)
		if err != nil {
			return err
		}
		if err := errors.Join(do(f), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

func writeAll(f *storage.File, p []byte, at int64) error {
	_, err := host.Whole(int64(len(p)), false, func(from, n int64) (int, error) {
		return storage.Pwrite(f.FD, p[from:from+n], at+from, f.Flags)
	})
	if err != nil {
		return &os.PathError{Op: "write", Path: f.Path, Err: err}
	}
	return nil
}

func readThrough(f *storage.File) error {
	buf := make([]byte, mib)
	for at := int64(0); ; {
		n, err := host.IgnoringEINTR(func() (int, error) { return storage.Pread(f.FD, buf, at, 0) })
		if err != nil {
			return &os.PathError{Op: "read", Path: f.Path, Err: err}
		}
		if n == 0 {
			return nil
		}
		at += int64(n)
	}
}

// readAll reads so much, and what else there is in the last sector if the buffer has room for it.
func readAll(f *storage.File, want int64, buf []byte, at int64) error {
	_, err := host.Whole(want, int64(len(buf)) > want, func(from, n int64) (int, error) {
		return storage.Pread(f.FD, buf[from:from+n], at+from, f.Flags)
	})
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("reading %s: it is shorter than it was made", f.Path)
	case err != nil:
		return &os.PathError{Op: "read", Path: f.Path, Err: err}
	}
	return nil
}

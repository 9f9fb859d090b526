package tracer

import (
	"cmp"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/iotrace/iotrace/internal/rights"
	"github.com/iotrace/iotrace/internal/sysfile"
	"github.com/iotrace/iotrace/trace"
)

// Whether a file is a copy of another of its size is often not to be seen from
// the calls alone: a program that sorts passes on as many bytes as it read. While
// the files are there, looking is cheap: of each file that has the size of
// another one that was written, a few samples are summed up. The sums are kept in
// the trace, the samples are not.

const (
	sampleSize   = 4 << 10
	maxSamples   = 16               // of a file; a smaller one is read whole
	maxSampled   = 1024             // files, the largest first: 64 MiB are read at most
	maxWritten   = 16 << 10         // files whose size is looked at
	sampleTime   = time.Second      // for all of it
	sampleGiveUp = 10 * time.Second // a file system that does not answer is left alone
)

// UsedFile is a regular file that recorded processes have used.
type UsedFile struct {
	ID      trace.FileID
	Path    string
	Inode   uint64
	Size    int64 // when it was first seen
	Written bool
}

// MountLister is a Source that knows which mounts were used. Only after Record.
type MountLister interface {
	Mounts() (used []trace.Mount, syncedDirs []string)
}

// FileLister is a Source that knows which files were used. Only after Record.
type FileLister interface{ Used() []UsedFile }

// contents samples the files that may be copies of one another, with the rights
// of a user.
func contents(files []UsedFile, as *rights.Identity, now int64) []trace.Content {
	done := make(chan []trace.Content, 1)
	go func() {
		s := &sampler{start: time.Now().Add(-time.Duration(now)), until: time.Now().Add(sampleTime)}
		_ = as.Do(func() error { s.sample(files); return nil }) // without the user's rights nothing is read
		done <- s.list
	}()
	select {
	case list := <-done:
		return list
	case <-time.After(sampleGiveUp):
		return nil
	}
}

type sampler struct {
	start time.Time // when the clock of the trace was 0
	until time.Time
	list  []trace.Content
	buf   [sampleSize]byte
}

// sample chooses the files: for each size that a written file has now, all
// files of that size, if there are at least two.
func (s *sampler) sample(files []UsedFile) {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b UsedFile) int { return cmp.Compare(a.ID, b.ID) })
	written, n := map[int64]bool{}, 0
	for i := range files {
		f := &files[i]
		if !f.Written || n >= maxWritten || time.Now().After(s.until) {
			continue
		}
		n++
		f.Size = 0
		if o, info := s.open(f); o != nil {
			o.Close()
			f.Size = info.Size()
			written[f.Size] = f.Size > 0
		}
	}
	bySize := map[int64][]*UsedFile{}
	for i := range files {
		if f := &files[i]; written[f.Size] {
			bySize[f.Size] = append(bySize[f.Size], f)
		}
	}
	sizes := make([]int64, 0, len(bySize))
	for size, group := range bySize {
		if len(group) > 1 {
			sizes = append(sizes, size)
		}
	}
	slices.SortFunc(sizes, func(a, b int64) int { return cmp.Compare(b, a) })
	for _, size := range sizes {
		for _, f := range bySize[size] {
			if len(s.list) < maxSampled && time.Now().Before(s.until) {
				s.take(f)
			}
		}
	}
}

// open opens a file if its name still means it, without side effects and only on
// file systems that answer for themselves.
func (s *sampler) open(f *UsedFile) (*os.File, fs.FileInfo) {
	o, err := sysfile.OpenQuietly(f.Path, noAccessTime)
	if err != nil && noAccessTime != 0 { // only the owner may leave the time of access alone
		o, err = sysfile.OpenQuietly(f.Path, 0)
	}
	if err != nil {
		return nil, nil
	}
	info, err := o.Stat()
	if err == nil && info.Mode().IsRegular() && local(o) {
		if st, ok := info.Sys().(*syscall.Stat_t); ok && uint64(st.Ino) == f.Inode {
			return o, info
		}
	}
	o.Close()
	return nil, nil
}

// take sums up the samples of a file that has not changed while they were read.
func (s *sampler) take(f *UsedFile) {
	o, before := s.open(f)
	if o == nil {
		return
	}
	defer o.Close()
	if sum, ok := s.steady(o, before); ok {
		changed := min(before.ModTime().Sub(s.start), time.Since(s.start)) // some are dated in the future
		s.list = append(s.list, trace.Content{File: f.ID, Size: before.Size(), Changed: changed.Nanoseconds(), Sum: sum})
	}
}

// readable is a file that is read and looked at.
type readable interface {
	io.ReaderAt
	Stat() (fs.FileInfo, error)
}

// steady sums up the samples of a file; not if it changed since it was looked at.
func (s *sampler) steady(o readable, before fs.FileInfo) (sum uint64, ok bool) {
	sum, err := s.sum(o, before.Size())
	after, failed := o.Stat()
	return sum, err == nil && failed == nil && after.Size() == before.Size() && after.ModTime().Equal(before.ModTime())
}

// sum is the checksum of samples that are spread evenly over a file, its
// beginning and its end among them.
func (s *sampler) sum(r io.ReaderAt, size int64) (uint64, error) {
	h := fnv.New64a()
	n, last := int64(maxSamples), size-sampleSize
	if size <= maxSamples*sampleSize {
		n = (size + sampleSize - 1) / sampleSize
		last = (n - 1) * sampleSize
	}
	for i := range n {
		at := i * last / max(n-1, 1)
		b := s.buf[:min(sampleSize, size-at)]
		if _, err := r.ReadAt(b, at); err != nil && err != io.EOF {
			return 0, err
		}
		h.Write(b)
	}
	return h.Sum64(), nil
}

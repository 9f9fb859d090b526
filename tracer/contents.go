package tracer

import (
	"cmp"
	"hash"
	"hash/fnv"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/rights"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// Whether a file is a copy of another of its size is often not to be seen from
// the calls alone: a program that sorts passes on as many bytes as it read. While
// the files are there, looking is cheap: of each file that has the size of
// another one that was written, all of it is summed up, or samples of a large one.
// The sums are kept in the trace, the contents are not.

const (
	sampleSize   = 4 << 10
	maxSamples   = 64               // of a file that is not read whole
	maxWhole     = 16 << 20         // a larger file is not read whole
	maxRead      = 256 << 20        // of all files that are
	maxSampled   = 1024             // files, the largest first
	maxWritten   = 16 << 10         // files whose size is looked at
	wholeTime    = time.Second / 2  // for reading files whole
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
// of a user, and lists those that were only read whose status was changed later
// than their contents.
func contents(files []UsedFile, as *rights.Identity, now int64) inspection {
	done := make(chan *sampler, 1)
	go func() {
		s := newSampler(time.Now().Add(-time.Duration(now)))
		_ = as.Do(func() error { // without the user's rights nothing is read
			s.look(files) // which takes less
			s.sample(files)
			return nil
		})
		done <- s
	}()
	select {
	case s := <-done:
		return s.inspection
	case <-time.After(sampleGiveUp):
		return inspection{left: writtenOf(files)}
	}
}

// writtenOf counts the files that were.
func writtenOf(files []UsedFile) (n int64) {
	for i := range files {
		if files[i].Written {
			n++
		}
	}
	return n
}

// inspection is what was seen of files.
type inspection struct {
	list    []trace.Content
	left    int64 // files that may be copies and were not read
	touched []trace.Touched
}

func (i inspection) into(e *trace.End) {
	e.Contents, e.Uncompared, e.Touched = i.list, i.left, i.touched
}

type sampler struct {
	start  time.Time // when the clock of the trace was 0
	whole  time.Time // until when files are read whole
	until  time.Time
	budget int64 // bytes that may be read whole
	inspection
	seed uint64 // of the places of samples: another one for each recording, so that no difference always escapes
	buf  [16 * sampleSize]byte
}

func newSampler(start time.Time) *sampler {
	now := time.Now()
	return &sampler{start: start, whole: now.Add(wholeTime), until: now.Add(sampleTime), budget: maxRead,
		seed: rand.Uint64() | 1}
}

// sample chooses the files: for each size that a written file has now, all
// files of that size, if there are at least two.
func (s *sampler) sample(files []UsedFile) {
	files = slices.Clone(files)
	sorting.Stably(files, func(a, b UsedFile) int { return cmp.Compare(a.ID, b.ID) })
	written, n := map[int64]bool{}, 0
	for i := range files {
		f := &files[i]
		if !f.Written {
			continue
		}
		if n >= maxWritten || time.Now().After(s.until) {
			s.left++
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
	slices.Sort(sizes)
	for _, size := range slices.Backward(sizes) {
		s.group(bySize[size], size)
	}
}

// group sums up files of one size, all in the same way: whole if they are small and that does not take long.
func (s *sampler) group(files []*UsedFile, size int64) {
	done := 0
	if n := size * int64(len(files)); size <= maxWhole && n <= s.budget && time.Now().Before(s.whole) {
		s.budget -= n
		before := len(s.list)
		if done = s.all(files, size, s.whole); done < len(files) && len(s.list) < maxSampled { // for want of time
			s.list, done = s.list[:before], 0
		}
	}
	if done == 0 {
		done = s.all(files, maxSamples*sampleSize, s.until)
	}
	s.left += int64(len(files) - done)
}

// all sums up as much of each file until there are too many, or the time is over. It returns how many it came to.
func (s *sampler) all(files []*UsedFile, most int64, until time.Time) int {
	for i, f := range files {
		if len(s.list) >= maxSampled || !time.Now().Before(until) {
			return i
		}
		s.take(f, most)
	}
	return len(files)
}

// open opens a file if its name still means it, without side effects and only on
// file systems that answer for themselves.
func (s *sampler) open(f *UsedFile) (*os.File, fs.FileInfo) {
	o, err := host.OpenQuietly(f.Path, noAccessTime)
	if err != nil && noAccessTime != 0 { // only the owner may leave the time of access alone
		o, err = host.OpenQuietly(f.Path, 0)
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

// take sums up as much of a file that has not changed while it was read.
func (s *sampler) take(f *UsedFile, most int64) {
	o, before := s.open(f)
	if o == nil {
		return
	}
	defer o.Close()
	if sum, ok := s.steady(o, before, most); ok {
		changed := min(before.ModTime().Sub(s.start), time.Since(s.start)) // some are dated in the future
		c := trace.Content{File: f.ID, Size: before.Size(), Changed: changed.Nanoseconds(), Sum: sum,
			Read: min(before.Size(), most)}
		if c.Read < c.Size {
			c.Seed = s.seed
		}
		s.list = append(s.list, c)
	}
}

// readable is a file that is read and looked at.
type readable interface {
	io.ReaderAt
	Stat() (fs.FileInfo, error)
}

// steady sums up as much of a file; not if it changed since it was looked at.
func (s *sampler) steady(o readable, before fs.FileInfo, most int64) (sum uint64, ok bool) {
	h := fnv.New64a()
	var err error
	if size := before.Size(); size <= most {
		err = s.sum(h, o, 0, size)
	} else {
		for _, at := range s.places(size, int(most/sampleSize)) {
			err = cmp.Or(err, s.sum(h, o, at, sampleSize))
		}
	}
	after, failed := o.Stat()
	return h.Sum64(), err == nil && failed == nil && after.Size() == before.Size() &&
		after.ModTime().Equal(before.ModTime())
}

// places are where n samples of a file are taken: its beginning, its end, and one somewhere in each of the equal parts
// between. They depend on the size and the seed.
func (s *sampler) places(size int64, n int) []int64 {
	random := rand.New(rand.NewPCG(s.seed, uint64(size)))
	last, parts := size-sampleSize, int64(n-2)
	list := []int64{0}
	for i := range parts {
		from, to := i*last/parts, (i+1)*last/parts
		list = append(list, from+random.Int64N(max(to-from, 1)))
	}
	return append(list, last)
}

// sum adds n bytes of a file to a checksum.
func (s *sampler) sum(h hash.Hash64, r io.ReaderAt, at, n int64) error {
	for end := at + n; at < end; {
		b := s.buf[:min(int64(len(s.buf)), end-at)]
		if _, err := r.ReadAt(b, at); err != nil && err != io.EOF {
			return err
		}
		h.Write(b)
		at += int64(len(b))
	}
	return nil
}

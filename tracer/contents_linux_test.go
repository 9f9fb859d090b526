package tracer

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/rights"
	"github.com/iotrace/iotrace/trace"
)

// used is a directory of files that a command has used.
type used struct {
	t    *testing.T
	dir  string
	list []UsedFile
}

func newUsed(t *testing.T) *used { return &used{t: t, dir: t.TempDir()} }

func (u *used) path(name string) string { return filepath.Join(u.dir, name) }

// file makes a file, read or written by the command, and returns its number.
func (u *used) file(name string, data []byte, written bool) trace.FileID {
	u.t.Helper()
	if err := os.WriteFile(u.path(name), data, 0o600); err != nil {
		u.t.Fatal(err)
	}
	info, err := os.Stat(u.path(name))
	if err != nil {
		u.t.Fatal(err)
	}
	id := trace.FileID(len(u.list) + 1)
	inode := info.Sys().(*syscall.Stat_t).Ino
	u.list = append(u.list, UsedFile{ID: id, Path: u.path(name), Inode: inode, Size: int64(len(data)), Written: written})
	return id
}

// sampled is what is found in the files, by number.
func (u *used) sampled() map[trace.FileID]trace.Content {
	found := map[trace.FileID]trace.Content{}
	for _, c := range contents(u.list, nil, int64(time.Minute)).list {
		found[c.File] = c
	}
	return found
}

// random is bytes without a pattern.
func random(n int) []byte {
	b, x := make([]byte, n), uint64(n)*2654435761+1
	for i := range b {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		b[i] = byte(x)
	}
	return b
}

// TestSamplesTellFilesApart compares files of one size: one byte makes a difference, wherever it is.
func TestSamplesTellFilesApart(t *testing.T) {
	for _, size := range []int{1, 4096, 4097, maxSamples*sampleSize - 1, maxSamples * sampleSize, 1<<20 + 7} {
		data := random(size)
		u := newUsed(t)
		source, same := u.file("source", data, false), u.file("same", data, true)
		places := []int{0, size / 2, 7 * size / 10, size - 1}
		var others []trace.FileID
		for _, at := range places {
			other := slices.Clone(data)
			other[at]++
			others = append(others, u.file(fmt.Sprint("other", at), other, true))
		}
		found := u.sampled()
		if a, b := found[source], found[same]; a.Sum != b.Sum || a.Size != int64(size) || b.Size != int64(size) {
			t.Errorf("%d bytes: a copy is not the same: %+v, %+v", size, a, b)
		}
		for i, id := range others {
			if found[id].Size != int64(size) || found[id].Sum == found[source].Sum {
				t.Errorf("%d bytes: a file that differs at %d looks the same: %+v", size, places[i], found[id])
			}
		}
	}
}

// large is a file of a size that is not read whole, every so many blocks of which hold something else.
type large struct {
	size  int64
	every int64
}

func (l large) Stat() (fs.FileInfo, error) { return largeInfo{nil, l.size}, nil }

func (l large) ReadAt(b []byte, at int64) (int, error) {
	for i := range b {
		b[i] = byte((at + int64(i)) * 7 >> 3)
		if l.every > 0 && (at+int64(i))/(64<<10)%l.every == 1 {
			b[i] ^= 0x55
		}
	}
	return len(b), nil
}

type largeInfo struct {
	fs.FileInfo
	size int64
}

func (i largeInfo) Size() int64      { return i.size }
func (largeInfo) ModTime() time.Time { return time.Unix(1e9, 0) }

// TestSamplesOfLargeFiles: a pattern of differences is met, where samples are is the same for two files of one size in
// one recording, and not the same in the next.
func TestSamplesOfLargeFiles(t *testing.T) {
	const size = 1 << 30
	sum := func(s *sampler, every int64) uint64 {
		x := large{size, every}
		info, _ := x.Stat()
		sum, ok := s.steady(x, info, maxSamples*sampleSize)
		if !ok {
			t.Fatal("not summed up")
		}
		return sum
	}
	a, b := newSampler(time.Now()), newSampler(time.Now())
	one, same, other, later := sum(a, 0), sum(a, 0), sum(a, 3), sum(b, 0)
	if one != same || one == other || one == later {
		t.Errorf("sums %x %x, with differences %x, in another recording %x", one, same, other, later)
	}
	x, y := a.places(size, maxSamples), b.places(size, maxSamples)
	ends := len(x) == maxSamples && x[0] == 0 && x[maxSamples-1] == size-sampleSize
	if slices.Equal(x, y) || !ends || !slices.IsSorted(x) {
		t.Errorf("places %v, of another recording %v", x, y)
	}
}

// TestFilesOfOneSizeAreReadAlike: if there is no time to read all of them whole, none of them counts as that.
func TestFilesOfOneSizeAreReadAlike(t *testing.T) {
	u := newUsed(t)
	data := random(1 << 20)
	u.file("a", data, false)
	u.file("b", data, true)
	files := []*UsedFile{&u.list[0], &u.list[1]}
	for name, test := range map[string]struct {
		limit func(s *sampler)
		read  int64
	}{
		"whole":   {func(*sampler) {}, 1 << 20},
		"late":    {func(s *sampler) { s.whole = time.Now() }, maxSamples * sampleSize},
		"enough":  {func(s *sampler) { s.budget = 1<<21 - 1 }, maxSamples * sampleSize},
		"no time": {func(s *sampler) { s.whole, s.until = time.Now(), time.Now() }, 0},
	} {
		s := newSampler(time.Now())
		s.whole, s.until = time.Now().Add(time.Hour), time.Now().Add(time.Hour)
		test.limit(s)
		s.group(files, 1<<20)
		for _, c := range s.list {
			if c.Read != test.read || (c.Seed != 0) != (c.Read < c.Size) {
				t.Errorf("%s: %+v", name, c)
			}
		}
		if (len(s.list) == 2) != (test.read > 0) || s.left != int64(2-len(s.list)) {
			t.Errorf("%s: %d are left out of %+v", name, s.left, s.list)
		}
	}
}

// TestOnlyWhatMayBeACopyIsRead: a file without another of its size, and files of a size
// that nothing was written with, are left alone.
func TestOnlyWhatMayBeACopyIsRead(t *testing.T) {
	u := newUsed(t)
	u.file("alone", random(5000), true)
	u.file("read", random(6000), false)
	u.file("read too", random(6000), false)
	u.file("empty", nil, true)
	u.file("empty too", nil, true)
	if found := u.sampled(); len(found) > 0 {
		t.Errorf("sampled %+v", found)
	}
	grown := u.file("grown", random(10), true) // has another size by now
	if err := os.WriteFile(u.path("grown"), random(6000), 0o600); err != nil {
		t.Fatal(err)
	}
	if found := u.sampled(); len(found) != 3 || found[grown].Size != 6000 {
		t.Errorf("sampled %+v, want the three files of 6000 bytes", found)
	}
}

// TestFilesThatAreNotThereAnyMore: who is gone, is another file under the same name, a
// link, or no file, is not read; the others are.
func TestFilesThatAreNotThereAnyMore(t *testing.T) {
	data := random(100_000)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	u := newUsed(t)
	source, kept := u.file("source", data, false), u.file("kept", data, true)
	gone := u.file("gone", data, true)
	must(os.Remove(u.path("gone")))
	replaced := u.file("replaced", data, true)
	must(os.WriteFile(u.path("new"), data, 0o600))
	must(os.Rename(u.path("new"), u.path("replaced")))
	linked := u.file("linked", data, true)
	must(os.Rename(u.path("linked"), u.path("elsewhere")))
	must(os.Symlink("elsewhere", u.path("linked")))
	pipe := u.file("pipe", data, true)
	must(os.Remove(u.path("pipe")))
	must(syscall.Mkfifo(u.path("pipe"), 0o600)) // opening it would wait for a writer
	found := u.sampled()
	for name, id := range map[string]trace.FileID{"gone": gone, "replaced": replaced, "linked": linked, "pipe": pipe} {
		if c, ok := found[id]; ok {
			t.Errorf("%s: %+v", name, c)
		}
	}
	if len(found) != 2 || found[source].Sum != found[kept].Sum {
		t.Errorf("sampled %+v, want the source and what was kept", found)
	}
}

// TestUnreadableFiles: files are read with the rights of a user, not with those of the
// recorder.
func TestUnreadableFiles(t *testing.T) {
	u := newUsed(t)
	data := random(50_000)
	u.file("a", data, false)
	secret := u.file("b", data, true)
	as := (*rights.Identity)(nil)
	if os.Geteuid() == 0 {
		as = &rights.Identity{UID: 65534, GID: 65534}
		for dir := u.dir; dir != "/" && dir != os.TempDir(); dir = filepath.Dir(dir) {
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Chmod(u.path("b"), 0); err != nil {
		t.Fatal(err)
	}
	for _, c := range contents(u.list, as, 0).list {
		if c.File == secret {
			t.Errorf("read what the user may not read: %+v", c)
		}
	}
	for _, name := range []string{"a", "b"} {
		if err := os.Chmod(u.path(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if list := contents(u.list, as, 0).list; len(list) != 2 {
		t.Errorf("%+v, want both files, which the user may read", list)
	}
}

// changing is a file that somebody writes to while it is read.
type changing struct {
	*os.File
	change func()
}

func (f changing) ReadAt(b []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(b, at)
	f.change()
	return n, err
}

// TestFilesThatChangeMeanwhile: a sum over two states of a file says nothing.
func TestFilesThatChangeMeanwhile(t *testing.T) {
	for name, test := range map[string]struct {
		change func(path string) error
		want   bool
	}{
		"unchanged": {func(string) error { return nil }, true},
		"longer":    {func(path string) error { return os.Truncate(path, 300_000) }, false},
		"shorter":   {func(path string) error { return os.Truncate(path, 10_000) }, false},
		"rewritten": {func(path string) error { return os.Chtimes(path, time.Time{}, time.Unix(1e9, 0)) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUsed(t)
			u.file("a", random(200_000), true)
			f, err := os.Open(u.path("a"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			before, err := f.Stat()
			if err != nil {
				t.Fatal(err)
			}
			var s sampler
			_, ok := s.steady(changing{f, func() {
				if err := test.change(u.path("a")); err != nil {
					t.Error(err)
				}
			}}, before, maxSamples*sampleSize)
			if ok != test.want {
				t.Errorf("the sum counts: %v", ok)
			}
		})
	}
}

// TestTheLargestComeFirst: there is a bound to what is read.
func TestTheLargestComeFirst(t *testing.T) {
	u := newUsed(t)
	for i := range maxSampled {
		u.file(fmt.Sprint("small", i), []byte("0123456789"), i == 0)
	}
	a, b := u.file("large", random(20_000), false), u.file("large too", random(20_000), true)
	s := &sampler{start: time.Now(), until: time.Now().Add(time.Hour)}
	s.sample(u.list)
	if len(s.list) != maxSampled || s.list[0].File != a || s.list[1].File != b {
		t.Errorf("%d files, the first of %d bytes", len(s.list), s.list[0].Size)
	}
	if s.left != 2 {
		t.Errorf("%d files are said to be left out, 2 small ones are", s.left)
	}
	s = &sampler{start: time.Now(), until: time.Now()}
	if s.sample(u.list); len(s.list) > 0 {
		t.Errorf("%d files were read after the time was over", len(s.list))
	}
	if s.left != 2 { // of the others it is not known whether they may be copies
		t.Errorf("%d files are said to be left out, 2 were written", s.left)
	}
}

// lister is a source that knows which files were used.
type lister struct {
	*fake
	files []UsedFile
}

func (l lister) Used() []UsedFile { return l.files }

// TestContentsInTheTrace records a command that copies: the trace holds the sums of both
// files, none if that was not wanted, and never their data.
func TestContentsInTheTrace(t *testing.T) {
	for _, wanted := range []bool{true, false} {
		u, f := newUsed(t), newFake()
		data := random(30_000)
		a, b := u.file("a", data, false), u.file("b", data, true)
		o := options(t, f, "true")
		o.Open = func() (Source, error) { return lister{f, u.list}, nil }
		o.Contents = wanted
		if _, err := Record(o); err != nil {
			t.Fatal(err)
		}
		_, _, end, _ := read(t, o.Output)
		if !wanted {
			if len(end.Contents) > 0 {
				t.Errorf("not wanted: %+v", end.Contents)
			}
			continue
		}
		if len(end.Contents) != 2 || end.Contents[0].File != a || end.Contents[1].File != b ||
			end.Contents[0].Sum != end.Contents[1].Sum {
			t.Errorf("%+v, want the same sum twice", end.Contents)
		}
		if raw, err := os.ReadFile(o.Output); err != nil || bytes.Contains(raw, data[:64]) {
			t.Errorf("the trace holds data (%v)", err)
		}
	}
}

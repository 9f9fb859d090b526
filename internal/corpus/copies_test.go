//go:build linux

package corpus

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// size of the file that is copied: no multiple of any buffer, but of a sector.
const size = 4<<20 + 512

// want is the one copy that a program makes; fields at their zero values are
// not looked at, but for the destination's name ("b").
type want struct {
	method  string
	buffer  int64
	asked   bool  // method and buffer are those that strace shows
	writes  int64 // most common size of a call that writes
	request int64 // most common size of a request that writes
	bytes   int64 // size if it is 0, not looked at if it is -1: mv and ln know names, not sizes
	dest    string
	via     string
	holes   int64
	direct  [2]bool // source, destination
	syncs   int64
	ready   bool // preallocated
	removed bool // the source
}

// copiers are real programs that copy the file a to b in their directory.
var copiers = []struct {
	name   string
	needs  string // programs
	script string
	want   want
}{
	{"cp", "cp", "cp a b", want{asked: true, method: "copy_file_range"}},
	// 128 KiB before coreutils 9.5, 256 KiB since
	{"cp never", "cp", "cp --reflink=never a b", want{asked: true, method: "read_write"}},
	{"dd 512", "dd", "dd if=a of=b bs=512", want{method: "read_write", buffer: 512, writes: 512}},
	{"dd 4k notrunc", "dd", "dd if=a of=b bs=4k conv=notrunc", want{method: "read_write", buffer: 4 << 10,
		writes: 4 << 10}},
	{"dd 1M fdatasync", "dd", "dd if=a of=b bs=1M conv=fdatasync", want{method: "read_write", buffer: 1 << 20,
		writes: 1 << 20, syncs: 1}},
	// dd syncs a direct file that ends off a block
	{"dd direct", "dd", "dd if=a of=b bs=64k iflag=direct oflag=direct", want{method: "read_write", buffer: 64 << 10,
		writes: 64 << 10, request: 64 << 10, direct: [2]bool{true, true}, syncs: 1}},
	{"dd direct source", "dd", "dd if=a of=b bs=64k iflag=direct", want{method: "read_write", buffer: 64 << 10,
		writes: 64 << 10, direct: [2]bool{true, false}}},
	{"dd ibs obs", "dd", "dd if=a of=b ibs=4k obs=64k", want{method: "read_write", buffer: 4 << 10, writes: 64 << 10}},
	{"dd dsync", "dd", "dd if=a of=b bs=256k oflag=dsync", want{method: "read_write", buffer: 256 << 10,
		writes: 256 << 10}},
	// fallocate syncs,
	{"dd preallocated", "dd fallocate", "fallocate -l 4194816 b && dd if=a of=b bs=128k conv=notrunc",
		want{method: "read_write", buffer: 128 << 10, writes: 128 << 10, ready: true, syncs: 1}},
	// coreutils 9 calls copy_file_range, older ones read and write
	{"cat redirected", "cat", "cat a > b", want{asked: true}},
	{"cat cat", "cat", "cat a | cat > b", want{via: "pipe"}},
	{"cat dd", "cat dd", "cat a | dd of=b bs=32k iflag=fullblock", want{via: "pipe", writes: 32 << 10}},
	{"install", "install", "install a b", want{asked: true, method: "copy_file_range"}},
	{"busybox", "busybox", "busybox cp a b", want{asked: true}},
	{"gio", "gio", "gio copy a b", want{method: "splice", via: "pipe", buffer: 1 << 20}},
	{"rsync whole", "rsync", "rsync -W a b", want{via: "socket"}},
	{"tar", "tar", "mkdir t && tar c a | tar x -C t", want{dest: "t/a", via: "pipe"}},
	// through programs that pass the stream on
	{"tar cat", "tar cat", "mkdir t && tar c a | cat | tar x -C t", want{dest: "t/a", via: "pipe"}},
	{"tar dd cat", "tar dd cat", "mkdir t && tar c a | dd bs=64k | cat | tar x -C t", want{dest: "t/a", via: "pipe"}},
	{"tar pv", "tar pv", "mkdir t && tar c a | pv -q | tar x -C t", want{dest: "t/a", via: "pipe"}},
	{"dd sparse seek", "dd", "truncate -s 3M a; truncate -s 4M a; dd if=a of=b bs=64k conv=sparse seek=3",
		want{method: "read_write", bytes: 4 << 20, holes: 1 << 20}},
	{"shutil", "python3", "python3 $T/copy.py shutil a b", want{asked: true}},
	{"python loop", "python3", "python3 $T/copy.py loop a b", want{method: "read_write", buffer: 64 << 10,
		writes: 64 << 10}},
	{"python positions", "python3", "python3 $T/copy.py positions a b", want{method: "pread_pwrite", buffer: 256 << 10,
		writes: 256 << 10}},
	{"python splice", "python3", "python3 $T/copy.py splice a b", want{method: "splice", via: "pipe", buffer: 64 << 10}},
	{"python sendfile", "python3", "python3 $T/copy.py sendfile a b", want{method: "sendfile", buffer: 1 << 20}},
	{"python mmap", "python3", "python3 $T/copy.py mmap a b", want{method: "mmap", syncs: 1}},
	{"python mmap write", "python3", "python3 $T/copy.py mmap_write a b", want{method: "mmap", buffer: 1 << 20}},
	{"node", "node", `node -e 'fs.copyFileSync("a","b")'`, want{asked: true}},
	{"java", "java javac", "java -Xshare:auto -cp $B Copy a b", want{asked: true}},
	{"go io.Copy", "", "$B/iocopy kernel a b", want{method: "copy_file_range"}},
	{"go io.Copy plain", "", "$B/iocopy plain a b", want{method: "read_write", buffer: 32 << 10, writes: 32 << 10}},
	{"rust fs::copy", "rustc", "$B/rustcopy a b", want{method: "copy_file_range"}},
	{"libaio", "cc", "$B/async libaio a b", want{method: "libaio", buffer: 64 << 10, writes: 64 << 10, request: 64 << 10,
		direct: [2]bool{true, true}}},
	{"io_uring", "cc", "$B/async uring a b", want{method: "io_uring", buffer: 64 << 10, writes: 64 << 10}},
	{"mv", "mv", "mv a b", want{method: "rename", bytes: -1}},
	{"ln", "ln", "ln a b", want{method: "hardlink", bytes: -1}},
}

// TestCopiers records every copier and checks that its one copy is found, of
// the right files, with the right method and sizes.
func TestCopiers(t *testing.T) {
	needPrivilege(t)
	compile(t)
	for _, c := range copiers {
		t.Run(c.name, func(t *testing.T) {
			needPrograms(t, strings.Fields(c.needs)...)
			script, dir := expand(t, c.script), ""
			prepare := func() []string {
				dir = workDir(t)
				fill(t, filepath.Join(dir, "a"), size)
				run(t, "sync", "-f", dir)
				return in(dir, script)
			}
			if c.want.asked {
				prepare()
				c.want.ask(t, dir, script)
			}
			c.want.check(t, prepared(t, prepare), dir, dir)
		})
	}
}

// expand replaces $T by the directory of the sources, $B by that of the
// compiled copiers.
func expand(t testing.TB, script string) string {
	t.Helper()
	here, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("$T", here, "$B", tools).Replace(script)
}

// compile builds the copiers that are sources; those without a compiler are
// skipped by their tests.
func compile(t testing.TB) {
	t.Helper()
	for _, c := range [][]string{
		{"cc", "-O1", "-o", filepath.Join(tools, "async"), "testdata/async.c"},
		{"cc", "-O1", "-pthread", "-o", filepath.Join(tools, "copy"), "testdata/copy.c"},
		{"rustc", "-O", "-o", filepath.Join(tools, "rustcopy"), "testdata/copy.rs"},
		{"javac", "-d", tools, "testdata/Copy.java"},
	} {
		if _, err := exec.LookPath(c[0]); err == nil {
			run(t, c...)
		}
	}
}

// check looks for the copy of from/a, and for no other.
func (w want) check(t *testing.T, p *profile.Profile, from, to string) {
	t.Helper()
	list := between(p, from, to)
	if len(list) != 1 {
		t.Fatalf("%d copies, want 1: %+v", len(list), list)
	}
	c := list[0]
	t.Logf("%s via %q, %d bytes, buffer %d, holes %d, direct %v %v", c.Method, c.Via, c.Bytes, c.BufferBytes, c.HoleBytes,
		c.DirectSource, c.DirectDestination)
	if w.dest == "" {
		w.dest = "b"
	}
	if w.bytes == 0 {
		w.bytes = size
	}
	if source, dest := filepath.Join(from, "a"), filepath.Join(to, w.dest); c.Source != source || c.Destination != dest {
		t.Errorf("%s → %s, want %s → %s", c.Source, c.Destination, source, dest)
	}
	if w.bytes >= 0 && c.Bytes != w.bytes || c.HoleBytes != w.holes {
		t.Errorf("%d bytes, %d of them holes; want %d and %d", c.Bytes, c.HoleBytes, w.bytes, w.holes)
	}
	if w.method != "" && string(c.Method) != w.method {
		t.Errorf("method %s, want %s (%s)", c.Method, w.method, c.Because)
	}
	if w.buffer != 0 && c.BufferBytes != w.buffer {
		t.Errorf("buffer of %d bytes, want %d", c.BufferBytes, w.buffer)
	}
	for name, x := range map[string]struct {
		f    *profile.Flow
		want int64
	}{"call": {c.Write, w.writes}, "request": {c.DeviceWrite, w.request}} {
		if x.want != 0 && (x.f == nil || len(x.f.Size.Top) == 0 || x.f.Size.Top[0].Value != x.want) {
			t.Errorf("size of a %s that writes: %+v, want %d", name, x.f, x.want)
		}
	}
	if c.Preallocated != w.ready {
		t.Errorf("preallocated: %v, want %v", c.Preallocated, w.ready)
	}
	if c.Via != w.via {
		t.Errorf("via %q, want %q", c.Via, w.via)
	}
	if direct := [2]bool{c.DirectSource, c.DirectDestination}; direct != w.direct {
		t.Errorf("direct %v, want %v", direct, w.direct)
	}
	if c.Syncs != w.syncs {
		t.Errorf("%d syncs, want %d", c.Syncs, w.syncs)
	}
	if c.SourceRemoved != w.removed {
		t.Errorf("source removed: %v, want %v", c.SourceRemoved, w.removed)
	}
}

// between lists the copies from one directory to another. Programs copy other
// files too, such as their caches.
func between(p *profile.Profile, from, to string) []profile.Copy {
	var list []profile.Copy
	for _, c := range p.Copies {
		if strings.HasPrefix(c.Source, from+"/") || strings.HasPrefix(c.Destination, to+"/") {
			list = append(list, c)
		}
	}
	return list
}

// TestCopyAcrossFileSystems moves a file to another file system.
func TestCopyAcrossFileSystems(t *testing.T) {
	needPrivilege(t)
	dir, other := workDir(t), mount(t, "ext4", 64<<20)
	p := prepared(t, func() []string {
		fill(t, filepath.Join(dir, "a"), size)
		return []string{"mv", filepath.Join(dir, "a"), filepath.Join(other, "b")}
	})
	want{removed: true}.check(t, p, dir, other)
}

// TestSharedExtents has cp share the data, by an explicit wish and by default.
func TestSharedExtents(t *testing.T) {
	needPrivilege(t)
	for _, fs := range []string{"xfs", "btrfs"} {
		t.Run(fs, func(t *testing.T) {
			dir := mount(t, fs, 512<<20)
			for script, w := range map[string]want{
				"cp --reflink=always a b": {method: "reflink"},
				"cp a c":                  {method: "reflink", dest: "c"},
				"cp --reflink=never a d":  {method: "read_write", dest: "d"},
			} {
				t.Run(script, func(t *testing.T) {
					fill(t, filepath.Join(dir, "a"), size)
					run(t, "sync", "-f", dir)
					p := record(t, in(dir, script)...)
					w.check(t, p, dir, dir)
					if c := between(p, dir, dir)[0]; w.method == "reflink" && c.DeviceWriteBytes > 0 {
						t.Errorf("%d bytes were written to the device for data that is shared", c.DeviceWriteBytes)
					}
				})
			}
		})
	}
}

// TestTee writes one pipe to two files: two copies of one source.
func TestTee(t *testing.T) {
	needPrivilege(t)
	dir := workDir(t)
	fill(t, filepath.Join(dir, "a"), size)
	p := record(t, in(dir, "cat a | tee b > c")...)
	list := between(p, dir, dir)
	to := map[string]bool{}
	for _, c := range list {
		to[filepath.Base(c.Destination)] = c.Source == filepath.Join(dir, "a") && c.Bytes == size && c.Via == "pipe"
	}
	if len(list) != 2 || !to["b"] || !to["c"] {
		t.Errorf("%+v", list)
	}
}

// TestTrees copies directories: one group with every file.
func TestTrees(t *testing.T) {
	needPrivilege(t)
	for script, method := range map[string]string{
		"cp -r from to":                                   "copy_file_range",
		"cp -r --reflink=never from to":                   "read_write",
		"cp -al from to":                                  "hardlink",
		"rsync -aW from/ to/":                             "read_write",
		"mkdir to && tar cf - -C from . | tar xf - -C to": "read_write",
		"python3 -c 'import shutil; shutil.copytree(\"from\", \"to\")'": "",
	} {
		t.Run(script, func(t *testing.T) {
			needPrograms(t, strings.Fields(script)[0])
			const files, each = 40, 100_000
			dir := ""
			p := prepared(t, func() []string {
				dir = workDir(t)
				for i := range files {
					sub := filepath.Join(dir, "from", string(rune('a'+i%4)))
					if err := os.MkdirAll(sub, 0o755); err != nil {
						t.Fatal(err)
					}
					fill(t, filepath.Join(sub, "f"+strconv.Itoa(i)), each+i)
				}
				return in(dir, script)
			})
			for _, g := range p.CopyGroups {
				if strings.TrimSuffix(g.SourceRoot, "/") != filepath.Join(dir, "from") || strings.TrimSuffix(g.DestinationRoot,
					"/") != filepath.Join(dir, "to") {
					continue
				}
				bytes := int64(files*each + files*(files-1)/2)
				if g.Files != files || g.Method != "hardlink" && g.Bytes != bytes || method != "" && string(g.Method) != method {
					t.Errorf("%d files, %d bytes, %s; want %d, %d, %s", g.Files, g.Bytes, g.Method, files, bytes, method)
				}
				return
			}
			t.Errorf("no group of the tree: %+v", p.CopyGroups)
		})
	}
}

// TestZeros has cp make holes of zeros: three quarters of the bytes.
func TestZeros(t *testing.T) {
	needPrivilege(t)
	dir := workDir(t)
	a := filepath.Join(dir, "a")
	fill(t, a, 1<<20)
	f, err := os.OpenFile(a, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(make([]byte, 3<<20)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	p := record(t, in(dir, "cp --sparse=always a b")...)
	want{method: "read_write", bytes: 4 << 20, holes: 3 << 20}.check(t, p, dir, dir)
}

// TestHoles copies a file of which three quarters are holes.
func TestHoles(t *testing.T) {
	needPrivilege(t)
	for script, w := range map[string]want{
		"cp --sparse=always a b":          {method: "read_write"},
		"cp --reflink=never a b":          {asked: true, method: "read_write"},
		"cp a b":                          {asked: true},
		"dd if=a of=b bs=64k conv=sparse": {method: "read_write", buffer: 64 << 10},
	} {
		t.Run(script, func(t *testing.T) {
			dir := ""
			prepare := func() []string {
				dir = workDir(t)
				a := filepath.Join(dir, "a")
				fill(t, a, 1<<20)
				if err := os.Truncate(a, 4<<20); err != nil {
					t.Fatal(err)
				}
				return in(dir, script)
			}
			if w.asked {
				prepare()
				w.ask(t, dir, script)
			}
			w.bytes, w.holes = 4<<20, 3<<20
			p := prepared(t, prepare)
			w.check(t, p, dir, dir)
			if c := between(p, dir, dir)[0]; !c.Sparse {
				t.Error("not called sparse")
			}
		})
	}
}

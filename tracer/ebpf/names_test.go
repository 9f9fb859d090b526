//go:build linux

package ebpf

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
)

// writes lists the paths of all writes below dir or of kinds that have no
// directory, by the number of bytes they wrote.
func (r *recording) writes() map[int64]*trace.File {
	list := map[int64]*trace.File{}
	for i := range r.Syscalls {
		s := &r.Syscalls[i]
		if r.call(s) == "write" && s.Result > 0 && s.FD > 2 {
			list[s.Result] = r.files[s.File]
		}
	}
	return list
}

func checkWrites(t *testing.T, rec *recording, want map[int64]string) {
	t.Helper()
	got := rec.writes()
	for n, path := range want {
		if f := got[n]; f == nil || f.Path != path {
			t.Errorf("the write of %d bytes went to %q; recorded: %+v", n, path, f)
		}
	}
}

// Names may hold any byte but / and NUL, and be long.
func TestHostileNames(t *testing.T) {
	needBPF(t)
	dir := workDir(t)
	names := []string{"new\nline", "\xff\xfe not UTF-8 \xc3", "</script><b>", /* a directory, too */
		strings.Repeat("n", 255), `quo"te\back`, "tab\tand space ", "\x01\x1b[31m", "…", " (deleted)", "#123"}
	run(t, "mkdir", dir+"/<")
	for i := range names {
		names[i] = filepath.Join(dir, names[i])
	}
	// The longest path that can be opened in one piece: 4095 bytes.
	long := dir
	for len(long)+2+255 < 4095 {
		long += "/" + strings.Repeat("d", min(255, 4095-len(long)-2-1))
		run(t, "mkdir", "--", long)
	}
	long += "/" + strings.Repeat("f", 4095-len(long)-1)
	names = append(names, long)

	rec := recordCommand(t, Options{}, nil, workload.Args("append", names...)...)
	for _, name := range names {
		if got := rec.calls("write", name); len(got) != 1 || got[0].Result != 1 {
			t.Errorf("%q: recorded writes %+v", name, got)
		}
		stats := 0
		for _, s := range rec.Syscalls {
			if s.Op == trace.OpStat && s.Errno() == 2 && rec.path(s.File) == name {
				stats++
			}
		}
		if stats != 1 {
			t.Errorf("%q: %d failed stats recorded, want 1", name, stats)
		}
	}
}

// A path of many directories is recorded whole up to the longest that the
// kernel itself gives out; beyond that its end is, and it says so.
func TestDeepPaths(t *testing.T) {
	needBPF(t)
	for _, test := range []struct {
		name  string
		depth int
	}{{"d", 1500}, {strings.Repeat("long", 15), 100}} {
		t.Run(fmt.Sprint(test.depth), func(t *testing.T) {
			dir := workDir(t)
			rec := recordCommand(t, Options{}, nil, workload.Args("deep", dir, test.name, fmt.Sprint(test.depth))...)
			whole, cut := 0, 0
			for depth := 10; depth <= test.depth; depth += 10 {
				path := dir + strings.Repeat("/"+test.name, depth) + "/file"
				if len(path) < 4096 {
					whole++
					if got := rec.calls("write", path); len(got) != 1 {
						t.Errorf("depth %d: %d writes", depth, len(got))
					}
					continue
				}
				found := false
				for _, f := range rec.files {
					tail, ok := strings.CutPrefix(f.Path, "…/")
					found = found || ok && strings.HasSuffix(path, "/"+tail) && len(tail) > 3500 && f.Flags&trace.FileTruncated != 0 &&
						strings.HasSuffix(tail, "/file")
				}
				if cut++; !found {
					t.Errorf("depth %d: no file with the end of its path", depth)
				}
			}
			writes := 0
			for _, s := range rec.Syscalls {
				if rec.call(&s) == "write" && strings.HasSuffix(rec.path(s.File), "/file") {
					writes++
				}
			}
			if want := test.depth / 10; writes != want {
				t.Errorf("%d writes recorded, want %d", writes, want)
			}
			t.Logf("%d paths whole, %d cut", whole, cut)
		})
	}
}

// An open file is recorded under the name it has at the time.
func TestRenamedWhileOpen(t *testing.T) {
	needBPF(t)
	dir := workDir(t)
	rec := recordCommand(t, Options{}, nil, workload.Args("rename", dir)...)
	checkWrites(t, rec, map[int64]string{1: dir + "/a", 2: dir + "/b", 3: dir + "/d/f", 4: dir + "/e/f",
		5: dir + "/g/e/f"})
}

func TestUnlinkedWhileOpen(t *testing.T) {
	needBPF(t)
	dir := workDir(t)
	rec := recordCommand(t, Options{}, nil, workload.Args("unlink", dir)...)
	checkWrites(t, rec, map[int64]string{1: dir + "/a", 2: dir + "/a", 3: dir + "/a"})
	w := rec.writes()
	if w[1].Inode != w[2].Inode || w[1].ID == w[3].ID && w[1].Inode != w[3].Inode {
		t.Errorf("the file that lost its name and its successor: %+v, %+v, %+v", w[1], w[2], w[3])
	}
}

// Inodes, directory entries and open files are used again; names are not mixed up.
func TestReusedIdentities(t *testing.T) {
	needBPF(t)
	const n = 20000
	for _, program := range []string{"reuse", "reuse threads"} {
		for _, dir := range []string{workDir(t), shmDir(t)} {
			t.Run(program+" on "+filepath.Dir(dir), func(t *testing.T) {
				rec := recordCommand(t, Options{}, nil, workload.Args(program, dir, fmt.Sprint(n))...)
				writes := map[string]int{}
				for i := range rec.Syscalls {
					if rec.call(&rec.Syscalls[i]) == "write" {
						writes[rec.path(rec.Syscalls[i].File)]++
					}
				}
				wrong := 0
				for i := 1; i <= n; i++ {
					if writes[fmt.Sprintf("%s/%d", dir, i)] != 1 {
						wrong++
					}
				}
				if wrong > 0 {
					t.Errorf("%d of %d files have not exactly their own write", wrong, n)
				}
			})
		}
	}
}

// Requests of direct I/O have the file that they are of, not one that had its memory before.
func TestReusedDirect(t *testing.T) {
	needBPF(t)
	const n = 20
	d := newDisk(t, 64<<20)
	d.format("ext4")
	dir := d.mount("ext4", "")
	rec := recordCommand(t, Options{}, nil, compile(t, "reuse"), "direct", dir, fmt.Sprint(n))
	writes := map[string]int{}
	for _, q := range rec.requests(d.id) {
		if q.Op == trace.ReqWrite && q.Bytes == 4096 {
			writes[rec.path(q.File)]++
		}
	}
	for i := 1; i <= n; i++ {
		if name := fmt.Sprintf("%s/%d", dir, i); writes[name] != 1 {
			t.Errorf("%d requests are said to be of %s, want its one", writes[name], name)
		}
	}
}

// A descriptor that was closed by other calls than close is that of another file.
func TestReusedDescriptors(t *testing.T) {
	needBPF(t)
	const n = 15
	exe := compile(t, "reuse")
	for _, how := range []string{"close_range", "dup2"} {
		t.Run(how, func(t *testing.T) {
			rec := recordCommand(t, Options{}, nil, exe, how, workDir(t), fmt.Sprint(n))
			writes := rec.calls("write", "/memfd:memory")
			if len(writes) != n {
				t.Errorf("%d writes to memory, want %d", len(writes), n)
			}
			for _, w := range writes {
				if w.Result != 2 {
					t.Errorf("a write of %d bytes to memory, want 2", w.Result)
				}
			}
		})
	}
}

func shmDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "iotrace-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func TestFilesWithoutNames(t *testing.T) {
	needBPF(t)
	dir := workDir(t)
	rec := recordCommand(t, Options{}, nil, workload.Args("unnamed", dir)...)
	w := rec.writes()
	for n, prefix := range map[int64]string{1: dir + "/#", 2: "/memfd:memory", 3: "/dev/shm/" + filepath.Base(dir),
		4: "pipe:["} {
		f := w[n]
		if f == nil || !strings.HasPrefix(f.Path, prefix) {
			t.Errorf("the write of %d bytes went to %s…; recorded: %+v", n, prefix, f)
			continue
		}
		if unlinked := n <= 2; (f.Flags&trace.FileUnlinked != 0) != unlinked {
			t.Errorf("never had a name: %v, want %v: %+v", !unlinked, unlinked, f)
		}
	}
}

// TestFilesOfOneInode tells files apart that share one inode, and whose dentries the kernel uses again.
func TestFilesOfOneInode(t *testing.T) {
	needBPF(t)
	const n = 50
	rec := recordCommand(t, Options{}, nil, workload.Args("events", fmt.Sprint(n))...)
	for i, path := range []string{"[eventpoll]", "[eventfd]", "inotify", "[timerfd]"} {
		asked := 0
		for j := range rec.Syscalls {
			if s := &rec.Syscalls[j]; s.Op == trace.OpStat && rec.path(s.File) == "anon_inode:"+path {
				asked++
			}
		}
		if asked != n*(i+1) {
			t.Errorf("%d calls asked for the attributes of %s, want %d", asked, path, n*(i+1))
		}
	}
}

func TestDuplicatedDescriptors(t *testing.T) {
	needBPF(t)
	a, b := workDir(t)+"/a", workDir(t)+"/b"
	rec := recordCommand(t, Options{}, nil, workload.Args("duplicate", a, b)...)
	checkWrites(t, rec, map[int64]string{1: a, 2: a, 3: a, 4: a, 5: b})
}

func TestPassedDescriptor(t *testing.T) {
	needBPF(t)
	file := workDir(t) + "/file"
	rec := recordCommand(t, Options{}, nil, workload.Args("pass", file)...)
	writes := rec.calls("write", file)
	if len(writes) != 1 {
		t.Fatalf("recorded writes: %+v", writes)
	}
	opens := rec.calls("openat", file)
	if len(opens) != 1 || opens[0].PID == writes[0].PID {
		t.Errorf("opened by %+v, written by %+v: want two processes", opens, writes)
	}
}

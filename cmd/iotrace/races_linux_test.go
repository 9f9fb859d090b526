package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/convert/formats"
	"github.com/iotrace/iotrace/internal/rights"
	"github.com/iotrace/iotrace/internal/testenv"
)

// nobody is a user with an account, who is not root's friend here.
var nobody = rights.Identity{UID: 65534, GID: 65534}

// races is how often each command is raced against: IOTRACE_RACES, or a few.
func races() int {
	if n, err := strconv.Atoi(os.Getenv("IOTRACE_RACES")); err == nil {
		return n
	}
	return 6
}

// raced are the commands that write a directory, and what they are given to write to. Of each directory on the way, by
// its path there, nobody makes a link to root's directory of the same name.
var raced = []struct {
	name string
	args string
	way  []string
}{
	{"parquet", "export -f --to parquet -o DIR/out TRACE", tableDirs},
	{"csv", "export -f --to csv -o DIR/out TRACE", tableDirs},
	{"fio-iolog", "export -f --to fio-iolog -o DIR/out/new/er TRACE", []string{"out"}},
	{"fio-job", "export -f --to fio-job -o DIR/out/new/er TRACE", []string{"out"}},
	{"blkparse", "export -f --to blkparse -o DIR/out/new/er TRACE", []string{"out"}},
	{"key", "report -f --anonymize --key DIR/keys/new -o DIR/keys/page.html TRACE", []string{"keys"}},
	{"replay", "replay TRACE --asap -d DIR", []string{"iotrace-replay", "iotrace-replay/000"}},
	{"bench", "bench copy/loop-128k -d DIR --size 1MiB -n 1 -q", []string{"iotrace-bench"}},
	{"sustained", "bench sustained -d DIR --total 20MiB --file-size 1MiB -q", []string{"iotrace-bench"}},
	{"gap", "gap TRACE --against cdm/seq1m-q8t1 --read-mbps 5000 --write-mbps 5000 -d DIR --state DIR/keys/state --yes " +
		"--size 1MiB --runs 1 --quick -q", []string{"iotrace-bench", "iotrace-replay", "keys"}},
	{"whatif", "whatif TRACE --try methods -d DIR --runs 1", []string{"iotrace-replay", "iotrace-inputs"}},
	{"pages", "report -f -o DIR/keys TRACE", []string{"keys"}},
	{"bench-with", "bench --with cp,tree,clone,scrub,blackmagic -f -d DIR --sizes 1MiB -n 1 -q --html DIR/keys/new.html",
		[]string{"iotrace-bench", "keys"}},
}

const partition = "/host=vm/date=2026-11-26"

var tableDirs = []string{"out", "out/traces", "out/traces/host=vm", "out/traces" + partition}

// arena is a directory of nobody's beside one of root's.
type arena struct {
	base, hers, roots string
	way               []string
}

func newArena(t *testing.T, name, args string, way []string) *arena {
	t.Helper()
	base, err := os.MkdirTemp("/tmp", "iotrace-races-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(base); err != nil {
			t.Error(err)
		}
	})
	a := &arena{base: base, hers: base + "/hers", roots: base + "/roots", way: way}
	trace, err := os.ReadFile("../../testdata/cp.iotrace")
	if err := errors.Join(err, os.Chmod(base, 0o755), os.Mkdir(a.hers, 0o755), os.Chown(a.hers, 65534, 65534),
		os.Mkdir(a.roots, 0o755), os.WriteFile(base+"/t.iotrace", trace, 0o644)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(a.roots+"/out", 0o755); err != nil {
		t.Fatal(err)
	}
	if len(way) == len(tableDirs) { // what root has of its own is what the command would replace
		if out, err := a.run(args, a.roots, ""); err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
	}
	for _, owned := range []string{"keys/key", "keys/state", "iotrace-bench/owner", "iotrace-bench/data-00001",
		"iotrace-replay/owner", "iotrace-replay/000/file-0000000", "iotrace-inputs/owner"} {
		text := "iotrace " + strings.TrimPrefix(filepath.Dir(owned), "iotrace-") +
			" made this directory and removes it when it ends\n"
		path := filepath.Join(a.roots, owned)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err = errors.Join(err, os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// run runs a command that writes to a directory, for root or for who called sudo.
func (a *arena) run(args, dir, sudo string) ([]byte, error) {
	args = strings.NewReplacer("DIR", dir, "TRACE", a.base+"/t.iotrace").Replace(args)
	c := exec.Command("iotrace", strings.Fields(args)...)
	c.Env = append(os.Environ(), "SUDO_UID="+sudo)
	return c.CombinedOutput()
}

// setUp makes what nobody has anew: directories that lead where the command goes, and links to exchange them with.
func (a *arena) setUp(export bool) error {
	if err := errors.Join(os.RemoveAll(a.hers+"/dir"), os.RemoveAll(a.hers+"/link")); err != nil {
		return err
	}
	return nobody.Do(func() error {
		err := errors.Join(os.Mkdir(a.hers+"/dir", 0o755), os.Symlink(a.roots, a.hers+"/link"))
		for _, way := range a.way {
			path := filepath.Join(a.hers, "dir", way)
			if export || way == "keys" {
				err = errors.Join(err, os.MkdirAll(path, 0o755))
			}
		}
		for _, way := range a.way {
			// Beside the outermost directory: those within come and go.
			link := filepath.Join(a.hers, "dir", "to-"+strings.ReplaceAll(way, "/", "-"))
			err = errors.Join(err, os.Symlink(filepath.Join(a.roots, way), link))
		}
		return err
	})
}

// paces are how long nobody waits between exchanges, at most: some meet the beginning of a command, others its end.
var paces = []time.Duration{0, time.Millisecond, 10 * time.Millisecond, 100 * time.Microsecond, 50 * time.Millisecond,
	3 * time.Second}

// attack exchanges directories on the way with links to root's, as nobody, until it is stopped: in some races the
// outermost, in others those within, or one of them alone.
func (a *arena) attack(t *testing.T, race int, swaps *atomic.Int64) (stop func()) {
	rng := rand.New(rand.NewPCG(uint64(race), 1))
	pace, which, one := paces[rng.IntN(len(paces))], rng.IntN(4), a.way[rng.IntN(len(a.way))]
	end, done := make(chan struct{}), make(chan error)
	go func() {
		done <- nobody.Do(func() error {
			for n := 0; ; n++ {
				select {
				case <-end:
					return nil
				default:
				}
				time.Sleep(time.Duration(rng.Int64N(int64(pace) + 1)))
				from, to := a.hers+"/dir", a.hers+"/link"
				if which > 1 || which == 1 && n%2 == 1 {
					way := one
					if which == 1 {
						way = a.way[rng.IntN(len(a.way))]
					}
					from = filepath.Join(a.hers, "dir", way)
					to = filepath.Join(a.hers, "dir", "to-"+strings.ReplaceAll(way, "/", "-"))
				}
				if unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_EXCHANGE) == nil {
					swaps.Add(1)
				}
			}
		})
	}()
	return func() {
		close(end)
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// outside is all that is root's: which files there are, whose they are, when they changed and what is in them.
func (a *arena) outside(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(a.base, func(path string, d fs.DirEntry, err error) error {
		var st unix.Stat_t
		switch {
		case err != nil:
			return err
		case path == a.hers:
			return fs.SkipDir
		}
		if err := unix.Lstat(path, &st); err != nil {
			return err
		}
		text := []byte(nil)
		if d.Type().IsRegular() {
			if text, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		all[path] = fmt.Sprintf("inode %d of %d:%d, mode %o, %d links, changed %d.%09d, %x", st.Ino, st.Uid, st.Gid, st.Mode,
			st.Nlink, st.Ctim.Sec, st.Ctim.Nsec, sha256.Sum256(text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A user exchanges the directories on the way to what root writes with links to root's own, while root writes: nothing
// outside of the user's directory is changed, made or removed. So it is for root, and for root by sudo.
func TestRacesChangeNothingOutside(t *testing.T) {
	testenv.NeedRoot(t)
	for _, c := range raced {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := newArena(t, c.name, c.args, c.way)
			before := a.outside(t)
			var swaps atomic.Int64
			done, bad := 0, 0
			for n := range races() {
				if err := a.setUp(strings.HasPrefix(c.args, "export")); err != nil {
					t.Fatal(err)
				}
				stop := a.attack(t, n, &swaps)
				_, err := a.run(c.args, a.hers+"/dir", []string{"", "65534"}[n/2%2])
				stop()
				if err == nil {
					done++
				}
				if d := cmp.Diff(before, a.outside(t)); d != "" {
					bad++
					if bad == 1 {
						t.Errorf("race %d, -before +after:\n%s", n, d)
					}
					before = a.outside(t)
				}
			}
			t.Logf("%d races with %d exchanges: %d ran to their end, %d changed something of root's", races(), swaps.Load(),
				done, bad)
			if swaps.Load() == 0 {
				t.Error("nothing was exchanged")
			}
		})
	}
}

// Each command that works in a directory, and each format that is one, is raced.
func TestAllThatWriteDirectoriesAreRaced(t *testing.T) {
	isRaced := func(args ...string) {
		for _, c := range raced {
			if strings.Contains(c.args+" ", strings.Join(args, " ")+" ") {
				return
			}
		}
		t.Errorf("%q is not raced: add it", args)
	}
	n := 0
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		if c.Flags().Lookup("dir") != nil {
			_, name, _ := strings.Cut(c.CommandPath(), " ")
			isRaced(name)
			n++
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(newRoot(&cli.App{}))
	for _, e := range formats.Exporters {
		if e.Folder != nil {
			isRaced("--to", e.To)
			n++
		}
	}
	if n < 10 {
		t.Errorf("only %d commands and formats write directories", n)
	}
}

// A trace that only root may read is run again in a directory of another user, with that user's rights.
func TestATraceOfRootsAlone(t *testing.T) {
	testenv.NeedRoot(t)
	a := newArena(t, "", "", nil)
	if err := errors.Join(a.setUp(false), os.Chmod(a.base+"/t.iotrace", 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"replay TRACE --asap -d DIR", "whatif TRACE --try methods -d DIR --runs 1",
		"gap TRACE --against cdm/seq1m-q8t1 --read-mbps 5000 --write-mbps 5000 -d DIR --state DIR/state --yes " +
			"--size 1MiB --runs 1 --quick -q"} {
		out, err := a.run(args, a.hers+"/dir", "")
		if err != nil || strings.Contains(string(out), "permission denied") {
			t.Errorf("%s: %v: %s", args, err, out)
		}
	}
}

// The commands do what they are raced at when nobody is in the way.
func TestRacedCommandsWork(t *testing.T) {
	testenv.NeedRoot(t)
	for _, c := range raced {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := newArena(t, c.name, c.args, c.way)
			for _, sudo := range []string{"", "65534"} {
				if err := a.setUp(strings.HasPrefix(c.args, "export")); err != nil {
					t.Fatal(err)
				}
				if out, err := a.run(c.args, a.hers+"/dir", sudo); err != nil {
					t.Errorf("SUDO_UID=%q: %v: %s", sudo, err, out)
				}
			}
		})
	}
}

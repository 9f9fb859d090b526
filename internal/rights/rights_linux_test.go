package rights_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/rights"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/replay"
)

// mallory and eve are users of no account.
const (
	mallory = 61234
	eve     = 61235
)

// task makes this program a child that takes on rights in a directory and does what a test asks.
const task = "IOTRACE_TEST_RIGHTS"

func TestMain(m *testing.M) {
	name, dir, ok := strings.Cut(os.Getenv(task), " ")
	if !ok {
		os.Exit(testenv.Suite{M: m}.Run())
	}
	id, err := rights.Of(nil, dir)
	if err = errors.Join(err, rights.Lower(id)); err == nil {
		err = tasks[name](dir)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

var tasks = map[string]func(dir string) error{"look": look, "work": work}

// child runs a task in a directory.
func child(t *testing.T, name, dir string) (text string, err error) {
	t.Helper()
	c := exec.Command("/proc/self/exe")
	c.Env = append(os.Environ(), task+"="+name+" "+dir)
	out, err := c.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// scene is a directory of mallory's, and beside it one of root's.
func scene(t *testing.T) (hers, roots string) {
	t.Helper()
	testenv.NeedRoot(t)
	dir, err := os.MkdirTemp("/tmp", "iotrace-rights-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	hers, roots = dir+"/hers", dir+"/roots"
	if err := errors.Join(os.Chmod(dir, 0o755), os.Mkdir(hers, 0o755), os.Chown(hers, mallory, mallory),
		os.Mkdir(roots, 0o755)); err != nil {
		t.Fatal(err)
	}
	return hers, roots
}

// nobody is whose rights root takes where all users may exchange files.
const nobody = 65534

// What only its owner may read is given to nobody.
func TestNothingIsGivenToNobody(t *testing.T) {
	_, roots := scene(t)
	all := roots + "/all"
	if err := errors.Join(os.Mkdir(all, 0o777), os.Chmod(all, 0o777)); err != nil {
		t.Fatal(err)
	}
	if id, err := rights.ToGive(nil, all); err == nil || id != nil {
		t.Errorf("given to %+v", id)
	}
}

func TestWhoMayChangeTheWay(t *testing.T) {
	hers, roots := scene(t)
	dir := func(path string, uid, gid int, mode fs.FileMode) string {
		if err := errors.Join(os.Mkdir(path, 0o700), os.Chown(path, uid, gid), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link := func(path, target string, uid int) string {
		if err := errors.Join(os.Symlink(target, path), os.Lchown(path, uid, uid)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	eves := dir(roots+"/eves", eve, eve, 0o700)
	caller := &rights.Identity{UID: eve}
	for _, c := range []struct {
		about string
		dirs  []string
		alone int // whose rights root takes; 0 for its own, -1 for an error
		sudo  int // the same for eve's root
	}{
		{"root's own", []string{roots}, 0, 0},
		{"no directory", nil, 0, 0},
		{"one that is not there", []string{roots + "/none"}, 0, 0},
		{"another user's", []string{hers}, mallory, eve},
		{"root's in another user's", []string{dir(hers+"/in", 0, 0, 0o755)}, mallory, eve},
		{"for all, but sticky", []string{dir(roots+"/sticky", 0, 0, 0o777|fs.ModeSticky)}, 0, 0},
		{"for all", []string{dir(roots+"/all", 0, 0, 0o777)}, nobody, eve},
		{"for all, where only root gets", []string{dir(dir(roots+"/shut", 0, 0, 0o700)+"/all", 0, 0, 0o777)}, -1, eve},
		{"for all, and root's", []string{roots + "/all", roots}, -1, eve},
		{"for a group", []string{dir(roots+"/group", 0, mallory, 0o775)}, -1, eve},
		{"for root's group", []string{dir(roots+"/zero", 0, 0, 0o775)}, 0, 0},
		{"another user's link to root's", []string{link(hers+"/out", roots, mallory)}, mallory, eve},
		{"root's link to another user's", []string{link(roots+"/hers", hers, 0)}, mallory, eve},
		{"root's link to root's", []string{link(roots+"/here", ".", 0) + "/sticky"}, 0, 0},
		{"root's link by way of another user's", []string{link(roots+"/way", hers+"/out", 0)}, mallory, eve},
		{"up from another user's", []string{hers + "/in/../../roots"}, mallory, eve},
		{"a circle", []string{link(roots+"/circle", "circle", 0)}, -1, eve},
		{"two of one user", []string{hers, hers + "/in"}, mallory, eve},
		{"root's and another user's", []string{roots, hers}, -1, eve},
		{"another user's and root's", []string{hers, roots}, -1, eve},
		{"of two users", []string{hers, eves}, -1, eve},
	} {
		for _, one := range []struct {
			caller *rights.Identity
			want   int
		}{{nil, c.alone}, {caller, c.sudo}} {
			got := 0
			id, err := rights.Of(one.caller, c.dirs...)
			switch {
			case err != nil:
				got = -1
			case id != nil:
				got = int(id.UID)
			}
			if got != one.want {
				t.Errorf("%s (called by %v): %d, want %d (%v)", c.about, one.caller, got, one.want, err)
			}
		}
	}
}

// look says what became of this process: of a file that it makes, of a program that it starts, and of Root.
func look(dir string) error {
	var st unix.Stat_t
	if err := errors.Join(os.WriteFile(dir+"/file", nil, 0o600), unix.Stat(dir+"/file", &st)); err != nil {
		return err
	}
	if st.Uid != mallory || st.Gid != mallory {
		return fmt.Errorf("a file is of %d:%d", st.Uid, st.Gid)
	}
	started, err := exec.Command("grep", "-E", "^(Uid|Gid|Groups|CapEff|CapPrm)", "/proc/self/status").Output()
	if err != nil {
		return err
	}
	id := fmt.Sprint(mallory)
	all := strings.Repeat(" "+id, 4)
	none := strings.Repeat("0", 16)
	want := "Uid:" + all + " Gid:" + all + " Groups: CapPrm: " + none + " CapEff: " + none
	if got := strings.Join(strings.Fields(string(started)), " "); got != want {
		return fmt.Errorf("a program that is started has %q, want %q", got, want)
	}
	secret := filepath.Dir(dir) + "/roots/secret"
	read := func() error { _, err := os.ReadFile(secret); return err }
	if err := read(); !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("root's file can be read (%w)", err)
	}
	if err := rights.Root(read); err != nil {
		return fmt.Errorf("root cannot read its file: %w", err)
	}
	if err := read(); !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("root's rights stay behind (%w)", err)
	}
	return nil
}

func TestRootIsLeftAndTakenBack(t *testing.T) {
	hers, roots := scene(t)
	if err := os.WriteFile(roots+"/secret", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := child(t, "look", hers); err != nil {
		t.Error(text, err)
	}
}

var her = rights.Identity{UID: mallory, GID: mallory}

// tries is how often each of the two tries to get past the other.
const tries = 200

// work makes and removes files in the directory as bench and replay do.
func work(dir string) error {
	program := &replay.Program{Threads: 1, Files: []replay.File{{Size: 4096}}}
	done := 0
	for range tries {
		if ws, err := storage.OpenWorkspace(dir); err == nil {
			if f, err := storage.Open(ws.NewPath("data"), unix.O_CREAT|unix.O_WRONLY, baseline.Buffered, false); err == nil {
				_, _ = storage.Pwrite(f.FD, []byte("bench"), 0, 0)
				_ = f.Close()
			}
			if ws.Close() == nil {
				done++
			}
		}
		if _, err := replay.Run(context.Background(), program, replay.Options{Dir: dir}); err == nil {
			done++
		}
		_ = her.Do(func() error { // what a swap has left behind stands in the way
			return errors.Join(os.RemoveAll(dir+"/"+storage.WorkName), os.RemoveAll(dir+"/iotrace-replay"))
		})
	}
	fmt.Println(done, "done")
	return nil
}

// A directory that is a link to root's at the next moment: root's files of the names that bench and replay use are
// neither written nor removed.
func TestASwappedDirectoryLeadsNowhere(t *testing.T) {
	hers, roots := scene(t)
	files := map[string]string{}
	for _, name := range []string{"iotrace-bench/data-00001", "iotrace-bench/owner", "iotrace-replay/000/file-0000000"} {
		files[name] = "iotrace bench made this directory and removes it when it ends\n"
		path := filepath.Join(roots, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err = errors.Join(err, os.WriteFile(path, []byte(files[name]), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := her.Do(func() error {
		return errors.Join(os.Mkdir(hers+"/dir", 0o755), os.Symlink(roots, hers+"/link"))
	}); err != nil {
		t.Fatal(err)
	}
	var swaps atomic.Int64
	end, ended := make(chan struct{}), make(chan error)
	go func() {
		ended <- her.Do(func() error {
			for {
				select {
				case <-end:
					return nil
				default:
				}
				if unix.Renameat2(unix.AT_FDCWD, hers+"/dir", unix.AT_FDCWD, hers+"/link", unix.RENAME_EXCHANGE) == nil {
					swaps.Add(1)
				}
			}
		})
	}()
	for round := 0; round < 1 || swaps.Load() < tries; round++ {
		if text, err := child(t, "work", hers+"/dir"); err != nil {
			t.Error(text, err)
		} else {
			t.Logf("%s, %d swaps", text, swaps.Load())
		}
	}
	close(end)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for name, text := range files {
		if got, err := os.ReadFile(filepath.Join(roots, name)); string(got) != text {
			t.Errorf("root's %s became %q (%v)", name, got, err)
		}
	}
}

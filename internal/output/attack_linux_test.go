package output

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/rights"
	"github.com/iotrace/iotrace/internal/testenv"
)

// What an unprivileged user may try against root who writes into a directory of
// his, or into one that everybody may write to.

// mallory is a user of no account.
const mallory = 61234

var needRoot = testenv.NeedRoot

// scene is a directory of mallory's, and beside it one of root's with a file
// that must stay as it is.
type scene struct {
	hers, roots string
}

const precious = "precious"

func newScene(t *testing.T) scene {
	t.Helper()
	needRoot(t)
	dir, err := os.MkdirTemp("/tmp", "iotrace-attack-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := scene{filepath.Join(dir, "hers"), filepath.Join(dir, "roots")}
	if err := errors.Join(os.Chmod(dir, 0o755), os.Mkdir(s.hers, 0o755), os.Chown(s.hers, mallory, mallory),
		os.Mkdir(s.roots, 0o755), os.WriteFile(s.roots+"/file", []byte(precious), 0o644)); err != nil {
		t.Fatal(err)
	}
	return s
}

// unharmed checks root's directory.
func (s scene) unharmed(t *testing.T) {
	t.Helper()
	if text, err := os.ReadFile(s.roots + "/file"); string(text) != precious {
		t.Fatalf("root's file became %q (%v)", text, err)
	}
	if got := testenv.Listing(t, s.roots); got != "file" {
		t.Fatalf("in root's directory: %q", got)
	}
}

// fewestSwaps is how often names change under an attack: on a busy machine a
// thread may not run at all while the other does what took it 200 tries.
const fewestSwaps = 200

// swap exchanges two names as fast as it can, as mallory, until stopped. swaps
// counts how often it did.
func swap(t *testing.T, a, b string) (swaps *atomic.Int64, stop func()) {
	t.Helper()
	swaps = new(atomic.Int64)
	end, done := make(chan struct{}), make(chan error)
	go func() {
		id := rights.Identity{UID: mallory, GID: mallory}
		done <- id.Do(func() error {
			for {
				select {
				case <-end:
					return nil
				default:
				}
				if err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE); err == nil {
					swaps.Add(1)
				}
			}
		})
	}()
	return swaps, func() {
		close(end)
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// A name that is a pipe at one moment and a link to root's file at the next.
func TestASwappedPipeOverwritesNothing(t *testing.T) {
	s := newScene(t)
	id := rights.Identity{UID: mallory, GID: mallory}
	if err := id.Do(func() error {
		return errors.Join(unix.Mkfifo(s.hers+"/out", 0o666), os.Symlink(s.roots+"/file", s.hers+"/link"))
	}); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(s.hers+"/out", os.O_RDWR|unix.O_NONBLOCK, 0) // so that the pipe is ready
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	swaps, stop := swap(t, s.hers+"/out", s.hers+"/link")
	defer stop()
	for try := 0; try < 200 || swaps.Load() < fewestSwaps; try++ {
		if f, err := Create(s.hers+"/out", Options{Replace: try%2 == 0}); err == nil {
			_, _ = f.WriteString("overwritten")
			_ = errors.Join(f.Commit(), f.Close())
			t.Errorf("try %d: a pipe or a link of hers was taken", try)
		}
		s.unharmed(t)
	}
}

// A directory that is a link to root's at the next moment.
func TestASwappedDirectoryLeadsNowhere(t *testing.T) {
	s := newScene(t)
	id := rights.Identity{UID: mallory, GID: mallory}
	if err := id.Do(func() error {
		return errors.Join(os.Mkdir(s.hers+"/dir", 0o755), os.Symlink(s.roots, s.hers+"/link"))
	}); err != nil {
		t.Fatal(err)
	}
	swaps, stop := swap(t, s.hers+"/dir", s.hers+"/link")
	defer stop()
	made := 0
	for try := 0; try < 200 || swaps.Load() < fewestSwaps || made == 0; try++ {
		f, err := Create(s.hers+"/dir/file", Options{Replace: true})
		if err != nil {
			continue
		}
		_, _ = f.WriteString("new")
		if err := errors.Join(f.Commit(), f.Close()); err == nil {
			made++
		}
		s.unharmed(t)
	}
	s.unharmed(t)
}

// The same while a file is being written: where it goes is decided once.
func TestTheNameIsGivenWhereTheFileWasMade(t *testing.T) {
	s := newScene(t)
	if err := os.Mkdir(s.hers+"/dir", 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := Create(s.hers+"/dir/file", Options{Replace: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Rename(s.hers+"/dir", s.hers+"/away"), os.Symlink(s.roots, s.hers+"/dir")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Commit(), f.Close()); err != nil {
		t.Fatal(err)
	}
	s.unharmed(t)
	if got := testenv.Listing(t, s.hers+"/away"); got != "file" {
		t.Errorf("made %v", got)
	}
}

func TestWhatIsOfAnotherUserIsRefused(t *testing.T) {
	s := newScene(t)
	id := rights.Identity{UID: mallory, GID: mallory}
	if err := id.Do(func() error {
		return errors.Join(os.WriteFile(s.hers+"/file", nil, 0o600), unix.Mkfifo(s.hers+"/pipe", 0o666),
			os.Symlink(s.roots+"/file", s.hers+"/link"), os.Symlink(s.roots+"/none", s.hers+"/dangling"),
			os.Symlink(s.roots, s.hers+"/dir"))
	}); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(s.hers+"/pipe", os.O_RDWR|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for _, name := range []string{"file", "pipe", "link", "dangling", "dir/none", "dir/file"} {
		for _, open := range []func() (*File, error){
			func() (*File, error) { return Create(s.hers+"/"+name, Options{Replace: true}) },
			func() (*File, error) { return Update(s.hers+"/"+name, nil) },
		} {
			if f, err := open(); err == nil {
				t.Errorf("%s was opened", name)
				_ = f.Close()
			} else if !strings.Contains(err.Error(), "user 61234") && !strings.Contains(err.Error(), "regular") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	s.unharmed(t)
}

// Under sudo it is the user's rights that count, not root's.
func TestTheRightsAreTheUsers(t *testing.T) {
	s := newScene(t)
	as := &rights.Identity{UID: mallory, GID: mallory}
	for _, path := range []string{s.roots + "/new", s.roots + "/file"} {
		if f, err := Create(path, Options{Replace: true, As: as}); err == nil {
			t.Errorf("%s was made", path)
			_ = f.Discard()
		} else if !errors.Is(err, unix.EACCES) {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := Update(path, as); !errors.Is(err, unix.EACCES) {
			t.Errorf("%s: %v", path, err)
		}
	}
	s.unharmed(t)
	written(t, s.hers+"/new", Options{As: as}, "x")
	var st unix.Stat_t
	if err := unix.Stat(s.hers+"/new", &st); err != nil || st.Uid != mallory || st.Gid != mallory ||
		st.Mode&0o777 != 0o600 {
		t.Errorf("owner %d:%d, mode %o, %v", st.Uid, st.Gid, st.Mode, err)
	}
	if uid, err := unix.SetfsuidRetUid(-1); err != nil || uid != 0 {
		t.Errorf("this thread has become user %d (%v)", uid, err)
	}
}

// In a directory that everybody may write to nobody else's file is taken, nor is
// one's own lost to a name that came in between.
func TestASharedDirectory(t *testing.T) {
	s := newScene(t)
	shared := filepath.Join(filepath.Dir(s.hers), "shared")
	if err := errors.Join(os.Mkdir(shared, 0o777), os.Chmod(shared, 0o777|os.ModeSticky)); err != nil {
		t.Fatal(err)
	}
	id := rights.Identity{UID: mallory, GID: mallory}
	end, done := make(chan struct{}), make(chan error)
	go func() { // plants a link, as often as she can
		done <- id.Do(func() error {
			for {
				select {
				case <-end:
					return nil
				default:
					_ = os.Symlink(s.roots+"/file", shared+"/out")
					_ = os.Remove(shared + "/out")
				}
			}
		})
	}()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		f, err := Create(shared+"/out", Options{Replace: true})
		if err != nil {
			s.unharmed(t)
			continue
		}
		_, _ = f.WriteString("mine")
		_ = errors.Join(f.Commit(), f.Close())
		break
	}
	close(end)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	s.unharmed(t)
	if text, err := os.ReadFile(shared + "/out"); string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
}

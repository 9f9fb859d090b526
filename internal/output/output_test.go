package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
)

// written makes a file with this text and returns what is at path then.
func written(t *testing.T, path string, o Options, text string) string {
	t.Helper()
	f, err := Create(path, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Commit(), f.Find(), f.Close()); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

func TestANewFileIsItsOwnersAlone(t *testing.T) {
	defer unix.Umask(unix.Umask(0))
	path := filepath.Join(t.TempDir(), "new")
	if got := written(t, path, Options{}, "text"); got != "text" {
		t.Errorf("%q", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// Until it is committed there is no file, and an old one stays as it was.
func TestAFileAppearsWhenItIsCommitted(t *testing.T) {
	dir := t.TempDir()
	f, err := Create(filepath.Join(dir, "new"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "new")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a file before Commit: %v", err)
	}
	if err := f.Discard(); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(dir, "old")
	if err := os.WriteFile(old, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(old, Options{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v, want that it exists", err)
	}
	if f, err = Create(old, Options{Replace: true}); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(old); string(text) != "precious" {
		t.Errorf("became %q before Commit", text)
	}
	if err := f.Close(); err != nil { // not committed
		t.Fatal(err)
	}
	if got := testenv.Listing(t, dir); got != "old" {
		t.Errorf("left behind: %q", got)
	}
	if got := written(t, old, Options{Replace: true}, "new"); got != "new" {
		t.Errorf("%q", got)
	}
	if got := testenv.Listing(t, dir); got != "old" {
		t.Errorf("left behind: %q", got)
	}
}

// What comes to the name meanwhile is not overwritten, and the new file is not
// lost.
func TestANameTakenMeanwhile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	f, err := Create(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString("new")
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "precious" {
		t.Errorf("became %q", text)
	}
	if text, err := os.ReadFile(f.Path()); string(text) != "new" || f.Path() == path {
		t.Errorf("%s has %q (%v)", f.Path(), text, err)
	}
	_ = f.Close()
}

func TestWhatIsNoFileIsRefused(t *testing.T) {
	dir := t.TempDir()
	for name, make := range map[string]func(string) error{
		"directory": func(p string) error { return os.Mkdir(p, 0o700) },
		"socket": func(p string) error {
			fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
			return errors.Join(err, unix.Bind(fd, &unix.SockaddrUnix{Name: p}), unix.Close(fd))
		},
		"directory/": func(string) error { return nil },
		"missing/x":  func(string) error { return nil },
	} {
		path := dir + "/" + name
		if err := make(path); err != nil && name != "directory/" {
			t.Fatal(err)
		}
		if f, err := Create(path, Options{Replace: true}); err == nil {
			t.Errorf("%s was opened as %v", name, f)
		}
	}
}

func TestDevicesAndPipesStay(t *testing.T) {
	f, err := Create("/dev/null", Options{})
	if err != nil || !f.Stream() {
		t.Fatal(f, err)
	}
	if _, err := f.WriteString("gone"); err != nil {
		t.Error(err)
	}
	if err := errors.Join(f.Commit(), f.Close()); err != nil {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	go func() {
		text, _ := os.ReadFile(path)
		got <- string(text)
	}()
	if f, err = Create(path, Options{}); err != nil || !f.Stream() {
		t.Fatal(f, err)
	}
	_, _ = f.WriteString("through")
	if err := errors.Join(f.Commit(), f.Close()); err != nil {
		t.Error(err)
	}
	if text := <-got; text != "through" {
		t.Errorf("the pipe carried %q", text)
	}
}

// The name of a descriptor is the descriptor: what it was opened as is not
// opened again, nor replaced.
func TestNamesOfDescriptors(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString("before "); err != nil {
		t.Fatal(err)
	}
	f, err := Create("/dev/fd/"+strconv.Itoa(int(file.Fd())), Options{Replace: true})
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString("after")
	if err := errors.Join(f.Commit(), f.Close()); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(file.Name()); string(text) != "before after" {
		t.Errorf("%q", text)
	}
	if f, err := Create("/dev/fd/987654", Options{}); err == nil {
		t.Errorf("opened %v", f)
	}
}

// One's own links are followed, to a new file and to an old one.
func TestOwnLinksAreFollowed(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(dir+"/real", 0o700), os.Symlink("real", dir+"/alias"),
		os.Symlink(dir+"/alias/../real/target", dir+"/link"), os.Symlink("loop", dir+"/loop")); err != nil {
		t.Fatal(err)
	}
	if got := written(t, dir+"/alias/.//new", Options{}, "1"); got != "1" {
		t.Errorf("%q", got)
	}
	for _, text := range []string{"2", "3"} {
		if got := written(t, dir+"/link", Options{Replace: true}, text); got != text {
			t.Errorf("%q", got)
		}
	}
	if got := testenv.Listing(t, dir+"/real"); got != "new target" {
		t.Errorf("real holds %s", got)
	}
	if _, err := Create(dir+"/loop/x", Options{}); !errors.Is(err, unix.ELOOP) {
		t.Errorf("a loop: %v", err)
	}
}

// What happens to the directory of a file that is being written is noticed.
func TestFindNoticesWhatBecameOfTheName(t *testing.T) {
	for name, change := range map[string]func(dir string) error{
		"removed":  func(dir string) error { return os.RemoveAll(dir) },
		"moved":    func(dir string) error { return os.Rename(dir, dir+"2") },
		"replaced": func(dir string) error { return errors.Join(os.Remove(dir+"/x"), os.WriteFile(dir+"/x", nil, 0o600)) },
	} {
		dir := filepath.Join(t.TempDir(), "gone")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		f, err := Create(dir+"/x", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Commit(), f.Find()); err != nil {
			t.Fatal(err)
		}
		if err := change(dir); err != nil {
			t.Fatal(err)
		}
		if err := f.Find(); err == nil {
			t.Errorf("%s: not noticed", name)
		}
		_ = f.Close()
	}
}

func TestUpdateKeepsWhatIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	for range 2 {
		f, err := Update(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.WriteString("line\n")
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if text, _ := os.ReadFile(path); string(text) != "line\nline\n" {
		t.Errorf("%q", text)
	}
	if err := os.Link(path, path+"2"); err != nil {
		t.Fatal(err)
	}
	if _, err := Update(path, nil); err == nil || !strings.Contains(err.Error(), "second name") {
		t.Errorf("error %v", err)
	}
}

func TestScratchHasNoName(t *testing.T) {
	dir := t.TempDir()
	f, err := Scratch(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if left := testenv.Listing(t, dir); left != "" {
		t.Errorf("its name is %q", left)
	}
	if _, err := f.WriteString("x"); err != nil {
		t.Error(err)
	}
}

package baseline

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// workName is the directory that bench makes inside each directory it is given,
// and ownerName the file in it that says whose it is. Its lock is held as long
// as the run lives, and only a directory with such a file is ever cleaned.
const (
	workName  = "iotrace-bench"
	ownerName = "owner"
	ownerLine = "iotrace bench made this directory and removes it when it ends"
)

// dataNames are the names of the files that bench makes.
var dataNames = regexp.MustCompile(`^(data|set|copy)-[0-9]{5}$`)

// hiddenNames are those under which FUSE and NFS keep a file that was removed while
// somebody had it open, until it is closed.
var hiddenNames = regexp.MustCompile(`^\.(fuse_hidden|nfs)[0-9a-f]+$`)

// dirNames are those of directories with many of them.
var dirNames = regexp.MustCompile(`^dir-[0-9]{5,}$`)

// errVanished is wrapped by errors that say the working directory is gone.
var errVanished = errors.New("the working directory vanished while the benchmark was running")

// workspace is the one place a run writes to in a directory.
type workspace struct {
	dir      string // as the user named it
	path     string
	owner    *os.File
	identity fs.FileInfo // of path
	serial   int
	ready    fill // the prepared file that exists, if any
	removed  int  // files of a former, crashed run
}

// fill describes a prepared file.
type fill struct {
	path string
	size int64
	data Data
	// noCOW: blocks are overwritten in place.
	noCOW bool
}

// openWorkspace makes the working directory in dir. A leftover of a run that
// died is cleaned and taken over; another run in the same directory is an
// error, as is anything of that name that bench did not make.
func openWorkspace(dir string) (*workspace, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("preparing %s: %w", dir, err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("preparing %s: not a directory (patterns that need a whole device take it from --destroy)", dir)
	}
	ws := &workspace{dir: dir, path: filepath.Join(dir, workName)}
	for range 5 {
		again, err := ws.claim()
		if errors.Is(err, fs.ErrPermission) {
			err = fmt.Errorf("%w: choose a directory that you may write to", err)
		}
		if err != nil {
			return nil, fmt.Errorf("preparing %s: %w", dir, err)
		}
		if !again {
			return ws, nil
		}
	}
	return nil, fmt.Errorf("preparing %s: other runs come and go there; try again", dir)
}

// claim tries once; again means that another run came between.
func (ws *workspace) claim() (again bool, err error) {
	err = os.Mkdir(ws.path, 0o700)
	made := err == nil
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return false, err
	}
	if ws.identity, err = os.Lstat(ws.path); err != nil {
		return errors.Is(err, fs.ErrNotExist), ignoreMissing(err)
	}
	if !ws.identity.IsDir() {
		return false, ws.foreign()
	}
	flags := unix.O_RDWR | unix.O_NOFOLLOW | unix.O_CLOEXEC
	if made {
		flags |= unix.O_CREAT | unix.O_EXCL
	}
	ws.owner, err = os.OpenFile(filepath.Join(ws.path, ownerName), flags, 0o600)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !made:
		// Either a run died before it wrote anything, or this is not ours.
		if os.Remove(ws.path) != nil {
			return false, ws.foreign()
		}
		return true, nil
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, err
	}
	return ws.lock()
}

// lock takes the lock of the owner file and writes our name into it.
func (ws *workspace) lock() (again bool, err error) {
	defer func() {
		if again || err != nil {
			ws.owner.Close()
		}
	}()
	text := make([]byte, 4096)
	n, _ := ws.owner.ReadAt(text, 0)
	former := parseOwner(string(text[:n]))
	if n > 0 && !former.valid {
		return false, ws.foreign()
	}
	switch err := unix.Flock(int(ws.owner.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
	case errors.Is(err, unix.EWOULDBLOCK):
		return false, fmt.Errorf("another iotrace bench%s is running there; wait for it or use another directory", former)
	case err != nil && former.alive():
		return false, fmt.Errorf("another iotrace bench%s seems to be running there (this file system has no locks); if not, remove %s", former, ws.path)
	}
	if now, err := os.Lstat(ws.owner.Name()); err != nil || !sameAsOpen(now, ws.owner) {
		return true, nil // its owner removed it between our open and our lock
	}
	if ws.removed, err = ws.removeData(); err != nil {
		return false, err
	}
	host, _ := os.Hostname()
	text = fmt.Appendf(nil, "%s\npid %d\nhost %s\nstarted %s\n", ownerLine, os.Getpid(), host, time.Now().UTC().Format(time.RFC3339))
	if err := errors.Join(ws.owner.Truncate(0), writeAt(ws.owner, text)); err != nil {
		return false, errors.Join(err, ws.removeAll())
	}
	dontCache(ws.owner.Name())
	return false, nil
}

func writeAt(f *os.File, p []byte) error {
	_, err := f.WriteAt(p, 0)
	return err
}

func sameAsOpen(info fs.FileInfo, f *os.File) bool {
	open, err := f.Stat()
	return err == nil && os.SameFile(info, open)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (ws *workspace) foreign() error {
	return fmt.Errorf("%s exists and was not made by iotrace bench; rename it or use another directory", ws.path)
}

// ownerInfo is what an owner file says.
type ownerInfo struct {
	valid bool
	pid   int
	host  string
}

func parseOwner(text string) ownerInfo {
	lines := strings.Split(text, "\n")
	o := ownerInfo{valid: lines[0] == ownerLine}
	for _, line := range lines[1:] {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "pid":
			o.pid, _ = strconv.Atoi(value)
		case "host":
			o.host = value
		}
	}
	return o
}

func (o ownerInfo) String() string {
	if o.pid == 0 {
		return ""
	}
	return fmt.Sprintf(" (process %d on %s)", o.pid, o.host)
}

// alive reports whether the owner may still run: only asked where file locks
// do not work. A process on another host is taken to be alive.
func (o ownerInfo) alive() bool {
	if host, _ := os.Hostname(); o.pid <= 0 || o.host != host {
		return o.pid > 0
	}
	return !errors.Is(unix.Kill(o.pid, 0), unix.ESRCH)
}

// newPath is the path of a data file that does not exist yet.
func (ws *workspace) newPath(kind string) string {
	ws.serial++
	return filepath.Join(ws.path, fmt.Sprintf("%s-%05d", kind, ws.serial))
}

// newDir makes a directory for many data files.
func (ws *workspace) newDir() (string, error) {
	dir := ws.newPath("dir")
	return dir, os.Mkdir(dir, 0o700)
}

// removeDir removes a directory of newDir with the data files in it.
func (ws *workspace) removeDir(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ignoreMissing(err)
	}
	var errs []error
	for _, e := range entries {
		if e.Type().IsRegular() && dataNames.MatchString(e.Name()) {
			errs = append(errs, ignoreMissing(os.Remove(filepath.Join(dir, e.Name()))))
		}
	}
	return errors.Join(append(errs, ignoreMissing(os.Remove(dir)))...)
}

// check reports whether the working directory is still the one we made.
func (ws *workspace) check() error {
	if now, err := os.Lstat(ws.path); err != nil || !os.SameFile(now, ws.identity) {
		return fmt.Errorf("%w: %s was removed, renamed or unmounted", errVanished, ws.path)
	}
	return nil
}

// explain adds to an error what the state of the workspace tells about it.
func (ws *workspace) explain(err error) error {
	if err == nil {
		return nil
	}
	if gone := ws.check(); gone != nil {
		return fmt.Errorf("%w (%w)", gone, err)
	}
	switch {
	case errors.Is(err, unix.ENOSPC):
		return fmt.Errorf("%w: %s is full; free some space or use a smaller --size", err, ws.dir)
	case errors.Is(err, unix.EDQUOT):
		return fmt.Errorf("%w: the disk quota of this user in %s is used up; use a smaller --size", err, ws.dir)
	case errors.Is(err, unix.EROFS):
		return fmt.Errorf("%w: %s is, or has become, read-only", err, ws.dir)
	case errors.Is(err, unix.EIO):
		return fmt.Errorf("%w: the device of %s reports an error; see the kernel log", err, ws.dir)
	}
	return err
}

// removeData removes the data files and nothing else. Files of other names are
// an error and stay.
func (ws *workspace) removeData() (removed int, err error) {
	entries, err := os.ReadDir(ws.path)
	if err != nil {
		return 0, ignoreMissing(err)
	}
	var errs []error
	for _, e := range entries {
		switch {
		case e.Name() == ownerName, hiddenNames.MatchString(e.Name()):
		case e.Type().IsRegular() && dataNames.MatchString(e.Name()):
			removed++
			errs = append(errs, ignoreMissing(os.Remove(filepath.Join(ws.path, e.Name()))))
		case e.IsDir() && dirNames.MatchString(e.Name()):
			removed++
			errs = append(errs, ws.removeDir(filepath.Join(ws.path, e.Name())))
		default:
			errs = append(errs, fmt.Errorf("%s was not made by iotrace bench; it was left there", filepath.Join(ws.path, e.Name())))
		}
	}
	ws.ready = fill{}
	return removed, errors.Join(errs...)
}

// removeAll removes the working directory with all we made in it, and releases the
// lock. The owner file goes last, so that a crash in between leaves something
// recognisable, and is closed before its directory goes: where a removed file stays
// under another name while it is open, the directory would not be empty.
func (ws *workspace) removeAll() error {
	if ws.check() != nil {
		return ws.owner.Close() // gone, or no longer ours
	}
	if _, err := ws.removeData(); err != nil {
		return errors.Join(err, ws.owner.Close())
	}
	err := ignoreMissing(os.Remove(filepath.Join(ws.path, ownerName)))
	return errors.Join(err, ws.owner.Close(), ignoreMissing(ws.removeEmpty()))
}

// patience is how long a file system may take to let go of files that were closed.
const patience = 2 * time.Second

// removeEmpty removes the directory itself. FUSE tells its daemon of closed files
// without waiting for it, so what is left of them may take a moment to go.
func (ws *workspace) removeEmpty() error {
	for until := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		err := os.Remove(ws.path)
		if !errors.Is(err, unix.ENOTEMPTY) || time.Now().After(until) {
			return err
		}
	}
}

// close removes everything and releases the lock.
func (ws *workspace) close() error {
	if err := ws.removeAll(); err != nil {
		return fmt.Errorf("cleaning up %s: %w", ws.path, err)
	}
	return nil
}

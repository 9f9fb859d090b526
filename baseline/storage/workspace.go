package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/sysfile"
)

// WorkName is the directory that bench makes inside each directory it is given. Only
// one with the file of an owner is ever cleaned.
const WorkName = "iotrace-bench"

// ErrVanished is wrapped by errors that say the working directory is gone.
var ErrVanished = errors.New("the working directory vanished while the benchmark was running")

// Workspace is the one place a run writes to in a directory.
type Workspace struct {
	DataFiles
	Dir      string // as the user named it
	owner    *os.File
	identity fs.FileInfo // of Path
	Removed  int         // files of a former, crashed run
}

// OpenWorkspace makes the working directory in dir. A leftover of a run that
// died is cleaned and taken over; another run in the same directory is an
// error, as is anything of that name that bench did not make.
func OpenWorkspace(dir string) (*Workspace, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("preparing %s: %w", dir, err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("preparing %s: not a directory (patterns that need a whole device take it from --destroy)",
			dir)
	}
	ws := &Workspace{Dir: dir, DataFiles: DataFiles{Path: filepath.Join(dir, WorkName)}}
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
func (ws *Workspace) claim() (again bool, err error) {
	err = os.Mkdir(ws.Path, 0o700)
	made := err == nil
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return false, err
	}
	if ws.identity, err = os.Lstat(ws.Path); err != nil {
		return errors.Is(err, fs.ErrNotExist), sysfile.IgnoreMissing(err)
	}
	if !ws.identity.IsDir() || !made && !mine(ws.identity) {
		return false, ws.foreign()
	}
	flags := unix.O_RDWR | unix.O_NOFOLLOW | unix.O_CLOEXEC
	if made {
		flags |= unix.O_CREAT | unix.O_EXCL
	}
	ws.owner, err = os.OpenFile(filepath.Join(ws.Path, ownerName), flags, 0o600)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !made:
		// Either a run died before it wrote anything, or this is not ours.
		if os.Remove(ws.Path) != nil {
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
func (ws *Workspace) lock() (again bool, err error) {
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
		return false, fmt.Errorf("another iotrace bench%s seems to be running there (this file system has no locks); if "+
			"not, remove %s", former, ws.Path)
	}
	if now, err := os.Lstat(ws.owner.Name()); err != nil || !sameAsOpen(now, ws.owner) {
		return true, nil // its owner removed it between our open and our lock
	}
	if ws.Removed, err = ws.RemoveData(); err != nil {
		return false, err
	}
	host, _ := os.Hostname()
	text = fmt.Appendf(nil, "%s\npid %d\nhost %s\nstarted %s\n", ownerLine, os.Getpid(), host,
		time.Now().UTC().Format(time.RFC3339))
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

func (ws *Workspace) foreign() error {
	return fmt.Errorf("%s exists and was not made by iotrace bench; rename it or use another directory", ws.Path)
}

// Check reports whether the working directory is still the one we made.
func (ws *Workspace) Check() error {
	if now, err := os.Lstat(ws.Path); err != nil || !os.SameFile(now, ws.identity) {
		return fmt.Errorf("%w: %s was removed, renamed or unmounted", ErrVanished, ws.Path)
	}
	return nil
}

// Explain adds to an error what the state of the workspace tells about it.
func (ws *Workspace) Explain(err error) error {
	if err == nil {
		return nil
	}
	if gone := ws.Check(); gone != nil {
		return fmt.Errorf("%w (%w)", gone, err)
	}
	switch {
	case errors.Is(err, unix.ENOSPC):
		return fmt.Errorf("%w: %s is full; free some space or use a smaller --size", err, ws.Dir)
	case errors.Is(err, unix.EDQUOT):
		return fmt.Errorf("%w: the disk quota of this user in %s is used up; use a smaller --size", err, ws.Dir)
	case errors.Is(err, unix.EROFS):
		return fmt.Errorf("%w: %s is, or has become, read-only", err, ws.Dir)
	case errors.Is(err, unix.EIO):
		return fmt.Errorf("%w: the device of %s reports an error; see the kernel log", err, ws.Dir)
	}
	return err
}

// removeAll removes the working directory with all we made in it, and releases the
// lock. The owner file goes last, so that a crash in between leaves something
// recognisable, and is closed before its directory goes: where a removed file stays
// under another name while it is open, the directory would not be empty.
func (ws *Workspace) removeAll() error {
	if ws.Check() != nil {
		return ws.owner.Close() // gone, or no longer ours
	}
	if _, err := ws.RemoveData(); err != nil {
		return errors.Join(err, ws.owner.Close())
	}
	err := sysfile.IgnoreMissing(os.Remove(filepath.Join(ws.Path, ownerName)))
	return errors.Join(err, ws.owner.Close(), sysfile.IgnoreMissing(ws.removeEmpty()))
}

// patience is how long a file system may take to let go of files that were closed.
const patience = 2 * time.Second

// removeEmpty removes the directory itself. FUSE tells its daemon of closed files
// without waiting for it, so what is left of them may take a moment to go.
func (ws *Workspace) removeEmpty() error {
	for until := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		err := os.Remove(ws.Path)
		if !errors.Is(err, unix.ENOTEMPTY) || time.Now().After(until) {
			return err
		}
	}
}

// Close removes everything and releases the lock.
func (ws *Workspace) Close() error {
	if err := ws.removeAll(); err != nil {
		return fmt.Errorf("cleaning up %s: %w", ws.Path, err)
	}
	return nil
}

// Sync commits what was created and removed in the working directory.
func (ws *Workspace) Sync() error {
	dir, err := os.Open(ws.Path)
	if err != nil {
		return sysfile.IgnoreMissing(err)
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && !errors.Is(err, unix.EINVAL) { // some file systems sync no directories
		return fmt.Errorf("syncing %s: %w", ws.Path, err)
	}
	return nil
}

// SyncAll brings everything that was written to the file system to its device.
func (ws *Workspace) SyncAll() error {
	dir, err := os.Open(ws.Path)
	if err != nil {
		return sysfile.IgnoreMissing(err)
	}
	defer dir.Close()
	if err := syncFS(int(dir.Fd())); err != nil {
		return fmt.Errorf("syncing the file system of %s: %w", ws.Path, err)
	}
	return nil
}

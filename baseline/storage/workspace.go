package storage

import (
	"errors"
	"fmt"
	"os"
	"regexp"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/output"
)

// WorkName is the directory that bench makes inside each directory it is given. Only
// one with the file of an owner is ever cleaned.
const WorkName = "iotrace-bench"

// work is that directory.
var work = output.WorkspaceKind{
	Name: WorkName, Maker: "iotrace bench", Files: DataNames, Dirs: regexp.MustCompile(`^dir-[0-9]{5,}$`),
}

// ErrVanished is wrapped by errors that say the working directory is gone.
var ErrVanished = output.ErrVanished

// Workspace is the one place a run writes to in a directory.
type Workspace struct {
	DataFiles
	Dir     string // as the user named it
	Removed int    // files of a former, crashed run
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
	space, err := output.OpenWorkspace(dir, &work)
	if err != nil {
		return nil, err
	}
	ws := &Workspace{Dir: dir, DataFiles: newDataFiles(space), Removed: space.Removed}
	if f, err := ws.openOwner(); err == nil {
		dontCache(f) // so that no measured run has to ask
		unix.Close(f.FD)
	}
	return ws, nil
}

func (ws *Workspace) openOwner() (*File, error) {
	fd, err := ws.space.Directory().Open(output.OwnerName, unix.O_RDONLY)
	return &File{FD: fd, Path: ws.Path}, err
}

// Check reports whether the working directory is still the one we made.
func (ws *Workspace) Check() error { return ws.space.Check() }

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

// Close removes everything and releases the lock.
func (ws *Workspace) Close() error {
	ws.closeDirs()
	return ws.space.Close()
}

// Sync commits what was created and removed in the working directory.
func (ws *Workspace) Sync() error { return ws.space.Sync() }

// SyncAll brings everything that was written to the file system to its device.
func (ws *Workspace) SyncAll() error {
	dir, err := ws.space.Directory().File()
	if err != nil {
		return host.IgnoreMissing(err)
	}
	defer dir.Close()
	if err := host.SyncFS(int(dir.Fd())); err != nil {
		return fmt.Errorf("syncing the file system of %s: %w", ws.Path, err)
	}
	return nil
}

package rights

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
)

// nobody has the rights of every user and no others. Where all may exchange files, as on exFAT and NTFS that
// are mounted for everybody, root works as nobody: what somebody puts in its way leads to nothing that they could not
// have changed themselves.
var nobody = &Identity{UID: 65534, GID: 65534}

// mayWork reports what keeps a user out of a directory.
func (id *Identity) mayWork(dir string) error {
	return id.Do(func() error {
		if err := unix.Faccessat(unix.AT_FDCWD, dir, unix.R_OK|unix.W_OK|unix.X_OK, unix.AT_EACCESS); err != nil {
			return &fs.PathError{Op: "working in", Path: dir, Err: err}
		}
		return nil
	})
}

// mountOf is the mount that a path without symbolic links is on.
func mountOf(path string) host.Mount {
	text, err := os.ReadFile(host.OwnMounts)
	if err != nil {
		return host.Mount{}
	}
	return host.MountOf(host.ParseMounts(string(text)), filepath.Clean(path))
}

// onlyRoots reports whether the kernel keeps everybody but root out of the file system there, whatever its modes are:
// a FUSE file system that root has mounted for itself.
func onlyRoots(path string) bool {
	m := mountOf(path)
	options := strings.Split(m.Options, ",")
	return (m.FSType == "fuse" || m.FSType == "fuseblk" || strings.HasPrefix(m.FSType, "fuse.")) &&
		slices.Contains(options, "user_id=0") && !slices.Contains(options, "allow_other")
}

// remedy is what makes a directory safe for root. File systems that keep no modes get theirs when they are mounted.
func remedy(path string) string {
	info, err := os.Stat(path)
	if err == nil && !keepsModes(mountOf(path).FSType) {
		return "mount it with umask=022 and without gid="
	}
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return "remove the link"
	}
	return "chmod +t " + path
}

func keepsModes(fstype string) bool {
	return !slices.Contains([]string{"vfat", "msdos", "exfat", "ntfs", "ntfs3", "fuse", "fuseblk", "hfs", "cifs", "smb3"},
		fstype) && !strings.HasPrefix(fstype, "fuse.")
}

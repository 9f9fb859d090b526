//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// newImage mounts a new file system, in a file on the disk, at dir/image. The
// files of a former run, removed within the last minutes, would slow the
// creation of others in theirs: ext4 keeps their inodes free and looks past
// each of them.
func newImage(dir string) (mount string, undo func() error, err error) {
	file, mount := filepath.Join(dir, "image.ext4"), filepath.Join(dir, "image")
	undo = func() error { return errors.Join(command("umount", mount), os.Remove(mount), os.Remove(file)) }
	if err := errors.Join(os.Mkdir(mount, 0o700), os.WriteFile(file, nil, 0o600), os.Truncate(file, 6<<30)); err != nil {
		return "", undo, fmt.Errorf("making a file system: %w", err)
	}
	if err := command("mkfs.ext4", "-q", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0", file); err != nil {
		return "", undo, err
	}
	return mount, undo, command("mount", "-o", "loop,noatime", file, mount)
}

func command(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return nil
}

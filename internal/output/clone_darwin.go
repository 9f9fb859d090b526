package output

import "golang.org/x/sys/unix"

// Clone makes a new file that shares the blocks of another. Links on the way are
// followed as for a new file.
func Clone(from, to string) error {
	in, err := find(from, nil)
	if err != nil {
		return err
	}
	defer in.close()
	out, err := find(to, nil)
	if err != nil {
		return err
	}
	defer out.close()
	return unix.Clonefileat(in.dir, in.name, out.dir, out.name, unix.CLONE_NOFOLLOW)
}

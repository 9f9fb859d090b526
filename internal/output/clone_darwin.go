package output

import "golang.org/x/sys/unix"

// Clone makes a new file that shares the blocks of another. Links on the way are
// followed as for a new file.
func Clone(from, to string) error {
	in, err := findPlace(from, nil)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := findPlace(to, nil)
	if err != nil {
		return err
	}
	defer out.Close()
	return unix.Clonefileat(in.Dir, in.Name, out.Dir, out.Name, unix.CLONE_NOFOLLOW)
}

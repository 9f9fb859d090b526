// Package rights lets root work with no more rights than the work needs.
//
// Whoever may rename a directory on the way to a file decides which file root
// opens, makes or removes by its name. So root works in a directory that is
// another user's with that user's rights, and takes its own back for single
// calls that name no file of anybody else.
package rights

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// mostLinks is how many symbolic links a path may lead through, as in Linux.
const mostLinks = 40

// Of is with whose rights to work in directories: nil stands for those that this
// process has. caller is who called sudo; without one root works for the owner
// of the directories.
func Of(caller *Identity, dirs ...string) (*Identity, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	var of *Identity
	for i, dir := range dirs {
		k, err := keeperOf(dir)
		switch {
		case caller != nil && (k.shared || k.id != nil || err != nil): // FUSE keeps others out, also root
			return caller, nil
		case err != nil:
			return nil, fmt.Errorf("finding out who may change the way to %s: %w", dir, err)
		case k.shared && k.forAll && nobody != nil:
			if err := nobody.mayWork(dir); err != nil {
				return nil, fmt.Errorf("%s is for every user to change, so root works there with no more rights than they have, "+
					"and has none: %w (let all users get there, or mount it with allow_other)", k.path, err)
			}
			k.id = nobody
		case k.shared:
			return nil, fmt.Errorf("%s is for every user of its group, or of the machine, to change: root's files there could "+
				"be exchanged (%s, or work as a user who may write to %s)", k.path, remedy(k.path), dir)
		}
		if i > 0 && !same(of, k.id) {
			return nil, fmt.Errorf("%s and %s are of different users, and root works in a directory of another user with that "+
				"user's rights: name them in runs of their own", dirs[i-1], dir)
		}
		of = k.id
	}
	return of, nil
}

// ToGive is Of for what only its owner may read. Root gives it to the user whose
// directory it names, but not to one who has put a directory or a link in root's way
// where everybody may.
func ToGive(caller *Identity, dir string) (*Identity, error) {
	if os.Geteuid() != 0 || caller != nil {
		return caller, nil
	}
	id, err := Of(nil, dir)
	if err != nil || id == nil {
		return id, err
	}
	if id == nobody {
		return nil, fmt.Errorf("every user could exchange what is written to %s, and only its owner may read it "+
			"(name another place with -o)", dir)
	}
	if k, err := keeperOf(dir); err != nil || k.planted {
		return nil, errors.Join(err, fmt.Errorf("%s is of user %d, who could put it where every user may, and would get to "+
			"read what is written there (name another place with -o)", k.path, id.UID))
	}
	return id, nil
}

func same(a, b *Identity) bool { return a == nil && b == nil || a != nil && b != nil && a.UID == b.UID }

// keeper is who besides root may change where a path leads.
type keeper struct {
	id     *Identity // nil for nobody
	shared bool      // more than one user may
	forAll bool      // every user may
	path   string    // of the directory or link that is theirs
	// planted: it is in a directory where others may make one.
	planted bool
}

// keeperOf goes along a path from its root, name by name and through symbolic
// links: as long as all is root's nobody else can change what comes next.
func keeperOf(path string) (keeper, error) {
	if !filepath.IsAbs(path) {
		here, err := os.Getwd()
		if err != nil {
			return keeper{}, err
		}
		path = here + "/" + path // not cleaned: what ".." is depends on the links before it
	}
	at, rest, links, open := "/", strings.Split(path, "/"), 0, false
	for {
		info, err := os.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return keeper{}, nil // who opens it says so
		case err != nil:
			return keeper{}, err
		}
		if k := judge(at, info); (k.id != nil || k.shared) && !onlyRoots(at) {
			k.planted = open
			return k, nil
		}
		if info.IsDir() {
			open = info.Mode().Perm()&0o022 != 0
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(at)
			if links++; err != nil || links > mostLinks {
				return keeper{}, errors.Join(err, syscall.ELOOP)
			}
			if at = filepath.Dir(at); filepath.IsAbs(target) {
				at = "/"
			}
			rest = append(strings.Split(target, "/"), rest...)
		}
		for len(rest) > 0 && (rest[0] == "" || rest[0] == ".") {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return keeper{}, nil
		}
		at, rest = filepath.Join(at, rest[0]), rest[1:] // at has no links, so that ".." is where it stands
	}
}

// judge tells who may change a directory or a link.
func judge(path string, info fs.FileInfo) keeper {
	st, ok := info.Sys().(*syscall.Stat_t)
	switch mode := info.Mode(); {
	case !ok:
		return keeper{shared: true, path: path}
	case st.Uid != 0:
		return keeper{id: &Identity{UID: st.Uid, GID: st.Gid}, path: path}
	case mode&fs.ModeSymlink != 0 || mode&fs.ModeSticky != 0:
		return keeper{}
	case mode.Perm()&0o002 != 0 || mode.Perm()&0o020 != 0 && st.Gid != 0:
		return keeper{shared: true, forAll: mode.Perm()&0o002 != 0, path: path}
	}
	return keeper{}
}

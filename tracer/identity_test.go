package tracer

import (
	"errors"
	"reflect"
	"slices"
	"syscall"
	"testing"
)

// xnu holds the credentials of a process as the kernel of macOS does
// (bsd/kern/kern_prot.c): at most 16 groups, of which the first is the group
// itself, and the user whom the directory service knows more groups of.
type xnu struct {
	uid, member uint32
	groups      []uint32
	refuse      string // this call fails
}

func (*xnu) limit() int { return 16 }

func (x *xnu) setGroups(list []uint32, user uint32) error {
	switch {
	case x.uid != 0 || x.refuse == "groups":
		return syscall.EPERM
	case len(list) < 1 || len(list) > 16:
		return syscall.EINVAL
	}
	x.groups, x.member = slices.Clone(list), user
	return nil
}

func (x *xnu) setGroup(gid uint32) error {
	if x.uid != 0 || x.refuse == "group" {
		return syscall.EPERM
	}
	x.groups[0] = gid
	return nil
}

func (x *xnu) setUser(uid uint32) error {
	if x.uid != 0 || x.refuse == "user" {
		return syscall.EPERM
	}
	x.uid = uid
	return nil
}

// An administrator of a Mac belongs to more groups than credentials hold. These
// are those of the user of a hosted runner.
func TestAUserOfManyGroupsCanBeBecome(t *testing.T) {
	groups := []uint32{20, 12, 61, 79, 80, 81, 98, 701, 33, 100, 204, 250, 395, 398, 399, 400, 702, 703}
	for name, test := range map[string]struct {
		gid    uint32
		all    []uint32
		groups []uint32
	}{
		"18, the primary one first":    {20, groups, groups[:16]},
		"18, the primary one the last": {703, groups, append([]uint32{703}, groups[:15]...)},
		"the primary one not among":    {5, []uint32{20, 12}, []uint32{5, 20, 12}},
		"none but the primary one":     {20, nil, []uint32{20}},
	} {
		x := &xnu{}
		u := User{Name: "runner", UID: 501, GID: test.gid, Groups: test.all}
		if err := u.become(x); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := (&xnu{uid: 501, member: 501, groups: test.groups}); !reflect.DeepEqual(x, want) {
			t.Errorf("%s: became %+v, want %+v", name, *x, *want)
		}
	}
}

// A step that is refused stops the rest: half a user must not run anything.
func TestARefusedStepIsNamed(t *testing.T) {
	for refuse, want := range map[string]string{
		"groups": "setting 2 groups: operation not permitted",
		"group":  "setting group 20: operation not permitted",
		"user":   "setting user 501: operation not permitted",
	} {
		u := User{UID: 501, GID: 20, Groups: []uint32{20, 12}}
		if err := u.become(&xnu{refuse: refuse}); err == nil || err.Error() != want || !errors.Is(err, syscall.EPERM) {
			t.Errorf("%s refused: %v, want %q", refuse, err, want)
		}
	}
}

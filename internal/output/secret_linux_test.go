package output

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/rights"
)

// A secret is the user's or root's.
func TestReadSecret(t *testing.T) {
	s := newScene(t)
	id := rights.Identity{UID: mallory, GID: mallory}
	if err := errors.Join(id.Do(func() error { return os.WriteFile(s.hers+"/secret", []byte("hers"), 0o644) }),
		os.WriteFile(s.roots+"/locked", []byte("root's"), 0o600),
		id.Do(func() error { return os.Symlink(s.roots, s.hers+"/link") })); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		as   *rights.Identity
		want string // what is read, or a part of the error
	}{
		{s.hers + "/secret", nil, "belongs to user 61234"}, {s.hers + "/secret", &id, "hers"},
		{s.roots + "/locked", nil, "root's"}, {s.roots + "/locked", &id, "permission denied"},
		{s.hers + "/link/locked", nil, "symbolic link of user 61234"}, {s.hers + "/link/file", &id, precious},
		{s.hers, nil, "is no regular file"}, {s.hers + "/none", nil, "no such file"},
	} {
		got, err := ReadSecret(c.path, c.as, 100)
		if string(got) != c.want && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s as %v: %q, %v", c.path, c.as, got, err)
		}
	}
	if got, err := ReadSecret(s.roots+"/file", nil, 3); len(got) != 4 {
		t.Errorf("%q, %v", got, err)
	}
}

package measure

import "testing"

func TestDeepest(t *testing.T) {
	in := map[string]int64{"/srv/a/x": 60, "/srv/a/y": 31, "/srv/b": 4, "/etc": 5}
	for _, c := range []struct {
		part float64
		dir  string
		n    int64
	}{{0.55, "/srv/a/x", 60}, {0.9, "/srv/a", 91}, {0.91, "/srv", 95}, {0.95, "", 0}} {
		if dir, n := Deepest(in, c.part); dir != c.dir || n != c.n {
			t.Errorf("%v: %q with %d, want %q with %d", c.part, dir, n, c.dir, c.n)
		}
	}
	for _, in := range []map[string]int64{nil, {"/": 9}, {"/srv": 0}, {".": 1}} {
		if dir, n := Deepest(in, 0.9); dir != "" || n != 0 {
			t.Errorf("%v: %q with %d", in, dir, n)
		}
	}
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		name, dir string
		want      bool
	}{
		{"/srv/a", "/srv", true}, {"/srv", "/srv", true}, {"/srv2", "/srv", false}, {"/srv", "/srv/a", false},
		{"/srv", "/", true}, {"a/b", ".", true}, {"a/b", "a", true}, {"a/b", "/", true},
	} {
		if got := Within(c.name, c.dir); got != c.want {
			t.Errorf("%q in %q: %v", c.name, c.dir, got)
		}
	}
}

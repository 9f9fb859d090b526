package docs

import "testing"

func TestPutMachine(t *testing.T) {
	const page = "# Title\n<!-- measured on A -->\nold\n<!-- end of A -->\nby hand\n"
	for _, c := range []struct{ name, page, machine, want string }{
		{"the same kind", page, "A", "# Title\n<!-- measured on A -->\nnew\n<!-- end of A -->\nby hand\n"},
		{"another kind", page, "B",
			"# Title\n<!-- measured on A -->\nold\n<!-- end of A -->\n\n" +
				"<!-- measured on B -->\nnew\n<!-- end of B -->\nby hand\n"},
		{"no part", "# Title\n", "A", ""},
		{"a part without end", "<!-- measured on A -->\nold\n", "A", ""},
	} {
		got, err := putMachine(c.page, c.machine, "new\n")
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

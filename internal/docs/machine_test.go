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

func TestPutSections(t *testing.T) {
	const (
		page = "# Title\n<!-- measured on A -->\n## A\n\nold\n\n### One\n\n1\n\n### Two\n\n2\n<!-- end of A -->\nby hand\n"
		both = "## B\n\nnew\n\n### Two\n\nzwei\n\n### Three\n\ndrei\n"
	)
	for _, c := range []struct{ name, machine, when, want string }{
		{"all", "A", "", "# Title\n<!-- measured on A -->\n## B\n\nnew\n\n### One\n\n1\n\n### Two\n\nzwei\n\n" +
			"### Three\n\ndrei\n<!-- end of A -->\nby hand\n"},
		{"some", "A", "Today.", "# Title\n<!-- measured on A -->\n## A\n\nold\n\n### One\n\n1\n\n### Two\n\n" +
			"Today.\n\nzwei\n\n### Three\n\nToday.\n\ndrei\n<!-- end of A -->\nby hand\n"},
		{"another kind", "B", "Today.", "# Title\n<!-- measured on A -->\n## A\n\nold\n\n### One\n\n1\n\n### Two\n\n2\n" +
			"<!-- end of A -->\n\n<!-- measured on B -->\n" + both + "<!-- end of B -->\nby hand\n"},
	} {
		got, err := putSections(page, c.machine, both, c.when)
		if got != c.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

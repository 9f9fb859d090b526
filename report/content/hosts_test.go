package content

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// Two containers that call a file the same are told apart by where it lies. What no mount shows is said to be unknown.
func TestHosts(t *testing.T) {
	p := &profile.Profile{Files: []profile.File{
		{Path: "/data/x", Elsewhere: true, Host: "/layers/a/upper/data/x"},
		{Path: "/home/x"},
		{Path: "/data/x", Elsewhere: true, Host: "/layers/\x1b[2Jb"},
		{Path: "/run/x", Elsewhere: true},
	}}
	table := Hosts(p)
	want := [][]string{{"/data/x", "/data/x", "/run/x"},
		{"/layers/a/upper/data/x", `/layers/\x1b[2Jb`, "(no mount of the host shows it)"}}
	for i, c := range table.Columns {
		if !slices.Equal(c.Cells, want[i]) {
			t.Errorf("column %q: %q, want %q", c.Title, c.Cells, want[i])
		}
	}
	if len(table.Columns) != len(want) || Hosts(&profile.Profile{Files: p.Files[1:2]}).Rows() != 0 {
		t.Errorf("%d columns; a table of %d rows without containers", len(table.Columns), Hosts(p).Rows())
	}
}

package browsertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// many is a profile of more files, copies and processes than a page shows at once.
func many(t *testing.T, n int) *profile.Profile {
	t.Helper()
	p := stored(t, "copy")
	file, copied, process := p.Files[0], p.Copies[0], p.Processes[0]
	for i := range n {
		file.Path = fmt.Sprintf("/srv/data/file-%06d.bin", i)
		copied.Destination = fmt.Sprintf("/mnt/copy-%06d.bin", i)
		process.PID, process.Args = uint32(100_000+i), []string{fmt.Sprintf("worker-%06d", i)}
		p.Files, p.Copies, p.Processes = append(p.Files, file), append(p.Copies, copied), append(p.Processes, process)
	}
	return p
}

// search types words, and says what the page answers.
func search(b *tab, words string) string {
	b.t.Helper()
	b.do(fmt.Sprintf("document.getElementById('find').value = %q", words))
	eval[bool](b, "iotrace.find().then(() => true)", awaited)
	b.settle()
	return eval[string](b, "document.getElementById('found').innerText.replace(/\\s+/g, ' ')")
}

func names(b *tab, table string) []string {
	b.t.Helper()
	cells := "[...document.querySelectorAll('#" + table + " tbody .name')]"
	return eval[[]string](b, cells+".filter((c) => c.checkVisibility()).map((c) => c.innerText)")
}

// TestEveryRowIsReached clicks until all rows of long tables are there, and sorts them.
func TestEveryRowIsReached(t *testing.T) {
	const n = 2500
	p := many(t, n)
	b := open(t, write(t, p), 1400, 1000)
	b.do(unfold)
	all := map[string]int{"files": len(p.Files), "copies": len(p.Copies), "processes": len(p.Processes)}
	for table, want := range all {
		if got := len(names(b, table)); got >= want {
			t.Errorf("%s shows %d rows at once", table, got)
		}
		for range 3 {
			b.do("document.querySelector('#" + table + " .all').click()")
			eval[bool](b, "iotrace.keep(document.querySelector('#"+table+" table')).then(() => true)", awaited)
		}
		got := names(b, table)
		if len(got) != want {
			t.Errorf("%s shows %d rows in the end, want %d", table, len(got), want)
		}
		if eval[bool](b, "document.querySelector('#"+table+" .all').checkVisibility()") {
			t.Errorf("%s shows all its rows and still offers more", table)
		}
	}
	b.do("document.querySelector('#files .sort').click()")
	if got := names(b, "files"); !slices.IsSorted(got) {
		t.Error("sorted by name, the files are not in order")
	}
}

// TestSearch looks for a file, a process and a device: lanes, tables and events keep what was found, and all
// is as before when the search ends.
func TestSearch(t *testing.T) {
	b := open(t, write(t, many(t, 3000)), 1400, 1000)
	before := len(names(b, "files"))
	if said := search(b, "FILE-002999"); !strings.Contains(said, "Files 1 of 3,0") {
		t.Errorf("looking for a file says %q", said)
	}
	if got := names(b, "files"); len(got) != 1 || !strings.HasSuffix(got[0], "file-002999.bin") {
		t.Errorf("looking for a file finds %q", got)
	}
	if got := names(b, "processes"); len(got) != 0 {
		t.Errorf("looking for a file finds %d processes", len(got))
	}
	search(b, "worker 01234")
	if got := names(b, "processes"); len(got) != 1 || got[0] != "worker-001234" {
		t.Errorf("looking for a process finds %q", got)
	}
	search(b, "sdb")
	const named = "[...document.querySelectorAll('.names li')].filter((e) => e.checkVisibility())"
	lanes := eval[[]string](b, named+".map((e) => e.innerText)")
	if !slices.Equal(lanes, []string{"sdb"}) {
		t.Errorf("looking for a device leaves the lanes %q", lanes)
	}
	b.do(unfold + "; document.getElementById('events').open = true")
	const events = "[...document.querySelectorAll('#events tbody tr')]"
	where := eval[[]string](b, "[...new Set("+events+".map((r) => r.cells[5].innerText))]")
	if !slices.Equal(where, []string{"sdb"}) {
		t.Errorf("looking for a device lists events of %q", where)
	}
	if said := search(b, "no such thing"); said != "nothing found" {
		t.Errorf("looking for nothing says %q", said)
	}
	search(b, "")
	if got := len(names(b, "files")); got != before {
		t.Errorf("after the search %d files are shown, %d before", got, before)
	}
	if n := eval[int](b, "[...document.querySelectorAll('.row[hidden]')].length"); n != 0 {
		t.Errorf("after the search %d rows of lanes are hidden", n)
	}
}

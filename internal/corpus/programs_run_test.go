//go:build linux

package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What has to be reached. A source that was taken for another is never allowed.
const (
	leastPrecision = 0.99
	leastRecall    = 0.97
)

// batch is how many programs share a recording and a file system.
const batch = 12

// TestPrograms records programs that copy and programs that do not, several at
// a time, and counts what is said rightly, invented and missed.
func TestPrograms(t *testing.T) {
	needPrivilege(t)
	compile(t)
	type key struct {
		fs   string
		cold bool
	}
	batches := map[key][]*workload{}
	var order []key
	for i, list := range [][]workload{copying, otherwise} {
		for j := range list {
			p := &list[j]
			if i == 0 && p.copies == "" {
				t.Fatalf("%s: nothing is copied", p.name)
			}
			if !present(p.needs) {
				t.Run(p.name, func(t *testing.T) { needPrograms(t, strings.Fields(p.needs)...) })
				continue
			}
			k := key{p.fs, p.cold}
			if batches[k] == nil {
				order = append(order, k)
			}
			batches[k] = append(batches[k], p)
		}
	}
	var all tally
	for _, k := range order {
		for list := range slices.Chunk(batches[k], batch) {
			all.add(recordPrograms(t, list, k.fs, k.cold))
		}
	}
	t.Logf("%d programs that copy, %d that do not: %d copies right, %d invented, %d missed, %d of other sources; "+
		"precision %.2f %%, recall %.2f %%", len(copying), len(otherwise), all.right, all.invented, all.missed, all.swapped,
		100*all.precision(), 100*all.recall())
	if all.precision() < leastPrecision || all.recall() < leastRecall || all.swapped > 0 {
		t.Errorf("want precision %.0f %%, recall %.0f %% at least, no other source", 100*leastPrecision, 100*leastRecall)
	}
}

// recordPrograms runs programs one after the other in one recording.
func recordPrograms(t *testing.T, list []*workload, fs string, cold bool) (all tally) {
	t.Helper()
	top := workDir(t)
	if fs != "" {
		top = mount(t, fs, 512<<20)
	}
	dir := func(i int) string { return filepath.Join(top, fmt.Sprintf("%02d", i)) }
	var before []contents
	var script strings.Builder
	for i, p := range list {
		begin(t, dir(i), expand(t, p.prepare))
		before = append(before, files(t, dir(i)))
		own := dir(i) + ".sh"
		if err := os.WriteFile(own, []byte("set -e; cd "+dir(i)+"\n"+expand(t, p.script)+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&script, "timeout 60 bash %s > %s.log 2>&1 || echo $? > %s.failed\n", own, dir(i), dir(i))
	}
	run(t, "sync", "-f", top)
	if cold {
		dropCaches(t)
	}
	p := attempt(t, "bash", "-c", script.String()) // lost requests do not make a copy another
	for i, program := range list {
		t.Run(program.name, func(t *testing.T) {
			if status, err := os.ReadFile(dir(i) + ".failed"); err == nil {
				log, _ := os.ReadFile(dir(i) + ".log")
				t.Fatalf("exit status %s%s", status, log)
			}
			want := program.truth(t, before[i], files(t, dir(i)))
			n, faults := program.judge(t, between(p, dir(i), dir(i)), dir(i), want)
			all.add(n)
			program.save(t, p.Trace.File, dir(i), want)
			for _, f := range faults {
				t.Log(f)
			}
		})
	}
	return all
}

// begin makes the directory of a program.
func begin(t *testing.T, dir, prepare string) {
	t.Helper()
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i := range 100_000 {
		text.WriteString(strings.Repeat(string(rune('a'+i*7919%26)), 3) + "1\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "text"), []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, "bash", "-c", fmt.Sprintf("set -e; cd %s; head -c %d /dev/urandom > a; %s", dir, size, prepare))
}

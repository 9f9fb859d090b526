//go:build linux

package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// pair is a copy by its names, relative to the program's directory.
type pair struct{ source, destination string }

func (p pair) String() string { return p.source + " → " + p.destination }

// contents are the files of a directory.
type contents map[string][]byte

func files(t testing.TB, dir string) contents {
	t.Helper()
	c := contents{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(name)
		c[strings.TrimPrefix(name, dir+"/")] = b
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// truth is what has been copied: how many bytes of each pair. The pairs are
// those of the table; that nothing else holds is checked by the files.
func (p *workload) truth(t testing.TB, before, after contents) map[pair]int64 {
	t.Helper()
	want := map[pair]int64{}
	for _, text := range splitPairs(p.copies) {
		source, destination, _ := strings.Cut(text, ">")
		destination, part, _ := strings.Cut(destination, ":")
		if !strings.HasSuffix(source, "*") {
			want[pair{source, destination}], _ = strconv.ParseInt(part, 10, 64)
			continue
		}
		prefix := strings.TrimSuffix(source, "*")
		for name := range before {
			if strings.HasPrefix(name, prefix) {
				want[pair{name, strings.TrimSuffix(destination, "*") + name[len(prefix):]}] = 0
			}
		}
	}
	if len(want) == 0 && p.copies != "" {
		t.Fatalf("no files of %q", p.copies)
	}
	for c, part := range want {
		from, to := before[c.source], after[c.destination]
		if from == nil {
			from = after[c.source]
		}
		long, short := from, to
		if len(long) < len(short) {
			long, short = short, long
		}
		if len(short) == 0 || !bytes.Contains(long, short) {
			t.Errorf("%s is no copy: neither file is part of the other (%d and %d bytes)", c, len(from), len(to))
		}
		if part == 0 {
			want[c] = int64(len(short))
		}
	}
	for name, b := range after {
		if before[name] != nil || len(b) < 512 {
			continue
		}
		for source, x := range before {
			if bytes.Equal(x, b) && !p.expects(want, name) && !neutral(p.neutral, pair{source, name}) {
				t.Errorf("the table does not say that %s is the same as %s", name, source)
			}
		}
	}
	return want
}

// expects reports whether a file is known to be a copy.
func (p *workload) expects(want map[pair]int64, name string) bool {
	for c := range want {
		if c.destination == name {
			return true
		}
	}
	return false
}

// splitPairs splits at blanks that are followed by another pair: names may
// hold blanks.
func splitPairs(text string) (list []string) {
	for _, word := range strings.Split(text, " ") {
		if strings.Contains(word, ">") || len(list) == 0 {
			if word != "" {
				list = append(list, word)
			}
			continue
		}
		list[len(list)-1] += " " + word
	}
	return list
}

// neutral reports whether a pair fits one of some patterns.
func neutral(patterns string, c pair) bool {
	for _, text := range strings.Fields(patterns) {
		source, destination, _ := strings.Cut(text, ">")
		if fits(source, c.source) && fits(destination, c.destination) {
			return true
		}
	}
	return false
}

// fits is path.Match with stars that may stand for slashes too.
func fits(pattern, name string) bool {
	ok, err := path.Match(strings.ReplaceAll(pattern, "/", "\x01"), strings.ReplaceAll(name, "/", "\x01"))
	return ok && err == nil
}

// save keeps a recording and what is true of one of its programs in the
// directory that IOTRACE_CORPUS names, for work on the analyzer.
func (p *workload) save(t testing.TB, trace, dir string, want map[pair]int64) {
	t.Helper()
	to := os.Getenv("IOTRACE_CORPUS")
	if to == "" {
		return
	}
	type copied struct {
		Source      string `json:"source"`
		Destination string `json:"destination"`
		Bytes       int64  `json:"bytes,omitempty"`
	}
	truth := struct {
		Note    string   `json:"note"`
		Dir     string   `json:"dir"`
		Copies  []copied `json:"copies"`
		Neutral []copied `json:"neutral"`
	}{p.script, dir, []copied{}, []copied{}}
	for c, n := range want {
		truth.Copies = append(truth.Copies, copied{filepath.Join(dir, c.source), filepath.Join(dir, c.destination), n})
	}
	for _, text := range strings.Fields(p.neutral) {
		source, destination, _ := strings.Cut(text, ">")
		truth.Neutral = append(truth.Neutral, copied{Source: source, Destination: destination})
	}
	b, err := json.MarshalIndent(truth, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(to, "corpus-"+strings.NewReplacer(" ", "-", "/", "-").Replace(p.name))
	if err := os.WriteFile(name+".json", b, 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, "cp", trace, name+".iotrace")
}

// tally counts copies.
type tally struct{ right, invented, missed, swapped int }

func (n *tally) add(m tally) {
	n.right += m.right
	n.invented += m.invented
	n.missed += m.missed
	n.swapped += m.swapped
}

// precision is the share of what is said that is right, recall that of what
// is true that is said.
func (n tally) precision() float64 { return share(n.right, n.invented) }
func (n tally) recall() float64    { return share(n.right, n.missed) }

func share(right, wrong int) float64 {
	if right+wrong == 0 {
		return 1
	}
	return float64(right) / float64(right+wrong)
}

// judge compares what is said of a program's files with the truth. A pair with
// a wrong number of bytes is both invented and missed. Names that a program
// gives are not held against it: a file that was renamed was not copied.
func (p *workload) judge(t testing.TB, list []profile.Copy, dir string,
	want map[pair]int64) (n tally, faults []string) {
	t.Helper()
	said, moved := map[pair]int64{}, map[pair]bool{}
	for _, c := range list {
		k := pair{strings.TrimPrefix(c.Source, dir+"/"), strings.TrimPrefix(c.Destination, dir+"/")}
		said[k] += c.Bytes
		if info, err := os.Stat(c.Destination); c.Method == "rename" || c.Method == "hardlink" {
			moved[k] = err != nil || !info.IsDir()
		}
	}
	sources := map[string]string{}
	for k := range want {
		sources[k.destination] = k.source
	}
	for k, bytes := range said {
		switch true, expected := want[k]; {
		case expected && (bytes == true || moved[k]):
			n.right++
		case expected:
			n.invented++
			n.missed++
			faults = append(faults, fmt.Sprintf("%s: %d bytes, it was %d", k, bytes, true))
		case moved[k] || neutral(p.neutral, k):
		default:
			n.invented++
			if from, ok := sources[k.destination]; ok {
				n.swapped++
				faults = append(faults, fmt.Sprintf("%s (%d bytes), it was %s", k, bytes, from))
			} else {
				faults = append(faults, fmt.Sprintf("%s (%d bytes) is no copy", k, bytes))
			}
		}
	}
	for k := range want {
		if _, ok := said[k]; !ok {
			n.missed++
			faults = append(faults, fmt.Sprintf("%s was missed", k))
		}
	}
	slices.Sort(faults)
	return n, faults
}

//go:build linux

package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/answer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// printed is a number as it stands in a sentence, by itself or with a unit.
var printed = regexp.MustCompile(`^[<>]?([0-9][0-9,.]*|[0-9]+m[0-9]{2}s|[0-9]+h[0-9]{2}m[0-9]{2}s)( ?[^0-9]+)?$`)

// interval is one whose unit stands behind its end.
var interval = regexp.MustCompile(`([0-9]) to ([0-9.,]+)_([^ ,;:()]+)`)

// sayings puts a number of the JSON into words, in every way that its key allows.
func sayings(path []string, v float64) (words []string) {
	key, n := path[len(path)-1], int64(math.Round(v))
	inside := strings.Join(path, "/")
	switch {
	case strings.Contains(inside, "_ns") || key == "ns":
		return []string{unit.Nanoseconds(n)}
	case strings.Contains(inside, "per_s"):
		return []string{unit.Rate(v), unit.Number(v), unit.Count(n)}
	case key == "share" || strings.Contains(key, "probability") || strings.HasSuffix(key, "_share"):
		return []string{unit.Share(v)}
	}
	return []string{unit.Nanoseconds(n), unit.Bytes(n), unit.BlockSize(n), unit.Rate(v), unit.Share(v), unit.Number(v),
		unit.Count(n), unit.Significant(v, 2), unit.Significant(max(v, 1), 2), strconv.FormatInt(n, 10)}
}

// known are the numbers of a profile as they may be said, and names that look like one (7zz). The lines themselves
// prove nothing, nor do the points of charts: there are so many that some fit.
func known(t testing.TB, p *profile.Profile) map[string]bool {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&all); err != nil {
		t.Fatal(err)
	}
	delete(all, "charts")
	delete(all["verdict"].(map[string]any), "lines")
	words := map[string]bool{}
	var walk func(path []string, x any)
	walk = func(path []string, x any) {
		switch x := x.(type) {
		case map[string]any:
			for k, y := range x {
				walk(append(path[:len(path):len(path)], k), y)
			}
		case []any:
			words[unit.Count(int64(len(x)))] = true
			for _, y := range x {
				walk(path, y)
			}
		case string:
			words[x] = true
			words[filepath.Base(x)] = true
			if host, port, err := net.SplitHostPort(x); err == nil { // an address is said whole, and read as two words
				words[host], words[port] = true, true
			}
		case json.Number:
			v, err := x.Float64()
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range sayings(path, v) {
				words[w] = true
			}
		}
	}
	walk(nil, all)
	return words
}

// unknown are the numbers of a sentence that the profile does not hold.
func unknown(words map[string]bool, s string) (missing []string) {
	s = quantity.ReplaceAllString(s, "${1}_$2")
	s = interval.ReplaceAllString(s, "${1}_$3 to ${2}_$3")
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" ();:=\"'", r) }) {
		w = strings.ReplaceAll(strings.TrimRight(w, ",."), "_", " ")
		bare := strings.TrimLeft(w, "<>")
		if printed.MatchString(w) && !words[w] && !words[bare] && !words[strings.ReplaceAll(bare, ",", "")] {
			missing = append(missing, w)
		}
	}
	return missing
}

// numbered checks that each number of the lines is one of the profile, and each of what another run may say first: all
// causes and kinds of work. What would help is advice, with numbers of its own.
func numbered(t testing.TB, p *profile.Profile) {
	t.Helper()
	words := known(t, p)
	check := func(label, text string) {
		if missing := unknown(words, text); len(missing) > 0 {
			t.Errorf("%s: %q are no numbers of the profile: %s", label, missing, text)
		}
	}
	for _, l := range p.Verdict.Lines {
		switch l.Label {
		case answer.Try, answer.FindOut, answer.More:
		default:
			check(l.Label, l.Text)
		}
	}
	for i := range p.Verdict.Causes {
		check(p.Verdict.Causes[i].Code, p.Verdict.Causes[i].Text)
	}
	for i := range p.Observations {
		if o := &p.Observations[i]; answer.WorkKinds[o.Code] {
			check(o.Code, o.Text)
		}
	}
}

// TestNumbersAreTold checks the check: a number that is changed in its last digit is one that no profile holds.
func TestNumbersAreTold(t *testing.T) {
	words := map[string]bool{}
	for path, v := range map[string]float64{"wall_ns": 12_345_678, "bytes": 16_777_216, "share": 0.4159,
		"mean_busy": 1.1234, "bytes_per_s": 1.49e9, "count": 12_345} {
		for _, w := range sayings([]string{path}, v) {
			words[w] = true
		}
	}
	const text = "12.3 ms, 16.8 MB (16 MiB) of file-9.so.3, 42 %: QD 1.1 · 1.49 GB/s; in 12,345 calls, 5 to 12.3 ms"
	if got := unknown(words, text); !slices.Equal(got, []string{"5 ms"}) {
		t.Errorf("unknown are %q", got)
	}
	for _, wrong := range []string{"12.4 ms", "16.9 MB", "43 %", "1.50 GB/s", "12,346", "1.2", "1m01s"} {
		if got := unknown(words, fmt.Sprintf("it was %s, they say", wrong)); !slices.Equal(got, []string{wrong}) {
			t.Errorf("%s: unknown are %q", wrong, got)
		}
	}
}

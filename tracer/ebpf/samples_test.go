//go:build linux

package ebpf

import (
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// perfLine matches "   42.10%  123  burn  burn  [.] burn_most".
var perfLine = regexp.MustCompile(`^ +[\d.]+% +(\d+) +(\S+) +(\S+) +\[(.)\] (\S+)`)

// perfSamples is how often perf saw a function of processes of a name.
func perfSamples(t *testing.T, data, process string) map[string]int64 {
	t.Helper()
	counts := map[string]int64{}
	for line := range strings.Lines(run(t, "perf", "report", "-i", data, "--stdio", "-n", "-s", "comm,dso,sym")) {
		if m := perfLine.FindStringSubmatch(line); m != nil && m[2] == process {
			n, _ := strconv.ParseInt(m[1], 10, 64)
			library := m[3]
			if m[4] == "k" {
				library, m[5] = trace.SampleKernel, ""
			}
			counts[library+" "+strings.TrimLeft(m[5], "_")] += n // of several names of a function it takes another
		}
	}
	return counts
}

// Of one run of a program perf says where it computed, too: in a thread, in a library, in short-lived children. The
// shares may differ by what chance does.
func TestSamplesAreThoseOfPerf(t *testing.T) {
	needBPF(t)
	needTools(t, "perf")
	if legacyProbes {
		t.Skip("they take none")
	}
	burn, data := compile(t, "burn", "-pthread"), filepath.Join(workDir(t), "data")
	s, w := launch(t, Options{}, "perf", "record", "-q", "-e", "cpu-clock", "-F", "99", "-o", data, burn)
	wait(t, w)
	s.end()
	counts, all := map[string]int64{}, int64(0)
	for _, x := range s.Samples() {
		if x.Process != "burn" {
			continue
		}
		if all += x.Count; x.Library == trace.SampleKernel {
			x.Function = ""
		}
		counts[x.Library+" "+x.Function] += x.Count
	}
	perf, of := perfSamples(t, data, "burn"), int64(0)
	for _, n := range perf {
		of += n
	}
	t.Logf("%d samples %v, perf %d %v", all, counts, of, perf)
	for _, place := range []string{"burn burn_most", "burn burn_brief", "libc.so.6 random", "libc.so.6 random_r"} {
		x, y := float64(counts[place])/float64(all), float64(perf[place])/float64(of)
		p := (x + y) / 2
		if chance := 4 * math.Sqrt(p*(1-p)*(1/float64(all)+1/float64(of))); p == 0 || math.Abs(x-y) > chance {
			t.Errorf("%s: %.3f of the samples, perf has %.3f, and chance makes %.3f", place, x, y, chance)
		}
	}
}

// A program without symbols is told by its name, and so is its library.
func TestSamplesWithoutSymbols(t *testing.T) {
	needBPF(t)
	needTools(t, "xz")
	if legacyProbes {
		t.Skip("they take none")
	}
	s, w := launch(t, Options{}, "sh", "-c", "head -c 20000000 /bin/sh /usr/bin/perf | xz -1 -T1 >/dev/null")
	wait(t, w)
	s.end()
	most := s.Samples()[0]
	if most.Process != "xz" || !strings.HasPrefix(most.Library, "liblzma.so.") || most.Call != "" {
		t.Errorf("most was %+v", most)
	}
}

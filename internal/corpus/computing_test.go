//go:build linux

package corpus

import (
	"fmt"
	"strings"
	"testing"
)

// computations are programs that compute, with the kind of work that it is and words of what helps. They have a
// real-time policy, so that nobody else has the processor.
var computations = []struct {
	program, kind, remedy string
	script                func(testing.TB) string
}{
	{"gzip", "compression", "a lower level", func(t testing.TB) string {
		return "gzip -c " + warmFile(t, 24<<20) + " > /dev/null"
	}},
	{"zstd", "compression", "a lower level", func(t testing.TB) string {
		return "zstd -q -12 --single-thread -c " + warmFile(t, 24<<20) + " > /dev/null"
	}},
	{"sha256sum", "checksums", "a faster one", func(t testing.TB) string {
		return strings.Repeat("sha256sum "+warmFile(t, 96<<20)+"; ", 12)
	}},
	{"openssl", "encryption", "instructions for", func(t testing.TB) string {
		return "openssl enc -camellia-256-cbc -pbkdf2 -k x -in " + warmFile(t, 96<<20) + " -out /dev/null"
	}},
	{"grep", "matching text", "LC_ALL=C", func(t testing.TB) string {
		file := warmFile(t, 1)
		run(t, "python3", "-c", fmt.Sprintf(`import random
words = "Größe naïve café Straße дом слово hello Ünïcode".split()
with open(%q, "w") as f:
    for i in range(1000000): f.write(" ".join(random.choices(words, k=6)) + "\n")`, file))
		return "LC_ALL=C.UTF-8 grep -ciE 'é.*ö.*ü.*ß.*ï.*x$'" + strings.Repeat(" "+file, 8) + " || true"
	}},
	{"python3", "interpreting a script", "compiled", func(testing.TB) string {
		return "python3 -c 'print(sum(i * i for i in range(8000000)))'"
	}},
	{"sort", "sorting and comparing", "LC_ALL=C", func(t testing.TB) string {
		return "seq 1500000 | LC_ALL=C sort --parallel=1 -r | tail -n 1"
	}},
}

// TestWhatComputingIs: a program that computes is told with what that is, also without symbols.
func TestWhatComputingIs(t *testing.T) {
	needPrivilege(t)
	for _, c := range computations {
		t.Run(c.program, func(t *testing.T) {
			needPrograms(t, c.program)
			p := attempt(t, "chrt", "-f", "1", "sh", "-c", c.script(t))
			r := p.Verdict.Causes[0]
			if !strings.Contains(r.Text, c.kind) || !strings.Contains(r.Remedy, c.remedy) {
				t.Errorf("%+v\n%+v", r, p.Trace.Samples)
			}
		})
	}
}

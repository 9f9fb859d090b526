package text

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// run took so many milliseconds until it returned, and until its data was durable; -1 if that is not known.
func run(file string, status int, wall, safe int64) Run {
	p := &profile.Profile{WallNS: wall * 1e6, DurableNS: safe}
	if safe >= 0 {
		p.DurableNS *= 1e6
	}
	return Run{File: file, Status: status, Profile: p}
}

// The interval is Student's: of 90, 100, 110 ms it is 100 ± 24.8, as t(0.975, 2) = 4.303 and the standard error is
// 5.77.
func TestPrint(t *testing.T) {
	for name, c := range map[string]struct {
		all  []Run
		want string
	}{
		"three": {[]Run{run("a-1", 0, 90, 190), run("a-2", 0, 100, 200), run("a-3", 0, 110, 210)}, `
run    returned after    durable after
1      90.0 ms           190 ms            a-1
2      100 ms            200 ms            a-2
3      110 ms            210 ms            a-3
mean   100 ms ± 24.8 ms  200 ms ± 24.8 ms
range  90.0 ms … 110 ms  190 ms … 210 ms
± is half of the 95 % interval of the mean.
`},
		"two, one failed and one not drained": {[]Run{run("a-1", 7, 90, -1), run("a-2", 0, 100, 200)}, `
run    returned after    durable after
1      90.0 ms           not known        a-1  (status 7)
2      100 ms            200 ms           a-2
mean   95.0 ms           200 ms
range  90.0 ms … 100 ms  200 ms … 200 ms
A mean has an interval from 3 runs on.
When the data was durable is known of 1 of 2 runs.
`},
		"one, with a name that is hard to print": {[]Run{run("a\x1b[2J", 0, 90, -1)}, `
run  returned after  durable after
1    90.0 ms         not known      a\x1b[2J
When the data was durable is known of 0 of 1 runs.
`},
	} {
		var out strings.Builder
		if err := PrintRuns(&out, c.all); err != nil || "\n"+out.String() != c.want {
			t.Errorf("%s: %v\n%s\nwant%s", name, err, out.String(), c.want)
		}
	}
}

package browsertest

import (
	"fmt"
	"os"
	"slices"
	"testing"
)

// TestZoomTimes opens a page that is named by the environment and tells how long its first charts and steps of zooming
// take, from the step to the end of its frame. It is a tool for people who work on the page, and judges nothing:
//
//	IOTRACE_PAGE=/tmp/x.html go test -v -run TestZoomTimes .
//
// Each step is made five times; of these the least counts, as others use the machine as well.
func TestZoomTimes(t *testing.T) {
	path := os.Getenv("IOTRACE_PAGE")
	if path == "" {
		t.Skip("IOTRACE_PAGE is not set")
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, path, 1400, 900)
	b.settle()
	t.Logf("%.2f MB; first paint after %.0f ms, scripts have run after %.0f ms, first charts are drawn after %.0f ms",
		float64(info.Size())/1e6,
		eval[float64](b, "performance.getEntriesByName('first-contentful-paint')[0].startTime"),
		eval[float64](b, "iotrace.timing.ready"), eval[float64](b, "iotrace.timing.shown"))
	for _, at := range []string{"timeline", "place0-rate", "place0-heat0", "offsets0"} {
		if !eval[bool](b, fmt.Sprintf("!!document.getElementById(%q)", at)) {
			continue
		}
		b.do(still + fmt.Sprintf("; document.getElementById(%q).scrollIntoView()", at))
		steps := zoomSteps(b)
		for range 4 {
			for i, took := range zoomSteps(b) {
				steps[i] = min(steps[i], took)
			}
		}
		sorted := slices.Sorted(slices.Values(steps))
		t.Logf("at #%s a step takes %.0f ms in the median, %.0f ms at worst", at,
			sorted[len(sorted)/2], sorted[len(sorted)-1])
	}
}

// zoomSteps zooms in from everything, moves along and zooms out, and returns how many ms each step took.
func zoomSteps(b *tab) (took []float64) {
	b.t.Helper()
	b.do("iotrace.show(0, iotrace.page.end)")
	step := func(do string) {
		took = append(took, eval[float64](b, `(() => { const t = performance.now(); `+do+`;
			return new Promise((r) => requestAnimationFrame(() =>
				setTimeout(() => r(performance.now() - t), 0))); })()`, awaited))
	}
	for range 12 {
		step("iotrace.zoom(0.5)")
	}
	for k := range 6 {
		step(fmt.Sprintf("iotrace.show(iotrace.page.end * %g, iotrace.page.end * %g)", float64(k)/10, float64(k)/10+0.05))
	}
	for range 5 {
		step("iotrace.zoom(2)")
	}
	return took
}

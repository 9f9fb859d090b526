package report

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/report/page"
)

// pageOf is the page of a recording of the repository, and its text.
func pageOf(t *testing.T, p *profile.Profile) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.Profile(&b, p); err != nil {
		t.Fatal(err)
	}
	body, _, _ := strings.Cut(b.String(), `<script type="application/json"`)
	return body
}

var durableRate = regexp.MustCompile(`([0-9.]+[\x{a0} ][kMG]B/s)( durable| until on the disk)`)

// A page names one rate until durable, evidence by its name and never by a pointer, and how idle a device was once.
func TestPagesSayItOnce(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.iotrace")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, f := range files {
		p, err := analyzer.Analyze(f, analyzer.Options{Charts: true})
		if err != nil {
			t.Fatal(err)
		}
		body, rates := pageOf(t, p), map[string]bool{}
		for _, m := range durableRate.FindAllStringSubmatch(body, -1) {
			rates[strings.ReplaceAll(m[1], "\u00a0", " ")] = true
		}
		if len(rates) > 1 {
			t.Errorf("%s: durable at %v", f, rates)
		}
		if m := regexp.MustCompile(`>[^</]*/(time_stack/slices|devices|copies)/[0-9][^<]*<`).FindString(body); m != "" {
			t.Errorf("%s shows a pointer: %s", f, m)
		}
		idle := map[string]int{}
		for _, o := range p.Observations {
			if device, _, _ := strings.Cut(o.Text, ","); strings.Contains(o.Text, "idle ") {
				if idle[device]++; idle[device] > 1 {
					t.Errorf("%s says twice how idle %s was", f, device)
				}
			}
		}
		if strings.Contains(body, "none in flight ") {
			t.Errorf("%s says none in flight", f)
		}
	}
}

// What only states the measurement again is no limit.
func TestGapShowsLimitsOnly(t *testing.T) {
	r := &gap.Report{Bounds: []gap.Bound{{Code: "serial", Reached: 0.99, Independent: true},
		{Code: "little", Reached: 0.996},
		{Code: "per_file", Reached: 0.4}}}
	var codes []string
	for _, b := range content.GapBounds(r) {
		codes = append(codes, b.Code)
	}
	if got := strings.Join(codes, " "); got != "serial per_file" {
		t.Errorf("the limits are %s", got)
	}
}

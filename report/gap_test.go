package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/internal/samples"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/report/page"
	"github.com/iotrace/iotrace/report/text"
)

func TestGapText(t *testing.T) {
	var b strings.Builder
	if err := text.Gap(&b, samples.Gap(1.25), text.Options{Width: 100}); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	for _, want := range []string{"Above all it is the read side", "80 % of the gap", "benchmark cell", "not in the model",
		"recording", "request size", "62 % sda read: reads of <b> one by one",
		"12 % other: smaller causes, and what has none", "time 62 % sda read"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing:\n%s", want, out)
		}
	}
	if strings.Contains(out, "\x1b") {
		t.Error("the name of the trace acts on the terminal")
	}
	b.Reset()
	if err := text.Gap(&b, samples.Gap(3), text.Options{Width: 100}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "Not ranked: ") || strings.Contains(b.String(), "Above all") {
		t.Errorf("a residual of more than the limit was ranked:\n%s", b.String())
	}
}

func TestGapPage(t *testing.T) {
	var b strings.Builder
	if err := page.Gap(&b, samples.Gap(1.25)); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	if strings.Count(out, "<rect ") != 6 || strings.Count(out, `class="whisker"`) != 2 {
		t.Error("want six bars, two of them with an interval")
	}
	for _, want := range []string{"reads of &lt;b&gt; one by one", "</span>other</dt><dd>12&nbsp;%: smaller causes",
		"<td>62&nbsp;% sda read</td>", "80&nbsp;% of the gap", "title=\"sda read: 62&nbsp;%"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(out, `\u00a0`) {
		t.Error("a space that does not break is spelt out")
	}
	if strings.Contains(out, "evil\x1b") || strings.Contains(out, "</title>.iotrace") {
		t.Error("the name of the trace acts on the page")
	}
	for _, outside := range []string{"http://", "https://"} {
		if strings.Contains(out, outside) {
			t.Errorf("the page holds %q: it must need nothing else", outside)
		}
	}
	if n := strings.Count(out, "<script"); n != 1 {
		t.Errorf("the page has %d scripts, and one of its own", n)
	}
}

func TestGapJSON(t *testing.T) {
	var b strings.Builder
	if err := content.JSON(&b, samples.Gap(1.25)); err != nil {
		t.Fatal(err)
	}
	var r struct {
		Causes []struct {
			Code string `json:"code"`
		} `json:"causes"`
		Bounds  []any `json:"bounds"`
		Factors []struct {
			ID      string   `json:"id"`
			Causes  []string `json:"causes"`
			Seconds float64  `json:"seconds_per_gb"`
			Verdict string   `json:"verdict"`
		} `json:"factors"`
		Residual *float64 `json:"residual"`
	}
	if err := json.Unmarshal([]byte(b.String()), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Causes) != 2 || r.Causes[0].Code != cause.DeviceLatency {
		t.Errorf("%+v", r.Causes)
	}
	if r.Bounds == nil || r.Residual == nil || len(r.Factors) != 2 || r.Factors[0].ID != "R" ||
		r.Factors[0].Verdict != "resolved" || !slices.Contains(r.Factors[1].Causes, r.Causes[0].Code) {
		t.Errorf("%+v", r)
	}
}

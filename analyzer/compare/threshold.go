package compare

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/stats"
)

// A Threshold is a limit that a comparison may break: "throughput<-10%" (the
// subject is more than 10 % slower than the reference), "read_latency_p99>+20%",
// "similarity<0.9".
type Threshold struct {
	Text     string
	code     string
	quantile float64 // 0 for the typical value
	above    bool
	limit    float64 // a relative change, or for the similarity a number
}

var thresholdForm = regexp.MustCompile(`^([a-z_]+?)(?:_p(50|90|99))?\s*([<>])\s*([+-]?[0-9.]+)\s*(%?)$`)

// ParseThreshold reads a threshold.
func ParseThreshold(text string) (Threshold, error) {
	m := thresholdForm.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return Threshold{}, fmt.Errorf("parsing threshold %q: want DIMENSION<CHANGE%% or DIMENSION>CHANGE%%, such as "+
			"throughput<-10%%, or similarity<0.9", text)
	}
	t := Threshold{Text: strings.TrimSpace(text), code: m[1], above: m[3] == ">"}
	limit, err := strconv.ParseFloat(m[4], 64)
	if err != nil {
		return Threshold{}, fmt.Errorf("parsing threshold %q: %q is not a number", text, m[4])
	}
	t.limit = limit
	if t.code == "similarity" {
		if m[5] != "" || m[2] != "" || limit < 0 || limit > 1 {
			return Threshold{}, fmt.Errorf("parsing threshold %q: the similarity is a number from 0 to 1", text)
		}
		return t, nil
	}
	if m[2] != "" {
		q, _ := strconv.ParseFloat(m[2], 64)
		t.quantile = q / 100
	}
	for i := range kinds {
		k := &kinds[i]
		if k.code != t.code {
			continue
		}
		if m[5] == "" {
			return Threshold{}, fmt.Errorf("parsing threshold %q: a change is relative: write it in %%", text)
		}
		if k.unit == "share" && t.quantile > 0 {
			return Threshold{}, fmt.Errorf("parsing threshold %q: %s is a share and has no percentiles", text, k.code)
		}
		t.limit /= 100
		return t, nil
	}
	return Threshold{}, fmt.Errorf("parsing threshold %q: there is no dimension %q (there are similarity, %s)", text,
		t.code, strings.Join(dimensionCodes(), ", "))
}

// dimensionCodes are the names of the dimensions.
func dimensionCodes() []string {
	var all []string
	for i := range kinds {
		all = append(all, kinds[i].code)
	}
	return all
}

// Broken reports whether the comparison breaks the threshold, and says what was
// found. It is an error if the value is not known, or if so few runs, or such noisy
// ones, cannot tell: a check that cannot be made must not pass.
func (t Threshold) Broken(c *Comparison) (found string, broken bool, err error) {
	if t.code == "similarity" {
		if c.Similarity == nil {
			return "", false, fmt.Errorf("checking %s: only %d of %d dimensions could be compared", t.Text, c.Compared,
				c.Comparable)
		}
		return fmt.Sprintf("the similarity is %.2f", *c.Similarity), t.beyond(*c.Similarity), nil
	}
	d := c.Find(t.code)
	if d.Verdict == "?" {
		return "", false, fmt.Errorf("checking %s: not known (%s)", t.Text, d.Reason)
	}
	if d.Subject.State == None && d.Reference.State == None {
		return "", false, nil
	}
	if d.Subject.State != Known || d.Reference.State != Known {
		return "", false, fmt.Errorf("checking %s: one side has none (%s)", t.Text, d.Effect)
	}
	a, b := t.runs(&d.Subject), t.runs(&d.Reference)
	s, r := stats.Median(a), stats.Median(b)
	if r == 0 {
		if s == 0 {
			return "", false, nil
		}
		return "", false, fmt.Errorf("checking %s: the reference is 0, so there is no relative change", t.Text)
	}
	change := s/r - 1
	found = fmt.Sprintf("%s changed by %+.1f %%: %s instead of %s", d.Name, change*100, Amount(s, d.Unit),
		Amount(r, d.Unit))
	if len(a) == 1 && len(b) == 1 { // one run each: nothing is known of their noise
		return found, t.beyond(change), nil
	}
	broken, err = t.test(a, b, change)
	if err != nil {
		return "", false, fmt.Errorf("checking %s: %s; %w", t.Text, found, err)
	}
	return found, broken, nil
}

// Breaches are the thresholds that any of the comparisons breaks, with what was found.
func Breaches(all []*Comparison, thresholds []Threshold) (broken []string, err error) {
	for _, c := range all {
		for _, t := range thresholds {
			found, is, err := t.Broken(c)
			if err != nil {
				return nil, err
			}
			if is {
				broken = append(broken, t.Text+": "+found)
			}
		}
	}
	return broken, nil
}

// runs are the values of each run of a side that the threshold is about.
func (t Threshold) runs(v *Value) []float64 {
	if t.quantile > 0 {
		return v.quantiles(t.quantile)
	}
	return v.Samples
}

// alone is the error rate of a threshold, which tests its own dimension and nothing
// else: one in twenty checks of equals whose medians happen to lie beyond the limit.
const alone = 0.05

// mostRuns is up to how many runs a side are proposed.
const mostRuns = 100

// test asks whether repeated runs show a change that lies beyond the limit to be more
// than noise. It is an error if they cannot tell.
func (t Threshold) test(a, b []float64, change float64) (bool, error) {
	if len(a) < fewestRuns || len(b) < fewestRuns {
		return false, fmt.Errorf("too few runs to tell that from noise (%d against %d): record at least %d a side", len(a),
			len(b), fewestRuns)
	}
	if !t.beyond(change) {
		return false, nil
	}
	if stats.MannWhitney(a, b).P < alone {
		return true, nil
	}
	limit, noise := math.Abs(math.Log1p(t.limit)), scatter(a, b)
	if least := stats.LeastShift(len(a), len(b), alone, seen) * noise; t.limit != 0 && least > limit {
		return false, fmt.Errorf("too few runs to tell that from noise: with %d against %d a change below %s is not seen; %s",
			len(a), len(b), unit.Share(math.Expm1(least)), enough(limit, noise))
	}
	return false, nil
}

// enough says how many runs a side would show a change of the size of a limit.
func enough(limit, noise float64) string {
	for n := fewestRuns; n <= mostRuns; n++ {
		if stats.LeastShift(n, n, alone, seen)*noise <= limit {
			return fmt.Sprintf("record about %d a side", n)
		}
	}
	return "the runs scatter too much for such a limit: find out why, or allow more"
}

func (t Threshold) beyond(v float64) bool {
	if t.above {
		return v > t.limit
	}
	return v < t.limit
}

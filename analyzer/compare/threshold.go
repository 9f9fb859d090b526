package compare

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
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
		return Threshold{}, fmt.Errorf("parsing threshold %q: want DIMENSION<CHANGE%% or DIMENSION>CHANGE%%, such as throughput<-10%%, or similarity<0.9", text)
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
	return Threshold{}, fmt.Errorf("parsing threshold %q: there is no dimension %q (there are similarity, %s)", text, t.code, strings.Join(Codes(), ", "))
}

// Codes are the names of the dimensions.
func Codes() []string {
	var all []string
	for i := range kinds {
		all = append(all, kinds[i].code)
	}
	return all
}

// Broken reports whether the comparison breaks the threshold, and says what was
// found. A change within the noise of repeated runs breaks none. It is an error
// if the value is not known: a check that cannot be made must not pass.
func (t Threshold) Broken(c *Comparison) (found string, broken bool, err error) {
	if t.code == "similarity" {
		if c.Similarity == nil {
			return "", false, fmt.Errorf("checking %s: only %d of %d dimensions could be compared", t.Text, c.Compared, c.Comparable)
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
	s, r := *d.Subject.Typical, *d.Reference.Typical
	if t.quantile > 0 {
		s, r = d.Subject.quantile(t.quantile), d.Reference.quantile(t.quantile)
	}
	if r == 0 {
		if s == 0 {
			return "", false, nil
		}
		return "", false, fmt.Errorf("checking %s: the reference is 0, so there is no relative change", t.Text)
	}
	change := s/r - 1
	found = fmt.Sprintf("%s changed by %+.1f %%: %s instead of %s", d.Name, change*100, Amount(s, d.Unit), Amount(r, d.Unit))
	return found, t.beyond(change) && d.Verdict != "~", nil
}

func (t Threshold) beyond(v float64) bool {
	if t.above {
		return v > t.limit
	}
	return v < t.limit
}

package compare

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
)

// effect tells a dimension in words: the subject against the reference.
func effect(d *Dimension, k *kind) string {
	s, r := &d.Subject, &d.Reference
	switch {
	case d.Verdict == "?":
		return d.Reason
	case s.State == None && r.State == None:
		return "both: " + s.Reason
	case s.State == None:
		return s.Reason + " vs " + Tell(r, d.Code)
	case r.State == None:
		return Tell(s, d.Code) + " vs " + r.Reason
	case d.Verdict == "same" && *d.Distance < 0.005:
		return "the same: " + Tell(s, d.Code)
	case d.Verdict == "same":
		return "about the same: " + versus(d)
	case d.Verdict == "~":
		return "no difference beyond the noise: " + versus(d)
	case len(s.Shares) > 0:
		return versus(d)
	case k.mean:
		return fmt.Sprintf("%s vs %s in flight", unit.Number(*s.Typical), unit.Number(*r.Typical))
	}
	return factorWords(d, k)
}

func versus(d *Dimension) string {
	a, b := Tell(&d.Subject, d.Code), Tell(&d.Reference, d.Code)
	if a == b {
		return a
	}
	return a + " vs " + b
}

// factorWords tells two typical values and their ratio: "128 KiB vs 1 MiB (8 × smaller)". Where they agree, the
// difference is in the spread.
func factorWords(d *Dimension, k *kind) string {
	within := func(v float64) float64 {
		if capped(k.code) {
			v = math.Min(v, k.limit)
		}
		return math.Max(v, k.floor)
	}
	ratio := within(*d.Subject.Typical) / within(*d.Reference.Typical)
	word, times := k.more, ratio
	if ratio < 1 {
		word, times = k.less, 1/math.Max(ratio, 1e-12)
	}
	var said string
	switch {
	case times < 1.02:
		return "spread differently around " + Tell(&d.Subject, d.Code)
	case times < 2:
		said = unit.Share(math.Abs(ratio-1)) + " " + word
	case times < 9.95:
		said = unit.Significant(times, 2) + " × " + word
	default:
		said = unit.Significant(times, 3) + " × " + word
	}
	said = strings.Replace(said, ".0 ×", " ×", 1)
	return fmt.Sprintf("%s (%s%s)", versus(d), said, interval(d, ratio < 1))
}

// interval tells the range of the ratio, turned over as the ratio was.
func interval(d *Dimension, turned bool) string {
	if d.Low == nil || d.High == nil || *d.Low <= 0 || *d.Low == *d.High {
		return ""
	}
	low, high := *d.Low, *d.High
	if turned {
		low, high = 1/high, 1/low
	}
	return fmt.Sprintf(", 95 %% interval %s × to %s ×", unit.Significant(low, 3), unit.Significant(high, 3))
}

// Tell prints the value that a dimension has on one side.
func Tell(v *Value, code string) string {
	switch v.State {
	case Unknown:
		return "?"
	case None:
		return v.Reason
	}
	if len(v.Shares) > 0 {
		return tellShares(v, code)
	}
	t := *v.Typical
	text := Amount(t, unitOf(code))
	if capped(code) && t >= endless {
		return unit.BlockSize(endless) + " or more"
	}
	return text
}

// capped reports whether values at the limit of a dimension are told as such.
func capped(code string) bool { return code == kinds[syncEvery].code || code == kinds[runLength].code }

func unitOf(code string) string {
	for i := range kinds {
		if kinds[i].code == code {
			return kinds[i].unit
		}
	}
	return ""
}

// Amount prints a value in the unit of its dimension.
func Amount(v float64, in string) string {
	switch in {
	case "bytes":
		return unit.BlockSize(int64(math.Round(v)))
	case "ns":
		return unit.Duration(time.Duration(math.Round(v)))
	case "bytes/s":
		return unit.Rate(v)
	case "share":
		return unit.Share(v)
	}
	return unit.Number(v)
}

func tellShares(v *Value, code string) string {
	if code == kinds[busyShare].code || code == kinds[metadataShare].code {
		return unit.Share(v.Shares[0].Share)
	}
	var parts []string
	for _, s := range v.Shares {
		switch {
		case s.Share > 0.995:
			return s.Kind
		case s.Share >= 0.005:
			parts = append(parts, unit.Share(s.Share)+" "+s.Kind)
		}
	}
	return strings.Join(parts, ", ")
}

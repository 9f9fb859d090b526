package answer

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// steps words the change points. One that several curves show is one step.
func steps(o *observer) {
	told := make([]bool, len(o.p.ChangePoints))
	for i, s := range o.p.ChangePoints {
		if told[i] {
			continue
		}
		at := fmt.Sprintf("/change_points/%d", i)
		verb := "fell"
		if s.Ratio > 1 {
			verb = "rose"
		}
		seen := []string{seriesText(&s)}
		for k := i + 1; k < len(o.p.ChangePoints); k++ {
			if x := &o.p.ChangePoints[k]; sameStep(o, &s, x) {
				told[k] = true
				seen = append(seen, seriesText(x))
			}
		}
		text := fmt.Sprintf("The rate (%s) %s from %s to %s after %s.", unit.List(seen), verb, unit.Speed(s.Before),
			unit.Speed(s.After), unit.Bytes(s.AtBytes))
		if facts := wording.Step(&s); len(facts) > 0 {
			text += " " + strings.Join(facts, " ")
		}
		o.say("step", at, text, number(at+"/at_bytes", float64(s.AtBytes)),
			number(at+"/before_bytes_per_s", float64(s.Before)),
			number(at+"/after_bytes_per_s", float64(s.After)))
	}
}

func seriesText(s *profile.Step) string {
	if s.Device != "" {
		return s.Series + " of " + s.Device
	}
	return s.Series
}

// sameStep reports whether two curves show the same step: in the same direction,
// at the same time within two chunks of either.
func sameStep(o *observer, a, b *profile.Step) bool {
	near := int64(0)
	for _, f := range o.p.Phases {
		for _, s := range []*profile.Step{a, b} {
			if f.Series == s.Series && f.Device == s.Device && f.Chunks > 0 {
				near = max(near, 2*(f.ToNS-f.FromNS)/int64(f.Chunks))
			}
		}
	}
	return (a.Ratio < 1) == (b.Ratio < 1) && max(a.AtNS-b.AtNS, b.AtNS-a.AtNS) <= near
}

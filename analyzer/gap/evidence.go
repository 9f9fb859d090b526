package gap

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// leastNamed is the share of the time from which on a cause of the verdict is named.
const leastNamed = 0.05

// causes are those of the verdict that are worth naming: view A, and the evidence for the factors. What is left of the
// time is under smaller ones, or under none.
func causes(p *profile.Profile) []profile.Reason {
	all := []profile.Reason{}
	for _, c := range p.Verdict.Causes {
		if c.Share >= leastNamed {
			all = append(all, c)
		}
	}
	return all
}

// Recorded are the causes behind a factor that took a part of the recorded time, the greatest first. A factor may share
// one with others: which of them it was an experiment tells.
func (r *Report) Recorded(f *Factor) []profile.Reason {
	return slices.DeleteFunc(slices.Clone(r.Causes), func(c profile.Reason) bool {
		return !slices.Contains(f.Causes, c.Code)
	})
}

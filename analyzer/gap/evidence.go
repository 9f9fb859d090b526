package gap

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
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

// foremost says which difference goes with most of the recorded time, if one goes with some.
func (r *Report) foremost() string {
	var most *Factor
	share := 0.0
	for i := range r.Differences {
		sum := 0.0
		for _, c := range r.Recorded(&r.Differences[i]) {
			sum += c.Share
		}
		if sum > share {
			most, share = &r.Differences[i], sum
		}
	}
	if most == nil {
		return ""
	}
	return fmt.Sprintf(" %s of the recorded time goes with %s: %s instead of %s.", unit.Share(share), most.Name,
		most.Workload, most.Benchmark)
}

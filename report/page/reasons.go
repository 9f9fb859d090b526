package page

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/content"
)

// A reason is a cause of the verdict with what it rests on.
type reason struct {
	Index                   int
	Name, Share, Sure, Text string
	Evidence                []number
	Experiment              string
	Lit                     bool // the charts can show when
}

// A number is one of the profile, and where it stands there, in words and as a pointer.
type number struct{ Value, Where, Pointer string }

// certainties are how sure a cause is, in words.
var certainties = map[string]string{
	"measured": "measured: the recording shows it", "likely": "likely: something else could look the same",
	"open": "not known: only more than was recorded would tell",
}

// reasonsOf are the causes of the verdict; lit says of which of them the charts can show when.
func reasonsOf(p *profile.Profile, lit func(cause int) bool) (list []reason) {
	for i, c := range p.Verdict.Causes {
		r := reason{Index: i, Name: visible.Text(c.Name), Share: unit.Share(c.Share), Sure: certainties[c.Certainty]}
		r.Text = visible.Shorten(visible.Text(c.Text), content.Longest)
		r.Experiment, r.Lit = visible.Text(c.Experiment), lit(i)
		for _, e := range c.Evidence {
			r.Evidence = append(r.Evidence, proof(p, &e))
		}
		list = append(list, r)
	}
	return list
}

func proof(p *profile.Profile, e *profile.Evidence) number {
	where, value := content.Proof(p, e)
	return number{value, where, visible.Text(e.Pointer)}
}

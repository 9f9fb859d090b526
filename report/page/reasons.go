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

func (pg *page) reasons(p *profile.Profile) {
	for i, c := range p.Verdict.Causes {
		r := reason{Index: i, Name: visible.Text(c.Name), Share: unit.Share(c.Share), Sure: certainties[c.Certainty]}
		r.Text = visible.Shorten(visible.Text(c.Text), content.Longest)
		r.Experiment, r.Lit = visible.Text(c.Experiment), pg.Lit(i)
		for _, e := range c.Evidence {
			r.Evidence = append(r.Evidence, proof(p, &e))
		}
		pg.Reasons = append(pg.Reasons, r)
	}
}

func proof(p *profile.Profile, e *profile.Evidence) number {
	where, value := content.Proof(p, e)
	return number{value, where, visible.Text(e.Pointer)}
}

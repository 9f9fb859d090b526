package verdict

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
)

// ofOperations is the account of what was recorded without a command: the time of its operations. What servers do
// between them is to wait.
func ofOperations(p *profile.Profile) *account {
	o := p.Operations
	a := &account{p: p, total: o.TotalNS, watched: p.TimeStack.TotalNS, serial: true}
	for i := range o.Parts {
		x := &o.Parts[i]
		u := labels[x.Place.Label]
		if u == ready && x.LongestNS <= timeline.WakeUp {
			u = waking
		}
		a.spent[u] += x.NS
	}
	return a
}

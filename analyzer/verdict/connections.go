package verdict

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// inVain is how long what was asked of an address was waited for and did not come.
func inVain(c *profile.Connection) int64 { return c.UnmetNS + c.VainNS }

// unheard is the cause if most of so much time went by in waits for who did not answer, or did not let anybody connect;
// nil if not.
func unheard(a *account, ns int64) *profile.Reason {
	c, index := most(a.p.Connections, func(c *profile.Connection) int64 { return inVain(c) + none })
	if c == nil || 2*inVain(c) <= ns {
		return nil
	}
	what, field, n, of, spent := "connect to "+who(c.Address), "unmet_ns", c.Unmet, c.Connects, c.UnmetNS
	if c.VainNS > spent {
		what, field, n, of, spent = "what was asked of "+who(c.Address), "unanswered_ns", c.Unanswered, c.Asked, c.VainNS
	}
	times := " for " + unit.Nanoseconds(spent)
	if of > 1 {
		times = fmt.Sprintf(", %d of %s: waited for %s, %s at most", n, unit.Things(of, "time"), unit.Nanoseconds(spent),
			unit.Nanoseconds(c.LongestNS))
	}
	a.figure("asked_in_vain", float64(n))
	a.figure("asked", float64(of))
	a.figure("asked_in_vain_ns", float64(spent))
	a.figure("longest_wait_ns", float64(c.LongestNS))
	return &profile.Reason{
		Code: cause.OtherEnd, Name: "others", TimeNS: ns, Certainty: cause.Likely,
		Text:     what + " was not answered" + times,
		Remedy:   instead(c.Address) + "; a shorter timeout",
		Evidence: []profile.Evidence{at(fmt.Sprintf("/connections/%d/%s", index, field), float64(spent))},
	}
}

// unheardOf is for recordings that do not tell what threads waited for, but when they asked and when they went on.
func unheardOf(a *account) {
	c, _ := most(a.p.Connections, inVain)
	if a.sees(trace.LimitNoWaits) || c == nil {
		return
	}
	ns := a.takeUpTo(inVain(c), inOther, unknown, inData)
	if r := unheard(a, ns); r != nil {
		a.because(*r)
	}
}

// instead is what to do where an address does not answer.
func instead(address string) string {
	if asNameServer(address) {
		return "find out why the name server does not answer, or name another first in /etc/resolv.conf"
	}
	return "find out why nobody answers at " + address + ", or ask another"
}

// who is an address with what is usually there, if that says why it was asked.
func who(address string) string {
	if asNameServer(address) {
		return "the name server (DNS) " + address
	}
	return address
}

// asNameServer reports whether the port of an address is the one at which names are asked for.
func asNameServer(address string) bool { return strings.HasSuffix(address, ":53") }

// turnedAway tells of an address at which nobody listened, where programs slept between their tries.
func turnedAway(a *account, asleep *timed) (string, []profile.Evidence) {
	c, index := most(a.p.Connections, func(c *profile.Connection) int64 { return c.Refused + none })
	if c == nil || c.Refused < 2 || 2*c.Refused <= c.Connects || a.p.Path != nil && asleep.count > 2*c.Refused {
		return "", nil
	}
	a.figure("refused", float64(c.Refused))
	text := fmt.Sprintf("; %s to %s were refused, as nobody listened there", unit.Things(c.Refused, "connect"), c.Address)
	return text, []profile.Evidence{at(fmt.Sprintf("/connections/%d/refused", index), float64(c.Refused))}
}

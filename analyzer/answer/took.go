package answer

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// took says how long it took, how it ended, and when its data was durable.
func took(p *profile.Profile) string {
	text, wrote := unit.Nanoseconds(p.WallNS)+" "+ended(p), p.Written()
	not, alone := notDurable(p)
	if not != "" {
		not = " · " + not
	}
	switch {
	case !p.Trace.Sees(string(trace.LimitPartial)):
		return text // other data is not known
	case wrote == 0 || len(p.Command) == 0 && !severalRan(p) || p.Trace.Reason == "interrupted":
		return text
	case verdict.InMemory(p):
		return fmt.Sprintf("%s · the %s written are in memory only", text, unit.Bytes(wrote))
	case alone:
		return text + not
	case p.DurableNS < 0:
		return text + " · not seen when its data was durable" + not
	case p.DurableNS > p.WallNS+p.WallNS/20:
		return fmt.Sprintf("%s · %s until durable%s", text, unit.Nanoseconds(p.DurableNS), not)
	case not != "":
		return text + ", other data durable" + not
	}
	return text + ", all data durable"
}

// ended says how the workload, or its recording, came to its end; it follows the time until then.
func ended(p *profile.Profile) string {
	switch status := p.ExitStatus; {
	case p.Trace.Reason == "interrupted":
		return "recorded, then interrupted"
	case len(p.Command) == 0 && severalRan(p):
		return "until the last command returned"
	case len(p.Command) == 0 && !p.Trace.Sees(string(trace.LimitNoTimes)):
		return "in calls and requests, one after the other"
	case len(p.Command) == 0:
		return "recorded"
	case status < 0 && (p.Trace.Reason == "duration" || p.Trace.Reason == "signal"):
		return "recorded; the command still ran"
	case p.Signal() > 0:
		return fmt.Sprintf("until signal %d ended it", p.Signal())
	case status > 0:
		return fmt.Sprintf("until it exited with status %d%s", status, refused(p))
	}
	return "to return"
}

// severalRan reports whether the hosts of a merged trace ran commands: the workload begins with the first of them then.
func severalRan(p *profile.Profile) bool { return p.Trace.Scope == trace.ScopeMerge && p.StartNS > 0 }

// refusals are what the system may have said to a command that failed, by error number.
var refusals = []struct {
	errno trace.Errno
	text  string
}{
	{trace.ErrNoSpace, "no space left"}, {trace.ErrQuota, "the quota is used up"},
	{trace.ErrReadOnly, "the file system cannot be written to"},
	{trace.ErrIO, "the drive or the file system reported an error"},
}

// refused is such a call, in words.
func refused(p *profile.Profile) string {
	for _, r := range refusals {
		for i := range p.Calls {
			c := &p.Calls[i]
			if c.Errno[r.errno] > 0 && (r.errno != trace.ErrIO || c.Op.MovesData() || c.Op.Durability()) {
				return fmt.Sprintf(" (%s: %s)", c.Name, r.text)
			}
		}
	}
	return ""
}

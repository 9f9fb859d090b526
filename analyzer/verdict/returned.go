package verdict

import (
	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// untilReturn reports whether the causes of a command are to divide the time until it returned, not that until its data
// was durable. So it is where what took longest came after it for the most part and was not waited for: the file
// system's journal and the drive's cache after little data, or writes that were no data of its own. Of a command that
// was over before anybody noticed, and long before that, the rest is all that there is to tell.
func untilReturn(p *profile.Profile, causes []profile.Reason) bool {
	if p.Operations != nil || len(causes) == 0 {
		return false
	}
	c := &causes[0]
	if Brief(p.WallNS) && (Brief(c.TimeNS) || float64(p.WallNS) < tenth*float64(p.TimeStack.TotalNS)) {
		return false
	}
	switch c.Code {
	case cause.Settling:
		_, written := p.ByCalls()
		return written+writtenFor(p, profile.Mapped) < notableBytes
	case cause.DeviceBandwidth, cause.DeviceLatency:
		return 2*afterReturn(c) > c.TimeNS && 2*writtenFor(p, profile.Metadata, profile.Earlier) > writtenFor(p)
	}
	return false
}

// afterReturn is the part of a cause's time that came after the command.
func afterReturn(c *profile.Reason) (ns int64) {
	for i := range c.Parts {
		if x := &c.Parts[i]; labels[x.Label] == after {
			ns += x.NS
		}
	}
	return ns
}

// writtenFor is what devices wrote for the workload for some reasons, or for all.
func writtenFor(p *profile.Profile, reasons ...string) (bytes int64) {
	for i := range p.Amounts.Devices {
		w := &p.Amounts.Devices[i].Write
		for _, code := range reasons {
			bytes += w.Of(code)
		}
		if len(reasons) == 0 {
			bytes += w.Device - w.Of(profile.Above) - w.Of(profile.ByOther) - w.Of(profile.ByRecorder)
		}
	}
	return bytes
}

// endAtReturn leaves out the time after the command.
func (a *account) endAtReturn() {
	a.total, a.watched = a.p.TimeStack.WallNS, a.p.TimeStack.WallNS
	a.spent[after], a.origins[after] = 0, origin{}
}

package answer

import (
	"unicode/utf8"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// A bar has so many named parts, each of at least such a share; the rest of the time is its last part.
const (
	mostParts  = 4
	leastShare = 0.05

	besides = 9                      // columns of a part beside its name: the bar itself, the share
	other   = len("other") + besides // of the last part
)

// bar divides the time among the causes: the parts add up to all of it.
func bar(p *profile.Profile) []profile.BarPart {
	all := total(p)
	if all <= 0 || len(p.Verdict.Causes) == 0 {
		return nil
	}
	var list []profile.BarPart
	room := columns
	left := all
	for i := range p.Verdict.Causes {
		c := &p.Verdict.Causes[i]
		name := short(c)
		width := utf8.RuneCountInString(name) + besides
		if ns := min(c.TimeNS, left); len(list) < mostParts && c.Share >= leastShare && ns > 0 && width <= room-other {
			room -= width
			list = append(list, profile.BarPart{Code: c.Code, Name: name, TimeNS: ns, Share: share(ns, all)})
			left -= ns
		}
	}
	if left > 0 {
		list = append(list, profile.BarPart{Name: "other", TimeNS: left, Share: share(left, all)})
	}
	return list
}

func share(ns, total int64) float64 { return float64(ns) / float64(total) }

// short is the name of a cause in a bar: a word or two. What waits for a device is called by that.
func short(c *profile.Reason) string {
	if name, ok := shortNames[c.Code]; ok {
		return name
	}
	return c.Name
}

var shortNames = map[string]string{
	verdict.Settling: "write-back", verdict.Sync: "sync", verdict.PageCache: "page cache", verdict.Names: "metadata",
	verdict.OwnCPU: "CPU", verdict.CPUContention: "runnable", verdict.WakeUp: "wake-up", verdict.CPUQuota: "quota",
	verdict.StolenCPU: "stolen", verdict.ProgramStart: "start-up", verdict.ThinkTime: "sleeping",
	verdict.LimitAbove: "throttled", verdict.DirtyLimit: "dirty limit", verdict.MappedReads: "page faults",
	verdict.SmallCalls: "small calls", verdict.OtherEnd: "other program", verdict.UserSpaceFS: "FUSE daemon",
	verdict.NetworkFS: "file server", verdict.CopyUp: "copy-up", verdict.Compression: "compression",
	verdict.MemoryPressure: "read again", verdict.OutsideOfCalls: "not recorded",
}
